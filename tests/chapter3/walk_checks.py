"""The checks of `topological_order`, `Tensor.backward` and the bug hunt's mended walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, SMALL, Check, Domain, Parts, Probe, rng_for

from . import graphs
from .graphs import Arrays, Steps

ORDER = "chapter3.topological_order"
BACKWARD = "chapter3.backward"
MEND = "chapter3.bughunt.mend"
LEVELS, MANY_LEVELS = 10, 40

HANDS_ON = "a node passes its gradient on only after all of its users have passed theirs to it"
PATHS = "Where paths meet, gradients add"
LEAVES = "Leave in every leaf the gradient of this tensor with respect to that leaf"
ACCUMULATES = "A leaf that holds a gradient from an earlier call adds to it"
CONSTANT = "a tensor with `requires_grad=False` keeps `grad` None"
NO_GRADIENT = "may raise an error or do nothing; its leaves keep `grad` None either way"
GIVEN = "the gradient to start from, a Tensor or ndarray of this tensor's shape"
OWN = "changing it in place alters no other gradient, nor the one that you passed in"
LINEAR = "Ask whether you have seen a tensor before you go to its inputs"
NDARRAY = "grad: None, then an ndarray"
ONCE = "One walk calls the `backward` of each op only once, however many paths lead through it"
STRETCH = "A walk without recursion also gets through a chain of 150 operations"
SHAPE = "grad: None, then an ndarray of the shape of `data`"

# name, sentence, words that teach it, (steps, leaves, shape) of every probe; these end in a sum
NUMBERS = (
    ("chain", "A chain of operations: each op's backward gets what the one above returned.",
     LEAVES, ((graphs.CHAIN, 1, ()), (graphs.CHAIN, 1, (2, 3)))),
    ("two-inputs", "An op with two inputs sends a gradient to each.",
     LEAVES, ((graphs.PRODUCT, 2, (2,)), (graphs.PRODUCT, 2, (2, 3)))),
    ("three-inputs", "An op with three inputs sends a gradient to each.",
     LEAVES, ((graphs.FUSED, 3, (2,)), (graphs.THIRD_MADE, 3, (2,)))),
    ("same-input", "An op that takes the same tensor more than once, like x * x.",
     PATHS, ((graphs.TWICE, 1, (2,)), (graphs.CUBE, 1, (2, 3)))),
    ("diamond", "Two paths lead back to the same tensor: their gradients add up.",
     PATHS, ((graphs.DIAMOND, 1, (2,)), (graphs.DIAMOND, 1, (2, 3)))),
    ("three-uses", "A leaf that is used in three places gets the sum of three gradients.",
     PATHS, ((graphs.THREE_USES, 1, (2,)),)),
    ("order", "A long and a short path meet: a node waits for both before passing on.",
     HANDS_ON, ((graphs.DEEP_FIRST, 1, (2,)), (graphs.SHALLOW_FIRST, 1, (2,)))),
    ("scalars", "Gradients of single numbers add up too, and keep the shape ().",
     SHAPE, ((graphs.DIAMOND, 1, ()), (graphs.THREE_USES, 1, ()))),
    ("shared", "Adding up one leaf's gradients leaves another leaf's alone.",
     OWN, tuple((s, 2, (2,)) for s in (*graphs.shared(0, 1), *graphs.shared(1, 0)))),
)  # fmt: skip


def draw(rng: Random, leaves: int, shape: tuple[int, ...], domain: Domain = REAL) -> Arrays:
    return [domain.draw(rng, shape) for _ in range(leaves)]


def probe(
    steps: Steps, arrays: Arrays, grad: Any = None, kind: str = "Tensor", name: str = "gradients"
) -> Probe:
    """One graph and one walk: the gradients of the leaves, and how often each op was called."""
    call, grown = f"backward({'' if grad is None else 'grad'})", graphs.sent(steps, arrays)

    def calls() -> Parts:
        return {"calls": [np.ones(len(steps))]}

    return Probe(
        f"engine.{name}",
        (grown, arrays, grad, kind) if name == "gradients" else (grown, arrays, grad),
        graphs.told(steps, len(arrays), call),
        oracles={
            "finite_difference": lambda: {"gradient": graphs.vjp(steps, arrays, grad)},
            "numpy": calls,
        },
        twin=lambda torch: graphs.torch_gradients(torch, steps, arrays, grad),
    )


def order_checks(seed: str) -> Iterator[Check]:
    """Everything about `topological_order`."""
    rng = rng_for(seed, ORDER)
    probes = tuple(
        _order_probe(steps, draw(rng, leaves, (2,)))
        for steps, leaves in (
            (graphs.CHAIN, 1), (graphs.DIAMOND, 1), (graphs.TWICE, 1), (graphs.SHALLOW_FIRST, 1),
            (graphs.THIRD_MADE, 3), (graphs.WEB, 3), *_unforeseen(seed),
        )
    )  # fmt: skip
    each = "Every tensor that `root` was made from, each once and after its inputs"
    for part, says, how, taught in (
        ("after", "Every tensor comes after the tensors that it was made from.", "text", each),
        ("once", "Every tensor is in the list exactly once.", "text", each),
        ("length", "Nothing else is in the list.", "close", each),
        ("last", "The root is the last in the list.", "text", each),
        (
            "again",
            "A second call finds the same tensors, and they are what they were.",
            "text",
            "The tensors stay as they are, so the next call finds the same",
        ),
    ):
        yield Check(ORDER, part, probes, taught, part=part, says=says, compare=how)
    steps = graphs.ladder(MANY_LEVELS)
    arrays = draw(rng, 1, (2,))
    long = Probe(
        "engine.linear", (graphs.sent(steps, arrays), arrays, "topological_order"),
        f"topological_order of a ladder of {MANY_LEVELS} diamonds, y = 0.7 y + 0.5 y",
        {"numpy": lambda: {"length": [np.array(float(1 + len(steps)))]}},
    )  # fmt: skip
    says = f"In {MANY_LEVELS} diamonds the work grows with the tensors, not with the paths."
    yield Check(ORDER, "linear", (long,), LINEAR, part="length", says=says)


def _unforeseen(seed: str) -> tuple[tuple[Steps, int], ...]:
    """Two graphs more, for a seed of its own: how many nodes they have is not to be foreseen."""
    if seed == PUBLIC_SEED:
        return ()
    rng = rng_for(seed, f"{ORDER}/unforeseen")
    return tuple((graphs.unforeseen(rng, rng.randint(3, 11)), 2) for _ in range(2))


def _order_probe(steps: Steps, arrays: Arrays) -> Probe:
    call = graphs.told(steps, len(arrays), "").removesuffix(".")
    formulas, _, root = call.rpartition("; ")
    grown = graphs.sent(steps, arrays)
    return Probe("engine.order", (grown, arrays), f"{formulas}; topological_order({root})")


def backward_checks(seed: str) -> Iterator[Check]:
    """Everything about `Tensor.backward`."""
    for name, says, taught, cases in NUMBERS:
        probes = []
        for i, (steps, leaves, shape) in enumerate(cases):
            arrays = draw(rng_for(seed, f"{BACKWARD}/{name}/{i}"), leaves, shape)
            probes.append(probe(graphs.summed(steps, leaves), arrays))
        yield Check(BACKWARD, name, tuple(probes), taught, part="gradient", says=says)
    yield from _ladder(seed)
    yield from _starts(seed)
    yield from _accumulation(rng_for(seed, f"{BACKWARD}/accumulation"))
    yield from _constants(rng_for(seed, f"{BACKWARD}/constants"))
    yield _web(rng_for(seed, f"{BACKWARD}/web"))
    yield _deep(rng_for(seed, f"{BACKWARD}/deep"))


def _ladder(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, f"{BACKWARD}/ladder")
    diamond = probe(graphs.summed(graphs.DIAMOND, 1), draw(rng, 1, (2,)))
    long = probe(graphs.summed(graphs.ladder(LEVELS), 1), draw(rng, 1, (2,)))
    says = f"A ladder of {LEVELS} diamonds: the gradient is the sum over all {2**LEVELS} paths."
    yield Check(BACKWARD, "ladder", (long,), PATHS, part="gradient", says=says)
    says = "Each op's backward is called once, however many paths lead through it."
    yield Check(BACKWARD, "once", (diamond, long), ONCE, part="calls", says=says)
    yield _linear(BACKWARD, "Tensor.backward", MANY_LEVELS, rng)


def _linear(exercise: str, method: str, levels: int, rng: Random) -> Check:
    """A walk that takes every path would never come to an end here."""
    steps = graphs.summed(graphs.ladder(levels), 1)
    arrays = draw(rng, 1, (2,))
    walk = Probe(
        "engine.linear", (graphs.sent(steps, arrays), arrays, method),
        f"a ladder of {levels} diamonds, y = 0.7 y + 0.5 y, one after the other; {method}",
        {"finite_difference": lambda: {"gradient": graphs.vjp(steps, arrays, None)}},
        lambda torch: graphs.torch_gradients(torch, steps, arrays),
    )  # fmt: skip
    says = f"In {levels} diamonds the work grows with the tensors, not with the paths."
    return Check(exercise, "linear", (walk,), LINEAR, part="gradient", says=says)


def _starts(seed: str) -> Iterator[Check]:
    check = partial(Check, BACKWARD, part="gradient")
    rng = rng_for(seed, f"{BACKWARD}/starts")
    ones = [probe(graphs.SUM, draw(rng, 2, (2, 3))), probe(graphs.CHAIN, draw(rng, 1, (2, 3)))]
    says = "Without `grad`, the walk starts from ones of the output's shape."
    yield check("ones", tuple(ones), "None starts from ones", says=says)

    def given(kind: str) -> tuple[Probe, ...]:
        cases = ((graphs.CHAIN, 1, (2,)), (graphs.SUM, 2, (2, 3)))
        return tuple(
            probe(steps, draw(rng, leaves, shape), REAL.draw(rng, shape), kind)
            for steps, leaves, shape in cases
        )

    says = "A Tensor that is given as `grad` is the gradient to start from."
    yield check("given", given("Tensor"), GIVEN, says=says)
    says = "An ndarray that is given as `grad` is the gradient to start from."
    yield check("given-ndarray", given("ndarray"), GIVEN, says=says)
    starts = np.zeros(2), REAL.draw(rng, (2,))
    leaf = tuple(probe((), draw(rng, 1, (2,)), grad) for grad in starts)
    says = "From a leaf the walk is short: what is given is its gradient, zeros as well."
    yield check("leaf", leaf, LEAVES, says=says, weight=0.5)


def _accumulation(rng: Random) -> Iterator[Check]:
    arrays = draw(rng, 1, (2, 3))
    first, second = graphs.summed(graphs.CHAIN, 1), graphs.summed(graphs.DIAMOND, 1)

    def both(torch: Any) -> Parts:
        leaves = graphs.torch_leaves(torch, arrays)
        for steps in (first, second):
            graphs.torch_backward(torch, steps, leaves)
        return {"value": [x.grad.numpy() for x in leaves]}

    def added() -> Parts:
        pairs = zip(*(graphs.vjp(s, arrays, None) for s in (first, second)), strict=True)
        return {"value": [a + b for a, b in pairs]}

    call = "backward() of two graphs over the same x0, one after the other"
    grown = [graphs.sent(steps, arrays) for steps in (first, second)]
    fresh = Probe("engine.two_graphs", (*grown, arrays), call, {"finite_difference": added}, both)
    yield Check(BACKWARD, "accumulates", (fresh,), ACCUMULATES)

    pair, grad = draw(rng, 2, (2,)), REAL.draw(rng, (2,))
    added_up = graphs.sent(graphs.SUM, pair)
    twice = Probe(
        "engine.given_twice", (added_up, pair, grad),
        "y = x0 + x1; y.backward(grad), twice, with y.grad = None in between",
        {"numpy": lambda: {"value": [2 * grad, 2 * grad, grad]}},
    )  # fmt: skip
    yield Check(BACKWARD, "given-unchanged", (twice,), OWN)
    yield Check(BACKWARD, "own-array", _own_arrays(rng, pair[:1], grad), OWN, weight=0.5)
    kinds = Probe("engine.kinds", (grown[0], arrays), f"{call}; type(x0.grad)")
    says = "What a leaf holds in grad is an ndarray, after one call and after two."
    yield Check(BACKWARD, "ndarray", (kinds,), NDARRAY, says=says, weight=0.5, compare="text")


def _own_arrays(rng: Random, leaf: Arrays, grad: np.ndarray) -> tuple[Probe, ...]:
    """A matrix, numbers and a leaf whose gradient is written to, with and without `grad`."""
    wide, numbers, large = draw(rng, 2, (2, 3)), draw(rng, 2, ()), REAL.draw(rng, (2, 3))
    return tuple(
        Probe(
            "engine.own_arrays", (graphs.sent(steps, leaves), leaves, given, -7.5),
            f"{root}; then x0.grad is changed in place",
            {"numpy": partial(dict, value=right)},
        ) for root, steps, leaves, given, right in (
            ("(x0 + x1).backward(grad)", graphs.SUM, wide, large, [large, large]),
            ("(x0 + x1).backward()", graphs.SUM, numbers, None, [np.ones(())]),
            ("x0.backward(grad)", (), leaf, grad, [grad]),
        )
    )  # fmt: skip


def _constants(rng: Random) -> Iterator[Check]:
    inner = graphs.summed(graphs.THREE, 3)
    mixed = [
        _constant(graphs.summed(graphs.PRODUCT, 2), draw(rng, 2, (2,)), (1,)),
        _constant(inner, draw(rng, 3, (2, 3)), (0, 2)),
    ]
    says = "A leaf with requires_grad=False keeps grad None."
    yield Check(BACKWARD, "constants", tuple(mixed), CONSTANT, part="none", says=says)
    says = "Leaves beside a constant get their gradients."
    yield Check(BACKWARD, "beside-constants", tuple(mixed), LEAVES, part="gradient", says=says)
    alone = _constant(graphs.summed(graphs.CHAIN, 1), draw(rng, 1, (2,)), (0,))
    says = "backward on a result that requires no gradient leaves none behind."
    yield Check(BACKWARD, "no-gradient", (alone,), NO_GRADIENT, "none", says, weight=0.5)


def _constant(steps: Steps, arrays: Arrays, constant: Sequence[int]) -> Probe:
    def twin(torch: Any) -> Parts:
        leaves = graphs.torch_leaves(torch, arrays, constant)
        out = graphs.torch_backward(torch, steps, leaves)
        unasked = [leaves[i] for i in constant] + ([] if out.requires_grad else [out])
        none = [float(tensor.grad is None) for tensor in unasked]
        others = [x.grad.numpy() for x in leaves if x.requires_grad]
        return {"none": [np.array(none)]} | ({"gradient": others} if others else {})

    def derivative() -> Parts:
        found = [g for i, g in enumerate(graphs.vjp(steps, arrays, None)) if i not in constant]
        return {"gradient": found} if found else {}

    names = " and ".join(f"x{i}" for i in constant)
    call = f"{graphs.told(steps, len(arrays), 'backward()')}, without requires_grad in {names}"
    args = (graphs.sent(steps, arrays), arrays, tuple(constant))
    return Probe("engine.constants", args, call, {"finite_difference": derivative}, twin)


def _web(rng: Random) -> Check:
    steps = graphs.summed(graphs.WEB, 3)
    probes = (
        probe(steps, draw(rng, 3, (2, 3), SMALL)),
        probe(graphs.WEB, draw(rng, 3, (2,), SMALL), REAL.draw(rng, (2,))),
    )
    says = "The right gradients in a graph with many crossing paths."
    return Check(BACKWARD, "web", probes, HANDS_ON, "gradient", says, hidden=True)


def _deep(rng: Random) -> Check:
    array, by, length = REAL.draw(rng, ()), 1.01, 150
    steps: Steps = tuple(("scale", (i,), by) for i in range(length))
    deep = Probe(
        "engine.deep_chain", (array, by, length, 100), "backward() through 150 operations",
        {"finite_difference": lambda: {"value": graphs.vjp(steps, [array], None)}},
        lambda torch: {"value": graphs.torch_gradients(torch, steps, [array])["gradient"]},
    )  # fmt: skip
    return Check(BACKWARD, "deep", (deep,), STRETCH, weight=0, aside=True)


def mend_checks(seed: str) -> Iterator[Check]:
    """The bug hunt: the mended walk on chains and diamonds, every op called once."""
    taught = "with its bug fixed … Every leaf of a fresh graph ends with its gradient"
    rng = rng_for(seed, MEND)

    def mended(steps: Steps, leaves: int, shape: tuple[int, ...]) -> Probe:
        return probe(steps, draw(rng, leaves, shape), REAL.draw(rng, shape), name="mended")

    diamonds = (mended(graphs.DIAMOND, 1, (2,)), mended(graphs.TWICE, 1, (2, 3)))
    ladder = mended(graphs.ladder(LEVELS), 1, (2,))
    order = (mended(graphs.DEEP_FIRST, 1, (2,)), mended(graphs.SHALLOW_FIRST, 1, (2,)))
    web = mended(graphs.WEB, 3, (2,))
    check = partial(Check, MEND, taught=taught)
    for name, probes, says in (
        ("chain", (mended(graphs.CHAIN, 1, (2,)),), "still right on a chain."),
        ("diamond", diamonds, "right where paths meet."),
        ("order", order, "right where a long path meets a short one."),
        ("ladder", (ladder,), f"right on {LEVELS} diamonds in a row."),
    ):
        yield check(
            name,
            probes,
            part="gradient",
            says=f"mended_backward is {says}",
        )
    says = "Each op's backward is called once, however many paths lead through it."
    once = "every op's `backward` called only once"
    yield check("once", (diamonds[0], ladder), part="calls", says=says, taught=once)
    yield _linear(MEND, "mended_backward", LEVELS, rng)
    says = "mended_backward is right in a graph with many crossing paths."
    yield check("web", (web,), part="gradient", says=says, hidden=True)
