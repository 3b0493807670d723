"""If no known mistake fits, the numbers alone give a true sentence or none."""

from __future__ import annotations

import pytest

from grader.arrays import Array, elementwise, make_array, sum_to, swap_axes
from grader.judge.relations import RELATIONS, WrongArray

from .submissions import FLOAT32, mistake

AB = "a, b = node._inputs\n"
A = "(a,) = node._inputs\n"

# what is wrong → (exercise, bodies, name of what is said, words of the sentence)
SAID = {
    "a constant factor": (
        "chapter3.mul.backward",
        {"ops.Mul.backward": AB + "return out_grad * b * 3, out_grad * a * 3"},
        "known-factor", "Your gradients of a and b are exactly 3 times the right ones.",
    ),
    "half": (
        "chapter3.tanh.backward",
        {"ops.Tanh.backward": "return out_grad * (1 - node * node) * 0.5"},
        "known-factor", "exactly half of the right one",
    ),
    "the sign": (
        "chapter3.exp.backward", {"ops.Exp.backward": "return -(out_grad * node)"},
        "sign", "Your gradient of a is exactly the right one with the opposite sign.",
    ),
    "out_grad unchanged": (
        "chapter3.tanh.backward", {"ops.Tanh.backward": "return out_grad"},
        "unchanged", "out_grad itself",
    ),
    "the chain rule": (
        "chapter4.logsumexp.backward",
        {"ops.LogSumExp.backward": A + "return Tensor(np.exp(a.data) / np.sum(np.exp(a.data), "
         "axis=self.axes, keepdims=True), dtype=a.dtype)"},
        None, "",  # out_grad is one number for many values: more than one relation may hold
    ),
    "the transpose": (
        "chapter3.matmul.backward",
        {"ops.MatMul.backward": AB + "ga, gb = matmul(out_grad, transpose(b)), "
         "matmul(transpose(a), out_grad)\n"
         "return transpose(unbroadcast(ga, a.shape)), transpose(unbroadcast(gb, b.shape))"},
        "transpose", "are the transpose of the right ones",
    ),
    "the other operand": (
        "chapter3.pow.backward",
        {"ops.Pow.backward": AB + "return out_grad * node * log(a), out_grad * b * a ** (b - 1)"},
        "other", "exactly what belongs to",
    ),
    "times an input": (
        "chapter3.log.backward", {"ops.Log.backward": A + "return out_grad / (a * a)"},
        "times-input", "divided by a",
    ),
    "seven digits": (
        "chapter3.tanh.forward",
        {"ops.Tanh.forward": "return np.tanh(a.astype('float32')).astype('float64')"},
        "float32-values", "the right values to seven digits, and not beyond",
    ),
    "right values, wrong shape": (
        "chapter3.div.forward", {"ops.Div.forward": "return (a / b)[None]"},
        "shape", "only the shape is not",
    ),
    "whole numbers": (
        "chapter3.exp.forward", {"ops.Exp.forward": "return np.exp(a).astype('int64')"},
        "cut-off", "cut off to whole numbers",
    ),
    "1 divided by it": (
        "chapter3.div.forward", {"ops.Div.forward": "return b / a * 1.0"}, None, "",
    ),
    "the size of the input": (
        "chapter4.mseloss.forward",
        {"nn.MSELoss.forward": "d = predictions - targets\nreturn (d * d).sum()"},
        "per-size", "multiplied by the number of values",
    ),
}  # fmt: skip


def said(ran, exercise):
    checks = ran.exercises()[exercise]["checks"]
    told = {c["id"].partition("/")[2]: c["mistake"] for c in checks if c["status"] == "failed"}
    # Of a graph, not of numbers: what does not depend on an input is rightly said to be cut off.
    told.pop("again", None)
    return told


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("what", [what for what in SAID if SAID[what][2]])
def test_what_the_numbers_say(what, package, grader):
    exercise, bodies, name, words = SAID[what]
    ran = grader("check", exercise, "--json", "--package", str(package(bodies)))
    told = [m for m in said(ran, exercise).values() if m is not None]
    assert told, said(ran, exercise)
    assert all(name in m["name"].replace("inferred:", "") for m in told), told
    assert words in told[0]["says"], told


def test_each_gradient_is_spoken_of_by_itself(package, grader):
    body = {"ops.Mul.backward": AB + "return -(out_grad * b), out_grad"}
    ran = grader("check", "chapter3.mul.backward", "--json", "--package", str(package(body)))
    says = said(ran, "chapter3.mul.backward")["gradient"]["says"]
    assert "gradient of a is exactly the right one with the opposite sign" in says
    assert "gradient of b is out_grad itself" in says


NOTHING = {
    "noise": {"ops.Tanh.backward": "return out_grad * (2 - node)"},
    "a factor that changes": {
        "ops.Tanh.backward": A + "return out_grad * (1 - node * node) * float(a.data.ravel()[0])"
    },
    "one number": {
        "ops.Tanh.backward": A + "return Tensor(np.full(a.shape, 0.5), dtype=a.dtype)"
    },
}  # fmt: skip


