"""Import the learner's package and the programs from texts that came with the request.

Nothing is read from disk: the code that is graded is the code that was hashed. Beyond the standard
library only NumPy can be found, by a finder instead of `sys.path`. It is imported without the parts
that only people read (texts, signatures, types) or that a probe seldom calls: a fifth of its
import.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
import types
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from typing import Any, NoReturn

    from _typeshed.importlib import MetaPathFinderProtocol

NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # as `course/syntax_tree.py`
STUBS = tuple(
    compile(f"def f(): raise NotImplementedError{tail}", "stub", "exec").co_consts[0].co_code
    for tail in ("", "()", "('')")
)
HEADS = re.compile(rb"class (\w+)"), re.compile(rb"def (\w+)")  # each searches for its letters


class NumpyFinder:
    """Find `numpy`, at the place that the grader named, and nothing else."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "numpy":
            return None
        return spec_from_file_location(
            name, f"{self.folder}/__init__.py", submodule_search_locations=[self.folder]
        )


class TextFinder:
    """Find and run the modules of one package that exists as texts only.

    Args:
        name: the package's name, ``babygrad``.
        folder: the folder of its files, for tracebacks.
        files: path below the folder → bytes of the source.
        compiled: path → code, if it was compiled already.
        own_builtins: whether the modules keep Python's builtins as these are now.
    """

    def __init__(
        self,
        name: str,
        folder: str,
        files: Mapping[str, bytes],
        compiled: dict[str, types.CodeType] | None = None,
        own_builtins: bool = False,
    ) -> None:
        self.name = name
        self.folder = folder
        self.files = files
        self.compiled = compiled or {}
        self.rows: dict[str, list[tuple[str, str, int, int, bool]]] = {}  # file → `defined`
        self.builtins = {"__builtins__": vars(builtins).copy()} if own_builtins else {}

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self.name and not fullname.startswith(self.name + "."):
            return None
        file = self.file_of(fullname)
        if file is None:
            return None
        place = f"{self.folder}/{file}"
        spec = ModuleSpec(fullname, self, origin=place)  # type: ignore[arg-type]
        spec.has_location = True
        if file.endswith("__init__.py"):
            spec.submodule_search_locations = []
        return spec

    def missing(self, wanted: Iterable[str], message: str) -> str:
        """Return the wanted file whose absence Python's error reports; empty if there is none."""
        for file in wanted:
            stem = file.removesuffix(".py").replace("/", ".")
            if file not in self.files and f"{stem}'" in message:
                return file
        return ""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(self.builtins)
        exec(self.code(self.held(module.__name__)), vars(module))

    def compile_all(self, files: Iterable[str]) -> None:
        """Compile these files, imported or not."""
        for file in files:
            try:
                self.code(file)
            except NO_PYTHON:
                pass  # no target lies in it

    def defined(self) -> list[tuple[str, str, int, int, bool]]:
        """Return (file, name as a target's, first line, last line, is a stub) of compiled code."""
        for file in self.compiled.keys() - self.rows.keys():
            path = file[:-3].replace("/", ".")
            self.rows[file] = [(file, *each) for each in list_spans(self.compiled[file], path)]
        return [row for file in self.compiled for row in self.rows[file]]

    def list_definitions(self) -> str:
        """List the definitions of all compiled files, a line each."""
        rows = ((name, file, *lines, int(stub)) for file, name, *lines, stub in self.defined())
        return "\n".join("\t".join(map(str, row)) for row in rows)

    def files_beside_stubs(self, targets: Container[str], course: str) -> list[str]:
        """Return the files that may define what is a stub elsewhere: a `class Div`, a `def exp`.

        A file in which the course has a target of that name does not count. Example: the `Tensor`
        of an engine tells nothing about a stub in `tensor.py`.
        """
        rows = self.defined()
        stubs = {name[len(file) - 2 :] for file, name, *_, stub in rows if stub and name in targets}
        names = {name.partition(".")[0].encode() for name in stubs}

        def is_ours(file: str, name: str) -> bool:
            target = f"\n{file[:-3].replace('/', '.')}.{name}"
            return f"{target}." in course or f"{target}\n" in course

        found = []
        for file, data in self.files.items() if names else ():  # without a stub, no search
            heads = {name for head in HEADS for name in head.findall(data)}
            if not all(is_ours(file, name.decode()) for name in names & heads):
                found.append(file)
        return found

    def modules(self) -> list[types.ModuleType]:
        """Return the package and those of its modules that were imported."""
        names = [name for name in sys.modules if name.partition(".")[0] == self.name]
        return [each for each in map(sys.modules.get, names) if isinstance(each, types.ModuleType)]

    def first_lines(self, codes: Iterable[types.CodeType]) -> set[str]:
        """Return file and first line, with a tab, of those codes that are this package's."""
        return {
            f"{code.co_filename[len(self.folder) + 1 :]}\t{code.co_firstlineno}"
            for code in codes
            if code.co_filename.startswith(self.folder)
        }

    def get_source(self, fullname: str) -> str:
        """Return the text of a module, so that tracebacks can quote it."""
        return self.files[self.held(fullname)].decode("utf-8", "replace")

    def held(self, fullname: str) -> str:
        """Return the file of a module that was found."""
        file = self.file_of(fullname)
        assert file is not None
        return file

    def file_of(self, fullname: str) -> str | None:
        stem = fullname[len(self.name) + 1 :].replace(".", "/")
        names = (f"{stem}.py", f"{stem}/__init__.py") if stem else ("__init__.py",)
        return next((name for name in names if name in self.files), None)

    def code(self, file: str) -> types.CodeType:
        """Compile a module, once; raises SyntaxError as Python does."""
        if file not in self.compiled:
            data, place = self.files[file], f"{self.folder}/{file}"
            if b"\0" in data:  # Python's own error would name no file
                raise SyntaxError("it is UTF-16 or no text: save it as UTF-8", (place, 1, 1, ""))
            self.compiled[file] = compile(data, place, "exec", dont_inherit=True)
        return self.compiled[file]


