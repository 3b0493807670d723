"""Change the terms of a workspace. Its route: exercises come solved, or are asked for again. Its
formulas: docstrings hide derivatives, or show them again.

What the learner wrote stays, and so do signatures and comments. Only a body or a docstring that is
as it came is replaced: a stub by the course's body, or the course's body by a stub.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ..course.load import Course
from ..course.outline import Terms, chapter_no
from ..course.splice import target_file
from ..course.syntax_tree import find_definitions, statement_lines
from ..errors import WrongUse
from .own_file import DefinitionSpan, find_definition, lines_of, with_body


class TermsChange(NamedTuple):
    """The effect of a change of terms on a package."""

    texts: dict[str, str]  # file → new text, of the files that change
    targets: list[str]  # that were filled, or made a stub
    kept: list[str]  # that are the learner's, so they stay
    edited: list[str]  # targets with another docstring
    worded: list[str]  # targets with a docstring of the learner's, which stays


def refuse_other_terms(
    asked: Mapping[str, str | None],
    there: Mapping[str, str],
    what: str,
    advise: Callable[[str, str], str],
) -> None:
    """Raise `WrongUse` if other terms are asked for than those that are there.

    Args:
        what: the beginning of the sentence, up to the option that is there.
        advise: name and value that were asked for → how to go on.
    """
    for name, value in asked.items():
        if value is not None and value != there[name]:
            raise WrongUse(f"{what} --{name} {there[name]}. {advise(name, value)}")


def change_terms(
    course: Course, first: int, terms: tuple[Terms, Terms], mine: Mapping[str, str],
    own: Collection[str] = (),
) -> TermsChange:  # fmt: skip
    """Return what changes in a package (file → text) from the first terms to the second.

    Args:
        first: the chapter at which the workspace begins; those before it are given on any route.
        own: targets that stay: the ``kept`` ones of the change to the present route.
    """
    was, come = (course.stubs(first, *each) for each in terms)
    before, after = (course.solved_on(each.route) for each in terms)
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
    edited, worded = list[str](), list[str]()
    by_file: dict[str, dict[str, str]] = {}
    for target in course.edited_docstrings:
        file, name = target_file(target, mine)
        by_file.setdefault(file, {})[name] = target
    for file, names in ((f, by_file[f]) for f in by_file.keys() & mine.keys()):
        text, swapped = swap_docstrings(list(names), texts[file], was[file], come[file])
        texts[file] = text
        edited += [names[name] for name, is_done in swapped.items() if is_done]
        worded += [names[name] for name, is_done in swapped.items() if not is_done]
    fresh = {name: text for name, text in texts.items() if text != mine[name]}
    return TermsChange(fresh, changed, kept, edited, worded)


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


def swap_docstrings(
    names: Collection[str], mine: str, was: str, come: str
) -> tuple[str, dict[str, bool]]:
    """Replace docstrings by those in ``come`` if they are as in ``was``.

    Returns:
        The new text, and for each name whose docstring differs between the two whether it did so.

    Raises:
        one of `NO_PYTHON`: a text is none.
    """
    lines, swapped = lines_of(mine), dict[str, bool]()
    found = {name: [find_docstring(text, name) for text in (mine, was, come)] for name in names}
    for name, (own, old, new) in sorted(found.items(), key=lambda row: row[1][0] or (0,))[::-1]:
        if old is None or new is None or old.words == new.words:
            continue
        swapped[name] = own is not None and own.words == old.words
        if own is not None and swapped[name]:
            top = lines[own.first - 1]
            indent = top[: len(top) - len(top.lstrip())]
            end = "\r\n" if top.endswith("\r\n") else "\n"
            words = [f"{indent}{word}".rstrip() + end for word in new.words]
            lines[own.first - 1 : own.last] = words
    return "".join(lines), swapped


class Docstring(NamedTuple):
    """A docstring: its first and last line, from 1, and its lines without indentation."""

    first: int
    last: int
    words: tuple[str, ...]


def find_docstring(text: str, name: str) -> Docstring | None:
    """Find the docstring of a definition; None if there is no such definition, or none in it."""
    node = find_definitions(text.removeprefix("\ufeff")).get(name)
    if node is None or ast.get_docstring(node) is None:
        return None
    first, last = statement_lines(node.body[0])
    lines = textwrap.dedent("".join(lines_of(text)[first - 1 : last])).splitlines()
    return Docstring(first, last, tuple(line.rstrip() for line in lines))


def _body(text: str, place: DefinitionSpan) -> list[str]:
    """Return the lines of a body, without indentation and white space at their ends."""
    lines = lines_of(text)[place.body - 1 : place.last]
    return [line.rstrip() for line in textwrap.dedent("".join(lines)).splitlines()]
