"""Programs for what is built on chapter 11's engines: apply, losses, layers, networks, a step."""

import numpy as np

from .engines import called_back, leaves_of, made, plain
from .harness import Complaint, unlike

WALKS = ("gradients_at",)  # no call of these leads through learner code


def listed(value, who):
    if not isinstance(value, (list, tuple)):
        raise unlike(value, f"{who} returned", "a list was expected")
    return list(value)


def gradients_at(engine, out, cotangent, wanted):
    """The gradients that reach ``wanted``, by a walk of ours over the learner's rules."""
    if hasattr(out, "_backward"):
        called_back(out, cotangent)
        return [plain(each.grad, "A grad") for each in wanted]
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source in node.grad_fn.inputs if node.grad_fn is not None else ():
                visit(source)
            order.append(node)

    visit(out)
    arrived = {id(out): np.broadcast_to(cotangent, out.data.shape)}
    for node in reversed(order):
        if node.grad_fn is None or id(node) not in arrived:
            continue
        found = node.grad_fn.backward(np.array(arrived[id(node)]))
        for source, gradient in zip(node.grad_fn.inputs, found, strict=True):
            arrived[id(source)] = arrived.get(id(source), 0) + gradient
    nothing = np.array(np.nan)  # no gradient came: never right
    return [np.array(arrived.get(id(each), nothing)) for each in wanted]


def wrapped(bg, numbers, scale):
    """Function.apply calls forward and wraps what it returns."""
    engine, seen = bg.engines.apply, []

    class Blend(engine.Function):
        @staticmethod
        def forward(ctx, a, b, *, scale=1.0):
            seen.append((ctx, a, b, scale))
            return a + scale * b

    a, b = engine.Tensor(np.array(numbers[0]), requires_grad=True), np.array(numbers[1])
    out = made(engine, Blend.apply(a, b, scale=scale), "apply")
    second = made(engine, Blend.apply(engine.Tensor(b), 0.5), "apply")
    third = made(engine, Blend.apply(a, a), "apply")
    fourth = made(engine, Blend.apply(b, a), "apply")
    single = made(engine, Blend.apply(np.array(numbers[0][0]), np.array(0.5)), "apply")
    if len(seen) != 5:
        raise Complaint(f"apply called forward {len(seen)} time(s) in five calls.")
    ctx, *given = seen[0]
    kept = out._creator
    return {
        "value": [plain(each.data, "data") for each in (out, second, single)],
        "arrays": [np.array([isinstance(each, np.ndarray) for each in given[:2]])],
        "options": [np.array(float(seen[0][3])), np.array(float(seen[1][3]))],
        "creator": [np.array([
            isinstance(kept, engine.Context) and kept is ctx,
            getattr(kept, "function", None) is Blend,
            len(getattr(kept, "inputs", ())) == 2 and kept.inputs[0] is a,
            len(getattr(kept, "inputs", ())) == 2 and isinstance(kept.inputs[1], engine.Tensor),
        ])],
        "fresh": [np.array(seen[0][0] is not seen[1][0])],
        "requires": [np.array([out.requires_grad is True, second.requires_grad is False,
                               second._creator is None, third.requires_grad is True,
                               fourth.requires_grad is True])],
    }  # fmt: skip


def shown(bg, data, requires_grad):
    """repr shows the data and whether a gradient is wanted."""
    text = repr(bg.engines.apply.Tensor(data, requires_grad=requires_grad))
    return [np.frombuffer(text.encode(), dtype=np.uint8)]


def drawn(bg, engine, sizes, seed):
    """Linear.__init__ draws its weights, and starts with biases of 0."""
    module = getattr(bg.engines, engine)
    one, same, other = (
        module.Linear(*sizes, np.random.default_rng(n)) for n in (seed, seed, seed + 1)
    )
    weights = plain(one.weight.data, "weight.data")
    alike = [np.array_equal(weights, each.weight.data) for each in (same, other)]
    return {
        "weights": [weights],
        "shape": [np.array(weights.shape, dtype="float64")],
        "bias": [plain(one.bias.data, "bias.data")],
        "same": [np.array(alike)],
        "requires": [np.array([one.weight.requires_grad, one.bias.requires_grad])],
    }


def without_rng(bg, kind, arguments, seed):
    """{kind} without a generator draws from a new one, each time."""
    weights = []
    for _ in range(2):
        np.random.seed(seed)
        made = getattr(bg.engines.grad_fn, kind)(*arguments)
        layer = made if kind == "Linear" else made.layers[0]
        weights.append(plain(layer.weight.data, "weight.data"))
    return [np.array(not np.array_equal(*weights))]


def fill(layer, weight, bias):
    """Give a layer these numbers; its two parameters."""
    for tensor, array, name in ((layer.weight, weight, "weight"), (layer.bias, bias, "bias")):
        if tensor.data.shape != array.shape:
            told = f"Linear.{name} has the shape {tensor.data.shape}, not {array.shape}."
            raise Complaint(told)
        tensor.data = np.array(array)
    return [layer.weight, layer.bias]


