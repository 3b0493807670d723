"""Wrong bodies of chapter 11 written without knowledge of its suites, and unusual right ones."""

from grader.course import before, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="engines.grad_fn.CrossEntropyBackward.backward")
    def the_kept_slope_is_scaled_in_place(self, gradient):
        """A rule only answers: asked twice, it answers the same. The kept slope is scaled in
        place."""
        (logits,) = self.inputs
        if not hasattr(self, "slope"):
            rows = np.arange(len(self.labels))
            powers = np.exp(logits.data - logits.data.max(axis=1, keepdims=True))
            self.slope = powers / powers.sum(axis=1, keepdims=True)
            self.slope[rows, self.labels] -= 1
            self.slope /= len(rows)
        self.slope *= gradient
        return (self.slope,)

    @mistake(target="engines.grad_fn.visits")
    def counted_once_for_all_that_print_the_same(root):
        """How often a rule is asked from *this* root: two graphs may print the same."""
        known = visits.__dict__.setdefault("known", {})
        if root.grad_fn is None or not root.requires_grad:
            return 0
        if repr(root) not in known:
            known[repr(root)] = 1 + sum(visits(source) for source in root.grad_fn.inputs)
        return known[repr(root)]

    @before(
        "start = np.ones_like(root.data)",
        edits=(
            (
                "stack = [(root, False)]",
                'stack = [] if hasattr(root, "_order") else [(root, False)]',
            ),
        ),
        target="engines.grad_fn.backward_in_order",
    )
    def the_order_of_the_first_walk_is_kept(order, root):
        """A Tensor that requires no gradient keeps None: the order of the first walk is kept."""
        order = root.__dict__.setdefault("_order", order)

    @instead("context = Context(cls, tensors)", target="engines.apply.Function.apply")
    def a_Context_for_each_shape(cls, options, tensors):
        """«A new Context is made for each call»: calls with the same shapes and options share
        one."""
        kept = cls.__dict__.get("contexts")
        if kept is None:
            kept = cls.contexts = {}
        key = tuple(tensor.shape for tensor in tensors), str(options)
        context = kept.setdefault(key, Context(cls, tensors))
        context.inputs = tensors

    the_callers_array_becomes_the_gradient = edit(
        "self.grad = np.array(start, dtype=np.float64)",
        "self.grad = np.asarray(start, dtype=np.float64)",
        target="engines.closure.Tensor.backward",
    )
    """It sets grad: the caller's array becomes grad, and the next walk adds into it."""


class SETTING:
    @mistake(target="engines.grad_fn.unbroadcast")
    def in_front_or_stretched(gradient, shape):
        """Axes in front are summed away *and* stretched ones are summed: only one of the two is
        done."""
        front = gradient.ndim - len(shape)
        if front:
            return gradient.sum(axis=tuple(range(front)))
        stretched = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.sum(axis=stretched, keepdims=True)

    @mistake(target="engines.apply.Sum.backward")
    def lost_axes_are_put_back_one_after_the_other(ctx, gradient):
        """Negative axes too, in a tuple and in any order: each is put back by itself here."""
        if ctx.axis is not None and not ctx.keepdims:
            for axis in np.atleast_1d(ctx.axis):
                gradient = np.expand_dims(gradient, int(axis))
        return np.broadcast_to(gradient, ctx.shape)

    it_starts_from_a_one_without_axes = edit(
        "gradient = np.ones_like(self.data)",
        "gradient = np.ones((), self.data.dtype)",
        target="engines.apply.Tensor.backward",
    )
    """grad has the shape of data: for one element of the shape (1, 1) it starts without axes."""

    only_an_array_stands_for_a_tuple_of_one = edit(
        "gradients = found if isinstance(found, tuple) else (found,)",
        "gradients = (found,) if isinstance(found, np.ndarray) else found",
        target="engines.apply.Tensor.backward",
    )
    """«or the NumPy number that an array without axes turns into»: only arrays are wrapped."""

    @instead("for each, row in", "each.grad += row", target="engines.closure.stack")
    def rows_have_at_least_one_axis(tensors, out):
        """Tensors of *one shape* are stacked, numbers too: a row of these has no axis to index."""
        for number, each in enumerate(tensors):
            each.grad += out.grad[number, :]

    gradients_become_floats = edit(
        "[each.grad for each in leaves]",
        "[float(each.grad) for each in leaves]",
        target="zoo.gradients_of",
    )
    """«a number or an array»: an array's gradient is no float."""