class Refused(Exception):
    """A rule of the course is broken at a learner's line. Programs bring a class of this name."""

    def __init__(self, says: str, file: str, line: int) -> None:
        super().__init__(says)
        self.file = file
        self.line = line


class LearnerPackage(TextFinder):
    """Find and load the learner's package; an error in one file costs only those who need it.

    A file that breaks a rule while it is imported never loads. Whether it catches the exception,
    and how often it is imported, makes no difference.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.stopped: list[Refused] = []  # all broken rules so far
        self.refused: dict[str, list[Refused]] = {}  # file → the first one in its import, if any
        self.lost: dict[str, BaseException] = {}  # module → what kept it from being imported
        self.bare: types.ModuleType | None = None  # the package, while its `__init__` has not run

    def exec_module(self, module: types.ModuleType) -> None:
        file, known = self.held(module.__name__), len(self.stopped)
        self.stopped += self.refused.get(file, ())
        try:
            if len(self.stopped) == known:
                super().exec_module(module)
        finally:
            self.refused[file] = self.stopped[known : known + 1]
            self.raise_stopped(known)

    def raise_stopped(self, known: int) -> None:
        """Raise the first broken rule after the ``known`` ones; learner code may have caught it."""
        if len(self.stopped) > known:
            raise self.stopped[known]

    def load(self, wanted: Iterable[str]) -> types.ModuleType:
        """Import the package with the modules of these files, if it has them.

        If these name nothing else of the package, its `__init__` waits until something else is
        asked for: not even an endless loop in `ops.py` costs an exercise in `scalar.py` anything.

        Raises:
            BaseException: whatever keeps the package, or all of these modules, from being imported.
        """
        files = [file for file in wanted if file in self.files]
        names = [f"{self.name}.{file[:-3].replace('/', '.')}" for file in files]
        sources = b"\n".join(self.files[file] for file in files)
        if not names or b"from ." in sources or self.name.encode() in sources:
            package = import_module(self.name)
        else:
            package = self.bare = sys.modules[self.name] = types.ModuleType(self.name)
            vars(package)["__path__"] = []
        for name in names:
            try:
                import_module(name)
            except (Exception, SystemExit) as error:  # not `TimeUp`
                self.lost[name] = error
        if names and len(self.lost) == len(names):
            raise self.lost[names[0]]
        if self.lost or self.bare:
            for module in self.modules():
                if "__path__" in vars(module):
                    vars(module).setdefault("__getattr__", partial(self.not_there, module))
        return package

    def not_there(self, module: types.ModuleType, name: str) -> Any:
        """Return what a module lacks: a name that `__init__` brings; or raise what lost its file.

        For example: `gpt.py` is lost by an error in `nn.py`. A program that asks for `bg.nn`, which
        nobody else imports, gets that error, too.
        """
        full = f"{module.__name__}.{name}"
        if name.startswith("__"):
            raise AttributeError(name)
        if not self.why_lost(full) and (module is self.bare or self.file_of(full)):
            self.import_late(module, full)
        if name in vars(module):
            return vars(module)[name]
        raise self.why_lost(full) or AttributeError(f"{full} is not there.")

    def import_late(self, module: types.ModuleType, full: str) -> None:
        """Run the package's `__init__` if that has waited; else import the module of this name."""
        is_bare = module is self.bare
        self.bare = None if is_bare else self.bare
        try:
            with catchable_exit():
                if is_bare:
                    self.exec_module(module)
                else:
                    import_module(full)
        except BaseException as error:
            self.lost[self.name if is_bare else full] = error

    def why_lost(self, full: str) -> BaseException | None:
        """Return the error that kept this module, its package or a part of it from an import."""
        for name, error in self.lost.items():
            if f"{full}.".startswith(f"{name}.") or f"{name}.".startswith(f"{full}."):
                return error
        return None

    def has(self, package: types.ModuleType, target: str) -> bool:
        """Whether a target is there at run time, as more than a stub of a base class."""
        if self.why_lost(f"{self.name}.{target}"):
            return True  # or not: the error of its file says more
        holder: Any = package
        for name in target.split("."):
            if isinstance(holder, type) and not is_written(holder, name):
                return False
            is_module = isinstance(holder, types.ModuleType)
            holder = vars(holder).get(name) if is_module else getattr(holder, name, None)
            if holder is None:
                return False
        return True


