"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

SHAPES = "if yours.shape != right.shape"
TOO_FEW = ("expected, strict=True", "expected, strict=False")
FOUND = "found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)"
RAISES = (FOUND, f"try:\n    {FOUND}\nexcept ArithmeticError:\n    return")

BROKEN = {
    "checking.numeric_vjp": {
        "Returns one float64 array per array, of its shape.": (
            "append(gradient)", "append(gradient.astype(np.asarray(array).dtype))",
        ),
    },
    "checking.complex_vjp": {
        "The arrays stay as they were;": (
            "return gradients", "for array in arrays:\n    array[...] = 0\nreturn gradients",
        ),
        "returns one float64 array per array, of its shape.": (
            "append(gradient)", "append(gradient.astype(np.asarray(array).dtype))",
        ),
    },
    "checking.close": {
        "False if the shapes differ,": (
            SHAPES, f"np.broadcast_shapes(yours.shape, right.shape)\n{SHAPES}",
        ),
        "even if one would broadcast to the other,": (
            SHAPES,
            "try:\n"
            "    np.broadcast_shapes(yours.shape, right.shape)\n"
            "except ValueError:\n"
            "    return False\n"
            "if False",
        ),
    },
    "checking.check_rule": {
        "Return if the rule of `op` is right at `arrays`;": (
            "not close(yours.data, right)", "not np.array_equal(yours.data, right)",
        ),
        "raise `WrongRule` if it is not.": (
            "raise WrongRule(which, index, yours.data[index], right[index])", "return",
        ),
        "For the first wrong one, `WrongRule` gives the place where the difference is largest,": (
            "raise WrongRule(which, index, ",
            "steepest = np.unravel_index(np.argmax(off / np.abs(right)), right.shape)\n"
            "        raise WrongRule(which, tuple(int(i) for i in steepest), ",
        ),
        "where a nan counts as the largest,": ("nan=np.inf", "nan=0.0"),
        "and the numbers there.": ("yours.data[index], right[index])", "right[index], 0.0)"),
        "A rule that gives too few gradients,": TOO_FEW,
        "or raises, may end in any error,": RAISES,
        "but not in a pass.": (TOO_FEW, RAISES),
    },
    "checking.check_everywhere": {
        "raises `WrongRule` if any of them shows a mistake.": """
            for shape in ((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)):
                for low, high in ((0.2, 0.9), (1.1, 2.5)):
                    for sign in (1, -1):
                        arrays = [sign * rng.uniform(low, high, shape) for _ in range(count)]
                        try:
                            check_rule(make(), [np.asarray(array) for array in arrays], rng)
                        except WrongRule:
                            return
        """,
        "keep away from 0.": ("(0.2, 0.9)", "(0.0, 0.9)"),
    },
}  # fmt: skip