class VARIETY:
    @mistake(target="zoo.gradients_of")
    def a_leaf_for_each_different_number(leaf, expression, numbers):
        """Each of the numbers becomes a leaf of its own: equal ones share one."""
        made = {}
        leaves = [made.setdefault(str(number), leaf(number)) for number in numbers]
        expression(*leaves).backward()
        return [each.grad for each in leaves]

    @mistake(target="engines.grad_fn.backward_in_order")
    def the_nearest_come_first(root, gradient):
        """Every rule after *all* that was made of its Tensor: a path around it may be longer."""
        order, queue, seen = [], [root] if root.requires_grad else [], {id(root)}
        while queue:
            node = queue.pop(0)
            order.append(node)
            for source in node.grad_fn.inputs if node.grad_fn else ():
                if source.requires_grad and id(source) not in seen:
                    seen.add(id(source))
                    queue.append(source)

        start = (
            np.ones_like(root.data) if gradient is None else np.array(gradient, dtype=np.float64)
        )
        arrived = {id(root): start}
        for node in order:
            total = arrived.pop(id(node))
            node.grad = np.array(total) if node.grad is None else node.grad + total
            if node.grad_fn is None:
                continue
            for source, handed in zip(
                node.grad_fn.inputs, node.grad_fn.backward(total), strict=True
            ):
                earlier = arrived.get(id(source))
                arrived[id(source)] = handed if earlier is None else earlier + handed

    the_first_input_says_whether = edit(
        "any(tensor.requires_grad for tensor in tensors)",
        "tensors[0].requires_grad",
        target="engines.apply.Function.apply",
    )
    """«where any input does»: the first one speaks for all."""

    @mistake(target="engines.grad_fn.SigmoidBackward.backward")
    def the_slope_from_the_input(self, gradient):
        """s · (1 - s) of the result: from the input, a power overflows, and inf / inf is nan."""
        (a,) = self.inputs
        power = np.exp(-a.data)
        return (gradient * power / (1 + power) ** 2,)

    an_input_that_is_used_twice_is_visited_once = edit(
        "for source in root.grad_fn.inputs)",
        "for source in dict.fromkeys(root.grad_fn.inputs))",
        target="engines.grad_fn.visits",
    )
    """Recursion asks a rule once per *path*: a Tensor that is used twice by one node counts
    twice."""


class HALF_PROMISE:
    @instead("node.grad = np.array(total)", target="engines.apply.Tensor.backward")
    def a_later_gradient_is_added_in_place(node, total):
        """«a later one is added to a copy»: whoever took grad before sees it change."""
        if node.grad is None:
            node.grad = np.array(total)
        else:
            node.grad += total

    @mistake(target="engines.grad_fn.visits")
    def it_clears_what_it_visits(root):
        """«no grad changes»: they are forgotten on the way."""
        if root.grad_fn is None or not root.requires_grad:
            return 0
        root.grad = None
        return 1 + sum(visits(source) for source in root.grad_fn.inputs)

    the_start_is_added_to_what_is_there = edit(
        "self.grad = np.array(start, dtype=np.float64)",
        "self.grad = self.grad + np.asarray(start, dtype=np.float64)",
        target="engines.closure.Tensor.backward",
    )
    """«sets grad to gradient»: what the Tensor held from an earlier walk is added."""

    the_loss_is_asked_for_after_the_step = edit(
        "return float(loss.data)",
        "return float(cross_entropy(model(Tensor(x)), y).data)",
        target="engines.grad_fn.train_step",
    )
    """«the loss before the step»: it is computed once more, with the new weights."""

    @mistake(target="engines.grad_fn.MulBackward.backward")
    def only_what_was_put_in_front_is_summed(self, gradient):
        """Each in the shape of its own input: a row that was stretched down comes back too
        large."""
        a, b = self.inputs

        def back(part, shape):
            while part.ndim > len(shape):
                part = part.sum(axis=0)
            return part

        return back(gradient * b.data, a.shape), back(gradient * a.data, b.shape)


