"""The functions: Take, softmax, the mask, attention, heads, gelu, and the loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from exercises.chapter14 import looking_up
from grader.course import Check, Parts, Probe, numeric, shapes, sizes_for
from tests.programs.harness import text

from ..op_checks import DTYPE, backward_checks, forward_checks
from . import formulas
from .templates import UNTOUCHED, draw, function_checks, function_probe, numbers, torch_gradient


def checks(seed: str) -> Iterator[Check]:
    yield from take(seed)
    yield from softmax(seed)
    yield from masks(seed)
    yield from attention(seed)
    yield from heads(seed)
    yield from each_token(seed)
    yield from gelu(seed)
    yield from losses(seed)


def take(seed: str) -> Iterator[Check]:
    hidden = (
        shapes((5, 2), attrs=(((4, 0, 4), (1, 4, 3)),)), shapes((3, 1), attrs=((2, 2, 2),)),
    )  # fmt: skip
    row = looking_up.ROW
    yield from forward_checks(row, "chapter14.take.forward", hidden, seed)
    for check in backward_checks(row, "chapter14.take.backward", hidden, seed):
        if check.name == "again":  # the gradient of a table does not depend on the table
            probes = tuple(replace(each, program="twice.linear") for each in check.probes)
            check = replace(check, probes=probes)
        yield check


def softmax(seed: str) -> Iterator[Check]:
    exercise = "chapter14.softmax"

    def probe(x: np.ndarray, *axis: int) -> Probe:
        which = axis[0] if axis else -1
        return function_probe(
            "softmax", [x], axis, lambda a: formulas.softmax(a, which),
            lambda torch, a: torch.softmax(a, which),
            f"softmax(x{''.join(f', {each}' for each in axis)}) of shape {x.shape}", seed,
        )  # fmt: skip

    def values(name: str, *shape: int) -> np.ndarray:
        return draw(seed, f"softmax/{name}", *shape)

    out = np.array([[0.5, -np.inf, 1.5], [-np.inf, -np.inf, 0.25]])
    yield from function_checks(exercise, "softmax", (
        ("value", [probe(values("row", 3)), probe(values("matrix", 2, 3))],
         "positive numbers that sum to 1. The shape stays", "is right along the last axis"),
        ("axis", [probe(values("first", 2, 3), 0), probe(values("middle", 2, 3, 2), -2)],
         "along one axis", "is right along another axis"),
        ("extremes", [probe(np.array([[1000.0, -1000.0, 999.0], [-999.0, -1000.0, -998.0]]))],
         "finite for every finite `x`, at ±1000 too", "is finite at ±1000"),
        ("left-out", [probe(out)], "their result is 0 and nothing becomes nan",
         "gives 0 to what is -inf"),
        ("more", [probe(values("deep", 2, 2, 4))], "The shape stays",
         "is right for other shapes too"),
    ))  # fmt: skip


def masks(seed: str) -> Iterator[Check]:
    def probe(length: int) -> Probe:
        right = np.array([[s <= t for s in range(length)] for t in range(length)])
        return Probe(
            "attentions.mask", (length,), f"causal_mask({length})",
            oracles={"numpy": lambda: {"value": [right]}},
            twin=lambda torch: {
                "value": [torch.tril(torch.ones(length, length, dtype=torch.bool)).numpy()]
            },
        )  # fmt: skip

    exercise = "chapter14.causal_mask"
    taught = "at itself and at everything before it, but at nothing after it"
    booleans = "booleans of shape `(length, length)`"
    lengths = sizes_for(seed, exercise, 2, 4, 3, 6, spread=60)
    public, hidden = map(probe, lengths[:2]), map(probe, lengths[2:])
    yield Check(exercise, "value", tuple(public), f"{booleans} … {taught}")
    yield Check(exercise, "more", tuple(hidden), taught, hidden=True,
                says="causal_mask is right for other lengths too.")  # fmt: skip


def attended(arrays: list[np.ndarray], name: str, mask: Any, seed: str) -> Probe:
    d = arrays[0].shape[-1]

    def twin(torch: Any, q: Any, k: Any, v: Any) -> Any:
        seen = None if mask is None else torch.tensor(mask)
        means = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        scores = q @ k.mT / d**0.5
        if mask is not None:
            scores = scores.masked_fill(~seen, -torch.inf)
        return means, torch.softmax(scores, -1)

    said = "attention(q, k, v" + (")" if mask is None else ", mask)")
    probe = function_probe(
        "attention", arrays, () if mask is None else (mask,),
        partial(formulas.attention, mask=mask), twin, f"{said}, {name}", seed,
    )  # fmt: skip
    return replace(probe, program="attentions.attention", args=(*arrays, mask, probe.args[-1]))


def attention(seed: str) -> Iterator[Check]:
    def probe(name: str, front: tuple[int, ...], sizes: tuple[int, int, int, int], mask=None):
        queries, keys, d, e = sizes
        return attended([
            draw(seed, f"attention/{name}/{which}", *front, *shape)
            for which, shape in (("q", (queries, d)), ("k", (keys, d)), ("v", (keys, e)))
        ], name, mask, seed)  # fmt: skip

    both = "the means, `(…, T, e)` … the softmax over the *keys* of `q · k / √d`"
    causal = np.tril(np.ones((3, 3), bool))
    gaps = np.array([[True, False, True, True], [False, True, False, False]])
    # A hidden key whose score is thousands above all others, and scores of exactly 0 that may stay.
    far = [
        np.array([[50.0, 0.0], [0.5, 2.0]]), np.array([[0.0, 0.0], [0.0, 1.0], [80.0, 0.0]]),
        draw(seed, "attention/far", 3, 2),
    ]  # fmt: skip
    seen = np.array([[True, True, False], [True, False, True]])
    yield from function_checks("chapter14.attention", "attention", (
        ("value", [probe("one query", (), (1, 2, 2, 2)), probe("a batch", (2,), (2, 3, 4, 2))],
         "for each query a weighted mean of the values … every query may look at every key … "
         f"{both}",
         "gives weighted means and weights"),
        ("causal", [probe("causal", (), (3, 3, 2, 3), causal)],
         "A weight is 0 where the mask is False; the others of its row sum to 1",
         "obeys a causal mask"),
        ("mask", [probe("any mask", (2,), (2, 4, 3, 2), gaps)],
         "True where a query may look at a key", "obeys any mask"),
        ("hidden", [attended(far, "a high score", seen, seed)],
         "A weight is 0 where the mask is False",
         "gives no weight to a key that is hidden, however high its score is"),
        ("heads", [probe("heads", (2, 2), (3, 3, 2, 2), causal)],
         "`(…, T, d)` … the axes in front are those of `q`",
         "has more axes in front"),
        ("more", [probe("wide", (1, 3), (2, 3, 5, 4))], f"the values, `(…, S, e)` … {both}",
         "has other sizes"),
    ), untouched=1)  # fmt: skip


def heads(seed: str) -> Iterator[Check]:
    def split(name: str, shape: tuple[int, int, int], count: int) -> Probe:
        return function_probe(
            "split_heads", [draw(seed, f"split/{name}", *shape)], (count,),
            lambda x: formulas.split(x, count),
            lambda torch, x: x.unflatten(-1, (count, -1)).transpose(1, 2),
            f"split_heads(x, {count}) of shape {shape}", seed,
        )  # fmt: skip

    def join(name: str, shape: tuple[int, int, int, int]) -> Probe:
        return function_probe(
            "join_heads", [draw(seed, f"join/{name}", *shape)], (), formulas.join,
            lambda torch, x: x.transpose(1, 2).flatten(2), f"join_heads(x) of shape {shape}", seed,
        )  # fmt: skip

    own = "each head gets its own share of every token … Head 0 gets the first `C / H` numbers"
    yield from function_checks("chapter14.split_heads", "split_heads", (
        ("value", [split("small", (1, 3, 4), 2), split("batch", (2, 3, 4), 2)],
         own, "gives every head its share"),
        ("more", [split("many", (2, 2, 6), 3)], f"{own} … and so on",
         "is right for other sizes too"),
    ))  # fmt: skip
    back = "the way back of `split_heads`"
    yield from function_checks("chapter14.join_heads", "join_heads", (
        ("value", [join("small", (1, 2, 3, 2)), join("batch", (2, 2, 3, 1))], back,
         "puts the shares side by side"),
        ("more", [join("many", (2, 3, 2, 2))], back, "is right for other sizes too"),
    ))  # fmt: skip


def each_token(seed: str) -> Iterator[Check]:
    def probe(name: str, shape: tuple[int, int, int], columns: int) -> Probe:
        x = draw(seed, f"each/{name}/x", *shape)
        table = draw(seed, f"each/{name}/table", shape[2], columns)
        cotangent = draw(seed, f"each/{name}/cotangent", *shape[:2], columns)

        def gradient() -> Parts:
            found = numeric.vjp(lambda a: a @ table, [x], cotangent, analytic=True)
            return {"gradient": found}

        def twin(torch: Any) -> Parts:
            leaf = torch.tensor(x, requires_grad=True)
            out = leaf @ torch.tensor(table)
            return {
                "value": [out.detach().numpy()],
                "gradient": torch_gradient(torch, out, [leaf], [cotangent]),
            }

        return Probe(
            "attentions.calls", (x, table, cotangent), f"each_token(layer, x) of shape {shape}",
            oracles={"numpy": lambda: {"value": [x @ table], "calls": [np.array(1)], "inputs": [x],
                                       "dtype": [text("float64 stays")]},
                     "finite_difference": gradient}, twin=twin,
        )  # fmt: skip

    exercise = "chapter14.each_token"
    rows = "becomes `(B, T, C′)` … The layer takes rows, `(rows, C)` … each token is a row"
    public = (probe("small", (1, 2, 3), 2), probe("batch", (2, 3, 2), 4))
    yield Check(exercise, "value", public, rows, says="each_token sends each token through.")
    yield Check(exercise, "gradient", public, rows, part="gradient",
                says="each_token: the gradient of its input is right.")  # fmt: skip
    yield Check(exercise, "once", public[1:], "It is called once, with all tokens of the batch",
                part="calls", weight=0.5)  # fmt: skip
    yield Check(exercise, "inputs", public[:1], UNTOUCHED, part="inputs", weight=0.5,
                says="each_token leaves its inputs as they were.")  # fmt: skip
    yield Check(exercise, "dtype", public[:1], DTYPE, part="dtype", compare="text", weight=0.5,
                aside=True, says="each_token keeps the dtype.")  # fmt: skip
    yield Check(exercise, "more", (probe("more", (3, 2, 4), 3),), rows, hidden=True,
                says="each_token is right for other sizes too.")  # fmt: skip


def gelu(seed: str) -> Iterator[Check]:
    def probe(x: np.ndarray) -> Probe:
        return function_probe(
            "gelu", [x], (), formulas.gelu,
            lambda torch, a: torch.nn.functional.gelu(a, approximate="tanh"),
            f"gelu(x) of shape {x.shape}", seed,
        )  # fmt: skip

    far = np.array([1000.0, -1000.0, 40.0])
    yield from function_checks("chapter14.gelu", "gelu", (
        ("value", [probe(draw(seed, "gelu/row", 3)), probe(draw(seed, "gelu/matrix", 2, 3))],
         "`x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))`", "is right value by value"),
        ("extremes", [probe(far)], "finite for every `x` from -1000 to 1000",
         "is finite at ±1000"),
        ("more", [probe(draw(seed, "gelu/deep", 2, 1, 4))], "Value by value",
         "is right for other shapes too"),
    ))  # fmt: skip


def loss_probe(seed: str, logits: np.ndarray, targets: np.ndarray, kind: str = "array") -> Probe:
    cotangent = draw(seed, f"loss/{logits.shape}/{kind}")

    def derivative() -> Parts:
        loss = partial(formulas.cross_entropy, targets=targets)
        return {"gradient": numeric.vjp(loss, [logits], cotangent, analytic=True)}

    def twin(torch: Any) -> Parts:
        leaf = torch.tensor(logits, requires_grad=True)
        flat = leaf.reshape(-1, logits.shape[-1]), torch.tensor(targets).reshape(-1)
        flat = flat[0], torch.where(flat[1] < 0, -1, flat[1])
        out = torch.nn.functional.cross_entropy(*flat, ignore_index=-1)
        return {
            "value": [out.detach().numpy()],
            "gradient": torch_gradient(torch, out, [leaf], [cotangent]),
        }

    right = {
        "value": [formulas.cross_entropy(logits, targets)],
        "inputs": [logits, *([] if kind == "tensor" else [targets])],
        "dtype": [text("float64 stays")],
    }  # fmt: skip
    return Probe(
        "attentions.losses", (logits, targets, kind, cotangent),
        f"cross_entropy(logits, targets), shapes {logits.shape} and {targets.shape}",
        oracles={"numpy": lambda: right, "finite_difference": derivative}, twin=twin,
    )  # fmt: skip


def losses(seed: str) -> Iterator[Check]:
    def case(name: str, *shape: int, kind: str = "array") -> Probe:
        targets = numbers(seed, f"loss/{name}/y", shape[-1], *shape[:-1])
        return loss_probe(seed, draw(seed, f"loss/{name}", *shape), targets, kind)

    left = loss_probe(
        seed, draw(seed, "loss/left", 2, 3, 4), np.array([[-1, 2, 0], [1, -2, -100]])
    )  # fmt: skip
    extremes = np.array([[[1000.0, -1000.0], [-999.0, 1000.0]]])
    groups = (
        ("value", [case("rows", 2, 3), case("places", 2, 3, 4)],
         "The mean over all places of `-log softmax(logits)[target]`", "is the mean surprise"),
        ("left-out", [left],
         "A place whose target is negative does not count: neither in the sum nor in the number "
         "that it is divided by", "leaves negative targets out"),
        ("extremes", [loss_probe(seed, extremes, np.array([[0, 0]]))],
         "any finite numbers, ±1000 too", "is finite at ±1000"),
        ("kinds", [case("list", 2, 2, 3, kind="list"), case("tensor", 1, 3, 3, kind="tensor")],
         "an ndarray, a (nested) list or a Tensor", "takes lists and Tensors"),
        ("more", [case("deep", 2, 1, 3, 5)], "`(…, V)`", "has other sizes"),
    )  # fmt: skip
    for check in function_checks("chapter14.cross_entropy", "cross_entropy", groups, untouched=1):
        is_loss = check.part == "value" and check.compare == "close"
        yield replace(check, scalar_shape=is_loss)
