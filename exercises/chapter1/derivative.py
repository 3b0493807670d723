"""The slope of a function without calculus: `numerical_derivative`."""

from grader.course import edit, exercise


@exercise("scalar.numerical_derivative", points=1)
class DERIVATIVE:
    """`f` is a function: call it. You need it at two places, one on either side of x.

    The rise is the difference of the two results. How far apart are the two places?

    From x - h to x + h, the distance is 2h.
    """

    one_sided = edit(("x - h", "x"), ("(2 * h)", "h"))
    """This is the one-sided difference. It looks only to the right of x, and its error shrinks with
    h instead of h²."""

    forgot_two = edit("(2 * h)", "h")
    """The two places lie 2h apart, not h: your slope is twice too steep."""

    backwards = edit("(x + h) - f(x - h)", "(x - h) - f(x + h)")
    """You took the right-hand value from the left-hand one, so the sign is wrong."""

    precedence = edit("(2 * h)", "2 * h", has=(r"/ 2(?:\.0)? \* h\b",))
    """`/ 2 * h` divides by 2 and then multiplies by h. Put `2 * h` in parentheses."""

    def own_step(f, x, h):
        """You used a step of your own. Use the caller's `h`."""
        h = 1e-5
        return (f(x + h) - f(x - h)) / (2 * h)
