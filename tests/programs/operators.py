"""Programs that serve every op of the table: its forward, its backward, its backward twice."""

import numpy as np

from .harness import array_of, input_gradients, leaf, made_by, tensor_data, walk


def forward(bg, op, attrs, arrays):
    """{op}.forward computes the right values."""
    copies = [np.array(array) for array in arrays]
    value = getattr(bg.ops, op)(*attrs).forward(*copies)
    return {"value": [array_of(value, f"{op}.forward")], "inputs": copies}


def vjp(bg, op, attrs, arrays, cotangent):
    """{op}.backward returns the gradient of every input."""
    inputs = [leaf(bg, array) for array in arrays]
    out = made_by(getattr(bg.ops, op)(*attrs)(*inputs), op)
    out_grad = leaf(bg, cotangent, requires_grad=False)
    gradients = input_gradients(bg, out, out_grad)
    return {
        "gradient": [np.array(gradient.data) for gradient in gradients],
        "inputs": [np.array(tensor.data) for tensor in (*inputs, out_grad)],
    }


def again(bg, op, attrs, arrays, cotangent, second):
    """What {op}.backward returns can be differentiated again."""
    inputs = [leaf(bg, array) for array in arrays]
    out = made_by(getattr(bg.ops, op)(*attrs)(*inputs), op)
    out_grad = leaf(bg, cotangent)
    gradients = input_gradients(bg, out, out_grad)
    reached = walk(bg, gradients, second)
    # What one float32 step has rounded is to be judged as float32, whatever it was added to.
    coarsest = min((g.data.dtype for g in gradients), key=lambda dtype: dtype.itemsize)
    found = [reached.get(id(tensor), np.zeros(tensor.shape)) for tensor in (out_grad, *inputs)]
    return [np.asarray(array, dtype=coarsest) for array in found]


def expression(bg, function, arrays):
    """{function} computes the right values."""
    names = {f"x{i}": leaf(bg, array) for i, array in enumerate(arrays)}
    value = eval(function, {"bg": bg, "ops": bg.ops, **names})
    return [tensor_data(bg, value, function)]


def reaches(bg, function, arrays):
    """The result of {function} remembers the tensors that it was made from."""
    inputs = [leaf(bg, array) for array in arrays]
    names = {f"x{i}": tensor for i, tensor in enumerate(inputs)}
    out = made_by(eval(function, {"bg": bg, "ops": bg.ops, **names}), function)
    reached, todo = set(), [out]
    while todo:
        tensor = todo.pop()
        if id(tensor) not in reached:
            reached.add(id(tensor))
            todo.extend(tensor._inputs)
    return [np.array([float(id(tensor) in reached) for tensor in inputs])]
