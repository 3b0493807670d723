"""Programs as they are sent, probes of them, and answers in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course import Check, Parts, Probe, rng_for
from tests.drawing import FORMULAS, Given
from tests.programs.harness import itemised

UNCHANGED = "No pass changes a program: it makes a new one"


def program(
    inputs: str, rows: list[tuple[str, str] | tuple[str, str, dict[str, Any]]], outputs: str
) -> Given:
    """A program as it is sent: ``program("2,3 2,3", [("Add", "x0 x1")], "v0")``."""
    shapes = [tuple(int(n) for n in each.split(",") if n) for each in inputs.split()]
    full = [(row[0], row[1], dict(row[2]) if len(row) == 3 else {}) for row in rows]
    return [(shape, "float64") for shape in shapes], full, outputs, 0


def renumbered(text: str, first: int) -> str:
    """Names that count from ``first`` on: ``v0`` becomes ``v41``."""
    return re.sub(r"\bv(\d+)\b", lambda found: f"v{first + int(found[1])}", text)


def moved(
    given: Given, seed: str, sizes: Mapping[int, int] | None = None, longer: bool = False
) -> Given:
    """The same program under names that are drawn, and for other sizes.

    They have the form of a Tracer's: a pass may read the number in them. Names are of one length;
    or, ``longer``, of two: as texts they are in another order then.
    """
    inputs, rows, outputs, _ = given
    rng = rng_for(seed, "chapter15")
    first = 100 - rng.randrange(1, 4) if longer else rng.randrange(20, 80)
    if sizes is not None:
        inputs = [(resized(shape, sizes), dtype) for shape, dtype in inputs]
        rows = [
            (op, names, {k: resized(v, sizes) if k == "shape" else v for k, v in attrs.items()})
            for op, names, attrs in rows
        ]
    rows = [(op, renumbered(names, first), attrs) for op, names, attrs in rows]
    return inputs, rows, renumbered(outputs, first), first


def resized(shape: tuple[int, ...], sizes: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(sizes.get(size, size) for size in shape)


def described(given: Given) -> list[str]:
    """The lines of a program as it is sent."""
    inputs, rows, outputs, first = given
    known: dict[str, np.ndarray] = {}
    found = []
    for number, (shape, dtype) in enumerate(inputs):
        known[f"x{number}"] = np.ones(shape, dtype)
        found.append(f"x{number} = input() {dtype}{list(shape)}")
    for number, (op, names, attrs) in enumerate(rows, first):
        with np.errstate(all="ignore"):
            value = FORMULAS[op](*(known[name] for name in names.split()), **attrs)
        known[f"v{number}"] = value = np.asarray(value)
        told = [
            f"{k}={v.tolist() if isinstance(v, np.ndarray) else repr(v)}" for k, v in attrs.items()
        ]
        inside = ", ".join([*names.split(), *told])
        found.append(f"v{number} = {op}({inside}) {value.dtype}{list(value.shape)}")
    return [*found, f"return {', '.join(outputs.split())}"]


def called(call: str, given: Given) -> str:
    """A call, and below it the program that it is given."""
    return "\n".join([call, *(f"  {line}" for line in described(given))])


def lines(*answer: str) -> list[np.ndarray]:
    """An answer in words, item by item."""
    return [itemised(answer)]


def constant(value: Any) -> tuple[str, str, dict[str, Any]]:
    return ("constant", "", {"value": np.asarray(value, "float64")})


def probe(
    name: str, args: tuple[Any, ...], call: str, answer: Callable[[], Mapping[str, Any]]
) -> Probe:
    """A probe whose answer is written down, or computed by NumPy."""

    def numpy() -> Parts:
        return {part: list(value) for part, value in answer().items()}

    return Probe(name, args, call, oracles={"numpy": numpy})


@dataclass(frozen=True)
class Said:
    """One check of a table: the probes that it looks at, by name, and what it says of them.

    Attributes:
        probes: names, with spaces between them.
    """

    name: str
    probes: str
    part: str
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False


def said(
    exercise: str, rows: Iterable[Said], probes: Mapping[str, Probe], compare: str = "close"
) -> Iterator[Check]:
    """The checks of a table; what is told in words is compared to the letter."""
    for row in rows:
        asked = tuple(probes[name] for name in row.probes.split())
        yield Check(
            exercise, row.name, asked, row.taught, part=row.part, says=row.says,
            weight=row.weight, hidden=row.hidden,
            compare="text" if in_words(asked[0], row.part) else compare,
        )  # fmt: skip


def in_words(one: Probe, part: str) -> bool:
    """Whether a part of an answer is a text, as `lines` makes them."""
    (answer,) = one.oracles.values()
    return answer()[part][0].dtype == np.uint8


def stays(exercise: str, one: Probe) -> Check:
    """The check that a function leaves its program as it was."""
    who = exercise.partition(".")[2]
    return Check(
        exercise, "untouched", (one,), UNCHANGED, part="untouched", weight=0.5,
        compare="text", says=f"{who} leaves the program as it was.",
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A program, what a pass makes of it, and what it computes."""

    exercise: str
    name: str
    given: Given
    lines: tuple[str, ...]
    formula: Callable[..., list[Any]]
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False

    @property
    def does(self) -> str:
        return self.exercise.partition(".")[2]
