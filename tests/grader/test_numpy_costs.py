"""No public function of NumPy multiplies for free: each is called, and held against its count.

A function without products of what it is given is linear, piece by piece. So it is moved in two
directions at once: what both together change is more than what each changes, where a product is
taken. What bends so, and is no curve through one number at a time, has to be counted.
"""

from __future__ import annotations

import inspect
import types
import warnings

import numpy as np
import pytest

from .test_cost import meter, spent

numpy_costs = meter.sys.modules["numpy_costs"]
MODULES = [
    np, np.linalg, np.fft, np.emath, np.lib.stride_tricks, np.polynomial.polynomial,
    np.polynomial.chebyshev, np.polynomial.legendre, np.polynomial.hermite,
    np.polynomial.hermite_e, np.polynomial.laguerre, np.polynomial.polyutils,
]  # fmt: skip
# They write or read a file, print, set how NumPy works, or hand out memory as it is.
ELSEWHERE = {
    "save", "savetxt", "savez", "savez_compressed", "load", "loadtxt", "genfromtxt", "fromfile",
    "fromregex", "info", "show_config", "show_runtime", "seterr", "seterrcall", "setbufsize",
    "set_printoptions", "get_include", "test", "printoptions", "errstate", "empty", "empty_like",
}  # fmt: skip
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.sum), np.ufunc)
X = np.sin(np.arange(1.0, 17.0)).reshape(4, 4) / 3 + 0.5 + np.eye(4)
W = np.cos(np.arange(2.0, 18.0)).reshape(4, 4) / 3 + 0.4
# What a function is called with, written as the learner's module has it.
CALLS = [
    "x", "x, w", "x, w[0]", "x[0], w[0]", "x[0], x[1], w[0]", "[x, w]", "x, 1, w", "x[0, 0], w",
    "x, w[0, 0]", "x, x, w", "x[0], x[0], w[0], w[0]", "x, (w, w[0])", "0, x, w",
]  # fmt: skip


def functions():
    """Yield each public function once, with the module that has it."""
    met = set()
    for module in MODULES:
        for name in sorted(dir(module)):
            found = getattr(module, name)
            is_new = isinstance(found, FUNCTIONS) and id(found) not in met
            if is_new and name[0] != "_" and name not in ELSEWHERE:
                met.add(id(found))
                yield module, name


def calls(module, name):
    """Yield the arguments to try: positions, and `w` for each name of the signature."""
    yield from CALLS
    try:
        names = list(inspect.signature(getattr(module, name)).parameters)
    except ValueError:
        return
    yield from (f"x, {each}={w}" for each in names[1:] for w in ("w", "w[0]", "w[0, 0]"))
    yield from (f"{names[0]}=x, {each}=w" for each in names[1:2])


def calling(module, name, arguments):
    return f"import {module.__name__} as lib\ndef f(x, w):\n    return lib.{name}({arguments})"


def values(run, x, w):
    """Return what a call gives of inexact numbers, in one row; None where it gives no such."""
    found = run(x.copy(), w.copy())
    found = found if isinstance(found, (tuple, list)) else [found]
    arrays = [np.asarray(each) for each in found if not isinstance(each, (str, dict, type(None)))]
    rows = [each.astype(complex).ravel() for each in arrays if each.dtype.kind in "fc"]
    return np.concatenate(rows) if rows else None


def bends(run):
    """Count the results that change by more than the sum of two small moves of the arguments."""
    rng, h, most = np.random.default_rng(1), 1e-4, 0
    moves = [(0 * X, 1.0), (1.0, 0 * X), (1.0, 1.0)]
    for x_part, w_part in moves:
        a, b = (rng.uniform(0.5, 1, (2, 4, 4)) * h for _ in range(2))
        a, b = a * np.broadcast_to(x_part, (4, 4)), b * np.broadcast_to(w_part, (4, 4))
        steps = [(0 * a[0], 0 * a[0]), (a[0], b[0]), (a[1], b[1]), (a[0] + a[1], b[0] + b[1])]
        got = [values(run, X + each, W + other) for each, other in steps]
        if any(each is None or each.shape != got[0].shape for each in got):
            return 0
        left = abs(got[3] - got[1] - got[2] + got[0])
        most = max(most, int((left > 1e-12 * (1 + abs(got[0]))).sum()))
    return most


