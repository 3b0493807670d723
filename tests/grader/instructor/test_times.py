"""A platform's log decides the submission time; the learner's own word counts only without one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from grader.classroom.nbgrader.hooks import (  # noqa: E402
    LOG,
    TIME,
    find_arrival,
    mend_submissions,  # noqa: E402
    read_arrival_log,
    read_time_file,
)
from grader.errors import WrongUse  # noqa: E402


def test_a_log_of_the_platform_names_learners_and_times(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = ("learner,time,more", "ada,2026-03-01 12:00:00 UTC,x", "bo,2026-03-02 00:30:00 +02:00,")
    path.write_text("\n".join(rows))
    found = read_arrival_log(str(path))
    assert {name: f"{time:%d %H:%M}" for name, time in found.items()} == {
        "ada": "01 12:00", "bo": "01 22:30",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["learner\nada\n", "learner,time\nada,soon\n", "time\nx\n"])
def test_a_log_that_is_none_is_wrong_use(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(WrongUse, match="log.csv"):
        read_arrival_log(str(path))
    with pytest.raises(WrongUse, match="no-log.csv"):
        read_arrival_log(str(tmp_path / "no-log.csv"))


def test_a_log_may_say_for_which_assignment(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "learner,assignment,time\nada,chapter3,2026-03-01\nada,chapter4,2026-04-01\n"
        "bo,,2026-05-01\n"
    )
    found = read_arrival_log(str(path), "chapter4")
    assert {name: time.month for name, time in found.items()} == {"ada": 4, "bo": 5}


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    place = tmp_path / "submitted" / "ada" / "chapter3"
    place.mkdir(parents=True)
    (place / TIME).write_text("2020-01-01 00:00:00 UTC")
    return place


def test_the_log_beside_the_settings_is_what_nbgrader_then_reads(
    submission: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (submission.parents[2] / LOG).write_text("learner,time\nada,2026-03-01 12:00:00 UTC\n")
    mend_submissions([str(submission / "chapter3.ipynb")])
    assert (submission / TIME).read_text().strip() == "2026-03-01 12:00:00 UTC"
    came = find_arrival(str(submission))
    assert came is not None and came.is_logged and TIME not in str(came)
    assert "can write" not in capsys.readouterr().err
    (aside,) = submission.glob(f"{TIME}?*")
    assert aside.read_text() == "2020-01-01 00:00:00 UTC"


def test_without_a_log_it_is_said_whose_word_it_is(
    submission: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mend_submissions([str(submission / "chapter3.ipynb")])
    assert (submission / TIME).read_text() == "2020-01-01 00:00:00 UTC"
    assert "by its own timestamp.txt, which its learner can write" in capsys.readouterr().err
    assert "which its learner can write" in str(find_arrival(str(submission)))


def test_a_log_that_cannot_be_read_ends_the_run(submission: Path) -> None:
    """nbgrader swallows a hook's exceptions and would then use the learner's word."""
    (submission.parents[2] / LOG).write_text("learner,time\nada,soon\n")
    with pytest.raises(SystemExit):
        mend_submissions([str(submission / "chapter3.ipynb")])


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "no text"])
def test_a_time_that_is_no_file_is_none(kind: str, tmp_path: Path) -> None:
    """A pipe that nobody writes to would hold up the class."""
    path = tmp_path / "timestamp.txt"
    (tmp_path / "real").write_text("2026-03-01 12:00:00 UTC")
    assert read_time_file(str(tmp_path / "real")) is not None
    make = {
        "pipe": os.mkfifo, "link": lambda p: p.symlink_to(tmp_path / "real"),
        "folder": os.mkdir, "no text": lambda p: p.write_bytes(b"\xff\xfe"),
    }  # fmt: skip
    make[kind](path)
    assert read_time_file(str(path)) is None
