"""Programs for the scalar engine: its rules one by one, its walk, and what is built on it.

The rules are tried without the learner's own walk: a short one here calls `_backward` of every
node. The walk is tried without the learner's rules: on nodes that are made here.
"""

import random
import sys

import numpy as np

from .differences import look_at
from .engine import in_order
from .harness import POOL, Complaint, article, as_far, ask_first, listed, listing, text, unlike

NAMES = ("x0", "x1", "x2")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_LOOKS = 64
WALKS = ("walk", "graph_of")  # no call of these leads through learner code


MEANS = {
    "*": {"alone": True},
    "derivative": {"written": "difference quotient"},
    "expression": {
        "nudge": {"run": "scalars.expression", "inputs": ["numbers.*"], "out_grad": "out_grad"},
    },
}


def number(value, who):
    """A plain number as an array; ``who`` says whose, with a verb: «close returned»."""
    return as_numbers([value], who)[0]


def as_numbers(values, who):
    """Each of them so: in one call, as a call of ours looks first at who calls it."""
    found = []
    for value in values:
        try:
            found.append(np.array(float(value)))
        except (TypeError, ValueError):
            raise unlike(value, who, "a number was expected") from None
    return found


def made(bg, value, who):
    """``value``, which has to be a Value."""
    if not isinstance(value, bg.scalar.Value):
        raise unlike(value, f"{who} returned", "a Value was expected")
    return value


def data(values):
    return as_numbers([value.data for value in values], "data is")


def grads(values):
    return as_numbers([value.grad for value in values], "grad is")


def leaves(bg, numbers):
    """A leaf per number, in the same list as in an earlier probe, as parameters are."""
    found, _ = POOL.take(("leaves", len(numbers)), list)
    found[:] = [leaf(bg, float(x)) for x in numbers]
    return found


def leaf(bg, x):
    """A Value of this number, the same object as in an earlier probe, as a weight in training."""
    made, then = POOL.take("Value", lambda: bg.scalar.Value(x))
    if not then:
        return bg.scalar.Value(x)
    vars(made).update(then, data=x)
    return made


def function_of(now):
    """``now``, as the same function that an earlier call was given: what it reads may change."""

    def make():
        def function(*args):
            return function.now(*args)

        return function

    found, _ = POOL.take("function", make)
    found.now = now
    return found


def graph_of(roots):
    """Every node below ``roots``, inputs before what was made from them."""
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source in node._prev:
                if not hasattr(source, "_prev"):
                    told = "_prev holds {}: only Values belong there, which a gradient is for."
                    raise Complaint(told.format(article(source)))
                visit(source)
            order.append(node)

    for root in roots:
        visit(root)
    return order


def walk(roots, out_grads, after=None):
    """Start ``roots`` from ``out_grads``; call every rule, roots first, and tell ``after``."""
    order = graph_of(roots)
    for root, out_grad in zip(roots, out_grads, strict=False):
        root.grad = root.grad + float(out_grad)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()
            if after is not None:
                after(node._backward, grads(order))
    return order


def outcome(roots, out_grads, inputs):
    """The numbers of ``roots``, and the gradients that reach ``inputs``."""
    value = data(roots)
    order = walk(roots, out_grads)
    gradient = grads(inputs)
    known = {id(node) for node in order}
    found = [name for name, node in zip(NAMES, inputs, strict=False) if id(node) in known]
    return {
        "value": value,
        "gradient": gradient,
        "both": value + gradient,
        "inputs": data(inputs),
        "reaches": [text(f"_prev leads back to {listing(found)}")],
    }


def packed(told):
    """Every part as a single array, where there are too many numbers to name each."""
    return {part: [np.concatenate([a.ravel() for a in arrays])] for part, arrays in told.items()}


def derivative(bg, functions, at, step):
    """numerical_derivative finds the slope of a function."""
    names = {name: getattr(np, name) for name in ("sin", "exp", "log")}
    slopes = []
    f = function_of(None)
    for formula in functions:
        f.now = eval(f"lambda x: float({formula})", names)
        extra = () if step is None else (step,)
        slope = bg.scalar.numerical_derivative(f, at, *extra)
        slopes.append(number(slope, "numerical_derivative returned"))
    # A difference quotient is right to some six digits: as float32, it is compared so.
    return [np.array(slopes, dtype="float64" if step else "float32")]


