"""Runs of workers that are kept: the same code, asked the same again, is not run.

Only the author's loop uses it (`grader audit`). A run is named by a digest of all that it depends
on: the worker, Python, NumPy, the package, the programs, the inputs. The judge is no part of it, so
that an edit there runs no mistake again. Nothing is kept of a run in which a clock had a say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..arrays import parts_of, plain_parts
from ..course.source_digest import machine
from ..memo import Memo, digest
from ..sandbox.launch import Worker
from ..sandbox.observation import Definition, Frame, Observation, Violation
from ..sandbox.session import ANSWERS, Imports, Session

if TYPE_CHECKING:
    from ..sandbox.worker.request import Job, Order

CLOCKED = ("TimeUp", "Skipped", "MemoryError")  # exceptions that another run may not raise


class Replayed(Session):
    """A session whose answers come from a memo, and go there.

    It takes the arguments of `Session`, and lets go of those that only a learner's run needs.
    """

    def __init__(
        self,
        memo: Memo,
        launch: Callable[[], Worker],
        request: Job,
        exercises: dict[int, str],
        first: Worker | None = None,
        least: str | None = None,
        imports: Imports | None = None,
    ) -> None:
        super().__init__(launch, request, exercises)
        self.memo = memo
        self.name = digest(machine(), _named(request), sorted(exercises.items()))
        self.told: list[tuple[Order, float]] = []  # orders that no worker has had
        self.orders = ""
        self.clocked = False  # whether a clock had a say in what was asked afterwards

    @property
    def settled(self) -> bool:
        """Whether another run would have brought the same."""
        late = self.hurry or self.mute or self.clocked
        return not late and all(
            got.kind in ANSWERS and got.texts.get("type") not in CLOCKED
            for got in (*self.observations.values(), *filter(None, [self.unloadable]))
        )

    def run(self, arrived: Callable[[int, Observation], object] = lambda number, got: None) -> None:
        known = self.memo.recall(self.name)
        if known is None:
            super().run(arrived)
            if self.settled:
                self.memo.remember(self.name, self._run())
            return
        self._recall(known)
        for number, got in self.observations.items():
            arrived(number, got)

    def trace(self, numbers: list[int]) -> None:
        name = digest(self.name, "trace", numbers)
        known = self.memo.recall(name)
        if known is not None:
            self.entered.update({n: {(file, line) for file, line in e} for n, e in known})
            return
        super().trace(numbers)
        self.clocked |= not set(numbers) <= self.entered.keys()
        if self.settled:
            self.memo.remember(name, [(n, sorted(self.entered[n])) for n in numbers])

    def ask(self, order: Order, seconds: float) -> Iterator[Frame]:
        self.orders = digest(self.name, self.orders, _plain(order))
        known = self.memo.recall(self.orders)
        if known is not None:
            self.told.append((order, seconds))
            yield from (_frame(each) for each in known)
            return
        while self.told:  # a worker that is asked now has to know what was asked before
            earlier, limit = self.told.pop(0)
            for _ in super().ask(earlier, limit):
                pass
        got = list(super().ask(order, seconds))
        self.clocked |= any(frame.texts.get("type") in CLOCKED for frame in got)
        if not self.mute and not self.clocked:
            self.memo.remember(self.orders, [_kept(frame) for frame in got])
        yield from got

    def _run(self) -> tuple[object, ...]:
        bad = self.unloadable
        return (
            self.protections,
            [tuple(each) for each in self.definitions.values()],
            sorted(self.absent),
            None if bad is None else (bad.kind, bad.texts),
            [tuple(each) for each in self.refused],
            [(n, _kept(got)) for n, got in self.observations.items()],
            bytes(self.output),
        )

    def _recall(self, known: Any) -> None:
        self.protections, found, absent, bad, refused, observations, output = known
        self.definitions = {each[0]: Definition(*each) for each in found}
        self.absent = set(absent)
        self.unloadable = None if bad is None else Observation(bad[0], bad[1], {})
        self.refused = [Violation(*each) for each in refused]
        frames = ((n, _frame(got)) for n, got in observations)
        self.observations = {n: Observation(f.kind, f.texts, f.parts) for n, f in frames}
        self.output = bytearray(output)


def _kept(got: Frame | Observation) -> tuple[object, ...]:
    """A frame or an observation as plain Python."""
    return getattr(got, "probe", 0), got.kind, got.texts, plain_parts(got.parts)


def _frame(kept: Any) -> Frame:
    number, kind, texts, parts = kept
    return Frame(number, kind, texts, parts_of(parts))


def _named(request: Job) -> list[tuple[str, object]]:
    """A request by its keys. What programs are given is not looked into: a key holds it so."""
    asked = (item for item in _sorted(request) if item[0] != "ours")  # which only saves time
    return [(key, _sorted(each)) for key, each in asked]


def _sorted(value: Any) -> Any:
    """A dict by its keys, whose order is none."""
    is_dict = isinstance(value, dict)
    return sorted(value.items(), key=lambda item: repr(item[0])) if is_dict else value


def _plain(value: Any) -> Any:
    """An order by its keys, however deep they lie."""
    if isinstance(value, dict):
        return [[_plain(key), _plain(each)] for key, each in _sorted(value)]
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
