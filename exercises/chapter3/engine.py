"""The walk back through the graph: its mistakes are small changes to one plain walk."""

from grader.course import before, edit, exercise, instead, mistake

from .order import ORDER_OF
from .sentences import LAST_PATH, SHARED

ADDS_UP = "arrived[source] = arrived[source] + gradient if source in arrived else gradient"
REVERSED = (r"reversed\(\w+[()]", r"\[::-1\]", r"\.reverse\(\)")  # an order turned round


@exercise("chapter3.backward", targets=("tensor.Tensor.backward",), points=6, needs=())
class BACKWARD:
    """Two steps: put the graph in order, then walk it. In that order, each tensor comes after
    everything that it was made from; the walk goes from the end to the start.

    For the order: `topological_order(self)`, from its end. For the walk: a dict from `id` to what
    has arrived.

    Once you are at a tensor, all has arrived. A leaf adds it to its `.grad`; any other calls
    `_op.backward` once with it and adds each result to what has arrived at that input. One input
    gives a bare Tensor; make it a tuple first. Make new arrays, no `+=`.
    """

    def _walk(self, grad):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, inputs_are_done = stack.pop()
            if inputs_are_done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((source, False) for source in reversed(node._inputs))
        order.reverse()

        if grad is None:
            grad = np.ones(self.shape)
        if isinstance(grad, Tensor):
            grad = grad.data

        arrived = {id(self): grad}
        for node in order:
            total = arrived.get(id(node))
            if total is None or not node.requires_grad:
                continue
            if node._op is None:
                node.grad = np.array(total) if node.grad is None else node.grad + total
                continue
            gradients = node._op.backward(Tensor(total, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients):
                if id(source) in arrived:
                    arrived[id(source)] = arrived[id(source)] + gradient.data
                else:
                    arrived[id(source)] = gradient.data

    @instead(
        "if id(source) in arrived:", "arrived[id(source)] = gradient.data", of=_walk, says=LAST_PATH
    )
    def path_overwritten(arrived, source, gradient):
        arrived[id(source)] = gradient.data

    path_overwritten_in_order = edit(ADDS_UP, "arrived[source] = gradient", says=LAST_PATH)

    all_overwritten = edit(
        ("np.array(total if node.grad is None else node.grad + total)", "np.array(total)"),
        (ADDS_UP, "arrived[source] = gradient"),
    )
    """You replace where you should add: of two paths to a tensor only the last one counts, and a
    leaf loses what it held from an earlier call."""

    def grad_overwritten(self, grad):
        """You set `grad` where you should add to it: of two paths to a tensor only the last one
        counts, and a leaf loses what it held from an earlier call."""
        grad = np.ones(self.shape) if grad is None else grad
        self.grad = np.asarray(grad.data if isinstance(grad, Tensor) else grad, dtype=self.dtype)
        for node in reversed(topological_order(self)):
            if node._op is None:
                continue
            gradients = node._op.backward(Tensor(node.grad, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients):
                if source.requires_grad:
                    source.grad = gradient.data

    call_overwritten = edit(" if node.grad is None else node.grad + total", "", of=_walk)
    """A leaf that held a gradient from an earlier call lost it. A new call adds to it."""

    shared_array = edit("= arrived[id(source)] +", "+=", of=_walk, says=SHARED)

    @instead("arrived[source] =", says=SHARED)
    def shared_array_in_order(source, gradient, arrived):
        arrived.setdefault(source, gradient)
        if arrived[source] is not gradient:
            arrived[source] += gradient

    grad_shared = edit("np.array(total)", "total", of=_walk)
    """You stored the array that arrived without copying it. Another tensor may hold the same array,
    and what is written into one gradient then changes the other. Copy it: `np.array(…)`."""

    @instead("node.grad = np.array(total)", of=_walk)
    def grad_not_copied(node, total):
        """You stored the array that arrived without copying it, and later added to it in place. If
        another leaf holds the same array, its gradient changes, too."""
        if node.grad is None:
            node.grad = total
        else:
            node.grad += total

    def once_per_path(self, grad):
        """The gradients are right, but you walk every path to its end, so an op's backward runs
        once per path: in a ladder of ten diamonds a thousand times. Wait until all gradients of a
        node have arrived, then pass on their sum."""
        if grad is None:
            grad = np.ones(self.shape)
        if isinstance(grad, Tensor):
            grad = grad.data

        arrived, stack = dict(), [(self, grad)]
        while stack:
            node, total = stack.pop()
            if not node.requires_grad:
                continue
            if node._op is None:
                node.grad = np.array(total) if node.grad is None else node.grad + total
                continue
            gradients = node._op.backward(Tensor(total, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            stack.extend((source, g.data) for source, g in zip(node._inputs, gradients))

    @before(
        "gradients = node._op.backward(Tensor(total,",
        of=once_per_path,
        seen="https://github.com/sebgao/cTensor/issues/5",
    )
    def handed_on_again(arrived, node, total):
        """Each time a gradient arrives at a node, you pass on all that has arrived so far, so what
        came first is passed on twice. A node passes its gradient on once, after all its users
        have."""
        total = arrived[id(node)] = arrived.get(id(node), 0) + total

    def pre_order(self, grad):
        """A node enters your order before its inputs have been visited. That puts a tensor before
        some of its users, so it passes its gradient on too early. Add a node after its inputs, and
        reverse the order at the end."""
        order, seen, stack = [], set(), [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen.add(id(node))
                order.append(node)
                stack.extend(reversed(node._inputs))

        if grad is None:
            grad = np.ones(self.shape)
        if isinstance(grad, Tensor):
            grad = grad.data

        arrived = {id(self): grad}
        for node in order:
            total = arrived.get(id(node))
            if total is None or not node.requires_grad:
                continue
            if node._op is None:
                node.grad = np.array(total) if node.grad is None else node.grad + total
                continue
            gradients = node._op.backward(Tensor(total, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients):
                if id(source) in arrived:
                    arrived[id(source)] = arrived[id(source)] + gradient.data
                else:
                    arrived[id(source)] = gradient.data

    @instead(
        "order, seen, stack = [], set(), [self]",
        "stack.extend(reversed(node._inputs))",
        of=pre_order,
    )
    def breadth_first(self):
        """You go through the graph level by level. Where a short and a long path meet, the short
        one comes first, and the tensor passes its gradient on before the long one has arrived."""
        order, seen = [self], {id(self)}
        for node in order:
            for source in node._inputs:
                if id(source) not in seen:
                    seen.add(id(source))
                    order.append(source)

    @instead(
        "order, seen, stack = [], set(), [self]",
        "stack.extend(reversed(node._inputs))",
        of=pre_order,
    )
    def seen_too_late(self, node):
        """The gradients are right, but you ask whether you have seen a tensor only after you went
        to its inputs. So your visit follows every path, and with 40 diamonds in a row there are 2⁴⁰
        of them. Ask first."""
        order, seen = [], set()

        def visit(node):
            for source in node._inputs:
                visit(source)
            if id(node) not in seen:
                seen.add(id(node))
                order.append(node)

        visit(self)
        order.reverse()

    seen_never_filled = edit("seen.add(id(node))", "", of=_walk)
    """You ask whether a tensor was seen, but you never record that it was. It enters the order once
    per path, and each time passes on again what it passed on before."""

    @mistake(shown_by=r"(?<!_op)\.backward\([^,()]*\)")
    def recursive_calls(self, grad):
        """You call `backward` of the inputs from within `backward`, so a node passes its gradient
        on each time something arrives, along every path again: the draft of the bug hunt, 3.13,
        does the same. Make the order first; then let every node pass its gradient on once, after
        all its users have."""
        if grad is None:
            grad = Tensor(np.ones(self.shape), dtype=self.dtype)
        self.grad = grad.data if self.grad is None else self.grad + grad.data
        if self._op is None:
            return
        gradients = self._op.backward(grad, self)
        if isinstance(gradients, Tensor):
            gradients = (gradients,)
        for source, gradient in zip(self._inputs, gradients):
            source.backward(gradient)

    def recursive_walk(self, grad):
        """You go down to the inputs as soon as one gradient has arrived, and pass on all that
        `grad` holds by then. So what came first is passed on twice: this is the draft of the bug
        hunt. Put the tensors in order first, then let each pass its gradient on once."""
        if grad is None:
            grad = np.ones(self.shape)
        if isinstance(grad, Tensor):
            grad = grad.data

        def walk(node, grad):
            if not node.requires_grad:
                return
            node.grad = np.array(grad if node.grad is None else node.grad + grad)
            if node._op is None:
                return
            gradients = node._op.backward(Tensor(node.grad, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients):
                walk(source, gradient.data)

        walk(self, grad)

    def two_inputs(self, grad):
        """You visit the first two inputs of an op. An op may have three or more, and what made the
        third one has to come into the order too."""
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, inputs_are_done = stack.pop()
            if inputs_are_done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((source, False) for source in reversed(node._inputs[:2]))
        order.reverse()
        if grad is None:
            grad = np.ones(self.shape)
        if isinstance(grad, Tensor):
            grad = grad.data
        arrived = {id(self): grad}
        for node in order:
            total = arrived.get(id(node))
            if total is None or not node.requires_grad:
                continue
            if node._op is None:
                node.grad = np.array(total)
                continue
            gradients = node._op.backward(Tensor(total, dtype=node.dtype), node)
            if isinstance(gradients, Tensor):
                gradients = (gradients,)
            for source, gradient in zip(node._inputs, gradients):
                if source._op is None and source.requires_grad:
                    held = source.grad
                    source.grad = np.array(gradient.data if held is None else held + gradient.data)
                    continue
                if id(source) in arrived:
                    arrived[id(source)] = arrived[id(source)] + gradient.data
                else:
                    arrived[id(source)] = gradient.data

    @instead(
        "held = 0 if node.grad", edits=(("node.grad = np.array(total)", "held = 0"),), of=_walk
    )
    def tensor_grad(node, total):
        """The gradients are right, but you leave Tensors in `grad`. It is an ndarray: with a
        Tensor, `w.data - 0.5 * w.grad` in a training loop makes a Tensor of `w.data`."""
        held = 0 if node.grad is None else node.grad.data
        node.grad = Tensor(held + total, dtype=node.dtype)

    not_reversed = edit("order.reverse()", "", of=_walk, lacks=REVERSED)
    """You start with the leaves. The gradient starts at the output: the order has to be
    reversed."""

    local_only = edit("total,", "np.ones(node.shape),", of=_walk, has=(r"(?s)ones.{1,999}ones",))
    """You call every op's backward with ones. It needs the gradient that arrived at its output;
    without it, each result is the derivative of one step, not of the whole chain."""

    @instead("for source, gradient in", "arrived[id(source)] = gradient.data", of=_walk)
    def same_input_once(node, gradients, arrived):
        """If an op takes the same tensor twice, as `x * x` does, you keep only one of the two
        gradients."""
        handed = {id(s): g.data for s, g in zip(node._inputs, gradients)}
        for key, g in handed.items():
            arrived[key] = arrived[key] + g if key in arrived else g

    @instead("if id(source) in arrived:", "arrived[id(source)] = gradient.data", of=_walk)
    def number_rebound(arrived, source, gradient):
        """For an array, `held += …` changes the array. For a single number it makes a new number
        and binds the name `held` to it: what you stored stays as it was. Store the sum."""
        if id(source) in arrived:
            held = arrived[id(source)]
            held += gradient.data
        else:
            arrived[id(source)] = gradient.data * 1.0

    @instead("if grad is None:", "arrived = {id(self): grad}", of=_walk)
    def grad_ignored(self):
        """You start from ones even if a `grad` is given."""
        grad = np.ones(self.shape)
        arrived = {id(self): grad}

    one_number = edit("self.shape", "()", of=_walk)
    """Without `grad` you start from a single 1. The start has the shape of the output: one 1 for
    each of its values."""

    @before("if grad is None:", of=_walk)
    def scalar_only(self, grad):
        """PyTorch refuses here, but this course's `backward` starts from ones, whatever the
        shape."""
        if grad is None and self.shape != ():
            raise RuntimeError("grad can be created only for a scalar")

    @instead("if grad is None:", "arrived = {id(self): grad}", of=_walk)
    def array_refused(self, grad):
        """You expect `grad` to be a Tensor. It may also be an ndarray."""
        grad = np.ones(self.shape) if grad is None else grad.numpy()
        arrived = {id(self): grad}

    constants_too = edit(" or not node.requires_grad", "", of=_walk)
    """You also leave gradients in tensors with `requires_grad=False`; theirs stays None."""

    bare_tensor = edit(
        ("if isinstance(gradients, Tensor):", ""), ("gradients = (gradients,)", ""), of=_walk
    )
    """An op with one input returns a bare Tensor, not a tuple, and a Tensor can't be looped
    over."""


EXERCISES = (ORDER_OF, BACKWARD)
