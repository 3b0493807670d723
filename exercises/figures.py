"""The figures that a chapter can name: what each of them draws, with numbers of the reference.

A row of `FIGURES` is a kind of drawing, which a script of the book's knows, and what describes it.
"""

from __future__ import annotations

import itertools
import math
import operator
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from grader.course import reference

Described = dict[str, Any]
SCHEMA = "babygrad-graph/1"
OPS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg, "square": lambda a: a**2, "exp": lambda a: a.exp(),
    "log": lambda a: a.log(), "relu": lambda a: a.relu(), "tanh": lambda a: a.tanh(),
    "sigmoid": lambda a: a.sigmoid(),
}  # fmt: skip

Leaf = tuple[float, float, float]  # value, and from where to where it can be dragged
Step = tuple[str, ...]  # the op, then the names of its inputs


def graph(title: str, nodes: Mapping[str, Leaf | Step], step: float = 0.1) -> Described:
    """A `babygrad-graph/1`: nodes in an order to compute them, the last of them the result."""
    value_of = reference("scalar").Value
    made: dict[str, Any] = {}
    number = {name: at for at, name in enumerate(nodes)}
    for name, node in nodes.items():
        if isinstance(node[0], str):
            made[name] = OPS[node[0]](*(made[str(source)] for source in node[1:]))
        else:
            made[name] = value_of(node[0])
    made[next(reversed(made))].backward()
    rows = []
    for name, node in nodes.items():
        row = {"name": name, "value": made[name].data, "gradient": made[name].grad}
        if isinstance(node[0], str):
            row |= {"op": node[0], "inputs": [number[str(source)] for source in node[1:]]}
        else:
            drag = {"min": node[1], "max": node[2], "step": step}
            row |= {"op": "", "inputs": [], "drag": drag}
        rows.append(row)
    return {"schema": SCHEMA, "title": title, "nodes": rows}


def neuron() -> Described:
    """One tanh neuron of two inputs."""
    return graph(
        "A neuron: tanh of a weighted sum and a bias",
        {
            "w₁": (-3.0, -4, 4), "x₁": (2.0, -4, 4), "w₂": (1.0, -4, 4), "x₂": (0.5, -4, 4),
            "b": (6.2, -8, 8), "p": ("mul", "w₁", "x₁"), "q": ("mul", "w₂", "x₂"),
            "s": ("add", "p", "q"), "z": ("add", "s", "b"), "y": ("tanh", "z"),
        },
    )  # fmt: skip


def product() -> Described:
    """The first graph of chapter 1, in which a is used twice."""
    return graph(
        "y = a·b + a, in which a is used twice",
        {
            "a": (2.0, -4, 4), "b": (-3.0, -4, 4),
            "p": ("mul", "a", "b"), "y": ("add", "p", "a"),
        },
    )  # fmt: skip


def nudge() -> Described:
    """Three numbers of which one is nudged; in each of them the result has a curve."""
    return graph(
        "y = x₀³ + (x₁·x₂)³",
        {
            "x₀": (2.0, -4, 4), "x₁": (1.5, -4, 4), "x₂": (-1.0, -4, 4),
            "s": ("mul", "x₀", "x₀"), "c": ("mul", "s", "x₀"),
            "p": ("mul", "x₁", "x₂"), "q": ("mul", "p", "p"), "r": ("mul", "q", "p"),
            "y": ("add", "c", "r"),
        },
    )  # fmt: skip


SHAPES = (((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 1), (3,)), ((2, 3), ()))


def broadcast() -> Described:
    """Sums of two shapes, and what goes back to each, by the reference's tensors."""
    tensor = reference().Tensor
    draw = np.random.default_rng(3)
    cases = []
    for shapes in SHAPES:
        a, b = (tensor(draw.integers(1, 9, shape), dtype="float64") for shape in shapes)
        out = a + b
        arrives = draw.integers(1, 9, out.shape).astype(float)
        out.backward(tensor(arrives, dtype="float64"))
        held = {"a": a.data, "b": b.data, "out": out.data, "arrives": arrives}
        held |= {"a_grad": a.grad, "b_grad": b.grad}
        cases.append({name: np.asarray(each).tolist() for name, each in held.items()})
    return {"cases": cases}


