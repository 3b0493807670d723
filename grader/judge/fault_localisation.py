"""Locate a wrong gradient: the first op in the learner's own graph whose backward is wrong.

Every op that took part is compared with the numeric derivative of its row's NumPy forward, in
float64, at the inputs it had. An op without a row is «not checked», never exonerated. Of `check`,
only this module imports NumPy and the course; it runs only if a gradient through several ops is
wrong.
"""

from __future__ import annotations

import math
import time
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..arrays import Array, sum_to
from ..course.compare import difference
from ..course.key_file import ChapterKey
from ..errors import OurFault
from ..sandbox.session import Session

if TYPE_CHECKING:
    import numpy as np

    from ..course import OpRow

RIGHT, WRONG, NOT_CHECKED = "right", "wrong", "not checked"
MOST_NAMED = 4
# A call comes from the learner's process, which may send anything.
MOST_CALLS = 256  # as in `sandbox/worker/call_log.py`
MOST_VALUES = 4096  # of one call, all arrays together; as in the same file
MOST_TEXT = 1000  # characters of an op's arguments, or of a call's constants
MOST_MADE = 1 << 22  # values that an op may make of them
PATIENCE = 2.0  # seconds for all calls of a walk


class BudgetExhausted(Exception):
    """The time to examine calls is over."""


class BackwardCall(NamedTuple):
    """One op's backward as it was called in the worker; arrays are empty if unreadable.

    Gradients of ``constants``, by number, are dropped by every walk, and so are not compared.
    """

    op: str
    attrs: Any
    inputs: list[Array]
    out_grad: Array | None
    gradients: list[Array]
    constants: tuple[int, ...] = ()


class Finding(NamedTuple):
    """The result for one call: a status, and, if it is wrong, in which way."""

    status: str
    says: str = ""


def locate_fault(session: Session, chapter: ChapterKey, number: int) -> list[str]:
    """Return a sentence about the op at which the gradient goes wrong; none if no op took part."""
    frames = list(session.ask({"record": [number]}, chapter.probes[number]["seconds"]))
    calls = [call_of(f.texts, f.parts) for f in frames if f.kind == "node"][:MOST_CALLS]
    if not calls:
        return []
    until = time.process_time() + PATIENCE
    return describe_walk(calls, [check_call(call, until) for call in calls])


@lru_cache(maxsize=256)
def read_value(text: str) -> Any:
    """Parse a plain value that the worker wrote; None for anything else."""
    from ..course.syntax_tree import NO_PYTHON, parse_literal

    try:
        return parse_literal(text[:MOST_TEXT])
    except NO_PYTHON:
        return None


def call_of(texts: dict[str, str], parts: dict[str, list[Array]]) -> BackwardCall:
    """Convert a worker's frame to a call; attrs that are no plain values become None: unchecked."""
    out_grad = parts.get("out_grad", [])
    constants = texts.get("constants", "")[:MOST_TEXT].split()
    return BackwardCall(
        texts.get("op", "")[:40], read_value(texts.get("attrs", "")), parts.get("input", []),
        out_grad[0] if len(out_grad) == 1 else None, parts.get("gradient", []),
        tuple(int(n) for n in constants if n.isdecimal() and len(n) < 4),
    )  # fmt: skip


def describe_walk(calls: list[BackwardCall], findings: list[Finding]) -> list[str]:
    """Describe a whole backward pass, the first wrong op above all."""
    count = len(calls)
    unknown = sorted({c.op for c, f in zip(calls, findings, strict=True) if f[0] == NOT_CHECKED})
    more = f" Not checked: {', '.join(unknown[:MOST_NAMED])}." if unknown else ""
    for place, (call, found) in enumerate(zip(calls, findings, strict=True)):
        if found.status == WRONG:
            where = f"{call.op} (node {place + 1} of {count}, counted back from the output)"
            earlier = sorted({c.op for c, f in zip(calls[:place], findings, strict=False)
                              if f.status == NOT_CHECKED})  # fmt: skip
            before = f" Not checked before it: {', '.join(earlier[:MOST_NAMED])}."
            says = f"The gradient goes wrong first at {where}: {found.says}."
            return [says + before if earlier else says]
    if all(found.status == NOT_CHECKED for found in findings):
        return []
    if unknown:
        return [f"The ops of this graph that could be checked return right gradients.{more}"]
    return [
        f"Every op's backward is right here (nodes checked: {count}). "
        "So look at what calls it, and at what is computed forward."
    ]


@cache
def read_rows() -> dict[str, OpRow]:
    """Return op → its row of the course's table, which covers the package's `ops` alone.

    An engine of chapter 11 has its own `Mul`: the course's `graphs.py` says which row it is like.
    Only files that hold a row are imported: a learner waits.

    Raises:
        OurFault: an op has two rows: the later would be taken for the earlier.
    """
    from pathlib import Path

    from .. import root
    from ..course import OpRow
    from ..course.modules import import_module
    from ..course.package import module_of, python_files

    found: dict[str, OpRow] = {}
    for name, path in python_files(root.path("exercises")):  # none, if there is no such folder
        if b"OpRow(" not in Path(path).read_bytes():
            continue
        module = import_module(f"exercises.{module_of(name)}")
        for row in (each for each in vars(module).values() if isinstance(each, OpRow)):
            if found.setdefault(row.op, row) is not row:
                raise OurFault(f"{row.op} has two rows; one class of `ops`, one row.")
    return found


