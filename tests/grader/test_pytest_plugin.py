"""`pytest tests/chapter3 --package DIR` shows the very same verdicts as `grader check`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from grader import root

STUB = "raise NotImplementedError"


def run_pytest(*arguments: str, cwd: object = root.ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=str(cwd), env={**os.environ, "PYTHONPATH": root.ROOT},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_items_are_the_checks(package, grader, tmp_path):
    wrong = {
        "ops.Sub.forward": "return b - a",
        "ops.Log.forward": "raise NotImplementedError",
        "ops.Exp.forward": "return np.exp(c)",
    }
    place = str(package(wrong))
    ran = grader("check", "chapter3", "--json", "--package", place)
    report = tmp_path / "junit.xml"
    done = run_pytest("tests/chapter3", "--package", place, f"--junitxml={report}")
    assert done.returncode == 1
    outcomes = {
        case.get("name"): {child.tag for child in case}
        for case in ElementTree.parse(report).iter("testcase")
    }
    expected = {
        "passed": set(), "failed": {"failure"}, "crashed": {"failure"},
        "pending": {"skipped"}, "blocked": {"skipped"}, "given": {"skipped"},
    }  # fmt: skip
    for exercise in ran.exercises().values():
        for check in exercise["checks"]:
            assert outcomes[check["id"]] == expected[check["status"]], check["id"]
    assert "You took" in done.stdout or "swapped" in done.stdout or "Sub.forward" in done.stdout


def test_k_selects_checks():
    done = run_pytest("tests/chapter3", "-k", "chapter3.sub and value")
    assert done.returncode == 0
    assert re.search(r"\b1 passed, \d+ deselected", done.stdout)


def test_a_wrong_package_is_a_usage_error(tmp_path):
    done = run_pytest("tests/chapter3", "--package", str(tmp_path))
    assert done.returncode == 4 and "is not a babygrad package" in done.stdout + done.stderr


def test_what_cannot_be_imported_is_said_once(package):
    # Without pytest's own summary: where `CI` is set it repeats whole what was said above it.
    broken = package(ops="def broken(:\n")
    done = run_pytest("tests/chapter3", "--package", str(broken), "-rN")
    assert done.returncode == 1
    assert done.stdout.count("Your package cannot be imported.") == 1
    assert done.stdout.count("SyntaxError: invalid syntax (babygrad/ops.py, line 1)") == 1


@pytest.mark.long
def test_a_workspace_has_an_item_per_exercise_in_the_file_it_is_written_in(package, tmp_path):
    """Asked for by the file, too; nothing of it is imported by pytest."""
    place = package({"ops.Sub.forward": "return b - a", "ops.Log.forward": STUB})
    (place / ".grader").mkdir()
    (place / ".grader" / "workspace.json").write_text('{"from": "chapter3"}')
    imported = tmp_path / "imported"
    for name in ("__init__.py", "ops.py"):
        with (place / "babygrad" / name).open("a") as file:
            file.write(f"\ntry:\n    open({str(imported)!r}, 'w')\nexcept OSError:\n    pass\n")
    arguments = ["-p", "grader.pytest_plugin", "-rA"]
    done = run_pytest(
        *arguments, "babygrad/ops.py", "-k", "chapter3.sub or chapter3.log", cwd=place
    )
    said = done.stdout
    assert done.returncode == 1 and not imported.exists()
    assert "PASSED babygrad/ops.py::chapter3.sub.backward" in said
    assert "FAILED babygrad/ops.py::chapter3.sub.forward" in said
    assert "✗ chapter3.sub.forward failed  (0 of " in said
    assert re.search(r"SKIPPED \[1\] .*pending", said)
    listed = run_pytest(*arguments, "babygrad", "--collect-only", cwd=place).stdout
    assert "<Dir babygrad>" in listed and "<LearnerFile optim.py>" in listed
    assert "<ExerciseItem chapter4.linear.init>" in listed and "chapter1." not in listed
