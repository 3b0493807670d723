"""Programs for chapter 8: what modules and optimizers know, and take over.

Modules are built out of plain data, ``[kind, content]``; see `Builder`.
"""

import numpy as np

from .harness import (
    Complaint,
    array_in,
    article,
    ask_first,
    leaf,
    mapping,
    names_of,
    number_or_array,
    text,
    told,
    values_of,
)

OVERWRITTEN = 7.5

MEANS = {
    "named": {"names": {"arrays": "value"}},
    "taken": {"names": {"value": "names", "later": "names"}},
    "loaded": {"names": {"value": "places", "left": "names"}},
    "renewed": {"names": {"value": "places"}},
    "remembered": {"names": {"value": "names", "later": "names"}},
}


# ---- modules ----------------------------------------------------------------------------


def named(bg, spec):
    """named_state finds every Tensor and array, under the path that leads to it."""
    built = Builder(bg)
    root = built.make(spec)
    if isinstance(root, bg.nn.Module):
        held = dict(vars(root))
        vars(root).clear()
        bg.nn.named_state(root)  # before it holds anything
        vars(root).update(held)
    found = mapping(bg.nn.named_state(root), "named_state")
    values = [found[name] for name in sorted(found)]
    return {
        "value": [names_of(found)],
        "arrays": [values_of(bg, value, "named_state") for value in values],
        "same": [np.array([any(v is thing for thing in built.things) for v in values], dtype=bool)],
    }


def clash(bg, spec):
    """named_state raises ValueError where two places have the same path."""
    root = Builder(bg).make(spec)
    return [text(told(lambda: bg.nn.named_state(root), ()))]


def taken(bg, spec, dtype="float64"):
    """Module.state_dict gives every value under its path."""
    built = Builder(bg, dtype)
    root = built.make(spec)
    if isinstance(root, bg.nn.Module):
        held = dict(vars(root))
        vars(root).clear()
        ask_first(root.state_dict)  # before it holds anything
        vars(root).update(held)
    state = mapping(root.state_dict(), "Module.state_dict")
    arrays = [array_in(state, name, "Module.state_dict") for name in sorted(state)]
    found = [np.array(array) for array in arrays]
    built.overwrite()
    ask_first(root.state_dict)  # another one, of other values
    later = [np.array(array) for array in arrays]
    for array in arrays:
        array[...] = -1
    return {"value": found, "names": [names_of(state)], "later": later, "module": built.now()}


def names_in_network(bg, sizes):
    """Module.state_dict names what a network of chapter 4 knows."""
    inputs, outputs = sizes
    model = bg.nn.Sequential(
        bg.nn.Linear(inputs, outputs), bg.nn.ReLU(), bg.nn.BatchNorm1d(outputs),
        bg.nn.Linear(outputs, inputs, bias=False),
    )  # fmt: skip
    return [names_of(mapping(model.state_dict(), "Module.state_dict"))]


def loaded(bg, spec, state, dtype="float64"):
    """Module.load_state_dict takes over every value."""
    built = Builder(bg, dtype)
    root = built.make(spec)
    ask_first(Builder(bg, dtype).make(spec).load_state_dict, state)  # another one
    given = {name: np.zeros_like(value) for name, value in state.items()}
    root.load_state_dict(given)
    given.update(state)  # the same dict, filled anew
    root.load_state_dict(given)
    found, same = built.now(), built.same()
    left = [np.array(state[name]) for name in sorted(state)]
    names = names_of(state)
    for array in state.values():
        array[...] = -1
    apart = built.now()
    built.overwrite()
    shared = [np.array(state[name]) for name in sorted(state)]
    return {
        "value": found, "same": [same], "names": [names], "left": left, "apart": apart + shared,
        "places": [text(", ".join(built.names))],
    }  # fmt: skip


def not_loaded(bg, spec, state):
    """Module.load_state_dict raises ValueError for a state that does not fit."""
    built = Builder(bg)
    root = built.make(spec)
    said = refusal(bg.nn, lambda: root.load_state_dict(state), state, built.names)
    return {"value": [text(said)], "left": built.now()}


