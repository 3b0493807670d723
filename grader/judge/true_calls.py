"""What one call of a learner's definition should have given, where a formula says it.

The course's `formulas.py` says what calls give; nothing where a course has none. It stands beside
`course.json`, and goes wherever that goes: where a release is judged there are no sources, and a
learner is still told which of several calls is at fault.

`Noted` is a call as the worker told it (`sandbox/worker/call_log.py`); all of it may be made up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ..about import FORMULAS, own_names
from ..arrays import Array, plain
from ..course.compare import difference
from ..sandbox.observation import Frame, line_number
from . import fault_localisation

FORWARD, BACKWARD, TENSOR, VALUE, OWN = "forward", "backward", "tensor", "value", "own"

# What a call is to give instead, as `Calls.made` in the worker takes it; arrays in their places.
Instead = tuple[Any, ...]
UNKNOWN: Instead = ("unknown",)  # a formula speaks of such calls, and cannot say it of this one

# One node of the graph: the op, what it is made with, and which arguments of the call it takes;
# -1 is what the step before gave.
Step = tuple[str, tuple[Any, ...], tuple[int, ...]]
NUDGE = 1e-30


_SAID = own_names(FORMULAS)
# The module whose classes have rows in the course's table.
OPS: str = _SAID.get("OPS", "")
# Operator, method or function → from the shape of its first argument and the arguments after it
# to the nodes that it makes.
NODES: dict[str, Callable[..., list[Step]]] = _SAID.get("NODES", {})
# A rule on plain numbers → the formula, through which complex numbers pass.
NUMBERS: dict[str, Callable[..., Any]] = _SAID.get("NUMBERS", {})
# Of these, whose second argument is a number and has no slope.
PLAIN_SECOND: tuple[str, ...] = _SAID.get("PLAIN_SECOND", ())
# Engine → what made a node → the op with the same formula, and the names under which the node
# remembers what that op is made with.
ENGINES: dict[str, dict[str, tuple[str, ...]]] = _SAID.get("ENGINES", {})


class Noted(NamedTuple):
    """One call.

    Attributes:
        within: the number of the call in which it was made, among those of its probe; or -1.
        key: stands for the target and all that it was given; empty where that is not known.
        given: for each argument ``("tensor", whether it requires a gradient)``, ``("array",)``,
            ``("value",)`` or ``("plain", value)``.
        gave: the arrays of the result; None where it raised or gave what cannot be read.
        reached: for each node among the arguments, whether the result's graph leads to it.
        is_changed: whether it changed what it was given, in place.
        is_right: whether it was put right in this run.
    """

    target: str
    within: int
    key: str
    given: list[Any]
    attrs: Any
    inputs: list[Array]
    gave: list[Array] | None
    reached: str
    is_changed: bool
    is_right: bool


def kind_of(target: str) -> str:
    """How a call of this definition is judged; empty where no formula speaks of it."""
    if target in NODES:
        return TENSOR
    if target in NUMBERS:
        return VALUE
    module, _, path = target.partition(".")
    op, _, direction = path.partition(".")
    if module == OPS and op in fault_localisation.read_rows() and direction in (FORWARD, BACKWARD):
        return direction
    return ""


def read_call(frame: Frame) -> Noted:
    """A frame of the worker as a call."""
    texts = frame.texts
    within, value = texts.get("within", ""), fault_localisation.read_value
    return Noted(
        texts.get("target", ""), line_number(within) if within != "-1" else -1,
        texts.get("key", "")[:40], value(texts.get("given", "")) or [],
        value(texts.get("attrs", "()")), frame.parts.get("input", []),
        frame.parts.get("gave", []) if texts.get("gave") else None,
        texts.get("reached", "")[:60], texts.get("changed") == "1", texts.get("right") == "1",
    )  # fmt: skip


def should_give(call: Noted, until: float) -> Instead | None:
    """What this call should have given instead; None where it was right, or is not to blame.

    Given what its op is not made for, it is not to blame. `UNKNOWN` where its formula cannot say:
    at a kink, or where the op's own arguments could not be told.
    """
    judge = {FORWARD: _forward, BACKWARD: _backward, TENSOR: _node, VALUE: _number}
    kind = kind_of(call.target)
    if kind not in judge:
        return None
    if not call.key or call.attrs is None or time.process_time() > until:
        return UNKNOWN
    try:
        return judge[kind](call, until)
    except Exception:
        return None  # outside of what the formula is made for


def _forward(call: Noted, until: float) -> Instead | None:
    if any(each != ("array",) for each in call.given):
        return None
    right = _computed(call.target.split(".")[1], call.inputs, call.attrs)
    if not call.is_changed and _gave(call, right):
        return None
    return "arrays", right


def _gave(call: Noted, right: Array) -> bool:
    return call.gave is not None and len(call.gave) == 1 and _same(call.gave[0], right)


def _computed(op: str, inputs: list[Array], attrs: Any) -> Array:
    """An op's formula, in the dtype of what it is given."""
    import numpy as np

    from ..course.build_chapter import as_plain

    small = fault_localisation.Call(op, attrs, inputs, None, [])
    if not fault_localisation.is_small(small):
        raise ValueError
    arrays = [np.frombuffer(bytes(a.data), a.dtype).reshape(a.shape) for a in inputs]
    with np.errstate(all="ignore"):
        return as_plain(np.asarray(fault_localisation.read_rows()[op].forward(*arrays, *attrs)))


