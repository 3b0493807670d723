"""Hidden formulas: the edits of docstrings, and what a learner still finds as a hint."""

from __future__ import annotations

import ast
import re
from types import SimpleNamespace

import pytest

from grader.course.formulas import HINT, WIDTH, hide_formulas, make_hints
from grader.course.outline import HIDDEN, SHORT, chapter_no
from grader.course.splice import target_file
from grader.course.syntax_tree import find_definitions, is_stub
from grader.errors import OurFault

from .whole_course import whole_course

COURSE = whole_course()
LONG = (
    "It is computed value by value, and the result is finite wherever the input is, at ±1000 too."
)
CASES = [
    ('"""The slope: 2a."""', (": 2a", ""), '"""The slope."""', "The slope: 2a."),
    ('"""The slope: 2a.\n\n    Finite.\n    """', (": 2a", ""),
     '"""The slope.\n\n    Finite.\n    """', "The slope: 2a."),
    ('"""A square.\n\n    Its rule: d(aa)/da\n    = 2a.\n    """',
     ("Its rule: d(aa)/da = 2a.", ""), '"""A square."""', "Its rule: d(aa)/da = 2a."),
    ('r"""\\a is 2a."""', ("2a", "for you"), 'r"""\\a is for you."""', "\\a is 2a."),
    ('"""Slope: 2a.\n\n    It is 2b."""', ((": 2a", ""), ("It is 2b.", "")), '"""Slope."""',
     "Slope: 2a. It is 2b."),
]  # fmt: skip


@pytest.mark.parametrize("docstring, change, becomes, hint", CASES)
def test_an_edit_takes_words_out_and_leaves_a_whole_docstring(docstring, change, becomes, hint):
    text = "def f(a):\n    {}\n    return 2 * a\n"
    texts, edits = {"m.py": text.format(docstring)}, {"m.f": change}
    assert hide_formulas(texts, edits) == {"m.py": text.format(becomes)}
    owner = {"m.f": SimpleNamespace(id="chapter1.f")}
    assert make_hints(texts, edits, owner) == {"chapter1.f": HINT.format(hint)}


def test_an_edited_paragraph_is_wrapped_again():
    text = f'class A:\n    def f(a):\n        """2a. {LONG} {LONG}"""\n'
    lines = hide_formulas({"m.py": text}, {"m.A.f": ("2a. ", "")})["m.py"].splitlines()
    assert max(map(len, lines)) <= WIDTH and lines[-1] == '        """'
    assert " ".join(" ".join(lines[2:-1]).split()) == f'"""{LONG} {LONG}'


@pytest.mark.parametrize("text", [
    "def f(a):\n    return a\n",
    "def f(a):\n    '2a'\n",
    'def f(a):\n    """2a, then 2a."""\n',
    'def f(a):\n    """3a."""\n',
    "def g(a):\n    return a\n",
])  # fmt: skip
def test_an_edit_that_does_not_fit_is_our_fault(text):
    with pytest.raises(OurFault, match="f"):
        hide_formulas({"m.py": text}, {"m.f": ("2a", "")})


def docstring_of(texts: dict[str, str], target: str) -> str:
    file, name = target_file(target, texts)
    return " ".join((ast.get_docstring(find_definitions(texts[file])[name]) or "").split())


def test_hidden_words_stand_in_the_last_hint_and_in_no_docstring_of_a_stub():
    shown, hidden = COURSE.stubs(), COURSE.stubs(formulas=HIDDEN)
    assert len(COURSE.edited_docstrings) >= 50
    for target, change in COURSE.edited_docstrings.items():
        hint = COURSE.formulas[COURSE.owner[target].id]
        for old, _ in (change,) if isinstance(change[0], str) else change:
            assert old in docstring_of(shown, target)
            assert old not in docstring_of(hidden, target)
            assert old.replace("``", "`").strip() in hint


# How a docstring writes a derivative.
FORMULA = re.compile(
    r"\bd\(.*?\)\s*(/d|=)|\bd\w/d\w|\bd\w = |s·\(1 - s\)|\* Σ out_grad|1 - t²|1 - tanh"
)


def test_no_docstring_of_a_stub_gives_a_derivative_away():
    for text in COURSE.stubs(formulas=HIDDEN).values():
        for name, node in find_definitions(text).items():
            if isinstance(node, ast.FunctionDef) and is_stub(node):
                assert not FORMULA.search(ast.get_docstring(node) or ""), name


@pytest.mark.parametrize("first, route", [(3, "full"), (1, SHORT), (11, SHORT)])
def test_what_comes_solved_keeps_its_formula(first, route):
    shown, hidden = COURSE.stubs(first, route), COURSE.stubs(first, route, HIDDEN)
    solved = COURSE.solved_on(route)
    for target in COURSE.edited_docstrings:
        id = COURSE.owner[target].id
        is_solved = chapter_no(id) < first or id in solved
        assert (docstring_of(shown, target) == docstring_of(hidden, target)) == is_solved
