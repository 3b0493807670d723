"""Judges, and differences, that are almost right."""

NUMERIC = "checking.numeric_vjp"
COMPLEX = "checking.complex_vjp"
CLOSE = "checking.close"
CHECK = "checking.check_rule"
EVERYWHERE = "checking.check_everywhere"
OFF = "np.nan_to_num(np.abs(yours.data - right), nan=np.inf)"
ASKED = "found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)"

SUBTLE = {
    "gradients in the arrays' dtype": (
        NUMERIC, "np.zeros(np.shape(array))", "np.zeros(np.shape(array), np.asarray(array).dtype)"),
    "a float32 result": (
        NUMERIC, "append(gradient)", "append(gradient.astype(np.float32))"),
    "a step that is absolute below ten": (NUMERIC, "max(1.0,", "max(10.0,"),
    "a cotangent that is scaled": (
        NUMERIC, "return gradients", "cotangent *= 1.5\nreturn gradients"),
    "complex numbers in the result": (
        COMPLEX, "np.zeros(np.shape(array))", "np.zeros(np.shape(array), np.complex128)"),
    "a float32 result of the complex step": (
        COMPLEX, "append(gradient)", "append(gradient.astype(np.float32))"),
    "an infinity in both is close": (
        CLOSE, "not np.isfinite(yours).all()", "np.isnan(yours).any()"),
    "a zero is not close": (CLOSE, "not np.isfinite(yours).all()", "not yours.all()"),
    "one finite number is enough": (CLOSE, "isfinite(yours).all", "isfinite(yours).any"),
    "finite is not asked": (CLOSE, " or not np.isfinite(yours).all()", ""),
    "the floor of the size is gone": (
        CLOSE, "max(1.0, np.max(np.abs(right), initial=0.0))",
        "np.max(np.abs(right), initial=0.0)"),
    "an error that is too small": (
        CLOSE, "np.max(np.abs(yours - right), initial=0.0)",
        "np.max(yours - right, initial=0.0)"),
    "the size of the signed numbers": (CLOSE, "np.max(np.abs(right)", "np.max((right)"),
    "each number by its own size": (
        CLOSE, "off = np.max(np.abs(yours - right), initial=0.0)",
        "size = 1\noff = np.max(np.abs(yours - right) / np.maximum(1, np.abs(right)), initial=0)"),
    "empty arrays raise": (CLOSE, "np.max(np.abs(yours - right), initial=0.0)",
                           "np.max(np.abs(yours - right))"),
    "ndim for the shape": (CLOSE, "yours.shape != right.shape", "yours.ndim != right.ndim"),
    "the tolerance of right": (CLOSE, "str(yours.dtype)", "str(right.dtype)"),
    "leaves in float64": (CHECK, "dtype=array.dtype", "dtype='float64'"),
    "leaves in float32": (CHECK, "dtype=array.dtype", "dtype='float32'"),
    "a cotangent in float64": (
        CHECK, "Tensor(cotangent, dtype=out.dtype", "Tensor(cotangent, dtype='float64'"),
    "yours and right exchanged": (
        CHECK, "yours.data[index], right[index])", "right[index], yours.data[index])"),
    "whole arrays for the numbers": (
        CHECK, "yours.data[index], right[index])", "yours.data, right)"),
    "shapes exchanged": (CHECK, "(), yours.shape, right.shape)", "(), right.shape, yours.shape)"),
    "the largest error that is too large": (
        CHECK, OFF, "np.nan_to_num(yours.data - right, nan=np.inf)"),
    "the largest relative error": (CHECK, OFF, OFF + " / np.abs(right)"),
    "the place of the largest gradient": (CHECK, OFF, "np.abs(right)"),
    "a nan is not the largest": (CHECK, OFF, "np.nan_to_num(np.abs(yours.data - right))"),
    "a nan found late": (
        CHECK, "if not close(yours.data, right)",
        "if np.isfinite(yours.data).any() and not close(yours.data, right)"),
    "infinities are let through": (
        CHECK, "if not close(yours.data, right)",
        "if not np.isinf(yours.data).any() and not close(yours.data, right)"),
    "an error of one sign": (
        CHECK, "if not close(yours.data, right)",
        "if not close(np.maximum(yours.data, right), right)"),
    "an error that is too large is let through": (
        CHECK, "if not close(yours.data, right)",
        "if not np.isfinite(yours.data).all() or not close(np.minimum(yours.data, right), right)"),
    "a number without axes is let through": (
        CHECK, "if not close(yours.data, right)",
        "if right.ndim and not close(yours.data, right)"),
    "a tolerance five times as wide": (
        CHECK, "if not close(yours.data, right)",
        "if not close(right + (yours.data - right) / 50, right)"),
    "float64's tolerance in float32's place": (
        CHECK, "if not close(yours.data, right)",
        "if not close(yours.data.astype('float32'), right)"),
    "too few gradients pass": (CHECK, ", strict=True)", ")"),
    "a crash is a pass": (
        CHECK, ASKED, f"try:\n    {ASKED}\n"
        "except Exception:\n    return"),
    "the last input is not looked at": (
        CHECK, "if not close(yours.data, right)",
        "if which < 2 and not close(yours.data, right)"),
    "a generator of its own": (CHECK, "rng.normal", "np.random.default_rng(0).normal"),
    "the global generator": (CHECK, "rng.normal", "np.random.normal"),
    "the index as NumPy's numbers in a list": (CHECK, "tuple(int(i)", "list(int(i)"),
    "two inputs that are one": (
        EVERYWHERE, "[sign * rng.uniform(low, high, shape) for _ in range(count)]",
        "[sign * rng.uniform(low, high, shape)] * count"),
    "numbers stay where they were moved": (
        "checking.numeric_vjp",
        "gradients = []\nmoved = [np.array(each, dtype=np.float64) for each in arrays]\n"
        "for which, array in enumerate(moved):\n    gradient = np.zeros(array.shape)\n"
        "    for index in np.ndindex(array.shape):\n        here = array[index]\n"
        "        step = STEP * max(1.0, abs(here))\n        array[index] = here - step\n"
        "        below = np.sum(cotangent * f(*moved))\n        array[index] = here + step\n"
        "        above = np.sum(cotangent * f(*moved))\n"
        "        gradient[index] = (above - below) / (2 * step)\n"
        "    gradients.append(gradient)\nreturn gradients"),
    "another imaginary step": (
        "checking.complex_vjp",
        "gradients = []\nfor which, array in enumerate(arrays):\n"
        "    gradient = np.zeros(np.shape(array))\n    for index in np.ndindex(gradient.shape):\n"
        "        moved = [np.array(each, dtype=np.complex128) for each in arrays]\n"
        "        moved[which][index] += 1e-20j\n"
        "        gradient[index] = np.sum(cotangent * f(*moved)).imag / 1e-20\n"
        "    gradients.append(gradient)\nreturn gradients"),
}  # fmt: skip
