"""Programs for the rules of chapter 11's engines: a small adapter each, one operation at a time.

No rule is tried through the learner's own walk. A rule of `grad_fn` is asked directly. An
operation of `apply` gets a Context that is made here. The closures are called one by one.
"""

import numpy as np

from .differences import look_at
from .harness import POOL, Complaint, article, as_far, ask_first, halved_first, unlike

NAMES = ("x0", "x1", "x2", "x3", "x4")
WALKS = ("called_back",)  # no call of these leads through learner code


def plain(value, who, verb="is"):
    """A float64 ndarray of what should be an ndarray or a NumPy number."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fiub":
        if f"{who} {verb}".endswith((" returned", " returned is")):
            POOL.result(who, np.asarray(value))
        return np.array(value)
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()  # what was no array has become one of objects: None has
    if isinstance(value, np.ndarray):
        raise Complaint(f"{who} {verb} an ndarray of dtype {value.dtype}, not one of numbers.")
    raise unlike(value, f"{who} {verb}", "an ndarray was expected")


def made(engine, value, who):
    """``value``, which has to be a Tensor of this engine."""
    if not isinstance(value, engine.Tensor):
        raise unlike(value, f"{who} returned", "a Tensor was expected")
    return value


def as_tuple(gradients, count, who, bare=False, inputs=()):
    """One gradient per input, as a tuple or a list; where ``bare``, an array for a tuple of one."""
    if bare and isinstance(gradients, (np.ndarray, np.generic)):
        gradients = (gradients,)
    if not isinstance(gradients, (tuple, list)):
        raise unlike(gradients, f"{who} returned", "a tuple was expected", inputs=inputs)
    if len(gradients) != count:
        raise Complaint(f"{who} returned {len(gradients)} gradient(s) for {count} input(s).")
    return tuple(gradients)


def leaves_of(engine, arrays, **options):
    """A leaf for each array; whatever the engine does with what it is given, ours stay as they
    are."""
    return [engine_leaf(engine, np.array(array), **options) for array in arrays]


def engine_leaf(engine, values, **options):
    """A leaf of an engine, the same one as in an earlier probe, without a gradient."""
    kind = engine.__name__, values.shape, values.dtype.str, str(options)
    made = POOL.leaf(kind, lambda own: engine.Tensor(own, **options), values)
    if isinstance(made.grad, np.ndarray):
        made.grad = np.zeros_like(made.data)
    return made


def noted(look, leaves):
    """Leaves whose arrays tell what is computed with them."""
    for leaf in leaves:
        leaf.data = look.noted(leaf.data)
    return leaves


def evaluated(engine, call, leaves):
    """Evaluate a call in the learner's terms: ``x0 * x1``, ``cross_entropy(x0, [1, 0])``."""
    names = {**vars(engine), **dict(zip(NAMES, leaves, strict=False))}
    return made(engine, eval(call, names), call)


# ---- grad_fn: a rule is an object, and is asked ---------------------------------------------


def grad_fn_rule(bg, rule, call, arrays, cotangent):
    """{rule}.backward returns the gradient of every input."""
    engine, who = bg.engines.grad_fn, f"{rule}.backward"
    leaves = leaves_of(engine, arrays, requires_grad=True)
    out = evaluated(engine, call, leaves)
    value = plain(out.data, f"The data of {call}")

    def once_more(look):
        fresh = noted(look, leaves_of(engine, arrays, requires_grad=True))
        handed = evaluated(engine, call, fresh).grad_fn.backward(np.array(cotangent))
        return as_tuple(handed, len(leaves), who)

    def rest():
        if type(out.grad_fn).__name__ != rule:
            raise Complaint(f"{call} has {article(out.grad_fn)} in grad_fn; a {rule} was expected.")
        given, ask = POOL.array(cotangent), out.grad_fn.backward
        halved_first([given], ask, given)
        handed = as_tuple(ask(given), len(leaves), who, inputs=leaves)
        look_at(who, out.grad_fn.backward, once_more)
        return {
            "gradient": [plain(each, f"A gradient that {who} returned") for each in handed],
            "inputs": [np.array(leaf.data) for leaf in leaves] + [given],
            "dtype": [np.array([each.dtype == np.float64 for each in handed])],
        }

    return as_far({"value": [value]}, ("gradient", "inputs", "dtype"), rest)


def grad_fn_fresh(bg, data, requires_grad):
    """Tensor.__init__ holds a float64 copy of the data, and no gradient."""
    engine = bg.engines.grad_fn
    mine = np.array(data)
    rule = engine.BackwardFunction()
    for _ in range(2):
        leaf, made_by_rule = engine.Tensor(mine), engine.Tensor(mine, requires_grad, rule)
        listed, single = engine.Tensor(mine.tolist()), engine.Tensor(mine.ravel()[0].item())
    mine += 1
    return {
        "value": [plain(each.data, "data") for each in (leaf, made_by_rule, listed, single)],
        "defaults": [np.array([leaf.grad is None, not leaf.requires_grad, leaf.grad_fn is None])],
        "kept": [np.array([bool(made_by_rule.requires_grad), made_by_rule.grad_fn is rule])],
    }  # fmt: skip


