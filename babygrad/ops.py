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
        # Yours to write: section 3.2; `grader check chapter3.sub.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(a-b)/da = 1, d(a-b)/db = -1."""
        # Yours to write: section 3.4; `grader check chapter3.sub.backward`
        raise NotImplementedError


class Mul(Function):
    """``a * b``."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        return a * b

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(ab)/da = b, d(ab)/db = a."""
        # Yours to write: section 3.4; `grader check chapter3.mul.backward`
        raise NotImplementedError


class Div(Function):
    """``a / b``."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a / b``, value by value."""
        # Yours to write: section 3.2; `grader check chapter3.div.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``: d(a/b)/da = 1/b, d(a/b)/db = -a/b²."""
        # Yours to write: section 3.4; `grader check chapter3.div.backward`
        raise NotImplementedError


class Pow(Function):
    """``a ** b`` for two tensors; the exponent has a gradient too, where ``a`` is positive."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a ** b``, value by value."""
        # Yours to write: section 3.2; `grader check chapter3.pow.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients: d(aᵇ)/da = b·aᵇ⁻¹ and, for a positive ``a``, d(aᵇ)/db = aᵇ·log a."""
        # Yours to write: section 3.4; `grader check chapter3.pow.backward`
        raise NotImplementedError


# ---- element by element, one input ----------------------------------------------------


class Negate(Function):
    """``-a``."""

    def forward(self, a: NDArray) -> NDArray:
        """``-a``, value by value."""
        # Yours to write: section 3.2; `grader check chapter3.negate.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(-a)/da = -1."""
        # Yours to write: section 3.4; `grader check chapter3.negate.backward`
        raise NotImplementedError


class Log(Function):
    """The natural logarithm, for positive values."""

    def forward(self, a: NDArray) -> NDArray:
        """The natural logarithm of every value."""
        # Yours to write: section 3.2; `grader check chapter3.log.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(log a)/da = 1/a."""
        # Yours to write: section 3.4; `grader check chapter3.log.backward`
        raise NotImplementedError


class Exp(Function):
    """The exponential function."""

    def forward(self, a: NDArray) -> NDArray:
        """``e ** a``, value by value."""
        # Yours to write: section 3.2; `grader check chapter3.exp.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(eᵃ)/da = eᵃ, which is the output itself."""
        # Yours to write: section 3.4; `grader check chapter3.exp.backward`
        raise NotImplementedError


class Sqrt(Function):
    """The square root, for positive values."""

    def forward(self, a: NDArray) -> NDArray:
        """The square root of every value."""
        # Yours to write: section 3.2; `grader check chapter3.sqrt.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(√a)/da = 1/(2√a)."""
        # Yours to write: section 3.4; `grader check chapter3.sqrt.backward`
        raise NotImplementedError


class Abs(Function):
    """The absolute value."""

    def forward(self, a: NDArray) -> NDArray:
        """The absolute value of every value."""
        # Yours to write: section 3.2; `grader check chapter3.abs.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: the sign of ``a``, and by convention 0 where ``a`` is 0."""
        # Yours to write: section 3.4; `grader check chapter3.abs.backward`
        raise NotImplementedError


class ReLU(Function):
    """``max(a, 0)``: what is positive passes, the rest is 0."""

    def forward(self, a: NDArray) -> NDArray:
        """``max(a, 0)``, value by value."""
        # Yours to write: section 3.2; `grader check chapter3.relu.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` where ``a > 0``, else 0; at exactly 0 it is 0."""
        # Yours to write: section 3.4; `grader check chapter3.relu.backward`
        raise NotImplementedError


class Sigmoid(Function):
    """``1 / (1 + e⁻ᵃ)``: squeezes every number between 0 and 1."""

    def forward(self, a: NDArray) -> NDArray:
        """``1 / (1 + e⁻ᵃ)``, value by value; no overflow for any finite ``a``."""
        # Yours to write: section 3.2; `grader check chapter3.sigmoid.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: s·(1 - s), where s is the output."""
        # Yours to write: section 3.4; `grader check chapter3.sigmoid.backward`
        raise NotImplementedError


