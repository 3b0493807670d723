"""What a key is made from is the same everywhere, and what is not is told by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader import root
from grader.arrays import Array
from grader.course import PUBLIC_SEED
from grader.judge.compare import TOLERANCES, difference
from grader.key.file import ChapterKey
from grader.making import pytorch
from grader.making.make import Making, record, record_path
from grader.making.records import Inputs, Records
from grader.making.settle import DIFFERENCES, EXACT, settled
from grader.session.launch import numpy_version

CHAPTER = "chapter7"
needs_torch = pytest.mark.skipif(not pytorch.installed(), reason="needs torch")

# Another machine, as far as one can be had here: what differs between Pythons and zlibs.
ELSEWHERE = """
import builtins, gzip, math, os, time, zlib
plain_sum, plain_zip, plain_scan = builtins.sum, zlib.compress, os.listdir
def compensated(values, start=0):
    values = [*values]
    plain = not any(type(value) is float for value in values)
    return plain_sum(values, start) if plain else math.fsum([start, *values])
builtins.sum = compensated
zlib.compress = lambda data, *args, **kwargs: plain_zip(data, 1)
gzip.compress = lambda data, *args, **kwargs: plain_zip(data, 1)
os.listdir = lambda *args: plain_scan(*args)[::-1]
time.time = lambda: 0.0
"""
INPUTS = """
import hashlib
from grader.course.load import load
from grader.course import PUBLIC_SEED
from grader.making.build import ChapterBuild
from grader.key.file import chapter_slice
course = load()
for chapter in course.chapters:
    build = ChapterBuild(course, chapter, PUBLIC_SEED, None)
    inputs = chapter_slice({"names": build.names, "args": build.args}, build.arrays)
    print(chapter.id, hashlib.sha256(inputs).hexdigest())
