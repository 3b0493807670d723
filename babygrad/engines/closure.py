"""An engine of closures: every result carries the function that goes back (chapter 11).

It stands on its own: NumPy, and nothing else of the package. This is chapter 1's `Value` with
arrays instead of numbers: an operator makes its result and, right there, the function that passes
the gradient on. That function finds the inputs and the result where it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

NDArray = np.ndarray
Axis = int | tuple[int, ...] | None


class Tensor:
    """An array that remembers how it was made.

    Attributes:
        data: an ndarray of float64.
        requires_grad: whether this is learned; the code that takes the step looks at it. The
            walk does not look at it and fills every ``grad``.
        grad: an ndarray of the shape of ``data``; zeros at first.
        _prev: the Tensors that it was made from, as a tuple; ``()`` for a leaf.
        _backward: a function without arguments that passes ``grad`` on: it adds to the ``grad`` of
            every Tensor in ``_prev``. For a leaf it does nothing.
    """

    # NumPy would take a Tensor apart: `np.ones(3) * tensor` has to ask the Tensor.
    __array_ufunc__ = None

    def __init__(
        self, data: Any, *, requires_grad: bool = True, _prev: Iterable[Tensor] = ()
    ) -> None:
        self.data = np.array(data, dtype=np.float64)
        self.requires_grad = requires_grad
        self.grad = np.zeros_like(self.data)
        self._prev = tuple(_prev)
        self._backward: Callable[[], None] = lambda: None

    def __repr__(self) -> str:
        return f"Tensor({self.data})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    # ---- operations with two inputs -----------------------------------------------------

    def __add__(self, other: Tensor | float) -> Tensor:
        """``self + other``, with broadcasting; ``other`` is a Tensor, a number or an array.

        Each input gets a gradient of its own shape: a bias of (D,) one of (D,).
        """
        other = as_tensor(other)
        out = Tensor(self.data + other.data, _prev=(self, other))

        def push() -> None:
            self.grad += _unbroadcast(out.grad, self.shape)
            other.grad += _unbroadcast(out.grad, other.shape)

        out._backward = push
        return out

    def __mul__(self, other: Tensor | float | NDArray) -> Tensor:
        """``self * other``, element by element, with broadcasting."""
        # Yours to write: section 11.6; `grader check chapter11.closure.mul`
        raise NotImplementedError

    def __matmul__(self, other: Tensor) -> Tensor:
        """``self @ other`` for two matrices: (m, k) and (k, n) give (m, n)."""
        # Yours to write: section 11.6; `grader check chapter11.closure.matmul`
        raise NotImplementedError

    # ---- sums -----------------------------------------------------------------------------

    def sum(self, axis: Axis = None, keepdims: bool = False) -> Tensor:
        """The sum over ``axis``: one, several in a tuple, or all; negative ones count from the end.

        Each element gets the gradient of the sum that it went into.
        """
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), _prev=(self,))

        def push() -> None:
            arrived = out.grad
            if axis is not None and not keepdims:
                arrived = np.expand_dims(arrived, axis)
            self.grad += arrived  # broadcast to the shape of self

        out._backward = push
        return out

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Tensor:
        """The mean over ``axis``, built from `sum` and ``*``."""
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

    # ---- functions, element by element ------------------------------------------------------

    def tanh(self) -> Tensor:
        """The hyperbolic tangent. d(tanh a)/da = 1 - tanh²a."""
        # Yours to write: section 11.6; `grader check chapter11.closure.tanh`
        raise NotImplementedError

    def relu(self) -> Tensor:
        """``max(self, 0)``. At exactly 0 it passes on 0."""
        out = Tensor(np.maximum(self.data, 0), _prev=(self,))

        def push() -> None:
            self.grad += (self.data > 0) * out.grad

        out._backward = push
        return out

    def exp(self) -> Tensor:
        """e to the power of ``self``. d(eᵃ)/da = eᵃ."""
        out = Tensor(np.exp(self.data), _prev=(self,))

        def push() -> None:
            self.grad += out.data * out.grad

        out._backward = push
        return out

    def log(self) -> Tensor:
        """The natural logarithm of positive values. d(ln a)/da = 1/a."""
        out = Tensor(np.log(self.data), _prev=(self,))

        def push() -> None:
            self.grad += out.grad / self.data

        out._backward = push
        return out

    def log_softmax(self) -> Tensor:
        """``log(softmax)`` along the last axis, as one operation; exact at ±1e4 too.

        log_softmax(a) = a - max - log(Σ exp(a - max)). Its rule: ``g - softmax · Σ g``, with the
        sum along the last axis.
        """
        shifted = self.data - self.data.max(axis=-1, keepdims=True)
        out = Tensor(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), _prev=(self,))

        def push() -> None:
            softmax = np.exp(out.data)
            self.grad += out.grad - softmax * out.grad.sum(axis=-1, keepdims=True)

        out._backward = push
        return out

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Tensor:
        return self * -1

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self + -as_tensor(other)

    def __rsub__(self, other: float) -> Tensor:
        return -self + other

    # ---- the walk back --------------------------------------------------------------------

    def backward(self, gradient: Any = None) -> None:
        """Pass the gradient of this Tensor back to all that it was made from.

        It sets ``grad`` to a copy of ``gradient``, of the shape of ``data``, or to ones without it.
        Then it calls ``_backward`` of every node once, each after all nodes that were made from it
        (`topological_order`). A leaf that holds a ``grad`` from an earlier graph adds to it.
        """
        # Yours to write: section 11.6; `grader check chapter11.closure.backward`
        raise NotImplementedError


def as_tensor(value: Tensor | float | NDArray) -> Tensor:
    """A number or an array becomes a leaf; a Tensor stays itself."""
    return value if isinstance(value, Tensor) else Tensor(value, requires_grad=False)


def topological_order(root: Tensor) -> list[Tensor]:
    """Every Tensor that ``root`` was made from, each after its inputs; ``root`` is the last."""
    order: list[Tensor] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node._prev)
    return order


def _unbroadcast(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """``gradient`` summed over the axes along which ``shape`` was broadcast, to that shape."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=stretched, keepdims=True)


