"""Move definitions between packages: out of one text and into another, word for word.

A piece is a function, a class, an assignment or an import, named as targets are: `Div.backward`
inside `ops.py`. It keeps its decorators and its comments inside; only its indentation is adapted.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from .package import module_of
from .syntax_tree import NO_PYTHON, Definition, is_stub, normalize_source, parse, statement_lines


def target_file(target: str, names: Iterable[str]) -> tuple[str, str]:
    """Return the file that a target lies in, and its name there; empty if there is no such file."""
    for name in names:
        module = module_of(name)
        if target.startswith(f"{module}."):
            return name, target[len(module) + 1 :]
    return "", ""


class Piece(NamedTuple):
    """Lines ``first`` … ``last`` (from 1) of a text, and what they define."""

    name: str
    first: int
    last: int
    text: str
    kind: str  # def · class · import · assign

    @property
    def holder(self) -> str:
        """Name of the class around it; empty at the top of the module."""
        return self.name.rpartition(".")[0]


@lru_cache(maxsize=64)  # called over and over for the reference's and a learner's files
def find_pieces(text: str) -> Mapping[str, Piece]:
    """Return every piece of a module and of its classes, in order; the last one of a name counts.

    Raises:
        one of `NO_PYTHON`: the text is none.
    """
    lines = text.split("\n")
    found: dict[str, Piece] = {}
    for name, (first, last), kind in _named(parse(text).body, ""):
        found[name] = Piece(name, first, last, "\n".join(lines[first - 1 : last]), kind)
    return found


def _named(body: list[ast.stmt], path: str) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Yield (name, its first and last line, kind) of what the statements of a body define."""
    for node, lines in zip(body, _lines(body), strict=True):
        if isinstance(node, Definition):
            kind = "class" if isinstance(node, ast.ClassDef) else "def"
            yield path + node.name, lines, kind
            if isinstance(node, ast.ClassDef):
                yield from _named(node.body, f"{path}{node.name}.")
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and not path:
            bound = [(a.asname or a.name).partition(".")[0] for a in node.names]
            yield from ((name, lines, "import") for name in bound)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((path + t.id, lines, "assign") for t in targets if isinstance(t, ast.Name))


def _lines(body: list[ast.stmt]) -> list[tuple[int, int]]:
    """Return each statement's first and last line, decorators too; on one line, all share them."""
    # For ``a = 1; b = 2`` in line 7, both have (7, 7).
    runs: list[list[int]] = []  # first line, last line, how many statements
    for node in body:
        first, last = statement_lines(node)
        if runs and first <= runs[-1][1]:
            runs[-1] = [runs[-1][0], last, runs[-1][2] + 1]
        else:
            runs.append([first, last, 1])
    return [(first, last) for first, last, count in runs for _ in range(count)]


def with_pieces(text: str, wanted: list[Piece]) -> str:
    """Put pieces into ``text``, in the place of those of the same name, or added.

    An added piece goes to the end of its class, or of the module; an import, to the imports.
    """
    lines = text.split("\n")
    known: Mapping[str, Piece] | None = None
    for piece in wanted:
        known = known if known is not None else find_pieces("\n".join(lines))
        old = known.get(piece.name)
        if old is not None:
            new = _indented(piece.text, _indent(old.text)).split("\n")
            lines[old.first - 1 : old.last] = new
            alone = old.kind == piece.kind == "def"  # after others, parse the new text again
            known = _moved(known, old, len(new)) if alone else None
        else:
            _add(lines, piece, known)
            known = None
    text = "\n".join(lines)
    return text if text.endswith("\n") else text + "\n"


def _moved(known: Mapping[str, Piece], old: Piece, size: int) -> dict[str, Piece]:
    """Shift all pieces, once a function of so many lines has taken the place of another."""
    more = size - (old.last - old.first + 1)
    return {
        name: piece._replace(
            first=piece.first + more * (piece.first > old.last),
            last=piece.last + more * (piece.last >= old.last),
        )
        for name, piece in known.items()
    }


