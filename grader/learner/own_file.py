"""Find a target in the learner's own file, and replace its body without touching other lines."""

from __future__ import annotations

import ast
import io
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ..course.key_file import Key
from ..course.outline import chapter_of
from ..course.package import MOST_BYTES, BadFile, find_lookalike, holds_any, module_of, safe_bytes
from ..course.syntax_tree import (
    NO_PYTHON,
    Definition,
    find_definitions,
    locate_definitions,
    make_stub_body,
    statement_lines,
)
from ..errors import WrongUse
from .untrusted_files import read_text

COPY = "Take it from a fresh package: `grader init new` makes one."
LACKS = "{0} has no {1}. Write its `def` line again, or t" + COPY[1:]


class DefinitionSpan(NamedTuple):
    """A definition in a text; lines are counted from 1.

    Attributes:
        top: its first line, decorators included.
        body: the first line below signature and docstring; ``last + 1`` if there is none.
        last: its last line.
        column: the body's indentation, in characters.
        inline: the byte at which a body in the signature's line begins; else None.
    """

    top: int
    body: int
    last: int
    column: int
    inline: int | None


def locate(folder: str, target: str) -> tuple[str, str]:
    """Split a target into the path of its file, ``…/engines/closures.py``, and its name there,
    ``Tensor.backward``."""
    parts = target.split(".")
    for length in range(len(parts) - 1, 0, -1):
        path = os.path.join(folder, *parts[:length]) + ".py"
        if length == 1 or os.path.exists(path) or os.path.isdir(os.path.dirname(path)):
            break
    return path, ".".join(parts[length:])


def find_obstacles(key: Key, folder: str | None, id: str) -> list[str]:
    """Report the first fault in an exercise's files, or its chapter's: at most one sentence."""
    if folder is None:
        return []
    chapter = key.chapter(chapter_of(id))
    targets = next(row["targets"] for row in chapter.exercises if row["id"] == id)
    own = [locate(folder, target) for target in targets]
    others = [os.path.join(folder, name) for name in chapter.modules]
    paths = dict.fromkeys([*(path for path, _ in own), *others])
    around = os.path.dirname(folder)
    flaw = next(filter(None, (find_flaw(path, around) for path in paths)), None)
    if flaw:
        return [flaw]
    lost = (place for place in own if find_definition(read_file(place[0]), place[1]) is None)
    return [LACKS.format(os.path.relpath(path, around), name) for path, name in lost][:1]


def find_flaw(path: str, around: str) -> str:
    """Say why a file cannot be compiled, in which line, and what to do; ``""`` if it can."""
    file, name = os.path.relpath(path, around), os.path.basename(path)
    if not os.path.lexists(path):
        near = find_lookalike(os.path.dirname(path), name)
        way = f"`{near}` is in its place: rename it to {name}." if near else COPY
        return f"{file} is not there. {way}"
    try:
        data = safe_bytes(path)
        data.replace(b"\0", b"\xff").decode("utf-8-sig")  # so that null bytes are no UTF-8
        compile(data, file, "exec", dont_inherit=True)
    except BadFile as error:
        return f"{file} cannot be read: {error}"
    except SyntaxError as error:
        return f"{file}, line {error.lineno or 1}: {error.msg}. Mend that line first."
    except (MemoryError, RecursionError):
        return f"{file} cannot be read: it is too deep."
    except ValueError:
        return f"{file} is not UTF-8 text. Save it as UTF-8 in your editor."
    return ""


def spans_in(name: str, text: str) -> Mapping[str, tuple[int, int]]:
    """Return target → (first, last line) of all definitions; empty if the file does not parse."""
    with suppress(*NO_PYTHON):
        return locate_definitions(module_of(name), text)
    return {}


def lines_of(text: str) -> list[str]:
    """Split into lines as Python does, ends included (`str.splitlines` also cuts at U+2028 …)."""
    return list(io.StringIO(text, newline=""))


