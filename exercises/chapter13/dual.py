"""Dual numbers: a value that carries its derivative along."""

from grader.course import edit, exercise, mistake


@exercise("forward_mode.Dual.__mul__", points=1, difficulty=1)
class MUL:
    """Product rule: (ab)' = a'b + ab'. `as_dual(other)` lets a plain number take part."""

    def product_of_tangents(self, other):
        """You multiplied the tangents. A product moves because one factor moves while the other
        stays, and the other way round: two terms that add."""
        other = as_dual(other)
        return Dual(self.value * other.value, self.tangent * other.tangent)

    def one_side(self, other):
        """Only the first factor moves in your tangent. The second one also moves."""
        other = as_dual(other)
        return Dual(self.value * other.value, self.tangent * other.value)

    def sum_of_tangents(self, other):
        """Tangents add where values add. In a product each one is scaled by the other value."""
        other = as_dual(other)
        return Dual(self.value * other.value, self.tangent + other.tangent)


@exercise("chapter13.dual.div", targets=("forward_mode.Dual.__truediv__",), points=2, minutes=8)
class DIV:
    """Quotient rule: (a/b)' = (a'b − ab') / b².

    With q = a/b already computed it is shorter: (a' − q·b') / b.
    """

    plus = edit("-", "+")
    """A larger divisor makes the quotient smaller: its part has a minus."""

    @mistake(seen="https://github.com/tobegit3hub/miniflow/issues/3")
    def quotient_of_tangents(self, other):
        """You divided the tangents. The quotient rule has two terms."""
        other = as_dual(other)
        return Dual(self.value / other.value, self.tangent / (other.tangent or 1.0))

    def square_forgotten(self, other):
        """You divided by b once. In this form of the quotient rule b is squared."""
        other = as_dual(other)
        top = self.tangent * other.value - self.value * other.tangent
        return Dual(self.value / other.value, top / other.value)

    def divisor_stays(self, other):
        """You treat the divisor as if it didn't move."""
        other = as_dual(other)
        return Dual(self.value / other.value, self.tangent / other.value)


@exercise("forward_mode.Dual.__pow__", points=1, minutes=4, difficulty=1)
class POW:
    """The slope of aⁿ is n·aⁿ⁻¹. How fast does a itself move?"""

    tangent_forgotten = edit(" * self.tangent", "")
    """You returned the slope. The output moves by the slope *times* the tangent of what came in:
    that is the chain rule."""

    exponent_kept = edit("value ** (exponent - 1)", "value**exponent")
    """The exponent of the slope is one less."""

    factor_forgotten = edit(" exponent *", "")
    """The factor n in front is missing."""


@exercise(
    "chapter13.dual.functions",
    targets=("forward_mode.exp", "forward_mode.log", "forward_mode.tanh"),
    points=3,
    needs=("chapter13.dual.mul", "chapter13.dual.div"),
)
class FUNCTIONS:
    """A plain number: `math.exp`. A Dual: the value by calling `exp` itself on `x.value`, the
    tangent by slope times `x.tangent`.

    Call your own function on `x.value`, not that of `math`: the value may be a Dual, too.
    """

    tangent_forgotten = edit(" * x.tangent", "")
    """You returned the slope. Multiply it by the tangent that comes in."""

    def moves_alone(x):
        """The tangent came through unchanged: the slope of exp is missing."""
        if not isinstance(x, Dual):
            return math.exp(x)
        return Dual(exp(x.value), x.tangent)

    def tangent_through_exp(x):
        """You applied exp to the tangent. A tangent is multiplied by the slope, nothing else."""
        if not isinstance(x, Dual):
            return math.exp(x)
        return Dual(exp(x.value), exp(x.tangent))

    log_times = edit("/", "*", target="forward_mode.log")
    """The slope of log is 1/a: divide."""

    not_squared = edit(" * value", "", target="forward_mode.tanh")
    """The slope of tanh is 1 − t², with the square."""

    @mistake(target="forward_mode.tanh")
    def of_the_input(x):
        """The t in 1 − t² is the output, tanh a; you took the input."""
        if not isinstance(x, Dual):
            return math.tanh(x)
        return Dual(tanh(x.value), (1 - x.value * x.value) * x.tangent)

    floats_only = edit("exp(x.value)", "math.exp(getattr(x.value, 'value', x.value))")
    """You computed the value with `math`. If the value is itself a Dual, its own tangent is lost,
    and second derivatives are wrong: call your own function on it."""


@exercise(
    "forward_mode.derivative",
    points=2,
    needs=(
        "chapter13.dual.mul",
        "chapter13.dual.div",
        "chapter13.dual.pow",
        "chapter13.dual.functions",
    ),
)
class DERIVATIVE:
    """How fast does x move when x moves? That is the tangent to start with.

    `f` may return a plain number; `as_dual` turns it into a Dual that doesn't move.
    """

    seed_forgotten = edit("x, 1.0", "x")
    """The tangent of x started at 0: nothing moves, and every derivative is 0."""

    value_returned = edit("tangent", "value")
    """This is f(x), not its derivative."""

    def difference_quotient(f, x):
        """This is a difference quotient: it's right to about six digits, and not exact. The Dual
        needs no step size at all."""
        h = 1e-6
        return (f(x + h) - f(x - h)) / (2 * h)

    seeded_with_x = edit("1.0", "x")
    """You started with the tangent x. x moves as fast as x itself: 1."""


EXERCISES = (MUL, DIV, POW, FUNCTIONS, DERIVATIVE)
