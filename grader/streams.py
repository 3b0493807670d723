"""The standard streams: there, whatever was closed; honest, where what was said got lost.

Closed by whoever started us (``>&-``), a stream is like /dev/null: nobody wants to listen. A
stream that is there and cannot be written to is another matter: a report that nobody can read is
no success.
"""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False  # `typing` would be imported for one name
if TYPE_CHECKING:
    from typing import Any

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
