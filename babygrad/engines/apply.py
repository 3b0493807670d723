"""An engine whose operations have no state: `Function.apply` and `save_for_backward` (chapter 11).

It stands on its own: NumPy, and nothing else of the package. An operation is two static methods.
What one call has to remember is kept in a `Context`, which `apply` makes and passes to both. The
result holds it as its `_creator`. PyTorch's own `torch.autograd.Function` works the same way.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

NDArray = np.ndarray


class Tensor:
    """An array that remembers the call that made it.

    Attributes:
        data: an ndarray; one that is given keeps its dtype, everything else becomes float32.
        requires_grad: whether it gets a gradient.
        grad: None at first; later an ndarray of the shape of ``data``.
        _creator: the `Context` of the call that made it; None for a leaf.
    """

    # NumPy would take a Tensor apart: `np.ones(3) * tensor` has to ask the Tensor.
    __array_ufunc__ = None

    def __init__(
        self, data: Any, requires_grad: bool = False, _creator: Context | None = None
    ) -> None:
        self.data = np.array(data) if isinstance(data, np.ndarray) else np.array(data, np.float32)
        self.requires_grad = requires_grad
        self.grad: NDArray | None = None
        self._creator = _creator

    def __repr__(self) -> str:
        """``Tensor(data=12.0, requires_grad=True)``: the data as `print` shows it."""
        return f"Tensor(data={self.data}, requires_grad={self.requires_grad})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def __add__(self, other: Tensor | float) -> Tensor:
        return Add.apply(self, other)

    def __mul__(self, other: Tensor | float) -> Tensor:
        return Mul.apply(self, other)

    def __pow__(self, exponent: float) -> Tensor:
        return Pow.apply(self, exponent=exponent)

    def __matmul__(self, other: Tensor) -> Tensor:
        return MatMul.apply(self, other)

    def sum(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        return Sum.apply(self, axis=axis, keepdims=keepdims)

    def exp(self) -> Tensor:
        return Exp.apply(self)

    def log(self) -> Tensor:
        return Log.apply(self)

    def relu(self) -> Tensor:
        return ReLU.apply(self)

    def tanh(self) -> Tensor:
        return Tanh.apply(self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Tensor:
        return self * -1

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self + other * -1

    def __rsub__(self, other: float) -> Tensor:
        return -self + other

    def __truediv__(self, other: Tensor | float) -> Tensor:
        return self * other**-1

    def __rtruediv__(self, other: float) -> Tensor:
        return self**-1 * other

    def backward(self, gradient: Any = None) -> None:
        """Add to the ``grad`` of every leaf the gradient of this Tensor with respect to it.

        Args:
            gradient: of the shape of ``data``. Without it the walk starts from 1, and only for
                a Tensor with one element: for more it raises ValueError.

        If this Tensor requires no gradient, it returns and changes nothing: no error. Every
        `backward` of a Function is called once, with the sum of all that has arrived. If it
        returns None for an input, nothing arrives there; what is no tuple stands for a tuple of
        one: an array, or the NumPy number that an array without axes turns into. A leaf gets an
        array of its own: the first gradient to arrive is copied, a later one is added to a copy,
        so changing one ``grad`` in place changes no other. Whatever a leaf holds
        from an earlier walk is added to. A leaf without ``requires_grad`` keeps ``grad`` None.
        """
        # Yours to write: section 11.5; `grader check chapter11.apply.backward`
        raise NotImplementedError


def as_tensor(value: Any) -> Tensor:
    """A number or an array becomes a leaf without a gradient; a Tensor stays itself."""
    return value if isinstance(value, Tensor) else Tensor(value)


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
            if node._creator is not None:
                stack.extend((source, False) for source in node._creator.inputs)
    return order


class Context:
    """The memory of one call of a Function.

    Attributes:
        function: the class that was called.
        inputs: the Tensors that it was called with.
        saved: what `save_for_backward` was given, a tuple of ndarrays.

    A `forward` may set further attributes, for what is no array: an axis, a shape.
    """

    def __init__(self, function: type[Function], inputs: tuple[Tensor, ...]) -> None:
        self.function = function
        self.inputs = inputs
        self.saved: tuple[NDArray, ...] = ()

    def save_for_backward(self, *arrays: NDArray) -> None:
        """Keep these arrays in ``saved``."""
        self.saved = arrays

    @property
    def saved_tensors(self) -> tuple[NDArray, ...]:
        """PyTorch's name for ``saved``."""
        return self.saved


class Function:
    """One operation: two static methods, and no state of its own."""

    @staticmethod
    def forward(ctx: Context, *arrays: NDArray, **options: Any) -> NDArray:
        """The value; it leaves in ``ctx`` what `backward` will need."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> Any:
        """One gradient per input, as a tuple; None for an input that gets none."""
        raise NotImplementedError

    @classmethod
    def apply(cls, *inputs: Any, **options: Any) -> Tensor:
        """Call `forward`, and wrap what it returns.

        Every input that is no Tensor becomes one, by `as_tensor`. A new Context with this class
        and these inputs is made for each call. `forward` gets the Context, the ``data`` of every
        input, and ``options`` as keyword arguments. The result requires a gradient where any
        input does, and holds the Context as its ``_creator``; else its ``_creator`` is None.

        What `forward` returns keeps its dtype, a single number too: NumPy makes one of an array
        without axes, and a number is no ndarray.
        """
        # Yours to write: section 11.5; `grader check chapter11.apply.apply`
        raise NotImplementedError


def unbroadcast(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """``gradient`` summed over the axes along which ``shape`` was broadcast."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, size in enumerate(shape) if size == 1)
    return np.asarray(gradient.sum(axis=stretched, keepdims=True))


