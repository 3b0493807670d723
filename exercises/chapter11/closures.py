"""Engine 3, closures: an operation and its way back, written in one place."""

from grader.course import Exercise, Mistake

from .sentences import (
    EARLY,
    NO_GRAPH,
    NO_OUT_GRAD,
    NOT_STORED,
    NOT_UNBROADCAST,
    OWN_FACTOR,
    STORED_NOT_ADDED,
)


def one(value: str, handed: str, how: str = "self.grad += {0}") -> str:
    """A function of one input: its value, and what that input is handed."""
    return f"""\
out = Tensor({value}, _prev=(self,))

def push():
    {how.format(handed)}

out._backward = push
return out"""


def two(value: str, left: str, right: str, how: str = "{0} += {1}", wrap: bool = True) -> str:
    """An operator with two inputs."""
    first = "other = as_tensor(other)\n" if wrap else ""
    return f"""\
{first}out = Tensor({value}, _prev=(self, other))

def push():
    {how.format("self.grad", left)}
    {how.format("other.grad", right)}

out._backward = push
return out"""


SET = "self.grad = {0}"
RETURNED = "return self.grad + {0}"
_L, _R = "_unbroadcast({0}, self.shape)", "_unbroadcast({0}, other.shape)"
_HELPER = "engines.closure._unbroadcast"

UNBROADCAST = Exercise(
    "chapter11.closure.unbroadcast",
    section="11.6",
    targets=(_HELPER,),
    points=0.5,
    minutes=2,
    hints=("The function of 11.1 once more: every engine works alone. Copy your own.",),
    mistakes=(
        Mistake(
            "front-only",
            "return gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))",
            "The new axes in front are summed away, but a stretched column comes back too wide.",
        ),
        Mistake(
            "stretched-only",
            "axes = tuple(i for i, size in enumerate(shape) if size == 1)\n"
            "return gradient.sum(axis=axes, keepdims=True)",
            "Axes of length 1 are summed, but the new axes in front are still there.",
        ),
        Mistake(
            "reshaped",
            "return np.resize(gradient, shape)",
            "You cut the gradient to size. What is cut off belongs to the sum.",
        ),
    ),
)

ADD = Exercise(
    "chapter11.closure.add",
    section="11.6",
    targets=("engines.closure.Tensor.__add__",),
    points=1,
    minutes=5,
    needs=("chapter11.closure.unbroadcast",),
    hints=(
        "Chapter 1's `__add__` with arrays: make the result, write the function, hang it there.",
        "Each input may have been broadcast: `_unbroadcast(out.grad, self.shape)`.",
    ),
    mistakes=(
        Mistake(
            "naive-bias",
            two("self.data + other.data", "out.grad", "out.grad", "{0} = {0} + {1}"),
            "This is the rule for two inputs of one shape. A bias of (D,) gets a row per sample "
            "from it; `_unbroadcast` sums the rows.",
        ),
        Mistake(
            "overwrites",
            two(
                "self.data + other.data", _L.format("out.grad"), _R.format("out.grad"), "{0} = {1}"
            ),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "too-early",
            "other = as_tensor(other)\nout = Tensor(self.data + other.data, _prev=(self, other))\n"
            "left = _unbroadcast(out.grad, self.shape)\n"
            "right = _unbroadcast(out.grad, other.shape)\n\n"
            "def push():\n    self.grad += left\n    other.grad += right\n\n"
            "out._backward = push\nreturn out",
            EARLY,
        ),
        Mistake("no-graph", "return Tensor(self.data + as_tensor(other).data)", NO_GRAPH),
    ),
)

MUL = Exercise(
    "chapter11.closure.mul",
    section="11.6",
    targets=("engines.closure.Tensor.__mul__",),
    points=1,
    minutes=4,
    needs=("chapter11.closure.unbroadcast",),
    hints=("As `__add__`, with the other factor in the place of 1.",),
    mistakes=(
        Mistake(
            "own-factor",
            two(
                "self.data * other.data",
                _L.format("self.data * out.grad"),
                _R.format("other.data * out.grad"),
            ),
            OWN_FACTOR,
        ),
        Mistake(
            "not-unbroadcast",
            two(
                "self.data * other.data",
                "other.data * out.grad",
                "self.data * out.grad",
                "{0} = {0} + {1}",
            ),
            NOT_UNBROADCAST,
        ),
        Mistake(
            "overwrites",
            two(
                "self.data * other.data",
                _L.format("other.data * out.grad"),
                _R.format("self.data * out.grad"),
                "{0} = {1}",
            ),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "forgot-out-grad",
            two(
                "self.data * other.data",
                _L.format("other.data * np.ones(out.shape)"),
                _R.format("self.data * np.ones(out.shape)"),
            ),
            NO_OUT_GRAD,
        ),
    ),
)