def stack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors of one shape as the rows of a new one, along a new first axis.

    Input number i gets row i of the gradient. A Tensor that is in the list twice gets both of its
    rows.
    """
    # Yours to write: section 11.6; `grader check chapter11.closure.stack`
    raise NotImplementedError


def cross_entropy(logits: Tensor, y: Any) -> Tensor:
    """The mean over the rows of ``-log_softmax(logits)[right class]``.

    Args:
        logits: one row per sample, one column per class.
        y: the right class of each row, whole numbers in an ndarray or a list.

    Picking one element per row is a product with a constant: 1 at the right class, else 0.
    """
    labels = np.asarray(y).astype(int)
    chosen = np.zeros(logits.shape)
    chosen[np.arange(len(labels)), labels] = -1 / len(labels)
    return (logits.log_softmax() * chosen).sum()


# ---- a network --------------------------------------------------------------------------


class Linear:
    """``x @ weight + bias``: here the weights lie (inputs, outputs), and nothing is transposed.

    Attributes:
        weight: a Tensor of the shape ``(inputs, outputs)``.
        bias: a Tensor of the shape ``(outputs,)``.
    """

    def __init__(self, inputs: int, outputs: int, rng: np.random.Generator) -> None:
        """Weights drawn from ``rng.normal(0, 1/√inputs)``, one call; biases 0."""
        self.weight = Tensor(rng.normal(0, 1 / np.sqrt(inputs), (inputs, outputs)))
        self.bias = Tensor(np.zeros(outputs))

    def __call__(self, x: Tensor) -> Tensor:
        """``x @ weight + bias``; one row per sample."""
        return x @ self.weight + self.bias


class MLP:
    """Three Linear layers with tanh between them.

    Attributes:
        layers: the three Linear layers, in order.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int, seed: int = 0) -> None:
        """Linears from ``inputs`` to ``hidden``, to ``hidden``, to ``outputs``.

        All three draw from one generator, ``np.random.default_rng(seed)``, in order: the same
        seed makes the same network.
        """
        rng = np.random.default_rng(seed)
        sizes: Sequence[int] = (inputs, hidden, hidden, outputs)
        self.layers = [Linear(a, b, rng) for a, b in zip(sizes[:-1], sizes[1:], strict=True)]

    def __call__(self, x: Tensor) -> Tensor:
        """Layer after layer, with `tanh` after every layer but the last: the result is logits."""
        first, second, third = self.layers
        return third(second(first(x).tanh()).tanh())

    def parameters(self) -> list[Tensor]:
        """Weight and bias of every layer, in one flat list; each once."""
        return [p for layer in self.layers for p in (layer.weight, layer.bias)]
