"""Run one learner's probes: each ends in one observation, whatever happens.

A probe that hangs or kills the worker costs the rest of its exercise; a new worker runs the
exercises after it.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import log
from ..about import COURSE
from ..errors import OurFault
from .channel import IDLE, START_SECONDS, Channel, Deadline, TimeBudget
from .isolation import (
    ANY,
    DEMANDS,
    LEVELS,
    deny_memory_access,
    level,
    missing,
    require_level,
    stays_root,
)
from .launch import Worker, stop_worker
from .observation import (
    Definition,
    Frame,
    Observation,
    Run,
    Violation,
    hung_observation,
    line_number,
    parse_definitions,
    parse_violations,
    printable,
    size_in_bytes,
    unexpected_frame,
)

if TYPE_CHECKING:
    from .worker.request import Job, Order, Request

IMPORT_SECONDS = 5.0
ALL_IMPORTS = 30.0  # seconds for the imports of one submission by all of its workers
GRACE = 1.0  # seconds past its own clock before a worker is killed
BUDGET = 60.0  # seconds for a whole run, beside the limit of its longest probe
# once a probe has run out of time, the limits of the others are divided by this
TIMEOUT_DIVISOR = 8
MOST_KEPT = 32 << 20  # bytes of all answers; right code sends less than a hundredth of it
ANSWERS = ("arrays", "raised", "complained")
MOST_ANSWERS = 1024  # to one order
PAIR = 200  # bytes of memory per function that a probe entered


class ImportTime(TimeBudget):
    """One clock for a package's imports and module-level code, over a whole run.

    Every worker imports the package anew: without it, a sleep there would be paid by each of them.
    """

    def __init__(self, seconds: float = ALL_IMPORTS) -> None:
        super().__init__(seconds)
        self.spent = 0.0  # seconds that workers took, for imports and for all else

    def grant(self, most: float = IMPORT_SECONDS) -> float:
        """Return the seconds for the next worker's import; 0 when the budget is spent."""
        return super().grant(most)