_AT = "self.data @ other.data"

MATMUL = Exercise(
    "chapter11.closure.matmul",
    section="11.6",
    targets=("engines.closure.Tensor.__matmul__",),
    points=1.5,
    minutes=4,
    hints=("Look at the shapes: there is only one way in which they fit.",),
    mistakes=(
        Mistake(
            "overwrites",
            two(_AT, "out.grad @ other.data.T", "self.data.T @ out.grad", "{0} = {1}", False),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "not-stored",
            "out = Tensor(self.data @ other.data, _prev=(self, other))\n\n"
            "def push():\n    return out.grad @ other.data.T, self.data.T @ out.grad\n\n"
            "out._backward = push\nreturn out",
            NOT_STORED,
        ),
        Mistake(
            "right-only",
            "out = Tensor(self.data @ other.data, _prev=(self, other))\n\n"
            "def push():\n    other.grad += self.data.T @ out.grad\n\n"
            "out._backward = push\nreturn out",
            "Only the right factor is handed something. Below this layer nothing would learn.",
        ),
        Mistake("no-graph", "return Tensor(self.data @ other.data)", NO_GRAPH),
    ),
)

_TOTAL = "self.data.sum(axis=axis, keepdims=keepdims)"
_SUM = """\
out = Tensor({value}, _prev=(self,))

def push():
    arrived = out.grad
    {put}
    {store}

out._backward = push
return out"""
_BACK = "if axis is not None and not keepdims:\n        arrived = np.expand_dims(arrived, axis)"


def _sum(value: str = _TOTAL, put: str = _BACK, store: str = "self.grad += arrived") -> str:
    return _SUM.format(value=value, put=put, store=store)


SUM = Exercise(
    "chapter11.closure.sum",
    section="11.6",
    targets=("engines.closure.Tensor.sum",),
    points=1.5,
    minutes=6,
    difficulty=2,
    hints=(
        "`self.grad += something` broadcasts: (2, 1) is added to every column of (2, 3).",
        "So only the summed axes have to come back, with length 1: `np.expand_dims`.",
    ),
    mistakes=(
        Mistake(
            "axes-not-put-back",
            _sum(put="arrived = np.broadcast_to(arrived, self.shape)"),
            "The summed axes are gone from `out.grad`. Put them back with length 1, or the "
            "numbers land in the wrong places.",
        ),
        Mistake("overwrites", _sum(store="self.grad = arrived + np.zeros(self.shape)"),
                STORED_NOT_ADDED),
        Mistake(
            "ones",
            _sum(put="arrived = np.ones(self.shape)"),
            NO_OUT_GRAD,
        ),
        Mistake(
            "like-mean",
            _sum(store="self.grad += arrived * out.data.size / self.data.size"),
            "You divided by the number of terms. That is the rule of the mean.",
        ),
        Mistake("not-stored", _sum(store="return self.grad + arrived"), NOT_STORED),
    ),
)  # fmt: skip

MEAN = Exercise(
    "chapter11.closure.mean",
    section="11.6",
    targets=("engines.closure.Tensor.mean",),
    points=0.5,
    minutes=3,
    needs=("chapter11.closure.sum", "chapter11.closure.mul"),
    hints=("A mean is a sum times a number. How many terms went into each sum?",),
    mistakes=(
        Mistake(
            "divided-by-all",
            "return self.sum(axis, keepdims) * (1 / self.data.size)",
            "You always divide by the number of all elements. With an axis, each sum has fewer "
            "terms.",
        ),
        Mistake(
            "no-graph",
            "return Tensor(self.data.mean(axis=axis, keepdims=keepdims))",
            NO_GRAPH,
        ),
        Mistake(
            "not-divided",
            "return self.sum(axis, keepdims)",
            "This is the sum. Divide it by the number of terms.",
        ),
        Mistake(
            "first-axis",
            "return self.sum(axis, keepdims) * (1 / self.shape[0])",
            "You divide by the length of the first axis, whichever was summed.",
        ),
    ),
)

