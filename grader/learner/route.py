"""Change the route of a workspace: exercises come solved, or are asked for again.

What the learner wrote stays, and so do docstrings, signatures and comments. Only a body that is as
it came is replaced: a stub by the course's body, or the course's body by a stub.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..course.load import Course
from ..course.outline import chapter_no
from ..course.splice import target_file
from .own_file import DefinitionSpan, find_definition, lines_of, with_body


class RouteChange(NamedTuple):
    """What a change of route does to a package."""

    texts: dict[str, str]  # file → new text, of the files that change
    targets: list[str]  # that were filled, or made a stub
    kept: list[str]  # that are the learner's, so they stay


def change_route(
    course: Course, first: int, routes: tuple[str, str], mine: Mapping[str, str],
    own: Collection[str] = (),
) -> RouteChange:  # fmt: skip
    """Return what changes in a package (file → text) from one route to the other.

    Args:
        first: the chapter at which the workspace begins; those before it are given on any route.
        own: targets that stay: the ``kept`` ones of the change to the present route.
    """
    was, come = (course.stubs(first, route) for route in routes)
    before, after = map(course.solved_on, routes)
    texts, changed, kept = dict(mine), list[str](), list[str]()
    moved = [id for id in sorted(before ^ after) if chapter_no(id) >= first]
    for target in (t for id in moved for t in course.exercises[id].targets):
        file, name = target_file(target, mine)
        text = swap_body(name, texts[file], was[file], come[file]) if file else None
        if target in own or text is None:
            kept.append(target)
        else:
            texts[file] = text
            changed.append(target)
    fresh = {name: text for name, text in texts.items() if text != mine[name]}
    return RouteChange(fresh, changed, kept)


def swap_body(name: str, mine: str, was: str, come: str) -> str | None:
    """Replace the body of a definition by that in ``come``; None unless it is as in ``was``.

    Comments that the learner added go on top of the new body, and blank lines do not count.

    Raises:
        one of `NO_PYTHON`: a text is none.
    """
    places = [find_definition(text, name) for text in (mine, was, come)]
    if places[0] is None or places[0].inline is not None:
        return None
    body, old, new = (
        _body(text, place) if place is not None else []
        for text, place in zip((mine, was, come), places, strict=True)
    )
    notes = [line for line in body if line.lstrip().startswith("#") and line not in old]
    left = [line for line in body if line not in notes]
    if list(filter(None, left)) != list(filter(None, old)):
        return None
    return with_body(mine, places[0], [*notes, *new])


def _body(text: str, place: DefinitionSpan) -> list[str]:
    """Return the lines of a body, without indentation and white space at their ends."""
    lines = lines_of(text)[place.body - 1 : place.last]
    return [line.rstrip() for line in textwrap.dedent("".join(lines)).splitlines()]
