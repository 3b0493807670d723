"""The rungs of the ladder: a name, and the edits (old text, new text) to the rung below."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))


class Rung(NamedTuple):
    name: str
    edits: tuple[tuple[str, str], ...]


NO_GRAPH = Rung(
    "no graph where none is needed",
    (
        (
            "    def __init__(self, data):\n        self.data",
            "    def __init__(self, data, requires_grad=False):\n"
            "        self.requires_grad = requires_grad\n        self.data",
        ),
        (
            "class Op:\n",
            "class Op:\n    recording = True\n\n",
        ),
        (
            "        out.op, out.inputs = self, inputs\n",
            "        if Op.recording and any(x.requires_grad for x in inputs):\n"
            "            out.op, out.inputs, out.requires_grad = self, inputs, True\n",
        ),
        (
            "                if source not in seen:\n",
            "                if source.requires_grad and source not in seen:\n",
        ),
        (
            "        for node in reversed(order):\n",
            "        Op.recording = False\n        for node in reversed(order):\n",
        ),
        (
            "                    source.grad = source.grad + part\n",
            "                    if source.requires_grad:\n"
            "                        source.grad = source.grad + part\n"
            "        Op.recording = True\n",
        ),
        ("Tensor(np.atleast_2d(array))", "Tensor(np.atleast_2d(array), requires_grad=True)"),
    ),
)

ON_ARRAYS = Rung(
    "rules on arrays",
    (
        ("Tensor(np.zeros(node.shape))", "np.zeros(node.shape)"),
        ("Tensor(np.ones(self.shape))", "np.ones(self.shape)"),
        (
            "node.op.backward(node.grad, node, *node.inputs)",
            "node.op.backward(node.grad, node.data, *[x.data for x in node.inputs])",
        ),
        ("parameter.grad.data", "parameter.grad"),
        ("    recording = True\n\n", ""),
        ("if Op.recording and any(", "if any("),
        ("        Op.recording = False\n", ""),
        ("        Op.recording = True\n", ""),
    ),
)

SLOTS = Rung(
    "__slots__, and results that are not copied",
    (
        (
            '    """An array, its gradient, and the op that made it."""\n',
            '    """An array, its gradient, and the op that made it."""\n\n'
            '    __slots__ = ("data", "grad", "op", "inputs", "requires_grad")\n',
        ),
        ("np.array(data, dtype=np.float64)", "np.asarray(data)"),
    ),
)

ADOPTED = Rung(
    "the first contribution adopted",
    (
        ("node.grad = np.zeros(node.shape)", "node.grad = None"),
        (
            "                        source.grad = source.grad + part\n",
            "                        old = source.grad\n"
            "                        source.grad = part if old is None else old + part\n",
        ),
    ),
)

LINEAR = Rung(
    "linear and tanh fused",
    (
        (
            "class Network:",
            '''class Linear(Op):
    """``x @ w + b``: one node in the place of two."""

    def __init__(self, x):
        self.x_needs_it = x.requires_grad

    def forward(self, x, w, b):
        out = x @ w
        out += b
        return out

    def backward(self, g, out, x, w, b):
        return g @ w.T if self.x_needs_it else None, x.T @ g, g.sum(0, keepdims=True)


class LinearTanh(Linear):
    """``tanh(x @ w + b)``: one node in the place of three."""

    def forward(self, x, w, b):
        out = super().forward(x, w, b)
        return np.tanh(out, out)

    def backward(self, g, out, x, w, b):
        slope = out * out
        np.subtract(1, slope, slope)
        slope *= g
        return super().backward(slope, out, x, w, b)


class Network:''',
        ),
        ("Tanh()(x @ weight + bias)", "LinearTanh(x)(x, weight, bias)"),
        ("return x @ weight + bias", "return Linear(x)(x, weight, bias)"),
    ),
)

LOSS = Rung(
    "softmax and loss fused",
    (
        (
            "class Network:",
            '''class SoftmaxLoss(Op):
    """The mean of ``-log softmax(scores)[y]``: one node in the place of eight."""

    def __init__(self, y):
        self.y = y

    def forward(self, scores):
        rows, batch = np.arange(len(self.y)), len(self.y)
        powers = np.exp(scores - scores.max(1, keepdims=True))
        powers /= powers.sum(1, keepdims=True)
        loss = -np.log(powers[rows, self.y]).sum(keepdims=True) / batch
        powers[rows, self.y] -= 1
        powers /= batch
        self.gradient = powers
        return loss

    def backward(self, g, out, scores):
        return (self.gradient * g,)


class Network:''',
        ),
        (
            '''        """The mean of log Σ eˢ - s[right]."""
        right = np.eye(scores.shape[1])[y]
        log_sum = Log()(Exp()(scores).sum(1))
        return (log_sum - (scores * right).sum(1)).sum(0) * np.full((1, 1), 1 / len(y))
''',
            "        return SoftmaxLoss(y)(scores)\n",
        ),
    ),
)

OPTIMIZER = Rung(
    "all parameters moved at once, in place",
    (
        (
            "        self.rate = rate\n",
            "        self.rate = rate\n"
            "        self.values = np.concatenate([p.data for p in self.parameters], None)\n"
            "        ends = np.cumsum([p.data.size for p in self.parameters])[:-1]\n"
            "        pieces = np.split(self.values, ends)\n"
            "        for p, piece in zip(self.parameters, pieces, strict=True):\n"
            "            p.data = piece.reshape(p.shape)\n",
        ),
        (
            "        for parameter in self.parameters:\n"
            "            parameter.data = parameter.data - self.rate * parameter.grad\n",
            "        move = np.concatenate([p.grad for p in self.parameters], None)\n"
            "        move *= self.rate\n"
            "        self.values -= move\n",
        ),
    ),
)

CHEAPER = Rung(
    "the same sums by cheaper calls",
    (
        ("        out = x @ w\n", "        out = x.dot(w)\n"),
        (
            "return g @ w.T if self.x_needs_it else None, x.T @ g, g.sum(0, keepdims=True)",
            "over_batch = np.ones((1, len(g))).dot(g)\n"
            "        return g.dot(w.T) if self.x_needs_it else None, x.T.dot(g), over_batch",
        ),
        (
            """        rows, batch = np.arange(len(self.y)), len(self.y)
        powers = np.exp(scores - scores.max(1, keepdims=True))
        powers /= powers.sum(1, keepdims=True)
        loss = -np.log(powers[rows, self.y]).sum(keepdims=True) / batch
        powers[rows, self.y] -= 1
        powers /= batch
        self.gradient = powers
        return loss