TANH = Exercise(
    "chapter11.closure.tanh",
    section="11.6",
    targets=("engines.closure.Tensor.tanh",),
    points=1,
    minutes=3,
    hints=("The result is at hand in the closure: `out.data`.",),
    mistakes=(
        Mistake(
            "of-the-input",
            one("np.tanh(self.data)", "(1 - self.data**2) * out.grad"),
            "You put the input into 1 - t². The t in it is the result: `out.data`.",
        ),
        Mistake("forgot-out-grad", one("np.tanh(self.data)", "1 - out.data**2"), NO_OUT_GRAD),
        Mistake(
            "overwrites",
            one("np.tanh(self.data)", "(1 - out.data**2) * out.grad", SET),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "not-stored",
            one("np.tanh(self.data)", "(1 - out.data**2) * out.grad", RETURNED),
            NOT_STORED,
        ),
    ),
)

RELU = Exercise(
    "chapter11.closure.relu",
    section="11.6",
    targets=("engines.closure.Tensor.relu",),
    points=1,
    minutes=3,
    hints=("A comparison gives True and False, and True counts as 1 in a product.",),
    mistakes=(
        Mistake(
            "at-zero",
            one("np.maximum(self.data, 0)", "(self.data >= 0) * out.grad"),
            "At exactly 0 there is no slope. The convention here, and PyTorch's, is to hand on 0.",
        ),
        Mistake("forgot-out-grad", one("np.maximum(self.data, 0)", "(self.data > 0)"), NO_OUT_GRAD),
        Mistake(
            "overwrites",
            one("np.maximum(self.data, 0)", "(self.data > 0) * out.grad", SET),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "edited",
            "self.data = np.maximum(self.data, 0)\n"
            + one("self.data", "(self.data > 0) * out.grad"),
            "You wrote the result into the input. Whoever still uses it finds other numbers "
            "there; make a new Tensor.",
        ),
    ),
)

EXP = Exercise(
    "chapter11.closure.exp",
    section="11.6",
    targets=("engines.closure.Tensor.exp",),
    points=0.5,
    minutes=2,
    hints=("The slope of eᵃ is eᵃ: the result itself.",),
    mistakes=(
        Mistake(
            "of-the-input", one("np.exp(self.data)", "self.data * out.grad"),
            "You multiplied by the input. The slope of eᵃ is the result, `out.data`.",
        ),
        Mistake("forgot-out-grad", one("np.exp(self.data)", "out.data"), NO_OUT_GRAD),
        Mistake("overwrites", one("np.exp(self.data)", "out.data * out.grad", SET),
                STORED_NOT_ADDED),
    ),
)  # fmt: skip

LOG = Exercise(
    "chapter11.closure.log",
    section="11.6",
    targets=("engines.closure.Tensor.log",),
    points=0.5,
    minutes=2,
    hints=("The slope of ln a is 1/a, with a the input.",),
    mistakes=(
        Mistake(
            "of-the-result", one("np.log(self.data)", "out.grad / out.data"),
            "You divided by the result. The slope is one over the input.",
        ),
        Mistake("forgot-out-grad", one("np.log(self.data)", "1 / self.data"), NO_OUT_GRAD),
        Mistake("overwrites", one("np.log(self.data)", "out.grad / self.data", SET),
                STORED_NOT_ADDED),
    ),
)  # fmt: skip

_SOFT = """\
shifted = {shifted}
out = Tensor(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), _prev=(self,))

def push():
    softmax = np.exp(out.data)
    {store}

out._backward = push
return out"""
_SHIFT = "self.data - self.data.max(axis=-1, keepdims=True)"
_STORE = "self.grad += out.grad - softmax * out.grad.sum(axis=-1, keepdims=True)"

