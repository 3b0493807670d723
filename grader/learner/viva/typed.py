"""A question that is answered by an input, typed and run: for which one do two versions differ?

It is asked where there is somebody to run what is typed: in the terminal, not on paper or a page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...arrays import Array, plain
from ...course.key_file import ChapterKey
from ...course.package import Package
from .question import differ
from .subject import MOST_SHOWN, Sample, Subject

if TYPE_CHECKING:
    from ...sandbox.worker.request import Arrays as SentArrays

FRESH = 1 << 20  # arrays from this number on are in no key
NO_NUMBERS = "Type numbers, such as 1.5 or [1, -2], in brackets as the input above has them."
UNCLEAR = "It is not clear with this one: one of the two raises, or they are too near. Try another."


class WithFurtherProbes(ChapterKey):
    """A chapter with further probes at its end: a call with other arrays in the place of one.

    Args:
        probe: the call.
        number: that of the array.
    """

    def __init__(
        self, chapter: ChapterKey, probe: int, number: int, arrays: Sequence[Array]
    ) -> None:
        vars(self).update(vars(chapter))
        row = chapter.probes[probe]
        self.sent = {}
        self.probes = list(chapter.probes)
        for new, array in enumerate(arrays, FRESH):
            sent = {new: (array.dtype, array.shape, bytes(array.data))}
            self.sent[len(self.probes)] = chapter.inputs(probe) | sent
            self.probes.append({**row, "args": _with_array(row["args"], number, new)})

    def inputs(self, number: int) -> SentArrays:
        return self.sent.get(number) or super().inputs(number)


def _with_array(args: list[object], old: int, new: int) -> list[object]:
    """Arguments that name another array in the place of one."""

    def named(said: dict[str, object]) -> dict[str, object]:
        return {"array": new} if said == {"array": old} else said

    found: list[object] = json.loads(json.dumps(args), object_hook=named)
    return found


class Trial(NamedTuple):
    """A call whose input of this number is left open, and a copy of the package beside it."""

    subject: Subject
    sample: Sample
    changed: Package
    number: int

    def differ(self, arrays: list[Array]) -> list[bool | None]:
        """Whether the two return something else for each of these; None where it is not clear."""
        whole = self.subject.chapter
        chapter = WithFurtherProbes(whole, self.sample.probe, self.number, arrays)
        probes = list(range(len(chapter.probes)))[-len(arrays) :]
        one, other = (
            self.subject.calls(package, probes, chapter)
            for package in (self.subject.grading.package, self.changed)
        )
        place = self.sample.function.place
        pairs = [(one[n].get(place), other[n].get(place)) for n in probes]
        return [differ(a.gave, b.gave) if a and b else None for a, b in pairs]

    def judge(self, text: str) -> bool:
        """Whether what was typed tells them apart.

        Raises:
            ValueError: it is no array of numbers, or it cannot be told.
        """
        (found,) = self.differ([read_array(text)])
        if found is None:
            raise ValueError(UNCLEAR)
        return found


def read_array(text: str) -> Array:
    """Numbers in brackets as an array.

    Raises:
        ValueError: they are none, too many, or no rectangle.
    """
    try:
        shape, values = _flat(json.loads(text))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(NO_NUMBERS) from error
    if len(values) > MOST_SHOWN or not all(map(math.isfinite, values)):
        raise ValueError(NO_NUMBERS)
    return plain(shape, values)


def _flat(value: Any) -> tuple[tuple[int, ...], list[float]]:
    if not isinstance(value, list):
        return (), [value + 0.0]
    inside = [_flat(each) for each in value]
    (shape,) = {shape for shape, _ in inside}
    return (len(inside), *shape), [number for _, each in inside for number in each]
