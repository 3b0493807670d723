"""Wrong bodies of chapter 12 written without knowledge of its suites, and unusual right ones."""

from grader.course import edit, instead, mistake, right


class SECOND_CALL:
    @instead(
        "above = np.sum(cotangent * f(*moved))", "gradient[index] =", target="checking.numeric_vjp"
    )
    def both_sides_are_read_at_the_end(f, moved, index, which, here, step, gradient, cotangent):
        """Both sides are looked at after the second step: an f that returns a view shows no
        change."""
        above = f(*moved)
        moved[which][index] = here - step
        below = f(*moved)
        gradient[index] = np.sum(cotangent * (above - below)) / (2 * step)

    @mistake(target="checking.check_rule")
    def an_op_that_passed_is_not_looked_at_again(op, arrays, rng):
        """Every op is judged: one of the same name with the same shapes counts as judged
        already."""
        passed = check_rule.__dict__.setdefault("passed", set())
        name = type(op).__name__, tuple(array.shape for array in arrays)
        if name in passed:
            return
        leaves = [Tensor(array, dtype=array.dtype) for array in arrays]
        out = op(*leaves)
        cotangent = rng.normal(size=out.shape).astype(out.dtype)
        found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
        gradients = (found,) if isinstance(found, Tensor) else found
        expected = numeric_vjp(op.forward, arrays, cotangent)
        for which, (yours, right) in enumerate(zip(gradients, expected, strict=True)):
            if yours.shape != right.shape:
                raise WrongRule(which, (), yours.shape, right.shape)
            if not close(yours.data, right):
                off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)
                index = tuple(int(i) for i in np.unravel_index(np.argmax(off), right.shape))
                raise WrongRule(which, index, yours.data[index], right[index])
        passed.add(name)

    @instead("gradient = np.zeros(np.shape(array))", target="checking.numeric_vjp")
    def gradients_are_written_into_the_same_arrays(which, array):
        """One array per array, and it stays: the next call writes into that of the last one."""
        kept = numeric_vjp.__dict__.setdefault("kept", {})
        gradient = kept.setdefault((which, np.shape(array)), np.zeros(np.shape(array)))

    @instead(
        "cotangent = rng.normal(size=out.shape).astype(out.dtype)", target="checking.check_rule"
    )
    def one_cotangent_for_each_shape(out, rng):
        """«drawn from rng»: for a shape that was there before, the old one is used."""
        drawn = check_rule.__dict__.setdefault("drawn", {})
        if out.shape not in drawn:
            drawn[out.shape] = rng.normal(size=out.shape)
        cotangent = drawn[out.shape].astype(out.dtype)


class SETTING:
    the_gradient_has_the_dtype_of_its_array = edit(
        "gradient = np.zeros(np.shape(array))",
        "gradient = np.zeros_like(array)",
        target="checking.numeric_vjp",
    )
    """«one float64 array per array»: those of float32 arrays are float32."""

    the_dtype_of_what_is_right = edit(
        "TOLERANCE[str(yours.dtype)]", "TOLERANCE[str(right.dtype)]", target="checking.close"
    )
    """The tolerance is that of *yours*: a float32 gradient next to a float64 one is refused."""

    an_empty_gradient_has_no_largest_number = edit(
        "size = max(1.0, np.max(np.abs(right), initial=0.0))",
        "size = max(1.0, np.abs(right).max())",
        target="checking.close",
    )
    """No number is further off where there is none."""

    leaves_of_the_usual_dtype = edit(
        "leaves = [Tensor(array, dtype=array.dtype) for array in arrays]",
        "leaves = [Tensor(array) for array in arrays]",
        target="checking.check_rule",
    )
    """«leaves that hold the arrays in their own dtype»: float64 is judged with float32's
    tolerance."""

    an_imaginary_zero_is_added = edit(
        "moved = [np.array(each, dtype=np.complex128) for each in arrays]",
        "moved = [np.array(each + np.complex64(0)) for each in arrays]",
        target="checking.complex_vjp",
    )
    """To the last digits, in float64: a float32 array becomes complex64."""


