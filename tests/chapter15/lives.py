"""Checks of what belongs together, and of how long memory is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.course import Check, rng_for

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
from .drawn import OTHER, program_for
from .plain import Plain

GROUPS, LIVES = "chapter15.groups", "chapter15.last_uses"


@dataclass(frozen=True)
class Told:
    """A program, and what is found out about it."""

    exercise: str
    name: str
    given: Given
    answer: tuple[str, ...]
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False


AT_THE_END = (
    "Memory in which an output lies is needed to the end, which is `len(program.instructions)`"
)
AXIS = {"axes": 0}
ROW = program(
    "2,3 2,3", [("Mul", "x0 x1"), ("Exp", "v0"), ("AddScalar", "v1", {"scalar": 1.0})], "v2"
)


TOLD = (
    Told(
        GROUPS,
        "value",
        ROW,
        ("v0 v1 v2",),
        "The element-by-element instructions, fused … made by an instruction of `ELEMENTWISE`",
        "A chain is one group.",
        2,
    ),
    Told(
        GROUPS,
        "tree",
        program("2 2", [("Exp", "x0"), ("Tanh", "x1"), ("Mul", "v0 v1"), ("Negate", "v2")], "v3"),
        ("v0 v1 v2 v3",),
        "takes into it the groups of those values that it reads … within a group in the order of "
        "the program",
        "Two chains that meet are one group.",
    ),
    Told(
        GROUPS,
        "twice",
        program("2", [("Exp", "x0"), ("Mul", "v0 v0")], "v1"),
        ("v0 v1",),
        "no other instruction reads it",
        "An instruction that reads a value twice is one reader.",
        0.5,
    ),
    Told(
        GROUPS,
        "shared",
        program("2", [("Exp", "x0"), ("Tanh", "v0"), ("Negate", "v0"), ("Add", "v1 v2")], "v3"),
        ("v0", "v1 v2 v3"),
        "that it reads and nobody else needs … only the last value of a group has to be stored",
        "A value that two instructions read is stored.",
    ),
    Told(
        GROUPS,
        "outputs",
        program("2", [("Exp", "x0"), ("Tanh", "v0")], "v1 v0"),
        ("v0", "v1"),
        "and it is no output",
        "An output is stored.",
    ),
    Told(
        GROUPS,
        "others",
        program(
            "2,3 3,2",
            [
                ("Exp", "x0"),
                ("MatMul", "v0 x1"),
                ("Tanh", "v1"),
                ("Negate", "v2"),
                ("Summation", "v3", AXIS),
            ],
            "v4",
        ),
        ("v0", "v2 v3"),
        "An instruction whose op is in `ELEMENTWISE` begins a group … Such a value is made by an "
        "instruction of `ELEMENTWISE`",
        "What is not computed value by value is in no group.",
    ),
    Told(
        GROUPS,
        "shapes",
        program("1,3 2,3", [("Exp", "x0"), ("Mul", "v0 x1"), ("Tanh", "v1")], "v2"),
        ("v0", "v1 v2"),
        "has the shape of what is made here",
        "A value that is repeated is computed before, by itself.",
    ),
    Told(
        GROUPS,
        "more",
        program(
            "2,2 2,2",
            [
                ("Sub", "x0 x1"),
                ("Exp", "x0"),
                ("Mul", "v0 v0"),
                ("Summation", "v2", AXIS),
                ("Tanh", "v1"),
                ("Div", "v4 v2"),
                ("Negate", "v3"),
                ("Exp", "v6"),
            ],
            "v5 v7",
        ),
        ("v0 v2", "v1 v4 v5", "v6 v7"),
        "in the order of their last instructions; within a group in the order of the program",
        "groups is right for other programs too.",
        1,
        True,
    ),
    Told(
        LIVES,
        "value",
        program("2 2", [("Mul", "x0 x1"), ("Exp", "v0"), ("Sub", "v1 x0")], "v2"),
        ("v0: 1", "v1: 2", "v2: 3", "x0: 2", "x1: 0"),
        "the number of the last instruction that reads it … Instructions are counted from 0",
        "last_uses finds who reads last.",
        2,
    ),
    Told(
        LIVES,
        "outputs",
        program("2", [("Exp", "x0"), ("Tanh", "v0")], "v0 v1 x0"),
        ("v0: 2", "v1: 2", "x0: 2"),
        AT_THE_END,
        "Outputs are needed to the end.",
    ),
    Told(
        LIVES,
        "unread",
        program("2 2", [("Exp", "x0"), ("Tanh", "x0")], "v1"),
        ("v0: 0", "v1: 2", "x0: 1", "x1: -1"),
        "Memory that nobody reads is needed by the instruction that makes it",
        "What nobody reads is needed when it is made.",
        0.5,
    ),
    Told(
        LIVES,
        "views",
        program(
            "2,3",
            [
                ("Exp", "x0"),
                ("Transpose", "v0", {"axes": None}),
                ("Tanh", "x0"),
                ("MatMul", "v2 v1"),
            ],
            "v3",
        ),
        ("v0: 3", "v2: 3", "v3: 4", "x0: 2"),
        "who reads a view reads the memory that it looks into",
        "Who reads a view keeps alive what it looks into.",
    ),
    Told(
        LIVES,
        "views-of-views",
        program(
            "2,3",
            [
                ("Exp", "x0"),
                ("Flip", "v0", AXIS),
                ("Transpose", "v1", {"axes": None}),
                ("Negate", "x0"),
            ],
            "v2 v3",
        ),
        ("v0: 4", "v3: 4", "x0: 3"),
        AT_THE_END,
        "A view of a view that is an output keeps the memory to the end.",
    ),
)


PROGRAMS = {GROUPS: "plans.grouped", LIVES: "plans.lives"}


def drawn_row(seed: str) -> Told:
    given = program_for(seed, LIVES).given
    return Told(
        LIVES, "more", given, tuple(Plain(given).lives()),
        "the number of the last instruction that reads it", OTHER.format("last_uses"), 1, True,
    )  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    sizes = dict(zip((2, 3), rng_for(seed, GROUPS).sample(range(2, 99), 2), strict=True))
    for row in (*TOLD, drawn_row(seed)):
        resized = None if row.exercise == LIVES and row.hidden else sizes
        given = moved(row.given, seed, resized, longer=row.exercise == GROUPS)
        one = probe(
            PROGRAMS[row.exercise], (given,),
            called(f"{row.exercise.partition('.')[2]}(program)", given),
            lambda row=row, given=given: {
                "value": lines(*(renumbered(each, given[3]) for each in row.answer)),
                "untouched": lines(*described(given)),
            },
        )  # fmt: skip
        yield Check(
            row.exercise, row.name, (one,), row.taught, says=row.says, weight=row.weight,
            hidden=row.hidden, compare="text",
        )  # fmt: skip
        if row.name == "value":
            yield stays(row.exercise, one)
