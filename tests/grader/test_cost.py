"""The cost of a call: counted on arrays that tell what is done with them, and judged by bounds."""

from __future__ import annotations

import gc
import sys
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.arrays import make_array
from grader.course.compare import ASIDE, FIGURES, cost_bounds, cost_difference
from grader.errors import OurFault
from grader.sandbox.launch import WORKER

from . import costs as recorded

sys.path.insert(0, WORKER)  # its modules name each other barely
import meter  # noqa: E402

sys.path.remove(WORKER)

size = st.integers(1, 6)


def spent(text, *arguments, program="return [learner.f(*given)]"):
    """The figures of a learner's module, whose `f` a program calls with these arguments."""
    learner, ours = types.ModuleType("learner"), types.ModuleType("programs.own")
    exec(compile(text, "/learner/module.py", "exec"), vars(learner))
    vars(ours).update(learner=learner, count_from_here=lambda: None, count_to_here=lambda: None)
    exec(f"def run(*given):\n    {program}", vars(ours))
    sys.modules["programs.own"] = ours
    counting = meter.Counting([learner], [ours])
    watchers, gc.callbacks[:] = gc.callbacks[:], []  # Hypothesis looks on
    gc.freeze()  # all of pytest need not be looked at for circles
    counting.run(ours.run, *arguments)
    gc.unfreeze()
    gc.callbacks[:] = watchers
    if counting.lost is not None:
        raise counting.lost
    found = counting.beside(ours.run(*arguments))["cost"]
    if isinstance(found, Exception):
        raise found
    return dict(zip(FIGURES, found[0].tolist(), strict=True))


def some(spent, *names):
    return tuple(spent[name] for name in names)


def test_both_sides_have_the_same_figures():
    assert tuple(FIGURES) == meter.FIGURES


# ---- what is known in closed form --------------------------------------------------------------


@settings(max_examples=25)
@given(size, size, size)
@pytest.mark.parametrize(
    "product",
    ["x @ w", "np.dot(x, w)", "x.dot(w)", "np.matmul(x, w)", "np.einsum('ij,jk->ik', x, w)",
     "np.tensordot(x, w, 1)", "dot(x, w)", "np.einsum(x, [0, 1], w, [1, 2])"],
)  # fmt: skip
def test_a_product_of_matrices(product, m, k, n):
    text = f"import numpy as np\nfrom numpy import dot\ndef f(x, w): return {product}"
    found = spent(text, np.ones((m, k)), np.ones((k, n)))
    assert some(found, "multiply_adds", "operations") == (m * k * n, 1)
    assert some(found, "elements_read", "elements_written") == (m * k + k * n, m * n)
    assert some(found, "peak_bytes", "uncounted") == (8 * m * n, 0)


@settings(max_examples=25)
@given(size, size, size, size)
def test_a_batch_of_products(b, m, k, n):
    found = spent("def f(x, w): return x @ w", np.ones((b, m, k)), np.ones((k, n)))
    assert some(found, "multiply_adds", "elements_written") == (b * m * k * n, b * m * n)


@settings(max_examples=25)
@given(st.integers(0, 8), size)
def test_a_polynomial_costs_one_product_for_each_degree(degree, n):
    horner = """
def f(x, c):
    y = x * 0 + c[-1]
    for each in c[-2::-1]:
        y = y * x + each
    return y
"""
    found = spent(horner, np.ones(n), [float(i) for i in range(degree + 1)])
    assert found["multiply_adds"] == n * (degree + 1)
    assert found["operations"] == 2 * (degree + 1)


@settings(max_examples=25)
@given(size, size)
def test_a_sum_written_as_a_loop_over_elements(m, k):
    loops = """
import numpy as np
def f(x, w):
    out = np.zeros(len(x))
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i] += x[i, j] * w[j]
    return out
"""
    found = spent(loops, np.ones((m, k)), np.ones(k))
    assert some(found, "multiply_adds", "uncounted") == (m * k, 0)
    assert found["operations"] == 1 + m * k * 6  # out[i], x[i, j], w[j], *, +, and back


