"""A lean engine: the same idea as in chapter 3, with as little as possible around NumPy.

Given. It imports NumPy only. A rule takes arrays and returns arrays; a fused op is one node with one
rule where the textbook has several; the walk needs no search of the graph beforehand; the optimizer
moves all parameters at once. The end of chapter 11 goes there step by step and measures each.

Arrays are not copied on their way: a gradient may be the very array that a rule returned, and two
tensors may share it. Read gradients, never write into them. Nor may values that a graph was built on
change before its ``backward``; ``SGD.step`` changes the parameters, so call it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np

NDArray = np.ndarray
Gradients = tuple["NDArray | None", ...]
Rule = Callable[[NDArray], Gradients]

_next_number = count().__next__
_new = object.__new__


class Tensor:
    """An array, and how it was made where a gradient has to go back there.

    Attributes:
        data: the values, an ndarray of floats; not a copy.
        grad: None, then an ndarray of the shape of ``data``.
        requires_grad: whether a gradient is wanted here, or further back.
        _inputs: the tensors that it was made from; ``()`` for a leaf.
        _rule: the gradient of this tensor -> one gradient (or None) per input; None for a leaf.
        _number: greater than that of everything it was made from.
    """

    __slots__ = ("data", "grad", "requires_grad", "_inputs", "_rule", "_number")
    __array_ufunc__ = None  # so that `array * tensor` is ours

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        """Make a leaf. ``data``: an ndarray, a (nested) list or a number; integers become float64."""
        data = np.asarray(data)
        self.data: NDArray = data if data.dtype.kind == "f" else data.astype(np.float64)
        self.grad: NDArray | None = None
        self.requires_grad = requires_grad
        self._inputs: tuple[Tensor, ...] = ()
        self._rule: Rule | None = None
        self._number = 0

    def __repr__(self) -> str:
        return f"lean.Tensor({self.data}, requires_grad={self.requires_grad})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def backward(self, grad: Any = None) -> None:
        """Add to every leaf that requires one the gradient of this tensor for that leaf.

        ``grad``: the gradient to start from, of this tensor's shape; None starts from ones. Where
        this tensor requires no gradient, nothing happens.

        Of all nodes that wait, the youngest goes first. Whoever used it is younger still, so that
        nobody can bring it anything any more: this order needs no search of the graph beforehand.
        """
        if not self.requires_grad:
            return
        start = _ones(self.shape, self.data.dtype) if grad is None else np.asarray(grad)
        if start.shape != self.shape:
            raise ValueError(f"a gradient of shape {start.shape} for values of shape {self.shape}")
        self.grad = start if self.grad is None else self.grad + start
        waiting = [(-self._number, self)] if self._rule else []
        while waiting:
            node = heappop(waiting)[1]
            grad, node.grad = node.grad, None
            for source, part in zip(node._inputs, node._rule(grad)):  # noqa: B905
                if part is None:
                    continue
                if source.grad is not None:
                    source.grad = source.grad + part
                    continue
                source.grad = part  # the first contribution as it is: no zeros to add it to
                if source._rule:
                    heappush(waiting, (-source._number, source))

    # ---- operators ------------------------------------------------------------------------

    def __add__(self, other: Any) -> Tensor:
        other = _tensor(other)
        return _pair(self.data + other.data, self, other, lambda g: g, lambda g: g)

    def __mul__(self, other: Any) -> Tensor:
        other = _tensor(other)
        a, b = self.data, other.data
        return _pair(a * b, self, other, lambda g: g * b, lambda g: g * a)

    def __sub__(self, other: Any) -> Tensor:
        other = _tensor(other)
        return _pair(self.data - other.data, self, other, lambda g: g, lambda g: -g)

    def __truediv__(self, other: Any) -> Tensor:
        other = _tensor(other)
        a, b = self.data, other.data
        return _pair(a / b, self, other, lambda g: g / b, lambda g: -g * a / (b * b))

    def __pow__(self, exponent: float) -> Tensor:
        a = self.data
        return _node(a**exponent, (self,), lambda g: (g * (exponent * a ** (exponent - 1)),))

    def __matmul__(self, other: Tensor) -> Tensor:
        """Both with at least two axes; the axes before the last two are a batch."""
        a, b = self.data, other.data
        return _pair(
            a @ b, self, other, lambda g: g @ b.swapaxes(-1, -2), lambda g: a.swapaxes(-1, -2) @ g
        )

    def __neg__(self) -> Tensor:
        return _node(-self.data, (self,), lambda g: (-g,))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Tensor:
        return _tensor(other) - self

    def __rtruediv__(self, other: Any) -> Tensor:
        return _tensor(other) / self

    # ---- shapes -----------------------------------------------------------------------------

    def sum(self, axis: int | tuple[int, ...] | None = None) -> Tensor:
        """The sum over ``axis`` (None: over all axes); these axes are gone in the result."""
        shape = self.shape

        def rule(g: NDArray) -> Gradients:
            kept = g if axis is None else np.expand_dims(g, axis)
            return (np.broadcast_to(kept, shape),)

        return _node(self.data.sum(axis), (self,), rule)

    def mean(self, axis: int | tuple[int, ...] | None = None) -> Tensor:
        total = self.sum(axis)
        return total * (total.data.size / self.data.size)

    def reshape(self, *shape: int) -> Tensor:
        return _node(self.data.reshape(shape), (self,), lambda g: (g.reshape(self.shape),))

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The last two axes swapped."""
        return _node(self.data.swapaxes(-1, -2), (self,), lambda g: (g.swapaxes(-1, -2),))


