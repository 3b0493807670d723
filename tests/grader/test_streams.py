"""The standard streams, in this process: what was lost is noticed, and what to say of it.

Lines folded to a narrow terminal: all of it is said, and nothing is wider.
"""

from __future__ import annotations

import errno
import io
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import streams
from grader.streams import (
    CheckedWriter,
    Folded,
    columns,
    describe_os_error,
    describe_write_error,
    find_narrow_streams,
    flush_output,
    fold,
    fold_line,
    text_width,
)

from .examples import SOME


@pytest.fixture
def full(tmp_path):
    """A descriptor that cannot be written to."""
    (tmp_path / "x").touch()
    fd = os.open(tmp_path / "x", os.O_RDONLY)
    yield fd
    os.close(fd)


def test_an_error_is_remembered_and_raised_where_somebody_can_be_told(full):
    loud, mute = CheckedWriter(full, mute=False), CheckedWriter(full, mute=True)
    with pytest.raises(OSError, match="Bad file"):
        loud.write(b"abc")
    assert loud.error.errno == errno.EBADF
    assert mute.write(b"abc") == 3 and mute.error.errno == errno.EBADF


def test_what_was_written_is_written(tmp_path):
    with open(tmp_path / "x", "wb") as file:
        place = CheckedWriter(file.fileno(), mute=False)
        assert place.write(b"abc") == 3 and place.error is None
    assert (tmp_path / "x").read_bytes() == b"abc"


def test_what_could_not_be_flushed_is_lost_once(full, monkeypatch):
    stream = io.TextIOWrapper(io.BufferedWriter(CheckedWriter(full, mute=True)), "utf-8")
    monkeypatch.setattr("sys.stdout", stream)
    silenced = []
    monkeypatch.setattr(streams, "silence", lambda: silenced.append(True))
    stream.write("x")
    assert flush_output().errno == errno.EBADF and silenced == [True]
    assert flush_output() is None


def test_who_has_gone_is_told_nothing_and_a_full_disk_is_said():
    assert describe_write_error(BrokenPipeError(errno.EPIPE, "x")) == ""
    assert "No space left. Make room" in describe_write_error(
        OSError(errno.ENOSPC, "No space left")
    )


@pytest.mark.parametrize(
    ("error", "says"),
    [(OSError(errno.EMFILE, "x"), "ulimit -n"), (OSError(errno.ENFILE, "x"), "ulimit -n"),
     (OSError(errno.EAGAIN, "x"), "no further process"), (BrokenPipeError(errno.EPIPE, "x"), ""),
     (OSError(errno.EAGAIN, "x", "a file"), None), (OSError(errno.ENOENT, "x"), None)],
)  # fmt: skip
def test_what_is_the_machines_is_said_as_that(error, says):
    found = describe_os_error(error)
    assert found is None if says is None else says in found


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_only_narrow_terminals_are_folded(monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr(streams, "columns", lambda stream: 80)
    assert find_narrow_streams(always=False) == [] and find_narrow_streams(always=True) == [
        "stdout"
    ]
    monkeypatch.setattr(streams, "columns", lambda stream: 79)
    assert find_narrow_streams(always=False) == ["stdout"]


def test_what_says_no_width_has_80_columns():
    assert columns(io.StringIO()) == columns(object()) == 80


TEXT = st.text("ab é漢\N{COMBINING ACUTE ACCENT}", max_size=60)


@SOME
@given(
    text=TEXT, width=st.integers(4, 30), used=st.integers(0, 4), indent=st.sampled_from(["", " "])
)
def test_no_line_is_wider_and_no_letter_is_lost(text, width, used, indent):
    lines = fold_line(text, width, used, indent)
    assert all(text_width(line) <= width for line in lines[1:])
    assert text_width(lines[0]) + used <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_line_that_fits_stays_as_it_is():
    assert fold_line("two  words", 10) == ["two  words"]
    assert fold_line("two words", 8) == ["two", "words"]
    assert fold_line("unbreakable", 4) == ["unbr", "eaka", "ble"]


def test_colours_and_links_take_no_room():
    red, link = "\x1b[31mred\x1b[0m", "\x1b]8;;file:///x\x1b\\3.2\x1b]8;;\x1b\\"
    assert text_width(red) == text_width(link) == 3
    assert text_width("漢é") == 3 and text_width("e\N{COMBINING ACUTE ACCENT}") == 1
    assert fold_line(f"{red} and", 5) == [red, "and"]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(streams, "columns", lambda stream: 10)
    return Folded(io.StringIO())


def test_what_is_written_in_pieces_is_folded_as_one_line(terminal):
    terminal.write("  one two")
    terminal.write(" three\nfour")
    assert terminal.getvalue() == "  one two\n  three\nfour"


def test_a_line_that_is_written_over_and_over_stays_one(terminal):
    terminal.write("\r12345678901234")
    assert terminal.getvalue() == "\r123456789"


def test_a_window_that_is_wide_again_gets_all_of_a_line(terminal, monkeypatch):
    monkeypatch.setattr(streams, "columns", lambda stream: 80)
    terminal.write("x" * 70)
    assert terminal.getvalue() == "x" * 70


def test_streams_are_folded_by_their_names(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr(streams, "columns", lambda stream: 4)
    fold(["stdout"])
    print("ab cd")
    assert sys.stdout.getvalue() == "ab\ncd\n"
