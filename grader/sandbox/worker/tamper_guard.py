"""The course's own code beside the learner's: called by nobody else, and left as it is.

The programs hold what computes: a walk over a graph, say. None of it may stand in for a learner's
own. So each of their functions begins by looking at who calls it (`grader/sandbox/own_code.py`
puts that into their code): a frame has to run code of a program, this very object, as a name of a
file is quickly forged; the worker's own code is one more step on the way there, as it calls what it
is given; and where a walk is called, every frame below has to be ours. The look is a constant of
the code itself: there is no function without it, and no cell or name that could be filled with
something else. Who makes a code object of his own, or a function of one of ours, is refused.

What they ask of NumPy, of other modules and of Python's builtins is what stood there before any
learner code. And after every probe it is seen whether all of them, their classes too, are still
what they were. Who takes this module apart as well is judged by what the rest then gives: the
answers are not here.
"""

from __future__ import annotations

import os
import sys
import types
import zipimport
from functools import cache
from importlib import _bootstrap, _bootstrap_external
from itertools import chain
from operator import is_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


# Taken before any learner code could put something else in their place.
EVERY, EACH, SIZE, IN_A_ROW = all, map, len, chain.from_iterable
CALLER = sys._getframe
COROUTINE = types.coroutine.__code__
# By what an import reads code from a file, and by whom that is asked for.
FILES: Any = _bootstrap_external
ZIPS: Any = zipimport
START: Any = _bootstrap
FROZEN = START.FrozenImporter.exec_module.__code__  # reads what Python holds in itself, by its name
READERS = {
    FILES._compile_bytecode.__code__: (
        FILES.SourceLoader.get_code.__code__, FILES.SourcelessFileLoader.get_code.__code__,
    ),
    ZIPS._unmarshal_code.__code__: (ZIPS._get_module_code.__code__,),
    START._call_with_frames_removed.__code__: (FROZEN,),
}  # fmt: skip
LOADERS = FILES.SourceFileLoader, FILES.SourcelessFileLoader, ZIPS.zipimporter
ID = object.__hash__  # another for each object, and unlike `id` no event of Python's
HERE = os.path.dirname(os.path.abspath(__file__)) + "/"
BORROWED = "It calls code of the course's own. The exercise is yours to write."
REMADE = "It makes code objects by itself, or runs one of ours: nobody can tell whose code that is."
REPLACED = "It replaces code of the course, which then asks something else than it should."


class Borrowed(Exception):
    """Learner code called a function of the programs."""


def only_ours(
    known: frozenset[int] = frozenset(),
    enough: frozenset[int] = frozenset(),
    caller: Callable[[int], types.FrameType | None] = CALLER,
    identity: Callable[[object], int] = ID,
    note: Any = None,
) -> None:
    """Refuse a call by code that is not known. (What it asks is its defaults: nothing to replace.)

    Args:
        known: the numbers of codes.
        enough: those of them below which nobody looks.
        note: is called with the caller's frame, and a sentence.
    """
    frame = caller(2)
    while frame is not None:
        code = identity(frame.f_code)
        if code not in known:
            note(frame, BORROWED)
            raise Borrowed(BORROWED)
        frame = None if code in enough else frame.f_back


class Guards:
    """What the functions of the programs begin with.

    Args:
        programs: file → its code, with the names of the guards (`NAMES`) as constants.
        note: is called with the caller's frame, and a sentence.
        all_the_way: whether every frame below a walk is looked at.
    """

    NAMES = "programs: ours alone", "programs: ours all the way"

    def __init__(
        self,
        programs: dict[str, types.CodeType],
        note: Callable[[types.FrameType, str], None],
        all_the_way: bool = True,
    ) -> None:
        self.note = note
        guards = [types.FunctionType(only_ours.__code__, globals(), name) for name in self.NAMES]
        within = dict(zip(self.NAMES, guards, strict=True))
        self.programs = {file: with_guards(code, within) for file, code in programs.items()}
        codes = with_inner(self.programs.values())
        ours = frozenset(map(ID, codes))
        codes += worker_codes()
        self.own = {ID(code): code for code in (*codes, *(guard.__code__ for guard in guards))}
        self.below = list(codes_of_frames(CALLER(0)))
        self.known = frozenset(self.own) | {*map(ID, self.below)}
        for guard, enough in zip(guards, (ours, frozenset()), strict=True):
            guard.__defaults__ = self.known, enough if all_the_way else self.known, CALLER, ID, note

    def listens_to(self) -> dict[str, Callable[..., None]]:
        """Event of Python's → what is done when learner code makes something to be run."""
        return {
            "code.__new__": self.remade, "marshal.loads": self.unmarshalled,
            "marshal.load": self.unmarshalled, "function.__new__": self.rerun, "exec": self.rerun,
        }  # fmt: skip

    def remade(self, *_: object) -> None:
        """A code object is made: out of ours, for all that can be told.

        `types.coroutine`, which `asyncio` needs, sets a flag of one, and of nothing but a code.
        """
        frame = CALLER(2)
        if frame.f_code is not COROUTINE or type(frame.f_locals.get("co")) is not types.CodeType:
            self.refuse(frame)

    def unmarshalled(self, *_: object) -> None:
        """Something is read by `marshal`, code perhaps: by an import, or by the worker itself."""
        frame = CALLER(2)
        if not is_import(frame) and not {*map(ID, codes_of_frames(frame))} <= self.known:
            self.refuse(frame)

    def rerun(self, code: object, *_: object) -> None:
        """A function is made of a code object, or it is run as it is: not of one of ours."""
        if ID(code) in self.own:
            self.refuse(CALLER(2))

    def refuse(self, frame: types.FrameType) -> None:
        self.note(frame, REMADE)
        raise Borrowed(REMADE)


