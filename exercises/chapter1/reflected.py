"""The operators with a plain number on the left: Python asks the Value on the right."""

from grader.course import Exercise, Mistake

from .bodies import EDITED, NO_GRAPH, one

_ASKED = "Python calls this for `5 {sign} x`: `other` is the number 5, `self` is x."
_LOOP = (
    "If Python says «maximum recursion depth exceeded», you wrote `other {sign} self`: that "
    "asks for "
    "this very method again. Put `self` on the left."
)

RADD = Exercise(
    "chapter1.value.radd",
    section="1.4",
    targets=("scalar.Value.__radd__",),
    points=0.5,
    minutes=1,
    needs=("chapter1.value.add",),
    hints=(_ASKED.format(sign="+"), _LOOP.format(sign="+")),
    mistakes=(
        Mistake("no-graph", "return Value(other + self.data)", NO_GRAPH),
        Mistake("edited", "self.data += as_value(other).data\nreturn self", EDITED),
        Mistake(
            "only-for-sum",
            "return self",
            "That is right for `0 + x` alone, which is how `sum` begins. The number has to count.",
        ),
        Mistake(
            "multiplied", "return self * other", "You multiplied; this method is asked for a sum."
        ),
    ),
)

RSUB = Exercise(
    "chapter1.value.rsub",
    section="1.4",
    targets=("scalar.Value.__rsub__",),
    points=0.5,
    minutes=2,
    needs=("chapter1.value.neg", "chapter1.value.add"),
    hints=(
        _ASKED.format(sign="-"),
        "5 - x is -x + 5, and both of these operators exist.",
        _LOOP.format(sign="-"),
    ),
    mistakes=(
        Mistake(
            "not-reflected",
            "return self + (-other)",
            "You computed `self - other`. Python calls this method for `other - self`.",
        ),
        Mistake("no-graph", "return Value(as_value(other).data - self.data)", NO_GRAPH),
        Mistake(
            "gradient-not-negated",
            one("as_value(other).data - self.data", "out.grad"),
            "The value is right, the gradient's sign is not: when x rises, 5 - x falls.",
        ),
        Mistake(
            "dropped-number",
            "return -self",
            "You negated x and forgot the number that it is taken from.",
        ),
    ),
)

RMUL = Exercise(
    "chapter1.value.rmul",
    section="1.4",
    targets=("scalar.Value.__rmul__",),
    points=0.5,
    minutes=1,
    needs=("chapter1.value.mul",),
    hints=(_ASKED.format(sign="*"), _LOOP.format(sign="*")),
    mistakes=(
        Mistake("no-graph", "return Value(other * self.data)", NO_GRAPH),
        Mistake("edited", "self.data *= as_value(other).data\nreturn self", EDITED),
        Mistake("added", "return self + other", "You added; this method is asked for a product."),
    ),
)

RDIV = Exercise(
    "chapter1.value.rdiv",
    section="1.4",
    targets=("scalar.Value.__rtruediv__",),
    points=0.5,
    minutes=2,
    difficulty=2,
    needs=("chapter1.value.pow", "chapter1.value.mul"),
    hints=(
        _ASKED.format(sign="/"),
        "A number divided by x is that number times a power of x.",
        _LOOP.format(sign="/"),
    ),
    mistakes=(
        Mistake(
            "not-reflected",
            "return self * as_value(other) ** -1",
            "You computed `self / other`. Python calls this method for `other / self`.",
        ),
        Mistake("no-graph", "return Value(other / self.data)", NO_GRAPH),
        Mistake(
            "dropped-number",
            "return self**-1",
            "You computed `1 / self` whatever the number was.",
        ),
        Mistake(
            "gradient-not-squared",
            one("other / self.data", "-other / self.data * out.grad"),
            "In the gradient of 5/x, the x below has to be squared.",
        ),
    ),
)
