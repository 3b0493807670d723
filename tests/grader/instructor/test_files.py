"""Files that are there whole or not at all, rows for a spreadsheet that runs nothing, and text for
a line that steers nothing.
"""

from __future__ import annotations

import csv
import errno
import gzip
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.files import (
    FORMULA,
    as_json,
    as_packed,
    csv_text,
    neutral,
    one_line,
    os_safe,
    read_json,
    unwritten,
    write_whole,
)
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


@SOME
@given(rows=st.lists(st.lists(st.text('ab,"=+-@ \n', max_size=8), min_size=2, max_size=2)))
def test_a_reader_of_csv_gets_every_cell_back(rows):
    found = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    assert found == [[neutral(cell) for cell in row] for row in rows]


@SOME
@given(text=st.text(max_size=20))
def test_no_text_is_a_formula(text):
    found = neutral(text)
    assert not found.strip("-") or not found.lstrip(" ").startswith(FORMULA)


def test_numbers_and_nothing_stay_what_they_are():
    assert neutral(-1.5) == -1.5 and neutral(None) == "" and neutral("-") == "-"
    assert neutral(" =1+1") == "' =1+1" and neutral("plain") == "plain"


@SOME
@given(text=st.text(max_size=40), most=st.integers(1, 20))
def test_one_line_is_one_printable_line_of_bounded_length(text, most):
    found = one_line(text, most)
    assert found.isprintable() and len(found) <= most


@pytest.mark.parametrize("name", [b"\xff.py", "é".encode(), b"plain"])
def test_names_that_are_no_utf8_can_be_written_to_a_file(name):
    shown = os_safe(name.decode("utf-8", "surrogateescape"))
    assert shown == name.decode("utf-8", "replace") and shown.encode()
