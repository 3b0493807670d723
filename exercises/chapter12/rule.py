"""What is close enough, and the judge of one rule: graded by mutants."""

from grader.course import Exercise, Mistake

from .numeric import but

COMPARE = """
if yours.shape != right.shape or not np.isfinite(yours).all():
    return False
size = max(1.0, np.max(np.abs(right), initial=0.0))
off = np.max(np.abs(yours - right), initial=0.0)
return bool(off <= TOLERANCE[str(yours.dtype)] * size)
"""

CLOSE = Exercise(
    "chapter12.close",
    section="12.2",
    targets=("checking.close",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Shapes first, with `!=`: two arrays of shapes (3,) and (1, 3) subtract without complaint.",
        "`nan > tolerance` is False, and so is `nan <= tolerance`. Ask in the way that a nan "
        "does not pass, or ask `np.isfinite`.",
    ),
    mistakes=(
        Mistake(
            "broadcasts", but("yours.shape != right.shape or not", "not", COMPARE),
            "An array of another shape is broadcast, and passes. Compare the shapes first.",
        ),
        Mistake(
            "nan-passes",
            "if yours.shape != right.shape:\n    return False\n"
            "size = max(1.0, np.max(np.abs(right), initial=0.0))\n"
            "wrong = np.abs(yours - right) > TOLERANCE[str(yours.dtype)] * size\n"
            "return not bool(wrong.any())",
            "You ask whether something is too far off. A nan is not further off than anything, so "
            "it passes: ask whether everything is near.",
        ),
        Mistake(
            "absolute", but(" * size)", ")", COMPARE),
            "Your tolerance knows no size. A gradient of a million has ten digits less behind the "
            "point than one of a tenth; right rules would be rejected.",
        ),
        Mistake(
            "one-tolerance", but("TOLERANCE[str(yours.dtype)]", "1e-6", COMPARE),
            "float32 holds seven digits, and a few operations cost one or two of them. The "
            "tolerance depends on the dtype of `yours`.",
        ),
        Mistake(
            "loose", but("TOLERANCE[str(yours.dtype)]", "1e-2", COMPARE),
            "Within a hundredth a rule with a wrong digit passes. `TOLERANCE` says how near.",
        ),
        Mistake(
            "mean-difference", but("np.max(np.abs(yours - right), initial=0.0)",
                                   "np.abs(np.mean(yours - right)) if yours.size else 0.0",
                                   COMPARE),
            "You took the mean of the differences: one above and one below cancel.",
        ),
    ),
)  # fmt: skip

BODY = """
leaves = [Tensor(array, dtype=array.dtype) for array in arrays]
out = op(*leaves)
cotangent = rng.normal(size=out.shape).astype(out.dtype)
found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
gradients = (found,) if isinstance(found, Tensor) else found
expected = numeric_vjp(op.forward, arrays, cotangent)
for which, (yours, right) in enumerate(zip(gradients, expected)):
    if yours.shape != right.shape:
        raise WrongRule(which, (), yours.shape, right.shape)
    if not close(yours.data, right):
        off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)
        index = tuple(int(i) for i in np.unravel_index(np.argmax(off), right.shape))
        raise WrongRule(which, index, yours.data[index], right[index])
"""

