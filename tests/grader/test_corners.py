"""A mutant in a corner is the reference everywhere else, and every two settings meet."""

from __future__ import annotations

import ast
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.audit.corners import (
    Condition,
    conditions,
    draw_corners,
    settings,
    write_corners,
)

SOURCE = '''
class Scale:
    """A factor, in float32 and float64."""

    def __init__(self, factor=2.0):
        self.factor = factor

    def apply(self, a: NDArray, axes: int | tuple[int, ...] | None = None):
        """The dtype stays: float64 in, float64 out."""
        return a * self.factor
'''
BODY = "return a * self.factor"
COURSE: Any = SimpleNamespace(solutions={"op.py": SOURCE})
KNOWN = {each.said: each for each in settings(COURSE, "op.Scale.apply", BODY)}
NODE = ast.parse(SOURCE).body[0].body[2]  # type: ignore[attr-defined]

# What a condition says, said once more by hand.
MEANS = {
    "a: float32": lambda self, a, axes: a.dtype == "float32",
    "a: float64": lambda self, a, axes: a.dtype == "float64",
    "a: no axis": lambda self, a, axes: a.ndim == 0,
    "a: one axis": lambda self, a, axes: a.ndim == 1,
    "a: several axes": lambda self, a, axes: a.ndim > 1,
    "a: empty": lambda self, a, axes: a.size == 0,
    "a: size 1": lambda self, a, axes: a.size == 1,
    "axes: at its default": lambda self, a, axes: axes is None,
    "axes: not at its default": lambda self, a, axes: axes is not None,
    "axes: negative": lambda self, a, axes: axes in (-1, (0, -1)),
    "axes: a tuple": lambda self, a, axes: type(axes) is tuple,
    "axes: an int": lambda self, a, axes: type(axes) is int,
    "axes: 0": lambda self, a, axes: axes in (0, (0, -1)),
    "self.factor: 1": lambda self, a, axes: self.factor == 1,
    "self.factor: at its default": lambda self, a, axes: self.factor == 2.0,
    "self.training: at its default": lambda self, a, axes: self.training,
    "self.training: not at its default": lambda self, a, axes: not self.training,
}


def function(how: str, rows: list[tuple[str, str]], body: str = BODY):
    """Return a method with these corners, as a class in a module of its own has it."""
    text = write_corners("op.Scale.apply", body, NODE, rows, how)
    lines = "\n".join(f"        {line}" for line in text.splitlines())
    space: dict[str, Any] = {}
    head = "class Scale:\n    def apply(self, a, axes=None):\n"
    exec(head + lines, space)
    return space["Scale"].apply


def ask(method: Any, exercise: str, number: int, *arguments: Any) -> Any:
    """Call it as a worker does, which holds the exercise and the number of a probe."""
    return method(*arguments)


PICKED = function("pick", [("return None", KNOWN[said].test) for said in MEANS])
SHAPES = st.sampled_from([(), (1,), (3,), (0,), (2, 2), (1, 1)])
ARRAYS = st.builds(np.ones, SHAPES, st.sampled_from(["float32", "float64"]))
AXES = st.sampled_from([None, 0, 1, -1, (1,), (0, -1)])
OWNERS = st.builds(SimpleNamespace, factor=st.sampled_from([2.0, 1, 0.5]), training=st.booleans())


@given(owner=OWNERS, a=ARRAYS, axes=AXES)
def test_a_corner_is_the_reference_where_its_condition_does_not_hold(owner, a, axes):
    right = a * owner.factor
    for which, (said, is_met) in enumerate(MEANS.items()):
        got = ask(PICKED, f"exercise#{which}", 1, owner, a, axes)
        if is_met(owner, a, axes):
            assert got is None, said
        else:
            assert np.array_equal(got, right) and got.dtype == right.dtype, said
    assert np.array_equal(ask(PICKED, "exercise", 1, owner, a, axes), right)


