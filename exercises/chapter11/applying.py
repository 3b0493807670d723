"""Engine 2, `Function.apply`: the call, and the walk."""

from grader.course import Exercise, Mistake

_APPLY = """\
tensors = {tensors}
{context}
data = cls.forward(context, *{given}{options})
needed = {needed}
return Tensor(np.asarray(data), needed, {creator})"""
_CALL = {
    "tensors": "tuple(as_tensor(value) for value in inputs)",
    "context": "context = Context(cls, tensors)", "given": "(t.data for t in tensors)",
    "options": ", **options", "needed": "any(t.requires_grad for t in tensors)",
    "creator": "context if needed else None",
}  # fmt: skip


def _apply(**other: str) -> str:
    return _APPLY.format(**{**_CALL, **other})


APPLY = Exercise(
    "chapter11.apply.apply",
    section="11.5",
    targets=("engines.apply.Function.apply",),
    points=3,
    minutes=15,
    difficulty=3,
    hints=(
        "Four things: Tensors out of the inputs, a Context, a call of `cls.forward`, a Tensor.",
        "`cls.forward(context, *arrays, **options)`: one array per input, and every keyword.",
        "Whether a gradient is needed decides about two things of the result.",
    ),
    mistakes=(
        Mistake(
            "tensors-to-forward",
            _apply(given="tensors"),
            "You hand the Tensors themselves to `forward`. It works on arrays: their `data`.",
        ),
        Mistake(
            "options-dropped",
            _apply(options=""),
            "The keyword arguments do not reach `forward`: pass them on, `**options`.",
        ),
        Mistake(
            "never-required",
            _apply(needed="False"),
            "Your result never requires a gradient. It does where any input does.",
        ),
        Mistake(
            "always-required",
            _apply(needed="True"),
            "Your result always requires a gradient, also where no input does: constants would "
            "drag a graph along.",
        ),
        Mistake(
            "all-instead-of-any",
            _apply(needed="all(t.requires_grad for t in tensors)"),
            "You ask for *all* inputs to require a gradient. One is enough.",
        ),
        Mistake(
            "creator-forgotten",
            _apply(creator="None"),
            "The result does not know its Context: `_creator` is None, and the walk ends there.",
        ),
        Mistake(
            "one-context-for-all",
            _apply(
                context="if not hasattr(cls, '_context'):\n"
                "    cls._context = Context(cls, tensors)\ncontext = cls._context"
            ),
            "You keep one Context for the operation. The second call writes over what the first "
            "had saved; every call needs its own.",
        ),
    ),
)

_WALK = """\
if not self.requires_grad:
    {unneeded}
if gradient is None:
    {start}
    gradient = np.ones_like(self.data)
arrived = {{id(self): np.asarray(gradient)}}
for node in {nodes}:
    total = arrived.pop(id(node), None)
    if total is None or not node.requires_grad:
        continue
    if node._creator is None:
        {store}
        continue
    context = node._creator
    found = context.function.backward(context, total)
    {wrap}
    for source, handed in zip(context.inputs, gradients):
        {skip}
        {keep}"""
_STEPS = {
    "unneeded": "return",
    "start": "if self.data.size != 1:\n        raise ValueError('a gradient is needed')",
    "nodes": "reversed(topological_order(self))",
    "store": "node.grad = np.array(total) if node.grad is None else node.grad + total",
    "wrap": "gradients = found if isinstance(found, tuple) else (found,)",
    "skip": "if handed is None:\n            continue",
    "keep": "earlier = arrived.get(id(source))\n"
    "        arrived[id(source)] = handed if earlier is None else earlier + handed",
}


def _walk(**other: str) -> str:
    return _WALK.format(**{**_STEPS, **other})


BACKWARD = Exercise(
    "chapter11.apply.backward",
    section="11.5",
    targets=("engines.apply.Tensor.backward",),
    points=4,
    minutes=20,
    difficulty=3,
    hints=(
        "It is `backward_in_order` once more: a dict of what has arrived, and the nodes from the "
        "last to the first.",
        "`node._creator` has all that you need: `.inputs`, and `.function`, whose `backward` takes "
        "the Context and the sum.",
        "What comes back may be one array instead of a tuple, and may hold None.",
    ),
    mistakes=(
        Mistake(
            "no-value-error",
            _walk(start="pass"),
            "You start a Tensor with several elements from ones, silently. Most often somebody "
            "forgot a `sum`; raise ValueError.",
        ),
        Mistake(
            "raises-for-constants",
            _walk(unneeded="raise ValueError('no gradient is required here')"),
            "Where no gradient is required there is nothing to do, and nothing to complain about: "
            "return.",
        ),
        Mistake(
            "keeps-the-last",
            _walk(keep="arrived[id(source)] = handed"),
            "What arrives at an input replaces what had arrived before. Add the two.",
        ),
        Mistake(
            "overwrites",
            _walk(store="node.grad = np.array(total)"),
            "You set `grad`. What a leaf holds from an earlier walk has to stay; add to it.",
        ),
        Mistake(
            "not-copied",
            _walk(store="node.grad = total if node.grad is None else node.grad + total"),
            "The first gradient is stored as it came. One array may reach several leaves: change "
            "one's `grad` in place, and the others change with it. Copy it.",
        ),
        Mistake(
            "not-stored",
            _walk(store="total = total if node.grad is None else node.grad + total"),
            "You worked the sum out and did not put it into `node.grad`. Nothing is left of it.",
        ),
        Mistake(
            "none-not-expected",
            _walk(skip="pass"),
            "A `backward` may return None for an input. Nothing arrives there: go on to the next.",
        ),
        Mistake(
            "wrong-way",
            _walk(nodes="topological_order(self)"),
            "You go from the leaves to the result. Nothing has arrived at a leaf then.",
        ),
        Mistake(
            "gradient-ignored",
            _walk(start="if self.data.size != 1:\n        raise ValueError('needed')").replace(
                "np.asarray(gradient)}", "np.ones_like(self.data)}"
            ),
            "The walk starts from ones, also where a gradient is given.",
        ),
    ),
)

REPR = Exercise(
    "chapter11.apply.repr",
    section="11.5",
    targets=("engines.apply.Tensor.__repr__",),
    points=0.5,
    minutes=2,
    hints=('An f-string puts an array in as `print` shows it: `f"{self.data}"`.',),
    mistakes=(
        Mistake(
            "repr-of-the-array",
            "return f'Tensor(data={self.data!r}, requires_grad={self.requires_grad})'",
            "You put the array's `repr` in, with `array(…)` around it and its dtype.",
        ),
        Mistake(
            "requires-grad-missing",
            "return f'Tensor(data={self.data})'",
            "It has to say whether a gradient is wanted, too.",
        ),
        Mistake(
            "no-names",
            "return f'Tensor({self.data}, {self.requires_grad})'",
            "The names `data=` and `requires_grad=` are missing.",
        ),
    ),
)
