"""Programs for modules: what a layer computes, what gradients it sends, what it owns."""

import numpy as np

from .harness import (
    POOL,
    Complaint,
    article,
    ask_first,
    distinct,
    grad_data,
    halved_first,
    leaf,
    tensor_data,
)

# What another layer is asked for, before one is asked for the defaults.
OTHERS = {
    "Conv": ((1, 1, 1), {"bias": False, "dtype": "float64"}),
    "Linear": ((1, 1), {"bias": False, "dtype": "float64"}),
    "LayerNorm1d": ((1,), {"eps": 0.5, "dtype": "float64"}),
    "BatchNorm1d": ((1,), {"eps": 0.5, "momentum": 0.5, "dtype": "float64"}),
}

MEANS = {
    "raises": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
    "gradient": {
        "gradients": {"value": ["inputs"]},
        "nudge": {
            "run": "modules.value",
            "inputs": ["x", "state.weight", "state.bias"],
            "out_grad": "cotangent",
        },
    },
    "mse": {
        "nudge": {
            "run": "modules.mse", "inputs": ["predictions", "targets"], "out_grad": "cotangent",
        },
    },
    "softmax_loss": {
        "nudge": {"run": "modules.softmax_loss", "inputs": ["logits"], "out_grad": "cotangent"},
    },
}  # fmt: skip


def value(bg, layer, arguments, state, training, x):
    """{layer}.forward computes the right values."""
    module = made(bg, layer, arguments, state, training)
    inputs = leaf(bg, x, dtype=float_of(x))
    halved_first([data_of(bg, module, name) for name in state], module.forward, inputs)
    out = tensor_data(bg, module.forward(inputs), f"{layer}.forward")
    return {"value": [np.array(out)], "inputs": [np.array(inputs.data)]}


def gradient(bg, layer, arguments, state, training, x, cotangent):
    """{layer}: the gradients of its input and of its parameters are right."""
    module = made(bg, layer, arguments, state, training)
    if not state:
        module.forward(leaf(bg, x))  # of another leaf with these values: it gets no gradient
    inputs = leaf(bg, x)
    out = module.forward(inputs)
    pull(bg, out, cotangent, f"{layer}.forward")
    learned = [name for name in ("weight", "bias") if name in state]
    gradients = [grad_data(bg, inputs, "x.grad")]
    gradients += [own_gradient(bg, module, name, state[name]) for name in learned]
    return [np.array(gradient) for gradient in gradients]


def series(bg, layer, arguments, state, training, batches):
    """{layer}: what it remembers after some batches, and what it computes for the last one."""
    module = made(bg, layer, arguments, state, training)
    inputs = [leaf(bg, batch) for batch in batches]
    for each in inputs:
        out = module.forward(each)
    notes = [getattr(module, name) for name in ("running_mean", "running_var")]
    value = np.array(tensor_data(bg, out, f"{layer}.forward"))
    remembered = [held(bg, module, name, state[name]) for name in ("running_mean", "running_var")]
    # In the dtype of the result: what a float32 package remembers is no more exact than that.
    return {
        "value": [value],
        "running": [each.astype(value.dtype) for each in remembered],
        "apart": [np.array([bool(getattr(each, "requires_grad", False)) for each in notes])],
        "inputs": [np.array(each.data) for each in inputs],
    }


def raises(bg, layer, arguments, arrays):
    """{layer}.forward raises ValueError."""
    module = getattr(bg.nn, layer)(*arguments)
    try:
        module.forward(*[leaf(bg, array) for array in arrays])
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]


def initial(bg, layer, arguments, names, start):
    """{layer}.__init__ gives its attributes their first values."""
    make_other(bg, layer)
    np.random.seed(start)
    module, later = (getattr(bg.nn, layer)(*arguments) for _ in range(2))
    arrays = [[flat(data_of(bg, each, name)) for name in names] for each in (module, later)]
    every = np.concatenate([array.ravel() for pair in arrays for array in pair])
    return {"value": arrays[0], "own": [np.array(distinct(every).size > 0.9 * every.size)]}


def owned(bg, layer, arguments, names):
    """{layer}.__init__ makes Parameters of what is to be learned, in the right shapes."""
    make_other(bg, layer)
    module = getattr(bg.nn, layer)(*arguments)
    parameter = learned_of(bg, module, names)
    sizes = [flat(data_of(bg, module, name)).shape for name in names]
    return {
        "parameter": parameter,
        "shape": [np.array(size) for size in sizes],
    }


def typed(bg, layer, arguments, names, dtype):
    """{layer}.__init__ makes its arrays in the dtype that was asked for."""
    make_other(bg, layer)
    options = {} if dtype is None else {"dtype": dtype}
    module = getattr(bg.nn, layer)(*arguments, **options)
    arrays = [flat(data_of(bg, module, name)) for name in names]
    return [np.zeros(array.shape, dtype=array.dtype) for array in arrays]


