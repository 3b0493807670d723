"""A GitHub Actions workflow for a learner's repository, which holds what `grader release` wrote."""

from __future__ import annotations

from . import Export, Wanted

# By commit: a tag can be moved by whoever takes over the action.
ACTIONS = {
    "@CHECKOUT": "@08c6903cd8c0fde910a37f88322edcfb5dd907a8  # v5.0.0",
    "@SETUP": "@e797f83bcb11b83ae66e0230d6156d7c80228e7c  # v6.0.0",
    "@UPLOAD": "@ea165f8d65b6e75b540449e92b4886f43607fa02  # v4.6.2",
}
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
      - uses: actions/checkout@CHECKOUT
        with:
          persist-credentials: false
      - uses: actions/setup-python@SETUP
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
    return Export({"grader.yml": pinned(text).encode()}, [])


def pinned(text: str) -> str:
    """A workflow with every action at its commit."""
    for mark, commit in ACTIONS.items():
        text = text.replace(mark, commit)
    return text
