"""The program of a check that names none: call a learner's function, return its result as an array.

Its text is sent to the worker, as those of `tests/programs/` are; no answer stands in it.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

import numpy as np


class Complaint(Exception):
    """A result that cannot be read; the message is shown to the learner."""


DATA = "data"  # the part with dicts, sets and mixed lists, which the judge reads as text
# Type of what is right → types that may be returned, and what they are called.
KINDS: dict[str, tuple[Any, str]] = {
    "str": (str, "a str"), "dict": (dict, "a dict"), "items": ((list, tuple), "a list"),
    "set": ((set, frozenset), "a set"),
}  # fmt: skip


def kind_of(right: object) -> str:
    """Return the kind of what is right; empty for numbers, and for lists that make an array."""
    if isinstance(right, (list, tuple)):
        try:
            return "" if np.asarray(right).dtype.kind in "biuf" else "items"
        except ValueError:  # lists of unequal lengths
            return "items"
    return next((kind for kind, (types, _) in KINDS.items() if isinstance(right, types)), "")


def value(bg: object, target: str, args: list[object], kind: str) -> dict[str, list[np.ndarray]]:
    """A function returns the right value."""
    name = target.rpartition(".")[2]
    found = attrgetter(target)(bg)(*args)
    if found is None:
        raise Complaint(f"{name} returned None; did you forget `return`?")
    types, called = KINDS.get(kind, (object, ""))
    if not isinstance(found, types):
        raise Complaint(f"{name} returned a {type(found).__name__}; {called} was expected.")
    return as_parts(found, kind)


def as_parts(found: Any, kind: str) -> dict[str, list[np.ndarray]]:
    """Return a result as a part: an array, or the bytes of a text; of data, in a fixed order."""
    if not kind:
        return {"value": [np.asarray(found)]}
    text = found if kind == "str" else in_order(found)
    return {"value" if kind == "str" else DATA: [np.frombuffer(text.encode(), np.uint8)]}


def in_order(found: Any) -> str:
    """Convert data to a text: dicts by their keys and sets sorted, numbers by their size."""
    if isinstance(found, dict):
        return f"{{{', '.join(f'{in_order(k)}: {in_order(found[k])}' for k in sort_items(found))}}}"
    if isinstance(found, (set, frozenset)):
        return f"{{{', '.join(map(in_order, sort_items(found)))}}}"
    if isinstance(found, (list, tuple)) or getattr(found, "ndim", None):
        return f"[{', '.join(map(in_order, found))}]"
    if isinstance(found, np.float32):
        return f"np.float32({found})"
    return repr(found.item() if hasattr(found, "item") else found)


def sort_items(items: Iterable[Any]) -> list[Any]:
    """Sort keys, or a set, so that numbers that differ by their rounding stand at one place."""
    return sorted(items, key=lambda each: (rank(each, 6), rank(each, 17), in_order(each)))


def rank(item: Any, digits: int) -> tuple[Any, ...]:
    """Return the place of an item: numbers, then all else (NaN, texts), then items of items."""
    if isinstance(item, (tuple, frozenset)):
        inside = sorted(item, key=in_order) if isinstance(item, frozenset) else item
        return (2, tuple(rank(each, digits) for each in inside))
    if isinstance(item, (int, float, np.number)) and -1e300 < item < 1e300:
        return (0, float(f"{float(item):.{digits}g}"))
    return (1, in_order(item))
