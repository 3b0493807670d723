"""The end of a chapter: whether this check has reached it, and what a learner then reads once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from ..course.key_file import Json, Key
from ..course.outline import chapter_of, in_words
from ..verdict import PASSED
from . import workspace
from .choice import given
from .style import Style

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


LAST = "It was the last chapter. All of it is yours now: show it to somebody."


def congratulation(name: str, table: Json, style: Style) -> Iterator[str]:
    """The lines for one chapter.

    Args:
        table: that of the key, with the chapters' titles and what each of them builds.
    """
    titles: dict[str, str] = table.get("titles", {})
    built = table.get("built", {}).get(name, "")
    spoken = in_words(name)
    yield ""
    yield style.paint("green", f"{spoken.capitalize()} is done: {titles.get(name, name)}.")
    if built:
        yield from style.wrap(f"You have built {built}.")
    yield from style.wrap(_next(name, titles))


def _next(name: str, titles: dict[str, str]) -> str:
    names = list(titles)
    after = names[names.index(name) + 1 :] if name in names else []
    if not after:
        return LAST
    return f"Next: {in_words(after[0])}, {titles[after[0]]}. It begins in chapters/{after[0]}.md."