class Seal:
    """Notices what is put in the place of a program.

    Args:
        modules: the programs.
        kinds: classes of the worker that nobody has to touch.
        own: the codes of ours, by their numbers.
    """

    def __init__(
        self,
        modules: Iterable[types.ModuleType],
        kinds: Iterable[type],
        own: dict[int, types.CodeType],
    ) -> None:
        spaces = [vars(module) for module in modules]
        self.own = own
        for space in spaces:
            space.update({n: as_it_is(m) for n, m in space.items() if type(m) is types.ModuleType})
        classes = {each: None for space in spaces for each in space.values() if is_ours(each)}
        self.held = [(space, dict(space)) for space in (*spaces, *map(vars, (*kinds, *classes)))]
        self.spaces = [space for space, _ in self.held]
        self.views = [space.values() for space in self.spaces]
        self.names, self.values = [*chain(*self.spaces)], [*chain(*self.views)]
        self.sizes = [*map(len, self.spaces)]
        self.has_new_code = False

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

    def changes(self, function: object, name: str, value: object) -> None:
        """Other code, or other defaults, are put into a function of ours; or our code into any."""
        is_ours = isinstance(function, types.FunctionType) and ID(function.__code__) in self.own
        if is_ours or ID(value) in self.own:
            self.has_new_code = True


def is_import(frame: types.FrameType) -> bool:
    """Whether Python itself reads code there, out of a file that it has found, or out of itself."""
    by = frame.f_back
    if by is None or by.f_code not in READERS.get(frame.f_code, ()):
        return False
    loader = by.f_locals.get("self")
    is_file = type(loader) in LOADERS and "get_data" not in vars(loader)
    return is_file or by.f_code is FROZEN


def is_ours(value: object) -> bool:
    """Whether it is a class of the programs."""
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


def with_guards(code: types.CodeType, guards: dict[str, types.FunctionType]) -> types.CodeType:
    """The code with these functions in the place of their names, whatever is defined in it too."""
    consts = tuple(
        with_guards(each, guards) if isinstance(each, types.CodeType)
        else guards.get(each, each) if isinstance(each, str) else each
        for each in code.co_consts
    )  # fmt: skip
    return code if all(map(is_, consts, code.co_consts)) else code.replace(co_consts=consts)


@cache
def worker_codes() -> list[types.CodeType]:
    """The worker's own codes. A fork that looked for them would copy each page that it touches."""
    return with_inner(codes_below(HERE))


def codes_below(folder: str) -> Iterator[types.CodeType]:
    """The codes of the modules in a folder, their methods' too."""
    for module in list(sys.modules.values()):
        todo = list(vars(module).values()) if is_below(folder, module) else []
        for each in todo:  # grows while it is gone through
            if isinstance(each, type) and each.__module__ == module.__name__:
                todo += vars(each).values()
            each = getattr(each, "__func__", getattr(each, "fget", each))
            if isinstance(each, types.FunctionType):
                yield each.__code__


def is_below(folder: str, module: types.ModuleType) -> bool:
    return str(getattr(module, "__file__", "")).startswith(folder)


def codes_of_frames(frame: types.FrameType | None) -> Iterator[types.CodeType]:
    """The codes that run now, the innermost first."""
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back
