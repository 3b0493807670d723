"""Checks of a judge: right ops are accepted, mutants of each kind are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from grader.course import POSITIVE, SMALL, Check, Domain, Probe, rng_for
from tests.programs.harness import itemised, text

RULE, EVERYWHERE = "chapter12.check_rule", "chapter12.check_everywhere"
SHAPE = (2, 3)
# op, its arguments, the shapes of its inputs
OPS: tuple[tuple[str, tuple[Any, ...], tuple[tuple[int, ...], ...], Domain], ...] = (
    ("Mul", (), (SHAPE, SHAPE), POSITIVE),
    ("Div", (), (SHAPE, SHAPE), POSITIVE),
    ("Sub", (), (SHAPE, SHAPE), POSITIVE),
    ("MatMul", (), ((2, 3), (3, 2)), POSITIVE),
    ("Tanh", (), (SHAPE,), SMALL),
    ("Summation", (1,), (SHAPE,), SMALL),
    ("Transpose", (), (SHAPE,), SMALL),
)
RETURNS = "Return if the rule of `op` is right at `arrays`; raise `WrongRule` if it is not"
ACCEPTED = f"{RETURNS} … one Tensor per input or a bare Tensor for one input"
# kind → the sentence, its weight
KINDS = {
    "sign": ("a wrong sign", 1), "doubled": ("a factor of two", 1),
    "slightly": ("a factor of 1.005", 1), "operands": ("two gradients that are swapped", 1),
    "turned": ("a gradient that is the wrong way round", 1),
    "one_element": ("a single wrong element", 1), "lost_sum": ("a mean for a sum", 1),
    "forgotten_cotangent": ("a cotangent that is forgotten", 2),
    "not_a_number": ("a nan", 1), "another_shape": ("an axis too many", 1),
    "barely": ("a factor of 1.00003 in float64", 0.5),
    "minus_element": ("a single element that is too small", 0.5),
    "infinite": ("an infinity", 0.5), "all_nan": ("a gradient of nothing but nan", 0.5),
}  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    yield from _accepted(seed)
    yield from _found(seed)
    yield from _rest(seed)
    yield from _everywhere(seed)


def drawn(rng: Random, dtype: str = "float64", scale: float = 1.0) -> list[Any]:
    """A row per op: its name, arguments, arrays."""
    return [
        (op, attrs, [(scale * domain.draw(rng, s)).astype(dtype) for s in shapes])
        for op, attrs, shapes, domain in OPS
    ]


def number(seed: str, name: str) -> int:
    return rng_for(seed, f"{RULE}/{name}/seed").randrange(1 << 30)


def answer(findings: list[str]) -> Any:
    return {"numpy": lambda: {"value": [itemised(findings)]}}


def verdicts(rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """Return the right verdict on each rule: op, arguments, arrays, index of a wrong gradient."""
    return [
        f"a right {op} is accepted" if which is None
        else f"{op} with a wrong gradient {which} is refused"
        for op, _, _, which in rows
    ]  # fmt: skip


def _accepted(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, f"{RULE}/accepts")
    smooth = [row for row in drawn(rng, scale=1000.0) if row[0] != "Tanh"]
    ones = [(op, attrs, [np.array(a[:1, :1]) for a in arrays]) for op, attrs, arrays in drawn(rng)]
    rows = (
        ("accepts", drawn(rng), "", 2),
        ("accepts-float32", drawn(rng, "float32"), " in float32", 1),
        ("accepts-large", smooth, " at large values", 1),
        ("accepts-ones", ones, " at arrays with a single number", 1),
    )
    for name, ops, where, weight in rows:
        # With a wrong one among them: who accepts whatever comes is no judge.
        asked = [*((*op, None) for op in ops), (*rng.choice(ops[:3]), 0)]
        rng.shuffle(asked)
        probe = Probe(
            "checkers.finds", ("sign", asked, number(seed, name)),
            "check_rule of right ops, and of one with a wrong sign",
            oracles=answer(verdicts(asked)),
        )  # fmt: skip
        says = f"Right rules are accepted{where}, and no other."
        yield Check(RULE, name, (probe,), ACCEPTED, says=says, weight=weight, compare="text")


def _found(seed: str) -> Iterator[Check]:
    for kind, (says, weight) in KINDS.items():
        rng = rng_for(seed, f"{RULE}/{kind}")
        rows: list[tuple[Any, ...]] = [
            (op, attrs, arrays, which)
            for op, attrs, arrays in drawn(rng)
            for which in range(len(arrays))
            if makes_a_difference(kind, op, which, len(arrays))
        ]
        # Right ones among them, at places that the seed draws: a constant answer is no judge.
        rows += [(op, attrs, arrays, None) for op, attrs, arrays in drawn(rng)]
        rng.shuffle(rows)
        probe = Probe(
            "checkers.finds", (kind, rows, number(seed, kind)),
            f"check_rule of {len(rows)} rules, {len(rows) - len(OPS)} of them with {says}",
            oracles=answer(verdicts(rows)),
        )  # fmt: skip
        yield Check(
            RULE, f"finds-{kind.replace('_', '-')}", (probe,), RETURNS,
            says=f"check_rule finds {says}.", weight=weight, compare="text",
            aside=kind == "barely",  # digits, as dtypes
        )  # fmt: skip


def makes_a_difference(kind: str, op: str, which: int, count: int) -> bool:
    """Whether this slip spoils this op: the gradient of a sum along rows is level there."""
    if kind == "operands":
        return which == 0 and count == 2 and op != "MatMul"
    if kind in ("turned", "lost_sum"):
        return op != "Summation"
    return kind != "forgotten_cotangent" or which == 0


def _rest(seed: str) -> Iterator[Check]:
    for which in (0, 1):
        yield from _says(which, seed)
    yield from _says_more(seed)
    yield from _handed(seed)
    yield from _small(seed)
    rows = drawn(rng_for(seed, f"{RULE}/gallery"))
    gallery = Probe(
        "checkers.every", (rows, number(seed, "gallery")), "check_rule of a gallery of mutants",
        oracles={"numpy": lambda: {"value": [np.array([MUTANTS, MUTANTS])]}}, seconds=20,
    )  # fmt: skip
    yield Check(
        RULE, "gallery", (gallery,), "raise `WrongRule` if it is not", hidden=True, weight=2,
        says="Every mutant of a whole gallery is found.",
    )  # fmt: skip


def _says(which: int, seed: str) -> Iterator[Check]:
    rng = rng_for(seed, f"{RULE}/says/{which}")
    dtype = ("float64", "float32")[which]
    arrays = [POSITIVE.draw(rng, SHAPE).astype(dtype) for _ in range(2)]
    # Neither the first nor the last; a smaller error where the gradient is small, and so large in
    # proportion, and none where it is largest.
    place, other, steep = rng.sample([(0, 1), (0, 2), (1, 0), (1, 1)], 3)
    arrays[1 - which][other], arrays[1 - which][steep] = 1e-3, 50.0
    errors = [(place, rng.choice([-0.9, -0.8])), (other, 0.4)]
    parts = {"where": [where(which, place)], "inputs": list(arrays), "numbers": [NUMBERS]}
    probe = Probe(
        "checkers.says", ("Mul", arrays, which, errors, number(seed, f"says{which}")),
        f"check_rule of a Mul whose gradient {which} is wrong in two elements",
        oracles={"numpy": lambda parts=parts: parts},
    )  # fmt: skip
    probes = (probe, *_single(rng, seed)) if which else (probe,)
    yield Check(
        RULE, f"says-{which}", probes, "the place where the difference is largest",
        part="where", says="WrongRule says which input it is, and which element.", compare="text",
    )  # fmt: skip
    yield Check(
        RULE, f"says-numbers-{which}", probes, "the numbers there", part="numbers", weight=0.5,
        compare="text",
        says="WrongRule holds your number and the right one, at an index that is a tuple.",
    )  # fmt: skip
    if which == 0:
        yield Check(
            RULE, "inputs", (probe,), "The arrays stay as they were", part="inputs",
            weight=0.5, says="check_rule leaves the arrays as they were.",
        )  # fmt: skip


def _single(rng: Random, seed: str) -> Iterator[Probe]:
    for place, dtype in (((0, 0), "float32"), ((0, 0), "float64"), ((), "float64")):
        arrays = [POSITIVE.draw(rng, [1] * len(place)).astype(dtype) for _ in range(2)]
        parts = {"where": [where(1, place)], "inputs": list(arrays), "numbers": [NUMBERS]}
        yield Probe(
            "checkers.says", ("Mul", arrays, 1, [(place, -0.9)], number(seed, "says-single")),
            f"check_rule of a Mul of single numbers of {dtype} whose gradient 1 is wrong",
            oracles={"numpy": lambda parts=parts: parts},
        )  # fmt: skip


NUMBERS = itemised([
    "its yours is the rule's number", "its right is the right number", "its index is a tuple",
])  # fmt: skip


def where(which: int, place: Sequence[int]) -> np.ndarray:
    return text(f"input {which}, element {list(place)}")


def _two(seed: str, name: str, dtype: str = "float64") -> list[Any]:
    rng = rng_for(seed, f"{RULE}/{name}")
    return [POSITIVE.draw(rng, SHAPE).astype(dtype) for _ in range(2)]


def _says_more(seed: str) -> Iterator[Check]:
    errors = [((1, 0), float("nan")), ((0, 1), 5.0)]
    says_nan = {"where": [where(0, (1, 0))], "numbers": [NUMBERS]}
    arrays = _two(seed, "says-nan")
    nan = Probe(
        "checkers.says", ("Mul", arrays, 0, errors, number(seed, "says-nan")),
        "check_rule of a Mul whose gradient has a nan, and a wrong number before it",
        oracles={"numpy": lambda: {**says_nan, "inputs": arrays}},
    )  # fmt: skip
    yield Check(
        RULE, "says-nan", (nan,), "a nan counts as the largest", part="where", weight=0.5,
        compare="text", says="A nan counts as the largest difference.",
    )  # fmt: skip
    shapes = Probe(
        "checkers.says_shapes", ("Mul", _two(seed, "says-shapes"), 1, number(seed, "shapes")),
        "check_rule of a Mul whose second gradient has an axis too many",
        oracles=answer([
            "its which is 1", "its index is ()", "its yours is (1, 2, 3)", "its right is (2, 3)",
        ]),
    )  # fmt: skip
    yield Check(
        RULE, "says-shapes", (shapes,), compare="text", weight=0.5,
        taught="`WrongRule` holds both shapes … `()` if the shapes differ",
        says="WrongRule holds both shapes where they differ: yours, and the right one.",
    )  # fmt: skip


def _handed(seed: str) -> Iterator[Check]:
    random = Probe(
        "checkers.many_cotangents", ("Mul", _two(seed, "random"), number(seed, "random")),
        "check_rule twice, with one generator",
        oracles=answer(["the second cotangent is another one", "its numbers are all different"]),
    )  # fmt: skip
    yield Check(
        RULE, "random", (random,), "a random cotangent, drawn from `rng`", compare="text",
        says="The cotangent is drawn again each time, a number for each output.",
    )  # fmt: skip
    pairs = _two(seed, "seeded"), _two(seed, "seeded", "float32")
    cases = [*pairs, *([np.array(each[0, 0]) for each in pair] for pair in pairs)]
    cases += [[each[:1, :1] for each in pair] for pair in pairs]
    seeded = Probe(
        "checkers.one_seed", ("Mul", cases, number(seed, "seeded")),
        "check_rule with generators of one seed, for arrays of six kinds",
        oracles=answer(["of one seed: one cotangent", "of another seed: another one"] * 6),
    )  # fmt: skip
    yield Check(
        RULE, "seeded", (seeded,), "drawn from ``rng``", weight=0.5, compare="text",
        says="The cotangent comes from the generator that is given, and from no other.",
    )  # fmt: skip
    probes = tuple(
        Probe(
            "checkers.dtypes", ("Mul", _two(seed, dtype, dtype), number(seed, dtype)),
            f"check_rule of a Mul with {dtype} arrays",
            oracles=answer([
                *[f"a leaf is {dtype}, of {dtype}"] * 2, f"the cotangent is {dtype}, of {dtype}",
                f"the cotangent's shape is {SHAPE}, of {SHAPE}",
            ]),
        )
        for dtype in ("float64", "float32")
    )  # fmt: skip
    yield Check(
        RULE, "dtypes", probes, "in their own dtype", weight=0.5, aside=True, compare="text",
        says="The leaves have the arrays' dtype, the cotangent the output's dtype and shape.",
    )  # fmt: skip


def _small(seed: str) -> Iterator[Check]:
    """Single numbers, three inputs, and rules that do not even end as they should."""
    rng = rng_for(seed, f"{RULE}/single")
    single = [(op, (), [POSITIVE.draw(rng, ()) for _ in range(n)], None)
              for op, n in (("Mul", 2), ("Tanh", 1))]  # fmt: skip
    three = [("Product", (), [POSITIVE.draw(rng, SHAPE) for _ in range(3)], None)]
    for name, rows, says in (
        ("single", single, "Rules are judged at arrays without axes, too."),
        ("three", three, "All inputs of an op that takes three are looked at."),
    ):
        wrong = [(*row[:3], which) for row in rows for which in range(len(row[2]))]
        rows = [*rows, *wrong]
        rng.shuffle(rows)
        probe = Probe(
            "checkers.finds", ("doubled", rows, number(seed, name)),
            f"check_rule of {len(rows)} rules, {len(wrong)} of them with a factor of two",
            oracles=answer(verdicts(rows)),
        )  # fmt: skip
        aside = name == "single"  # where a float32 on the way shows, as in `barely`
        yield Check(
            RULE, name, (probe,), "Every input is checked", says=says, weight=0.5, aside=aside,
            compare="text",
        )  # fmt: skip
    probe = Probe(
        "checkers.broken", ("Mul", _two(seed, "broken"), number(seed, "broken")),
        "check_rule of a rule without its last gradient, and of one that raises",
        oracles=answer(["a rule that lacks a gradient is refused", "one that raises is refused"]),
    )  # fmt: skip
    yield Check(
        RULE, "broken", (probe,), compare="text", weight=0.5,
        taught="A rule that gives too few gradients, or raises, may end in any error, but not in a",
        says="A rule that gives too few gradients, or raises, is not accepted.",
    )  # fmt: skip


MUTANTS = 97


# where a rule is wrong → the words that announce it
PLACES = {
    "nowhere": "raises `WrongRule` if any of them shows a mistake … keep away from 0",
    "no axes": "without axes",
    "an axis of one": "with an axis of one",
    "three axes": "with three axes and several numbers",
    "negative numbers": "for negative numbers in any of the inputs",
    "positive numbers": "for positive ones",
    "numbers beyond 1": "for numbers beyond 1",
    "inputs that differ": "for inputs that differ",
}


def _everywhere(seed: str) -> Iterator[Check]:
    for when, words in PLACES.items():
        rng = rng_for(seed, f"{EVERYWHERE}/{when}")
        some = when != "nowhere"
        # No difference tells the slope of a high power near 0.
        last = ("MulScalar", (3.0,), 1) if some else ("PowerScalar", (-20,), 1)
        ops = [("Mul", (), 2), ("Sub", (), 2), ("Tanh", (), 1), last]
        # With one that is wrong wherever it is asked: who accepts whatever comes is no judge.
        wrong = [True, some, False, False]
        # A single input differs from none; of a Sub the other input is looked at.
        if when == "nowhere":
            wrong = [*rng.sample(wrong[:3], 3), False]
        elif when in ("negative numbers", "positive numbers"):
            wrong[2] = True
        elif when != "inputs that differ":
            rng.shuffle(wrong)
        rows = [(*op, is_wrong) for op, is_wrong in zip(ops, wrong, strict=True)]
        probe = Probe(
            "checkers.somewhere", (rows, when if some else "anywhere", rng.randrange(1 << 30)),
            f"check_everywhere of rules, some of them wrong for {when} only" if some
            else "check_everywhere of right rules, and of one that is wrong anywhere",
            oracles=answer([
                f"a wrong {op} is refused" if is_wrong else f"a right {op} is accepted"
                for op, _, _, is_wrong in rows
            ]), seconds=20,
        )  # fmt: skip
        says = f"A rule that is wrong for {when} only is found." if some else (
            "Right rules are accepted everywhere, and no other."
        )  # fmt: skip
        taught = f"{words} … so that each of these is tried" if some else words
        yield Check(EVERYWHERE, when.replace(" ", "-"), (probe,), taught, says=says, compare="text")
