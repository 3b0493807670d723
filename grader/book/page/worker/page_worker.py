"""Run the worker in a page, where there are no processes: in the judge's own interpreter.

There is no isolation, and none is needed: whoever writes the code reads the verdict, and it gives
no mark. But the page must get its answer. Timeouts use the interpreter's monitoring events. Where
these do not reach (an endless call into C, a crash of the interpreter) the page ends the worker
from outside, restarts it, and tells it which probes to skip.
"""

from __future__ import annotations

import gc
import sys
import time

import clock
import importer
import numpy_shim
import rules
import run
import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import CodeType
    from typing import Any

    from request import Probe, Request

monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on, as in every Pyodide
TOOL = 4  # an id for `sys.monitoring` that is not reserved by convention
PATIENT = 32  # events between two looks at the clock
WATCHED = ("/page/", "programs/")  # folders of the files in which time can run out
LOADING = -1  # the number that stands for the package's import
PROTECTIONS = ("a page of the learner's own browser",)  # as in `grader/sandbox/isolation.py`


class EventClock(clock.Clock):
    """The worker's clock by monitoring events: every call and every jump may look at the time.

    After the timeout every event raises: code that catches the first `TimeUp` and goes on is
    stopped at its next call or jump.
    """

    def __init__(self, seconds: float, idle: float | None = None) -> None:
        super().__init__(seconds, idle)
        self.left = PATIENT

    @staticmethod
    def wind() -> None:
        if monitoring.get_tool(TOOL) is None:
            monitoring.use_tool_id(TOOL, "clock")

    def __enter__(self) -> None:
        self.wind()  # the page may run code before its first check
        self.until = time.monotonic() + self.seconds
        events = monitoring.events
        for event in (events.PY_START, events.JUMP):
            monitoring.register_callback(TOOL, event, self.look)
        monitoring.set_events(TOOL, events.PY_START | events.JUMP)

    def look(self, code: CodeType, *_: object) -> object:
        if not code.co_filename.startswith(WATCHED):
            return monitoring.DISABLE
        self.left -= 1
        if self.left <= 0:
            if time.monotonic() > self.until:
                raise clock.TimeUp
            self.left = PATIENT
        return None

    def __exit__(self, *_: object) -> None:
        monitoring.set_events(TOOL, 0)


class Ended(Exception):
    """The next step ended the page's worker before; the argument is "died" or "hung"."""


class FrameBuffer(wire.Sender):
    """A sender that keeps frames, for a reader in the same process."""

    def __init__(self, nonce: bytes) -> None:
        super().__init__(-1, nonce)
        self.frames: list[bytes] = []

    def put(self, frame: bytes) -> None:
        self.frames.append(frame)


class PageProbeRunner(run.ProbeRunner):
    """Runs probes in a page; it replaces the one before it in the same interpreter."""

    clock = EventClock
    all_the_way = False  # the frames below belong to the page, and change with each step

    def __init__(
        self,
        request: Request,
        sender: wire.Sender,
        ended: Mapping[int, str],
        announce: Callable[[int, float], None],
    ) -> None:
        tidy(request["course"]["name"])
        self.has_numpy = not numpy_shim.is_needed()
        with numpy_shim.install_numpy_shim():
            super().__init__(request, sender)
        self.ended = ended  # probe → how it ended the interpreter before
        self.announce = announce  # called with a probe, and the seconds it may take

    def listen(self) -> None:
        # Without audit hooks: these could not be removed again.
        banned = self.forbidden.watcher(self.learner.folder, self.stop)

        def look_at(name: object) -> None:
            banned(name)
            if name == "numpy" and not self.has_numpy:
                raise ImportError(numpy_shim.NOT_HERE)

        importer.install(rules.Guard(look_at))

    def load(self) -> bool:
        self.begin(LOADING, self.request["import_seconds"])
        return super().load()

    def run(self, probe: Probe) -> None:
        self.begin(probe[0], probe[3])
        super().run(probe)

    def trace(self, probe: Probe) -> None:
        self.begin(probe[0], probe[3])
        super().trace(probe)

    def begin(self, number: int, seconds: float) -> None:
        if number in self.ended:
            raise Ended(self.ended[number])
        if self.reduced_timeouts:
            seconds /= run.TIMEOUT_DIVISOR
        self.announce(number, seconds)


def tidy(course: str) -> None:
    """Remove what an earlier probe runner has left in the interpreter, the learner's package
    included."""
    gc.unfreeze()
    left = (importer.TextFinder, rules.Guard)
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, left)]
    for name in [n for n in sys.modules if n.partition(".")[0] in (course, "programs")]:
        del sys.modules[name]


def serve_in_steps(
    take: Callable[[], Any],
    sender: wire.Sender,
    ended: Mapping[int, str],
    announce: Callable[[int, float], None],
) -> Iterator[None]:
    """Serve like `main.serve_learner`, as a generator: each step sends a frame or takes an
    order."""
    request = take()
    runner = PageProbeRunner(request, sender, ended, announce)
    sender.send(0, wire.HELLO, protections="\n".join(PROTECTIONS))
    yield
    take()  # the order to begin
    loaded = runner.load()
    yield
    if not loaded:
        return
    probes = {probe[0]: probe for probe in request["probes"]}
    for number in request["run"]:
        runner.run(probes[number])
        yield
    while True:
        runner.obey_order(take(), probes)
        yield
