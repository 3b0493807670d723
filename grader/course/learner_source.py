"""What a learner wrote for an exercise, as text that can be searched."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from .syntax_tree import parse


def own_text(
    files: Mapping[str, bytes], definitions: Mapping[str, Any], targets: Iterable[str]
) -> str:
    """The learner's definitions of these targets, without comments and docstrings.

    Empty where they are not there or are no Python by themselves.
    """
    found = []
    for target in targets:
        place = definitions.get(target)
        if place is not None and place.file in files:
            lines = files[place.file].decode("utf-8", "replace").splitlines()
            found.append(plain(textwrap.dedent("\n".join(lines[place.first - 1 : place.last]))))
    return "\n".join(found)


def plain(text: str) -> str:
    """Python spaced as `ast.unparse` does, without comments and docstrings."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or len(body) < 2:
            continue
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            del body[0]
    try:
        return ast.unparse(tree)
    except RecursionError:  # a sum of thousands of terms
        return ""
