"""Programs that judge a judge: right ops that it has to accept, mutants that it has to find."""

import numpy as np

from .harness import Complaint, article, ask_first, distinct, itemised, text, told, unlike
from .slips import NAMED, SLIPS, another_shape, nothing, operands

# The mutants are those of `babygrad/mutants.py`; a learner may change that file, and not this one.

MOVED = 1.5  # so many times what the package's op gives: no rule of the package is right for it


def mutant(tensor, right, slip, which, when=None):
    """A new op, `MOVED` times ``right``, with this slip.

    Who compares it with the package's own rule, by its class or by its name, finds every such op
    wrong: only what `forward` gives tells which rule is right.

    Args:
        tensor: the class Tensor of the package.
        right: an op whose rule is right.
        slip: one of ``SLIPS``, or None for a cotangent that is forgotten.
        which: the input whose gradient is spoiled.
        when: a test of the node; where it fails, nothing is spoiled.
    """
    kind = type(right)

    class Mutant(kind):
        def forward(self, *arrays):
            out = kind.forward(self, *arrays)
            return np.multiply(out, MOVED, dtype=out.dtype)

        def backward(self, out_grad, node):
            spoils = slip if when is None or when(node) else nothing
            handed = np.ones_like(out_grad.data) if spoils is None else out_grad.data
            handed = np.multiply(handed, MOVED, dtype=handed.dtype)
            out_grad = tensor(handed, dtype=handed.dtype, requires_grad=False)
            found = kind.backward(self, out_grad, right(*node._inputs))
            several = found if isinstance(found, (tuple, list)) else [found]
            gradients = [np.array(each.data) for each in several]
            if spoils is not None:
                spoils(gradients, which)
            made = [tensor(g, dtype=g.dtype, requires_grad=False) for g in gradients]
            return tuple(made) if isinstance(found, (tuple, list)) else made[0]

    Mutant.__name__ = Mutant.__qualname__ = kind.__name__
    made = Mutant.__new__(Mutant)
    made.__dict__.update(right.__dict__)
    return made


def changes(tensor, right, slip, which, arrays):
    """Whether the slip makes any difference at these arrays: else it is no mutant."""
    ops = [mutant(tensor, right, each, which) for each in (nothing, slip)]
    out = ops[0](*(tensor(array, dtype=array.dtype) for array in arrays))
    seed = np.random.default_rng(7).normal(size=out.shape)
    handed = tensor(seed, dtype=out.data.dtype, requires_grad=False)
    both = []
    for each in ops:
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


def closeness(bg, yours, right):
    """close tells whether a gradient is right."""
    pairs = [(np.array(a), np.array(b)) for a, b in zip(yours, right, strict=True)]
    found = [bg.checking.close(*pair) for pair in pairs]
    for each in found:
        if not isinstance(each, (bool, np.bool_)):
            raise unlike(each, "close returned", "a bool was expected")
    said = [
        f"yours[{n}] is {'close' if close else 'not close'} to right[{n}]"
        for n, close in enumerate(found)
    ]
    return {"value": [itemised(said)], "inputs": [each for pair in pairs for each in pair]}


def product(bg):
    """An op of three inputs, which there is none of in chapter 3."""

    class Product(bg.ops.Function):
        def forward(self, a, b, c):
            return a * b * c

        def backward(self, out_grad, node):
            a, b, c = node._inputs
            return out_grad * b * c, out_grad * a * c, out_grad * a * b

    return Product()


def made(bg, op, attrs):
    if op == "Product":
        return product(bg)
    return getattr(bg.ops, op)(*attrs)


def judged(bg, op, arrays, seed):
    """Whether the learner's judge accepts an op; any error but WrongRule goes on."""
    rng = np.random.default_rng(seed)
    try:
        bg.checking.check_rule(op, [np.array(array) for array in arrays], rng)
    except bg.checking.WrongRule:
        return False
    return True


