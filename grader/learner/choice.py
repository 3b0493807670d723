"""One exercise: the one that was named, or the one that is next."""

from __future__ import annotations

from ..course import package
from ..course.key_file import Key
from ..course.key_source import open_key
from ..course.outline import chapter_of
from ..errors import WrongUse
from ..verdict import GIVEN, PASSED, PENDING, WRONG
from . import select, workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow

MOST_NAMES = 6


def one(key: Key, name: str, progress: dict[str, str] | None = None) -> str:
    """The exercise that ``name`` stands for.

    Args:
        progress: what is passed already; with it, a name of several stands for the first of them
            that is not.

    Raises:
        WrongUse: there is none, or several and no way to choose.
    """
    ids = [id for id, _, given in key.outline if not given]
    found = [id for id in select.exercises(key, [name]) if id in ids]
    if progress is not None:
        found = [id for id in found if progress.get(id) not in (PASSED, GIVEN)] or found
        return found[0] if found else _refuse(name, found)
    return found[0] if len(found) == 1 else _refuse(name, found)


def _refuse(name: str, found: list[str]) -> str:
    if not found:
        raise WrongUse(f"{name} is given: there is nothing to write.")
    more = f" and {len(found) - MOST_NAMES} more" if found[MOST_NAMES:] else ""
    names = ", ".join(found[:MOST_NAMES]) + more
    raise WrongUse(f"{name} stands for {names}. Name one exercise.")


def upcoming(key: Key, progress: dict[str, str], given: set[str]) -> str | None:
    """The exercise to go on with: what is wrong first, then what is not there; None at the end.

    One that waits for another is passed over, until nothing else is left.
    """
    todo = [id for id, _, _ in key.outline if id not in given and progress.get(id) != PASSED]
    wrong = [id for id in todo if progress.get(id) in WRONG]
    if wrong or not todo:
        return wrong[0] if wrong else None
    for id in todo:
        if progress.get(id, PENDING) == PENDING and not waits_for(key, id, progress, given):
            return id
    return todo[0]


def waits_for(key: Key, id: str, progress: dict[str, str], given: set[str]) -> list[str]:
    """The exercises that ``id`` needs and that are not passed."""
    needs: list[str] = exercise(key, id)["needs"]
    return [need for need in needs if need not in given and progress.get(need) != PASSED]


def exercise(key: Key, id: str) -> ExerciseRow:
    """What the key holds of an exercise."""
    exercises = key.chapter(chapter_of(id)).exercises
    return next(e for e in exercises if e["id"] == id)


def folder_or_none(place: str | None) -> str | None:
    """The package, where there is one; a place that was named has to be one.

    Raises:
        WrongUse: ``place`` is named and holds none.
    """
    try:
        return package.find(place)
    except WrongUse:
        if place is not None:
            raise
        return None


def key_for(folder: str | None) -> Key:
    """The key to look things up in: that of the release that a workspace came from, if it did."""
    return open_key(workspace.root_of(folder) if folder else None)


def kept(folder: str | None) -> dict[str, str] | None:
    """The progress of a workspace; None outside of one."""
    return workspace.read_progress(folder) if folder else None
