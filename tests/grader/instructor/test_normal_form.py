"""The normal form of a function: no disguise changes it, and other code has another."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader import root
from grader.classroom.analysis.similar import CommonCode, fingerprint_files
from grader.classroom.intake import normal_form
from grader.classroom.intake.handed_out import find_came_solved, hash_bodies
from grader.classroom.intake.normal_form import normal_forms
from grader.course.package import module_of
from grader.course.syntax_tree import find_functions, parse

from .rewritings import REWRITINGS, in_bodies
from .test_similar import ORIGINAL

pytestmark = pytest.mark.xdist_group("normal forms")  # made once

CHAPTERS = sorted(path.name for path in Path(root.path("exercises")).glob("chapter*"))
NOBODY = CommonCode(frozenset(), frozenset(), frozenset())


def forms(text: str) -> dict[str, list[str]]:
    return {form.target: form.words for form in normal_forms("m", text)}


def as_function(given: ast.FunctionDef, body: str) -> ast.FunctionDef:
    """A function of the reference with another body."""
    made = copy.copy(given)
    made.body = ast.parse(textwrap.dedent(body)).body
    return made


def module(found: list[ast.FunctionDef]) -> str:
    """Functions of any name in one text, each in a class of its own."""
    classes = [ast.parse(f"class C{n}: pass").body[0] for n in range(len(found))]
    for each, function in zip(classes, found, strict=True):
        each.body = [function]
    return ast.unparse(ast.Module(classes, []))


@pytest.fixture(scope="module")
def right(course) -> dict[str, ast.FunctionDef]:
    """Target → its definition in the reference."""
    texts = course.solved().items()
    return {t: f for n, text in texts for t, f in find_functions(module_of(n), parse(text)).items()}


@pytest.fixture(scope="module")
def variants(course, right) -> list[tuple[str, ast.FunctionDef]]:
    """(target, another right solution of it) of all that the course knows."""
    every = [v.bodies for chapter in course.chapters for v in chapter.variants]
    return [(t, as_function(right[t], b)) for bodies in every for t, b in bodies.items()
            if t in right]  # fmt: skip


@pytest.fixture(scope="module")
def others_forms(variants) -> dict[str, list[str]]:
    """Of every solution that is not the reference; of that itself, see below."""
    return forms(module([function for _, function in variants]))


@pytest.fixture(scope="module")
def some(variants, is_whole) -> str:
    """As many of them as each disguise is tried on, as one text."""
    return module([function for _, function in variants[:: 1 if is_whole else 4]])


@pytest.fixture(scope="module")
def some_forms(some) -> dict[str, list[str]]:
    return forms(some)


@pytest.fixture(scope="module")
def our_forms(right) -> dict[str, list[str]]:
    """Target → its words in the reference, where they stand among others'."""
    return dict(zip(right, forms(module(list(right.values()))).values(), strict=True))


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("name", REWRITINGS)
def test_no_disguise_changes_it(some, some_forms, name):
    other = REWRITINGS[name](some)
    assert other != some or name == "other white space"
    found = forms(other)
    assert [t for t in some_forms if found.get(t) != some_forms[t]] == []


def test_another_solution_has_another(our_forms, variants, others_forms):
    assert len(variants) > 200
    theirs = others_forms.values()
    same = [t for (t, _), form in zip(variants, theirs, strict=True) if form == our_forms[t]]
    assert same == []


@pytest.mark.sampled(quick=8, long=3)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_mistake_is_taken_for_what_is_right(course, right, our_forms, chapter):
    """Many of them differ in one sign, one name or the order of two calls."""
    found = [
        (f"{e.id}: {m.name}", target, as_function(right[target], m.body))
        for e in course.exercises.values() for m in e.mistakes
        if e.chapter == chapter and (target := m.target or e.targets[0]) in right
    ]  # fmt: skip
    assert len(found) > 15
    theirs = forms(module([function for _, _, function in found])).values()
    same = [n for (n, t, _), form in zip(found, theirs, strict=True) if form == our_forms[t]]
    assert same == []


@pytest.fixture(scope="module")
def who_came_solved(course) -> Callable[[dict[str, str]], object]:
    """Return what of these texts came solved if the whole reference was handed out."""
    ours = course.solved()
    solved = {target: [digest] for target, (digest, _) in hash_bodies(ours).items()}
    owners = {target: e.id for target, e in course.owner.items()}

    def came(texts: dict[str, str]) -> object:
        return find_came_solved({n: text.encode() for n, text in texts.items()}, solved, owners)

    return came


@pytest.fixture(scope="module")
def all_came_solved(course, who_came_solved) -> object:
    return who_came_solved(course.solved())


