"""The same event in the same words, everywhere: statuses, arrays, points, and small phrases."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from ..about import COURSE
from .style import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..course.key_rows import ExerciseRow, IsolationResult


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


def numbers(value: object, digits: int = 6) -> str:
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


def counted(number: float, thing: str) -> str:
    """``1 point``, ``2.5 points``."""
    return f"{points(number)} {thing}{'' if number == 1 else 's'}"


def first_of(names: Sequence[str], most: int) -> str:
    """The first of these names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def plain(text: str) -> str:
    """An answer without case, quotes, backticks and needless space."""
    return " ".join(text.replace("`", "").strip().strip("\"'").lower().split())


def worth(value: float) -> str:
    """What an exercise is worth."""
    return counted(value, "point") if value else "no points"


def minutes(number: float) -> str:
    """How long the prose says that it takes."""
    return f"about {counted(number, 'minute')}"


def stars(difficulty: int) -> str:
    """How hard it is, as the prose writes it: ``★★☆``."""
    return "★" * difficulty + "☆" * (3 - difficulty)


def state(status: str, style: Style, width: int = 0) -> str:
    """Mark and word of a status, coloured and padded."""
    mark, word, colour = WORDS[status]
    return style.paint(colour, f"{mark} {word}") + " " * max(0, width - len(word))


def bar(done: float, total: float, width: int) -> str:
    """How much is done, as a bar; full only when everything is."""
    filled = int(width * done / total) if total else 0
    return "█" * filled + "░" * (width - filled)


def when(seconds: float) -> str:
    """A time of today as a clock tells it, an earlier one with its date."""
    then = time.localtime(seconds)
    today = time.localtime()[:3] == then[:3]
    return time.strftime("%H:%M" if today else "%d %b %H:%M", then)


def waits(id: str, others: list[str]) -> str:
    """An exercise that cannot be judged yet, and what it waits for."""
    return f"{id} is blocked by {' and '.join(others) or 'another exercise'}."


def unimportable(says: str, place: str, style: Style) -> list[str]:
    """The package as a whole does not work; ``place`` is «ops.py:60», or empty."""
    where = f" ({COURSE.name}/{place.replace(':', ', line ')})" if place else ""
    folder = COURSE.alone["folder"]
    alone = bool(folder) and place.startswith(folder)
    what = f"{COURSE.name}/{place.partition(':')[0]}" if alone else "Your package"
    return [
        style.paint("red", f"✗ {what} cannot be imported."),
        *style.wrap(f"{says}{where}.", "  ", "  "),
        "  Fix this first; then every exercise is judged again.",
    ]


def next_step(id: str | None, exercise: ExerciseRow | None, status: str) -> str:
    """One sentence: what to do now."""
    if id is None or exercise is None:
        return "All of it is right."
    if status == "blocked":
        return f"Next: what {id} waits for."
    if WORDS[status][0] in "✗!":
        return f"Next: fix {id}."
    return f"Next: write {exercise['title']} (section {exercise['section']}, {id})."
