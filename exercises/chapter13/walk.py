"""Forward through a graph: `jvp`, and what it is good for."""

from grader.course import Exercise, Mistake

from .second import but

WALK = """
output = f(*inputs)
moving = dict(zip(inputs, tangents))
for node in topological_order(output):
    if node in moving or not any(source in moving for source in node._inputs):
        continue
    each = [moving[s] if s in moving else constant(np.zeros(s.shape, s.dtype))
            for s in node._inputs]
    moving[node] = RULES[type(node._op).__name__](node, *each)
if output in moving:
    return output, moving[output]
return output, constant(np.zeros(output.shape, output.dtype))
"""
RULES = ("chapter13.jvp_linear", "chapter13.jvp_bilinear", "chapter13.jvp_elementwise",
         "chapter13.jvp_div", "chapter13.jvp_logsumexp")  # fmt: skip

JVP = Exercise(
    "chapter13.jvp",
    section="13.4",
    targets=("forward_mode.jvp",),
    points=4,
    minutes=25,
    difficulty=3,
    needs=RULES,
    hints=(
        "Compute `f(*inputs)`, and then go through `topological_order(output)` from the front: "
        "every node comes after its inputs.",
        "A dict says how each Tensor moves. It begins with the inputs and their tangents; the "
        "rule of a node is `RULES[type(node._op).__name__]`.",
        "Two nodes need care: one that is among the inputs keeps its tangent, and one none of "
        "whose inputs move is left out. Beside a moving input, one that stays gets zeros.",
    ),
    mistakes=(
        Mistake(
            "seeded-with-ones",
            but("dict(zip(inputs, tangents))",
                "{x: constant(np.ones(x.shape, x.dtype)) for x in inputs}", WALK),
            "You started every input with ones. They move along `tangents`.",
        ),
        Mistake(
            "constants-move",
            but("else constant(np.zeros(s.shape", "else constant(np.ones(s.shape", WALK),
            "An input that stays got the tangent 1. What does not move has the tangent 0.",
        ),
        Mistake(
            "walked-back", but("topological_order(output)", "reversed(topological_order(output))",
                               WALK),
            "You went through the graph from its end. A tangent needs those of its inputs: begin "
            "at the front.",
        ),
        Mistake(
            "everything-asked",
            but("if node in moving or not any(source in moving for source in node._inputs):",
                "if node in moving or node._op is None:", WALK),
            "You also ask nodes none of whose inputs move. They have nothing to say, and it costs "
            "a rule each.",
        ),
        Mistake(
            "first-input-moves",
            but("dict(zip(inputs, tangents))", "dict(list(zip(inputs, tangents))[:1])", WALK),
            "Only the first input moves. All of them move at once.",
        ),
        Mistake(
            "by-reverse",
            "output = f(*inputs)\nfound = grad(output, inputs)\ntotal = 0.0\n"
            "for g, t in zip(found, tangents):\n    total = total + (g * t).sum()\n"
            "return output, total",
            "You multiplied gradients with tangents. That is right where the output is a single "
            "number; with more of them each has a movement of its own.",
        ),
    ),
)  # fmt: skip

COLUMNS = """
columns = []
for index in np.ndindex(x.shape):
    start = np.zeros(x.shape, x.dtype)
    start[index] = 1
    columns.append(jvp(f, [x], [constant(start)])[1].data)
together = np.stack(columns, axis=-1)
return together.reshape(columns[0].shape + x.shape)
"""

JACOBIAN = Exercise(
    "chapter13.jacobian_forward",
    section="13.5",
    targets=("forward_mode.jacobian_forward",),
    points=2,
    minutes=12,
    difficulty=2,
    needs=("chapter13.jvp",),
    hints=(
        "One `jvp` along a direction that is 1 at one place of `x` and 0 elsewhere: how do all "
        "outputs move, when only this number moves?",
        "`np.stack(columns, axis=-1)` puts the columns side by side on a new last axis; `reshape` "
        "makes the axes of `x` of it.",
    ),
    mistakes=(
        Mistake(
            "rows", but("together = np.stack(columns, axis=-1)\nreturn together.reshape("
                        "columns[0].shape + x.shape)",
                        "return np.stack(columns).reshape(x.shape + columns[0].shape)", COLUMNS),
            "The axes are the wrong way round: those of `f(x)` come first, then those of `x`.",
        ),
        Mistake(
            "scrambled", but("axis=-1", "axis=0", COLUMNS),
            "You stacked the columns along the first axis and reshaped: the numbers are all there, "
            "in the wrong places.",
        ),
        Mistake(
            "start-not-renewed",
            but("for index in np.ndindex(x.shape):\n    start = np.zeros(x.shape, x.dtype)\n",
                "start = np.zeros(x.shape, x.dtype)\nfor index in np.ndindex(x.shape):\n", COLUMNS),
            "The ones of earlier rounds are still in `start`. Begin each round with zeros.",
        ),
        Mistake(
            "values", but("[constant(start)])[1]", "[constant(start)])[0]", COLUMNS),
            "You took the output of `jvp`. Its tangent is the second thing that it returns.",
        ),
    ),
)  # fmt: skip

HVP = Exercise(
    "chapter13.hvp_forward",
    section="13.5",
    targets=("forward_mode.hvp_forward",),
    points=2,
    minutes=10,
    difficulty=3,
    needs=("chapter13.jvp", "chapter13.grad"),
    hints=(
        "`grad(…, create_graph=True)` gives gradients that know how they were made from the "
        "inputs. How do they move, when the inputs move along `vectors`?",
        "`jvp` wants a function: one that pays no heed to its arguments and returns the gradient "
        "that is there will do.",
    ),
    mistakes=(
        Mistake(
            "graph-forgotten",
            "gradients = grad(f(*inputs), inputs)\n"
            "return [jvp(lambda *_, g=g: g, inputs, vectors)[1] for g in gradients]",
            "Without `create_graph=True` the gradients are constants: nothing moves them.",
        ),
        Mistake(
            "each-alone",
            "gradients = grad(f(*inputs), inputs, create_graph=True)\n"
            "return [jvp(lambda *_, g=g: g, [x], [v])[1] for g, x, v in "
            "zip(gradients, inputs, vectors)]",
            "Each gradient was moved by its own input alone. It also moves when the others do.",
        ),
        Mistake(
            "first-order",
            "tangent = jvp(f, inputs, vectors)[1]\nreturn [v * 0.0 + tangent for v in vectors]",
            "This is how `f` itself moves, a single number. Asked for is how its gradient moves.",
        ),
        Mistake(
            "gradients-returned",
            "gradients = grad(f(*inputs), inputs, create_graph=True)\n"
            "return [jvp(lambda *_, g=g: g, inputs, vectors)[0] for g in gradients]",
            "You returned the gradients. Their tangents are the second thing that `jvp` returns.",
        ),
    ),
)
