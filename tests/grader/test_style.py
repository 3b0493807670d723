"""Colour and wrapping: nothing is wider than it has to be, and what is copied stays whole."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from grader.learner.wording import Style

from .examples import SOME

WORDS = st.lists(st.text("abcé", min_size=1, max_size=12), max_size=20)


@SOME
@given(words=WORDS, width=st.integers(5, 60))
def test_no_word_is_lost_and_no_line_longer_than_its_longest_word(words, width):
    text = " ".join(words)
    lines = Style(False, width).wrap(text, "  ", "> ")
    assert " ".join(" ".join(lines).removeprefix(">").split()) == " ".join(text.split())
    for line in lines:
        whole = "`" in line
        assert whole or len(line) <= max(width, 2 + max(map(len, words)))
    assert all(line.startswith("  ") for line in lines[1:])


def test_what_stands_between_backquotes_is_not_broken_where_it_fits():
    lines = Style(False, 24).wrap("say it with `grader check x.y` now")
    assert "`grader check x.y`" in lines[1]
    assert len(Style(False, 12).wrap("`grader check x.y`")) == 2


def test_nothing_to_say_is_no_line():
    assert Style(False, 80).wrap("   ") == []


def test_only_a_stream_with_colour_is_painted():
    assert Style(True, 80).paint("red", "x") == "\x1b[31mx\x1b[0m"
    assert Style(False, 80).paint("red", "x") == Style(True, 80).paint("", "x") == "x"
    assert not Style.of(io.StringIO()).colour and Style.of(io.StringIO()).width == 80


def test_a_link_needs_colour_a_book_and_room():
    there = Style(True, 80, "file:///book/").link("3.2", "a.html")
    assert there == "\x1b]8;;file:///book/a.html\x1b\\3.2\x1b]8;;\x1b\\"
    for style in (Style(True, 80), Style(False, 80, "b"), Style(True, 59, "b")):
        assert style.link("3.2", "a.html") == "3.2"
    assert Style(True, 59).narrow and not Style(True, 60).narrow


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_colour_unless_it_is_asked_not_to(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Style.of(Terminal()).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Style.of(Terminal()).colour
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not Style.of(Terminal()).colour
