"""Checks of what graphs hold: sizes, `no_grad`, checkpoints. Counts, never times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import REAL, SMALL, Check, Parts, Probe, numeric, rng_for

from ..op_checks import UNTOUCHED

SIZE, NO_GRAD = "chapter13.graph_size", "chapter13.no_grad"
FORWARD, BACKWARD = "chapter13.checkpoint.forward", "chapter13.checkpoint.backward"
PIECES = "chapter13.checkpointed"


def checks(seed: str) -> Iterator[Check]:
    yield from _sizes(seed)
    yield from _quiet(seed)
    yield from _checkpoint(seed)
    yield from _pieces(seed)


def _sizes(seed: str) -> Iterator[Check]:
    rows = (
        ("leaf", "x0", ((2, 3),), (1, 6), "`root` itself too", 0.5, False),
        ("chain", "ops.exp(x0 * 2.0)", ((2, 3),), (3, 18), "counts once", 1, False),
        ("shared", "(x0 * x1 + x0) * x0", ((2,), (2,)), (5, 10), "counts once", 1, False),
        ("sizes", "(x0 @ x1).sum()", ((2, 3), (3, 4)), (4, 27), "how many numbers", 1, False),
        ("constant", "x0 * ops.Tensor([1.0, 2.0], dtype='float64', requires_grad=False) + x0",
         ((2,),), (4, 8), "leaves, constants and all that lies between", 1, False),
        ("more", "(x0 @ x1 + x2).sum(0) * x2", ((2, 3), (3, 4), (4,)), (7, 46),
         "leaves, constants and all that lies between", 1, True),
    )  # fmt: skip
    for name, call, shapes, answer, taught, weight, hidden in rows:
        rng = rng_for(seed, f"{SIZE}/{name}")
        arrays = [SMALL.draw(rng, shape) for shape in shapes]
        probe = Probe("remembering.size", (call, arrays), f"graph_size({call})",
                      oracles={"numpy": lambda a=answer, arrays=arrays: {
                          "value": [np.array(a)], "inputs": arrays}})  # fmt: skip
        yield Check(SIZE, name, (probe,), taught, weight=weight, hidden=hidden,
                    says=f"graph_size counts the Tensors and numbers of {call}.")  # fmt: skip
        if name == "shared":
            yield Check(SIZE, "inputs", (probe,), UNTOUCHED, part="inputs", weight=0.5,
                        says="graph_size leaves the graph as it was.")  # fmt: skip


def _quiet(seed: str) -> Iterator[Check]:
    x = SMALL.draw(rng_for(seed, NO_GRAD), (2,))
    off, on = np.array([False] * 3), np.array([True] * 3)
    now = "Remember what `Function.__call__` is now"

    def numpy() -> Parts:
        return {"value": [3 * x, 3 * x], "inside": [off], "nested": [off, off], "after": [on]}

    def broken_off() -> Parts:
        return {"after": [on], "raised": [np.array(True)]}

    probe = Probe("remembering.quiet", (x,), "with no_grad(): …", oracles={"numpy": numpy})
    broken = Probe("remembering.broken_off", (x,), "with no_grad(): raise KeyError",
                   oracles={"numpy": broken_off})  # fmt: skip
    rows = (
        ("value", probe, "value", "computes without a graph",
         "In the block values are right.", 0.5),
        ("inside", probe, "inside",
         "`without_graph` takes its place … put `without_graph` there",
         "In the block no graph is made.", 2),
        ("after", probe, "after", f"Put back what was there before … {now}",
         "After the block graphs are made again.", 2),
        ("nested", probe, "nested", f"Blocks may be nested … {now}, and put `without_graph` there",
         "When an inner block ends, the outer one goes on.", 1),
        ("exception", broken, "after", f"even if the block ended with an exception … {now}",
         "After an exception graphs are made again.", 1),
        ("goes-on", broken, "raised", "The exception goes on: nothing is returned",
         "An exception goes on.", 0.5),
    )  # fmt: skip
    for name, each, part, taught, says, weight in rows:
        yield Check(NO_GRAD, name, (each,), taught, part=part, says=says, weight=weight)
    again = Probe("remembering.entered_again", (x,), "with block: with block: …", oracles={
        "numpy": lambda: {"inside": [off, off], "after": [on]}})  # fmt: skip
    yield Check(
        NO_GRAD, "again", (again,), "the same object inside its own block … earns no points",
        part="after", weight=0, aside=True,
        says="After a block that was entered again inside itself graphs are made again.",
    )  # fmt: skip


# ---- one checkpoint ---------------------------------------------------------------------------


def twice(a: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Two layers, and what lies between them turned round: no value goes its way alone."""
    return np.tanh(np.tanh(a * w)[::-1] * w)


