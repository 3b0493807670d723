"""A backward of a backward, by the learner's own walk."""

import numpy as np

from .harness import grad_data, input_gradients, leaf, made_by, op_of

MEANS = {"*": {"alone": True}, "again": {"gradients": {"value": ["out_grad", "inputs"]}}}


def again(bg, op, attrs, arrays, cotangent, second):
    """The result of {op}.backward can be differentiated again."""
    tensors = walked(bg, op, attrs, arrays, cotangent, second)
    return [np.array(grad_data(bg, tensor, "out_grad.grad")) for tensor in tensors]


def linear(bg, op, attrs, arrays, cotangent, second):
    """The result of {op}.backward can be differentiated again."""
    out_grad, *inputs = walked(bg, op, attrs, arrays, cotangent, second)
    first = np.array(grad_data(bg, out_grad, "out_grad.grad"))
    # No way leads to the inputs of an op whose gradient does not depend on them.
    held = [None if x.grad is None else grad_data(bg, x, "x.grad") for x in inputs]
    zeros = [np.zeros(x.shape, first.dtype) for x in inputs]
    return [first, *(z if g is None else np.array(g) for g, z in zip(held, zeros))]  # noqa: B905


def walked(bg, op, attrs, arrays, cotangent, second):
    """The out_grad and the inputs of an op, after a walk back from its gradients."""
    inputs = [leaf(bg, array) for array in arrays]
    out = made_by(op_of(bg, op, attrs)(*inputs), op)
    out_grad = leaf(bg, cotangent)
    gradients = input_gradients(bg, out, out_grad)
    for gradient, weights in zip(gradients, second):  # noqa: B905
        made_by(gradient, f"{op}.backward")
        (gradient * leaf(bg, weights, requires_grad=False)).sum().backward()
    return [out_grad, *inputs]
