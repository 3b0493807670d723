"""A small engine without a fault, and engines that differ from it by one slip each.

`gallery.py` has them judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# ---- an engine without a fault ----------------------------------------------------------------


class Node:
    """An array, its gradient, and (parent, rule) pairs."""

    def __init__(self, data: Any, *pairs: tuple[Node, Callable[[Any], Any]]) -> None:
        self.data, self.pairs, self.grad = data, pairs, None


class Engine:
    """Right in everything. Those below differ from it in one method."""

    def add(self, a: Node, b: Node) -> Node:
        return Node(a.data + b.data, (a, lambda g: g), (b, lambda g: g))

    def mul(self, a: Node, b: Node) -> Node:
        return Node(a.data * b.data, (a, lambda g: g * b.data), (b, lambda g: g * a.data))

    def div(self, a: Node, b: Node) -> Node:
        out = a.data / b.data
        return Node(out, (a, lambda g: g / b.data), (b, lambda g: -g * out / b.data))

    def cube(self, a: Node) -> Node:
        return Node(a.data**3, (a, lambda g: g * 3 * a.data**2))

    def exp(self, a: Node) -> Node:
        out = np.exp(a.data)
        return Node(out, (a, lambda g: g * out))

    def tanh(self, a: Node) -> Node:
        out = np.tanh(a.data)
        return Node(out, (a, lambda g: g * (1 - out**2)))

    def relu(self, a: Node) -> Node:
        return Node(np.maximum(a.data, 0), (a, lambda g: g * (a.data > 0)))

    def matmul(self, a: Node, b: Node) -> Node:
        return Node(a.data @ b.data, (a, lambda g: g @ b.data.T), (b, lambda g: a.data.T @ g))

    def mean(self, a: Node) -> Node:
        """Of each column."""
        count = len(a.data)
        return Node(a.data.mean(0), (a, lambda g: np.broadcast_to(g / count, a.data.shape)))

    def softmax(self, a: Node) -> Node:
        """Of each row."""
        p = np.exp(a.data - a.data.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        return Node(p, (a, lambda g: p * (g - (g * p).sum(-1, keepdims=True))))

    def unbroadcast(self, gradient: Any, shape: tuple[int, ...]) -> Any:
        gradient = gradient.sum(tuple(range(gradient.ndim - len(shape))))
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.sum(axes, keepdims=True) if axes else gradient

    def give(self, node: Node, gradient: Any) -> None:
        node.grad = gradient if node.grad is None else node.grad + gradient

    def order(self, root: Node) -> list[Node]:
        """Every node after all that use it."""
        found: list[Node] = []

        def visit(node: Node) -> None:
            if node not in found:
                for parent, _ in node.pairs:
                    visit(parent)
                found.append(node)

        visit(root)
        return found[::-1]

    def backward(self, root: Node, cotangent: Any) -> None:
        self.give(root, cotangent)
        for node in self.order(root):
            for parent, rule in node.pairs:
                self.give(parent, self.unbroadcast(rule(node.grad), parent.data.shape))


# ---- one slip each ------------------------------------------------------------------------------


class OwnFactor(Engine):
    def mul(self, a: Node, b: Node) -> Node:
        return Node(a.data * b.data, (a, lambda g: g * a.data), (b, lambda g: g * b.data))


class MinusForgotten(Engine):
    def div(self, a: Node, b: Node) -> Node:
        out = a.data / b.data
        return Node(out, (a, lambda g: g / b.data), (b, lambda g: g * out / b.data))


class PowerNotLowered(Engine):
    def cube(self, a: Node) -> Node:
        return Node(a.data**3, (a, lambda g: g * 3 * a.data**3))


class ExpOfTheInput(Engine):
    def exp(self, a: Node) -> Node:
        return Node(np.exp(a.data), (a, lambda g: g * a.data))


class TanhOfTheInput(Engine):
    def tanh(self, a: Node) -> Node:
        return Node(np.tanh(a.data), (a, lambda g: g * (1 - a.data**2)))


class TanhThatGivesUp(Engine):
    """Where the slope is small anyway."""

    def tanh(self, a: Node) -> Node:
        out = np.tanh(a.data)
        return Node(out, (a, lambda g: g * np.where(abs(a.data) < 1.5, 1 - out**2, 0)))


class ReluOfPositivesOnly(Engine):
    """A leak, as if it were a leaky ReLU."""

    def relu(self, a: Node) -> Node:
        return Node(np.maximum(a.data, 0), (a, lambda g: g * np.where(a.data > 0, 1, 0.01)))


class NotTransposed(Engine):
    def matmul(self, a: Node, b: Node) -> Node:
        return Node(a.data @ b.data, (a, lambda g: g @ b.data), (b, lambda g: a.data.T @ g))


class SumForMean(Engine):
    def mean(self, a: Node) -> Node:
        return Node(a.data.mean(0), (a, lambda g: np.broadcast_to(g, a.data.shape)))


class DiagonalOnly(Engine):
    """As if each probability depended on its own score alone."""

    def softmax(self, a: Node) -> Node:
        p = super().softmax(a).data
        return Node(p, (a, lambda g: g * p * (1 - p)))


class MeanForSum(Engine):
    def unbroadcast(self, gradient: Any, shape: tuple[int, ...]) -> Any:
        gradient = gradient.mean(tuple(range(gradient.ndim - len(shape))))
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.sum(axes, keepdims=True) if axes else gradient


class OnesNotSummed(Engine):
    """Axes in front are summed, axes of one are not."""

    def unbroadcast(self, gradient: Any, shape: tuple[int, ...]) -> Any:
        return gradient.sum(tuple(range(gradient.ndim - len(shape))))


class LastOneWins(Engine):
    def give(self, node: Node, gradient: Any) -> None:
        node.grad = gradient


class TooEarly(Engine):
    """A node's turn comes when it is first seen, maybe before all that use it."""

    def order(self, root: Node) -> list[Node]:
        found: list[Node] = []

        def visit(node: Node) -> None:
            if node not in found:
                found.append(node)
                for parent, _ in node.pairs:
                    visit(parent)

        visit(root)
        return found


class BeginsWithOnes(Engine):
    def backward(self, root: Node, cotangent: Any) -> None:
        super().backward(root, np.ones_like(cotangent))


class AboutTwoThirds(Engine):
    """A constant with two digits: what is 2/3 of the way is 0.67 of it."""

    def cube(self, a: Node) -> Node:
        return Node(a.data**3, (a, lambda g: g * 4.5 * 0.67 * a.data**2))


class OneAtTheKink(Engine):
    def relu(self, a: Node) -> Node:
        return Node(np.maximum(a.data, 0), (a, lambda g: g * (a.data >= 0)))


class SevenDigits(Engine):
    def exp(self, a: Node) -> Node:
        out = np.exp(a.data)
        return Node(out, (a, lambda g: (g * out).astype(np.float32).astype(np.float64)))


SLIPS = (
    OwnFactor, MinusForgotten, PowerNotLowered, ExpOfTheInput, TanhOfTheInput, TanhThatGivesUp,
    ReluOfPositivesOnly, NotTransposed, SumForMean, DiagonalOnly, MeanForSum, OnesNotSummed,
    LastOneWins, TooEarly, BeginsWithOnes, AboutTwoThirds,
)  # fmt: skip
UNSEEN = (OneAtTheKink, SevenDigits)  # what no difference shows: a convention, and rounding
