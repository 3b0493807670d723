"""Programs for attention and the GPT: functions, modules with copied weights, and who sees whom."""

import io

import numpy as np

from .harness import (
    POOL,
    Complaint,
    array_of,
    article,
    as_far,
    ask_first,
    dtype_of,
    grad_data,
    halved_first,
    kept_dtypes,
    leaf,
    tensor_data,
    text,
    unlike,
)

MEANS = {
    "refused": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
    "attention": {"names": {"value": ["the output", "the matrix of weights"]}},
    "value": {"names": {"value": ["the output", "the matrix of weights"]}},
    "gradient": {"names": {"value": "names"}},
    "kinds_of_tokens": {
        "names": {
            "value": [
                "the result for an ndarray",
                "the result for a list",
                "the result for a Tensor",
            ],
        },
    },
    "lengths": {
        "names": {
            "value": [
                "the result for the first token alone",
                "the result for all tokens",
                "the result for all tokens but the last",
            ],
        },
    },
}


OTHERS = {"softmax": (0,), "split_heads": (1,)}  # what else a function is asked for first


def function(bg, name, arrays, others, cotangents):
    """{name} computes the right values."""
    inputs = [leaf(bg, array) for array in arrays]
    others = [POOL.array(each) if isinstance(each, np.ndarray) else each for each in others]
    ask = getattr(bg.gpt, name)
    if len(arrays) == 1:
        ask_first(ask, leaf(bg, np.repeat(arrays[0], 2, axis=-1)), *others)
    for other in ((), OTHERS.get(name, ())):
        ask_first(ask, *inputs, *other)
    outs = several(bg, ask(*inputs, *others), name, len(cotangents))
    values = [np.array(out.data) for out in outs]

    def rest():
        pull(bg, outs, cotangents, name)
        arrays = [x for x in others if isinstance(x, np.ndarray)]
        found = [grad_data(bg, x, "the gradient of an input") for x in inputs]
        return {
            "gradient": [np.array(each) for each in found],
            "inputs": [*(np.array(x.data) for x in inputs), *arrays],
        }

    told = as_far({"value": values}, ["dtype"], lambda: {"dtype": dtype_of(inputs[0], outs)})
    return as_far(told, ("gradient", "inputs"), rest)


def attention(bg, q, k, v, mask, cotangents):
    """attention computes the right values."""
    others = [] if mask is None else [mask]
    return function(bg, "attention", [q, k, v], others, cotangents)


def dtypes(bg, name, arrays, others, kinds):
    """{name} keeps the dtype."""
    return {"dtype": kept_dtypes(
        lambda dtype: [bg.Tensor(array, dtype=dtype) for array in arrays],
        lambda *inputs: getattr(bg.gpt, name)(*inputs, *others), kinds,
    )}  # fmt: skip


def dtypes_of_module(bg, kind, arguments, given, others):
    """{kind}.forward keeps the dtype."""
    module = None

    def make(dtype):
        nonlocal module
        np.random.seed(len(kind))  # the same weights for both
        module = getattr(bg.gpt, kind)(*arguments, dtype=dtype)
        # Of whole numbers what counts is the dtype of the parameters.
        return module.parameters() if is_whole(given) else [bg.Tensor(given, dtype=dtype)]

    def call(first, *_):
        return module.forward(given if is_whole(given) else first, *others)

    return {"dtype": kept_dtypes(make, call)}


def is_whole(array):
    return array.dtype.kind == "i"


def losses(bg, logits, targets, kind, cotangent):
    """cross_entropy: the value and the gradient are right."""
    given = {
        "array": lambda: POOL.array(targets),
        "list": lambda: np.array(targets).tolist(),
        "tensor": lambda: bg.Tensor(targets, dtype="int64", requires_grad=False),
    }[kind]()
    found = function(bg, "cross_entropy", [logits], [given], [cotangent])
    if found["value"][0].size != 1:
        raise Complaint(f"cross_entropy returned {found['value'][0].size} values; a loss is one.")
    if kind == "list":
        found["inputs"].append(np.array(given))
    return found


def mask(bg, length):
    """causal_mask says who may look at whom."""
    earlier = bg.gpt.causal_mask(length)
    if isinstance(earlier, np.ndarray) and earlier.flags.writeable:
        earlier[:] = False  # somebody made a mask of their own of it
    return [array_of(bg.gpt.causal_mask(length), "causal_mask")]


def value(bg, kind, arguments, state, given, others):
    """{kind}.forward computes the right values."""
    module = made(bg, kind, arguments, state)
    inputs = tokens_or_leaf(bg, given)
    if kind in ("MultiHeadAttention", "Block"):
        ask_first(module.forward, inputs, np.eye(given.shape[1], dtype=bool))
    count = 2 if kind == "MultiHeadAttention" else 1
    outs = several(bg, module.forward(inputs, *others), f"{kind}.forward", count)
    told = {
        "value": [np.array(out.data) for out in outs],
        "inputs": [np.array(getattr(inputs, "data", inputs))],
    }
    x = at(module, next(iter(state)), kind) if is_whole(given) else inputs
    return as_far(told, ["dtype"], lambda: {"dtype": dtype_of(x, outs)})