def refusal(module, load, state, own):
    """Say how loading a state ends, and whether `require_match` was asked the wrong way round.

    A message that calls missing what is unexpected sends people looking in the wrong place. Names
    without a dot are not looked for: they may be part of any word, as «seen» is of «unforeseen».
    """
    asked = getattr(module, "require_match", None)
    turned, names = [], {*state}

    def noting(own, state):  # as `require_match` calls them: whoever likes may name them
        turned.append({*own} == names != {*state})
        return asked(own, state)

    if asked is not None:
        module.require_match = noting
    try:
        said = told(load, {name for name in {*own, *state} if "." in name})
    finally:
        if asked is not None:
            module.require_match = asked
    return said + (", own and state exchanged" if any(turned) else "")


def matched(bg, own, state):
    """require_match names everything that does not fit."""
    tensors = {name: leaf(bg, array) for name, array in own.items()}
    # Each of them fits to something; whether both fit together is another question.
    bg.checkpoint.require_match({n: leaf(bg, array) for n, array in state.items()}, state)
    given = dict(own)
    bg.checkpoint.require_match(tensors, given)
    given.clear()
    given.update(state)
    said = told(lambda: bg.checkpoint.require_match(tensors, given), {**own, **state})
    kind = text(said.partition(" naming")[0])
    return {
        "value": [text(said)], "kind": [kind],
        "left": [kind, names_of(tensors), names_of(state)],
    }  # fmt: skip


class Thing:
    """An object of no class that anybody knows."""


class Builder:
    """Makes modules out of plain data, and knows every place where a Tensor or an array is."""

    def __init__(self, bg, dtype="float64"):
        self.bg, self.dtype = bg, dtype
        self.things, self.places, self.known = [], [], {}
        self.path, self.names = [], []  # where it is now; the path to each place

    def make(self, spec):
        kind, content = spec
        return getattr(self, f"make_{kind}")(content)

    def make_parameter(self, values):
        return self.kept(self.bg.nn.Parameter(np.array(values), dtype=self.dtype))

    def make_trained(self, values):
        """A Parameter with a gradient."""
        parameter = self.make_parameter(values)
        parameter.grad = np.ones_like(parameter.data)
        return parameter

    def make_tensor(self, values):
        return self.kept(self.bg.Tensor(values, dtype=self.dtype, requires_grad=False))

    def make_array(self, values):
        return self.kept(np.array(values, dtype=self.dtype))

    def make_integers(self, values):
        return self.kept(np.array(values, dtype="int64"))

    def make_object(self, items):
        """An object that is no Module, and has attributes all the same."""
        thing = Thing()
        for name, item in items.items():
            setattr(thing, name, self.make(item))
        return thing

    def make_plain(self, value):
        return value

    def make_again(self, name):
        return self.known[name]

    def make_module(self, items):
        class Box(self.bg.nn.Module):
            pass

        box = Box()
        self.known.setdefault("root", box)
        for name, item in items.items():
            value = self.known[name] = self.make_inside(name, item)
            setattr(box, name, value)
            self.place(name, lambda name=name: getattr(box, name), value)
        return box

    def make_list(self, items):
        made = [self.make_inside(number, item) for number, item in enumerate(items)]
        for number, value in enumerate(made):
            self.place(number, lambda number=number: made[number], value)
        return made

    def make_tuple(self, items):
        return tuple(self.make_list(items))

    def make_dict(self, items):
        made = {name: self.make_inside(name, item) for name, item in items.items()}
        for name, value in made.items():
            self.place(name, lambda name=name: made[name], value)
        return made

    def make_numbered(self, items):
        return {int(name): value for name, value in self.make_dict(items).items()}

    def make_knotted_list(self, items):
        made = self.make_list(items)
        made.append(made)
        return made

    def make_knotted_dict(self, items):
        made = self.make_dict(items)
        made["knot"] = made
        return made

    def make_knotted_tuple(self, items):
        knot = []
        made = (*self.make_list(items), knot)
        knot.append(made)
        return made

    def kept(self, thing):
        self.things.append(thing)
        return thing

    def make_inside(self, name, item):
        self.path.append(str(name))
        made = self.make(item)
        self.path.pop()
        return made

    def place(self, name, look, value):
        if any(value is thing for thing in self.things):
            self.places.append((look, value))
            self.names.append(".".join([*self.path, str(name)]))

    def now(self):
        """The values in every place, as they are now."""
        return [values_of(self.bg, look(), "the module") for look, _ in self.places]

    def same(self):
        """Whether in every place is the object that was put there."""
        return np.array([look() is thing for look, thing in self.places], dtype=bool)

    def overwrite(self):
        """Write other numbers into the very memory of everything."""
        for thing in self.things:
            data = thing.data if isinstance(thing, self.bg.Tensor) else thing
            if not isinstance(data, np.ndarray):
                raise Complaint(f"The data of a Tensor became {article(data)}, not an ndarray.")
            data[...] = OVERWRITTEN