LOG_SOFTMAX = Exercise(
    "chapter11.closure.log_softmax",
    section="11.6",
    targets=("engines.closure.Tensor.log_softmax",),
    points=2,
    minutes=12,
    difficulty=3,
    hints=(
        "Take the largest value of each row away first. `keepdims=True` keeps the shapes together.",
        "The softmax, which the rule needs, is `np.exp(out.data)`: nothing overflows there.",
        "Each element moves its own output up, and by its softmax all outputs of its row down.",
    ),
    mistakes=(
        Mistake(
            "not-shifted",
            _SOFT.format(shifted="self.data", store=_STORE),
            "e¹⁰⁰⁰⁰ is infinite. Take the largest value of each row away first: log-softmax stays "
            "the same.",
        ),
        Mistake(
            "sum-forgotten",
            _SOFT.format(shifted=_SHIFT, store="self.grad += out.grad - softmax * out.grad"),
            "You multiplied each softmax with its own gradient. It takes the sum of the gradients "
            "of the whole row.",
        ),
        Mistake(
            "element-alone",
            _SOFT.format(shifted=_SHIFT, store="self.grad += out.grad"),
            "You handed the gradient on as it is. Each element also moves the normalization, and "
            "with it every output of its row.",
        ),
        Mistake(
            "largest-of-all",
            _SOFT.format(shifted="self.data - self.data.max()", store=_STORE),
            "You take away the largest value of the whole array. A row that lies far below it "
            "loses everything: all of its exponentials are 0.",
        ),
        Mistake(
            "first-axis",
            _SOFT.format(shifted=_SHIFT, store=_STORE).replace("axis=-1", "axis=0"),
            "You go along the first axis. The classes lie along the last one.",
        ),
        Mistake(
            "overwrites",
            _SOFT.format(shifted=_SHIFT, store=_STORE.replace("+=", "=")),
            STORED_NOT_ADDED,
        ),
    ),
)

_STACK = """\
out = Tensor(np.stack([each.data for each in tensors]), _prev=tensors)
{body}
return out"""

STACK = Exercise(
    "chapter11.closure.stack",
    section="11.6",
    targets=("engines.closure.stack",),
    points=2,
    minutes=8,
    difficulty=2,
    hints=(
        "One closure can serve all inputs: it goes through them when it is called.",
        "`out.grad[i]` is the row of input i. `zip(tensors, out.grad)` brings them together.",
    ),
    mistakes=(
        Mistake(
            "captures-the-loop-variable",
            _STACK.format(
                body="pushes = []\nfor i, each in enumerate(tensors):\n"
                "    def push():\n        each.grad += out.grad[i]\n    pushes.append(push)\n"
                "out._backward = lambda: [push() for push in pushes]"
            ),
            "You made a closure per input in a loop. Each remembers the *variables* `i` and "
            "`each`, not what they held: when the closures are called, the loop is over, and all "
            "of them hand the last row to the last input.",
        ),
        Mistake(
            "last-closure-wins",
            _STACK.format(
                body="def pusher(i, each):\n    def push():\n        each.grad += out.grad[i]\n"
                "    return push\n\nfor i, each in enumerate(tensors):\n"
                "    out._backward = pusher(i, each)"
            ),
            "You set `_backward` once per input, and each replaces the one before. There is room "
            "for one function; it has to serve all inputs.",
        ),
        Mistake(
            "overwrites",
            _STACK.format(
                body="def push():\n    for each, row in zip(tensors, out.grad):\n"
                "        each.grad = row.copy()\n\nout._backward = push"
            ),
            STORED_NOT_ADDED,
        ),
        Mistake(
            "everything-to-each",
            _STACK.format(
                body="def push():\n    for each in tensors:\n"
                "        each.grad += out.grad.sum(axis=0)\n\nout._backward = push"
            ),
            "Each input is handed the sum of all rows. Only its own row came from it.",
        ),
        Mistake(
            "no-graph",
            "return Tensor(np.stack([each.data for each in tensors]))",
            NO_GRAPH,
        ),
    ),
)

_CHOSEN = """\
labels = np.asarray(y).astype(int)
chosen = np.zeros(logits.shape)
chosen[np.arange(len(labels)), labels] = {weight}
return {out}"""

