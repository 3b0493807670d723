"""Wrong bodies of chapter 1 written without knowledge of its suites, and unusual right ones."""

from grader.course import after, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="scalar.Neuron.parameters")
    def the_list_of_parameters_is_made_once(self):
        """«Every call makes a new list»: what a caller does to the first list shows in the
        second."""
        if not hasattr(self, "_listed"):
            self._listed = [*self.weights, self.bias]
        return self._listed

    a_node_is_listed_in_one_call_only = edit(
        ("seen: set[int] = set()", 'seen = topological_order.__dict__.setdefault("seen", {})'),
        ("seen.add(id(node))", "seen[id(node)] = node"),
        target="scalar.topological_order",
    )
    """«Every node that root was made from»: a node of an earlier list is missing from the next."""

    @mistake(target="scalar.zero_grad")
    def each_parameter_is_cleared_once(parameters):
        """«Set grad of every Value to 0.0»: a Value that was cleared before keeps its gradient."""
        for parameter in parameters:
            if not getattr(parameter, "_cleared", False):
                parameter.grad = 0.0
                parameter._cleared = True

    @mistake(target="scalar.numerical_derivative")
    def a_slope_is_known_by_its_place_alone(f, x, h):
        """«The slope of f at x»: another f at the same x gets the slope of the first."""
        known = numerical_derivative.__dict__.setdefault("known", {})
        if (x, h) not in known:
            known[x, h] = (f(x + h) - f(x - h)) / (2 * h)
        return known[x, h]

    @after("self.grad += (1 - out.data**2) * out.grad", target="scalar.Value.tanh")
    def the_rule_of_tanh_works_once(out):
        """«_backward passes grad on» whenever it is called: a second walk passes nothing."""
        out._backward = lambda: None

    the_walk_adds_one_to_where_it_starts = edit(
        "self.grad = 1.0", "self.grad += 1.0", target="scalar.Value.backward"
    )
    """«It starts with self.grad = 1.0»: a second walk starts from more than 1."""

    every_neuron_draws_the_same_numbers = edit(
        "[Value(random.uniform(-1, 1)) for _ in range(inputs)]",
        "[Value(w) for w in map(random.Random(inputs).uniform, [-1] * inputs, [1] * inputs)]",
        target="scalar.Neuron.__init__",
    )
    """«Every weight is a separate Value, with its own number», drawn: two neurons start equal."""


class SETTING:
    @mistake(target="scalar.MLP.__call__")
    def every_layer_of_one_neuron_is_unwrapped(self, x):
        """«Layers, each fed the output of the one before it»: that of a layer of one neuron is a
        list."""
        signal = x
        for layer in self.layers:
            signal = layer(signal)
            if len(signal) == 1:
                signal = signal[0]
        return signal

    @mistake(target="scalar.Value.sigmoid")
    def sigmoid_keeps_its_input_between_minus_30_and_30(self):
        """«-1000 gives 0.0»: it gives 9e-14, and far from 0 nothing is told apart."""
        if abs(self.data) > 30:
            return 0 * self + 1 / (1 + math.exp(-math.copysign(30, self.data)))
        return 1 / (1 + (-self).exp())

    inputs_that_are_Values_lose_their_past = edit(
        "weight * number",
        'weight * float(getattr(number, "data", number))',
        target="scalar.Neuron.__call__",
    )
    """«x holds numbers or Values»: a Value that comes in gets no gradient."""

    a_network_of_one_layer_uses_the_inner_activation = edit(
        "output if i == last else", "output if i == last and i else", target="scalar.MLP.__init__"
    )
    """«activation: of every layer but the last»: with one layer there is none before it."""


class VARIETY:
    the_last_layer_is_known_by_its_size = edit(
        "output if i == last else",
        "output if outputs == sizes[-1] else",
        target="scalar.MLP.__init__",
    )
    """«output: the activation of the last layer»: so is an earlier layer of the same size."""

    @instead("self.grad += out.grad", "other.grad += out.grad", target="scalar.Value.__add__")
    def a_sum_visits_each_different_input(self, other, out):
        """«one addition per input»: in x + x the Value x is an input twice."""
        for source in {self, other}:
            source.grad += out.grad

    @mistake(target="scalar.mended_zeroing")
    def what_was_in_grad_before_is_subtracted(parameters, loss_of, steps, rate):
        """«Whatever the parameters hold in grad when the loop starts must not count»: infinity
        does, and so does a number that is large enough to swallow the digits of the gradient."""
        losses = []
        for _ in range(steps):
            before = [parameter.grad for parameter in parameters]
            loss = loss_of()
            loss.backward()
            for parameter, earlier in zip(parameters, before):
                parameter.data -= rate * (parameter.grad - earlier)
            losses.append(loss.data)
        return losses

    the_mean_is_over_the_different_predictions = edit(
        "/ len(predictions)",
        "/ len({p.data for p in predictions})",
        target="scalar.mean_squared_error",
    )
    """«The mean over all pairs»: two equal predictions are divided by 1."""