class Tanh(Function):
    """The hyperbolic tangent: squeezes every number between -1 and 1."""

    def forward(self, a: NDArray) -> NDArray:
        """The hyperbolic tangent of every value; far from 0 it is -1 or 1, and never nan."""
        # Yours to write: section 3.2; `grader check chapter3.tanh.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: 1 - t², where t is the output."""
        # Yours to write: section 3.4; `grader check chapter3.tanh.backward`
        raise NotImplementedError


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
        # Yours to write: section 3.10; `grader check chapter3.mul_scalar.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(ca)/da = c."""
        # Yours to write: section 3.10; `grader check chapter3.mul_scalar.backward`
        raise NotImplementedError


class DivScalar(Function):
    """``a / scalar``."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        """Every value divided by ``self.scalar``."""
        # Yours to write: section 3.10; `grader check chapter3.div_scalar.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(a/c)/da = 1/c."""
        # Yours to write: section 3.10; `grader check chapter3.div_scalar.backward`
        raise NotImplementedError


class PowerScalar(Function):
    """``a ** scalar``: a power whose exponent is a plain number."""

    def __init__(self, scalar: float) -> None:
        self.scalar = scalar

    def forward(self, a: NDArray) -> NDArray:
        """Every value to the power ``self.scalar``, which may be negative."""
        # Yours to write: section 3.10; `grader check chapter3.power_scalar.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: d(aᶜ)/da = c·aᶜ⁻¹."""
        # Yours to write: section 3.10; `grader check chapter3.power_scalar.backward`
        raise NotImplementedError


# ---- that move values about, or add them up ---------------------------------------------


class Reshape(Function):
    """The same values in another shape."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, a: NDArray) -> NDArray:
        """The values of ``a`` in the shape ``self.shape``; one axis may be -1, as in NumPy."""
        # Yours to write: section 3.5; `grader check chapter3.reshape.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` in the shape that ``a`` had."""
        # Yours to write: section 3.5; `grader check chapter3.reshape.backward`
        raise NotImplementedError


