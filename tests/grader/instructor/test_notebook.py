"""In a running Python `@answer` puts answers to work, and `check` shows the report."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader import root
from grader.course.load import Course
from grader.course.splice import target_file
from grader.notebooks.notebook_source import as_cell

HEAD = "from __future__ import annotations\nfrom grader.notebook import answer, check\n"
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, course: Course) -> Run:
    """Run cells as one script beside a workspace with the chapters before ``first`` solved."""

    def script(*sources: str, first: int = 0, **environment: str) -> Done:
        for name, text in course.stubs(first).items():
            (tmp_path / "babygrad" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "babygrad" / name).write_text(text, encoding="utf-8")
        file = tmp_path / "cells.py"
        file.write_text("\n\n".join((HEAD, *sources)), encoding="utf-8")
        return subprocess.run(
            [sys.executable, str(file)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": root.ROOT, **environment},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return script


def solved(course: Course, target: str) -> str:
    texts = course.solved()
    name, inner = target_file(target, texts)
    return as_cell(texts[name], inner, target)


def test_a_method_is_attached_and_sees_its_module(run: Run, course: Course) -> None:
    done = run(
        solved(course, "ops.Exp.forward"),
        "import babygrad",
        "print(babygrad.ops.Exp().forward(babygrad.ops.np.zeros(2)))",
    )
    assert done.stdout == "[1. 1.]\n", done.stderr


def test_properties_static_methods_and_super_work(run: Run, course: Course) -> None:
    targets = ("Tensor.__init__", "Tensor.shape", "Tensor.dtype", "Tensor.ones")
    done = run(
        *(solved(course, f"tensor.{target}") for target in targets),
        solved(course, "nn.Parameter.__init__"),
        "from babygrad import Tensor, nn",
        "print(nn.Parameter(Tensor.ones(2, 3)).shape, Tensor.ones.__qualname__)",
    )
    assert done.stdout == "(2, 3) Tensor.ones\n", done.stderr


def test_a_function_is_renewed_wherever_it_was_imported(run: Run, course: Course) -> None:
    done = run(
        "import babygrad.nn, babygrad.ops",
        "babygrad.nn.unbroadcast = babygrad.ops.unbroadcast",
        solved(course, "ops.unbroadcast"),
        "print(babygrad.nn.unbroadcast is babygrad.ops.unbroadcast is unbroadcast)",
    )
    assert done.stdout == "True\n", done.stderr


def test_the_notebooks_own_names_stay(run: Run, course: Course) -> None:
    done = run(solved(course, "tensor.Tensor.sum"), "print(sum([1, 2]))")
    assert done.stdout == "3\n", done.stderr


def test_an_answer_sees_nothing_of_the_notebook(run: Run) -> None:
    cell = '@answer("ops.Exp.forward")\ndef forward(self, a):\n    return helper(a)'
    done = run("def helper(a): return a", cell, "import babygrad; babygrad.ops.Exp().forward(1)")
    assert "name 'helper' is not defined" in done.stderr


def test_a_stub_leaves_alone_what_is_there(run: Run, course: Course) -> None:
    stub = '@answer("ops.Exp.forward")\ndef forward(self, a):\n    raise NotImplementedError'
    done = run(
        solved(course, "ops.Exp.forward"), stub,
        "import babygrad; print(babygrad.ops.Exp().forward(0))",
    )  # fmt: skip
    assert done.stdout == "1.0\n", done.stderr


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ('@answer("ops.Exp.forward")\ndef forwards(self, a): return 1', "needs `def forward`"),
        ('@answer("ops.Expo.forward")\ndef forward(self, a): return 1', "names nothing in the"),
    ],
)
def test_a_misplaced_answer_is_said_at_once(run: Run, cell: str, says: str) -> None:
    assert says in run(cell).stderr


def test_check_reports_and_gives_a_float(run: Run, course: Course) -> None:
    wrong = '@answer("ops.Mul.backward")\ndef backward(self, out_grad, node):\n'
    wrong += "    a, b = node._inputs\n    return b, a"
    done = run(
        solved(course, "ops.Exp.forward"), wrong,
        'print(repr(check("chapter3.exp.forward")))', 'print(repr(check("chapter3.mul.backward")))',
        first=3,
    )  # fmt: skip
    assert "\n1.0\n" in done.stdout, done.stderr
    assert "the local derivative alone" in done.stdout
    assert 'In the cell of "ops.Mul.backward", line 2.' in done.stdout
    assert "`grader hint chapter3.mul.backward` in a terminal." in done.stdout
    assert "grader repro" not in done.stdout  # it would look for the answer in the file
    assert done.stdout.endswith("\n0.0\n")


def test_check_never_writes_to_stderr(run: Run) -> None:
    """A word there would cost all points of an autograder tests cell."""
    warns = '@answer("ops.Exp.forward")\ndef forward(self, a):\n'
    warns += "    import sys, warnings\n    warnings.warn('loud')\n    print('x', file=sys.stderr)"
    done = run(warns, 'print(repr(check("chapter3.exp.forward")))', first=3)
    assert done.stderr == ""
    assert done.stdout.endswith("\n0.0\n")


def test_a_wrong_name_is_a_sentence_and_no_points(run: Run) -> None:
    done = run('print(repr(check("chapter3.mull")))')
    assert "There is no chapter, section or exercise chapter3.mull" in done.stdout
    assert done.stdout.endswith("\n0.0\n")


def test_under_nbgrader_the_whole_notebook_counts(run: Run, tmp_path: Path, course: Course) -> None:
    """An exercise may need a cell further down, which has not run yet."""
    import json

    text = solved(course, "ops.Exp.forward")
    cells = [{"cell_type": "code", "metadata": {}, "source": text}]
    (tmp_path / "chapter3.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}))
    line = 'print(repr(check("chapter3.exp.forward")))'
    assert run(line, first=3, NBGRADER_EXECUTION="autograde").stdout.endswith("\n1.0\n")
    assert run(line, first=3).stdout.endswith("\n0.0\n")


def test_the_report_is_html_where_html_is_shown() -> None:
    from grader.notebooks.notebook_report import format_sentence

    shown = format_sentence("a < b")
    assert repr(shown) == "a < b"
    assert shown._repr_html_() == '<pre style="white-space:pre-wrap">a &lt; b</pre>'
