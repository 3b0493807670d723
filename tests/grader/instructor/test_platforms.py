"""Gradescope and GitHub Actions, run as these platforms run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grader import root
from grader.about import COURSE
from grader.classroom.exports import gradescope
from grader.cli import run_command_line
from grader.course.key_source import open_key
from tests.grader.host_schemas import is_valid
from tests.grader.machine import enough
from tests.grader.made_once import made_once
from tests.grader.some_mistakes import some_mistakes

from .conftest import CHAPTER, records


@pytest.fixture(scope="session")
def exported(tmp_path_factory) -> Path:
    """The zip that an instructor uploads; its key knows only the mistakes of these tests."""
    key = some_mistakes(open_key(), ["chapter3.mul.backward"])

    def make(place: Path) -> None:
        words = "--chapters", CHAPTER, "--seed", "public", "--out", str(place / "a.zip")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gradescope, "open_public_key", lambda course: key)
            assert run_command_line([*enough("export", "gradescope", *words)]) == 0

    return made_once(tmp_path_factory, "gradescope", make) / "a.zip"


@pytest.fixture
def platform(exported, tmp_path):
    """Gradescope's machine: a clean directory, the zip unpacked, set up once."""
    place = tmp_path / "autograder"
    (place / "results").mkdir(parents=True)
    unzip = ["unzip", "-q", str(exported), "-d", str(place / "source")]
    subprocess.run(unzip, check=True)
    (place / "run_autograder").write_bytes((place / "source" / "run_autograder").read_bytes())
    environment = {"PATH": os.environ["PATH"], "PYTHON": sys.executable}
    environment["AUTOGRADER_ROOT"] = str(place)
    assert os.access(place / "source" / "run_autograder", os.X_OK)

    def run(script: str, **more: str) -> dict:
        words, both = ["bash", str(script)], environment | more
        subprocess.run(words, cwd=place, env=both, check=False, timeout=600)
        path = place / "results" / "results.json"
        return json.loads(path.read_text()) if path.exists() else {}

    run(place / "source" / "setup.sh")
    return place, lambda **more: run(place / "run_autograder", **more)


def test_gradescope_judges_as_we_do_and_shows_nothing_hidden(platform, graded, course):
    place, run = platform
    shutil.copytree(graded.parent / "in" / "mo", place / "submission")
    found = run()
    row = records(graded)["mo"]
    assert found["score"] == row["own"]
    # each exercise is rounded to four places by itself
    assert sum(t["score"] for t in found["tests"]) == pytest.approx(row["own"], abs=0.01)
    assert sum(t["max_score"] for t in found["tests"]) == pytest.approx(row["max_mark"])
    for test in found["tests"]:
        assert set(test) <= {
            "name", "number", "score", "max_score", "status", "output", "output_format",
            "visibility", "extra_data",
        }  # fmt: skip
        assert test["status"] in ("passed", "failed") and test["output"]
    files = [p.as_posix() for p in (place / "source").rglob("*.py")]
    kept = {
        name.partition("/_course/")[2]
        for name in files
        if re.search("/(exercises|solutions)/", name)
    }
    assert kept == {*COURSE.own_files.values()}
    texts = [p.read_text(errors="replace") for p in (place / "source").rglob("*") if p.is_file()]
    handed_out = "".join(p.read_text() for p in Path(root.path("babygrad")).rglob("*.py"))
    regions = (r for t, r in course.regions.items() if t.startswith("ops.MatMul"))
    lines = {line.strip() for r in regions for line in r.body.splitlines()}
    secret = {line for line in lines if line and line not in handed_out}
    assert secret and not any(line in text for line in secret for text in texts)


@pytest.mark.long
def test_gradescope_takes_a_notebook(platform, course):
    place, run = platform
    target = "ops.Sub.forward"
    (place / "submission").mkdir()
    cell = f'@answer("{target}")\ndef forward(self, a, b):\n    return a - b\n'
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell}]
    work = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    (place / "submission" / "chapter3.ipynb").write_text(json.dumps(work))
    found = run()
    ended = {t["extra_data"]["exercise"]: t["extra_data"]["status"] for t in found["tests"]}
    assert ended.pop("chapter3.sub.forward") == "passed" and set(ended.values()) == {"pending"}
    assert found["score"] == course.exercises["chapter3.sub.forward"].points
    (place / "submission" / "chapter3.ipynb").write_text("{")
    found = run()
    assert found["score"] == 0 and "its JSON breaks off" in found["output"]


