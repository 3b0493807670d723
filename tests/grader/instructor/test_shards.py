"""A class in parts: everybody is in one of them, and in no other."""

from __future__ import annotations

import pytest

from grader.classroom.handins import HandIn
from grader.classroom.results import Results
from grader.classroom.shards import SAME, WORDS, like, merge, part, shard
from grader.errors import WrongUse

from .records import exercise, record, unjudged


def test_shards_hold_everybody_once():
    everybody = [HandIn(f"learner {n}", "") for n in range(200)]
    parts = [part(everybody, f"{n}/7") for n in range(1, 8)]
    assert sorted(h.learner for each in parts for h in each) == sorted(h.learner for h in everybody)
    assert all(len(each) < 60 for each in parts)
    # A hand-in that comes while some shards are done changes nobody else's shard.
    assert part([*everybody, HandIn("late", "")], "3/7")[: len(parts[2])] == parts[2]
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0"):
        with pytest.raises(WrongUse, match="I/N"):
            shard(wrong)


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


ADA = record("ada", exercise("chapter1.a", "passed", 2.0))


def test_parts_become_one_folder(folder, tmp_path):
    parts = [folder("one", ADA), folder("two", unjudged("eve")), folder("three", ADA)]
    out = Results(str(tmp_path / "out"))
    assert merge(parts, out) == 3
    assert [r["learner"] for r in out.records()] == ["ada", "eve"] and out.batch == {"seed": "s"}
    assert (tmp_path / "out" / "answers.key").read_bytes() == b"key"
    assert len((tmp_path / "out" / "results.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("term", SAME)
def test_what_was_judged_otherwise_is_not_merged(term, folder, tmp_path):
    parts = [folder("one", ADA), folder("two", ADA, **{term: "another"})]
    with pytest.raises(WrongUse, match=f"different {WORDS[term]}"):
        merge(parts, Results(str(tmp_path / "out")))
    with pytest.raises(WrongUse, match="holds no results"):
        merge([str(tmp_path / "nowhere")], Results(str(tmp_path / "out")))


def test_two_records_of_one_learner_are_said(folder, tmp_path):
    parts = [folder("one", ADA), folder("two", {**ADA, "says": "Late."})]
    with pytest.raises(WrongUse, match="another record of ada"):
        merge(parts, Results(str(tmp_path / "out")))


def test_new_results_begin_like_others_and_old_ones_stay_theirs(folder, tmp_path):
    base = folder("base", policy="best")
    new = Results(str(tmp_path / "new"))
    like(new, base)
    assert new.batch == {"seed": "s", "policy": "best"}
    old = Results(folder("old"))
    like(old, base)
    assert old.batch == {"seed": "s"}
    with pytest.raises(WrongUse, match="holds no results"):
        like(Results(str(tmp_path / "other")), str(tmp_path / "nowhere"))
