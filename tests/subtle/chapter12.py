"""Judges, and differences, that are almost right."""

from grader.course import before, edit, instead, mistake

NUMERIC = "checking.numeric_vjp"
COMPLEX = "checking.complex_vjp"
CLOSE = "checking.close"
CHECK = "checking.check_rule"
EVERYWHERE = "checking.check_everywhere"
OFF = "np.nan_to_num(np.abs(yours.data - right), nan=np.inf)"


class SUBTLE:
    gradients_in_the_arrays_dtype = edit(
        "np.zeros(np.shape(array))",
        "np.zeros(np.shape(array), np.asarray(array).dtype)",
        target=NUMERIC,
    )
    a_float32_result = edit(
        "append(gradient)", "append(gradient.astype(np.float32))", target=NUMERIC
    )
    a_step_that_is_absolute_below_ten = edit("max(1.0,", "max(10.0,", target=NUMERIC)

    @before("return gradients", target=NUMERIC)
    def a_cotangent_that_is_scaled(cotangent):
        cotangent *= 1.5

    complex_numbers_in_the_result = edit(
        "np.zeros(np.shape(array))", "np.zeros(np.shape(array), np.complex128)", target=COMPLEX
    )
    a_float32_result_of_the_complex_step = edit(
        "append(gradient)", "append(gradient.astype(np.float32))", target=COMPLEX
    )
    an_infinity_in_both_is_close = edit(
        "not np.isfinite(yours).all()", "np.isnan(yours).any()", target=CLOSE
    )
    a_zero_is_not_close = edit("not np.isfinite(yours).all()", "not yours.all()", target=CLOSE)
    one_finite_number_is_enough = edit("isfinite(yours).all", "isfinite(yours).any", target=CLOSE)
    finite_is_not_asked = edit(" or not np.isfinite(yours).all()", "", target=CLOSE)
    the_floor_of_the_size_is_gone = edit(
        "max(1.0, np.max(np.abs(right), initial=0.0))",
        "np.max(np.abs(right), initial=0.0)",
        target=CLOSE,
    )
    an_error_that_is_too_small = edit(
        "np.max(np.abs(yours - right), initial=0.0)",
        "np.max(yours - right, initial=0.0)",
        target=CLOSE,
    )
    the_size_of_the_signed_numbers = edit("np.max(np.abs(right)", "np.max((right)", target=CLOSE)

    @mistake(target=CLOSE)
    def each_number_by_its_own_size(yours, right):
        if yours.shape != right.shape or not np.isfinite(yours).all():
            return False
        size = max(1.0, np.max(np.abs(right), initial=0.0))
        size = 1
        off = np.max(np.abs(yours - right) / np.maximum(1, np.abs(right)), initial=0)
        return bool(off <= TOLERANCE[str(yours.dtype)] * size)

    empty_arrays_raise = edit(
        "np.max(np.abs(yours - right), initial=0.0)", "np.max(np.abs(yours - right))", target=CLOSE
    )
    ndim_for_the_shape = edit(
        "yours.shape != right.shape", "yours.ndim != right.ndim", target=CLOSE
    )
    the_tolerance_of_right = edit("str(yours.dtype)", "str(right.dtype)", target=CLOSE)
    leaves_in_float64 = edit("dtype=array.dtype", "dtype='float64'", target=CHECK)
    leaves_in_float32 = edit("dtype=array.dtype", "dtype='float32'", target=CHECK)
    a_cotangent_in_float64 = edit(
        "Tensor(cotangent, dtype=out.dtype", "Tensor(cotangent, dtype='float64'", target=CHECK
    )
    yours_and_right_exchanged = edit(
        "yours.data[index], right[index])", "right[index], yours.data[index])", target=CHECK
    )
    whole_arrays_for_the_numbers = edit(
        "yours.data[index], right[index])", "yours.data, right)", target=CHECK
    )
    shapes_exchanged = edit(
        "(), yours.shape, right.shape)", "(), right.shape, yours.shape)", target=CHECK
    )
    the_largest_error_that_is_too_large = edit(
        OFF, "np.nan_to_num(yours.data - right, nan=np.inf)", target=CHECK
    )
    the_largest_relative_error = edit(OFF, OFF + " / np.abs(right)", target=CHECK)
    the_place_of_the_largest_gradient = edit(OFF, "np.abs(right)", target=CHECK)
    a_nan_is_not_the_largest = edit(OFF, "np.nan_to_num(np.abs(yours.data - right))", target=CHECK)
    a_nan_found_late = edit(
        "if not close(yours.data, right)",
        "if np.isfinite(yours.data).any() and not close(yours.data, right)",
        target=CHECK,
    )
    infinities_are_let_through = edit(
        "if not close(yours.data, right)",
        "if not np.isinf(yours.data).any() and not close(yours.data, right)",
        target=CHECK,
    )
    an_error_of_one_sign = edit(
        "if not close(yours.data, right)",
        "if not close(np.maximum(yours.data, right), right)",
        target=CHECK,
    )
    an_error_that_is_too_large_is_let_through = edit(
        "if not close(yours.data, right)",
        "if not np.isfinite(yours.data).all() or not close(np.minimum(yours.data, right), right)",
        target=CHECK,
    )
    a_number_without_axes_is_let_through = edit(
        "if not close(yours.data, right)",
        "if right.ndim and not close(yours.data, right)",
        target=CHECK,
    )
    a_tolerance_five_times_as_wide = edit(
        "if not close(yours.data, right)",
        "if not close(right + (yours.data - right) / 50, right)",
        target=CHECK,
    )
    float64s_tolerance_in_float32s_place = edit(
        "if not close(yours.data, right)",
        "if not close(yours.data.astype('float32'), right)",
        target=CHECK,
    )
    too_few_gradients_pass = edit(", strict=True)", ")", target=CHECK)

    @instead("found = op.backward(Tensor(cotangent,", target=CHECK)
    def a_crash_is_a_pass(out, op, cotangent):
        try:
            found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
        except Exception:
            return

    the_last_input_is_not_looked_at = edit(
        "if not close(yours.data, right)",
        "if which < 2 and not close(yours.data, right)",
        target=CHECK,
    )
    a_generator_of_its_own = edit("rng.normal", "np.random.default_rng(0).normal", target=CHECK)
    the_global_generator = edit("rng.normal", "np.random.normal", target=CHECK)
    the_index_as_NumPys_numbers_in_a_list = edit("tuple(int(i)", "list(int(i)", target=CHECK)
    two_inputs_that_are_one = edit(
        "[sign * rng.uniform(low, high, shape) for _ in range(count)]",
        "[sign * rng.uniform(low, high, shape)] * count",
        target=EVERYWHERE,
    )

    @mistake(target="checking.numeric_vjp")
    def numbers_stay_where_they_were_moved(f, arrays, cotangent):
        gradients = []
        moved = [np.array(each, dtype=np.float64) for each in arrays]
        for which, array in enumerate(moved):
            gradient = np.zeros(array.shape)
            for index in np.ndindex(array.shape):
                here = array[index]
                step = STEP * max(1.0, abs(here))
                array[index] = here - step
                below = np.sum(cotangent * f(*moved))
                array[index] = here + step
                above = np.sum(cotangent * f(*moved))
                gradient[index] = (above - below) / (2 * step)
            gradients.append(gradient)
        return gradients

    @mistake(target="checking.complex_vjp")
    def another_imaginary_step(f, arrays, cotangent):
        gradients = []
        for which, array in enumerate(arrays):
            gradient = np.zeros(np.shape(array))
            for index in np.ndindex(gradient.shape):
                moved = [np.array(each, dtype=np.complex128) for each in arrays]
                moved[which][index] += 1e-20j
                gradient[index] = np.sum(cotangent * f(*moved)).imag / 1e-20
            gradients.append(gradient)
        return gradients
