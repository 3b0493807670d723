"""Neural network modules: layers that own their parameters, and losses (chapters 4 and 8)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np  # noqa: F401  (for you; there is a way without it, too)

from . import ops
from .checkpoint import State, require_match  # noqa: F401  (for chapter 8)
from .tensor import NDArray, Tensor

Kind = TypeVar("Kind")


class Parameter(Tensor):
    """A Tensor to be learned. A module finds its parameters by this type."""

    def __init__(
        self, data: Any, *, device: Any = None, dtype: Any = None, requires_grad: bool = True
    ) -> None:
        """Make a leaf that holds its own copy of ``data``, as ``Tensor(data)`` does.

        Args:
            data: a Tensor, an ndarray, a (nested) list or a number.
            device: passed on to Tensor.
            dtype: the dtype of the values. None keeps the dtype of a Tensor; anything else
                becomes float32.
            requires_grad: True, whatever ``data`` had, unless you say otherwise.

        A parameter is always a leaf, even when ``data`` is a Tensor that was computed.
        """
        ### BEGIN SOLUTION
        if dtype is None:
            dtype = data.dtype if isinstance(data, Tensor) else "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)
        ### END SOLUTION


def collect(value: Any, kind: type[Kind]) -> list[Kind]:
    """Every object of the type ``kind`` that ``value`` is or holds, each of them once.

    Looked into, to any depth: the attributes of a Module, the items of a list or tuple, the
    values of a dict. No other object is looked into. What is held in two places is listed
    once, and modules that hold each other do not make the search endless. The order is free.
    """
    ### BEGIN SOLUTION
    found: list[Kind] = []
    seen: set[int] = set()
    # A stack instead of calls inside calls, as in `topological_order`: any depth will do.
    stack = [value]
    while stack:
        thing = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, kind):
            found.append(thing)
        if isinstance(thing, Module):
            thing = vars(thing)
        if isinstance(thing, dict):
            thing = list(thing.values())
        if isinstance(thing, (list, tuple)):
            stack.extend(reversed(thing))
    return found
    ### END SOLUTION


def named_state(value: Any) -> dict[str, Tensor | NDArray]:
    """Every Tensor and ndarray that ``value`` holds, under the path that leads to it (chapter 8).

    Looked into, to any depth: the attributes of a Module, the items of a list or tuple, the
    values of a dict. No other object is looked into, a Tensor neither. A path is made of the
    names of attributes, the numbers of items, counted from 0, and the keys of dicts, joined
    with dots: ``layers.0.weight``. Its Tensors and arrays are the very objects that ``value``
    holds.

    A Parameter is a Tensor. So is what BatchNorm1d remembers: what no gradient changes counts
    as well. Numbers and texts do not: the code that builds the model knows them.

    What is held in two places appears under both paths. Modules that hold each other do not make
    the walk endless: it never enters a module, list, tuple or dict that it is inside of. The order
    is free.

    Raises:
        ValueError: two places have the same path, as in ``{"a.b": x, "a": {"b": y}}``.
    """
    ### BEGIN SOLUTION
    found: dict[str, Tensor | NDArray] = {}
    stack: list[tuple[Any, tuple[str, ...], tuple[Any, ...]]] = [(value, (), ())]
    while stack:
        thing, path, inside = stack.pop()
        if isinstance(thing, (Tensor, np.ndarray)):
            name = ".".join(path)
            if name in found:
                raise ValueError(f"two things would be called {name!r}")
            found[name] = thing
            continue
        if any(thing is outer for outer in inside):
            continue
        if isinstance(thing, Module):
            held = list(vars(thing).items())
        elif isinstance(thing, dict):
            held = list(thing.items())
        elif isinstance(thing, (list, tuple)):
            held = list(enumerate(thing))
        else:
            continue
        for name, item in reversed(held):
            stack.append((item, (*path, str(name)), (*inside, thing)))
    return found
    ### END SOLUTION


class Module:
    """The base of every layer, network and loss: parameters, a mode, and a ``forward``.

    Attributes:
        training: True in training mode, False in evaluation mode; True until told otherwise.
    """

    training: bool = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the module's output; every subclass writes its own."""
        raise NotImplementedError

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """``module(x)`` gives what ``module.forward(x)`` gives.

        Passes on every argument, named ones too: ``module(x, scale=2)``.
        """
        ### BEGIN SOLUTION
        return self.forward(*args, **kwargs)
        ### END SOLUTION

    def parameters(self) -> list[Parameter]:
        """Every Parameter of this module and of the modules in it, each once; no other Tensor."""
        ### BEGIN SOLUTION
        return collect(self, Parameter)
        ### END SOLUTION

    def zero_grad(self) -> None:
        """Forget the gradients: ``grad`` of every parameter is None afterwards.

        An array of zeros in ``grad`` is fine, too. The values of the parameters stay.
        """
        ### BEGIN SOLUTION
        for parameter in self.parameters():
            parameter.grad = None
        ### END SOLUTION

    def train(self, mode: bool = True) -> Module:
        """Set ``training`` to ``mode``, here and in every module inside; return this module."""
        ### BEGIN SOLUTION
        for module in collect(self, Module):
            module.training = mode
        return self
        ### END SOLUTION

    def eval(self) -> Module:
        """Set ``training`` to False, here and in every module inside; return this module."""
        ### BEGIN SOLUTION
        return self.train(False)
        ### END SOLUTION

    def state_dict(self) -> State:
        """The knowledge of this module: every Tensor and array in it, by its path (chapter 8).

        The paths are those of ``named_state``. Every value is an ndarray that is a copy: later
        training does not change the state, and writing into the state does not change the
        module. It has the dtype of the original.
        """
        ### BEGIN SOLUTION
        return {
            name: np.array(thing.data if isinstance(thing, Tensor) else thing)
            for name, thing in named_state(self).items()
        }
        ### END SOLUTION

    def load_state_dict(self, state: Mapping[str, NDArray]) -> None:
        """Take over the values of a state, as ``state_dict`` gave it (chapter 8).

        The Tensors and arrays that the module holds stay the same objects and are filled, not
        replaced: an optimizer, and anything else that holds them, sees the new values. They keep
        their dtype, whatever that of the state is. Values are copied: module and state share no
        memory afterwards, and the state stays as it was.

        Raises:
            ValueError: names are missing, unexpected, or have another shape; ``require_match``
                says which. Nothing is loaded then: every value of the module stays as it was.
        """
        ### BEGIN SOLUTION
        own = named_state(self)
        require_match(own, state)
        for name, thing in own.items():
            if isinstance(thing, Tensor):
                thing.data = np.array(state[name], dtype=thing.dtype)
            else:
                thing[...] = state[name]
        ### END SOLUTION


