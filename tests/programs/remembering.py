"""Programs for what graphs hold: counts of Tensors, of forwards, of what is alive."""

import gc
import weakref

import numpy as np

from .harness import (
    POOL,
    alone,
    array_of,
    ask_first,
    count_from_here,
    halved_first,
    input_gradients,
    leaf,
    tensor_data,
    told,
    unlike,
    walk,
)
from .higher import called


def size(bg, call, arrays):
    """graph_size counts Tensors and numbers."""
    leaves = [leaf(bg, array) for array in arrays]
    found = bg.memory.graph_size(called(bg, call, leaves))
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, "graph_size returned", "two numbers were expected")
    return {
        "value": [np.array([int(each) for each in found])],
        "inputs": [np.array(each.data) for each in leaves],
    }


@alone
def quiet(bg, array):
    """In a block of no_grad no graph is made; after it one is."""
    make, x, block = probe_op(bg), leaf(bg, array), bg.memory.no_grad()
    with block:
        make(x)
    with block:  # the same one again
        inside = make(x)
        with bg.memory.no_grad():
            within = make(x)
        between = make(x)
    after = make(x)
    return {
        "value": [np.array(inside.data), np.array(after.data)],
        "inside": [recorded(inside)],
        "nested": [recorded(within), recorded(between)],
        "after": [recorded(after)],
    }


@alone
def entered_again(bg, array):
    """A block of no_grad can be entered again inside itself."""
    make, x, block = probe_op(bg), leaf(bg, array), bg.memory.no_grad()
    with block:
        with block:
            within = make(x)
        between = make(x)
    return {"inside": [recorded(within), recorded(between)], "after": [recorded(make(x))]}


@alone
def broken_off(bg, array):
    """After a block of no_grad that ended with an exception graphs are made again."""
    make, x = probe_op(bg), leaf(bg, array)

    def run():
        with bg.memory.no_grad():
            raise KeyError("on purpose")

    ended = told(run, [])
    return {"after": [recorded(make(x))], "raised": [np.array(ended == "KeyError")]}


def recorded(tensor):
    """Whether a Tensor knows how it was made, and asks for a gradient."""
    return np.array([tensor._op is not None, bool(tensor.requires_grad), bool(tensor._inputs)])


def probe_op(bg):
    class Tripled(bg.ops.Function):
        def forward(self, a):
            return a * 3

        def backward(self, out_grad, node):
            return out_grad * 3

    return lambda x: Tripled()(x)


class Workshop:
    """Layers ``tanh(x * w)`` that count how often they run, and how many results are alive."""

    def __init__(self, bg):
        self.forwards, self.backwards = 0, 0
        self.alive = weakref.WeakSet()
        workshop = self

        class Layer(bg.ops.Function):
            def forward(self, a, w):
                workshop.forwards += 1
                return np.tanh(a * w)

            def backward(self, out_grad, node):
                workshop.backwards += 1
                a, w = node._inputs
                slope = leaf(bg, 1 - node.data**2, requires_grad=False)
                return out_grad * slope * w, out_grad * slope * a

        class Turned(bg.ops.Function):
            def forward(self, a):
                return a[::-1]

            def backward(self, out_grad, node):
                return leaf(bg, out_grad.data[::-1], requires_grad=False)

        self.kind, self.turned = Layer, lambda x: Turned()(x)

    def layer(self, x, w):
        out = self.kind()(x, w)
        self.alive.add(out)
        return out

    def held(self):
        """Count the results that somebody still holds.

        A recursive helper inside a learner's function is a circle with all that it has seen: it is
        nobody's, until Python looks for circles.
        """
        gc.collect()
        return len(self.alive)


@alone
def checkpoint_forward(bg, arrays):
    """Checkpoint.forward has the values of the function, and keeps nothing in between."""
    shop = Workshop(bg)

    def f(x, w):
        return shop.layer(shop.turned(shop.layer(x, w)), w)

    op, given = bg.memory.Checkpoint(f), [POOL.array(array) for array in arrays]
    halved_first(given, op.forward, *given)
    ask_first(bg.memory.Checkpoint(lambda x, w: x).forward, *given)
    found = array_of(op.forward(*given), "Checkpoint.forward")
    kept = shop.held()
    direct = f(*(leaf(bg, array, requires_grad=False) for array in arrays)).data
    return {
        "value": [np.array(found)], "kept": [np.array(kept)], "inputs": given,
        "same": [np.array(alike(found, direct))],
    }  # fmt: skip


def alike(found, direct):
    """Whether two arrays are of one dtype, and the same to its last digits."""
    digits = 1e-6 if direct.dtype == np.float32 else 1e-13
    return found.dtype == direct.dtype and bool(np.allclose(found, direct, digits, digits))


