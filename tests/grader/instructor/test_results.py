"""The folder of results: one record per learner, whole or not there.

A class in parts: everybody is in one of them, and in no other.
"""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import as_json
from grader.classroom.intake.handins import HandIn
from grader.classroom.marks.record import is_record, summarize_record
from grader.classroom.marks.results import (
    LONGEST_NAME,
    SAME,
    Results,
    copy_terms,
    merge_shards,
    safe_file_name,
    select_shard,
)
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
    assert (safe_file_name(one) == safe_file_name(other)) == (one == other)
    name = safe_file_name(one)
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
    assert not is_record({**ADA, "result": None}) and not is_record([]) and is_record(ADA)


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
    assert (
        summarize_record(ADA)["isolation"] == "confined"
        and summarize_record(unjudged("z"))["isolation"] is None
    )


def test_one_process_holds_them_and_what_it_left_half_written_goes(results):
    half = os.path.join(results.learners, "eve.json.gz.123.part")
    open(half, "w").close()
    with pytest.raises(WrongUse, match=f"process {os.getpid()}"), Results(results.folder):
        pass
    results.__exit__(None, None, None)
    with Results(results.folder) as again:
        assert not os.path.exists(half)
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
    from grader.classroom.nbgrader import gradebook_api as results

    return results


@pytest.mark.parametrize(
    ("place", "learner", "mine"),
    [("/in/ada", "ada", ["chapter1"]), ("/c/submitted/ann/chapter1", "ann", ["chapter1"]),
     ("/c/submitted/ann/chapter2", "ann", []), ("/c/other/ann/chapter2", "ada", ["chapter1"])],
)  # fmt: skip
def test_a_record_is_about_the_assignment_that_it_lay_under(place, learner, mine, of_nbgrader):
    assert of_nbgrader.learner_and_assignments({**ADA, "submission": place}, ["chapter1"]) == (
        learner,
        mine,
    )


def test_a_row_has_the_marks_of_the_policy(of_nbgrader):
    late = record("ada", exercise("chapter1.a", "passed", 2.0), late={"chapter1": {"factor": 0.5}})
    row = of_nbgrader.marks_of_record(None, late, "ada", "chapter1")
    assert (row.marks["chapter1-a"].score, row.crashed) == (1.0, False)


def test_who_could_not_be_judged_crashed(of_nbgrader):
    bench = SimpleNamespace(asked=lambda name: [])
    row = of_nbgrader.marks_of_record(bench, unjudged("eve"), "eve", "chapter1")
    assert row.crashed and row.notes == ["It is empty."]


def test_results_that_hold_none_are_a_sentence(of_nbgrader, results):
    results.write_batch({"seed": "s", "chapters": ["chapter1"]})
    with pytest.raises(WrongUse, match="holds no marks of chapter9"):
        list(of_nbgrader.rows_of_results(results.folder, ["chapter9"]))
    with pytest.raises(WrongUse, match="holds no results"):
        list(of_nbgrader.rows_of_results(results.folder + "none", ["chapter1"]))


def test_shards_hold_everybody_once():
    everybody = [HandIn(f"learner {n}", "") for n in range(200)]
    parts = [select_shard(everybody, f"{n}/7") for n in range(1, 8)]
    assert sorted(h.learner for each in parts for h in each) == sorted(h.learner for h in everybody)
    assert all(len(each) < 60 for each in parts)
    # A hand-in that comes while some shards are done changes nobody else's shard.
    assert select_shard([*everybody, HandIn("late", "")], "3/7")[: len(parts[2])] == parts[2]
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0"):
        with pytest.raises(WrongUse, match="I/N"):
            select_shard([], wrong)


@pytest.fixture
def folder(tmp_path):
    """A folder of results with these records and terms."""

    def make(name: str, *records, **terms) -> str:
        with Results(str(tmp_path / name)) as results:
            results.write_batch({"seed": "s", **terms})
            for each in records:
                results.write(each)
        (tmp_path / name / "answers.key").write_bytes(b"key")
        return results.folder

    return make


ADA_shards = record("ada", exercise("chapter1.a", "passed", 2.0))


def test_parts_become_one_folder(folder, tmp_path):
    parts = [folder("one", ADA_shards), folder("two", unjudged("eve")), folder("three", ADA_shards)]
    out = Results(str(tmp_path / "out"))
    assert merge_shards(parts, out) == 3
    assert [r["learner"] for r in out.records()] == ["ada", "eve"] and out.batch == {"seed": "s"}
    assert (tmp_path / "out" / "answers.key").read_bytes() == b"key"


@pytest.mark.parametrize("term", SAME)
def test_what_was_judged_otherwise_is_not_merged(term, folder, tmp_path):
    parts = [folder("one", ADA_shards), folder("two", ADA_shards, **{term: "another"})]
    with pytest.raises(WrongUse, match=f"different {SAME[term]}"):
        merge_shards(parts, Results(str(tmp_path / "out")))
    with pytest.raises(WrongUse, match="holds no results"):
        merge_shards([str(tmp_path / "nowhere")], Results(str(tmp_path / "out")))


def test_two_records_of_one_learner_are_said(folder, tmp_path):
    parts = [folder("one", ADA_shards), folder("two", {**ADA_shards, "says": "Late."})]
    with pytest.raises(WrongUse, match="another record of ada"):
        merge_shards(parts, Results(str(tmp_path / "out")))


def test_new_results_begin_like_others_and_old_ones_stay_theirs(folder, tmp_path):
    base = folder("base", policy="best")
    new = Results(str(tmp_path / "new"))
    copy_terms(new, base)
    assert new.batch == {"seed": "s", "policy": "best"}
    old = Results(folder("old"))
    copy_terms(old, base)
    assert old.batch == {"seed": "s"}
    with pytest.raises(WrongUse, match="holds no results"):
        copy_terms(Results(str(tmp_path / "other")), str(tmp_path / "nowhere"))
