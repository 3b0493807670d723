"""Programs for chapter 7: what is drawn, with which spread, and what layers make of it."""

import numpy as np

from .harness import Complaint, array_of, ask_first, grad_data, leaf, tensor_data, unlike


def gains(bg, names):
    """`gain` gives the factor of each nonlinearity."""
    return [np.array([_number(bg.init.gain(name), f'gain("{name}") returned') for name in names])]


def refused(bg, name):
    """`gain` raises ValueError for a name that it does not know."""
    try:
        bg.init.gain(name)
    except ValueError:
        return [_text("ValueError")]
    return [_text("nothing was raised")]


def unknown(bg, function, name):
    """`{function}` takes no name that `gain` does not know."""
    try:
        getattr(bg.init, function)(3, 2, name)
    except NotImplementedError:
        raise
    except Exception:  # noqa: BLE001  (whatever it is, it is no Tensor)
        return [_text("an error is raised")]
    return [_text("nothing was raised")]


def drawn(bg, function, args, options, limits, start, std):
    """`{function}` draws values of the right spread.

    ``reach``: for each limit, whether any value is farther from 0 than that.
    ``tight``: whether the spread of very many values is ``std``, to one in fifty.
    """
    np.random.seed(start)
    tensor = getattr(bg.init, function)(*args, **options)
    first = np.array(tensor_data(bg, tensor, function))
    second = _draw(bg, function, args, options)
    farthest = float(np.abs(first).max()) if first.size else 0.0
    many = _draw(bg, function, args, {**options, "shape": (300, 300)}) if std else first
    return {
        "tight": [np.array(bool(std) and bool(abs(many.std() / std - 1) < 0.02))],
        "value": [first],
        "reach": [np.array([float(farthest > limit) for limit in limits])],
        "anew": [np.array(float(np.array_equal(first, second)))],
        "form": [_form(tensor)],
    }


def form(bg, function, args, options, start):
    """`{function}` returns a Tensor of the right shape."""
    ask_first(getattr(bg.init, function), *args, dtype="float64")  # asked for in this call alone
    np.random.seed(start)
    tensor = getattr(bg.init, function)(*args, **options)
    tensor_data(bg, tensor, function)
    return {"form": [_form(tensor)]}


def filled(bg, shapes, dtype="float64"):
    """`initialize` fills the weight matrices, and only these.

    ``kept``: whether a parameter still has its dtype and its gradient.
    """
    parameters = [
        leaf(bg, np.full(shape, 0.5), requires_grad=i != 2) for i, shape in enumerate(shapes)
    ]
    if dtype != "float64":
        parameters = [bg.Tensor(parameter.data, dtype=dtype) for parameter in parameters]

    asked = []

    def draw(fan_in, fan_out):
        """Values that tell which fans were asked for, and how often before."""
        asked.append((fan_in, fan_out))
        values = np.arange(fan_in * fan_out).reshape(fan_in, fan_out)
        return leaf(bg, asked.count(asked[-1]) + fan_in + fan_out / 8 + values / 130)  # no float32

    before = [(parameter.data.dtype, np.ones(parameter.data.shape)) for parameter in parameters]
    for parameter, (_, grad) in zip(parameters, before, strict=True):
        parameter.grad = grad
    if dtype == "float64":
        bg.init.initialize(parameters, draw)
        for parameter in parameters:  # so far nothing was drawn
            parameter.data = np.full(parameter.data.shape, 0.5)
        asked.clear()
        bg.init.initialize(parameters, draw)
    else:
        bg.init.initialize((parameter for parameter in parameters), draw)
    found = [array_of(parameter.data, "data after initialize") for parameter in parameters]
    pairs = list(zip(parameters, before, strict=True))
    kept = [p.data.dtype == dtype and p.grad is grad for p, (dtype, grad) in pairs]
    return {"value": found, "kept": [np.array(kept)]}


