"""Gradients back to 0, and gradients checked against the numeric slope."""

from grader.course import edit, exercise, mistake


@exercise("scalar.zero_grad", points=1, needs=("chapter1.value.init",))
class ZERO_GRAD:
    """One loop over the parameters. Which attribute should become 0?

    Assign to the attribute of each Value, not to the loop's variable.
    """

    only_the_first = edit("0.0", "0.0\n    return")
    """You return inside the loop, so only the first parameter is zeroed."""

    @mistake(has=(r"\brange\(",))
    def forgets_the_last(parameters):
        """`range` already leaves out its end. With the -1, the last parameter keeps its
        gradient."""
        for i in range(len(parameters) - 1):
            parameters[i].grad = 0.0

    rebinds = edit(".grad", "", has=(r"\bfor (\w{1,40}) in [^\n]{1,99}:\s{1,40}\1 = ",))
    """You gave the loop's variable another value. The Value that it named is unchanged."""

    data_too = edit("grad", "data = parameter.grad")
    """You zeroed the numbers themselves. Only the gradients go back to 0; the numbers are what was
    learned."""

    none = edit("0.0", "None")
    """You set `grad` to None. The next rule adds to it, so it has to be the number 0.0."""


@exercise(
    "scalar.check_gradients", points=4, needs=("chapter1.value.backward", "chapter1.zero_grad")
)
class CHECK:
    """Four stages: find the leaves; remember their gradients and set them to 0; call `backward`
    once; then nudge one leaf after the other, up and down, and rebuild each time.

    To find the leaves, call `value` twice and keep the nodes without `_prev` that both graphs have
    in common. `topological_order` lists the nodes.

    Keep a leaf's number in a variable before you nudge it, and put it back afterwards.
    """

    one_sided = edit(
        (
            "(leaves, held, strict=True):\n    grad, leaf.grad = leaf.grad,",
            "(leaves, held):\n    grad = leaf.grad\n    leaf.grad =",
        ),
        ("(above - below) / (2 * epsilon)", "(above - result.data) / epsilon"),
    )
    """You took the one-sided difference, which is much less exact than the central one."""

    not_relative = edit(
        ("grad, leaf.", ""),
        ("grad, earlier", "grad\n    leaf.grad = earlier"),
        (" / max(abs(grad), abs(numeric), 1e-4)", ""),
    )
    """This is the absolute error. Divide by the size of the larger of the two gradients."""

    signed_error = edit(
        (
            "(leaves, held, strict=True):\n    grad, leaf.grad = leaf.grad,",
            "(leaves, held):\n    grad = leaf.grad\n    leaf.grad =",
        ),
        ("abs(grad - numeric)", "(numeric - grad)"),
    )
    """An error has no sign: take the size of the difference. A negative one would pass any test for
    being small."""

    floor_of_one = edit(
        ("grad, leaf.", ""), ("grad, earlier", "grad\n    leaf.grad = earlier"), ("1e-4", "1.0")
    )
    """You never divide by less than 1, so the error is absolute for all slopes below 1, as most
    slopes of a network are. The floor is 1e-4."""

    no_floor = edit(
        ("grad, leaf.", ""), ("grad, earlier", "grad\n    leaf.grad = earlier"), (", 1e-4", "")
    )
    """If a slope is 0, you divide 0 by 0. That is what the 1e-4 in the formula is for."""

    data_not_restored = edit(
        ("grad, leaf.", ""),
        ("grad, earlier", "grad\n    leaf.grad = earlier"),
        ("leaf.data = data\n    ", "pass\n    "),
    )
    """A leaf keeps the number that you nudged it to. Put its own number back."""

    grad_not_restored = edit(("grad, leaf.", ""), ("grad, earlier", "grad\n    pass"))
    """The leaves keep the gradients of your test. Put back what they held before."""

    grad_zeroed = edit(("grad, leaf.", ""), ("grad, earlier", "grad\n    leaf.grad = 0.0"))
    """The leaves hold 0 afterwards. They may have held gradients that somebody still needs: put
    back what was there before."""

    old_gradients = edit(
        ("zero_grad(leaves)", "pass"),
        ("grad, leaf.", ""),
        ("grad, earlier", "grad\n    leaf.grad = earlier"),
    )
    """The leaves held a gradient already, and `backward` added to it. Set them to 0 first."""

    constants_too = edit(
        (" and id(n) in again", ""),
        ("grad, leaf.", ""),
        ("grad, earlier", "grad\n    leaf.grad = earlier"),
    )
    """You counted the numbers written into the expression. They are new Values in every call, so
    nudging the old ones moves nothing."""

    forgot_two = edit(
        ("grad, leaf.", ""),
        ("grad, earlier", "grad\n    leaf.grad = earlier"),
        ("(2 * epsilon)", "epsilon"),
    )
    """The two nudged inputs are 2·epsilon apart, not epsilon."""
