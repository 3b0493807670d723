"""A backward of a backward, by the learner's own walk."""

import numpy as np

from .harness import grad_data, input_gradients, leaf, made_by


def again(bg, op, attrs, arrays, cotangent, second):
    """What {op}.backward returns can be differentiated again."""
    inputs = [leaf(bg, array) for array in arrays]
    out = made_by(getattr(bg.ops, op)(*attrs)(*inputs), op)
    out_grad = leaf(bg, cotangent)
    gradients = input_gradients(bg, out, out_grad)
    for gradient, weights in zip(gradients, second):  # noqa: B905
        made_by(gradient, f"{op}.backward")
        (gradient * leaf(bg, weights, requires_grad=False)).sum().backward()
    return [np.array(grad_data(bg, tensor, "out_grad.grad")) for tensor in (out_grad, *inputs)]
