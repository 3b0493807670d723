"""Programs for optimizers: parameters are plain leaves, and the program sets their gradients."""

import numpy as np

from .harness import (
    POOL,
    Complaint,
    array_of,
    article,
    as_far,
    ask_first,
    grad_data,
    leaf,
    unlike,
)

# Settings of a schedule that no probe asks for.
OTHERS = {"lr": 7.0, "every": 50, "factor": 0.9, "warmup": 0, "total": 500, "lowest": 0.002}

MEANS = {"directions": {"calls": {"value": "value"}}}


def kept(bg, arrays, order, lr, form):
    """`Optimizer` keeps each parameter once, in the order given, and the learning rate."""
    tensors = [leaf(bg, array, requires_grad=i != 1) for i, array in enumerate(arrays)]
    given = [tensors[i] for i in order]
    ask_first(bg.optim.Optimizer, given, lr)  # another one of the same parameters
    optimizer = bg.optim.Optimizer(iter(given) if form == "generator" else given, lr)
    return {
        "value": [_places(optimizer, tensors), _places(optimizer, tensors)],
        "lr": [_number(_attribute(optimizer, "lr"), "optimizer.lr is")],
        "list": [np.array(isinstance(optimizer.parameters, list))],
    }


def refused(bg, arrays, lr):
    """`Optimizer` raises ValueError for what cannot be trained."""
    try:
        bg.optim.Optimizer((leaf(bg, array) for array in arrays), lr)
    except ValueError:
        return [_text("ValueError")]
    return [_text("nothing was raised")]


def forgotten(bg, arrays, gradients):
    """`zero_grad` sets every gradient to None and leaves the values alone."""
    parameters = [leaf(bg, array, requires_grad=i > 0) for i, array in enumerate(arrays)]
    optimizer = bg.optim.Optimizer(parameters, 0.1)
    _set(bg, parameters, gradients)
    optimizer.zero_grad()
    return {
        "value": [np.array([float(p.grad is None) for p in parameters])],
        "data": [_data(bg, parameter, "zero_grad") for parameter in parameters],
    }


def settings(bg, kind, arrays, options, names, remembered):
    """`{kind}` keeps its settings under their names, and its parameters."""
    parameters = [leaf(bg, array) for array in arrays]
    ask_first(getattr(bg.optim, kind), parameters, **options)  # another one of the same parameters
    optimizer = getattr(bg.optim, kind)(parameters, **options)
    held = [(name, _attribute(optimizer, name)) for name in names]
    numbers = [_number(one, f"optimizer.{name} is") for name, value in held for one in _each(value)]
    done = {"value": [np.array(numbers)], "parameters": [_places(optimizer, parameters)]}

    def memory():
        found, _ = _remembered(kind, optimizer, remembered)
        return {"memory": found}

    return as_far(done, ("memory",), memory)