# ---- optimizers -------------------------------------------------------------------------


def remembered(bg, attributes):
    """Optimizer.state_dict gives settings, memory and counters."""
    optimizer = own_optimizer(bg, attributes)
    held = dict(vars(optimizer))
    vars(optimizer).clear()
    optimizer.parameters = held["parameters"]
    optimizer.state_dict()  # before it holds anything else
    vars(optimizer).update(held)
    state = mapping(optimizer.state_dict(), "Optimizer.state_dict")
    arrays = [number_or_array(state, name, "Optimizer.state_dict") for name in sorted(state)]
    found = [np.array(array) for array in arrays]
    for array in arrays_in(vars(optimizer).values()):
        array[...] = OVERWRITTEN
    ask_first(optimizer.state_dict)  # another one, of other values
    return {"value": found, "names": [names_of(state)], "later": [np.array(a) for a in arrays]}


def renewed(bg, attributes, state):
    """Optimizer.load_state_dict takes over settings, memory and counters."""
    optimizer = own_optimizer(bg, attributes)
    parameters = [(each, np.array(each.data)) for each in optimizer.parameters]
    ask_first(own_optimizer(bg, attributes).load_state_dict, state)  # another one
    given = {name: np.zeros_like(value) for name, value in state.items()}
    optimizer.load_state_dict(given)
    given.update(state)  # the same dict, filled anew
    for name, value in attributes.items():
        setattr(optimizer, name, copied(value))
    optimizer.load_state_dict(given)
    named = list(each(optimizer, attributes))
    same = len(optimizer.parameters) == len(parameters) and all(
        now is before and now.data.dtype == data.dtype and np.array_equal(now.data, data)
        for now, (before, data) in zip(optimizer.parameters, parameters, strict=True)
    )
    kinds = [f"{name}: {kind_of(getattr(optimizer, name, None))}" for name in sorted(attributes)]
    found = {
        "value": [np.array(value) for _, value in named],
        "places": [text(", ".join(name for name, _ in named))],
        "kinds": [text(", ".join(kinds))],
        "parameters": [np.array([same])],
    }
    for array in arrays_in(vars(optimizer).values()):
        array[...] = OVERWRITTEN
    return {**found, "left": [names_of(state), *(np.array(state[n]) for n in sorted(state))]}


def not_renewed(bg, attributes, state):
    """Optimizer.load_state_dict raises ValueError for a state that does not fit."""
    optimizer = own_optimizer(bg, attributes)
    own = [f"velocities.{i}" for i in range(len(attributes["velocities"]))]
    said = refusal(bg.optim, lambda: optimizer.load_state_dict(state), state, own)
    left = [np.array(value) for _, value in each(optimizer, attributes)]
    return {"value": [text(said)], "left": left}


def own_optimizer(bg, attributes):
    """An optimizer of the course's own: what it holds is given, and copied."""

    class Own(bg.optim.Optimizer):
        def __init__(self):
            self.parameters = [leaf(bg, np.array(each)) for each in ([1.0, -2.0], [[3.0, -0.5]])]
            for name, value in attributes.items():
                setattr(self, name, copied(value))

    return Own()


def copied(value):
    """A value of its own; ``{"float32": 0.5}`` stands for a NumPy number."""
    if isinstance(value, dict):
        ((kind, number),) = value.items()
        return getattr(np, kind)(number)
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    return np.array(value) if isinstance(value, np.ndarray) else value


def each(optimizer, names):
    """The numbers and arrays in these attributes with their names, one after another."""
    for name in sorted(names):
        value = getattr(optimizer, name, None)
        several = isinstance(value, (list, tuple))
        for number, item in enumerate(value if several else [value]):
            if isinstance(item, (int, float, np.generic, np.ndarray)):
                yield f"{name}.{number}" if several else name, item


def arrays_in(values):
    """The arrays among some values, and in lists and tuples of them."""
    for value in values:
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(item, np.ndarray):
                yield item


def kind_of(value):
    """Describe an attribute in words that tell a plain number from an array."""
    if isinstance(value, (list, tuple)):
        inner = " and ".join(sorted({kind_of(item) for item in value}))
        return f"{article(value)} of {inner}"
    if isinstance(value, (int, float, np.number)):
        return "a number"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    return article(value)
