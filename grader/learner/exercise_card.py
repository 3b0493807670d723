"""Show an exercise as plain lines for a terminal: its name, its worth, its hints, and the box of
the prose that asks for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from .. import root
from ..course.outline import HIDDEN, chapter_of
from . import workspace
from .wording import Style, minutes, stars, state, worth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow


def card(exercise: ExerciseRow, status: str, style: Style) -> Iterator[str]:
    """Yield two lines: id and title; status, section, points, minutes and difficulty."""
    yield style.paint("bold", f"{exercise['id']}  {exercise['title']}")
    facts = [
        f"section {exercise['section']}", worth(exercise["points"]),
        minutes(exercise["minutes"]), stars(exercise["difficulty"]),
    ]  # fmt: skip
    yield f"  {state(status, style)} · {' · '.join(facts)}"


def box_lines(exercise: ExerciseRow, style: Style) -> Iterator[str]:
    """Yield the exercise's box in the prose, and where it stands; nothing if it is not found."""
    found = excerpt(chapter_of(exercise["id"]), exercise["anchor"])
    if found is None:
        return
    place = f"{found.file}, line {found.line}, under «{found.heading}»:"
    yield from (style.paint("dim", line) for line in style.wrap(place))
    yield from style.wrap(found.title, "  ", "  ")
    for text, may_wrap in paragraphs(found.lines, exercise["id"]):
        if text != FENCE:
            yield from style.wrap(text, "    ", "    ") if may_wrap else [f"    {text}"]
    yield ""


def next_hint(exercise: ExerciseRow, folder: str | None, style: Style) -> list[str]:
    """Return the lines of the next hint, and count it as seen; none for a given exercise."""
    hints, id = list_hints(exercise, folder), exercise["id"]
    due = workspace.next_hint(folder, id, len(hints)) if folder and hints else 0
    return list(_rung(id, hints, due, style)) if hints else []


def list_hints(exercise: ExerciseRow, folder: str | None) -> list[str]:
    """Return the hints of an exercise in a workspace, with the formula if that is hidden there."""
    is_hidden = folder is not None and workspace.read_terms(folder).formulas == HIDDEN
    formula = exercise.get("formula") if is_hidden else None
    return [*exercise["hints"], *filter(None, [formula])]


def _rung(id: str, hints: list[str], due: int, style: Style) -> Iterator[str]:
    """Yield hint number ``due``, from 0, and how to get the next one."""
    yield style.paint("bold", f"{id}, hint {due + 1} of {len(hints)}")
    yield from style.wrap(hints[due], "  ", "  ")
    if due + 1 < len(hints):
        yield f"  The next one: `grader hint {id}` again."
    else:
        last = f"That was the last one. Read the section again: `grader show {id}`."
        yield from style.wrap(last, "  ", "  ")


OPENING = re.compile(r"(:{3,})\{\w+\}\s*(.*)")
EXERCISE = re.compile(r"`chapter\d+\.[\w.]+`")
FENCE = "```"


class Excerpt(NamedTuple):
    """An exercise's box in a chapter: file, line (from 1), heading above it, title and lines."""

    file: str
    line: int
    heading: str
    title: str
    lines: list[str]


def excerpt(chapter: str, anchor: str) -> Excerpt | None:
    """Find an exercise's box by its label ``(anchor)=``; None if the chapter has none."""
    name = f"{chapter}.md"
    try:
        with open(root.path("chapters", name), encoding="utf-8") as file:
            text = file.read().splitlines()
    except OSError:
        return None
    label = f"({anchor})="
    if label not in text:
        return None
    start = text.index(label)
    heading = next((t.lstrip("# ") for t in text[start::-1] if re.match(r"#{2,3} ", t)), "")
    while text[start].startswith("(") and text[start].endswith(")="):
        start += 1
    opening = OPENING.match(text[start])
    if opening is None:
        return None
    marks = opening[1]
    end = next((n for n in range(start + 1, len(text)) if text[n].rstrip() == marks), len(text))
    return Excerpt(
        os.path.join("chapters", name), start + 1, heading, opening[2], text[start + 1 : end]
    )


def paragraphs(lines: list[str], id: str) -> Iterator[tuple[str, bool]]:
    """Yield (text, whether it may be wrapped); `FENCE` stands before and after code.

    Of a table of exercises only the row of ``id`` is kept.
    """
    block: list[str] = []
    code = False
    for line in [*lines, ""]:
        fence = line.startswith(FENCE)
        if block and (fence or not line.strip()) and not code:
            yield from _block(block, id)
            block = []
        if fence:
            code = not code
            yield FENCE, False
        elif code:
            yield f"    {line}", False
        elif line.strip():
            block.append(line)


def _block(block: list[str], id: str) -> Iterator[tuple[str, bool]]:
    if not block[0].startswith("|"):
        yield " ".join(block), True
    elif any(EXERCISE.match(_cells(row)[0]) for row in block[2:]):
        mine = [row for row in block[2:] if f"`{id}`" in row]
        for row in mine:
            pairs = zip(_cells(block[0])[1:], _cells(row)[1:], strict=False)
            yield from ((f"{head}: {cell}", True) for head, cell in pairs if cell)
    else:
        yield from ((row, False) for row in block)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