def fresh(bg, at):
    """A new Value holds its number, no gradient and no inputs."""
    ask_first(bg.scalar.Value, at, (bg.scalar.Value(at),))  # another one, with inputs
    leaf = bg.scalar.Value(at)
    if leaf._backward is not None:
        leaf._backward()
    rule = "a function" if callable(leaf._backward) else article(leaf._backward)
    told = {"prev": [text(f"{len(tuple(leaf._prev))} Values in _prev")], "rule": [text(rule)]}
    told = as_far(told, ["value"], lambda: {"value": [number(leaf.data, "data is")]})
    return as_far(told, ["grad"], lambda: {"grad": [number(leaf.grad, "grad is")]})


def with_inputs(bg, numbers):
    """A Value that is made from others remembers them in _prev."""
    inputs = leaves(bg, numbers)
    node = bg.scalar.Value(1.5, tuple(inputs))
    known = {id(source) for source in node._prev}
    found = [name for name, leaf in zip("ab", inputs, strict=False) if id(leaf) in known]
    told = {"value": [text(f"_prev holds {listing(found)}")]}
    return as_far(told, ["grad"], lambda: {"grad": [number(node.grad, "grad is")]})


def expression(bg, function, numbers, out_grad, held):
    """{function} has the right value and the right derivatives."""
    inputs = leaves(bg, numbers)
    for leaf in inputs:
        leaf.grad = held
    out = made(bg, eval(function, dict(zip(NAMES, inputs, strict=False))), function)
    if held:  # from an earlier walk: a rule passes gradients on every time
        for node in walk([out], [out_grad]):
            node.grad = 0.0
        for leaf in inputs:
            leaf.grad = held
    found = {**outcome([out], [out_grad], inputs), "rule": [text(rule_of(bg, out))]}
    if eval(function, dict(zip(NAMES, inputs, strict=False))) is out:
        found["reaches"] = [text("once more, it is the very Value of the first time")]

    def once_more(look):
        noted = leaves(bg, numbers)
        for leaf, x in zip(noted, numbers, strict=True):
            leaf.data = look.noted(x)
        root = eval(function, dict(zip(NAMES, noted, strict=False)))
        walk([root], [out_grad], look.after)
        return grads(noted)

    look_at(f"The rule of {function}", out._backward, once_more)
    return found


def rule_of(bg, out):
    """Whether a rule was put into ``out._backward``, or it is still that of a leaf."""
    if out._backward is None:
        return "None"
    rules = [node._backward for node in (out, bg.scalar.Value(0.0))]
    # An object that can be called has no code of its own: it is told by itself.
    codes = [getattr(rule, "__code__", rule) for rule in rules]
    return "the rule of a leaf" if codes[0] is codes[1] else "its own rule"


def through(bg, function, numbers, out_grad, held):
    """{function} passes gradients on to inputs that were made by other rules."""
    sources = leaves(bg, numbers)
    inputs = [linear(bg, [source], [2.0]) for source in sources]
    for each in inputs:
        each.grad = held
    out = made(bg, eval(function, dict(zip(NAMES, inputs, strict=False))), function)
    value = data([out])
    walk([out], [out_grad])
    return value + grads(sources)


def linear(bg, inputs, slopes):
    """A node made here: the sum of ``inputs``, each times its slope."""
    total = 0.0  # not `sum`: from Python 3.12 on it compensates, and ends in other bits
    for slope, node in zip(slopes, inputs, strict=False):
        total += slope * node.data
    out = bg.scalar.Value(total)
    out._prev = tuple(inputs)

    def push():
        for slope, node in zip(slopes, inputs, strict=False):
            node.grad += slope * out.grad

    out._backward = push
    return out


def build(bg, graph, inputs):
    """All nodes of a graph, given as (numbers of the inputs, slopes) per node."""
    nodes = list(inputs)
    for sources, slopes in graph:
        nodes.append(linear(bg, [nodes[i] for i in sources], slopes))
    return nodes


def order(bg, graph, numbers):
    """topological_order lists every node once, after the nodes that it was made from."""
    nodes = build(bg, graph, leaves(bg, numbers))
    found = listed(bg.scalar.topological_order(nodes[-1]), "topological_order")
    return in_order(found, nodes, LETTERS, lambda node: node._prev)


class Inputs(tuple):
    """The inputs of a node, which notice a walk that comes to them again and again."""

    looks = None  # one counter per node, made beside it

    def looked(self):
        self.looks.append(1)
        if len(self.looks) > MOST_LOOKS:
            raise Complaint(
                f"It came to the inputs of one and the same node more than {MOST_LOOKS} times: it "
                "takes every path. With 40 diamonds it would never end."
            )

    def __iter__(self):
        self.looked()
        return super().__iter__()

    def __getitem__(self, place):
        self.looked()
        return super().__getitem__(place)


