"""Checks of what leaves a value as it is, and of what brings one back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.course import Check, rng_for

from .answers import (
    Given,
    described,
    lines,
    moved,
    probe,
    program,
    renumbered,
)

IDENTITY, UNDONE = "chapter15.identity", "chapter15.undone"


@dataclass(frozen=True)
class Seen:
    """Rows of a program, and for each of those that are looked at the name that comes back."""

    exercise: str
    name: str
    given: Given
    answers: dict[str, str | None]
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False


def scaled(op: str, *scalars: float) -> Given:
    """The op with each of these scalars, of one input."""
    return program("3", [(op, "x0", {"scalar": each}) for each in scalars], "x0")


def same(*answers: str | None) -> dict[str, str | None]:
    return {f"v{number}": answer for number, answer in enumerate(answers)}


SEEN = (
    Seen(
        IDENTITY,
        "ones",
        program(
            "2",
            [
                ("MulScalar", "x0", {"scalar": 1.0}),
                ("DivScalar", "x0", {"scalar": 1}),
                ("PowerScalar", "x0", {"scalar": 1.0}),
            ],
            "x0",
        ),
        same("x0", "x0", "x0"),
        "`x * 1`, `x / 1` and `x ** 1` with a scalar",
        "identity sees x * 1, x / 1 and x ** 1.",
        2,
    ),
    Seen(
        IDENTITY,
        "others",
        scaled("MulScalar", 0.0, -1.0, 2.0, 1.0 + 2**-52),
        same(*[None] * 4),
        "`x * 1`, `x / 1` and `x ** 1` with a scalar",
        "No other factor leaves x as it is.",
    ),
    Seen(
        IDENTITY,
        "zeros",
        scaled("AddScalar", -0.0, 1.0, -1.0),
        same("x0", None, None),
        "`x + (-0.0)` with a scalar",
        "identity sees x + (-0.0).",
    ),
    Seen(
        IDENTITY,
        "plus-zero",
        scaled("AddScalar", 0.0, 0),
        same(None, None),
        "Not `x + 0.0`: it makes 0.0 of -0.0",
        "x + 0.0 is no identity.",
    ),
    Seen(
        IDENTITY,
        "nothing-left",
        program(
            "2 2",
            [
                ("Sub", "x0 x0"),
                ("MulScalar", "x0", {"scalar": 0.0}),
                ("Div", "x0 x0"),
                ("Mul", "x0 x1"),
                ("Abs", "x0"),
            ],
            "x0",
        ),
        same(*[None] * 5),
        "leaves as it is, to the last bit; else None",
        "What changes some values is no identity.",
        0.5,
    ),
    Seen(
        IDENTITY,
        "shapes",
        program(
            "2,3",
            [
                ("Reshape", "x0", {"shape": (2, 3)}),
                ("Reshape", "x0", {"shape": (3, 2)}),
                ("BroadcastTo", "x0", {"shape": (2, 3)}),
                ("BroadcastTo", "x0", {"shape": (5, 2, 3)}),
            ],
            "x0",
        ),
        same("x0", None, "x0", None),
        "to the shape that it has already",
        "identity sees a Reshape or BroadcastTo to the same shape.",
    ),
    Seen(
        IDENTITY,
        "minus-one",
        program("2,3", [("Reshape", "x0", {"shape": (2, -1)})], "x0"),
        same("x0"),
        "to the shape that it has already",
        "What counts is the shape that comes out, not what the attribute says.",
        0.5,
    ),
    Seen(
        IDENTITY,
        "axes",
        program(
            "2,2",
            [
                ("Transpose", "x0", {"axes": (0, 1)}),
                ("Transpose", "x0", {"axes": (1, 0)}),
                ("Transpose", "x0", {"axes": None}),
                ("Transpose", "x0", {"axes": (-1, 0)}),
            ],
            "x0",
        ),
        same("x0", None, None, None),
        "`Transpose` with `axes` that leave every axis in its place",
        "identity looks at the axes, not at the shape.",
    ),
    Seen(
        IDENTITY,
        "axes-from-the-end",
        program(
            "2,2",
            [
                ("Transpose", "x0", {"axes": (-2, -1)}),
                ("Transpose", "x0", {"axes": (0, -1)}),
                ("Transpose", "x0", {"axes": (-1, -2)}),
                ("Transpose", "x0", {"axes": (1, -2)}),
            ],
            "x0",
        ),
        same("x0", "x0", None, None),
        "that leave every axis in its place, counted from the end too",
        "identity knows axes that count from the end.",
        0.5,
    ),
    Seen(
        IDENTITY,
        "dtype",
        (
            [((2,), "float32")],
            [
                ("MulScalar", "x0", {"scalar": np.array(1.0)}),
                ("MulScalar", "x0", {"scalar": np.array(1.0, "float32")}),
            ],
            "x0",
            0,
        ),
        same(None, "x0"),
        "if shape and dtype are those of the input, too",
        "What changes the dtype is no identity.",
        0.5,
    ),
    Seen(
        IDENTITY,
        "more",
        program(
            "2,2 2",
            [
                ("Exp", "x0"),
                ("DivScalar", "v0", {"scalar": 1.0}),
                ("Transpose", "v1", {"axes": (1, 0)}),
                ("Add", "v0 x1"),
                ("PowerScalar", "v3", {"scalar": 2}),
                ("DivScalar", "v0", {"scalar": 2}),
                ("Reshape", "x1", {"shape": (2, 1)}),
                ("ReLU", "x0"),
            ],
            "v2",
        ),
        same(None, "v0", None, None, None, None, None, None),
        "These leave every value as it is",
        "identity is right for other programs too.",
        1,
        True,
    ),
    Seen(
        UNDONE,
        "negate",
        program("2", [("Negate", "x0"), ("Negate", "v0"), ("Negate", "v1")], "v2"),
        same(None, "x0", "v0"),
        "`Negate` of a `Negate`",
        "undone sees --x.",
        2,
    ),
    Seen(
        UNDONE,
        "swapped",
        program(
            "2,3",
            [
                ("Transpose", "x0", {"axes": None}),
                ("Transpose", "v0", {"axes": None}),
                ("Transpose", "v0", {"axes": (1, 0)}),
            ],
            "v1",
        ),
        same(None, "x0", "x0"),
        "`axes=None` swaps the last two",
        "undone sees a Transpose of a Transpose.",
    ),
    Seen(
        UNDONE,
        "axes",
        program(
            "2,2,2",
            [
                ("Transpose", "x0", {"axes": (1, 2, 0)}),
                ("Transpose", "v0", {"axes": (1, 2, 0)}),
                ("Transpose", "v0", {"axes": (2, 0, 1)}),
                ("Transpose", "v0", {"axes": None}),
                ("Transpose", "v0", {"axes": (-1, 0, 1)}),
            ],
            "v1",
        ),
        same(None, None, "x0", None, "x0"),
        "`Transpose` of a `Transpose`, if each axis is back in its place",
        "It looks where every axis ends up, not at shapes.",
    ),
    Seen(
        UNDONE,
        "reshape",
        program(
            "2,3",
            [
                ("Reshape", "x0", {"shape": (6,)}),
                ("Reshape", "v0", {"shape": (2, 3)}),
                ("Reshape", "v0", {"shape": (3, 2)}),
                ("Reshape", "v0", {"shape": (2, -1)}),
            ],
            "v1",
        ),
        same(None, "x0", None, "x0"),
        "`Reshape` of a `Reshape`, if the shape is the first one again",
        "undone sees a Reshape back to the first shape.",
    ),
    Seen(
        UNDONE,
        "apart",
        program(
            "2,2",
            [
                ("Negate", "x0"),
                ("Exp", "v0"),
                ("Negate", "v1"),
                ("Transpose", "v2", {"axes": None}),
                ("Negate", "v3"),
                ("Reshape", "v3", {"shape": (2, 2)}),
                ("Flip", "v3", {"axes": 0}),
                ("Flip", "v6", {"axes": 1}),
            ],
            "v4",
        ),
        same(*[None] * 8),
        "undoes what the instruction before it did",
        "Only the instruction right before counts.",
    ),
    Seen(
        UNDONE,
        "rounded",
        program("2", [("Exp", "x0"), ("Log", "v0"), ("Exp", "v1"), ("Exp", "v2")], "v2"),
        same(None, None, None, None),
        "Not `Log` of an `Exp`",
        "Log of Exp is not undone.",
        0.5,
    ),
    Seen(
        UNDONE,
        "more",
        program(
            "5,2,3 2,2",
            [
                ("Transpose", "x0", {"axes": (0, 2, 1)}),
                ("Transpose", "v0", {"axes": None}),
                ("Reshape", "v0", {"shape": (5, 6)}),
                ("Reshape", "v2", {"shape": (5, 3, 2)}),
                ("Negate", "v3"),
                ("Negate", "v4"),
                ("Add", "x1 x1"),
            ],
            "v5",
        ),
        same(None, "x0", None, "v0", None, "v3", None),
        "brings back; else None",
        "undone is right for other programs too.",
        1,
        True,
    ),
)


def checks(seed: str) -> Iterator[Check]:
    p, q = rng_for(seed, IDENTITY).sample(range(7, 40), 2)
    for row in SEEN:
        does = row.exercise.partition(".")[2]
        given = moved(row.given, seed, {2: p, 3: q, 6: p * q})
        told = {line.partition(" ")[0]: line for line in described(given)}
        names = [renumbered(name, given[3]) for name in row.answers]
        found = [renumbered(str(each), given[3]) for each in row.answers.values()]
        answer = [f"{told[name]} is {each}" for name, each in zip(names, found, strict=True)]
        one = probe(
            "compilations.seen", (does, given, " ".join(names)), f"{does}(instruction, made)",
            lambda answer=answer, given=given: {
                "value": lines(*answer), "untouched": lines(*described(given)),
            },
        )  # fmt: skip
        yield Check(
            row.exercise, row.name, (one,), row.taught, says=row.says, weight=row.weight,
            hidden=row.hidden, compare="text",
        )  # fmt: skip