@pytest.mark.parametrize("what", NOTHING)
def test_nothing_is_said_where_nothing_is_known(what, package, grader):
    ran = grader(
        "check", "chapter3.tanh.backward", "--json", "--package", str(package(NOTHING[what]))
    )
    assert set(said(ran, "chapter3.tanh.backward").values()) == {None}


def test_several_candidates_are_shown_as_such(package, grader):
    ran = grader(
        "check", "chapter3.negate", "--json", "--package",
        str(package({"ops.Negate.forward": "return a * 1.0"})),
    )  # fmt: skip
    told = said(ran, "chapter3.negate.forward")["value"]
    assert told is None or told["says"].startswith("One of these:") or " | " not in told["name"]


# ---- combinations: what is said when two things are wrong at once ------------------------------

WITH_NUMPY = "return Tensor(out_grad.data * a.data, dtype=a.dtype), Tensor(out_grad.data * b.data)"

COMBINED = {
    # what → (checked, known mistakes, further bodies, float32, exercise → what is said of it)
    "two ops": (
        ("3.4",),
        (("chapter3.mul.backward", "swapped"), ("chapter3.div.backward", "forgot-minus")),
        {}, False,
        {"chapter3.mul.backward": "swapped", "chapter3.div.backward": "forgot-minus"},
    ),
    "in float32": (
        ("chapter3.mul.backward",), (("chapter3.mul.backward", "forgot-out-grad"),), {}, True,
        {"chapter3.mul.backward": "forgot-out-grad"},
    ),
    "a known one and an inferred one": (
        ("3.4",), (("chapter3.mul.backward", "swapped"),),
        {"ops.Negate.backward": "return out_grad + out_grad + out_grad"}, False,
        {"chapter3.mul.backward": "swapped", "chapter3.negate.backward": "inferred:factor"},
    ),
    "in another style": (
        ("chapter3.mul.backward",), (), {"ops.Mul.backward": AB + WITH_NUMPY}, False,
        {"chapter3.mul.backward": "swapped"},
    ),
    "two mistakes in one backward": (
        ("chapter3.div.backward",), (),
        {"ops.Div.backward": AB + "return out_grad * b, out_grad * a / (b * b)"}, False,
        {"chapter3.div.backward": "inferred:times-input + inferred:sign"},
    ),
    "forward and backward of one op": (
        ("chapter3.sub",), (("chapter3.sub.forward", "swapped"),),
        {"ops.Sub.backward": "return out_grad, out_grad"}, False,
        {"chapter3.sub.forward": "swapped", "chapter3.sub.backward": "forgot-minus"},
    ),
    "a mistake and an unwritten op": (
        ("chapter3.sub", "chapter3.negate"), (("chapter3.sub.forward", "swapped"),),
        {"ops.Negate.forward": "raise NotImplementedError"}, False,
        {"chapter3.sub.forward": "swapped"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", COMBINED)
def test_combinations(what, package, course, grader):
    names, mistakes, bodies, float32, expected = COMBINED[what]
    for exercise, name in mistakes:
        bodies = {**mistake(course, exercise, name), **bodies}
    texts = {}
    if float32:
        texts["ops"] = course.replace_bodies(bodies)["ops.py"].replace(*FLOAT32)
    place = package(bodies, **texts)
    ran = grader("check", *names, "--json", "--package", str(place))
    found = {}
    for id, exercise in ran.exercises().items():
        if exercise["status"] == "failed":
            named = {c["mistake"]["name"] for c in exercise["checks"] if c["mistake"]}
            found[id] = named
    for id, name in expected.items():
        assert name in found.get(id, set()), found
    for id, named in found.items():
        extra = named - {expected.get(id)}
        assert not {n for n in extra if not n.startswith("inferred:")}, (id, named)


# ---- the arithmetic underneath ----------------------------------------------------------------


def test_calculations_without_numpy():
    a = make_array((2, 3), [1, 2, 3, 4, 5, 6])
    assert swap_axes(a, (1, 0)).nested() == [[1, 4], [2, 5], [3, 6]]
    assert sum_to(a, (3,)).nested() == [5, 7, 9]
    assert sum_to(a, (2, 1)).nested() == [[6], [15]]
    assert sum_to(a, (2,)) is None
    assert elementwise(lambda x, y: x * y, a, make_array((), [2])).nested() == [
        [2, 4, 6],
        [8, 10, 12],
    ]
    assert elementwise(lambda x, y: x, a, make_array((2,), [1, 2])) is None


def test_no_relation_stumbles_over_odd_arrays():
    odd = [
        make_array((), [0.0]), make_array((0,), []), make_array((2,), [0.0, float("nan")]),
        make_array((2, 0, 3), []), make_array((1,), [float("inf")]), Array("bool", (2,), b"\1\0"),
        Array("int64", (1, 2), bytes(16)),
    ]  # fmt: skip
    for mine in odd:
        for right in odd:
            for upstream in (None, *odd):
                case = WrongArray(mine, right, {"b": right}, {"a": mine}, upstream, right)
                for row in RELATIONS:
                    list(row.pairs(case))
