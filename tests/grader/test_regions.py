"""Solution regions: whose they are, and how they are taken out or replaced."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.syntax_tree import (
    BEGIN,
    END,
    locate_definitions,
    make_stub_body,
    regions,
    remove_markers,
    rewritten,
    without_docstrings,
)
from grader.errors import OurFault

from .examples import SOME

TEXT = f'''"""A module."""

class A:
    """A class."""

    def f(self):
        """Says."""
        {BEGIN}
        return 1
        {END}

    class B:
        def g(self):
            {BEGIN}
            if self:
                return 2
            {END}
'''


def test_a_region_belongs_to_the_innermost_definition():
    first, second = regions("ops", TEXT)
    assert (first.owner, first.body) == ("ops.A.f", "return 1")
    assert (second.owner, second.body) == ("ops.A.B.g", "if self:\n    return 2")
    assert second.indent == " " * 12


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"def f():\n    {BEGIN}\n    pass\n", "without its END"),
        (f"def f():\n    pass\n    {END}\n", "without its BEGIN"),
        (f"def f():\n    {BEGIN}\n    {BEGIN}\n    {END}\n    pass\n", "inside a region"),
        (f"{BEGIN}\nx = 1\n{END}\n", "no definition around"),
    ],
)
def test_a_region_that_is_none_is_an_error_with_its_line(text, says):
    with pytest.raises(OurFault, match=rf"m\.py line \d.*{says}"):
        regions("m", text)


def test_rewritten_with_its_own_bodies_it_is_the_text_without_markers():
    assert rewritten("ops", TEXT, lambda region: region.body) == remove_markers(TEXT)
    assert BEGIN not in remove_markers(TEXT) and "return 2" in remove_markers(TEXT)


@SOME
@given(lines=st.lists(st.sampled_from(["x = 1", "if x:\n    y = 2", "return x"]), min_size=1))
def test_another_body_stands_at_the_depth_of_the_old_one(lines):
    body = "\n".join(lines)
    found = rewritten("ops", TEXT, lambda region: body)
    tree = ast.parse(found)
    wanted = ast.unparse(ast.parse("def f():\n" + "".join(f"    {x}\n" for x in body.split("\n"))))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    for function in functions:
        own = [s for s in function.body if not isinstance(s, ast.Expr)]
        assert [ast.unparse(s) for s in own] == [
            ast.unparse(s) for s in ast.parse(wanted).body[0].body
        ]


def test_every_definition_has_its_lines():
    spans = locate_definitions("ops", TEXT)
    assert list(spans) == ["ops.A", "ops.A.f", "ops.A.B", "ops.A.B.g"]
    assert spans["ops.A.f"] == (6, 9)


def test_a_stub_says_what_to_read_and_run_and_raises():
    text = make_stub_body("chapter3.div", "3.2")
    assert "section 3.2" in text and "`grader check chapter3.div`" in text
    with pytest.raises(NotImplementedError):
        exec(text)


def test_docstrings_go_and_a_modules_own_and_a_body_of_nothing_else_stay():
    text = (
        '"""M."""\ndef f():\n    """Long\n    one."""\n\n    return 1\n\ndef g():\n    """All."""\n'
    )
    assert (
        without_docstrings(text) == '"""M."""\ndef f():\n    return 1\n\ndef g():\n    """All."""\n'
    )
