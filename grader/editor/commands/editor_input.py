"""Read what an editor sends in a thread of its own, so that the server notices at once that the
editor has gone.

pygls reads a message once it has handled the one before. A server that is busy with one, or that
waits for its own threads, would outlive its editor by seconds.
"""

from __future__ import annotations

import json
import os
import queue
import re
import select
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

LENGTH = re.compile(rb"^Content-Length: (\d+)\r\n$")
LOOK_AGAIN = 2.0  # seconds between two looks at a process, where the system has no pidfd


class EditorInput:
    """The messages of an editor, read ahead.

    Args:
        stream: what the editor writes to.
        end: called once, in the thread that reads, with the exit status: at the end of the
            stream, or at `exit`, which is a success only after `shutdown`.
    """

    def __init__(self, stream: BinaryIO, end: Callable[[int], object]) -> None:
        self._stream, self._end = stream, end
        self._read: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._was_shut_down = False
        threading.Thread(target=self._read_ahead, daemon=True).start()

    def readline(self) -> bytes:
        """Return the next line of a header; empty at the end."""
        return self._read.get()

    def read(self, size: int) -> bytes:
        """Return the body that a header has announced."""
        return self._read.get()

    # ---- the thread -------------------------------------------------------------------

    def _read_ahead(self) -> None:
        status, length = 0, 0
        while line := self._stream.readline():
            self._read.put(line)
            if not length and (found := LENGTH.fullmatch(line)):
                length = int(found[1])
            elif length and not line.strip():
                body, length = self._stream.read(length), 0
                if _is_call(body, "exit"):
                    status = 0 if self._was_shut_down else 1
                    break
                self._was_shut_down |= _is_call(body, "shutdown")
                self._read.put(body)
        self._end(status)
        self._read.put(b"")


def _is_call(body: bytes, method: str) -> bool:
    """Whether a message calls a method; texts of files that quote its name do not."""
    if len(body) > 1000 or method.encode() not in body:
        return False
    try:
        message = json.loads(body)
    except ValueError:
        return False  # pygls reports it
    return isinstance(message, dict) and message.get("method") == method


def end_with(pid: int | None, end: Callable[[int], object]) -> None:
    """Call ``end`` as soon as a process has ended, in a thread; never for one that is not seen
    here, as from inside a container."""
    if pid is None or not _is_alive(pid):
        return

    def wait() -> None:
        try:
            select.select([os.pidfd_open(pid)], [], [])
        except (AttributeError, OSError):  # no Linux, or an old one
            while _is_alive(pid):
                time.sleep(LOOK_AGAIN)
        end(0)

    threading.Thread(target=wait, daemon=True).start()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
