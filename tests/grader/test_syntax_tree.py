"""Texts that several threads make trees of at once; and what a learner wrote, as text to search."""

from __future__ import annotations

import ast
import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader import root
from grader.course.pytorch import run_twin
from grader.course.splice import find_pieces
from grader.course.syntax_tree import (
    NO_PYTHON,
    expression,
    find_definitions,
    is_stub,
    normalize_source,
    own_text,
    parse,
    parse_literal,
)
from grader.sandbox.observation import Definition

TEXT = "def f(a):\n    return [(a + 1) * [b for b in (a, (a, [a, {a: a}]))]]\n" * 20


@pytest.fixture
def turns():
    """While a tree is made, other threads have their turn: at each of many collections."""
    before = gc.get_threshold()

    def give_way(phase, info):
        time.sleep(0)

    gc.callbacks.append(give_way)
    gc.set_threshold(100)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(give_way)


def test_threads_are_not_in_each_others_way(turns):
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(parse, [TEXT] * 100))
        values = list(pool.map(parse_literal, [" (1, [2, {3: (4,)}])"] * 300))
    assert {len(tree.body) for tree in trees} == {20}
    assert values == [(1, [2, {3: (4,)}])] * 300
    assert expression("a + 1").body.op is not None


@pytest.mark.parametrize("text", ["-" * 60_000 + "1", "a" + ".b" * 60_000])
def test_a_text_too_deep_for_a_tree_is_no_python(text):
    with pytest.raises(SyntaxError, match="too deep"):
        parse(text)


@pytest.mark.parametrize("text", ["(", "a\0", "'\ud800'", "-" * 60_000 + "1"])
def test_a_text_that_is_no_python_raises_one_of_four(text):
    for read in (parse, expression, parse_literal, find_definitions, find_pieces):
        with pytest.raises(NO_PYTHON):
            read(text)
    assert normalize_source(text) == ""


def test_the_grader_makes_its_trees_there():
    """The worker's modules reach nothing of the grader."""
    found = [
        str(path.relative_to(root.PACKAGE))
        for path in sorted(Path(root.PACKAGE).rglob("*.py"))
        if "ast.parse(" in path.read_text("utf-8") and path.parent.name != "worker"
    ]
    # The first is a worker's program, of a product; the last reads the course's own programs.
    known = ["book/graph/program.py", "course/syntax_tree.py", "sandbox/course_code.py"]
    assert found == [name for name in known if Path(root.PACKAGE, name).exists()]


@pytest.mark.parametrize("often", [3, 10**6])
def test_another_librarys_thread_costs_a_try(often, monkeypatch):
    """Such a library makes trees beside ours; what keeps failing is told as it is."""
    made, failed = ast.parse, iter(range(often))

    def disturbed(*args, **names):
        if next(failed, None) is not None:
            raise SystemError("AST constructor recursion depth mismatch")
        return made(*args, **names)

    monkeypatch.setattr(ast, "parse", disturbed)
    if often < 10:
        assert len(parse(TEXT).body) == 20
    else:
        with pytest.raises(SystemError):
            parse(TEXT)


def test_no_tree_is_made_while_pytorch_is_asked():
    """It reads sources of its own: in its thread it is they that would fail."""
    done = threading.Event()
    thread = threading.Thread(target=lambda: (parse(TEXT), done.set()))

    def twin(torch):
        thread.start()
        assert len(parse("a = 1").body) == 1  # the very thread that asks may
        return {"seen": [np.array(done.wait(0.2))]}

    nothing = SimpleNamespace(
        random=SimpleNamespace(fork_rng=lambda devices: nullcontext()),
        default_generator=SimpleNamespace(manual_seed=lambda number: None),
    )
    assert not run_twin(nothing, twin)["seen"][0]
    assert done.wait(600)
    thread.join()


def test_comments_docstrings_and_spacing_are_gone():
    text = 'def f( a ):\n    """Says."""\n    # why\n    return a+1\n'
    assert normalize_source(text) == "def f(a):\n    return a + 1"
    assert normalize_source('def f():\n    """All that there is."""\n').count("All") == 1


def test_what_is_no_python_is_no_text():
    assert (
        normalize_source("def f(:")
        == normalize_source("x = '\0'")
        == normalize_source("-" * 100_000 + "1")
        == ""
    )


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


def test_a_stub_raises_and_does_nothing_else():
    kinds = {
        "raise NotImplementedError": True, '"""Says."""\n    raise NotImplementedError("x")': True,
        "return 1": False, "raise ValueError": False, "x = 1\n    raise NotImplementedError": False,
        '"""Says."""': False,
    }  # fmt: skip
    for body, right in kinds.items():
        assert is_stub(ast.parse(f"def f():\n    {body}\n").body[0]) is right, body


BLOCKS = """\
if a:
    pass
elif b:
    {0}
try:
    pass
except ValueError:
    {1}
except KeyError:
    pass
else:
    {2}
finally:
    {3}
for i in a:
    pass
else:
    with a:
        {4}
match a:
    case 1:
        pass
    case _:
        while a:
            {5}
"""


def test_a_definition_ends_there_in_every_kind_of_block():
    text = BLOCKS.format(*(f"def f{n}(a): return [a,\n{' ' * 12}]" for n in range(6)))
    for n in range(6):
        first = text[: text.index(f"def f{n}")].count("\n") + 1
        cut_short = {"ops.f": Definition("ops.f", "ops.py", first, first, False)}
        found = own_text({"ops.py": text.encode()}, cut_short, ["ops.f"])
        assert found == f"def f{n}(a):\n    return [a]"