def _tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else Tensor(value)


def _node(data: Any, inputs: tuple[Tensor, ...], rule: Rule) -> Tensor:
    """The result of an op; it remembers how it was made only if an input requires a gradient."""
    for source in inputs:
        if source.requires_grad:
            out = _new(Tensor)
            out.data, out.grad, out.requires_grad = np.asarray(data), None, True
            out._inputs, out._rule, out._number = inputs, rule, _next_number()
            return out
    return Tensor(data)


def _pair(
    data: NDArray, a: Tensor, b: Tensor,
    rule_a: Callable[[NDArray], NDArray], rule_b: Callable[[NDArray], NDArray],
) -> Tensor:  # fmt: skip
    """An op of two inputs that NumPy may have stretched; a gradient nobody needs is left out."""

    def rule(g: NDArray) -> Gradients:
        return (
            _unbroadcast(rule_a(g), a.shape) if a.requires_grad else None,
            _unbroadcast(rule_b(g), b.shape) if b.requires_grad else None,
        )

    return _node(data, (a, b), rule)


def _unbroadcast(grad: NDArray, shape: tuple[int, ...]) -> NDArray:
    """``grad`` summed down to ``shape``: over axes put in front, and those stretched from 1."""
    if grad.shape == shape:
        return grad
    added = grad.ndim - len(shape)
    stretched = [i + added for i, size in enumerate(shape) if size == 1]
    return grad.sum((*range(added), *stretched)).reshape(shape)


# ---- functions, value by value ---------------------------------------------------------------


def exp(x: Tensor) -> Tensor:
    out = np.exp(x.data)
    return _node(out, (x,), lambda g: (g * out,))


def log(x: Tensor) -> Tensor:
    a = x.data
    return _node(np.log(a), (x,), lambda g: (g / a,))


def tanh(x: Tensor) -> Tensor:
    out = np.tanh(x.data)
    return _node(out, (x,), lambda g: (g * (1 - out * out),))


def sigmoid(x: Tensor) -> Tensor:
    decay = np.exp(-np.abs(x.data))  # at most 1: nothing overflows
    out = np.where(x.data >= 0, 1, decay) / (1 + decay)
    return _node(out, (x,), lambda g: (g * out * (1 - out),))


def relu(x: Tensor) -> Tensor:
    positive = x.data > 0
    return _node(x.data * positive, (x,), lambda g: (g * positive,))


# ---- fused: several ops of the textbook, one node, one rule -------------------------------------


def linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """``x @ weight + bias`` for shapes (batch, in), (in, out) and (out,)."""
    out = x.data.dot(weight.data)
    out += bias.data
    return _node(out, (x, weight, bias), _linear_rule(x, weight, bias))