""",
            """        batch, classes = scores.shape
        right = self.y * batch + np.arange(batch)
        powers = scores.T.copy()
        powers -= powers.max(0)
        np.exp(powers, powers)
        powers /= np.ones(classes).dot(powers)
        loss = np.log(powers.ravel().take(right)).sum(keepdims=True) / -batch
        powers.ravel()[right] -= 1
        powers /= batch
        self.gradient = powers.T
        return loss.reshape(1, 1)
""",
        ),
    ),
)

RUNGS = (
    Rung("textbook", ()), NO_GRAPH, ON_ARRAYS, SLOTS, ADOPTED, LINEAR, LOSS, OPTIMIZER, CHEAPER,
)  # fmt: skip


def sources() -> list[str]:
    """The engine of every rung as text; an edit that does not fit exactly once is an error."""
    with open(os.path.join(HERE, "textbook.py"), encoding="utf-8") as file:
        text = file.read()
    found = []
    for rung in RUNGS:
        for old, new in rung.edits:
            if text.count(old) != 1:
                raise ValueError(f"{rung.name}: found {text.count(old)} times: {old!r}")
            text = text.replace(old, new)
        found.append(text)
    return found


def engines() -> list[Any]:
    """The same as modules; the file name of rung 3 is «rung 3», as a profile shows it."""
    found = []
    for number, text in enumerate(sources()):
        module = ModuleType(f"rung{number}")
        exec(compile(text, f"rung {number}", "exec"), vars(module))
        found.append(module)
    return found