def gradient(bg, kind, arguments, state, given, others, cotangents):
    """{kind}: the gradients of its input and of its parameters are right."""
    module = made(bg, kind, arguments, state)
    inputs = tokens_or_leaf(bg, given)
    outs = several(bg, module.forward(inputs, *others), f"{kind}.forward", len(cotangents))
    pull(bg, outs, cotangents, f"{kind}.forward")
    is_leaf = isinstance(inputs, bg.Tensor)
    found = [np.array(grad_data(bg, inputs, "x.grad"))] if is_leaf else []
    for path in state:
        parameter = at(module, path, kind)
        grad = grad_data(bg, parameter, f"{path}.grad")
        found.append(as_given(np.array(grad), state[path], parameter))
    names = [f"the gradient of {name}" for name in (*["x"][:is_leaf], *state)]
    return {"value": found, "names": [text(", ".join(names))]}


def kinds_of_tokens(bg, kind, arguments, state, tokens):
    """{kind}.forward takes an ndarray, a list or a Tensor."""
    module = made(bg, kind, arguments, state)
    forms = (
        np.array(tokens),
        np.array(tokens).tolist(),
        bg.Tensor(tokens, dtype="int64", requires_grad=False),
    )
    return [np.array(tensor_data(bg, module.forward(each), f"{kind}.forward")) for each in forms]


def lengths(bg, kind, arguments, state, tokens):
    """{kind}.forward takes longer and shorter sequences, one after the other."""
    module = made(bg, kind, arguments, state)
    forms = tokens[:, :1], tokens, tokens[:, :-1]
    return [np.array(tensor_data(bg, module.forward(each), f"{kind}.forward")) for each in forms]


def calls(bg, x, weights, cotangent):
    """each_token sends all tokens through the layer in one call."""
    seen = []
    table = leaf(bg, weights)

    class Layer(bg.nn.Module):
        def forward(self, rows):
            seen.append(rows.shape)
            if len(rows.shape) != 2:
                raise Complaint(f"each_token gave the layer the shape {rows.shape}, and no rows.")
            return rows @ table

    inputs, layer = leaf(bg, x), Layer()
    halved_first([table.data], bg.gpt.each_token, layer, inputs)
    seen.clear()
    outs = several(bg, bg.gpt.each_token(layer, inputs), "each_token", 1)
    found, times, kept = np.array(outs[0].data), len(seen), dtype_of(inputs, outs)
    pull(bg, outs, [cotangent], "each_token")
    return {
        "value": [found],
        "gradient": [np.array(grad_data(bg, inputs, "x.grad"))],
        "calls": [np.array(times)],
        "inputs": [np.array(inputs.data)],
        "dtype": kept,
    }


# ---- who sees whom ------------------------------------------------------------------------


def moved(bg, arguments, state, tokens, place, other):
    """GPT.forward: a later token moves no earlier score."""
    module = made(bg, "GPT", arguments, state)
    changed = np.array(tokens)
    changed[:, place] = other
    first, second = (
        tensor_data(bg, module.forward(each), "GPT.forward") for each in (tokens, changed)
    )
    # What a token cannot reach is computed from the same numbers, and stays the same to the bit;
    # what it can reach may move by very little, where weights are small.
    apart = np.abs(first - second).max((0, 2))
    return [apart > 1e-9 * np.abs(first).max()]


def refused(bg, kind, arguments, tokens):
    """{kind} raises ValueError where something cannot fit."""
    try:
        module = getattr(bg.gpt, kind)(*arguments)
        if tokens is not None:
            module.forward(np.array(tokens))
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]


# ---- what a module owns -------------------------------------------------------------------


def owned(bg, kind, arguments, paths):
    """{kind}.__init__ makes what its docstring names."""
    module = getattr(bg.gpt, kind)(*arguments)
    parameters = module.parameters()
    named = [at(module, path, kind) for path in paths]
    return {
        "shape": [np.array(flat(each.data).shape) for each in named],
        "parameter": [np.array([isinstance(each, bg.nn.Parameter) for each in named])],
        "count": [np.array([len(parameters), sum(each.data.size for each in parameters)])],
    }


def typed(bg, kind, arguments, paths, dtype):
    """{kind}.__init__ makes its arrays in the dtype that was asked for."""
    make = getattr(bg.gpt, kind)
    ask_first(make, *arguments, dtype="float64")
    module = make(*arguments, **({} if dtype is None else {"dtype": dtype}))
    every = np.concatenate([each.data.ravel() for each in module.parameters()])
    arrays = [every, *(flat(at(module, path, kind).data) for path in paths)]
    return [np.zeros(array.shape, array.dtype) for array in arrays]


