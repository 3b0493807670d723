"""Wrong bodies of chapter 12 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # Both sides are looked at after the second step: an f that returns a view shows no change.
    "both sides are read at the end": (
        "checking.numeric_vjp",
        """\
        above = np.sum(cotangent * f(*moved))
        moved[which][index] = here - step
        below = np.sum(cotangent * f(*moved))
        gradient[index] = (above - below) / (2 * step)
""",
        """\
        above = f(*moved)
        moved[which][index] = here - step
        below = f(*moved)
        gradient[index] = np.sum(cotangent * (above - below)) / (2 * step)
""",
    ),
    # Every op is judged: one of the same name with the same shapes counts as judged already.
    "an op that passed is not looked at again": (
        "checking.check_rule",
        (
            "leaves = [Tensor",
            """\
passed = check_rule.__dict__.setdefault("passed", set())
name = type(op).__name__, tuple(array.shape for array in arrays)
if name in passed:
    return
leaves = [Tensor""",
        ),
        (
            "raise WrongRule(which, index, yours.data[index], right[index])",
            "raise WrongRule(which, index, yours.data[index], right[index])\npassed.add(name)",
        ),
    ),
    # One array per array, and it stays: the next call writes into that of the last one.
    "gradients are written into the same arrays": (
        "checking.numeric_vjp",
        "gradient = np.zeros(np.shape(array))",
        """\
kept = numeric_vjp.__dict__.setdefault("kept", {})
    gradient = kept.setdefault((which, np.shape(array)), np.zeros(np.shape(array)))""",
    ),
    # "drawn from rng": for a shape that was there before, the old one is used.
    "one cotangent for each shape": (
        "checking.check_rule",
        "cotangent = rng.normal(size=out.shape).astype(out.dtype)",
        """\
drawn = check_rule.__dict__.setdefault("drawn", {})
if out.shape not in drawn:
    drawn[out.shape] = rng.normal(size=out.shape)
cotangent = drawn[out.shape].astype(out.dtype)""",
    ),
}

SETTING = {
    # "one float64 array per array": those of float32 arrays are float32.
    "the gradient has the dtype of its array": (
        "checking.numeric_vjp",
        "gradient = np.zeros(np.shape(array))",
        "gradient = np.zeros_like(array)",
    ),
    # The tolerance is that of *yours*: a float32 gradient next to a float64 one is refused.
    "the dtype of what is right": (
        "checking.close",
        "TOLERANCE[str(yours.dtype)]",
        "TOLERANCE[str(right.dtype)]",
    ),
    # No number is further off where there is none.
    "an empty gradient has no largest number": (
        "checking.close",
        "size = max(1.0, np.max(np.abs(right), initial=0.0))",
        "size = max(1.0, np.abs(right).max())",
    ),
    # "leaves that hold the arrays in their own dtype": float64 is judged with float32's tolerance.
    "leaves of the usual dtype": (
        "checking.check_rule",
        "leaves = [Tensor(array, dtype=array.dtype) for array in arrays]",
        "leaves = [Tensor(array) for array in arrays]",
    ),
    # To the last digits, in float64: a float32 array becomes complex64.
    "an imaginary zero is added": (
        "checking.complex_vjp",
        "moved = [np.array(each, dtype=np.complex128) for each in arrays]",
        "moved = [np.array(each + np.complex64(0)) for each in arrays]",
    ),
}

VARIETY = {
    # Each number is moved, however the array lies in memory: of a transposed one, a copy is.
    "numbers are moved in a flat view": (
        "checking.numeric_vjp",
        """\
gradients = []
for which, array in enumerate(arrays):
    moved = [np.array(each, dtype=np.float64) for each in arrays]
    flat, slopes = moved[which].ravel(), []
    for at in range(flat.size):
        here = flat[at]
        step = STEP * max(1.0, abs(here))
        flat[at] = here + step
        above = np.sum(cotangent * f(*moved))
        flat[at] = here - step
        below = np.sum(cotangent * f(*moved))
        flat[at] = here
        slopes.append((above - below) / (2 * step))
    gradients.append(np.array(slopes, dtype=np.float64).reshape(np.shape(array)))
return gradients
""",
    ),
    # STEP * max(1, |number|): a large negative number gets the step of a small one.
    "the step of a negative number": (
        "checking.numeric_vjp",
        "max(1.0, abs(here))",
        "max(1.0, here)",
    ),
    # The largest |right| decides for all: a small number beside it is measured by itself.
    "each number by its own size": (
        "checking.close",
        """\
off = np.max(np.abs(yours - right), initial=0.0)
return bool(off <= TOLERANCE[str(yours.dtype)] * size)""",
        """\
size = np.maximum(1.0, np.abs(right))
return bool(np.all(np.abs(yours - right) <= TOLERANCE[str(yours.dtype)] * size))""",
    ),
    # "for negative numbers": the second input never has any.
    "only the first input is ever negative": (
        "checking.check_everywhere",
        "arrays = [sign * rng.uniform(low, high, shape) for _ in range(count)]",
        """\
arrays = [rng.uniform(low, high, shape) for _ in range(count)]
            arrays[0] = sign * arrays[0]""",
    ),
    # "with three axes": all of them have one place, so nothing can be mixed up along them.
    "three axes of one": (
        "checking.check_everywhere",
        "(2, 1, 3))",
        "(1, 1, 1))",
    ),
    # "the place where the difference is largest": the largest *share* of the right number.
    "the largest difference by share": (
        "checking.check_rule",
        "off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)",
        "off = np.nan_to_num(np.abs(yours.data - right) / np.abs(right), nan=np.inf)",
    ),
}

HALF_PROMISE = {
    # "a cotangent of the output's shape and dtype": a float32 rule is handed a float64 one.
    "the cotangent is float64": (
        "checking.check_rule",
        ("rng.normal(size=out.shape).astype(out.dtype)", "rng.normal(size=out.shape)"),
        ("Tensor(cotangent, dtype=out.dtype,", "Tensor(cotangent, dtype=cotangent.dtype,"),
    ),
    # "a nan counts as the largest": it is passed over, and the place is one that is right.
    "a nan is passed over": (
        "checking.check_rule",
        """\
        off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)
        index = tuple(int(i) for i in np.unravel_index(np.argmax(off), right.shape))