def finds(bg, name, rows, seed):
    """List the rules that check_rule accepts, where some of them are mutants of one kind.

    Args:
        rows: op, its arguments, arrays, and the input whose gradient is spoiled; None for a right
            rule.
    """
    slip = None if name == "forgotten_cotangent" else NAMED[name]
    found = []
    for op, attrs, arrays, which in rows:
        kind = (nothing, 0) if which is None else (slip, which)
        asked = mutant(bg.Tensor, made(bg, op, attrs), *kind)
        what = f"a right {op}" if which is None else f"{op} with a wrong gradient {which}"
        found.append(f"{what} {accepted(judged(bg, asked, arrays, seed))}")
    return [itemised(found)]


def accepted(is_right):
    return "is accepted" if is_right else "is refused"


def every(bg, rows, seed):
    """check_rule finds every mutant of a gallery."""
    rights = [(made(bg, op, attrs), arrays) for op, attrs, arrays in rows]
    mutants = list(gallery(bg.Tensor, rights))
    found = [not judged(bg, op, arrays, seed) for _, op, arrays in mutants]
    return [np.array([sum(found), len(found)])]


def says(bg, op, arrays, which, errors, seed):
    """WrongRule says which input it is, which element, and both numbers there.

    Args:
        errors: (place, what is added to the gradient there), the largest one first.
    """
    before, after = [], []

    def spoil(gradients, number):
        before.append(gradients[number].copy())
        for place, amount in errors:
            gradients[number][tuple(place)] += amount
        after.append(gradients[number].copy())

    place = tuple(errors[0][0])
    error, given = complaint(bg, mutant(bg.Tensor, made(bg, op, ()), spoil, which), arrays, seed)
    ours, numeric = after[0][place], before[0][place]
    numbers = [
        f"its yours is {called(error.yours, ours, numeric)}",
        f"its right is {called(error.right, ours, numeric)}",
        f"its index is {article(error.index)}",
    ]
    where = f"input {int(error.which)}, element {[int(i) for i in error.index]}"
    return {"where": [text(where)], "inputs": given, "numbers": [itemised(numbers)]}


def says_shapes(bg, op, arrays, which, seed):
    """WrongRule holds both shapes where they differ."""
    spoiled = mutant(bg.Tensor, made(bg, op, ()), another_shape, which)
    error, _ = complaint(bg, spoiled, arrays, seed)
    said = {"which": error.which, "index": error.index, "yours": error.yours, "right": error.right}
    return [itemised(f"its {name} is {plain(value)}" for name, value in said.items())]


def complaint(bg, op, arrays, seed):
    """The `WrongRule` that a wrong rule ends in, and the arrays as they are then."""
    given = [np.array(array) for array in arrays]
    try:
        bg.checking.check_rule(op, given, np.random.default_rng(seed))
    except bg.checking.WrongRule as error:
        return error, given
    raise Complaint("check_rule accepted a rule that is wrong.")


def called(said, ours, numeric):
    """Say which of two numbers was given, a nan too; differences are right to some digits."""
    if np.shape(said) != ():
        return article(said)
    for name, number in (("the rule's number", ours), ("the right number", numeric)):
        if np.allclose(said, number, rtol=1e-5, equal_nan=True):
            return name
    return "another number"


