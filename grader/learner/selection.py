"""Choose the exercises that a command works on: those that were named, or those that are next."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from .. import __version__
from ..course import package
from ..course.key_file import Key
from ..course.key_source import open_key
from ..course.outline import chapter_no, chapter_of, given_ids
from ..errors import WrongUse
from ..memo import hash_values, open_optional
from ..verdict import GIVEN, PASSED, PENDING, WRONG
from . import workspace
from .typed_names import ALL, MOST_NAMES, TypedNames, find_all
from .wording import first_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow
    from ..grade_package import Grading
    from ..sandbox.launch import Worker


def exercises(key: Key, names: Iterable[str], folder: str | None = None) -> list[str]:
    """Return the ids of all exercises that any of the names stands for, in the course's order.

    Raises:
        WrongUse: a name stands for none; the message lists the nearest ones.
    """
    return find_all(
        names, TypedNames(key.outline, key.table["targets"], folder, lambda: find_met(key, folder))
    )


def find_met(key: Key, folder: str | None) -> set[str]:
    """Return the exercises of all chapters up to the current one, and those begun after it."""
    if not folder or not workspace.is_workspace(folder):
        return set()
    progress, last = workspace.read_progress(folder), chapter_no(current_chapter(key, folder))
    return {
        id
        for id, _, _ in key.outline
        if chapter_no(id) <= last or progress.get(id, PENDING) != PENDING
    }


def choose_exercises(key: Key, folder: str, names: list[str]) -> list[str]:
    """Return the named exercises; without names, those of the learner's current chapter, or all of
    the course if the package lies in no workspace."""
    if not names:
        names = [current_chapter(key, folder) if workspace.is_workspace(folder) else ALL]
    return exercises(key, names, folder)


def current_chapter(key: Key, folder: str) -> str:
    """Return the first chapter with an exercise that is neither given nor passed; else the last."""
    progress, early = workspace.read_progress(folder), find_given(key, folder)
    left = (id for id, _, _ in key.outline if id not in early and progress.get(id) != PASSED)
    return chapter_of(next(left, key.chapters[-1]))


def find_given(key: Key, folder: str | None) -> set[str]:
    """Return the exercises that came written; also those before a workspace's first chapter, and
    those that its route gives."""
    if not folder:
        return given_ids(key)
    return given_ids(key, workspace.start(folder, key.chapters), workspace.read_terms(folder).route)


def find_changed(key: Key, learner: package.Package, ids: Iterable[str]) -> set[str]:
    """Find those of these exercises that were given and have been edited since."""
    asked = set(ids)
    mine = asked & find_given(key, learner.folder)
    if mine != asked:  # a frame (`chapter3.add`) has no checks: the usual check reads no reference
        mine -= find_given(key, None)
    if not mine:
        return mine
    owners = {target: id for target, id in key.table["targets"].items() if id in mine}
    came = workspace.read_given(learner.folder).items()
    memo = open_optional()

    def changed_in(name: str, text: str) -> list[str]:
        """Find those of a file that came as ``text``; cached, so that an edit parses one file."""
        version = __version__, sys.version
        entry = hash_values("read otherwise", version, name, text, learner.files.get(name), owners)
        found: list[str] | None = memo.recall(entry)
        if found is None:
            from ..course.splice import find_edited  # rare: kept off the usual path

            found = sorted(find_edited(owners, learner.files, {name: text}))
            memo.remember(entry, found)
        return found

    return {id for name, text in came for id in changed_in(name, text)}


def open_grading(
    key: Key, learner: package.Package, launch: Callable[[], Worker], ids: Iterable[str],
    **more: Any,
) -> Grading:  # fmt: skip
    """Prepare a grading of these exercises with the workspace's given code; ``more``: `Runner`."""
    from ..grade_package import Grading

    written, solved = find_given(key, learner.folder), workspace.read_reference(learner.folder)
    told = find_changed(key, learner, ids)
    return Grading(key, learner, launch, written, reference=solved, changed=told, **more)


def resolve_name(
    key: Key, name: str, progress: dict[str, str] | None = None, folder: str | None = None
) -> str:
    """Return the exercise that ``name`` stands for; of several, with ``progress``, the first that
    is not passed.

    Raises:
        WrongUse: there is none, or there are several and no ``progress`` to choose by.
    """
    written, every = find_given(key, None), exercises(key, [name], folder)
    found = [id for id in every if id not in written] or every
    if progress is not None:
        return next((id for id in found if progress.get(id) not in (PASSED, GIVEN)), found[0])
    if len(found) > 1:
        raise WrongUse(f"{name} stands for {first_of(found, MOST_NAMES)}. Name one exercise.")
    return found[0]


def upcoming(key: Key, progress: dict[str, str], given: set[str]) -> str | None:
    """Choose the exercise to go on with: a wrong one, else an unwritten one; None at the end.

    One that needs another is skipped, unless nothing else is left.
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
    """Return the exercises that ``id`` needs and that are neither given nor passed."""
    needs: list[str] = find_row(key, id)["needs"]
    return [need for need in needs if need not in given and progress.get(need) != PASSED]


def find_row(key: Key, id: str) -> ExerciseRow:
    """Return an exercise's row of the key."""
    exercises = key.chapter(chapter_of(id)).exercises
    return next(e for e in exercises if e["id"] == id)


def look_up(place: str | None) -> tuple[str | None, Key]:
    """Find the package, None if there is none, and its key.

    Raises:
        WrongUse: ``place`` is given and holds no package, or a folder has nearly its name.
    """
    try:
        folder = package.find_package_folder(place)
    except WrongUse:
        if place is not None or package.find_lookalike(".", package.NAME):
            raise
        folder = None
    return folder, key_for(folder)


def key_for(folder: str | None) -> Key:
    """Open the key of the release that a workspace came from; the course's own without one."""
    return open_key(workspace.root_of(folder) if folder else None)
