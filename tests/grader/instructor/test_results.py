"""The folder of results: one record per learner, whole or not there."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import as_json
from grader.classroom.results import LONGEST_NAME, Results, file_name, summary, whole
from grader.errors import WrongUse

from ..examples import SOME
from .records import exercise, record, unjudged

ADA = record("ada", exercise("chapter1.a", "passed", 2.0))
NAMES = st.text(min_size=1, max_size=80)


@pytest.fixture
def results(tmp_path):
    with Results(str(tmp_path / "out")) as held:
        yield held


@SOME
@given(one=NAMES, other=NAMES)
def test_no_two_learners_share_a_file(one, other):
    assert (file_name(one) == file_name(other)) == (one == other)
    name = file_name(one)
    assert "/" not in name and not name.startswith(".") and len(name) <= LONGEST_NAME
    assert name.isascii()


def test_a_record_is_read_back_and_listed(results):
    results.write(ADA)
    results.write(unjudged("zoë"))
    assert results.read("ada") == ADA and results.read("nobody") is None
    assert [r["learner"] for r in results.records()] == ["ada", "zoë"]


def test_a_damaged_record_counts_as_none(results):
    results.write(ADA)
    with open(results.path("ada"), "wb") as file:
        file.write(b"\x1f\x8b")
    assert results.read("ada") is None and results.records() == []
    assert not whole({**ADA, "result": None}) and not whole([]) and whole(ADA)


def test_beside_a_packed_record_a_plain_one_does_not_count(results):
    plain = results.path("ada").removesuffix(".gz")
    with open(plain, "wb") as file:
        file.write(as_json({**ADA, "says": "old"}))
    assert [r["says"] for r in results.each()] == ["old"]
    results.write(ADA)
    assert [r["says"] for r in results.each()] == [""] and not os.path.exists(plain)


def test_summaries_hold_a_row_for_everybody_and_no_zero_where_nothing_was_judged(results):
    for each in (unjudged("zoë"), ADA):
        results.write(each)
    results.write_summaries()
    with open(os.path.join(results.folder, "results.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    assert [row["learner"] for row in rows] == ["ada", "zoë"] and rows[1]["mark"] is None
    with open(os.path.join(results.folder, "results.csv"), newline="") as file:
        assert file.read().count("\r\n") == 3
    assert summary(ADA)["isolation"] == "confined" and summary(unjudged("z"))["isolation"] is None


def test_one_process_holds_them_and_what_it_left_half_written_goes(results):
    half = os.path.join(results.learners, "eve.json.gz.123.part")
    open(half, "w").close()
    with pytest.raises(WrongUse, match=f"process {os.getpid()}"), Results(results.folder):
        pass
    results.__exit__(None, None, None)
    with Results(results.folder) as again:
        assert not os.path.exists(half)
        results._lock = None
        assert again.records() == []


def test_a_batch_is_its_owners_and_a_damaged_one_is_said(results):
    assert results.batch == {}
    results.write_batch({"seed": "s"})
    path = os.path.join(results.folder, "batch.json")
    assert results.batch == {"seed": "s"} and os.stat(path).st_mode & 0o777 == 0o600
    with open(path, "w") as file:
        file.write("{}")
    with pytest.raises(WrongUse, match="is damaged"):
        _ = results.batch


def test_where_there_are_none_that_is_said(tmp_path):
    with pytest.raises(WrongUse, match="holds no results"):
        list(Results(str(tmp_path)).each())
    (tmp_path / "file").touch()
    with (
        pytest.raises(WrongUse, match="cannot be used for results"),
        Results(str(tmp_path / "file")),
    ):
        pass


# ---- for nbgrader's gradebook -------------------------------------------------------------------


@pytest.fixture
def of_nbgrader():
    pytest.importorskip("nbgrader")
    from grader.classroom.nbgrader import result_rows as results

    return results


@pytest.mark.parametrize(
    ("place", "learner", "mine"),
    [("/in/ada", "ada", ["chapter1"]), ("/c/submitted/ann/chapter1", "ann", ["chapter1"]),
     ("/c/submitted/ann/chapter2", "ann", []), ("/c/other/ann/chapter2", "ada", ["chapter1"])],
)  # fmt: skip
def test_a_record_is_about_the_assignment_that_it_lay_under(place, learner, mine, of_nbgrader):
    assert of_nbgrader.whose({**ADA, "submission": place}, ["chapter1"]) == (learner, mine)


def test_a_row_has_the_marks_of_the_policy(of_nbgrader):
    late = record("ada", exercise("chapter1.a", "passed", 2.0), late={"chapter1": {"factor": 0.5}})
    row = of_nbgrader.row(None, late, "ada", "chapter1")
    assert (row.marks["chapter1-a"].score, row.crashed) == (1.0, False)


def test_who_could_not_be_judged_crashed(of_nbgrader):
    bench = SimpleNamespace(asked=lambda name: [])
    row = of_nbgrader.row(bench, unjudged("eve"), "eve", "chapter1")
    assert row.crashed and row.notes == ["It is empty."]


def test_results_that_hold_none_are_a_sentence(of_nbgrader, results):
    results.write_batch({"seed": "s", "chapters": ["chapter1"]})
    with pytest.raises(WrongUse, match="holds no marks of chapter9"):
        list(of_nbgrader.rows(results.folder, ["chapter9"]))
    with pytest.raises(WrongUse, match="holds no results"):
        list(of_nbgrader.rows(results.folder + "none", ["chapter1"]))
