"""`grader course new DIR`, `grader stubs [--check]`, `grader record [NAME …]`: an author's own
course.

A new one is small and whole, to be written further. The stubs are made from `solutions/`, from
nothing else. PyTorch is asked once, and its answers are written into reviewable files.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex

from .. import root
from ..about import COURSE, FILE, about_of
from ..classroom import bundle
from ..course import pytorch
from ..course.load import Course, load, read_package
from ..course.outline import CHAPTER, chapter_of
from ..course.starter_files import FOLDER, below, differences, work_in
from ..errors import WrongUse
from . import NAMES, command, flag, option


@command(
    "stubs",
    f"write {COURSE.name}/ anew from solutions/",
    flag("--check", "only say whether it is up to date"),
)
def run_stubs(options: argparse.Namespace) -> int:
    """Write the stubs, or with ``--check`` only say what differs (exit status 1)."""
    course = load()
    found = list(differences(course))
    if options.check:
        for name, what in found:
            print(f"{COURSE.name}/{name}: {what}")
        print("Run `grader stubs` to renew it." if found else f"{COURSE.name}/ is up to date.")
        return 1 if found else 0
    written = list(work_in(read_package(FOLDER), course))
    if written:
        raise WrongUse(
            f"{COURSE.name}/ holds more than stubs, and would be overwritten:\n  "
            + "\n  ".join(written)
            + "\nMove this work to a workspace (`grader init DIR`), then run `grader stubs` again."
        )
    expected = course.stubs()
    for name in set(read_package(FOLDER)) - set(expected):
        os.remove(os.path.join(FOLDER, name))
    for name, text in expected.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print(f"wrote {len(expected)} files to {COURSE.name}/")
    return 0


@command("record", "record PyTorch's answers (needs torch)", NAMES)
def run_record(options: argparse.Namespace) -> int:
    """Write `tests/recorded/chapterN.json` for the chapters that were named; else for all."""
    if not pytorch.is_installed():
        raise WrongUse("Recording needs PyTorch: install the course with its `torch` extra.")
    from ..course.make_key import record

    course = load()
    for path, changed in record(course, chapters(course, options.names)):
        print(f"{'wrote' if changed else 'left as it was:'} {os.path.relpath(path)}")
    return 0


def chapters(course: Course, names: list[str]) -> set[str]:
    """The chapters of these names: `chapter3`, `3.4`, `chapter3.div`, an exercise; all for none."""
    known = [chapter.id for chapter in course.chapters]
    found = {name: _chapter(name) for name in names}
    for name, chapter in found.items():
        if chapter not in known:
            raise WrongUse(f"There is no chapter of {name}; there are {', '.join(known)}.")
    return set(found.values() or known)


def _chapter(name: str) -> str:
    first = chapter_of(name)
    return f"{CHAPTER}{first}" if first.isdigit() else first


@command(
    "course",
    "begin a course of your own (see docs/own-course.md)",
    option("what", choices=("new",)),
    option("folder", "DIR"),
    option("--name", "NAME", "the package that learners write; else as DIR"),
    option("--chapter", "WORD", "what its parts are called: lesson, unit", default="chapter"),
    option("--title", "TEXT", "what is learned, in a line"),
)
def run_course(options: argparse.Namespace) -> int:
    """Write it, and say what to run next."""
    folder = os.path.abspath(options.folder)
    name = options.name or os.path.basename(folder).replace("-", "_")
    title = json.dumps(options.title or f"Learn by building {name}")[1:-1]
    bundle.write(files(name, options.chapter, title), folder)
    print(
        f"A course that is called {name}: {options.folder}\n"
        f"  use it    export GRADER_COURSE={shlex.quote(folder)}\n"
        f"  stubs     grader stubs\n"
        f"  prove it  grader audit\n"
        f"  try it    grader init work && cd work && grader check {options.chapter}1"
    )
    return 0


TEMPLATE = os.path.join(root.PACKAGE, "course", "template")
ENDING = ".txt"  # so that no tool takes the template for a part of the grader


def files(name: str, chapter: str, title: str) -> dict[str, bytes]:
    """Path → content of every file."""
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
    """A text with the course's own words; `CHAPTER = …` is the grader's."""
    for word, own in words.items():
        text = text.replace(word, own)
    return text.replace(f"\n{words['CHAPTER']} = ", "\nCHAPTER = ")