# ---- without parameters ---------------------------------------------------------------


class ReLU(Module):
    """``max(x, 0)``, value by value."""

    def forward(self, x: Tensor) -> Tensor:
        """``max(x, 0)``, value by value, as a node of the graph."""
        ### BEGIN SOLUTION
        return ops.relu(x)
        ### END SOLUTION


class Tanh(Module):
    """The hyperbolic tangent, value by value."""

    def forward(self, x: Tensor) -> Tensor:
        """The hyperbolic tangent of every value, as a node of the graph."""
        ### BEGIN SOLUTION
        return ops.tanh(x)
        ### END SOLUTION


class Sigmoid(Module):
    """``1 / (1 + e⁻ˣ)``, value by value."""

    def forward(self, x: Tensor) -> Tensor:
        """``1 / (1 + e⁻ˣ)`` of every value, as a node of the graph.

        Value and gradient are finite for every finite ``x``, at ±1000 too.
        """
        ### BEGIN SOLUTION
        return ops.sigmoid(x)
        ### END SOLUTION


class Flatten(Module):
    """Turns every example of a batch into one row."""

    def forward(self, x: Tensor) -> Tensor:
        """``(batch, a, b, …)`` becomes ``(batch, a·b·…)``; the values keep their order.

        A batch that has rows already, ``(batch, a)``, keeps its shape.
        """
        ### BEGIN SOLUTION
        batch, *rest = x.shape
        return x.reshape(batch, math.prod(rest))
        ### END SOLUTION