def absent(bg, layer, arguments, name):
    """{layer}.__init__ leaves out what it should leave out: {name} is None."""
    module = getattr(bg.nn, layer)(*arguments)
    every = [value for value in vars(module).values() if isinstance(value, bg.nn.Parameter)]
    return [np.array(getattr(module, name, 0) is None), np.array(len(every))]


def options(bg, layer, arguments, names):
    """{layer}.__init__ keeps its options."""
    make_other(bg, layer)
    module = getattr(bg.nn, layer)(*arguments)
    return [np.array(float(getattr(module, name))) for name in names]


def begun(bg, layer, arguments, names, options):
    """{layer}.__init__ gives its attributes their first values, and keeps its options."""
    make_other(bg, layer)
    module = getattr(bg.nn, layer)(*arguments)
    found = {
        "value": lambda: [flat(data_of(bg, module, name)) for name in names],
        "parameter": lambda: learned_of(bg, module, ("weight", "bias")),
        "apart": lambda: [asks_for_gradient(module, names[2:])],
        "options": lambda: [np.array(float(getattr(module, name))) for name in options],
        "dtype": lambda: [np.zeros_like(flat(data_of(bg, module, name))) for name in names],
    }
    return {part: tried(look) for part, look in found.items()}


def tried(look):
    """The result of a look, or the exception that it raises: other parts are right all the same."""
    try:
        return look()
    except Exception as error:
        return error


def asks_for_gradient(module, names):
    """Whether each of these attributes requires a gradient."""
    held = [getattr(module, name, None) for name in names]
    return np.array([bool(getattr(each, "requires_grad", False)) for each in held])


def learned_of(bg, module, names):
    """Whether each of these is a Parameter, whether it learns, and the count of all Parameters."""
    values = [getattr(module, name, None) for name in names]
    every = [value for value in vars(module).values() if isinstance(value, bg.nn.Parameter)]
    of_type = [isinstance(value, bg.nn.Parameter) for value in values]
    return [np.array(of_type), asks_for_gradient(module, names), np.array(len(every))]


# ---- dropout ----------------------------------------------------------------------------


def dropout(bg, p, shape, start):
    """Dropout.forward: what was kept, and with which scale."""
    np.random.seed(start)
    module = bg.nn.Dropout(p)
    inputs = leaf(bg, np.full(shape, 2.0))

    def once():
        return np.array(tensor_data(bg, module.forward(inputs), "Dropout.forward"))

    out, again = once(), once()
    kept = out != 0
    mixed = [(kept.any(axis) & ~kept.all(axis)).mean() > 0.5 for axis in (0, 1)]
    return {
        "value": [out],
        "levels": [distinct(out)],
        "mixed": [np.array(mixed)],
        "fresh": [np.array((out != again).any())],
        "counts": [np.array(len({int((once() == 0).sum()) for _ in range(8)}) > 1)],
        "inputs": [np.array(inputs.data)],
    }


def dropout_gradient(bg, p, shape, start):
    """Dropout.forward: the gradient passes where the value passed, with the same scale."""
    np.random.seed(start)
    module = bg.nn.Dropout(p)
    inputs = leaf(bg, np.full(shape, 2.0))
    out = module.forward(inputs)
    cotangent = np.linspace(0.5, 3.0, int(np.prod(shape))).reshape(shape)
    pull(bg, out, cotangent, "Dropout.forward")
    gradients = np.array(grad_data(bg, inputs, "x.grad"))
    factor = np.array(out.data) / 2.0
    found = [gradients - factor * cotangent, distinct(np.round(gradients / cotangent, 4))]
    return [array.astype(gradients.dtype) for array in found]


def tiles(bg, x, size, cotangent):
    """tiles cuts images into tiles."""
    inputs = leaf(bg, x)
    ask_first(bg.nn.tiles, leaf(bg, np.repeat(x, 2, axis=2)), size)
    ask_first(bg.nn.tiles, inputs, 1)
    out = bg.nn.tiles(inputs, size)
    found = np.array(tensor_data(bg, out, "tiles"))
    pull(bg, out, cotangent, "tiles")
    return {
        "value": [found],
        "gradient": [np.array(grad_data(bg, inputs, "x.grad"))],
        "inputs": [np.array(inputs.data)],
    }


# ---- modules that hold modules ----------------------------------------------------------


