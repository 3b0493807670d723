"""Nothing is lost: kill -9, Ctrl-C, a full disk, two graders at once, a re-grade that fails."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import root
from grader.classroom.intake.handins import HandIn
from grader.classroom.judging import ForkServer, SubmissionJudge
from grader.classroom.marks.cohort import Cohort, digest_suites
from grader.classroom.marks.record import record_fault
from grader.classroom.marks.results import Results
from grader.errors import OurFault
from grader.learner.untrusted_files import read_json_or_none

from ..machine import enough
from .conftest import CHAPTER, records, write_package, wrong


def test_two_graders_at_once(graded, grade, tmp_path):
    with Results(str(tmp_path / "out")):
        ran = grade(str(graded.parent / "in"), "--seed", "public")
    assert ran.status == 2 and f"process {os.getpid()}" in ran.err


@pytest.mark.long
def test_a_batch_that_is_killed_goes_on_where_it_was(course, grade, tmp_path):
    for n in range(4):
        write_package(tmp_path / "in" / f"s{n}", wrong(course, ops__Exp__forward=f"return a * {n}"))
    arguments = [
        "grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "public",
        "--chapters", CHAPTER, "--jobs", "1",
    ]  # fmt: skip
    batch = subprocess.Popen(
        [sys.executable, "-m", "grader", *enough(*arguments)],
        env={**os.environ, "PYTHONPATH": root.ROOT},
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    learners = tmp_path / "out" / "learners"
    wait_for(lambda: any(learners.glob("*.json.gz")))
    batch.send_signal(signal.SIGKILL)
    batch.wait()
    wait_for(lambda: not alive_in_session(batch.pid))  # nothing of it goes on by itself
    done = {p.name: p.stat().st_mtime_ns for p in learners.iterdir() if p.name.endswith(".json.gz")}
    ran = grade(str(tmp_path / "in"))
    assert f"{len(done)} kept" in ran.out and len(records(tmp_path / "out")) == 4
    assert all((learners / name).stat().st_mtime_ns == then for name, then in done.items())


def alive_in_session(leader: int) -> list[str]:
    """The processes that a batch started, and that are still running."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = place.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.append(place.parent.name)
    return found


@pytest.mark.long
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(course, tmp_path):
    for n in range(60):  # more than are done before this process has its turn again
        write_package(tmp_path / "in" / f"s{n}", {**course.stubs(), "ops.py": f"a = {n}"})
    batch = subprocess.Popen(
        [sys.executable, "-m", "grader",
         *enough("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seed", "public",
                 "--chapters", CHAPTER, "--jobs", "1")],
        env={**os.environ, "PYTHONPATH": root.ROOT}, stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    learners = tmp_path / "out" / "learners"
    wait_for(lambda: any(learners.glob("*.json.gz")))
    os.killpg(batch.pid, signal.SIGINT)
    _, said = batch.communicate(timeout=300)
    assert batch.returncode == 130 and "the same command goes on from there" in said
    assert "Traceback" not in said
    for path in learners.iterdir():
        assert read_json_or_none(str(path))["status"] == "graded"


def wait_for(happened) -> None:
    deadline = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(graded, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    (tmp_path / "out" / "learners" / "mo.json.gz").unlink()
    kept = {p.name: p.read_bytes() for p in (tmp_path / "out" / "learners").iterdir()}
    room = min(map(len, kept.values())) // 2
    arguments = "grade", str(graded.parent / "in"), "--out", str(tmp_path / "out"), "--jobs", "1"
    done = subprocess.run(
        [sys.executable, "-m", "grader", *enough(*arguments)],
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )  # fmt: skip
    assert done.returncode == 2 and "could not be written" in done.stderr
    assert "Traceback" not in done.stderr
    there = {p.name: p.read_bytes() for p in (tmp_path / "out" / "learners").iterdir()}
    assert there == kept


def test_a_failed_regrade_keeps_the_earlier_result(graded, grade, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    (tmp_path / "in" / "ada").mkdir(parents=True)
    grade(str(tmp_path / "in"))
    row = records(tmp_path / "out")["ada"]
    assert row["status"] == "graded" and row["mark"] > 0 and "Kept from before" in row["says"]
    assert grade(str(tmp_path / "in"), "--again").status == 0
    assert records(tmp_path / "out")["ada"]["mark"] == row["mark"]


def test_the_lock_dies_with_its_holder(tmp_path: Path):
    with Results(str(tmp_path)):
        pass
    with open(tmp_path / ".lock") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_worker_that_never_starts_costs_nobody_a_mark(graded, monkeypatch):
    batch = Results(str(graded)).batch
    path = str(graded / "answers.key")
    cohort = Cohort(path, digest_suites(path), batch["chapters"], "own", None)
    judge = SubmissionJudge(cohort)

    def never(self):
        raise OurFault("A worker did not start.")

    monkeypatch.setattr(ForkServer, "fork", never)
    ada = HandIn("ada", str(graded.parent / "in" / "ada"))
    record = judge.record(ada, None)
    assert (record["status"], record["mark"]) == ("our_fault", None)
    assert record["says"] == "A worker did not start."
    earlier = read_json_or_none(str(graded / "learners" / "ada.json.gz"))
    stays = judge.record(ada, {**earlier, "sha256": "0" * 64})
    assert stays["mark"] == earlier["mark"] and "Kept from before" in stays["says"]


def test_what_is_the_fault_of_the_grader_is_no_zero():
    head = {"learner": "x", "submission": "/x", "status": "our_fault"}
    record = record_fault(head, "a worker did not start.", None)
    assert record["mark"] is None and record["status"] == "our_fault"
    earlier = {"status": "graded", "result": {}, "mark": 7, "sha256": "1"}
    assert record_fault(head, "…", earlier)["mark"] == 7
