"""A class as if some of its chapters alone had been graded: their points, and nothing of others."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports import ExportRequest, restrict_record, restrict_records, tables
from grader.classroom.marks.record import POLICIES, compute_marks, is_record, replace_chapters
from grader.errors import WrongUse

from ..examples import SOME
from .records import exercise, record, result, unjudged

CHAPTERS = ("chapter1", "chapter2", "chapter3")
SHARES = st.lists(st.floats(0, 2, allow_nan=False), min_size=6, max_size=6)


def graded(scores, policy: str = "half", learner: str = "ada", chapters=CHAPTERS):
    """A record with two exercises a chapter: late, with open answers and follow-through."""
    scores = list(scores)
    parts = []
    for name in chapters:
        mine = [exercise(f"{name}.{n}", "failed", scores.pop()) for n in ("a", "b")]
        parts.append({**result(*mine)["chapters"][0], "id": name})
    made = record(learner) | {
        "result": replace_chapters(result(), parts),
        "follow_through_by_exercise": {"chapter1.a": 2.0, "chapter2.b": 1.5},
        "late": {"chapter2": {"hours": 3.0, "factor": 0.5}},
        "open": {f"{c}.q.why": {"max_points": 3.0, "points": n} for n, c in enumerate(chapters)},
        "answers": {f"{c}.q.why": c for c in chapters} | {"": "below none"},
        "came_solved": ["chapter3.a"],
        "suites": dict.fromkeys(chapters, "s"),
    }
    cause = {"message": "m", "location": None, "exercises": ["chapter1.a", "chapter2.a"]}
    made["result"]["unloadable"] = [cause]
    return compute_marks(made, policy)


@SOME
@given(scores=SHARES, policy=st.sampled_from(sorted(POLICIES)))
def test_points_of_chapters_add_up_to_those_of_the_class(scores, policy):
    ada = graded(scores, policy)
    assert restrict_record(ada, CHAPTERS) == ada
    for size in (1, 2):
        for names in combinations(CHAPTERS, size):
            rest = [name for name in CHAPTERS if name not in names]
            some, others = restrict_record(ada, names), restrict_record(ada, rest)
            for field in ("mark", "max_mark", "own", "follow_through"):
                assert some[field] + others[field] == pytest.approx(ada[field], abs=3e-4)
            assert some["marks"] | others["marks"] == ada["marks"] and is_record(some)


@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_of_another_chapter_is_left(name):
    text = json.dumps(restrict_record(graded([1.0] * 6), [name]))
    assert name in text and not [each for each in CHAPTERS if each != name and f"{each}" in text]
    assert "below none" in text


def test_a_chapter_not_judged_has_no_mark_and_no_zero():
    ada = graded([1.0] * 4, chapters=CHAPTERS[:2])
    made = restrict_record(ada, ["chapter1", "chapter3"])
    assert made["mark"] is None and made["says"] == "chapter3 is not judged yet: grade again."
    assert is_record(made) and restrict_record(unjudged("eve"), ["chapter9"]) == unjudged("eve")


def test_chapters_that_nobody_was_graded_in_are_refused():
    class_of = [graded([1.0] * 6), unjudged("eve")]
    assert restrict_records(class_of, []) == class_of
    assert [r["max_mark"] for r in restrict_records(class_of, ["chapter1"])] == [7.0, None]
    with pytest.raises(WrongUse, match="no chapter9. Choose from chapter1, chapter2, chapter3"):
        restrict_records(class_of, ["chapter9"])
    assert restrict_records([unjudged("eve")], ["chapter1"]) == [unjudged("eve")]


def test_grades_end_with_a_total_for_each_chapter():
    class_of = [graded([0.5, 1, 1.5, 2, 0.1, 0.2]), unjudged("eve")]
    (data,) = tables.export_csv(ExportRequest(class_of, None, "x", None, [])).files.values()
    head, ada, eve = csv.reader(io.StringIO(data.decode()))
    before = head.index("isolation") + 1
    assert head[:6] == [*tables.FIRST] and head[before - 2] == "says"
    assert head[before:] == [f"total {name}" for name in CHAPTERS] and eve[before:] == [""] * 3
    assert sum(map(float, ada[before:])) == pytest.approx(float(ada[2]))
    for name, total in zip(CHAPTERS, ada[before:], strict=True):
        each = [float(cell) for cell, said in zip(ada, head, strict=True)
                if said.startswith(f"{name}.")]  # fmt: skip
        assert len(each) == 3 and float(total) == pytest.approx(sum(each))
