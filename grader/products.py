"""The products: folders beside the core, each of which can be taken away.

The core imports none of them. Their commands are rows of `TABLE` (`commands/__init__.py`), which
leaves out those of a product that is away; what else they add to the core they add by `HOOKS`.
"""

from __future__ import annotations

import os
from importlib import import_module

from . import root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# A product → those that it imports from, which stand above it.
USES: dict[str, tuple[str, ...]] = {
    "audit": (),
    "book": (),
    "editor": (),
    "importing": (),
    "notebooks": (),
    "classroom": ("audit", "notebooks"),
    "viva": ("audit", "classroom"),
}
# Modules at the top that belong to a product: others import them by these paths.
PUBLISHED = {"notebook": "notebooks", "pytest_plugin": "editor"}
# Something that the core, or a product above, would have → the function that gives it.
HOOKS = {
    "address of the book": ("book", "address"),
    "course with an overlay": ("classroom.marks.overlay", "load_course"),
    "settings of an editor": ("editor.screen", "vscode"),
}


def has_product(name: str) -> bool:
    """Whether a product is here, and all that it uses."""
    return not find_missing(name)


def find_missing(name: str) -> str:
    """Return the product that is away: this one, or one that it uses; an empty text if none is."""
    if not os.path.exists(os.path.join(root.PACKAGE, name, "__init__.py")):
        return name
    return next(filter(None, map(find_missing, USES[name])), "")


def find_hook(name: str) -> Callable[..., Any] | None:
    """Return the function of a row of `HOOKS`; None if its product is away."""
    module, function = HOOKS[name]
    if not has_product(module.partition(".")[0]):
        return None
    found: Callable[..., Any] = getattr(import_module(f".{module}", __package__), function)
    return found
