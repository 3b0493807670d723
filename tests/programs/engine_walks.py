"""Programs for the walks of chapter 11's engines, on nodes that are made here.

A node is a sum of its inputs, each times a slope. It is made by hand for each engine, so that no
walk depends on a rule of the learner's.
"""

import numpy as np

from .engines import plain
from .harness import ask_first, halved_first


def grad_fn_node(engine, sources, slopes, called):
    """A Tensor whose `grad_fn` is a rule of ours."""

    class Blend(engine.BackwardFunction):
        def backward(self, gradient):
            called()
            return handed(slopes, gradient)

    needed = any(source.requires_grad for source in sources)
    rule = Blend(*sources) if needed else None
    return engine.Tensor(blended(sources, slopes), requires_grad=needed, grad_fn=rule)


def apply_node(engine, sources, slopes, called):
    """A Tensor whose Context belongs to a Function of ours; one input: a bare array comes back."""

    class Blend(engine.Function):
        @staticmethod
        def backward(ctx, gradient):
            called()
            found = handed(slopes, gradient)
            return found if len(found) > 1 else found[0]

    needed = any(source.requires_grad for source in sources)
    context = engine.Context(Blend, tuple(sources)) if needed else None
    return engine.Tensor(blended(sources, slopes), needed, context)


def closure_node(engine, sources, slopes, called):
    """A Tensor with a closure of ours."""
    out = engine.Tensor(blended(sources, slopes), _prev=tuple(sources))

    def push():
        called()
        for source, gradient in zip(sources, handed(slopes, out.grad), strict=True):
            source.grad = source.grad + gradient

    out._backward = push
    return out


NODES = {"grad_fn": grad_fn_node, "apply": apply_node, "closure": closure_node}


def blended(sources, slopes):
    """Inputs times slopes. With the slope None the gradient is handed on as the very same array;
    with the slope «none» nothing is."""
    weights = [slope if isinstance(slope, float) else 1.0 for slope in slopes]
    return sum(w * source.data for w, source in zip(weights, sources, strict=True))


def handed(slopes, gradient):
    return tuple(
        slope * gradient if isinstance(slope, float) else gradient if slope is None else None
        for slope in slopes
    )


def grown(bg, engine, steps, leaves):
    """The nodes of a graph, and a list that counts how often each one's rule is asked."""
    module, counts, nodes = getattr(bg.engines, engine), [0] * len(steps), list(leaves)
    for number, (sources, slopes) in enumerate(steps):

        def called(number=number):
            counts[number] += 1

        node = NODES[engine](module, [nodes[i] for i in sources], slopes, called)
        nodes.append(node)
    return nodes, counts


def started(bg, engine, arrays, constant=()):
    tensor = getattr(bg.engines, engine).Tensor
    return [
        tensor(np.array(array), requires_grad=i not in constant) for i, array in enumerate(arrays)
    ]


def go(bg, engine, walk, root, grad):
    """The learner's walk: a method of the Tensor, or a function that takes it."""
    arguments = () if grad is None else (np.array(grad),)
    if walk == "backward":
        root.backward(*arguments)
    else:
        getattr(getattr(bg.engines, engine), walk)(root, *arguments)


def grad_of(leaf, number):
    return plain(leaf.grad, f"x{number}.grad")


def walked(bg, engine, walk, steps, arrays, grad, constant, quiet=()):
    """{walk} leaves the right gradient in every leaf."""
    leaves = started(bg, engine, arrays, constant)
    nodes, counts = grown(bg, engine, steps, leaves)
    if constant:  # the walk before this one was to leave out all leaves
        for leaf in leaves:
            leaf.requires_grad = False
        ask_first(go, bg, engine, walk, nodes[-1], grad)
        for i, leaf in enumerate(leaves):
            leaf.requires_grad = i not in constant
    go(bg, engine, walk, nodes[-1], grad)
    without = [*constant, *quiet]  # these require none, those get None from every rule
    wanted = [(i, leaf) for i, leaf in enumerate(leaves) if i not in without]
    asks_more = constant and (engine, walk) == ("grad_fn", "backward")
    return {
        "gradient": [np.array(grad_of(leaf, i)) for i, leaf in wanted],
        "none": [np.array([leaves[i].grad is None for i in without], dtype=bool)],
        "calls": [np.array(counts, dtype="float64")],
        "dtype": [np.array([leaf.grad.dtype == np.float64 for _, leaf in wanted])],
        **(muted(nodes, *wanted[0], grad) if asks_more else {}),
    }