@alone
def checkpoint_backward(bg, arrays, cotangent):
    """Checkpoint.backward gives the gradient of every input."""
    shop, outside = Workshop(bg), Workshop(bg)

    def f(x, w):
        return shop.layer(shop.turned(shop.layer(x, w)), w)

    x, w = (leaf(bg, array) for array in arrays)
    before = outside.layer(x, w)  # the walk through f may not go on into this
    out = node_of(bg, f, before, w)
    out_grad = leaf(bg, cotangent, requires_grad=False)
    twin = leaf(bg, out.data)
    twin._op, twin._inputs = out._op, [leaf(bg, each.data * 0.5) for each in out._inputs]
    ask_first(out._op.backward, out_grad, twin)
    ask_first(out._op.backward, leaf(bg, cotangent * 0.5, requires_grad=False), out)
    outside.backwards = 0
    found = input_gradients(bg, out, out_grad, asked=False)  # each run of f is counted
    twice = input_gradients(bg, node_of(bg, f, w, w), out_grad, asked=False)
    inputs = [np.array(each.data) for each in (before, w, out_grad)]
    fresh = [leaf(bg, each.data) for each in (before, w)]
    gradients = walk(bg, [f(*fresh)], [cotangent])
    pairs = zip(found, fresh, strict=True)
    return {
        "same": [np.array([alike(each.data, gradients[id(x)]) for each, x in pairs])],
        "inputs": inputs,
        "constant": [np.array([each._op is None and not each.requires_grad for each in found])],
        "value": [np.array(each.data) for each in found],
        "twice": [np.array(each.data) for each in twice],
        "outside": [np.array(outside.backwards)],
        "untouched": [np.array([each.grad is None for each in (x, w, before)])],
    }


def node_of(bg, f, *inputs):
    """A node of a Checkpoint that is made here: its forward is another exercise."""
    op = bg.memory.Checkpoint(f)
    values = f(*(leaf(bg, x.data, requires_grad=False) for x in inputs)).data
    out = leaf(bg, values)
    out._op, out._inputs = op, list(inputs)
    return out


@alone
def in_pieces(bg, array, weights, size, cotangent):
    """checkpointed: the same as chain, with less memory."""
    shop = Workshop(bg)
    x, leaves, cut = leaf(bg, array), [leaf(bg, each) for each in weights], bg.memory.checkpointed
    layers = [(shop.layer, [w]) for w in leaves]
    if size == 1:
        others = [(layer, [leaf(bg, w.data)]) for layer, (w,) in layers]
        ask_first(cut, others, leaf(bg, array), size)
        halved_first([w.data for w in leaves], cut, layers, x, size)
    shop.forwards = 0
    out = cut(layers, x, size)
    value = np.array(tensor_data(bg, out, "checkpointed"))
    kept, first = made_in(out), shop.forwards
    gradients = walk(bg, [out], [cotangent])
    found = [gradients.get(id(each), np.zeros(each.shape)) for each in (x, *leaves)]
    second = shop.forwards
    direct = bg.memory.chain([(shop.layer, [w]) for w in leaves], x)
    return {
        "value": [value],
        "gradient": [np.asarray(each) for each in found],
        "kept": [np.array(kept)],
        "forwards": [np.array([first, second])],
        "same": [np.array(alike(value, direct.data))],
    }


@alone
def in_memory(bg, array, weights, size, cotangent):
    """checkpointed: never more than the layers of one piece are alive."""
    layer, x, leaves = Workshop(bg).layer, leaf(bg, array), [leaf(bg, each) for each in weights]
    count_from_here()
    out = bg.memory.checkpointed([(layer, [w]) for w in leaves], x, size)
    gradients = walk(bg, [out], [cotangent])
    return [np.asarray(gradients.get(id(x), np.zeros(x.shape)))]


@alone
def of_pieces(bg, array, weights, cotangent):
    """checkpointed: what its checkpoints hold, where layers have two weights, or none."""
    x, leaves = leaf(bg, array), [leaf(bg, each) for each in weights]

    def layer(x, w, b):
        return bg.ops.tanh(x * w + b)

    layers = [(layer, leaves[:2]), (bg.ops.exp, []), (layer, leaves[2:4]), (layer, leaves[4:])]
    out = bg.memory.checkpointed(layers, x, 3)
    gradients = walk(bg, [out], [cotangent])
    number = {id(each): n for n, each in enumerate((x, *leaves))}
    held, node = [], out
    while node._op is not None:
        held = [[number.get(id(each), -1) for each in node._inputs], *held]
        node = node._inputs[0]
    return {
        "value": [np.array(tensor_data(bg, out, "checkpointed"))],
        "gradient": [
            np.asarray(gradients.get(id(each), np.zeros(each.shape))) for each in (x, *leaves)
        ],
        "held": [np.array(each) for each in held],
    }


def made_in(root):
    """Count the Tensors of a graph that are no leaves."""
    seen, todo, count = set(), [root], 0
    while todo:
        node = todo.pop()
        if id(node) not in seen:
            seen.add(id(node))
            todo.extend(node._inputs)
            count += node._op is not None
    return count
