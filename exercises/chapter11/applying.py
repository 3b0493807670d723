"""Engine 2, `Function.apply`: the call, and the walk."""

from grader.course import edit, exercise, instead

from .sentences import KEPT_AS_IT_WAS, REVERSED, STORED


@exercise("chapter11.apply.apply", targets=("engines.apply.Function.apply",), points=3)
class APPLY:
    """Four things: Tensors out of the inputs, a Context, a call of `cls.forward`, a Tensor.

    `cls.forward(context, *arrays, **options)`: one array per input, and every keyword.

    Whether a gradient is needed decides about two things of the result. `np.asarray` keeps the
    dtype of what `forward` returns.
    """

    tensors_to_forward = edit(
        ("(tensor.data for tensor in tensors)", "tensors"),
        ("tensor.requires_grad for tensor", "t.requires_grad for t"),
    )
    """You hand the Tensors themselves to `forward`. It works on arrays: their `data`."""

    options_dropped = edit(
        ("(tensor.data for tensor in tensors), **options", "(t.data for t in tensors)"),
        ("tensor.requires_grad for tensor", "t.requires_grad for t"),
    )
    """The keyword arguments do not reach `forward`: pass them on, `**options`."""

    never_required = edit(
        ("tensor.data for tensor", "t.data for t"),
        ("any(tensor.requires_grad for tensor in tensors)", "False"),
    )
    """Your result never requires a gradient. It does where any input does."""

    always_required = edit(
        ("tensor.data for tensor", "t.data for t"),
        ("any(tensor.requires_grad for tensor in tensors)", "True"),
    )
    """Your result always requires a gradient, also where no input does: constants would drag a
    graph along."""

    all_instead_of_any = edit(
        ("tensor.data for tensor", "t.data for t"),
        (
            "any(tensor.requires_grad for tensor in tensors)",
            "all(t.requires_grad for t in tensors)",
        ),
    )
    """You ask for *all* inputs to require a gradient. One is enough."""

    creator_forgotten = edit(
        ("tensor.data for tensor", "t.data for t"),
        ("tensor.requires_grad for tensor", "t.requires_grad for t"),
        ("context if needed else ", ""),
        has=(r"\bContext\(",),
    )
    """The result does not know its Context: `_creator` is None, and the walk ends there."""

    def one_context_for_all(cls, *inputs, **options):
        """You keep one Context for the operation. The second call writes over what the first had
        saved; every call needs its own."""
        tensors = tuple(as_tensor(value) for value in inputs)
        if not hasattr(cls, "_context"):
            cls._context = Context(cls, tensors)
        context = cls._context
        data = cls.forward(context, *(t.data for t in tensors), **options)
        needed = any(t.requires_grad for t in tensors)
        return Tensor(np.asarray(data), needed, context if needed else None)


@exercise(
    "chapter11.apply.backward", targets=("engines.apply.Tensor.backward",), points=4, minutes=20
)
class BACKWARD:
    """It is `backward_in_order` once more: a dict of what has arrived, and the nodes from the last
    to the first.

    `node._creator` has all that you need: `.inputs`, and `.function`, whose `backward` takes the
    Context and the sum.

    What comes back may be one array instead of a tuple, and may hold None.
    """

    def _plain(self, gradient):
        if not self.requires_grad:
            return
        if gradient is None:
            if self.data.size != 1:
                raise ValueError("a gradient is needed")
            gradient = np.ones_like(self.data)
        arrived = {id(self): np.asarray(gradient)}
        for node in reversed(topological_order(self)):
            total = arrived.pop(id(node), None)
            if total is None or not node.requires_grad:
                continue
            if node._creator is None:
                node.grad = np.array(total) if node.grad is None else node.grad + total
                continue
            context = node._creator
            found = context.function.backward(context, total)
            gradients = found if isinstance(found, tuple) else (found,)
            for source, handed in zip(context.inputs, gradients):
                if handed is None:
                    continue
                earlier = arrived.get(id(source))
                arrived[id(source)] = handed if earlier is None else earlier + handed

    @instead("if self.data.size != 1:", 'raise ValueError("a gradient is needed")', of=_plain)
    def no_value_error():
        """You start a Tensor with several elements from ones, silently. Most often somebody forgot
        a `sum`; raise ValueError."""
        pass

    raises_for_constants = edit(
        "return", 'raise ValueError("no gradient is required here")', of=_plain
    )
    """Where no gradient is required there is nothing to do, and nothing to complain about:
    return."""

    @instead(
        "earlier = arrived.get(id(source))",
        "arrived[id(source)] = handed",
        edits=((" if earlier is None else earlier + handed", ""),),
        of=_plain,
    )
    def keeps_the_last(arrived, source, handed):
        """What arrives at an input replaces what had arrived before. Add the two."""
        arrived[id(source)] = handed

    overwrites = edit(
        " if node.grad is None else node.grad + total", "", of=_plain, lacks=(KEPT_AS_IT_WAS,)
    )
    """You set `grad`. What a leaf holds from an earlier walk has to stay; add to it."""

    not_copied = edit("np.array(total)", "total", of=_plain)
    """The first gradient is stored as it came. One array may reach several leaves: change one's
    `grad` in place, and the others change with it. Copy it."""

    not_stored = edit("node.grad = np.array(total)", "total = total", of=_plain, lacks=(STORED,))
    """You worked the sum out and did not put it into `node.grad`. Nothing is left of it."""

    @instead("if handed is None:", "continue", of=_plain)
    def none_not_expected():
        """A `backward` may return None for an input. Nothing arrives there: go on to the next."""
        pass

    wrong_way = edit(("reversed(", ""), ("(self))", "(self)"), of=_plain, lacks=(REVERSED,))
    """You go from the leaves to the result. Nothing has arrived at a leaf then."""

    @instead(
        "for node in reversed(topological_order(self)):",
        "total = arrived.pop(id(node), None)",
        of=_plain,
    )
    def breadth_first(self, arrived):
        """You go level by level from the result. Where a short and a long path lead to one Tensor,
        it is asked before all that belongs to it has arrived."""
        order = [self]
        for node in order:
            inputs = node._creator.inputs if node._creator else ()
            order += [each for each in inputs if all(each is not known for known in order)]
        for node in order:
            total = arrived.pop(id(node), None)

    gradient_ignored = edit(
        ("a gradient is ", ""), ("asarray(gradient)", "ones_like(self.data)"), of=_plain
    )
    """The walk starts from ones, also where a gradient is given."""
