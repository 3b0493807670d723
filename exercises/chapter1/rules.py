"""A new `Value`, and the two rules that everything starts from: `+` and `*`."""

from grader.course import Exercise, Mistake

from .bodies import (
    EDITED,
    FORGOT_OUT_GRAD,
    NO_GRAPH,
    OVERWRITES,
    TWO_FAULTS,
    astray,
    two,
)

_INIT = """\
self.data = float(data)
self.grad = {grad}
self._prev = {prev}
self._backward = lambda: None"""

INIT = Exercise(
    "chapter1.value.init",
    section="1.2",
    targets=("scalar.Value.__init__",),
    points=1,
    minutes=3,
    hints=(
        "Four attributes: `data`, `grad`, `_prev`, `_backward`. Two of them come from the "
        "arguments.",
        "A leaf has nobody to hand anything to. `lambda: None` is a function that does nothing.",
    ),
    mistakes=(
        Mistake(
            "grad-one",
            _INIT.format(grad="1.0", prev="tuple(_prev)"),
            "`grad` starts at 1 here. Gradients are added up, so they have to start at 0.",
        ),
        Mistake(
            "grad-none",
            _INIT.format(grad="None", prev="tuple(_prev)"),
            "`grad` starts as None here. A rule adds to it with `+=`, so it has to be a "
            "number: 0.0.",
        ),
        Mistake(
            "prev-dropped",
            _INIT.format(grad="0.0", prev="()"),
            "You did not keep `_prev`. Without it nothing remembers how a Value was made.",
        ),
        Mistake(
            "rule-none",
            _INIT.format(grad="0.0", prev="tuple(_prev)").replace("lambda: None", "None"),
            "`_backward` starts as None here. The walk back calls it for every node, leaves too, "
            "so it has to be a function: one that does nothing.",
        ),
        Mistake(
            "rounded",
            _INIT.format(grad="0.0", prev="tuple(_prev)").replace("float(", "int("),
            "`int` cuts the fraction off; the number has to stay as it was given.",
        ),
    ),
)

ADD = Exercise(
    "chapter1.value.add",
    section="1.3",
    targets=("scalar.Value.__add__",),
    points=2,
    minutes=8,
    needs=("chapter1.value.init",),
    hints=(
        "`as_value(other)` makes a Value of a plain number, so that both cases become one.",
        "Go by the shape of `square` above: make `out` with its inputs, define the rule, put it "
        "into `out._backward`, return `out`.",
        "Nudge one input of a sum by a little: by how much does the sum move?",
    ),
    mistakes=(
        Mistake(
            "overwrites", two("self.data + other.data", "out.grad", "out.grad", add="="), OVERWRITES
        ),
        Mistake("forgot-out-grad", two("self.data + other.data", "1.0", "1.0"), FORGOT_OUT_GRAD),
        Mistake("no-graph", "return Value(self.data + as_value(other).data)", NO_GRAPH),
        Mistake(
            "one-input",
            two("self.data + other.data", "out.grad", "0.0"),
            "Only the left input is handed something. The right one moves the sum just as much.",
        ),
        Mistake(
            "like-product",
            two("self.data + other.data", "other.data * out.grad", "self.data * out.grad"),
            "This is the rule of a product. A sum moves one for one with each of its inputs.",
        ),
        Mistake("edited", "self.data += as_value(other).data\nreturn self", EDITED),
        Mistake("two-faults", two("self.data + other.data", "1.0", "1.0", add="="), TWO_FAULTS),
        *astray(two("self.data + other.data", "out.grad", "out.grad")),
    ),
)

MUL = Exercise(
    "chapter1.value.mul",
    section="1.3",
    targets=("scalar.Value.__mul__",),
    points=2,
    minutes=8,
    needs=("chapter1.value.init",),
    hints=(
        "The same shape as `__add__`; another value and another rule.",
        "Keep b fixed and nudge a by a little: a·b moves by that little times … what?",
        "Each input is handed `out.grad` times the *other* factor.",
    ),
    mistakes=(
        Mistake(
            "overwrites",
            two("self.data * other.data", "other.data * out.grad", "self.data * out.grad", add="="),
            OVERWRITES,
        ),
        Mistake(
            "forgot-out-grad",
            two("self.data * other.data", "other.data", "self.data"),
            FORGOT_OUT_GRAD,
        ),
        Mistake(
            "own-factor",
            two("self.data * other.data", "self.data * out.grad", "other.data * out.grad"),
            "You gave each input its own number times `out.grad`. Look at a·b with b fixed: its "
            "slope in a is the other factor.",
        ),
        Mistake(
            "like-sum",
            two("self.data * other.data", "out.grad", "out.grad"),
            "This is the rule of a sum. A product moves faster the larger the other factor is.",
        ),
        Mistake(
            "by-the-result",
            two("self.data * other.data", "out.data * out.grad", "out.data * out.grad"),
            "You multiplied by the product itself. The slope of a·b in a is b alone.",
        ),
        Mistake("no-graph", "return Value(self.data * as_value(other).data)", NO_GRAPH),
        Mistake(
            "two-faults",
            two("self.data * other.data", "other.data", "self.data", add="="),
            TWO_FAULTS,
        ),
        *astray(two("self.data * other.data", "other.data * out.grad", "self.data * out.grad")),
    ),
)
