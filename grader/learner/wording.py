"""The same event in the same words, everywhere: statuses, arrays, points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..course.key_rows import IsolationResult

# status → (mark, word, colour); the word carries the meaning, the colour only helps.
WORDS = {
    "passed": ("✓", "passed", "green"),
    "given": ("·", "given", "dim"),
    "pending": ("·", "pending", ""),
    "blocked": ("◦", "blocked", "yellow"),
    "failed": ("✗", "failed", "red"),
    "crashed": ("✗", "crashed", "red"),
    "timed_out": ("✗", "timed out", "red"),
    "out_of_memory": ("✗", "out of memory", "red"),
    "refused": ("✗", "refused", "red"),
    "broken": ("!", "broken (our fault)", "red"),
}
ORDER = tuple(WORDS)


def points(value: float) -> str:
    """A mark without needless zeros: ``1.5``, ``2``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """A share as people read it, rounded in one way everywhere."""
    return f"{100 * share:.0f} %"


def numbers(value: Any, digits: int = 6) -> str:
    """Nested lists as one line, six digits each; anything else as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(numbers(item, digits) for item in value)}]"
    if isinstance(value, float):
        return f"{value or 0.0:.{digits}g}"  # nobody wants to read -0
    return json.dumps(value)


# What a protection keeps from learner code, in a word; the result holds their full names.
HELD = (
    ("closed", {
        "files (Landlock)": "files", "no sockets (seccomp)": "network",
        "no new processes (seccomp)": "processes", "no signals to others (seccomp)": "signals",
        "no doors into the kernel (seccomp)": "kernel",
    }),
    ("limited", {"memory limit": "memory", "cpu limit": "time"}),
)  # fmt: skip


def isolation(found: IsolationResult) -> list[str]:
    """The level that held, and what it kept from learner code."""
    reduced = " (reduced isolation: see SECURITY.md)" if found["missing"] else ""
    groups = []
    for verb, names in HELD:
        words = [word for name, word in names.items() if name in found["protections"]]
        groups += [f"{verb}: {', '.join(words)}"] if words else []
    lines = [f"isolation: {found['level']}{reduced}"]
    return lines + ([f"({'; '.join(groups)})"] if groups else [])