def check_call(call: BackwardCall, until: float | None = None) -> Finding:
    """Compare one call with the numeric derivative of its op, until that processor time."""
    row = read_rows().get(call.op)
    if row is None or call.attrs is None or call.out_grad is None or not call.inputs:
        return Finding(NOT_CHECKED)
    if not is_small(call):
        return Finding(NOT_CHECKED)
    if len(call.gradients) != len(call.inputs):
        says = f"it returns {len(call.gradients)} gradient(s) for {len(call.inputs)} input(s)"
        return Finding(WRONG, says)
    try:
        return _examined(row, call, time.process_time() + PATIENCE if until is None else until)
    except Exception:
        # The row is not made for this call, or its arrays cannot be read.
        return Finding(NOT_CHECKED)


def is_small(call: BackwardCall) -> bool:
    """Whether a call's arrays, and what its arguments may make of them, are within bounds."""
    arrays = [*call.inputs, *call.gradients, *([call.out_grad] if call.out_grad else [])]
    values = sum(math.prod(array.shape) for array in arrays)
    if values > MOST_VALUES:
        return False
    axes = max(len(array.shape) for array in call.inputs)
    attrs = call.attrs if isinstance(call.attrs, tuple) else (call.attrs,)
    return all(_made(each, values, axes) <= MOST_MADE for each in attrs)


def _made(attr: object, values: int, axes: int) -> int:
    """Return how many values an op may make of so many, at most, with this argument."""
    if isinstance(attr, int):
        return values * int(abs(attr) ** axes)  # a padding or a step, along every axis
    items = attr if isinstance(attr, (tuple, list)) else ()
    shape = math.prod(abs(n) for n in items if isinstance(n, int))  # to broadcast to
    pairs = [pair for pair in items if isinstance(pair, (tuple, list))]  # zeros before and after
    around = math.prod(1 + sum(abs(n) for n in pair if isinstance(n, int)) for pair in pairs)
    return max(shape, values * around)


def _examined(row: OpRow, call: BackwardCall, until: float) -> Finding:
    expected = _derivative(row, call, until)
    if expected is None:
        return Finding(NOT_CHECKED)
    for which, (mine, right) in enumerate(zip(call.gradients, expected, strict=True)):
        if which in call.constants:
            continue
        # The walk may sum the gradient of a broadcast input after `backward`.
        found = difference(_summed(mine, right), right, "finite_difference")
        if found is not None and not _at_a_kink(row, call, which, mine, until):
            of = "its gradient" + (f" of {_input(row, which)}" if len(expected) > 1 else "")
            return Finding(WRONG, _says(of, mine, right))
    return Finding(RIGHT)


def _derivative(row: OpRow, call: BackwardCall, until: float) -> list[Array] | None:
    """Return the right gradients; None if they are not finite or the shapes do not fit."""
    import numpy as np

    from ..course import numeric
    from ..course.key_encoding import to_buffer

    inputs, attrs = [_numpy(a) for a in call.inputs], call.attrs
    assert call.out_grad is not None
    cotangent = _numpy(call.out_grad)

    def forward(*arrays: np.ndarray) -> np.ndarray:
        if time.process_time() > until:
            raise BudgetExhausted
        return np.asarray(row.forward(*arrays, *attrs))

    with np.errstate(all="ignore"):
        out = forward(*inputs)
        if not np.isfinite(out).all():
            return None  # outside the op's domain, although its complex step may be finite
        if out.shape != cotangent.shape:
            cotangent = cotangent.reshape(out.shape)
        found = numeric.vjp(forward, inputs, cotangent, analytic=row.analytic)
    asked = [g for which, g in enumerate(found) if which not in call.constants]
    return [to_buffer(g) for g in found] if all(np.isfinite(g).all() for g in asked) else None


def _numpy(array: Array) -> np.ndarray:
    import numpy as np

    return np.frombuffer(bytes(array.data), array.dtype).reshape(array.shape).astype(np.float64)


def _summed(mine: Array, right: Array) -> Array:
    """Sum a gradient to its input's shape, as the walk does after broadcasting, if that fits."""
    total = sum_to(mine, right.shape) if mine.shape != right.shape else None
    return mine if total is None else total


def _at_a_kink(row: OpRow, call: BackwardCall, which: int, mine: Array, until: float) -> bool:
    """Whether a wrong gradient lies between the slopes on both sides, as is right at a kink."""
    import numpy as np

    if mine.shape != call.inputs[which].shape:
        return False
    sides = []  # of `abs` at 0: 1 and -1, and any gradient between them is accepted
    for step in (1e-6, -1e-6):
        moved = [_moved(a, step if i == which else 0) for i, a in enumerate(call.inputs)]
        found = _derivative(row, call._replace(inputs=moved), until)
        if found is None:
            return False
        sides.append(_numpy(found[which]))
    slack = 1e-5 * (1 + np.abs(sides[0]))
    low, high = np.minimum(*sides) - slack, np.maximum(*sides) + slack
    values = _numpy(mine)
    return bool(((values >= low) & (values <= high)).all())


def _moved(array: Array, step: float) -> Array:
    values = _numpy(array) + step
    return Array("float64", array.shape, values.tobytes())


def _input(row: OpRow, which: int) -> str:
    """Return an input's name in the op's formula; its number if the formula has none."""
    import inspect

    parameters = inspect.signature(row.forward).parameters.values()
    names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    return names[which] if which < len(names) else f"input {which + 1}"


def _says(of: str, mine: Array, right: Array) -> str:
    if mine.shape != right.shape and _summed(mine, right) is not mine:
        of, mine = f"{of}, summed to the shape of the input,", _summed(mine, right)
    if mine.shape != right.shape:
        return f"{of} has the shape {mine.shape}, not {right.shape}"
    pairs = zip(mine.values(), right.values(), strict=True)
    yours, theirs = max(pairs, key=lambda pair: abs(pair[0] - pair[1]))
    return f"{of} holds {yours:.4g} where {theirs:.4g} is right"
