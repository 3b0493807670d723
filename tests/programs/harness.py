"""Turn results into arrays, and walk a graph without the learner's walk."""

import functools

import numpy as np

from .differences import backward_of
from .pool import POOL, Complaint

WALKS = ("walk", "summed")  # no call of these leads through learner code


def count_from_here():
    """Mark where the count of a cost begins: the calls before this one do not count."""


def count_to_here():
    """… and what comes after this one does not."""


def article(value):
    """Name a value's type in words: «None», «a list», «an int»."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' or name == 'ndarray' else 'a'} {name}"


def unlike(value, who, wanted, place="", inputs=()):
    """The Complaint that a value is of another kind: «close returned None; did you forget …?».

    Args:
        who: what it was of, with a verb: «close returned», «The data of a + b is».
        wanted: «a bool was expected».
        place: which of several it is: « as gradient 2 of 2».
        inputs: what a rule can have left gradients in, where it returned none.
    """
    hint = f"{wanted}."
    if value is None and who.endswith(" returned") and not place:
        hint = "did you forget `return`?"
        if any(getattr(each, "grad", None) is not None for each in inputs):
            hint = "it set the `grad` of its inputs. A rule returns; the walk sets `grad`."
    return Complaint(f"{who} {article(value)}{place}; {hint}")


def as_far(done, names, rest):
    """The parts ``done``, and those that ``rest`` gives; what it raises stands for all of these.

    So a value is right by itself, whatever becomes of its gradient.
    """
    try:
        return {**done, **rest()}
    except Exception as error:
        return {**done, **dict.fromkeys(names, error)}


def alone(program):
    """A program after which ops are called as before, whatever a block or a trace leaves behind."""

    @functools.wraps(program)
    def run(bg, *args):
        before = bg.ops.Function.__call__
        try:
            return program(bg, *args)
        finally:
            bg.ops.Function.__call__ = before

    return run


def text(words):
    """Words as an array: their bytes in UTF-8."""
    return np.frombuffer(words.encode(), dtype=np.uint8)


def itemised(findings):
    """Findings as one text, of which the judge shows the first that is not the right one."""
    return text("; ".join(findings))


def distinct(array):
    """The different values, in order, as `np.unique` gives them, which imports `numpy.ma` first."""
    ordered = np.sort(array, axis=None)
    before, after = ordered[:-1], ordered[1:]
    fresh = (before != after) & (before == before)  # one NaN stands for all, behind the numbers
    return np.append(ordered[:1], after[fresh])


def listing(words):
    """Words in a row: «x0», «x0 and x1», «x0, x1 and x2»; «none» where there are none."""
    *others, last = words or ["none"]
    return f"{', '.join(others)} and {last}" if others else last


def listed(value, who):
    """``value`` as a list, which has to be a list or a tuple."""
    if not isinstance(value, (list, tuple)):
        raise unlike(value, f"{who} returned", "a list was expected")
    return list(value)


def array_of(value, who, wanted="an ndarray", place="", *, stays=True):
    """The ndarray in an ndarray or a NumPy number; ``place`` says which of several it is.

    ``stays``: whether nobody writes to it.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return POOL.result(who + place, np.asarray(value)) if stays else value
    raise unlike(value, f"{who} returned", f"{wanted} was expected", place)


def tensor_data(bg, value, who, place=""):
    """The values of a Tensor, as an array; ``place`` says which of several it is."""
    if not isinstance(value, bg.Tensor):
        raise unlike(value, f"{who} returned", "a Tensor was expected", place)
    if not isinstance(value.data, (np.ndarray, np.generic)):
        raise Complaint(
            f"{who} returned a Tensor whose data is {article(value.data)}, not an ndarray."
        )
    return POOL.result(who + place, np.asarray(value.data))


def grad_data(bg, tensor, who):
    """The array in ``tensor.grad``; learners keep an ndarray there, or a Tensor."""
    grad = tensor.grad
    if grad is None:
        raise Complaint(f"{who} is None: no gradient arrived there.")
    if isinstance(grad, bg.Tensor):
        grad = grad.data
    if not isinstance(grad, (np.ndarray, np.generic)):
        raise Complaint(f"{who} is {article(grad)}, not an ndarray.")
    return np.asarray(grad)


def op_of(bg, op, attrs=()):
    """The op with these attributes, the same object as in an earlier probe."""
    return POOL.take((op, repr(attrs)), lambda: getattr(bg.ops, op)(*attrs))[0]


def ask_first(call, *args, **options):
    """Ask something else before the call that counts; nobody looks at what becomes of it.

    Not in a probe of no exercise: a viva asks about the first call, and shows what it is given.
    """
    if not POOL.exercise:
        return
    try:  # noqa: SIM105
        call(*args, **options)
    except Exception:
        pass


