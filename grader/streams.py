"""The standard streams: there, whatever was closed; honest, where what was said got lost.

Closed by whoever started us (``>&-``), a stream is like /dev/null: nobody wants to listen. A
stream that is there and cannot be written to is another matter: a report that nobody can read is
no success. On a narrow terminal lines are folded at their spaces.
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
NARROW = 80  # columns; from there on what is said fits as it is


class Written(io.FileIO):
    """What a stream that is no terminal is written to; it remembers what went wrong.

    Args:
        mute: whether that is kept to itself: where errors cannot be told, nobody is left to tell.
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


def prepare() -> None:
    """See to it that 0, 1 and 2 are streams: else the next pipe would take their place."""
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
        if isinstance(stream, io.TextIOWrapper):  # anything else is where somebody put it
            stream.reconfigure(errors="replace")  # a terminal may not know ✗, or a name
            if not stream.isatty():
                setattr(sys, name, _watched(fd, stream))


def _watched(fd: int, stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream; what is written to it and gets lost is noticed."""
    place = io.BufferedWriter(Written(fd, mute=fd == 2))
    at_once = fd == 2 or stream.line_buffering
    return io.TextIOWrapper(place, stream.encoding, "replace", None, at_once, stream.write_through)


def to_fold(always: bool) -> list[str]:
    """The standard streams whose terminal is narrow, or (``always``) may become so."""
    streams = ((name, getattr(sys, name)) for name in ("stdout", "stderr"))
    return [n for n, s in streams if s.isatty() and (always or columns(s) < NARROW)]


def columns(stream: object) -> int:
    """How wide a terminal is; 80 where it does not say."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return 80


def flush_output() -> OSError | None:
    """Write what is still to be written to standard output; what kept any of it from being so.

    From then on that stream leads nowhere, so that Python does not try again at its end.
    """
    error: OSError | None = None
    try:
        sys.stdout.flush()
    except OSError as failed:
        error = failed
    except ValueError:  # closed by somebody
        pass
    place = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(place, Written):
        error, place.error = place.error, None
    if error is not None:
        silence()
    return error


def silence() -> None:
    """Let standard output lead nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    except OSError:
        pass


def unwritten(error: OSError) -> str:
    """What to say of a report that was lost; nothing where its reader has simply gone."""
    if error.errno == errno.EPIPE:
        return ""
    return (
        f"what it had to say could not be written: {error.strerror}. "
        "Make room, or let it write somewhere else."
    )


def beyond_us(error: OSError) -> str | None:
    """What to say of an error that is the machine's; None where it is not known to be."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "this machine lets it open too few files at once. Allow more: `ulimit -n 1024`."
    if error.errno == errno.EAGAIN and not error.filename:
        return "this machine lets it start no further process. End some, or ask for more."
    if flush_output() is not None or error.errno == errno.EPIPE:
        return unwritten(error)
    return None


# ---- a narrow terminal -------------------------------------------------------------------------

ESCAPE = "\x1b"
# Colours, the two ends of a link, spaces, words.
PIECE = r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;;[^\x1b]*\x1b\\|\s+|[^\s\x1b]+|\x1b"
MOST_INDENT = 0.3  # of the width: further in there would be room for nothing


def fold(names: Iterable[str]) -> None:
    """Fold what is said on these standard streams."""
    for name in names:
        setattr(sys, name, Folded(getattr(sys, name)))


class Folded:
    """A terminal on which no line is wider than it is; measured at every turn, as windows change.

    All else about it is the stream's own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._used = 0  # columns of the last line, which is not ended yet
        self._indent = ""

    def write(self, text: str) -> int:
        width = columns(self._stream)
        if width >= NARROW:
            self._used = 0
            return self._stream.write(text)
        if text.startswith("\r"):  # a line that is written over and over
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
        self._used = wide(lines[-1]) + (self._used if len(lines) == 1 else 0)
        self._stream.write("\n".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def wide(text: str) -> int:
    """The columns that a text takes; colours and links take none."""
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
    """One line as several, none wider than ``width``.

    Args:
        used: columns that are taken on the first line.
        indent: what the others begin with.
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if used + wide(piece) > width and piece.isspace():
            used = width  # nobody sees it at the end of a line; what follows begins a new one
            continue
        if used + wide(piece) > width and used > len(indent):
            lines.append(line.rstrip(" "))
            line, used = indent, len(indent)
        while used + wide(piece) > width:  # a whole line is too narrow for it
            head = _head(piece, width - used)
            lines.append(line + head)
            piece, line, used = piece[len(head) :], indent, len(indent)
        line += piece
        used += wide(piece)
    return [*lines, line]


def _pieces(text: str) -> list[str]:
    import re  # not before the worker is on its way

    found: list[str] = re.findall(PIECE, text)
    return found


def _head(piece: str, room: int) -> str:
    """As many letters as there is room for, and at least one."""
    count = 1
    while count < len(piece) and wide(piece[: count + 1]) <= room:
        count += 1
    return piece[:count]