VIEWS = ("x[1:]", "x.T", "x.reshape(-1)", "np.asarray(x)", "x[None]",
         "np.broadcast_to(x, (2, 4, 3))", "x.ravel()", "np.transpose(x)",
         "x.astype(float, copy=False)")  # fmt: skip
COPIES = {
    "x.copy()": 12, "np.array(x)": 12, "x[[0, 1]]": 6, "x + 0": 12, "x.astype('float32')": 12,
    "np.concatenate([x, x])": 24, "x.sum(axis=0)": 3, "np.pad(x, 1)": 30, "np.zeros_like(x)": 12,
    "np.stack([x])": 12, "x.T.reshape(-1)": 12, "np.full((2, 2), 1.0)": 4, "x.flatten()": 12,
}  # fmt: skip


@pytest.mark.parametrize("look", VIEWS)
def test_a_look_costs_nothing(look):
    found = spent(f"import numpy as np\ndef f(x): return {look}", np.ones((4, 3)))
    assert some(found, *meter.FIGURES[:5]) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize(("copy", "size"), COPIES.items())
def test_a_copy_costs_what_it_writes(copy, size):
    found = spent(f"import numpy as np\ndef f(x): return {copy}", np.ones((4, 3)))
    assert some(found, "operations", "elements_written", "uncounted") == (1, size, 0)
    assert found["peak_bytes"] == size * (4 if "float32" in copy else 8)


def test_memory_counts_while_it_is_alive():
    lines = "def f(x):\n    for _ in range(5):\n        x = x + 1\n    return x"
    assert spent(lines, np.ones(10))["peak_bytes"] == 160  # the old one, while the new is made
    kept = "def f(x):\n    rows = [x]\n    for _ in range(5):\n        rows.append(rows[-1] + 1)\n"
    assert spent(kept + "    return rows[-1]", np.ones(10))["peak_bytes"] == 400


def test_memory_that_only_a_circle_holds_is_free():
    text = """
def f(x):
    for _ in range(5):
        node = [x + 1]
        node.append(node)
    return x + 1
"""
    assert spent(text, np.ones(10))["peak_bytes"] == 160


def test_in_place_nothing_new_is_made():
    lines = "    x += 1\n    np.exp(x, out=x)\n    x[0] = 2\n    return x"
    found = spent(f"import numpy as np\ndef f(x):\n{lines}", np.ones(10))
    assert some(found, "operations", "elements_written", "peak_bytes") == (3, 21, 0)


def test_programs_mark_what_counts():
    program = """x, = given
    before = learner.f(x)
    count_from_here()
    learner.f(x[1:])
    count_to_here()
    return [learner.f(x)]"""
    found = spent("def f(x): return x * x", np.ones(3), program=program)
    assert some(found, "operations", "multiply_adds", "peak_bytes") == (1, 2, 16)


def test_what_a_thread_does_counts():
    text = """
import numpy as np, threading
def f(x):
    out = np.empty(3)
    each = threading.Thread(target=np.multiply, args=(x, x), kwargs={"out": out})
    each.start()
    each.join()
    return out
"""
    assert spent(text, np.ones(3))["multiply_adds"] == 3


def test_numpy_is_found_where_it_is_needed():
    text = """
from numpy.lib.stride_tricks import as_strided
def f(x):
    import numpy as np
    return np.zeros(3) + np.linalg.norm(x) + as_strided(x, x.shape, x.strides)
"""
    assert some(spent(text, np.ones(3)), "uncounted", "elements_written") == (0, 3 + 1 + 6)


def test_code_that_learners_make_counts_too():
    text = """
import numpy as np
space = {"np": np}
exec(compile("def g(x, w):\\n    return np.exp(x @ w)", "<generated>", "exec"), space)
def f(x, w): return space["g"](x, w)
"""
    assert spent(text, np.ones((2, 3)), np.ones((3, 2)))["multiply_adds"] == 12


# ---- who tries to get out of the count ---------------------------------------------------------

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
        "    state, = (c.cell_contents for c in cells if hasattr(c.cell_contents, 'wrap'))\n    "
    )
    with pytest.raises(meter.Uncounted, match="touches what counts"):
        bounded(head + MEDDLERS[how])


