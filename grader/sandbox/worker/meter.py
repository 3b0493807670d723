"""What a call costs: counted while a program runs, never timed.

A program runs on arrays that tell what NumPy does with them (`counting.py`). An array that NumPy
makes of such arrays is one itself, and what makes arrays out of nothing is replaced meanwhile, in
the learner's modules and in the programs. So honest code does not get out of the count. What gets
out of it (a plain array, memory that is written past NumPy, a number of Python's) is seen where it
comes back, and counted as that: `uncounted`. Who takes the meter apart is judged by what comes
back, as with all of the worker.
"""

from __future__ import annotations

import gc
import sys
import weakref

import numpy as np
import wire
from counting import Arrays, Made, Module, Operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType
    from typing import Any

    from request import Probe
    from run import Bench

# As in `grader/course/compare.py`, in this order.
FIGURES = (
    "operations", "multiply_adds", "elements_read", "elements_written", "peak_bytes", "uncounted",
)  # fmt: skip
FROM_HERE, TO_HERE = "count_from_here", "count_to_here"  # of the programs: they mark what counts


class Uncounted(Exception):
    """Nobody can tell what a call costs; the message says why."""


class Known:
    """Of an array: how much memory counts for it, and what it held when NumPy was done with it."""

    def __init__(self, array: Any, forget: Callable[[Any], None]) -> None:
        self.watch = weakref.ref(array, forget)
        self.bytes = self.digest = 0


class Meter:
    """How much was done with arrays.

    Attributes:
        figures: name → how much.
        is_open: whether the program runs.
        is_on: whether what it does now counts.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.restart()

    def restart(self) -> None:
        """Count from here, whatever was before."""
        gc.freeze()  # each look for circles is at what is made from now on
        self.figures = dict.fromkeys(FIGURES, 0)
        self.alive: dict[int, Known] = {}  # the number of an array → what is known of it
        self.bytes = 0
        self.is_on = True

    def stop(self) -> None:
        """What comes now does not count."""
        self.is_on = False

    def known(self, array: Any) -> Known:
        """What is known of an array that holds memory, until Python forgets it."""
        key = id(array)
        if key not in self.alive:
            self.alive[key] = Known(array, lambda _: self.forget(key))
        return self.alive[key]

    def allocated(self, array: Any) -> None:
        """A new array was made."""
        known = self.known(array)
        self.bytes += array.nbytes - known.bytes
        known.bytes = array.nbytes
        if self.bytes > self.figures["peak_bytes"]:
            gc.collect()  # a circle is nobody's, until Python looks for circles
            self.figures["peak_bytes"] = max(self.figures["peak_bytes"], self.bytes)

    def forget(self, key: int) -> None:
        self.bytes -= self.alive.pop(key).bytes


class Counting:
    """A run of a program on arrays that count.

    Args:
        learner: the learner's modules.
        programs: those of the programs, some of which mark what counts.
    """

    def __init__(self, learner: Iterable[ModuleType], programs: Iterable[ModuleType]) -> None:
        self.meter = Meter()
        self.arrays = Arrays(self.meter)
        self.learner, self.programs = list(learner), list(programs)
        self.marks = {FROM_HERE: self.meter.restart, TO_HERE: self.meter.stop}
        self.parts: Any = None
        self.lost: Exception | None = None

    def run(self, program: Callable[..., Any], *arguments: Any) -> None:
        """Run the program; what it raises is kept."""
        undo = [(space, name, space[name], new) for space, name, new in self.replaced()]
        try:
            for space, name, _, new in undo:
                space[name] = new
            code = getattr(program, "__wrapped__", program).__code__
            self.meter.is_on = FROM_HERE not in code.co_names  # so that it is spared the rest
            self.meter.is_open = True
            self.parts = program(*map(self.arrays.given, arguments))
        except Exception as error:
            self.lost = error
        finally:
            self.meter.is_open = False
            for space, name, old, _ in undo:
                space[name] = old

    def replaced(self) -> Iterator[tuple[dict[str, Any], str, Any]]:
        """(names, name, what counts in its place)."""
        yield sys.modules, "numpy", self.arrays.in_place_of(np)
        for space in map(vars, [*self.learner, *self.programs]):
            for name, value in space.items():
                if (new := self.arrays.in_place_of(value)) is not None:
                    yield space, name, new
        for space in map(vars, self.programs):
            yield from ((space, name, self.marks[name]) for name in self.marks.keys() & space)

    def beside(self, parts: Any) -> dict[str, Any]:
        """What a program gave without a count, and what it costs as the part `cost`."""
        named = parts if isinstance(parts, dict) else {"value": parts}
        cost = self.lost or [self.figures()]  # before anything else looks at what came back
        if not self.lost and not same(self.parts, parts):
            cost = Uncounted("It costs what nobody can tell: counted, it gives other values.")
        return {**named, "cost": cost}

    def figures(self) -> Any:
        """What it cost; what is in the result by other ways is counted as that."""
        given = Operands(self.arrays)
        for each in arrays_in(self.parts):
            given.bare(each)
        self.meter.figures["uncounted"] += given.outside
        return np.array(list(self.meter.figures.values()), dtype="int64")


def count(bench: Bench, program: Callable[..., Any], probe: Probe) -> Counting | None:
    """A run of a probe whose cost is asked for, before anything of it can be remembered."""
    if "cost" not in bench.looked_at.get(probe[0], ()):
        return None
    counting = Counting(bench.learner.modules(), bench.own.values())
    counting.run(program, bench.bg, *(wire.revive(a, bench.request["arrays"]) for a in probe[2]))
    return counting


def arrays_in(parts: Any) -> list[Any]:
    """All arrays that a program has returned."""
    named = parts.values() if isinstance(parts, dict) else [parts]
    return [each for given in named if not isinstance(given, BaseException) for each in given]


def same(parts: Any, others: Any) -> bool:
    """Whether two runs of a program gave the same values."""
    mine, theirs = arrays_in(parts), arrays_in(others)
    return len(mine) == len(theirs) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, 1e-4, 1e-6, equal_nan=True)
        for a, b in zip(mine, theirs)  # noqa: B905
    )


KINDS = Known, Meter, Operands, Arrays, Made, Module, Counting  # nobody has to touch these
