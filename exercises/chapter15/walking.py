"""The way back, in the same program."""

from grader.course import edit, exercise, mistake


@exercise(
    "chapter15.rules",
    targets=("tracing.relu_rule", "tracing.abs_rule"),
    points=1,
    minutes=8,
    difficulty=1,
)
class RULES:
    """Chapter 3's rule makes the mask of `a.data`. Here the mask is an op: `Step()(a)`.

    `Sign()(a)` for the absolute value.
    """

    values_read = edit("Step()(a)", "Tensor(a.data > 0, dtype=a.dtype, requires_grad=False)")
    """That is chapter 3's rule: it reads values, and there are none. Let an op compute the mask."""

    no_mask = edit(" * Step()(a)", "")
    """You pass on `out_grad` as it is. Where the input was negative, nothing may come through."""

    sign_for_step = edit("Step", "Sign")
    """You took the sign: where the input is negative, -1 comes through instead of 0."""

    mask_alone = edit("out_grad * Step", "Step")
    """You returned the mask. It has to be multiplied by `out_grad`."""

    of_the_gradient = edit("Step()(a)", "Step()(out_grad)")
    """You asked where the *gradient* is positive. It's the input that decides."""

    step_for_sign = edit("Sign", "Step", target="tracing.abs_rule")
    """You took Step: where the input is negative, the slope of the absolute value is -1, not 0."""

    abs_of_node = edit("Sign()(a)", "Sign()(node)", target="tracing.abs_rule")
    """You took the sign of the output, which is never negative. Take that of the input."""

    quotient = edit("Sign()(a)", "(a / node)", target="tracing.abs_rule")
    """`a / |a|` is 0 / 0 where the input is 0. `Sign` gives 0 there."""

    sign_alone = edit("out_grad * Sign", "Sign", target="tracing.abs_rule")
    """You returned the slope. It has to be multiplied by `out_grad`."""


@exercise(
    "tracing.gradients",
    points=3,
    minutes=20,
    difficulty=3,
    needs=("chapter15.rules", "chapter3.mul.backward", "chapter3.broadcasting"),
)
class GRADIENTS:
    """A dict of what has arrived, by `id`. `backwards(output)` is the order: a node comes before
    its inputs.

    A leaf has no `_op`; a node at which nothing arrived asks no rule. A rule may return one Tensor
    or several.

    `unbroadcast(gradient, source.shape)`, then add it to what is there, or put it there.
    """

    overwritten = edit(
        "gradient if before is None else before + gradient", "gradient", lacks=(r"\+",)
    )
    """Where paths meet, gradients add. You kept only what arrived last."""

    not_summed = edit("unbroadcast(gradient, source.shape)", "gradient")
    """You didn't sum over what broadcasting had stretched."""

    own_rule = edit("rule_of(node)(", "node._op.backward(")
    """You asked the op itself. The rules of ReLU and Abs read values: `rule_of` knows what takes
    their place."""

    none_for_unused = edit(
        "arrived[id(x)] if id(x) in arrived else zeros_like(x)", "arrived.get(id(x), inputs[0])"
    )
    """An input that nothing depends on gets zeros."""

    scalar_start = edit(
        "np.ones(output.shape)", "np.zeros(output.shape)", has=(r"\bzeros(?:_like)?\((?!x\b)",)
    )
    """The walk started from zeros. Everything that comes from it is zero."""

    start_in_float32 = edit("dtype=output.dtype, ", "")
    """The walk starts in float32, whatever the output is. The ones have its dtype."""

    forwards = edit(
        "in backwards(output):",
        "in reversed(backwards(output)):",
        has=(r"reversed\(", r"\[::-1\]", r"\.reverse\(", r"topological_order\("),
    )
    """You went from the inputs to the output. Nothing has arrived at the first nodes."""

    counts_twice = edit("before + gradient", "before + gradient + gradient")
    """Where paths meet, you added the second gradient twice."""

    @mistake()
    def path_by_path(output, inputs):
        """You ask a rule for every path that leads to a node. Ask it once, with the sum: the number
        of paths doubles with every fork."""
        start = Tensor(np.ones(output.shape), dtype=output.dtype, requires_grad=False)
        found = {}
        todo = [(output, start)]
        while todo:
            node, total = todo.pop()
            before = found.get(id(node))
            found[id(node)] = total if before is None else before + total
            if node._op is None:
                continue
            each = rule_of(node)(total, node)
            each = (each,) if isinstance(each, Tensor) else each
            for source, gradient in zip(node._inputs, each, strict=True):
                todo.append((source, unbroadcast(gradient, source.shape)))
        return [found[id(x)] if id(x) in found else zeros_like(x) for x in inputs]
