"""Every operation: its forward, and beside it the rule that sends a gradient back (chapter 3).

In every ``backward``, ``out_grad`` is the upstream gradient: how much the final number moves
per unit of this node's output. ``node`` is the Tensor that ``forward`` made; its inputs are
``node._inputs``. A ``backward`` returns one Tensor per input (a bare Tensor for one input),
each of that input's shape. It is written with Tensor operations, so that it can itself be
differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import NDArray, Tensor


class Function:
    """One operation of the graph: how to compute it, and how to send a gradient back."""

    def __call__(self, *inputs: Tensor) -> Tensor:
        """Compute the output of ``inputs``, and remember how, where a gradient is needed."""
        arrays, requires_grad = [], False
        for x in inputs:
            arrays.append(x.data)
            requires_grad = requires_grad or x.requires_grad
        data = self.forward(*arrays)
        out = Tensor(data, dtype=data.dtype, requires_grad=requires_grad)
        if requires_grad:
            out._op = self
            out._inputs = list(inputs)
        return out

    def forward(self, *arrays: NDArray) -> NDArray:
        """The values of the output, from those of the inputs: ndarrays in, ndarray out.

        The dtype stays: float64 in, float64 out.
        """
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Any:
        """One gradient per input of ``node``, given the gradient of its output."""
        raise NotImplementedError


# ---- element by element, two inputs ---------------------------------------------------


class Add(Function):
    """``a + b``. Both inputs move the output one for one."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        return a + b

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        return out_grad, out_grad


class Sub(Function):
    """``a - b``."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a - b``, value by value."""
        ### BEGIN SOLUTION
        return a - b
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(a-b)/da = 1, d(a-b)/db = -1."""
        ### BEGIN SOLUTION
        return out_grad, -out_grad
        ### END SOLUTION


class Mul(Function):
    """``a * b``."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        return a * b

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(ab)/da = b, d(ab)/db = a."""
        ### BEGIN SOLUTION
        a, b = node._inputs
        return out_grad * b, out_grad * a
        ### END SOLUTION


class Div(Function):
    """``a / b``."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a / b``, value by value."""
        ### BEGIN SOLUTION
        return a / b
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(a/b)/da = 1/b, d(a/b)/db = -a/b²."""
        ### BEGIN SOLUTION
        a, b = node._inputs
        return out_grad / b, -out_grad * a / (b * b)
        ### END SOLUTION


class Pow(Function):
    """``a ** b`` for two tensors; the exponent has a gradient too, where ``a`` is positive."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a ** b``, value by value."""
        ### BEGIN SOLUTION
        return a**b
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients: d(aᵇ)/da = b·aᵇ⁻¹ and, for a positive ``a``, d(aᵇ)/db = aᵇ·log a."""
        ### BEGIN SOLUTION
        a, b = node._inputs
        return out_grad * b * a ** (b - 1), out_grad * node * log(a)
        ### END SOLUTION


# ---- element by element, one input ----------------------------------------------------


class Negate(Function):
    """``-a``."""

    def forward(self, a: NDArray) -> NDArray:
        """``-a``, value by value."""
        ### BEGIN SOLUTION
        return -a
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(-a)/da = -1."""
        ### BEGIN SOLUTION
        return -out_grad
        ### END SOLUTION


class Log(Function):
    """The natural logarithm, for positive values."""

    def forward(self, a: NDArray) -> NDArray:
        """The natural logarithm of every value."""
        ### BEGIN SOLUTION
        return np.log(a)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(log a)/da = 1/a."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad / a
        ### END SOLUTION


class Exp(Function):
    """The exponential function."""

    def forward(self, a: NDArray) -> NDArray:
        """``e ** a``, value by value."""
        ### BEGIN SOLUTION
        return np.exp(a)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(eᵃ)/da = eᵃ, which is the output itself."""
        ### BEGIN SOLUTION
        return out_grad * node
        ### END SOLUTION


class Sqrt(Function):
    """The square root, for positive values."""

    def forward(self, a: NDArray) -> NDArray:
        """The square root of every value."""
        ### BEGIN SOLUTION
        return np.sqrt(a)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(√a)/da = 1/(2√a)."""
        ### BEGIN SOLUTION
        return out_grad / (node + node)
        ### END SOLUTION


