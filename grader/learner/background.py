"""A desk in a thread of its own, for an editor: nobody waits for it.

A newer save ends the run that an older one began, whatever the learner's code is doing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from .. import log
from ..course.key_file import Key
from ..course.load import asked_in, module_of
from ..course.syntax_tree import parse
from ..course.target import functions, is_stub
from ..errors import OurFault, WrongUse
from ..sandbox.launch import Worker, end, kill, needed_numpy
from ..verdict import PENDING
from .desk import Desk, Round, Warm
from .faults import Board, Fault
from .wording import WORDS

Order = Callable[[Desk], Iterator[Round]]
PATIENCE = 3.0  # seconds; what right code gives may be worked out just now, which nothing ends


class Superseded(BaseException):
    """Nobody wants to know any more. Not an Exception, so that `except Exception` lets it through.

    What it ends begins by starting a worker.
    """


class Stoppable(Warm):
    """Workers that another thread can end: all that live, and each that would be started next."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._lock = threading.Lock()
        self._living: dict[int, Worker] = {}
        self._stopped = False

    def launch(self) -> Worker:
        worker = super().launch()
        bury = worker.wait

        def wait(pid: int) -> int:
            with self._lock:  # from here on the number may be another's
                self._living.pop(pid, None)
            return bury(pid)

        worker.wait = wait
        with self._lock:
            self._living[worker.pid] = worker
            if not self._stopped:
                return worker
        raise Superseded

    def stop(self) -> None:
        """End the run that is on its way."""
        with self._lock:
            self._stopped = True
            for pid in self._living:
                kill(pid)

    def go_on(self) -> None:
        """Bury what a stopped run has left; the next one may start workers."""
        for worker in list(self._living.values()):
            end(worker)
        self._stopped = False


class Background:
    """Carries out what an editor asks for, one order after the other.

    Args:
        tell: is given all that is wrong after each round, in this thread.
        say: is given sentences for the learner, in this thread.
    """

    def __init__(
        self, key: Key, folder: str,
        tell: Callable[[list[Fault]], object], say: Callable[[str], object],
    ) -> None:  # fmt: skip
        self.key = key
        self.folder = folder
        self.tell = tell
        self.say = say
        self.board: Board | None = None
        self._warm = Stoppable(needed_numpy())
        self._judged: set[str] = set()
        self._orders: list[Order] = []
        self._closed = False
        self._bell = threading.Condition()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def save(self) -> None:
        """Judge what was saved, and nothing of what was saved before."""
        with self._bell:
            self._warm.stop()
            self._orders = [Desk.saved, *(o for o in self._orders if o is not Desk.saved)]
            self._bell.notify()

    def open(self, name: str) -> None:
        """Judge what a file holds, as far as it is written and not judged yet."""
        self._put(lambda desk: desk.these(self._written(desk, name)))

    def check(self, id: str) -> None:
        """Judge an exercise, and say what came of it."""

        def checked(desk: Desk) -> Iterator[Round]:
            yield from desk.these([id])
            self.say(f"{id}: {WORDS[desk.statuses.get(id, PENDING)][1]}")

        self._put(checked)

    def close(self) -> None:
        """End it, and the warm parent."""
        with self._bell:
            self._closed = True
            self._warm.stop()
            self._bell.notify()
        self._thread.join(PATIENCE)
        self._warm.close()

    # ---- the thread -------------------------------------------------------------------

    def _put(self, order: Order) -> None:
        with self._bell:
            self._orders.append(order)
            self._bell.notify()

    def _next(self) -> Order | None:
        with self._bell:
            self._bell.wait_for(lambda: self._orders or self._closed)
            self._warm.go_on()
            return None if self._closed else self._orders.pop(0)

    def _work(self) -> None:
        while (order := self._next()) is not None:
            try:
                self._carry_out(order)
            except Superseded:
                if self.board is not None:
                    self.board.desk.give_up()
                if order is not Desk.saved:
                    self._put(order)
            except (WrongUse, OurFault) as error:
                self.say(str(error))
            except Exception as error:  # whatever it is, the next save is judged again
                log.info("learner", "a run in the background: %r", error)
                self.say(f"Our fault, not yours: {type(error).__name__}: {error}")

    def _carry_out(self, order: Order) -> None:
        if self.board is None:
            self.board = Board(Desk(self.key, self.folder, [], self._warm))
        for found in order(self.board.desk):
            self.board.take(found)
            self._judged.update(e["id"] for e in found.exercises)
            self.tell(self.board.faults())

    def _written(self, desk: Desk, name: str) -> list[str]:
        """The exercises of a file that are no stubs; one of them where it is no Python."""
        mine = asked_in(name, desk.key.table["targets"], desk.given)
        try:
            bodies = functions(module_of(name), parse(desk.learner.text(name)))
        except (SyntaxError, ValueError, RecursionError):
            return list(mine.values())[:1]
        ids = {id for t, id in mine.items() if t in bodies and not is_stub(bodies[t])}
        return [id for id in desk.order if id in ids - self._judged]
