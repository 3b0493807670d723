"""A scalar engine, its check and its network that are almost right."""

from grader.course import after, edit, instead, mistake

SLOPE = "scalar.numerical_derivative"
INIT = "scalar.Value.__init__"
ADD, MUL, RELU = "scalar.Value.__add__", "scalar.Value.__mul__", "scalar.Value.relu"
TANH, SIGMOID = "scalar.Value.tanh", "scalar.Value.sigmoid"
BACKWARD, ORDER = "scalar.Value.backward", "scalar.topological_order"
ZERO, CHECK = "scalar.zero_grad", "scalar.check_gradients"
CALL = "scalar.Neuron.__call__"
NEURONS, LAYERS = "scalar.Neuron.parameters", "scalar.Layer.parameters"
MLP, MLP_CALL = "scalar.MLP.__init__", "scalar.MLP.__call__"
MLPS = "scalar.MLP.parameters"
CROSS = "scalar.binary_cross_entropy"
FLOOR = "max(abs(grad), abs(numeric), 1e-4)"


class SUBTLE:
    the_step_to_one_side = edit(
        "(f(x + h) - f(x - h)) / (2 * h)", "(f(x + h) - f(x)) / h", target=SLOPE
    )
    a_gradient_that_is_None = edit("self.grad = 0.0", "self.grad = None", target=INIT)
    a_gradient_that_is_set = edit("self.grad += out.grad", "self.grad = out.grad", target=ADD)
    the_others_gradient_is_set = edit(
        "other.grad += self.data * out.grad", "other.grad = self.data * out.grad", target=MUL
    )
    half_a_slope_at_the_kink = edit("self.data > 0 else", "self.data >= 0 else", target=RELU)
    a_slope_by_the_numbers_of_before = edit(
        "1 - out.data**2", "1 - math.tanh(self.data)", target=TANH
    )
    one_form_alone = edit("self.data >= 0", "True", target=SIGMOID)
    the_root_is_added_to = edit("self.grad = 1.0", "self.grad += 1.0", target=BACKWARD)
    a_root_that_holds_something_keeps_it = edit(
        "self.grad = 1.0", "self.grad = self.grad or 1.0", target=BACKWARD
    )

    @instead("if inputs_are_done:", "seen.add(id(node))", target=ORDER)
    def nodes_are_the_same_if_their_numbers_are(inputs_are_done, node, order, seen):
        if inputs_are_done:
            order.append(node)
        elif node.data not in seen:
            seen.add(node.data)

    all_but_the_first = edit("in parameters", "in list(parameters)[1:]", target=ZERO)

    @after("result.backward()", target=CHECK)
    def a_step_of_the_checks_own(epsilon):
        epsilon = 1e-4 if epsilon == 1e-5 else epsilon

    relative_to_a_signed_slope = edit(FLOOR, "max(grad, abs(numeric), 1e-4)", target=CHECK)
    relative_to_the_numeric_slope = edit(FLOOR, "max(abs(numeric), 1e-4)", target=CHECK)
    a_lower_floor = edit(FLOOR, "max(abs(grad), abs(numeric), 1e-6)", target=CHECK)
    a_higher_floor = edit(FLOOR, "max(abs(grad), abs(numeric), 2e-4)", target=CHECK)

    @instead("below = value().data", "leaf.data = data", target=CHECK)
    def data_restored_by_arithmetic(value, leaf, epsilon):
        below = value().data
        leaf.data = leaf.data + 2 * epsilon - epsilon

    what_stands_between_is_a_leaf = edit(
        "if not n._prev and id(n) in again", "if id(n) in again", target=CHECK
    )
    an_expression_that_is_a_leaf_has_none = edit(
        "topological_order(result)}", "topological_order(result)[:-1]}", target=CHECK
    )

    @mistake(target=CALL)
    def the_first_calls_result_again(self, x):
        total = self.bias
        for weight, number in zip(self.weights, x, strict=True):
            total = total + weight * number
        total = vars(self).setdefault("total", total)
        if self.activation == "linear":
            return total
        return {"tanh": total.tanh, "relu": total.relu, "sigmoid": total.sigmoid}[self.activation]()

    @mistake(target=NEURONS)
    def a_list_that_is_kept_of_a_neuron(self):
        self.all = getattr(self, "all", None) or [*self.weights, self.bias]
        return self.all

    @mistake(target=LAYERS)
    def a_list_that_is_kept_of_a_layer(self):
        if not hasattr(self, "all"):
            self.all = [p for neuron in self.neurons for p in neuron.parameters()]
        return self.all

    @mistake(target=MLPS)
    def a_list_that_is_kept_of_a_network(self):
        if not hasattr(self, "all"):
            self.all = [p for layer in self.layers for p in layer.parameters()]
        return self.all

    three_layers = edit("len(sizes) - 2", "2", target=MLP)
    the_last_of_several = edit(
        "outputs[0] if len(outputs) == 1 else outputs",
        "outputs[0] if len(outputs) < 2 else list(outputs[:2])",
        target=MLP_CALL,
    )
    logarithms_a_little_beside_zero = edit("p.log()", "(p + 1e-7).log()", target=CROSS)
    a_powers_slope_by_its_value_which_zero_divides = edit(
        "exponent * self.data ** (exponent - 1) * out.grad",
        "exponent * out.data / self.data * out.grad",
        target="scalar.Value.__pow__",
    )
    a_powers_slope_at_zero_is_zero = edit(
        "exponent * self.data ** (exponent - 1) * out.grad",
        "(exponent * self.data ** (exponent - 1) if self.data else 0.0) * out.grad",
        target="scalar.Value.__pow__",
    )
    a_powers_slope_without_the_bases_sign = edit(
        "self.data ** (exponent - 1)",
        "abs(self.data) ** (exponent - 1)",
        target="scalar.Value.__pow__",
    )
    a_divisor_that_is_a_little_larger = edit(
        "as_value(other) ** -1",
        "(as_value(other) + 1e-12) ** -1",
        target="scalar.Value.__truediv__",
    )
    a_logarithm_a_little_beside_zero = edit(
        "math.log(self.data)", "math.log(self.data + 1e-12)", target="scalar.Value.log"
    )
    what_is_nearly_zero_is_shut = edit(
        "if self.data > 0 else 0.0", "if self.data > 1e-12 else 0.0", target="scalar.Value.relu"
    )
    an_exponent_of_50_at_most = edit(
        "math.exp(self.data)", "math.exp(min(self.data, 50.0))", target="scalar.Value.exp"
    )
    a_gradient_of_nan_times_zero = edit(
        "parameter.grad = 0.0", "parameter.grad *= 0.0", target="scalar.zero_grad"
    )

    @mistake(target="scalar.Neuron.__init__")
    def every_neuron_draws_the_same(self, inputs, activation):
        rng = random.Random(7)
        self.weights = [Value(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Value(0.0)
        self.activation = activation

    weights_of_two_digits = edit(
        "random.uniform(-1, 1)", "round(random.uniform(-1, 1), 2)", target="scalar.Neuron.__init__"
    )
    one_layer_alone_is_a_hidden_one = edit(
        "output if i == last else", "output if i == last and i else", target="scalar.MLP.__init__"
    )
    whatever_is_as_large_as_the_last_layer_is_one = edit(
        "output if i == last else",
        "output if outputs == sizes[-1] else",
        target="scalar.MLP.__init__",
    )

    @mistake(target="scalar.MLP.__call__")
    def a_layer_of_one_neuron_comes_bare_in_the_middle(self, x):
        signal: Sequence[Value | float] = x
        for layer in self.layers:
            outputs = layer(signal)
            signal = outputs[0] if len(outputs) == 1 else outputs
        return outputs[0] if len(outputs) == 1 else outputs

    two_pairs_at_least = edit(
        "/ len(predictions)", "/ max(len(predictions), 2)", target="scalar.mean_squared_error"
    )

    @after("zero_grad(parameters)", target="scalar.mended_limit")
    def a_limit_before_the_first_loss(parameters, limit):
        for parameter in parameters:
            parameter.data = max(-limit, min(limit, parameter.data))

    a_limit_for_what_grows = edit(
        "parameter.data = max(-limit, min(limit, moved))",
        "parameter.data = max(-limit, min(limit, moved)) if abs(moved) > abs(parameter.data) "
        "else moved",
        target="scalar.mended_limit",
    )

    @instead("zero_grad(parameters)", target="scalar.mended_two_walks")
    def what_the_gradients_held_before_counts_once(totals, parameters):
        zero_grad(parameters) if totals else None
