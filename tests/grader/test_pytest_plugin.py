"""`pytest tests/chapter3 --package DIR` shows the very same verdicts as `grader check`."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

from grader import root


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=root.ROOT, capture_output=True, text=True, timeout=600, check=False,
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
