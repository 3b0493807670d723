"""The operators with a plain number on the left: Python asks the Value on the right."""

from grader.course import body, edit, exercise, mistake

from .sentences import EDITED, NO_GRAPH

_ASKED = "Python calls this for `5 {sign} x`: `other` is the number 5, `self` is x."
_LOOP = (
    "If Python says «maximum recursion depth exceeded», you wrote `other {sign} self`: that "
    "asks for "
    "this very method again. Put `self` on the left."
)


@exercise(
    "scalar.Value.__radd__",
    points=0.5,
    minutes=1,
    difficulty=1,
    needs=("chapter1.value.add",),
    hints=(_ASKED.format(sign="+"), _LOOP.format(sign="+")),
)
class RADD:
    no_graph = body("return Value(other + self.data)", says=NO_GRAPH)

    @mistake(says=EDITED)
    def edited(self, other):
        self.data += as_value(other).data
        return self

    only_for_sum = edit(" + other", "")
    """That is right only for `0 + x`, which is how `sum` begins. Add the number, too."""

    multiplied = edit("+", "*")
    """You multiplied; this method returns a sum."""


@exercise(
    "scalar.Value.__rsub__",
    points=0.5,
    minutes=2,
    difficulty=1,
    needs=("chapter1.value.neg", "chapter1.value.add"),
    hints=(
        _ASKED.format(sign="-"),
        "5 - x is -x + 5, and both of these operators exist.",
        _LOOP.format(sign="-"),
    ),
)
class RSUB:
    not_reflected = body(
        "return self + (-other)", seen="https://github.com/karpathy/nn-zero-to-hero/pull/4"
    )
    """You computed `self - other`. Python calls this method for `other - self`."""

    no_graph = body("return Value(as_value(other).data - self.data)", says=NO_GRAPH)

    def gradient_not_negated(self, other):
        """The value is right, the gradient's sign isn't: when x rises, 5 - x falls."""
        out = Value(as_value(other).data - self.data, (self,))

        def push():
            self.grad += out.grad

        out._backward = push
        return out

    dropped_number = edit(" + other", "")
    """You negated x and forgot the number that it is taken from."""


@exercise(
    "scalar.Value.__rmul__",
    points=0.5,
    minutes=1,
    difficulty=1,
    needs=("chapter1.value.mul",),
    hints=(_ASKED.format(sign="*"), _LOOP.format(sign="*")),
)
class RMUL:
    no_graph = body("return Value(other * self.data)", says=NO_GRAPH)

    @mistake(says=EDITED)
    def edited(self, other):
        self.data *= as_value(other).data
        return self

    added = edit("*", "+")
    """You added; this method returns a product."""


@exercise(
    "chapter1.value.rdiv",
    targets=("scalar.Value.__rtruediv__",),
    points=0.5,
    minutes=2,
    needs=("chapter1.value.pow", "chapter1.value.mul"),
    hints=(
        _ASKED.format(sign="/"),
        "A number divided by x is that number times a power of x.",
        _LOOP.format(sign="/"),
    ),
)
class RDIV:
    not_reflected = body("return self * as_value(other) ** -1")
    """You computed `self / other`. Python calls this method for `other / self`."""

    no_graph = body("return Value(other / self.data)", says=NO_GRAPH)

    dropped_number = edit("1 * other", "1")
    """You computed `1 / self` whatever the number was."""

    def gradient_not_squared(self, other):
        """In the gradient of 5/x, the x below has to be squared."""
        out = Value(other / self.data, (self,))

        def push():
            self.grad += -other / self.data * out.grad

        out._backward = push
        return out