"""


def drawn(before: str, **environment: str) -> str:
    """A digest of all inputs of every chapter, as another process draws them."""
    done = subprocess.run(
        [sys.executable, "-c", before + INPUTS], env={"PYTHONPATH": root.ROOT, **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_inputs_are_drawn_the_same_everywhere():
    here = drawn("", PYTHONHASHSEED="1")
    assert here.count("chapter") >= 8
    elsewhere = drawn(ELSEWHERE, PYTHONHASHSEED="2", LANG="C", NPY_DISABLE_CPU_FEATURES="AVX2 FMA3")
    assert elsewhere == here


ARGS = ("Div", (2,), [np.array([[0.3, -1.7], [2.5, 0.9]]), 7, {"axes": (0, 1), "keep": True}, 0.5])


def inputs(*args, program="operators.forward"):
    return Inputs.of(program, args)


def test_inputs_agree_but_for_rounding():
    op, attrs, (array, *rest) = ARGS
    assert inputs(*ARGS).agree(inputs(op, attrs, [np.nextafter(array, 9), *rest]))
    assert inputs(0.1 + 0.2, float("nan")).agree(inputs(0.3, float("nan")))
    assert inputs().agree(inputs())


def test_other_inputs_do_not_agree():
    op, attrs, (array, *rest) = ARGS
    changed = array.copy()
    changed[1, 0] += 0.01
    others = (
        ("Mul", attrs, [array, *rest]), (op, (3,), [array, *rest]), (op, attrs, [changed, *rest]),
        (op, attrs, [array.T, *rest]), (op, attrs, [array.ravel(), *rest]),
        (op, attrs, [array.astype(np.float32), *rest]), (op, attrs, [array, 8, *rest[1:]]),
        (op, attrs, [-array, *rest]), (op, attrs, [array[::-1], *rest]),
    )  # fmt: skip
    assert not [other for other in others if inputs(*ARGS).agree(inputs(*other))]
    assert not inputs(*ARGS).agree(inputs(*ARGS, program="operators.vjp"))
    assert not inputs(0.0).agree(inputs(1e-3))


def test_what_is_not_recorded_is_told_by_name_and_costs_one_column(
    course, tmp_path, monkeypatch, capsys
):
    chapter = next(c for c in course.chapters if c.id == CHAPTER)
    recorded = Records.read(record_path(CHAPTER))
    lost = sorted(recorded.entries)[0]
    del recorded.entries[lost]
    recorded.write(str(tmp_path / "recorded.json"))
    monkeypatch.setattr("grader.making.make.record_path", lambda _: str(tmp_path / "recorded.json"))
    key = ChapterKey(Making(PUBLIC_SEED, course, with_mistakes=False).chapter(chapter))
    assert key.unrecorded == [lost]
    _, told = capsys.readouterr().err.splitlines()  # the first says what is being built
    assert lost in told and "grader record" in told
    check = next(c for c in key.checks if c["id"] == lost.rpartition(".")[0])
    asked = [key.probes[n] for n in check["probes"]]
    assert ["pytorch" in p["answers"] for p in asked] == [
        f"{check['id']}.{n}" != lost for n in range(len(asked))
    ]
    assert sum("pytorch" in probe["answers"] for probe in key.probes) == len(recorded.entries)


@needs_torch
def test_record_leaves_alone_what_says_the_same(course, tmp_path, monkeypatch):
    path = tmp_path / "recorded.json"
    monkeypatch.setattr("grader.making.make.record_path", lambda _: str(path))
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    data = json.loads(path.read_text())
    name = sorted(data["answers"])[0]
    entry = data["answers"][name]
    part = sorted(entry["parts"])[0]

    def with_first_value(change) -> str:
        entry["parts"][part][0][2][0] = change(entry["parts"][part][0][2][0])
        path.write_text(json.dumps(data))
        return path.read_text()

    rounded = with_first_value(lambda value: value * (1 + 2**-52) + 2**-60)
    assert list(record(course, [CHAPTER])) == [(str(path), False)]
    assert path.read_text() == rounded
    wrong = with_first_value(lambda value: value + 0.01)
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    assert path.read_text() != wrong
    path.write_text("{")
    assert list(record(course, [CHAPTER])) == [(str(path), True)]
    assert json.loads(path.read_text())["answers"].keys() == data["answers"].keys()


@needs_torch
def test_record_takes_names_and_says_what_it_left(grader, course):
    before = {c.id: Path(record_path(c.id)).read_bytes() for c in course.chapters}
    ran = grader("record", "7.1", CHAPTER)
    assert ran.status == 0
    assert ran.out.split() == ["left", "as", "it", "was:", *ran.out.split()[-1:]]
    assert ran.out.strip().endswith(f"tests/recorded/{CHAPTER}.json")
    assert before == {c.id: Path(record_path(c.id)).read_bytes() for c in course.chapters}
    ran = grader("record", "chapter99")
    assert ran.status == 2 and "chapter99" in ran.err


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=5))
@example([0.0, -0.0, 1e-30, 1.0])
@example([float("inf"), 0.1])
@example([3.4028220466166163e38])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_settled_stays_right_and_settled(dtype, values):
    array = Array(dtype, (len(values),), np.array(values, dtype).tobytes())
    once = settled({"value": [array]})
    assert settled(once) == once
    if np.isfinite(values).all():
        assert difference(once["value"][0], array, "exact") is None


@pytest.mark.parametrize("values", [[-0.0, 0.0], [1e-16, -3e-17], [-0.0, 2e-15, 100.0]])
def test_nothing_is_zero_and_has_one_face(values):
    """A gradient that is zero by nature is what rounding left over, another on each processor."""
    array = Array("float64", (len(values),), np.array(values).tobytes())
    (found,) = settled({"value": [array]})["value"]
    expected = [value if value > 1 else 0.0 for value in values]
    assert bytes(found.data) == np.array(expected).tobytes()


@pytest.mark.parametrize(
    ("oracle", "roundings"), [("exact", EXACT), ("finite_difference", DIFFERENCES)]
)
def test_what_is_nothing_lies_far_within_what_the_judge_lets_pass(oracle, roundings):
    for dtype, rounding in roundings.items():
        assert 40 * rounding.nothing < TOLERANCES[oracle, dtype].absolute


def test_settled_nans_have_one_face():
    faces = np.array([np.nan, -np.nan])
    (array,) = settled({"value": [Array("float64", (2,), faces.tobytes())]})["value"]
    assert bytes(array.data)[:8] == bytes(array.data)[8:]


def test_the_version_of_numpy_is_known_without_importing_it():
    assert numpy_version() == np.__version__
