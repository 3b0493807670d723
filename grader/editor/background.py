"""Judge for an editor, in a background thread, and report faults as places in files.

A newer save cancels the run that an older one began, whatever the learner's code is doing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .. import log
from ..about import COURSE
from ..course.key_file import Key
from ..course.made_key import MadeKey
from ..course.package import module_of
from ..course.syntax_tree import NO_PYTHON, find_functions, is_stub, parse
from ..errors import OurFault, WrongUse
from ..learner import selection
from ..learner.own_file import asked_in, locate, spans_in
from ..learner.terminal import says as reason_of
from ..learner.terminal import wrong_checks
from ..learner.wording import WORDS, Style, sides
from ..result import is_a_line
from ..sandbox.launch import ForkServer, Worker, kill_group, require_numpy, stop_worker
from ..verdict import PENDING, WRONG
from .watch_session import JudgedBatch, WatchSession

if TYPE_CHECKING:
    from ..result_rows import ExerciseResult, Unloadable


IMPORT = f"import {COURSE.name}"
ENTRY = "__init__.py"


class Fault(NamedTuple):
    """A faulty line, as an editor marks it."""

    file: str  # its path below the package
    line: int  # counted from 1
    # Where the line's text begins and ends, from 0, in UTF-16 code units as editors count.
    columns: tuple[int, int]
    code: str  # the exercise; `IMPORT` if the package cannot be imported
    says: str  # the fault, in one line
    call: str = ""  # the smallest call that shows it, its inputs, and both results


class LineAnchor(NamedTuple):
    """A line relative to the innermost definition around it, so that it moves along with that."""

    file: str
    line: int
    around: str
    below: int


class FaultBoard:
    """Collects the faults of all rounds so far; a round updates only its own exercises."""

    def __init__(self, session: WatchSession) -> None:
        self.session = session
        self.failing: dict[str, ExerciseResult] = {}
        self.unloadable: list[Unloadable] = []
        self._places: dict[str, LineAnchor] = {}

    def take(self, found: JudgedBatch) -> None:
        """Update the exercises of a round; those that could not be imported keep what was known."""
        self.unloadable = found.result["unloadable"]
        unknown = {id for cause in self.unloadable for id in cause["exercises"]}
        for exercise in found.exercises:
            id = exercise["id"]
            if id in unknown:
                continue
            self.failing.pop(id, None)
            if exercise["status"] in WRONG:
                self.failing[id] = exercise
                self._places[id] = self._place(exercise)

    def faults(self) -> list[Fault]:
        """Return all faults, each at its current line; if an import is broken, only those."""
        if self.unloadable:
            return [self._broken(cause) for cause in self.unloadable]
        text = self.session.learner.text
        spans = {
            place.file: spans_in(place.file, text(place.file)) for place in self._places.values()
        }
        return [
            self._fault(exercise, self._places[id], spans[self._places[id].file])
            for id, exercise in self.failing.items()
        ]

    def _broken(self, cause: Unloadable) -> Fault:
        file, line = self._line_at(cause["location"]) or (ENTRY, 1)
        says = " ".join(cause["message"].split())
        return Fault(file, line, self._columns(file, line), IMPORT, says)

    def _fault(
        self, exercise: ExerciseResult, place: LineAnchor, spans: Mapping[str, tuple[int, int]]
    ) -> Fault:
        check = wrong_checks(exercise)[0]
        line = spans[place.around][0] + place.below if place.around in spans else place.line
        says = check["mistake"]["says"] if check["mistake"] is not None else reason_of(check)
        inputs = (f"{name} = {value}" for name, value in check["inputs"].items())
        shown = [check["call"], *inputs, *(side.strip() for side in sides(check, Style(False, 80)))]
        return Fault(
            place.file, line, self._columns(place.file, line), exercise["id"],
            " ".join(says.split()), "\n".join(filter(None, shown)),
        )  # fmt: skip

    def _columns(self, file: str, line: int) -> tuple[int, int]:
        text = "".join(self.session.learner.text(file).split("\n")[line - 1 : line]).rstrip()
        return len(text) - len(text.lstrip()), len(text.encode("utf-16-le")) // 2

    def _place(self, exercise: ExerciseResult) -> LineAnchor:
        """Locate an exercise's fault: where its first wrong check says, else line 1 of its file."""
        place = self._line_at(wrong_checks(exercise)[0]["location"])
        if place is None:
            owners = self.session.key.table["targets"]
            target = next(t for t, id in owners.items() if id == exercise["id"])
            path, _ = locate(self.session.folder, target)
            place = os.path.relpath(path, self.session.folder), 1
        file, line = place
        around, below = "", line
        for name, (top, last) in spans_in(file, self.session.learner.text(file)).items():
            if top <= line <= last:  # the innermost comes last
                around, below = name, line - top
        return LineAnchor(file, line, around, below)

    def _line_at(self, location: str | None) -> tuple[str, int] | None:
        """Split ``ops.py:60`` into file and line; None if the package has no such line."""
        file, _, line = (location or "").rpartition(":")
        there = line.isdecimal() and is_a_line(self.session.learner.files, file, int(line))
        return (file, int(line)) if there else None


Order = Callable[[WatchSession], Iterator[JudgedBatch]]
# Seconds that `close` waits for the thread: it may be building the key, which nothing cancels.
PATIENCE = 3.0


class Cancelled(BaseException):
    """Cancels a run. Not an Exception, so that `except Exception` lets it through.

    It is raised where a run starts a worker or is about to report.
    """


