"""`grader watch [NAME …]`: check again after each save, until q is pressed; `grader lsp`: show
faults in the learner's editor after each save.

File events come from `watchfiles`, in a thread, and only trigger a look. What has changed is found
by reading the package, so that it does not matter how an editor saves.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Iterator
from typing import Any

from ... import interrupt
from ...commands import NAMES, PACKAGE, command, extra, flag
from ...course import package
from ...errors import OurFault, WrongUse, safe_text
from ...learner import selection
from ...sandbox.launch import ForkServer, require_numpy
from ..screen import Lines, Screen
from ..watch_session import JudgedBatch, WatchSession


@command(
    "watch",
    NAMES,
    PACKAGE,
    flag("--lines", "for an editor: print a line per mistake after each save"),
)
def run_watch(options: argparse.Namespace) -> int:
    """Watch and judge; exit status 0 if all watched exercises are passed in the end."""
    folder = package.find_package_folder(options.package)
    screen = Lines() if options.lines else Screen()
    interrupt.handle_signals(signal.SIGTERM, signal.SIGHUP)  # so that the terminal is put back
    events, key = Events(folder), selection.key_for(folder)
    with events:
        require_numpy()  # raises if NumPy is missing
        with ForkServer(restarts=True) as warm:
            session = WatchSession(key, folder, options.names, warm)
            _rounds(session, screen, session.all())
            while (event := events.next()) != "q":
                _react(session, screen, event)
    return 0 if session.next() is None else 1


def _react(session: WatchSession, screen: Screen, event: str) -> None:
    """Handle an event: a save, or a key."""
    if event == "save":
        _rounds(session, screen, session.saved())
    elif event in ("c", "a"):
        _rounds(session, screen, session.all())
    elif event == "h":
        screen.hint(session)
    elif event == "l":
        screen.list(session)
        screen.foot(session)
    elif event == "n":
        id = session.go_on()
        if id is not None:
            screen.card(session, id)
        screen.foot(session)


def _rounds(session: WatchSession, screen: Screen, rounds: Iterator[JudgedBatch]) -> None:
    """Show one batch after the other; errors are shown, and the watch goes on."""
    shown = False
    try:
        for found in rounds:
            screen.round(session, found)
            shown = True
            if session.note:
                screen.show([session.note], clear=False)
    except (WrongUse, OurFault) as error:
        screen.show([safe_text(str(error))], clear=not shown)
        shown = True
    if shown:
        screen.foot(session)


@command("lsp", flag("--stdio", "use standard input and output (it always does)"))
def run_lsp(options: argparse.Namespace) -> int:
    """Serve one editor until it goes. Standard output is the protocol's: all else is for errors."""
    with extra("editor", "lsp needs what speaks to editors"):
        from .language_server import Server
    sys.stdout.flush()
    with os.fdopen(os.dup(0), "rb") as ours, os.fdopen(os.dup(1), "wb") as theirs:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        Server().serve(ours, theirs)
    return 0


# ---- events ------------------------------------------------------------------------------------

SETTLED = 5  # milliseconds without a further event after which a save is taken to be whole
MOST_WAIT = 50  # … but no longer than this
LOOK_AGAIN = 500  # a folder that was replaced is looked at once more when it is watched again
ESCAPE = b"\x1b"


