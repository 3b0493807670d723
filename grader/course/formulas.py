"""Leave derivatives out of the docstrings of stubs, for learners who would rather find them.

A chapter's `FORMULAS` maps targets to edits of their docstrings, in the form of an author's `edit`:

    "ops.Div.backward": (": d(a/b)/da = 1/b, d(a/b)/db = -a/b²", "")

makes «The gradients of ``a`` and of ``b``.» of the docstring. White space in the old words stands
for any white space. Each edited paragraph is wrapped again; as it was, it is the exercise's last
hint.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import OurFault
from .package import module_of
from .splice import target_file
from .syntax_tree import find_definitions, statement_lines

if TYPE_CHECKING:
    from .schema import Exercise

WIDTH = 96  # columns
MINUTES = 3  # that it takes to find a derivative oneself, by our estimate
HINT = "With its formula, the docstring says «{}»"
DOCSTRING = re.compile(r'(\s*)([rR]?""")(.*?)\s*"""', re.DOTALL)
BETWEEN = re.compile(r"\n\s*\n")


def hide_formulas(texts: Mapping[str, str], edits: Mapping[str, Any]) -> dict[str, str]:
    """Edit the docstrings of some targets in a package's texts; return the files that change.

    Raises:
        OurFault: an edit does not fit its docstring.
    """
    changed: dict[str, str] = {}
    for file, names in _by_file(texts, edits).items():
        lines, nodes = texts[file].splitlines(), find_definitions(texts[file])
        for name in sorted(names, key=lambda name: -nodes[name].lineno):  # the last one first
            first, last = statement_lines(nodes[name].body[0])
            source = "\n".join(lines[first - 1 : last])
            lines[first - 1 : last] = _edit(source, names[name], name)[0].split("\n")
        changed[file] = "\n".join(lines) + "\n"
    return changed


def make_hints(
    texts: Mapping[str, str], edits: Mapping[str, Any], owner: Mapping[str, Exercise]
) -> dict[str, str]:
    """Return exercise → the hint with what its docstrings say before these edits.

    Raises:
        OurFault: as `hide_formulas`.
    """
    said: dict[str, list[str]] = {}
    for file, names in _by_file(texts, edits).items():
        lines, nodes = texts[file].splitlines(), find_definitions(texts[file])
        for name, change in names.items():
            first, last = statement_lines(nodes[name].body[0])
            _, words = _edit("\n".join(lines[first - 1 : last]), change, name)
            said.setdefault(owner[f"{module_of(file)}.{name}"].id, []).append(words)
    return {id: HINT.format(" ".join(words).replace("``", "`")) for id, words in said.items()}


def _by_file(texts: Mapping[str, str], edits: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return file → the name in it → its edit."""
    found: dict[str, dict[str, Any]] = {}
    for target, change in edits.items():
        file, name = target_file(target, texts)
        if name not in find_definitions(texts.get(file, "")):
            raise OurFault(f"{target}: a formula can only be hidden in what there is.")
        found.setdefault(file, {})[name] = change
    return found


def _edit(source: str, change: Any, where: str) -> tuple[str, str]:
    """Return a docstring after an edit, and the paragraphs that it changed, as they were."""
    if (found := DOCSTRING.fullmatch(source)) is None:
        raise OurFault(f"{where} has no docstring, so no formula can be hidden in it.")
    indent, opening, text = found.groups()
    parts = [part.lstrip() for part in BETWEEN.split(text)]
    before = [" ".join(part.split()) for part in parts]
    after = list(before)
    for old, new in (change,) if isinstance(change[0], str) else change:
        if sum(part.count(old) for part in after) != 1:
            raise OurFault(f"{where}: its docstring has to say {old!r} exactly once to hide it.")
        after = [part.replace(old, new).strip() for part in after]
    edited = [n for n, part in enumerate(after) if part != before[n]]
    for n in edited:
        lines = textwrap.wrap(after[n], WIDTH - len(indent + opening), break_on_hyphens=False)
        parts[n] = f"\n{indent}".join(lines)
    whole = f"\n\n{indent}".join(filter(None, parts))
    end = f"\n{indent}" if "\n" in whole else ""
    return f'{indent}{opening}{whole}{end}"""', " ".join(before[n] for n in edited)
