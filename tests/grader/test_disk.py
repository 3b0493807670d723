"""Files are replaced whole or not at all."""

from __future__ import annotations

import os

import pytest

from grader import disk
from grader.disk import PRIVATE, replace_file


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
