"""Engine 3, closures: many inputs, a loss that does not break, the walk."""

from typing import TYPE_CHECKING

from grader.course import body, edit, exercise

from .sentences import (
    NO_GRAPH,
    STORED_NOT_ADDED,
    UNATTACHED,
    read_early,
)

if TYPE_CHECKING:  # what the wrong bodies name
    import numpy as np

    from solutions.babygrad.engines.closure import Tensor, topological_order


@exercise(
    "chapter11.closure.log_softmax",
    targets=("engines.closure.Tensor.log_softmax",),
    points=2,
    minutes=12,
    hints=(
        "Take the largest value of each row away first. `keepdims=True` keeps the shapes together.",
        "The softmax, which the rule needs, is `np.exp(out.data)`: nothing overflows there.",
        "Each element moves its own output up, and by its softmax all outputs of its row down.",
    ),
)
class LOG_SOFTMAX:
    not_shifted = edit(" - self.data.max(axis=-1, keepdims=True)", "")
    """e¹⁰⁰⁰⁰ is infinite. Take the largest value of each row away first: log-softmax stays the
    same."""

    sum_forgotten = edit("grad.sum(axis=-1, keepdims=True)", "grad")
    """You multiplied each softmax with its own gradient. It takes the sum of the gradients of the
    whole row."""

    element_alone = edit(" - softmax * out.grad.sum(axis=-1, keepdims=True)", "")
    """You handed the gradient on as it is. Each element also moves the normalization, and with it
    every output of its row."""

    largest_of_all = edit("max(axis=-1, keepdims=True)", "max()")
    """You take away the largest value of the whole array. A row that lies far below it loses
    everything: all of its exponentials are 0."""

    first_axis = edit(
        ("max(axis=-1, keepdims=True)", "max(axis=0, keepdims=True)"),
        (
            "(np.exp(shifted).sum(axis=-1, keepdims=True))",
            "(np.exp(shifted).sum(axis=0, keepdims=True))",
        ),
        ("grad.sum(axis=-1, keepdims=True)", "grad.sum(axis=0, keepdims=True)"),
    )
    """You go along the first axis. The classes lie along the last one."""

    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)
    too_early = read_early(("out.grad -", "early -"), ("out.grad.sum", "early.sum"))
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.stack",
    targets=("engines.closure.stack",),
    points=2,
    hints=(
        "One closure can serve all inputs: it goes through them when it is called.",
        "`out.grad[i]` is the row of input i. `zip(tensors, out.grad)` brings them together.",
    ),
)
class STACK:
    def captures_the_loop_variable(tensors):
        """You made a closure per input in a loop. Each remembers the *variables* `i` and `each`,
        not what they held: when the closures are called, the loop is over, and all of them hand the
        last row to the last input."""
        out = Tensor(np.stack([each.data for each in tensors]), _prev=tensors)
        pushes = []
        for i, each in enumerate(tensors):

            def push():
                each.grad += out.grad[i]

            pushes.append(push)
        out._backward = lambda: [push() for push in pushes]
        return out

    def last_closure_wins(tensors):
        """You set `_backward` once per input, and each replaces the one before. There is room for
        one function; it has to serve all inputs."""
        out = Tensor(np.stack([each.data for each in tensors]), _prev=tensors)

        def pusher(i, each):
            def push():
                each.grad += out.grad[i]

            return push

        for i, each in enumerate(tensors):
            out._backward = pusher(i, each)
        return out

    overwrites = edit("+= row", "= row.copy()", says=STORED_NOT_ADDED)

    everything_to_each = edit(
        ("each, row in zip(tensors, out.grad, strict=True)", "each in tensors"),
        ("+= row", "+= out.grad.sum(axis=0)"),
    )
    """Each input is handed the sum of all rows. Only its own row came from it."""

    no_graph = body("return Tensor(np.stack([each.data for each in tensors]))", says=NO_GRAPH)
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.cross_entropy",
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
)
class CROSS_ENTROPY:
    summed = edit("1 / len(labels)", "1")
    """You summed the losses. It is the mean over the rows."""

    mean_of_all = edit(("1 / len(labels)", "1"), ("sum", "mean"))
    """Your mean goes over all elements, the zeros included. It is the mean over the rows."""

    sign = edit("-", "")
    """The sign is the wrong way round: a loss is small where all is right."""

    log_of_exp = edit("() ", "().exp().log() ")
    """On the way you leave the logarithm: a probability becomes 0, and its logarithm infinite. Stay
    with `log_softmax`."""

    no_graph = edit(
        "(logits.log_softmax() * chosen).sum()",
        "Tensor((logits.log_softmax().data * chosen).sum())",
        says=NO_GRAPH,
    )


@exercise(
    "chapter11.closure.backward",
    targets=("engines.closure.Tensor.backward",),
    points=3,
    hints=(
        "Nothing is handed on as long as the result itself holds zeros.",
        "`topological_order(self)` lists inputs first. You want to walk from the result.",
    ),
)
class BACKWARD:
    def forgot_start(self, gradient):
        """You never set `self.grad`. It is 0, and 0 times anything is what arrives below."""
        for node in reversed(topological_order(self)):
            node._backward()

    def gradient_ignored(self, gradient):
        """The walk starts from ones, also where a gradient is given."""
        self.grad = np.ones_like(self.data)
        for node in reversed(topological_order(self)):
            node._backward()

    not_reversed = edit(("reversed(", ""), ("self)", "self"))
    """You call the closures from the leaves up. They all hold zeros then: only the result's own has
    something to hand on."""

    zeroes_first = edit(
        "start ",
        "for node in topological_order(self):\n    node.grad = np.zeros_like(node.data)\nstart ",
    )
    """You set every `grad` to zeros before the walk. What a leaf holds from an earlier graph has to
    stay; zeroing is the caller's decision."""

    def restarts_below(self, gradient):
        """You call `backward` on the inputs. That sets their `grad` to ones and forgets what had
        arrived there."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        self._backward()
        for node in self._prev:
            node.backward()

    def once_per_path(self, gradient):
        """You call the closure of a node once for every path that leads to it, so that what arrived
        by the first path is handed on again by the second."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)

        def visit(node):
            node._backward()
            for source in node._prev:
                visit(source)

        visit(self)

    def breadth_first(self, gradient):
        """You go level by level from the result. Where a short and a long path lead to one Tensor,
        it is called before all that belongs to it has arrived."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        level, seen = [self], {id(self)}
        for node in level:
            node._backward()
            level += {id(n): n for n in node._prev if id(n) not in seen}.values()
            seen |= {id(n) for n in node._prev}


WALK = (STACK, LOG_SOFTMAX, CROSS_ENTROPY, BACKWARD)
