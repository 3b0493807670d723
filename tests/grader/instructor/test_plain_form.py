"""Who lets a machine rewrite a copy is found all the same; who wrote code of their own is not."""

from __future__ import annotations

import ast
import time

import pytest

from grader.classroom.analysis.plain_form import make_plain
from grader.classroom.analysis.similar import (
    SHARE,
    CommonCode,
    FingerprintIndex,
    fingerprint_files,
)

from .machine_rewritings import EVASIONS

NOBODY = CommonCode(frozenset(), frozenset(), frozenset())
FILES = ("ops.py", "nn.py", "optim.py", "data.py")


def pairs(*texts: str) -> dict[tuple[int, int], float]:
    """The similar pairs of a class in which these were handed in, and nothing else is alike."""
    index = FingerprintIndex()
    for n, text in enumerate(texts):
        index.add(n, fingerprint_files({"m.py": text.encode()}, NOBODY))
    return index.find_similar_pairs(len(texts))


@pytest.mark.sampled(quick=28, long=2)
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", EVASIONS)
def test_a_copy_that_a_machine_rewrote_is_found(course, name, file):
    text = course.solved()[file]
    rewritten = EVASIONS[name](text)
    assert rewritten != ast.unparse(ast.parse(text)) or name == "while for for"
    assert pairs(text, rewritten)[0, 1] >= SHARE


@pytest.mark.sampled(quick=14, long=4)
@pytest.mark.parametrize("name", EVASIONS)
def test_other_right_bodies_are_no_copies_even_rewritten(course, name):
    """The honest twin: two who solved the same exercises by themselves."""
    mine = [(t, body) for c in course.chapters for v in c.variants for t, body in v.bodies.items()]
    theirs, reference = dict(mine), {}
    for target in theirs:
        file, _, _ = target.partition(".")
        reference[file] = [*reference.get(file, ()), target]
    found = 0
    for file, targets in reference.items():
        if len(targets) > 3 and f"{file}.py" in course.solved():
            ours = "\n".join(_function(course.solved()[f"{file}.py"], t) for t in targets)
            other = "\n".join(_as_function(theirs[t], n) for n, t in enumerate(targets))
            found += bool(pairs(ours, EVASIONS[name](other)))
    assert not found


def _function(text: str, target: str) -> str:
    name = target.rpartition(".")[2]
    tree = ast.parse(text)
    owner = target.split(".")[1]
    inside = next((n for n in tree.body if getattr(n, "name", "") == owner), tree)
    nodes = ast.walk(inside if owner != name else tree)
    return ast.unparse(next(n for n in nodes if getattr(n, "name", "") == name))


def _as_function(body: str, number: int) -> str:
    return f"def f{number}(a, b, c):\n" + "\n".join(f"    {line}" for line in body.split("\n"))


PLAIN = {
    "t = a * 2\nu = t + b\nreturn f(u)": "return f(a * 2 + b)",
    "if not a:\n    g()\nelse:\n    h()": "if a:\n    h()\nelse:\n    g()",
    "return a > b": "return b < a",
    "a += 1\nreturn a": "a = a + 1\nreturn a",
    "return getattr(a, 'b')": "return a.b",
    "return (lambda: a.b(1 + 1))()": "return a.b(2)",
    "unused = f(a)\nif len('') > 1:\n    print()\nreturn a": "return a",
    "if len('') < 1:\n    return a": "return a",
}


def plain(body: str) -> str:
    (function,) = ast.parse(_as_function(body, 0)).body
    assert isinstance(function, ast.FunctionDef)
    return ast.dump(make_plain(function))


@pytest.mark.parametrize(("one", "other"), PLAIN.items())
def test_two_words_for_one_thing_have_one_form(one, other):
    assert plain(one) == plain(other)


@pytest.mark.parametrize("differs", ["return a - b", "return f(b * 2 + b)", "return a.c"])
def test_other_things_have_others(differs):
    assert plain(differs) not in map(plain, PLAIN.values())


def test_long_functions_take_time_by_their_length_alone():
    texts = [
        "\n".join(f"v{n} = f(v{n - 1}, {n})" for n in range(1, 4000)) + "\nreturn v3999",
        "\n".join("a += 1" for _ in range(4000)),
        "return " + " + ".join(["a * 2"] * 300),
    ]
    for text in texts:
        begun = time.process_time()
        plain(text)
        assert time.process_time() - begun < 4
