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
import tamper_guard  # noqa: E402

tamper_guard.worker_codes.cache_clear()  # other tests may have asked before the meter was there

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
        make_array((len(FIGURES),), [0.0] * len(FIGURES), "float64"),
    ):
        assert cost_difference(forged, row(), {}).kind == "cost_unknown"
