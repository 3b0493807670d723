"""Engines that are almost right."""

from grader.course import edit, instead, mistake

APPLY = "engines.apply.Function.apply"
APPLY_BACK = "engines.apply.Tensor.backward"
SUM_BACK = "engines.apply.Sum.backward"
CLOSURE = "engines.closure.Tensor.backward"
CLOSURE_MUL = "engines.closure.Tensor.__mul__"
BACK = "engines.grad_fn.Tensor.backward"
IN_ORDER = "engines.grad_fn.backward_in_order"
LOSS_BACK = "engines.grad_fn.CrossEntropyBackward.backward"
STEP = "engines.grad_fn.train_step"
SET = "self.grad = np.array(start, dtype=np.float64)"


class SUBTLE:
    only_the_first_input_may_ask_for_a_gradient = edit(
        "any(tensor.requires_grad for tensor in tensors)", "tensors[0].requires_grad", target=APPLY
    )
    results_in_float32 = edit(
        "Tensor(np.asarray(data), needed",
        "Tensor(np.asarray(data, np.float32), needed",
        target=APPLY,
    )
    scalars_in_float32 = edit(
        "np.asarray(data)", "data if data.ndim else float(data)", target=APPLY
    )

    @instead("arrived[id(source)]", target=APPLY_BACK)
    def parts_that_are_added_where_they_lie(earlier, arrived, source, handed):
        if earlier is None:
            arrived[id(source)] = handed
        else:
            earlier += handed

    one_number_is_no_axes = edit("self.data.size != 1", "self.data.ndim != 0", target=APPLY_BACK)
    a_sum_spread_in_float32 = edit(
        "np.broadcast_to(gradient, ctx.shape)",
        "np.broadcast_to(gradient, ctx.shape).astype(np.float32)",
        target=SUM_BACK,
    )
    the_largest_of_all_logits = edit(
        "logits.data.max(axis=1, keepdims=True)", "logits.data.max()", target=LOSS_BACK
    )
    a_gradient_summed_in_float32 = edit(
        "return gradient.sum(axis=stretched, keepdims=True)",
        "return gradient.sum(axis=stretched, keepdims=True).astype(np.float32)",
        target="engines.grad_fn.unbroadcast",
    )
    the_roots_grad_is_added_to = edit(SET, SET.replace(" = ", " += "), target=CLOSURE)

    @mistake(target=CLOSURE)
    def the_roots_grad_is_kept_where_there_is_one(self, gradient):
        start = np.ones_like(self.data) if gradient is None else gradient
        if not self.grad.any():
            self.grad = np.array(start, dtype=np.float64)
        for node in reversed(topological_order(self)):
            node._backward()

    no_numbers_for_factors = edit("other = as_tensor(other)", "", target=CLOSURE_MUL)
    gradients_in_float32 = edit(
        "np.asarray(gradient, np.float64)", "np.asarray(gradient, np.float32)", target=BACK
    )
    the_sum_is_handed_on = edit(
        "self.grad_fn.backward(arrived)", "self.grad_fn.backward(self.grad)", target=BACK
    )
    the_first_array_is_kept = edit("np.array(arrived) if", "arrived if", target=BACK)
    a_start_in_float32 = edit(
        "np.array(gradient, dtype=np.float64)",
        "np.array(gradient, dtype=np.float32)",
        target=IN_ORDER,
    )
    gradients_of_zeros_for_none = edit(
        "parameter.grad = None",
        "parameter.grad = np.zeros_like(parameter.data) + 1e-3",
        target=STEP,
    )

    @instead("for node in reversed(order):", "total = arrived.pop(id(node))", target=IN_ORDER)
    def leaves_are_handed_their_sums_by_backward(order, arrived):
        for node in reversed(order):
            total = arrived.pop(id(node))
            if node.grad_fn is None:
                node.backward(total)
                continue

    @mistake(target=CLOSURE)
    def leaves_that_nobody_learns_are_left_out(self, gradient):
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        order = topological_order(self)
        held = [(n, n.grad) for n in order if not (n.requires_grad or n._prev)]
        for node in reversed(order):
            node._backward()
        for node, grad in held:
            node.grad = grad

    visits_a_constant_that_has_a_rule = edit(
        " or not root.requires_grad", "", target="engines.grad_fn.visits"
    )
