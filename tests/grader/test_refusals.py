"""A forbidden import or an end of Python costs what runs it, and nothing else.

Every statement of `IMPORTS` and `ENDS` is put into every place of `PLACES`. Which exercises run a
place is asked of an ordinary exception there.
"""

from __future__ import annotations

import ast
import functools
import json
import tempfile
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from grader.classroom.marks.results import Results
from grader.course.key_source import open_key
from grader.editor.watch_session import WatchSession
from grader.result import iter_exercises
from grader.sandbox.launch import ForkServer

from .conftest import run_grader
from .whole_course import whole_course

LOOK = (
    "chapter1.value.add", "chapter1.value.exp", "chapter3.sub", "chapter3.exp",
    "chapter4.logsumexp", "chapter4.linear.forward", "chapter5.sgd.step", "chapter11.apply.mul",
    "chapter11.closure.mul",
)  # fmt: skip
HOLE = "<statement>"
MARK = "  # HERE"  # at the end of the line that is to be named
RAISES = f"raise RuntimeError('here'){MARK}"
IMPORTS = tuple(f"{text}{MARK}" for text in (
    "import torch", "from torch import nn", "import torch.nn as nn", "__import__('to' + 'rch')",
    "import importlib; importlib.import_module('torch')", "exec('import torch')",
))  # fmt: skip
CAUGHT = tuple(f"try:\n    {text}\nexcept BaseException:\n    pass" for text in IMPORTS)
ENDS = tuple(f"{text}{MARK}" for text in (
    "import sys; sys.exit(0)", "raise SystemExit", "quit()", "import os; os._exit(0)",
))  # fmt: skip
HELPER = f"def helper():\n    {HOLE}\n"

Files = dict[str, str]


def find_node(text: str, path: str) -> Any:
    """The definition of this name, `Exp.forward`, in a source."""
    node: Any = ast.parse(text)
    for name in path.split("."):
        node = next(n for n in node.body if getattr(n, "name", "") == name)
    return node


def put_inside(target: str, lines: str = HOLE) -> Files:
    """The file of a target with these lines at the head of its body."""
    module, _, path = target.partition(":")
    text = whole_course().solved()[module]
    body = find_node(text, path).body
    first = body[1] if isinstance(getattr(body[0], "value", None), ast.Constant) else body[0]
    head, tail = text.splitlines()[: first.lineno - 1], text.splitlines()[first.lineno - 1 :]
    return {module: "\n".join([*head, indent(lines, " " * first.col_offset), *tail, ""])}


def put_after(target: str) -> Files:
    """The file of a target with a line behind its last `return`, which nobody reaches."""
    module, _, path = target.partition(":")
    text = whole_course().solved()[module]
    last = find_node(text, path).body[-1]
    assert isinstance(last, ast.Return)
    lines = text.splitlines()
    return {module: "\n".join([*lines[: last.end_lineno], " " * last.col_offset + HOLE,
                               *lines[last.end_lineno :], ""])}  # fmt: skip


def put_below(file: str, lines: str = f"{HOLE}\n") -> Files:
    """A file with these lines at its end."""
    return {file: f"{whole_course().solved()[file]}\n{lines}"}


def put_on_top(file: str) -> Files:
    """A file with a line before its other imports."""
    head = "from __future__ import annotations\n"
    text = whole_course().solved()[file]
    return {file: text.replace(head, f"{head}{HOLE}\n", 1) if head in text else f"{HOLE}\n{text}"}


EXP = "ops.py:Exp.forward"
HELP = {"helper.py": f"{HOLE}\n"}
SCRIPT = f'if __name__ == "__main__":\n    {HOLE}\n'
PLACES: dict[str, Files] = {
    **{target: put_inside(target) for target in (
        EXP, "ops.py:Sub.backward", "ops.py:Exp", "tensor.py:Tensor.__init__",
        "scalar.py:Value.exp", "scalar.py:Value", "nn.py:Linear.forward", "optim.py:SGD.step",
        "engines/apply.py:Mul.backward", "ops.py:Function.__call__",
    )},
    **{f"top of {file}": put_on_top(file) for file in ("ops.py", "nn.py", "scalar.py")},
    **{f"bottom of {file}": put_below(file) for file in (
        "ops.py", "scalar.py", "nn.py", "optim.py", "engines/apply.py", "__init__.py",
    )},
    **{f"script in {file}": put_below(file, SCRIPT) for file in ("ops.py", "engines/apply.py")},
    "after a return": put_after(EXP),
    "function that nothing calls": put_below("ops.py", HELPER),
    "file that nothing imports": {"scratch.py": f"{HOLE}\n"},
    "decorator": put_below("nn.py", f"{HELPER}    return print\n@helper()\ndef f(): pass\n"),
    "default argument": put_below("nn.py", f"{HELPER}def other(a=helper()): pass\n"),
    "helper of a target": {"ops.py": put_inside(EXP, "helper()")["ops.py"] + HELPER},
    "file that a target imports": put_inside(EXP, "from . import helper") | HELP,
    "file that nn imports": put_below("nn.py", "from . import helper") | HELP,
    "file that a helper imports": put_below("nn.py", "from . import one\n")
    | {"one.py": "from . import helper\n", **HELP},
}  # fmt: skip
DEAD = {place for place in PLACES if "script" in place or "nothing" in place or "after" in place}


