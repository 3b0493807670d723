"""A class of any size is graded, at about the price of a `grader check` each, and then known."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from grader import root

FULL = bool(os.environ.get("GRADER_FULL"))
COUNT = 2000 if FULL else 9
MOST = 1.5  # times one check, in processor time
MOST_RIGHT = 0.8 if FULL else 1.3  # a right one more; of so few, a second of noise is 0.3


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="nobody counts processes that are left behind")
def test_a_class_is_graded_at_the_price_of_a_check_each():
    if root.is_installed():
        pytest.skip("benchmarks/ is no part of an installed grader")
    done = subprocess.run(
        [sys.executable, root.path("benchmarks", "grade_throughput.py"), "--count", str(COUNT),
         "--jobs", "1", "--checks", "3"],
        capture_output=True, text=True, timeout=7200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ratio = re.search(r"grader grade +([\d.]+) × one grader check", done.stdout)
    start = 3 if not FULL else 0  # checks that starting takes, shared by few
    assert ratio and float(ratio[1]) < MOST + start, done.stdout
    more = re.search(r"([\d.]+) × without what starting takes", done.stdout)
    assert more and float(more[1]) < MOST_RIGHT, done.stdout
