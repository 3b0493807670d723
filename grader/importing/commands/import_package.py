"""`grader import FOLDER`: take code written elsewhere over into this course's files.

Definitions are matched by name. Without a matching name, a definition is tried in each place that
it fits, and judged by the checks of the exercise.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from ...about import EXCEPTIONS, own_names
from ...commands import PACKAGE, command, option
from ...commands.workspaces import write_over
from ...course import package
from ...course.key_source import open_key
from ...course.outline import chapter_of
from ...errors import WrongUse
from ...grade_package import Grading
from ...learner.selection import find_given
from ...learner.wording import Style, first_of
from ...learner.workspace import root_of
from ...sandbox.launch import ForkServer
from ...verdict import PASSED
from ..names import is_same, names_here
from ..placement import Foreign, Ours, Pair, Placing, Unit, is_aside, module_stem, pairs_of

MOST_NAMES = 6
STYLES: tuple[tuple[str, ...], ...] = own_names(EXCEPTIONS).get("STYLES", ())

Passed = Callable[[dict[str, str], set[str]], set[str]]  # (texts, exercises) → those that pass
MOST_TRIES = 5  # for each unit of ours


def match(ours: Ours, foreign: Foreign, passed: Passed) -> dict[Unit, Unit]:
    """Match units; return ours → theirs, those that are written already included."""
    found: dict[Unit, Unit] = {}
    for unit in foreign.tops:
        home = _home(unit, ours, foreign)
        if home is not None:
            found.setdefault(home, unit)
    sure = [p for unit, other in found.items() for p in pairs_of(ours.stubs, unit, foreign, other)]
    taken = {*found.values()}
    left = [u for u in foreign.tops if u not in taken and not is_aside(u[0])]
    tries = {u: _candidates(u, left, ours, foreign) for u in ours.stubs if u not in found}
    scores: list[tuple[int, Unit, Unit]] = []
    for turn in range(MOST_TRIES):
        groups = {unit: groups[turn] for unit, groups in tries.items() if groups[turn:]}
        more = [pair for group in groups.values() for pair in group]
        ids = {pair.exercise for pair in more}
        right = passed(Placing(ours, foreign, sure + more).files, ids) if more else set()
        for unit, group in groups.items():
            ids = {pair.exercise for pair in group}
            if 2 * len(ids & right) >= len(ids):
                scores.append((len(ids & right), unit, group[0].there))
    for _, unit, other in sorted(scores, key=lambda each: -each[0]):
        if unit not in found and other not in found.values():
            found[unit] = other
    return found


@cache
def find_styles(foreign: Foreign) -> dict[str, str]:
    """Return their file → ours, for files that match all patterns of a row of `STYLES`, or import
    from one that does: micrograd's `nn.py` goes where its `engine.py` goes, to `scalar.py`.
    """
    texts: dict[str, str] = {}
    for (file, _), node in foreign.tops.items():
        texts[file] = f"{texts.get(file, '')}\n{ast.unparse(node)}\n"
    found: dict[str, str] = {}
    for home, *patterns in reversed(STYLES):
        fit = (file for file, text in texts.items() if all(re.search(p, text) for p in patterns))
        found |= dict.fromkeys(fit, home)
    for file, name in foreign.imports:
        origin = foreign.origin((file, name))
        if origin and origin.unit and origin.unit[0] in found:
            found.setdefault(file, found[origin.unit[0]])
    return found


def _home(unit: Unit, ours: Ours, foreign: Foreign) -> Unit | None:
    """Return our unit for one of theirs, by name, written already or not; None if the name is
    ambiguous on either side and no file's name decides.
    """
    style = find_styles(foreign).get(unit[0])
    homes = [home for home in _namesakes(unit, ours, foreign) if style in (None, home[0])]
    for home in homes:
        if style or module_stem(home[0]) == module_stem(unit[0]):
            return home
    same = [other for other in foreign.named[unit[1]] if not is_aside(other[0])]
    return homes[0] if len(homes) == 1 and same == [unit] else None


def _namesakes(unit: Unit, ours: Ours, foreign: Foreign) -> list[Unit]:
    """Return our classes, or functions, with the name of one of theirs."""
    kind = "class" if isinstance(foreign.tops[unit], ast.ClassDef) else "def"
    return [
        (file, name)
        for file, known in ours.pieces.items()
        for name, piece in known.items()
        if "." not in name and piece.kind == kind and _is_called(unit, (file, name))
    ]


def _is_called(theirs: Unit, ours: Unit) -> bool:
    return is_same(theirs[1], ours[1], names_here("name", ours[0]))


def _candidates(unit: Unit, left: list[Unit], ours: Ours, foreign: Foreign) -> list[list[Pair]]:
    """Return groups of pairs to try for a unit of ours, the likeliest first."""

    def unlike(group: list[Pair]) -> tuple[bool, float]:
        other = group[0].there
        alike = difflib.SequenceMatcher(None, unit[1].lower(), other[1].lower()).ratio()
        return not _is_called(other, unit), -alike

    apt = [other for other in left if find_styles(foreign).get(other[0]) in (None, unit[0])]
    groups = (pairs_of(ours.stubs, unit, foreign, other) for other in apt)
    return sorted(filter(_fits, groups), key=unlike)[:MOST_TRIES]


def _fits(group: list[Pair]) -> bool:
    """Whether all pairs take equally many arguments, and one is no special method (`__init__`)."""
    alike = all(len(p.stub.args.args) == len(p.theirs.args.args) for p in group)
    telling = any(not p.name.startswith("__") or _is_called(p.there, p.here) for p in group)
    return alike and telling


class TakenOver(NamedTuple):
    """The result of taking over a package."""

    foreign: Foreign
    found: dict[Unit, Unit]  # ours → theirs
    placing: Placing
    # Exercise → whether it passes, for those with a placed definition, in the course's order.
    placed: dict[str, bool]
    # Our definitions that were written already, and so left alone.
    kept: list[str]


def take_over(folder: str, source: str) -> TakenOver:
    """Match a package with a learner's, place its definitions, and judge; nothing is written."""
    foreign = Foreign(package.read_package(os.path.abspath(source)).files)
    if not foreign.tops:
        raise WrongUse(f"There is no Python in {source} that can be read. Name another folder.")
    key, learner = open_key(root_of(folder)), package.read_package(folder)
    ours, written = Ours(learner.files, key.table["targets"]), find_given(key, folder)
    with ForkServer() as fork_server:

        def passed(texts: dict[str, str], ids: set[str]) -> set[str]:
            """Return the exercises of ``ids`` that pass with these files."""
            files = learner.files | {name: text.encode() for name, text in texts.items()}
            tried = learner._replace(files=files, sha256=package.hash_package(files))
            grading, right = Grading(key, tried, fork_server.fork, written), set()
            for name in key.chapters:
                if mine := [id for id, _, _ in key.outline if id in ids and chapter_of(id) == name]:
                    verdicts = grading.grade_without_blame(
                        key.chapter(name, fork_server.fork), mine
                    )
                    right |= {id for id in mine if verdicts[id].status == PASSED}
            return right

        found = match(ours, foreign, passed)
        pairs = [p for a, b in found.items() for p in pairs_of(ours.stubs, a, foreign, b)]
        kept = [p.full for a, b in found.items() for p in pairs_of(ours.written, a, foreign, b)]
        placing = Placing(ours, foreign, pairs)
        ids = {pair.exercise for pair in pairs if pair not in placing.refused}
        right = passed(placing.files, ids)
        placed = {id: id in right for id, _, _ in key.outline if id in ids}
    return TakenOver(foreign, found, placing, placed, kept)