def _checkpoint(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, "chapter13.checkpoint")
    a, w, v = SMALL.draw(rng, (3,)), SMALL.draw(rng, (3,)), REAL.draw(rng, (3,))
    forward = Probe(
        "remembering.checkpoint_forward", ([a, w],), "Checkpoint(f).forward(x, w)",
        oracles={"numpy": lambda: {"value": [twice(a, w)], "kept": [np.array(0)],
                                   "inputs": [a, w], "same": [np.array(True)]}},
    )  # fmt: skip
    yield Check(FORWARD, "value", (forward,), "The values of `f`", compare="rounded",
                says="Checkpoint.forward has the values of the function.")  # fmt: skip
    yield Check(FORWARD, "kept", (forward,), "nothing in between is kept", part="kept",
                says="Of what lies in between nothing is alive afterwards.")  # fmt: skip
    yield Check(FORWARD, "inputs", (forward,), UNTOUCHED, part="inputs", weight=0.5,
                says="Checkpoint.forward leaves its inputs as they were.")  # fmt: skip
    yield Check(FORWARD, "same", (forward,), "The values of `f`", part="same", weight=0.5,
                aside=True, says="Checkpoint.forward has the dtype of f, and every digit.",
                )  # fmt: skip
    backward = _backward(a, w, v)
    rows = (
        ("value", "value", "One gradient per input, from computing `f` once more", 2,
         "Checkpoint.backward gives the gradient of every input."),
        ("twice", "twice", "One gradient per input", 0.5,
         "Checkpoint.backward gives an input that is there twice two gradients."),
        ("outside", "outside", "has to end there, and must not go on into what made the inputs", 1,
         "The walk does not go on into what made the inputs."),
        ("untouched", "untouched", "No `grad` of any Tensor is touched", 0.5,
         "Checkpoint.backward leaves the grad of its inputs alone."),
        ("constant", "constant",
         "The gradients are constants: they cannot be differentiated again", 0.5,
         "What Checkpoint.backward returns are constants, without _op."),
        ("inputs", "inputs", UNTOUCHED, 0.5,
         "Checkpoint.backward leaves its inputs and out_grad as they were."),
        ("same", "same", "fresh leaves with the values of `node._inputs`", 0.5,
         "Checkpoint.backward has the dtype of the gradients of f, and every digit."),
    )  # fmt: skip
    for name, part, taught, weight, says in rows:
        yield Check(BACKWARD, name, (backward,), taught, part=part, says=says, weight=weight,
                    compare="rounded", aside=name == "same")  # fmt: skip


def _backward(a: np.ndarray, w: np.ndarray, v: np.ndarray) -> Probe:
    """The input of the checkpoint is itself the result of a layer with the same weights."""
    inner = np.tanh(a * w)
    both = [np.array([True] * 2)]
    rest = {"outside": [np.array(0)], "untouched": [np.array([True] * 3)], "same": both,
            "constant": both, "inputs": [inner, w, v]}  # fmt: skip

    def numbers() -> Parts:
        value, same = (numeric.vjp(twice, [x, w], v, analytic=True) for x in (inner, w))
        return {"value": value, "twice": same, **rest}

    def gradients(torch: Any, first: np.ndarray) -> list[np.ndarray]:
        x, weight = (torch.tensor(each, requires_grad=True) for each in (first, w))
        out = torch.tanh(torch.tanh(x * weight).flip(0) * weight)
        return [g.numpy() for g in torch.autograd.grad(out, [x, weight], torch.tensor(v))]

    def twin(torch: Any) -> Parts:
        return {"value": gradients(torch, inner), "twice": gradients(torch, w), **rest}

    return Probe(
        "remembering.checkpoint_backward", ([a, w], v), "Checkpoint(f).backward(out_grad, node)",
        oracles={"finite_difference": numbers}, twin=twin,
    )  # fmt: skip


# ---- a deep chain in pieces -------------------------------------------------------------------

SAME = "The same as `chain` … The last piece may be shorter"
DEPTHS = (("pieces", 12, 4, False), ("rest", 7, 3, False), ("single", 4, 1, False),
          ("deep", 49, 7, True))  # fmt: skip