def statistics(bg, weights, x, form="list"):
    """`activation_statistics` gives mean, std and share of zeros after each layer."""
    outputs = []
    layers = [_layer(bg, weight, form != "plain", outputs) for weight in weights]
    given = iter(layers) if form == "generator" else layers
    start = leaf(bg, x)
    for factor in (0.5, 2.0):  # the same layers with other weights
        for weight in weights:
            weight *= factor
        if factor < 1:
            bg.init.activation_statistics(layers, start)
    outputs.clear()
    found = bg.init.activation_statistics(given, start)
    if not isinstance(found, (list, tuple)):
        raise unlike(found, "activation_statistics returned", "a list was expected")
    rows = [[_number(one, "A value of activation_statistics is") for one in row] for row in found]
    if any(len(row) != 3 for row in rows):
        raise Complaint("activation_statistics gave a layer that does not have three numbers.")
    # Floats tell nothing of the package's precision; what it was given does.
    told = {
        name: [np.array([row[place] for row in rows], dtype=start.data.dtype)]
        for place, name in enumerate(("mean", "std", "zeros"))
    }
    untouched = all(np.array_equal(out.data, copy) for out, copy in outputs)
    once = len(outputs) == len(layers)
    return {**told, "read": [np.array([once, untouched and np.array_equal(start.data, x)])]}


def gradients(bg, arrays):
    """`gradient_statistics` gives mean, std and share of zeros of every gradient."""
    parameters = [
        leaf(bg, np.ones(3 if a is None else np.shape(a)), requires_grad=i != 1)
        for i, a in enumerate(arrays)
    ]
    bg.init.gradient_statistics(parameters)  # before any gradient has arrived
    for parameter, array in zip(parameters, arrays, strict=True):
        parameter.grad = None if array is None else gradient_like(bg, array)
    held = [parameter.grad for parameter in parameters]
    once = bg.init.gradient_statistics(parameter for parameter in parameters)
    found = bg.init.gradient_statistics(parameters)
    if repr(once) != repr(found):
        raise Complaint(
            "gradient_statistics gave something else for a generator than for a list of the same "
            "parameters."
        )
    if not isinstance(found, (list, tuple)):
        raise unlike(found, "gradient_statistics returned", "a list was expected")
    who = "A value of gradient_statistics is"
    rows = [[_number(one, who) for one in row] for row in found if row is not None]
    if any(len(row) != 3 for row in rows):
        raise Complaint("gradient_statistics gave an entry that does not have three numbers.")
    table = np.array(rows, dtype=parameters[0].data.dtype).reshape(-1, 3)
    return {
        **{name: [table[:, place]] for place, name in enumerate(("mean", "std", "zeros"))},
        "arrived": [np.array([row is not None for row in found], dtype=bool)],
        "kept": [
            np.array(
                [
                    p.grad is grad
                    and (grad is None or np.array_equal(grad_data(bg, p, "grad"), array))
                    for p, grad, array in zip(parameters, held, arrays, strict=True)
                ]
            )
        ],
    }


def gradient_like(bg, array):
    """A gradient in the form in which this package leaves one: an ndarray, or a Tensor."""
    try:
        probe = bg.Tensor([1.0])
        probe.backward()
        if isinstance(probe.grad, bg.Tensor):
            return bg.Tensor(array, dtype="float64", requires_grad=False)
    except Exception:  # noqa: BLE001  (no backward yet: nothing here needs one)
        pass
    return np.array(array)


def _layer(bg, weight, bent, outputs):
    """A layer that notes what it gave; with a ReLU where it is ``bent``."""

    def layer(x):
        values = np.asarray(x.data) @ weight
        out = leaf(bg, np.maximum(values, 0) if bent else values)
        outputs.append((out, np.array(out.data)))
        return out

    return layer


def _form(tensor):
    """The shape, the dtype and whether it learns, in words."""
    shape, dtype = tensor.data.shape, tensor.data.dtype
    return _text(f"shape {shape}, dtype {dtype}, requires_grad {bool(tensor.requires_grad)}")


def _draw(bg, function, args, options):
    return np.array(tensor_data(bg, getattr(bg.init, function)(*args, **options), function))


def _number(value, who):
    if isinstance(value, (int, float, np.generic)) and not isinstance(value, bool):
        return np.float64(value)
    if isinstance(value, np.ndarray) and value.size == 1:
        return np.float64(value.item())
    raise unlike(value, who, "a number was expected")


def _text(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)