def tensor(values: Any) -> Any:
    return reference().Tensor(values, dtype="float64")


def rounded(values: Any, digits: int = 4) -> Any:
    """Nested lists of numbers with so many significant digits: what a page has to load."""
    flat = [float(f"{v:.{digits}g}") for v in np.ravel(values)]
    return np.reshape(flat, np.shape(values)).tolist()


def transpose() -> Described:
    """Every order of three axes: forward, back by the inverse, and back by the same again."""
    a = np.arange(24.0).reshape(2, 3, 4)
    orders, cases = list(itertools.permutations(range(3))), []
    for axes in orders:
        x = tensor(a)
        out = x.transpose(axes)
        arrives = np.arange(24.0).reshape(out.shape) + 50
        out.backward(tensor(arrives))
        wrong = tensor(arrives).transpose(axes).data
        arrays = {"out": out.data, "arrives": arrives, "grad": x.grad, "wrong": wrong}
        cases.append({name: array.tolist() for name, array in arrays.items()})
    return {"axes": [list(axes) for axes in orders], "a": a.tolist(), "cases": cases}


def total() -> Described:
    """Sums over rows, columns and everything, and the way back."""
    a = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    cases = []
    for axis, arrives in ((1, [10.0, 20.0]), (0, [1.0, 2.0, 3.0]), (None, 7.0)):
        x = tensor(a)
        out = x.sum(axis)
        out.backward(tensor(arrives))
        cases.append({"axis": axis, "a": a.tolist(), "out": out.data.tolist(), "arrives": arrives,
                      "grad": x.grad.tolist()})  # fmt: skip
    return {"cases": cases}


def matmul() -> Described:
    """Two matrices and what arrives, with the numbers of the chapter in their corners."""
    return {
        "a": [[1, 2, 3, 2], [4, 5, 6, 1], [2, 0, 1, 3]],
        "b": [[1, 0, 2], [0, 2, 1], [3, 1, 0], [2, 1, 1]],
        "g": [[1, 10, 3], [2, 20, 1], [4, 5, 2]],
    }


def im2col() -> Described:
    """The picture of the chapter, and two kernels."""
    return {
        "picture": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        "kernels": [[[1, 2], [3, 4]], [[1, 0, 2], [0, 3, 0], [1, 0, 1]]],
    }


def dilate() -> Described:
    """A kernel in whose gradient every digit tells where it came from."""
    return {"kernel": [1, 10, 100], "arrives": [1, 2, 3, 4, 5, 6]}


MOONS, RATE, HIDDEN = 100, 0.5, 8
FRAMES = (0, 1, 2, 4, 7, 10, 15, 20, 30, 40, 55, 75, 100, 130, 170, 220, 280)


def points(count: int = MOONS) -> tuple[Any, Any]:
    """Points on two half circles that reach into one another, as an example draws them."""
    draw = np.random.default_rng(1)
    angle, target = draw.uniform(0, math.pi, count), np.arange(count) % 2
    x, y = np.cos(angle), np.sin(angle)
    x, y = np.where(target, 1 - x, x), np.where(target, 0.5 - y, y)
    where = np.stack([x, y], axis=1) + draw.normal(0, 0.1, (count, 2))
    return where.round(2), target.astype(float)


def weights() -> list[Any]:
    """The start of a 2-8-8-1 network: per layer a matrix and a bias, by chapter 1's rule."""
    draw = np.random.default_rng(2)
    sizes = (2, HIDDEN, HIDDEN, 1)
    return [
        tensor(values)
        for inputs, outputs in itertools.pairwise(sizes)
        for values in (draw.uniform(-1, 1, (inputs, outputs)), np.zeros(outputs))
    ]


def network(held: list[Any], x: Any) -> Any:
    """tanh, tanh, sigmoid: the probability of the second moon, for every row of x."""
    for matrix, bias in zip(held[:-2:2], held[1:-2:2], strict=True):
        x = reference("ops").tanh(x @ matrix + bias)
    return reference("ops").sigmoid(x @ held[-2] + held[-1]).reshape((len(x.data),))


