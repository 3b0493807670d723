"""Prepare the standard streams: reopen closed ones, detect lost output, fold lines.

A stream that our parent closed (``>&-``) is like /dev/null: no output is wanted. If a stream is
open but cannot be written to, the report is lost, and the command has failed. On a narrow terminal
lines are folded at spaces.
"""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False  # `typing` would be imported for one name
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TextIO

WAYS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
NARROW = 80  # columns; on wider terminals nothing is folded


class CheckedWriter(io.FileIO):
    """The raw file below a stream that is no terminal; it remembers a failed write.

    Args:
        mute: whether a failed write does not raise: for stderr, where errors would be printed.
    """

    error: OSError | None = None

    def __init__(self, fd: int, mute: bool) -> None:
        super().__init__(fd, "w", closefd=False)
        self.mute = mute

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            self.error = error
            if not self.mute:
                raise
            return memoryview(data).nbytes


def ensure_standard_streams() -> None:
    """Make sure that descriptors 0, 1 and 2 are open: the next pipe would get their numbers."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(fd, True)
        os.close(fd)
        for fd, (name, mode) in enumerate(WAYS):
            if getattr(sys, name) is None:
                stream = open(fd, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (it stays)
                setattr(sys, name, stream)
    for fd, (name, _) in enumerate(WAYS[1:], 1):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):  # anything else was put there on purpose
            stream.reconfigure(errors="replace")  # a terminal may not know ✗, or a name
            if not stream.isatty():
                setattr(sys, name, _watched(fd, stream))


def _watched(fd: int, stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Return the same stream above a `CheckedWriter`, which notices lost output."""
    place = io.BufferedWriter(CheckedWriter(fd, mute=fd == 2))
    at_once = fd == 2 or stream.line_buffering
    return io.TextIOWrapper(place, stream.encoding, "replace", None, at_once, stream.write_through)


def find_narrow_streams(always: bool) -> list[str]:
    """Return the standard streams on a narrow terminal; with ``always``, on any terminal."""
    streams = ((name, getattr(sys, name)) for name in ("stdout", "stderr"))
    return [n for n, s in streams if s.isatty() and (always or columns(s) < NARROW)]


def columns(stream: object) -> int:
    """Return a terminal's width in columns; 80 if it is not known."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return 80


def flush_output() -> OSError | None:
    """Flush standard output; return the error by which any of it was lost, else None.

    After an error the stream goes to /dev/null, so that Python does not try again at its end.
    """
    error: OSError | None = None
    try:
        sys.stdout.flush()
    except OSError as failed:
        error = failed
    except ValueError:  # it was closed
        pass
    place = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(place, CheckedWriter):
        error, place.error = place.error, None
    if error is not None:
        silence()
    return error


def silence() -> None:
    """Redirect standard output to /dev/null."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    except OSError:
        pass


def describe_write_error(error: OSError) -> str:
    """Describe a lost report; empty if its reader has just closed the pipe."""
    if error.errno == errno.EPIPE:
        return ""
    return (
        f"what it had to say could not be written: {error.strerror}. "
        "Make room, or let it write somewhere else."
    )


def describe_os_error(error: OSError) -> str | None:
    """Describe an error that is the machine's fault; None if it may be ours."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "this machine lets it open too few files at once. Allow more: `ulimit -n 1024`."
    if error.errno == errno.EAGAIN and not error.filename:
        return "this machine lets it start no further process. End some, or ask for more."
    if flush_output() is not None or error.errno == errno.EPIPE:
        return describe_write_error(error)
    return None


# ---- a narrow terminal -------------------------------------------------------------------------

ESCAPE = "\x1b"
# Colours, the two ends of a link, spaces, words.
PIECE = r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;;[^\x1b]*\x1b\\|\s+|[^\s\x1b]+|\x1b"
MOST_INDENT = 0.3  # of the width; a larger indent would leave too little room


def fold(names: Iterable[str]) -> None:
    """Fold the lines that are written to these standard streams."""
    for name in names:
        setattr(sys, name, Folded(getattr(sys, name)))


class Folded:
    """A stream to a terminal that folds wide lines. The width is measured at each write.

    Everything else is delegated to the stream.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._used = 0  # columns of the last line so far
        self._indent = ""

    def write(self, text: str) -> int:
        width = columns(self._stream)
        if width >= NARROW:
            self._used = 0
            return self._stream.write(text)
        if text.startswith("\r"):  # a progress line that is overwritten
            self._stream.write("\r" + fold_line(text[1:], width - 1)[0])
            return len(text)
        for number, line in enumerate(text.expandtabs().split("\n")):
            if number:
                self._stream.write("\n")
                self._used = 0
            if line:
                self._add(line, width)
        return len(text)

    def _add(self, text: str, width: int) -> None:
        if not self._used:
            self._indent = " " * min(len(text) - len(text.lstrip(" ")), int(MOST_INDENT * width))
        lines = fold_line(text, width, self._used, self._indent)
        self._used = text_width(lines[-1]) + (self._used if len(lines) == 1 else 0)
        self._stream.write("\n".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def text_width(text: str) -> int:
    """Return the columns that a text takes: colours and links none, wide characters two."""
    if ESCAPE in text:
        text = "".join(piece for piece in _pieces(text) if piece[0] != ESCAPE)
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def fold_line(text: str, width: int, used: int = 0, indent: str = "") -> list[str]:
    """Fold a line into several, none wider than ``width`` columns.

    Args:
        used: columns that are taken on the first line.
        indent: put before the others.
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if used + text_width(piece) > width and piece.isspace():
            used = width  # drop spaces at the end of a line; the next piece begins a new one
            continue
        if used + text_width(piece) > width and used > len(indent):
            lines.append(line.rstrip(" "))
            line, used = indent, len(indent)
        while used + text_width(piece) > width:  # a whole line is too narrow for it
            head = _head(piece, width - used)
            lines.append(line + head)
            piece, line, used = piece[len(head) :], indent, len(indent)
        line += piece
        used += text_width(piece)
    return [*lines, line]


def _pieces(text: str) -> list[str]:
    import re  # not before the worker is on its way

    found: list[str] = re.findall(PIECE, text)
    return found


def _head(piece: str, most: int) -> str:
    """Return as many letters as fit into ``most`` columns, at least one."""
    count = 1
    while count < len(piece) and text_width(piece[: count + 1]) <= most:
        count += 1
    return piece[:count]
