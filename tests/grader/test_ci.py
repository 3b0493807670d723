"""`.ci/run`: every step runs and can fail the run; workflows call its steps and repeat none."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from grader import root

yaml = pytest.importorskip("yaml")

CI = Path(root.ROOT) / ".ci" / "run"
TEXT = CI.read_text(encoding="utf-8") if CI.exists() else ""
WORKFLOWS = sorted((CI.parents[1] / ".github" / "workflows").glob("*.yml"))
pytestmark = pytest.mark.skipif(not TEXT, reason=".ci/ is no part of an sdist")

# Step → a word of one of its commands, by which the tool below knows that it is to fail.
STEPS = {
    "lint": "format", "types": "explicit-package-bases", "stubs": "stubs", "matrix": "--small",
    "suite": "durations=200", "older": "landlock,setsid", "long": "-m long",
}  # fmt: skip
# Stands for every tool: it says how it was called, and fails if that has the word.
TOOL = """#!/bin/bash
echo "$(basename "$0") $*" | tee -a "$CALLS"
[ "$2" != venv ] || { mkdir -p "$3/bin"; touch "$3/bin/activate"; }
[[ -z "$FAILS" || "$*" != *"$FAILS"* ]]
"""


class Ran(NamedTuple):
    status: int
    lines: list[str]
    calls: str  # of all tools, also those whose output was not shown


@pytest.fixture
def ci(tmp_path):
    """Runs `.ci/run` where every tool does nothing, but for one that fails."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text(TEXT)
    for name in ("python3", "python", "pip", "ruff", "mypy", "grader", "pytest", "chromium"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(TOOL)
    (tmp_path / ".ci" / "matrix").write_text(TOOL)
    for path in (*(tmp_path / "bin").iterdir(), *(tmp_path / ".ci").iterdir()):
        path.chmod(0o755)
    calls, places = tmp_path / "calls", tmp_path / "tmp"
    places.mkdir()

    def run(*steps: str, fails: str = "") -> Ran:
        around = {
            **os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "CALLS": str(calls),
            "FAILS": fails, "TMPDIR": str(places),
        }  # fmt: skip
        done = subprocess.run(
            ["bash", tmp_path / ".ci" / "run", *steps], cwd=tmp_path / "bin", env=around,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=600,
        )  # fmt: skip
        assert not [*places.iterdir()], "the environment is left behind"
        told = calls.read_text() if calls.exists() else ""
        return Ran(done.returncode, done.stdout.splitlines(), told)

    return run


def headings(ran: Ran) -> list[str]:
    return [line[3:] for line in ran.lines if re.fullmatch(r"== \w+", line)]


def test_run_without_a_name_runs_every_step_in_a_clean_environment(ci):
    ran = ci()
    assert ran.status == 0 and sorted(headings(ran)) == sorted([*STEPS, "install"])
    assert ran.calls.index("python3 -m venv") < ran.calls.index("pip install -q -e .[dev")
    assert all(word in ran.calls for word in STEPS.values())


@pytest.mark.parametrize("step", STEPS)
def test_failing_step_fails_the_run_and_is_named_last(ci, step):
    order = headings(ci())
    ran = ci(fails=STEPS[step])
    assert ran.status != 0 and ran.lines[-1] == f"== {step}: failed"
    assert STEPS[step] in ran.lines[-2]
    assert not set(headings(ran)) & set(order[order.index(step) + 1 :]), "a later step has run"


def test_failing_step_ends_the_matrix_beside_it(ci, tmp_path):
    (tmp_path / ".ci" / "matrix").write_text("#!/bin/bash\nsleep 600\n")
    ran = ci(fails=STEPS["lint"])  # in less than the seconds that it has
    assert ran.status != 0 and ran.lines[-1] == "== lint: failed"


def test_named_steps_run_where_they_are(ci):
    ran = ci("long", "lint")
    assert headings(ran) == ["long", "lint"] and "venv" not in ran.calls
    assert ci("long", "lint", fails="-m long").lines[-1] == "== long: failed"


def test_unknown_step_is_refused_before_any_runs(ci):
    ran = ci("lint", "tests")
    assert ran.status == 2 and not ran.calls
    assert "There is no step tests." in ran.lines[0] and all(s in ran.lines[0] for s in STEPS)


def commands() -> list[str]:
    """Return the commands of the workflows, line by line."""
    flows = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS]
    steps = [step for flow in flows for job in flow["jobs"].values() for step in job["steps"]]
    return [line for step in steps for line in step.get("run", "").splitlines()]


def test_workflows_call_every_step_and_repeat_none():
    calls = [line.split() for line in commands() if line.startswith(".ci/run")]
    called = {step for call in calls for step in call[1:]}
    assert called == STEPS.keys() - {"matrix"} and any(".ci/matrix" in each for each in commands())
    repeated = re.compile(r"^(ruff|mypy|grader stubs|pytest -n|MYPYPATH)")
    assert not [line for line in commands() if repeated.match(line)]
