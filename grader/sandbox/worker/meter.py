"""Count what a call costs while a program runs; nothing is timed.

A program runs on arrays that report what NumPy does with them (`counting.py`). An array that NumPy
makes of such arrays is one itself, and functions that create arrays are replaced meanwhile, in the
learner's modules and in the programs. So honest code stays in the count. What escapes it (a plain
array, memory written past NumPy, a Python number) is noticed where it comes back, and counted as
`uncounted`. Code that disables the meter is still judged by what comes back.
"""

from __future__ import annotations

import gc
import sys
import weakref

import numpy as np
import wire
from counting import CountedArrays, CountingModule, Door, Made
from operands import Operands
from tamper_guard import CALLER, Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType
    from typing import Any

    from request import Probe
    from run import ProbeRunner

# As in `grader/course/compare.py`, in this order.
FIGURES = (
    "operations", "multiply_adds", "elements_read", "elements_written", "peak_bytes", "uncounted",
    "brought",
)  # fmt: skip
USUAL = {0, 0.5, 1, 2}  # anybody brings them along, of either sign …
FREE = 8  # … and so many others, such as 0.1, 3 or 1e-5
FROM_HERE, TO_HERE = "count_from_here", "count_to_here"  # programs mark what counts by these


class Uncounted(Exception):
    """The cost of a call cannot be told; the message says why."""


class ArrayState:
    """Of an array: how many bytes count for it, and a digest of what NumPy last left in it.

    `has_values` says that it holds whole numbers which were made of real ones, `is_listed` that it
    holds some which came in a list.
    """

    def __init__(self, array: Any, forget: Callable[[Any], None]) -> None:
        self.watch = weakref.ref(array, forget)
        self.bytes = 0
        self.digest: float = -1  # no `hash` is -1
        self.has_values, self.is_listed = False, False


class Meter:
    """Count what is done with arrays.

    Attributes:
        figures: name of a figure (`FIGURES`) → count.
        is_open: whether the program runs.
        is_on: whether what it does now counts.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.alive: dict[int, ArrayState] = {}  # id of an array → what is known of it
        self.met: set[float] = set()  # numbers that came out of arrays
        self.restart()

    def restart(self) -> None:
        """Count from here; forget everything before."""
        gc.freeze()  # later collections scan only what is made from now on
        self.figures = dict.fromkeys(FIGURES, 0)
        for known in self.alive.values():
            known.bytes = 0
        self.bytes = 0
        self.brought: set[Any] = set()  # numbers of Python's that no counted call gave
        self.is_on = True

    def stop(self) -> None:
        """Count nothing from here on."""
        self.is_on = False

    def known(self, array: Any) -> ArrayState:
        """Return what is known of an array that owns memory; it is dropped with the array."""
        key = id(array)
        if key not in self.alive:
            self.alive[key] = ArrayState(array, lambda _: self.forget(key))
        return self.alive[key]

    def allocated(self, array: Any) -> None:
        """Count the memory of a new array, and update the peak."""
        known = self.known(array)
        self.bytes += array.nbytes - known.bytes
        known.bytes = array.nbytes
        if self.bytes > self.figures["peak_bytes"]:
            gc.collect()  # frees cycles, which nobody uses and which still count
            self.figures["peak_bytes"] = max(self.figures["peak_bytes"], self.bytes)

    def bring_in(self, value: Any) -> None:
        """Note a number of Python's, but for those that anybody writes: 0.5, -1, infinity."""
        is_usual = abs(value) in USUAL or value - value != 0
        if self.is_on and not is_usual and value not in self.met:
            self.brought.add(value)

    def bring_in_values(self, count: int) -> None:
        """Count values that no counted call gave."""
        self.figures["uncounted"] += count
        self.figures["brought"] += count

    def forget(self, key: int) -> None:
        self.bytes -= self.alive.pop(key).bytes


