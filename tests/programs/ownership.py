"""Programs for what modules own: parameters in every place where one can be, and the mode."""

from collections import OrderedDict, namedtuple

import numpy as np

from .harness import Complaint, ask_first, grad_data, unlike


def parameter(bg, given, dtype, values):
    """Parameter.__init__ makes a leaf that requires a gradient and holds its own copy."""
    source = source_of(bg, given, values)
    # Others of the same values: what they are asked for is for them alone.
    ask_first(bg.nn.Parameter, source)
    ask_first(bg.nn.Parameter, source, dtype="int64", requires_grad=False)
    made = bg.nn.Parameter(source) if dtype is None else bg.nn.Parameter(source, dtype=dtype)
    found = np.array(made.data)
    keeper = source.data if isinstance(source, bg.Tensor) else source
    keeper[0] = 99.0
    return {
        "value": [found],
        "leaf": [np.array([made._op is None, list(made._inputs) == [], made.grad is None])],
        "requires_grad": [np.array(bool(made.requires_grad))],
        "copy": [np.array(made.data)],
    }


def frozen(bg, values):
    """Parameter.__init__ passes requires_grad=False on."""
    made = bg.nn.Parameter(list(values), requires_grad=False)
    return [np.array(bool(made.requires_grad)), np.array(made.data)]


def source_of(bg, given, values):
    if given == "list":
        return list(values)
    if given == "array":
        return np.array(values)
    fixed = bg.Tensor(values, dtype="float64", requires_grad=given == "computed")
    source = fixed * 2.0 if given == "computed" else fixed
    source.grad = np.ones(source.shape)
    return source


def collected(bg, case, marks):
    """collect finds what a module holds, each object once."""
    root, things, boxes = structure(bg, case, marks)
    held = dict(vars(root))
    vars(root).clear()
    bg.nn.collect(root, bg.nn.Parameter)  # before it holds anything
    vars(root).update(held)
    bg.nn.collect(root, bg.nn.Module)
    found = read(bg.nn.collect(root, bg.nn.Parameter), "collect")
    return times(things, found, marks)


def collected_modules(bg, case, marks):
    """collect finds objects of the kind that is asked for: here modules, the outer one too."""
    root, things, boxes = structure(bg, case, marks)
    return times(boxes, read(bg.nn.collect(root, bg.nn.Module), "collect"), marks)


def parameters(bg, case, marks):
    """Module.parameters lists every Parameter once, and nothing else."""
    root, things, boxes = structure(bg, case, marks)
    held = dict(vars(root))
    vars(root).clear()
    root.parameters()  # before it holds anything
    vars(root).update(held)
    return times(things, read(root.parameters(), "Module.parameters"), marks)


def zeroed(bg, case, marks):
    """Module.zero_grad leaves no gradient in any parameter, and the values alone."""
    root, things, boxes = structure(bg, case, marks)
    learned = [thing for thing in things if isinstance(thing, bg.nn.Parameter)]
    for thing, mark in zip(things, marks):  # noqa: B905
        thing.grad = np.full(thing.shape, 3 * mark)
    held = [each.grad[0] for each in learned]
    for each in learned:
        each.grad[0] = np.inf  # 0 times that is nan
    root.zero_grad()
    rest = [left_in(bg, each) for each in learned]
    left = [np.array([h, grad[1] or grad.sum()]) for h, grad in zip(held, rest)]  # noqa: B905
    return {"value": left, "data": [np.array(each.data) for each in learned]}


def left_in(bg, parameter):
    """The gradient of a parameter, None as zeros."""
    if parameter.grad is None:
        return np.zeros(parameter.shape)
    return np.array(grad_data(bg, parameter, "parameter.grad"))