class Abs(Function):
    """The absolute value."""

    def forward(self, a: NDArray) -> NDArray:
        """The absolute value of every value."""
        ### BEGIN SOLUTION
        return np.abs(a)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: the sign of ``a``, and by convention 0 where ``a`` is 0."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * Tensor(np.sign(a.data), dtype=a.dtype, requires_grad=False)
        ### END SOLUTION


class ReLU(Function):
    """``max(a, 0)``: what is positive passes, the rest is 0."""

    def forward(self, a: NDArray) -> NDArray:
        """``max(a, 0)``, value by value."""
        ### BEGIN SOLUTION
        return np.maximum(a, 0)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` where ``a > 0``, else 0; at exactly 0 it is 0."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return out_grad * Tensor(a.data > 0, dtype=a.dtype, requires_grad=False)
        ### END SOLUTION


class Sigmoid(Function):
    """``1 / (1 + e⁻ᵃ)``: squeezes every number between 0 and 1."""

    def forward(self, a: NDArray) -> NDArray:
        """``1 / (1 + e⁻ᵃ)``, value by value; no overflow for any finite ``a``."""
        ### BEGIN SOLUTION
        # e to the power of a negative number cannot overflow: e^-|a| serves both signs.
        decay = np.exp(-np.abs(a))
        return np.where(a >= 0, 1, decay) / (1 + decay)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: s·(1 - s), where s is the output."""
        ### BEGIN SOLUTION
        return out_grad * node * (1 - node)
        ### END SOLUTION


class Tanh(Function):
    """The hyperbolic tangent: squeezes every number between -1 and 1."""

    def forward(self, a: NDArray) -> NDArray:
        """The hyperbolic tangent of every value; far from 0 it is -1 or 1, and never nan."""
        ### BEGIN SOLUTION
        return np.tanh(a)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: 1 - t², where t is the output."""
        ### BEGIN SOLUTION
        # out_grad · (1 - t²), multiplied out: one op less.
        return out_grad - out_grad * node * node
        ### END SOLUTION


# ---- with a number that is not part of the graph --------------------------------------


class AddScalar(Function):
    """``a + scalar``. The number has no gradient; ``a`` moves the output one for one."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        return a + self.scalar

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return out_grad


class MulScalar(Function):
    """``a * scalar``."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        """Every value times ``self.scalar``."""
        ### BEGIN SOLUTION
        return a * self.scalar
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(ca)/da = c."""
        ### BEGIN SOLUTION
        return out_grad * self.scalar
        ### END SOLUTION


class DivScalar(Function):
    """``a / scalar``."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        """Every value divided by ``self.scalar``."""
        ### BEGIN SOLUTION
        return a / self.scalar
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(a/c)/da = 1/c."""
        ### BEGIN SOLUTION
        return out_grad / self.scalar
        ### END SOLUTION


class PowerScalar(Function):
    """``a ** scalar``: a power whose exponent is a plain number."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        """Every value to the power ``self.scalar``, which may be negative."""
        ### BEGIN SOLUTION
        return np.power(a, float(self.scalar))
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(aᶜ)/da = c·aᶜ⁻¹."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        if self.scalar == 0:
            return out_grad * 0.0  # a⁰ is 1 everywhere; at 0 the rule would ask for 0⁻¹
        return out_grad * (a ** (self.scalar - 1) * self.scalar)
        ### END SOLUTION


# ---- that move values about, or add them up ---------------------------------------------


class Reshape(Function):
    """The same values in another shape."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, a: NDArray) -> NDArray:
        """The values of ``a`` in the shape ``self.shape``; one axis may be -1, as in NumPy."""
        ### BEGIN SOLUTION
        return a.reshape(self.shape)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` in the shape that ``a`` had."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        return reshape(out_grad, a.shape)
        ### END SOLUTION


