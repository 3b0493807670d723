"""Fingerprints of what a learner wrote, definition by definition: few, and equal for equal code.

Winnowing: S. Schleimer, D. Wilkerson, A. Aiken, «Winnowing: local algorithms for document
fingerprinting», SIGMOD 2003. The tokens are the syntax tree in reading order, so that names of
variables, comments, white space and the order of definitions play no part. Of `GRAM` tokens in a
row a hash is made; of every `WINDOW` hashes in a row the least is kept. So two texts that share
`GRAM + WINDOW - 1` tokens in a row share a fingerprint.
"""

from __future__ import annotations

import ast
import base64
import struct
import zlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from textwrap import indent
from typing import NamedTuple

from ..course.load import Course, module_of
from ..intake.handed_out import NO_PYTHON, body_of
from ..sources.target import functions, statements
from ..sources.tree import parse

GRAM, WINDOW = 14, 4


class Known(NamedTuple):
    """What tells nothing about who wrote it: stubs, the reference, what the course has named."""

    files: frozenset[str]
    bodies: frozenset[str]
    grams: frozenset[int]


def known(course: Course, first: int) -> Known:
    """What a class has in common from the start, and what the course knows that many write.

    Args:
        first: the number of the chapter before which everything came solved.
    """
    texts = [*course.stubs(first).items(), *course.solved().items()]
    others = [m.body for e in course.exercises.values() for m in e.mistakes]
    others += [body for c in course.chapters for v in c.variants for body in v.bodies.values()]
    every, bodies = set(), set()
    for name, text in texts:
        lines = text.splitlines()
        for function in functions(module_of(name), text).values():
            every.update(grams(statements(function)))
            bodies.add(body_of(lines, function))
    for body in dict.fromkeys(others):
        with suppress(*NO_PYTHON):
            every.update(grams(parse(f"def _():\n{indent(body, '    ')}").body))
    return Known(frozenset(text for _, text in texts), frozenset(bodies), frozenset(every))


def prints(files: Mapping[str, bytes], known: Known) -> dict[str, str]:
    """Definition → its fingerprints, packed; a file that is no Python has none."""
    found = {}
    for name, data in files.items():
        text = data.decode("utf-8", "replace")
        if text in known.files:
            continue
        lines = text.splitlines()
        with suppress(*NO_PYTHON):
            for target, function in functions(module_of(name), text).items():
                if body_of(lines, function) not in known.bodies:
                    every = grams(statements(function))
                    kept = winnowed([g for g in every if g not in known.grams])
                    if kept:
                        found[target] = packed(kept)
    return found


def grams(body: Iterable[ast.AST]) -> list[int]:
    """The hashes of all rows of `GRAM` tokens."""
    words: list[int] = []
    for statement in body:
        _read(statement, words)
    row, data = 4 * GRAM, memoryview(struct.pack(f"<{len(words)}I", *words))
    return [zlib.crc32(data[n : n + row]) for n in range(0, len(data) - row + 1, 4)]


def _read(node: ast.AST, words: list[int]) -> None:
    """A tree in reading order, a number a token; a variable is one, whatever its name."""
    word = type(node).__name__
    if isinstance(node, ast.Attribute):
        word = f".{node.attr}"  # `np.exp` is not `np.log`
    elif isinstance(node, ast.keyword):
        word = f"{node.arg}="
    elif isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
        word = repr(node.value)
    words.append(zlib.crc32(word.encode("utf-8", "replace")))
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context):  # whether a name is read: its place says that
            _read(child, words)


def winnowed(hashes: list[int]) -> set[int]:
    """The least of every `WINDOW` hashes in a row."""
    windows = range(max(1, len(hashes) - WINDOW + 1)) if hashes else ()
    return {min(hashes[n : n + WINDOW]) for n in windows}


def packed(hashes: Collection[int]) -> str:
    """Numbers below 2³², four bytes each, in base 64."""
    data = struct.pack(f"<{len(hashes)}I", *sorted(hashes))
    return base64.b64encode(data).decode()


def unpacked(text: str) -> tuple[int, ...]:
    """What `packed` was given, in order."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 4}I", data)