@pytest.mark.parametrize("module", [np.linalg, np.fft])
def test_no_function_of_a_module_of_algebra_is_free(module):
    tried = 0
    for name in module.__all__:
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


def test_other_values_on_counting_arrays_are_told():
    text = "import numpy as np\ndef f(x): return x * (2 if type(x) is np.ndarray else 3)"
    with pytest.raises(meter.Uncounted, match="other values"):
        spent(text, np.ones(3))


@pytest.mark.long
def test_this_python_and_this_numpy_count_what_is_recorded():
    """If the course has changed: `python -m tests.grader.costs --record`."""
    assert list(recorded.differences(recorded.read(), recorded.counted())) == []


# ---- bounds ------------------------------------------------------------------------------------


def row(**costs):
    return make_array((len(FIGURES),), [costs.get(name, 0) for name in FIGURES], "int64")


def most(costs, names, **reference):
    return cost_bounds("c", costs, names, row(**reference))


def test_a_bound_is_an_expression_of_what_is_given_and_of_the_reference():
    costs = {"operations": "2 * len(layers)", "elements_read": "reference + 1"}
    found = most(costs, {"layers": [1, 2]}, operations=3, elements_read=5)
    assert found == {"operations": 4, "elements_read": 6}


def test_what_is_said_of_who_costs_more():
    right, allowed = row(operations=3), {"operations": 4}
    assert cost_difference(row(operations=4), right, allowed) is None
    found = cost_difference(row(operations=5), right, allowed)
    assert found.says == "It costs 5 array operations; 3 are enough, and up to 4 pass."
    found = cost_difference(row(multiply_adds=4032), row(multiply_adds=192), {"multiply_adds": 192})
    assert found.says == "It costs 4,032 multiply-adds; 192 are enough."


def test_what_goes_uncounted_is_bounded_by_itself():
    right = row(uncounted=2, elements_written=80)
    assert cost_difference(row(uncounted=2 + ASIDE + 10), right, {}) is None
    assert "nobody can count" in cost_difference(row(uncounted=29), right, {}).says


def test_who_does_most_of_the_work_elsewhere_is_told_by_what_is_left():
    right, most = row(multiply_adds=35), {"multiply_adds": 35}
    assert "nobody can count" in cost_difference(row(uncounted=5), right, most).says
    assert cost_difference(row(multiply_adds=18, uncounted=5), right, most) is None
    assert cost_difference(row(multiply_adds=5), right, most) is None  # by a Fourier transform


@pytest.mark.parametrize(
    ("costs", "says"),
    [({"operations": "2 * lenght"}, "cannot be read"), ({"visits": 2}, "cannot be read"),
     ({"operations": 2}, "the reference itself costs 3"),
     ({"operations": "open('x')"}, "cannot be read")],
)  # fmt: skip
def test_a_bound_that_cannot_be_is_told(costs, says):
    with pytest.raises(OurFault, match=says):
        most(costs, {}, operations=3)


def test_what_differs_from_the_record_is_told():
    one, other = {"c": {"a": {"operations": 1}}}, {"c": {"a": {"operations": 2}, "b": "raised"}}
    assert list(recorded.differences(one, one)) == []
    assert len(list(recorded.differences(one, other))) == 2
    assert len(list(recorded.differences(other, {}))) == 2


def test_a_mistake_is_known_by_what_it_costs_too_much():
    theirs, allowed = row(multiply_adds=4032), {"multiply_adds": 192}
    for mine, alike in ((4032, True), (4100, True), (3000, False), (192, False)):
        found = cost_difference(row(multiply_adds=mine), theirs, allowed)
        assert (found is None) == alike


def test_what_a_worker_sends_need_not_be_figures():
    for forged in (
        make_array((2,), [0, 0], "int64"),
        make_array((len(FIGURES),), [0.0] * 6, "float64"),
    ):
        assert cost_difference(forged, row(), {}).kind == "cost_unknown"