class Odd:
    """An object that answers no question."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise ValueError

    __bool__ = __eq__ = __len__ = __repr__  # type: ignore[assignment]
    __hash__ = object.__hash__


NAMELESS = Odd(), None, "text", [], (), {}, [None], (Odd(),), object(), 1j, np.array("a")
ODD = st.sampled_from(NAMELESS)


@given(owner=ODD, a=ODD, axes=ODD)
def test_a_condition_never_raises(owner, a, axes):
    body, rows = "return 7", [("return 8", each.test) for each in KNOWN.values()]
    text = write_corners("op.Scale.apply", body, NODE, rows, "pick")
    space: dict[str, Any] = {}
    exec("def apply(self, a, axes):\n" + "\n".join(f"    {x}" for x in text.splitlines()), space)
    got = {ask(space["apply"], f"exercise#{at}", 1, owner, a, axes) for at, _ in enumerate(rows)}
    assert got <= {7, 8} and 7 in got


def test_a_helper_takes_no_name_that_a_parameter_can_have():
    source = "def arrays(count, arrays, scalars, holds, memory, calls, pick):\n    return memory"
    node: Any = ast.parse(source).body[0]
    course: Any = SimpleNamespace(solutions={"op.py": source})
    known = [*settings(course, "op.arrays", "return memory")]
    for how in ("pick", "alarm", "note"):
        rows = [("return count", each.test) for each in known]
        text = write_corners("op.arrays", "return memory", node, rows, how)
        space: dict[str, Any] = {}
        body = "\n".join(f"    {line}" for line in text.splitlines())
        exec(f"{source.splitlines()[0]}\n{body}", space)
        assert ask(space["arrays"], "exercise", 1, *range(7)) == 4


def test_a_later_call_is_told_from_the_first_for_each_mutant():
    rows = [("return None", KNOWN["a later call"].test)] * 2
    method = function("pick", rows)
    asked = [(f"exercise#{at}", SimpleNamespace(factor=2.0), np.ones(2)) for at in (0, 0, 1, 1)]
    got = [ask(method, exercise, 1, *given) is None for exercise, *given in asked]
    assert got == [False, True, False, True]


def differs(capfd, method: Any, *given: Any) -> bool:
    """Whether the first corner of a method is told to differ from the reference."""
    made = ask(method, "exercise#0", 1, *given)
    list(made) if hasattr(made, "__next__") else None
    return "!0" in capfd.readouterr().out.splitlines()


def test_a_corner_is_tried_on_copies_and_a_function_of_a_call_by_its_text(capfd):
    owner, one, a = SimpleNamespace(factor=1), KNOWN["self.factor: 1"].test, np.ones(2)
    assert differs(capfd, function("alarm", [("a += 1\nreturn a - 1", one)]), owner, a)
    assert np.array_equal(a, [1.0, 1.0])
    bodies = "return lambda: a + 0", "return lambda: a + 1"
    for at, body in enumerate(bodies):
        method = function("alarm", [(body, one)], bodies[0])
        assert differs(capfd, method, owner, a) is bool(at)


def test_what_is_drawn_is_drawn_again_for_each(capfd):
    owner, one = SimpleNamespace(factor=1), KNOWN["self.factor: 1"].test
    right = "import numpy\nreturn numpy.random.random(2)"
    for body, is_other in (f"pass\n{right}", False), (f"{right} + 1", True):
        assert differs(capfd, function("alarm", [(body, one)], right), owner, 0) is is_other


RULE = """from types import SimpleNamespace
out = SimpleNamespace(grad=0.0)
def push():
    self.grad = {}