def moons() -> Described:
    """What a network believes about two moons while the reference trains it on all of them."""
    where, target = points()
    held, frames, log = weights(), [], reference("ops").log
    x, t = (reference().Tensor(v, dtype="float64", requires_grad=False) for v in (where, target))
    for step in range(FRAMES[-1] + 1):
        for each in held:
            each.grad = None
        p = network(held, x)
        loss = -(t * log(p) + (1 - t) * log(1 - p)).sum() / len(target)
        if step in FRAMES:
            right = float(np.mean((p.data > 0.5) == target))
            frames.append({"step": step, "loss": float(loss.data), "right": right,
                           "weights": [rounded(each.data) for each in held]})  # fmt: skip
        loss.backward()
        for each in held:
            each.data = each.data - RATE * each.grad
    return {"points": where.tolist(), "targets": target.tolist(), "frames": frames}


LAYERS, WIDTH, ROWS, BINS = 20, 64, 64, 15
BENDS = ("relu", "tanh")
STARTS: dict[str, Callable[[str], Any]] = {
    "std 0.01": lambda _: lambda i, o: tensor(np.random.normal(0, 0.01, (i, o))),
    "std 0.5": lambda _: lambda i, o: tensor(np.random.normal(0, 0.5, (i, o))),
    "Xavier": lambda _: partial(reference("init").xavier_normal, dtype="float64"),
    "Kaiming": lambda bend: (
        lambda i, o: reference("init").kaiming_normal(i, o, bend, dtype="float64")
    ),
}


