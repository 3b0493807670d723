"""Programs that judge a judge: right ops that it has to accept, mutants that it has to find."""

import numpy as np

from .harness import Complaint, array_of, article, told

# The mutants are those of `babygrad/mutants.py`; a learner may change that file, and not this one.
#
# What happens to the gradients, as a list of arrays; `which` is the input whose turn it is.


def sign(gradients, which):
    gradients[which] = -gradients[which]


def doubled(gradients, which):
    gradients[which] = 2 * gradients[which]


def slightly(gradients, which):
    """Half a percent too large: as where a constant was copied with too few digits."""
    gradients[which] = gradients[which] * 1.005


def operands(gradients, which):
    """The gradients of two inputs change places."""
    gradients[0], gradients[-1] = gradients[-1], gradients[0]


def turned(gradients, which):
    """The wrong way round along the last axis."""
    gradients[which] = gradients[which][..., ::-1]


def one_element(gradients, which):
    """All right but for the last number."""
    spoiled = gradients[which].copy()
    spoiled[(-1,) * spoiled.ndim] += 0.5
    gradients[which] = spoiled


def lost_sum(gradients, which):
    """Of several that should be added up only the mean arrives."""
    each = gradients[which]
    gradients[which] = np.broadcast_to(each.mean(-1, keepdims=True), each.shape)


def not_a_number(gradients, which):
    """One number is nan, which is larger than nothing and smaller than nothing."""
    spoiled = gradients[which].copy()
    spoiled[(0,) * spoiled.ndim] = np.nan
    gradients[which] = spoiled


def another_shape(gradients, which):
    """One axis more: it broadcasts, and so looks right to a comparison that is not strict."""
    gradients[which] = gradients[which][None]


SLIPS = (
    sign, doubled, slightly, operands, turned, one_element, lost_sum, not_a_number, another_shape,
)  # fmt: skip


def mutant(tensor, right, slip, which, when=None):
    """A new op: ``right`` with this slip.

    Args:
        tensor: the class Tensor of the package.
        right: an op whose rule is right.
        slip: one of ``SLIPS``, or None for a cotangent that is forgotten.
        which: the input whose gradient is spoiled.
        when: a test of the node; where it fails, nothing is spoiled.
    """
    kind = type(right)

    class Mutant(kind):
        def backward(self, out_grad, node):
            if when is not None and not when(node):
                return kind.backward(self, out_grad, node)
            if slip is None:
                ones = np.ones_like(out_grad.data)
                out_grad = tensor(ones, dtype=ones.dtype, requires_grad=False)
            found = kind.backward(self, out_grad, node)
            several = found if isinstance(found, (tuple, list)) else [found]
            gradients = [np.array(each.data) for each in several]
            if slip is not None:
                slip(gradients, which)
            made = [tensor(g, dtype=g.dtype, requires_grad=False) for g in gradients]
            return tuple(made) if isinstance(found, (tuple, list)) else made[0]

    Mutant.__name__ = Mutant.__qualname__ = kind.__name__
    made = Mutant.__new__(Mutant)
    made.__dict__.update(right.__dict__)
    return made


def changes(tensor, right, slip, which, arrays):
    """Whether the slip makes any difference at these arrays: else it is no mutant."""
    op = mutant(tensor, right, slip, which)
    out = right(*(tensor(array, dtype=array.dtype) for array in arrays))
    seed = np.random.default_rng(7).normal(size=out.shape)
    handed = tensor(seed, dtype=out.data.dtype, requires_grad=False)
    both = []
    for each in (right, op):
        found = each.backward(handed, out)
        both.append(found if isinstance(found, (tuple, list)) else [found])
    return any(
        a.data.shape != b.data.shape or not np.allclose(a.data, b.data, rtol=1e-5, atol=1e-7)
        for a, b in zip(*both, strict=True)
    )


def gallery(tensor, rights):
    """(name, op, arrays) of every mutant of ``rights``, a list of (op, arrays)."""
    for right, arrays in rights:
        for which in range(len(arrays)):
            for slip in (None, *SLIPS):
                if slip is operands and (which or len(arrays) < 2):
                    continue
                if slip is None and which:
                    continue
                if changes(tensor, right, slip, which, arrays):
                    name = "forgotten cotangent" if slip is None else slip.__name__
                    told = f"{type(right).__name__}: {name}, input {which}"
                    yield told, mutant(tensor, right, slip, which), arrays

NAMED = {slip.__name__: slip for slip in SLIPS}


def numeric(bg, name, function, arrays, cotangent):
    """{name} gives the gradient of every array."""
    given = [np.array(array) for array in arrays]
    f = eval(function, {"np": np})
    found = getattr(bg.checking, name)(f, given, np.array(cotangent))
    if not isinstance(found, (tuple, list)) or len(found) != len(arrays):
        hint = "; did you forget `return`?" if found is None else "; an array each was expected."
        raise Complaint(f"{name} returned {article(found)}{hint}")
    return {"value": [np.array(array_of(each, name)) for each in found], "inputs": given}


