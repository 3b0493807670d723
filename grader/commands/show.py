"""`grader show EXERCISE`: what is asked, where it is written, what it is worth, what it needs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import Any

from ..course import target as definition
from ..course.key_file import Key
from ..learner import choice
from ..learner.card import asked, card
from ..learner.phrases import state
from ..learner.scope import given
from ..learner.style import Style
from ..verdict import GIVEN, PASSED, PENDING
from .options import EXERCISE, PACKAGE, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import ExerciseRow

SAYS = "what an exercise asks, and what it needs"
OPTIONS: Options = (EXERCISE, PACKAGE)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print everything about one exercise."""
    folder = choice.folder_or_none(options.package)
    key = choice.key_for(folder)
    kept = choice.kept(folder)
    id = choice.one(key, options.name, kept)
    progress = kept or {}
    style = Style.of(sys.stdout)
    exercise = choice.exercise(key, id)
    status = GIVEN if id in (given(key, folder) if folder else ()) else progress.get(id, PENDING)
    lines = [*card(exercise, status, style), "", *asked(exercise, style)]
    if folder is not None:
        lines += written(exercise, folder, style)
        lines += needs(key, exercise, folder, progress, style)
    lines += [f"In your browser: `grader book {id}`.", _next(exercise, status)]
    print("\n".join(lines))
    return 0


def written(exercise: ExerciseRow, folder: str, style: Style) -> Iterator[str]:
    """Signature and docstring of every target, as they stand in the learner's file."""
    for target in exercise["targets"]:
        path = definition.file_of(folder, target)
        name = os.path.relpath(path, os.path.dirname(folder))
        try:
            with open(path, encoding="utf-8-sig") as file:
                text = file.read()
            place = definition.find(text, definition.inside(folder, target))
        except (OSError, ValueError, SyntaxError) as error:
            yield f"{name} cannot be read: {getattr(error, 'msg', None) or error}."
        else:
            if place is None:
                yield f"{name} has no {definition.inside(folder, target)} yet."
            else:
                yield style.paint("dim", f"{name}, line {place.top}:")
                yield from (f"    {line}".rstrip() for line in definition.head(text, place))
        yield ""


def needs(
    key: Key, exercise: ExerciseRow, folder: str, progress: dict[str, str], style: Style
) -> Iterator[str]:
    """What it needs, and how far that is."""
    early = given(key, folder)
    if not exercise["needs"]:
        return
    yield style.paint("dim", "It needs:")
    for id in exercise["needs"]:
        status = GIVEN if id in early else progress.get(id, PENDING)
        yield f"  {state(status, style, 9)} {id}"
    yield ""


def _next(exercise: ExerciseRow, status: str) -> str:
    if status == GIVEN:
        return "Next: nothing to write here; read it."
    if status == PASSED:
        return "Next: it is passed; `grader status` says how to go on."
    return f"Next: write it, then `grader check {exercise['id']}`."