@pytest.mark.long
def test_gradescope_takes_only_the_files_that_were_written(platform, course):
    place, run = platform
    (place / "submission").mkdir()
    (place / "submission" / "ops.py").write_text(course.solved()["ops.py"])
    found = run()
    ended = {t["extra_data"]["exercise"]: t["extra_data"]["status"] for t in found["tests"]}
    assert ended["chapter3.div.forward"] == "passed" and found["score"] == 33
    assert ended["chapter3.div.operator"] == "pending"  # it stands in tensor.py
    assert "Only ops.py was handed in; what was handed out is used" in found["output"]
    (place / "submission" / "ops.py").write_text("def (")
    settings = place / "source" / "course" / "grader" / "_course" / "gradescope.json"
    settings.write_text(json.dumps({"visibility": "hidden"}))
    found = run()
    assert {t["visibility"] for t in found["tests"]} == {"hidden"} and found["score"] == 0
    assert found["output"].startswith("It cannot be imported: SyntaxError: invalid syntax")


def test_gradescope_fails_closed(platform, graded):
    place, run = platform
    (place / "submission").mkdir()
    found = run()
    assert found["score"] == 0 and "could not be judged" in found["output"]
    (place / "source" / "course" / "grader" / "_course" / "answers.key").write_bytes(b"broken")
    shutil.copytree(graded.parent / "in" / "mo", place / "submission", dirs_exist_ok=True)
    assert "not your fault" in run()["output"]


@pytest.mark.long
def test_gradescope_gives_no_mark_at_a_weaker_level_than_was_said(
    platform, graded, capfd, confinable
):
    place, run = platform
    shutil.copytree(graded.parent / "in" / "mo", place / "submission")
    key = place / "source" / "course" / "grader" / "_course" / "answers.key"
    assert key.stat().st_mode & 0o777 == 0o600
    found = run(GRADER_ISOLATION="process")
    assert found["score"] == 0 and "not your fault" in found["output"] and "tests" not in found
    assert "more than this machine gives" in capfd.readouterr().out
    assert "isolation: confined" in run()["output"]


def assert_pinned(text: str) -> None:
    used = re.findall(r"uses: *(\S+)", text)
    assert used and all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) for action in used)


def test_a_central_runner_holds_the_secrets_and_its_steps_are_shell(grader, tmp_path):
    path = tmp_path / "grade.yml"
    ran = grader("export", "central", "--out", str(path), "--chapters", CHAPTER)
    assert ran.status == 0 and "never in a learner's" in ran.err
    assert is_valid(str(path), "github-workflows")
    assert_pinned(path.read_text())
    flow = yaml.safe_load(path.read_text())
    assert set(flow[True]) == {"workflow_dispatch"}  # nothing that a learner can start
    (fetch,) = (s for s in flow["jobs"]["grade"]["steps"] if "Fetch" in s.get("name", ""))
    for step in flow["jobs"]["grade"]["steps"]:
        assert "${{" not in step.get("run", "")
        subprocess.run(["bash", "-n", "-c", step.get("run", "")], check=True)
    (tmp_path / "learners.txt").write_text("a/b\n-x/y; rm -rf\n../..\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >> calls\n')
    (tmp_path / "bin" / "git").chmod(0o755)
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path),
           "READ_TOKEN": "t"}  # fmt: skip
    subprocess.run(["bash", "-ec", fetch["run"]], cwd=tmp_path, env=env, check=True)
    calls = (tmp_path / "calls").read_text()
    assert "https://github.com/a/b" in calls and "submitted/a+b" in calls and "rm" not in calls


def test_the_workflow_passes_the_platforms_own_schema(grader, tmp_path):
    path = tmp_path / "grader.yml"
    assert grader("export", "workflow", "--out", str(path), "--chapters", CHAPTER).status == 0
    assert is_valid(str(path), "github-workflows")
    assert_pinned(path.read_text())
    steps = yaml.safe_load(path.read_text())["jobs"]["check"]["steps"]
    for step in steps:
        if "run" in step:
            subprocess.run(["bash", "-n", "-c", step["run"]], check=True)
    assert any(f"grader check {CHAPTER} --json" in step.get("run", "") for step in steps)


def test_the_steps_of_the_workflow_run(grader, package, tmp_path):
    ran = grader("check", "chapter3.sub", "--json", "--package", str(
        package({"ops.Sub.backward": 'print("::error::x")\nraise ValueError("a\\n::error::b, %")'})
    ))  # fmt: skip
    (tmp_path / "result.json").write_text(ran.out)
    out = tmp_path / "report"
    grader("export", "github", str(tmp_path / "result.json"), "--out", str(out))
    commands = (out / "annotations.txt").read_text().splitlines()
    assert len(commands) == 1 and commands[0].startswith("::error file=babygrad/ops.py,line=")
    assert "%0A::error" in commands[0] and "%25" in commands[0]
    summary = (out / "summary.md").read_text()
    assert "| 3.2 | Sub.forward | ✅ passed |" in summary and "❌ crashed" in summary
