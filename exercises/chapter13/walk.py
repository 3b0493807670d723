"""Forward through a graph: `jvp`, and what it is good for."""

from grader.course import edit, exercise

RULES = ("chapter13.jvp_linear", "chapter13.jvp_bilinear", "chapter13.jvp_elementwise",
         "chapter13.jvp_div", "chapter13.jvp_logsumexp")  # fmt: skip


@exercise("forward_mode.jvp", points=4, needs=RULES)
class JVP:
    """Compute `f(*inputs)`, and then go through `topological_order(output)` from the front: every
    node comes after its inputs.

    A dict says how each Tensor moves. It begins with the inputs and their tangents; the rule of a
    node is `RULES[type(node._op).__name__]`.

    Take care of two kinds of nodes: one that is among the inputs keeps its tangent, and you skip
    one if none of its inputs move. If only some inputs move, the others get zeros.
    """

    seeded_with_ones = edit(
        "dict(zip(inputs, tangents, strict=True))",
        "{x: constant(np.ones(x.shape, x.dtype)) for x in inputs}",
    )
    """You started every input with ones. They move along `tangents`."""

    constants_move = edit("zeros(s.shape, s.dtype)", "ones(s.shape, s.dtype)")
    """An input that stays got the tangent 1. What doesn't move has the tangent 0."""

    walked_back = edit("topological_order(output)", "reversed(topological_order(output))")
    """You went through the graph from its end. A node's tangent needs the tangents of its inputs:
    begin at the front."""

    everything_asked = edit(
        "not any(source in moving for source in node._inputs)", "node._op is None"
    )
    """You also call the rules of nodes none of whose inputs move. Skip them: they don't move,
    either."""

    first_input_moves = edit(
        "zip(inputs, tangents, strict=True)", "list(zip(inputs, tangents))[:1]"
    )
    """Only the first input moves. All of them move at once."""

    def by_reverse(f, inputs, tangents):
        """You multiplied gradients by tangents. That is right if the output is a single number; if
        there are more, each has its own tangent."""
        output = f(*inputs)
        found = grad(output, inputs)
        total = 0.0
        for g, t in zip(found, tangents):
            total = total + (g * t).sum()
        return output, total


@exercise("forward_mode.jacobian_forward", points=2)
class JACOBIAN:
    """One `jvp` along a direction that is 1 at one place of `x` and 0 elsewhere: how do all outputs
    move, when only this number moves?

    `np.stack(columns, axis=-1)` puts the columns side by side on a new last axis; `reshape` turns
    it into the axes of `x`.
    """

    def rows(f, x):
        """The axes are the wrong way round: those of `f(x)` come first, then those of `x`."""
        columns = []
        for index in np.ndindex(x.shape):
            start = np.zeros(x.shape, x.dtype)
            start[index] = 1
            columns.append(jvp(f, [x], [constant(start)])[1].data)
        return np.stack(columns).reshape(x.shape + columns[0].shape)

    scrambled = edit("-1", "0")
    """You stacked the columns along the first axis and reshaped: the numbers are all there, in the
    wrong places."""

    def start_not_renewed(f, x):
        """The ones of earlier rounds are still in `start`. Begin each round with zeros."""
        columns = []
        start = np.zeros(x.shape, x.dtype)
        for index in np.ndindex(x.shape):
            start[index] = 1
            columns.append(jvp(f, [x], [constant(start)])[1].data)
        together = np.stack(columns, axis=-1)
        return together.reshape(columns[0].shape + x.shape)

    values = edit("[1]", "[0]")
    """You took the output of `jvp`. Its tangent is the second thing that it returns."""


@exercise("forward_mode.hvp_forward", points=2, needs=("chapter13.jvp", "chapter13.grad"))
class HVP:
    """`grad(…, create_graph=True)` gives gradients that know how they were made from the inputs.
    How do they move, when the inputs move along `vectors`?

    `jvp` takes a function: it may ignore its arguments and return the gradient that you already
    have.
    """

    graph_forgotten = edit(", create_graph=True", "", lacks=(r"create_graph=True",))
    """Without `create_graph=True` the gradients are constants: nothing moves them."""

    def each_alone(f, inputs, vectors):
        """Each gradient was moved by its own input alone. It also moves when the others do."""
        gradients = grad(f(*inputs), inputs, create_graph=True)
        return [jvp(lambda *_, g=g: g, [x], [v])[1] for g, x, v in zip(gradients, inputs, vectors)]

    def first_order(f, inputs, vectors):
        """This is how `f` itself moves, a single number. Return how its gradient moves."""
        tangent = jvp(f, inputs, vectors)[1]
        return [v * 0.0 + tangent for v in vectors]

    gradients_returned = edit("1", "0")
    """You returned the gradients. Their tangents are the second thing that `jvp` returns."""