def linear_call(bg, engine, weight, bias, arrays, cotangent):
    """Linear.__call__ computes a weighted sum of every row, plus the bias."""
    module = getattr(bg.engines, engine)
    sizes = weight.shape[::-1] if engine == "grad_fn" else weight.shape
    layer = module.Linear(*sizes, np.random.default_rng(1))
    parameters = fill(layer, weight, bias)
    (x,) = leaves_of(module, arrays, requires_grad=True)
    out = made(module, layer(x), "Linear.__call__")
    return {
        "value": [plain(out.data, "data")],
        "gradient": gradients_at(module, out, cotangent, [x, *parameters]),
    }


def network(bg, engine, dims, seed):
    """A new MLP; the closure engine's has three layers, from its own arguments."""
    module = getattr(bg.engines, engine)
    if engine == "grad_fn":
        return module.MLP(list(dims), np.random.default_rng(seed))
    return module.MLP(dims[0], dims[1], dims[3], seed)


def mlp_made(bg, engine, dims, seed):
    """A new MLP holds one Linear per step from one size to the next."""
    layers = listed(network(bg, engine, dims, seed).layers, "MLP.layers")
    same = listed(network(bg, engine, dims, seed).layers, "MLP.layers")
    return {
        "shapes": [np.array(layer.weight.data.shape, dtype="float64") for layer in layers],
        "weights": [plain(layer.weight.data, "weight.data") for layer in layers],
        "same": [np.array([
            np.array_equal(a.weight.data, b.weight.data)
            for a, b in zip(layers, same, strict=True)
        ])],
        "distinct": [np.array(float(len({id(layer) for layer in layers})))],
        "usual": [np.array(engine != "closure" or usual_seed(bg.engines.closure, dims))],
    }  # fmt: skip


def usual_seed(module, dims):
    """Whether an MLP without a seed is the one of seed 0."""
    sizes = dims[0], dims[1], dims[3]
    pairs = zip(module.MLP(*sizes).layers, module.MLP(*sizes, 0).layers, strict=True)
    return all(np.array_equal(a.weight.data, b.weight.data) for a, b in pairs)


def mlp_call(bg, engine, dims, weights, biases, arrays, cotangent):
    """MLP.__call__ feeds each layer with what the one before it made."""
    module, model = getattr(bg.engines, engine), network(bg, engine, dims, 1)
    parameters = []
    for layer, weight, bias in zip(model.layers, weights, biases, strict=True):
        parameters += fill(layer, weight, bias)
    (x,) = leaves_of(module, arrays)
    out = made(module, model(x), "MLP.__call__")
    return {
        "value": [plain(out.data, "data")],
        "gradient": gradients_at(module, out, cotangent, parameters),
    }


def parameters(bg, engine, dims):
    """MLP.parameters lists every weight and every bias once."""
    model = network(bg, engine, dims, 1)
    wanted = [p for layer in model.layers for p in (layer.weight, layer.bias)]
    found = listed(model.parameters(), "MLP.parameters")
    return {
        "once": [np.array([float(sum(f is p for f in found)) for p in wanted])],
        "length": [np.array(float(len(found)))],
    }


class Plain:
    """A model made here: one product of matrices."""

    def __init__(self, engine, weights):
        self.weight = engine.Tensor(np.array(weights), requires_grad=True)

    def __call__(self, x):
        return x @ self.weight

    def parameters(self):
        return [self.weight]


def stepped(bg, weights, held, x, y, lr, steps):
    """train_step takes steps down the gradient of the loss."""
    engine = bg.engines.grad_fn
    model = Plain(engine, weights)
    model.weight.grad = np.array(held)
    told = [engine.train_step(model, np.array(x), np.array(y), lr) for _ in range(steps)]
    leaf = model.weight.grad_fn is None
    return {
        "losses": [np.array([float(plain(np.asarray(each), "The loss")) for each in told])],
        "float": [np.array(all(isinstance(each, float) for each in told))],
        "weights": [plain(model.weight.data, "data")],
        "leaf": [np.array(leaf)],
    }


def large_step(bg, dims, rows, lr, steps):
    """A network of the size that MNIST wants takes its steps too."""
    engine = bg.engines.grad_fn
    model = engine.MLP(list(dims), np.random.default_rng(0))
    for number, tensor in enumerate(model.parameters()):
        size = tensor.data.size
        tensor.data = wave(size, number).reshape(tensor.data.shape) * 0.05
    x = wave(rows * dims[0], 9).reshape(rows, dims[0])
    y = np.arange(rows) % dims[-1]
    losses = [engine.train_step(model, x, y, lr) for _ in range(steps)]
    sums = [float(np.abs(tensor.data).sum()) for tensor in model.parameters()]
    return {"losses": [np.array(losses, dtype="float64")], "sums": [np.array(sums)]}


def wave(count, number):
    """Numbers between -1 and 1 without a pattern that a layer could share."""
    return np.sin(np.arange(count) * (0.7 + 0.13 * number) + number)