ALL = [*functions()]
MANY = pytest.mark.long


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(m, id=m.__name__, marks=MANY if m is np else pytest.mark.sampled(quick=4))
        for m in MODULES
    ],
)
def test_no_function_that_multiplies_is_free(module):
    free, tried = {}, 0
    for name in (name for each, name in ALL if each is module):
        for arguments in calls(module, name):
            text = calling(module, name, arguments)
            space = {}
            exec(text, space)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    count = bends(space["f"])
                    cost = spent(text, X.copy(), W.copy()) if count else {}
                except Exception:
                    continue  # it wants something else
            tried += 1
            known = numpy_costs.CURVES & {name, getattr(getattr(module, name), "__name__", name)}
            if count and not known and cost["multiply_adds"] + cost["uncounted"] < count:
                free[f"{name}({arguments})"] = count, cost["multiply_adds"]
    assert tried
    assert free == {}, "\n".join(map(str, free.items()))


WAYS = {  # ways to the products of `x` and `w`, and at least how many they count
    "keywords": ("return np.dot(a=x, b=w)", 64),
    "numbers": ("return [np.dot(x[0, k], w[k, 0]) for k in range(4)]", 4),
    "weights": ("return np.average(x, weights=w)", 16),
    "an area": ("return np.trapezoid(x, w)", 16),
    "whole numbers of reals": (
        "a, b = (x * 2.0**20).astype('i8'), (w * 2.0**20).astype('i8')\n"
        "    return (a[:, :, None] * b).sum(1) * 2.0**-40",
        64,
    ),
    "complex numbers": ("return (x.view(complex) @ w.view(complex).conj().T).real", 32),
    "the same place again": ("np.multiply.at(x, [0] * 50, 2.0)\n    return x", 50),
    "overlapping rows": ("return np.multiply.reduceat(x.ravel(), [0, 15] * 9)", 72),
    "singular values": ("return np.linalg.norm(x, 2)", 64),
    "a tensor that is a matrix": ("return np.linalg.tensorinv(x.reshape(2, 2, 4))", 64),
    "an angle": ("return abs(x + 1j * w)", 16),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_a_product_counts(way):
    text, least = WAYS[way]
    found = spent(f"import numpy as np\ndef f(x, w):\n    {text}", X.copy(), W.copy())
    assert found["multiply_adds"] >= least


PLACES = {
    "the place of the largest": "return x.ravel()[np.argmax(x, axis=1) + np.arange(4) * 4]",
    "an order": "return x[np.argsort(x[:, 0]) // 1]",
    "a grid": "i, j = np.indices((4, 4))\n    return x.ravel()[i * 4 + j]",
    "a stride": "return x[np.arange(2)[:, None] * 2 + np.arange(2)]",
    "where it is": "i, j = np.nonzero(x > 0)\n    return x.ravel()[i * 4 + j]",
}


@pytest.mark.parametrize("way", PLACES)
def test_the_arithmetic_of_places_is_free(way):
    found = spent(f"import numpy as np\ndef f(x):\n    {PLACES[way]}", X.copy())
    assert found["multiply_adds"] == 0


def test_out_by_its_place_is_written_by_the_call():
    text = "import numpy as np\ndef f(x, w):\n    o = np.empty((4, 4))\n"
    found = spent(text + "    np.dot(x, w, o)\n    return o", X.copy(), W.copy())
    assert (found["multiply_adds"], found["uncounted"]) == (64, 0)
