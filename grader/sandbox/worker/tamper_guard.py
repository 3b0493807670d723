"""The course's own code beside the learner's: called by nobody else, and left as it is.

The programs hold what computes: a walk over a graph, the rules of small ops. None of it may stand
in for a learner's own. So each of their functions looks at who calls it: its code has to be one of
theirs, since a name of a file is quickly forged. What they ask of NumPy, of other modules and of
Python's builtins is what stood there before any learner code. And after every probe it is seen
whether all of them, their classes too, are still what they were. Who takes this module apart as
well is judged by what the rest then gives: the answers are not here.
"""

from __future__ import annotations

import os
import sys
import types
import warnings
from itertools import chain
from operator import is_

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from typing import Any


# Taken before any learner code could put something else in their place.
EVERY, EACH, SIZE, IN_A_ROW = all, map, len, chain.from_iterable
CALLER = sys._getframe
ID = object.__hash__  # another for each object, and unlike `id` no event of Python's
HERE = os.path.dirname(os.path.abspath(__file__)) + "/"
BORROWED = "It calls code of the course's own. The exercise is yours to write."
REPLACED = "It replaces code of the course, which then asks something else than it should."


class Borrowed(Exception):
    """Learner code called a function of the programs."""


class Seal:
    """Guards the functions of modules, and notices what is put in their place.

    Args:
        modules: the programs.
        codes: what they were run from.
        kinds: classes of the worker that nobody has to touch.
        note: is called with the caller's frame, and a sentence.
    """

    def __init__(
        self,
        modules: Iterable[types.ModuleType],
        codes: Iterable[types.CodeType],
        kinds: Iterable[type],
        note: Callable[[types.FrameType, str], None],
    ) -> None:
        self.note = note
        self.known: dict[int, tuple[Any, Any]] = {}
        spaces = [vars(module) for module in modules]
        self.own = {ID(code): code for code in with_inner(codes)}
        for space in spaces:
            for name in list(space):
                space[name] = self.guarded(space[name])
        own = {each: None for space in spaces for each in space.values() if is_class_of_ours(each)}
        self.held = [(space, dict(space)) for space in (*spaces, *map(vars, (*kinds, *own)))]
        self.spaces = [space for space, _ in self.held]
        self.views = [space.values() for space in self.spaces]
        self.names, self.values = [*chain(*self.spaces)], [*chain(*self.views)]
        self.sizes = [*map(len, self.spaces)]
        self.functions = {id(value) for value in self.values}
        self.functions |= {id(inside) for _, inside in self.known.values()}
        self.has_new_code = False

    def guarded(self, value: Any) -> Any:
        """A value of a module: its functions look at who calls them, in tables as well."""
        if type(value) is dict:
            return {key: self.guarded(each) for key, each in value.items()}
        if type(value) is tuple:
            return tuple(map(self.guarded, value))
        if type(value) is types.ModuleType:
            return as_it_is(value)
        module = str(getattr(value, "__module__", ""))
        if isinstance(value, type) or not callable(value) or not module.startswith("programs."):
            return value
        if id(value) not in self.known:
            # Kept beside its guard: so its id stays its own.
            self.known[id(value)] = guard(value, self.own, self.note), value
        return self.known[id(value)][0]

    def broken(self) -> bool:
        """Whether anything is no longer what it was; asked after every probe, so in few steps."""
        in_place = (
            [*EACH(SIZE, self.spaces)] == self.sizes
            and EVERY(EACH(is_, IN_A_ROW(self.spaces), self.names))
            and EVERY(EACH(is_, IN_A_ROW(self.views), self.values))
        )
        for space, before in () if in_place else self.held:
            if not EVERY(EACH(is_, EACH(space.get, before), before.values())):
                return True
        return self.has_new_code

    def changes(self, function: object) -> None:
        """Other code, or other defaults, are put into a function."""
        if id(function) in self.functions:
            self.has_new_code = True


def is_class_of_ours(value: object) -> bool:
    return isinstance(value, type) and value.__module__.startswith("programs.")


def as_it_is(module: types.ModuleType) -> types.ModuleType:
    """A module of others with all that it holds now, whatever is put there later.

    What changes by itself, as in `sys`, and what is our own stays what it is.
    """
    if module is sys or module.__name__.startswith("programs."):
        return module
    found = types.ModuleType(module.__name__)
    vars(found).update(vars(module))
    return found


def with_inner(codes: Iterable[types.CodeType]) -> list[types.CodeType]:
    """The codes of modules, and of all that is defined in them."""
    found = list(codes)
    for code in found:  # grows while it is gone through
        found += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return found


def guard(
    function: Callable[..., Any],
    known: Container[int],
    note: Callable[[types.FrameType, str], None],
) -> Callable[..., Any]:
    """The function, for programs, by the numbers of their codes, and the worker alone."""

    def own(*args: Any, **names: Any) -> Any:
        caller = CALLER(1)
        if ID(caller.f_code) not in known and not caller.f_code.co_filename.startswith(HERE):
            note(caller, BORROWED)
            raise Borrowed(BORROWED)
        return function(*args, **names)

    return own


class Manners:
    """How NumPy and Python take a warning, as it was before learner code could change it.

    `np.seterr(all="raise")` at import is a good habit of some, and would turn the underflow of a
    right sigmoid into an error.
    """

    def __init__(self) -> None:
        self.numpy, self.geterr, self.seterr = np.geterr(), np.geterr, np.seterr
        self.filters = list(warnings.filters)

    def restore(self) -> None:
        if self.geterr() != self.numpy:
            self.seterr(**self.numpy)
        if warnings.filters != self.filters:
            warnings.resetwarnings()
            warnings.filters.extend(self.filters)  # type: ignore[attr-defined]