def chain(bg, layer, x, cotangent, steps):
    """{layer}.forward calls what it holds, in the right order."""
    modules = [step(bg, name) for name in steps]
    module = getattr(bg.nn, layer)(*modules)
    inputs = leaf(bg, x + 1)
    module.forward(inputs)  # a second call starts from its own x
    inputs.data = leaf(bg, x).data
    counted = [each.calls for each in modules]
    out = module.forward(inputs)
    who = f"{layer}.forward"
    found = np.array(tensor_data(bg, out, who))
    pull(bg, out, cotangent, who)
    gradients = np.array(grad_data(bg, inputs, "x.grad"))
    return {
        "value": [found],
        "gradient": [gradients],
        "inputs": [np.array(inputs.data)],
        "calls": [np.array(counted)],
    }


def step(bg, name):
    """A module of the course's own that does one small thing and counts its calls."""

    class Step(bg.nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            if name == "triple":
                return x * 3
            return x + 0.5 if name == "add" else x * x

        __call__ = forward

    return Step()


# ---- losses -----------------------------------------------------------------------------


def mse(bg, predictions, targets, cotangent):
    """MSELoss.forward: the value and the gradients are right."""
    inputs = [leaf(bg, predictions), leaf(bg, targets)]
    return judged(bg, "MSELoss", inputs, inputs, cotangent)


def softmax_loss(bg, logits, y, kind, cotangent):
    """SoftmaxLoss.forward: the value and the gradient are right."""
    inputs = leaf(bg, logits)
    given = {
        "array": lambda: POOL.array(y),
        "list": lambda: [int(each) for each in y],
        "tensor": lambda: bg.Tensor(y, dtype="int64", requires_grad=False),
    }[kind]()
    return judged(bg, "SoftmaxLoss", [inputs], [inputs, given], cotangent)


def judged(bg, layer, inputs, arguments, cotangent):
    out = POOL.take(layer, getattr(bg.nn, layer))[0].forward(*arguments)
    who = f"{layer}.forward"
    found = np.array(tensor_data(bg, out, who))
    before = [np.array(each.data) for each in inputs]
    if found.size != 1:
        raise Complaint(f"{who} returned {found.size} values; a loss is one.")
    pull(bg, out, np.reshape(cotangent, found.shape), who)
    gradients = [np.array(grad_data(bg, each, "the gradient of an input")) for each in inputs]
    return {"value": [found], "gradient": gradients, "inputs": before}


# ---- helpers ----------------------------------------------------------------------------


def made(bg, layer, arguments, state, training):
    """A layer whose parameters and statistics hold the arrays of ``state``.

    It is the same object as in an earlier probe, as in the next step of training.
    """
    kind = getattr(bg.nn, layer)
    fresh = kind(*arguments)  # each run shows what it leans on
    module, then = POOL.take((layer, repr(arguments)), lambda: fresh)
    vars(module).update(then)
    for parameter in filter(lambda each: isinstance(each, bg.Tensor), then.values()):
        parameter.grad = None
    for name, array in state.items():
        shape = data_of(bg, module, name).shape
        values = leaf(bg, np.reshape(array, shape), dtype=float_of(array)).data
        if isinstance(getattr(module, name), bg.Tensor):
            getattr(module, name).data = values
        else:
            setattr(module, name, values)
    module.training = training
    return module


def float_of(array):
    """The dtype of a leaf that holds an array."""
    return "float32" if array.dtype == "float32" else "float64"


def make_other(bg, layer):
    """Make a layer with other options, which are for that one alone."""
    arguments, options = OTHERS.get(layer, ((), None))
    if options:
        getattr(bg.nn, layer)(*arguments, **options)


def data_of(bg, module, name):
    """The array in an attribute: a Tensor's, or the attribute itself."""
    found = getattr(module, name, None)
    data = found.data if isinstance(found, bg.Tensor) else found
    if not isinstance(data, np.ndarray):
        kind = type(module).__name__
        raise Complaint(f"{kind}.{name} is {article(found)}; an array of numbers was expected.")
    return data


def held(bg, module, name, like):
    """The array in an attribute; one row ``(1, n)`` counts as ``(n,)``."""
    return np.array(as_given(data_of(bg, module, name), like))


def own_gradient(bg, module, name, like):
    """The gradient of a parameter, which has to have the parameter's shape."""
    parameter = getattr(module, name)
    found = grad_data(bg, parameter, f"{name}.grad")
    return as_given(found, like) if found.shape == parameter.data.shape else found


def as_given(array, like):
    return array.reshape(like.shape) if array.shape == (1, *like.shape) else array


def flat(array):
    """An array, one row ``(1, n)`` as ``(n,)``."""
    return array[0] if array.ndim == 2 and array.shape[0] == 1 else array


def pull(bg, out, cotangent, who):
    """Run the learner's walk from ``Σ cotangent · out``."""
    tensor_data(bg, out, who)
    (out * leaf(bg, cotangent, requires_grad=False)).sum().backward()
