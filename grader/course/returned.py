"""The program of a check that names none: call a learner's function, return its result as an array.

Its text is sent to the worker, as those of `tests/programs/` are; no answer stands in it.
"""

from operator import attrgetter

import numpy as np


class Complaint(Exception):
    """A result that cannot be read; the message is shown to the learner."""


TEXTS = ("dict", "set", "str")  # types that are compared as texts


def value(bg: object, target: str, args: list[object], kind: str) -> dict[str, list[np.ndarray]]:
    """A function returns the right value."""
    name = target.rpartition(".")[2]
    found = attrgetter(target)(bg)(*args)
    if found is None:
        raise Complaint(f"{name} returned None; did you forget `return`?")
    if kind in TEXTS and type(found).__name__ != kind:
        raise Complaint(f"{name} returned a {type(found).__name__}; a {kind} was expected.")
    return as_parts(found)


def as_parts(found: object) -> dict[str, list[np.ndarray]]:
    """Return a result as a part; texts, dicts and sets as bytes of a text, in a fixed order."""
    if type(found).__name__ in TEXTS:
        text = found if isinstance(found, str) else in_order(found)
        found = np.frombuffer(text.encode(), np.uint8)
    return {"value": [np.asarray(found)]}


def in_order(found: object) -> str:
    """Convert dicts and sets, and what they hold, to a text."""
    if isinstance(found, dict):
        return f"{{{', '.join(sorted(f'{in_order(k)}: {in_order(found[k])}' for k in found))}}}"
    if isinstance(found, (set, frozenset)):
        return f"{{{', '.join(sorted(map(in_order, found)))}}}"
    if isinstance(found, (list, tuple)):
        return f"[{', '.join(map(in_order, found))}]"
    return repr(found.item() if hasattr(found, "item") else found)
