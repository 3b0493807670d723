"""Lesson 1: one list of numbers."""

from grader.course import Chapter, Question, body, edit, exercise, right, variant


@exercise("describe.mean", points=1, minutes=3)
class MEAN:
    """Imagine everybody gets the same, and the sum stays what it is.

    `np.sum(values)` is the sum, `len(values)` is how many there are.
    """

    one_too_few = edit("len(values)", "(len(values) - 1)")
    """You divided by n - 1. The mean divides by how many numbers there are."""

    median = body("return np.sort(values)[len(values) // 2]")
    """You took the one in the middle, which is the median."""


@exercise("describe.variance", points=2, minutes=6, difficulty=2, needs=("lesson1.mean",))
class VARIANCE:
    """How far is each value from the mean? An array minus a number is an array.

    Square the distances before you add them; divide by `len(values) - ddof`.
    """

    ddof_ignored = edit("(len(values) - ddof)", "len(values)")
    """You always divide by n; with `ddof=1` it has to be n - 1."""

    not_squared = edit("distances**2", "np.abs(distances)")
    """You added the distances themselves; the variance adds their squares."""

    around_zero = edit("values - mean(values)", "values")
    """You squared the values themselves. Subtract their mean first."""


@exercise(
    "describe.standardize",
    points=2,
    minutes=5,
    difficulty=2,
    needs=("lesson1.mean", "lesson1.variance"),
)
class STANDARDIZE:
    """First move the values so that their mean is 0, then make them narrower or wider.

    A standard deviation is the root of the variance: `np.sqrt`.
    """

    by_the_variance = edit("np.sqrt(variance(values))", "variance(values)")
    """You divided by the variance. The unit is its root, the standard deviation."""

    not_centred = edit("(values - mean(values))", "values")
    """The mean of your result is not 0: subtract the mean of the values first."""


@variant("NumPy's own")
class NUMPYS_OWN:
    mean = right("describe.mean", "return float(np.mean(values))")
    variance = right("describe.variance", "return np.var(values, ddof=ddof)")


@variant("a loop")
class LOOP:
    @right("describe.mean")
    def mean(values):
        total = 0.0
        for each in values:
            total += each
        return total / len(values)


CHAPTER = Chapter(
    id="lesson1",
    title="One list of numbers",
    exercises=(MEAN, VARIANCE, STANDARDIZE),
    questions=(
        Question(
            "lesson1.q.shift",
            asks="Every value grows by 10. What happens to the variance?",
            choices=("it grows by 10", "it grows by 100", "nothing"),
            answer="nothing",
            why="The mean grows by 10 as well, so that no distance changes.",
        ),
    ),
    variants=(NUMPYS_OWN, LOOP),
)  # fmt: skip
