"""Programs for the Tensor itself: what a new one holds, what it says of itself, the creators.

A truth becomes an array: 1.0 where it holds, 0.0 where it does not.
"""

import numpy as np

from .harness import POOL, Complaint, array_of, as_far, ask_first, leaf, unlike

# What another tensor is asked for, before one is asked for the defaults.
FLOATS = {"dtype": "float64", "requires_grad": False}
OTHERS = {
    "rand": ((1,), {"low": 3.0, "high": 9.0, **FLOATS}),
    "randn": ((1,), {"mean": 3.0, "std": 9.0, **FLOATS}),
    "randb": ((1,), {"p": 0.9, "dtype": "float32", "requires_grad": True}),
    "ones": ((1,), FLOATS),
    "zeros": ((1,), FLOATS),
    "one_hot": (([0], 1), {"dtype": "float64", "requires_grad": True}),
}


def flags(*truths):
    return [np.array([float(bool(truth)) for truth in truths])]


def text(value):
    """A string as an array of its bytes."""
    return [np.frombuffer(value.encode(), np.uint8)]


def complain(value, who, wanted):
    """Say what a value is, where something else was expected."""
    raise unlike(value, f"{who}", f"{wanted} was expected")


def field(tensor, name):
    """An attribute that `__init__` has to set."""
    if not hasattr(tensor, name):
        raise Complaint(f"Tensor.__init__ did not set `self.{name}`.")
    return getattr(tensor, name)


def data_of(bg, tensor, who):
    """The ndarray that a Tensor holds, as it is now."""
    if not isinstance(tensor, bg.Tensor):
        complain(tensor, f"{who} returned", "a Tensor")
    data = field(tensor, "data")
    if not isinstance(data, np.ndarray):
        complain(data, f"The data of {who} is", "an ndarray")
    return data.copy()


def first_data(bg, tensor, who):
    """The ndarray that a new Tensor holds. Later it holds something else, and nobody minds."""
    found = data_of(bg, tensor, who)
    POOL.result(who, tensor.data)
    if tensor.data.flags.writeable:
        tensor.data[...] = 7
        POOL.results[who] = tensor.data, tensor.data.tobytes()
    return found


def is_leaf(tensor):
    """Two truths: no operation made it, and its list of inputs is there and empty."""
    inputs = field(tensor, "_inputs")
    return field(tensor, "_op") is None, isinstance(inputs, (list, tuple)) and len(inputs) == 0


def double(bg, tensor):
    """A tensor with a past: the given `Function` makes it, by an op that no learner wrote."""
    Double = type("Double", (bg.ops.Function,), {"forward": lambda self, a: a * 2})
    return Double()(tensor)


# ---- a new tensor --------------------------------------------------------------------


def made(bg, data, options):
    """Tensor(…) holds the values that it was given, as an ndarray."""
    x = bg.Tensor(data, **options)
    return with_requires_grad(x, {"value": [data_of(bg, x, "Tensor(…)")]})


def with_requires_grad(x, told):
    """What is told of a new Tensor, and whether it requires a gradient."""
    part = "requires_grad"
    return as_far(told, [part], lambda: {part: flags(field(x, part))})


def made_from_tensor(bg, array, options):
    """Tensor(other) holds the values of another Tensor."""
    return [data_of(bg, bg.Tensor(leaf(bg, array), **options), "Tensor(other)")]


def own_copy(bg, array, kind, options):
    """A Tensor made from an array, or from its first row, shares no memory with it."""
    given = array.view(getattr(np, kind))
    made = [
        bg.Tensor(each, requires_grad=wants, **options)
        for each in (given, given[0]) for wants in (True, False)
    ]  # fmt: skip
    array *= 10
    kept = [data_of(bg, x, "Tensor(array)") for x in made]
    for x in made:
        x.data[...] = -1
    part = "requires_grad"
    return as_far(
        {"value": [*kept, array]}, [part], lambda: {part: flags(*(field(x, part) for x in made))}
    )


def own_copy_of_tensor(bg, array, options):
    """A Tensor made from another Tensor shares no memory with it."""
    other = bg.Tensor(array, **options)
    x = bg.Tensor(other, **options)
    other.data[...] = -1
    kept = data_of(bg, x, "Tensor(other)")
    x.data[...] = -2
    return [kept, data_of(bg, other, "Tensor(array)")]


