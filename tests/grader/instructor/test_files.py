"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import as_json, as_packed, read_json, unwritten, write_whole
from grader.errors import WrongUse, plain

from ..examples import SOME

TEXT = st.text(max_size=5).map(plain)  # what would steer a terminal is not read back
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


@SOME
@given(value=VALUES)
def test_what_is_written_is_read_packed_or_not(value, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "x.json"
    for pack in (as_json, as_packed):
        path.write_bytes(pack(value))
        assert read_json(str(path)) == value
        assert pack(value) == pack(value)  # the same bytes whenever it is made


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", gzip.compress(b"{}", mtime=0)[:-3], b"\x1f\x8bnonsense"]
)
def test_what_is_damaged_is_nothing(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    assert read_json(str(tmp_path / "x")) is None and read_json(str(tmp_path / "none")) is None


def test_folders_are_made_and_nothing_is_left_beside(tmp_path):
    path = tmp_path / "a" / "b" / "x"
    write_whole(str(path), b"one", mode=0o600)
    write_whole(str(path), b"two", mode=0o600)
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
    told = str(unwritten("/x", OSError(errno.EIO, "Input/output error")))
    assert told.startswith("/x could not be written (Input/output error). Mend that")
