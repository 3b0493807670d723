"""Files are there whole or not at all, and closed to others."""

from __future__ import annotations

import errno
import os

import pytest

from grader.errors import WrongUse
from grader.learner.file_writer import describe_disk_error, write_whole


def test_folders_are_made_and_nothing_is_left_beside(tmp_path):
    path = tmp_path / "a" / "b" / "x"
    write_whole(str(path), b"one", "owner")
    write_whole(str(path), b"two", "owner")
    assert path.read_bytes() == b"two" and path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == ["x"]


def test_where_the_disk_takes_nothing_the_earlier_file_stays(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_bytes(b"earlier")

    def full(fd):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WrongUse, match="The disk is full. Make room"):
        write_whole(str(path), b"later")
    assert path.read_bytes() == b"earlier" and os.listdir(tmp_path) == ["x"]


def test_what_is_no_known_trouble_is_said_in_the_systems_words():
    told = str(describe_disk_error("/x", OSError(errno.EIO, "Input/output error")))
    assert told.startswith("/x could not be written (Input/output error). Mend that")
