"""Modules that are imported once they are asked for; and NumPy, while most of these stay away.

What only people read of NumPy (texts, signatures, types), and what a probe seldom calls, is a
fifth of its import.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What stays away while NumPy is imported → what NumPy asks it for meanwhile.
AWAY: dict[str, dict[str, Any]] = {
    "numpy._core._add_newdocs": {},
    "numpy._core._add_newdocs_scalars": {},
    "numpy._typing": {"NDArray": list},  # it need only take an index
    "inspect": {"cleandoc": str, "signature": lambda function: None},
    "ast": {},
    "pickle": {},
    "platform": {},
    "textwrap": {},
}


class Later(ModuleType):
    """Stands for a module; asked for more than it holds, it brings the real one."""

    def __init__(self, name: str, held: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        vars(self).update(held or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        withdraw(self)
        found = vars(self)[name] = getattr(import_module(self.__name__), name)
        return found


def withdraw(module: Later) -> None:
    """Whoever imports it from now on gets the real one."""
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]


def import_numpy() -> None:
    """Import NumPy with nothing that it can do without; a NumPy that asks for more gets it."""
    away = {name: Later(name, held) for name, held in AWAY.items() if name not in sys.modules}
    sys.modules.update(away)
    import numpy  # noqa: F401

    for module in away.values():
        withdraw(module)
