"""`grader repro`: a script that needs the learner's package and NumPy, and nothing else.

Values of the key as Python source: run again, they are the same.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.arrays import Array
from grader.commands.exercise import NO_VALUES
from grader.course.key_source import open_key
from grader.learner.script import (
    WIDTH,
    Failure,
    array_source,
    literal_source,
    nested_source,
    number,
    script,
)

from .examples import SOME
from .small_key import Probes
from .whole_course import whole_course

ARRAYS = st.sampled_from(["float64", "float32", "int64", "bool"]).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0))
)


@SOME
@given(found=ARRAYS, column=st.integers(0, 20))
def test_an_array_is_the_same_when_its_text_is_run(found, column):
    text = array_source(Array(found.dtype.name, found.shape, found.tobytes()), column)
    again = eval(text, {"np": np})
    np.testing.assert_array_equal(again, found)
    assert again.dtype == found.dtype and again.shape == found.shape


@pytest.mark.parametrize("shape", [(2, 1, 4, 2), (1, 2, 3, 2), (9, 2)])
def test_an_array_with_many_axes_takes_few_lines(shape):
    """Brackets, one a line, made a script of 177 lines."""
    found = np.arange(np.prod(shape)).reshape(shape) / 7
    text = array_source(Array(found.dtype.name, found.shape, found.tobytes()), 4)
    np.testing.assert_array_equal(eval(text, {"np": np}), found)
    assert text.count("\n") <= 2 + found.size / 4


@SOME
@given(value=st.recursive(st.integers(-9, 999), lambda x: st.lists(x, min_size=1), max_leaves=40))
@example([0, [100] * 16 + [1] * 4])  # the inner list fits on its line, but for the comma behind it
def test_lists_stay_within_the_width(value):
    text = nested_source(value)
    assert eval(text) == value
    assert max(map(len, text.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("value", "text"),
    [(float("nan"), "np.nan"), (float("-inf"), "-np.inf"), (0.1, "0.1"), (True, "True"),
     ("a", "'a'"), (None, "None")],
)  # fmt: skip
def test_what_is_no_number_has_a_name(value, text):
    assert number(value) == text


def test_arguments_are_read_out_of_the_key():
    probes = Probes()
    probes.add([1.0], a=[0.5, 2.0])
    key = probes.key([], [])
    here = {"array": key.probes[0]["shown"][0][1]}
    args = {"tuple": [here, {"slice": [1, None, 2]}, {"mode": ["same"]}]}
    text = literal_source(key, args)
    assert text == "(np.array([0.5, 2.0]), slice(1, None, 2), {'mode': ['same']})"
    assert literal_source(key, {"tuple": [1]}) == "(1,)"
    wide = literal_source(key, [here] * 12)
    assert len(eval(wide, {"np": np})) == 12 and max(map(len, wide.splitlines())) <= WIDTH


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


@pytest.mark.parametrize(
    "exercise, target, body",
    [
        ("chapter3.div.forward", "ops.Div.forward", "return a / b"),  # its call is written by hand
        ("chapter1.check_gradients", "scalar.check_gradients", None),  # its call is a program
    ],
)
def test_a_script_stops_at_the_breakpoint_that_fails(exercise, target, body, package, grader):
    body = body or whole_course().regions[target].body
    work = package({target: f"breakpoint()\n{body}"})
    assert grader("repro", exercise, "--out", "r.py", cwd=work).status == 0
    done = subprocess.run(
        [sys.executable, "-m", "pdb", "r.py"], cwd=work, capture_output=True, text=True,
        input="c\np 'stopped'\n" + "c\n" * 40 + "q\n", timeout=600,
    )  # fmt: skip
    assert "'stopped'" in done.stdout and ": right" in done.stdout, done.stdout + done.stderr


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


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("name", open_key().chapters)
def test_every_kind_of_script_finds_the_reference_right(name, package):
    chapter = open_key().chapter(name)
    exercises = {e["id"]: e for e in chapter.exercises}
    kinds = {}
    for check in chapter.checks:
        if check["compare"] in NO_VALUES:
            continue
        probe = chapter.probes[check["probes"][0]]
        kinds[probe["program"], check["part"], check["compare"]] = check, probe
    scripts = []
    for check, probe in kinds.values():
        failure = Failure(exercises[check["exercise"]], check, probe, chapter.modules, "")
        scripts.append((check["id"], script(chapter, failure)))
    for id, text in scripts:
        calls = [n.func for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
        assert not {"eval", "exec"} & {getattr(f, "id", "") for f in calls}, id
        assert "import grader" not in text and "tests.programs" not in text
        assert "did you forget" not in text  # the report has said it
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=package(), input=json.dumps(scripts),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stdout
