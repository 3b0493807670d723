"""`grader gradebook COURSE [ASSIGNMENT …]`: marks and comments into nbgrader's gradebook."""

from __future__ import annotations

import argparse
import os
from typing import Any

from .. import DISTRIBUTION
from ..errors import WrongUse
from ..learner.wording import points
from .options import DATABASE, Options

SAYS = "write the marks of an nbgrader course's submissions into its gradebook"
OPTIONS: Options = (
    (("course",), {"metavar": "COURSE", "help": "the folder of nbgrader_config.py"}),
    (("assignments",), {"nargs": "*", "metavar": "ASSIGNMENT"}),
    (("--results",), {"metavar": "RESULTS", "help": "the marks of `grader grade`"}),
    (
        ("--times",),
        {
            "metavar": "FILE",
            "help": "when who handed in, as the platform has it: CSV, learner and time (and "
            "assignment); by default COURSE/times.csv",
        },
    ),
    DATABASE,
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every submission has its marks, 1 where one could not be judged."""
    try:
        from ..classroom.nbgrader import course_folder as nbgrader_course
        from ..classroom.nbgrader import result_rows as nbgrader_results
        from ..classroom.nbgrader.gradebook_api import open_gradebook, settle_lateness, write
    except ImportError as error:
        raise WrongUse(
            f"A gradebook needs nbgrader ({error.name} is missing): "
            f"pip install '{DISTRIBUTION}[instructor]'."
        ) from error
    course = nbgrader_course.open_course(options.course, options.db)
    wanted = nbgrader_course.known(course, options.assignments or course.assignments)
    if options.results:
        rows = nbgrader_results.rows(os.path.abspath(options.results), wanted)
    else:
        rows = nbgrader_course.rows(course, wanted)
    crashed = 0
    with open_gradebook(course.db_url) as gradebook:
        for row in rows:
            place = (row.assignment, row.assignment, row.learner)
            came = course.arrival(row.learner, row.assignment, options.times or "")
            unknown = write(gradebook, place, row.marks, came and came.when)
            settle_lateness(course, place)
            _say(row, unknown)
            if came is not None and not came.is_logged:
                print(f"    {came}; --times names a log.")
            crashed += row.crashed
    return 1 if crashed else 0


def _say(row: Any, unknown: list[str]) -> None:
    total = sum(mark.score for mark in row.marks.values())
    most = sum(mark.max_score for mark in row.marks.values())
    word = "crashed" if row.crashed else f"{points(total)} of {points(most)} points"
    print(f"{row.assignment}  {row.learner}  {word}")
    for note in row.notes:
        print(f"    {note}")
    if unknown:
        print(
            f"    The gradebook has no cell for {', '.join(unknown)}. "
            f"Run `nbgrader generate_assignment {row.assignment} --force`."
        )
