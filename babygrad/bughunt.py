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
    # Yours to write: section 3.13; `grader check chapter3.bughunt.predict`
    raise NotImplementedError


def mended_backward(node: Tensor, grad: Tensor) -> None:
    """``naive_backward`` with its bug fixed, and every op's ``backward`` called only once.

    ``node`` is the tensor to start from and ``grad`` the gradient that arrives there. Every
    leaf of a fresh graph ends with its gradient in ``.grad``.
    """
    # Yours to write: section 3.13; `grader check chapter3.bughunt.mend`
    raise NotImplementedError
