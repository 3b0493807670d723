"""Find the course's folder: inside the installed package, or the repository around it.

`GRADER_COURSE=DIR` names another course. No file in a learner's folder can: code in `exercises/`
is run unconfined, so a submission may not choose it.
"""

from __future__ import annotations

import os

PACKAGE = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = os.path.join(PACKAGE, "_course")
_OWN = _INSTALLED if os.path.isdir(_INSTALLED) else os.path.dirname(PACKAGE)
NAMED = os.environ.get("GRADER_COURSE", "")
ROOT = os.path.abspath(NAMED) if NAMED else _OWN


def path(*parts: str) -> str:
    """Return a path inside the course: ``path("chapters", "chapter3.md")``."""
    return os.path.join(ROOT, *parts)


def is_installed_course() -> bool:
    """Whether the course came in a wheel, with its answer key built."""
    return ROOT == _INSTALLED