def summed(bg, gradient, shape):
    """unbroadcast sums a gradient down to the shape of the input."""
    given, ask = POOL.array(gradient), bg.engines.grad_fn.unbroadcast
    ask_first(ask, given, given.shape)
    halved_first([given], lambda: plain(ask(given, tuple(shape)), "unbroadcast", "returned"))
    found = plain(ask(given, tuple(shape)), "unbroadcast", "returned")
    return {
        "value": [found], "inputs": [given], "dtype": [np.array(found.dtype == given.dtype)],
    }  # fmt: skip


# ---- apply: two static methods, and a Context -----------------------------------------------


def other_context(engine, context, inputs, options):
    """A Context of larger inputs; this one's forward is asked with other options first."""
    forward = context.function.forward
    for more in ({"axis": 0}, {"keepdims": True}, {"keepdims": False}) if options else ():
        ask_first(forward, context, *inputs, **{**options, **more})
    twice = [np.repeat(np.atleast_1d(a), 2, axis=0) for a in inputs]
    larger = engine.Context(context.function, tuple(engine.Tensor(each) for each in twice))
    ask_first(forward, larger, *twice, **options)
    return larger


def applied(bg, op, options, arrays, cotangent):
    """{op} has the right value and the right gradients."""
    engine = bg.engines.apply
    kind = getattr(engine, op)
    inputs = [POOL.array(array) for array in arrays]
    context = engine.Context(kind, tuple(engine.Tensor(each) for each in inputs))
    who, count, given = f"{op}.backward", len(inputs), POOL.array(cotangent)

    def forward():
        return plain(kind.forward(context, *inputs, **options), f"{op}.forward", "returned")

    for each in inputs:
        halved_first([each], forward)
    larger = other_context(engine, context, inputs, options)
    value = forward()

    def gradients():
        handed = as_tuple(kind.backward(context, given), count, who, bare=True)
        return [plain(each, f"A gradient that {who} returned") for each in handed]

    def once_more(look):
        fresh = [look.noted(np.array(array)) for array in arrays]
        context = engine.Context(kind, tuple(engine.Tensor(each) for each in inputs))
        kind.forward(context, *fresh, **options)
        handed = kind.backward(context, np.array(cotangent))
        return as_tuple(handed, count, op, bare=True)

    def rest():
        POOL.forget(f"{op}.forward")  # a rule may write into it, and is told so in its own words
        for other in ((larger, given), (context, given * 0.5)):
            ask_first(kind.backward, *other)
        halved_first([given], gradients)
        first, again = gradients(), gradients()
        look_at(who, kind.backward, once_more)
        return {
            "gradient": first, "again": again, "inputs": [*inputs, given],
            "dtype": [np.array([each.dtype == np.float64 for each in (value, *first)])],
        }  # fmt: skip

    return as_far({"value": [np.array(value)]}, ("gradient", "again", "inputs", "dtype"), rest)


# ---- closures: each result carries its own ---------------------------------------------------


def closure_rule(bg, call, arrays, held, cotangent):
    """{call} has the right value, and passes the right gradients back."""
    engine = bg.engines.closure
    leaves = leaves_of(engine, arrays)
    for leaf, before in zip(leaves, held.values(), strict=False):
        leaf.grad = np.array(before)
    halved_first([leaf.data for leaf in leaves], evaluated, engine, call, leaves)
    out = evaluated(engine, call, leaves)
    value = plain(out.data, f"The data of {call}")

    def once_more(look):
        fresh = noted(look, leaves_of(engine, arrays))
        called_back(evaluated(engine, call, fresh), cotangent, look.after)
        return [leaf.grad for leaf in fresh]

    def rest():
        known = {id(node) for node in called_back(out, cotangent)}
        gradient = [plain(leaf.grad, f"The grad of x{i}") for i, leaf in enumerate(leaves)]
        look_at(f"The rule of {call}", out._backward, once_more)
        return {
            "gradient": gradient,
            "reaches": [np.array([id(leaf) in known for leaf in leaves])],
            "inputs": [np.array(leaf.data) for leaf in leaves],
        }

    return as_far({"value": [value]}, ("gradient", "reaches", "inputs"), rest)


def called_back(out, cotangent, after=None):
    """Start ``out`` from a gradient and call every `_backward`, results first; all nodes.

    ``after`` is told of each, and of what the gradients are then.
    """
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source in node._prev:
                visit(source)
            order.append(node)

    visit(out)
    out.grad = np.array(np.broadcast_to(cotangent, out.data.shape))
    for node in reversed(order):
        node._backward()
        if after is not None:
            after(node._backward, [np.array(each.grad) for each in order])
    return order