@command("import", option("folder", "FOLDER"), PACKAGE)
def run_import(options: argparse.Namespace) -> int:
    """Take a package over; exit status 0 if all that was placed passes, else 1."""
    folder = package.find_package_folder(options.package)
    taken = take_over(folder, options.folder)
    inside = os.path.basename(folder)
    changes = {f"{inside}/{name}": text.encode() for name, text in taken.placing.files.items()}
    kept = write_over(root_of(folder), changes)
    style = Style.of(sys.stdout)
    for line in _report(taken):
        print("\n".join(style.wrap(line, "    ", "")))
    if kept:
        print(f"What stood there before is in {os.path.relpath(kept)}")
    return 0 if taken.placed and all(taken.placed.values()) else 1


def _report(taken: TakenOver) -> Iterator[str]:
    """Yield a report: what was placed, what does not pass, and what has no place."""
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
    yield from (f"Not read: {file} is no Python." for file in taken.foreign.unread)
    known = {*taken.found.values()}
    known |= {("", name) for each in taken.placing.added.values() for name in each}
    left = [
        unit
        for unit, node in taken.foreign.tops.items()
        if not (isinstance(node, ast.Assign) or is_aside(unit[0]) or {unit, ("", unit[1])} & known)
    ]
    asked = {unit: why for unit in left if (why := _where_asked(unit, taken))}
    yield from (f"Not placed: {name} of {file}: {why}." for (file, name), why in asked.items())
    if nowhere := [unit[1] for unit in left if unit not in asked]:
        yield f"Nothing here asks for {first_of(nowhere, MOST_NAMES)}."
    if wrong := [id for id, right in placed.items() if not right]:
        yield f"Go on with `grader check {wrong[0]}`."


def _where_asked(unit: Unit, taken: TakenOver) -> str:
    """Say where an unplaced unit may belong, and why it is not there; empty if nowhere."""
    ours, style = taken.placing.ours, find_styles(taken.foreign).get(unit[0])
    asked = ours.written | ours.stubs
    homes = [home for home in _namesakes(unit, ours, taken.foreign) if home in asked]
    if places := first_of([f"{name} of {file}" for file, name in homes], MOST_NAMES):
        so = "others have its name" if style in {None, *dict(homes)} else f"its code is for {style}"
        return f"it may be for {places}, but {so}"
    functions = {name for name in taken.foreign.functions[unit] if name[:2] not in ("", "__")}
    named = [top for home, top in asked if home == style and functions & {*asked[home, top]}]
    return f"name it as it is called in {style}: {first_of(named, MOST_NAMES)}" if named else ""