def _same(mine: Array, right: Array) -> bool:
    return difference(mine, right, "reference", same_dtype=True) is None


def _backward(call: Noted, until: float) -> Instead | None:
    op = call.target.split(".")[1]
    out_grad, *inputs = call.inputs
    if any(each[0] != "tensor" for each in call.given) or not inputs:
        return None
    made = fault_localisation.Call(op, call.attrs, inputs, out_grad, call.gave or [])
    found = fault_localisation.right_gradients(made, until)
    if found is None:
        return UNKNOWN
    shapes = [a.shape for a in call.gave or ()]
    is_plain = shapes == [a.shape for a in inputs] and not call.is_changed
    if is_plain and fault_localisation.examine(made, until).status == fault_localisation.RIGHT:
        return None
    return "tensors", *(_like(each, out_grad) for each in found)


def _like(array: Array, model: Array) -> Array:
    """The values in the dtype of another array, if that is single precision."""
    return plain(array.shape, array.values(), "float32") if model.dtype == "float32" else array


def _node(call: Noted, until: float) -> Instead | None:
    first, *others = call.given
    if first[0] != "tensor" or any(each[0] not in ("tensor", "plain") for each in others):
        return None
    told = [each[1] if each[0] == "plain" else "tensor" for each in others]
    steps = NODES[call.target](call.inputs[0].shape, *told)
    right = _chained(steps, call.inputs)
    needed = [each[1] for each in call.given if each[0] == "tensor"]
    reached = [mark == "1" for mark in call.reached]
    is_whole = len(reached) == len(needed) and all(
        r or not n for r, n in zip(reached, needed, strict=True)
    )
    if is_whole and not call.is_changed and _gave(call, right):
        return None
    return "nodes", *steps


def _chained(steps: list[Step], inputs: list[Array]) -> Array:
    found = inputs[0]
    for op, attrs, order in steps:
        found = _computed(op, [found if n < 0 else inputs[n] for n in order], attrs)
    return found


def _number(call: Noted, until: float) -> Instead | None:
    """A Value's data may be right and its rule wrong, so it counts as wrong until put right."""
    arrays = iter(call.inputs)
    numbers = [next(arrays).values()[0] if e[0] == "value" else e[1] for e in call.given]
    if call.is_right or not all(isinstance(n, (int, float)) for n in numbers):
        return None
    formula = NUMBERS[call.target]
    data = complex(formula(*map(float, numbers))).real
    found = slopes(formula, numbers)
    if call.target in PLAIN_SECOND:
        if call.given[1][0] == "value":
            return None  # it is asked for numbers only
        found = found[:1]
    return ("value", data, found) if all(map(math.isfinite, [data, *found])) else None


def slopes(formula: Callable[..., Any], numbers: list[float]) -> list[float]:
    """The derivative in each of the numbers, by the complex step."""
    return [
        complex(formula(*(complex(x, NUDGE * (i == at)) for i, x in enumerate(numbers)))).imag
        / NUDGE
        for at in range(len(numbers))
    ]
