"""Numbering of the course: the chapter of an exercise, and the exercises that come written.

An outline is a row per exercise, in the course's order: (id, section, whether it is given).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from ..about import COURSE
from ..errors import WrongUse

CHAPTER = COURSE.chapter
ROUTES = FULL, SHORT = ("full", "short")
FORMULAS = SHOWN, HIDDEN = ("shown", "hidden")
Outline = Iterable[Iterable[Any]]


class Terms(NamedTuple):
    """The terms of a workspace: its route, and whether docstrings show formulas."""

    route: str = FULL  # of exercises that are alike: all, or some
    formulas: str = SHOWN  # the derivatives in the docstrings of stubs


def chapter_of(id: str) -> str:
    """Return the chapter of an exercise: ``chapter3.div.forward`` → ``chapter3``."""
    return id.partition(".")[0]


def chapter_no(name: str) -> int:
    """Return the number of a chapter, or of the chapter of an exercise.

    Raises:
        ValueError: the name is neither.
    """
    return int(chapter_of(name).removeprefix(CHAPTER))


LOOSELY = re.compile(r"([A-Za-z]*)[ ._-]?0*([1-9][0-9]*)(\..*)?")


def spell(name: str) -> str:
    """Spell out a chapter that is typed loosely; every other name stays as it is.

    3, ch3, Ch. 3, chapter03    chapter3
    ch3.div.forward             chapter3.div.forward
    ch3.4                       3.4, a section
    3.4, Div.backward, all      as they are
    """
    typed = LOOSELY.fullmatch(name.replace(". ", "."))
    if not typed or not CHAPTER.startswith(typed[1].lower()) or (typed[3] and not typed[1]):
        return name
    rest = typed[3] or ""
    return f"{typed[2]}{rest}" if rest[1:].isdecimal() else f"{CHAPTER}{typed[2]}{rest}"


def is_chapter(name: str) -> bool:
    """Whether a name is one that a chapter could have: ``chapter3``."""
    return name.startswith(CHAPTER) and name.removeprefix(CHAPTER).isdecimal()


def chapters_up_to(name: str, chapters: list[str]) -> list[str]:
    """Return a chapter and those before it, which it builds on and blame looks into."""
    return chapters[: chapters.index(name) + 1]


def select_chapters(names: Collection[str], known: list[str]) -> list[str]:
    """Return the named chapters, in the course's order; all of them if none is named.

    Raises:
        WrongUse: a name that is not there.
    """
    unknown = [name for name in names if name not in known]
    if unknown:
        raise WrongUse(f"There is no {' or '.join(unknown)}. Choose from {', '.join(known)}.")
    return [name for name in known if not names or name in names]


def in_words(name: str) -> str:
    """Convert ``chapter3`` to «chapter 3»."""
    return f"{CHAPTER} {name.removeprefix(CHAPTER)}"


def anchor_of(id: str) -> str:
    """Return an exercise's anchor in the prose: ``chapter3-mul-scalar-forward``."""
    return id.replace(".", "-").replace("_", "-")


def given_ids(key: Any, first: int = 0, route: str = FULL) -> set[str]:
    """Return the exercises of a `Key` that come written: given ones, all before chapter ``first``,
    and those that the route gives. A key of 1.0.0 has no routes."""
    solved = key.table.get("routes", {}).get(route, ())
    rows = ((id, is_given or id in solved) for id, _, is_given in key.outline)
    return {id for id, is_given in rows if is_given or chapter_no(id) < first}


def of_chapters(outline: Outline, names: Collection[str]) -> list[str]:
    """Return the exercises of some chapters, in the course's order."""
    return [id for id, _, _ in outline if chapter_of(id) in names]