out.push = push
return out"""
SAME = {
    "a value put in where it stands": ("return axes, axes", "axes = (0, 1)\nreturn axes, (0, 1)"),
    "rounding": ("return a * 0.3", "return a * 0.1 * 3"),
    "a zero's sign": ("return a - a", "return -(a - a)"),
    "what is left by a call that raises": ("raise ValueError", "a += 1\nraise ValueError"),
    "a class of a call": (local := "class C:\n    pass\nreturn C()", f"pass\n{local}"),
    "a generator": ("yield from a", "yield from list(a)"),
    "what a rule does": (RULE.format("2 * out.grad"), RULE.format("out.grad + out.grad")),
    "an array without values": ("return a[:0], a[:0]", "b = a[:0]\nreturn b, b"),
}
OTHER = {
    "another value": ("return axes, axes", "return axes, (0, 2)"),
    "more than rounding": ("return a * 0.3", "return a * 0.3000001"),
    "another exception": ("raise ValueError", "raise TypeError"),
    "another dtype": ("return a * 0.3", "return (a * 0.3).astype('float32')"),
    "what a rule does": (RULE.format("2 * out.grad"), RULE.format("3 * out.grad")),
    "a float in its tenth digit": ("return 1.5", "return 1.500000001"),
    "an array that two share": ("return a, a + 0", "return a, a"),
}


@pytest.mark.parametrize("right, wrong, is_other",
                         [(*each, False) for each in SAME.values()]
                         + [(*each, True) for each in OTHER.values()],
                         ids=[*SAME, *OTHER])  # fmt: skip
def test_a_mutant_gives_something_else_that_a_caller_could_see(right, wrong, is_other, capfd):
    method = function("alarm", [(wrong, KNOWN["self.factor: 1"].test)], right)
    given = SimpleNamespace(factor=1), np.ones(2), (0, 1)
    try:
        assert differs(capfd, method, *given) is is_other
    except ValueError:
        assert ("!0" in capfd.readouterr().out) is is_other


def test_a_result_that_is_kept_differs_from_the_second_call_on(capfd):
    wrong = "return self.__dict__.setdefault('_kept', a * self.factor)"
    method = function("alarm", [(wrong, KNOWN["self.factor: 1"].test)])
    owner = SimpleNamespace(factor=1)
    assert [differs(capfd, method, owner, np.full(2, n)) for n in range(3)] == [False, True, True]


def test_calls_that_nobody_looks_at_meet_no_condition(capfd):
    def ask_first(*given: Any) -> Any:
        return method(*given)

    method = function("note", [("", KNOWN["self.factor: 1"].test)])
    given = SimpleNamespace(factor=1), np.ones(2)
    ask(ask_first, "exercise", 3, *given)
    assert "@3" not in capfd.readouterr().out
    ask(method, "exercise", 3, *given)
    assert "@3 1" in capfd.readouterr().out


def test_options_and_dtypes_that_are_named_are_promised():
    promised = {said for said, each in KNOWN.items() if each.is_promised}
    assert promised == {
        "a: float32", "a: float64", "axes: at its default", "axes: not at its default",
        "self.factor: at its default", "self.factor: not at its default",
    }  # fmt: skip


def setting(factor: str, said: str) -> Condition:
    return Condition(frozenset({factor}), said, f"test of {said}")


NAMES = [setting(f, f"{f}{n}") for f, n in ("a0", "a1", "b0", "b1", "c0")]
MET = st.sets(st.tuples(st.integers(0, 3), st.text("01", min_size=5, max_size=5)), max_size=12)


@given(MET)
def test_whatever_two_settings_some_call_meets_has_one_condition(met):
    found = [*conditions(NAMES, met)]

    def calls(tests: set[str]) -> frozenset[tuple[int, str]]:
        at = [n for n, each in enumerate(NAMES) if each.test in tests]
        return frozenset(call for call in met if all(call[1][n] == "1" for n in at))

    extents = [calls({*each.test.split(" and ")}) for each in found]
    assert len(extents) == len({*extents}) and frozenset(met) not in extents
    for each, extent in zip(found, extents, strict=True):
        assert each.numbers == tuple(sorted({number for number, _ in extent})) != ()
    for one, other in combinations(NAMES, 2):
        both = calls({one.test, other.test})
        if both and both != met and one.factors != other.factors:
            assert both in extents


@given(MET, st.lists(st.integers(1, 9), min_size=1, max_size=4), st.text())
def test_every_two_settings_meet_and_no_mutant_is_left_out(met, sizes, seed):
    kinds = {f"k{n}": [f"m{n}.{at}" for at in range(size)] for n, size in enumerate(sizes)}
    where = [*conditions(NAMES, met)]
    drawn = draw_corners(kinds, where, seed)
    assert drawn == draw_corners(kinds, where, seed)
    if not where:
        assert drawn == []
        return
    assert {each for _, each in drawn} == {*where}
    assert {mutant for mutant, _ in drawn} == {m for mine in kinds.values() for m in mine}
    asked = {(mutant.partition(".")[0], each) for mutant, each in drawn}
    assert asked >= {(kind.replace("k", "m"), each) for kind in kinds for each in where}
