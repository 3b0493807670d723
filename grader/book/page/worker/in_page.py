"""The worker where there are no processes: in a page, in the interpreter of the judge itself.

What a process has for protection is missing here, and none is needed: who writes the code is who
reads the verdict, and no mark comes of it. What has to hold is that the page gets its answer. Time
is kept by the interpreter's own events; and what these do not reach (a call into C that never
ends, a fall of the whole interpreter) the page ends from outside. It begins anew then, and tells
which probes are not to be run again.
"""

from __future__ import annotations

import gc
import sys
import time

import clock
import importer
import rules
import run
import standin
import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import CodeType
    from typing import Any

    from request import Probe, Request

monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on, as in every Pyodide
TOOL = 4  # of `sys.monitoring`: the first that is nobody's by convention
PATIENT = 32  # events from one look at the clock to the next
WATCHED = ("/page/", "programs/")  # where the files lie in which time can run out
LOADING = -1  # stands for the import of the package, where a probe has a number
PROTECTIONS = ("a page of the learner's own browser",)  # as in `grader/sandbox/isolation.py`


class Clock(clock.Clock):
    """As the worker's clock, by events: every call and every jump looks at the time.

    Once it is over, each of them raises: who catches all that is raised, and goes on, is raised
    at again, outside of the `try`.
    """

    def __init__(self, seconds: float, idle: float | None = None) -> None:
        super().__init__(seconds, idle)
        self.left = PATIENT

    @staticmethod
    def wind() -> None:
        if monitoring.get_tool(TOOL) is None:
            monitoring.use_tool_id(TOOL, "clock")

    def __enter__(self) -> None:
        self.wind()  # a reader may run something before anything was checked
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
    """What comes now ended the page's worker before; how, its argument says."""


class Kept(wire.Sender):
    """Keeps frames, for a reader in the same process."""

    def __init__(self, nonce: bytes) -> None:
        super().__init__(-1, nonce)
        self.frames: list[bytes] = []

    def put(self, frame: bytes) -> None:
        self.frames.append(frame)


class Bench(run.Bench):
    """A bench among others of one interpreter; each takes the place of the one before."""

    clock = Clock
    all_the_way = False  # below a step is the page, another part each time; nobody is marked here

    def __init__(
        self,
        request: Request,
        sender: wire.Sender,
        ended: Mapping[int, str],
        announce: Callable[[int, float], None],
    ) -> None:
        tidy(request["course"]["name"])
        self.has_numpy = not standin.is_needed()
        with standin.lend():
            super().__init__(request, sender)
        self.ended = ended  # probe → how it ended the interpreter before
        self.announce = announce  # is told which probe comes now, and how long it may take

    def listen(self) -> None:
        # Not by audit hooks, which would stay for good: there is nothing here to import.
        banned = self.forbidden.watcher(self.learner.folder, self.stop)

        def look_at(name: object) -> None:
            banned(name)
            if name == "numpy" and not self.has_numpy:
                raise ImportError(standin.NOT_HERE)

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
        if self.hurry:
            seconds /= run.HURRY
        self.announce(number, seconds)


def tidy(course: str) -> None:
    """Take away what an earlier bench has left in the interpreter, the learner's package too."""
    gc.unfreeze()
    left = (importer.TextFinder, rules.Guard)
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, left)]
    for name in [n for n in sys.modules if n.partition(".")[0] in (course, "programs")]:
        del sys.modules[name]


def serve(
    take: Callable[[], Any],
    sender: wire.Sender,
    ended: Mapping[int, str],
    announce: Callable[[int, float], None],
) -> Iterator[None]:
    """As `serve` of `main`, step by step: after each there is a frame, or an order to take."""
    request = take()
    bench = Bench(request, sender, ended, announce)
    sender.send(0, wire.HELLO, protections="\n".join(PROTECTIONS))
    yield
    take()  # the word to go on
    loaded = bench.load()
    yield
    if not loaded:
        return
    probes = {probe[0]: probe for probe in request["probes"]}
    for number in request["run"]:
        bench.run(probes[number])
        yield
    while True:
        bench.obey(take(), probes)
        yield
