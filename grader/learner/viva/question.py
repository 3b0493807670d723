"""One question: what is asked, its options, and what makes the wrong ones wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...sandbox.observation import printable
from .traces import Seen

FEWEST, MOST = 3, 4  # options
NEAREST = 6  # wrong options that are drawn from
APART = 0.05  # relative: numbers that are nearer are hardly another answer
SMALLEST, LARGEST = 0.01, 1e4  # that are asked for
MOST_NUMBERS = 4  # that somebody works out in their head


class Question(NamedTuple):
    """A question about somebody's own code.

    Attributes:
        kind: its row in the table.
        exercise: whose code it is about.
        place: FILE:LINE.
        setting: the call that it is about, with its inputs; a line each.
        code: their own lines, with numbers.
        why: one sentence, once it is answered.
    """

    kind: str
    exercise: str
    place: str
    asks: str
    setting: tuple[str, ...]
    code: tuple[str, ...]
    options: tuple[str, ...]
    answer: str
    why: str

    @property
    def in_print(self) -> Question:
        """The same without what would steer a terminal: it quotes what somebody wrote."""
        each: dict[str, Any] = {
            name: tuple(map(_harmless, value)) if isinstance(value, tuple) else _harmless(value)
            for name, value in self._asdict().items()
        }
        return self._replace(**each)


def _harmless(text: str) -> str:
    return printable(text.encode("utf-8", "replace"))


def options(rng: random.Random, answer: str, wrong: Iterable[str]) -> tuple[str, ...]:
    """The answer among wrong ones, of which the nearest come first; none where these are few."""
    others = [each for each in dict.fromkeys(wrong) if each != answer][:NEAREST]
    if len(others) < FEWEST - 1:
        return ()
    drawn = [answer, *rng.sample(others, min(MOST - 1, len(others)))]
    rng.shuffle(drawn)
    return tuple(drawn)


def shapes_text(shapes: Iterable[tuple[int, ...]]) -> str:
    return " and ".join(str(shape) if shape else "(), a single number" for shape in shapes)


def other_shapes(right: Sequence[tuple[int, ...]], known: Iterable[Seen]) -> Iterator[str]:
    """Shapes that somebody might think of: others at hand, an axis too many, too few, turned."""
    here = [part.shape for seen in known for part in seen.parts if part.shape is not None]
    for at, shape in enumerate(right):
        near = [*here, shape[::-1], shape[:-1], shape[1:], (1, *shape), (*shape, 1), ()]
        for other in near:
            yield shapes_text([*right[:at], other, *right[at + 1 :]])
    yield shapes_text(right[::-1])


def numbers_text(parts: Iterable[Seen]) -> str:
    """Numbers of arrays as they are shown, rounded to four digits."""
    return " and ".join(map(_one_text, parts))


def _one_text(seen: Seen) -> str:
    values = [f"{number or 0.0:.4g}" for number in seen.numbers or ()]
    if seen.shape:
        return _nested(values, seen.shape)
    return f"{values[0]}.0" if values[0].isdigit() else values[0]  # `1` is the first option


def _nested(values: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return values[0]
    size = len(values) // max(shape[0], 1)
    rows = (values[n * size : (n + 1) * size] for n in range(shape[0]))
    return f"[{', '.join(_nested(row, shape[1:]) for row in rows)}]"


def few_numbers(seen: Seen | None) -> bool:
    """Whether a value is finite numbers, and few enough to be worked out."""
    found = [part.numbers for part in (seen.parts if seen is not None else ())]
    known = [number for each in found if each for number in each]
    usual = all(number == 0 or SMALLEST <= abs(number) <= LARGEST for number in known)
    return None not in found and 0 < len(known) <= MOST_NUMBERS and usual


def other_numbers(right: Sequence[Seen], known: Iterable[Seen]) -> Iterator[str]:
    """Numbers that somebody might come to: others at hand, a sign, a factor, an order wrong."""
    known = [part for seen in known for part in seen.parts]
    for at, part in enumerate(right):
        mine = part.numbers or ()
        like = [p.numbers for p in known if p.shape == part.shape and few_numbers(p)]
        near = [
            *(other for other in like if other is not None),
            *(tuple(map(change, mine)) for change in SLIPS), mine[::-1],
        ]  # fmt: skip
        for other in near:
            if are_apart(mine, other):
                yield numbers_text([*right[:at], _holding(part, other), *right[at + 1 :]])
    swapped = zip(right, right[::-1], strict=True)
    if any(are_apart(a.numbers or (), b.numbers or ()) for a, b in swapped):
        yield numbers_text(right[::-1])


SLIPS = (
    lambda x: -x, lambda x: 2 * x, lambda x: x + 1, lambda x: x / 2, lambda x: x * x,
    lambda x: 1 / x if x else 1.0, lambda x: 0.0, lambda x: 1.0,
)  # fmt: skip


def _holding(part: Seen, numbers: tuple[float, ...]) -> Seen:
    return part._replace(dtype="float64", shape=part.shape or (), values=numbers)


def are_apart(mine: Sequence[float], other: Sequence[float]) -> bool:
    """Whether numbers are far enough from each other to be two answers."""
    if len(mine) != len(other):
        return True
    pairs = zip(mine, other, strict=True)
    return any(not math.isclose(a, b, rel_tol=APART, abs_tol=1e-3) for a, b in pairs)


def near_counts(count: int) -> list[str]:
    """Numbers of times that somebody might count."""
    near = (count + 1, count - 1, 2 * count, count + 2, 1, 0, 3)
    return [times(number) for number in near if number >= 0]


def times(count: int) -> str:
    """A count in words that are not taken for the number of an option."""
    return f"{count} time{'' if count == 1 else 's'}"
