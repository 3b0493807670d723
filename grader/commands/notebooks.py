"""`grader notebooks OUT [CHAPTER …]`: a complete nbgrader course."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..course.load import Course, load
from ..course.schema import Chapter
from ..errors import WrongUse
from ..workspace import STATE
from .options import COURSE, DATABASE, Options

SAYS = "write an nbgrader course"
OPTIONS: Options = (
    (("out",), {"metavar": "OUT"}),
    (("chapters",), {"nargs": "*", "metavar": "CHAPTER"}),
    (
        ("--earlier",),
        {
            "choices": ("given", "own"),
            "default": "given",
            "help": "chapters before: solved, or the learner's own",
        },
    ),
    COURSE,
    DATABASE,
    (
        ("--results",),
        {
            "metavar": "RESULTS",
            "help": "mark with the secret inputs of this "
            "class, as `grader grade --out RESULTS` does",
        },
    ),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the course, and say which command comes next."""
    try:
        from ..nbgrader import notebooks
    except ImportError as error:
        raise WrongUse(
            f"Notebooks need nbgrader ({error.name} is missing): "
            "pip install 'babygrad-course[instructor]'."
        ) from error
    results = os.path.abspath(options.results) if options.results else ""
    course = _of_a_class(options, results) if results or options.course else load()
    chapters = asked(course, options.chapters)
    texts = notebooks.files(course, chapters, options.earlier)
    try:
        notebooks.write(options.out, texts, options.db or "", results)
        _write_keys(options.out, course, chapters)
    except OSError as error:
        raise WrongUse(f"{options.out} cannot be written to: {error.strerror}.") from error
    _say(options.out, chapters, len(texts))
    return 0


def _of_a_class(options: argparse.Namespace, results: str) -> Course:
    """The course of a class. Its key, with inputs that are secret, is in its folder of results.

    The folder is made where it is not there yet; `grader grade --out` goes on with it.
    """
    from ..instructor.batch import prepare
    from ..instructor.overlay import course_of
    from ..instructor.results import Results
    from ..session.isolation import LEVELS

    if not results:
        raise WrongUse("--course needs --results RESULTS: where the key of your class is kept.")
    source = os.path.join(os.path.abspath(options.out), "source", "")
    if f"{results}{os.sep}".startswith(source):
        raise WrongUse(
            f"{results} would be handed out with the notebooks. Keep it outside source/."
        )
    nothing = dict.fromkeys(("seed", "seed_file", "chapters", "marks"))
    wanted = argparse.Namespace(**nothing, course=options.course, isolation=LEVELS[0])
    with Results(results) as folder:
        return course_of(prepare(wanted, folder).overlay)


def _write_keys(out: str, course: Course, chapters: list[Chapter]) -> None:
    """Beside each notebook the public key of a class's own course: `check` would not know it."""
    from ..instructor.cohort import public_key
    from ..instructor.overlay import OverlaidCourse
    from ..instructor.publickey import write_public

    if not isinstance(course, OverlaidCourse):
        return
    key = public_key(course)
    for chapter in chapters:
        folder = os.path.join(out, "source", chapter.id, STATE)
        shown = key.chapters[: key.chapters.index(chapter.id) + 1]
        write_public(key, shown, os.path.join(folder, "answers.key"))


def asked(course: Course, names: list[str]) -> list[Chapter]:
    """The chapters of these names; without any, all of them."""
    known = {chapter.id: chapter for chapter in course.chapters}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise WrongUse(f"There is no {' or '.join(unknown)}. Choose from {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)] or list(course.chapters)


def _say(out: str, chapters: list[Chapter], count: int) -> None:
    first = chapters[0].id
    names = ", ".join(chapter.id for chapter in chapters)
    print(
        f"An nbgrader course in {out}: {names} ({count} files)\n"
        f"  hand out   cd {out} && nbgrader generate_assignment {first}\n"
        f"             what learners get is then in {os.path.join(out, 'release', first)}\n"
        f"  take in    {os.path.join(out, 'submitted', 'LEARNER', first)}\n"
        f"  mark       nbgrader autograde {first}\n"
        f"  give back  nbgrader generate_feedback {first}, nbgrader export"
    )
