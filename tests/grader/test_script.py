"""`grader repro`: a script that needs the learner's package and NumPy, and nothing else."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

from grader.course.key_source import open_key
from grader.learner.script import Failure, script

DIV = "chapter3.div.backward"
WRONG_DIV = "a, b = node._inputs\nreturn out_grad / b, out_grad * a / (b * b)"


def test_repro_runs_beside_the_package_without_the_grader(package, grader):
    place = package({"ops.Div.backward": WRONG_DIV})
    ran = grader("repro", DIV, "--package", str(place), "--out", "repro.py", cwd=place)
    assert ran.status == 0 and "python repro.py" in ran.out, ran
    text = (place / "repro.py").read_text()
    assert "out = Div()(a, b)" in text and "out._op.backward(out_grad, out)" in text
    done = subprocess.run(
        [sys.executable, "repro.py"], cwd=place, capture_output=True, text=True, check=True
    )
    assert "the gradient of a: right" in done.stdout
    assert "the gradient of b: wrong" in done.stdout
    again = grader("repro", DIV, "--package", str(place), "--out", "repro.py", cwd=place)
    assert again.status == 0
    mine = place / "mine.py"
    mine.write_text("precious = 1\n")
    ran = grader("repro", DIV, "--package", str(place), "--out", "mine.py", cwd=place)
    assert ran.status == 2 and mine.read_text() == "precious = 1\n"


RUN = """
import contextlib, io, json, sys
for id, text in json.load(sys.stdin):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, id, "exec"), {"__name__": "repro"})
    except Exception as error:
        print(id, "raised", repr(error))
    if not out.getvalue() or ": wrong" in out.getvalue() or "came back" in out.getvalue():
        print(id, out.getvalue())
"""


@pytest.mark.long
@pytest.mark.parametrize("name", open_key().chapters)
def test_every_kind_of_script_finds_the_reference_right(name, package):
    chapter = open_key().chapter(name)
    exercises = {e["id"]: e for e in chapter.exercises}
    kinds = {}
    for check in chapter.checks:
        probe = chapter.probes[check["probes"][0]]
        kinds[probe["program"], check["part"], check["compare"]] = check, probe
    scripts = []
    for check, probe in kinds.values():
        failure = Failure(exercises[check["exercise"]], check, probe, chapter.modules, "")
        scripts.append((check["id"], script(chapter, failure)))
    for id, text in scripts:
        calls = [n.func for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
        assert not {"eval", "exec"} & {getattr(f, "id", "") for f in calls}, id
        assert "import grader" not in text and "programs" not in text
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=package(), input=json.dumps(scripts),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stdout