def halved_first(arrays, call, *args, **options):
    """Ask first with half of what these arrays hold; afterwards they hold it again."""
    mine = [a for a in arrays if isinstance(a, np.ndarray) and a.flags.writeable]
    before = [a.copy() for a in mine]
    for a in mine:
        a[...] = a * 0.5
    ask_first(call, *args, **options)
    for a, values in zip(mine, before, strict=True):
        a[...] = values


def leaf(bg, array, requires_grad=True, dtype="float64"):
    """A leaf that holds a copy of ``array``."""
    values = np.array(array)

    def make(own):
        return bg.Tensor(own, dtype=dtype, requires_grad=requires_grad)

    if type(values) is not np.ndarray:  # counted, where costs are
        return make(values)
    return POOL.leaf(("leaf", values.shape, requires_grad, dtype), make, values)


def kept_dtype(x, outs):
    """Whether results have the dtype of an input, or what operations of this package make of it."""
    due, given = (x + x).data.dtype, x.data.dtype
    outs = outs if isinstance(outs, (tuple, list)) else [outs]
    arrays = (each if isinstance(each, np.ndarray) else each.data for each in outs)
    found = {str(array.dtype) for array in arrays}
    kept = found <= {str(due), str(given)}
    return f"{given} stays" if kept else f"{given} becomes {' and '.join(sorted(found))}"


def dtype_of(x, outs):
    """Say whether the results of a float64 input have its dtype."""
    return [text(kept_dtype(x, outs))]


def kept_dtypes(make, call, kinds=("float32", "float64")):
    """Say what becomes of inputs of each dtype, and whether more than digits differs.

    ``make`` gives the inputs in a dtype.
    """
    told, first = [], None
    for dtype in kinds:
        inputs = make(dtype)
        before = [each.data.copy() for each in inputs]
        outs = call(*inputs)
        told.append(kept_dtype(inputs[0], outs))
        if not all(map(np.array_equal, [each.data for each in inputs], before)):
            told.append("an input is written to")
        outs = outs if isinstance(outs, (tuple, list)) else [outs]
        found = [np.asarray(getattr(each, "data", each), "float64") for each in outs]
        first = found if first is None else first
        if len(first) != len(found) or not all(map(nearly, first, found)):
            told.append("with other values")
    return [text(", ".join(told))]


def nearly(mine, other):
    """Whether these are the same numbers but for the digits of a float32."""
    if mine.shape != other.shape:
        return False
    largest = np.max(np.abs(other), initial=1.0, where=np.isfinite(other))
    return np.allclose(mine, other, 1e-3, 1e-3 * largest, equal_nan=True)


def input_gradients(bg, out, out_grad, *, asked=True):
    """One gradient Tensor per input of ``out``, straight from the op's own ``backward``.

    ``asked`` says that this rule is what the probe is about: then it is looked at more closely.
    """
    who = f"{type(out._op).__name__}.backward"
    gradients = backward_of(out, out_grad, asked)
    if isinstance(gradients, bg.Tensor):
        gradients = (gradients,)
    if not isinstance(gradients, (tuple, list)):
        raise unlike(gradients, f"{who} returned", "Tensors were expected", inputs=out._inputs)
    if len(gradients) != len(out._inputs):
        raise Complaint(
            f"{who} returned {len(gradients)} gradient(s) for {len(out._inputs)} input(s)."
        )
    for number, gradient in enumerate(gradients, start=1):
        place = f" as gradient {number} of {len(gradients)}" if len(gradients) > 1 else ""
        tensor_data(bg, gradient, who, place)
    return list(gradients)


def made_by(out, who):
    """``out``, which has to know the op that made it."""
    if getattr(out, "_op", None) is None:
        raise Complaint(f"{who} gave a Tensor without _op: the graph was not recorded.")
    return out