def initial(bg, kind, arguments, path, start, larger, std):
    """{kind}.__init__ gives its attributes their first values."""
    np.random.seed(start)

    def made(sizes, **options):
        return at(getattr(bg.gpt, kind)(*sizes, **options), path, kind).data

    first, second = made(arguments), made(arguments)
    both = [made(larger), made(larger, dtype="float64")]
    # Of very many values the spread is known to one in fifty; half lie within 0.6745 of it.
    middles = [np.mean(np.abs(many) < 0.6745 * std) for many in both]
    return {
        "value": [np.array(first)], "fresh": [np.array((first != second).any())],
        "spread": [np.array(all(abs(many.std() / std - 1) < 0.02 for many in both))],
        "middle": [np.array(all(abs(middle - 0.5) < 0.02 for middle in middles))],
    }  # fmt: skip


def options(bg, kind, arguments, names):
    """{kind}.__init__ keeps its options."""
    module = getattr(bg.gpt, kind)(*arguments)
    return [np.array(float(down(module, name, kind))) for name in names]


def headless(bg, arguments):
    """GPT.__init__ makes no head for tied weights."""
    module = bg.gpt.GPT(*arguments)
    held = getattr(module, "head", 0)
    sizes = sum(parameter.data.size for parameter in module.parameters())
    return [np.array(held is None), np.array(sizes)]


def kept(bg, arguments, start):
    """A GPT that was saved and loaded knows the same as before."""
    from babygrad import checkpoint

    np.random.seed(start)
    first, second = bg.gpt.GPT(*arguments), bg.gpt.GPT(*arguments)
    file = io.BytesIO()
    checkpoint.save(first.state_dict(), file)
    file.seek(0)
    second.load_state_dict(checkpoint.load(file))
    pairs = zip(first.parameters(), second.parameters(), strict=True)
    same = all(np.array_equal(one.data, two.data) for one, two in pairs)
    return [np.array(same), text("\n".join(sorted(first.state_dict())))]


# ---- helpers ------------------------------------------------------------------------------


def made(bg, kind, arguments, state):
    """A module in float64 whose parameters hold the arrays of ``state``, named by their paths."""
    fresh = getattr(bg.gpt, kind)(*arguments, dtype="float64")  # each run shows what it leans on
    module, _ = POOL.take((kind, repr(arguments)), lambda: fresh)
    for path, array in state.items():
        parameter = at(module, path, kind)
        parameter.data = leaf(bg, np.reshape(array, like(parameter, array, path))).data
        parameter.grad = None
    return module


def like(parameter, array, path):
    """The shape that a parameter has; another size than it should have is said here."""
    shape = parameter.data.shape
    if shape not in (array.shape, (1, *array.shape)):
        raise Complaint(f"{path} has the shape {shape}, not {array.shape}.")
    return shape


def at(module, path, kind):
    """The Tensor at the end of a path: ``blocks.0.norm1.weight``."""
    thing = down(module, path, kind)
    if not hasattr(thing, "data"):
        raise Complaint(f"{kind} has {article(thing)} at {path}; a Parameter was expected.")
    return thing


def down(module, path, kind):
    """Return the object at the end of a path."""
    thing = module
    for part in path.split("."):
        try:
            thing = thing[int(part)] if part.isdigit() else getattr(thing, part)
        except (AttributeError, LookupError, TypeError):
            raise Complaint(f"{kind} has no {path}.") from None
    return thing


def tokens_or_leaf(bg, given):
    """Whole numbers stay as they are; other numbers become a leaf."""
    return np.array(given) if is_whole(given) else leaf(bg, given)


def several(bg, out, who, count):
    """Return the results as so many Tensors; one stands by itself."""
    if count == 1:
        tensor_data(bg, out, who)
        return [out]
    if not isinstance(out, (tuple, list)):
        raise unlike(out, f"{who} returned", f"{count} Tensors were expected")
    if len(out) != count:
        raise Complaint(f"{who} returned {len(out)} things; {count} Tensors were expected.")
    for number, each in enumerate(out, start=1):
        tensor_data(bg, each, who, f" as result {number} of {count}")
    return list(out)


def pull(bg, outs, cotangents, who):
    """Run the learner's walk from ``Σ cotangent · out``."""
    total = None
    for out, cotangent in zip(outs, cotangents):  # noqa: B905
        if np.shape(out.data) != np.shape(cotangent) and np.size(out.data) != 1:
            raise Complaint(
                f"{who} gave the shape {np.shape(out.data)}, not {np.shape(cotangent)}."
            )
        weights = leaf(bg, np.reshape(cotangent, np.shape(out.data)), requires_grad=False)
        part = (out * weights).sum()
        total = part if total is None else total + part
    total.backward()


def as_given(found, array, parameter):
    """A gradient of a parameter; one row ``(1, n)`` counts as ``(n,)``."""
    if found.shape == parameter.data.shape == (1, *array.shape):
        return found.reshape(array.shape)
    return found


def flat(array):
    """An array, one row ``(1, n)`` as ``(n,)``."""
    return array[0] if array.ndim == 2 and array.shape[0] == 1 else array
