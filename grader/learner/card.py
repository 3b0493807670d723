"""An exercise on a card: its name, what it is worth, and the box of the prose that asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from ..course.outline import chapter_of
from . import prose_box
from .phrases import minutes, stars, state, worth
from .style import Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow


def card(exercise: ExerciseRow, status: str, style: Style) -> Iterator[str]:
    """Name, worth and state in two lines."""
    yield style.paint("bold", f"{exercise['id']}  {exercise['title']}")
    facts = [
        f"section {exercise['section']}", worth(exercise["points"]),
        minutes(exercise["minutes"]), stars(exercise["difficulty"]),
    ]  # fmt: skip
    yield f"  {state(status, style)} · {' · '.join(facts)}"


def asked(exercise: ExerciseRow, style: Style) -> Iterator[str]:
    """The box of the prose."""
    found = prose_box.excerpt(chapter_of(exercise["id"]), exercise["anchor"])
    if found is None:
        return
    place = f"{found.file}, line {found.line}, under «{found.heading}»:"
    yield from (style.paint("dim", line) for line in style.wrap(place))
    yield from style.wrap(found.title, "  ", "  ")
    for text, may_wrap in prose_box.paragraphs(found.lines, exercise["id"]):
        yield from style.wrap(text, "    ", "    ") if may_wrap else [f"    {text}"]
    yield ""


def rung(exercise: ExerciseRow, due: int, style: Style) -> Iterator[str]:
    """The hint number ``due``, from 0, and how to get the one after it."""
    hints, id = exercise["hints"], exercise["id"]
    yield style.paint("bold", f"{id}, hint {due + 1} of {len(hints)}")
    yield from style.wrap(hints[due], "  ", "  ")
    if due + 1 < len(hints):
        yield f"  The next one: `grader hint {id}` again."
    else:
        last = f"That was the last one. Read the section again: `grader show {id}`."
        yield from style.wrap(last, "  ", "  ")
