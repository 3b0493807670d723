"""Commands for authors. `grader course new DIR` writes a small, complete course to begin with.
`grader stubs [--check]` makes the stubs from `solutions/`, from nothing else. `grader record [NAME
…]` asks PyTorch once, and writes its answers into reviewable files.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterator

from ... import root
from ...about import COURSE, FILE, about_of
from ...commands import NAMES, command, flag, option
from ...course.load import STUBS, Course, read_course
from ...course.outline import chapter_of
from ...course.package import module_of, read_texts
from ...course.syntax_tree import NO_PYTHON, find_functions, is_stub, parse
from ...errors import WrongUse
from ...learner.file_writer import write_folder, write_whole
from ...learner.typed_names import exercises_of
from ...learner.workspace import below


@command("stubs", flag("--check", "only report whether it is up to date"))
def run_stubs(options: argparse.Namespace) -> int:
    """Write the stubs, or with ``--check`` only say what differs (exit status 1)."""
    course = read_course()
    found = list(course.outdated_stubs())
    if options.check:
        for name, what in found:
            print(f"{COURSE.name}/{name}: {what}")
        print("Run `grader stubs` to renew it." if found else f"{COURSE.name}/ is up to date.")
        return 1 if found else 0
    written = list(work_in(read_texts(STUBS), course))
    if written:
        raise WrongUse(
            f"{COURSE.name}/ holds more than stubs, and would be overwritten:\n  "
            + "\n  ".join(written)
            + "\nMove this work to a workspace (`grader init DIR`), then run `grader stubs` again."
        )
    expected = course.stubs()
    for name in set(read_texts(STUBS)) - set(expected):
        os.remove(os.path.join(STUBS, name))
    for name, text in expected.items():
        write_whole(os.path.join(STUBS, name), text.encode(), "anybody")
    print(f"wrote {len(expected)} files to {COURSE.name}/")
    return 0


def work_in(there: dict[str, str], course: Course) -> Iterator[str]:
    """Find definitions among the stubs that may be somebody's work: written targets, or unknown."""
    known = course.solved()
    for name, text in there.items():
        try:
            bodies = find_functions(module_of(name), parse(text))
        except NO_PYTHON as error:
            yield f"{COURSE.name}/{name}: line {getattr(error, 'lineno', 1)} is no Python"
            continue
        given = find_functions(module_of(name), parse(known.get(name, ""))).keys()
        for target, function in bodies.items():
            if not is_stub(function) and (target in course.regions or target not in given):
                yield f"{COURSE.name}/{name}: {target.partition('.')[2]}, line {function.lineno}"


@command("record", NAMES)
def run_record(options: argparse.Namespace) -> int:
    """Write `tests/recorded/chapterN.json` for the chapters that were named; else for all."""
    from ...course import pytorch  # the other commands of this module make no answers
    from ...course.make_key import record

    if not pytorch.is_torch_installed():
        raise WrongUse("Recording needs PyTorch: install the course with its `torch` extra.")

    course = read_course()
    for path, changed in record(course, set(map(chapter_of, exercises_of(course, options.names)))):
        print(f"{'wrote' if changed else 'left as it was:'} {os.path.relpath(path)}")
    return 0


@command(
    "course",
    option("what", choices=("new",)),
    option("folder", "DIR"),
    option("--name", "NAME", "name of the package that learners write (default: as DIR)"),
    option("--chapter", "WORD", "name of its parts: lesson, unit", default="chapter"),
    option("--title", "TEXT", "title of the course, in a line"),
)
def run_course(options: argparse.Namespace) -> int:
    """Write a new course, and say what to run next."""
    folder = os.path.abspath(options.folder)
    name = options.name or os.path.basename(folder).replace("-", "_")
    title = json.dumps(options.title or f"Learn by building {name}")[1:-1]
    write_folder(new_course_files(name, options.chapter, title), folder)
    print(
        f"A course that is called {name}: {options.folder}\n"
        f"  use it    export GRADER_COURSE={shlex.quote(folder)}\n"
        f"  stubs     grader stubs\n"
        f"  prove it  grader audit\n"
        f"  try it    grader init work && cd work && grader check {options.chapter}1"
    )
    return 0


TEMPLATE = os.path.join(root.PACKAGE, "course", "template")
ENDING = ".txt"  # hides the template's files from tools


def new_course_files(name: str, chapter: str, title: str) -> dict[str, bytes]:
    """Return path → content of a new course's files.

    Raises:
        WrongUse: the name is invalid, or this grader came without the template.
    """
    words = {"NAME": name, "CHAPTER": chapter, "TITLE": title}
    found = {
        _filled(path.removesuffix(ENDING), words): _filled(data.decode(), words).encode()
        for path, data in below(TEMPLATE).items()
    }
    if FILE not in found:
        raise WrongUse("This grader is the learner's. A course is begun with the whole one.")
    about_of(found[FILE], FILE)
    return found


def _filled(text: str, words: dict[str, str]) -> str:
    """Fill in the course's own words; a setting `CHAPTER = …` keeps its name."""
    for word, own in words.items():
        text = text.replace(word, own)
    return text.replace(f"\n{words['CHAPTER']} = ", "\nCHAPTER = ")