def linear_tanh(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """``tanh(x @ weight + bias)``, shapes as in `linear`."""
    out = x.data.dot(weight.data)
    out += bias.data
    np.tanh(out, out)
    before = _linear_rule(x, weight, bias)

    def rule(g: NDArray) -> Gradients:
        slope = out * out
        np.subtract(1, slope, slope)
        slope *= g
        return before(slope)

    return _node(out, (x, weight, bias), rule)


def _linear_rule(x: Tensor, weight: Tensor, bias: Tensor) -> Rule:
    """``g @ weightᵀ``, ``xᵀ @ g``, and the sum of g over the batch, which is ``onesᵀ @ g``.

    For matrices `dot` is `@` with less around it, and a product sums a batch more quickly than `sum`.
    """
    a, w = x.data, weight.data
    return lambda g: (
        g.dot(w.T) if x.requires_grad else None,
        a.T.dot(g) if weight.requires_grad else None,
        _ones(len(g), g.dtype).dot(g) if bias.requires_grad else None,
    )


@lru_cache(maxsize=16)
def _ones(shape: int | tuple[int, ...], dtype: Any) -> NDArray:
    """Ones to be read; they are made once."""
    ones = np.ones(shape, dtype)
    ones.flags.writeable = False
    return ones


def cross_entropy(scores: Tensor, y: Any) -> Tensor:
    """The mean over the batch of ``-log softmax(scores)[y]``, a Tensor of shape ``()``.

    ``scores`` has the shape (batch, classes) and may be as large as ±1e4; ``y`` holds one class, an
    integer, per row. The gradient is ``(softmax - onehot(y)) / batch``.
    """
    batch, classes = scores.shape
    y = np.asarray(y, np.intp)  # labels are often bytes, and 9 · 64 is too much for a byte
    ones = _ones(batch, scores.data.dtype), _ones(classes, scores.data.dtype)
    # A row per class: a maximum or a sum over a long, thin array is several times as fast that way.
    shifted = scores.data.T.copy()
    shifted -= np.maximum.reduce(shifted)
    right = y * batch
    right += _rows(batch)  # where the score of the right class lies, as one counts through the array
    at_right = shifted.ravel().take(right)
    softmax = np.exp(shifted, shifted)
    total = ones[1].dot(softmax)
    softmax /= total
    softmax.ravel()[right] -= 1
    surprise = np.log(total, total)
    surprise -= at_right
    loss = surprise.dot(ones[0]) / batch
    return _node(loss, (scores,), lambda g: ((softmax * (float(g) / batch)).T,))


@lru_cache(maxsize=16)
def _rows(size: int) -> NDArray:
    return np.arange(size)


# ---- a network and its optimizer -----------------------------------------------------------------


class MLP:
    """Linear layers with tanh between them; the last one is left as it is.

    ``MLP((2, 16, 16, 2))`` goes from 2 inputs to 2 scores. Weights are drawn from a normal
    distribution with the spread ``1 / √in`` (Xavier's rule for equal sizes), biases are 0.
    """

    def __init__(self, sizes: Sequence[int], seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.layers = [
            (Tensor(rng.normal(0, i**-0.5, (i, o)), True), Tensor(np.zeros(o), True))
            for i, o in zip(sizes[:-1], sizes[1:], strict=True)
        ]

    def __call__(self, x: Tensor) -> Tensor:
        for weight, bias in self.layers[:-1]:
            x = linear_tanh(x, weight, bias)
        return linear(x, *self.layers[-1])

    def parameters(self) -> Iterator[Tensor]:
        for layer in self.layers:
            yield from layer


class SGD:
    """Gradient descent for all parameters at once.

    Attributes:
        values: the values of all parameters, one after the other. The ``data`` of each of them is a
            piece of it, so that two calls move them all.
    """

    def __init__(self, parameters: Iterable[Tensor], lr: float = 0.01) -> None:
        """All parameters are of one dtype; each of them counts once."""
        self.parameters = list(dict.fromkeys(parameters))
        self.lr = lr
        if not self.parameters:
            raise ValueError("There is nothing to train: the optimizer got no parameters.")
        if len({parameter.data.dtype for parameter in self.parameters}) > 1:
            raise ValueError("This optimizer moves all parameters as one array: one dtype for all.")
        self._gather()

    def _gather(self) -> None:
        self.values = np.concatenate([parameter.data.ravel() for parameter in self.parameters])
        self._move = np.empty_like(self.values)
        ends = np.cumsum([parameter.data.size for parameter in self.parameters])
        pieces = np.split(self.values, ends[:-1])
        for parameter, piece in zip(self.parameters, pieces, strict=True):
            parameter.data = piece.reshape(parameter.shape)

    def zero_grad(self) -> None:
        for each in self.parameters:
            each.grad = None

    def step(self) -> None:
        """``p ← p − lr · g`` for every parameter; one without a gradient stays where it is."""
        values, gradients = self.values, []
        for parameter in self.parameters:
            if parameter.data.base is not values:  # somebody gave it another array
                self._gather()
                values = self.values
            grad = parameter.grad
            gradients.append(np.zeros(parameter.shape) if grad is None else grad)
        move = np.concatenate(gradients, None, self._move)
        move *= self.lr
        values -= move
