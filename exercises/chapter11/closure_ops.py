"""Engine 3, closures: an operation and its way back, written in one place."""

from grader.course import Exercise, Mistake

from .closure_bodies import RETURNED, SET, one, two
from .sentences import (
    EARLY,
    HANDED_BACK,
    NO_GRAPH,
    NO_OUT_GRAD,
    NOT_STORED,
    NOT_UNBROADCAST,
    OWN_FACTOR,
    STORED_NOT_ADDED,
)

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
            has=HANDED_BACK,
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
        Mistake(
            "not-stored", _sum(store="return self.grad + arrived"), NOT_STORED, has=HANDED_BACK
        ),
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
            has=HANDED_BACK,
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

OPERATIONS = (UNBROADCAST, ADD, MUL, MATMUL, SUM, MEAN, TANH, RELU, EXP, LOG)
