"""Forward rules for each kind of operation: how an output moves with its inputs."""

from grader.course import body, edit, exercise


@exercise(
    "forward_mode.jvp_linear",
    points=1,
    needs=(
        "chapter3.sub.forward",
        "chapter3.mul_scalar.forward",
        "chapter3.summation.forward",
        "chapter3.transpose.forward",
    ),
)
class LINEAR:
    """How does the sum of a row move, if its numbers move by da? By which sum? `once_more(node, …)`
    applies the op of the node to other Tensors.
    """

    def by_backward(node, *tangents):
        """You called `backward`. It goes from the output to the inputs, and a tangent goes the
        other way: you get the shapes and orders of the wrong end."""
        gradients = node._op.backward(tangents[0], node)
        return gradients[0] if isinstance(gradients, tuple) else gradients

    passed_on = body("return tangents[0]")
    """You passed the tangent on unchanged. Apply the operation to it, too."""

    def added(node, *tangents):
        """You added the tangents, which is right for Add alone."""
        total = tangents[0]
        for each in tangents[1:]:
            total = total + each
        return total

    values_again = edit("tangents", "node._inputs")
    """This is the output once more. Apply the operation to the tangents."""


@exercise("forward_mode.jvp_bilinear", points=2, minutes=6, needs=("chapter3.matmul.forward",))
class BILINEAR:
    """(a + da)(b + db) − ab: which terms are left, if a product of two small things is too small to
    count?
    """

    both_at_once = body("return once_more(node, da, db)")
    """This is da times db, the one term that is too small to count."""

    one_side = body("return once_more(node, da, node._inputs[1])")
    """Only the first factor moves in your tangent."""

    swapped = edit("da, b", "b, da")
    """In one term, the factors are in the wrong order. For matrices that is another product, or
    none at all."""

    minus = edit("+", "-")
    """Both terms add."""


@exercise(
    "forward_mode.jvp_elementwise",
    points=2,
    minutes=6,
    needs=(
        "chapter3.exp.backward",
        "chapter3.tanh.backward",
        "chapter3.power_scalar.backward",
        "chapter3.sigmoid.backward",
    ),
)
class ELEMENTWISE:
    """`backward(v, node)` of exp returns `v * node`, and here you need `da * node`."""

    slope_only = edit("da", "constant(np.ones(node.shape, node.dtype))")
    """This is the slope alone; the tangent is missing."""

    passed_on = body("return da")
    """You passed the tangent on. It has to be multiplied by the slope."""

    function_of_the_tangent = body("return once_more(node, da)")
    """You applied the function to the tangent. That is right for linear operations only."""

    times_the_output = body("return da * node")
    """You multiplied by the output. That is the slope of exp, and of no other function."""


@exercise(
    "forward_mode.jvp_div",
    points=2,
    minutes=6,
    difficulty=1,
    needs=("chapter3.div.forward", "chapter3.sub.forward", "chapter13.dual.div"),
)
class DIV:
    """You wrote it for dual numbers. `node` is a/b, `node._inputs[1]` is b."""

    plus = edit("-", "+")
    """A larger divisor makes the quotient smaller: its part has a minus."""

    divisor_stays = body("return da / node._inputs[1] + db * 0.0")
    """You treat the divisor as if it didn't move."""

    def top_for_quotient(node, da, db):
        """You subtracted a·db. Multiply db by the quotient, `node`."""
        a, b = node._inputs
        return (da - a * db) / b

    linear = body("return da / db")
    """You divided the tangents. Division isn't linear in its divisor."""


@exercise(
    "forward_mode.jvp_logsumexp",
    points=2,
    minutes=12,
    needs=(
        "chapter4.logsumexp.forward",
        "chapter3.broadcast_to.forward",
        "chapter3.reshape.forward",
        "chapter3.summation.forward",
    ),
)
class LOGSUMEXP:
    """The softmax says how much each value counts. How much does the output move, if each of them
    moves by its da?

    `kept_shape(a.shape, node._op.axes)` is the shape to give the output before it is broadcast to
    `a.shape`. At the end `ops.summation(…, node._op.axes)`.
    """

    sum_only = body("return ops.summation(da, node._op.axes)")
    """You added the tangents as if all values counted alike. Weight them by the softmax."""

    all_axes = edit("(softmax * da, node._op.axes)", "(softmax * da) + node * 0.0")
    """You summed over all axes. The op says which: `node._op.axes`."""

    def not_weighed_down(node, da):
        """You weighted them by eᵃ. The weights of the softmax sum to 1: subtract the output before
        you take exp."""
        (a,) = node._inputs
        return ops.summation(ops.exp(a) * da, node._op.axes)

    by_logsumexp = body("return once_more(node, da)")
    """You applied logsumexp to the tangent. That is right for linear operations only."""


EXERCISES = (LINEAR, BILINEAR, ELEMENTWISE, DIV, LOGSUMEXP)
