"""Draw small programs: every kind of op, attributes that are None, values read twice and late.

A program is sent as plain values (`Given`): inputs as (shape, dtype), rows as (op, inputs,
attributes), outputs by name, and the number in the name of its first row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

import numpy as np

Row = tuple[str, str, dict[str, Any]]
Given = tuple[list[tuple[tuple[int, ...], str]], list[Row], str, int]
Shape = tuple[int, ...]


def nothing(rng: Random, shape: Shape) -> dict[str, Any]:
    return {}


class Op(NamedTuple):
    """An op: its function, how many values it reads, and its attributes for a shape."""

    formula: Callable[..., Any]
    reads: int = 1
    attrs: Callable[[Random, Shape], dict[str, Any]] = nothing


def scalar(rng: Random, shape: Shape) -> dict[str, Any]:
    return {"scalar": rng.choice((2.0, -0.5, 3.0, 1.5))}


def some_axes(rng: Random, shape: Shape) -> dict[str, Any]:
    every = range(-len(shape), len(shape))
    return {"axes": rng.choice((None, tuple(range(len(shape))), *every))}


def one_axis(rng: Random, shape: Shape) -> dict[str, Any]:
    return {"axes": rng.randrange(-len(shape), len(shape))}


def order(rng: Random, shape: Shape) -> dict[str, Any]:
    return {"axes": rng.choice((None, tuple(reversed(range(len(shape))))))}


def log_sum(a: np.ndarray, axes: Any) -> Any:
    return np.log(np.exp(a).sum(axis=axes))


def spaced(a: np.ndarray, axes: int, step: int) -> np.ndarray:
    return np.insert(a, range(1, a.shape[axes]), 0.0, axis=axes)  # two places for each but the last


OPS = {
    "Add": Op(np.add, 2), "Sub": Op(np.subtract, 2), "Mul": Op(np.multiply, 2),
    "Div": Op(np.divide, 2), "Pow": Op(np.power, 2), "MatMul": Op(np.matmul, 2),
    "Negate": Op(np.negative), "Exp": Op(np.exp), "Log": Op(np.log), "Sqrt": Op(np.sqrt),
    "Tanh": Op(np.tanh), "Abs": Op(np.abs), "ReLU": Op(lambda a: np.maximum(a, 0)),
    "Sigmoid": Op(lambda a: 1 / (1 + np.exp(-a))), "Sign": Op(np.sign),
    "Step": Op(lambda a: (a > 0).astype(a.dtype)),
    "AddScalar": Op(lambda a, scalar: a + scalar, 1, scalar),
    "MulScalar": Op(lambda a, scalar: a * scalar, 1, scalar),
    "DivScalar": Op(lambda a, scalar: a / scalar, 1, scalar),
    "PowerScalar": Op(lambda a, scalar: a ** float(scalar), 1, scalar),
    "Summation": Op(lambda a, axes: a.sum(axis=axes), 1, some_axes),
    "Max": Op(lambda a, axes: a.max(axis=axes), 1, some_axes),
    "LogSumExp": Op(log_sum, 1, some_axes),
    "LogSoftmax": Op(lambda a, axis: a - np.log(np.exp(a).sum(axis=axis, keepdims=True)), 1,
                     lambda rng, shape: {"axis": -1}),
    "Flip": Op(lambda a, axes: np.flip(a, axes), 1, one_axis),
    "Transpose": Op(lambda a, axes: a.swapaxes(-1, -2) if axes is None else a.transpose(axes), 1,
                    order),
    "Reshape": Op(lambda a, shape: a.reshape(shape), 1, lambda rng, shape: {"shape": shape[::-1]}),
    "BroadcastTo": Op(np.broadcast_to, 1, lambda rng, shape: {"shape": (2, *shape)}),
    "Pad": Op(lambda a, widths: np.pad(a, widths), 1,
              lambda rng, shape: {"widths": ((1, 0),) * len(shape)}),
    "Slice": Op(lambda a, index: np.asarray(a[index]), 1,
                lambda rng, shape: {"index": (slice(None, None, -1),)}),
    "Dilate": Op(spaced, 1, lambda rng, shape: {"axes": 0, "step": 2}),
    "Take": Op(lambda a, indices: a[indices], 1,
               lambda rng, shape: {"indices": np.array([0, shape[0] - 1, 0])}),
}  # fmt: skip
# Whole numbers stay whole: their texts are the same on every machine.
EXACT = ("Add", "Sub", "Mul", "MatMul", "Negate", "Summation", "Transpose", "Flip", "Reshape")
FORMULAS: dict[str, Callable[..., Any]] = {
    "constant": lambda value: value, **{name: op.formula for name, op in OPS.items()},
}  # fmt: skip
LARGEST, MOST = 40.0, 12  # a value, and how many there are in an array


def values_of(given: Given, arrays: Iterable[np.ndarray]) -> dict[str, np.ndarray]:
    """Compute every value of a program, by name."""
    _, rows, _, first = given
    found = {f"x{number}": array for number, array in enumerate(arrays)}
    for number, (op, names, attrs) in enumerate(rows, first):
        read = (found[name] for name in names.split())
        with np.errstate(all="ignore"):  # only the shapes of some count
            found[f"v{number}"] = np.asarray(FORMULAS[op](*read, **attrs))
    return found


def whole_array(rng: Random, shape: Shape) -> np.ndarray:
    """Small whole numbers; 0 and 1 are not among them."""
    count = int(np.prod(shape, dtype=int))
    return np.array([float(rng.choice((-3, -2, 2, 3))) for _ in range(count)]).reshape(shape)


class Drawn(NamedTuple):
    """A program, and arrays that it can be computed with."""

    given: Given
    arrays: list[np.ndarray]


class Drawing:
    """A program while it is drawn, row by row."""

    def __init__(self, rng: Random, kinds: Iterable[str], constants: int) -> None:
        self.rng, self.kinds = rng, list(kinds)
        shape = tuple(rng.sample((2, 3), 2))
        self.arrays = [whole_array(rng, each) for each in (shape, shape, shape[1:])]
        self.values = {f"x{number}": array for number, array in enumerate(self.arrays)}
        self.rows: list[Row] = []
        for _ in range(constants):
            value = whole_array(rng, (2, 2))
            self.add(("constant", "", {"value": value}), value)

    def add(self, row: Row, value: np.ndarray) -> None:
        self.values[f"v{len(self.rows)}"] = value
        self.rows.append(row)

    def grow(self) -> None:
        """Add a row that can be computed; one in four repeats an earlier one."""
        while True:
            row = self.repeated() if self.rows and self.rng.random() < 0.25 else self.new_row()
            op, names, attrs = row
            try:
                with np.errstate(all="raise"):
                    read = (self.values[name] for name in names.split())
                    value = np.asarray(FORMULAS[op](*read, **attrs))
            except (TypeError, ValueError, IndexError, FloatingPointError):
                continue
            if value.size <= MOST and np.abs(value).max() <= LARGEST:
                return self.add(row, value)

    def repeated(self) -> Row:
        return self.rng.choice(self.rows)

    def new_row(self) -> Row:
        """A row of any kind; it reads late values rather than early ones, and one of them twice."""
        rng, op = self.rng, self.rng.choice(self.kinds)
        recent = [*self.values][-4:] if rng.random() < 0.7 else [*self.values]
        names = [rng.choice(recent) for _ in range(OPS[op].reads)]
        if rng.random() < 0.35:
            names = names[:1] * len(names)
        shape = self.values[names[0]].shape
        # A number without axes has none to choose from: then the row cannot be computed.
        attrs = OPS[op].attrs(rng, shape) if shape or OPS[op].attrs is scalar else {}
        return op, " ".join(names), attrs

    def finish(self) -> Drawn:
        """End it: the last value is an output, and up to two others; inputs too, and it again."""
        *_, last = self.values
        outputs = self.rng.sample([*self.values], self.rng.randrange(3))
        inputs = [(array.shape, "float64") for array in self.arrays]
        return Drawn((inputs, self.rows, " ".join([*outputs, last]), 0), self.arrays)


def draw_program(
    rng: Random, rows: int, until: Callable[[Given], bool] = lambda given: True,
    kinds: Iterable[str] = OPS, constants: int = 0,
) -> Drawn:  # fmt: skip
    """Draw programs of so many rows until one has a property."""
    kinds = tuple(kinds)
    while True:
        drawing = Drawing(rng, kinds, constants)
        while len(drawing.rows) < rows:
            drawing.grow()
        drawn = drawing.finish()
        if until(drawn.given):
            return drawn


def shrink(given: Given, fails: Callable[[Given], bool]) -> Given:
    """Return the smallest program that still fails: rows and outputs go, one after another."""
    while True:
        smaller = next(filter(fails, smaller_ones(given)), None)
        if smaller is None:
            return given
        given = smaller


def smaller_ones(given: Given) -> Iterable[Given]:
    """Yield the programs with an output less, or with a row less: what it read stands in for it."""
    inputs, rows, outputs, first = given
    names = outputs.split()
    for at in range(len(names) if len(names) > 1 else 0):
        yield inputs, rows, " ".join(names[:at] + names[at + 1 :]), first
    for at in reversed(range(len(rows))):
        for source in rows[at][1].split()[:1] or ["x0"]:
            new = {f"v{first + n}": f"v{first + n - (n > at)}" for n in range(len(rows))}
            new[f"v{first + at}"] = source

            def renamed(text: str, new: dict[str, str] = new) -> str:
                return " ".join(new.get(name, name) for name in text.split())

            kept = [(op, renamed(read), a) for n, (op, read, a) in enumerate(rows) if n != at]
            yield inputs, kept, renamed(outputs), first