def starts_without_grad(bg, array):
    """The gradient of a new Tensor is None."""
    other = leaf(bg, array)
    other.grad = np.ones_like(array)
    tensors = bg.Tensor(array), bg.Tensor(array, requires_grad=False), bg.Tensor(other)
    return flags(*(field(x, "grad") is None for x in tensors))


def requires_grad(bg, array):
    """requires_grad is stored as it was passed; the default is True."""
    tensors = [bg.Tensor(array)] + [bg.Tensor(array, requires_grad=r) for r in (True, False)]
    tensors.append(bg.Tensor([3, 5], dtype="int64", requires_grad=True))
    return {"requires_grad": flags(*(field(x, "requires_grad") for x in tensors))}


def new_is_leaf(bg, array):
    """A new Tensor is a leaf: _op is None and _inputs is an empty list."""
    first = bg.Tensor(array)
    alone = is_leaf(first)
    if not isinstance(first._inputs, list):
        return flags(*alone)
    first._inputs.append(first)  # another leaf has a list of its own
    found = [a and b for a, b in zip(alone, is_leaf(bg.Tensor(array)))]  # noqa: B905
    first._inputs.pop()
    return flags(*found)


def fresh_from_result(bg, array):
    """A Tensor made from the result of an operation is a leaf."""
    return flags(*is_leaf(bg.Tensor(double(bg, leaf(bg, array)))))


def requires_grad_from_tensor(bg, array):
    """Tensor(other) takes requires_grad from the call, not from the other Tensor."""
    frozen = bg.Tensor(array, requires_grad=False)
    weight = bg.Tensor(array, requires_grad=True)
    made_of_them = bg.Tensor(frozen), bg.Tensor(weight, requires_grad=False)
    return flags(*(field(x, "requires_grad") for x in made_of_them))


# ---- properties ----------------------------------------------------------------------


def shape(bg, array):
    """shape gives the size of every axis."""
    answer = leaf(bg, array).shape
    if not isinstance(answer, (tuple, list)):
        complain(answer, "Tensor.shape returned", "a tuple")
    return {"value": [np.array(answer, dtype=float)], "tuple": flags(isinstance(answer, tuple))}


def dtype(bg, array, name):
    """dtype gives the dtype of the values."""
    x = bg.Tensor(array, dtype=name)
    mine, x.data = x.data, np.zeros(2, "complex64")
    x.dtype  # noqa: B018  # that of other values
    x.data = mine
    answer = x.dtype
    if answer is None:
        complain(answer, "Tensor.dtype returned", "a dtype")
    numpys = isinstance(answer, type) and issubclass(answer, np.generic)
    return {
        "value": text(np.dtype(answer).name),
        "object": flags(isinstance(answer, np.dtype) or numpys),
    }


def count(bg, name, array, dtype):
    """{name} gives the right number."""
    answer = getattr(bg.Tensor(array, dtype=dtype), name)
    if not isinstance(answer, (int, float, np.number)):
        complain(answer, f"Tensor.{name} returned", "a number")
    return [np.array(float(answer))]


def device(bg, array, options):
    """device is the string "cpu"."""
    answer = bg.Tensor(array, **options).device
    if not isinstance(answer, str):
        complain(answer, "Tensor.device returned", "a string")
    return text(answer)


# ---- the way out ---------------------------------------------------------------------


def numpy(bg, array, options):
    """numpy() gives the values as an ndarray; writing to it leaves the tensor alone."""
    x = bg.Tensor(array, **options)
    handed_out = array_of(x.numpy(), "Tensor.numpy", stays=False)
    value = handed_out.copy()

    def copied():
        handed_out[...] = -1
        found = [data_of(bg, x, "Tensor(…)"), array_of(x.numpy(), "Tensor.numpy").copy()]
        x.data = 2 * x.data
        return {"copy": [*found, array_of(x.numpy(), "Tensor.numpy")]}

    return as_far({"value": [value]}, ["copy"], copied)