# ---- operations -------------------------------------------------------------------------


class Add(Function):
    """``a + b``, with broadcasting. Nothing of the values is needed to go back: only shapes."""

    @staticmethod
    def forward(ctx: Context, a: NDArray, b: NDArray) -> NDArray:
        return a + b

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> tuple[NDArray, NDArray]:
        a, b = ctx.inputs
        return unbroadcast(gradient, a.shape), unbroadcast(gradient, b.shape)


class Exp(Function):
    """``eᵃ``. It saves what it made."""

    @staticmethod
    def forward(ctx: Context, a: NDArray) -> NDArray:
        out = np.exp(a)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        (out,) = ctx.saved
        return gradient * out


class Log(Function):
    """The natural logarithm. It saves what it was given."""

    @staticmethod
    def forward(ctx: Context, a: NDArray) -> NDArray:
        ctx.save_for_backward(a)
        return np.log(a)

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        (a,) = ctx.saved
        return gradient / a


class ReLU(Function):
    """``max(a, 0)``. It saves a mask, a quarter or an eighth of the memory of ``a``."""

    @staticmethod
    def forward(ctx: Context, a: NDArray) -> NDArray:
        ctx.save_for_backward(a > 0)
        return np.maximum(a, 0)

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        (positive,) = ctx.saved
        return gradient * positive


class Mul(Function):
    """``a * b``, element by element, with broadcasting."""

    @staticmethod
    def forward(ctx: Context, a: NDArray, b: NDArray) -> NDArray:
        """The product; it saves both inputs."""
        # Yours to write: section 11.5; `grader check chapter11.apply.mul`
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> tuple[NDArray, NDArray]:
        """d(a·b)/da = b and d(a·b)/db = a; each in the shape of its own input."""
        # Yours to write: section 11.5; `grader check chapter11.apply.mul`
        raise NotImplementedError


class Pow(Function):
    """``a ** exponent``; the exponent is a keyword argument."""

    @staticmethod
    def forward(ctx: Context, a: NDArray, *, exponent: float) -> NDArray:
        """The power. It raises TypeError where ``exponent`` is not a number (`numbers.Real`)."""
        if not isinstance(exponent, numbers.Real):
            raise TypeError(f"The exponent has to be a number, not a {type(exponent).__name__}.")
        ctx.save_for_backward(a)
        ctx.exponent = exponent
        return a**exponent

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        """d(aⁿ)/da = n·aⁿ⁻¹. The exponent is no input: one gradient."""
        (a,) = ctx.saved
        return gradient * ctx.exponent * a ** (ctx.exponent - 1)


class MatMul(Function):
    """``a @ b`` for two matrices."""

    @staticmethod
    def forward(ctx: Context, a: NDArray, b: NDArray) -> NDArray:
        """The product of an (m, k) and a (k, n) matrix; it saves both."""
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> tuple[NDArray, NDArray]:
        """``gradient @ bᵀ`` and ``aᵀ @ gradient``."""
        a, b = ctx.saved
        return gradient @ b.T, a.T @ gradient


class Sum(Function):
    """The sum over one axis, several, or all."""

    @staticmethod
    def forward(
        ctx: Context, a: NDArray, *, axis: int | tuple[int, ...] | None = None,
        keepdims: bool = False,
    ) -> NDArray:  # fmt: skip
        """``a.sum(axis, keepdims=keepdims)``; no values of ``a`` need to be kept, only its shape."""
        # Yours to write: section 11.5; `grader check chapter11.apply.sum`
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        """Every element went into one sum with the slope 1: ``gradient`` spread over the shape of
        ``a``, negative axes too."""
        # Yours to write: section 11.5; `grader check chapter11.apply.sum`
        raise NotImplementedError


class Tanh(Function):
    """The hyperbolic tangent."""

    @staticmethod
    def forward(ctx: Context, a: NDArray) -> NDArray:
        """The value; it saves what it made."""
        # Yours to write: section 11.5; `grader check chapter11.apply.tanh`
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> NDArray:
        """d(tanh a)/da = 1 - t², where t is the result."""
        # Yours to write: section 11.5; `grader check chapter11.apply.tanh`
        raise NotImplementedError


class CrossEntropy(Function):
    """The mean over the rows of ``-log(softmax(logits)[right class])``: two inputs, one gradient.

    Called as ``CrossEntropy.apply(logits, labels)``; the labels are whole numbers in an ndarray.
    """

    @staticmethod
    def forward(ctx: Context, logits: NDArray, labels: NDArray) -> NDArray:
        """The loss, a single number; finite for every finite logit, at ±1000 too."""
        labels = labels.astype(int)
        shifted = logits - logits.max(axis=1, keepdims=True)
        log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        ctx.save_for_backward(np.exp(log_probabilities), labels)
        return -log_probabilities[np.arange(len(labels)), labels].mean()

    @staticmethod
    def backward(ctx: Context, gradient: NDArray) -> tuple[NDArray, None]:
        """(softmax(logits) - one_hot(labels)) / rows, times ``gradient``; None for the labels.

        Called a second time, it gives the same again: what is saved stays as it is.
        """
        probabilities, labels = ctx.saved
        slope = probabilities.copy()
        slope[np.arange(len(labels)), labels] -= 1
        return gradient * slope / len(labels), None
