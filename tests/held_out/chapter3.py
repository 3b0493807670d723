"""Wrong bodies of chapter 3 written without knowledge of its suites, and unusual right ones."""

from grader.course import after, body, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="ops.Mul.backward")
    def a_product_keeps_its_first_gradients(self, out_grad, node):
        """«Local derivative times out_grad»: another out_grad for the same node gets the first
        answer."""
        if not hasattr(self, "_gradients"):
            a, b = node._inputs
            self._gradients = out_grad * b, out_grad * a
        return self._gradients

    @mistake(target="ops.Exp.forward")
    def an_op_writes_every_output_into_one_buffer(self, a):
        """Chapter: a forward returns «a new NumPy array»: the next call writes over the last
        result."""
        kept = self.__dict__.get("_out")
        if kept is None or kept.shape != a.shape or kept.dtype != a.dtype:
            kept = self._out = np.empty_like(a)
        return np.exp(a, out=kept)

    @mistake(target="ops.Summation.backward")
    def a_sum_keeps_the_shape_of_its_first_node(self, out_grad, node):
        """«Repeated along every axis that was summed»: the op may sum an array of another shape
        next."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = self.__dict__.setdefault(
            "_kept", tuple(1 if axis in summed else n for axis, n in enumerate(a.shape))
        )
        return broadcast_to(reshape(out_grad, kept), a.shape)

    @after(
        "gradients = node._op.backward(out_grad,",
        edits=(("zip(node._inputs, gradients", "zip(inputs, gradients"),),
        target="tensor.Tensor.backward",
    )
    def the_walk_frees_the_graph(node):
        """Chapter: «after the walk the graph stays»: a second walk finds no ops."""
        inputs, node._op, node._inputs = node._inputs, None, []

    @mistake(target="tensor.topological_order")
    def the_order_is_kept_under_the_id_of_its_root(root):
        """«root is last»: a tensor in the place of one that is gone gets the order of that one."""
        known = topological_order.__dict__.setdefault("known", {})
        if id(root) in known:
            return [*known[id(root)], root]
        order: list[Tensor] = []
        seen: set[Tensor] = set()
        stack = [(root, False)]
        while stack:
            node, inputs_are_done = stack.pop()
            if inputs_are_done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((source, False) for source in node._inputs if source.requires_grad)
        known[id(root)] = order[:-1]
        return order


class SETTING:
    the_factor_becomes_a_number_of_64_bits = body(
        "return a * np.float64(self.scalar)", target="ops.MulScalar.forward"
    )
    """«The dtype stays»: a NumPy number of 64 bits makes float64 of float32."""

    @mistake(target="tensor.Tensor.__pow__")
    def a_whole_power_is_a_repeated_product(self, other):
        """«self ** other», a number: to the power 0 it is 1, to a negative one a quotient."""
        if isinstance(other, Tensor):
            return ops.power(self, other)
        if isinstance(other, int):
            out = self
            for _ in range(other - 1):
                out = ops.mul(out, self)
            return out
        return ops.power_scalar(self, number(other))

    an_empty_tuple_is_no_shape = edit(
        "if len(shape) == 1 and isinstance(shape[0], (tuple, list, np.ndarray)):",
        "if isinstance(shape[0], (tuple, list)) and len(shape[0]):",
        target="tensor.Tensor.reshape",
    )
    """Chapter: «The shape () … is a shape like any other»: x.reshape(()) fails."""

    a_leaf_has_nothing_to_walk = edit(
        "if not self.requires_grad:",
        "if not self.requires_grad or self._op is None:",
        target="tensor.Tensor.backward",
    )
    """«Leave in every leaf the gradient of this tensor»: so in this one, if it is a leaf."""


class VARIETY:
    @mistake(target="ops.Summation.forward")
    def axes_are_summed_one_by_one_the_largest_first(self, a):
        """«A tuple of ints, negative too»: -3 is gone once another axis was summed."""
        if self.axes is None or isinstance(self.axes, int):
            return np.asarray(a.sum(axis=self.axes))
        for axis in sorted(self.axes, reverse=True):
            a = a.sum(axis=axis)
        return np.asarray(a)

    the_values_are_repeated_in_a_row = edit(
        "np.full(self.shape, a, a.dtype)",
        "np.resize(a, self.shape)",
        target="ops.BroadcastTo.forward",
    )
    """«By NumPy's rule»: a column is repeated to the right, not one value after another."""

    @mistake(target="ops.unbroadcast")
    def added_axes_or_stretched_axes_not_both(grad, shape):
        """«Axes added in front are summed away; axes stretched from 1 back to 1»: both at once."""
        if grad.shape == shape:
            return grad
        added = grad.ndim - len(shape)
        if added:
            return summation(grad, tuple(range(added)))
        return reshape(summation(grad, tuple(i for i, n in enumerate(shape) if n == 1)), shape)

    a_power_is_divided_by_its_base = edit(
        "out_grad * b * a ** (b - 1)", "out_grad * b * node / a", target="ops.Pow.backward"
    )
    """«d(aᵇ)/da = b·aᵇ⁻¹», which is 0 at a = 0 for b = 2, and not 0 / 0."""

    times_one_is_the_tensor_itself = edit(
        "return ops.mul_scalar(self, number(other))",
        "return self if number(other) == 1 else ops.mul_scalar(self, number(other))",
        target="tensor.Tensor.__mul__",
    )
    """«Each operator makes one node»: x * 1 is x itself, and what is written there shows in x."""

    the_absolute_value_is_the_root_of_the_square = body(
        "return np.sqrt(a * a)", target="ops.Abs.forward"
    )
    """«The absolute value»: 1e-200 squared is 0, 1e200 squared is infinite."""

    @instead(
        "earlier = arrived.get(id(source))", "arrived[id(source)]", target="bughunt.mended_backward"
    )
    def what_has_arrived_is_added_to_in_place(arrived, source, gradient):
        """«Every leaf ends with its gradient»: what one Add sends to two inputs is one Tensor."""
        if id(source) in arrived:
            arrived[id(source)].data += gradient.data
        else:
            arrived[id(source)] = gradient


