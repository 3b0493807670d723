"""Where the course lies: inside the installed package, or in the repository around it.

`GRADER_COURSE=DIR` names another course. A file in a learner's folder could not: what stands in
`exercises/` is run, and nobody's hand-in may choose that.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = os.path.join(PACKAGE, "_course")
_OWN = _INSTALLED if os.path.isdir(_INSTALLED) else os.path.dirname(PACKAGE)
NAMED = os.environ.get("GRADER_COURSE", "")
ROOT = os.path.abspath(NAMED) if NAMED else _OWN


PARTS = ("exercises", "tests", "tests.programs")


def path(*parts: str) -> str:
    """A path inside the course: ``path("chapters", "chapter3.md")``."""
    return os.path.join(ROOT, *parts)


def is_installed() -> bool:
    """Whether the course came in a wheel, with its answer key built."""
    return ROOT == _INSTALLED


def make_importable() -> None:
    """Let `import exercises` and `import tests` find this course, before anything else.

    A folder without an `__init__.py`, or none, would give way to any other package of its name.
    """
    if ROOT not in sys.path:
        sys.path.insert(0, ROOT)
    for name in PARTS if os.path.isdir(path("exercises")) else ():
        folder = path(*name.split("."))
        if name not in sys.modules and not os.path.exists(os.path.join(folder, "__init__.py")):
            sys.modules[name] = package = ModuleType(name)
            package.__path__ = [folder]
