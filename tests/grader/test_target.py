"""What a learner wrote for an exercise, as text to search.

A target in a learner's own file: found whatever stands around it, and nothing else touched.
"""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.syntax_tree import parse
from grader.course.target import (
    file_of,
    find,
    find_roughly,
    functions,
    head,
    inside,
    is_stub,
    own_text,
    plain,
    with_body,
)
from grader.sandbox.observation import Definition

from .examples import SOME


def test_comments_docstrings_and_spacing_are_gone():
    text = 'def f( a ):\n    """Says."""\n    # why\n    return a+1\n'
    assert plain(text) == "def f(a):\n    return a + 1"
    assert plain('def f():\n    """All that there is."""\n').count("All") == 1


def test_what_is_no_python_is_no_text():
    assert plain("def f(:") == plain("x = '\0'") == plain("-" * 100_000 + "1") == ""


def test_the_definitions_of_the_targets_stand_one_below_the_other():
    files = {"ops.py": b"class A:\n    def f(self):\n        return 1\n\ndef g():\n    return 2\n"}
    definitions = {
        "ops.A.f": Definition("ops.A.f", "ops.py", 2, 3, False),
        "ops.g": Definition("ops.g", "ops.py", 5, 6, False),
        "nn.h": Definition("nn.h", "nn.py", 1, 1, False),
    }
    found = own_text(files, definitions, ["ops.A.f", "ops.g", "nn.h", "ops.nowhere"])
    assert found == "def f(self):\n    return 1\ndef g():\n    return 2"


def test_a_definition_ends_where_its_last_bracket_does():
    files = {"ops.py": b"def f(a):\n    return {\n        1: a,\n    }\n\nlast = 2\n"}
    cut_short = {"ops.f": Definition("ops.f", "ops.py", 1, 3, False)}  # as a worker sees it
    assert own_text(files, cut_short, ["ops.f"]) == "def f(a):\n    return {1: a}"


TEXT = '''import numpy as np


class Div:
    @staticmethod
    def forward(a, b):
        """Divides."""
        return a / b
        # a last word

    def backward(self, g): return g


def forward():
    raise NotImplementedError("yours")
'''


def test_a_place_holds_decorators_docstring_body_and_last_comment():
    place = find(TEXT, "Div.forward")
    assert (place.top, place.body, place.last, place.column) == (5, 8, 9, 8)
    assert head(TEXT, place) == ["@staticmethod", "def forward(a, b):", '    """Divides."""']


def test_of_two_of_one_name_the_last_counts_and_none_is_none():
    twice = "def f():\n    return 1\ndef f():\n    return 2\n"
    assert find(twice, "f").top == 3
    assert find(TEXT, "Mul.forward") is None and find_roughly(TEXT, "Mul.forward") is None
    hidden = "try:\n    x = 1\nexcept E:\n    def f():\n        return 1\n"
    assert find(hidden, "f").top == 4


@pytest.mark.parametrize("name", ["Div.forward", "Div.backward", "forward"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_another_body_replaces_one_and_every_other_line_stays(name, newline):
    text = TEXT.replace("\n", newline)
    found = with_body(text, find(text, name), ["x = 1", "return x"])
    tree = functions("ops", parse(found))
    assert set(tree) == set(functions("ops", parse(TEXT)))
    for target, node in tree.items():
        body = ast.unparse(node.body[-1])
        assert (body == "return x") == (target == f"ops.{name}")
    assert newline == "\n" or found.count("\r\n") == found.count("\n")
    assert not name.startswith("Div.f") or "a last word" not in found


@SOME
@given(junk=st.text("ab(:[]'\"\n #=", max_size=40))
def test_a_text_that_is_no_python_is_searched_by_its_indentation(junk):
    """Whatever is broken below it: a definition that is there is found at the same lines."""
    broken = f"{TEXT}\ndef broken(:\n{junk}"
    place, right = find_roughly(broken, "forward"), find(TEXT, "forward")
    assert place is not None and place[:3] == right[:3]
    with pytest.raises(SyntaxError):
        find(broken, "forward")


def test_roughly_found_it_has_the_body_below_signature_and_docstring():
    place = find_roughly(TEXT, "Div.forward")
    assert (place.top, place.body, place.last) == (6, 8, 9)
    long = 'def f(\n    a,\n):\n    """Two\n    lines."""\n    return a\n'
    assert find_roughly(long, "f").body == 6


def test_a_stub_raises_and_does_nothing_else():
    kinds = {
        "raise NotImplementedError": True, '"""Says."""\n    raise NotImplementedError("x")': True,
        "return 1": False, "raise ValueError": False, "x = 1\n    raise NotImplementedError": False,
        '"""Says."""': False,
    }  # fmt: skip
    for body, right in kinds.items():
        assert is_stub(ast.parse(f"def f():\n    {body}\n").body[0]) is right, body


def test_a_target_is_in_the_deepest_file_that_is_there(tmp_path):
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "closures.py").touch()
    folder = str(tmp_path)
    assert file_of(folder, "engines.closures.Tensor.add").endswith("engines/closures.py")
    assert inside(folder, "engines.closures.Tensor.add") == "Tensor.add"
    assert file_of(folder, "ops.Div").endswith("ops.py") and inside(folder, "ops.Div") == "Div"