# ---- the linear layer -----------------------------------------------------------------


class Linear(Module):
    """``x @ weight + bias``: every output is a weighted sum of all inputs.

    Attributes:
        weight: a Parameter of shape ``(in_features, out_features)``.
        bias: a Parameter of shape ``(out_features,)``; ``(1, out_features)`` is fine, too. None
            with ``bias=False``.
    """

    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, dtype: Any = "float32"
    ) -> None:
        """Make ``weight`` and ``bias``, two Parameters of this dtype.

        The values of both start uniform between -1/√in_features and 1/√in_features, drawn
        with `np.random` (or ``Tensor.rand``). This is PyTorch's default.
        """
        ### BEGIN SOLUTION
        bound = 1 / math.sqrt(in_features)
        weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)
        self.weight = Parameter(weight)
        self.bias = None
        if bias:
            self.bias = Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """``x @ weight + bias``; without a bias ``x @ weight``.

        ``x`` has the shape ``(batch, in_features)``, the result ``(batch, out_features)``.
        """
        ### BEGIN SOLUTION
        out = x @ self.weight
        return out if self.bias is None else out + self.bias
        ### END SOLUTION


# ---- modules made of modules ----------------------------------------------------------


class Sequential(Module):
    """Modules one after the other: the output of each is the input of the next.

    Attributes:
        layers: the modules, a tuple, in the order in which they run.
    """

    def __init__(self, *modules: Module) -> None:
        self.layers = modules

    def forward(self, x: Tensor) -> Tensor:
        """``x`` sent through all of ``layers``, the first one first.

        Without layers the result is ``x`` itself. Every call starts from the ``x`` of that call.
        """
        ### BEGIN SOLUTION
        for layer in self.layers:
            x = layer(x)
        return x
        ### END SOLUTION


class Residual(Module):
    """A module with a way around it: ``fn(x) + x``.

    Attributes:
        fn: the module inside; its output has the shape of its input.
    """

    def __init__(self, fn: Module) -> None:
        self.fn = fn

    def forward(self, x: Tensor) -> Tensor:
        """``fn(x) + x``; ``fn`` is called once.

        Source: He et al. 2016, "Deep residual learning for image recognition".
        """
        ### BEGIN SOLUTION
        return x + self.fn(x)
        ### END SOLUTION


# ---- dropout --------------------------------------------------------------------------


class Dropout(Module):
    """Silences values at random while training.

    Attributes:
        p: the probability that a value is dropped; at least 0 and less than 1.
    """

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """In training mode every value is 0 with probability ``p``, else ``x / (1 - p)``.

        Every value is drawn separately, again in every call, with `np.random` (or
        ``Tensor.randb``). The gradient passes where the value passed: 0 where it was dropped,
        ``out_grad / (1 - p)`` where it was kept. In evaluation mode the result is ``x``.

        Source: Srivastava et al. 2014; dividing in training is called inverted dropout.
        """
        ### BEGIN SOLUTION
        if not self.training:
            return x
        kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)
        return x * (kept / (1 - self.p))
        ### END SOLUTION


# ---- normalisation --------------------------------------------------------------------


class LayerNorm1d(Module):
    """Brings every row to mean 0 and variance 1, then scales and shifts every column.

    Attributes:
        weight, bias: Parameters of shape ``(dim,)``; ``(1, dim)`` is fine, too.
        eps: keeps the root away from 0.
    """

    def __init__(self, dim: int, eps: float = 1e-5, dtype: Any = "float32") -> None:
        """Make ``weight``, all ones, and ``bias``, all zeros, of this dtype; keep ``eps``."""
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = Parameter(Tensor.ones(dim, dtype=dtype))
        self.bias = Parameter(Tensor.zeros(dim, dtype=dtype))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """``(x - mean) / √(variance + eps) * weight + bias``, for ``x`` of shape ``(batch, dim)``.

        ``mean`` and ``variance`` are those of each row by itself; the variance is the biased
        one, the mean squared distance (divide by ``dim``). Training and evaluation are the same.

        Source: Ba, Kiros, Hinton 2016, "Layer normalization".
        """
        ### BEGIN SOLUTION
        batch, dim = x.shape
        mean = (x.sum(1) / dim).reshape(batch, 1)
        centred = x - mean
        variance = ((centred * centred).sum(1) / dim).reshape(batch, 1)
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias
        ### END SOLUTION


