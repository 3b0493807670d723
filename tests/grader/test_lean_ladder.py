"""The ladder from the textbook engine to the lean one: every rung is applied, agrees, is told."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from grader import root

RUNGS = 10


def ladder(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root.path("benchmarks", "lean_ladder.py"), *arguments],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.long
def test_every_rung_agrees_with_numpy_by_hand_and_is_measured(is_whole):
    done = ladder(*(() if is_whole else ("--turns", "3", "--block", "2")))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^(\d) .+? ([\d.]+) +(?:[\d.]+ ×)? +(\d+)$", done.stdout, re.M)
    assert [int(number) for number, _, _ in rows] == list(range(RUNGS))
    calls = [int(count) for _, _, count in rows]
    # Counted, so that no neighbour on the machine matters: each fusion leaves fewer calls.
    assert calls[0] > 2 * calls[2] > 2 * calls[5] > 4 * calls[6] > 8 * calls[9]
    times = [float(ratio) for _, ratio, _ in rows]
    assert times[0] > times[2] > times[6] > times[9] or not is_whole


@pytest.mark.long
def test_a_rung_shows_what_it_changes():
    assert "class Tensor" in ladder("--show", "0").stdout
    assert "+    __slots__ = " in ladder("--show", "3").stdout
    assert "def linear_tanh(" in ladder("--show", str(RUNGS - 1)).stdout
    changed = {ladder("--show", str(number)).stdout for number in range(1, RUNGS - 1)}
    assert len(changed) == RUNGS - 2


def test_a_profile_names_the_functions_of_its_rung():
    done = ladder("--profile", "4")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^ *\d+\.\d% .* rung 4:\d+ backward$", done.stdout, re.M)


def test_a_rung_that_is_not_there():
    done = ladder("--show", str(RUNGS))
    assert done.returncode == 1
    assert done.stderr == f"There are the rungs 0 to {RUNGS - 1}, and no rung {RUNGS}.\n"
