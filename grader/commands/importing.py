"""`grader import FOLDER`: what somebody wrote elsewhere, put where this course looks for it."""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

from ..classroom.files import write_whole
from ..course import package
from ..course.key_source import open_key
from ..course.outline import chapter_of
from ..errors import WrongUse
from ..grade_package import Grading
from ..learner.choice import given
from ..learner.foreign import Foreign, Unit, is_aside, is_same
from ..learner.placing import Ours, Placing, match, pairs_of
from ..learner.wording import Style, first_of
from ..learner.workspace import root_of
from ..sandbox.launch import Nursery
from ..verdict import PASSED
from . import PACKAGE, command, option
from .workspaces import back_up

MOST_NAMES = 6


class Trial:
    """Has exercises judged with other files in the package; nothing is written for that."""

    def __init__(self, folder: str, nursery: Nursery) -> None:
        self.key = open_key(root_of(folder))
        self.learner = package.read(folder)
        self.given = given(self.key, folder)
        self.nursery = nursery

    def passed(self, texts: dict[str, str], ids: set[str]) -> set[str]:
        """The exercises, of these, that pass."""
        files = self.learner.files | {name: text.encode() for name, text in texts.items()}
        learner = self.learner._replace(files=files, sha256=package.digest(files))
        grading = Grading(self.key, learner, self.nursery.launch, self.given)
        found = set()
        for name in self.key.chapters:
            mine = [id for id, _, _ in self.key.outline if id in ids and chapter_of(id) == name]
            if mine:
                verdicts = grading.at_first(self.key.chapter(name, self.nursery.launch), mine)
                found |= {id for id, verdict in verdicts.items() if verdict.status == PASSED}
        return found


class TakenOver(NamedTuple):
    """What became of a package."""

    foreign: Foreign
    found: dict[Unit, Unit]  # ours → theirs, of what belongs together
    placing: Placing
    # Each exercise whose definition was placed, in the course's order: does it pass?
    placed: dict[str, bool]
    # What they have too, and what was left alone because it is written here already.
    kept: list[str]


def take_over(folder: str, source: str) -> TakenOver:
    """Work out what of a package goes where in a learner's; nothing is written."""
    foreign = Foreign(package.read(os.path.abspath(source)).files)
    if not foreign.tops:
        raise WrongUse(f"There is no Python in {source} that can be read. Name another folder.")
    with Nursery() as nursery:
        trial = Trial(folder, nursery)
        ours = Ours(trial.learner.files, trial.key.table["targets"])
        found = match(ours, foreign, trial.passed)
        pairs = [p for a, b in found.items() for p in pairs_of(ours.stubs, a, foreign, b)]
        kept = [p.full for a, b in found.items() for p in pairs_of(ours.written, a, foreign, b)]
        placing = Placing(ours, foreign, pairs)
        ids = {pair.exercise for pair in pairs if pair not in placing.refused}
        right = trial.passed(placing.files, ids)
        placed = {id: id in right for id, _, _ in trial.key.outline if id in ids}
    return TakenOver(foreign, found, placing, placed, kept)


@command(
    "import",
    "take over what somebody wrote elsewhere: the book, a lecture, last year's course",
    option("folder", "FOLDER"),
    PACKAGE,
)
def run(options: argparse.Namespace) -> int:
    """Exit status 0 where all that was taken passes, 1 where some of it is to be mended."""
    folder = package.find(options.package)
    taken = take_over(folder, options.folder)
    inside = os.path.basename(folder)
    changes = {f"{inside}/{name}": text.encode() for name, text in taken.placing.files.items()}
    kept = back_up(root_of(folder), changes)
    for name, data in changes.items():
        write_whole(os.path.join(root_of(folder), *name.split("/")), data)
    style = Style.of(sys.stdout)
    for line in _report(taken):
        print("\n".join(style.wrap(line, "    ", "")))
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    return 0 if taken.placed and all(taken.placed.values()) else 1


def _report(taken: TakenOver) -> Iterator[str]:
    """What was taken, what of it is to be mended, and what has no place here."""
    placed = taken.placed
    yield f"Taken over: code for {len(placed)} exercises; {sum(placed.values())} of them pass."
    for chapter in dict.fromkeys(map(chapter_of, placed)):
        mine = {id: right for id, right in placed.items() if chapter_of(id) == chapter}
        wrong = [id for id, right in mine.items() if not right]
        mend = f"; to be mended: {first_of(wrong, MOST_NAMES)}" if wrong else ""
        yield f"  {chapter}: {len(mine)} placed, {len(mine) - len(wrong)} pass{mend}"
    others = [f"{b[1]} as {a[1]}" for a, b in taken.found.items() if not is_same(b[1], a[1], {})]
    if others:
        yield f"Under other names: {', '.join(others)}."
    if taken.kept:
        yield f"Written here already, and left as it is: {first_of(taken.kept, MOST_NAMES)}."
    for pair, why in taken.placing.refused.items():
        yield f"Not placed: {pair.there[1]} of {pair.there[0]}: {why}."
    for file in taken.foreign.unread:
        yield f"Not read: {file} is no Python."
    known = {*taken.found.values()}
    known |= {("", name) for each in taken.placing.added.values() for name in each}
    left = [
        name
        for (file, name), node in taken.foreign.tops.items()
        if not isinstance(node, ast.Assign) and not is_aside(file)
        if (file, name) not in known and ("", name) not in known
    ]
    if left:
        yield f"Nothing here asks for {first_of(left, MOST_NAMES)}."
    wrong = [id for id, right in placed.items() if not right]
    if wrong:
        yield f"Go on with `grader check {wrong[0]}`."