def memory(bg, kind, arrays, dtype, names):
    """`{kind}` starts with separate memory for each parameter."""
    parameters = (bg.Tensor(array, dtype=dtype) for array in arrays)
    found, arrays = _remembered(kind, getattr(bg.optim, kind)(parameters), names)
    shared = sum(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
    return {"memory": found, "shared": [np.array(float(shared))]}


def _remembered(kind, optimizer, names):
    """The first values that an optimizer holds under these names, and the arrays among them."""
    found, arrays = [], []
    for name in names:
        held = _attribute(optimizer, name)
        if not isinstance(held, list):
            raise Complaint(f"{kind}.{name} is {article(held)}; a list was expected.")
        found.append(np.array(float(len(held))))
        found += [_counter_or_array(one) for one in held]
        arrays += [one for one in held if isinstance(one, np.ndarray)]
    return found, arrays


def directions(bg, arrays, options, given):
    """`Adam.direction` returns m̂ / (√v̂ + eps)."""
    parameters = [leaf(bg, array) for array in arrays]
    optimizer, other = bg.optim.Adam(parameters, **options), bg.optim.Adam(parameters, eps=0.3)
    ask_first(other.direction, given[0][0], np.array(given[0][1]))
    found, gradients, wide, arrays = [], [], [], {}
    for i, gradient in given:
        # One array for all gradients of a shape, as a parameter may keep it.
        held = arrays.setdefault(np.shape(gradient), np.array(gradient))
        held[...] = gradient
        answer = array_of(optimizer.direction(i, held), "Adam.direction")
        gradients.append(np.array(held))
        found.append(np.array(answer))
        wide.append(answer.dtype.itemsize >= parameters[i].data.dtype.itemsize)
    return {"value": found, "gradients": gradients, "wide": [np.array(wide)]}


def directions_float32(bg, array, given):
    """The result of `Adam.direction` has the dtype of the gradient."""
    optimizer = bg.optim.Adam([bg.Tensor(array, dtype="float32")])
    gradients = [np.array(gradient, dtype="float32") for gradient in given]
    found = [array_of(optimizer.direction(0, each), "Adam.direction") for each in gradients]
    return {"value": found, "gradients": gradients}


def trajectory(bg, kind, arrays, options, gradients, rates, dtype="float64"):
    """`{kind}.step` takes the parameters along the right path.

    ``gradients``: one list per step, None where a parameter has no gradient in that step;
    ``rates``: one learning rate per step that is set beforehand, or nothing.
    """
    parameters = [bg.Tensor(array, dtype=dtype) for array in arrays]
    optimizer = getattr(bg.optim, kind)(parameters, **options)
    path, given, left = [[] for _ in parameters], [], []
    for number, each in enumerate(gradients):
        if rates:
            optimizer.lr = rates[number]
        given += _set(bg, parameters, each, dtype)
        optimizer.step()
        left += [_flat(bg, parameter.grad) for parameter in parameters]
        for parameter, places in zip(parameters, path, strict=True):
            places.append(np.array(_data(bg, parameter, f"{kind}.step")))
    given = [_flat(bg, grad) for grad in given]
    return {
        "value": [_stacked(places, kind) for places in path],
        "gradients": [np.concatenate(left), np.concatenate(given)],
    }


def continued(bg, kind, arrays, options, others, gradients, stop):
    """{kind}: a new optimizer continues where the state was taken, as if nothing had happened.

    ``others`` are the options that the new optimizer is made with: the state wins.
    """
    parameters = [leaf(bg, array) for array in arrays]
    optimizer = getattr(bg.optim, kind)(parameters, **options)
    path = [[] for _ in parameters]
    for number, step in enumerate(gradients):
        if number == stop:
            state = optimizer.state_dict()
            parameters = [leaf(bg, parameter.data) for parameter in parameters]
            optimizer = getattr(bg.optim, kind)(parameters, **{**options, **others})
            optimizer.load_state_dict(state)
        _set(bg, parameters, step)
        optimizer.step()
        for parameter, places in zip(parameters, path, strict=True):
            places.append(np.array(_data(bg, parameter, f"{kind}.step")))
    return [_stacked(places, kind) for places in path]


def clipped(bg, gradients, max_norm, form="list", dtype="float64"):
    """`clip_grad_norm` scales all gradients by one common factor."""
    values = [np.ones(3 if gradient is None else np.shape(gradient)) for gradient in gradients]
    parameters = [
        bg.Tensor(array, dtype=dtype, requires_grad=i > 0) for i, array in enumerate(values)
    ]
    _set(bg, parameters, gradients, dtype)
    listed, _ = POOL.take("parameters", list)
    listed[:] = parameters
    given = (p for p in parameters) if form == "generator" else listed
    total = bg.optim.clip_grad_norm(given, max_norm)
    return {
        "value": [
            grad_data(bg, p, "grad after clip_grad_norm")
            for p, g in zip(parameters, gradients, strict=True) if g is not None
        ],
        "total": [_number(total, "clip_grad_norm returned")],
        "none": [np.array([float(p.grad is None) for p in parameters])],
        "data": [np.array(p.data) for p in parameters],
        "float": [np.array(isinstance(total, (int, float, np.generic)))],
    }  # fmt: skip


def schedule(bg, function, steps, options):
    """`{function}` gives the right learning rate for each step."""
    rate = getattr(bg.optim, function)
    for name in options:  # what one rate was made of is for that one alone
        for t in steps:
            ask_first(rate, t, **{**options, name: OTHERS[name]})
    return [np.array([_number(rate(t, **options), f"{function}({t}, …) returned") for t in steps])]


def scheduled(bg, rates, lr):
    """`Scheduler` gives the optimizer the rate of the step that comes next."""

    class Optimizer:
        pass

    optimizer = Optimizer()
    optimizer.lr = lr

    # Beyond its end the schedule answers 9, so that counting too far shows as a number.
    def plan(t):
        return rates[t] if t < len(rates) else 9.0

    bg.optim.Scheduler(optimizer, lambda t: plan(t + 1))  # another one, which begins with more
    first = _number(optimizer.lr, "optimizer.lr is")
    optimizer.lr = lr
    scheduler = bg.optim.Scheduler(optimizer, plan)
    seen = [_number(optimizer.lr, "optimizer.lr is")]
    steps = [_number(scheduler.t, "scheduler.t is")]
    for t in range(1, len(rates)):
        optimizer.lr = 0.0 if t % 2 else 7.0  # by somebody else: it does not enter
        scheduler.step()
        seen.append(_number(optimizer.lr, "optimizer.lr is"))
        steps.append(_number(scheduler.t, "scheduler.t is"))
    return {"start": [first, seen[0]], "value": [np.array(seen)], "t": [np.array(steps)]}


def _counter_or_array(one):
    """Counters may be int or float; arrays show their own dtype."""
    return np.float64(one) if isinstance(one, (int, float)) else np.asarray(one)


def _set(bg, parameters, gradients, dtype="float64"):
    """Give every parameter its gradient, in the form in which this package leaves gradients."""
    form = _form(bg)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = None if gradient is None else form(np.array(gradient, dtype=dtype))
    return [parameter.grad for parameter in parameters]


def _form(bg):
    """Most packages keep an ndarray in ``grad``, some a Tensor; a leaf's own backward shows it."""
    try:
        probe = bg.Tensor([1.0])
        probe.backward()
        if isinstance(probe.grad, bg.Tensor):
            return lambda array: bg.Tensor(array, dtype=array.dtype, requires_grad=False)
    except Exception:  # noqa: BLE001  (no backward yet: nothing here needs one)
        return lambda array: array
    return lambda array: array


def _flat(bg, grad):
    """The values in a ``grad``, in one row; an empty row where it is None."""
    if isinstance(grad, bg.Tensor):
        grad = grad.data
    return np.empty(0) if grad is None else np.array(grad, dtype="float64").ravel()


def _stacked(places, kind):
    if len({place.shape for place in places}) > 1:
        told = ", then ".join(str(place.shape) for place in places)
        raise Complaint(f"{kind}.step changed the shape of a parameter: {told}.")
    return np.stack(places)


def _data(bg, parameter, who):
    """The values of a parameter."""
    if not isinstance(parameter.data, (np.ndarray, np.generic)):
        found = article(parameter.data)
        raise Complaint(f"After {who}, a parameter's data is {found}, not an ndarray.")
    return np.asarray(parameter.data)


def _places(optimizer, tensors):
    """Number those of ``tensors`` that the optimizer holds; -1 for something else."""
    number = {id(tensor): float(i) for i, tensor in enumerate(tensors)}
    held = _attribute(optimizer, "parameters")
    return np.array([number.get(id(tensor), -1.0) for tensor in held], dtype="float64")


def _attribute(optimizer, name):
    if not hasattr(optimizer, name):
        raise Complaint(f"{type(optimizer).__name__} has no attribute {name} after __init__.")
    return getattr(optimizer, name)


def _number(value, who):
    if isinstance(value, (int, float, np.generic)) and not isinstance(value, bool):
        return np.float64(value)
    if isinstance(value, np.ndarray) and value.size == 1:
        return np.float64(value.item())
    raise unlike(value, who, "a number was expected")


def _each(value):
    return value if isinstance(value, (tuple, list)) else [value]


def _text(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)
