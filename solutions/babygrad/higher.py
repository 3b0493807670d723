"""Derivatives of derivatives: gradients that are part of a graph themselves (chapter 13).

`Tensor.backward` keeps plain arrays, and so it ends there. `grad` walks the same way and keeps
Tensors: chapter 3's rules are made of Tensor operations, so what they return knows how it was made,
and can itself be walked back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import ops
from .tensor import NDArray, Tensor


def topological_order(root: Tensor) -> list[Tensor]:
    """Every Tensor that ``root`` was made from, each after its inputs; ``root`` is the last."""
    order: list[Tensor] = []
    seen: set[Tensor] = set()
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((source, False) for source in node._inputs)
    return order


def constant(array: Any) -> Tensor:
    """A Tensor of this array's dtype that requires no gradient."""
    array = np.asarray(array)
    return Tensor(array, dtype=array.dtype, requires_grad=False)


def grad(
    output: Tensor,
    inputs: Sequence[Tensor],
    grad_output: Tensor | None = None,
    create_graph: bool = False,
) -> list[Tensor]:
    """The gradient of ``output`` with respect to each of ``inputs``, as a list of Tensors.

    Args:
        output: where the walk starts.
        inputs: Tensors that ``output`` was made from: leaves, or nodes on the way.
        grad_output: the gradient to start from, of the shape of ``output``; None starts from
            ones.
        create_graph: whether the gradients should be part of a graph, so that they can be
            differentiated again. Without it they are constants: no ``_op``, and ``requires_grad``
            is False.

    Returns:
        One Tensor per input, of that input's shape and dtype. An input that ``output`` does not depend on
        gets zeros. No ``grad`` of any Tensor is touched.

    Source: reverse accumulation, as `Tensor.backward`; Griewank & Walther, Evaluating
    Derivatives, 2008, chapter 5.
    """
    ### BEGIN SOLUTION
    if grad_output is None:
        grad_output = constant(np.ones(output.shape, output.dtype))
    arrived = {output: grad_output}
    found: dict[Tensor, Tensor] = {}
    for node in reversed(topological_order(output)):
        total = arrived.pop(node, None)
        if total is None:
            continue
        if not create_graph:
            total = total.detach()
        if node in inputs:
            found[node] = total
        if node._op is None:
            continue
        gradients = node._op.backward(total, node)
        if isinstance(gradients, Tensor):
            gradients = (gradients,)
        for source, gradient in zip(node._inputs, gradients, strict=True):
            if source.requires_grad:
                gradient = ops.unbroadcast(gradient, source.shape)
                arrived[source] = arrived[source] + gradient if source in arrived else gradient
    zeros = (constant(np.zeros(x.shape, x.dtype)) for x in inputs)
    return [found.get(x, zero) for x, zero in zip(inputs, zeros, strict=True)]
    ### END SOLUTION


def hvp(
    f: Callable[..., Tensor], inputs: Sequence[Tensor], vectors: Sequence[Tensor]
) -> list[Tensor]:
    """The Hessian of ``f`` at ``inputs`` times ``vectors``, without ever making the Hessian.

    Args:
        f: takes ``inputs`` one by one, ``f(*inputs)``, and returns a Tensor with one number.
        inputs: Tensors that require gradients.
        vectors: one Tensor per input, of that input's shape.

    Returns:
        One Tensor per input, of its dtype: the gradient of ``Σ gradient · vector``, summed over
        all inputs. It is exact to rounding: ``f`` is computed at ``inputs`` and nowhere else.

    Source: Pearlmutter, Fast exact multiplication by the Hessian, 1994.
    """
    ### BEGIN SOLUTION
    gradients = grad(f(*inputs), inputs, create_graph=True)
    along = [(g * v).sum() for g, v in zip(gradients, vectors, strict=True)]
    total = along[0]
    for each in along[1:]:
        total = total + each
    return grad(total, inputs)
    ### END SOLUTION


def jacobian(f: Callable[[Tensor], Tensor], x: Tensor) -> NDArray:
    """Every derivative of every output of ``f`` at ``x``, an ndarray of shape
    ``f(x).shape + x.shape`` and of the dtype of ``f(x)``.

    ``f`` is computed once. Then one walk back for each number of the output gives one row: it
    starts from 1 at that number, and from 0 at all others.
    """
    ### BEGIN SOLUTION
    y = f(x)
    rows = np.zeros(y.shape + x.shape, y.dtype)
    for index in np.ndindex(y.shape):
        start = np.zeros(y.shape, y.dtype)
        start[index] = 1
        (row,) = grad(y, [x], constant(start))
        rows[index] = row.data
    return rows
    ### END SOLUTION


def hessian(f: Callable[[Tensor], Tensor], x: Tensor) -> NDArray:
    """All second derivatives of ``f`` at ``x``: the `jacobian` of its gradient.

    ``f`` returns a Tensor with one number; the result is an ndarray of shape
    ``x.shape + x.shape`` and of the dtype of ``x``.
    """
    ### BEGIN SOLUTION
    return jacobian(lambda x: grad(f(x), [x], create_graph=True)[0], x)
    ### END SOLUTION
