"""Engine 3, closures: many inputs, a loss that does not break, the walk."""

from grader.course import Exercise, Mistake

from .sentences import (
    NO_GRAPH,
    STORED_NOT_ADDED,
)

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

WALK = (STACK, LOG_SOFTMAX, CROSS_ENTROPY, BACKWARD)