class Events:
    """Delivers saves and keys, one at a time; a context manager that restores the terminal."""

    def __init__(self, package: str) -> None:
        with extra("watch", "watch needs file events"):
            import watchfiles
        self._watchfiles = watchfiles
        self.package = package
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._write_end, False)
        self._keys = Keys()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Events:
        try:
            with interrupt.deferred():
                self._keys.begin()
            self._thread.start()
        except BaseException:
            self._keys.end()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._keys.end()
        self._stop.set()
        self._thread.join(1.0)

    def next(self) -> str:
        """Wait for the next event: ``save`` or a key; an empty text for keys without meaning.

        Raises:
            WrongUse: files cannot be watched here.
        """
        ready = interrupt.wait_for([self._read_end, *self._keys.files])
        if self._error is not None:
            raise WrongUse(f"Files cannot be watched here: {self._error}.") from self._error
        if self._read_end in ready:
            os.read(self._read_end, 1 << 12)
            return "save"
        return self._keys.read() if ready else ""

    # ---- the thread -------------------------------------------------------------------

    def _watch(self) -> None:
        try:
            while not self._stop.is_set():
                self._watch_these(self._folders())
        except BaseException as error:
            self._error = error
            self._say()

    def _watch_these(self, folders: set[str]) -> None:
        """Watch until the folders change: a watch follows a folder itself, not its name."""
        looked = False
        try:
            for changes in self._watchfiles.watch(
                *folders, recursive=False, watch_filter=self._counts, step=SETTLED,
                debounce=MOST_WAIT, stop_event=self._stop, rust_timeout=LOOK_AGAIN,
                yield_on_timeout=True, raise_interrupt=False,
            ):  # fmt: skip
                if looked and not changes:
                    continue
                # Report once without changes: something may have changed before the watch began.
                looked = True
                self._say()
                is_replaced = any(path in folders for _, path in changes)
                if self._folders() != folders or is_replaced:
                    return
        except FileNotFoundError:
            pass  # deleted before the watch began

    def _folders(self) -> set[str]:
        """Return the package's folder, those in it, and its parent."""
        found = {os.path.dirname(self.package)}
        for base, inner, _ in os.walk(self.package):
            inner[:] = [name for name in inner if name != "__pycache__" and name[0] != "."]
            found.add(base)
        return found

    def _counts(self, change: object, path: str) -> bool:
        inside = path.startswith(self.package + os.sep)
        return path == self.package or (inside and "." not in os.path.basename(path)) or (
            inside and path.endswith(".py")
        )  # fmt: skip

    def _say(self) -> None:
        try:
            os.write(self._write_end, b"!")
        except BlockingIOError:
            pass  # the pipe is full: it is readable already


class Keys:
    """Reads single keys from a terminal, or characters from a pipe."""

    def __init__(self) -> None:
        self.files: list[int] = []
        self._fd = -1
        self._before: Any = None

    def begin(self) -> None:
        """Read keys without Enter, if standard input is a terminal and we are in the foreground."""
        try:
            fd = sys.stdin.fileno()
        except (AttributeError, OSError, ValueError):
            return
        if os.isatty(fd):
            if not _in_front(fd):
                return  # in the background the keys are not for us
            self._fd, self._before = fd, termios.tcgetattr(fd)
            interrupt.cleanups.append(self.end)
            self._without_enter()
            signal.signal(signal.SIGCONT, lambda *_: self._without_enter())
        self.files = [fd]

    def _without_enter(self) -> None:
        # TCSANOW: waiting for output to drain would hang if nobody reads it any more.
        tty.setcbreak(self._fd, termios.TCSANOW)

    def end(self) -> None:
        """Restore the terminal."""
        if self._before is not None:
            with interrupt.deferred():
                signal.signal(signal.SIGCONT, signal.SIG_DFL)
                termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
                self._before = None
                interrupt.cleanups.remove(self.end)

    def read(self) -> str:
        """Read a key; empty for arrows and the like. At the end of a terminal's input it is "q"."""
        data = os.read(self.files[0], 1)
        if not data:
            terminal, self.files = self._before is not None, []
            return "q" if terminal else ""
        while data[:1] == ESCAPE:
            data = self._after_escape()
        return data.decode("ascii", "ignore").lower().strip()

    def _after_escape(self) -> bytes:
        """Skip the rest of an escape sequence, and no more: the next key may be there already.
        After a single Esc, return the next key. An arrow key sends ``ESC [ A``."""
        data = self._there()
        if data == b"[":
            while (data := self._there()) and not b"@" <= data <= b"~":
                pass
        elif data == b"O":
            self._there()
        else:
            return data
        return b""

    def _there(self) -> bytes:
        """Return a byte that has arrived already, or nothing."""
        return os.read(self.files[0], 1) if select.select(self.files, [], [], 0)[0] else b""


def _in_front(terminal: int) -> bool:
    """Whether this process is in the terminal's foreground; True if that cannot be told."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return True