class Session:
    """Send one request and collect the answers, over as many workers as it takes."""

    def __init__(
        self,
        launch: Callable[[], Worker],
        request: Job,
        exercises: dict[int, str],
        first: Worker | None = None,
        least: str = ANY,
        imports: ImportTime | None = None,
    ) -> None:
        self.launch = launch
        self.request = request  # its ``programs`` as text, or compiled
        self.exercises = exercises  # probe number → its exercise, in the order in which they run
        self.waiting = first  # a worker that is already starting
        self.least = least  # without this isolation no learner code runs
        self.imports = imports or ImportTime()  # shared by all sessions of a run
        self.channel: Channel | None = None
        self.exclusive_with: Session | None = None  # its worker may not live beside this session's
        self.predicates = request.get("predicates", {})
        self.limits: dict[int, float] = {probe[0]: probe[3] for probe in request["probes"]}
        self.firsts = {*{exercise: n for n, exercise in reversed(exercises.items())}.values()}
        self.time = TimeBudget(BUDGET + max(self.limits.values(), default=0.0))
        self.bytes_left = MOST_KEPT
        self.reduced_timeouts = self.slept = False
        self.is_unresponsive = False
        self.protections: list[str] | None = None
        self.definitions: dict[str, Definition] = {}
        self.absent: set[str] = set()
        self.unloadable: Observation | None = None
        self.refused: list[Violation] = []
        self.observations: dict[int, Observation] = {}
        self.entered: dict[int, set[tuple[str, int]]] = {}
        self.output = bytearray()

    def run(self, arrived: Callable[[int, Observation], object] = lambda number, got: None) -> None:
        """Run every probe; call ``arrived`` with each outcome while the worker runs the next."""
        self.arrived = arrived
        self._run_probes(list(self.exercises))
        self._look_at_answers()

    def _run_probes(self, todo: list[int]) -> None:
        while todo and self.unloadable is None:
            if not self.imports.grant():
                self.unloadable = hung_observation(ALL_IMPORTS)
                return
            channel = self._start(todo)
            if self._load(channel):
                with log.timed("sandbox", "worker %d: %d probes", channel.worker.pid, len(todo)):
                    self._probe(channel, todo)
            todo = [number for number in todo if number not in self.observations]

    def load(self) -> None:
        """Import the package and run nothing: collect its definitions and the rules it breaks."""
        self._ready()

    def trace(self, numbers: list[int]) -> None:
        """Run these probes once more; record the functions that they enter."""
        channel = self._ready() if numbers else None
        if channel is None:
            return
        channel.send(numbers)
        for number in numbers:
            frame = self._receive(channel, number)
            if not isinstance(frame, Frame) or frame.kind != "traced" or frame.probe != number:
                self._end()
                return
            pairs = (line.split("\t") for line in frame.texts.get("entered", "").splitlines())
            self.entered[number] = {(p[0], line_number(p[1])) for p in pairs if p[1:2]}
            if not self._can_keep(PAIR * len(self.entered[number])):
                self.entered[number] = set()

    def ask(self, order: Order, seconds: float) -> Iterator[Frame]:
        """Send the worker a further order (see `Bench.obey`) and yield the frames it answers with.

        Args:
            seconds: for each probe of the order. One clock runs for all answers; a worker that
                missed it once is not asked again.
        """
        if self.is_unresponsive or (channel := self._ready()) is None:
            return
        log.debug("sandbox", "worker %d: once more, %s", channel.worker.pid, ", ".join(order))
        channel.send(order)
        seconds *= max(1, len(order.get("run", ())))
        deadline = Deadline(channel.worker.pid, self.time.grant(seconds + GRACE))
        for _ in range(MOST_ANSWERS):
            got = channel.receive(deadline)
            if not isinstance(got, Frame) or not self._can_keep(size_in_bytes(got)):
                break
            if got.kind == "done":
                self._took(deadline)
                return
            yield got
        self._took(deadline)
        self.is_unresponsive = True
        self._end()

    def close(self) -> Run:
        """End the worker; return everything that was collected."""
        if self.waiting is not None:
            stop_worker(self.waiting)
            self.waiting = None
        self._end()
        return self.result()

    def result(self) -> Run:
        """Return everything that was collected so far."""
        return Run(
            self.protections, self.definitions, self.absent, self.unloadable, self.observations,
            self.entered, printable(bytes(self.output)), self.refused,
        )  # fmt: skip

    # ---- predicates, where several answers are valid ----------------------------------

    def _look_at_answers(self) -> None:
        """Have the course's predicates judge answers, in a worker without learner code."""
        answers = {
            number: got for number, got in self.observations.items()
            if number in self.predicates and got.kind == "arrays"
        }  # fmt: skip
        if not answers:
            return
        from .course_code import predicate_job, read_predicate  # rarely needed

        apart = self.open_sibling(predicate_job(self.request, answers), self.exercises)
        apart.run()
        found = apart.close()
        for number in answers:
            got = found.observations.get(number) or found.unloadable or hung_observation(0.0)
            self.observations[number] = got = read_predicate(self.predicates[number], got)
            self.arrived(number, got)

    def open_sibling(self, job: Job, exercises: dict[int, str]) -> Session:
        """Create another session, whose output is none of the learner's."""
        wanted = {probe[0]: exercises[probe[0]] for probe in job["probes"]}
        return Session(self.launch, job, wanted, least=self.least)

    # ---- one worker -------------------------------------------------------------------

    def _ready(self) -> Channel | None:
        """Return a worker that waits for an order; None if the package cannot be used."""
        if self.unloadable is not None or self.channel is not None:
            return self.channel if self.unloadable is None else None
        if not self.imports.grant():
            return None
        channel = self._start([])
        return channel if self._load(channel) else None

    def _start(self, todo: list[int]) -> Channel:
        self._end()
        if self.exclusive_with is not None:
            self.exclusive_with._end()
        worker, self.waiting = self.waiting or self.launch(), None
        channel = self.channel = self._open(worker)
        request: Request = {
            **self.request, "programs": compile_programs(self.request["programs"]),
            "codes": compile_own_files(self.request), "nonce": channel.nonce, "run": todo,
            "reduced_timeouts": self.reduced_timeouts,
            "slept": self.slept, "import_seconds": self._import_seconds(), "course": COURSE.rules,
            "suffices": DEMANDS[LEVELS[-1]],
        }  # fmt: skip
        channel.send(request)
        return channel

    def _open(self, worker: Worker) -> Channel:
        return Channel(worker, self.output)

    def _load(self, channel: Channel) -> bool:
        """Read the frames before the first probe; return False if the package cannot be used."""
        hello = channel.receive(Deadline(channel.worker.pid, START_SECONDS))
        if not isinstance(hello, Frame) or hello.kind != "hello":
            said = printable(bytes(self.output)).strip()
            how = hello.kind if hello is not None else "hung"
            raise OurFault(f"a worker did not start ({how}). {said}")
        self._isolated(channel, hello.texts.get("protections", "").splitlines())
        seconds = self._import_seconds()
        deadline = Deadline(channel.worker.pid, seconds + GRACE)
        loaded = channel.receive(deadline)
        took = self._took(deadline)
        self.imports.spend(took)
        log.info(
            "sandbox", "worker %d: %s; the package: %.0f ms",
            channel.worker.pid, level(channel.protections), 1000 * took,
        )  # fmt: skip
        if not isinstance(loaded, Frame):
            self.unloadable = loaded or hung_observation(seconds)
            self._end()
            return False
        self.refused = parse_violations(loaded.texts.get("refused", ""))
        if told := loaded.texts.get("definitions"):
            self.definitions = parse_definitions(told)
        if loaded.kind == "raised":
            self.unloadable = Observation(loaded.kind, loaded.texts, {})
        elif loaded.kind == "loaded":
            self.absent = set(loaded.texts.get("absent", "").splitlines())
            return True
        else:
            self.unloadable = unexpected_frame()
        return False

    def _import_seconds(self) -> float:
        return self.imports.grant(self.request.get("import_seconds", IMPORT_SECONDS))

    def _isolated(self, channel: Channel, protections: list[str]) -> None:
        """Demand enough isolation before learner code runs; with gaps, close our own memory."""
        channel.protections = protections
        if self.protections is None:
            self.protections = protections
        self.protections = [name for name in self.protections if name in protections]
        require_level(self.least, self.protections)
        if self.least != ANY and stays_root(protections):
            warn_of_root()
        if missing(protections):
            deny_memory_access()
            channel.send(True)

    def _probe(self, channel: Channel, todo: list[int]) -> None:
        for number in todo:
            got = self._receive(channel, number)
            if isinstance(got, Frame) and (got.probe != number or got.kind not in ANSWERS):
                got = unexpected_frame()
            if isinstance(got, Frame):
                got = self._bounded(Observation(got.kind, got.texts, got.parts))
            self.observations[number] = got
            if got.kind in ANSWERS:
                if got.texts.get("type") == "TimeUp":
                    self.reduced_timeouts = True
                    self.slept = self.slept or "slept" in got.texts
                if number not in self.predicates:
                    self.arrived(number, got)
                continue
            self.reduced_timeouts = self.reduced_timeouts or got.kind == "hung"
            self._end()
            self._skip(number, got)
            return

    def _bounded(self, got: Observation) -> Observation:
        """Return the observation, or a garbled one if all answers together are too large."""
        if self._can_keep(size_in_bytes(got)):
            return got
        return Observation("garbled", {"message": f"more than {MOST_KEPT >> 20} MB in all"}, {})

    def _can_keep(self, weight: int) -> bool:
        """Whether so many bytes fit beside all that came before; if so, count them."""
        fits = weight <= self.bytes_left
        self.bytes_left -= weight if fits else 0
        return fits

    def _skip(self, broken: int, why: Observation) -> None:
        """Skip the rest of an exercise that ended the worker; everything, if no time is left."""
        late = not self.time.grant(1.0)
        texts = {"after": "late" if late else why.kind}
        for number, exercise in self.exercises.items():
            hit = late or exercise == self.exercises[broken]
            if hit and number not in self.observations:
                self.observations[number] = Observation("skipped", texts, {})

    def _receive(self, channel: Channel, number: int) -> Frame | Observation:
        """Return a probe's frame, or how it failed, within its own time and that of the run.

        Once a probe has run out of time the others get less, as in the worker: they may run into
        the same loop. If that probe had slept, they get less of the wall clock, too.
        """
        if (found := channel.next_buffered()) is not None:  # it took no time
            return found
        # An exercise's first probe has calls that come before it, and they have as much time.
        limit = self.limits[number] * (1 + (number in self.firsts))
        seconds = limit / (TIMEOUT_DIVISOR if self.reduced_timeouts else 1)
        grace = GRACE / (2 if self.reduced_timeouts else 1)
        idle = IDLE * (limit / (TIMEOUT_DIVISOR if self.slept else 1) + grace)
        deadline = Deadline(channel.worker.pid, self.time.grant(seconds + grace), idle)
        got = channel.receive(deadline)
        self.slept = self.slept or (got is None and deadline.was_idle())
        self._took(deadline)
        return got or hung_observation(seconds)

    def _took(self, deadline: Deadline) -> float:
        """Count the seconds that a worker took; return them."""
        seconds = deadline.charged_seconds()
        self.time.spend(seconds)
        self.imports.spent += seconds
        return seconds

    def _end(self) -> None:
        channel, self.channel = self.channel, None
        if channel is not None and not channel.ended:
            channel.close()


def compile_programs(programs: Mapping[str, str] | bytes) -> bytes:
    """Return the course's programs as marshalled code; compile them if they are still texts."""
    if isinstance(programs, bytes):
        return programs
    from .course_code import compile_guarded  # rarely needed: mostly they come compiled

    return marshal.dumps(
        {f"{n}.py": compile_guarded(f"programs/{n}.py", t) for n, t in programs.items()}
    )


def compile_own_files(job: Job) -> dict[str, Any]:
    """Compile the package's files that are the course's own; a learner's files are left out."""
    return {n: _code(f"{job['folder']}/{n}", job["files"][n]) for n in job.get("ours", ())}


@cache
def warn_of_root() -> None:
    """Warn once, before any learner code runs, that it will run as root."""
    print(
        "Caution: what is graded runs as root here, for it could not become another user: it can "
        "read the answer key of a class and change every file. Better stop now (Ctrl-C), and run "
        "the grader as a user of its own, or by a Python that every user may read.",
        file=sys.stderr, flush=True,
    )  # fmt: skip


@cache
def _code(path: str, text: str | bytes) -> Any:
    """Compile a file, once for all workers of this process."""
    return compile(text, path, "exec", dont_inherit=True)
