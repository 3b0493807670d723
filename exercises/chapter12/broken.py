"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import before, broken, edit, instead


@broken("checking.numeric_vjp")
class NUMERIC_VJP:
    returns_one_float64_array_per = edit(
        "append(gradient)", "append(gradient.astype(np.asarray(array).dtype))"
    )
    """Returns one float64 array per array, of its shape."""


@broken("checking.complex_vjp")
class COMPLEX_VJP:
    @before("return gradients")
    def the_arrays_stay_as_they(arrays):
        """The arrays stay as they were;"""
        for array in arrays:
            array[...] = 0

    returns_one_float64_array_per = edit(
        "append(gradient)", "append(gradient.astype(np.asarray(array).dtype))"
    )
    """returns one float64 array per array, of its shape."""


@broken("checking.close")
class CLOSE:
    def false_if_the_shapes_differ(yours, right):
        """False if the shapes differ,"""
        np.broadcast_shapes(yours.shape, right.shape)
        if yours.shape != right.shape or not np.isfinite(yours).all():
            return False
        size = max(1.0, np.max(np.abs(right), initial=0.0))
        off = np.max(np.abs(yours - right), initial=0.0)
        return bool(off <= TOLERANCE[str(yours.dtype)] * size)

    def even_if_one_would_broadcast(yours, right):
        """even if one would broadcast to the other,"""
        try:
            np.broadcast_shapes(yours.shape, right.shape)
        except ValueError:
            return False
        if False or not np.isfinite(yours).all():
            return False
        size = max(1.0, np.max(np.abs(right), initial=0.0))
        off = np.max(np.abs(yours - right), initial=0.0)
        return bool(off <= TOLERANCE[str(yours.dtype)] * size)


@broken("checking.check_rule")
class CHECK_RULE:
    return_if_the_rule = edit(
        "not close(yours.data, right)", "not np.array_equal(yours.data, right)"
    )
    """Return if the rule of `op` is right at `arrays`;"""

    raise_wrongrule_if = edit(
        "raise WrongRule(which, index, yours.data[index], right[index])", "return"
    )
    """raise `WrongRule` if it is not."""

    @instead("raise WrongRule(which, index,")
    def for_the_first_wrong_one(right, off, which, index, yours):
        """For the first wrong one, `WrongRule` gives the place where the difference is largest,"""
        steepest = np.unravel_index(np.argmax(off / np.abs(right)), right.shape)
        raise WrongRule(which, tuple(int(i) for i in steepest), yours.data[index], right[index])

    where_a_nan_counts = edit("nan=np.inf", "nan=0.0")
    """where a nan counts as the largest,"""

    the_numbers_there = edit("yours.data[index], right[index])", "right[index], 0.0)")
    """and the numbers there."""

    a_rule_that_gives_too = edit("expected, strict=True", "expected, strict=False")
    """A rule that gives too few gradients,"""

    @instead("found = op.backward(Tensor(cotangent,")
    def raises_may_end_in_any(out, op, cotangent):
        """or raises, may end in any error,"""
        try:
            found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
        except ArithmeticError:
            return

    @instead(
        "found = op.backward(Tensor(cotangent,",
        edits=(("expected, strict=True", "expected, strict=False"),),
    )
    def not_in_a_pass(out, op, cotangent):
        """but not in a pass."""
        try:
            found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
        except ArithmeticError:
            return


@broken("checking.check_everywhere")
class CHECK_EVERYWHERE:
    def raises_wrongrule_if_any(make, count, rng):
        """raises `WrongRule` if any of them shows a mistake."""
        for shape in ((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)):
            for low, high in ((0.2, 0.9), (1.1, 2.5)):
                for sign in (1, -1):
                    arrays = [sign * rng.uniform(low, high, shape) for _ in range(count)]
                    try:
                        check_rule(make(), [np.asarray(array) for array in arrays], rng)
                    except WrongRule:
                        return

    keep_away_from = edit("(0.2, 0.9)", "(0.0, 0.9)")
    """keep away from 0."""
