"""A question, its options, and ways to make wrong options.

Instead of options, a question may take an input, typed and run: for which one do two versions
differ? That is asked in the terminal only, where it can be run, not on paper or a page.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..arrays import Array, make_array
from ..course.key_file import ChapterKey
from ..course.package import Package
from ..learner.wording import format_count, format_numbers
from .subject import MOST_SHOWN, SampleCall, Subject, Value

if TYPE_CHECKING:
    from ..sandbox.worker.request import Arrays as SentArrays


FEWEST, MOST = 3, 4  # options
NEAREST = 6  # wrong options that are drawn from
APART = 0.05  # relative: nearer numbers do not count as different answers
SMALLEST, LARGEST = 0.01, 1e4  # absolute values that a question may ask for
MOST_NUMBERS = 4  # to be worked out by head


class VivaQuestion(NamedTuple):
    """A question about a learner's own code."""

    kind: str  # its row in `KINDS` or `TYPED`
    exercise: str  # the exercise whose code it is about
    place: str  # FILE:LINE
    asks: str
    setting: tuple[str, ...]  # the call that it is about, with its inputs; a line each
    code: tuple[str, ...]  # the learner's own lines, with numbers
    options: tuple[str, ...]  # ``answer`` is one; empty if the answer is typed
    answer: str
    why: str  # one sentence, shown after the answer
    # Whether a typed answer is right; raises ValueError if that cannot be told.
    judge: Callable[[str], bool] | None = None

    def told(self) -> dict[str, object]:
        """Return the question as data, without its judge."""
        return {name: value for name, value in self._asdict().items() if name != "judge"}


def options(rng: random.Random, answer: str, wrong: Iterable[str]) -> tuple[str, ...]:
    """Shuffle the answer among some of the first wrong ones; empty if these are too few."""
    others = [each for each in dict.fromkeys(wrong) if each != answer][:NEAREST]
    if len(others) < FEWEST - 1:
        return ()
    drawn = [answer, *rng.sample(others, min(MOST - 1, len(others)))]
    return tuple(rng.sample(drawn, len(drawn)))


class Aspect(NamedTuple):
    """A property of a value to ask about: words, when it can be asked, right and wrong texts."""

    asks: str  # `{}` is the value's name
    fits: Callable[[Value], bool]
    text: Callable[[Value], str]
    wrong: Callable[[Value, Sequence[Value]], Iterator[str]]  # given all values at hand


def shape_text(value: Value) -> str:
    return str(value.shape) if value.shape else "(), a single number"


def other_shapes(right: Value, known: Sequence[Value]) -> Iterator[str]:
    """Yield wrong shapes: those at hand; with axes reversed, missing or added."""
    shape = right.shape or ()
    here = [value.shape for value in known if value.shape is not None]
    for other in (*here, shape[::-1], shape[:-1], shape[1:], (1, *shape), (*shape, 1), ()):
        yield shape_text(right._replace(shape=other))


def numbers_text(value: Value) -> str:
    """Format an array's numbers, rounded to four digits."""
    text = format_numbers(make_array(value.shape or (), list(value.numbers or ())).nested(), 4)
    return f"{text}.0" if text.isdigit() else text  # "2" would be taken for option number 2


def has_few_numbers(value: Value) -> bool:
    """Whether a value has numbers, few enough and of usual size, to be worked out by head."""
    known = value.numbers or ()
    usual = all(number == 0 or SMALLEST <= abs(number) <= LARGEST for number in known)
    return 0 < len(known) <= MOST_NUMBERS and usual


SLIPS: tuple[Callable[[float], float], ...] = (
    lambda x: -x, lambda x: 2 * x, lambda x: x + 1, lambda x: x / 2, lambda x: x * x,
    lambda x: 1 / x if x else 1.0, lambda x: 0.0, lambda x: 1.0,
)  # fmt: skip


def other_numbers(right: Value, known: Sequence[Value]) -> Iterator[str]:
    """Yield wrong numbers: those at hand; with a wrong sign, factor or order."""
    mine = right.numbers or ()
    like = [other for other in known if other.shape == right.shape and has_few_numbers(other)]
    slips = [tuple(map(slip, mine)) for slip in SLIPS]
    for other in (*(value.numbers or () for value in like), *slips, mine[::-1]):
        if are_apart(mine, other):
            yield numbers_text(right._replace(numbers=other))


def are_apart(mine: Sequence[float], other: Sequence[float]) -> bool:
    """Whether any two numbers differ enough (`APART`) to be different answers."""
    pairs = zip(mine, other, strict=False)
    return any(not math.isclose(a, b, rel_tol=APART, abs_tol=1e-3) for a, b in pairs)


def differ(before: dict[str, Value], after: dict[str, Value]) -> bool | None:
    """Whether two results clearly differ; None if that is not known."""
    pairs = [(each, after[name]) for name, each in before.items() if name in after]
    for one, other in pairs:
        if one.shape != other.shape or are_apart(one.numbers or (), other.numbers or ()):
            return True
    known = before == after and all(value.numbers for value in before.values())
    return False if known else None


SHAPE = Aspect("what shape has {}?", lambda v: v.shape is not None, shape_text, other_shapes)
NUMBERS = Aspect(
    "which numbers are in {} (four digits)?", has_few_numbers, numbers_text, other_numbers
)


def count_in_words(count: int) -> str:
    """Word a count, ``3 times``, so that it is not taken for an option's number."""
    return format_count(count, "time")


def near_counts(count: int) -> list[str]:
    """Return wrong counts near the right one, in words."""
    near = (count + 1, count - 1, 2 * count, count + 2, 1, 0, 3)
    return [count_in_words(number) for number in near if number >= 0]


FRESH = 1 << 20  # arrays from this number on are in no key
NO_NUMBERS = "Type numbers, such as 1.5 or [1, -2], in brackets as the input above has them."
UNCLEAR = "It is not clear with this one: one of the two raises, or they are too near. Try another."


class WithFurtherProbes(ChapterKey):
    """A chapter with copies of a probe at its end; in each, one array is replaced."""

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
    """Replace an array's number in encoded arguments."""

    def named(said: dict[str, object]) -> dict[str, object]:
        return {"array": new} if said == {"array": old} else said

    found: list[object] = json.loads(json.dumps(args), object_hook=named)
    return found


class Trial(NamedTuple):
    """A recorded call with array ``number`` left open, and a changed copy of the package."""

    subject: Subject
    sample: SampleCall
    changed: Package
    number: int

    def differ(self, arrays: list[Array]) -> list[bool | None]:
        """Whether package and copy differ, for each of these arrays; None if it is not clear."""
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
        """Whether package and copy differ for the typed array.

        Raises:
            ValueError: it is no array of numbers, or the answer is not clear.
        """
        (found,) = self.differ([read_array(text)])
        if found is None:
            raise ValueError(UNCLEAR)
        return found


def read_array(text: str) -> Array:
    """Parse numbers in brackets as a float64 array.

    Raises:
        ValueError: they are no finite numbers, too many, or no rectangle.
    """
    try:
        shape, values = _flat(json.loads(text))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(NO_NUMBERS) from error
    if len(values) > MOST_SHOWN or not all(map(math.isfinite, values)):
        raise ValueError(NO_NUMBERS)
    return make_array(shape, values)


def _flat(value: Any) -> tuple[tuple[int, ...], list[float]]:
    if not isinstance(value, list):
        return (), [value + 0.0]
    inside = [_flat(each) for each in value]
    (shape,) = {shape for shape, _ in inside}
    return (len(inside), *shape), [number for _, each in inside for number in each]
