"""Ways out of the count of costs, and ways to change it: each is seen; honest code stays in it."""

from __future__ import annotations

import numpy as np
import pytest

from grader.course.compare import cost_difference

from .test_cost import meter, row, spent

HEAD = """
import numpy as np
import sys
raw, array, matmul, table = np.ndarray, np.array, np.matmul, np.arange(500)

def base(x):
    return raw.view(x, raw)

"""
ESCAPES = {
    "a view of the plain class": "return base(x) @ base(w)",
    "memory": "return np.asarray(memoryview(x)) @ np.asarray(memoryview(w))",
    "bytes": "return np.frombuffer(x.tobytes()).reshape(x.shape) @ w",
    "lists": "a, b = x.tolist(), w.tolist()\n"
    "    return np.array([[sum(p * q for p, q in zip(r, c)) for c in zip(*b)] for r in a])",
    "floats": "return np.array([[sum(float(x[i, k]) * float(w[k, j]) for k in range(6))"
    " for j in range(6)] for i in range(6)])",
    "written past NumPy": "out = np.zeros((6, 6))\n"
    "    memoryview(base(out)).cast('B')[:] = memoryview(base(x) @ base(w)).cast('B')\n"
    "    return out",
    "objects": "o = np.empty((1, 1), object); o[0, 0] = base(x)\n"
    "    p = np.empty((1, 1), object); p[0, 0] = base(w)\n    return (o @ p)[0, 0]",
    "an array in disguise": "class A:\n"
    "        def __array__(self, *more): return base(x) @ base(w)\n"
    "    return np.asarray(A())",
    "an array of this type by hand": "r = base(x) @ base(w)\n"
    "    return type(x).__new__(type(x), r.shape, float, r)",
    "an array of this type of bytes": "r = base(x) @ base(w)\n"
    "    return type(x).__new__(type(x), r.shape, float, r.tobytes())",
    "a view of this type": "return (base(x) @ base(w)).view(type(x))",
    "bits": "r = base(x) @ base(w)\n"
    "    return np.frombuffer(r.tobytes(), 'i8').view(float).reshape(6, 6)",
    "bits that are viewed by another": "bits = np.frombuffer((base(x) @ base(w)).tobytes(), 'i8')\n"
    "    return raw.view(bits.reshape(6, 6), float)",
    "bits in a list": "r = base(x) @ base(w)\n"
    "    return np.array(r.view('i8').tolist()).view(float)",
    "bytes in a list": "r = base(x) @ base(w)\n"
    "    return np.array(list(r.tobytes()), 'u1').view(float).reshape(6, 6)",
    "dates": "return np.array((base(x) @ base(w)).view('M8[ns]')).view(float)",
    "large whole numbers": "r = base(x) @ base(w)\n"
    "    return np.array((r * 2.0**40).astype('i8').tolist()) * 2.0**-40",
    "a text": "r = base(x) @ base(w)\n"
    "    return np.fromstring(str(r.ravel().tolist())[1:-1], sep=',').reshape(6, 6)",
    "texts": "r = base(x) @ base(w)\n"
    "    return np.array([[*map(str, each)] for each in r]).astype(float)",
    "what was given, written past NumPy": "base(x)[...] = base(x) @ base(w)\n    return x",
    "its state": "r, out = base(x) @ base(w), np.zeros((6, 6))\n"
    "    raw.__setstate__(out, r.__reduce__()[2])\n    return out",
    "numbers of its type": "r = base(x) @ base(w)\n"
    "    return np.array([[type(x[0, 0])(each) for each in row] for row in r.tolist()])",
    "single numbers, written": "r, out = base(x) @ base(w), np.zeros((6, 6))\n"
    "    for place in np.ndindex(6, 6):\n        out[place] = r[place]\n    return out",
    "single numbers, filled in": "r, out = base(x) @ base(w), np.zeros((6, 6))\n"
    "    for i, j in np.ndindex(6, 6):\n        out[i, j:j + 1].fill(r.item(i, j))\n    return out",
    "single numbers, made": "r = base(x) @ base(w)\n"
    "    return np.array([[np.full((), r.item(i, j)) for j in range(6)] for i in range(6)])",
    "with another owner": "class Lies(raw):\n        base = property(lambda self: x)\n"
    "    return np.array((base(x) @ base(w)).view(Lies))",
    "in a structure": "s = np.zeros(1, [('v', float, (6, 6))])\n"
    "    base(s)['v'] = base(x) @ base(w)\n    return s['v'][0]",
    "beside an object": "s = np.zeros(1, [('o', object), ('v', float, (6, 6))])\n"
    "    base(s)['v'] = base(x) @ base(w)\n    return s['v'][0]",
    "digits": "r, out = base(x) @ base(w), np.zeros((6, 6))\n    for power in range(5):\n"
    "        out = out + np.array((whole := r.astype(int)).tolist()) * 4096.0**-power\n"
    "        r = (r - whole) * 4096\n    return out",
    "digits, one by one": "r, out = base(x) @ base(w), np.zeros((6, 6))\n"
    "    for power in range(5):\n        for at in np.ndindex(6, 6):\n"
    "            out[at] += int(r[at]) * 4096.0**-power\n"
    "        r = (r - r.astype(int)) * 4096\n    return out",
    "element by element": "p, q = base(x), base(w)\n"
    "    return np.vectorize(lambda i, j: float(p[i] @ q[:, j]))(*np.indices((6, 6)))",
}  # fmt: skip
HONEST = {
    "functions kept at import": "return matmul(array(x), w)",
    "a view of itself": "return x.view() @ w",
    "rows": "return np.array([row @ w for row in x])",
    "numbers as they come": "return np.array("
    "[[sum(a * b for a, b in zip(r, c)) for c in w.T] for r in x])",
    "an array of its own": "class A:\n        def __array__(self, *more): return x\n"
    "    return np.asarray(A()) @ w",
    "strides": "return np.lib.stride_tricks.as_strided(x, x.shape, x.strides) @ w",
    "written into": "out = np.empty((6, 6))\n    out[...] = x @ w\n    return out",
    "out": "out = np.empty((6, 6))\n    np.matmul(x, w, out=out)\n    return out",
    "a table of its own": "return x[table[:6]] @ w",
    "constants": "return x @ w + 0.1 - 0.1 + 1e-9 - 1e-9",
    "copies": "import copy\n    return copy.deepcopy(x) @ copy.copy(w)",
    "places": "order = np.random.RandomState(0).permutation(6)\n    return x[:, order] @ w[order]",
    "numbers, written": "out = np.empty((6, 6))\n    for i, j in np.ndindex(6, 6):\n"
    "        out[i, j] = sum(a * b for a, b in zip(x[i], w[:, j]))\n    return out",
    "weights of its own": "return x @ w + np.array([3, 5, 7, 11, 13, 17]) - [3, 5, 7, 11, 13, 17]",
    "numbers in a loop": "out = x @ w\n    for n in range(2, 9):\n        out = out + n - n\n"
    "    return out",
    "shapes in lists": "out = np.zeros([6, 6])\n    out[[0, 1, 2, 3, 4, 5]] = x.reshape([6, 6])\n"
    "    return np.transpose(np.transpose(out, [1, 0]), [1, 0]) @ w",
    "whole numbers out of arrays": "codes = np.arange(36).reshape(6, 6)\n"
    "    more = sum(int(c) * 0.5 for c in codes.ravel())\n    return x @ w + (more - more)",
    "a whole class": "class Kept:\n        def __init__(self, x): self.x = x\n"
    "        def __call__(self, w): return self.x @ w\n    return Kept(x)(w)",
}  # fmt: skip
MEDDLERS = {
    "the meter": "state.meter.is_on = False\n    out = x @ w\n"
    "    state.meter.is_on = True\n    return out",
    "the figures": "before = dict(state.meter.figures)\n    out = x @ w\n"
    "    state.meter.figures.update(before)\n    return out",
    "what makes arrays": "return state.wrap(base(x) @ base(w))",
    "what signs them": "r = base(x) @ base(w)\n    state.sign(r)\n    return r.view(type(x))",
    "the first mark": "out = x @ w\n    programs.count_from_here()\n    return out",
    "the last mark": "programs.count_to_here()\n    return x @ w",
}