""",
        """\
        off = np.abs(yours.data - right)
        index = tuple(int(i) for i in np.unravel_index(np.nanargmax(off), right.shape))
""",
    ),
    # "WrongRule holds both shapes": for a gradient that lies the other way, it does not come.
    "as many numbers are the same shape": (
        "checking.check_rule",
        "if yours.shape != right.shape:",
        "if yours.size != right.size:",
    ),
    # An infinity is never right, not even where the right gradient holds one, too.
    "only a nan is refused": (
        "checking.close",
        "not np.isfinite(yours).all()",
        "np.isnan(yours).any()",
    ),
}

RIGHT = {
    "a list of moved sets": (
        "checking.numeric_vjp",
        """\
whole = [np.asarray(each, dtype=np.float64) for each in arrays]

def total(which, unit):
    parts = [each + 0.0 for each in whole]
    parts[which] = parts[which] + unit
    return float(np.vdot(cotangent, f(*parts)))

def slope(which, at):
    unit = np.zeros(whole[which].size)
    unit[at] = STEP * max(1.0, abs(float(whole[which].flat[at])))
    moved = unit.reshape(whole[which].shape)
    return (total(which, moved) - total(which, -moved)) / (2 * unit[at])

return [
    np.array([slope(which, at) for at in range(each.size)], dtype=np.float64).reshape(each.shape)
    for which, each in enumerate(whole)
]
""",
    ),
    "a move along an imaginary axis": (
        "checking.complex_vjp",
        """\
answers = []
for which in range(len(arrays)):
    answer = np.empty(np.shape(arrays[which]), dtype=np.float64)
    walker = np.nditer(answer, flags=["multi_index", "zerosize_ok"], op_flags=["writeonly"])
    for cell in walker:
        inputs = [np.asarray(each) * complex(1) for each in map(np.float64, arrays)]
        inputs = [np.array(each, dtype=complex) for each in inputs]
        inputs[which][walker.multi_index] += complex(0, COMPLEX_STEP)
        pushed = np.imag(f(*inputs)) / COMPLEX_STEP
        cell[...] = (cotangent * pushed).sum()
    answers.append(answer)
return answers
""",
    ),
    "is everything near": (
        "checking.close",
        """\
allowed = TOLERANCE[yours.dtype.name]
if right.size:
    allowed *= float(np.maximum(np.abs(right).max(), 1))
same = tuple(yours.shape) == tuple(right.shape)
return same and bool(np.all(np.isfinite(yours) & ~(np.abs(right - yours) > allowed)))
""",
    ),
    "the worst place by a loop": (
        "checking.check_rule",
        """\
leaves = [Tensor(np.array(array), dtype=array.dtype) for array in arrays]
out = op(*leaves)
direction = rng.normal(size=out.shape).astype(out.dtype)
answer = op.backward(Tensor(direction, dtype=out.dtype, requires_grad=False), out)
answer = [answer] if isinstance(answer, Tensor) else list(answer)
if len(answer) != len(leaves):
    raise IndexError(f"{len(answer)} gradients for {len(leaves)} inputs")
truth = numeric_vjp(op.forward, [array.copy() for array in arrays], direction)
while answer:
    which = len(truth) - len(answer)
    mine = answer.pop(0)
    if tuple(mine.shape) != truth[which].shape:
        raise WrongRule(which, (), mine.shape, truth[which].shape)
    if close(mine.data, truth[which]):
        continue
    worst, place = -1.0, ()
    for index, value in np.ndenumerate(mine.data):
        gap = abs(float(value) - float(truth[which][index]))
        gap = float("inf") if gap != gap else gap
        if gap > worst:
            worst, place = gap, index
    raise WrongRule(which, place, mine.data[place], truth[which][place])
""",
    ),
    "every size with every range": (
        "checking.check_everywhere",
        """\
from itertools import product

shapes = [(), (1,), (5,), (1, 4), (4, 1), (3, 2), (2, 3, 4), (1, 2, 1), (3, 3)]
ranges = [(0.1, 0.95), (1.05, 1.9), (2.0, 4.0)]
signs = list(product((1.0, -1.0), repeat=count))
for shape, (low, high), flips in product(shapes, ranges, signs):
    size = int(np.prod(shape, dtype=int))
    steps = low + (high - low) * (np.arange(size * count) + 0.5) / (size * count)
    values = rng.permutation(steps).reshape(count, *shape)
    check_rule(make(), [np.array(sign * each) for sign, each in zip(flips, values)], rng)
""",
    ),
}
