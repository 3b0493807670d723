"""This version reads the files that version 0.1.0 wrote."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from grader import root

OLD = json.loads(Path(__file__).with_name("version-0.1.json").read_text("utf-8"))
SCHEMAS = Path(root.PACKAGE, "classroom/schemas")


def test_an_old_result_is_a_result():
    schema = json.loads((SCHEMAS / "grader-result-1.schema.json").read_text("utf-8"))
    jsonschema.validate(OLD["result"], schema)


@pytest.fixture
def old_workspace(workspace):
    for name in ("workspace", "progress"):
        (workspace / f".grader/{name}.json").write_text(json.dumps(OLD[name]))
    return workspace


def test_a_workspace_goes_on(grader, old_workspace):
    told = grader("status", cwd=old_workspace)
    third = next(line for line in told.out.splitlines() if "Automatic" in line)
    assert told.status == 1 and "1 of 60" in third and not told.err.count("Traceback"), told.err


@pytest.mark.long
def test_a_class_that_was_begun_goes_on_with_its_seed(grader, old_workspace, tmp_path):
    (tmp_path / "class/ada").mkdir(parents=True)
    (old_workspace / "babygrad").rename(tmp_path / "class/ada/babygrad")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/batch.json").write_text(json.dumps(OLD["batch"]))
    done = grader("grade", "class", "--chapters", "chapter1", "--out", "out", cwd=tmp_path)
    assert done.status == 0 and "ada" in done.out, done.err
    assert json.loads((tmp_path / "out/batch.json").read_text())["seed"] == OLD["batch"]["seed"]