def detach(bg, array, options):
    """detach() gives a Tensor with the same values, which shares no memory with the tensor."""
    result = double(bg, bg.Tensor(array, dtype=options["dtype"]))
    result.grad = np.ones_like(result.data)
    out = result.detach()
    kept = result.requires_grad, result._op is not None, len(result._inputs) == 1
    # A package may make float32 of every result: values are those of leaves.
    first, leaf = bg.Tensor(2 * array, **options), bg.Tensor(2 * array, **options)
    value, loose = [first_data(bg, first.detach(), "Tensor.detach")], leaf.detach()
    data_of(bg, loose, "Tensor.detach")
    loose.data[...] = 3
    memory = [data_of(bg, leaf, "Tensor(…)")]
    leaf.data[...] = 5
    return {
        "value": value,
        "requires_grad": flags(*(field(each, "requires_grad") for each in (out, loose))),
        "leaf": flags(*is_leaf(out), field(out, "grad") is None),
        "original": flags(*kept),
        "memory": [*memory, data_of(bg, loose, "Tensor.detach")],
    }


def representation(bg, data, options):
    """The text of a tensor is `Tensor(VALUES, requires_grad=…)`."""
    answer = bg.Tensor.__repr__(bg.Tensor(data, **options))
    if not isinstance(answer, str):
        complain(answer, "Tensor.__repr__ returned", "a string")
    return text(answer)


# ---- creators ------------------------------------------------------------------------


def creator(bg, name):
    """Tensor.{name}, which has made another tensor: what that was asked for is for it alone."""
    create = getattr(bg.Tensor, name)
    args, options = OTHERS[name]
    ask_first(create, *args, **options)
    return create


def created(bg, name, args, options):
    """Tensor.{name}(…) holds the right values."""
    create = getattr(bg.Tensor, name)
    arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
    values = [array.copy() for array in arrays]
    for array in arrays:
        array[...] = 0
    # The same arrays, before they are filled; and somebody writes into what comes back.
    first_data(bg, create(*args, **options), f"Tensor.{name}")
    for array, right in zip(arrays, values, strict=True):
        array[...] = right
    return told_of(bg, create(*args, **options), name)


def told_of(bg, out, name):
    """What a creator made: its values, their dtype, and whether it requires a gradient."""
    data = first_data(bg, out, f"Tensor.{name}")
    return with_requires_grad(out, {"value": [data], "dtype": text(data.dtype.name)})


def options_of(bg, name, args, options):
    """Tensor.{name}(…) passes dtype and requires_grad on."""
    told = told_of(bg, creator(bg, name)(*args, **options), name)
    (data,) = told["value"]
    return {**told, "digits": flags((data != data.astype("float32")).any())}


def drawn(bg, name, args, options, low, high, seed):
    """Tensor.{name}(…) draws from the right distribution.

    ``outside``: is any value below ``low``, is any above ``high``?
    """
    create = creator(bg, name)
    np.random.seed(seed)
    data = first_data(bg, create(*args, **options), f"Tensor.{name}")
    return {"value": [data], "outside": flags((data < low).any(), (data > high).any())}


def drawn_shape(bg, name, args, seed):
    """Tensor.{name}(…) has the shape that was asked for."""
    np.random.seed(seed)
    data = data_of(bg, getattr(bg.Tensor, name)(*args), f"Tensor.{name}")
    return [np.array(data.shape, dtype=float)]


def repeatable(bg, name, args, seed, defaults):
    """The same seed gives the same values; without it, the next call gives others.

    ``defaults``: whether they change nothing. ``own``: whether values differ along both axes.
    """
    create = getattr(bg.Tensor, name)
    np.random.seed(seed)
    first, second = (data_of(bg, create(*args), f"Tensor.{name}") for _ in range(2))
    both = []
    for options in ({}, defaults):
        np.random.seed(seed)
        both.append(data_of(bg, create(*args, **options), f"Tensor.{name}"))
    return {
        "value": flags(np.array_equal(first, both[0]), np.array_equal(first, second)),
        "defaults": flags(np.array_equal(*both)),
        "own": flags((first != first[:1]).any(), (first != first[:, :1]).any()),
    }


def open_one_hot(bg, indices, num_classes):
    """Tensor.one_hot takes its indices from a Tensor too."""
    given = bg.Tensor(indices)
    out = bg.Tensor.one_hot(given, num_classes)
    kept = given.data.dtype == "float32" and np.array_equal(given.data, indices)
    return {**told_of(bg, out, "one_hot"), "kept": flags(kept)}
