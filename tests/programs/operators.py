"""Programs that serve every op of the table: its forward, its backward, its backward twice."""

import warnings

import numpy as np

from .harness import (
    POOL,
    Complaint,
    array_of,
    ask_first,
    count_from_here,
    halved_first,
    input_gradients,
    leaf,
    listing,
    made_by,
    op_of,
    tensor_data,
    text,
    walk,
)

# What results mean: `grader/course/key_encoding.py` says which words there are.
MEANS = {
    "*": {"alone": True},
    "forward": {"written": "forward"},
    "spent_on_windows": {"written": "forward"},
    "vjp": {
        "written": "backward",
        "nudge": {"run": "operators.forward", "inputs": ["arrays.*"], "out_grad": "cotangent"},
    },
    "again": {"gradients": {"value": ["out_grad", "inputs"]}},
}


def forward(bg, op, attrs, arrays):
    """{op}.forward computes the right values."""
    call = f"{op}({', '.join(map(repr, attrs))}).forward"
    # A view of an array shows its next values, too. Of another array it has to be another one.
    copy = np.array if POOL.has_view(call) else POOL.array
    copies = [copy(array) for array in arrays]
    for other in POOL.others(op, attrs, copies):
        ask_first(other.forward, *copies)
    value = op_of(bg, op, attrs).forward(*copies)
    value = POOL.result(call, np.asarray(array_of(value, f"{op}.forward", stays=False)))
    kept = [np.empty(0, value.dtype), *copies]
    return {"value": [value], "dtype": [text(value.dtype.name)], "inputs": copies, "kept": kept}


def spent_on_windows(bg, op, attrs, arrays):
    """{op}.forward computes the windows that the stride asks for, and no other.

    Numbers that lie between these windows are so large that matrix products with the filters are no
    float any more, and NumPy says so: a witness beside the count. It says nothing of a Fourier
    transform, which is right too, and looks at every number.
    """
    a, b = arrays
    stride = 1 + max(b.shape[:2])
    rows, columns = (np.arange(size) % stride for size in a.shape[1:3])
    between = (rows >= b.shape[0])[:, None] | (columns >= b.shape[1])
    large = np.where(between[:, :, None], 1e300, a)
    with warnings.catch_warnings(record=True) as heard, np.errstate(over="warn"):
        warnings.simplefilter("always")
        op_of(bg, op, (stride, 0)).forward(large, np.abs(b) + 1e10)
    if any(str(each.message).endswith(("in matmul", "in dot")) for each in heard):
        says = "it computed windows between those that the stride asks for."
        raise Complaint(f"{op}.forward: {says}")
    count_from_here()
    return forward(bg, op, attrs, arrays)


def single(bg, op, attrs, arrays):
    """{op}.forward computes the right values in float32 too, and keeps that dtype."""
    copies = [np.array(array) for array in arrays]
    made = op_of(bg, op, attrs)
    ask_first(made.forward, *(np.array(array * np.float32(0.5)) for array in arrays))
    value = array_of(made.forward(*copies), f"{op}.forward")
    return {"value": [value], "inputs": copies}


def unguarded(bg, op, arrays):
    """{op}.forward gives what NumPy gives, at 0 too: an infinity."""
    with np.errstate(all="ignore"):
        value = array_of(op_of(bg, op).forward(*map(np.array, arrays)), f"{op}.forward")
    return [np.array(value)]


def refuses(bg, op, attrs, arrays):
    """{op}.forward raises a ValueError for what it cannot do."""
    try:
        value = op_of(bg, op, attrs).forward(*(np.array(array) for array in arrays))
    except NotImplementedError:
        raise
    except Exception as error:
        kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return [text(f"{kind} is raised")]
    return [text(f"no error is raised: the result has the shape {np.shape(value)}")]


def vjp(bg, op, attrs, arrays, cotangent):
    """{op}.backward returns the gradient of every input."""
    inputs = [leaf(bg, array) for array in arrays]
    out_grad, made = leaf(bg, cotangent, requires_grad=False), op_of(bg, op, attrs)
    for other in POOL.others(op, attrs, arrays):
        ask_first(gradients_where_it_fits, other, inputs, out_grad)
    if len(arrays) == 1:
        larger = leaf(bg, np.repeat(np.atleast_1d(arrays[0]), 2, axis=0))
        ask_first(gradients_where_it_fits, made, [larger], out_grad)
    out = made_by(made(*inputs), op)  # last: it may remember for its backward what it saw
    gradients = input_gradients(bg, out, out_grad)
    return {
        "gradient": [np.array(gradient.data) for gradient in gradients],
        "inputs": [np.array(tensor.data) for tensor in (*inputs, out_grad)],
    }


def gradients_where_it_fits(op, inputs, out_grad):
    """Ask an op for gradients, if its result has the shape of ``out_grad``."""
    node = op(*inputs)
    if node.data.shape == out_grad.data.shape:
        op.backward(out_grad, node)


def of_the_base(bg, arrays, cotangent):
    """Pow.backward returns the gradient of a base that is not positive, too."""
    inputs = [leaf(bg, array) for array in arrays]
    out_grad = leaf(bg, cotangent, requires_grad=False)
    with np.errstate(all="ignore"):  # the exponent has no gradient there
        out = made_by(op_of(bg, "Pow")(*inputs), "Pow")
        gradient, _ = input_gradients(bg, out, out_grad)
    return [np.array(gradient.data)]


def again(bg, op, attrs, arrays, cotangent, second):
    """The result of {op}.backward can be differentiated again."""
    inputs = [leaf(bg, array) for array in arrays]
    out = made_by(op_of(bg, op, attrs)(*inputs), op)
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

    def computed():
        out = eval(function, {"bg": bg, "ops": bg.ops, **names})
        return out, np.array(tensor_data(bg, out, function))

    halved_first([x.data for x in names.values()], computed)
    out, value = computed()
    return {
        "value": [value],
        "graph": [text(leads_back(out, names))],
        "inputs": [np.array(tensor.data) for tensor in names.values()],
    }


def leads_back(out, names):
    """Say which of the named tensors a result was made from."""
    if getattr(out, "_op", None) is None:
        return "the graph was not recorded: the result has no _op"
    reached, todo = set(), [out]
    while todo:
        tensor = todo.pop()
        if id(tensor) not in reached:
            reached.add(id(tensor))
            todo.extend(tensor._inputs)
    return f"leads back to {listing([n for n, tensor in names.items() if id(tensor) in reached])}"


def with_number(bg, function, arrays):
    """The number in {function} has the dtype of the tensor, and requires no gradient."""
    constants = [leaf(bg, array, requires_grad=False) for array in arrays]
    names = {f"x{i}": tensor for i, tensor in enumerate(constants)}
    out = eval(function, {"bg": bg, "ops": bg.ops, **names})
    asks = "requires a gradient" if out.requires_grad else "requires no gradient"
    return {"value": [tensor_data(bg, out, function)], "asks": [text(asks)]}
