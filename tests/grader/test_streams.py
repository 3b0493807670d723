"""The standard streams, in this process: what was lost is noticed, and what to say of it."""

from __future__ import annotations

import errno
import io
import os

import pytest

from grader import streams
from grader.streams import Written, beyond_us, columns, flush_output, to_fold, unwritten


@pytest.fixture
def full(tmp_path):
    """A descriptor that cannot be written to."""
    (tmp_path / "x").touch()
    fd = os.open(tmp_path / "x", os.O_RDONLY)
    yield fd
    os.close(fd)


def test_an_error_is_remembered_and_raised_where_somebody_can_be_told(full):
    loud, mute = Written(full, mute=False), Written(full, mute=True)
    with pytest.raises(OSError, match="Bad file"):
        loud.write(b"abc")
    assert loud.error.errno == errno.EBADF
    assert mute.write(b"abc") == 3 and mute.error.errno == errno.EBADF


def test_what_was_written_is_written(tmp_path):
    with open(tmp_path / "x", "wb") as file:
        place = Written(file.fileno(), mute=False)
        assert place.write(b"abc") == 3 and place.error is None
    assert (tmp_path / "x").read_bytes() == b"abc"


def test_what_could_not_be_flushed_is_lost_once(full, monkeypatch):
    stream = io.TextIOWrapper(io.BufferedWriter(Written(full, mute=True)), "utf-8")
    monkeypatch.setattr("sys.stdout", stream)
    silenced = []
    monkeypatch.setattr(streams, "silence", lambda: silenced.append(True))
    stream.write("x")
    assert flush_output().errno == errno.EBADF and silenced == [True]
    assert flush_output() is None


def test_who_has_gone_is_told_nothing_and_a_full_disk_is_said():
    assert unwritten(BrokenPipeError(errno.EPIPE, "x")) == ""
    assert "No space left. Make room" in unwritten(OSError(errno.ENOSPC, "No space left"))


@pytest.mark.parametrize(
    ("error", "says"),
    [(OSError(errno.EMFILE, "x"), "ulimit -n"), (OSError(errno.ENFILE, "x"), "ulimit -n"),
     (OSError(errno.EAGAIN, "x"), "no further process"), (BrokenPipeError(errno.EPIPE, "x"), ""),
     (OSError(errno.EAGAIN, "x", "a file"), None), (OSError(errno.ENOENT, "x"), None)],
)  # fmt: skip
def test_what_is_the_machines_is_said_as_that(error, says):
    found = beyond_us(error)
    assert found is None if says is None else says in found


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_only_narrow_terminals_are_folded(monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr(streams, "columns", lambda stream: 80)
    assert to_fold(always=False) == [] and to_fold(always=True) == ["stdout"]
    monkeypatch.setattr(streams, "columns", lambda stream: 79)
    assert to_fold(always=False) == ["stdout"]


def test_what_says_no_width_has_80_columns():
    assert columns(io.StringIO()) == columns(object()) == 80
