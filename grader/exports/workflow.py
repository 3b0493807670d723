"""A GitHub Actions workflow for a learner's repository, which holds what `grader release` wrote."""

from __future__ import annotations

from . import Export, Wanted

TEXT = """\
# A self-check with the public inputs: who may push here may change it, and read what it holds.
# Marks come from `grader grade` over clones, with a seed that nobody here has.
name: grader
on:
  push:
  pull_request:
  workflow_dispatch:
permissions:
  contents: read
concurrency:
  group: grader-${{ github.ref }}
  cancel-in-progress: true
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
          cache: pip
      - name: Install
        run: python -m pip install -r requirements.txt
      - name: Check
        id: check
        run: |
          status=0
          grader check CHAPTERS --json > result.json || status=$?
          echo "status=$status" >> "$GITHUB_OUTPUT"
      - name: Report
        if: steps.check.outputs.status != '2'
        run: |
          grader export github result.json --out report
          cat report/annotations.txt
          cat report/summary.md >> "$GITHUB_STEP_SUMMARY"
      - name: Verdict
        env:
          STATUS: ${{ steps.check.outputs.status }}
        run: exit "$STATUS"
"""


def export(wanted: Wanted) -> Export:
    """One file, for `.github/workflows/`."""
    names = " ".join(wanted.chapters)
    command = f"check {names} --json" if names else "check --json"
    text = TEXT.replace("check CHAPTERS --json", command)
    return Export({"grader.yml": text.encode()}, [])