class HALF_PROMISE:
    a_leaf_that_is_walked_from_keeps_the_callers_array = edit(
        (
            "np.array(total if node.grad is None else node.grad + total)",
            "total if node.grad is None else np.array(node.grad + total)",
        ),
        ("if source in arrived else gradient", "if source in arrived else gradient.copy()"),
        target="tensor.Tensor.backward",
    )
    """«Every leaf gets an array of its own»: changing it changes the one that was passed in."""

    the_logarithm_in_the_gradient_of_an_exponent_is_a_constant = edit(
        "log(a)", "log(a.detach())", target="ops.Pow.backward"
    )
    """«So that it can itself be differentiated»: d/da of aᵇ·log a lacks aᵇ⁻¹."""

    @mistake(target="ops.DivScalar.backward")
    def out_grad_is_divided_where_it_stands(self, out_grad, node):
        """«A backward leaves out_grad as it was»: it is divided where it stands."""
        out_grad.data /= self.scalar
        return out_grad


class RIGHT:
    @right("ops.MatMul.forward")
    def a_matrix_product_as_a_sum_of_outer_products(self, a, b):
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        out = np.zeros((*batch, a.shape[-2], b.shape[-1]), np.result_type(a, b))
        for k in range(a.shape[-1]):
            out += a[..., :, k, None] * b[..., None, k, :]
        return out

    @right("ops.MatMul.backward")
    def gradients_of_a_matrix_product_without_a_matrix_product(self, out_grad, node):
        a, b = node._inputs

        def widened(x, axis):
            return reshape(x, (*x.shape[: x.ndim + axis], 1, *x.shape[x.ndim + axis :]))

        grad_a = summation(widened(out_grad, -1) * widened(b, -2), -1)
        grad_b = summation(widened(a, 0) * widened(out_grad, -1), -3)
        return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)

    @right("ops.Transpose.backward")
    def a_permutation_undone_by_walking_its_cycles(self, out_grad, node):
        order = list(range(out_grad.ndim))
        if self.axes is None:
            order[-1], order[-2] = order[-2], order[-1]
            return transpose(out_grad, tuple(order))
        axes = [axis % len(order) for axis in self.axes]
        for start in range(len(order)):
            before, at = start, axes[start]
            while at != start:
                order[at], before, at = before, at, axes[at]
            order[start] = before
        return transpose(out_grad, tuple(order))

    @right("ops.Summation.backward")
    def a_sum_undone_by_a_product_with_ones(self, out_grad, node):
        (a,) = node._inputs
        ones = np.ones(a.shape, a.dtype)
        kept = ones.sum(axis=self.axes, keepdims=True).shape
        return reshape(out_grad, kept) * Tensor(ones, dtype=a.dtype, requires_grad=False)

    @right("ops.Sigmoid.forward")
    def sigmoid_on_each_side_of_zero_by_itself(self, a):
        out = np.empty_like(a)
        left = a < 0
        small = np.exp(a[left])
        out[left] = small / (1 + small)
        out[~left] = np.reciprocal(1 + np.exp(-a[~left]))
        return out

    @right("ops.Div.backward")
    def a_quotients_gradient_through_the_quotient(self, out_grad, node):
        _, b = node._inputs
        share = out_grad / b
        return share, -(share * node)

    tanhs_slope_as_a_product_of_two_distances = right(
        "ops.Tanh.backward", "return (1 - node) * out_grad * (1 + node)"
    )

    @right("tensor.Tensor.backward")
    def a_walk_that_counts_who_is_still_to_come(self, grad):
        if not self.requires_grad:
            return
        awaited, found = {self: 0}, [self]
        for node in found:
            for source in node._inputs:
                if source.requires_grad:
                    if source not in awaited:
                        awaited[source] = 0
                        found.append(source)
                    awaited[source] += 1
        if grad is None:
            grad = np.ones(self.shape)
        heard = {
            self: [np.array(grad.data if isinstance(grad, Tensor) else grad, dtype=self.dtype)]
        }
        ready = [self]
        while ready:
            node = ready.pop(0)
            total = np.array(sum(heard[node][1:], start=heard[node][0]))
            if node._op is None:
                node.grad = np.array(total if node.grad is None else total + node.grad)
                continue
            sent = node._op.backward(Tensor(total, dtype=total.dtype, requires_grad=False), node)
            for source, gradient in zip(node._inputs, sent if isinstance(sent, tuple) else (sent,)):
                if source.requires_grad:
                    heard.setdefault(source, []).append(
                        ops.unbroadcast(gradient, source.shape).data
                    )
                    awaited[source] -= 1
                    if not awaited[source]:
                        ready.append(source)

    @right("tensor.topological_order")
    def a_visit_with_a_stack_of_iterators(root):
        order, seen, path = [], {id(root)}, [(root, iter(root._inputs))]
        while path:
            node, rest = path[-1]
            source = next((each for each in rest if id(each) not in seen), None)
            if source is None:
                order.append(path.pop()[0])
            else:
                seen.add(id(source))
                path.append((source, iter(source._inputs)))
        return order

    @right("ops.BroadcastTo.forward")
    def broadcasting_as_a_sum_with_zeros(self, a):
        shape = tuple(self.shape)
        if a.ndim > len(shape) or np.broadcast_shapes(a.shape, shape) != shape:
            raise ValueError(f"{a.shape} does not fit {shape}")
        return np.zeros(shape, a.dtype) + a
