"""Files are replaced whole or not at all; a lock is waited for as its taker asks."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import threading
from pathlib import Path

import pytest

from grader import disk
from grader.commands.exercise import _put_back
from grader.disk import FOR_EVER, PRIVATE, hold_lock, replace_file


def test_a_file_holds_its_pieces_and_nothing_is_left_beside(tmp_path):
    path = tmp_path / "x"
    replace_file(str(path), b"an earlier", b" text")
    replace_file(str(path), b"one", b" two", is_synced=True)
    assert path.read_bytes() == b"one two" and os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize(("opener", "mode"), [(None, 0o640), (PRIVATE, 0o600)])
def test_the_opener_says_who_may_read(opener, mode, tmp_path):
    before = os.umask(0o027)
    try:
        replace_file(str(tmp_path / "x"), b"", opener=opener)
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == mode


def test_a_link_is_replaced_and_not_followed(tmp_path):
    theirs, path = tmp_path / "theirs", tmp_path / "x"
    theirs.write_bytes(b"theirs")
    path.symlink_to(theirs)
    replace_file(str(path), b"mine")
    assert theirs.read_bytes() == b"theirs" and path.read_bytes() == b"mine"
    assert not path.is_symlink()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_put_back_is_never_open_to_more(mode, tmp_path, monkeypatch):
    path, renamed, seen = tmp_path / "x", os.replace, []

    def note(beside, place):
        seen.append(os.stat(beside).st_mode & 0o777)
        renamed(beside, place)

    monkeypatch.setattr(os, "replace", note)
    path.write_text("mine")
    path.chmod(mode)
    kept = _put_back(str(path), "stub")
    assert path.read_text() == "stub" and Path(kept).read_text() == "mine"
    assert path.stat().st_mode & 0o777 == mode and not any(each & ~mode for each in seen)


@pytest.mark.parametrize("trap", [os.symlink, os.link])
def test_what_waits_beside_the_place_is_not_written_into(trap, tmp_path, monkeypatch):
    theirs, path = tmp_path / "theirs", tmp_path / "x"
    theirs.write_bytes(b"theirs")
    trap(theirs, f"{path}.{os.getpid()}.7.part")
    monkeypatch.setattr(disk.time, "monotonic_ns", lambda: 7)
    with pytest.raises(FileExistsError):
        replace_file(str(path), b"mine")
    assert theirs.read_bytes() == b"theirs" and os.listdir(tmp_path) == ["theirs"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_an_interrupted_write_leaves_the_earlier_file(error, tmp_path, monkeypatch):
    def refuse(*places):
        raise error

    (tmp_path / "x").write_bytes(b"earlier")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(error):
        replace_file(str(tmp_path / "x"), b"later")
    assert (tmp_path / "x").read_bytes() == b"earlier" and os.listdir(tmp_path) == ["x"]


class Queue:
    """A clock by which every wait takes a second, and others who have the lock until then.

    Attributes:
        waits: how often somebody has waited.
    """

    def __init__(self, folder, turns, works):
        self.folder, self.turns, self.works, self.waits = folder, turns, works, 0
        self.held = os.open(folder, os.O_RDONLY)
        fcntl.flock(self.held, fcntl.LOCK_EX)

    def monotonic(self):
        return float(self.waits)

    def sleep(self, seconds):
        self.waits += 1
        if self.works:
            os.utime(self.folder, (self.waits, self.waits))  # as a file does that is replaced
        if self.waits == self.turns:
            fcntl.flock(self.held, fcntl.LOCK_UN)


@pytest.mark.parametrize(
    ("patience", "works", "waits"),
    [(5.0, True, 100), (5.0, False, 5), (0.0, True, 0), (0.0, False, 0)],
)
def test_a_lock_is_waited_for_as_long_as_its_holder_writes(
    patience, works, waits, tmp_path, monkeypatch
):
    """On a machine however busy; a holder that writes nothing is waited for so many seconds."""
    queue = Queue(tmp_path, 100, works)
    monkeypatch.setattr(disk, "time", queue)
    with hold_lock(os.open(tmp_path, os.O_RDONLY), patience) as is_locked:
        assert queue.waits == waits and is_locked is (waits == 100)
        if is_locked:
            with pytest.raises(BlockingIOError):
                fcntl.flock(queue.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(queue.held, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it is free again
    os.close(queue.held)


def test_a_lock_is_waited_for_without_end_and_says_so(tmp_path):
    met = threading.Event()

    class Told(io.StringIO):
        def write(self, text: str) -> int:
            met.set()
            return super().write(text)

    def hold() -> None:
        met.wait()
        os.close(held)

    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    holder = threading.Thread(target=hold)
    holder.start()
    fd = os.open(tmp_path, os.O_RDONLY)
    with contextlib.redirect_stderr(Told()) as told, hold_lock(fd, FOR_EVER, "Waiting.") as taken:
        assert taken
    holder.join()
    assert told.getvalue() == "Waiting.\n"


def test_without_locks_the_block_runs_and_knows_it(tmp_path, monkeypatch):
    def refuse(fd, how):
        raise OSError("No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    for patience in (0.0, 5.0, FOR_EVER):
        with hold_lock(os.open(tmp_path, os.O_RDONLY), patience) as is_locked:
            assert not is_locked
