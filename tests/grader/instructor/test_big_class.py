"""A class of any size is graded, at about the price of a `grader check` each, and then known."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from grader import root

MOST = 1.5  # times one check, in processor time
# Learners, a right one more, and checks that starting takes: of so few, a second of noise is 0.3,
# and starting is shared by few.
SMALL, WHOLE = (9, 1.3, 3), (2000, 0.8, 0)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="nobody counts processes that are left behind")
def test_a_class_is_graded_at_the_price_of_a_check_each(is_whole):
    if root.is_installed_course():
        pytest.skip("benchmarks/ is no part of an installed grader")
    count, most_right, start = WHOLE if is_whole else SMALL
    done = subprocess.run(
        [sys.executable, root.path("benchmarks", "grade_throughput.py"), "--count", str(count),
         "--jobs", "1", "--checks", "3"],
        capture_output=True, text=True, timeout=7200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ratio = re.search(r"grader grade +([\d.]+) × one grader check", done.stdout)
    assert ratio and float(ratio[1]) < MOST + start, done.stdout
    more = re.search(r"([\d.]+) × without what starting takes", done.stdout)
    assert more and float(more[1]) < most_right, done.stdout
