"""Every operator of the table finds its mutant, and each mutant is Python."""

from __future__ import annotations

import textwrap

import pytest

from grader.audit.mutation import FIELD, SYNTAX, mutants

FOUND = {
    "arithmetic": ("return a - b", "return a + b"),
    "a comparison": ("return a < b", "return a <= b"),
    "a constant moved": ("return a[1]", "return a[2]"),
    "a call or its arguments": ("return np.sum(a, axis=b)", "return np.sum(a)"),
    "another function or dtype": ("return np.max(a)", "return np.mean(a)"),
    "a statement or branch": ("if a:\n    b = 1\nreturn b", "if True:\n    b = 1\nreturn b"),
    "a loop's end": ("for x in a:\n    b = x", "for x in list(a)[:-1]:\n    b = x"),
    "an index": ("return a[1:b]", "return a[:b]"),
    "a result in float32": ("return a", "return cast(a, 'float32')"),
    "a result in float64": ("return a", "return cast(a, 'float64')"),
    "computed in float32": ("return a", "return cast(a, 'float32', and_back=True)"),
    "the input written to at the end": ("return a", "return spoil(a, b)"),
    "the second call gives the first result": ("return a", "return kept(a, self)"),
    "an input without axes given back": ("return b", "return without_axes(b, a)"),
    "a global seed set": ("return rng.normal()", "return seeded(rng.normal())"),
    "another generator": ("return rng.normal()", "return np.random.normal()"),
    "a finite number for -inf": ("a[b] = -np.inf", "a[b] = -100.0"),
    "nearly, or sizes for shapes": ("return a.shape == b.shape", "return a.size == b.size"),
}


def found(body: str, *names: str, **defaults: str) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {}
    for mutant in mutants(body, ["self", *(names or "ab")], defaults):
        kinds.setdefault(mutant.kind, set()).add(mutant.body)
    return kinds


@pytest.mark.parametrize("kind", [*SYNTAX, *FIELD])
def test_an_operator_finds_its_mutant(kind):
    body, other = FOUND[kind]
    assert other in found(body)[kind]


def test_adding_and_setting_are_exchanged_and_a_copy_is_left_out():
    assert "a.grad += b" in found("a.grad = b")["a statement or branch"]
    assert "a.grad = b" in found("a.grad += b")["a statement or branch"]
    assert "return np.asarray(a)" in found("return np.array(a)")["another function or dtype"]
    assert "return (lambda: a)()" in found("return a.copy()")["another function or dtype"]


def test_no_mutant_is_the_body_or_another_one_and_all_are_python():
    body = "if a.shape != b.shape or not np.isfinite(a).all():\n    return -a[1:]\nreturn a @ b.T"
    bodies = [mutant.body for mutant in mutants(body, ["a", "b"], {})]
    assert len(bodies) == len(set(bodies)) > 30 and body not in bodies
    for mutant in mutants(body, ["a", "b"], {}):
        compile(f"def f(a, b):\n{textwrap.indent(mutant.text, '    ')}", "mutant", "exec")


def test_the_words_of_a_message_and_the_belts_of_zip_are_left_alone():
    kinds = found('raise ValueError(f"{a + 1} is none")')
    assert "arithmetic" not in kinds and "a constant moved" not in kinds
    assert not [b for k in found("x = zip(a, b, strict=True)").values() for b in k if "False" in b]


def test_a_default_stands_in_place_of_the_argument():
    assert found("return a * p", p="0.5")["a default in place of the argument"] == {
        "p = 0.5\nreturn a * p"
    }


def ran(text: str, *arguments: object) -> object:
    spaces: dict[str, object] = {}
    exec(f"def f(a):\n{textwrap.indent(text, '    ')}", spaces)
    return spaces["f"](*arguments)


def test_a_helper_raises_in_alarm_exactly_where_it_changes_something():
    numpy = pytest.importorskip("numpy")
    for mutant in mutants("return a", ["a"], {}):
        if mutant.kind == "a result in float32":
            assert ran(mutant.text, numpy.ones(2)).dtype == "float32"
            assert ran(mutant.in_alarm.text, 3) == 3
            with pytest.raises(RuntimeError):
                ran(mutant.in_alarm.text, numpy.ones(2))
            return
    raise AssertionError("no mutant in float32")
