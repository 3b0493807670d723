"""What a batch is judged with: nothing that was graded is lost by what is asked now."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.classroom import batch
from grader.classroom.handed_out import HandedOut
from grader.classroom.handins import HandIn
from grader.classroom.results import Results
from grader.errors import WrongUse

from .records import exercise, record, unjudged

HANDED = HandedOut(["chapter2"], 2, {}, "a release")


def test_marks_of_chapters_that_are_not_asked_for_again_are_not_lost(tmp_path):
    with Results(str(tmp_path)) as results:
        batch.none_lost(results, ["chapter2"])
        for each in (record("ada", exercise("chapter1.a", "passed", 2.0)), unjudged("eve")):
            results.write(each)
        batch.none_lost(results, ["chapter1", "chapter2"])
        with pytest.raises(WrongUse, match="marks of chapter1, .* `--chapters chapter1 chapter2`"):
            batch.none_lost(results, ["chapter2"])


def test_what_came_solved_has_a_suite_of_its_own(monkeypatch):
    monkeypatch.setattr(batch.cohorts, "suites", lambda path: {"chapter1": "a", "chapter2": "b"})
    assert batch.suites("p", HANDED) == {"chapter1": "given", "chapter2": "b"}
    assert batch.suites("p", None) == {"chapter1": "a", "chapter2": "b"}


def test_what_learners_were_given_is_named_recorded_or_said_by_most(monkeypatch):
    said = []
    monkeypatch.setattr(batch, "of_releases", lambda names: said.append(names) or "named")
    monkeypatch.setattr(batch, "of_hand_ins", lambda paths: said.append(list(paths)) or "most")
    kept = {"handed_out": HANDED._asdict()}
    mine = [HandIn("ada", "/in/ada")]
    assert batch.handed_out(SimpleNamespace(release=["r"]), kept, mine) == "named"
    assert batch.handed_out(SimpleNamespace(release=None), kept, mine) == HANDED
    assert batch.handed_out(SimpleNamespace(), {}, mine) == "most"
    assert said == [["r"], ["/in/ada"]]