class BatchNorm1d(Module):
    """Brings every column of a batch to mean 0 and variance 1, then scales and shifts it.

    Attributes:
        weight, bias: Parameters of shape ``(dim,)``; ``(1, dim)`` is fine, too.
        running_mean, running_var: what evaluation uses, of the shape of ``weight``: Tensors
            that require no gradient, or ndarrays. They are not Parameters.
        eps: keeps the root away from 0.
        momentum: the share of the newest batch in the running statistics.
    """

    def __init__(
        self, dim: int, eps: float = 1e-5, momentum: float = 0.1, dtype: Any = "float32"
    ) -> None:
        """Make the attributes that the class names, of this dtype; keep ``eps`` and ``momentum``.

        ``weight`` and ``running_var`` start as ones, ``bias`` and ``running_mean`` as zeros.
        """
        ### BEGIN SOLUTION
        self.eps = eps
        self.momentum = float(momentum)  # one of NumPy's could make float64 of the statistics
        self.weight = Parameter(Tensor.ones(dim, dtype=dtype))
        self.bias = Parameter(Tensor.zeros(dim, dtype=dtype))
        self.running_mean = Tensor.zeros(dim, dtype=dtype, requires_grad=False)
        self.running_var = Tensor.ones(dim, dtype=dtype, requires_grad=False)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """``(x - mean) / √(variance + eps) * weight + bias``, for ``x`` of shape ``(batch, dim)``.

        In training mode ``mean`` and ``variance`` are those of each column of this batch; the
        variance is the biased one (divide by ``batch``), and gradients flow through both. Then
        each running statistic becomes ``(1 - momentum) * running + momentum * new``; there,
        ``new`` is the mean, and the unbiased variance (divide by ``batch - 1``). No gradient
        flows there: the statistics are not part of the graph.

        In evaluation mode ``mean`` and ``variance`` are the running ones, constants, and they
        stay as they are.

        Raises:
            ValueError: in training mode, a batch of one row: it has no unbiased variance.

        Source: Ioffe, Szegedy 2015, "Batch normalization".
        """
        ### BEGIN SOLUTION
        if self.training:
            batch = x.shape[0]
            if batch < 2:
                raise ValueError("BatchNorm1d needs at least two rows in training mode.")
            mean = x.sum(0) / batch
            centred = x - mean
            variance = (centred * centred).sum(0) / batch
            # On `.data`: else each note would hold on to the graphs of all batches before it.
            old, new = 1 - self.momentum, self.momentum
            unbiased = variance.data * (batch / (batch - 1))
            self.running_mean.data = old * self.running_mean.data + new * mean.data
            self.running_var.data = old * self.running_var.data + new * unbiased
        else:
            centred = x - self.running_mean
            variance = self.running_var
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias
        ### END SOLUTION


# ---- losses ---------------------------------------------------------------------------


class MSELoss(Module):
    """The mean squared error."""

    def forward(self, predictions: Tensor, targets: Tensor) -> Tensor:
        """The mean of ``(predictions - targets)²`` over all values, a Tensor of shape ``()``.

        A single value in the shape ``(1,)`` is fine, too.

        Raises:
            ValueError: the two shapes differ. Broadcasting would hide it: ``(4, 1)`` against
                ``(4,)`` makes 16 differences.
        """
        ### BEGIN SOLUTION
        if predictions.shape != targets.shape:
            raise ValueError(f"predictions {predictions.shape} against targets {targets.shape}")
        difference = predictions - targets
        return (difference * difference).sum() / predictions.size
        ### END SOLUTION


