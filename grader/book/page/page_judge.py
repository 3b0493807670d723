"""Answer a page's requests, as plain values: check a file, run a piece of code.

Probes, judge and report are those of `grader check`; its commands are buttons in the page. The
worker runs in this same interpreter, a step per requested frame. Its observations come through
frames and their reader, as from a process.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from typing import Any

from ...about import COURSE
from ...course.key_file import Key
from ...course.package import Package, hash_package
from ...grade_package import Grading
from ...learner import selection
from ...learner.terminal import report
from ...learner.wording import Style
from ...result import iter_exercises, result
from ...sandbox.channel import MOST_OUTPUT, Channel, Deadline
from ...sandbox.isolation import BROWSER
from ...sandbox.launch import WORKER, Worker
from ...sandbox.observation import BadFrame, Frame, FrameReader, Observation, printable
from ...sandbox.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...sandbox.worker.request import Job

Announce = Callable[[int, float], object]  # called with a probe, and the seconds it may take
Ended = Mapping[int, str]  # probe → ``died`` or ``hung``, if the page had to restart
NONCE = bytes(16)  # frames need no secret: they stay in this process
ABORT = "6"


WORKERS = (WORKER, os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker"))


def worker_module(name: str) -> Any:
    """Import a module of the worker, or of its version for pages; they import each other by bare
    names."""
    sys.path += [place for place in WORKERS if place not in sys.path]
    return importlib.import_module(name)


class BoundedOutput(io.TextIOBase):
    """A stream that keeps at most `MOST_OUTPUT` bytes of what learner code prints."""

    def __init__(self, output: bytearray) -> None:
        self.output = output

    def write(self, text: str) -> int:
        free = max(0, MOST_OUTPUT - len(self.output))
        self.output += text[:free].encode("utf-8", "replace")[:free]
        return len(text)


class InProcessChannel(Channel):
    """A channel to a worker in this interpreter."""

    def __init__(self, output: bytearray, ended: Ended, announce: Announce) -> None:
        self.worker = nobody()
        self.output = output
        self.nonce = NONCE
        self.reader = FrameReader(NONCE)
        self.protections: list[str] = []
        self.ended = False
        self.orders: list[object] = []
        page = worker_module("page_worker")
        self.stopped: type[Exception] = page.Ended
        self.sender = page.FrameBuffer(NONCE)
        self.steps = page.serve_in_steps(lambda: self.orders.pop(0), self.sender, ended, announce)

    def send(self, value: object) -> None:
        self.orders.append(value)

    def receive(self, deadline: Deadline) -> Frame | Observation | None:
        """Run the worker to its next frame; None when time is up, or if the probe hung before."""
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
            contextlib.redirect_stdout(BoundedOutput(self.output)),
            contextlib.redirect_stderr(BoundedOutput(self.output)),
        ):
            next(self.steps)
        for data in self.sender.frames:
            self.reader.feed(data)
        self.sender.frames.clear()

    def close(self) -> int:
        self.ended = True
        return 0


def nobody() -> Worker:
    """Return a worker without a process."""
    return Worker(0, -1, -1, -1)


class PageSession(Session):
    """A session whose worker runs in the page."""

    def __init__(self, ended: Ended, announce: Announce, *rest: Any, **named: Any) -> None:
        super().__init__(*rest, **named)
        self.before, self.announce = ended, announce

    def _open(self, worker: Worker) -> Channel:
        return InProcessChannel(self.output, self.before, self.announce)

    def open_sibling(self, job: Job, exercises: dict[int, str]) -> Session:
        return PageSession(self.before, self.announce, self.launch, job, exercises)


PAGE = "/page/"
FOLDER, SCRATCH = f"{PAGE}{COURSE.name}", f"{PAGE}try.py"
DEPTH = 220  # recursion limit: Pyodide's stack does not hold much more
RUN_SECONDS = 10.0
Files = Mapping[str, str]  # module → text


class PageJudge:
    """A page's judge, with the package's given files (module → text)."""

    def __init__(self, key: str, given: Mapping[str, str]) -> None:
        with worker_module("numpy_shim").install_numpy_shim():
            self.worker = worker_module("page_worker")
            worker_module("call_log")
        self.key = Key(key)
        self.given = given

    def check(
        self, written: Files, names: list[str], width: int, ended: Ended, announce: Announce
    ) -> dict[str, object]:
        """Judge exercises; return report, points, canonical result and marks."""
        sys.setrecursionlimit(DEPTH)  # learner code may have changed it
        files = self._files(written)
        learner = Package(FOLDER, files, hash_package(files))
        session = partial(PageSession, ended, announce)
        grading = Grading(self.key, learner, nobody, set(), least=BROWSER, session=session)
        verdicts = grading.grade(selection.exercises(self.key, names))
        self.worker.tidy(COURSE.name)
        found = result(grading, verdicts)
        told = report(found, Style(True, width, home="page"), grading.output)
        rows = iter_exercises(found)
        return {
            "report": told, "score": found["score"],
            "max_score": found["max_score"], "result": found, "sha256": learner.sha256,
            "marks": {
                row["id"]: {n: row[n] for n in ("status", "score", "max_score", "blocked_by")}
                for row in rows
            },
        }  # fmt: skip

    def _files(self, written: Files) -> dict[str, bytes]:
        return {name: text.encode() for name, text in {**self.given, **written}.items()}

    def run(self, written: Files, scratch: str, announce: Announce) -> str:
        """Run a piece of code that imports the package; return its output, and its traceback."""
        sys.setrecursionlimit(DEPTH)
        package = worker_module("importer")
        files = self._files(written)
        self.worker.tidy(COURSE.name)
        package.install(package.TextFinder(COURSE.name, FOLDER, files))
        linecache.cache[SCRATCH] = (len(scratch), None, scratch.splitlines(True), SCRATCH)
        announce(self.worker.LOADING, RUN_SECONDS)
        output = bytearray()
        ended = ""
        with redirect_stdout(BoundedOutput(output)), redirect_stderr(BoundedOutput(output)):
            try:
                with self.worker.EventClock(RUN_SECONDS):
                    exec(compile(scratch, SCRATCH, "exec", dont_inherit=True), {"__name__": "try"})
            except BaseException as error:
                ended = _told(error)
        return printable(bytes(output)) + ended


def _told(error: BaseException) -> str:
    """Format an exception like Python, with only the frames of the learner's files."""
    found = traceback.TracebackException.from_exception(error)
    mine = [frame for frame in found.stack if frame.filename.startswith(PAGE)]
    found.stack[:] = mine
    text = "".join(found.format(chain=False)).replace(PAGE, "")
    if type(error).__name__ != "TimeUp":
        return text
    at = f", in {mine[-1].filename.removeprefix(PAGE)}, line {mine[-1].lineno}" if mine else ""
    return f"It was still running after {RUN_SECONDS:g} s{at}, and was ended.\n"