CROSS_ENTROPY = Exercise(
    "chapter11.closure.cross_entropy",
    section="11.6",
    targets=("engines.closure.cross_entropy",),
    points=1.5,
    minutes=8,
    difficulty=2,
    needs=(
        "chapter11.closure.log_softmax",
        "chapter11.closure.mul",
        "chapter11.closure.sum",
    ),
    hints=(
        "`log_softmax` gives all logarithms. Which of each row counts?",
        "Multiply with an array of zeros that has -1/rows at the right classes, and sum.",
    ),
    mistakes=(
        Mistake(
            "summed",
            _CHOSEN.format(weight="-1", out="(logits.log_softmax() * chosen).sum()"),
            "You summed the losses. It is the mean over the rows.",
        ),
        Mistake(
            "mean-of-all",
            _CHOSEN.format(weight="-1", out="(logits.log_softmax() * chosen).mean()"),
            "Your mean goes over all elements, the zeros included. It is the mean over the rows.",
        ),
        Mistake(
            "sign",
            _CHOSEN.format(weight="1 / len(labels)", out="(logits.log_softmax() * chosen).sum()"),
            "The sign is the wrong way round: a loss is small where all is right.",
        ),
        Mistake(
            "log-of-exp",
            _CHOSEN.format(
                weight="-1 / len(labels)", out="(logits.log_softmax().exp().log() * chosen).sum()"
            ),
            "On the way you leave the logarithm: a probability becomes 0, and its logarithm "
            "infinite. Stay with `log_softmax`.",
        ),
        Mistake(
            "no-graph",
            _CHOSEN.format(
                weight="-1 / len(labels)", out="Tensor((logits.log_softmax().data * chosen).sum())"
            ),
            NO_GRAPH,
        ),
    ),
)

_START = "start = np.ones_like(self.data) if gradient is None else gradient\n"
_GO = "for node in reversed(topological_order(self)):\n    node._backward()"

BACKWARD = Exercise(
    "chapter11.closure.backward",
    section="11.6",
    targets=("engines.closure.Tensor.backward",),
    points=3,
    minutes=8,
    difficulty=2,
    hints=(
        "Nothing is handed on as long as the result itself holds zeros.",
        "`topological_order(self)` lists inputs first. You want to walk from the result.",
    ),
    mistakes=(
        Mistake(
            "forgot-start", _GO,
            "You never set `self.grad`. It is 0, and 0 times anything is what arrives below.",
        ),
        Mistake(
            "gradient-ignored",
            "self.grad = np.ones_like(self.data)\n" + _GO,
            "The walk starts from ones, also where a gradient is given.",
        ),
        Mistake(
            "not-reversed",
            _START + "self.grad = np.array(start, dtype=np.float64)\n"
            + _GO.replace("reversed(topological_order(self))", "topological_order(self)"),
            "You call the closures from the leaves up. They all hold zeros then: only the "
            "result's own has something to hand on.",
        ),
        Mistake(
            "zeroes-first",
            "for node in topological_order(self):\n    node.grad = np.zeros_like(node.data)\n"
            + _START + "self.grad = np.array(start, dtype=np.float64)\n" + _GO,
            "You set every `grad` to zeros before the walk. What a leaf holds from an earlier "
            "graph has to stay; zeroing is the caller's decision.",
        ),
        Mistake(
            "restarts-below",
            _START + "self.grad = np.array(start, dtype=np.float64)\nself._backward()\n"
            "for node in self._prev:\n    node.backward()",
            "You call `backward` on the inputs. That sets their `grad` to ones and forgets what "
            "had arrived there.",
        ),
        Mistake(
            "once-per-path",
            _START + "self.grad = np.array(start, dtype=np.float64)\n\n"
            "def visit(node):\n    node._backward()\n    for source in node._prev:\n"
            "        visit(source)\n\nvisit(self)",
            "You call the closure of a node once for every path that leads to it, so that what "
            "arrived by the first path is handed on again by the second.",
        ),
    ),
)  # fmt: skip

_DRAW = "self.weight = Tensor({draw})\nself.bias = Tensor({bias})"
_NORMAL = "rng.normal(0, {0}, (inputs, outputs))"
_ROOT = "1 / np.sqrt(inputs)"
_CALL = "engines.closure.Linear.__call__"