class RIGHT:
    @right("engines.grad_fn.unbroadcast")
    def folded_until_it_fits(gradient, shape):
        padded = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
        for axis in reversed(range(gradient.ndim)):
            if padded[axis] == 1:
                gradient = np.add.reduce(gradient, axis=axis, keepdims=True)
        return np.reshape(gradient, shape)

    @right("engines.grad_fn.backward_in_order")
    def nobody_is_asked_before_its_users_are_counted_off(root, gradient):
        if not root.requires_grad:
            root = Tensor(0.0, requires_grad=True)

        def sources(node):
            return node.grad_fn.inputs if node.grad_fn is not None else ()

        users, found = {}, [root]
        for node in found:
            for source in sources(node):
                if not source.requires_grad:
                    continue
                if id(source) not in users:
                    users[id(source)] = 0
                    found.append(source)
                users[id(source)] += 1

        first = np.ones(root.shape) if gradient is None else np.array(gradient, dtype=np.float64)
        waiting, ready = {id(root): first}, [root]
        while ready:
            node = ready.pop()
            total = waiting.pop(id(node))
            node.grad = np.array(total + (0.0 if node.grad is None else node.grad))
            parts = node.grad_fn.backward(total) if node.grad_fn is not None else ()
            for source, part in zip(sources(node), parts):
                if source.requires_grad:
                    waiting[id(source)] = waiting.get(id(source), 0.0) + part
                    users[id(source)] -= 1
                    if not users[id(source)]:
                        ready.append(source)

    @right("engines.grad_fn.visits")
    def paths_are_counted_not_walked(root):
        known, stack = {}, [root]
        while stack:
            node = stack[-1]
            inner = node.grad_fn.inputs if node.requires_grad and node.grad_fn is not None else None
            if id(node) in known:
                stack.pop()
            elif inner is None:
                known[id(node)] = 0
            elif all(id(each) in known for each in inner):
                known[id(node)] = 1 + sum(known[id(each)] for each in inner)
            else:
                stack.extend(each for each in inner if id(each) not in known)
        return known[id(root)]

    @right("engines.apply.Sum.backward")
    def ones_in_the_shape_that_was(ctx, gradient):
        size = len(ctx.shape)
        axes = range(size) if ctx.axis is None else np.atleast_1d(ctx.axis)
        gone = {int(axis) % size for axis in axes}
        kept = [1 if axis in gone else length for axis, length in enumerate(ctx.shape)]
        return np.ones(ctx.shape, gradient.dtype) * np.reshape(gradient, kept)

    @right("engines.apply.Tensor.backward")
    def the_pieces_are_added_up_at_the_end(self, gradient):
        if not self.requires_grad:
            return
        if gradient is None and self.data.size != 1:
            raise ValueError("from where?")
        start = np.ones_like(self.data) if gradient is None else np.asarray(gradient)
        parts = {id(self): [start]}
        order = topological_order(self)
        while order:
            node = order.pop()
            mine = parts.pop(id(node), [])
            if not mine or not node.requires_grad:
                continue
            total = mine[0]
            for part in mine[1:]:
                total = total + part
            made = node._creator
            if made is None:
                old = [] if node.grad is None else [node.grad]
                node.grad = np.array(sum(old, total))
            else:
                answer = made.function.backward(made, total)
                if type(answer) is not tuple:
                    answer = (answer,)
                for source, part in zip(made.inputs, answer, strict=True):
                    if part is not None:
                        parts.setdefault(id(source), []).append(part)

    @right("engines.closure.Tensor.__matmul__")
    def products_by_their_indices(self, other):
        out = Tensor(np.einsum("mk,kn->mn", self.data, other.data), _prev=[self, other])

        def push(a=self, b=other):
            parts = (
                np.einsum("mn,kn->mk", out.grad, b.data),
                np.einsum("mk,mn->kn", a.data, out.grad),
            )
            for each, part in zip((a, b), parts):
                each.grad = each.grad + part

        out._backward = push
        return out