class Transpose(Function):
    """The last two axes swapped; or, with ``axes``, all axes in that order."""

    def __init__(self, axes: tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """``axes=None`` swaps the last two axes; a full tuple is a permutation of the axes."""
        ### BEGIN SOLUTION
        if self.axes is None:
            return a.swapaxes(-1, -2)
        return np.transpose(a, self.axes)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` with its axes put back where they came from."""
        ### BEGIN SOLUTION
        if self.axes is None:
            return transpose(out_grad)
        # argsort turns a permutation into its inverse; in (0, -1, 1) it has to find 2, not -1.
        axes = [axis % out_grad.ndim for axis in self.axes]
        return transpose(out_grad, tuple(int(axis) for axis in np.argsort(axes)))
        ### END SOLUTION


class Summation(Function):
    """The sum over some axes, or over all of them."""

    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """The sum over ``self.axes``: None (all), an int (negative too) or a tuple of ints."""
        ### BEGIN SOLUTION
        return np.asarray(a.sum(axis=self.axes))
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` repeated along every axis that was summed."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        return broadcast_to(reshape(out_grad, kept), a.shape)
        ### END SOLUTION


class BroadcastTo(Function):
    """The values repeated until they fill a larger shape, by NumPy's rule."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, a: NDArray) -> NDArray:
        """``a`` repeated to fill ``self.shape``; fewer axes than ``a`` has are a ValueError."""
        ### BEGIN SOLUTION
        # `np.broadcast_to` repeats by the same rule, for three times the time of a small array.
        # Only here axes of size 1 in front would be dropped.
        if a.ndim > len(self.shape):
            raise ValueError(f"{a.shape} does not broadcast to {self.shape}: it has more axes")
        return np.full(self.shape, a, a.dtype)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` summed over every copy of each value."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        added = len(self.shape) - a.ndim
        stretched = [added + axis for axis, size in enumerate(a.shape) if size == 1]
        return reshape(summation(out_grad, (*range(added), *stretched)), a.shape)
        ### END SOLUTION


# ---- matrix product ---------------------------------------------------------------------


class MatMul(Function):
    """The matrix product of the last two axes; the axes before them are a batch."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a @ b``, both with at least two axes."""
        ### BEGIN SOLUTION
        return a @ b
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients ``out_grad @ bᵀ`` and ``aᵀ @ out_grad``.

        Where the batch axes of an input were broadcast, its gradient is summed over them.
        """
        ### BEGIN SOLUTION
        a, b = node._inputs
        grad_a = matmul(out_grad, transpose(b))
        grad_b = matmul(transpose(a), out_grad)
        return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)
        ### END SOLUTION


def unbroadcast(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """``grad`` summed down to ``shape``: what reaches an input that NumPy had stretched.

    Axes that broadcasting added in front are summed away; axes that it stretched from 1 are
    summed back to 1. Where nothing was stretched, the values come back unchanged. Made of
    Tensor operations, so that it can be differentiated too.
    """
    ### BEGIN SOLUTION
    if grad.shape == shape:
        return grad
    added = grad.ndim - len(shape)
    stretched = [i + added for i, size in enumerate(shape) if size == 1]
    summed = summation(grad, (*range(added), *stretched))
    return reshape(summed, shape) if stretched else summed
    ### END SOLUTION


# ---- the same operations, as functions ----------------------------------------------------


def add(a: Tensor, b: Tensor) -> Tensor:
    return Add()(a, b)


def sub(a: Tensor, b: Tensor) -> Tensor:
    return Sub()(a, b)


def mul(a: Tensor, b: Tensor) -> Tensor:
    return Mul()(a, b)


def divide(a: Tensor, b: Tensor) -> Tensor:
    return Div()(a, b)


div = divide


def power(a: Tensor, b: Tensor) -> Tensor:
    return Pow()(a, b)


def negate(a: Tensor) -> Tensor:
    return Negate()(a)


def log(a: Tensor) -> Tensor:
    return Log()(a)


def exp(a: Tensor) -> Tensor:
    return Exp()(a)


def sqrt(a: Tensor) -> Tensor:
    return Sqrt()(a)


def abs(a: Tensor) -> Tensor:
    return Abs()(a)


def relu(a: Tensor) -> Tensor:
    return ReLU()(a)


def sigmoid(a: Tensor) -> Tensor:
    return Sigmoid()(a)


def tanh(a: Tensor) -> Tensor:
    return Tanh()(a)


def add_scalar(a: Tensor, scalar: float) -> Tensor:
    return AddScalar(scalar)(a)


def mul_scalar(a: Tensor, scalar: float) -> Tensor:
    return MulScalar(scalar)(a)


def div_scalar(a: Tensor, scalar: float) -> Tensor:
    return DivScalar(scalar)(a)


def power_scalar(a: Tensor, scalar: float) -> Tensor:
    return PowerScalar(scalar)(a)


def reshape(a: Tensor, shape: tuple[int, ...]) -> Tensor:
    return Reshape(shape)(a)


def transpose(a: Tensor, axes: tuple[int, ...] | None = None) -> Tensor:
    return Transpose(axes)(a)


def summation(a: Tensor, axes: int | tuple[int, ...] | None = None) -> Tensor:
    return Summation(axes)(a)


def broadcast_to(a: Tensor, shape: tuple[int, ...]) -> Tensor:
    return BroadcastTo(shape)(a)


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return MatMul()(a, b)


# ---- softmax, in logarithms (chapter 4) ---------------------------------------------------


class LogSumExp(Function):
    """``log Σ eᵃ`` over some axes, or over all of them: a smooth maximum."""

    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """``log Σ eᵃ`` over ``self.axes``: None (all), an int (negative too) or a tuple of ints.

        These axes are gone in the result. It is finite for every finite ``a``, at ±1000 too:
        with m the maximum over the same axes, ``log Σ eᵃ = m + log Σ eᵃ⁻ᵐ``.
        """
        ### BEGIN SOLUTION
        largest = a.max(axis=self.axes, keepdims=True)
        # After the shift the largest power is e⁰ = 1: no overflow, and no logarithm of 0.
        total = np.exp(a - largest).sum(axis=self.axes)
        return np.asarray(np.log(total) + largest.reshape(total.shape))
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` times the softmax, ``exp(a - output)``.

        ``out_grad`` and the output are repeated along every axis that was summed. The gradient
        is finite at ±1000 too.
        """
        ### BEGIN SOLUTION
        (a,) = node._inputs
        # What belongs to one sum belongs to each of its values: the rule of a sum spreads it.
        spread = Summation(self.axes).backward
        return spread(out_grad, node) * exp(a - spread(node, node))
        ### END SOLUTION


class LogSoftmax(Function):
    """``a - log Σ eᵃ`` along one axis: the logarithms of probabilities that sum to 1."""

    def __init__(self, axis: int = -1) -> None:
        self.axis = axis

    def forward(self, a: NDArray) -> NDArray:
        """``a - log Σ eᵃ``, the sum along ``self.axis``; without an axis given, the last one.

        The shape stays. It is finite for every finite ``a``, at ±1000 too.
        """
        ### BEGIN SOLUTION
        shifted = a - a.max(axis=self.axis, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=self.axis, keepdims=True))
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad - softmax * Σ out_grad``, the sum along the axis.

        The softmax is e to the power of the output.
        """
        ### BEGIN SOLUTION
        total = Summation(self.axis).backward(summation(out_grad, self.axis), node)
        return out_grad - exp(node) * total
        ### END SOLUTION


def logsumexp(a: Tensor, axes: int | tuple[int, ...] | None = None) -> Tensor:
    return LogSumExp(axes)(a)


def log_softmax(a: Tensor, axis: int = -1) -> Tensor:
    return LogSoftmax(axis)(a)


# ---- that pick, pad, spread and flip values (chapter 10) ----------------------------


class Pad(Function):
    """Zeros before and after the values, along every axis.

    ``widths`` holds a pair of ints for each axis: how many zeros come before its first value,
    and how many after its last one. None of them is negative.
    """

    def __init__(self, widths: tuple[tuple[int, int], ...]) -> None:
        self.widths = tuple((before, after) for before, after in widths)

    def forward(self, a: NDArray) -> NDArray:
        """``a`` with zeros around it, as many as ``self.widths`` says."""
        ### BEGIN SOLUTION
        return np.pad(a, self.widths)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: the part of ``out_grad`` that lies where ``a`` was put."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        inside = [slice(w[0], w[0] + size) for w, size in zip(self.widths, a.shape, strict=True)]
        return getitem(out_grad, tuple(inside))
        ### END SOLUTION


class Slice(Function):
    """The values that an index picks: ``a[1]``, ``a[:, 2:5]``, ``a[::2, -1]``.

    An index is an int, a slice, or a tuple of these, one for each axis from the first on. An int
    removes its axis; axes without an index stay whole. The step of a slice is positive, as in
    PyTorch: `flip` reverses an axis.
    """

    def __init__(self, index: int | slice | tuple[int | slice, ...]) -> None:
        self.index = index if isinstance(index, tuple) else (index,)
        for part in self.index:
            if isinstance(part, bool) or not isinstance(part, (int, np.integer, slice)):
                raise TypeError(f"An index is made of ints and slices; {part!r} is neither.")
            if isinstance(part, slice) and (part.step or 1) < 0:
                raise ValueError(f"{part!r} counts backwards; flip the axis, then pick.")

    def forward(self, a: NDArray) -> NDArray:
        """NumPy's ``a[self.index]``, an ndarray even if it is a single value."""
        ### BEGIN SOLUTION
        return np.asarray(a[self.index])
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` at the places that were picked, 0 elsewhere."""
        ### BEGIN SOLUTION
        (a,) = node._inputs
        picked = places(self.index, a.shape)
        grad = reshape(out_grad, tuple(len(each) for each in picked))
        widths = []
        for axis, (each, size) in enumerate(zip(picked, a.shape, strict=True)):
            if each.step > 1:
                grad = dilate(grad, axis, each.step)
            widths.append((each.start, size - each.start - grad.shape[axis]))
        return pad(grad, tuple(widths))
        ### END SOLUTION


def places(index: tuple[int | slice, ...], shape: tuple[int, ...]) -> list[range]:
    """The positions along each axis of ``shape`` that an index picks; an int is a range of one.

    ``places((1, slice(None, None, 2)), (3, 5))`` is ``[range(1, 2), range(0, 5, 2)]``. Every
    range knows its ``start`` and its ``step``; its ``len`` is how many positions it picks.
    """
    parts = [*index, *[slice(None)] * (len(shape) - len(index))]
    return [
        range(size)[part] if isinstance(part, slice) else range(part % size, part % size + 1)
        for part, size in zip(parts, shape, strict=True)
    ]


class Dilate(Function):
    """Zeros *between* the values along some axes: neighbours end up ``step`` places apart.

    ``axes`` is an int (negative too) or a tuple of ints. ``step`` is at least 1; 1 changes
    nothing. An axis with n values becomes one with ``(n - 1) * step + 1`` places: there are no
    zeros before the first value or after the last one.
    """

    def __init__(self, axes: int | tuple[int, ...], step: int) -> None:
        self.axes = axes
        self.step = step

    def forward(self, a: NDArray) -> NDArray:
        """``a`` with ``self.step - 1`` zeros between neighbours along ``self.axes``."""
        ### BEGIN SOLUTION
        shape, every = list(a.shape), [slice(None)] * a.ndim
        for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
            shape[axis] = max((a.shape[axis] - 1) * self.step + 1, 0)
            every[axis] = slice(None, None, self.step)
        out = np.zeros(shape, a.dtype)
        out[tuple(every)] = a
        return out
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: every ``step``-th place of ``out_grad`` along ``self.axes``."""
        ### BEGIN SOLUTION
        every = [slice(None)] * out_grad.ndim
        for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
            every[axis] = slice(None, None, self.step)
        return getitem(out_grad, tuple(every))
        ### END SOLUTION


class Flip(Function):
    """The order of the values reversed along some axes.

    ``axes`` is an int (negative too) or a tuple of ints.
    """

    def __init__(self, axes: int | tuple[int, ...]) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """``a`` reversed along ``self.axes``: what was first is last."""
        ### BEGIN SOLUTION
        return np.flip(a, self.axes)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` reversed in the same way."""
        ### BEGIN SOLUTION
        return flip(out_grad, self.axes)
        ### END SOLUTION


class Max(Function):
    """The largest value over some axes, or over all of them."""

    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """The maximum over ``self.axes``: None (all), an int (negative too) or a tuple of ints.

        These axes are gone in the result.
        """
        ### BEGIN SOLUTION
        return np.asarray(a.max(axis=self.axes))
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` where the largest value was, 0 elsewhere.

        Where k values tie for the maximum, each of them gets ``out_grad / k``.
        """
        ### BEGIN SOLUTION
        (a,) = node._inputs
        # A constant, as the mask of ReLU is: 1 at the largest value, 1 / k where k of them tie.
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = largest / largest.sum(axis=self.axes, keepdims=True)
        shares = Tensor(shares, dtype=a.dtype, requires_grad=False)
        return Summation(self.axes).backward(out_grad, node) * shares
        ### END SOLUTION


