"""Which exercises a command is about, which of them are given, which chapter is the current one."""

from __future__ import annotations

from ..course import outline
from ..course.key_file import Key
from ..verdict import PASSED
from . import select, workspace


def chosen(key: Key, folder: str, names: list[str]) -> list[str]:
    """The exercises that were named; else those of the learner's current chapter, or all of them
    where the package lies in no workspace that says which that is."""
    if not names and not workspace.is_one(folder):
        names = [select.ALL]
    return select.exercises(key, names or [current_chapter(key, folder)])


def current_chapter(key: Key, folder: str) -> str:
    """The first chapter of the workspace that is not known to be passed; else the last one."""
    progress = workspace.read_progress(folder)
    first = workspace.start(folder, key.chapters)
    mine = [name for name in key.chapters if outline.number_of(name) >= first]
    for name in mine:
        asked = [
            id for id, _, is_given in key.outline if id.startswith(f"{name}.") and not is_given
        ]
        if any(progress.get(id) != PASSED for id in asked):
            return name
    return mine[-1] if mine else key.chapters[-1]


def given(key: Key, folder: str) -> set[str]:
    """The exercises of the chapters before the one that the workspace starts from."""
    return outline.given(key.outline, workspace.start(folder, key.chapters))
