"""Ask something else first: an exercise's first probe runs with other numbers before it counts.

A learner calls `add` more than once, and so do we. What keeps a result under too little of its
inputs, or has one array for all results, is right in its first call alone. The other values have
the shapes and dtypes of the right ones and come from them, so that they lie in the same domain:
`[2.0, 4.0]` becomes `[3.0, 1.5]`: a sum is another one, too. Nobody looks at what comes back.
"""

from __future__ import annotations

import contextlib
import io

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

MOST = 6  # places that are moved one by one
SMALLER = 0.75  # of a number
SHARE = 0.25  # of a probe's time: after that no further call begins


def other_arguments(arguments: list[Any]) -> Iterator[list[Any]]:
    """Yield arguments with other numbers in one place; in all places, where they are many."""
    every = Others()
    changed = every.of(arguments)
    if every.met > MOST:
        yield changed
    for only in range(every.met if every.met <= MOST else 0):
        yield Others(only).of(arguments)


class Others:
    """Copies of arguments with other numbers: all of them, or those of one place.

    A place is an array, a float, or a list of floats: the numbers of several leaves.
    """

    def __init__(self, only: int | None = None) -> None:
        self.only, self.met = only, 0

    def of(self, value: Any) -> Any:
        """Return a value with other numbers; texts, whole numbers and all else stay."""
        kind = type(value)
        if kind is dict:
            return self.of_dict(value)
        is_numbers = kind is list and bool(value) and all(type(each) is float for each in value)
        if (kind is list or kind is tuple) and not is_numbers:
            return kind(map(self.of, value))
        if not is_numbers and kind is not float and kind is not np.ndarray:
            return value
        self.met += 1
        if self.only is not None and self.met - 1 != self.only:
            return value.copy() if kind is np.ndarray else value
        if is_numbers:
            return [each * SMALLER for each in value]
        return value * SMALLER if kind is float else other_array(value)

    def of_dict(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a dict with other numbers; it is one place: of a layer all weights are moved."""
        inside = Others(None if self.only in (None, self.met) else -1)
        found = {name: inside.of(each) for name, each in state.items()}
        self.met += bool(inside.met)
        return found


def other_array(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the values from behind; floats are smaller, too."""
    other = array.ravel()[::-1].reshape(array.shape)
    return np.asarray(other * SMALLER if array.dtype.kind == "f" else other.copy(), array.dtype)


@contextlib.contextmanager
def unheard(refusal: tuple[type[BaseException], ...]) -> Iterator[None]:
    """Drop what is printed; ignore what is raised, for the call that counts raises it again.

    A refusal stands: a program looks at the first calls alone.
    """
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            yield
        except refusal:
            raise
        except Exception:
            pass


class Answers:
    """The answers of each program so far, for each exercise that it serves."""

    def __init__(self) -> None:
        self.exercises: set[str] = set()  # those that have been asked something
        # (exercise, program) → its parts, each with the arrays of all calls
        self.known: dict[tuple[str, str], set[tuple[str, int]]] = {}

    def note(self, exercise: str, program: str, fields: Iterable[tuple[str, bytes]]) -> list[str]:
        """Note the encoded arrays of a call; return the parts that an earlier call gave, too."""
        self.exercises.add(exercise)
        known = self.known.setdefault((exercise, program), set())
        parts: dict[str, int] = {}  # part → a hash of its arrays so far
        for part, data in fields:
            parts[part] = hash((parts.get(part), data))
        repeated = sorted([part for part, _ in parts.items() & known])
        known.update(parts.items())
        return repeated
