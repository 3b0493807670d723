"""The report says that a function returned None, or that its body is empty.

Every target of the course is broken in five ways: its last `return` loses the word, its value, or
becomes a `print`; or `pass` or `...` is the whole body.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap

import pytest

from grader.audit.proof import CourseCheck
from grader.course.syntax_tree import does_nothing
from grader.judge.diagnosis import IDLE
from grader.verdict import PASSED, WRONG

from .whole_course import whole_course

COURSE = whole_course()
WAYS = {"no return": "{}", "a bare return": "return", "a print": "print({})"}
EMPTY = ("pass", "...")
TARGETS = {
    chapter.id: [t for e in chapter.exercises if not e.given for t in e.targets]
    for chapter in COURSE.chapters
}
CASES = [*itertools.product(TARGETS, [*WAYS, *EMPTY])]
FALSE = ("nan", "Did you mean", "is the name here", "did you mean")


def own_returns(body: str) -> list[ast.Return]:
    """The statements of a body that return a value, those of functions inside left out."""
    todo: list[ast.AST] = [*ast.parse(body).body]
    found = []
    for node in todo:  # grows while it is gone through
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)
    return sorted(found, key=lambda node: node.lineno)


def broken(target: str, way: str) -> str | None:
    """The body of a target, broken in this way; None where it has no `return` to lose."""
    body = textwrap.dedent(COURSE.regions[target].body)
    returns = own_returns(body)
    if way in EMPTY:
        return way
    if not returns:
        return "return" if way == "a bare return" else None
    last, lines = returns[-1], body.split("\n")
    assert last.value is not None and last.end_lineno is not None
    new = WAYS[way].format(ast.unparse(last.value))
    lines[last.lineno - 1 : last.end_lineno] = [" " * last.col_offset + new]
    return "\n".join(lines)


def wrong_of(verdict, body: str) -> str:
    """Return what is false in the first lines of a verdict; empty if nothing is."""
    wrong = [check for check in verdict.checks if check.status in WRONG]
    first = min(wrong, key=lambda check: not check.check["weight"])
    named = [*verdict.mistakes, *([] if verdict.mistakes else first.inferred)]
    said = " ".join([first.says, *(says for _, says in named)])
    known = {m.name: m.body for m in COURSE.exercises[verdict.id].mistakes}
    is_empty = does_nothing(ast.parse(body).body)
    fits = (
        does_nothing(ast.parse(known[name]).body) if is_empty else not own_returns(known[name])
        for name, _ in verdict.mistakes
        if name in known
    )
    says_so = bool(verdict.mistakes) if is_empty else re.search(r"\bNone\b", said)
    is_false = any(words in said for words in FALSE)
    return "" if says_so and all(fits) and not is_false else said


def judged(proof: CourseCheck, targets: list[str], way: str) -> dict[str, str]:
    """Target → what is said of it and is not so."""
    found = {}
    for target in targets:
        body, id = broken(target, way), COURSE.owner[target].id
        if body is not None:
            verdict = proof.judge(COURSE.replace_bodies({target: body}), [id])[id]
            assert verdict.status != PASSED, target
            found[target] = wrong_of(verdict, body)
    return {target: said for target, said in found.items() if said}


@pytest.mark.sampled(quick=16, long=6)
@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: "-".join(CASES[n]))
def test_a_function_that_returns_nothing_is_told_so(number, proof):
    """One target per chapter and way, another one for each way."""
    chapter, way = CASES[number]
    place = 7 * number % len(TARGETS[chapter])
    assert judged(proof, TARGETS[chapter][place : place + 1], way) == {}


@pytest.mark.sampled(long=6)
@pytest.mark.parametrize("chapter, way", CASES)
def test_every_function_that_returns_nothing_is_told_so(chapter, way, proof):
    assert judged(proof, TARGETS[chapter], way) == {}


@pytest.mark.parametrize("body", ["pass", "...", "return", "return None", '"""Text."""'])
def test_an_empty_body_is_named_whatever_empties_it(body, proof):
    id = "chapter1.value.init"
    verdict = proof.judge(COURSE.replace_bodies({"scalar.Value.__init__": body}), [id])[id]
    ((name, says),) = verdict.mistakes
    assert name == IDLE and says.startswith("`Value.__init__` sets nothing and returns None: ")
