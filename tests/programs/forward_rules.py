"""Programs for forward mode: dual numbers, the rules of the ops, and the walk forward."""

import numpy as np

from .differences import look_at
from .harness import ask_first, dtype_of, leaf, tensor_data, unlike
from .higher import Followed, called, rules_noted

OUTPUT, TANGENT = " for the output", " for the tangent"


def number(value, who, verb="is"):
    """A plain number as an array."""
    if isinstance(value, (float, int, np.floating)) and not isinstance(value, bool):
        return np.array(float(value))
    raise unlike(value, f"{who} {verb}", "a number was expected")


def names_of(bg):
    module = bg.forward_mode
    return {name: getattr(module, name) for name in ("Dual", "exp", "log", "tanh")}


def dual(bg, call, values, tangents):
    """{call} has the right value and the right tangent."""
    kind = bg.forward_mode.Dual
    inputs = {f"x{i}": kind(v, t) for i, (v, t) in enumerate(zip(values, tangents, strict=True))}
    names = {**names_of(bg), **inputs}
    ask_first(eval, call, {**names, "x1": kind(values[-1] * 0.5, tangents[-1])})
    out = eval(call, names)
    if not isinstance(out, kind):
        raise unlike(out, f"{call} returned", "a Dual was expected")
    return {
        "value": [number(out.value, f"The value of {call}")],
        "tangent": [number(out.tangent, f"The tangent of {call}")],
    }


def nested(bg, call, value):
    """{call} of a Dual of Duals: its value, its slope and its second derivative."""
    kind = bg.forward_mode.Dual
    out = eval(call, {**names_of(bg), "x0": kind(kind(value, 1.0), kind(1.0, 0.0))})
    places = {
        "The value of the value": ("value", "value"),
        "The tangent of the value": ("value", "tangent"),
        "The value of the tangent": ("tangent", "value"),
        "The tangent of the tangent": ("tangent", "tangent"),
    }
    return [
        number(getattr(getattr(out, outer), inner, None), said)
        for said, (outer, inner) in places.items()
    ]


def plain(bg, name, value):
    """{name} of a plain number is a plain number."""
    return [number(getattr(bg.forward_mode, name)(value), f"{name}({value})", "returned")]


def slope(bg, call, value):
    """derivative gives the slope of {call}."""
    f, seen, factor = eval(f"lambda x: {call}", names_of(bg)), [], [3.0]

    def noting(x):
        seen.append(isinstance(x, bg.forward_mode.Dual) and x.value == value)
        return f(x) * factor[0] if factor else f(x)

    ask_first(bg.forward_mode.derivative, noting, value)
    seen.clear()
    factor.clear()
    found = number(bg.forward_mode.derivative(noting, value), "derivative", "returned")
    return {"value": [found], "once": [np.array(seen == [True])]}


def second_slope(bg, call, value):
    """derivative of a derivative is the second derivative of {call}."""
    f = eval(f"lambda x: {call}", names_of(bg))
    d = bg.forward_mode.derivative
    return [number(d(lambda x: d(f, x), value), "derivative", "returned")]


def of_other_op(bg, node):
    """A node with the same values and inputs, of another op."""

    class Other(bg.ops.Function):
        def forward(self, *arrays):
            return sum(arrays) * 5.0

    other = leaf(bg, node.data)
    other._op, other._inputs = Other(), node._inputs
    return other


def noting(op):
    """The same op, which notes in its forward what it was given."""
    kind = type(op)

    class Noting(kind):
        def forward(self, *arrays):
            self.noted = arrays
            return kind.forward(self, *arrays)

    Noting.__name__ = Noting.__qualname__ = kind.__name__
    made = Noting.__new__(Noting)
    made.__dict__.update(op.__dict__, noted=None)
    return made


def along_of(bg, out, leaves, tangents):
    """A tangent for every input of a node: one Tensor for the same leaf, as `jvp` gives it."""
    moving = {
        id(x): leaf(bg, each, requires_grad=False) for x, each in zip(leaves, tangents, strict=True)
    }
    return [moving[id(source)] for source in out._inputs]


def rule(bg, name, call, arrays, tangents):
    """{name} gives the tangent of the output."""
    leaves = [leaf(bg, array) for array in arrays]
    out = called(bg, call, leaves)
    out._op = noting(out._op)
    along = along_of(bg, out, leaves, tangents)
    before, ask = np.array(out.data), getattr(bg.forward_mode, name)
    ask_first(ask, of_other_op(bg, out), *along)
    ask_first(ask, out, *along_of(bg, out, leaves, [each * 0.5 for each in tangents]))
    found = ask(out, *along)

    def once_more(look):
        fresh = [leaf(bg, array) for array in arrays]
        for each, array in zip(fresh, arrays, strict=True):
            each.data = look.noted(np.array(array))
        again = called(bg, call, fresh)
        along = along_of(bg, again, fresh, tangents)
        return [getattr(bg.forward_mode, name)(again, *along).data]

    look_at(name, getattr(bg.forward_mode, name), once_more)
    tensor_data(bg, found, name)
    due = out
    if name == "jvp_elementwise":  # what the op's own rule gives, nothing else
        due = out._op.backward(along[0], out)
    return {
        "dtype": [np.array(found.data.dtype.itemsize >= due.data.dtype.itemsize)],
        "value": [np.array(found.data)],
        "inputs": [np.array(each.data) for each in (*leaves, *dict.fromkeys(along))],
        "output": [before],
        "op": [np.array(out._op.noted is None)],
    }


def forward(bg, call, arrays, tangents, second):
    """jvp gives the output and its tangent."""
    leaves = [leaf(bg, array) for array in arrays]
    along = [leaf(bg, each, requires_grad=False) for each in tangents]
    if second:  # the second input is made of the first
        leaves[1] = called(bg, second, leaves)
    f, jvp = Followed(bg, call, [x.data for x in leaves]), bg.forward_mode.jvp
    f.asked_first(jvp, leaves, along)
    with rules_noted(bg) as asked:
        found = jvp(f, leaves, along)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, "jvp returned", "two Tensors were expected")
    output, tangent = map(tensor_data, (bg, bg), found, ("jvp", "jvp"), (OUTPUT, TANGENT))
    return {
        "value": [np.array(output)], "tangent": [np.array(tangent)],
        "dtype": dtype_of(leaves[0], found),
        "asked": [np.array(len(asked))],
        "inputs": [np.array(each.data) for each in (*leaves, *along)],
    }  # fmt: skip


def of_own_op(bg, array, tangent):
    """The rule of your own op is found by the op's name, and gets a Tensor for every input."""

    class Tripled(bg.ops.Function):
        def forward(self, a, b):
            return a * 3 + b

    def rule(node, *tangents):
        kinds.append(all(isinstance(each, bg.Tensor) for each in tangents))
        shapes.append([np.shape(each.data) for each in tangents])
        return leaf(bg, tangents[0].data * 3, requires_grad=False)

    kinds, shapes = [], []
    rules, own = bg.forward_mode.RULES, dict(bg.forward_mode.RULES)
    rules["Tripled"] = rule
    try:
        along = leaf(bg, tangent, requires_grad=False)
        still = leaf(bg, np.ones((1,)), requires_grad=False)
        _, moved = bg.forward_mode.jvp(lambda x: Tripled()(x, still), [leaf(bg, array)], [along])
    finally:
        rules.clear()
        rules.update(own)
    tensors = kinds == [True] and shapes == [[np.shape(array), (1,)]]
    moved = tensor_data(bg, moved, "jvp", TANGENT)
    return {"value": [np.array(moved)], "tensors": [np.array(tensors)]}
