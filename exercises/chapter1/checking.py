"""Gradients back to 0, and gradients checked against the numeric slope."""

from grader.course import edit, exercise, instead, mistake


@exercise("scalar.zero_grad", points=1, needs=("chapter1.value.init",))
class ZERO_GRAD:
    """One loop over the parameters. Which attribute should become 0?

    Assign to the attribute of each Value, not to the loop's variable.
    """

    def only_the_first(parameters):
        """You return inside the loop, so only the first parameter is zeroed."""
        for parameter in parameters:
            parameter.grad = 0.0
            return

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

    @instead(
        "for leaf, earlier",
        "grad, leaf.grad = leaf.grad, earlier",
        edits=(("(above - below) / (2 * epsilon)", "(above - result.data) / epsilon"),),
    )
    def one_sided(leaves, held):
        """You took the one-sided difference, which is much less exact than the central one."""
        for leaf, earlier in zip(leaves, held):
            grad = leaf.grad
            leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            ("grad, leaf.", ""),
            (" / max(abs(grad), abs(numeric), 1e-4)", ""),
        ),
    )
    def not_relative(leaf, earlier):
        """This is the absolute error. Divide by the size of the larger of the two gradients."""
        grad = leaf.grad
        leaf.grad = earlier

    @instead(
        "for leaf, earlier",
        "grad, leaf.grad = leaf.grad, earlier",
        edits=(("abs(grad - numeric)", "(numeric - grad)"),),
    )
    def signed_error(leaves, held):
        """An error has no sign: take the size of the difference. A negative one would pass any test
        for being small."""
        for leaf, earlier in zip(leaves, held):
            grad = leaf.grad
            leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            ("grad, leaf.", ""),
            ("1e-4", "1.0"),
        ),
    )
    def floor_of_one(leaf, earlier):
        """You never divide by less than 1, so the error is absolute for all slopes below 1, as most
        slopes of a network are. The floor is 1e-4."""
        grad = leaf.grad
        leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            ("grad, leaf.", ""),
            (", 1e-4", ""),
        ),
    )
    def no_floor(leaf, earlier):
        """If a slope is 0, you divide 0 by 0. That is what the 1e-4 in the formula is for."""
        grad = leaf.grad
        leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        "numeric = (above - below) / (2 * epsilon)",
        edits=(("grad, leaf.", ""),),
    )
    def data_not_restored(leaf, earlier, epsilon, value):
        """A leaf keeps the number that you nudged it to. Put its own number back."""
        grad = leaf.grad
        leaf.grad = earlier
        data = leaf.data
        leaf.data = data + epsilon
        above = value().data
        leaf.data = data - epsilon
        below = value().data
        pass
        numeric = (above - below) / (2 * epsilon)

    @instead("grad = leaf.grad, earlier", edits=(("grad, leaf.", ""),))
    def grad_not_restored(leaf):
        """The leaves keep the gradients of your test. Put back what they held before."""
        grad = leaf.grad
        pass

    @instead("grad = leaf.grad, earlier", edits=(("grad, leaf.", ""),))
    def grad_zeroed(leaf):
        """The leaves hold 0 afterwards. They may have held gradients that somebody still needs: put
        back what was there before."""
        grad = leaf.grad
        leaf.grad = 0.0

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            ("zero_grad(leaves)", "pass"),
            ("grad, leaf.", ""),
        ),
    )
    def old_gradients(leaf, earlier):
        """The leaves held a gradient already, and `backward` added to it. Set them to 0 first."""
        grad = leaf.grad
        leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            (" and id(n) in again", ""),
            ("grad, leaf.", ""),
        ),
    )
    def constants_too(leaf, earlier):
        """You counted the numbers written into the expression. They are new Values in every call,
        so nudging the old ones moves nothing."""
        grad = leaf.grad
        leaf.grad = earlier

    @instead(
        "grad = leaf.grad, earlier",
        edits=(
            ("grad, leaf.", ""),
            ("(2 * epsilon)", "epsilon"),
        ),
    )
    def forgot_two(leaf, earlier):
        """The two nudged inputs are 2·epsilon apart, not epsilon."""
        grad = leaf.grad
        leaf.grad = earlier