def _pieces(seed: str) -> Iterator[Check]:
    for name, depth, size, hidden in DEPTHS:
        probe = _chain(name, depth, size, seed)
        rows = (
            ("value", "value", SAME, 1, "the values are those of chain"),
            ("gradient", "gradient", "The same as `chain`", 2, "the gradients are those of chain"),
            ("kept", "kept", "Between two checkpoints only one Tensor is kept", 1,
             "one Tensor per piece is kept"),
            ("forwards", "forwards", "every layer is computed twice", 1,
             "every layer is computed once on the way there and once on the way back"),
        )  # fmt: skip
        for short, part, taught, weight, says in rows:
            yield Check(
                PIECES, f"{name}-{short}", (probe,), taught, part=part, weight=weight,
                compare="rounded",
                says=f"{depth} layers in pieces of {size}: {says}.", hidden=hidden,
            )  # fmt: skip
        if name == "rest":
            yield Check(PIECES, "same", (probe,), "The same as `chain`", part="same", weight=0.5,
                        aside=True, says="checkpointed has the dtype of chain, and every digit.",
                        )  # fmt: skip
    yield from _several(seed)
    rng, depth, size = rng_for(seed, f"{PIECES}/peak"), 16, 4
    x, v = SMALL.draw(rng, (64,)), REAL.draw(rng, (64,))
    weights = [1 + SMALL.draw(rng, (1,)) / 2 for _ in range(depth)]
    long = Probe("remembering.in_memory", (x, weights, size, v),
                 f"checkpointed({depth} layers of 64 numbers, x, {size})")  # fmt: skip
    yield Check(PIECES, "peak", (long,), "the layers of one piece", weight=2,
                costs={"peak_bytes": "1.3 * reference"})  # fmt: skip


def _several(seed: str) -> Iterator[Check]:
    """Layers of two weights, and one without any: three in the first piece, one in the last."""
    rng = rng_for(seed, f"{PIECES}/several")
    x, v = SMALL.draw(rng, (2,)), REAL.draw(rng, (2,))
    weights = [SMALL.draw(rng, (2,)) for _ in range(6)]

    def deep(*arrays: np.ndarray) -> np.ndarray:
        x, *each = arrays
        x = np.tanh(np.exp(np.tanh(x * each[0] + each[1])) * each[2] + each[3])
        return np.tanh(x * each[4] + each[5])

    arrays = [x, *weights]
    held = [np.arange(5), np.array([-1, 5, 6])]

    def numbers() -> Parts:
        gradient = numeric.vjp(deep, arrays, v, analytic=True)
        return {"value": [deep(*arrays)], "gradient": gradient, "held": held}

    probe = Probe(
        "remembering.of_pieces", (x, weights, v),
        "checkpointed([(…, [w, b]), (exp, []), (…, [w, b]), (…, [w, b])], x, 3)",
        oracles={"finite_difference": numbers},
    )  # fmt: skip
    rows = (
        ("value", "The same as `chain`", "the values are those of chain"),
        ("gradient", "The same as `chain`", "the gradients are those of chain"),
        ("held", "what comes in and the weights of all of its layers, layer by layer",
         "a checkpoint holds what comes in, then the weights of its layers in their order"),
    )  # fmt: skip
    for part, taught, says in rows:
        yield Check(
            PIECES, f"several-{part}", (probe,), taught, part=part, weight=0.5, compare="rounded",
            says=f"Layers with two weights and with none: {says}.",
        )  # fmt: skip


def _chain(name: str, depth: int, size: int, seed: str) -> Probe:
    rng = rng_for(seed, f"{PIECES}/{name}")
    x, v = SMALL.draw(rng, (2,)), REAL.draw(rng, (2,))
    weights = [1 + SMALL.draw(rng, (2,)) / 2 for _ in range(depth)]
    arrays = [x, *weights]

    def deep(x: np.ndarray, *weights: np.ndarray) -> np.ndarray:
        for w in weights:
            x = np.tanh(x * w)
        return x

    rest = {
        "value": [deep(*arrays)], "kept": [np.array(-(-depth // size))],
        "forwards": [np.array([depth, 2 * depth])],
        "same": [np.array(True)],
    }  # fmt: skip

    def numbers() -> Parts:
        return {"gradient": numeric.vjp(deep, arrays, v, analytic=True), **rest}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(each, requires_grad=True) for each in arrays]
        out = leaves[0]
        for w in leaves[1:]:
            out = torch.tanh(out * w)
        found = torch.autograd.grad(out, leaves, torch.tensor(v))
        return {**rest, "gradient": [g.numpy() for g in found]}

    return Probe(
        "remembering.in_pieces", (x, weights, size, v),
        f"checkpointed({depth} layers, x, {size})",
        oracles={"finite_difference": numbers}, twin=twin,
    )  # fmt: skip
