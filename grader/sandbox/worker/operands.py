"""Look at the operands of a NumPy call: which came out of the count, and what comes from outside.

A whole number is a value or a place. One that stands alone is a value if a ufunc or a function that
fills an array takes it, and gives real numbers; many in a list are values if an array is made of
them that becomes one of real numbers.
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from counting import CountedArrays

TAKES = {"__getitem__", "take", "take_along_axis", "compress", "choose"}  # read as many as written
# Their second argument finds places: whole numbers there are no values.
FINDS = TAKES | {"__setitem__", "at", "delete", "insert", "put", "put_along_axis", "reduceat"}
MAKES = {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "require"}
FILLS = {"__setitem__", "copyto", "fill", "full_like", "place", "put", "putmask", "where"}
PLACE = {"axis", "indices", "shape"}  # … and so do these, by name
PLAIN = {0, 1, -1}  # whole numbers that bring nothing along
SHORT = 8  # as many whole numbers may be a shape or axes, where no array is made of them
HAS_NUMPY = hasattr(np.ndarray, "base")  # a page may do without it, and counts nothing then
BASE: Any = np.ndarray.base.__get__ if HAS_NUMPY else None
# It stands between two arrays.
STRIDED = type(BASE(np.lib.stride_tricks.as_strided(np.zeros(1)))) if HAS_NUMPY else None
# Types that bring no values along; any other may, and nobody sees how many.
HARMLESS = (str, slice, type, range, dict, np.dtype, np.generic, type(None), type(...))


def owner(array: Any) -> Any:
    """Return the innermost array that an array is a view of: it owns the memory, or borrows it.

    NumPy tells what it is a view of: a class of a learner's may say something else.
    """
    found = array
    while isinstance(array, np.ndarray):
        found, array = array, BASE(array)
        if type(array) is STRIDED and share(found, array.base):
            array = array.base
    return found


def share(one: Any, other: Any) -> bool:
    if not isinstance(other, np.ndarray):
        return False
    view = np.ndarray.view
    return np.may_share_memory(view(one, np.ndarray), view(other, np.ndarray))


def is_real(array: Any) -> bool:
    return array.dtype.kind in "fc"


class Operands:
    """The operands of a NumPy function, as plain arrays, and what the meter must know of them.

    Attributes:
        plain: the arrays.
        same: id of a plain array → the counting array that it is a view of.
        outside: how many values came from outside the count.
        numbers: how many single values were counted before.
        alone: single numbers of Python's.
        in_lists, listed: how many whole numbers are in lists, and in arrays made of such.
        finds: whether the argument that is looked at finds places.
        closed: whether an operand cannot be looked into: memory, a function.
        has_values: whether whole numbers among them were made of real ones.
    """

    def __init__(self, arrays: CountedArrays, name: str = "") -> None:
        self.arrays, self.name = arrays, name
        self.plain: list[Any] = []
        self.same: dict[int, Any] = {}
        self.outside, self.numbers, self.closed = 0, 0, name == "fromstring"
        self.alone: list[Any] = []
        self.in_lists, self.listed, self.finds = 0, 0, False
        self.has_values = False

    def all_of(self, args: Iterable[Any], method: str) -> Iterator[Any]:
        """Yield the arguments of a function, or a ufunc's method, without the count."""
        finds = self.name in FINDS or method in FINDS
        for number, each in enumerate(args):
            self.finds = finds and number == 1
            yield self.bare(each)

    def by_name(self, named: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for key, each in named.items():
            self.finds = key in PLACE
            yield key, self.bare(each)

    def bare(self, value: Any, inside: bool = False) -> Any:
        """Return a value without the count, including what lists and tuples hold."""
        kind, meter = type(value), self.arrays.meter
        if kind in HARMLESS:
            self.outside += inside and kind is str
            return value
        if kind in self.arrays.numbers:
            self.numbers += 1
            self.outside += np.generic.item(value) not in meter.met
            return kind.plain(np.generic.item(value))
        if isinstance(value, np.ndarray):
            self.outside += self.arrays.strange(value)
            is_ours = kind is self.arrays.kind
            return self.plain_of(np.ndarray.view(value, np.ndarray) if is_ours else value, value)
        if kind is list or kind is tuple:
            return kind(self.bare(each, True) for each in value)
        if isinstance(value, (int, float, np.integer, np.floating)):
            self.number(value.item() if isinstance(value, np.generic) else value, inside)
        elif not isinstance(value, HARMLESS):
            if hasattr(kind, "__array__"):
                return self.bare(value.__array__())
            self.closed = True
        return value

    def number(self, value: Any, inside: bool) -> None:
        """Note a number of Python's; inside a list it is one of many."""
        if inside:
            self.outside += not isinstance(value, int)
            self.in_lists += not self.finds and isinstance(value, int) and value not in PLAIN
        elif not self.finds:
            self.alone.append(value)

    def brings(self) -> int:
        """Return how many whole numbers of lists become values, if the result holds any."""
        are_values = self.in_lists > SHORT or self.name in MAKES | FILLS
        return self.listed + self.in_lists * are_values

    def plain_of(self, plain: Any, value: Any) -> Any:
        self.plain.append(plain)
        self.same[id(plain)] = value
        known = self.arrays.meter.known(owner(value))
        self.has_values = self.has_values or known.has_values
        self.listed += plain.size * (known.is_listed and not self.finds)
        if plain.dtype.hasobject:
            self.outside += sum(np.size(each) for each in plain.flat)
        return plain

    def shares(self, array: Any) -> bool:
        return any(np.may_share_memory(array, each) for each in self.plain)