def stack(bend: str, start: str) -> Described:
    """Twenty layers of one start: the spread of what each puts out, and of its gradient."""
    draw, x = STARTS[start](bend), tensor(np.random.normal(0, 1, (ROWS, WIDTH)))
    held, outputs = [], []
    for _ in range(LAYERS):
        held.append(draw(WIDTH, WIDTH))
        x = x @ held[-1]
        x = getattr(reference("ops"), bend)(x)
        outputs.append(x.data)
    x.backward(tensor(np.random.normal(0, 1, x.shape)))
    bars = [np.histogram(out, BINS, (-m, m))[0] for out in outputs for m in [np.abs(out).max()]]
    return {
        "forward": rounded([out.std() for out in outputs], 3),
        "back": rounded([each.grad.std() for each in held], 3),
        "most": rounded([np.abs(out).max() for out in outputs], 3),
        "bars": [(100 * counts / counts.sum()).round().astype(int).tolist() for counts in bars],
    }


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draws of `np.random` that are the same for every reader; outside, it goes on as before."""
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)


@seeded(7)
def deep() -> Described:
    """Four ways to draw the weights of twenty layers, for three things between them."""
    return {bend: {start: stack(bend, start) for start in STARTS} for bend in BENDS}


def batch() -> Described:
    """A batch of six examples with four features, and the draws that dropout makes for it."""
    draw = np.random.default_rng(5)
    spread, centre = np.array([1.0, 3.0, 0.5, 2.0]), np.array([0.0, 4.0, -1.0, 1.0])
    x = (draw.normal(0, 1, (6, 4)) * spread + centre).round(1)
    return {"x": x.tolist(), "draws": draw.random((6, 4)).round(3).tolist()}


LEARNED = "the slope of a sum is the sum of the slopes. "


@seeded(0)
def attention() -> Described:
    """Queries and keys of the heads of a GPT with one block, when it can write a line."""
    gpt, optim, sentence, steps = reference("gpt"), reference("optim"), "slope of the sum", 100
    letters = gpt.Characters(LEARNED)
    model = gpt.GPT(len(letters), length=16, dim=24, heads=3, blocks=1)
    optimizer = optim.AdamW(model.parameters(), lr=0.01)
    scheduler = optim.Scheduler(optimizer, lambda t: optim.warmup_cosine(t, 0.01, 10, steps))
    for _ in range(steps):
        cut = gpt.windows(letters.encode(LEARNED * 3), 16, 8)
        gpt.train_step(model, optimizer, scheduler, *cut)
    block = model.blocks[0]
    x = model.tokens(letters.encode(sentence)[None]) + model.positions(np.arange(16))
    x = gpt.each_token(block.norm1, x)
    q, k = (
        rounded(gpt.split_heads(gpt.each_token(layer, x), 3).data[0])
        for layer in (block.attention.query, block.attention.key)
    )
    return {"sentence": sentence, "heads": [{"q": a, "k": b} for a, b in zip(q, k, strict=True)]}


PLACES = {"a": (0, 0), "b": (0, 1), "c": (0, 2), "p": (1, 0.5), "q": (1, 1.5), "r": (2, 1)}
PLACES |= {"u": (3, 0.5), "v": (3, 1.5)}
SAYS = {"p": "a · b", "q": "b + c", "r": "p · q", "u": "a + r", "v": "r · c"}


def modes() -> Described:
    """A graph of three inputs and two outputs, and the slope of every node by its own rule."""
    a, b, c = (tensor(value) for value in (2.0, 3.0, -1.0))
    p, q = a * b, b + c
    r = p * q
    made = [a, b, c, p, q, r, a + r, r * c]
    rows = []
    for node, (name, (column, row)) in zip(made, PLACES.items(), strict=True):
        slopes = node._op.backward(tensor(1.0), node) if node._inputs else ()
        rows.append({"name": name, "says": SAYS.get(name, ""), "column": column, "row": row,
                     "value": float(node.data), "slopes": [float(s.data) for s in slopes],
                     "inputs": [made.index(source) for source in node._inputs]})  # fmt: skip
    return {"nodes": rows}


DEPTH, PIECES = 50, (0, 1, 2, 5, 7, 10, 25, 50)


def lives(size: int) -> Described:
    """The life of each result of a deep network: layer, first step, end, whether it is kept.

    Every layer that is computed is a step, and so is every rule that is asked.

    Args:
        size: layers in a piece; 0 keeps every result, without pieces.
    """
    tool, found, now = reference("memory"), [], 0

    def note(result: Any, layer: int, kept: bool) -> None:
        life = [layer, now, 0, int(kept)]
        found.append(life)
        weakref.finalize(result, lambda: operator.setitem(life, 2, now))

    def passes(do: Callable[..., Any], *given: Any) -> Any:
        nonlocal now
        done = do(*given)
        now += 1
        return done

    def layer(number: int, x: Any, w: Any) -> Any:
        out = passes(lambda: reference("ops").tanh(x * w))
        note(out, number, kept=not size)
        if out._op is not None:
            out._op.backward = partial(passes, out._op.backward)
        return out

    layers = [(partial(layer, number), [tensor([1.1])]) for number in range(DEPTH)]
    x = tensor([0.5]) if size else tool.chain(layers, tensor([0.5]))
    for end in range(size, DEPTH + size, size) if size else ():
        x = tool.checkpointed(layers[end - size : end], x, size)
        note(x, min(end, DEPTH) - 1, kept=True)
    x.backward()
    del x
    return {"size": size, "lives": found, "end": now}


def memory() -> Described:
    """Fifty layers with all results kept, and in pieces of the chapter's sizes."""
    return {"layers": DEPTH, "runs": [lives(size) for size in PIECES]}