class Judged(NamedTuple):
    """A report: its exercises, what cannot be loaded, and the line that it has to name."""

    exercises: dict[str, dict[str, Any]]
    unloadable: list[dict[str, Any]]
    where: tuple[str, int]

    def names_the_line(self, id: str) -> bool:
        """Whether it says where this exercise broke off, or which one does that blocks it."""
        file, line = self.where
        causes = [cause for cause in self.unloadable if id in cause["exercises"]]
        told = json.dumps([self.exercises[id], causes])
        if f"{file}:{line}" in told or f"{file}, line {line}" in told:
            return True
        others = self.exercises[id]["blocked_by"]
        return any(each not in self.exercises or self.names_the_line(each) for each in others)

    def lost(self) -> dict[str, float]:
        """Exercise → its points, of those that are not right."""
        return {id: e["score"] for id, e in self.exercises.items() if e["status"] != "passed"}


def write(folder: Path, place: str, statement: str) -> tuple[str, int]:
    """Write the reference with a statement in a place; the file and line where it is."""
    where = None
    for file, text in {**whole_course().solved(), **PLACES[place]}.items():
        if HOLE in text:
            head, _, tail = text.partition(HOLE)
            blanks = head[len(head.rstrip(" ")) :]
            text = f"{head}{indent(statement, blanks).lstrip()}{tail}"
            where = file, text[: text.index(MARK)].count("\n") + 1
        path = folder / "babygrad" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert where is not None
    return where


def judge(folder: Path, place: str, statement: str, *names: str) -> Judged:
    where = write(folder, place, statement)
    ran = run_grader("check", *(names or LOOK), "--json", "--package", str(folder))
    assert ran.status in (0, 1), ran.err
    return Judged(ran.exercises(), ran.result["unloadable"], where)


@functools.cache
def find_those_that_run(place: str) -> dict[str, float]:
    """The exercises that an exception in this place costs something, and the points they keep."""
    with tempfile.TemporaryDirectory() as folder:
        return judge(Path(folder), place, RAISES).lost()


def cases() -> list[Any]:
    """Return every place with every statement as a case."""
    statements = (*IMPORTS, *CAUGHT, *ENDS)
    every = [(place, statement) for place in PLACES for statement in statements]
    return [pytest.param(*case, id=f"{case[0]}-{n % 16}") for n, case in enumerate(every)]


@pytest.mark.sampled(quick=200, long=12)
@pytest.mark.parametrize(("place", "statement"), cases())
def test_what_runs_it_earns_nothing_and_all_else_stays(place, statement, tmp_path):
    ran = find_those_that_run(place)
    assert bool(ran) != (place in DEAD)
    found = judge(tmp_path, place, statement)
    lost, is_end = found.lost(), statement in ENDS
    assert lost.keys() == ran.keys()
    for id, points in lost.items():
        status = found.exercises[id]["status"]
        assert status in {"blocked", "crashed" if is_end else "refused"}, (id, status)
        assert points <= ran[id], id
        assert "os._exit" in statement or found.names_the_line(id), found.exercises[id]
    if "scalar.py" not in PLACES[place]:
        assert not any(id.startswith("chapter1.") for id in lost)


@pytest.mark.long
@pytest.mark.parametrize("place", [EXP, "top of nn.py", "bottom of scalar.py"])
def test_a_class_and_a_watch_judge_alike(place, tmp_path):
    statement = CAUGHT[0] if "py:" in place else ENDS[0]
    chapters = ("chapter1", "chapter4")
    checked = judge(tmp_path / "in" / "ada", place, statement, *chapters)
    statuses = {id: e["status"] for id, e in checked.exercises.items()}
    assert set(statuses.values()) > {"passed"}
    words = (str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--chapters", *chapters)
    ran = run_grader("grade", *words, "--seed", "public", "--jobs", "1")
    assert ran.status in (0, 1), ran.err
    graded = Results(str(tmp_path / "out")).read("ada")["result"]
    assert {e["id"]: e["status"] for e in iter_exercises(graded)} == statuses
    assert [c["location"] for c in graded["unloadable"]] == [
        c["location"] for c in checked.unloadable
    ]
    with ForkServer(restarts=True) as warm:
        session = WatchSession(
            open_key(), str(tmp_path / "in" / "ada" / "babygrad"), [*chapters], warm
        )
        (watched,) = session.all()
    assert {e["id"]: e["status"] for e in watched.exercises} == statuses


def test_one_import_costs_one_exercise_and_blocks_those_that_run_it(tmp_path):
    """A single `import torch` in `Exp.forward` once refused all of the course."""
    found = judge(tmp_path, EXP, IMPORTS[0], "chapter1", "chapter2", "chapter3")
    ended = {id: e["status"] for id, e in found.exercises.items() if e["status"] != "given"}
    refused = [id for id, status in ended.items() if status == "refused"]
    blocked = [id for id, status in ended.items() if status == "blocked"]
    assert refused == ["chapter3.exp.forward"] and blocked == ["chapter3.exp.backward"]
    assert set(ended.values()) == {"passed", "refused", "blocked"}
