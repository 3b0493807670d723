"""The Tensor: an array that remembers how it was made (chapters 2 and 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

NDArray = np.ndarray


class Tensor:
    """An array, its gradient, and the operation that made it.

    Attributes:
        data: the values, an ndarray.
        grad: None, then an ndarray of the shape of ``data``.
        requires_grad: whether ``backward`` should leave a gradient here.
        _op: the ``Function`` that made this tensor; None for a leaf.
        _inputs: the tensors that ``_op`` was called with; ``[]`` for a leaf.
    """

    data: NDArray

    # NumPy asks for this: without it `np.ones(3) * tensor` is an array of objects,
    # with it NumPy steps back and Python calls `Tensor.__rmul__`.
    __array_ufunc__ = None

    # A Tensor has indices (chapter 10) and yet is no list: without this line Python would loop
    # over its rows wherever a tuple of Tensors was meant, and say nothing.
    __iter__ = None

    def __init__(
        self, data: Any, *, device: Any = None, dtype: Any = "float32", requires_grad: bool = True
    ) -> None:
        """Make a leaf that holds its own copy of ``data``.

        Args:
            data: a number, a (nested) list, an ndarray or another Tensor.
            device: accepted for the sake of later engines; everything is on the CPU.
            dtype: the dtype of the values, whatever ``data`` had.
            requires_grad: whether ``backward`` should leave a gradient here.

        A new tensor is a leaf: ``grad`` is None, ``_op`` is None and ``_inputs`` is ``[]``,
        a list of its own.
        """
        ### BEGIN SOLUTION
        if isinstance(data, Tensor):
            data = data.data
        self.data = np.array(data, dtype=dtype)
        self.grad: NDArray | None = None
        self.requires_grad = requires_grad
        self._op: Any = None
        self._inputs: list[Tensor] = []
        ### END SOLUTION

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of every axis, a tuple: ``(2, 3)``; ``()`` for a single number."""
        ### BEGIN SOLUTION
        return self.data.shape
        ### END SOLUTION

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of the values."""
        ### BEGIN SOLUTION
        return self.data.dtype
        ### END SOLUTION

    @property
    def ndim(self) -> int:
        """The number of axes: 0 for a single number."""
        ### BEGIN SOLUTION
        return self.data.ndim
        ### END SOLUTION

    @property
    def size(self) -> int:
        """The number of values: the product of ``shape``."""
        ### BEGIN SOLUTION
        return self.data.size
        ### END SOLUTION

    @property
    def device(self) -> str:
        """The place of the values: always the string ``"cpu"``."""
        ### BEGIN SOLUTION
        return "cpu"
        ### END SOLUTION

    def numpy(self) -> NDArray:
        """The values as an ndarray that is a copy: writing to it leaves the tensor alone."""
        ### BEGIN SOLUTION
        return self.data.copy()
        ### END SOLUTION

    def detach(self) -> Tensor:
        """A new leaf with the same values and dtype that does not require a gradient."""
        ### BEGIN SOLUTION
        return Tensor(self.data, dtype=self.dtype, requires_grad=False)
        ### END SOLUTION

    def __repr__(self) -> str:
        """``Tensor(VALUES, requires_grad=True)``; VALUES as ``str(self.data)`` prints them."""
        ### BEGIN SOLUTION
        return f"Tensor({self.data}, requires_grad={self.requires_grad})"
        ### END SOLUTION

    # ---- creators -------------------------------------------------------------------

    @staticmethod
    def rand(
        *shape: int,
        low: float = 0.0,
        high: float = 1.0,
        device: Any = None,
        dtype: Any = "float32",
        requires_grad: bool = True,
    ) -> Tensor:
        """Values drawn uniformly from ``low`` (included) to ``high`` (left out).

        Rounded to ``dtype``, a draw just below ``high`` may become ``high``.
        """
        ### BEGIN SOLUTION
        values = np.random.uniform(low, high, shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    @staticmethod
    def randn(
        *shape: int,
        mean: float = 0.0,
        std: float = 1.0,
        device: Any = None,
        dtype: Any = "float32",
        requires_grad: bool = True,
    ) -> Tensor:
        """Values drawn from a normal distribution with this mean and standard deviation."""
        ### BEGIN SOLUTION
        values = np.random.normal(mean, std, shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    @staticmethod
    def randb(
        *shape: int,
        p: float = 0.5,
        device: Any = None,
        dtype: Any = "bool",
        requires_grad: bool = False,
    ) -> Tensor:
        """Values that are True with probability ``p``: a mask, such as dropout needs."""
        ### BEGIN SOLUTION
        values = np.random.random(shape) < p
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    @staticmethod
    def ones(
        *shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = True
    ) -> Tensor:
        """A tensor of this shape that holds 1 everywhere."""
        ### BEGIN SOLUTION
        return Tensor(np.ones(shape), device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    @staticmethod
    def zeros(
        *shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = True
    ) -> Tensor:
        """A tensor of this shape that holds 0 everywhere."""
        ### BEGIN SOLUTION
        return Tensor(np.zeros(shape), device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    @staticmethod
    def one_hot(
        indices: Any,
        num_classes: int,
        *,
        device: Any = None,
        dtype: Any = "float32",
        requires_grad: bool = False,
    ) -> Tensor:
        """One row per index, 0 everywhere but 1 in the column that the index names.

        ``indices``: integers of any shape, as a list, an ndarray or a Tensor, which stays as it
        was; the result has the shape of ``indices`` with ``num_classes`` as one more, last axis.
        """
        ### BEGIN SOLUTION
        if isinstance(indices, Tensor):
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION

    # ---- operators: each makes one node of the graph ----------------------------------

    def __add__(self, other: Any) -> Tensor:
        """``self + other``; ``other`` is a Tensor or a number."""
        ### BEGIN SOLUTION
        if isinstance(other, Tensor):
            return ops.add(self, other)
        return ops.add_scalar(self, number(other))
        ### END SOLUTION

    def __radd__(self, other: Any) -> Tensor:
        """``other + self`` for a number ``other``: ``5 + x``."""
        ### BEGIN SOLUTION
        return ops.add_scalar(self, number(other))
        ### END SOLUTION

    def __sub__(self, other: Any) -> Tensor:
        """``self - other``; ``other`` is a Tensor or a number."""
        ### BEGIN SOLUTION
        if isinstance(other, Tensor):
            return ops.sub(self, other)
        return ops.add_scalar(self, -number(other))
        ### END SOLUTION

    def __rsub__(self, other: Any) -> Tensor:
        """``other - self`` for a number ``other``: ``5 - x``."""
        ### BEGIN SOLUTION
        return ops.add_scalar(ops.negate(self), number(other))
        ### END SOLUTION

    def __mul__(self, other: Any) -> Tensor:
        """``self * other``, value by value; ``other`` is a Tensor or a number."""
        ### BEGIN SOLUTION
        if isinstance(other, Tensor):
            return ops.mul(self, other)
        return ops.mul_scalar(self, number(other))
        ### END SOLUTION

    def __rmul__(self, other: Any) -> Tensor:
        """``other * self`` for a number ``other``: ``5 * x``."""
        ### BEGIN SOLUTION
        return ops.mul_scalar(self, number(other))
        ### END SOLUTION

    def __truediv__(self, other: Any) -> Tensor:
        """``self / other``; ``other`` is a Tensor or a number."""
        ### BEGIN SOLUTION
        if isinstance(other, Tensor):
            return ops.divide(self, other)
        return ops.div_scalar(self, number(other))
        ### END SOLUTION

    def __rtruediv__(self, other: Any) -> Tensor:
        """``other / self`` for a number ``other``: ``1 / x``."""
        ### BEGIN SOLUTION
        return ops.mul_scalar(ops.power_scalar(self, -1), number(other))
        ### END SOLUTION

    def __pow__(self, other: Any) -> Tensor:
        """``self ** other``; ``other`` is a Tensor or a number."""
        ### BEGIN SOLUTION
        if isinstance(other, Tensor):
            return ops.power(self, other)
        return ops.power_scalar(self, number(other))
        ### END SOLUTION

    def __neg__(self) -> Tensor:
        """``-self``."""
        ### BEGIN SOLUTION
        return ops.negate(self)
        ### END SOLUTION

    def __matmul__(self, other: Tensor) -> Tensor:
        """``self @ other``, the matrix product."""
        ### BEGIN SOLUTION
        return ops.matmul(self, other)
        ### END SOLUTION

    def matmul(self, other: Tensor) -> Tensor:
        """The matrix product, as a method: ``a.matmul(b)`` is ``a @ b``."""
        ### BEGIN SOLUTION
        return ops.matmul(self, other)
        ### END SOLUTION

    def reshape(self, *shape: Any) -> Tensor:
        """The same values in another shape: ``x.reshape(2, 3)`` or ``x.reshape((2, 3))``."""
        ### BEGIN SOLUTION
        if len(shape) == 1 and isinstance(shape[0], (tuple, list, np.ndarray)):
            shape = tuple(shape[0])
        return ops.reshape(self, shape)
        ### END SOLUTION

    def transpose(self, axes: tuple[int, ...] | None = None) -> Tensor:
        """The last two axes swapped; or, with ``axes``, the axes in that order."""
        ### BEGIN SOLUTION
        return ops.transpose(self, axes)
        ### END SOLUTION

    def sum(self, axes: int | tuple[int, ...] | None = None) -> Tensor:
        """The sum over ``axes`` (None: over all of them); these axes are gone in the result."""
        ### BEGIN SOLUTION
        return ops.summation(self, axes)
        ### END SOLUTION

    def broadcast_to(self, shape: tuple[int, ...]) -> Tensor:
        """The values repeated until they fill ``shape``, by NumPy's broadcasting rule."""
        ### BEGIN SOLUTION
        return ops.broadcast_to(self, shape)
        ### END SOLUTION

    def pad(self, widths: tuple[tuple[int, int], ...]) -> Tensor:
        """The values with zeros around them: ``x.pad(((0, 0), (1, 2)))``, a pair for each axis."""
        ### BEGIN SOLUTION
        return ops.pad(self, widths)
        ### END SOLUTION

    def __getitem__(self, index: int | slice | tuple[int | slice, ...]) -> Tensor:
        """``x[index]``: ints and slices, for one axis or, in a tuple, for several."""
        ### BEGIN SOLUTION
        return ops.getitem(self, index)
        ### END SOLUTION

    def max(self, axes: int | tuple[int, ...] | None = None) -> Tensor:
        """The largest value over ``axes`` (None: of all); these axes are gone in the result."""
        ### BEGIN SOLUTION
        return ops.amax(self, axes)
        ### END SOLUTION

    # ---- the walk back ----------------------------------------------------------------

    def backward(self, grad: Any = None) -> None:
        """Leave in every leaf the gradient of this tensor with respect to that leaf.

        Args:
            grad: the gradient to start from, a Tensor or ndarray of this tensor's shape;
                None starts from ones.

        The walk goes through the graph in reverse topological order: a node passes its gradient on
        only after all of its users have passed theirs to it. Where paths meet, gradients add. A
        leaf that holds a gradient from an earlier call adds to it; a tensor with
        ``requires_grad=False`` keeps ``grad`` None.

        Source: reverse accumulation, Linnainmaa 1970; Baydin et al. 2018, section 3.2.
        """
        ### BEGIN SOLUTION
        if not self.requires_grad:
            return
        if grad is None:
            grad = np.ones(self.shape)
        grad = np.asarray(grad.data if isinstance(grad, Tensor) else grad, dtype=self.dtype)
        # What arrives is added up as arrays; only the rules see Tensors. So the gradients that
        # one rule made do not hold on to those of all the rules before it.
        arrived: dict[Tensor, NDArray] = {self: grad}
        # Where the order holds constants, nothing has arrived at them.
        for node in filter(arrived.__contains__, reversed(topological_order(self))):
            total = arrived.pop(node)
            if node._op is None:
                node.grad = np.array(total if node.grad is None else node.grad + total)
                continue
            out_grad = Tensor(total, dtype=total.dtype, requires_grad=False)
            gradients = node._op.backward(out_grad, node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients, strict=True):
                if source.requires_grad:
                    gradient = ops.unbroadcast(gradient, source.shape).data
                    arrived[source] = arrived[source] + gradient if source in arrived else gradient
        ### END SOLUTION


def topological_order(root: Tensor) -> list[Tensor]:
    """Every tensor that ``root`` was made from, each once and after its inputs; ``root`` is last.

    A tensor with ``requires_grad=False`` may be left out, with all that it was made from: nothing
    is passed to it. The tensors stay as they are, so the next call finds the same.
    """
    ### BEGIN SOLUTION
    order: list[Tensor] = []
    seen: set[Tensor] = set()
    # A stack instead of calls inside calls: the depth of a graph is bounded by memory only.
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((source, False) for source in node._inputs if source.requires_grad)
    return order
    ### END SOLUTION


def number(other: Any) -> Any:
    """``other``, the number beside a Tensor, as a number of Python.

    One of NumPy's would decide on the dtype: ``np.float64(2)`` makes float64 of float32.

    Raises:
        TypeError: it isn't a number: a list, say, or an array, which has to be wrapped first.
    """
    if getattr(other, "shape", None) == ():
        return other.item()
    if isinstance(other, (int, float)):
        return other
    kind = type(other).__name__
    raise TypeError(f"A Tensor goes with a Tensor or a number; wrap this {kind}: Tensor(…).")


from . import ops  # noqa: E402  (here, because ops needs Tensor)