def trainer(layers: list[Any], points: Any, held: Any, lr: float) -> Any:
    """A Trainer of the reference, which shuffles two batches in an epoch."""
    nn, optim, data = (reference(name) for name in ("nn", "optim", "data"))
    model = nn.Sequential(*layers)
    train, other = (data.ArrayDataset(*each) for each in (points, held))
    return reference("trainer").Trainer(
        model, optim.Adam(model.parameters(), lr=lr), nn.SoftmaxLoss(),
        data.DataLoader(train, len(train) // 2, shuffle=True), data.DataLoader(other, len(other)),
        log=None,
    )  # fmt: skip


EPOCHS, DEATHS = 30, (8, 16, 24)
LOST: dict[str, tuple[str, ...]] = {
    "nothing": (), "the random state": ("chance",), "the optimizer": ("optimizer",),
    "all but the weights": ("chance", "optimizer"),
}  # fmt: skip


@seeded(0)
def resume() -> Described:
    """A training run, and what goes on from its checkpoints where a part of them is lost."""
    nn, tool = reference("nn"), reference("checkpoint")
    points = reference("data").make_moons(80, seed=1)

    def training() -> Any:
        layers = [nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2)]
        return trainer(layers, points, points, 0.1)

    def losses(run: Any, epochs: int) -> list[float]:
        return rounded([epoch["val_loss"] for epoch in run.fit(epochs)])

    def goes_on(after: int, lost: tuple[str, ...]) -> Described:
        np.random.seed(99)  # another day
        again, state = training(), states[after - 1]
        again.model.load_state_dict(tool.part_of(state, "model"))
        if "optimizer" not in lost:
            again.optimizer.load_state_dict(tool.part_of(state, "optimizer"))
        if "chance" not in lost:
            tool.set_random_state(tool.part_of(state, "chance"))
        rest = losses(again, EPOCHS - after)
        one, other = again.model.state_dict(), whole.model.state_dict()
        return {"losses": rest, "same": sum(np.array_equal(one[name], other[name]) for name in one)}

    whole, curve, states = training(), [], []
    for _ in range(EPOCHS):
        curve += losses(whole, 1)
        states.append(tool.join(model=whole.model.state_dict(), chance=tool.random_state(),
                                optimizer=whole.optimizer.state_dict()))  # fmt: skip
    deaths = [
        {"after": after, "runs": {name: goes_on(after, lost) for name, lost in LOST.items()}}
        for after in DEATHS
    ]
    return {"whole": curve, "deaths": deaths, "arrays": len(whole.model.state_dict())}


@seeded(1)
def stopping() -> Described:
    """The losses of a network that learns forty noisy points by heart."""
    nn, draw = reference("nn"), reference("data").make_moons
    layers = [nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2)]
    run = trainer(layers, draw(40, noise=0.3, seed=1), draw(200, noise=0.3, seed=2), 0.02)
    history = run.fit(60)
    return {
        "train": rounded([epoch["loss"] for epoch in history]),
        "held": rounded([epoch["val_loss"] for epoch in history]),
    }


@seeded(1)
def loader() -> Described:
    """The orders of the chapter's loader, epoch after epoch, and draws with replacement."""
    data, epochs, count = reference("data"), range(6), 10
    shuffled = data.DataLoader(data.ArrayDataset(np.arange(count)), batch_size=1, shuffle=True)
    return {
        "shuffled": [[int(batch.data[0]) for (batch,) in shuffled] for _ in epochs],
        "replaced": [np.random.randint(count, size=count).tolist() for _ in epochs],
    }


KEEP: dict[str, Callable[[Any], Any]] = {
    "np.asarray(buffer)": np.asarray,
    "np.asarray(buffer, float)": lambda buffer: np.asarray(buffer, float),
    "buffer[:]": lambda buffer: buffer[:],
    "np.array(buffer)": np.array,
    "Tensor(buffer)": lambda buffer: reference().Tensor(buffer).data,
}


def alias() -> Described:
    """A buffer of float32 that three batches fill, and what was kept of it in five ways."""
    batches, cases = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], []
    for code, keep in KEEP.items():
        buffer, kept, steps = np.zeros(3, dtype="float32"), [], []
        for batch in batches:
            buffer[:] = batch
            kept.append(keep(buffer))
            steps.append([each.tolist() for each in kept])
        shares = [bool(np.shares_memory(buffer, each)) for each in kept]
        cases.append({"code": code, "steps": steps, "shares": shares})
    return {"batches": batches, "cases": cases}


FIGURES: dict[str, tuple[str, Callable[[], Described]]] = {
    "product": ("graph", product), "neuron": ("graph", neuron), "nudge": ("nudge", nudge),
    "diamonds": ("diamonds", dict), "xor": ("xor", dict), "race": ("race", dict),
    "broadcast": ("broadcast", broadcast), "transpose": ("transpose", transpose),
    "sum": ("sum", total), "matmul": ("matmul", matmul), "im2col": ("im2col", im2col),
    "dilate": ("dilate", dilate), "moons": ("moons", moons), "deep": ("deep", deep),
    "batch": ("batch", batch), "attention": ("attention", attention), "modes": ("modes", modes),
    "memory": ("memory", memory), "resume": ("resume", resume), "stopping": ("stopping", stopping),
    "trial": ("trial", dict), "loader": ("loader", loader), "alias": ("alias", alias),
}  # fmt: skip
