"""Section 3.13: a walk back that is right on every chain and every tree, and still wrong."""

from __future__ import annotations

import numpy as np

from .tensor import Tensor


def naive_backward(node: Tensor, grad: Tensor) -> None:
    """A first draft of ``backward``, by plain recursion. Something is wrong with it.

    It keeps what has arrived at a node in ``node.grad`` and passes it on to the inputs.
    """
    node.grad = np.array(grad.data if node.grad is None else node.grad + grad.data)
    if node._op is None:
        return
    out_grad = Tensor(node.grad, dtype=node.dtype, requires_grad=False)
    gradients = node._op.backward(out_grad, node)
    if isinstance(gradients, Tensor):
        gradients = (gradients,)
    for source, gradient in zip(node._inputs, gradients, strict=True):
        naive_backward(source, gradient)


def predict_diamond() -> tuple[float, float]:
    """Your prediction for ``x = 3``, ``y = x * x``, ``z = y + y``, started from 1.

    Returns two numbers: the gradient of ``x`` that is right, and the one that
    ``naive_backward(z, ...)`` leaves in ``x.grad``.
    """
    ### BEGIN SOLUTION
    # Right: z = 2x², so 4x = 12. Naive: y hands on 1·2x = 6 when the first path arrives,
    # then (1 + 1)·2x = 12 when the second does: 18.
    return 12.0, 18.0
    ### END SOLUTION


def mended_backward(node: Tensor, grad: Tensor) -> None:
    """``naive_backward`` with its bug fixed, and every op's ``backward`` called only once.

    ``node`` is the tensor to start from and ``grad`` the gradient that arrives there. Every
    leaf of a fresh graph ends with its gradient in ``.grad``.
    """
    ### BEGIN SOLUTION
    order: list[Tensor] = []
    seen: set[int] = set()

    def visit(tensor: Tensor) -> None:
        if id(tensor) not in seen:
            seen.add(id(tensor))
            for source in tensor._inputs:
                visit(source)
            order.append(tensor)

    visit(node)
    arrived = {id(node): grad}
    for tensor in reversed(order):
        out_grad = arrived[id(tensor)]
        tensor.grad = np.array(out_grad.data)
        if tensor._op is None:
            continue
        gradients = tensor._op.backward(out_grad, tensor)
        if isinstance(gradients, Tensor):
            gradients = (gradients,)
        for source, gradient in zip(tensor._inputs, gradients, strict=True):
            earlier = arrived.get(id(source))
            arrived[id(source)] = gradient if earlier is None else earlier + gradient
    ### END SOLUTION