def ladder(bg, levels):
    """topological_order goes to the inputs of every node a few times, not once per path."""
    node = bg.scalar.Value(0.5)
    for _ in range(levels):
        sides = [linear(bg, [node], [slope]) for slope in (0.7, 0.5)]
        node = linear(bg, sides, [1.0, 1.0])
    for each in graph_of([node]):
        each._prev = Inputs(each._prev)
        each._prev.looks = []
    return [np.array(float(len(listed(bg.scalar.topological_order(node), "topological_order"))))]


def deep(bg, count, room):
    """topological_order copes with a graph deeper than Python's limit of nested calls."""
    node = bg.scalar.Value(0.5)
    for _ in range(count):
        node = linear(bg, [node], [1.0])
    limit, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + room)
    try:
        return [np.array(float(len(bg.scalar.topological_order(node))))]
    finally:
        sys.setrecursionlimit(limit)


def backward(bg, graph, numbers, times, held=0.0):
    """Value.backward leaves in every leaf the derivative of the result.

    ``held`` is what the root holds in its ``grad`` before.
    """
    inputs = leaves(bg, numbers)
    for _ in range(times):
        root = build(bg, graph, inputs)[-1]
        root.grad += held
        root.backward()
    return grads(inputs)


def rule_calls(bg, graph, numbers):
    """Value.backward calls the rule of every node once, however many paths lead to it."""
    inputs = leaves(bg, numbers)
    made, counts = build(bg, graph, inputs)[len(inputs) :], []
    for node in made:
        node._backward = counted(node._backward, counts, len(counts))
        counts.append(0)
    made[-1].backward()
    return [np.array(counts)]


def counted(rule, counts, place):
    """``rule``, which adds 1 to ``counts[place]`` whenever it is called."""

    def push():
        counts[place] += 1
        rule()

    return push


def zeroed(bg, numbers, held):
    """zero_grad sets the gradient of every parameter to 0."""
    parameters = leaves(bg, numbers)
    for _ in range(2):  # as in every step of training
        for parameter, grad in zip(parameters, held, strict=False):
            parameter.grad = grad
        bg.scalar.zero_grad(parameters)
    after = [np.array([x, *np.ravel(g)]) for x, g in zip(held, grads(parameters))]  # noqa: B905
    return {"grad": after, "data": data(parameters)}


def gradient_check(bg, numbers, powers, factors, epsilon):
    """check_gradients gives the relative error of every leaf."""
    inputs = leaves(bg, numbers)
    for leaf in inputs:
        leaf.grad = 0.75
    nudges = []
    inner = linear(bg, inputs[:1], [1.0])  # no leaf, though it is there again
    expression = function_of(lambda: inputs[0])
    alone = bg.scalar.check_gradients(expression, 0.3)
    expression.now = lambda: linear(bg, [inner], [1.0])
    through = bg.scalar.check_gradients(expression)

    def value():
        nudges.append([abs(leaf.data - x) for leaf, x in zip(inputs, numbers, strict=False)])
        result, slopes, constant = 1.7, [], bg.scalar.Value(1.7)
        for leaf, power in zip(inputs, powers, strict=False):
            result *= leaf.data**power
        for leaf, power, factor in zip(inputs, powers, factors, strict=False):
            slopes.append(factor * power * result / leaf.data)
        out = linear(bg, [*inputs, constant], [*slopes, result / 1.7])
        out.data = result
        return out

    expression.now = value
    errors = bg.scalar.check_gradients(expression, *([] if epsilon is None else [epsilon]))
    if not isinstance(errors, dict):
        raise unlike(errors, "check_gradients returned", "a dict was expected")
    told = [number(errors.get(leaf), "The error of a leaf is") for leaf in inputs]
    exactly = [leaf.data == x for leaf, x in zip(inputs, numbers, strict=False)]
    farthest = [max(each) / (epsilon or 1e-5) for each in zip(*nudges)]  # noqa: B905
    return {
        "nudges": [np.array([round(each, 4) for each in farthest])],
        "exactly": [np.array(exactly)],
        "which": [np.array([list(found) == inputs[:1] for found in (alone, through)])],
        # As float32: what is left of a right derivative is rounding, a different one for all.
        "errors": [np.array(told, dtype="float32")],
        "entries": [np.array(float(len(errors)))],
        "data": data(inputs),
        "grad": grads(inputs),
    }


def seed(number):
    random.seed(number)
    np.random.seed(number)
