"""A GitHub Actions workflow for the *instructor's* repository: private tests by a central runner.

The learners' repositories hold no secret and no workflow of ours: this one fetches them, read-only,
grades all of them with the secret seed, and keeps the results. Repository secrets it needs:
`GRADER_SEED`, and `READ_TOKEN`, a token that may read the learners' repositories.
"""

from __future__ import annotations

from ... import DISTRIBUTION
from . import Export, Wanted
from .workflow import pinned

TEXT = """\
name: grade the class
on:
  workflow_dispatch:
permissions:
  contents: read
concurrency:
  group: grade-the-class
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 300
    steps:
      - uses: actions/checkout@CHECKOUT
        with:
          persist-credentials: false
      - uses: actions/setup-python@SETUP
        with:
          python-version: "3.12"
      - name: Install
        run: python -m pip install 'DISTRIBUTION[instructor]'
      - name: Fetch what was handed in
        env:
          READ_TOKEN: ${{ secrets.READ_TOKEN }}
        run: |
          # learners.txt: a repository per line, OWNER/NAME
          mkdir -p "$RUNNER_TEMP/submitted"
          while read -r repository; do
            [[ "$repository" =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || continue
            place="$RUNNER_TEMP/submitted/${repository/\\//+}"
            who="Authorization: Basic $(printf 'x:%s' "$READ_TOKEN" | base64 -w0)"
            git -c http.extraheader="$who" clone --quiet --depth 1 -- \\
              "https://github.com/$repository" "$place" || echo "::warning::$repository: none"
          done < learners.txt
      - name: Grade
        env:
          GRADER_SEED: ${{ secrets.GRADER_SEED }}
        run: |
          status=0
          (umask 077; printf '%s' "$GRADER_SEED" > "$RUNNER_TEMP/seed")
          grader grade "$RUNNER_TEMP/submitted" --out "$RUNNER_TEMP/results" \\
            --seed-file "$RUNNER_TEMP/seed" --chapters CHAPTERS || status=$?
          rm -f "$RUNNER_TEMP/seed"
          grader export html "$RUNNER_TEMP/results" --out "$RUNNER_TEMP/pages"
          grader export csv "$RUNNER_TEMP/results" --out "$RUNNER_TEMP/pages/grades.csv"
          exit $(( status > 1 ))
      - uses: actions/upload-artifact@UPLOAD
        with:
          name: marks
          path: ${{ runner.temp }}/pages
          retention-days: 14
"""


def export(wanted: Wanted) -> Export:
    """One file, for `.github/workflows/` of a private repository of the instructor's."""
    chapters = " ".join(wanted.chapters)
    text = TEXT.replace("DISTRIBUTION", DISTRIBUTION)
    text = text.replace(" --chapters CHAPTERS", f" --chapters {chapters}" if chapters else "")
    note = "Keep this in a private repository of yours, with learners.txt; never in a learner's."
    return Export({"grade-the-class.yml": pinned(text).encode()}, [note])
