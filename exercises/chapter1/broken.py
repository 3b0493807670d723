"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, before, broken, edit, instead


@broken("scalar.Value.tanh")
class VALUE_TANH:
    the_hyperbolic_tangent = edit(
        "math.tanh(self.data)", "(math.exp(self.data) - 1) / (math.exp(self.data) + 1)"
    )
    """The hyperbolic tangent."""


@broken("scalar.topological_order")
class TOPOLOGICAL_ORDER:
    two_nodes_are_the_same = edit(
        ("id(node) not in seen", "(node.data, node._prev) not in seen"),
        ("seen.add(id(node))", "seen.add((node.data, node._prev))"),
    )
    """Two nodes are the same only if they are the same object,"""

    whatever_their_data = edit(
        ("id(node) not in seen", "node.data not in seen"),
        ("seen.add(id(node))", "seen.add(node.data)"),
    )
    """whatever their `data`."""


@broken("scalar.check_gradients")
class CHECK_GRADIENTS:
    its_relative_error = edit(" / max(abs(grad), abs(numeric), 1e-4)", "")
    """and its relative error…"""

    where_g_is_the_grad = edit("(above - below) / (2 * epsilon)", "(above - result.data) / epsilon")
    """where g is the `grad` that `backward` leaves and n is the central difference."""

    a_leaf_is_a_value = edit("not n._prev and ", "")
    """A leaf is a Value without `_prev` that is still there,…"""


@broken("scalar.mended_limit")
class MENDED_LIMIT:
    @after("loss = loss_of()", edits=(("max(-limit, min(limit, moved))", "moved"),))
    def no_data_changes_between(parameters, limit):
        """So no `data` changes between a forward and its `backward`,"""
        for parameter in parameters:
            parameter.data = max(-limit, min(limit, parameter.data))

    after_every_step_all_parameters = edit("max(-limit, min(limit, moved))", "moved")
    """and after every step all parameters lie between -limit and limit."""


@broken("scalar.Value")
class VALUE:
    for_a_leaf = edit("tuple(_prev)", "tuple(_prev) or None", target="scalar.Value.__init__")
    """`()` for a leaf."""

    @before("out = Value(self.data**exponent, (self,))", target="scalar.Value.__pow__")
    def every_operator_and_function_below(self, exponent):
        """Every operator and function below makes a new Value,"""
        if exponent == 1:
            return self

    @instead("out = Value(max(0.0, self.data), (self,))", target="scalar.Value.relu")
    def leaves_the_data(self):
        """and leaves the `data` of its inputs as it was."""
        self.data = max(0.0, self.data)
        out = Value(self.data, (self,))
