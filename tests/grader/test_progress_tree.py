"""The progress that an editor draws as a tree: all of it, then what has changed."""

from __future__ import annotations

import pytest

from grader.course.outline import chapter_of
from grader.editor.progress_tree import ProgressTree
from grader.learner import selection
from grader.learner import workspace as kept

DIV = "chapter3.div.backward"


@pytest.fixture
def tree(workspace):
    folder = str(workspace / "babygrad")
    return ProgressTree(selection.key_for(folder), folder)


def mark(tree, status, score):
    marks = {DIV: {"status": status, "score": score, "max_score": 2.0, "blocked_by": []}}
    assert not kept.write_progress(tree.folder, marks, "")


def test_the_tree_lists_every_exercise_once_in_the_order_of_the_course(tree):
    whole = tree.whole()
    rows = [row for chapter in whole["chapters"] for row in chapter["exercises"]]
    assert [row["id"] for row in rows] == [id for id, _, _ in tree.key.outline]
    for chapter in whole["chapters"]:
        assert {chapter_of(row["id"]) for row in chapter["exercises"]} == {chapter["id"]}
        assert chapter["title"]
    for holder in (whole, *whole["chapters"]):
        mine = rows if holder is whole else holder["exercises"]
        for name in ("points", "maxPoints"):
            assert holder[name] == pytest.approx(sum(row[name] for row in mine))
    div = next(row for row in rows if row["id"] == DIV)
    assert div == {
        "id": DIV, "label": "Div.backward", "section": "3.4", "status": "pending",
        "word": "pending", "points": 0, "maxPoints": 2, "blockedBy": [],
    }  # fmt: skip


def test_given_exercises_are_worth_nothing_however_they_went(tree):
    given = next(id for id in tree.given if tree.key.points[id])
    marks = {given: {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}}
    kept.write_progress(tree.folder, marks, "")
    row = tree.row(given)
    assert (row["points"], row["maxPoints"], row["status"]) == (0, 0, "passed")


def test_news_are_what_has_changed_since_and_begin_with_the_whole(tree):
    mark(tree, "failed", 0.5)
    assert tree.news() is None  # nobody has asked for the tree
    before = tree.whole()
    assert tree.news() is None
    mark(tree, "passed", 2.0)
    news = tree.news()
    (row,) = news["exercises"]
    assert (row["id"], row["status"], row["points"]) == (DIV, "passed", 2)
    assert news["points"] == before["points"] + 1.5 and news["maxPoints"] == before["maxPoints"]
    assert tree.news() is None


@pytest.mark.parametrize(
    ("status", "score", "words"),
    [("passed", 2, "✓ passed, 2 of 2 points"), ("timed_out", 0, "✗ timed out, 0 of 2 points")],
)
def test_a_state_in_words(tree, status, score, words):
    mark(tree, status, score)
    assert tree.in_words(DIV) == words
    assert tree.in_words(next(iter(sorted(tree.given)))) == "· given"
