"""`grad`, whose gradients can be differentiated again, and `hvp`."""

from grader.course import Exercise, Mistake

WALK = """
if grad_output is None:
    grad_output = constant(np.ones(output.shape, output.dtype))
arrived = {output: grad_output}
found = {}
for node in reversed(topological_order(output)):
    total = arrived.pop(node, None)
    if total is None:
        continue
    if not create_graph:
        total = total.detach()
    if node in inputs:
        found[node] = total
    if node._op is None:
        continue
    gradients = node._op.backward(total, node)
    if isinstance(gradients, Tensor):
        gradients = (gradients,)
    for source, gradient in zip(node._inputs, gradients):
        if source.requires_grad:
            gradient = ops.unbroadcast(gradient, source.shape)
            arrived[source] = arrived[source] + gradient if source in arrived else gradient
zeros = [constant(np.zeros(x.shape, x.dtype)) for x in inputs]
return [found.get(x, zero) for x, zero in zip(inputs, zeros)]
"""
RECURSIVE = """
found = {}

def visit(node, total):
    found[node] = found[node] + total if node in found else total
    if node._op is None:
        return
    gradients = node._op.backward(total, node)
    for source, gradient in zip(
        node._inputs, [gradients] if isinstance(gradients, Tensor) else gradients
    ):
        if source.requires_grad:
            visit(source, ops.unbroadcast(gradient, source.shape))

visit(output, constant(np.ones(output.shape, output.dtype)) if grad_output is None else grad_output)
zeros = [constant(np.zeros(x.shape, x.dtype)) for x in inputs]
found = [found.get(x, zero) for x, zero in zip(inputs, zeros)]
return found if create_graph else [each.detach() for each in found]
"""


def but(old: str, new: str, body: str = WALK) -> str:
    """A working body with one thing done otherwise."""
    assert old in body
    return body.replace(old, new)


GRAD = Exercise(
    "chapter13.grad",
    section="13.1",
    targets=("higher.grad",),
    points=6,
    minutes=35,
    difficulty=3,
    needs=("chapter3.backward", "chapter3.broadcasting"),
    hints=(
        "Begin with your `Tensor.backward`. Three things change: what arrives stays a Tensor, the "
        "sum of two arrivals is a Tensor sum, and nothing is written into `grad`.",
        "Where `create_graph` is False, cut every total off before the rule gets it: "
        "`total.detach()`. Then no rule can build on what came before.",
        "Keep the total of a node when its turn comes and it is one of `inputs`. Whatever is not "
        "found in the end gets `constant(np.zeros(...))`.",
    ),
    mistakes=(
        Mistake(
            "overwrites",
            but("arrived[source] = arrived[source] + gradient if source in arrived else gradient",
                "arrived[source] = gradient"),
            "Where two paths meet, the second gradient replaced the first. They add.",
        ),
        Mistake(
            "graph-cut-off", but("    if not create_graph:\n        total = total.detach()\n",
                                 "    total = total.detach()\n"),
            "You cut off every gradient, also with `create_graph=True`. Then what you return does "
            "not know how it was made, and its derivative is lost.",
        ),
        Mistake(
            "graph-always",
            but("    if not create_graph:\n        total = total.detach()\n", ""),
            "Without `create_graph` the gradients are to be constants. Yours are part of a graph: "
            "whoever keeps them keeps the whole graph alive.",
        ),
        Mistake(
            "arrays-summed",
            but("arrived[source] + gradient if", "constant(arrived[source].data + gradient.data) "
                "if"),
            "You added the arrays of two gradients. The sum is right, but it no longer knows of "
            "what it was made: the second derivative loses every place where paths meet.",
        ),
        Mistake(
            "starts-from-ones",
            but("if grad_output is None:\n    grad_output", "grad_output"),
            "You always start from ones. Where `grad_output` is given, the walk starts there.",
        ),
        Mistake(
            "leaves-only",
            but("    if node in inputs:\n        found[node] = total\n    if node._op is None:\n"
                "        continue\n",
                "    if node._op is None:\n        found[node] = total\n        continue\n"),
            "You keep what arrives at leaves only. An input may be a node on the way, too.",
        ),
        Mistake(
            "broadcast-forgotten",
            but("            gradient = ops.unbroadcast(gradient, source.shape)\n", ""),
            "What was broadcast gets a gradient that is too large: sum it down to the input's "
            "shape with `ops.unbroadcast`.",
        ),
        Mistake(
            "unused-is-none",
            but("return [found.get(x, zero) for x, zero in zip(inputs, zeros)]",
                "return [found.get(x) for x in inputs]"),
            "An input that the output does not depend on gets zeros of its shape, not None.",
        ),
        Mistake(
            "by-backward",
            "before = [x.grad for x in inputs]\nfor x in inputs:\n    x.grad = None\n"
            "output.backward(grad_output)\nfound = [constant(np.zeros(x.shape, x.dtype) if "
            "x.grad is None else x.grad) for x in inputs]\nreturn found",
            "You called `backward` and read `grad`. That writes into the leaves, and what you "
            "return is made of arrays: it cannot be differentiated again.",
        ),
        Mistake(
            "every-path", RECURSIVE,
            "You walk every path to its end, so that rules are asked again and again: on a ladder "
            "of diamonds, exponentially often. Go in reverse topological order, and ask each rule "
            "once, with the sum.",
        ),
    ),
)  # fmt: skip

PRODUCT = """
gradients = grad(f(*inputs), inputs, create_graph=True)
along = [(g * v).sum() for g, v in zip(gradients, vectors)]
total = along[0]
for each in along[1:]:
    total = total + each
return grad(total, inputs)
"""

HVP = Exercise(
    "chapter13.hvp",
    section="13.2",
    targets=("higher.hvp",),
    points=3,
    minutes=12,
    difficulty=2,
    needs=("chapter13.grad", "chapter3.summation.forward", "chapter3.mul.backward"),
    hints=(
        "The gradient is a function like any other. What is the gradient of "
        "`gradient · vector`, if the vector is a constant?",
        "`create_graph=True` for the first walk. Then one number: the products of all gradients "
        "with their vectors, summed. Its gradient is the answer.",
    ),
    mistakes=(
        Mistake(
            "graph-forgotten", but(", create_graph=True", "", PRODUCT),
            "Without `create_graph=True` the gradients are constants, and the derivative of a "
            "constant is 0.",
        ),
        Mistake(
            "gradient-times-vector",
            "gradients = grad(f(*inputs), inputs)\nreturn [g * v for g, v in zip(gradients, "
            "vectors)]",
            "You multiplied the gradient with the vector. The Hessian is what its *derivative* "
            "is made of: differentiate once more.",
        ),
        Mistake(
            "each-alone",
            "gradients = grad(f(*inputs), inputs, create_graph=True)\n"
            "return [grad((g * v).sum(), [x])[0] for g, v, x in zip(gradients, vectors, inputs)]",
            "Each input's gradient was differentiated with respect to that input alone. It also "
            "moves when the other inputs move: sum all products first.",
        ),
        Mistake(
            "vector-forgotten",
            but("(g * v).sum()", "g.sum()", PRODUCT),
            "You forgot the vectors: these are the sums of the Hessian's rows.",
        ),
        Mistake(
            "vector-squared", but("(g * v).sum()", "(g * v * v).sum()", PRODUCT),
            "The vector is in it twice. That would be the Hessian times the squared vector.",
        ),
    ),
)  # fmt: skip
