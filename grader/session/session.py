"""One learner's run: every probe of a request ends in one observation, whatever happens.

A probe that hangs or kills the worker costs the rest of its exercise; the worker is started
again for the exercises after it.
"""

from __future__ import annotations

import marshal
import os
import select
import struct
import time
from collections.abc import Callable
from typing import Any

from ..errors import OurFault
from .frames import BadFrame, Frame, Reader, printable
from .launch import Worker, end
from .observation import (
    Definition,
    Observation,
    Run,
    Violation,
    definitions,
    line_number,
    violations,
)

IMPORT_SECONDS = 5.0
GRACE = 1.0  # how long after its own clock a worker is given before it is killed
MOST_OUTPUT = 64 << 10


class Session:
    """Sends one request and collects what comes back, over as many workers as it takes.

    Args:
        launch: starts a worker.
        request: all of a request but ``nonce`` and ``run``.
        exercises: probe number → its exercise, in the order in which they run.
        first: a worker that is starting already.
    """

    def __init__(
        self,
        launch: Callable[[], Worker],
        request: dict[str, Any],
        exercises: dict[int, str],
        first: Worker | None = None,
    ) -> None:
        self.launch = launch
        self.request = request
        self.exercises = exercises
        self.waiting = first
        self.worker: Worker | None = None
        self.limits = {probe[0]: probe[3] for probe in request["probes"]}
        self.protections: list[str] = []
        self.definitions: dict[str, Definition] = {}
        self.absent: set[str] = set()
        self.unloadable: Observation | None = None
        self.refused: list[Violation] = []
        self.observations: dict[int, Observation] = {}
        self.entered: dict[int, set[tuple[str, int]]] = {}
        self.output = bytearray()

    def run(self, arrived: Callable[[int, Observation], object] = lambda number, got: None) -> None:
        """Run every probe; ``arrived`` is told of each while the worker goes on with the next."""
        self.arrived = arrived
        todo = list(self.exercises)
        while todo and self.unloadable is None:
            self._start(todo)
            if self._load():
                self._probe(todo)
            todo = [number for number in todo if number not in self.observations]

    def trace(self, numbers: list[int]) -> None:
        """Run these probes once more, to learn which functions they enter."""
        if self.unloadable is not None or not numbers:
            return
        if self.worker is None:
            self._start([])
            if not self._load():
                return
        self._send(numbers)
        for number in numbers:
            frame = self._receive(self.limits[number])
            if not isinstance(frame, Frame) or frame.kind != "traced" or frame.probe != number:
                self._end()
                return
            pairs = (line.split("\t") for line in frame.texts.get("entered", "").splitlines())
            self.entered[number] = {(p[0], line_number(p[1])) for p in pairs if p[1:2]}

    def close(self) -> Run:
        """End the worker and hand over what was collected."""
        if self.waiting is not None:
            end(self.waiting)
            self.waiting = None
        self._end()
        return self.result()

    def result(self) -> Run:
        """What was collected so far."""
        return Run(
            self.protections,
            self.definitions,
            self.absent,
            self.unloadable,
            self.observations,
            self.entered,
            printable(bytes(self.output)),
            self.refused,
        )

    # ---- one worker -------------------------------------------------------------------

    def _start(self, todo: list[int]) -> None:
        self._end()
        self.worker, self.waiting = self.waiting or self.launch(), None
        nonce = os.urandom(16)
        self.reader = Reader(nonce)
        self._send({**self.request, "nonce": nonce, "run": todo})

    def _send(self, value: Any) -> None:
        data = marshal.dumps(value)
        data = struct.pack("<I", len(data)) + data
        assert self.worker is not None
        try:
            while data:
                data = data[os.write(self.worker.request, data) :]
        except BrokenPipeError:
            pass  # the missing answer tells

    def _load(self) -> bool:
        """Read what comes before the first probe. False where the package cannot be used."""
        hello = self._receive(IMPORT_SECONDS)
        if isinstance(hello, Observation):
            said = printable(bytes(self.output)).strip()
            raise OurFault(f"a worker did not start ({hello.kind}). {said}")
        self.protections = hello.texts.get("protections", "").splitlines()
        loaded = self._receive(IMPORT_SECONDS)
        if isinstance(loaded, Observation):
            self.unloadable = loaded
            self._end()
            return False
        self.refused = violations(loaded.texts.get("refused", ""))
        if loaded.kind == "raised":
            self.unloadable = Observation(loaded.kind, loaded.texts, {})
        elif loaded.kind == "loaded":
            self.absent = set(loaded.texts.get("absent", "").splitlines())
            self.definitions = definitions(loaded.texts.get("definitions", ""))
            return True
        else:
            self.unloadable = Observation("garbled", {"message": "a frame out of turn"}, {})
        return False

    def _probe(self, todo: list[int]) -> None:
        for number in todo:
            got = self._receive(self.limits[number])
            if isinstance(got, Frame) and got.probe == number and got.kind in (
                "arrays", "raised", "complained",
            ):  # fmt: skip
                self.observations[number] = Observation(got.kind, got.texts, got.parts)
                self.arrived(number, self.observations[number])
                continue
            if isinstance(got, Frame):
                got = Observation("garbled", {"message": "a frame out of turn"}, {})
            self._end()
            self.observations[number] = got
            self._skip(number, got)
            return

    def _skip(self, broken: int, why: Observation) -> None:
        for number, exercise in self.exercises.items():
            if exercise == self.exercises[broken] and number not in self.observations:
                self.observations[number] = Observation("skipped", {"message": why.kind}, {})

    def _receive(self, seconds: float) -> Frame | Observation:
        """The next frame, or how the worker failed to send one; its output is kept meanwhile."""
        assert self.worker is not None
        deadline = time.monotonic() + seconds + GRACE
        open_fds = [self.worker.frames, self.worker.output]
        while True:
            try:
                frame = self.reader.next()
            except BadFrame as error:
                return Observation("garbled", {"message": str(error)}, {})
            if frame is not None:
                return frame
            left = deadline - time.monotonic()
            if left <= 0:
                return Observation("hung", {"message": f"{seconds:g}"}, {})
            for fd in select.select(open_fds, [], [], left)[0]:
                data = os.read(fd, 1 << 16)
                if fd == self.worker.output:
                    self._keep(data)
                    if not data:
                        open_fds.remove(fd)
                elif data:
                    self.reader.feed(data)
                else:
                    return self._death()

    def _keep(self, data: bytes) -> None:
        self.output += data[: max(0, MOST_OUTPUT - len(self.output))]

    def _death(self) -> Observation:
        """The frames' pipe was closed: how did the worker end?"""
        assert self.worker is not None
        self._drain()
        status = end(self.worker)
        self.worker = None
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        return Observation("died", {"signal": str(signalled), "code": str(code)}, {})

    def _drain(self) -> None:
        """What the worker has printed and nobody has read yet."""
        assert self.worker is not None
        while select.select([self.worker.output], [], [], 0)[0]:
            data = os.read(self.worker.output, 1 << 16)
            self._keep(data)
            if not data:
                return

    def _end(self) -> None:
        if self.worker is not None:
            self._drain()
            end(self.worker)
            self.worker = None


def compiled(programs: dict[str, str]) -> dict[str, Any]:
    """The course's programs as code, ready to be sent."""
    return {
        f"{name}.py": compile(text, f"programs/{name}.py", "exec", dont_inherit=True)
        for name, text in programs.items()
    }
