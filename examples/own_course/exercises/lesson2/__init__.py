"""Lesson 2: two lists, and one that is too long to be kept."""

from grader.course import Chapter, edit, exercise, right, variant


@exercise("relate.covariance", points=2, minutes=5, needs=("lesson1.mean",))
class COVARIANCE:
    """A product of two distances is positive where both lie on the same side of their means.

    `mean` of lesson 1 takes the array of these products.
    """

    not_centred = edit("(x - mean(x)) * (y - mean(y))", "x * y")
    """You multiplied the values. Measure each from the mean of its own list first."""

    sum = edit("return mean(", "return np.sum(")
    """You added the products. The covariance is their mean."""


@exercise(
    "relate.correlation",
    points=2,
    minutes=5,
    difficulty=2,
    needs=("lesson2.covariance", "lesson1.variance"),
)
class CORRELATION:
    """Centimetres times kilograms are no number between -1 and 1. What takes the units away?

    Divide by the standard deviation of each list; a root of a product is enough.
    """

    no_root = edit("np.sqrt(variance(x) * variance(y))", "(variance(x) * variance(y))")
    """You divided by both variances. Their roots have the unit of the numbers."""

    without_a_sign = edit("covariance(x, y)", "abs(covariance(x, y))")
    """The sign is gone: where one list falls while the other rises it is negative."""


@exercise("lesson2.running", targets=("relate.Running.update",), points=3, minutes=12, difficulty=3)
class RUNNING:
    """The mean moves towards the new value, by an n-th of the way.

    The squares grow by a product of two distances: from the mean before, and from the new.
    """

    both_before = edit("before * (value - self.mean)", "before * before")
    """Both distances of your product are from the old mean; one is from the new."""

    def counted_late(self, value):
        """The mean moves by 1/n of the way, where n counts the new value and no other."""
        before = value - self.mean
        self.mean += before / (self.count + 2)
        self.count += 1
        self.squares += before * (value - self.mean)


@variant("NumPy's own")
class NUMPYS_OWN:
    covariance = right("relate.covariance", "return np.cov(x, y, ddof=0)[0, 1]")


@variant("NumPy's correlation")
class NUMPYS_CORRELATION:
    correlation = right("relate.correlation", "return np.corrcoef(x, y)[0, 1]")


CHAPTER = Chapter(
    id="lesson2",
    title="Two lists, and one too long to keep",
    exercises=(COVARIANCE, CORRELATION, RUNNING),
    variants=(NUMPYS_OWN, NUMPYS_CORRELATION),
)  # fmt: skip
