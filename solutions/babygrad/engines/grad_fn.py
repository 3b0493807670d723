"""An engine whose results remember a rule: `grad_fn`, one small object per operation (chapter 11).

It stands on its own: NumPy, and nothing else of the package. A result holds in ``grad_fn`` the
object that knows how to go back; that object holds its inputs. `Tensor.backward` follows them by
recursion, the shortest walk there is. Section 11.4 shows what it costs, and fixes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, matmul, mul  # noqa: F401  (`add(x, y)` is `x + y`)
from typing import Any

import numpy as np

NDArray = np.ndarray


class Tensor:
    """An array that remembers the rule of the operation that made it.

    Attributes:
        data: an ndarray of float64.
        requires_grad: whether it gets a gradient.
        grad: None at first; later an ndarray of the shape of ``data``.
        grad_fn: the `BackwardFunction` that made it; None for a leaf.
    """

    def __init__(
        self, data: Any, requires_grad: bool = False, grad_fn: BackwardFunction | None = None
    ) -> None:
        """A Tensor that holds a float64 copy of ``data``: numbers, lists or an ndarray.

        ``grad`` starts as None. ``requires_grad`` and ``grad_fn`` are kept as they are given.
        """
        ### BEGIN SOLUTION
        self.data = np.array(data, dtype=np.float64)
        self.requires_grad = requires_grad
        self.grad: NDArray | None = None
        self.grad_fn = grad_fn
        ### END SOLUTION

    def __repr__(self) -> str:
        made = f", grad_fn={type(self.grad_fn).__name__}" if self.grad_fn is not None else ""
        return f"Tensor({self.data}{made})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    # ---- operations: each computes its value, and passes it on together with its rule ----

    def __add__(self, other: Tensor | float) -> Tensor:
        other = as_tensor(other)
        return result(self.data + other.data, AddBackward(self, other))

    def __mul__(self, other: Tensor | float) -> Tensor:
        other = as_tensor(other)
        return result(self.data * other.data, MulBackward(self, other))

    def __pow__(self, exponent: float) -> Tensor:
        return result(self.data**exponent, PowBackward(self, exponent))

    def __matmul__(self, other: Tensor) -> Tensor:
        return result(self.data @ other.data, MatMulBackward(self, other))

    def relu(self) -> Tensor:
        return result(np.maximum(self.data, 0), ReLUBackward(self))

    def sigmoid(self) -> Tensor:
        # log(1 + e⁻ˣ) by logaddexp: nothing overflows, not even at -1000.
        out = np.exp(-np.logaddexp(0, -self.data))
        return result(out, SigmoidBackward(self, out))

    def transpose(self) -> Tensor:
        return result(self.data.T, TransposeBackward(self))

    @property
    def T(self) -> Tensor:
        return self.transpose()

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Tensor:
        return self * -1

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self + -as_tensor(other)

    def __rsub__(self, other: float) -> Tensor:
        return -self + other

    def __truediv__(self, other: Tensor | float) -> Tensor:
        return self * as_tensor(other) ** -1

    def __rtruediv__(self, other: float) -> Tensor:
        return self**-1 * other

    # NumPy would take a Tensor apart: `np.ones(3) * tensor` has to ask the Tensor.
    __array_ufunc__ = None

    # ---- the walk back, by recursion ----------------------------------------------------

    def backward(self, gradient: Any = None) -> None:
        """Add ``gradient`` to ``grad``, and pass on what the rule makes of it to the inputs.

        Args:
            gradient: of the shape of ``data``; without it, ones.

        A Tensor that requires no gradient keeps ``grad`` None, and nothing is passed on to it.
        The first gradient that arrives is copied: changing ``grad`` in place later changes no
        other Tensor. A later one is added. Then ``grad_fn``, where there is one, is asked for
        one gradient per input, and ``backward`` of each input is called with its own. Every
        input gets what arrived just now, not the sum of all that has arrived.

        Source: depth-first reverse accumulation; the chain rule, path by path.
        """
        ### BEGIN SOLUTION
        if not self.requires_grad:
            return
        arrived = np.ones_like(self.data) if gradient is None else np.asarray(gradient, np.float64)
        self.grad = np.array(arrived) if self.grad is None else self.grad + arrived
        if self.grad_fn is None:
            return
        for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True):
            source.backward(handed)
        ### END SOLUTION


relu, transpose = Tensor.relu, Tensor.transpose  # as functions, like `add`, `matmul` and `mul`


def as_tensor(value: Tensor | float) -> Tensor:
    """A number or an array becomes a leaf without a gradient; a Tensor stays itself."""
    return value if isinstance(value, Tensor) else Tensor(value)


def result(data: NDArray, rule: BackwardFunction) -> Tensor:
    """The Tensor of a result: it keeps its rule only where an input requires a gradient."""
    if any(source.requires_grad for source in rule.inputs):
        return Tensor(data, requires_grad=True, grad_fn=rule)
    return Tensor(data)


# ---- rules ------------------------------------------------------------------------------


class BackwardFunction:
    """The rule of one operation, and what it has to remember; a new one for every result.

    Attributes:
        inputs: the Tensors that the operation was applied to.
    """

    def __init__(self, *inputs: Tensor) -> None:
        self.inputs = inputs

    def backward(self, gradient: NDArray) -> tuple[NDArray, ...]:
        """One ndarray per input: ``gradient`` times the slope with respect to that input."""
        raise NotImplementedError


def unbroadcast(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """``gradient`` summed over the axes along which ``shape`` was broadcast.

    A value that was used in many places sums what comes back from each. Axes that broadcasting
    put in front are summed away; axes of length 1 that it stretched are summed and kept. The
    result has the shape ``shape``.
    """
    ### BEGIN SOLUTION
    front = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(front)))
    stretched = tuple(i for i, size in enumerate(shape) if size == 1)
    return gradient.sum(axis=stretched, keepdims=True)
    ### END SOLUTION


class AddBackward(BackwardFunction):
    """The rule of ``a + b``, with broadcasting."""

    def backward(self, gradient: NDArray) -> tuple[NDArray, NDArray]:
        """d(a + b)/da = 1 and d(a + b)/db = 1; each in the shape of its own input."""
        a, b = self.inputs
        return unbroadcast(gradient, a.shape), unbroadcast(gradient, b.shape)


class MulBackward(BackwardFunction):
    """The rule of ``a * b``, element by element, with broadcasting."""

    def backward(self, gradient: NDArray) -> tuple[NDArray, NDArray]:
        """d(a·b)/da = b and d(a·b)/db = a; each product in the shape of its own input."""
        ### BEGIN SOLUTION
        a, b = self.inputs
        return unbroadcast(gradient * b.data, a.shape), unbroadcast(gradient * a.data, b.shape)
        ### END SOLUTION


class PowBackward(BackwardFunction):
    """The rule of ``a ** exponent``; the exponent is a plain number, in ``self.exponent``."""

    def __init__(self, a: Tensor, exponent: float) -> None:
        super().__init__(a)
        self.exponent = exponent

    def backward(self, gradient: NDArray) -> tuple[NDArray]:
        """d(aⁿ)/da = n·aⁿ⁻¹, for any exponent. One input, so a tuple of one."""
        (a,) = self.inputs
        return (gradient * self.exponent * a.data ** (self.exponent - 1),)


class ReLUBackward(BackwardFunction):
    """The rule of ``max(a, 0)``."""

    def backward(self, gradient: NDArray) -> tuple[NDArray]:
        """``gradient`` where ``a`` is positive, else 0; at exactly 0 it is 0, by convention."""
        (a,) = self.inputs
        return (gradient * (a.data > 0),)


class SigmoidBackward(BackwardFunction):
    """The rule of ``1 / (1 + exp(-a))``; it keeps the result in ``self.out``, an ndarray."""

    def __init__(self, a: Tensor, out: NDArray) -> None:
        super().__init__(a)
        self.out = out

    def backward(self, gradient: NDArray) -> tuple[NDArray]:
        """ds/da = s·(1 - s), where s is the result."""
        ### BEGIN SOLUTION
        return (gradient * self.out * (1 - self.out),)
        ### END SOLUTION


class TransposeBackward(BackwardFunction):
    """The rule of ``a.T`` for a matrix."""

    def backward(self, gradient: NDArray) -> tuple[NDArray]:
        """Every element goes back to the place that it came from."""
        return (gradient.T,)


class MatMulBackward(BackwardFunction):
    """The rule of ``a @ b`` for two matrices."""

    def backward(self, gradient: NDArray) -> tuple[NDArray, NDArray]:
        """For out = a @ b of the shapes (m, k) and (k, n): ``gradient @ bᵀ`` and ``aᵀ @ gradient``.

        Source: Giles, "An extended collection of matrix derivative results", 2008.
        """
        a, b = self.inputs
        return gradient @ b.data.T, a.data.T @ gradient


class CrossEntropyBackward(BackwardFunction):
    """The rule of `cross_entropy`; ``self.labels`` holds the right class of each row."""

    def __init__(self, logits: Tensor, labels: NDArray) -> None:
        super().__init__(logits)
        self.labels = labels

    def backward(self, gradient: NDArray) -> tuple[NDArray]:
        """(softmax(logits) - one_hot(labels)) / rows, times the one number in ``gradient``.

        It is finite for every finite logit, at ±1000 too.
        """
        ### BEGIN SOLUTION
        (logits,) = self.inputs
        rows = np.arange(len(self.labels))
        slope = np.exp(logits.data - logits.data.max(axis=1, keepdims=True))
        slope /= slope.sum(axis=1, keepdims=True)
        slope[rows, self.labels] -= 1
        return (gradient * slope / len(rows),)
        ### END SOLUTION


def cross_entropy(logits: Tensor, y: Any) -> Tensor:
    """The mean over the rows of ``-log(softmax(logits)[right class])``.

    Args:
        logits: one row per sample, one column per class.
        y: the right class of each row, whole numbers.

    Returns:
        A Tensor of the shape ``()`` with `CrossEntropyBackward` as its rule, made by `result`.
        It is finite for every finite logit, at ±1000 too: the largest logit of each row is
        subtracted first, which leaves the softmax as it is.
    """
    labels = np.asarray(y).astype(int)
    shifted = logits.data - logits.data.max(axis=1, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=1))
    losses = total - shifted[np.arange(len(labels)), labels]
    return result(losses.mean(), CrossEntropyBackward(logits, labels))


# ---- a network --------------------------------------------------------------------------


class Linear:
    """``x @ W.T + b``, with weights as PyTorch lays them: a row per output.

    Attributes:
        weight: a leaf of the shape ``(outputs, inputs)`` that requires a gradient.
        bias: a leaf of the shape ``(outputs,)`` that requires a gradient.
    """

    def __init__(self, inputs: int, outputs: int, rng: np.random.Generator | None = None) -> None:
        """Weights drawn uniformly between -1/√inputs and 1/√inputs from ``rng``; biases 0.

        Without ``rng`` a new generator is made.
        """
        rng = rng or np.random.default_rng()
        bound = 1 / np.sqrt(inputs)
        self.weight = Tensor(rng.uniform(-bound, bound, (outputs, inputs)), requires_grad=True)
        self.bias = Tensor(np.zeros(outputs), requires_grad=True)

    def __call__(self, x: Tensor) -> Tensor:
        """``x @ W.T + b``: ``x`` has one row per sample, and so has the result."""
        return x @ self.weight.T + self.bias


class MLP:
    """A multi-layer perceptron: Linear layers with ReLU between them.

    Attributes:
        layers: the Linear layers, in order.
    """

    def __init__(self, dims: Sequence[int], rng: np.random.Generator | None = None) -> None:
        """``MLP([784, 128, 10])``: one Linear per step from one size to the next.

        All layers draw from the same generator, ``rng``, in order; without one, a new one.
        """
        rng = rng or np.random.default_rng()
        self.layers = [Linear(a, b, rng) for a, b in zip(dims[:-1], dims[1:], strict=True)]

    def __call__(self, x: Tensor) -> Tensor:
        """Layer after layer, with `relu` after every layer but the last."""
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.layers[-1](x)

    def parameters(self) -> list[Tensor]:
        """Weight and bias of every layer, in one flat list; each once."""
        return [p for layer in self.layers for p in (layer.weight, layer.bias)]


def train_step(model: MLP, x: NDArray, y: NDArray, lr: float) -> float:
    """One step of gradient descent on one batch; the loss before the step, as a float.

    Every parameter's ``grad`` is forgotten first (set to None). After the walk back, ``data`` of
    every parameter is lowered by ``lr`` times its ``grad``; no graph is made for that.

    Args:
        model: called with a Tensor of ``x``, it gives logits; it has ``parameters()``.
        x: one row per sample.
        y: the right class of each row.
    """
    ### BEGIN SOLUTION
    for parameter in model.parameters():
        parameter.grad = None
    loss = cross_entropy(model(Tensor(x)), y)
    loss.backward()
    for parameter in model.parameters():
        parameter.data -= lr * parameter.grad
    return float(loss.data)
    ### END SOLUTION


# ---- what recursion costs, and the fix ----------------------------------------------------


def visits(root: Tensor) -> int:
    """Count how often `Tensor.backward`, by recursion, asks a rule for gradients from ``root``.

    A leaf has no rule and counts 0; so does a Tensor that requires no gradient. Nothing is
    computed, and no ``grad`` changes.
    """
    ### BEGIN SOLUTION
    if root.grad_fn is None or not root.requires_grad:
        return 0
    return 1 + sum(visits(source) for source in root.grad_fn.inputs)
    ### END SOLUTION


def backward_in_order(root: Tensor, gradient: Any = None) -> None:
    """The gradients that ``root.backward(gradient)`` gives, with every rule asked once.

    A rule is asked after everything that was made from its Tensor has passed on its part, and
    gets the sum. It works on rules alone and calls no Tensor's ``backward``. What Tensors hold
    in ``grad`` from an earlier walk is added to, and not passed on. Tensors that require no
    gradient keep ``grad`` None.
    """
    ### BEGIN SOLUTION
    order: list[Tensor] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif node.requires_grad and id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            if node.grad_fn is not None:
                stack.extend((source, False) for source in node.grad_fn.inputs)

    start = np.ones_like(root.data) if gradient is None else np.array(gradient, dtype=np.float64)
    arrived = {id(root): start}
    for node in reversed(order):
        total = arrived.pop(id(node))
        node.grad = np.array(total) if node.grad is None else node.grad + total
        if node.grad_fn is None:
            continue
        for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward(total), strict=True):
            earlier = arrived.get(id(source))
            arrived[id(source)] = handed if earlier is None else earlier + handed
    ### END SOLUTION