def list_spans(code: types.CodeType, path: str) -> Iterator[tuple[str, int, int, bool]]:
    """Yield (qualified name, first line, last line, is a stub) of all that a module defines."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and not constant.co_name.startswith("<"):
            name = f"{path}.{constant.co_name}"
            yield name, constant.co_firstlineno, last_line(constant), is_stub_code(constant)
            yield from list_spans(constant, name)


def last_line(code: types.CodeType) -> int:
    lines: Iterable[int] = filter(None, map(itemgetter(2), code.co_lines()))
    inner = [last_line(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return max([code.co_firstlineno, *lines, *inner])


def is_stub_code(code: types.CodeType) -> bool:
    """Whether the body is nothing but `raise NotImplementedError`."""
    return code.co_names == ("NotImplementedError",) and code.co_code in STUBS


def is_written(kind: type, name: str) -> bool:
    """Whether a class has this attribute, other than as a stub of a base or as Python's own.

    A class without `backward` inherits the one of its base, which says that there is none.
    """
    for each in kind.__mro__:
        if name in vars(each):
            held = vars(each)[name]
            code = getattr(getattr(held, "__func__", held), "__code__", None)
            return each is kind or (each is not object and (code is None or not is_stub_code(code)))
    return False


@contextmanager
def catchable_exit() -> Iterator[None]:
    """Make `os._exit` raise SystemExit for a while, so that its place can be told."""
    own, before = os.getpid(), os._exit

    def leave(status: int) -> NoReturn:
        if os.getpid() != own:  # a child that learner code has forked: there it ends the child
            before(status)
        sys.exit(status)

    os._exit = leave
    try:
        yield
    finally:
        os._exit = before


def install(finder: MetaPathFinderProtocol) -> None:
    sys.meta_path.insert(0, finder)


# Modules left out while NumPy is imported → the names that NumPy asks them for meanwhile.
AWAY: dict[str, dict[str, Any]] = {
    "numpy._core._add_newdocs": {},
    "numpy._core._add_newdocs_scalars": {},
    "numpy._typing": {"NDArray": list},  # it only has to take an index
    "inspect": {"cleandoc": str, "signature": lambda function: None},
    "ast": {},
    "pickle": {},
    "platform": {},
    "textwrap": {},
}


class LazyModule(types.ModuleType):
    """Stand-in for a module: on the first name that it lacks it imports the real one."""

    def __init__(self, name: str, held: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        vars(self).update(held or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        withdraw(self)
        found = vars(self)[name] = getattr(import_module(self.__name__), name)
        return found


def withdraw(module: LazyModule) -> None:
    """Remove the stand-in from `sys.modules`: the next import gets the real module."""
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]


def import_numpy() -> None:
    """Import NumPy without the modules in `AWAY`, which are imported when it does need them."""
    away = {name: LazyModule(name, held) for name, held in AWAY.items() if name not in sys.modules}
    sys.modules.update(away)
    import numpy  # noqa: F401

    for module in away.values():
        withdraw(module)
