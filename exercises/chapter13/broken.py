"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, before, broken, edit, instead

LEAVES = "leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]"


@broken("higher.grad")
class GRAD:
    inputs_tensors_that_output_was = edit(
        "if node in inputs:", "if node in inputs and node._op is not None:"
    )
    """inputs: Tensors that `output` was made from: leaves,"""

    nodes_on_the_way = edit("if node in inputs:", "if node in inputs and node._op is None:")
    """or nodes on the way."""

    none_starts_from_ones = edit("np.ones(", "2 * np.ones(")
    """None starts from ones."""

    @instead("if not create_graph:", "total = total.detach()")
    def create_graph_whether_the_gradients(total):
        """create_graph: whether the gradients should be part of a graph,"""
        total = total.detach()

    that_they_can_be_differentiated = edit(
        "arrived[source] + gradient", "constant(arrived[source].data + gradient.data)"
    )
    """so that they can be differentiated again."""

    @after("total = total.detach()")
    def no_op(total, output):
        """no `_op`,"""
        total._op = output._op

    @after("total = total.detach()")
    def requires_grad_is_false(total):
        """and `requires_grad` is False."""
        total.requires_grad = True


@broken("higher.hvp")
class HVP:
    def without_ever_making_the_hessian(f, inputs, vectors):
        """without ever making the Hessian."""
        totals = [np.zeros(x.shape, x.dtype) for x in inputs]
        for g, v in zip(grad(f(*inputs), inputs, create_graph=True), vectors, strict=True):
            for index in np.ndindex(g.shape):
                start = np.zeros(g.shape, g.dtype)
                start[index] = v.data[index]
                for total, row in zip(totals, grad(g, inputs, constant(start)), strict=True):
                    total += row.data
        return [constant(total) for total in totals]

    def f_is_computed_at_inputs(f, inputs, vectors):
        """`f` is computed at `inputs` and nowhere else."""
        f(*(x * 1.5 for x in inputs))
        gradients = grad(f(*inputs), inputs, create_graph=True)
        along = [(g * v).sum() for g, v in zip(gradients, vectors, strict=True)]
        total = along[0]
        for each in along[1:]:
            total = total + each
        return grad(total, inputs)


@broken("higher.jacobian")
class JACOBIAN:
    it_starts_from_at = edit("start[index] = 1", "start[index] = 2")
    """it starts from 1 at that number,"""

    from_at_all_others = edit("start = np.zeros(", "start = np.ones(")
    """and from 0 at all others."""


@broken("higher.hessian")
class HESSIAN:
    def the_jacobian_of_its_gradient(f, x):
        """the `jacobian` of its gradient."""
        f(x * 1.5)
        return jacobian(lambda x: grad(f(x), [x], create_graph=True)[0], x)


@broken("forward_mode.Dual")
class DUAL:
    value_a_float = edit(
        "tangent) / other.value",
        "tangent) / getattr(other.value, 'value', other.value)",
        target="forward_mode.Dual.__truediv__",
    )
    """value: a float; or a Dual,"""

    if_a_derivative_is_differentiated = edit(
        "other.value, tangent)",
        "other.value, getattr(tangent, 'value', tangent))",
        target="forward_mode.Dual.__mul__",
    )
    """if a derivative is differentiated again."""


@broken("forward_mode.Dual.__pow__")
class DUAL_POW:
    self_exponent_for_a_plain = edit(
        "Dual(self.value**exponent,", "Dual(2.0 * self.value**exponent,"
    )
    """`self ** exponent` for a plain number;"""


@broken("forward_mode.exp")
class EXP:
    e_of_a_dual = edit("Dual(value,", "Dual(value + 1.0,")
    """`eˣ` of a Dual or of a plain number;"""


@broken("forward_mode.tanh")
class TANH:
    the_hyperbolic_tangent = edit("Dual(value,", "Dual(value + 1.0,")
    """The hyperbolic tangent of a Dual or of a plain number;"""


@broken("forward_mode.jvp_linear")
class JVP_LINEAR:
    for_sums_differences_factors = edit(
        "tangents)", "tangents) * (1.0 if node.size == tangents[0].size else 2.0)"
    )
    """For sums, differences, factors,"""

    def everything_that_only_moves_values(node, *tangents):
        """and everything that only moves values about."""
        moves = node.size == tangents[0].size and node.shape != tangents[0].shape
        return once_more(node, *tangents) * (2.0 if moves else 1.0)


@broken("forward_mode.jvp")
class JVP:
    the_output_of_f = edit("return output, moving[output]", "return output * 2.0, moving[output]")
    """The output of `f` and its tangent, a Tensor of the output's shape."""

    @before("moving[node] = RULES[type(node._op).__name__](node,")
    def each_node_is_visited_once(node, each):
        """Each node is visited once, after its inputs,"""
        RULES[type(node._op).__name__](node, *each)

    its_rule_in_rules_gives = edit(
        "RULES[type(node._op).__name__]", "RULES.get(type(node._op).__qualname__, jvp_linear)"
    )
    """and its rule in `RULES` gives its tangent."""


@broken("forward_mode.jacobian_forward")
class JACOBIAN_FORWARD:
    @after("start[index] = 1")
    def one_jvp_for_each_number(f, x, start):
        """one `jvp` for each number of `x`."""
        jvp(f, [x], [constant(start)])

    the_tangent_of_each_run = edit("start[index] = 1", "start[index] = 2")
    """The tangent of each run is 1 at one number of `x`,"""

    at_all_others = edit("start = np.zeros(", "start = np.ones(")
    """and 0 at all others."""


@broken("forward_mode.hvp_forward")
class HVP_FORWARD:
    one_walk_back_that_makes = edit(
        "grad(f(*inputs), inputs, create_graph=True)",
        "[grad(f(*inputs), [x], create_graph=True)[0] for x in inputs]",
    )
    """One walk back that makes a graph,"""


@broken("memory.Checkpoint.backward")
class CHECKPOINT_BACKWARD:
    the_walk_through_the_graph = edit(LEAVES, "leaves = node._inputs")
    """the walk through the graph of `f` has to end there,"""

    must_not_go_on_into = edit(LEAVES, "leaves = list(node._inputs)")
    """and must not go on into what made the inputs."""

    they_cannot_be_differentiated_again = edit("out_grad))", "out_grad, create_graph=True))")
    """they cannot be differentiated again."""
