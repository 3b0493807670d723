"""Which definition of theirs belongs where here: by its name, and where no name says so, by what it
computes: it is tried in each place that it fits, by the checks of the exercise itself.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable

from .foreign import Foreign, Unit, is_aside, is_same, names_here, stem
from .placing import Ours, Pair, Placing, pairs_of

Passed = Callable[[dict[str, str], set[str]], set[str]]
MOST_TRIES = 5  # for each unit of ours


def match(ours: Ours, foreign: Foreign, passed: Passed) -> dict[Unit, Unit]:
    """Ours → theirs, of what belongs together; the places of what is written already, too.

    Args:
        passed: the exercises, of these, that pass with these files of the package.
    """
    found: dict[Unit, Unit] = {}
    for unit in foreign.tops:
        home = _home(unit, ours, foreign)
        if home is not None:
            found.setdefault(home, unit)
    sure = [p for unit, other in found.items() for p in pairs_of(ours.stubs, unit, foreign, other)]
    left = [u for u in foreign.tops if u not in found.values() and not is_aside(u[0])]
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


def _home(unit: Unit, ours: Ours, foreign: Foreign) -> Unit | None:
    """Where something of theirs belongs by its name, written there already or not; None where
    several places of ours, or several of theirs, have the name, and no module has theirs.
    """
    kind = "class" if isinstance(foreign.tops[unit], ast.ClassDef) else "def"
    homes = [
        (file, name)
        for file, known in ours.pieces.items()
        for name, piece in known.items()
        if "." not in name and piece.kind == kind and _is_called(unit, (file, name))
    ]
    for home in homes:
        if stem(home[0]) == stem(unit[0]):
            return home
    same = [other for other in foreign.tops if other[1] == unit[1] and not is_aside(other[0])]
    return homes[0] if len(homes) == 1 and same == [unit] else None


def _is_called(theirs: Unit, ours: Unit) -> bool:
    return is_same(theirs[1], ours[1], names_here("name", ours[0]))


def _candidates(unit: Unit, left: list[Unit], ours: Ours, foreign: Foreign) -> list[list[Pair]]:
    """What may be tried in a place of ours, the likeliest first."""

    def unlike(other: Unit) -> tuple[bool, float]:
        alike = difflib.SequenceMatcher(None, unit[1].lower(), other[1].lower()).ratio()
        return not _is_called(other, unit), -alike

    groups = [pairs_of(ours.stubs, unit, foreign, other) for other in sorted(left, key=unlike)]
    return [group for group in groups if _fits(group)][:MOST_TRIES]


def _fits(group: list[Pair]) -> bool:
    """Whether functions take as many arguments, and not all of them are such as any class has."""
    alike = all(len(p.stub.args.args) == len(p.theirs.args.args) for p in group)
    telling = any(not p.name.startswith("__") or _is_called(p.there, p.here) for p in group)
    return alike and telling
