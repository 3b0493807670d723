"""Wrong bodies of chapter 13 written without knowledge of its suites, and unusual right ones."""

from grader.course import edit, instead, mistake, right


class SECOND_CALL:
    @instead("zeros = (constant(np.zeros(x.shape,", target="higher.grad")
    def one_Tensor_of_zeros_for_each_shape(inputs):
        """Zeros of the shape *and dtype* of the input: those of the first input of this shape are
        kept."""
        kept = grad.__dict__.setdefault("zeros", {})
        zeros = [kept.setdefault(x.shape, constant(np.zeros(x.shape, x.dtype))) for x in inputs]

    @instead("gradients = grad(f(*inputs),", target="higher.hvp")
    def the_gradients_of_these_Tensors_are_kept(f, inputs):
        """f is computed at what the inputs hold *now*: the graph of the first call is used
        again."""
        kept = hvp.__dict__.setdefault("kept", {})
        key = (f, *inputs)
        if key not in kept:
            kept[key] = grad(f(*inputs), inputs, create_graph=True)
        gradients = kept[key]

    the_op_of_the_node_runs_again = edit(
        "return once_more(node, *tangents)",
        "return node._op(*tangents)",
        target="forward_mode.jvp_linear",
    )
    """«one that notes things down in its forward keeps its notes»: the node's own op runs again."""

    @mistake(target="memory.no_grad.__exit__")
    def the_first_block_decides_what_comes_back(self, *error):
        """«what was there before»: what was there before the very first block comes back."""
        earlier, self.before = self.before
        Function.__call__ = no_grad.__dict__.get("first") or earlier
        no_grad.first = no_grad.__dict__.get("first") or earlier

    @mistake(target="memory.Checkpoint.backward")
    def the_leaves_of_the_first_walk_are_kept(self, out_grad, node):
        """It is computed once *more*, on what the inputs hold: the leaves of the first walk are
        kept."""
        if not hasattr(self, "leaves"):
            self.leaves = [Tensor(x.data, dtype=x.dtype) for x in node._inputs]
        leaves = self.leaves
        return tuple(grad(self.f(*leaves), leaves, out_grad))


class SETTING:
    grad_output_is_always_a_constant = edit(
        "arrived = {output: grad_output}",
        "arrived = {output: grad_output.detach()}",
        target="higher.grad",
    )
    """With create_graph the gradients depend on grad_output, too: it is cut off."""

    @mistake(target="forward_mode.exp")
    def only_a_float_is_a_plain_number(x):
        """«a Dual or a plain number»: an int is one, too."""
        if isinstance(x, float):
            return math.exp(x)
        value = exp(x.value)
        return Dual(value, value * x.tangent)

    @mistake(target="forward_mode.Dual.__pow__")
    def as_many_factors_as_the_exponent_says(self, exponent):
        """«for a plain number»: a power of -1 or of 0.5 is no product of so many factors."""
        result = Dual(1.0)
        for _ in range(int(exponent)):
            result = result * self
        return result

    @mistake(target="forward_mode.jvp_logsumexp")
    def several_axes_are_all_axes(node, da):
        """«over node._op.axes, as summation takes them»: a tuple is taken for all axes."""
        (a,) = node._inputs
        kept = ops.reshape(node, kept_shape(a.shape, node._op.axes))
        softmax = ops.exp(a - ops.broadcast_to(kept, a.shape))
        axes = node._op.axes if isinstance(node._op.axes, int) else None
        return ops.reshape(ops.summation(softmax * da, axes), node.shape)