# ---- convolution (chapter 10) --------------------------------------------------------------


class Conv(Function):
    """A small kernel that slides over images: at every place a weighted sum of what is below.

    Images lie as ``(batch, height, width, channels)``, kernels as ``(kernel height, kernel
    width, channels in, channels out)``. ``padding`` is how many zeros are put around every
    image, ``stride`` how many places the kernel moves from one sum to the next, both along
    height and width. The kernel is not flipped.
    """

    def __init__(self, stride: int = 1, padding: int = 0) -> None:
        self.stride = stride
        self.padding = padding

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """The images ``a`` under the kernels ``b``, of shape ``(batch, rows, columns, out)``.

        ``rows`` is ``(height + 2 * padding - kernel height) // stride + 1``, and ``columns``
        likewise; what is left over at the bottom and at the right is ignored.

        Raises:
            ValueError: the kernel is larger than the padded image, or ``a`` and ``b`` do not
                agree on the number of channels.
        """
        ### BEGIN SOLUTION
        height, width, channels, filters = b.shape
        p, s = self.padding, self.stride
        a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        rows, columns = (a.shape[1] - height) // s + 1, (a.shape[2] - width) // s + 1
        if min(rows, columns) < 1 or a.shape[3] != channels:
            raise ValueError(f"kernels {b.shape} do not fit into padded images {a.shape}")
        # For each place of the kernel what lies below it, in all windows at once. Side by side
        # they make a matrix with a row per window: im2col.
        below = [
            a[:, i : i + s * rows : s, j : j + s * columns : s]
            for i in range(height)
            for j in range(width)
        ]
        patches = np.concatenate(below, axis=3).reshape(-1, height * width * channels)
        # All weighted sums are now one matrix product.
        return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``, each a convolution with stride 1.

        First ``out_grad`` is spread out, its values ``stride`` places apart. Then the gradient
        of ``a`` is what is spread, padded to fit, under the kernel flipped along height and
        width; and the gradient of ``b`` is the padded ``a`` under what is spread.
        """
        ### BEGIN SOLUTION
        a, b = node._inputs
        height, width = b.shape[:2]
        p = self.padding
        padded = pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        spread = dilate(out_grad, (1, 2), self.stride)
        # Below and to the right: room for the kernel, and for what the stride left over.
        below, right = (padded.shape[axis] - spread.shape[axis] for axis in (1, 2))
        around = pad(spread, ((0, 0), (height - 1, below), (width - 1, right), (0, 0)))
        grad_a = conv(around, transpose(flip(b, (0, 1)), (0, 1, 3, 2)))
        grad_a = getitem(
            grad_a, (slice(None), slice(p, p + a.shape[1]), slice(p, p + a.shape[2]))
        )
        # Batch and channels change places: every product of a pixel and a gradient is summed
        # over the batch, for each channel by itself.
        grad_b = conv(transpose(padded, (3, 1, 2, 0)), transpose(spread, (1, 2, 0, 3)))
        grad_b = transpose(grad_b, (1, 2, 0, 3))
        return grad_a, getitem(grad_b, (slice(height), slice(width)))
        ### END SOLUTION


def pad(a: Tensor, widths: tuple[tuple[int, int], ...]) -> Tensor:
    return Pad(widths)(a)


def getitem(a: Tensor, index: int | slice | tuple[int | slice, ...]) -> Tensor:
    return Slice(index)(a)


def dilate(a: Tensor, axes: int | tuple[int, ...], step: int) -> Tensor:
    return Dilate(axes, step)(a)


def flip(a: Tensor, axes: int | tuple[int, ...]) -> Tensor:
    return Flip(axes)(a)


def amax(a: Tensor, axes: int | tuple[int, ...] | None = None) -> Tensor:
    return Max(axes)(a)  # `max` stays Python's own


def conv(a: Tensor, b: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
    return Conv(stride, padding)(a, b)


# ---- that look rows up (chapter 14) --------------------------------------------------------


class Take(Function):
    """Rows of a table, picked by their numbers; a number may occur many times.

    ``indices`` holds whole numbers from 0 on, of any shape: an ndarray or (nested) sequences.
    """

    def __init__(self, indices: Any) -> None:
        self.indices = np.array(indices, dtype=int)

    def forward(self, a: NDArray) -> NDArray:
        """Row ``i`` of ``a`` for every ``i`` in ``self.indices``.

        ``a`` has the shape ``(rows, dim)``, the result that of ``self.indices`` with ``dim`` as
        one more, last axis.
        """
        ### BEGIN SOLUTION
        return a[self.indices]
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: every row gets the *sum* of what arrives at its copies.

        A row that was not picked gets zeros.
        """
        ### BEGIN SOLUTION
        (a,) = node._inputs
        rows, dim = a.shape
        # One row per copy, with a 1 where its original stands: the product adds the copies up.
        copies = Tensor.one_hot(self.indices.ravel(), rows, dtype=out_grad.dtype)
        return matmul(transpose(copies), reshape(out_grad, (self.indices.size, dim)))
        ### END SOLUTION


def take(a: Tensor, indices: Any) -> Tensor:
    return Take(indices)(a)
