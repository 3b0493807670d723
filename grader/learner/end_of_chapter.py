"""What a learner reads once, when a chapter is done: what was built, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..course.outline import in_words
from .style import Style

LAST = "It was the last chapter. All of it is yours now: show it to somebody."


def congratulation(name: str, table: dict[str, Any], style: Style) -> Iterator[str]:
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
