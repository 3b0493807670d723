"""The course: its vocabulary, its sources as text, and the answer key that is made of them.

Authors import from here and from NumPy, nothing else. The names that they import live in modules
that need NumPy; `check` uses this room without it, so these are imported on demand.
"""

from __future__ import annotations

import importlib

# ruff: noqa: F403, F405
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .bodies import *
    from .load import import_reference as import_reference
    from .load import reference as reference
    from .rows import *
    from .schema import *

__all__ = [
    "DISTINCT", "POSITIVE", "PUBLIC_SEED", "REAL", "SMALL", "Chapter", "Check", "Domain",
    "Exercise", "Group", "Kind", "Mistake", "OpRow", "OpSample", "Parts", "Probe", "Question",
    "Sample", "SampleGroup", "Variant", "after", "also", "before", "body", "broken", "edit",
    "exercise", "first", "import_reference", "instead", "mistake", "number_for", "reference",
    "result", "returns", "right", "rng_for", "shapes", "shapes_for", "sizes_for", "start_for",
    "values", "variant",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import one of the authors' names from the module that defines it."""
    for module in ("schema", "bodies", "load", "rows") if name in __all__ else ():
        words = vars(importlib.import_module(f".{module}", __name__))
        if name in words:
            return words[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
