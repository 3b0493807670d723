"""Reads a case of the suite: one file that says what it does, and how it has to end.

A case begins with comment lines `# key: value`, then comes what is put into a package:

    # never: what must not happen, in words
    # expect: chapter3.div.forward=crashed|failed …   how exercises end (LEVEL: before a status,
    #         as in `confined:passed`, holds at that level only)
    # look: chapter3.div chapter3.sub                 what is asked for; this by default
    # most: 0.5        the part of the points that an exercise which is not passed may still earn
    # budget: 6        seconds; 5 by default
    # harm: confined   the level from which the harm itself is impossible; below, it is not judged
    # runs: confined   the level below which the case is not run: it would end the grader
    # full: only       a case that takes long, or waits for a clock as another of its group does:
    #                  only with --whole
    # no line begins: forged     how no line of the report on a terminal may begin
    # wrong use: workspace.json  the command refuses (exit status 2) and names this
    #@ body ops.Div.forward          the lines below replace the body of this target
    #@ before ops.py                 … stand before the text of this file (in the package)
    #@ after ops.py                  … stand after it
    #@ file ../json.py               … are this file; `..` is the workspace
    #@ bytes ops.py                  … are a Python expression; `text` is the file's text so far
    #@ link ops.py ../elsewhere      this file is a symbolic link to that path
    #@ hardlink ops.py ../elsewhere  … one more name of that file
    #@ fifo ops.py                   … a named pipe

A case with `# class: chapter3` is a class, judged by `grader grade` (see `classes.py`):

    # others: less|unreadable        how all but Ada end: full, less, none, or a status
    # count: 3                       how many rows there are in all; 2 by default
    # at most: 0.1                   the part of the points that anybody but Ada may have
    # first: the batch is killed     what happens first (`classes.FIRST`)
    # revealed: bea=chapter2.init cy=     whose solutions a record says that they had shown
    # demands: nothing was said      no level is named: below that of marks, nobody is judged
    # marks: best                    which mark counts
    # earns nothing: chapter3.sub.forward   … not even with follow-through
    # earns all: chapter3.sub.forward       all of its points with follow-through
    # unread: word|ops.py:7\b        a pattern that nothing holds which learners read of the class
    # read: word                     … and one that something has to
    #@ handins                       a Python expression: path → bytes (`packing.handed_in`)

A case with `# room: chapter7` is a course of nbgrader, marked by it (see `rooms.py`):

    # honest: ada bea                who has full marks; everybody else has none …
    # earns: mal                     … but these, who may have some
    # by whom: bea=times.csv         whose word the time of handing in is, by the marked notebook
    #@ room                          Python that hands in: `room` is a `Classroom`

Which of the known ways to marks for nothing a case shows stands in `# seen: 4` (`WAYS` in
`test_hostile.py`); `# twin: 4` marks the honest code that looks like it.

In the texts, @CANARY@ is a folder that nobody may touch, @HARM@ a word that must not come out,
@PORT@ a server that must not be reached, @VICTIM@ a process that must live, @ROOT@ the course.
What several cases begin or end with stands once, beside their folders: a line `#+ own_frames` is
the text of `cases/own_frames.py`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .packing import handed_in, packed, put

CASES = Path(__file__).parent / "cases"
# A file beside the groups is no case; its text stands where one that is names it.
PIECES = {f"#+ {path.stem}\n": path.read_text(encoding="utf-8") for path in CASES.glob("*.py")}
LEVELS = ("process", "confined")
LOOK = "chapter3.div chapter3.sub"
NEIGHBOURS = "chapter3.sub.forward=passed chapter3.sub.backward=passed"


class Case(NamedTuple):
    """One submission of the suite."""

    name: str
    says: dict[str, str]
    sections: list[tuple[list[str], str]]

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    @property
    def look(self) -> list[str]:
        return self.says.get("look", LOOK).split()

    @property
    def chapters(self) -> set[str]:
        """Chapters that a case needs of the key."""
        words = f"{self.says.get('class', '')} {self.says.get('room', '')}".split()
        return {word.partition(".")[0] for word in (*self.look, *words)}

    def expected(self, level: str) -> dict[str, set[str]]:
        """Exercise → the statuses that it may have at this level."""
        default = "" if "look" in self.says else NEIGHBOURS
        found = {}
        for word in f"{default} {self.says.get('expect', '')}".split():
            id, _, statuses = word.partition("=")
            words = [s.partition(":") for s in statuses.split("|")]
            found[id] = {s[2] or s[0] for s in words if not s[2] or s[0] == level}
        return found

    def reaches(self, key: str, level: str) -> bool:
        """Whether ``level`` is as high as this case's ``key`` asks for."""
        return LEVELS.index(level) >= LEVELS.index(self.says.get(key, LEVELS[0]))


def cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*/*.py")):
        yield read(path)


def read(path: Path) -> Case:
    says: dict[str, str] = {}
    sections: list[tuple[list[str], str]] = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("#@ "):
            sections.append((shlex.split(line[3:]), ""))
        elif sections:
            sections[-1] = (sections[-1][0], sections[-1][1] + PIECES.get(line, line))
        elif line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            says[key] = value.strip()
    name = path.relative_to(CASES).with_suffix("").as_posix()
    return Case(name, says, sections)


def write(case: Case, course, folder: Path, words: dict[str, str]) -> None:
    """Put the reference into ``folder``, with what the case changes."""

    def filled(text: str) -> str:
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        return text

    bodies = {a[1]: filled(text) for a, text in case.sections if a[0] == "body"}
    for name, text in course.replace_bodies(bodies).items():
        put(folder, name, text.encode())
    if "class" in case.says:
        for name, data in packed(course.solved()).items():
            put(folder.parent / "in" / "ada", name, data)
    for (kind, *arguments), text in case.sections:
        if kind == "handins":
            for name, data in handed_in(filled(text), course, words).items():
                put(folder.parent / "in", name, data)
        elif kind not in ("body", "room"):
            MAKERS[kind](folder, filled(text), *map(filled, arguments))


def _old(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _before(folder: Path, text: str, name: str) -> None:
    first, _, rest = _old(folder / name).partition("from __future__ import annotations\n")
    put(folder, name, f"{first}from __future__ import annotations\n{text}{rest}".encode())


def _after(folder: Path, text: str, name: str) -> None:
    put(folder, name, (_old(folder / name) + text).encode())


def _file(folder: Path, text: str, name: str) -> None:
    put(folder, name, text.encode())


def _bytes(folder: Path, text: str, name: str) -> None:
    put(folder, name, eval(text.strip(), {"text": _old(folder / name)}))


def _replacing(make):
    def replaced(folder: Path, text: str, name: str, *more: str) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        make(folder, name, *more)

    return replaced


MAKERS = {
    "before": _before,
    "after": _after,
    "file": _file,
    "bytes": _bytes,
    "link": _replacing(lambda folder, name, to: os.symlink(to, folder / name)),
    "hardlink": _replacing(lambda folder, name, to: os.link(folder / to, folder / name)),
    "fifo": _replacing(lambda folder, name: os.mkfifo(folder / name)),
}