def walk(bg, roots, cotangents):
    """Gradients of ``Σ cotangents · roots`` for every tensor of the graph, as a dict by id.

    This is the course's own small walk: probes of one op never depend on `Tensor.backward`. Sums
    are made on arrays, so that they depend on no operator of the learner's either. Like
    `Tensor.backward` it sums over what broadcasting stretched, and leaves constants out: a rule
    may multiply by ones, and a number may be wrapped in a Tensor.
    """
    order, seen = [], set()

    def visit(tensor):
        if tensor.requires_grad and id(tensor) not in seen:
            seen.add(id(tensor))
            for source in tensor._inputs:
                visit(source)
            order.append(tensor)

    for root in roots:
        visit(root)
    gradients = {}

    def arrive(tensor, gradient):
        earlier = gradients.get(id(tensor))
        gradients[id(tensor)] = gradient if earlier is None else earlier + gradient

    for root, cotangent in zip(roots, cotangents, strict=True):
        # In the root's own dtype: what a float32 package gives is to be judged as float32.
        arrive(root, np.asarray(cotangent, dtype=root.data.dtype))
    for tensor in reversed(order):
        if tensor._op is None or id(tensor) not in gradients:
            continue
        out_grad = leaf(bg, gradients[id(tensor)], requires_grad=False)
        gradients_in = input_gradients(bg, tensor, out_grad, asked=False)
        for source, gradient in zip(tensor._inputs, gradients_in, strict=True):
            if source.requires_grad:
                arrive(source, summed(np.asarray(gradient.data), source.shape))
    return gradients


def summed(gradient, shape):
    """A gradient as an input of this shape is due it: without what broadcasting stretched."""
    extra = gradient.ndim - len(shape)
    if extra > 0:
        gradient = gradient.sum(tuple(range(extra)))
    sizes = enumerate(zip(shape, gradient.shape))  # noqa: B905
    axes = tuple(i for i, (size, wide) in sizes if size == 1 != wide)
    return gradient.sum(axes, keepdims=True) if axes else gradient


def told(call, names, kinds=(ValueError,)):
    """Say how a call ended: what was raised, and which of the names its message holds.

    A class of one's own that inherits from one of ``kinds`` is an error of that kind.
    """
    try:
        call()
    except NotImplementedError:
        raise
    except Exception as error:
        said = [name for name in sorted(names) if name in str(error)]
        kind = next((kind for kind in kinds if isinstance(error, kind)), type(error))
        return kind.__name__ + (f" naming {', '.join(said)}" if names else "")
    return "nothing was raised"


def names_of(state):
    return text(", ".join(sorted(state)))


def mapping(found, who):
    """Return a value that should be a dict with names as its keys."""
    if not isinstance(found, dict):
        raise unlike(found, f"{who} returned", "a dict was expected")
    for name in found:
        if not isinstance(name, str):
            raise Complaint(f"{who} has {name!r} among its names; every name is a str.")
    return found


def array_in(state, name, who):
    """An array of a state; a single NumPy number counts as one."""
    if not isinstance(state[name], (np.ndarray, np.generic)):
        found = article(state[name])
        raise Complaint(f"{who} holds {found} under {name!r}; an ndarray was expected.")
    return np.asarray(state[name])


def number_or_array(state, name, who):
    """Settings may be plain numbers: they say the same."""
    if isinstance(state[name], (int, float)):
        return np.asarray(state[name])
    return array_in(state, name, who)


def values_of(bg, thing, who):
    """A copy of the values of a Tensor or an array."""
    data = thing.data if isinstance(thing, bg.Tensor) else thing
    if not isinstance(data, (np.ndarray, np.generic)):
        raise Complaint(f"{who} holds {article(thing)} where a Tensor or an ndarray should be.")
    return np.array(data)


# A script of `grader repro` shows what a call gives; the report has said already what else it is.
IN_A_SCRIPT = {
    "unlike": (
        'def unlike(value, who, wanted, place="", inputs=()):\n'
        '    return Complaint(f"{who} {value!r}{place}; {wanted}.")'
    ),
    "array_of": (
        'def array_of(value, who, wanted="an ndarray", place="", *, stays=True):\n'
        "    return np.asarray(value) if stays else value"
    ),
    "tensor_data": (
        'def tensor_data(bg, value, who, place=""):\n    return np.asarray(value.data)'
    ),
    "grad_data": (
        "def grad_data(bg, tensor, who):\n"
        "    grad = tensor.grad\n"
        "    return np.asarray(grad.data if isinstance(grad, bg.Tensor) else grad)"
    ),
    "op_of": "def op_of(bg, op, attrs=()):\n    return getattr(bg.ops, op)(*attrs)",
    "leaf": (
        'def leaf(bg, array, requires_grad=True, dtype="float64"):\n'
        "    return bg.Tensor(np.array(array), dtype=dtype, requires_grad=requires_grad)"
    ),
    "ask_first": (
        "def ask_first(call, *args, **options):\n"
        "    try:\n"
        "        call(*args, **options)\n"
        "    except Exception:\n"
        "        pass"
    ),
    "mapping": "def mapping(found, who):\n    return found",
    "array_in": "def array_in(state, name, who):\n    return np.asarray(state[name])",
    "values_of": (
        "def values_of(bg, thing, who):\n"
        "    return np.array(thing.data if isinstance(thing, bg.Tensor) else thing)"
    ),
}