def modes(bg, case, calls):
    """The mode reaches every module, wherever it is held."""
    root, things, boxes = structure(bg, case, (0.5, 1.5, 2.5, 3.5))
    type(root)()  # one more of the class, outside: its mode stays
    before = [box.training for box in boxes]
    seen = [before]
    result = None
    for name, arguments in calls:
        if name == "by hand":
            for box, flag in zip(boxes, arguments):  # noqa: B905
                box.training = flag
        else:
            result = getattr(root, name)(*arguments)
        seen.append([box.training for box in boxes])
    return {
        "value": [np.array(flags, dtype=bool) for flags in seen],
        "returned": [np.array(result is root)],
    }


def called(bg, given):
    """`module(…)` gives what `module.forward(…)` gives, with every argument handed on."""

    class Mix(bg.nn.Module):
        def forward(self, first, second=1.0, *more, scale=1.0):
            return (first + 10 * second + 100 * sum(more)) * scale

    mix = Mix()
    a, b, c, d, scale = given
    results = [mix(a), mix(a, b), mix(a, b, c, d), mix(a, scale=scale)]
    if None in results:
        raise unlike(None, "Module.__call__ returned", "a number was expected")
    return [np.array(float(result)) for result in results]


# ---- helpers ----------------------------------------------------------------------------


def structure(bg, case, marks):
    """(outer module, tensors that may or may not be found, all modules in it)."""

    class Frame(bg.nn.Module):
        """A class between Module and that of the objects."""

    class Box(Frame):
        def __init__(self, **held):
            super().__init__()
            boxes.append(self)
            vars(self).update(held)

    boxes = []
    *numbers, last = marks
    p, q, r = (bg.nn.Parameter([number, -number]) for number in numbers)
    r.requires_grad = False  # a parameter that is frozen is one all the same
    stranger = Stranger()
    stranger.own = bg.nn.Parameter([last])
    plain, result = bg.Tensor([last, -last]), bg.Tensor([last])
    result._inputs = [bg.nn.Parameter([last])]
    Pair, named = namedtuple("Pair", "own box"), OrderedDict(c=r)
    things = [p, q, r, plain]
    build = {
        "attributes": lambda: Box(
            first=p, second=q, name="outer", size=3, nothing=None, _third=r, stranger=stranger,
            bag={bg.nn.Parameter([last])}, result=result,
        ),
        "tensor": lambda: Box(first=p, fixed=plain),
        "list": lambda: Box(held=[p, Box(own=q)], more=[r]),
        "tuple": lambda: Box(held=Pair(p, Box(own=q)), more=(r,)),
        "dict": lambda: Box(held={0: p, "b": Box(own=q)}, more=named),
        "modules": lambda: Box(first=p, inner=Box(second=q, inmost=Box(third=r))),
        "deep": lambda: Box(
            held=[{"a": ([p], (Box(own=[[q]]),))}], inner=Box(more=({"c": far(r)},))
        ),
        "shared": lambda: twice(Box, p, q, r),
        "cycle": lambda: cycle(Box, p, q),
    }[case]  # fmt: skip
    return build(), things, boxes


class Stranger:
    """An object that is no module, and is not looked into."""


def far(thing):
    """Return the content of lists that each hold one list."""
    for _ in range(20):
        thing = [thing]
    return thing


def twice(Box, p, q, r):
    """A parameter under two names, and a module in two places."""
    inner = Box(second=q)
    return Box(first=p, tied=p, inner=inner, held=[inner, r, r])


def cycle(Box, p, q):
    """A module that knows the module it belongs to."""
    outer = Box(first=p, inner=Box(second=q))
    outer.inner.parent = outer
    return outer


def read(found, who):
    """Return a value that should be a list."""
    if found is None or not hasattr(found, "__iter__"):
        raise unlike(found, f"{who} returned", "a list was expected")
    return list(found)


def times(things, found, marks):
    """So often its number as each thing was found, and how many other objects were."""
    for thing in things:
        if thing.__dict__.get("data", marks) is not marks and thing.data.dtype != "float32":
            raise Complaint(f"What is only to be found has become {thing.data.dtype}.")
    counts = [sum(each is thing for each in found) for thing in things]
    told = [count * mark for count, mark in zip(counts, marks)]  # noqa: B905
    return [np.array(told), np.array(len(found) - sum(counts))]