def _add(lines: list[str], piece: Piece, known: Mapping[str, Piece]) -> None:
    """Put a piece that is not there yet into the lines."""
    if piece.holder in known:
        holder = known[piece.holder]
        inside = [p for p in known.values() if p.holder == piece.holder]
        indent = _indent(inside[0].text) if inside else _indent(holder.text) + "    "
        lines[holder.last : holder.last] = ["", *_indented(piece.text, indent).split("\n")]
    elif piece.kind == "import":
        last = max((p.last for p in known.values() if p.kind == "import"), default=len(lines))
        lines[last:last] = piece.text.split("\n")
    elif not piece.holder:
        lines += ["", *_indented(piece.text, "").split("\n")]


def _indent(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line[: len(line) - len(line.lstrip())]


def _indented(text: str, indent: str) -> str:
    """Indent a text to another depth; leave it untouched if it has that depth already."""
    if _indent(text) == indent:
        return text
    return textwrap.indent(textwrap.dedent(text), indent)


def helpers(mine: Mapping[str, Piece], used: list[Piece], known: set[str]) -> list[Piece]:
    """Return the pieces that ``used`` refer to, by name and step by step, but ``known`` ones."""
    found: dict[str, Piece] = {}
    todo = list(used)
    while todo:
        words = set(re.findall(r"\w+", todo.pop().text))
        for name, piece in mine.items():
            short = name.rpartition(".")[2]
            if short in words and name not in known and name not in found and piece not in used:
                found[name] = piece
                todo.append(piece)
    # In the order of their text; a piece inside an added one is not added twice.
    return [p for p in mine.values() if p.name in found and p.holder not in found]


def is_stub_piece(piece: Piece) -> bool:
    """Whether a piece is a function that nobody has written yet."""
    if piece.kind != "def":
        return False
    # A method stays indented: a text in it may begin in the first column.
    tree = parse(f"class _:\n{piece.text}" if piece.text[:1].isspace() else piece.text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    first = next(node for node in ast.walk(tree) if isinstance(node, kinds))
    return isinstance(first, ast.FunctionDef) and is_stub(first)


def is_unwritten(target: str, files: Mapping[str, bytes]) -> bool:
    """Whether a target is a stub or missing in its file; False if that file is no Python."""
    name, short = target_file(target, files)
    try:
        piece = find_pieces(files[name].decode("utf-8")).get(short)
    except (KeyError, *NO_PYTHON):
        return False
    return piece is None or is_stub_piece(piece)


def find_edited(
    owners: Mapping[str, str], files: Mapping[str, bytes], came: Mapping[str, str]
) -> set[str]:
    """Return owners of targets that differ from how they came, not just in spaces or comments."""
    found = set()
    for target, id in owners.items():
        file, name = target_file(target, came)
        text = files.get(file, b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
        if file and text != came[file] and _differs(name, text, came[file]):
            found.add(id)
    return found


def _differs(name: str, text: str, came: str) -> bool:
    right = find_pieces(came)[name].text
    try:
        mine = find_pieces(text)[name].text
    except KeyError:
        return True
    except NO_PYTHON:  # it is no Python at the moment
        return right not in text
    return mine != right and normalize_source(textwrap.dedent(mine)) != normalize_source(
        textwrap.dedent(right)
    )


def with_solved(
    files: Mapping[str, bytes],
    targets: Mapping[str, str],
    reference: Mapping[str, str],
    ids: Iterable[str],
) -> dict[str, bytes] | None:
    """Put the reference's definitions of these exercises into a package; None if they don't fit."""
    wanted: dict[str, list[str]] = {}
    for target in (t for t, owner in targets.items() if owner in ids):
        name, short = target_file(target, reference)
        wanted.setdefault(name, []).append(short)
    solved = dict(files)
    for name, definitions in wanted.items():
        try:
            known = find_pieces(reference[name])
            text = with_pieces(files[name].decode("utf-8"), [known[d] for d in definitions])
        except (KeyError, *NO_PYTHON):
            return None
        solved[name] = text.encode()
    return solved
