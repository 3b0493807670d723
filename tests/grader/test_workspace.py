"""A learner's folder: where it begins, and what is kept of earlier checks."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import WrongUse, safe_text
from grader.learner import workspace

from .examples import SOME

TEXT = st.text(max_size=5).map(safe_text)  # what would steer a terminal is not read back
CHAPTERS = ["chapter1", "chapter2", "chapter3"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["exercises", "status", "score", "at", "lost", "checked", "a"]), inner
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """The package of a workspace that begins at chapter 2."""
    assert workspace.create(str(tmp_path), "chapter2", {"babygrad/ops.py": "x = 1\n"}) == []
    return str(tmp_path / "babygrad")


def mark(status: str, score: float = 1.0):
    return {"status": status, "score": score, "max_score": 2.0, "blocked_by": []}


def keep(folder: str, **marks: str) -> None:
    rows = {id: mark(status) for id, status in marks.items()}
    assert workspace.write_progress(folder, rows, "ab") == ""


def test_what_is_there_already_is_left_alone(folder, tmp_path):
    made = {"babygrad/ops.py": "y = 2\n", "AGENTS.md": b"tutor"}
    kept = workspace.create(str(tmp_path), "chapter1", made)
    assert kept == [".grader/workspace.json", "babygrad/ops.py"]
    assert (tmp_path / "babygrad/ops.py").read_text() == "x = 1\n"
    assert (tmp_path / "AGENTS.md").read_bytes() == b"tutor"
    with pytest.raises(WrongUse, match="cannot be written to"):
        workspace.create(str(tmp_path / "AGENTS.md"), "chapter1", {})


def test_it_begins_where_it_says(folder, tmp_path):
    assert workspace.is_workspace(folder) and workspace.start(folder, CHAPTERS) == 2
    assert not workspace.is_workspace(str(tmp_path / "a" / "b"))
    assert workspace.start(str(tmp_path / "a" / "b"), CHAPTERS) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "cannot be read"), ("[]", "cannot be read"), ('{"from": "chapter9"}', "goes from"),
     ('{"from": "chapter0"}', "goes from")],
)  # fmt: skip
def test_a_beginning_that_is_none_says_what_to_write(text, says, folder, tmp_path):
    (tmp_path / ".grader/workspace.json").write_text(text)
    with pytest.raises(WrongUse, match=rf'{says}.*"from": "chapter1"'):
        workspace.start(folder, CHAPTERS)


def test_marks_stand_beside_earlier_ones_and_are_forgotten_by_name(folder):
    keep(folder, a="failed", b="passed")
    keep(folder, a="passed")
    assert workspace.read_progress(folder) == {"a": "passed", "b": "passed"}
    assert workspace.progress(folder)["sha256"] == "ab"
    assert workspace.forget_progress(folder, ["a"]) == ""
    assert workspace.read_progress(folder) == {"b": "passed"}


def test_what_was_passed_and_is_no_more_is_lost_until_it_is_passed_again(folder):
    keep(folder, a="passed")
    keep(folder, a="failed")
    first = workspace.progress(folder)["exercises"]["a"]
    assert first["before"] == "passed" and first["lost"] == first["at"]
    keep(folder, a="crashed")
    assert workspace.progress(folder)["exercises"]["a"]["lost"] == first["lost"]
    keep(folder, a="passed")
    assert "lost" not in workspace.progress(folder)["exercises"]["a"]


@SOME
@given(state=JSON)
def test_of_whatever_stands_there_only_what_fits_is_taken(state, folder, tmp_path):
    (tmp_path / ".grader" / "progress.json").write_text(json.dumps(state))
    found = workspace.progress(folder)
    assert set(found) == {"checked", "sha256", "exercises"}
    for row in found["exercises"].values():
        assert row["status"] in workspace.WORST_FIRST and row["score"] >= 0
        assert isinstance(row["blocked_by"], list)


@SOME
@given(state=st.dictionaries(TEXT, JSON, max_size=4))
def test_a_state_is_read_back_as_it_was_written(state, folder):
    assert workspace.change_state(folder, "x.json", lambda _: state) == ""
    assert workspace.read_state(folder, "x.json") == json.loads(json.dumps(state))
    assert sorted(os.listdir(os.path.join(workspace.root_of(folder), ".grader"))) == [
        "workspace.json", "x.json",
    ]  # fmt: skip


def test_outside_of_a_workspace_nothing_is_left_behind(tmp_path):
    keep(str(tmp_path / "babygrad"), a="passed")
    assert os.listdir(tmp_path) == []


def test_hints_come_one_after_the_other_and_the_last_stays(folder, tmp_path):
    assert [workspace.next_hint(folder, "a", 2) for _ in range(3)] == [0, 1, 1]
    (tmp_path / ".grader/hints.json").write_text('{"a": "many"}')
    assert workspace.next_hint(folder, "a", 2) == 0


def test_due_dates_are_those_of_the_release(folder, tmp_path):
    assert workspace.due(folder) == {}
    (tmp_path / ".grader/release.json").write_text('{"due": {"chapter2": "Monday"}}')
    assert workspace.due(folder) == {"chapter2": "Monday"}


def test_a_release_lets_nobody_read_the_reference(folder, tmp_path):
    solved = workspace.read_reference(folder)
    assert solved is not None and "BEGIN SOLUTION" not in solved()["ops.py"]
    (tmp_path / ".grader/answers.key").touch()
    assert workspace.read_reference(folder) is None
