"""`grader gradebook COURSE [ASSIGNMENT …]`: marks and comments into nbgrader's gradebook."""

from __future__ import annotations

import argparse
from typing import Any

from ..errors import WrongUse
from ..report.words import points


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every submission has its marks, 1 where one could not be judged."""
    try:
        from ..instructor import nbgrader_course, nbgrader_results
        from ..instructor.nbgrader_book import open_gradebook, write
    except ImportError as error:
        raise WrongUse(
            f"A gradebook needs nbgrader ({error.name} is missing): "
            "pip install 'babygrad-course[instructor]'."
        ) from error
    course = nbgrader_course.open_course(options.course, options.db)
    wanted = options.assignments or course.assignments
    if options.results:
        rows = nbgrader_results.rows(options.results, wanted)
    else:
        rows = nbgrader_course.rows(course, wanted)
    crashed = 0
    with open_gradebook(course.db_url) as gradebook:
        for row in rows:
            write(gradebook, (row.assignment, row.assignment, row.learner), row.marks)
            total = sum(mark.score for mark in row.marks.values())
            most = sum(mark.max_score for mark in row.marks.values())
            word = "crashed" if row.crashed else f"{points(total)} of {points(most)} points"
            print(f"{row.assignment}  {row.learner}  {word}")
            for note in row.notes:
                print(f"    {note}")
            crashed += row.crashed
    return 1 if crashed else 0