CHECK = Exercise(
    "chapter12.check_rule",
    section="12.3",
    targets=("checking.check_rule",),
    points=8,
    minutes=35,
    difficulty=3,
    needs=("chapter12.numeric_vjp", "chapter12.close"),
    hints=(
        "Leaves from the arrays, with their dtype; `out = op(*leaves)`; a random array of the "
        "output's shape; `op.backward(Tensor(…), out)`; and `numeric_vjp(op.forward, arrays, "
        "cotangent)` with the *same* cotangent.",
        "One input gives a bare Tensor: make a tuple of it. Then look at every input.",
        "`np.unravel_index(np.argmax(off), off.shape)` is the place of the largest difference. A "
        "nan has to count as the largest: `np.nan_to_num(off, nan=np.inf)`.",
    ),
    mistakes=(
        Mistake(
            "ones", but("rng.normal(size=out.shape).astype(out.dtype)",
                        "np.ones(out.shape, out.dtype)", BODY),
            "Your cotangent is made of ones. A rule that forgets the cotangent passes, and so does "
            "one that mixes up which output is which: draw it from `rng`.",
        ),
        Mistake(
            "first-input", but("in enumerate(zip(gradients, expected)):",
                               "in [(0, (gradients[0], expected[0]))]:", BODY),
            "You look at the first input only.",
        ),
        Mistake(
            "sums-compared", but("    if not close(yours.data, right):",
                                 "    if not close(yours.data.sum(), right.sum()):", BODY),
            "You compare sums. Where one number is too large and another too small, a sum sees "
            "nothing.",
        ),
        Mistake(
            "loose", but("    if not close(yours.data, right):",
                         "    if not np.allclose(yours.data, right, rtol=1e-2, atol=1e-2):", BODY),
            "Your tolerance is a hundredth: a factor of 1.005 passes. `close` knows how near it "
            "has to be.",
        ),
        Mistake(
            "shape-ignored", but("    if yours.shape != right.shape:\n        raise WrongRule("
                                 "which, (), yours.shape, right.shape)\n", "", BODY)
            .replace("close(yours.data, right)",
                     "np.allclose(*np.broadcast_arrays(yours.data, right), rtol=1e-6, atol=1e-6)")
            .replace("        off = ",
                     "        yours = yours.reshape(right.shape)\n        off = "),
            "A gradient with an axis more broadcasts against the right one and passes. The "
            "gradient has the shape of its input, and no other.",
        ),
        Mistake(
            "another-cotangent",
            but("numeric_vjp(op.forward, arrays, cotangent)",
                "numeric_vjp(op.forward, arrays, rng.normal(size=out.shape))", BODY),
            "You drew a second cotangent for the numbers to compare with, so even right rules are "
            "rejected. Both sides get the same one.",
        ),
        Mistake(
            "last-element-said", but("np.argmax(off)", "off.size - 1 if which else 0", BODY),
            "The place that you name is not where the difference is largest.",
        ),
        Mistake(
            "never-raises", but("raise WrongRule(which, index, yours.data[index], right[index])",
                                "return False", BODY)
            .replace("raise WrongRule(which, (), yours.shape, right.shape)", "return False"),
            "You return False. Nobody looks at what `check_rule` returns: raise `WrongRule`.",
        ),
    ),
)  # fmt: skip

LOOPS = """
for shape in ((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)):
    for low, high in ((0.2, 0.9), (1.1, 2.5)):
        for sign in (1, -1):
            arrays = [sign * rng.uniform(low, high, shape) for _ in range(count)]
            check_rule(make(), [np.asarray(array) for array in arrays], rng)
"""

EVERYWHERE = Exercise(
    "chapter12.check_everywhere",
    section="12.5",
    targets=("checking.check_everywhere",),
    points=3,
    minutes=15,
    difficulty=2,
    needs=("chapter12.check_rule",),
    hints=(
        "Loops: over shapes, over sizes of numbers, over signs. In the middle `check_rule(make(), "
        "arrays, rng)`.",
        "`rng.uniform(low, high, shape)` is a plain number for the shape `()`: `np.asarray` makes "
        "an array of it.",
    ),
    mistakes=(
        Mistake(
            "one-shape", but("((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3))", "((2, 3),)",
                             LOOPS),
            "You try one shape. Rules go wrong at the odd ones: no axes, an axis of one, three "
            "axes.",
        ),
        Mistake(
            "positive-only", but("(1, -1)", "(1,)", LOOPS),
            "All of your numbers are positive.",
        ),
        Mistake(
            "negative-only", but("(1, -1)", "(-1,)", LOOPS),
            "All of your numbers are negative.",
        ),
        Mistake(
            "small-only", but("((0.2, 0.9), (1.1, 2.5))", "((0.2, 0.9),)", LOOPS),
            "All of your numbers lie between -1 and 1.",
        ),
        Mistake(
            "without-axes-forgotten", but("((), (1,),", "((1,),", LOOPS),
            "You never try an array without axes, a single number.",
        ),
        Mistake(
            "stops-at-the-first",
            but("            check_rule(make(),", "            return check_rule(make(),", LOOPS),
            "You return after the first try.",
        ),
    ),
)  # fmt: skip