class VARIETY:
    each_input_is_handed_out_once = edit(
        "return [found.get(x, zero)", "return [found.pop(x, zero)", target="higher.grad"
    )
    """One Tensor per input: an input that is listed twice gets zeros the second time."""

    @instead(
        "for node in reversed(topological_order(output)):",
        "found[node] = total",
        target="higher.grad",
    )
    def the_walk_ends_at_an_input(output, arrived, create_graph, inputs, found):
        """inputs are «leaves, or nodes on the way»: what lies behind such a node gets nothing."""
        for node in reversed(topological_order(output)):
            total = arrived.pop(node, None)
            if total is None:
                continue
            if not create_graph:
                total = total.detach()
            if node in inputs:
                found[node] = total
                continue

    @instead("return rows", target="higher.jacobian")
    def the_axes_of_the_input_come_first(y, rows):
        """First the axes of the output, then those of x: a diagonal table looks the same either
        way."""
        order = (*range(y.ndim, rows.ndim), *range(y.ndim))
        return rows.transpose(order).reshape(rows.shape)

    @mistake(target="forward_mode.Dual.__pow__")
    def a_power_by_way_of_the_logarithm(self, exponent):
        """self ** exponent of a negative value: it has no logarithm."""
        value = exp(exponent * log(self.value))
        return Dual(value, value * exponent / self.value * self.tangent)

    @mistake(target="forward_mode.tanh")
    def tanh_by_its_definition(x):
        """What its namesake in math does: at 1000 it is 1, and nothing overflows."""
        power = exp(2.0 * x) if isinstance(x, Dual) else math.exp(2.0 * x)
        return (power - 1.0) / (power + 1.0)

    the_factors_in_any_order = edit(
        "once_more(node, a, db)", "once_more(node, db, a)", target="forward_mode.jvp_bilinear"
    )
    """B(a, db), in this order: element by element it does not matter, for matrices it does."""

    @mistake(target="forward_mode.jacobian_forward")
    def columns_are_turned_with_T(f, x):
        """First the output's axes, then those of x: with two axes of the output, .T turns them,
        too."""
        columns = []
        for index in np.ndindex(x.shape):
            start = np.zeros(x.shape, x.dtype)
            start[index] = 1
            columns.append(jvp(f, [x], [constant(start)])[1].data)
        return np.array(columns).T.reshape(columns[0].shape + x.shape)

    constants_do_not_count = edit(
        "nodes = topological_order(root)",
        "nodes = [node for node in topological_order(root) if node.requires_grad]",
        target="memory.graph_size",
    )
    """«leaves, constants and all that lies between»: what needs no gradient is not counted."""

    @mistake(target="memory.Checkpoint.backward")
    def a_leaf_for_each_different_input(self, out_grad, node):
        """One gradient per *input*: an input that is there twice gets the sum, twice."""
        fresh = {x: Tensor(x.data, dtype=x.dtype) for x in node._inputs}
        leaves = [fresh[x] for x in node._inputs]
        return tuple(grad(self.f(*leaves), leaves, out_grad))

    @instead("own = [(layer, [left.pop(0)", target="memory.checkpointed")
    def as_many_weights_as_the_first_layer(piece):
        """Layers may have different numbers of weights: the first one's is taken for all."""
        many = len(piece[0][1])
        own = [(layer, [left.pop(0) for _ in range(many)]) for layer, _ in piece]

    @mistake(target="higher.hvp")
    def each_input_by_itself(f, inputs, vectors):
        """g · v is one sum over all inputs: the terms between two inputs are missing."""
        gradients = grad(f(*inputs), inputs, create_graph=True)
        along = [(g * v).sum() for g, v in zip(gradients, vectors, strict=True)]
        return [grad(each, [x])[0] for each, x in zip(along, inputs, strict=True)]


class HALF_PROMISE:
    every_rule_is_asked = edit(
        "if node in moving or not any(source in moving for source in node._inputs):",
        "if node in moving or node._op is None:",
        target="forward_mode.jvp",
    )
    """«a node none of whose inputs move is skipped»: its rule is asked with zeros."""

    @mistake(target="forward_mode.hvp_forward")
    def a_walk_back_for_each_input(f, inputs, vectors):
        """«One walk back»: f is computed and walked back for each input."""

        def along(number):
            def slope(*xs):
                return grad(f(*xs), xs, create_graph=True)[number]

            return jvp(slope, inputs, vectors)[1]

        return [along(number) for number in range(len(inputs))]

    the_gradients_have_a_graph = edit(
        "return tuple(grad(self.f(*leaves), leaves, out_grad))",
        "return tuple(grad(self.f(*leaves), leaves, out_grad, create_graph=True))",
        target="memory.Checkpoint.backward",
    )
    """«The gradients are constants»: they carry the graph of the second forward along."""

    computed_once_for_every_row = edit(
        "(row,) = grad(y, [x], constant(start))",
        "(row,) = grad(f(x), [x], constant(start))",
        target="higher.jacobian",
    )
    """«f is computed once»: it is computed for every row."""

    @instead("if not create_graph:", "total = total.detach()", target="higher.grad")
    def the_given_gradient_comes_back_as_it_is(create_graph, node, output, total):
        """Without create_graph the gradients are constants: one that nobody has changed is not."""
        if not create_graph and node is not output:
            total = total.detach()

    @mistake(target="higher.hessian")
    def a_walk_that_leaves_its_gradients_behind(f, x):
        """«No grad of any Tensor is touched»: the walk of chapter 3 leaves its gradients there."""
        slope = grad(f(x), [x], create_graph=True)[0]
        rows = np.zeros(x.shape + x.shape, x.dtype)
        for index in np.ndindex(x.shape):
            x.grad = None
            slope[index].backward()
            rows[index] = 0 if x.grad is None else x.grad
        return rows