class CancellableRun:
    """The workers of a run, which another thread can kill; after that none is kept until `reap`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._living: dict[int, Worker] = {}
        self._stopped = False

    def keep(self, worker: Worker) -> None:
        """Remember a worker until it is reaped: from then on its pid may be reused."""
        reap = worker.wait

        def wait(pid: int) -> int:
            with self._lock:
                self._living.pop(pid, None)
            return reap(pid)

        worker.wait = wait
        with self._lock:
            self._living[worker.pid] = worker
        self.raise_if_stopped()

    def stop(self) -> None:
        """Kill the workers, and refuse to keep others."""
        with self._lock:
            self._stopped = True
            for pid in self._living:
                kill_group(pid)

    def raise_if_stopped(self) -> None:
        """Raise Cancelled after a stop: the results of killed workers may not be reported."""
        with self._lock:
            if self._stopped:
                raise Cancelled

    def reap(self) -> None:
        """Reap the workers that a stopped run has left; the next run may start workers."""
        for worker in list(self._living.values()):
            stop_worker(worker)
        self._stopped = False


class Background:
    """Carries out an editor's orders in a thread, one after the other."""

    def __init__(
        self, key: Key, folder: str,
        tell: Callable[[list[Fault]], object], say: Callable[[str], object],
        working: Callable[[str], object] = lambda _: None,
    ) -> None:  # fmt: skip
        self.key = key
        self.folder = folder
        self.tell = tell  # called in the thread with all faults, after each round
        self.say = say  # called in the thread with a sentence for the learner
        # Called in the thread with each chapter whose answers must be worked out; "" at the end.
        self.working = working
        self.board: FaultBoard | None = None
        require_numpy()  # raises here, before there is a thread, if NumPy is missing
        self._run = CancellableRun()
        self._warm = ForkServer(restarts=True, keep=self._run.keep)
        self._judged: set[str] = set()
        self._orders: list[Order] = []
        self._closed = False
        self._condition = threading.Condition()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def save(self) -> None:
        """Judge the latest save; cancel the current run and drop older saves from the queue."""
        with self._condition:
            self._run.stop()
            self._orders = [
                WatchSession.saved,
                *(o for o in self._orders if o is not WatchSession.saved),
            ]
            self._condition.notify()

    def open(self, name: str) -> None:
        """Judge the exercises that are written in a file and not judged yet."""
        self._put(lambda session: session.judge_now(self._written(session, name)))

    def check(self, id: str) -> None:
        """Judge an exercise, and report its status in a sentence."""

        def checked(session: WatchSession) -> Iterator[JudgedBatch]:
            yield from session.judge_now([id])
            self.say(f"{id}: {WORDS[session.statuses.get(id, PENDING)][1]}")

        self._put(checked)

    def close(self, patience: float = PATIENCE) -> None:
        """End the fork server, and the thread if it ends within ``patience`` seconds."""
        with self._condition:
            self._closed = True
            self._run.stop()
            self._condition.notify()
        self._thread.join(patience)
        self._warm.close()

    # ---- the thread -------------------------------------------------------------------

    def _put(self, order: Order) -> None:
        with self._condition:
            self._orders.append(order)
            self._condition.notify()

    def _next(self) -> Order | None:
        with self._condition:
            self._condition.wait_for(lambda: self._orders or self._closed)
            self._run.reap()
            return None if self._closed else self._orders.pop(0)

    def _work(self) -> None:
        while (order := self._next()) is not None:
            try:
                self._carry_out(order)
            except Cancelled:
                if self.board is not None:
                    self.board.session.forget_unfinished()
                if order is not WatchSession.saved:
                    self._put(order)
            except (WrongUse, OurFault) as error:
                self.say(str(error))
            except Exception as error:  # the thread survives it and judges the next save
                log.info("learner", "a run in the background: %r", error)
                self.say(f"Our fault, not yours: {type(error).__name__}: {error}")

    def _carry_out(self, order: Order) -> None:
        if self.board is None:
            session = WatchSession(self.key, self.folder, [], self._warm, self._work_out_answers)
            self.board = FaultBoard(session)
        for found in order(self.board.session):
            self._run.raise_if_stopped()
            self.board.take(found)
            self._judged.update(e["id"] for e in found.exercises)
            self.tell(self.board.faults())

    def _work_out_answers(self, chapters: set[str]) -> None:
        """Make those slices of the key that are missing, which takes seconds each, once."""
        mine = [name for name in self.key.chapters if name in chapters]
        missing = [name for name in mine if not _is_made(self.key, name)]
        try:
            for number, name in enumerate(missing, 1):
                self.working(f"{name}, {number} of {len(missing)}")
                self.key.chapter(name)
        finally:
            if missing:
                self.working("")

    def _written(self, session: WatchSession, name: str) -> list[str]:
        """List a file's written exercises, not judged yet; one of its ids if it does not parse."""
        intact = session.given - selection.find_changed(session.key, session.learner, session.given)
        mine = asked_in(name, session.key.table["targets"], intact)
        try:
            bodies = find_functions(module_of(name), parse(session.learner.text(name)))
        except NO_PYTHON:
            return list(mine.values())[:1]
        ids = {id for t, id in mine.items() if t in bodies and not is_stub(bodies[t])}
        return [id for id in session.order if id in ids - self._judged]


def _is_made(key: Key, chapter: str) -> bool:
    """Whether a chapter's slice can be read at once."""
    if not isinstance(key, MadeKey):
        return True
    return key.memo is not None and key.memo.get(key.table["names"][chapter]) is not None
