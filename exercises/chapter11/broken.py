"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, broken, edit, instead, mistake

ASKS = "for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True)"
FOUND = "found if isinstance(found, tuple) else (found,)"


@broken("engines.grad_fn.Tensor.__init__")
class GRAD_FN_TENSOR_INIT:
    numbers_lists_or_an_ndarray = edit(
        "np.array(data, dtype=np.float64)", "data.astype(np.float64)"
    )
    """numbers, lists or an ndarray."""

    requires_grad_and_grad_fn_are_kept = edit(
        "self.requires_grad = requires_grad", "self.requires_grad = grad_fn is None"
    )
    """`requires_grad` and `grad_fn` are kept as they are given."""


@broken("engines.grad_fn.unbroadcast")
class GRAD_FN_UNBROADCAST:
    axes_that_broadcasting_put = edit("gradient.sum(axis=tuple", "gradient.mean(axis=tuple")
    """Axes that broadcasting put in front are summed away;"""

    axes_of_length = edit("gradient.sum(axis=stretched", "gradient.mean(axis=stretched")
    """axes of length 1 that it stretched are summed and kept."""


@broken("engines.grad_fn.Tensor.backward")
class GRAD_FN_TENSOR_BACKWARD:
    without_it_ones = edit("np.ones_like", "np.zeros_like")
    """without it, ones."""

    a_tensor_that_requires_no = edit(
        "not self.requires_grad", "not self.requires_grad and self.grad_fn is not None"
    )
    """A Tensor that requires no gradient keeps `grad` None,"""

    def nothing_is_passed_on(self, gradient):
        """and nothing is passed on to it."""
        arrived = np.ones_like(self.data) if gradient is None else np.asarray(gradient, np.float64)
        if self.requires_grad:
            self.grad = np.array(arrived) if self.grad is None else self.grad + arrived
        if self.grad_fn is None:
            return
        for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived), strict=True):
            source.backward(handed)

    then_grad_fn = edit(
        ASKS, "for source, handed in [(source, arrived) for source in self.grad_fn.inputs]"
    )
    """Then `grad_fn`,"""

    where_there_is_one = edit(
        ASKS, "for source, handed in zip(self.grad_fn.inputs[:1], self.grad_fn.backward(arrived))"
    )
    """where there is one, is asked for one gradient per input,"""

    backward_of_each_input = edit(
        ASKS, "for source, handed in zip(self.grad_fn.inputs, self.grad_fn.backward(arrived)[::-1])"
    )
    """and `backward` of each input is called with its own."""

    @after(
        "arrived = np.ones_like(self.data)",
        edits=(
            (
                "self.grad_fn.backward(arrived)",
                "self.grad_fn.backward(arrived if before is None else before)",
            ),
        ),
    )
    def every_input_gets_what_arrived(self):
        """Every input gets what arrived just now,"""
        before = self.grad

    not_the_sum_of_all = edit("self.grad_fn.backward(arrived)", "self.grad_fn.backward(self.grad)")
    """not the sum of all that has arrived."""


@broken("engines.grad_fn.Tensor")
class GRAD_FN_TENSOR:
    grad_fn_the_backwardfunction = edit(
        "self.grad_fn = grad_fn",
        "self.grad_fn = grad_fn and type(grad_fn)",
        target="engines.grad_fn.Tensor.__init__",
    )
    """grad_fn: the `BackwardFunction` that made it;"""


@broken("engines.grad_fn.visits")
class GRAD_FN_VISITS:
    def nothing_is_computed(root):
        """Nothing is computed,"""
        if root.grad_fn is None or not root.requires_grad:
            return 0
        root.grad_fn.backward(np.ones_like(root.data))
        return 1 + sum(visits(source) for source in root.grad_fn.inputs)

    def no_grad_changes(root):
        """and no `grad` changes."""
        if root.grad_fn is None or not root.requires_grad:
            return 0
        root.grad = np.zeros_like(root.data)
        return 1 + sum(visits(source) for source in root.grad_fn.inputs)


@broken("engines.grad_fn.backward_in_order")
class GRAD_FN_BACKWARD_IN_ORDER:
    def a_rule_is_asked_after(root, gradient):
        """A rule is asked after everything that was made from its Tensor has passed on…"""
        start = np.ones_like(root.data) if gradient is None else np.array(gradient)
        arrived, queue = {id(root): start}, [root]
        for node in queue:
            total = arrived[id(node)]
            node.grad = np.array(total) if node.grad is None else node.grad + total
            if node.grad_fn is None:
                continue
            for source, handed in zip(node.grad_fn.inputs, node.grad_fn.backward(total)):
                if source.requires_grad and id(source) not in arrived:
                    queue.append(source)
                if source.requires_grad:
                    arrived[id(source)] = arrived.get(id(source), 0.0) + handed

    gets_the_sum = edit("handed if earlier is None else earlier + handed", "handed")
    """and gets the sum."""


