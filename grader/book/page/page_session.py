"""A session whose worker runs in this very interpreter, a step for every frame that is asked for.

What comes back takes the same way as from a process: through the worker's frames and their reader.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ...sandbox.channel import MOST_OUTPUT, Channel
from ...sandbox.deadline import Deadline
from ...sandbox.frames import BadFrame, Frame, Reader
from ...sandbox.launch import WORKER, Worker
from ...sandbox.observation import Observation
from ...sandbox.session import Session

Announce = Callable[[int, float], object]
Ended = Mapping[int, str]  # probe → ``died`` or ``hung``, where the page had to begin anew
NONCE = bytes(16)  # nobody else writes here
ABORT = "6"


def worker_module(name: str) -> Any:
    """A module of the worker, which knows its neighbours by their bare names."""
    if WORKER not in sys.path:
        sys.path.append(WORKER)
    return importlib.import_module(name)


class Printed(io.TextIOBase):
    """What learner code prints, as far as there is room."""

    def __init__(self, output: bytearray) -> None:
        self.output = output

    def write(self, text: str) -> int:
        room = max(0, MOST_OUTPUT - len(self.output))
        self.output += text[:room].encode("utf-8", "replace")[:room]
        return len(text)


class Here(Channel):
    """A channel to a worker of this interpreter."""

    def __init__(self, output: bytearray, ended: Ended, announce: Announce) -> None:
        self.worker = nobody()
        self.output = output
        self.nonce = NONCE
        self.reader = Reader(NONCE)
        self.protections: list[str] = []
        self.ended = False
        self.orders: list[Any] = []
        page = worker_module("in_page")
        self.stopped: type[Exception] = page.Ended
        self.sender = page.Kept(NONCE)
        self.steps = page.serve(lambda: self.orders.pop(0), self.sender, ended, announce)

    def send(self, value: Any) -> None:
        self.orders.append(value)

    def receive(self, deadline: Deadline) -> Frame | Observation | None:
        """The next frame, or how what comes now has ended before; None when time is up."""
        try:
            while (frame := self.reader.next()) is None:
                if deadline.left() <= 0:
                    return None
                self._step()
        except BadFrame as error:
            return Observation("garbled", {"message": str(error)}, {})
        except self.stopped as error:
            died = Observation("died", {"signal": ABORT, "code": "0"}, {})
            return died if str(error) == "died" else None
        return frame

    def _step(self) -> None:
        with (
            contextlib.redirect_stdout(Printed(self.output)),
            contextlib.redirect_stderr(Printed(self.output)),
        ):
            next(self.steps)
        for data in self.sender.frames:
            self.reader.feed(data)
        self.sender.frames.clear()

    def close(self) -> int:
        self.ended = True
        return 0


def nobody() -> Worker:
    """A worker that is no process."""
    return Worker(0, -1, -1, -1)


class PageSession(Session):
    """A session of a page.

    Args:
        ended: the probes that ended the page's worker before; they are not run.
        announce: is told which probe comes now, and how long it may take.
    """

    def __init__(self, ended: Ended, announce: Announce, *rest: Any, **named: Any) -> None:
        super().__init__(*rest, **named)
        self.before, self.announce = ended, announce

    def _open(self, worker: Worker) -> Channel:
        return Here(self.output, self.before, self.announce)
