"""What a page needs beside a browser: a stand-in for NumPy, saved work, the options."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from grader.errors import OurFault
from grader.judge.diagnosis import reproduced
from grader.page import pack, saved
from grader.page.session import worker_module
from grader.session.isolation import BROWSER, LEVELS, PAGE, PROCESS, demand, level
from grader.session.observation import Observation

ADD = "chapter1.value.add"


@pytest.mark.parametrize("dtype", ["float64", "float32", "bool", "int64", "uint8"])
@pytest.mark.parametrize("value", [1, [1, 0, 1], [[1, 0], [0, 1], [1, 1]]])
def test_the_stand_in_sends_what_numpy_sends(dtype, value):
    wire, standin = worker_module("wire"), worker_module("standin")
    mine, right = standin.array(value, dtype), np.array(value, dtype)
    assert wire._array_field("x", mine) == wire._array_field("x", right)
    assert mine.dtype.str == right.dtype.str and mine.ravel().tobytes() == right.tobytes()


def test_the_stand_in_takes_its_types_from_the_numbers():
    standin = worker_module("standin")
    for value in (1.5, [1, 2.5], [1, 2], [True, False]):
        assert standin.array(value).dtype.str == np.array(value).dtype.str
    rows = [standin.array([1.0, 2.0]), standin.array([3.0])]
    assert list(standin.concatenate(rows)) == [1.0, 2.0, 3.0]
    assert list(standin.frombuffer(b"ab", standin.uint8)) == [97, 98]
    with pytest.raises(ValueError, match="one length"):
        standin.array([[1.0], [2.0, 3.0]])


def test_the_stand_in_has_numpys_ends_of_functions():
    standin = worker_module("standin")
    with np.errstate(all="ignore"):
        for name in ("sin", "exp", "log"):
            for x in (0.0, 0.3, -2.0, 800.0, 2.5):
                mine, right = getattr(standin, name)(x), float(getattr(np, name)(x))
                assert mine == pytest.approx(right, nan_ok=True)


def test_where_numpy_is_the_stand_in_is_never_lent():
    standin = worker_module("standin")
    with standin.lent():
        assert sys.modules["numpy"] is np
    assert sys.modules["numpy"] is np


def test_a_page_is_less_than_any_process():
    assert level([PAGE]) == BROWSER and BROWSER not in LEVELS
    demand(BROWSER, [PAGE])
    with pytest.raises(Exception, match="Nothing was graded"):
        demand(PROCESS, [PAGE])
    with pytest.raises(OurFault):
        level([])


def test_what_a_python_words_anew_is_the_same_mistake(proof):
    """A wrong division ends in other words on each Python; the mistake is told by the type."""
    key = proof.key.chapter("chapter1")
    rows = [
        stored
        for probe in key.probes
        for stored in probe["mistakes"].values()
        if stored.get("type") == "ZeroDivisionError"
    ]
    assert rows
    for stored in rows:
        texts = {"type": "ZeroDivisionError", "message": "in words of another Python"}
        assert reproduced(key, [], stored, Observation("raised", texts, {}))
        other = {**texts, "type": "ValueError"}
        assert not reproduced(key, [], stored, Observation("raised", other, {}))


# ---- what a page saved ----------------------------------------------------------------------


def work(**more):
    mark = {"status": "passed", "score": 2.0, "max_score": 2.0, "blocked_by": []}
    return {
        "schema": saved.SCHEMA, "chapter": "chapter1", "files": {"scalar.py": "# mine\n"},
        "exercises": {ADD: mark}, "hints": {ADD: 1}, **more,
    }  # fmt: skip


def test_a_workspace_goes_on_where_the_page_ended(grader, tmp_path):
    (tmp_path / "saved.json").write_text(json.dumps(work()))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0 and "exercises that passed: 1" in ran.out, ran.err
    assert (tmp_path / "work/babygrad/scalar.py").read_text() == "# mine\n"
    kept = json.loads((tmp_path / "work/.grader/progress.json").read_text())
    assert kept["exercises"][ADD]["status"] == "passed"
    hint = grader("hint", ADD, cwd=tmp_path / "work")
    assert "hint 2 of" in hint.out


def test_the_workspace_begins_where_the_page_did(grader, tmp_path):
    """A page of chapter 3 had the chapters before it written, and so has what it goes on in."""
    files = {"ops.py": "# mine\n", "tensor.py": "# mine too\n"}
    (tmp_path / "saved.json").write_text(json.dumps(work(chapter="chapter3", files=files)))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0 and "chapter3's page: ops.py, tensor.py" in ran.out, ran.err
    assert (tmp_path / "work/babygrad/tensor.py").read_text() == "# mine too\n"
    assert "NotImplementedError" not in (tmp_path / "work/babygrad/scalar.py").read_text()


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"schema": "grader-browser/1", "files": {"../x.py": "1"}}', b"\xff\xfe{"],
)
def test_what_is_no_such_file_is_refused_and_nothing_written(content, grader, tmp_path):
    (tmp_path / "saved.json").write_bytes(content)
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 2 and "Save as a file" in ran.err and not (tmp_path / "work").exists()


def test_what_is_strange_in_it_is_left_out(tmp_path):
    strange = {ADD: {"status": "perfect", "score": 2.0, "max_score": 2.0}, "x": 3}
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(work(exercises=strange, hints={ADD: "many"})))
    found = saved.read(str(path), {"scalar.py": ""})
    assert found.marks == {} and found.hints == {} and found.files == {"scalar.py": "# mine\n"}


# ---- asking for it --------------------------------------------------------------------------


def test_without_pyodide_it_says_where_to_get_it(grader, tmp_path):
    ran = grader("book", "--build", "site", "--pyodide", ".", cwd=tmp_path)
    assert ran.status == 2 and "npm pack pyodide" in ran.err and not (tmp_path / "site").exists()


def test_a_page_that_grades_has_to_be_served(grader, tmp_path):
    ran = grader("book", "--pyodide", ".", cwd=tmp_path)
    assert ran.status == 2 and "--serve" in ran.err


def test_what_the_page_loads_is_the_same_for_the_same_sources(proof, tmp_path):
    for name in ("one", "two"):
        pack.pack(str(tmp_path / name))
        work = pack.Work("chapter2", {}, {"ops.py": "x = 1\n"})
        pack.pack_chapter(proof.key, work, str(tmp_path / f"{name}.zip"))
    for one, two in (("one", "two"), ("one.zip", "two.zip")):
        data = (tmp_path / one).read_bytes()
        assert data == (tmp_path / two).read_bytes() and data.startswith(b"PK")
