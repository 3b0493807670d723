"""Checks of which memory is used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course import SMALL, Check, Probe, rng_for

from .answers import (
    Given,
    called,
    described,
    lines,
    moved,
    probe,
    program,
    renumbered,
    stays,
)
from .drawn import OTHER, outputs_of, program_for
from .plain import Plain

BUFFERS = "chapter15.assign_buffers"
AXIS = {"axes": 0}


@dataclass(frozen=True)
class Shared:
    name: str
    given: Given
    numbers: tuple[str, ...]
    formula: Callable[..., list[Any]]
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False
    arrays: tuple[np.ndarray, ...] = ()  # if they are no numbers that may be drawn

    @property
    def fewest(self) -> int:
        return len({each.partition(": ")[2] for each in self.numbers})


SHARED = (
    Shared(
        "value",
        program(
            "3",
            [("Exp", "x0"), ("Tanh", "v0"), ("Negate", "v1"), ("Sqrt", "x0"), ("Add", "v2 v3")],
            "v4",
        ),
        ("v0: 0", "v1: 0", "v2: 0", "v3: 1"),
        lambda x: [-np.tanh(np.exp(x)) + np.sqrt(x)],
        "may write into the buffer of a value that it reads itself",
        "A chain is computed in one buffer.",
        2,
    ),
    Shared(
        "free",
        program(
            "2",
            [
                ("Exp", "x0"),
                ("Tanh", "v0"),
                ("Mul", "v0 v1"),
                ("Sqrt", "x0"),
                ("Div", "v3 v2"),
                ("Exp", "v4"),
            ],
            "v5",
        ),
        ("v0: 0", "v1: 1", "v2: 0", "v3: 1", "v4: 0"),
        lambda x: [np.exp(np.sqrt(x) / (np.exp(x) * np.tanh(np.exp(x))))],
        "A buffer becomes free with the last use of what is in it … used in every call",
        "A buffer is used again once nobody needs what is in it.",
    ),
    Shared(
        "outputs",
        program("2", [("Exp", "x0"), ("Tanh", "v0"), ("Exp", "v1")], "v0 v2"),
        ("v1: 0",),
        lambda x: [np.exp(x), np.exp(np.tanh(np.exp(x)))],
        "The buffer that each value is written into: name → the number of the buffer … its memory "
        "is not needed to the end",
        "An output gets no buffer: it is kept.",
    ),
    Shared(
        "viewed",
        program(
            "2,3",
            [
                ("Exp", "x0"),
                ("Tanh", "v0"),
                ("Transpose", "v1", {"axes": None}),
                ("Negate", "v0"),
            ],
            "v2 v3",
        ),
        ("v0: 0",),
        lambda x: [np.tanh(np.exp(x)).T, -np.exp(x)],
        "its memory is not needed to the end",
        "What an output looks into gets no buffer either.",
    ),
    Shared(
        "product",
        program(
            "2,2 2,2",
            [("Exp", "x0"), ("MatMul", "v0 x1"), ("MatMul", "v1 v1"), ("Tanh", "v2")],
            "v3",
        ),
        ("v0: 0", "v1: 1", "v2: 0"),
        lambda x, y: [np.tanh((np.exp(x) @ y) @ (np.exp(x) @ y))],
        "Any other instruction reads its inputs while it writes, and what it reads for the last "
        "time becomes free after it",
        "A matrix product does not write into what it reads.",
    ),
    Shared(
        "views",
        program(
            "3,3",
            [
                ("Exp", "x0"),
                ("Transpose", "v0", {"axes": None}),
                ("Sqrt", "x0"),
                ("Sub", "v1 v2"),
                ("Tanh", "v3"),
            ],
            "v4",
        ),
        ("v0: 0", "v2: 1", "v3: 1"),
        lambda x: [np.tanh(np.exp(x).T - np.sqrt(x))],
        "by name and not through a view",
        "What is read through a view is not overwritten.",
    ),
    Shared(
        "kinds",
        program(
            "2,3 3",
            [
                ("Exp", "x0"),
                ("Summation", "v0", AXIS),
                ("Mul", "v1 x1"),
                ("Sub", "x0 v2"),
                ("Tanh", "v3"),
            ],
            "v4",
        ),
        ("v0: 0", "v1: 1", "v2: 1", "v3: 0"),
        lambda x, y: [np.tanh(x - np.exp(x).sum(0) * y)],
        "that held a value of the same shape and dtype",
        "A buffer holds values of one shape and dtype.",
    ),
    Shared(
        "dtypes",
        (
            [((3,), "float32"), ((3,), "float64")],
            [("Negate", "x0", {}), ("Sub", "v0 x1", {}), ("Negate", "v1", {})],
            "v2",
            0,
        ),
        ("v0: 0", "v1: 1"),
        lambda x, y: [x + y],
        "that held a value of the same shape and dtype",
        "float32 and float64 are two dtypes.",
        0.5,
    ),
    Shared(
        "turned",
        program(
            "2,3",
            [
                ("Exp", "x0"),
                ("Summation", "v0", {"axes": None}),
                ("Transpose", "x0", {"axes": None}),
                ("Mul", "v2 v1"),
                ("Tanh", "v3"),
            ],
            "v4",
        ),
        ("v0: 0", "v1: 1", "v3: 2"),
        lambda x: [np.tanh(x.T * np.exp(x).sum())],
        "that held a value of the same shape and dtype",
        "(2, 3) and (3, 2) are two shapes.",
        0.5,
    ),
    Shared(
        "unused",
        program("2", [("Exp", "x0"), ("Tanh", "x0"), ("Negate", "v1")], "v2"),
        ("v0: 0", "v1: 0"),
        lambda x: [-np.tanh(x)],
        "Memory that nobody reads is needed by the instruction that makes it",
        "What nobody reads gives its buffer back at once.",
        0.5,
    ),
    Shared(
        "into",
        program("4", [("Exp", "x0"), ("Max", "v0", AXIS), ("Negate", "v1"), ("Tanh", "v2")], "v3"),
        ("v0: 0", "v2: 1"),
        lambda x: [np.tanh(-np.exp(x).max())],
        "A value gets a buffer if its op is in `INTO`",
        "What cannot write into an array gets no buffer.",
        0.5,
    ),
)


# Two products, so that two buffers are enough: 2 × 512 bytes, beside the output.
HEAVY = program(
    "8,8 8,8",
    [
        ("Exp", "x0"),
        ("Tanh", "v0"),
        ("MatMul", "v1 x1"),
        ("Negate", "v2"),
        ("MatMul", "v3 x1"),
        ("Tanh", "v4"),
        ("Sub", "v5 x0"),
    ],
    "v6",
)


# What is asked of each program: part, how it is compared, and what is said beyond the row's own
# sentence.
ASKED = (
    ("", "count", "close", "{}."),
    ("-right", "right", "close", "The values stay right."),
    ("-who", "who", "text", "These values have a buffer."),
)

# Rows that show what must not be: no buffer of two kinds, none for an output.
NONE = {
    "outputs": "outputs", "kinds": "kinds", "dtypes": "kinds", "turned": "kinds", "into": "into",
}  # fmt: skip


def sixteenths(rng: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Positive numbers that float32 holds, too."""
    return np.round(np.abs(SMALL.draw(rng, shape)) * 16) / 16


