"""Their names and ours: when two are the same, and what theirs are called here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from ..about import EXCEPTIONS, own_names

Names = dict[str, str]
# Rows: owner (a regex), their names, our name, whose names these are, and in which of our files.
NAMES: tuple[tuple[str, ...], ...] = own_names(EXCEPTIONS).get("NAMES", ())


@lru_cache(maxsize=1 << 14)  # of each pair of a package's definitions, it is asked for anew
def names_here(whose: str, file: str) -> dict[str, str]:
    """Return their name → ours, inside a class or function; with "name", at the top level."""
    return {
        name: called
        for owner, theirs, called, _, *where in NAMES
        if re.fullmatch(owner, whose) and called.isidentifier()
        if not where or re.search(where[0], file)
        for name in theirs.split()
    }


def is_same(theirs: str, ours: str, table: Mapping[str, str]) -> bool:
    """Whether two names are equal but for case and inner underscores, or by the table."""
    return _plain(theirs) == _plain(ours) or table.get(theirs) == ours


@cache  # each name of theirs is held against each of ours
def _plain(name: str) -> str:
    return re.sub(r"(?<=[^_])_(?=[^_])", "", name.lower())


def one_to_one(table: Names, used: set[str]) -> Names:
    """Keep the table's rows for these names, unless two become one: {a: x, b: x} keeps neither."""
    called = [name for theirs, name in table.items() if theirs in used]
    return {k: v for k, v in table.items() if k in used and called.count(v) == 1 and v not in used}