@pytest.mark.sampled(quick=6, long=4)  # each of them is tried on other solutions above
@pytest.mark.parametrize("name", [*REWRITINGS][::-1])  # the first is many at once
def test_who_disguises_what_came_solved_earns_nothing(
    course, name, who_came_solved, all_came_solved
):
    assert len(all_came_solved) > 300
    disguised = {n: REWRITINGS[name](text) for n, text in course.solved().items()}
    assert who_came_solved(disguised) == all_came_solved


@pytest.mark.parametrize("name", REWRITINGS)
def test_who_shares_code_shares_fingerprints_in_any_disguise(name):
    found = fingerprint_files({"ops.py": REWRITINGS[name](ORIGINAL).encode()}, NOBODY)
    assert found and found == fingerprint_files({"ops.py": ORIGINAL.encode()}, NOBODY)


BASE = "def f(a, b):\n    x = a + 1\n    y = b * 2\n    self.g(x)\n    h(y)\n    return x - y\n"


@pytest.mark.parametrize(("before", "after"), [
    ("x - y", "y - x"),
    ("a + 1", "b + 1"),
    ("    self.g(x)\n    h(y)\n", "    h(y)\n    self.g(x)\n"),
    ("    x = a + 1\n", "    x = a + 1\n    x = x + 1\n"),
    ("return x - y", "if x: return x - y"),
    ("h(y)", "h(y=y)"),
    ("a + 1", "a + True"),
    ("h(y)", "raise h"),
])  # fmt: skip
def test_what_does_something_else_has_another(before, after):
    assert before in BASE and forms(BASE) != forms(BASE.replace(before, after))


def test_digests_begin_anew_where_the_form_is_another():
    """Classes and zips keep digests: if this one changes, so must `FORM` of `handed_out.py`."""
    assert hash_bodies({"m.py": BASE})["m.f"][0] == "1:855ba33fba03234684e7a90c912f58"


def test_what_a_module_calls_its_imports_says_nothing():
    one = "import numpy as np\nfrom math import exp\ndef f(a):\n    return np.sum(exp(a))\n"
    other = "import numpy\nfrom math import exp as e\ndef f(b):\n    return numpy.sum(e(b))\n"
    assert forms(one) == forms(other) != forms(one.replace("math", "cmath"))


def test_numbers_of_any_length_and_code_of_any_depth_hide_no_neighbour():
    deep = "(" + "x+" * 1200 + "x)"
    for line in (f"y = 0x{'f' * 9000}", f"return {deep}"):
        text = f"def g(x):\n    {line}\ndef f(x):\n    return x + 1\n"
        assert forms(text)["m.f"] == forms("def f(x):\n    return x + 1\n")["m.f"]


def long_texts(size: int) -> Iterator[str]:
    yield "def f(a):\n" + "    a = a + 1\n" * size
    yield "def f(a):\n" + "".join(f"    v{n} = a\n" for n in range(size))
    yield "def f(a):\n    " + " = ".join(f"v{n}" for n in range(size)) + " = a\n"
    yield "def f(a):\n    return [" + "a, " * size + "]\n"
    yield "def f(a):\n" + "    def g(b):\n        return [b for b in a]\n" * size
    yield "def f(a):\n    try:\n        g()\n    finally:\n" + "        pass\n" * size
    nest = 60  # as deep as it gets, and longer
    deep = "".join("    " * n + "if a:\n" for n in range(1, nest))
    yield f"def f(a):\n{deep}" + ("    " * nest + "a = a * 2\n") * (size // 8)


@pytest.mark.parametrize("shape", range(7))
def test_twice_the_text_takes_twice_the_work(monkeypatch, shape):
    count = 0
    crc32 = normal_form.zlib.crc32

    def counted(data, before=0):
        nonlocal count
        count += 1
        return crc32(data, before)

    monkeypatch.setattr(normal_form.zlib, "crc32", counted)
    taken = []
    for size in (200, 400, 800):
        count = 0
        assert forms(list(long_texts(size))[shape])
        taken.append(count)
    assert taken[2] - taken[1] <= 2.1 * (taken[1] - taken[0]), taken


def test_a_block_of_which_nothing_is_left_is_no_block():
    text = "def f(a):\n    if a:\n        return 1\n    return 2\n"
    emptied = "def f(a):\n    if a:\n        return 1\n    else:\n        pass\n    return 2\n"
    assert forms(text) == forms(emptied) == forms(in_bodies(lambda block: [*block, *ADDED])(text))


ADDED = ast.parse("pass\n...\nlen\n").body