class RIGHT:
    @right("higher.grad")
    def users_are_counted_off(output, inputs, grad_output, create_graph):
        users = {}
        for node in topological_order(output):
            for source in node._inputs:
                users[source] = users.get(source, 0) + 1
        start = (
            constant(np.ones(output.shape, output.dtype)) if grad_output is None else grad_output
        )
        waiting, sums, ready = {output: [start]}, {}, [output]
        while ready:
            node = ready.pop()
            parts = waiting.pop(node, [])
            answers = [None] * len(node._inputs)
            if parts:
                total = parts[0]
                for part in parts[1:]:
                    total = total + part
                total = total if create_graph else total.detach()
                sums[node] = total
                if node._op is not None:
                    answers = node._op.backward(total, node)
                    answers = [answers] if isinstance(answers, Tensor) else list(answers)
            for source, answer in zip(node._inputs, answers, strict=True):
                if answer is not None and source.requires_grad:
                    waiting.setdefault(source, []).append(ops.unbroadcast(answer, source.shape))
                users[source] -= 1
                if users[source] == 0:
                    ready.append(source)
        return [sums[x] if x in sums else constant(np.zeros_like(x.data)) for x in inputs]

    @right("higher.hessian")
    def column_by_column_with_hvp(f, x):
        table = np.empty((*x.shape, *x.shape), x.dtype)
        for index in np.ndindex(*x.shape):
            unit = np.zeros(x.shape, x.dtype)
            unit[index] = 1
            (column,) = hvp(f, [x], [constant(unit)])
            table[(..., *index)] = column.data
        return table

    @right("forward_mode.Dual.__truediv__")
    def the_quotient_as_a_product(self, other):
        top, bottom = self, as_dual(other)
        inverse = 1.0 / bottom.value
        moved = top.tangent * inverse - top.value * inverse * inverse * bottom.tangent
        return Dual(top.value / bottom.value, moved)

    @right("forward_mode.tanh")
    def the_other_form_of_tanhs_slope(x):
        if isinstance(x, Dual):
            inner = tanh(x.value)
            return Dual(inner, x.tangent * ((inner + 1) * (inner * -1 + 1)))
        return math.copysign(-math.expm1(-2 * abs(x)) / (1 + math.exp(-2 * abs(x))), x)

    @right("forward_mode.jvp_logsumexp")
    def the_mean_of_the_movements_of_what_is_shifted(node, da):
        (a,) = node._inputs
        axes = node._op.axes
        largest = constant(a.data.max(axis=axes, keepdims=True))
        powers = ops.exp(a - largest)
        return ops.summation(powers * da, axes) / ops.summation(powers, axes)

    @right("forward_mode.jvp")
    def tangents_are_found_from_the_back_and_remembered(f, inputs, tangents):
        output = f(*inputs)
        known = {x: t for x, t in zip(inputs, tangents, strict=True)}
        pending = [output]
        while pending:
            node = pending[-1]
            missing = [source for source in node._inputs if source not in known]
            if node in known:
                pending.pop()
            elif missing:
                pending.extend(missing)
            elif all(known[source] is None for source in node._inputs):
                known[node] = None
            else:
                parts = [
                    constant(np.zeros_like(source.data)) if known[source] is None else known[source]
                    for source in node._inputs
                ]
                known[node] = RULES[type(node._op).__name__](node, *parts)
        end = known[output]
        return output, constant(np.zeros_like(output.data)) if end is None else end

    @right("memory.graph_size")
    def breadth_first_in_a_set(root):
        met, edge = set(), {root}
        while edge:
            met |= edge
            edge = {source for node in edge for source in node._inputs} - met
        return len(met), sum(int(node.data.size) for node in met)

    @right("memory.Checkpoint.backward")
    def the_fresh_leaves_keep_what_arrives(self, out_grad, node):
        twins = [Tensor(x.data.copy(), dtype=x.data.dtype) for x in node._inputs]
        self.f(*twins).backward(out_grad)
        arrays = [t.data * 0 if t.grad is None else t.grad for t in twins]
        return tuple(Tensor(a, dtype=t.dtype, requires_grad=False) for a, t in zip(arrays, twins))

    @right("memory.checkpointed")
    def a_piece_and_then_the_rest(layers, x, size):
        if len(layers) == 0:
            return x
        first, rest = list(layers[:size]), layers[size:]
        ends = [0]
        for _, weights in first:
            ends.append(ends[-1] + len(weights))

        def f(value, *weights):
            for number, (layer, _) in enumerate(first):
                value = layer(value, *weights[ends[number] : ends[number + 1]])
            return value

        flat = sum((tuple(weights) for _, weights in first), ())
        return checkpointed(rest, checkpoint(f, x, *flat), size)