def plain(value):
    """A shape, or the number of an input, as it is written; anything else by its kind."""
    if isinstance(value, tuple):
        return str(tuple(int(each) for each in value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return "a number" if isinstance(value, (float, np.floating)) else article(value)


def handed_to(bg, op, arrays, generators):
    """(cotangent, node) as an op's backward is handed them, once for each generator."""
    seen = []
    kind = type(made(bg, op, ()))

    class Noting(kind):
        def backward(self, out_grad, node):
            seen.append((out_grad, node))
            return kind.backward(self, out_grad, node)

    note, given = Noting(), [np.array(array) for array in arrays]
    for rng in generators:
        bg.checking.check_rule(note, given, rng)
    return seen


def dtypes(bg, op, arrays, seed):
    """In which dtypes check_rule applies an op, and asks for its gradients."""
    ((out_grad, node),) = handed_to(bg, op, arrays, [np.random.default_rng(seed)])
    pairs = zip(node._inputs, arrays, strict=True)
    leaves = [("a leaf", leaf.data.dtype, array.dtype) for leaf, array in pairs]
    kinds = ("the cotangent", out_grad.data.dtype, node.data.dtype)
    shapes = ("the cotangent's shape", out_grad.shape, node.shape)
    found = (*leaves, kinds, shapes)
    return [itemised(f"{who} is {mine}, of {right}" for who, mine, right in found)]


def one_seed(bg, op, cases, seed):
    """Whether generators of one seed give check_rule one cotangent, and another seed another."""
    np.random.seed(0)
    found = []
    for arrays in cases:
        three = [np.random.default_rng(each) for each in (seed, seed, seed + 1)]
        first, again, other = (g.data for g, _ in handed_to(bg, op, arrays, three))
        found += [
            f"of one seed: {'one cotangent' if np.array_equal(first, again) else 'two cotangents'}",
            f"of another seed: {'the same one' if np.allclose(first, other) else 'another one'}",
        ]
    return [itemised(found)]


def broken(bg, op, arrays, seed):
    """List the rules that check_rule accepts: one without its last gradient, one that raises."""
    kind = type(made(bg, op, ()))

    class Short(kind):
        def backward(self, out_grad, node):
            return tuple(kind.backward(self, out_grad, node))[:-1]

    class Raising(kind):
        def backward(self, out_grad, node):
            raise ArithmeticError("a rule that raises")

    found = []
    for what, rule in (("a rule that lacks a gradient", Short()), ("one that raises", Raising())):
        try:
            bg.checking.check_rule(rule, [np.array(a) for a in arrays], np.random.default_rng(seed))
            is_right = True
        except Exception:  # of whatever kind: it was not accepted
            is_right = False
        found.append(f"{what} {accepted(is_right)}")
    return [itemised(found)]


def many_cotangents(bg, op, arrays, seed):
    """check_rule draws its cotangent from the generator that it is given."""
    rng = np.random.default_rng(seed)
    seen = [out_grad.data for out_grad, _ in handed_to(bg, op, arrays, [rng, rng])]
    again = "the same one" if np.allclose(seen[0], seen[-1]) else "another one"
    several = "all different" if distinct(seen[0]).size == seen[0].size else "equal in part"
    return [itemised([f"the second cotangent is {again}", f"its numbers are {several}"])]


def turn(node):
    """The input that is looked at: of a Sub the last one, else the first."""
    return node._inputs[-1 if type(node._op).__name__ == "Sub" else 0].data


WHEN = {
    "anywhere": lambda node: True,
    "no axes": lambda node: node.data.ndim == 0,
    "an axis of one": lambda node: node.data.ndim > 0 and 1 in node.data.shape,
    "three axes": lambda node: node.data.ndim >= 3 and node.data.size > 1,
    "negative numbers": lambda node: bool((turn(node) < 0).any()),
    "positive numbers": lambda node: bool((turn(node) > 0).any()),
    "numbers beyond 1": lambda node: bool((np.abs(turn(node)) > 1).any()),
    "inputs that differ": lambda node: len({leaf.data.tobytes() for leaf in node._inputs}) > 1,
}


def somewhere(bg, rows, when, seed):
    """check_everywhere accepts the right rules, where some are wrong for {when} only.

    Args:
        rows: op, its arguments, how many inputs it takes, and whether it is a wrong one.
    """
    found, rng, spoils = [], np.random.default_rng(seed), [False]
    start = rng.bit_generator.state
    for op, attrs, count, wrong in rows:

        def make(op=op, attrs=attrs, wrong=wrong):
            slip = NAMED["doubled"] if wrong and spoils[0] else nothing
            return mutant(bg.Tensor, made(bg, op, attrs), slip, 0, WHEN[when])

        def run(make=make, count=count):
            rng.bit_generator.state = start
            bg.checking.check_everywhere(make, count, rng)

        if wrong and not spoils[0]:
            if when == "anywhere":  # it was right, when it was asked about before
                ask_first(run)
            spoils[0] = True

        ended = told(run, [], (bg.checking.WrongRule,))
        if ended not in ("WrongRule", "nothing was raised"):
            raise Complaint(f"check_everywhere ended with {ended}.")
        what = f"a {'wrong' if wrong else 'right'} {op}"
        found.append(f"{what} {accepted(ended != 'WrongRule')}")
    return [itemised(found)]
