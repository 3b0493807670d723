"""Which chapters this check has brought to an end; each of them is told once."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ..course.key_file import Key
from ..course.outline import chapter_of
from ..verdict import PASSED
from . import workspace
from .scope import given

TOLD = "ended.json"


def newly_ended(key: Key, folder: str, ids: Iterable[str]) -> list[str]:
    """The chapters of these exercises that are passed as a whole, and were not told of before.

    From now on they count as told. Where the package lies in no workspace nothing is known of
    earlier checks, and nothing is told.
    """
    if not workspace.is_one(folder):
        return []
    progress, told = workspace.read_progress(folder), workspace.read_state(folder, TOLD)
    early = given(key, folder)
    asked: dict[str, list[str]] = {chapter_of(id): [] for id in ids}
    for id, _, _ in key.outline:
        if id not in early and chapter_of(id) in asked:
            asked[chapter_of(id)].append(id)
    ended = [
        name
        for name, mine in asked.items()
        if mine and name not in told and all(progress.get(id) == PASSED for id in mine)
    ]
    if ended:
        workspace.add_state(folder, TOLD, {name: int(time.time()) for name in ended})
    return ended
