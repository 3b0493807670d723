"""The `nbgrader_config.py` of a course that `grader notebooks` writes."""

from __future__ import annotations

import json
import re

from ... import DISTRIBUTION
from ...about import COURSE

SETTINGS = "nbgrader_config.py"
TEXT = '''\
"""nbgrader's settings for this course, written by `grader notebooks`; yours are at the end."""

import os
import sys

# nbgrader goes on without its settings where this file fails; SystemExit it lets through.
try:
    from grader.classroom.nbgrader.feedback import name_exercises
    from grader.classroom.nbgrader.hooks import learners_files, mend_submissions, packages_alone
except ImportError as error:
    raise SystemExit(
        f"nbgrader_config.py: {error}. Install the grader where nbgrader is: "
        "pip install 'DISTRIBUTION[instructor]'"
    )

c = get_config()  # noqa: F821  (nbgrader puts it here)

# nbgrader starts `alembic` by its name, from the environment that nbgrader itself runs in.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

c.CourseDirectory.course_id = "COURSE"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\\nraise NotImplementedError"}

# What learners may have written into the package beside the notebook stays theirs: every file that
# is not named there would be overwritten with ours.
c.Autograde.exclude_overwriting = learners_files(os.path.dirname(os.path.abspath(__file__)))

# A package that was handed in without a notebook gets one, so that nbgrader marks it, too.
packages_alone(os.path.dirname(os.path.abspath(__file__)))

# Notebooks that cannot be read are set aside, so that the others are marked, and this one is
# marked as crashed.
c.Autograde.pre_convert_hook = mend_submissions

# No kernel runs what learners wrote: their answers are judged in the grader's worker.
# `Execute` in the place of `JudgeAnswers` is nbgrader's own way, and `check(...)` works there too;
# but then learners' code runs beside the tests, and can write its own mark.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "grader.classroom.nbgrader.autograde_steps.RestoreCells",
    "grader.classroom.nbgrader.feedback.BareCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "grader.classroom.nbgrader.autograde_steps.JudgeAnswers",
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "grader.classroom.nbgrader.gradebook_api.SaveComments",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.JudgeAnswers.reveal = False  # True shows hidden checks' numbers in the feedback, too

# The folder of your class, as `grader grade --out` makes it: the key, the secret seed that its
# inputs are drawn from, your course.toml. Keep it to yourself. Where this is empty, inputs are the
# public course's, and who installs it can hand in their answers.
c.JudgeAnswers.results = ""

# What learners wrote is shown without anything that runs, in feedback and formgrader, and none of
# it is rendered without end.
c.HTMLExporter.filters = {
    "markdown2html": "grader.classroom.nbgrader.feedback.markdown_html",
    "highlight_code": "grader.classroom.nbgrader.feedback.code_html",
}

# A page of feedback begins with what went wrong with all of it, and calls exercises by their names.
c.GenerateFeedback.post_convert_hook = name_exercises

# Less than this and nothing is marked. "process" is for a machine without Landlock: what learners
# wrote can then read whatever you can, the key of the class too.
c.JudgeAnswers.isolation = "confined"

# Who hands in after the due date loses: "none", or "zero" for all points. A rule of your own is a
# class: `nbgrader` documents AssignLatePenalties.plugin_class. The due date is the gradebook's:
#   nbgrader db assignment add chapter3 --duedate="2026-03-01 12:00:00 UTC"
c.LateSubmissionPlugin.penalty_method = "none"
'''
YOURS = "# ---- yours below; this line and what follows it stay when the file is written again"


def results_in(text: str) -> str:
    """The folder of results that such a file names; empty where it names none."""
    found = _value(text.partition(YOURS)[0], "JudgeAnswers.results")
    try:
        return str(json.loads(found)) if found else ""
    except ValueError:
        return ""  # an expression of the instructor's own


def config(db_url: str = "", results: str = "", before: str = "") -> str:
    """The text of the file.

    Args:
        db_url: the gradebook's, as SQLAlchemy writes it; empty: as before, else nbgrader's own.
        results: the folder of `grader grade` whose key judges, as seen from the course's folder;
            empty: as before, else none.
        before: the file that it replaces; what an instructor wrote at its end stays.
    """
    ours, _, yours = before.partition(YOURS)
    results = json.dumps(results) if results else _value(ours, "JudgeAnswers.results") or '""'
    text = TEXT.replace("DISTRIBUTION", DISTRIBUTION).replace('"COURSE"', f'"{COURSE.name}"')
    text = text.replace('results = ""', f"results = {results}")
    db_url = json.dumps(db_url) if db_url else _value(ours, "CourseDirectory.db_url")
    if db_url:
        text += f"\nc.CourseDirectory.db_url = {db_url}\n"
    return f"{text}\n{YOURS}{yours or chr(10)}"


def _value(text: str, name: str) -> str:
    """What a setting is set to, as it stands there; empty where it is not."""
    found = re.search(rf"^c\.{re.escape(name)} = (.+)$", text, re.MULTILINE)
    return found.group(1) if found else ""
