"""The report that a learner reads: what stands, what is wrong and why, and where to go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..verdict import BLOCKED, PENDING, WRONG
from .style import Style
from .words import ORDER, WORDS, numbers, points

MOST_DETAILS = 3  # exercises that are explained at length; the others are named
MOST_ALSO = 3  # further checks of an exercise that are named

SIDES = (
    ("yours", "yours"),
    ("finite_difference", "finite difference"),
    ("pytorch", "PyTorch"),
    ("reference", "reference"),
)


def report(result: dict[str, Any], style: Style, printed: str = "") -> str:
    """The whole report as text.

    Args:
        result: a canonical result.
        printed: what the learner's own code has printed.
    """
    lines: list[str] = []
    for chapter in result["chapters"]:
        lines += [""] if lines else []
        lines += _chapter(chapter, style)
    lines += _printed(printed, style)
    lines += _foot(result, style)
    return "\n".join(lines) + "\n"


def _chapter(chapter: dict[str, Any], style: Style) -> Iterator[str]:
    exercises = chapter["exercises"]
    title = f"{chapter['id']}  {chapter['title']}"
    marks = f"{points(chapter['score'])} / {points(chapter['max_score'])} points"
    gap = " " * max(2, 80 - len(title) - len(marks))
    yield style.paint("bold", title) + gap + style.paint("bold", marks)
    yield ""
    yield from _overview(exercises, style)
    unloadable = same_message(exercises)
    if unloadable is not None:
        yield from _unloadable(unloadable, style)
        return
    wrong = [e for e in exercises if e["status"] in WRONG]
    for exercise in wrong[:MOST_DETAILS]:
        yield ""
        yield from details(exercise, style)
    if wrong[MOST_DETAILS:]:
        yield ""
        names = ", ".join(e["id"] for e in wrong[MOST_DETAILS:])
        yield from style.wrap(f"To be read one by one with `grader check`: {names}.")
    yield from _blocked(exercises, style)


def _overview(exercises: list[Any], style: Style) -> Iterator[str]:
    """Per section and status, one line: nobody wants to scroll past fifty rows."""
    for section in dict.fromkeys(e["section"] for e in exercises):
        label = section
        for status in ORDER:
            titles = [
                e["title"] for e in exercises if e["section"] == section and e["status"] == status
            ]
            if titles:
                mark, word, colour = WORDS[status]
                head = f"  {label:<5} {mark} {word:<13} "
                text = "\n".join(style.wrap(", ".join(titles), " " * len(head), head))
                yield text.replace(f"{mark} {word}", style.paint(colour, f"{mark} {word}"), 1)
                label = ""


def same_message(exercises: list[Any]) -> dict[str, Any] | None:
    """The first check, where all of them say the same: the package could not be imported."""
    checks = [c for e in exercises for c in e["checks"]]
    same = checks and all(c["message"] == checks[0]["message"] for c in checks)
    return checks[0] if same and len(checks) > 1 and checks[0]["status"] in WRONG else None


def _unloadable(check: dict[str, Any], style: Style) -> Iterator[str]:
    yield ""
    yield style.paint("red", f"✗ Your package cannot be imported: {WORDS[check['status']][1]}.")
    where = f" (babygrad/{check['location'].replace(':', ', line ')})" if check["location"] else ""
    yield from style.wrap(f"{check['message'].rstrip('.')}{where}.", "  ", "  ")
    yield "  Mend this first; then every exercise is judged again."


def details(exercise: dict[str, Any], style: Style) -> Iterator[str]:
    """The sentence, the smallest failing call, the known mistake, the line, how to go on."""
    checks = [c for c in exercise["checks"] if c["status"] in WRONG]
    check = checks[0]
    mark, word, colour = WORDS[exercise["status"]]
    marks = f"{points(exercise['score'])} of {points(exercise['max_score'])} points"
    yield style.paint(colour, f"{mark} {exercise['id']} {word}") + f"  ({marks})"
    yield from style.wrap(check["title"], "  ", "  ")
    message, _, notes = check["message"].partition("\n\n")
    yield ""
    yield from _lines(message, style)
    yield from _sides(check, style)
    if notes:
        yield ""
        yield from _lines(notes, style)
    yield from _also(checks[1:], style)
    yield ""
    if check["mistake"] is not None:
        yield from style.wrap(check["mistake"]["says"], "    ", "  → ")
    if check["location"] is not None:
        file, _, line = check["location"].rpartition(":")
        yield f"  In babygrad/{file}, line {line}."
    yield f"  Go on with `grader hint {exercise['id']}`"
    yield f"  or see it alone: `grader repro {exercise['id']}`."


def _also(checks: list[Any], style: Style) -> Iterator[str]:
    """The other checks that are wrong, as sentences; beyond some, their number."""
    if checks:
        yield ""
    for check in checks[:MOST_ALSO]:
        head = f"  also {WORDS[check['status']][1]}: "
        yield from style.wrap(check["title"], "    ", head)
    if checks[MOST_ALSO:]:
        yield f"  and {len(checks) - MOST_ALSO} more."


def _lines(text: str, style: Style) -> Iterator[str]:
    """Lines as they stand, and in several where they are too long."""
    for line in text.splitlines():
        if not line or len(line) + 6 <= style.width:
            yield f"      {line}".rstrip()
        else:
            yield from style.wrap(line, "        ", "      ")


def _sides(check: dict[str, Any], style: Style) -> Iterator[str]:
    """Yours beside what the oracles say; the reference only where no oracle speaks."""
    sides = {"yours": check["yours"], **check["expected"]}
    if sides["yours"] is None:
        return
    if sides["finite_difference"] is not None or sides["pytorch"] is not None:
        sides["reference"] = None
    yield ""
    for key, label in SIDES:
        if sides[key] is not None:
            text = f"      {label:<18} {numbers(sides[key])}"
            yield style.paint("red" if key == "yours" else "green", text)


def _blocked(exercises: list[Any], style: Style) -> Iterator[str]:
    waiting: dict[str, list[str]] = {}
    for exercise in exercises:
        if exercise["status"] == BLOCKED:
            names = " and ".join(exercise["blocked_by"]) or "another exercise"
            waiting.setdefault(names, []).append(exercise["title"])
    if waiting:
        yield ""
    for names, titles in waiting.items():
        yield from style.wrap(f"blocked by {names}: {', '.join(titles)}", "    ", "◦ ")


def _printed(printed: str, style: Style) -> Iterator[str]:
    if printed.strip():
        yield ""
        yield style.paint("dim", "Your code printed:")
        lines = printed.splitlines()
        for line in lines[:20]:
            yield style.paint("dim", f"  | {line[: style.width - 4]}")
        if lines[20:]:
            yield style.paint("dim", f"  | … and {len(lines) - 20} more lines")


def _foot(result: dict[str, Any], style: Style) -> Iterator[str]:
    torch = result["oracles"]["torch"]
    version = _pytorch(torch) if torch["version"] else "no PyTorch"
    package = result["package"]
    exercises = [e for chapter in result["chapters"] for e in chapter["exercises"]]
    yield ""
    yield style.paint("dim", f"judged {package['path']} ({package['sha256'][:12]})")
    yield style.paint(
        "dim",
        f"against finite differences and {version}; {_isolation(result['isolation'])}",
    )
    yield _next_step(exercises, result)


def _pytorch(torch: dict[str, Any]) -> str:
    release, _, _ = torch["version"].partition("+")  # without the name of its build
    return f"PyTorch {release} ({'live' if torch['live'] else 'recorded'})"


def _isolation(isolation: dict[str, Any]) -> str:
    reduced = " (reduced isolation: see SECURITY.md)" if isolation["missing"] else ""
    return f"isolation: {isolation['level']}{reduced}"


def _next_step(exercises: list[Any], result: dict[str, Any]) -> str:
    """One sentence: what to do now."""
    if same_message(exercises) is not None:
        return "Next: make `import babygrad` work."
    marks = f"{points(result['score'])} of {points(result['max_score'])} points."
    wrong = [e for e in exercises if e["status"] in WRONG]
    if wrong:
        return f"{marks} Next: mend {wrong[0]['id']}."
    pending = [e for e in exercises if e["status"] == PENDING]
    if pending:
        first = pending[0]
        return f"{marks} Next: write {first['title']} (section {first['section']})."
    if any(e["status"] == BLOCKED for e in exercises):
        return f"{marks} Next: what the blocked ones wait for."
    return f"{marks} All of it is right."
