"""How an output moves: a forward rule for each kind of operation."""

from grader.course import Exercise, Mistake

LINEAR = Exercise(
    "chapter13.jvp_linear",
    section="13.4",
    targets=("forward_mode.jvp_linear",),
    points=1,
    minutes=5,
    difficulty=2,
    needs=("chapter3.sub.forward", "chapter3.mul_scalar.forward", "chapter3.summation.forward",
           "chapter3.transpose.forward"),
    hints=("How does the sum of a row move, if its numbers move by da? By which sum? "
           "`once_more(node, …)` applies the op of the node to other Tensors.",),
    mistakes=(
        Mistake(
            "by-backward",
            "gradients = node._op.backward(tangents[0], node)\n"
            "return gradients[0] if isinstance(gradients, tuple) else gradients",
            "You asked `backward`. It goes from the output to the inputs, and a tangent goes the "
            "other way: shapes and orders are those of the wrong end.",
        ),
        Mistake(
            "passed-on", "return tangents[0]",
            "You passed the tangent on as it came. The operation applies to it, too.",
        ),
        Mistake(
            "added",
            "total = tangents[0]\nfor each in tangents[1:]:\n    total = total + each\n"
            "return total",
            "You added the tangents, which is right for Add alone.",
        ),
        Mistake(
            "values-again", "return once_more(node, *node._inputs)",
            "This is the output once more. Apply the operation to the tangents.",
        ),
    ),
)  # fmt: skip

BILINEAR = Exercise(
    "chapter13.jvp_bilinear",
    section="13.4",
    targets=("forward_mode.jvp_bilinear",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter3.matmul.forward",),
    hints=("(a + da)(b + db) − ab: which terms are left, if a product of two small things is too "
           "small to count?",),
    mistakes=(
        Mistake(
            "both-at-once", "return once_more(node, da, db)",
            "This is da times db, the one term that is too small to count.",
        ),
        Mistake(
            "one-side", "return once_more(node, da, node._inputs[1])",
            "Only the first factor moves in your tangent.",
        ),
        Mistake(
            "swapped",
            "a, b = node._inputs\nreturn once_more(node, b, da) + once_more(node, a, db)",
            "The order of the factors is turned round in one term. For matrices that is another "
            "product, or none at all.",
        ),
        Mistake(
            "minus",
            "a, b = node._inputs\nreturn once_more(node, da, b) - once_more(node, a, db)",
            "Both terms add.",
        ),
    ),
)  # fmt: skip

ELEMENTWISE = Exercise(
    "chapter13.jvp_elementwise",
    section="13.4",
    targets=("forward_mode.jvp_elementwise",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter3.exp.backward", "chapter3.tanh.backward", "chapter3.power_scalar.backward",
           "chapter3.sigmoid.backward"),
    hints=("`backward(v, node)` of exp returns `v * node`, and what is asked for here is "
           "`da * node`.",),
    mistakes=(
        Mistake(
            "slope-only",
            "return node._op.backward(constant(np.ones(node.shape, node.dtype)), node)",
            "This is the slope alone; the tangent is missing.",
        ),
        Mistake(
            "passed-on", "return da",
            "You passed the tangent on. It has to be multiplied by the slope.",
        ),
        Mistake(
            "function-of-the-tangent", "return once_more(node, da)",
            "You applied the function to the tangent. That is right for linear operations only.",
        ),
        Mistake(
            "times-the-output", "return da * node",
            "You multiplied by the output. That is the slope of exp, and of no other function.",
        ),
    ),
)  # fmt: skip

DIV = Exercise(
    "chapter13.jvp_div",
    section="13.4",
    targets=("forward_mode.jvp_div",),
    points=2,
    minutes=6,
    needs=("chapter3.div.forward", "chapter3.sub.forward", "chapter13.dual.div"),
    hints=("You wrote it for dual numbers. `node` is a/b, `node._inputs[1]` is b.",),
    mistakes=(
        Mistake(
            "plus",
            "b = node._inputs[1]\nreturn (da + node * db) / b",
            "A larger divisor makes the quotient smaller: its part has a minus.",
        ),
        Mistake(
            "divisor-stays",
            "return da / node._inputs[1] + db * 0.0",
            "You treat the divisor as if it did not move.",
        ),
        Mistake(
            "top-for-quotient",
            "a, b = node._inputs\nreturn (da - a * db) / b",
            "You subtracted a·db. It is the quotient that is multiplied by db, `node`.",
        ),
        Mistake(
            "linear",
            "return da / db",
            "You divided the tangents. Division is not linear in its divisor.",
        ),
    ),
)

LOGSUMEXP = Exercise(
    "chapter13.jvp_logsumexp",
    section="13.4",
    targets=("forward_mode.jvp_logsumexp",),
    points=2,
    minutes=12,
    difficulty=3,
    needs=("chapter4.logsumexp.forward", "chapter3.broadcast_to.forward",
           "chapter3.reshape.forward", "chapter3.summation.forward"),
    hints=(
        "The softmax says how much each value counts. How much does the output move, if each of "
        "them moves by its da?",
        "`kept_shape(a.shape, node._op.axes)` is the shape to give the output before it is "
        "broadcast to `a.shape`. At the end `ops.summation(…, node._op.axes)`.",
    ),
    mistakes=(
        Mistake(
            "sum-only", "return ops.summation(da, node._op.axes)",
            "You added the tangents as if all values counted alike. Weigh them with the softmax.",
        ),
        Mistake(
            "all-axes",
            "(a,) = node._inputs\nkept = ops.reshape(node, kept_shape(a.shape, node._op.axes))\n"
            "softmax = ops.exp(a - ops.broadcast_to(kept, a.shape))\n"
            "return ops.summation(softmax * da) + node * 0.0",
            "You summed over all axes. The op says which: `node._op.axes`.",
        ),
        Mistake(
            "not-weighed-down",
            "(a,) = node._inputs\nreturn ops.summation(ops.exp(a) * da, node._op.axes)",
            "You weighed with eᵃ. The weights of the softmax sum to 1: subtract the output before "
            "you take exp.",
        ),
        Mistake(
            "by-logsumexp", "return once_more(node, da)",
            "You applied logsumexp to the tangent. That is right for linear operations only.",
        ),
    ),
)  # fmt: skip

EXERCISES = (LINEAR, BILINEAR, ELEMENTWISE, DIV, LOGSUMEXP)
