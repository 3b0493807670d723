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
        # Yours to write: section 2.1; `grader check chapter2.init`
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of every axis, a tuple: ``(2, 3)``; ``()`` for a single number."""
        # Yours to write: section 2.2; `grader check chapter2.shape`
        raise NotImplementedError

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of the values."""
        # Yours to write: section 2.2; `grader check chapter2.dtype`
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        """The number of axes: 0 for a single number."""
        # Yours to write: section 2.2; `grader check chapter2.ndim`
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of values: the product of ``shape``."""
        # Yours to write: section 2.2; `grader check chapter2.size`
        raise NotImplementedError

    @property
    def device(self) -> str:
        """The place of the values: always the string ``"cpu"``."""
        # Yours to write: section 2.2; `grader check chapter2.device`
        raise NotImplementedError

    def numpy(self) -> NDArray:
        """The values as an ndarray that is a copy: writing to it leaves the tensor alone."""
        # Yours to write: section 2.3; `grader check chapter2.numpy`
        raise NotImplementedError

    def detach(self) -> Tensor:
        """A new leaf with the same values and dtype that does not require a gradient."""
        # Yours to write: section 2.4; `grader check chapter2.detach`
        raise NotImplementedError

    def __repr__(self) -> str:
        """``Tensor(VALUES, requires_grad=True)``; VALUES as ``str(self.data)`` prints them."""
        # Yours to write: section 2.5; `grader check chapter2.repr`
        raise NotImplementedError

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
        # Yours to write: section 2.6; `grader check chapter2.rand`
        raise NotImplementedError

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
        # Yours to write: section 2.6; `grader check chapter2.randn`
        raise NotImplementedError

    @staticmethod
    def randb(
        *shape: int,
        p: float = 0.5,
        device: Any = None,
        dtype: Any = "bool",
        requires_grad: bool = False,
    ) -> Tensor:
        """Values that are True with probability ``p``: a mask, such as dropout needs."""
        # Yours to write: section 2.6; `grader check chapter2.randb`
        raise NotImplementedError

    @staticmethod
    def ones(
        *shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = True
    ) -> Tensor:
        """A tensor of this shape that holds 1 everywhere."""
        # Yours to write: section 2.7; `grader check chapter2.ones`
        raise NotImplementedError

    @staticmethod
    def zeros(
        *shape: int, device: Any = None, dtype: Any = "float32", requires_grad: bool = True
    ) -> Tensor:
        """A tensor of this shape that holds 0 everywhere."""
        # Yours to write: section 2.7; `grader check chapter2.zeros`
        raise NotImplementedError

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
        # Yours to write: section 2.8; `grader check chapter2.one_hot`
        raise NotImplementedError

    # ---- operators: each makes one node of the graph ----------------------------------

    def __add__(self, other: Any) -> Tensor:
        """``self + other``; ``other`` is a Tensor or a number."""
        # Yours to write: section 3.3; `grader check chapter3.add.operator`
        raise NotImplementedError

    def __radd__(self, other: Any) -> Tensor:
        """``other + self`` for a number ``other``: ``5 + x``."""
        # Yours to write: section 3.3; `grader check chapter3.add.reflected`
        raise NotImplementedError

    def __sub__(self, other: Any) -> Tensor:
        """``self - other``; ``other`` is a Tensor or a number."""
        # Yours to write: section 3.3; `grader check chapter3.sub.operator`
        raise NotImplementedError

    def __rsub__(self, other: Any) -> Tensor:
        """``other - self`` for a number ``other``: ``5 - x``."""
        # Yours to write: section 3.3; `grader check chapter3.sub.reflected`
        raise NotImplementedError

    def __mul__(self, other: Any) -> Tensor:
        """``self * other``, value by value; ``other`` is a Tensor or a number."""
        # Yours to write: section 3.3; `grader check chapter3.mul.operator`
        raise NotImplementedError

    def __rmul__(self, other: Any) -> Tensor:
        """``other * self`` for a number ``other``: ``5 * x``."""
        # Yours to write: section 3.3; `grader check chapter3.mul.reflected`
        raise NotImplementedError

    def __truediv__(self, other: Any) -> Tensor:
        """``self / other``; ``other`` is a Tensor or a number."""
        # Yours to write: section 3.3; `grader check chapter3.div.operator`
        raise NotImplementedError

    def __rtruediv__(self, other: Any) -> Tensor:
        """``other / self`` for a number ``other``: ``1 / x``."""
        # Yours to write: section 3.3; `grader check chapter3.div.reflected`
        raise NotImplementedError

    def __pow__(self, other: Any) -> Tensor:
        """``self ** other``; ``other`` is a Tensor or a number."""
        # Yours to write: section 3.3; `grader check chapter3.pow.operator`
        raise NotImplementedError

    def __neg__(self) -> Tensor:
        """``-self``."""
        # Yours to write: section 3.3; `grader check chapter3.negate.operator`
        raise NotImplementedError

    def __matmul__(self, other: Tensor) -> Tensor:
        """``self @ other``, the matrix product."""
        # Yours to write: section 3.9; `grader check chapter3.matmul.operator`
        raise NotImplementedError

    def matmul(self, other: Tensor) -> Tensor:
        """The matrix product, as a method: ``a.matmul(b)`` is ``a @ b``."""
        # Yours to write: section 3.9; `grader check chapter3.matmul.method`
        raise NotImplementedError

    def reshape(self, *shape: Any) -> Tensor:
        """The same values in another shape: ``x.reshape(2, 3)`` or ``x.reshape((2, 3))``."""
        # Yours to write: section 3.5; `grader check chapter3.reshape.method`
        raise NotImplementedError

    def transpose(self, axes: tuple[int, ...] | None = None) -> Tensor:
        """The last two axes swapped; or, with ``axes``, the axes in that order."""
        # Yours to write: section 3.6; `grader check chapter3.transpose.method`
        raise NotImplementedError

    def sum(self, axes: int | tuple[int, ...] | None = None) -> Tensor:
        """The sum over ``axes`` (None: over all of them); these axes are gone in the result."""
        # Yours to write: section 3.7; `grader check chapter3.summation.method`
        raise NotImplementedError

    def broadcast_to(self, shape: tuple[int, ...]) -> Tensor:
        """The values repeated until they fill ``shape``, by NumPy's broadcasting rule."""
        # Yours to write: section 3.8; `grader check chapter3.broadcast_to.method`
        raise NotImplementedError

    def pad(self, widths: tuple[tuple[int, int], ...]) -> Tensor:
        """The values with zeros around them: ``x.pad(((0, 0), (1, 2)))``, a pair for each axis."""
        # Yours to write: section 10.1; `grader check chapter10.pad.method`
        raise NotImplementedError

    def __getitem__(self, index: int | slice | tuple[int | slice, ...]) -> Tensor:
        """``x[index]``: ints and slices, for one axis or, in a tuple, for several."""
        # Yours to write: section 10.2; `grader check chapter10.slice.getitem`
        raise NotImplementedError

    def max(self, axes: int | tuple[int, ...] | None = None) -> Tensor:
        """The largest value over ``axes`` (None: of all); these axes are gone in the result."""
        # Yours to write: section 10.5; `grader check chapter10.max.method`
        raise NotImplementedError

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
        # Yours to write: section 3.11; `grader check chapter3.backward`
        raise NotImplementedError


def topological_order(root: Tensor) -> list[Tensor]:
    """Every tensor that ``root`` was made from, each once and after its inputs; ``root`` is last.

    A tensor with ``requires_grad=False`` may be left out, with all that it was made from: nothing
    is passed to it. The tensors stay as they are, so the next call finds the same.
    """
    # Yours to write: section 3.11; `grader check chapter3.topological_order`
    raise NotImplementedError


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
