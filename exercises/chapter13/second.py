"""`grad`, whose gradients can be differentiated again, and `hvp`."""

from grader.course import edit, exercise, instead


@exercise("higher.grad", points=6, needs=("chapter3.backward", "chapter3.broadcasting"))
class GRAD:
    """Begin with your `Tensor.backward`. Three things change: what arrives stays a Tensor, the sum
    of two arrivals is a Tensor sum, and nothing is written into `grad`.

    If `create_graph` is False, cut off every total before the rule gets it: `total.detach()`. Then
    no rule can build on what came before.

    Keep the total of a node when its turn comes and it is one of `inputs`. Whatever isn't found in
    the end gets `constant(np.zeros(...))`.
    """

    overwrites = edit(
        ("arrived[source] + gradient if source in arrived else ", ""),
        ("(constant", "[constant"),
        ("inputs)", "inputs]"),
    )
    """Where two paths meet, your second gradient replaced the first. Add them."""

    @instead(
        "if not create_graph:",
        "total = total.detach()",
        edits=(
            ("(constant", "[constant"),
            ("inputs)", "inputs]"),
        ),
    )
    def graph_cut_off(total):
        """You cut off every gradient, even with `create_graph=True`. Then what you return doesn't
        know how it was made, and its derivative is lost."""
        total = total.detach()

    @instead(
        "if not create_graph:",
        "found[node] = total",
        edits=(
            ("(constant", "[constant"),
            ("inputs)", "inputs]"),
        ),
    )
    def graph_always(node, inputs, found, total):
        """Without `create_graph`, the gradients should be constants. Yours still ask for gradients:
        what is computed with them makes a graph."""
        if node in inputs:
            found[node] = total

    arrays_summed = edit(
        ("arrived[source] + gradient", "constant(arrived[source].data + gradient.data)"),
        ("(constant", "[constant"),
        ("inputs)", "inputs]"),
    )
    """You added the arrays of two gradients. The sum is right, but it no longer knows what it was
    made from: the second derivative loses every place where paths meet."""

    @instead(
        "if grad_output is None:",
        "grad_output = constant(np.ones(output.shape,",
        edits=(
            ("(constant", "[constant"),
            ("inputs)", "inputs]"),
        ),
    )
    def starts_from_ones(output):
        """You always start from ones. If `grad_output` is given, start the walk from it."""
        grad_output = constant(np.ones(output.shape, output.dtype))

    @instead(
        "if node in inputs:",
        "if node._op is None:",
        edits=(
            ("(constant", "[constant"),
            ("inputs)", "inputs]"),
        ),
    )
    def leaves_only(node, found, total):
        """You keep what arrives at leaves only. An input may be a node on the way, too."""
        if node._op is None:
            found[node] = total

    @instead(
        "gradient = ops.unbroadcast(gradient,",
        "arrived[source] =",
        edits=(
            ("(constant", "[constant"),
            ("inputs)", "inputs]"),
        ),
    )
    def broadcast_forgotten(arrived, source, gradient):
        """Inputs that were broadcast get a gradient that is too large: sum it down to the input's
        shape with `ops.unbroadcast`."""
        arrived[source] = arrived[source] + gradient if source in arrived else gradient

    unused_is_none = edit(
        ("(constant", "[constant"),
        ("inputs)", "inputs]"),
        ("(x, zero) for x, zero in zip(inputs, zeros, strict=True)", "(x) for x in inputs"),
    )
    """An input that the output doesn't depend on gets zeros of its shape, not None."""

    def by_backward(output, inputs, grad_output, create_graph):
        """You called `backward` and read `grad`. That writes into the leaves, and you return
        something made from arrays, which can't be differentiated again."""
        before = [x.grad for x in inputs]
        for x in inputs:
            x.grad = None
        output.backward(grad_output)
        found = [constant(np.zeros(x.shape, x.dtype) if x.grad is None else x.grad) for x in inputs]
        return found

    def every_path(output, inputs, grad_output, create_graph):
        """You walk every path to its end, so you call rules again and again: on a ladder of
        diamonds, exponentially often. Go in reverse topological order, and call each rule once,
        with the sum."""
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

        visit(
            output,
            constant(np.ones(output.shape, output.dtype)) if grad_output is None else grad_output,
        )
        zeros = [constant(np.zeros(x.shape, x.dtype)) for x in inputs]
        found = [found.get(x, zero) for x, zero in zip(inputs, zeros)]
        return found if create_graph else [each.detach() for each in found]


@exercise(
    "higher.hvp",
    points=3,
    needs=("chapter13.grad", "chapter3.summation.forward", "chapter3.mul.backward"),
)
class HVP:
    """The gradient is a function like any other. What is the gradient of `gradient · vector`, if
    the vector is a constant?

    `create_graph=True` for the first walk. Then one number: the products of all gradients with
    their vectors, summed. Its gradient is the answer.
    """

    graph_forgotten = edit(", create_graph=True", "", lacks=(r"create_graph=True",))
    """Without `create_graph=True` the gradients are constants, and the derivative of a constant is
    0."""

    def gradient_times_vector(f, inputs, vectors):
        """You multiplied the gradient by the vector. The Hessian is what its *derivative* is made
        of: differentiate once more."""
        gradients = grad(f(*inputs), inputs)
        return [g * v for g, v in zip(gradients, vectors)]

    def each_alone(f, inputs, vectors):
        """Each input's gradient was differentiated with respect to that input alone. It also moves
        when the other inputs move: sum all products first."""
        gradients = grad(f(*inputs), inputs, create_graph=True)
        return [grad((g * v).sum(), [x])[0] for g, v, x in zip(gradients, vectors, inputs)]

    vector_forgotten = edit("(g * v)", "g")
    """You forgot the vectors: these are the sums of the Hessian's rows."""

    vector_squared = edit("g * v", "g * v * v")
    """The vector is in it twice. That would be the Hessian times the squared vector."""