def muted(nodes, number, leaf, grad):
    """What one more walk adds to a leaf, where no Tensor made of it requires a gradient."""
    before = np.array(grad_of(leaf, number))
    for node in nodes[:-1]:
        if node.grad_fn is not None and leaf in node.grad_fn.inputs:
            node.requires_grad = False
    nodes[-1].backward(np.array(grad))
    return {"muted": [grad_of(leaf, number) - before]}


def filled(bg, steps, arrays):
    """backward of closures fills every grad, those of the nodes between as well."""
    leaves = started(bg, "closure", arrays, constant=[0])
    nodes, _ = grown(bg, "closure", steps, leaves)
    nodes[-1].backward()
    return [grad_of(node, i) for i, node in enumerate(nodes)]


def calls_of_backward(bg, steps, arrays):
    """backward_in_order calls no Tensor's backward."""
    tensor, calls = bg.engines.grad_fn.Tensor, []
    nodes, _ = grown(bg, "grad_fn", steps, started(bg, "grad_fn", arrays))
    right = tensor.backward

    def counted(self, *arguments):
        calls.append(self)
        return right(self, *arguments)

    tensor.backward = counted
    try:
        go(bg, "grad_fn", "backward_in_order", nodes[-1], None)
    finally:
        tensor.backward = right
    return [np.array(len(calls))]


def set_anew(bg, array, held, grad):
    """backward sets the grad of its root, whatever that held before."""
    x = bg.engines.closure.Tensor(np.array(array))
    root = closure_node(bg.engines.closure, [x], [2.0], lambda: None)
    root.grad, given = np.array(held), np.array(grad)
    halved_first([given], root.backward, given)
    x.grad = np.zeros_like(x.data)
    root.backward(given)
    found = [grad_of(root, "root"), grad_of(x, 0)]
    root.grad += 1.0  # as a rule does with what its result was made from
    return {"value": found, "given": [given]}


def walked_twice(bg, engine, walk, steps, arrays, fresh):
    """{walk} adds to what the leaves hold."""
    leaves = started(bg, engine, arrays)
    nodes, _ = grown(bg, engine, steps, leaves)
    for _ in range(2):
        before = [leaf.grad for leaf in leaves]
        go(bg, engine, walk, nodes[-1], None)
        if fresh:
            nodes, _ = grown(bg, engine, steps, leaves)
    return {
        "gradient": [grad_of(leaf, i) for i, leaf in enumerate(leaves)],
        "before": [plain(each, f"x{i}.grad") for i, each in enumerate(before)],
    }


def own_arrays(bg, engine, walk, arrays, grad, value):
    """Changing one leaf's gradient in place changes no other gradient."""
    leaves = started(bg, engine, arrays)
    nodes, _ = grown(bg, engine, [((0, 1), (None, None))], leaves)
    given, module = np.array(grad), getattr(bg.engines, engine)
    if walk == "backward":
        nodes[-1].backward(given)
    else:
        getattr(module, walk)(nodes[-1], given)
    mine = grad_of(leaves[0], 0)
    if isinstance(leaves[0].grad, np.ndarray) and leaves[0].grad.flags.writeable:
        leaves[0].grad[...] = value
    return [mine, grad_of(leaves[1], 1), given]


def counted(bg, steps, arrays, constant):
    """visits counts the rules that the recursion asks.

    ``constant``: the numbers of nodes that require no gradient; those that are no leaves are
    told so when the whole graph is made.
    """
    leaves = started(bg, "grad_fn", arrays, constant)
    nodes, counts = grown(bg, "grad_fn", steps, leaves)
    for number in constant:
        nodes[number].requires_grad = False
    engine, held = bg.engines.grad_fn, [None, np.array(1.0)] * len(nodes)
    for each, grad in zip(nodes[::-1], held[1:], strict=False):
        each.grad = grad
    # It prints the same, and asks a single rule.
    short = engine.Tensor(nodes[-1].data, requires_grad=True)
    ask_first(engine.visits, grad_fn_node(engine, [short], [1.0], lambda: None))
    found = plain(np.asarray(engine.visits(nodes[-1])), "visits", "returned")
    count = found.astype(np.int64)  # 6.0 are as many as 6
    untouched = [each.grad is g for each, g in zip(nodes[::-1], held[1:], strict=False)]
    return {
        "value": [count if np.array_equal(count, found) else found],
        "nothing": [np.array([sum(counts), len(untouched) - sum(untouched)])],
    }


def without_start(bg, array, requires_grad):
    """backward without a gradient: what it raises, or what it leaves."""
    leaf = bg.engines.apply.Tensor(np.array(array), requires_grad=requires_grad)
    raised = 0.0
    try:
        leaf.backward()
    except ValueError:
        raised = 1.0
    return {"raised": [np.array(raised)], "none": [np.array(leaf.grad is None)]}
