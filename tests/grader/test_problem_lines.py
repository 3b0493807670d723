"""`grader watch --lines`, read as VS Code reads it: by what `grader init` has written."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from grader.classroom.intake.archive_reader import read_submission_files
from grader.classroom.intake.handins import discover
from grader.course.package import read_package
from grader.editor.screen import vscode
from grader.learner import own_file as definition
from grader.learner.bundle_update import may_hold

from .test_watch import Watch

pytest.importorskip("watchfiles")

WRONG = "a, b = node._inputs\n        return out_grad / b, out_grad * a / (b * b)"


def task_of(workspace):
    (task,) = json.loads((workspace / ".vscode" / "tasks.json").read_text())["tasks"]
    return task


def problems(matcher, said):
    """File, line, column, severity, message and code of each, as the pattern numbers them."""
    groups = ("file", "line", "column", "severity", "message", "code")
    found = (re.match(matcher["pattern"]["regexp"], line) for line in said.splitlines())
    return [tuple(m[matcher["pattern"][g]] for g in groups) for m in found if m]


def test_every_save_lists_all_that_is_wrong(workspace):
    task = task_of(workspace)
    matcher = task["problemMatcher"]
    begins, ends = (
        re.compile(matcher["background"][name].replace("$", r"\r?$"), re.MULTILINE).pattern
        for name in ("beginsPattern", "endsPattern")
    )
    assert task["args"][:3] == ["-m", "grader", "watch"] and task["args"][3:] == ["--lines"]
    for name in ("Div.forward", "Mul.forward"):
        ops = workspace / "babygrad" / "ops.py"
        text = ops.read_text()
        ops.write_text(
            definition.with_body(text, definition.find_definition(text, name), ["return a + b"])
        )
    ends = f"(?m){ends}"
    seen = Watch(workspace, *task["args"][3:], "chapter3.div", ready=ends)
    try:
        seen.write("Div.forward", "return b / a")
        said = seen.until(ends)
        assert re.search(begins, said, re.MULTILINE)
        (one,) = problems(matcher, said)
        place = definition.find_definition(seen.ops.read_text(), "Div.forward")
        assert one[0] == "babygrad/ops.py" and one[1:4] == (str(place.top), "5", "error")
        assert one[5] == "chapter3.div.forward" and one[4]
        seen.save("class Div(:\n")
        (one,) = problems(matcher, seen.until(ends))
        assert one[:3] == ("babygrad/ops.py", "1", "1") and "SyntaxError" in one[4]
    finally:
        seen.quit()


def test_a_folder_of_settings_that_is_there_is_left_alone(workspace, tmp_path, grader):
    settings = json.loads((workspace / ".vscode" / "settings.json").read_text())
    assert settings["python.testing.pytestEnabled"] is True
    mine = tmp_path / "mine" / ".vscode"
    mine.mkdir(parents=True)
    (mine / "settings.json").write_text("{}")
    ran = grader("init", "mine", "--from", "chapter3", cwd=tmp_path)
    assert ran.status == 0 and ".vscode" not in ran.out
    assert [path.name for path in mine.iterdir()] == ["settings.json"]
    assert (mine / "settings.json").read_text() == "{}"


def test_it_is_no_part_of_what_is_judged_or_handed_in(workspace, tmp_path):
    """Python files in it, too, are neither read nor refused; in a folder and in its archives."""
    before = read_package(str(workspace / "babygrad")).sha256
    for folder in (workspace / ".vscode", workspace / "babygrad" / ".vscode"):
        folder.mkdir(exist_ok=True)
        (folder / "ops.py").write_text("raise SystemExit\n")
    assert read_package(str(workspace / "babygrad")).sha256 == before
    archives = [
        shutil.make_archive(str(tmp_path / kind), kind, tmp_path, "work")
        for kind in ("zip", "gztar")
    ]
    for path in (str(workspace), *archives):
        intake = read_submission_files(path)
        assert intake.package is not None and intake.package.sha256 == before, path
        assert not intake.refused, path
    assert [hand_in.path for hand_in in discover([str(workspace)])] == [str(workspace)]


def test_no_release_brings_it_and_none_takes_it_away():
    assert not any(map(may_hold, vscode()))
