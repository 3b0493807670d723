"""Guard the course's own code in the worker: learner code may neither call it nor change it.

The programs hold what computes, such as a walk over a graph, and that may not stand in for a
learner's own. So each of their functions begins by checking its caller (`course_code.py` of the
grader puts the check in): the frame must run a code object of a program, that very object, as a
file name is easily forged. Frames of the worker's own code are skipped, as it calls what it is
given. For a walk every frame below must be ours. The check is a constant of the code object: no
function exists without it, and no cell or name can be rebound. Making a code object, or a function
of one of ours, is refused.

The programs use NumPy, other modules and builtins as these were before any learner code. After each
probe the seal checks that they and their classes are unchanged. Disabling this guard gains no
answers: the worker holds none, and the judge compares what comes back.
"""

from __future__ import annotations

import gc
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
    import ctypes
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


# Taken before any learner code could put something else in their place.
EVERY, EACH, SIZE, IN_A_ROW = all, map, len, chain.from_iterable
CALLER = sys._getframe
COROUTINE = types.coroutine.__code__
# Functions of an import that read code, and their callers in the import system.
FILES: Any = _bootstrap_external
ZIPS: Any = zipimport
START: Any = _bootstrap
FROZEN = START.FrozenImporter.exec_module.__code__  # imports frozen modules
READERS = {
    FILES._compile_bytecode.__code__: (
        FILES.SourceLoader.get_code.__code__, FILES.SourcelessFileLoader.get_code.__code__,
    ),
    ZIPS._unmarshal_code.__code__: (ZIPS._get_module_code.__code__,),
    START._call_with_frames_removed.__code__: (FROZEN,),
}  # fmt: skip
LOADERS = FILES.SourceFileLoader, FILES.SourcelessFileLoader, ZIPS.zipimporter
ID = object.__hash__  # differs per object and, unlike `id`, raises no audit event
HERE = os.path.dirname(os.path.abspath(__file__)) + "/"
BORROWED = "It calls code of the course's own. The exercise is yours to write."
REMADE = "It makes code objects by itself, or runs one of ours: nobody can tell whose code that is."
REPLACED = "It replaces code of the course, which then asks something else than it should."


class OwnCodeCalled(Exception):
    """Learner code called a function of the programs."""


def require_own_caller(
    known: frozenset[int] = frozenset(),
    enough: frozenset[int] = frozenset(),
    caller: Callable[[int], types.FrameType | None] = CALLER,
    identity: Callable[[object], int] = ID,
    note: Any = None,
) -> None:
    """Refuse a call by unknown code. Its data are defaults, so there is no name to rebind.

    Args:
        known: the ids of code objects that may call.
        enough: those of them below which no frame is checked.
        note: called with the caller's frame, and a sentence.
    """
    frame = caller(2)
    while frame is not None:
        code = identity(frame.f_code)
        if code not in known:
            note(frame, BORROWED)
            raise OwnCodeCalled(BORROWED)
        frame = None if code in enough else frame.f_back