class VARIETY:
    @mistake(target="checking.numeric_vjp")
    def numbers_are_moved_in_a_flat_view(f, arrays, cotangent):
        """Each number is moved, however the array lies in memory: of a transposed one, a copy
        is."""
        gradients = []
        for which, array in enumerate(arrays):
            moved = [np.array(each, dtype=np.float64) for each in arrays]
            flat, slopes = moved[which].ravel(), []
            for at in range(flat.size):
                here = flat[at]
                step = STEP * max(1.0, abs(here))
                flat[at] = here + step
                above = np.sum(cotangent * f(*moved))
                flat[at] = here - step
                below = np.sum(cotangent * f(*moved))
                flat[at] = here
                slopes.append((above - below) / (2 * step))
            gradients.append(np.array(slopes, dtype=np.float64).reshape(np.shape(array)))
        return gradients

    the_step_of_a_negative_number = edit(
        "max(1.0, abs(here))", "max(1.0, here)", target="checking.numeric_vjp"
    )
    """STEP * max(1, |number|): a large negative number gets the step of a small one."""

    @mistake(target="checking.close")
    def each_number_by_its_own_size(yours, right):
        """The largest |right| decides for all: a small number beside it is measured by itself."""
        if yours.shape != right.shape or not np.isfinite(yours).all():
            return False
        size = max(1.0, np.max(np.abs(right), initial=0.0))
        size = np.maximum(1.0, np.abs(right))
        return bool(np.all(np.abs(yours - right) <= TOLERANCE[str(yours.dtype)] * size))

    @mistake(target="checking.check_everywhere")
    def only_the_first_input_is_ever_negative(make, count, rng):
        """«for negative numbers»: the second input never has any."""
        for shape in ((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)):
            for low, high in ((0.2, 0.9), (1.1, 2.5)):
                for sign in (1, -1):
                    arrays = [rng.uniform(low, high, shape) for _ in range(count)]
                    arrays[0] = sign * arrays[0]
                    check_rule(make(), [np.asarray(array) for array in arrays], rng)

    three_axes_of_one = edit("(2, 1, 3))", "(1, 1, 1))", target="checking.check_everywhere")
    """«with three axes»: all of them have one place, so nothing can be mixed up along them."""

    the_largest_difference_by_share = edit(
        "off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)",
        "off = np.nan_to_num(np.abs(yours.data - right) / np.abs(right), nan=np.inf)",
        target="checking.check_rule",
    )
    """«the place where the difference is largest»: the largest *share* of the right number."""


class HALF_PROMISE:
    the_cotangent_is_float64 = edit(
        ("rng.normal(size=out.shape).astype(out.dtype)", "rng.normal(size=out.shape)"),
        ("Tensor(cotangent, dtype=out.dtype,", "Tensor(cotangent, dtype=cotangent.dtype,"),
        target="checking.check_rule",
    )
    """«a cotangent of the output's shape and dtype»: a float32 rule is handed a float64 one."""

    @instead(
        "off = np.nan_to_num(np.abs(yours.data",
        "index = tuple(int(i)",
        target="checking.check_rule",
    )
    def a_nan_is_passed_over(right, yours):
        """«a nan counts as the largest»: it is passed over, and the place is one that is right."""
        off = np.abs(yours.data - right)
        index = tuple(int(i) for i in np.unravel_index(np.nanargmax(off), right.shape))

    as_many_numbers_are_the_same_shape = edit(
        "if yours.shape != right.shape:",
        "if yours.size != right.size:",
        target="checking.check_rule",
    )
    """«WrongRule holds both shapes»: for a gradient that lies the other way, it does not come."""

    only_a_nan_is_refused = edit(
        "not np.isfinite(yours).all()", "np.isnan(yours).any()", target="checking.close"
    )
    """An infinity is never right, not even where the right gradient holds one, too."""


