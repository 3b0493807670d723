"""A class with one of everything in it that is read without end: nobody waits long for it.

What such a hand-in costs is measured in processor time, which a busy machine does not stretch, and
against the same class without them, judged in the same minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.classroom.intake.limited_call import SECONDS
from grader.classroom.marks.results import Results
from grader.course.key_source import open_key
from tests.grader.instructor.conftest import write_package
from tests.hostile.loader import Case, cases
from tests.hostile.packing import handed_in, put

CHAPTER = "chapter3"
MOST = 1.5  # times the class without them, where it is a class of 40
READ_WITHOUT_END = [case for case in cases() if case.says.get("seen") == "11"]
QUICK = [case for case in READ_WITHOUT_END if "header" in case.name]


# Workers outlive the judge that they worked for: whoever takes them in counts what they computed.
COUNTED = """
import subprocess, sys
from processor import take_in, used
take_in()
done = subprocess.run([sys.executable, "-m", "grader", *sys.argv[1:]], stdout=sys.stderr)
print(done.returncode, used())
"""


def graded(place: Path, out: str) -> tuple[float, dict[str, dict[str, Any]]]:
    """Seconds of the processor that a class takes, workers included, and its records."""
    words = ["grade", str(place), "--out", out, "--seed", "public", "--chapters", CHAPTER,
             "--jobs", "1", "--isolation", "process"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *words],
        env={**os.environ, "PYTHONPATH": f"{root.ROOT}{os.pathsep}{root.path('benchmarks')}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    status, seconds = done.stdout.split()
    assert status in "01", done.stderr
    return float(seconds), {r["learner"]: r for r in Results(out).records()}


def neighbours(place: Path, texts: dict[str, str], count: int) -> list[str]:
    names = [f"n{number:02}" for number in range(count)]
    for name in names:
        write_package(place / name, texts)
    return names


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="nobody counts processes that are left behind")
@pytest.mark.skipif(
    root.is_installed_course(), reason="benchmarks/ is no part of an installed grader"
)
@pytest.mark.parametrize(
    ("count", "hostile"),
    [
        (2, QUICK),
        pytest.param(12, READ_WITHOUT_END, marks=pytest.mark.long),
        pytest.param(40, READ_WITHOUT_END, marks=pytest.mark.sampled(long=0)),
    ],
)
def test_nobody_waits_for_what_is_read_without_end(
    count: int, hostile: list[Case], course: Any, tmp_path: Path
) -> None:
    honest, mixed = tmp_path / "honest", tmp_path / "mixed"
    neighbours(honest, course.solved(), count)
    names = neighbours(mixed, course.solved(), count)
    for number, case in enumerate(hostile):
        for path, data in handed_in(case.sections[0][1], course, {}).items():
            put(mixed, path.replace("thief", f"thief{number}"), data)
    assert open_key().slice(CHAPTER)  # is made where there is none
    alone, _ = graded(honest, str(tmp_path / "alone"))
    beside, records = graded(mixed, str(tmp_path / "beside"))
    assert all(records[name]["mark"] == records[name]["max_mark"] for name in names)
    theirs = [record for name, record in records.items() if name not in names]
    assert len(theirs) == len(hostile)
    assert all(r["says"] or r["mark"] == r["max_mark"] for r in theirs), theirs
    most = len(hostile) * (SECONDS + 1 + 2 * alone / count)
    assert beside - alone <= most, (alone, beside)
    if count == 40:
        assert beside <= MOST * alone, (alone, beside)
