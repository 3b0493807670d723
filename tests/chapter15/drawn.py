"""The hidden programs of this chapter: drawn by the seed, and what is right of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import rng_for
from tests.drawing import EXACT, OPS, Drawn, Given, draw_program, values_of

from .answers import Row, described
from .plain import Plain

DEAD, FOLD, COMMON = (
    f"chapter15.{name}" for name in ("dead_code", "fold_constants", "common_subexpressions")
)
OTHER = "{} is right for other programs too."


def program_for(seed: str, exercise: str) -> Drawn:
    """A program that tells wrong code of an exercise apart: what is read twice counts there."""
    rng = rng_for(seed, f"{exercise}/drawn")
    if exercise == FOLD:
        return draw_program(rng, 9, folds_twice, EXACT, constants=2)
    if exercise.startswith("chapter15.record"):
        return draw_program(rng, 7, has_every_attribute, WITH_ATTRIBUTES)
    constants = 2 * (exercise == DEAD)
    return draw_program(rng, 8, UNTIL.get(exercise, returns_twice), constants=constants)


def outputs_of(drawn: Drawn) -> list[np.ndarray]:
    values = values_of(drawn.given, drawn.arrays)
    return [values[name] for name in drawn.given[2].split()]


def returns_twice(given: Given) -> bool:
    """Whether one value is returned twice, and an attribute is None."""
    outputs = given[2].split()
    return len({*outputs}) < len(outputs) and any(v is None for v in attributes(given))


def leaves_some(given: Given) -> bool:
    """Whether a constant is not needed, nor what something else that is not needed reads."""
    plain = Plain(given)
    needed = plain.needed()
    idle = [name for name in plain.made if name not in needed]
    read = {n for name in idle for n in plain.read_by(name)}
    return not {"v0", "v1"} <= {*needed} and bool(read & {*idle}) and len(needed) > 2


def attributes(given: Given) -> list[Any]:
    return [value for _, _, attrs in given[1] for value in attrs.values()]


def has_every_attribute(given: Given) -> bool:
    """Whether there is one that is None, one that is 0, and a tuple."""
    found = attributes(given)
    return all(any(type(v) is kind for v in found) for kind in (type(None), tuple)) and 0 in [
        v for v in found if type(v) is int
    ]


def reads_twice(plain: Plain, name: str) -> bool:
    read = plain.read_by(name)
    return len(set(read)) < len(read)


def repeats_twice(given: Given) -> bool:
    """Whether a row that reads a value twice stands there twice."""
    plain = Plain(given)
    return any(reads_twice(plain, n) and first != n for n, first in plain.firsts().items())


def folds_twice(given: Given) -> bool:
    """Whether a known value is read twice by a row, and an attribute of another one is None."""
    plain = Plain(given)
    known = [name for name in plain.made if plain.is_known(name) and plain.read_by(name)]
    has_none = any(None in plain.made[name][2].values() for name in known)
    return (
        has_none
        and len(known) < len(plain.rows) - 2
        and any(reads_twice(plain, name) for name in known)
    )


def hands_over_once(given: Given) -> bool:
    """Whether a buffer that is read twice, for the last time, is wanted again before it is free."""
    plain = Plain(given)
    has_buffer = set(plain.buffered())
    for at, name in enumerate(plain.made):
        freed = {n for n in plain.read_by(name) if n in has_buffer and plain.in_place(n, at)}
        if name not in has_buffer or not reads_twice(plain, name) or not freed:
            continue
        wanting = (later for later in has_buffer if at < plain.place[later] < plain.last_use(name))
        if any(plain.kind(later) == plain.kind(name) for later in wanting):
            return True
    return False


def looks_into(given: Given) -> bool:
    """Whether a view is read after the value that it looks into, and one value is never read."""
    plain = Plain(given)
    read = [name for row in plain.rows for name in row[1].split()]
    views = [name for name in plain.made if plain.memory(name) != name and name in read]
    return bool(views) and any(name not in read for name in plain.made)


UNTIL = {
    DEAD: leaves_some, COMMON: repeats_twice, "chapter15.assign_buffers": hands_over_once,
    "chapter15.last_uses": looks_into,
}  # fmt: skip
WITH_ATTRIBUTES = ("Add", *(name for name, op in OPS.items() if op.attrs is not OPS["Add"].attrs))


def rows(seed: str) -> Iterator[Row]:
    """A row for each pass, with the lines that are right."""
    for exercise, lines_of, taught in (
        (DEAD, needed_lines, "What stays keeps its name and its order"),
        (FOLD, folded_lines, "Then that value is known, too"),
        (COMMON, merged_lines, "The first of them stays"),
    ):
        drawn = program_for(seed, exercise)
        outputs = outputs_of(drawn)
        yield Row(
            exercise, "more", drawn.given, tuple(lines_of(drawn.given)),
            lambda *_, outputs=outputs: outputs, taught,
            OTHER.format(exercise.partition(".")[2]), 1, True,
        )  # fmt: skip


def needed_lines(given: Given) -> Iterator[str]:
    needed = Plain(given).needed()
    for line in described(given):
        if not line.startswith("v") or line.partition(" ")[0] in needed:
            yield line


def folded_lines(given: Given) -> Iterator[str]:
    plain = Plain(given)
    for line in described(given):
        name = line.partition(" ")[0]
        if plain.is_known(name):
            value = plain.values[name]
            line = f"{name} = constant(value={value.tolist()}) {value.dtype}{list(value.shape)}"
        yield line


def merged_lines(given: Given) -> Iterator[str]:
    first = Plain(given).firsts()
    for line in described(given):
        name = line.partition(" ")[0]
        if first.get(name, name) == name:
            yield re.sub(r"\b[vx]\d+\b", lambda found: first.get(found[0], found[0]), line)
