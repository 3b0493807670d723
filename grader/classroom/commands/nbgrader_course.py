"""`grader notebooks OUT [CHAPTER …]`: write a complete nbgrader course; `grader gradebook COURSE
[ASSIGNMENT …]`: write marks and comments into nbgrader's gradebook.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from ...commands import OVERLAY, command, extra, option
from ...course.load import Course
from ...course.outline import select_chapters, spell
from ...course.schema import Chapter
from ...errors import WrongUse
from ...learner.wording import points
from ...learner.workspace import STATE
from ..marks.overlay import load_course
from . import DATABASE, EARLIER

if TYPE_CHECKING:
    from ..nbgrader.autograde_steps import SubmissionMarks

RESULTS = "results"  # the class's, in the course's folder; learners get only `release/`


@command(
    "notebooks", option("out", "OUT"), option("chapters", "CHAPTER", nargs="*", type=spell),
    EARLIER, OVERLAY, DATABASE,
    option("--results", "RESULTS", "folder with the secret seed and the key of this class, "
           "as `grader grade --out RESULTS` makes it (default: OUT/results)"),
    option("--seed", "SEED", "draw inputs from this seed instead of a secret one; everybody can "
           "look up those of «public»"),
)  # fmt: skip
def run_notebooks(options: argparse.Namespace) -> int:
    """Write the course, and say which command comes next."""
    with extra("instructor", "Notebooks need nbgrader"):
        from ..nbgrader import assignments
    asked = choose_chapters(load_course(options.course), options.chapters)
    results = options.results or _before(options.out) or os.path.join(options.out, RESULTS)
    names = [chapter.id for chapter in asked]
    course = _of_a_class(options, os.path.abspath(results), names)
    chapters = choose_chapters(course, names)
    texts = assignments.assignment_files(course, chapters, options.earlier)
    try:
        assignments.write_assignments(
            options.out, texts, options.db or "", _named(options.out, results)
        )
        _write_keys(options.out, course, chapters, options.earlier)
    except OSError as error:
        raise WrongUse(f"{options.out} cannot be written to: {error.strerror}.") from error
    _say_notebooks(options.out, results, chapters, len(texts))
    return 0


def _before(out: str) -> str:
    """Return the folder of results of an existing course at ``out``; empty without one."""
    from ..nbgrader.assignments import SETTINGS, results_in

    try:
        with open(os.path.join(out, SETTINGS), encoding="utf-8") as file:
            known = results_in(file.read())
    except (OSError, UnicodeDecodeError):
        return ""
    return os.path.join(out, known) if known else ""


def _named(out: str, results: str) -> str:
    """Return a folder of results for the settings: relative inside ``out``, so that it can move."""
    inside = os.path.relpath(os.path.abspath(results), os.path.abspath(out))
    return os.path.abspath(results) if inside.startswith(os.pardir) else inside


def _of_a_class(options: argparse.Namespace, results: str, names: list[str]) -> Course:
    """Return the course of a class, and make its key, with secret inputs, in its folder of results.

    The folder is created if needed. `grader grade --out` can go on with it, and judges the chapters
    that are assignments.
    """
    from ...sandbox.isolation import LEVELS
    from ..marks.cohort import prepare_cohort
    from ..marks.results import Results

    source = os.path.join(os.path.abspath(options.out), "source", "")
    if f"{results}{os.sep}".startswith(source):
        raise WrongUse(
            f"{results} would be handed out with the notebooks. Keep it outside source/."
        )
    with Results(results) as folder:
        wanted = argparse.Namespace(
            seed=options.seed, seed_file=None, course=options.course, marks=None, release=None,
            roster=None, chapters=[*folder.batch.get("chapters", ()), *names], isolation=LEVELS[0],
        )  # fmt: skip
        return load_course(prepare_cohort(wanted, folder).overlay)


def _write_keys(out: str, course: Course, chapters: list[Chapter], earlier: str) -> None:
    """Write an overlay's public key beside each notebook: `check` would not know its exercises."""
    from ...course.key_file import key_bytes
    from ...learner.file_writer import write_whole
    from ..marks.cohort import open_public_key
    from ..marks.overlay import OverlaidCourse
    from ..release.publickey import public_parts

    if not isinstance(course, OverlaidCourse):
        return
    key = open_public_key(course)
    for chapter in chapters:
        path = os.path.join(out, "source", chapter.id, STATE, "answers.key")
        shown = key.chapters[: key.chapters.index(chapter.id) + 1]
        asked = [chapter.id] if earlier == "given" else shown
        write_whole(path, b"".join(key_bytes(*public_parts(key, shown, asked))))


def choose_chapters(course: Course, names: list[str]) -> list[Chapter]:
    """Return the chapters of these names; without names, all."""
    known = {chapter.id: chapter for chapter in course.chapters}
    select_chapters(names, list(known))
    return [known[name] for name in dict.fromkeys(names)] or list(course.chapters)


def _say_notebooks(out: str, results: str, chapters: list[Chapter], count: int) -> None:
    first = chapters[0].id
    names = ", ".join(chapter.id for chapter in chapters)
    print(
        f"An nbgrader course in {out}: {names} ({count} files)\n"
        f"  hand out   cd {out} && nbgrader generate_assignment {first}\n"
        f"             what learners get is then in {os.path.join(out, 'release', first)}\n"
        f"  take in    {os.path.join(out, 'submitted', 'LEARNER', first)}\n"
        f"  mark       nbgrader autograde {first}\n"
        f"  give back  nbgrader generate_feedback {first}, nbgrader export\n"
        f"The key and the secret seed of your class are in {results}: keep it to yourself."
    )


@command(
    "gradebook",
    option("course", "COURSE", "the folder of nbgrader_config.py"),
    option("assignments", "ASSIGNMENT", nargs="*"),
    option("--results", "RESULTS", "folder of results from `grader grade`"),
    option("--times", "FILE", "times of the hand-ins from your platform: CSV with learner and time "
           "(and assignment); default: COURSE/times.csv"),
    DATABASE,
)  # fmt: skip
def run_gradebook(options: argparse.Namespace) -> int:
    """Exit status 0 where every submission has its marks, 1 where one could not be judged."""
    with extra("instructor", "A gradebook needs nbgrader"):
        from ..nbgrader import gradebook_api as api
        from ..nbgrader.hooks import find_arrival
    course = api.open_course(options.course, options.db)
    wanted = api.find_assignments(course, options.assignments or course.assignments)
    if options.results:
        rows = api.rows_of_results(os.path.abspath(options.results), wanted)
    else:
        rows = api.rows(course, wanted)
    crashed = 0
    os.umask(0o077)  # SQLite may create the gradebook
    with api.open_gradebook(course.db_url) as gradebook:
        for row in rows:
            place = (row.assignment, row.assignment, row.learner)
            came = find_arrival(course.submitted(row.learner, row.assignment), options.times or "")
            unknown = api.write_marks(gradebook, place, row.marks, came and came.when)
            api.settle_lateness(course, place)
            _say_row(row, unknown)
            if came is not None and not came.is_logged:
                print(f"    {came}; --times names a log.")
            crashed += row.crashed
    return 1 if crashed else 0


def _say_row(row: SubmissionMarks, unknown: list[str]) -> None:
    total = sum(mark.score or 0 for mark in row.marks.values())
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