def closeness(bg, yours, right):
    """close tells whether a gradient is right."""
    found = [bg.checking.close(np.array(a), np.array(b)) for a, b in zip(yours, right, strict=True)]
    for each in found:
        if not isinstance(each, (bool, np.bool_)):
            hint = "; did you forget `return`?" if each is None else "; a bool was expected."
            raise Complaint(f"close returned {article(each)}{hint}")
    return [np.array(found)]


def made(bg, op, attrs):
    return getattr(bg.ops, op)(*attrs)


def judged(bg, op, arrays, seed):
    """Whether the learner's judge accepts an op; any error but WrongRule goes on."""
    rng = np.random.default_rng(seed)
    try:
        bg.checking.check_rule(op, [np.array(array) for array in arrays], rng)
    except bg.checking.WrongRule:
        return False
    return True


def accepts(bg, rows, seed):
    """check_rule accepts right ops."""
    return [np.array([judged(bg, made(bg, op, attrs), arrays, seed) for op, attrs, arrays in rows])]


def finds(bg, name, rows, seed):
    """Which rules check_rule accepts, where some of them are mutants of one kind.

    Args:
        rows: op, its arguments, arrays, and the input whose gradient is spoiled; None for a right
            rule.
    """
    slip = None if name == "forgotten_cotangent" else NAMED[name]
    found = []
    for op, attrs, arrays, which in rows:
        rule = made(bg, op, attrs)
        asked = rule if which is None else mutant(bg.Tensor, rule, slip, which)
        found.append(judged(bg, asked, arrays, seed))
    return [np.array(found)]


def every(bg, rows, seed):
    """check_rule finds every mutant of a gallery."""
    rights = [(made(bg, op, attrs), arrays) for op, attrs, arrays in rows]
    mutants = list(gallery(bg.Tensor, rights))
    found = [not judged(bg, op, arrays, seed) for _, op, arrays in mutants]
    return [np.array([sum(found), len(found)])]


def says(bg, op, arrays, which, place, seed):
    """WrongRule says which input it is, and which element."""

    def at_the_place(gradients, number):
        gradients[number] = gradients[number].copy()
        gradients[number][tuple(place)] += 0.5

    spoiled = mutant(bg.Tensor, made(bg, op, ()), at_the_place, which)
    given = [np.array(array) for array in arrays]
    try:
        bg.checking.check_rule(spoiled, given, np.random.default_rng(seed))
    except bg.checking.WrongRule as error:
        said = [error.which, *error.index]
        return {"where": [np.array(said)], "inputs": given}
    raise Complaint("check_rule accepted a rule that is wrong in one element.")


def many_cotangents(bg, op, arrays, seed):
    """check_rule draws its cotangent from the generator that it is given."""
    seen = []
    right = made(bg, op, ())
    kind = type(right)

    class Noting(kind):
        def backward(self, out_grad, node):
            seen.append(np.array(out_grad.data))
            return kind.backward(self, out_grad, node)

    note = Noting()
    rng = np.random.default_rng(seed)
    for _ in range(2):
        bg.checking.check_rule(note, [np.array(array) for array in arrays], rng)
    apart = not np.allclose(seen[0], seen[-1])
    return [np.array([apart, len(np.unique(seen[0])) == seen[0].size])]


WHEN = {
    "no axes": lambda node: node.data.ndim == 0,
    "an axis of one": lambda node: node.data.ndim > 0 and 1 in node.data.shape,
    "three axes": lambda node: node.data.ndim >= 3,
    "negative numbers": lambda node: bool((node._inputs[0].data < 0).any()),
    "positive numbers": lambda node: bool((node._inputs[0].data > 0).any()),
    "numbers beyond 1": lambda node: bool((np.abs(node._inputs[0].data) > 1).any()),
}


def somewhere(bg, rows, when, seed):
    """Which rules check_everywhere accepts, where some of them are wrong for {when} only.

    Args:
        rows: op, its arguments, how many inputs it takes, and whether it is a wrong one.
    """
    found = []
    for op, attrs, count, wrong in rows:

        def make(op=op, attrs=attrs, wrong=wrong):
            right = made(bg, op, attrs)
            return mutant(bg.Tensor, right, NAMED["doubled"], 0, WHEN[when]) if wrong else right

        def run(make=make, count=count):
            bg.checking.check_everywhere(make, count, np.random.default_rng(seed))

        ended = told(run, [])
        if ended not in ("WrongRule", "nothing was raised"):
            raise Complaint(f"check_everywhere ended with {ended}.")
        found.append(ended != "WrongRule")
    return [np.array(found)]
