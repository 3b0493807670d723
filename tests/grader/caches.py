"""Caches of one's own, filled with what is worked out already, so that nothing is made anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.course.key_source import by_content, by_stamp, open_key
from grader.memo import Memo

CHAPTERS = ("chapter2", "chapter3")


def fill(place: Path, chapters: Iterable[str] = CHAPTERS) -> Memo:
    """A cache in ``place`` that knows the sources as they are, and these chapters' answers."""
    key, shared = open_key(), Memo()
    place.mkdir(parents=True, exist_ok=True)
    ours = Memo(str(place))
    for table in (by_stamp(), by_content()):
        ours.put(table, shared.get(table) or b"")
    for chapter in chapters:
        ours.put(key.table["names"][chapter], key.slice(chapter))
    return ours


def known() -> list[str]:
    """The chapters whose answers are worked out already."""
    shared = Memo()
    return [chapter for chapter, name in open_key().table["names"].items() if shared.get(name)]
