"""Derivatives of derivatives, forward mode and memory, all but right."""

from grader.course import before, body, edit, instead, mistake

MUL = "forward_mode.Dual.__mul__"
DIV = "forward_mode.Dual.__truediv__"
POW = "forward_mode.Dual.__pow__"
DERIVATIVE = "forward_mode.derivative"
LINEAR = "forward_mode.jvp_linear"
ELEMENTWISE = "forward_mode.jvp_elementwise"
JVP = "forward_mode.jvp"
COLUMNS = "forward_mode.jacobian_forward"
HVP_FORWARD = "forward_mode.hvp_forward"
GRAD = "higher.grad"
HVP = "higher.hvp"
JACOBIAN = "higher.jacobian"
HESSIAN = "higher.hessian"
SIZE = "memory.graph_size"
KEPT = "memory.Checkpoint.forward"
BACK = "memory.Checkpoint.backward"


class SUBTLE:
    a_product_of_floats_alone = edit(
        "self.value * other.value, tangent", "float(self.value * other.value), tangent", target=MUL
    )
    a_quotient_of_floats_alone = edit(
        "value = self.value / other.value", "value = float(self.value / other.value)", target=DIV
    )

    @mistake(target=POW)
    def a_power_by_way_of_the_logarithm(self, exponent):
        value = math.exp(exponent * math.log(self.value))
        return Dual(value, exponent * value / self.value * self.tangent)

    @mistake(target=POW)
    def a_power_that_divides_by_its_base(self, exponent):
        value = self.value**exponent
        return Dual(value, exponent * value / self.value * self.tangent)

    a_power_of_floats_alone = edit(
        "Dual(self.value**exponent", "Dual(math.pow(self.value, exponent)", target=POW
    )

    @mistake(target=DERIVATIVE)
    def a_derivative_by_a_small_step(f, x):
        h = 1e-5

        def g(z):
            y = f(Dual(z))
            return as_dual(y).value

        return (g(x + h) - g(x - h)) / (2 * h)

    a_derivative_that_asks_twice = edit(
        "as_dual(f(Dual(x, 1.0))).tangent",
        "f(Dual(x, 1.0)).tangent if isinstance(f(Dual(x)), Dual) else 0.0",
        target=DERIVATIVE,
    )
    a_linear_rule_in_float32 = body(
        "return once_more(node, *[Tensor(t.data) for t in tangents])", target=LINEAR
    )
    a_slope_in_float32 = edit(
        "node._op.backward(da, node)",
        "Tensor(node._op.backward(da, node).data)",
        target=ELEMENTWISE,
    )
    an_input_that_is_anothers_result_is_overwritten = edit(
        "node in moving or not any", "node._op is None or not any", target=JVP
    )
    nothing_moves_in_float32 = edit(
        "return output, constant(np.zeros(output.shape, output.dtype))",
        "return output, Tensor(np.zeros(output.shape), requires_grad=False)",
        target=JVP,
    )

    @mistake(target=COLUMNS)
    def columns_by_small_steps(f, x):
        y = f(x)
        out = np.zeros(y.shape + x.shape)
        for index in np.ndindex(x.shape):
            step = np.zeros(x.shape)
            step[index] = 1e-5
            above, below = (Tensor(x.data + s, dtype=x.dtype) for s in (step, -step))
            out[(..., *index)] = (f(above).data - f(below).data) / 2e-5
        return out

    @mistake(target=COLUMNS)
    def columns_that_are_rows(f, x):
        y = f(x)
        rows = np.zeros(y.shape + x.shape, y.dtype)
        for index in np.ndindex(y.shape):
            start = np.zeros(y.shape, y.dtype)
            start[index] = 1
            rows[index] = grad(y, [x], constant(start))[0].data
        return rows

    @mistake(target=HVP_FORWARD)
    def forward_over_reverse_that_is_reverse_over_reverse(f, inputs, vectors):
        gradients = grad(f(*inputs), inputs, create_graph=True)
        along = [(g * v).sum() for g, v in zip(gradients, vectors, strict=True)]
        total = along[0]
        for each in along[1:]:
            total = total + each
        return grad(total, inputs)

    @mistake(target=HVP_FORWARD)
    def forward_over_reverse_by_small_steps(f, inputs, vectors):
        def at(step):
            moved = []
            for x, v in zip(inputs, vectors, strict=True):
                moved.append(Tensor(x.data + step * v.data, dtype=x.dtype))
            return grad(f(*moved), moved)

        return [(a - b) / 2e-5 for a, b in zip(at(1e-5), at(-1e-5), strict=True)]

    @mistake(target=HVP)
    def a_Hessian_product_by_small_steps(f, inputs, vectors):
        def at(step):
            moved = []
            for x, v in zip(inputs, vectors, strict=True):
                moved.append(Tensor(x.data + step * v.data, dtype=x.dtype))
            return grad(f(*moved), moved)

        return [(a - b) / 2e-5 for a, b in zip(at(1e-5), at(-1e-5), strict=True)]

    @mistake(target=HVP)
    def a_Hessian_product_by_its_whole_Hessian(f, inputs, vectors):
        results = [None] * len(inputs)
        gradients = grad(f(*inputs), inputs, create_graph=True)
        for g, v in zip(gradients, vectors, strict=True):
            for index in np.ndindex(g.shape):
                start = np.zeros(g.shape)
                start[index] = v.data[index]
                found = grad(g, inputs, constant(start))
                pairs = zip(results, found, strict=True)
                results = [b if a is None else a + b for a, b in pairs]
        return results

    @mistake(target=JACOBIAN)
    def rows_by_small_steps(f, x):
        y = f(x)
        out = np.zeros(y.shape + x.shape)
        for index in np.ndindex(x.shape):
            step = np.zeros(x.shape)
            step[index] = 1e-5
            above, below = (Tensor(x.data + s, dtype=x.dtype) for s in (step, -step))
            out[(..., *index)] = (f(above).data - f(below).data) / 2e-5
        return out

    a_Jacobian_in_float64 = edit(
        "np.zeros(y.shape + x.shape, y.dtype)", "np.zeros(y.shape + x.shape)", target=JACOBIAN
    )

    @mistake(target=HESSIAN)
    def a_Hessian_by_small_steps(f, x):
        def g(z):
            return grad(f(z), [z])[0].data

        y = x
        out = np.zeros(y.shape + x.shape)
        for index in np.ndindex(x.shape):
            step = np.zeros(x.shape)
            step[index] = 1e-5
            above, below = (Tensor(x.data + s, dtype=x.dtype) for s in (step, -step))
            out[(..., *index)] = (g(above) - g(below)) / 2e-5
        return out

    gradients_of_ones_in_float64 = edit(
        "np.ones(output.shape, output.dtype)", "np.ones(output.shape)", target=GRAD
    )
    zeros_in_float64 = edit(
        "constant(np.zeros(x.shape, x.dtype))", "constant(np.zeros(x.shape))", target=GRAD
    )
    the_start_is_cut_out_of_the_graph = edit(
        "arrived = {output: grad_output}", "arrived = {output: grad_output.detach()}", target=GRAD
    )

    @before(
        "arrived = {output: grad_output}",
        edits=(
            (
                "arrived[source] + gradient if source in arrived else gradient",
                "added(arrived[source], gradient) if source in arrived else gradient",
            ),
        ),
        target=GRAD,
    )
    def the_start_is_added_to(create_graph, gradient):
        def added(there, gradient):
            if create_graph:
                return there + gradient
            there.data += gradient.data
            return there

    an_input_that_is_asked_for_twice_is_found_once = edit(
        "found.get(x, zero)", "found.pop(x, zero)", target=GRAD
    )

    @instead("total = arrived.pop(node, None)", "continue", target=GRAD)
    def constants_are_walked_into(node, arrived):
        total = arrived.pop(node, None)

    the_root_alone_is_not_an_input = edit(
        "if node in inputs", "if node in inputs and node is not output", target=GRAD
    )

    @instead("total = total.detach()", target=GRAD)
    def gradients_that_ask_for_gradients(total):
        total = Tensor(total.data, dtype=total.dtype)

    constants_are_not_counted = edit(
        "nodes = topological_order(root)",
        "nodes = [n for n in topological_order(root) if n.requires_grad]",
        target=SIZE,
    )
    leaves_are_not_counted_twice_nor_their_numbers = edit(
        "sum(node.size for node in nodes)",
        "sum(node.size for node in nodes if node._op or node.requires_grad)",
        target=SIZE,
    )
    a_checkpoint_in_float32 = edit(
        "Tensor(a, dtype=a.dtype, requires_grad=False)",
        "Tensor(a, requires_grad=False)",
        target=KEPT,
    )
    values_of_a_checkpoint_in_float32 = edit(
        "return self.f(*leaves).data", "return self.f(*leaves).data.astype('float32')", target=KEPT
    )
    gradients_of_a_checkpoint_in_float32 = edit(
        "Tensor(x.data, dtype=x.dtype)", "Tensor(x.data)", target=BACK
    )
    constants_of_a_checkpoint = edit(
        "return tuple(grad(self.f(*leaves), leaves, out_grad))",
        "return tuple(grad(self.f(*leaves), leaves, out_grad, create_graph=True))",
        target=BACK,
    )
    one_weight_for_each_layer = edit(
        "[left.pop(0) for _ in each]", "[left.pop(0)]", target="memory.checkpointed"
    )

    @mistake(target="memory.checkpointed")
    def weights_in_the_order_of_the_calls_back(layers, x, size):
        for start in range(0, len(layers), size):
            piece = layers[start : start + size]

            def f(x, *weights, piece=piece):
                left = list(weights)
                return chain([(layer, [left.pop() for _ in own]) for layer, own in piece], x)

            every = [weight for _, own in piece for weight in own]
            x = checkpoint(f, x, *reversed(every))
        return x

    @mistake(target="forward_mode.jvp_bilinear")
    def the_same_Tensor_moves_once(node, da, db):
        a, b = node._inputs
        if a is b:
            return once_more(node, da, b)
        return once_more(node, da, b) + once_more(node, a, db)

    @mistake(target="forward_mode.jvp_bilinear")
    def both_places_of_the_same_Tensor_move_at_once(node, da, db):
        a, b = node._inputs
        if a is b:
            return once_more(node, da, db)
        return once_more(node, da, b) + once_more(node, a, db)
