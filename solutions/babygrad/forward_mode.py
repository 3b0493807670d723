"""Forward mode: derivatives that travel along with the values (chapter 13).

First for single numbers: a `Dual` carries its derivative with it. Then for Tensors: every operation
has a rule that takes the movement of its inputs and says how its output moves, the *tangent*.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import ops
from .higher import constant, grad, topological_order
from .tensor import NDArray, Tensor

# ---- dual numbers -------------------------------------------------------------------------


class Dual:
    """A number together with its derivative with respect to one input.

    Attributes:
        value: a float; or a Dual, if a derivative is differentiated again.
        tangent: how fast ``value`` moves when the input moves.
    """

    def __init__(self, value: Any, tangent: Any = 0.0) -> None:
        self.value = value
        self.tangent = tangent

    def __repr__(self) -> str:
        return f"Dual({self.value}, {self.tangent})"

    def __add__(self, other: Any) -> Dual:
        """``self + other``: values add, and so do tangents; a plain number does not move."""
        other = as_dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other: Any) -> Dual:
        """``self * other``; ``other`` is a Dual or a number. The tangent by the product rule."""
        ### BEGIN SOLUTION
        other = as_dual(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)
        ### END SOLUTION

    def __truediv__(self, other: Any) -> Dual:
        """``self / other``; ``other`` is a Dual or a number. The tangent by the quotient rule."""
        ### BEGIN SOLUTION
        other = as_dual(other)
        value = self.value / other.value
        return Dual(value, (self.tangent - value * other.tangent) / other.value)
        ### END SOLUTION

    def __pow__(self, exponent: float) -> Dual:
        """``self ** exponent`` for a plain number; d(aⁿ) = n·aⁿ⁻¹·da."""
        ### BEGIN SOLUTION
        if exponent == 0:
            return Dual(1.0)  # a⁰ is 1 everywhere; at 0 the rule would ask for 0⁻¹
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.tangent)
        ### END SOLUTION

    __radd__ = __add__

    def __rmul__(self, other: Any) -> Dual:
        return self * other

    def __neg__(self) -> Dual:
        return self * -1.0

    def __sub__(self, other: Any) -> Dual:
        return self + -as_dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return as_dual(other) - self

    def __rtruediv__(self, other: Any) -> Dual:
        return as_dual(other) / self


def as_dual(value: Any) -> Dual:
    """A plain number becomes a Dual that does not move; a Dual stays itself."""
    return value if isinstance(value, Dual) else Dual(value)


def exp(x: Any) -> Any:
    """``eˣ`` of a Dual or of a plain number; d(eᵃ) = eᵃ·da."""
    ### BEGIN SOLUTION
    if not isinstance(x, Dual):
        return math.exp(x)
    value = exp(x.value)
    return Dual(value, value * x.tangent)
    ### END SOLUTION


def log(x: Any) -> Any:
    """The natural logarithm of a Dual or of a plain number; d(log a) = da / a."""
    ### BEGIN SOLUTION
    if not isinstance(x, Dual):
        return math.log(x)
    return Dual(log(x.value), x.tangent / x.value)
    ### END SOLUTION


def tanh(x: Any) -> Any:
    """The hyperbolic tangent of a Dual or of a plain number; d(tanh a) = (1 - tanh² a)·da."""
    ### BEGIN SOLUTION
    if not isinstance(x, Dual):
        return math.tanh(x)
    value = tanh(x.value)
    return Dual(value, (1 - value * value) * x.tangent)
    ### END SOLUTION


def derivative(f: Callable[[Any], Any], x: Any) -> Any:
    """``f'(x)`` for a function of one number, exact to rounding: no step size.

    ``f`` gets one Dual and may use ``+ - * / **`` with plain numbers and with the Dual, and the
    functions `exp`, `log` and `tanh` of this module. If it returns a plain number, it does not
    depend on ``x`` and its derivative is 0.0.
    """
    ### BEGIN SOLUTION
    return as_dual(f(Dual(x, 1.0))).tangent
    ### END SOLUTION


# ---- a rule per kind of operation -----------------------------------------------------------
#
# Every rule gets the node, a Tensor that an op made of `node._inputs`, and one tangent per input,
# a Tensor of that input's shape. It returns the tangent of the node, a Tensor of its shape.


def once_more(node: Tensor, *tensors: Tensor) -> Tensor:
    """The operation of ``node`` applied to other Tensors.

    It is a copy of the op: one that notes things down in its forward keeps its notes.
    """
    return copy.copy(node._op)(*tensors)


def jvp_shift(node: Tensor, da: Tensor) -> Tensor:
    """Adding a number moves nothing: the tangent of ``a + c`` is that of ``a``."""
    return da


def jvp_linear(node: Tensor, *tangents: Tensor) -> Tensor:
    """A linear operation is its own derivative: ``L(a + da) - L(a) = L(da)``.

    For sums, differences, factors, and everything that only moves values about. It takes as many
    tangents as the operation takes inputs.
    """
    ### BEGIN SOLUTION
    return once_more(node, *tangents)
    ### END SOLUTION


def jvp_bilinear(node: Tensor, da: Tensor, db: Tensor) -> Tensor:
    """The product rule, for every product: element by element, of matrices, of images and kernels.

    ``B(a, b)`` is linear in each input while the other stays: its tangent is
    ``B(da, b) + B(a, db)``.
    """
    ### BEGIN SOLUTION
    a, b = node._inputs
    return once_more(node, da, b) + once_more(node, a, db)
    ### END SOLUTION


def jvp_elementwise(node: Tensor, da: Tensor) -> Tensor:
    """A function of every value by itself: ``da`` times its slope, value by value.

    The op's own ``backward`` multiplies what it is given by that very slope.
    """
    ### BEGIN SOLUTION
    return node._op.backward(da, node)
    ### END SOLUTION


def jvp_div(node: Tensor, da: Tensor, db: Tensor) -> Tensor:
    """The tangent of ``a / b``: ``(da - (a/b)·db) / b``, with broadcasting."""
    ### BEGIN SOLUTION
    b = node._inputs[1]
    return (da - node * db) / b
    ### END SOLUTION


def jvp_power(node: Tensor, da: Tensor, db: Tensor) -> Tensor:
    """The tangent of ``a ** b``, for a positive ``a``: ``aᵇ·(b·da/a + log a·db)``."""
    a, b = node._inputs
    return node * (b * da / a + ops.log(a) * db)


def jvp_logsumexp(node: Tensor, da: Tensor) -> Tensor:
    """The tangent of ``log Σ eᵃ``: the mean of ``da``, weighted by the softmax.

    It is ``Σ softmax · da`` over ``node._op.axes``, as `summation` takes them; the softmax is
    ``exp(a - output)``, the output with its axes back as ones: `kept_shape` says that shape.
    """
    ### BEGIN SOLUTION
    (a,) = node._inputs
    kept = ops.reshape(node, kept_shape(a.shape, node._op.axes))
    softmax = ops.exp(a - ops.broadcast_to(kept, a.shape))
    return ops.summation(softmax * da, node._op.axes)
    ### END SOLUTION


def kept_shape(shape: tuple[int, ...], axes: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """``shape`` with 1 for every one of ``axes`` (None: all of them)."""
    every = range(len(shape)) if axes is None else axes
    gone = {axis % len(shape) for axis in ((every,) if isinstance(every, int) else every)}
    return tuple(1 if axis in gone else size for axis, size in enumerate(shape))


def jvp_logsoftmax(node: Tensor, da: Tensor) -> Tensor:
    """The tangent of ``a - log Σ eᵃ``: ``da`` less its mean, weighted by the softmax."""
    axis = node._op.axis
    mean = ops.summation(ops.exp(node) * da, axis)
    return da - ops.broadcast_to(ops.reshape(mean, kept_shape(da.shape, axis)), da.shape)


def jvp_max(node: Tensor, da: Tensor) -> Tensor:
    """The tangent of a maximum: that of the largest value, the mean of them where several tie."""
    (a,) = node._inputs
    largest = a.data == a.data.max(axis=node._op.axes, keepdims=True)
    shares = largest / largest.sum(axis=node._op.axes, keepdims=True)
    return ops.summation(da * constant(shares.astype(a.dtype)), node._op.axes)


LINEAR = "Add Sub Negate MulScalar DivScalar Reshape Transpose Summation BroadcastTo Pad Slice "
LINEAR += "Dilate Flip"
BILINEAR = "Mul MatMul Conv"
ELEMENTWISE = "Log Exp Sqrt Abs ReLU Sigmoid Tanh PowerScalar"

# The name of an op → its rule. An op of your own gets a rule by `RULES["Mine"] = …`.
RULES: dict[str, Callable[..., Tensor]] = {
    **dict.fromkeys(LINEAR.split(), jvp_linear),
    **dict.fromkeys(BILINEAR.split(), jvp_bilinear),
    **dict.fromkeys(ELEMENTWISE.split(), jvp_elementwise),
    "AddScalar": jvp_shift,
    "Div": jvp_div,
    "Pow": jvp_power,
    "LogSumExp": jvp_logsumexp,
    "LogSoftmax": jvp_logsoftmax,
    "Max": jvp_max,
}


# ---- forward through a graph ----------------------------------------------------------------


def jvp(
    f: Callable[..., Tensor], inputs: Sequence[Tensor], tangents: Sequence[Tensor]
) -> tuple[Tensor, Tensor]:
    """``f(*inputs)``, and how it moves when the inputs move along ``tangents``.

    Args:
        f: takes ``inputs`` one by one and returns a Tensor.
        inputs: different Tensors that require gradients.
        tangents: one Tensor per input, of that input's shape.

    Returns:
        The output of ``f`` and its tangent, a Tensor of the output's shape. The tangent is zeros
        where the output does not depend on ``inputs``.

    Each node is visited once, after its inputs, and its rule in ``RULES`` gives its tangent. An
    input that does not move has the tangent zero; a node none of whose inputs move is skipped.

    Source: forward accumulation, Wengert 1964; Baydin et al. 2018, section 3.1.
    """
    ### BEGIN SOLUTION
    output = f(*inputs)
    moving = dict(zip(inputs, tangents, strict=True))
    for node in topological_order(output):
        if node in moving or not any(source in moving for source in node._inputs):
            continue
        each = [
            moving[s] if s in moving else constant(np.zeros(s.shape, s.dtype)) for s in node._inputs
        ]
        moving[node] = RULES[type(node._op).__name__](node, *each)
    if output in moving:
        return output, moving[output]
    return output, constant(np.zeros(output.shape, output.dtype))
    ### END SOLUTION


def jacobian_forward(f: Callable[[Tensor], Tensor], x: Tensor) -> NDArray:
    """The same as `jacobian`, column by column: one `jvp` for each number of ``x``.

    An ndarray of shape ``f(x).shape + x.shape`` and of the dtype of ``f(x)``. The tangent of each run is 1 at one number of
    ``x``, and 0 at all others.
    """
    ### BEGIN SOLUTION
    columns = []
    for index in np.ndindex(x.shape):
        start = np.zeros(x.shape, x.dtype)
        start[index] = 1
        columns.append(jvp(f, [x], [constant(start)])[1].data)
    together = np.stack(columns, axis=-1)
    return together.reshape(columns[0].shape + x.shape)
    ### END SOLUTION


def hvp_forward(
    f: Callable[..., Tensor], inputs: Sequence[Tensor], vectors: Sequence[Tensor]
) -> list[Tensor]:
    """The same as `hvp`, forward over reverse: the tangent of the gradient along ``vectors``.

    One walk back that makes a graph, then one walk forward through it for each input's gradient.
    Returns one Tensor per input.
    """
    ### BEGIN SOLUTION
    gradients = grad(f(*inputs), inputs, create_graph=True)
    return [jvp(lambda *_, g=g: g, inputs, vectors)[1] for g in gradients]
    ### END SOLUTION