class CallerGuards:
    """Put guards at the head of the programs' functions, and watch for forged code.

    Args:
        programs: file → its code, with the names of the guards (`NAMES`) as constants.
        note: called with the caller's frame, and a sentence.
        all_the_way: whether every frame below a walk is checked.
    """

    NAMES = "programs: ours alone", "programs: ours all the way"

    def __init__(
        self,
        programs: dict[str, types.CodeType],
        note: Callable[[types.FrameType, str], None],
        all_the_way: bool = True,
    ) -> None:
        self.note = note
        guards = [
            types.FunctionType(require_own_caller.__code__, globals(), name) for name in self.NAMES
        ]
        within = dict(zip(self.NAMES, guards, strict=True))
        self.programs = {file: bind_guards(code, within) for file, code in programs.items()}
        codes = collect_codes(self.programs.values())
        ours = frozenset(map(ID, codes))
        codes += worker_codes()
        self.own = {ID(code): code for code in (*codes, *(guard.__code__ for guard in guards))}
        self.below = list(codes_of_frames(CALLER(0)))
        self.known = frozenset(self.own) | {*map(ID, self.below)}
        for guard, enough in zip(guards, (ours, frozenset()), strict=True):
            guard.__defaults__ = self.known, enough if all_the_way else self.known, CALLER, ID, note

    def audit_hooks(self) -> dict[str, Callable[..., None]]:
        """Map audit events to handlers for learner code that makes code to be run."""
        return {
            "code.__new__": self.on_code_created, "marshal.loads": self.on_unmarshal,
            "marshal.load": self.on_unmarshal, "function.__new__": self.on_code_reused,
            "exec": self.on_code_reused,
        }  # fmt: skip

    def on_code_created(self, *_: object) -> None:
        """Refuse a new code object: it may be made out of ours.

        `types.coroutine`, which `asyncio` needs, sets a flag of one, and of nothing but a code.
        """
        frame = CALLER(2)
        if frame.f_code is not COROUTINE or type(frame.f_locals.get("co")) is not types.CodeType:
            self.refuse(frame)

    def on_unmarshal(self, *_: object) -> None:
        """Refuse `marshal`, which may read code, unless an import or the worker itself calls it."""
        frame = CALLER(2)
        if not is_import(frame) and not {*map(ID, codes_of_frames(frame))} <= self.known:
            self.refuse(frame)

    def on_code_reused(self, code: object, *_: object) -> None:
        """Refuse to run one of our code objects, or to make a function of it."""
        if ID(code) in self.own:
            self.refuse(CALLER(2))

    def refuse(self, frame: types.FrameType) -> None:
        self.note(frame, REMADE)
        raise OwnCodeCalled(REMADE)


class NamespaceSeal:
    """Detect changes to the programs.

    Args:
        modules: the programs.
        kinds: classes of the worker that must stay as they are.
        own: our code objects, by id.
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
            space.update(
                {n: snapshot_module(m) for n, m in space.items() if type(m) is types.ModuleType}
            )
        classes = {each: None for space in spaces for each in space.values() if is_ours(each)}
        self.held = [(space, dict(space)) for space in (*spaces, *map(vars, (*kinds, *classes)))]
        self.spaces = [space for space, _ in self.held]
        self.views = [space.values() for space in self.spaces]
        self.names, self.values = [*chain(*self.spaces)], [*chain(*self.views)]
        self.sizes = [*map(len, self.spaces)]
        self.versions = dict_versions(self.spaces)
        self.intact = b"".join(self.versions)  # the versions when nothing had changed
        self.has_new_code = False

    def is_broken(self) -> bool:
        """Whether anything has changed; called after every probe, so in few steps."""
        now = b"".join(self.versions)
        if now and now == self.intact:
            return self.has_new_code
        in_place = (
            [*EACH(SIZE, self.spaces)] == self.sizes
            and EVERY(EACH(is_, IN_A_ROW(self.spaces), self.names))
            and EVERY(EACH(is_, IN_A_ROW(self.views), self.values))
        )
        for space, before in () if in_place else self.held:
            if not EVERY(EACH(is_, EACH(space.get, before), before.values())):
                return True
        self.intact = now
        return self.has_new_code

    def on_attribute_set(self, function: object, name: str, value: object) -> None:
        """Record new code or defaults in a function of ours, or our code in any function."""
        is_ours = isinstance(function, types.FunctionType) and ID(function.__code__) in self.own
        if is_ours or ID(value) in self.own:
            self.has_new_code = True


def dict_versions(spaces: Iterable[Any]) -> list[ctypes.c_uint64]:
    """Return what holds the version of each namespace, which is a new one after each change (PEP
    509, up to Python 3.13); none where Python keeps no versions."""
    if sys.implementation.name != "cpython" or sys.platform == "emscripten":
        return []
    import ctypes

    def version(space: dict[str, Any]) -> ctypes.c_uint64:
        # Behind the head of the object, and the number of its items, a word.
        return ctypes.c_uint64.from_address(id(space) + object.__basicsize__ + tuple.__itemsize__)

    trial: dict[str, Any] = {}
    told = version(trial)
    seen = {told.value}
    for change in (trial.update, trial.update, lambda _: trial.clear()):
        change({"name": object()})
        seen.add(told.value)
    # A class shows its dict through a proxy.
    dicts = (s if isinstance(s, dict) else gc.get_referents(s)[0] for s in spaces)
    return [version(each) for each in dicts] if len(seen) == 4 else []


class Guarded:
    """State that the worker's own code alone may look at; `is_touched` tells that another has."""

    is_touched = False

    def __getattribute__(self, name: str) -> Any:
        return look(self, object.__getattribute__, name)

    def __setattr__(self, name: str, value: Any) -> None:
        look(self, object.__setattr__, name, value)