def _bare(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def find_definition(text: str, name: str) -> DefinitionSpan | None:
    """Find the last definition of ``name``; None if there is none.

    Raises:
        one of `NO_PYTHON`: the text does not parse.
    """
    node = find_definitions(text.removeprefix("\ufeff")).get(name)
    return None if node is None else _place(node, text)


def _place(node: Definition, text: str) -> DefinitionSpan:
    lines = _bare(text)
    top, _ = statement_lines(node)
    first = node.body[0]
    before = lines[first.lineno - 1].encode()[: first.col_offset]
    if before.strip():  # `def f(self): return 1`
        return DefinitionSpan(
            top, first.lineno, node.end_lineno or 0, node.col_offset + 4, first.col_offset
        )
    column = first.col_offset
    last = _with_comments(lines, node.end_lineno or 0, column)
    if ast.get_docstring(node, clean=False) is not None:
        return DefinitionSpan(top, (first.end_lineno or 0) + 1, last, column, None)
    body = first.lineno
    while body > 1 and _is_comment(lines[body - 2]):
        body -= 1
    return DefinitionSpan(top, body, last, column, None)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _with_comments(lines: list[str], last: int, column: int) -> int:
    """Extend a body's last line over the comments that follow it and are indented like it."""
    found = last
    for number in range(last, len(lines)):
        line = lines[number]
        if not _is_comment(line) or (line.strip() and len(line) - len(line.lstrip()) < column):
            break
        found = number + 1 if line.strip() else found
    return found


def find_roughly(text: str, name: str) -> DefinitionSpan | None:
    """Find a definition by indentation alone, in a text that does not parse at the moment."""
    lines, openings = _openings(text)
    first, end, column = 0, len(lines), -1
    for part in name.split("."):
        found = [(n, at) for n, at in openings.get(part, ()) if first <= n < end and at > column]
        if not found:
            return None
        number, column = found[-1]
        first = number + 1
        end = next((n for n in range(first, end) if _leaves(lines[n], column)), end)
    while end > first and not lines[end - 1].strip():
        end -= 1
    body, top = _after_signature(lines, first, end), first
    while top > 1 and lines[top - 2].lstrip().startswith("@"):
        top -= 1
    return None if body is None else DefinitionSpan(top, body + 1, end, column + 4, None)


OPENING = re.compile(r"^(\s*)(?:async\s+def|def|class)\s+(\w+)")


@lru_cache(maxsize=4)
def _openings(text: str) -> tuple[list[str], dict[str, list[tuple[int, int]]]]:
    """Return the lines, and name → (line, indentation) of what looks like its definitions."""
    lines, found = _bare(text), dict[str, list[tuple[int, int]]]()
    for number, line in enumerate(lines):
        if opening := OPENING.match(line):
            found.setdefault(opening[2], []).append((number, len(opening[1])))
    return lines, found


def _leaves(line: str, column: int) -> bool:
    """Whether a line ends the block whose head is indented by ``column``."""
    stripped = line.lstrip()
    return bool(stripped) and len(line) - len(stripped) <= column and stripped[0] not in ")]}"


def _after_signature(lines: list[str], first: int, end: int) -> int | None:
    """Return the number, from 0, of the first line below signature and docstring."""
    ends = (n for n in range(first - 1, end) if lines[n].partition("#")[0].rstrip().endswith(":"))
    signature = next(ends, None)
    if signature is None:
        return None
    body = signature + 1
    quote = lines[body].strip()[:3] if body < end else ""
    if quote not in ('"""', "'''"):
        return body
    if lines[body].count(quote) > 1:
        return body + 1
    return next((n + 1 for n in range(body + 1, end) if quote in lines[n]), body)


def head(text: str, place: DefinitionSpan) -> list[str]:
    """Return the lines of signature and docstring, without the indentation."""
    lines = _bare(text)[place.top - 1 : place.body - (place.inline is None)]
    if place.inline is not None:
        lines[-1] = lines[-1].encode()[: place.inline].decode().rstrip()
    margin = min((len(li) - len(li.lstrip()) for li in lines if li.strip()), default=0)
    return [line[margin:] for line in lines]


def with_body(text: str, place: DefinitionSpan, body: list[str]) -> str:
    """Replace the body at a place; return the text, in which every other line is unchanged."""
    lines = lines_of(text)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    fresh = [f"{' ' * place.column if line else ''}{line}{newline}" for line in body]
    before, after = lines[: place.body - 1], lines[place.last :]
    if place.inline is not None:
        signature = lines[place.body - 1].encode()[: place.inline].decode().rstrip()
        fresh = [f"{signature}{newline}", *fresh]
    elif before and not before[-1].endswith("\n"):
        before[-1] += newline
    return "".join([*before, *fresh, *after])


def asked_in(name: str, owners: Mapping[str, str], given: Collection[str]) -> dict[str, str]:
    """Return target → exercise for the exercises that the learner has to write in a file.

    Args:
        owners: target → exercise, of the whole course.
        given: the exercises that came written.
    """
    return {t: id for t, id in owners.items() if holds_any(name, [t]) and id not in given}


def read_file(path: str) -> str:
    """Read a file of the package; raises WrongUse with its fault."""
    try:
        return read_text(path, MOST_BYTES)
    except BadFile as error:
        raise WrongUse(
            find_flaw(path, os.getcwd()) or f"{os.path.relpath(path)}: {error}"
        ) from error


def renew(
    folder: str, id: str, section: str, targets: list[str],
    read: Callable[[str], str] = read_file, came: Mapping[str, str] | None = None,
) -> dict[str, str]:  # fmt: skip
    """Put an exercise's stubs back; return path → new text of the files that change.

    Args:
        came: target → its whole definition, for an exercise that was given: put back instead.

    Raises:
        WrongUse: a file cannot be read, or holds no such target.
    """
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    body = make_stub_body(id, section).splitlines()
    for target in targets:
        path, name = locate(folder, target)
        if path not in before:
            before[path] = after[path] = read(path)
        place = _find(after[path], name, path)
        if came is not None:
            body = came[target].split("\n")
            place = place._replace(body=place.top, column=0, inline=None)
        after[path] = with_body(after[path], place, body)
    return {path: text for path, text in after.items() if text != before[path]}


def _find(text: str, name: str, path: str) -> DefinitionSpan:
    file = os.path.relpath(path)
    try:
        place = find_definition(text, name)
        where = ""
    except NO_PYTHON as error:
        place = find_roughly(text, name)
        where = f"{file} is no Python (line {getattr(error, 'lineno', None) or '?'}). "
    if place is None:
        raise WrongUse(where + LACKS.format(file, name))
    return place