class Counting:
    """Run a program on counting arrays.

    Args:
        learner: the learner's modules.
        programs: the modules of the programs, some of which mark what counts.
    """

    def __init__(self, learner: Iterable[ModuleType], programs: Iterable[ModuleType]) -> None:
        self.meter = Meter()
        self.arrays = CountedArrays(self.meter)
        self.learner, self.programs = list(learner), list(programs)
        self.marks: dict[str, Callable[[], None]] = {}  # name → what counts in its place
        self.parts: Any = None
        self.lost: Exception | None = None

    def run(self, program: Callable[..., Any], *arguments: Any) -> None:
        """Run the program; keep what it raises."""
        code = getattr(program, "__wrapped__", program).__code__
        self.marks = {name: mark(name, code, self.arrays.door) for name in (FROM_HERE, TO_HERE)}
        undo = [(space, name, space[name], new) for space, name, new in self.replaced()]
        try:
            for space, name, _, new in undo:
                space[name] = new
            self.meter.is_on = FROM_HERE not in code.co_names  # else a mark turns it on
            self.meter.is_open = True
            self.parts = program(*map(self.arrays.given, arguments))
        except Exception as error:
            self.lost = error
        finally:
            self.meter.is_open = False
            for space, name, old, _ in undo:
                space[name] = old

    def replaced(self) -> Iterator[tuple[dict[str, Any], str, Any]]:
        """Yield (namespace, name, what counts in its place)."""
        yield sys.modules, "numpy", self.arrays.in_place_of(np)
        for space in map(vars, [*self.learner, *self.programs]):
            for name, value in space.items():
                if (new := self.arrays.in_place_of(value)) is not None:
                    yield space, name, new
        for space in map(vars, self.programs):
            yield from ((space, name, self.marks[name]) for name in self.marks.keys() & space)

    def beside(self, parts: Any) -> dict[str, Any]:
        """Add the cost, as the part `cost`, to what the program gave in its run without a count."""
        named = parts if isinstance(parts, dict) else {"value": parts}
        cost = self.lost or [self.figures()]  # before anything else looks at what came back
        if self.arrays.door.is_touched:
            cost = Uncounted("It costs what nobody can tell: it touches what counts.")
        elif not self.lost and not same(self.parts, parts):
            cost = Uncounted("It costs what nobody can tell: counted, it gives other values.")
        return {**named, "cost": cost}

    def figures(self) -> Any:
        """Return the figures, int64 (7,); results that escaped the count are `brought`."""
        given = Operands(self.arrays)
        for each in arrays_in(self.parts):
            given.bare(each)
        self.meter.bring_in_values(given.outside + max(0, len(self.meter.brought) - FREE))
        return np.array(list(self.meter.figures.values()), dtype="int64")


def mark(name: str, code: Any, door: Door) -> Callable[[], None]:
    """Return what a program of this code calls to mark what counts; nobody else may."""

    def marked() -> None:
        if CALLER(1).f_code is not code:
            door.is_touched = True
        (door.restart if name == FROM_HERE else door.stop)()

    return marked


def count(runner: ProbeRunner, program: Callable[..., Any], probe: Probe) -> Counting | None:
    """Run a probe whose cost is asked for, before its plain run can fill a cache; else None."""
    if "cost" not in runner.looked_at.get(probe[0], ()):
        return None
    counting = Counting(runner.learner.modules(), runner.own.values())
    counting.run(
        program, runner.bg, *(wire.decode_argument(a, runner.request["arrays"]) for a in probe[2])
    )
    return counting


def arrays_in(parts: Any) -> list[Any]:
    """Return all arrays that a program has returned."""
    named = parts.values() if isinstance(parts, dict) else [parts]
    return [each for given in named if not isinstance(given, BaseException) for each in given]


def same(parts: Any, others: Any) -> bool:
    """Whether two runs of a program gave the same values."""
    mine, theirs = arrays_in(parts), arrays_in(others)
    return len(mine) == len(theirs) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, 1e-4, 1e-6, equal_nan=True)
        for a, b in zip(mine, theirs)  # noqa: B905
    )


KINDS = (  # for the seal
    ArrayState, Meter, Operands, Guarded, Door, CountedArrays, Made, CountingModule, Counting,
)  # fmt: skip
