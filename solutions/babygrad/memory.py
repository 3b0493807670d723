"""The memory of a graph, and two ways to need less: `no_grad` and checkpointing (chapter 13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .higher import grad, topological_order
from .ops import Function
from .tensor import NDArray, Tensor

# A layer: a function of a Tensor and of some weights, and these weights.
Layer = tuple[Callable[..., Tensor], Sequence[Tensor]]


def graph_size(root: Tensor) -> tuple[int, int]:
    """Count what a graph keeps: (how many Tensors it has, how many numbers their data hold).

    Every Tensor that ``root`` was made from counts once, ``root`` itself too: leaves, constants
    and all that lies between.
    """
    ### BEGIN SOLUTION
    nodes = topological_order(root)
    return len(nodes), sum(node.size for node in nodes)
    ### END SOLUTION


def without_graph(op: Function, *inputs: Tensor) -> Tensor:
    """Do what `Function.__call__` does, but for the graph: only the values."""
    data = op.forward(*(x.data for x in inputs))
    return Tensor(data, dtype=data.dtype, requires_grad=False)


class no_grad:
    """``with no_grad():`` computes without a graph.

    Every node of every graph is made in one place, `Function.__call__`. As long as the block runs,
    `without_graph` takes its place. Blocks may be nested.
    """

    def __enter__(self) -> None:
        """Remember what ``Function.__call__`` is now, and put `without_graph` there."""
        ### BEGIN SOLUTION
        # The block may be running already: then what it remembers is remembered, too.
        self.before = Function.__call__, getattr(self, "before", None)
        Function.__call__ = without_graph
        ### END SOLUTION

    def __exit__(self, *error: Any) -> None:
        """Put back what was there before, even if the block ended with an exception.

        The exception goes on: nothing is returned.
        """
        ### BEGIN SOLUTION
        Function.__call__, self.before = self.before
        ### END SOLUTION


class Checkpoint(Function):
    """A whole function as one node: only its inputs are kept, the rest is computed once more.

    ``f`` takes Tensors and returns a Tensor. Whatever should have a gradient must be one of its
    inputs; anything else that it uses is a constant.
    """

    def __init__(self, f: Callable[..., Tensor]) -> None:
        self.f = f

    def forward(self, *arrays: NDArray) -> NDArray:
        """The values of ``f``, computed without a graph: nothing in between is kept."""
        ### BEGIN SOLUTION
        with no_grad():
            leaves = [Tensor(a, dtype=a.dtype, requires_grad=False) for a in arrays]
            return self.f(*leaves).data
        ### END SOLUTION

    def backward(self, out_grad: Tensor, node: Tensor) -> tuple[Tensor, ...]:
        """One gradient per input, from computing ``f`` once more, this time with its graph.

        It is computed on fresh leaves with the values of ``node._inputs``: the walk through the
        graph of ``f`` has to end there, and must not go on into what made the inputs. The gradients
        are constants: they cannot be differentiated again.

        Source: Griewank, Achieving logarithmic growth of temporal and spatial complexity in
        reverse automatic differentiation, 1992; Chen et al., Training deep nets with sublinear
        memory cost, 2016.
        """
        ### BEGIN SOLUTION
        leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]
        return tuple(grad(self.f(*leaves), leaves, out_grad))
        ### END SOLUTION


def checkpoint(f: Callable[..., Tensor], *inputs: Tensor) -> Tensor:
    """``f(*inputs)`` as one node of the graph."""
    return Checkpoint(f)(*inputs)


def chain(layers: Sequence[Layer], x: Tensor) -> Tensor:
    """Layer after layer, every result kept for the way back."""
    for layer, weights in layers:
        x = layer(x, *weights)
    return x


def checkpointed(layers: Sequence[Layer], x: Tensor, size: int) -> Tensor:
    """The same as `chain`, with one `checkpoint` for every ``size`` layers in a row.

    The last piece may be shorter. Between two checkpoints only one Tensor is kept. The inputs of a
    checkpoint are what comes in and the weights of all of its layers, layer by layer.
    """
    ### BEGIN SOLUTION
    for start in range(0, len(layers), size):
        piece = layers[start : start + size]

        # The default value binds the piece of now: f runs again long after the loop has ended.
        def f(x: Tensor, *weights: Tensor, piece: Sequence[Layer] = piece) -> Tensor:
            left = list(weights)
            own = [(layer, [left.pop(0) for _ in each]) for layer, each in piece]
            return chain(own, x)

        x = checkpoint(f, x, *(weight for _, own in piece for weight in own))
    return x
    ### END SOLUTION