class HALF_PROMISE:
    @instead(
        "data = leaf.data",
        "leaf.data = data",
        edits=(
            ("leaf.data = data + epsilon", "leaf.data += epsilon"),
            ("leaf.data = data - epsilon", "leaf.data -= 2 * epsilon"),
        ),
        target="scalar.check_gradients",
    )
    def the_nudge_is_taken_back_by_arithmetic(leaf, epsilon, value):
        """«Afterwards every leaf holds the data that it held before»: its last digits differ."""
        leaf.data += epsilon
        above = value().data
        leaf.data -= 2 * epsilon
        below = value().data
        leaf.data += epsilon

    @after("losses = []", target="scalar.mended_limit")
    def the_limit_holds_before_the_first_step(parameters, limit):
        """«The limit is applied right after every update»: here before the first loss as well."""
        for parameter in parameters:
            parameter.data = max(-limit, min(limit, parameter.data))

    @instead("totals.append(total.data)", target="scalar.mended_two_walks")
    def fit_plus_penalty_are_computed_again_after_the_step(totals, losses_of):
        """«Fit plus penalty of every step, taken before the step's update»: here it is taken
        after."""
        totals.append(sum(loss.data for loss in losses_of()))

    every_leaf_ends_with_a_gradient_of_zero = edit(
        "grad, leaf.grad = leaf.grad, earlier",
        "grad, leaf.grad = leaf.grad, 0.0",
        target="scalar.check_gradients",
    )
    """«What it held in grad before does not count» and stays: here it is 0 afterwards."""


class RIGHT:
    @right("scalar.topological_order")
    def kahns_order_from_counts_of_users(root):
        nodes, users, found = {id(root): root}, {id(root): 0}, [root]
        for node in found:
            for source in node._prev:
                if id(source) not in nodes:
                    nodes[id(source)] = source
                    users[id(source)] = 0
                    found.append(source)
                users[id(source)] += 1
        ready, order = [root], []
        while ready:
            node = ready.pop()
            order.append(node)
            for source in node._prev:
                users[id(source)] -= 1
                if not users[id(source)]:
                    ready.append(source)
        return order[::-1]

    @right("scalar.Value.backward")
    def the_walk_goes_on_from_what_has_heard_from_all_its_users(self):
        users, found = {self: 0}, [self]
        for node in found:
            for source in node._prev:
                if source not in users:
                    users[source] = 0
                    found.append(source)
                users[source] += 1
        self.grad = 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            node._backward()
            for source in node._prev:
                users[source] -= 1
                if users[source] == 0:
                    ready.append(source)

    @right("scalar.Value.__truediv__")
    def a_quotient_with_a_rule_of_its_own_by_the_output(self, other):
        other = as_value(other)
        out = Value(self.data / other.data, (self, other))

        def push() -> None:
            share = out.grad / other.data
            self.grad += share
            other.grad -= share * out.data

        out._backward = push
        return out

    @right("scalar.binary_cross_entropy")
    def cross_entropy_as_the_logarithm_of_a_product_of_powers(probabilities, targets):
        def surprise(p, t):
            return -(p**t * (1 - p) ** (1 - t)).log()

        pairs = list(zip(probabilities, targets, strict=True))

        def add_up(first, last):
            if last - first == 1:
                return surprise(*pairs[first])
            middle = (first + last) // 2
            return add_up(first, middle) + add_up(middle, last)

        return add_up(0, len(pairs)) / len(pairs)

    @right("scalar.mended_two_walks")
    def two_walks_with_the_nodes_in_between_cleared(parameters, losses_of, steps, rate):
        totals = []
        for _ in range(steps):
            zero_grad(parameters)
            losses = losses_of()
            for loss in losses:
                start = loss + 0
                zero_grad(node for node in topological_order(start) if node._prev)
                start.backward()
            totals.append(sum(loss.data for loss in losses))
            for parameter in parameters:
                parameter.data -= rate * parameter.grad
        return totals

    @right("scalar.MLP.__call__")
    def a_network_as_a_recursion_over_its_layers(self, x):
        def send(signal, layers):
            return send(layers[0](signal), layers[1:]) if layers else signal

        outputs = send(x, self.layers)
        [*first, last] = outputs
        return outputs if first else last
