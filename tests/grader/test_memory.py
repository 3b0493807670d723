"""A function that keeps something is Python, and right unless what it keeps loses something."""

from __future__ import annotations

import ast
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

from grader.audit.memory import KINDS, memory_mutants
from grader.audit.mutation import Mutant

METHOD = "def scale(self, a, b=2.0, *rest, deep=False, **more):\n    return a * b\n"
OTHERS = "rest", "deep", "more"
PLAIN = "def double(a):\n    return 2 * a\n"
COUNTED = "def counted(a):\n    for each in a:\n        yield each\n"
ONLY_NUMBERS = "def size(a, b):\n    return a * b\n"


def made(source: str) -> dict[str, Mutant]:
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    body = "\n".join(map(ast.unparse, node.body))
    defaults = {"b": "2.0", "deep": "False"} if "deep" in source else {}
    return {m.said: m for m in memory_mutants(f"file.{node.name}", body, node, defaults)}


def run(source: str, mutant: Mutant):
    """Return the function with a mutant's body, in a module of its own."""
    head = source.splitlines()[0]
    space: dict = {}
    exec(f"{head}\n{textwrap.indent(mutant.text, '    ')}", space)
    return space[head.removeprefix("def ").partition("(")[0]]


def test_a_method_keeps_for_each_object_and_for_all():
    found = made(METHOD)
    kinds = KINDS.keys() - {"identity"}  # what `*rest` takes is another tuple in every call
    keys = *(f"by {each}" for each in kinds), *(f"without {n}" for n in (*"ab", *OTHERS))
    ways = "first result for ever", *(f"kept {key}" for key in keys)
    assert {*found} == {
        *ways, *(f"{way}, for each object" for way in ways), "one array for all results",
        "last b in place of its default", "last deep in place of its default",
    }  # fmt: skip


@pytest.mark.parametrize("source", [METHOD, PLAIN, COUNTED, ONLY_NUMBERS])
def test_the_first_call_is_right_whatever_is_kept(source):
    arguments = {METHOD: (SimpleNamespace(), np.arange(3.0)), PLAIN: (np.arange(3.0),),
                 COUNTED: ([1, 2],), ONLY_NUMBERS: (2, 3)}[source]  # fmt: skip
    space: dict = {}
    exec(source, space)
    right = space[source[4 : source.index("(")]]
    for mutant in made(source).values():
        one, other = right(*arguments), run(source, mutant)(*arguments)
        if source is COUNTED:
            one, other = [*one], [*other]
        assert np.array_equal(one, other), mutant.said


WRONG = {  # what is kept → a second call, and what the mutant gives there
    "first result for ever": ([4.0, 5.0], [2.0, 4.0]),
    "kept by shape": ([4.0, 5.0], [2.0, 4.0]),
    "kept by size": ([4.0, 5.0], [2.0, 4.0]),
    "kept by repr": ([4.0, 5.0], [8.0, 10.0]),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_key_that_loses_the_values_gives_the_first_result_again(said):
    second, expected = WRONG[said]
    function = run(PLAIN, made(PLAIN)[said])
    function(np.array([1.0, 2.0]))
    assert np.array_equal(function(np.array(second)), expected)


def test_identity_is_asked_of_the_object_and_the_first_array_is_overwritten():
    a = np.array([1.0, 2.0])
    function = run(PLAIN, made(PLAIN)["kept by identity"])
    first = function(a)
    a[:] = 7.0
    assert function(a) is first
    function = run(PLAIN, made(PLAIN)["one array for all results"])
    first = function(np.array([1.0, 2.0]))
    function(np.array([4.0, 5.0]))
    assert np.array_equal(first, [8.0, 10.0])


def test_an_option_is_remembered_from_call_to_call():
    function = run(METHOD, made(METHOD)["last b in place of its default"])
    assert [function(None, 3.0), function(None, 3.0, 5.0), function(None, 3.0)] == [6.0, 15.0, 15.0]


@pytest.mark.parametrize(("source", "arguments", "is_lossless"), [
    (ONLY_NUMBERS, (2, 3), True), (PLAIN, (np.ones(2),), False), (PLAIN, ([1.0, 2.0],), True),
])  # fmt: skip
def test_a_key_of_plain_values_loses_nothing(source, arguments, is_lossless):
    alarmed = made(source)["kept by shape"].in_alarm
    assert alarmed is not None
    if is_lossless:
        run(source, alarmed)(*arguments)
        return
    with pytest.raises(RuntimeError, match="it does something"):
        run(source, alarmed)(*arguments)


def test_a_node_is_new_in_every_call():
    said = {*made("def backward(self, out_grad, node):\n    return out_grad\n")}
    assert "kept by shape" in said and "kept by identity" not in said
