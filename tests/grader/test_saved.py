"""A workspace takes over a page's saved file and leaves out everything strange in it."""

from __future__ import annotations

import json

import pytest

from grader.commands import workspaces

ADD = "chapter1.value.add"


def work(**more):
    mark = {"status": "passed", "score": 2.0, "max_score": 2.0, "blocked_by": []}
    return {
        "schema": workspaces.SAVED_SCHEMA, "chapter": "chapter1",
        "files": {"scalar.py": "# mine\n"},
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
    """A page of chapter 3 has the earlier chapters solved, and so has the new workspace."""
    files = {"ops.py": "# mine\n", "tensor.py": "# mine too\n"}
    (tmp_path / "saved.json").write_text(json.dumps(work(chapter="chapter3", files=files)))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0 and "chapter3's page: ops.py, tensor.py" in ran.out, ran.err
    assert (tmp_path / "work/babygrad/tensor.py").read_text() == "# mine too\n"
    assert "NotImplementedError" not in (tmp_path / "work/babygrad/scalar.py").read_text()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"schema": "grader-browser/1", "files": {"../x.py": "1"}}',
        b"\xff\xfe{",
        b"[" * 100_000,
    ],
)
def test_what_is_no_such_file_is_refused_and_nothing_written(content, grader, tmp_path):
    (tmp_path / "saved.json").write_bytes(content)
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 2 and "Save as a file" in ran.err and not (tmp_path / "work").exists()


def test_half_a_character_is_none(grader, tmp_path):
    (tmp_path / "saved.json").write_text(json.dumps(work(files={"scalar.py": "# \ud800 é\n"})))
    ran = grader("init", "work", "--from-browser", "saved.json", cwd=tmp_path)
    assert ran.status == 0, ran.err
    assert (tmp_path / "work/babygrad/scalar.py").read_text() == "# \N{REPLACEMENT CHARACTER} é\n"


def test_what_is_strange_in_it_is_left_out(tmp_path):
    strange = {ADD: {"status": "perfect", "score": 2.0, "max_score": 2.0}, "x": 3}
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(work(exercises=strange, hints={ADD: "many"})))
    found = workspaces.read_saved(str(path), {"scalar.py": ""})
    assert found.marks == {} and found.hints == {} and found.files == {"scalar.py": "# mine\n"}
