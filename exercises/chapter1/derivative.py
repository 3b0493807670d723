"""The slope of a function without calculus: `numerical_derivative`."""

from grader.course import Exercise, Mistake

DERIVATIVE = Exercise(
    "chapter1.numerical_derivative",
    section="1.1",
    targets=("scalar.numerical_derivative",),
    points=1,
    minutes=5,
    hints=(
        "`f` is a function: call it. You need it at two places, one on either side of x.",
        "The rise is the difference of the two results. How long is the way between the places?",
        "From x - h to x + h it is twice h.",
    ),
    mistakes=(
        Mistake(
            "one-sided",
            "return (f(x + h) - f(x)) / h",
            "This is the one-sided difference. It looks only to the right of x, and its error "
            "shrinks with h instead of h².",
        ),
        Mistake(
            "forgot-two",
            "return (f(x + h) - f(x - h)) / h",
            "The two places lie 2h apart, not h: your slope is twice too steep.",
        ),
        Mistake(
            "backwards",
            "return (f(x - h) - f(x + h)) / (2 * h)",
            "You took the right-hand value from the left-hand one, so the sign is wrong.",
        ),
        Mistake(
            "precedence",
            "return (f(x + h) - f(x - h)) / 2 * h",
            "`/ 2 * h` divides by 2 and then multiplies by h. Put `2 * h` in parentheses.",
        ),
        Mistake(
            "own-step",
            "h = 1e-5\nreturn (f(x + h) - f(x - h)) / (2 * h)",
            "You stepped by a width of your own. The caller's `h` has to count.",
        ),
    ),
)
