"""Find the course's folder: inside the installed package, or the repository around it.

`GRADER_COURSE=DIR` names another course. No file in a learner's folder can: code in `exercises/`
is run unconfined, so a submission may not choose it.
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
    """Return a path inside the course: ``path("chapters", "chapter3.md")``."""
    return os.path.join(ROOT, *parts)


def is_installed() -> bool:
    """Whether the course came in a wheel, with its answer key built."""
    return ROOT == _INSTALLED


def make_importable() -> None:
    """Let `import exercises` and `import tests` find this course, before anything else.

    Those without an `__init__.py` are registered by hand: as namespace packages they would give way
    to any regular package of that name.
    """
    if ROOT not in sys.path:
        sys.path.insert(0, ROOT)
    for name in PARTS if os.path.isdir(path("exercises")) else ():
        folder = path(*name.split("."))
        if name not in sys.modules and not os.path.exists(os.path.join(folder, "__init__.py")):
            sys.modules[name] = package = ModuleType(name)
            package.__path__ = [folder]