def drawn_row(seed: str) -> Shared:
    drawn = program_for(seed, BUFFERS)
    plain, outputs = Plain(drawn.given), outputs_of(drawn)
    fewest = plain.fewest_buffers()
    numbers = (f"{name}: {at % fewest}" for at, name in enumerate(plain.buffered()))
    return Shared(
        "more", drawn.given, tuple(numbers), lambda *_: outputs,
        "with the next number from 0 on", OTHER.format("assign_buffers"), 1, True,
        tuple(drawn.arrays),
    )  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    for row in (*SHARED, drawn_row(seed)):
        rng = rng_for(seed, f"{BUFFERS}/{row.name}")
        arrays = [*row.arrays] or [
            sixteenths(rng, shape).astype(dtype) for shape, dtype in row.given[0]
        ]
        one = _buffered(row, moved(row.given, seed), arrays)
        enough = "1 is enough" if row.fewest == 1 else f"{row.fewest} are enough"
        for end, part, compare, more in ASKED:
            yield Check(
                BUFFERS, f"{row.name}{end}", (one,), row.taught, part=part, weight=row.weight / 2,
                hidden=row.hidden, says=f"{row.says} {more.format(enough)}", compare=compare,
            )  # fmt: skip
        if row.name in NONE:
            yield Check(
                BUFFERS, f"{row.name}-none", (one,), row.taught, part=NONE[row.name], weight=0.5,
                says=row.says, compare="text",
            )  # fmt: skip
        if row.name == "value":
            yield stays(BUFFERS, one)
    rng = rng_for(seed, f"{BUFFERS}/bytes")
    arrays = [SMALL.draw(rng, shape) for shape, _ in HEAVY[0]]
    built = Probe("plans.spent_in_a_call", (moved(HEAVY, seed), arrays), "build(program)(x0, x1)")
    yield Check(BUFFERS, "bytes", (built,), "A buffer becomes free with the last use of what is "
                "in it … used in every call", costs={"peak_bytes": "reference"})  # fmt: skip


def _buffered(row: Shared, given: Given, arrays: list[np.ndarray]) -> Probe:
    names = (renumbered(each.partition(":")[0], given[3]) for each in row.numbers)
    answer = {
        "count": [np.array(row.fewest)],
        "right": [np.asarray(each) for each in row.formula(*arrays)],
        "who": lines(*names),
        "kinds": lines(),
        "outputs": lines(),
        "into": lines(),
        "untouched": lines(*described(given)),
    }
    args = given, arrays, row.fewest
    call = called("assign_buffers(program)", given)
    return probe("plans.buffered", args, call, lambda: answer)
