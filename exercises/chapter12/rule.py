"""The tolerance, and the judge of one rule: graded by mutants."""

from grader.course import edit, exercise, instead


@exercise("checking.close", points=2)
class CLOSE:
    """Shapes first, with `!=`: two arrays of shapes (3,) and (1, 3) subtract without complaint.

    `nan > tolerance` is False, and so is `nan <= tolerance`. Put the question so that a nan doesn't
    pass, or use `np.isfinite`.
    """

    broadcasts = edit(" yours.shape != right.shape or", "")
    """An array of another shape is broadcast, and passes. Compare the shapes first."""

    def nan_passes(yours, right):
        """You ask whether something is too far off. A nan isn't further off than anything, so it
        passes: ask whether everything is near."""
        if yours.shape != right.shape:
            return False
        size = max(1.0, np.max(np.abs(right), initial=0.0))
        wrong = np.abs(yours - right) > TOLERANCE[str(yours.dtype)] * size
        return not bool(wrong.any())

    absolute = edit(" * size", "")
    """Your tolerance ignores the size of the numbers. A gradient of a million has seven digits
    fewer after the decimal point than one of a tenth, so you would reject correct rules."""

    one_tolerance = edit("TOLERANCE[str(yours.dtype)]", "1e-6")
    """float32 holds seven digits, and a few operations cost one or two of them. The tolerance
    depends on the dtype of `yours`."""

    loose = edit("TOLERANCE[str(yours.dtype)]", "1e-2")
    """With a tolerance of a hundredth, a rule with a wrong digit passes. `TOLERANCE` says how close
    it has to be."""

    mean_difference = edit(
        "max(np.abs(yours - right), initial=0.0)",
        "abs(np.mean(yours - right)) if yours.size else 0.0",
    )
    """You took the mean of the differences: one above and one below cancel."""


@exercise("checking.check_rule", points=8)
class CHECK:
    """Leaves from the arrays, with their dtype; `out = op(*leaves)`; a random array of the output's
    shape; `op.backward(Tensor(…), out)`; and `numeric_vjp(op.forward, arrays, cotangent)` with the
    *same* cotangent.

    With one input you get a bare Tensor: put it into a tuple. Then look at every input.

    `np.unravel_index(np.argmax(off), off.shape)` is the place of the largest difference. Count a
    nan as the largest: `np.nan_to_num(off, nan=np.inf)`.
    """

    ones = edit("rng.normal(size=out.shape).astype(out.dtype)", "np.ones(out.shape, out.dtype)")
    """Your cotangent is made of ones. A rule that forgets the cotangent passes, and so does one
    that mixes up which output is which: draw it from `rng`."""

    first_input = edit(
        "enumerate(zip(gradients, expected, strict=True))", "[(0, (gradients[0], expected[0]))]"
    )
    """You look at the first input only."""

    sums_compared = edit("data, right", "data.sum(), right.sum()")
    """You compare sums. If one number is too large and another too small, the sum hides it."""

    loose = edit(("close", "np.allclose"), ("data, right", "data, right, rtol=1e-2, atol=1e-2"))
    """Your tolerance is a hundredth: a factor of 1.005 passes. `close` decides how near it has to
    be."""

    @instead("if yours.shape != right.shape:", "if not close(yours.data, right):")
    def shape_ignored(right, yours):
        """A gradient with an extra axis broadcasts against the right one and passes. A gradient has
        the shape of its input, and no other."""
        if not np.allclose(*np.broadcast_arrays(yours.data, right), rtol=1e-6, atol=1e-6):
            yours = yours.reshape(right.shape)

    another_cotangent = edit(" cotangent", " rng.normal(size=out.shape)")
    """You drew a second cotangent for the numbers to compare with, so even right rules are
    rejected. Both sides get the same one."""

    last_element_said = edit("np.argmax(off)", "off.size - 1 if which else 0")
    """The place that you name isn't where the difference is largest."""

    never_raises = edit(
        ("raise WrongRule(which, (), yours.shape, right.shape)", "return False"),
        ("raise WrongRule(which, index, yours.data[index], right[index])", "return False"),
    )
    """You return False. Nobody looks at what `check_rule` returns: raise `WrongRule`."""


@exercise("checking.check_everywhere", points=3)
class EVERYWHERE:
    """Loops: over shapes, over sizes of numbers, over signs. In the middle `check_rule(make(),
    arrays, rng)`.

    `rng.uniform(low, high, shape)` is a plain number for the shape `()`: `np.asarray` turns it into
    an array.
    """

    one_shape = edit("(), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)", "(2, 3),")
    """You try one shape. Rules go wrong at the odd ones: no axes, an axis of one, three axes."""

    positive_only = edit(" -1", "")
    """None of your numbers is negative."""

    negative_only = edit("1, -1", "-1,")
    """None of your numbers is positive."""

    small_only = edit(" (1.1, 2.5)", "")
    """All of your numbers lie between -1 and 1."""

    without_axes_forgotten = edit("(), (1,)", "(1,)")
    """You never try an array without axes, a single number."""

    stops_at_the_first = edit("check_rule", "return check_rule")
    """You return after the first try."""
