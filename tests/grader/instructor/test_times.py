"""When something was handed in: a log of the platform counts before the learner's own word."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from grader.errors import WrongUse  # noqa: E402
from grader.nbgrader.bench import times_in  # noqa: E402


def test_a_log_of_the_platform_names_learners_and_times(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = ("learner,time,more", "ada,2026-03-01 12:00:00 UTC,x", "bo,2026-03-02 00:30:00 +02:00,")
    path.write_text("\n".join(rows))
    found = times_in(str(path))
    assert {name: f"{time:%d %H:%M}" for name, time in found.items()} == {
        "ada": "01 12:00", "bo": "01 22:30",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["learner\nada\n", "learner,time\nada,soon\n", "time\nx\n"])
def test_a_log_that_is_none_is_wrong_use(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(WrongUse, match="log.csv"):
        times_in(str(path))
    with pytest.raises(WrongUse, match="no-log.csv"):
        times_in(str(tmp_path / "no-log.csv"))
