"""A target in a learner's own file: found where it is, and nothing else touched."""

from __future__ import annotations

import ast
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.syntax_tree import find_functions, parse
from grader.learner.own_file import (
    find_definition,
    find_roughly,
    head,
    locate,
    spans_in,
    with_body,
)  # fmt: skip

from .examples import SOME
from .work import growth

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
    place = find_definition(TEXT, "Div.forward")
    assert (place.top, place.body, place.last, place.column) == (5, 8, 9, 8)
    assert head(TEXT, place) == ["@staticmethod", "def forward(a, b):", '    """Divides."""']


def test_of_two_of_one_name_the_last_counts_and_none_is_none():
    twice = "def f():\n    return 1\ndef f():\n    return 2\n"
    assert find_definition(twice, "f").top == 3
    assert (
        find_definition(TEXT, "Mul.forward") is None and find_roughly(TEXT, "Mul.forward") is None
    )


@pytest.mark.parametrize("name", ["Div.forward", "Div.backward", "forward"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_another_body_replaces_one_and_every_other_line_stays(name, newline):
    text = TEXT.replace("\n", newline)
    found = with_body(text, find_definition(text, name), ["x = 1", "return x"])
    tree = find_functions("ops", parse(found))
    assert set(tree) == set(find_functions("ops", parse(TEXT)))
    for target, node in tree.items():
        body = ast.unparse(node.body[-1])
        assert (body == "return x") == (target == f"ops.{name}")
    assert newline == "\n" or found.count("\r\n") == found.count("\n")
    assert not name.startswith("Div.f") or "a last word" not in found


@SOME
@given(junk=st.text("ab(:[]'\"\n #=", max_size=40))
def test_a_text_that_is_no_python_is_searched_by_its_indentation(junk):
    """A definition is found at the same lines even if the text below it is broken."""
    broken = f"{TEXT}\ndef broken(:\n{junk}"
    place, right = find_roughly(broken, "forward"), find_definition(TEXT, "forward")
    assert place is not None and place[:3] == right[:3]
    with pytest.raises(SyntaxError):
        find_definition(broken, "forward")


def test_roughly_found_it_has_decorators_and_the_body_below_its_docstring():
    place = find_roughly(TEXT, "Div.forward")
    assert (place.top, place.body, place.last) == (5, 8, 9)
    long = 'def f(\n    a,\n):\n    """Two\n    lines."""\n    return a\n'
    assert find_roughly(long, "f").body == 6


def test_a_target_is_in_the_deepest_file_that_is_there(tmp_path):
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "closures.py").touch()
    folder = str(tmp_path)
    path, name = locate(folder, "engines.closures.Tensor.add")
    assert path.endswith("engines/closures.py") and name == "Tensor.add"
    path, name = locate(folder, "ops.Div")
    assert path.endswith("ops.py") and name == "Div"


MANY = {  # what a file holds, again and again: beside each other, and one below the other
    "functions": "def f{0}():\n    return {0}\n",
    "classes": "class C{0}:\n    def forward(self): return {0}\n",
    "one name": "class C:\n    def forward(self): return {0}\n",
    "decorators": "@one\n@two\ndef f(): return {0}\n",
}
ASKED = {
    "where all is": lambda text: spans_in("ops.py", text),
    "where one is": lambda text: find_definition(text, "C.forward"),
    "where one may be": lambda text: find_roughly(text + "(", "C.forward"),
}


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("kind", MANY)
def test_the_work_grows_no_faster_than_the_file(kind, ask):
    times = itertools.count()

    def asking(count):  # another text each time: what was parsed is kept
        text = "".join(map(MANY[kind].format, range(count))) + f"# {next(times)}\n"
        return lambda: ASKED[ask](text)

    assert growth(asking, 100) < 2.2


def test_to_ask_for_every_name_of_a_broken_file_is_linear_too():
    times = itertools.count()

    def asking(count):
        names = [f"f{n}" for n in range(count)]
        text = "".join(f"def {name}():\n    return 1\n" for name in names) + f"({next(times)}\n"
        return lambda: [find_roughly(text, name) for name in names]

    assert growth(asking, 100) < 2.2
    assert [place.top for place in asking(3)()] == [1, 3, 5]