@broken("engines.apply.Function.apply")
class APPLY_FUNCTION_APPLY:
    def call_forward(cls, *inputs, **options):
        """Call `forward`,"""
        tensors = tuple(as_tensor(value) for value in inputs)
        context = Context(cls, tensors)
        data = tensors[0].data + 0.0
        cls.forward(context, *(tensor.data for tensor in tensors), **options)
        needed = any(tensor.requires_grad for tensor in tensors)
        return Tensor(np.asarray(data), needed, context if needed else None)

    wrap_what_it_returns = edit("np.asarray(data)", "np.zeros_like(data)")
    """and wrap what it returns."""

    forward_gets_the_context = edit("tensor.data for tensor", "tensors[0].data for _")
    """`forward` gets the Context, the `data` of every input,"""

    options_as_keyword_arguments = edit(", **options", "")
    """and `options` as keyword arguments."""

    the_result_requires_a_gradient = edit(
        "any(tensor.requires_grad for tensor in tensors)", "tensors[0].requires_grad"
    )
    """The result requires a gradient where any input does,"""

    else_its_creator_is_none = edit("context if needed else None", "context")
    """else its `_creator` is None."""


@broken("engines.apply.Mul.forward")
class APPLY_MUL_FORWARD:
    the_product_it_saves_both = edit("return a * b", "return a + b")
    """The product; it saves both inputs."""


@broken("engines.apply.Tanh.forward")
class APPLY_TANH_FORWARD:
    the_value_it_saves_what = edit("return out", "return a")
    """The value; it saves what it made."""


@broken("engines.apply.Tanh.backward")
class APPLY_TANH_BACKWARD:
    d_tanh_a_da_t = edit("1 - out", "1 + out")
    """d(tanh a)/da = 1 - t²,"""

    where_t_is_the_result = edit("(out,) = ctx.saved", "out = ctx.inputs[0].data")
    """where t is the result."""


@broken("engines.apply.Sum.forward")
class APPLY_SUM_FORWARD:
    a_sum_no_values = edit("a.sum(", "a.mean(")
    """`a.sum(axis, keepdims=keepdims)`; no values of `a`…"""


@broken("engines.apply.Tensor.backward")
class APPLY_TENSOR_BACKWARD:
    what_is_no_tuple_stands = edit(
        FOUND, "found if isinstance(found, (tuple, np.ndarray)) else (found,)"
    )
    """what is no tuple stands for a tuple of one: an array,"""

    the_numpy_number = edit(FOUND, "(found,) if isinstance(found, np.ndarray) else found")
    """or the NumPy number that an array without axes turns into."""

    @instead("node.grad = np.array(total)")
    def the_first_gradient_to_arrive(node, total):
        """the first gradient to arrive is copied, a later one is added to a copy,"""
        if node.grad is None:
            node.grad = np.array(total)
        else:
            node.grad += total


@broken("engines.closure.stack")
class CLOSURE_STACK:
    tensors_of_one_shape = edit("for each in tensors])", "for each in tensors], axis=-1)")
    """Tensors of one shape as the rows of a new one, along a new first axis."""


@broken("engines.closure.Tensor.backward")
class CLOSURE_TENSOR_BACKWARD:
    to_ones_without = edit("np.ones_like", "np.zeros_like")
    """or to ones without it."""


@broken("engines.closure.Tensor")
class CLOSURE_TENSOR:
    @mistake(target="engines.closure.Tensor.backward")
    def the_walk_does_not_look(self, gradient):
        """The walk does not look at it"""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        for node in reversed(topological_order(self)):
            node._backward()
            if not node.requires_grad:
                node.grad = np.zeros_like(node.data)

    @mistake(target="engines.closure.Tensor.backward")
    def fills_every_grad(self, gradient):
        """and fills every `grad`."""
        start = np.ones_like(self.data) if gradient is None else gradient
        self.grad = np.array(start, dtype=np.float64)
        for node in reversed(topological_order(self)):
            node._backward()
            if node._prev and node is not self:
                node.grad = np.zeros_like(node.data)