class RIGHT:
    @right("checking.numeric_vjp")
    def a_list_of_moved_sets(f, arrays, cotangent):
        whole = [np.asarray(each, dtype=np.float64) for each in arrays]

        def total(which, unit):
            parts = [each + 0.0 for each in whole]
            parts[which] = parts[which] + unit
            return float(np.vdot(cotangent, f(*parts)))

        def slope(which, at):
            unit = np.zeros(whole[which].size)
            unit[at] = STEP * max(1.0, abs(float(whole[which].flat[at])))
            moved = unit.reshape(whole[which].shape)
            return (total(which, moved) - total(which, -moved)) / (2 * unit[at])

        return [
            np.array([slope(which, at) for at in range(each.size)], dtype=np.float64).reshape(
                each.shape
            )
            for which, each in enumerate(whole)
        ]

    @right("checking.complex_vjp")
    def a_move_along_an_imaginary_axis(f, arrays, cotangent):
        answers = []
        for which in range(len(arrays)):
            answer = np.empty(np.shape(arrays[which]), dtype=np.float64)
            walker = np.nditer(answer, flags=["multi_index", "zerosize_ok"], op_flags=["writeonly"])
            for cell in walker:
                inputs = [np.asarray(each) * complex(1) for each in map(np.float64, arrays)]
                inputs = [np.array(each, dtype=complex) for each in inputs]
                inputs[which][walker.multi_index] += complex(0, COMPLEX_STEP)
                pushed = np.imag(f(*inputs)) / COMPLEX_STEP
                cell[...] = (cotangent * pushed).sum()
            answers.append(answer)
        return answers

    @right("checking.close")
    def is_everything_near(yours, right):
        allowed = TOLERANCE[yours.dtype.name]
        if right.size:
            allowed *= float(np.maximum(np.abs(right).max(), 1))
        same = tuple(yours.shape) == tuple(right.shape)
        return same and bool(np.all(np.isfinite(yours) & ~(np.abs(right - yours) > allowed)))

    @right("checking.check_rule")
    def the_worst_place_by_a_loop(op, arrays, rng):
        leaves = [Tensor(np.array(array), dtype=array.dtype) for array in arrays]
        out = op(*leaves)
        direction = rng.normal(size=out.shape).astype(out.dtype)
        answer = op.backward(Tensor(direction, dtype=out.dtype, requires_grad=False), out)
        answer = [answer] if isinstance(answer, Tensor) else list(answer)
        if len(answer) != len(leaves):
            raise IndexError(f"{len(answer)} gradients for {len(leaves)} inputs")
        truth = numeric_vjp(op.forward, [array.copy() for array in arrays], direction)
        while answer:
            which = len(truth) - len(answer)
            mine = answer.pop(0)
            if tuple(mine.shape) != truth[which].shape:
                raise WrongRule(which, (), mine.shape, truth[which].shape)
            if close(mine.data, truth[which]):
                continue
            worst, place = -1.0, ()
            for index, value in np.ndenumerate(mine.data):
                gap = abs(float(value) - float(truth[which][index]))
                gap = float("inf") if gap != gap else gap
                if gap > worst:
                    worst, place = gap, index
            raise WrongRule(which, place, mine.data[place], truth[which][place])

    @right("checking.check_everywhere")
    def every_size_with_every_range(make, count, rng):
        from itertools import product

        shapes = [(), (1,), (5,), (1, 4), (4, 1), (3, 2), (2, 3, 4), (1, 2, 1), (3, 3)]
        ranges = [(0.1, 0.95), (1.05, 1.9), (2.0, 4.0)]
        signs = list(product((1.0, -1.0), repeat=count))
        for shape, (low, high), flips in product(shapes, ranges, signs):
            size = int(np.prod(shape, dtype=int))
            steps = low + (high - low) * (np.arange(size * count) + 0.5) / (size * count)
            values = rng.permutation(steps).reshape(count, *shape)
            check_rule(make(), [np.array(sign * each) for sign, each in zip(flips, values)], rng)