class SoftmaxLoss(Module):
    """The cross-entropy of a softmax: how surprised the network is by the right classes."""

    def forward(self, logits: Tensor, y: Any) -> Tensor:
        """The mean over the batch of ``-log softmax(logits)[y]``, a Tensor of shape ``()``.

        Args:
            logits: scores of shape ``(batch, classes)``; any finite numbers, ±1000 too.
            y: the right class of each row, an integer from 0 to ``classes - 1``, of shape
                ``(batch,)``: an ndarray, a list or a Tensor.

        A single value in the shape ``(1,)`` is fine, too.
        """
        ### BEGIN SOLUTION
        batch, classes = logits.shape
        right = Tensor.one_hot(y, classes, dtype=logits.dtype)
        return (ops.log_softmax(logits) * right).sum() / -batch
        ### END SOLUTION


# ---- images (chapter 10) ----------------------------------------------------------------


class Conv(Module):
    """Kernels that slide over images, each looking for its own pattern.

    Attributes:
        weight: a Parameter of shape ``(out_channels, in_channels, kernel_size, kernel_size)``,
            as PyTorch keeps it.
        bias: a Parameter of shape ``(out_channels,)``; None with ``bias=False``.
        stride, padding: those of `ops.Conv`.
    """

    bias: Parameter | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        bias: bool = True,
        dtype: Any = "float32",
    ) -> None:
        """Make ``weight`` and ``bias``, two Parameters of this dtype; keep ``stride``, ``padding``.

        The values of both start uniform between -1/√n and 1/√n, drawn with `np.random` (or
        ``Tensor.rand``), where n is how many numbers each sum adds up:
        ``in_channels * kernel_size * kernel_size``. This is PyTorch's default.
        """
        ### BEGIN SOLUTION
        self.stride = stride
        self.padding = padding
        shape = (out_channels, in_channels, kernel_size, kernel_size)
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        self.weight = Parameter(Tensor.rand(*shape, low=-bound, high=bound, dtype=dtype))
        self.bias = None
        if bias:
            self.bias = Parameter(Tensor.rand(out_channels, low=-bound, high=bound, dtype=dtype))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Each image under every kernel, plus the bias of that kernel.

        ``x`` has the shape ``(batch, in_channels, height, width)``, the result ``(batch,
        out_channels, rows, columns)``. `ops.conv` takes other orders of the axes: transpose ``x``
        and ``weight`` for it, and its result back.
        """
        ### BEGIN SOLUTION
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        if self.bias is not None:
            out = out + self.bias  # the channels lie last here, so that the shapes line up
        return out.transpose((0, 3, 1, 2))
        ### END SOLUTION


def tiles(x: Tensor, size: int) -> Tensor:
    """Images cut into square tiles that do not overlap.

    ``x`` has the shape ``(batch, channels, height, width)``, the result ``(batch, channels,
    height // size, size, width // size, size)``: axis 3 runs down inside a tile and axis 5
    across. Rows at the bottom and columns at the right that fill no tile are left out.
    """
    ### BEGIN SOLUTION
    batch, channels, height, width = x.shape
    rows, columns = height // size, width // size
    x = x[:, :, : rows * size, : columns * size]
    return x.reshape(batch, channels, rows, size, columns, size)
    ### END SOLUTION


class MaxPool2d(Module):
    """The largest value of every square tile: the image shrinks, what is strong stays.

    Attributes:
        kernel_size: how many rows and columns a tile has.
    """

    def __init__(self, kernel_size: int) -> None:
        self.kernel_size = kernel_size

    def forward(self, x: Tensor) -> Tensor:
        """The maximum of each tile: ``(batch, channels, height // size, width // size)``.

        The gradient goes to the largest value of a tile; where several tie, in equal shares.
        """
        ### BEGIN SOLUTION
        return tiles(x, self.kernel_size).max((3, 5))
        ### END SOLUTION


class AvgPool2d(Module):
    """The mean of every square tile.

    Attributes:
        kernel_size: how many rows and columns a tile has.
    """

    def __init__(self, kernel_size: int) -> None:
        self.kernel_size = kernel_size

    def forward(self, x: Tensor) -> Tensor:
        """The mean of each tile: ``(batch, channels, height // size, width // size)``.

        Every value of a tile gets the same share of its gradient.
        """
        ### BEGIN SOLUTION
        return tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size**2
        ### END SOLUTION