def bounded(text):
    """Return the report of code with this body, which may cost as much as `x @ w`."""
    arrays = np.sin(np.arange(36.0)).reshape(6, 6), np.cos(np.arange(36.0)).reshape(6, 6)
    reference = spent(f"{HEAD}def f(x, w):\n    return x @ w", *arrays)
    found = spent(f"{HEAD}def f(x, w):\n    {text}", *arrays)
    return cost_difference(row(**found), row(**reference), {"multiply_adds": 6 * 36})


@pytest.mark.parametrize("how", ESCAPES)
def test_who_gets_out_of_the_count_is_seen_where_it_comes_back(how):
    found = bounded(ESCAPES[how])
    assert found is not None
    assert "nobody can count" in found.says


@pytest.mark.parametrize("how", MEDDLERS)
def test_code_that_touches_what_counts_is_noticed(how):
    head = "programs = sys.modules['programs.own']\n"
    head += "    cells = getattr(np.zeros, '__closure__', None)\n"
    head += "    if cells is None: return x @ w\n"
    head += (
        "    door, = (c.cell_contents for c in cells if 'Door' in str(type(c.cell_contents)))\n    "
    )
    head += "state = door.run.__self__\n    "
    with pytest.raises(meter.Uncounted, match="touches what counts"):
        bounded(head + MEDDLERS[how])


@pytest.mark.parametrize("module", [np.linalg, np.fft])
def test_no_function_of_a_module_of_algebra_is_free(module):
    tried = 0
    for name in {*module.__all__} - {"trace"}:  # adds, and multiplies nothing
        text = f"import {module.__name__} as lib\ndef f(x):\n    lib.{name}(x)\n    return x"
        try:
            found = spent(text, np.eye(6))
        except Exception:
            continue  # it wants something else
        tried += found["operations"]
        assert found["multiply_adds"] >= 6 * found["operations"], name
    assert tried > 9


@pytest.mark.parametrize("how", HONEST)
def test_honest_ways_to_the_same_stay_in_the_count(how):
    assert bounded(HONEST[how]) is None