LINEAR = Exercise(
    "chapter11.closure.linear",
    section="11.7",
    targets=("engines.closure.Linear.__init__", _CALL),
    points=1.5,
    minutes=5,
    needs=("chapter11.closure.add", "chapter11.closure.matmul"),
    hints=(
        "`rng.normal(0, spread, shape)` draws the whole array at once.",
        "`x @ self.weight + self.bias`: operators of Tensors record the graph by themselves.",
    ),
    mistakes=(
        Mistake(
            "wrong-spread",
            _DRAW.format(draw=_NORMAL.format("1 / inputs"), bias="np.zeros(outputs)"),
            "The spread is 1/√inputs; the root is missing.",
        ),
        Mistake(
            "of-the-outputs",
            _DRAW.format(draw=_NORMAL.format("1 / np.sqrt(outputs)"), bias="np.zeros(outputs)"),
            "You took the number of outputs. How many terms a weighted sum has, the inputs say.",
        ),
        Mistake(
            "laid-the-other-way",
            _DRAW.format(
                draw="rng.normal(0, 1 / np.sqrt(inputs), (outputs, inputs))",
                bias="np.zeros(outputs)",
            ),
            "Here the weights lie (inputs, outputs), and nothing is transposed.",
        ),
        Mistake(
            "bias-drawn",
            _DRAW.format(draw=_NORMAL.format(_ROOT), bias="rng.normal(0, 1, outputs)"),
            "The biases start at 0.",
        ),
        Mistake(
            "own-generator",
            "rng = np.random.default_rng(0)\n"
            + _DRAW.format(draw=_NORMAL.format(_ROOT), bias="np.zeros(outputs)"),
            "You draw from a generator of your own, and not from the one that was given.",
        ),
        Mistake(
            "bias-forgotten",
            "return x @ self.weight",
            "The bias is missing: x @ weight + bias.",
            _CALL,
        ),
        Mistake(
            "graph-cut",
            "return Tensor(x.data @ self.weight.data) + self.bias",
            "You multiplied the bare arrays, so no gradient reaches the weight.",
            _CALL,
        ),
    ),
)

_LAYERS = """\
rng = np.random.default_rng({seed})
sizes = (inputs, hidden, hidden, outputs)
self.layers = [Linear(a, b, {source}) for a, b in zip(sizes[:-1], sizes[1:])]"""
_MLP = "engines.closure.MLP"

MLP = Exercise(
    "chapter11.closure.mlp",
    section="11.7",
    targets=(f"{_MLP}.__init__", f"{_MLP}.__call__", f"{_MLP}.parameters"),
    points=2,
    minutes=8,
    needs=("chapter11.closure.linear", "chapter11.closure.tanh"),
    hints=(
        "One generator, made from `seed`; the three Linears draw from it one after the other.",
        "tanh after the first and after the second layer; the third gives the logits.",
    ),
    mistakes=(
        Mistake(
            "generator-per-layer",
            _LAYERS.format(seed="seed", source="np.random.default_rng(seed)"),
            "Each layer draws from a new generator, so that layers of one size are alike. Make "
            "one and hand it to all three.",
        ),
        Mistake(
            "seed-ignored",
            _LAYERS.format(seed="0", source="rng"),
            "The generator does not get `seed`: whatever is asked for, it is the same network.",
        ),
        Mistake(
            "two-layers",
            "rng = np.random.default_rng(seed)\n"
            "self.layers = [Linear(inputs, hidden, rng), Linear(hidden, outputs, rng)]",
            "One layer is missing: inputs to hidden, hidden to hidden, hidden to outputs.",
        ),
        Mistake(
            "bends-the-last",
            "for layer in self.layers:\n    x = layer(x).tanh()\nreturn x",
            "The last layer is bent as well. Logits go beyond ±1: leave it alone.",
            f"{_MLP}.__call__",
        ),
        Mistake(
            "not-bent",
            "for layer in self.layers:\n    x = layer(x)\nreturn x",
            "Nothing bends between the layers. Linear layers in a row are one linear layer.",
            f"{_MLP}.__call__",
        ),
        Mistake(
            "biases-forgotten",
            "return [layer.weight for layer in self.layers]",
            "You listed the weights alone; every layer has a bias as well.",
            f"{_MLP}.parameters",
        ),
        Mistake(
            "last-forgotten",
            "return [p for layer in self.layers[:-1] for p in (layer.weight, layer.bias)]",
            "The last layer is missing in your list.",
            f"{_MLP}.parameters",
        ),
    ),
)

OPERATIONS = (
    UNBROADCAST, ADD, MUL, MATMUL, SUM, MEAN, TANH, RELU, EXP, LOG, STACK, LOG_SOFTMAX,
    CROSS_ENTROPY, BACKWARD,
)  # fmt: skip
NETWORK = (LINEAR, MLP)
