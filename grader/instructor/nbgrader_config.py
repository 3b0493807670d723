"""The `nbgrader_config.py` of a course that `grader notebooks` writes."""

from __future__ import annotations

import json

TEXT = '''\
"""nbgrader's settings for this course, written by `grader notebooks`; yours are at the end."""

import os
import sys

# nbgrader goes on without its settings where this file fails; SystemExit it lets through.
try:
    from grader.instructor.nbgrader_hooks import mend_submissions
except ImportError as error:
    raise SystemExit(
        f"nbgrader_config.py: {{error}}. Install the grader where nbgrader is: "
        "pip install 'babygrad-course[instructor]'"
    )

c = get_config()  # noqa: F821  (nbgrader puts it here)

# nbgrader starts `alembic` by its name, from the environment that nbgrader itself runs in.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

c.CourseDirectory.course_id = "babygrad"
c.ClearSolutions.code_stub = {{"python": "# YOUR CODE HERE\\nraise NotImplementedError"}}

# What learners may have written into the package beside the notebook stays theirs: every file that
# is not named here would be overwritten with ours.
c.Autograde.exclude_overwriting = {exclude}

# Notebooks that cannot be read are set aside, so that the others are marked, and this one is
# marked as crashed.
c.Autograde.pre_convert_hook = mend_submissions

# No kernel runs what learners wrote: their answers are judged in the grader's worker.
# `Execute` in the place of `JudgeAnswers` is nbgrader's own way; `check(...)` works there too.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "grader.instructor.nbgrader_judge.RestoreCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "grader.instructor.nbgrader_judge.JudgeAnswers",
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "grader.instructor.nbgrader_judge.SaveComments",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.JudgeAnswers.earlier = {earlier}
c.JudgeAnswers.reveal = False  # True shows hidden checks' numbers in the feedback, too
{database}
# ---- yours below ------------------------------------------------------------------------
'''


def config(packages: dict[str, list[str]], earlier: str, db_url: str) -> str:
    """The text of the file.

    Args:
        packages: assignment → the files beside its notebook that learners may write to.
        earlier: ``given`` or ``own``.
        db_url: the gradebook's, as SQLAlchemy writes it; nbgrader's own where it is empty.
    """
    database = f"c.CourseDirectory.db_url = {json.dumps(db_url)}\n" if db_url else ""
    return TEXT.format(
        exclude=json.dumps(packages, indent=4), earlier=json.dumps(earlier), database=database
    )