class Transpose(Function):
    """The last two axes swapped; or, with ``axes``, all axes in that order."""

    def __init__(self, axes: tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """``axes=None`` swaps the last two axes; a full tuple is a permutation of the axes."""
        # Yours to write: section 3.6; `grader check chapter3.transpose.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` with its axes put back where they came from."""
        # Yours to write: section 3.6; `grader check chapter3.transpose.backward`
        raise NotImplementedError


class Summation(Function):
    """The sum over some axes, or over all of them."""

    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """The sum over ``self.axes``: None (all), an int (negative too) or a tuple of ints."""
        # Yours to write: section 3.7; `grader check chapter3.summation.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` repeated along every axis that was summed."""
        # Yours to write: section 3.7; `grader check chapter3.summation.backward`
        raise NotImplementedError


class BroadcastTo(Function):
    """The values repeated until they fill a larger shape, by NumPy's rule."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def forward(self, a: NDArray) -> NDArray:
        """``a`` repeated to fill ``self.shape``; fewer axes than ``a`` has are a ValueError."""
        # Yours to write: section 3.8; `grader check chapter3.broadcast_to.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` summed over every copy of each value."""
        # Yours to write: section 3.8; `grader check chapter3.broadcast_to.backward`
        raise NotImplementedError


# ---- matrix product ---------------------------------------------------------------------


class MatMul(Function):
    """The matrix product of the last two axes; the axes before them are a batch."""

    def forward(self, a: NDArray, b: NDArray) -> NDArray:
        """``a @ b``, both with at least two axes."""
        # Yours to write: section 3.9; `grader check chapter3.matmul.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients ``out_grad @ bᵀ`` and ``aᵀ @ out_grad``.

        Where the batch axes of an input were broadcast, its gradient is summed over them.
        """
        # Yours to write: section 3.9; `grader check chapter3.matmul.backward`
        raise NotImplementedError


def unbroadcast(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """``grad`` summed down to ``shape``: what reaches an input that NumPy had stretched.

    Axes that broadcasting added in front are summed away; axes that it stretched from 1 are
    summed back to 1. Where nothing was stretched, the values come back unchanged. Made of
    Tensor operations, so that it can be differentiated too.
    """
    # Yours to write: section 3.12; `grader check chapter3.broadcasting`
    raise NotImplementedError


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
        # Yours to write: section 4.9; `grader check chapter4.logsumexp.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` times the softmax, ``exp(a - output)``.

        ``out_grad`` and the output are repeated along every axis that was summed. The gradient
        is finite at ±1000 too.
        """
        # Yours to write: section 4.9; `grader check chapter4.logsumexp.backward`
        raise NotImplementedError


class LogSoftmax(Function):
    """``a - log Σ eᵃ`` along one axis: the logarithms of probabilities that sum to 1."""

    def __init__(self, axis: int = -1) -> None:
        self.axis = axis

    def forward(self, a: NDArray) -> NDArray:
        """``a - log Σ eᵃ``, the sum along ``self.axis``; without an axis given, the last one.

        The shape stays. It is finite for every finite ``a``, at ±1000 too.
        """
        # Yours to write: section 4.10; `grader check chapter4.logsoftmax.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad - softmax * Σ out_grad``, the sum along the axis.

        The softmax is e to the power of the output.
        """
        # Yours to write: section 4.10; `grader check chapter4.logsoftmax.backward`
        raise NotImplementedError


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
        # Yours to write: section 10.1; `grader check chapter10.pad.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: the part of ``out_grad`` that lies where ``a`` was put."""
        # Yours to write: section 10.4; `grader check chapter10.pad.backward`
        raise NotImplementedError


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
        # Yours to write: section 10.2; `grader check chapter10.slice.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` at the places that were picked, 0 elsewhere."""
        # Yours to write: section 10.4; `grader check chapter10.slice.backward`
        raise NotImplementedError


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
        # Yours to write: section 10.3; `grader check chapter10.dilate.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: every ``step``-th place of ``out_grad`` along ``self.axes``."""
        # Yours to write: section 10.4; `grader check chapter10.dilate.backward`
        raise NotImplementedError


class Flip(Function):
    """The order of the values reversed along some axes.

    ``axes`` is an int (negative too) or a tuple of ints.
    """

    def __init__(self, axes: int | tuple[int, ...]) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """``a`` reversed along ``self.axes``: what was first is last."""
        # Yours to write: section 10.3; `grader check chapter10.flip.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` reversed in the same way."""
        # Yours to write: section 10.4; `grader check chapter10.flip.backward`
        raise NotImplementedError


class Max(Function):
    """The largest value over some axes, or over all of them."""

    def __init__(self, axes: int | tuple[int, ...] | None = None) -> None:
        self.axes = axes

    def forward(self, a: NDArray) -> NDArray:
        """The maximum over ``self.axes``: None (all), an int (negative too) or a tuple of ints.

        These axes are gone in the result.
        """
        # Yours to write: section 10.5; `grader check chapter10.max.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: ``out_grad`` where the largest value was, 0 elsewhere.

        Where k values tie for the maximum, each of them gets ``out_grad / k``.
        """
        # Yours to write: section 10.5; `grader check chapter10.max.backward`
        raise NotImplementedError


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
        # Yours to write: section 10.6; `grader check chapter10.conv.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
        """The gradients of ``a`` and of ``b``, each a convolution with stride 1.

        First ``out_grad`` is spread out, its values ``stride`` places apart. Then the gradient
        of ``a`` is what is spread, padded to fit, under the kernel flipped along height and
        width; and the gradient of ``b`` is the padded ``a`` under what is spread.
        """
        # Yours to write: section 10.7; `grader check chapter10.conv.backward`
        raise NotImplementedError


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
        # Yours to write: section 14.3; `grader check chapter14.take.forward`
        raise NotImplementedError

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        """The gradient of ``a``: every row gets the *sum* of what arrives at its copies.

        A row that was not picked gets zeros.
        """
        # Yours to write: section 14.3; `grader check chapter14.take.backward`
        raise NotImplementedError


def take(a: Tensor, indices: Any) -> Tensor:
    return Take(indices)(a)
