"""Bring a later release into a workspace: check its files, and join them with the learner's.

For each file there are three texts: `old` (as it was handed out), `mine` and `new`. Only where both
`mine` and `new` differ from `old` is there anything to join: definition by definition.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from ..about import COURSE
from ..course.package import unfit_name
from ..course.splice import Piece, find_pieces, is_stub_piece, with_pieces
from ..course.syntax_tree import NO_PYTHON, parse, statement_lines
from .open_questions import FOLDER
from .workspace import STATE

SCHEMA = "grader-release/1"
RELEASE = ".grader/release.json"
BASE = ".grader/base/"
PACKAGE = f"{COURSE.name}/"
# All that a release may bring into `.grader/`; what else lies there is the learner's own: progress,
# hints, quiz answers, revealed solutions, copies of what was reset.
BROUGHT = frozenset(f"{STATE}/{name}" for name in ("workspace.json", "answers.key", "release.json"))
# What a release holds else, as `build_bundle` writes it; no name here is run by a tool on its own.
HELD = re.compile(
    rf"({re.escape(BASE)})?({COURSE.name}/.+\.(py|typed)|{FOLDER}/.+\.md)|chapters/.+|examples/.+|[^/]+\.whl"
)
TOP = ("AGENTS.md", "README.md", "requirements.txt")
BY_ITSELF = ("sitecustomize.py", "usercustomize.py", "conftest.py")  # Python's and pytest's


def may_hold(name: str) -> bool:
    """Whether a release may hold a file of this name."""
    parts = name.removeprefix(BASE).split("/")
    hidden = any(part.startswith(".") or part in BY_ITSELF for part in parts)
    if name in BROUGHT or name in TOP:
        return True
    return not hidden and not unfit_name(name) and HELD.fullmatch(name) is not None


class JoinedFile(NamedTuple):
    """A file's new content, and notes about it for the learner."""

    data: bytes
    notes: list[str]
    beside: bytes | None = None  # a text to put beside it, where it stays
    # What the learner wrote, and need not any more: the new text has it written.
    given: tuple[str, ...] = ()


def join_file(name: str, old: bytes | None, mine: bytes | None, new: bytes) -> JoinedFile:
    """Join a file of the workspace, given its old, its present and its new text."""
    if mine is None or mine == new:
        return JoinedFile(new, [])
    if new == old:
        return JoinedFile(mine, [])
    if name.startswith(PACKAGE) and name.endswith(".py"):
        return _module(name, old or b"", mine, new)
    if mine == old:
        return JoinedFile(new, [])
    note = f"{name}: you changed it, so it stays; the new one is {name}.new"
    return JoinedFile(mine, [note], new)


def join_page(name: str, old: str, page: str, mine: str | None) -> str:
    """Join a module of a page of the book with the workspace's: what the learner wrote on the page
    comes in, and all else stays. A text that cannot be joined takes the place of the other.

    Args:
        old: the module as the page began.
    """
    if mine is None:
        return page
    try:
        return _splice_mine(name, old, page, mine, takes_solved=False).data.decode()
    except NO_PYTHON:
        return page


def _module(name: str, old: bytes, mine: bytes, new: bytes) -> JoinedFile:
    try:
        return _splice_mine(name, old.decode(), mine.decode(), new.decode())
    except NO_PYTHON as error:
        why = getattr(error, "msg", None) or str(error)
        note = f"{name}: it stays as it is ({why}); the new one is {name}.new"
        return JoinedFile(mine, [note], new)


def _splice_mine(name: str, old: str, mine: str, new: str, takes_solved: bool = True) -> JoinedFile:
    """The new text with every definition that the learner wrote.

    Args:
        takes_solved: whether what came solved stays so if it is a stub in the new text.

    Raises:
        one of `NO_PYTHON`: one of the texts is none.
        ValueError: the learner's words would not all be in it.
    """
    was, have, come = find_pieces(old), find_pieces(mine), find_pieces(new)
    mine_alone = [
        p
        for p in have.values()
        if _is_mine(p, was.get(p.name), come.get(p.name) if takes_solved else None)
    ]
    written = _outermost(mine_alone)
    text = with_pieces(new, written)
    parse(text)
    lost = [p.name for p in written if p.text not in text]
    if lost:
        raise ValueError(f"{', '.join(lost)} does not fit into the new text")
    notes, given = [], []
    for piece in written:
        before, after = was.get(piece.name), come.get(piece.name)
        if before and after and is_stub_piece(before) and not is_stub_piece(after):
            given.append(f"{piece.name} ({name.removeprefix(PACKAGE)})")
        elif before and after and before.text != after.text and not is_stub_piece(after):
            if before.text != piece.text:
                notes.append(f"{name}: {piece.name} is yours and new as well; yours stays")
        elif before and not after:
            notes.append(f"{name}: {piece.name} is not in the new version any more; yours stays")
    extra = _loose(mine, have) - _loose(old, was)
    if extra:
        raise ValueError("statements of yours stand outside of functions and classes")
    return JoinedFile(text.encode(), notes, given=tuple(given))


def _is_mine(piece: Piece, before: Piece | None, after: Piece | None) -> bool:
    """Whether it stays: the learner wrote it, or it came solved and would become a stub.

    What the learner wrote differs from what was handed out, and is no stub.
    """
    if piece.kind == "class" and before is not None:
        return False  # its members are looked at one by one
    would_go = after is not None and is_stub_piece(after)
    return not is_stub_piece(piece) and (before is None or before.text != piece.text or would_go)


def _outermost(found: list[Piece]) -> list[Piece]:
    """Without the members of a class that is taken over whole."""
    names = {piece.name for piece in found if piece.kind == "class"}
    return [p for p in found if not any(p.name.startswith(f"{name}.") for name in names)]


def _loose(text: str, known: Mapping[str, Piece]) -> set[str]:
    """The statements at the top of a module that define nothing by name: loops, calls, tries."""
    taken = {(p.first, p.last) for p in known.values()}
    found = set()
    for node in parse(text).body:
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if statement_lines(node) not in taken and not is_doc:
            found.add(ast.unparse(node))
    return found