def look(state: Guarded, act: Callable[..., Any], *given: Any) -> Any:
    if ID(CALLER(2).f_code) not in own_codes():
        object.__setattr__(state, "is_touched", True)
    return act(state, *given)


@cache
def own_codes() -> frozenset[int]:
    return frozenset(map(ID, worker_codes()))


def is_import(frame: types.FrameType) -> bool:
    """Whether Python's import system reads code there: of a file it found, or a frozen module."""
    by = frame.f_back
    if by is None or by.f_code not in READERS.get(frame.f_code, ()):
        return False
    loader = by.f_locals.get("self")
    is_file = type(loader) in LOADERS and "get_data" not in vars(loader)
    return is_file or by.f_code is FROZEN


def is_ours(value: object) -> bool:
    """Whether a value is a class of the programs."""
    return isinstance(value, type) and value.__module__.startswith("programs.")


def snapshot_module(module: types.ModuleType) -> types.ModuleType:
    """Copy another's module, against later changes; `sys` and our own are returned as they are."""
    if module is sys or module.__name__.startswith("programs."):
        return module
    found = types.ModuleType(module.__name__)
    vars(found).update(vars(module))
    return found


def collect_codes(codes: Iterable[types.CodeType]) -> list[types.CodeType]:
    """Return the code objects of modules, and of all that is defined in them."""
    found = list(codes)
    for code in found:  # grows during the loop
        found += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return found


def bind_guards(code: types.CodeType, guards: dict[str, types.FunctionType]) -> types.CodeType:
    """Replace guards' names in a code object's constants by the functions, also in nested code."""
    consts = tuple(
        bind_guards(each, guards) if isinstance(each, types.CodeType)
        else guards.get(each, each) if isinstance(each, str) else each
        for each in code.co_consts
    )  # fmt: skip
    return code if all(map(is_, consts, code.co_consts)) else code.replace(co_consts=consts)


@cache
def worker_codes() -> list[types.CodeType]:
    """Return the worker's own code objects; cached before a fork, as a search would copy pages."""
    return collect_codes(codes_below(HERE))


def codes_below(folder: str) -> Iterator[types.CodeType]:
    """Yield the code objects of the modules in a folder, their methods' too."""
    for module in list(sys.modules.values()):
        todo = list(vars(module).values()) if is_below(folder, module) else []
        for each in todo:  # grows during the loop
            if isinstance(each, type) and each.__module__ == module.__name__:
                todo += vars(each).values()
            each = getattr(each, "__func__", getattr(each, "fget", each))
            if isinstance(each, types.FunctionType):
                yield each.__code__


def is_below(folder: str, module: types.ModuleType) -> bool:
    return str(getattr(module, "__file__", "")).startswith(folder)


def codes_of_frames(frame: types.FrameType | None) -> Iterator[types.CodeType]:
    """Yield the code objects of a frame and its callers, innermost first."""
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back
