"""The learner's package and the programs, imported from texts that came with the request.

Nothing is read from disk: what is graded is what was hashed. NumPy is the only thing beyond the
standard library that can be found, by a finder of its own instead of `sys.path`. It is imported
while most of these stay away: what only people read of NumPy (texts, signatures, types), and what a
probe seldom calls, is a fifth of its import.
"""

from __future__ import annotations

import builtins
import sys
import types
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from _typeshed.importlib import MetaPathFinderProtocol

STUBS = tuple(
    compile(f"def f(): raise NotImplementedError{tail}", "stub", "exec").co_consts[0].co_code
    for tail in ("", "()", "('')")
)


class NumpyFinder:
    """Finds `numpy`, at the place that the grader named, and nothing else."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "numpy":
            return None
        return spec_from_file_location(
            name, f"{self.folder}/__init__.py", submodule_search_locations=[self.folder]
        )


class TextFinder:
    """Finds and runs the modules of one package that exists as texts only.

    Args:
        name: the package's name, ``babygrad``.
        folder: where its files lie, for tracebacks.
        files: path below the folder → bytes of the source.
        compiled: path → code, where it was compiled already.
        own_builtins: whether they keep Python's builtins as these are now.
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
        """Of a failed import: the wanted file that is not there, said as that; else nothing."""
        for file in wanted:
            stem = file.removesuffix(".py").replace("/", ".")
            if file not in self.files and f"{stem}'" in message:
                return f"{self.name}/{file} is not there."
        return ""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module).update(self.builtins)
        exec(self.code(self.held(module.__name__)), vars(module))

    def compile_all(self) -> None:
        """Compile what nobody has imported, too."""
        for file in self.files:
            try:
                self.code(file)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                pass  # nothing that is asked for needs it

    def modules(self) -> list[types.ModuleType]:
        """The package and those of its modules that were imported."""
        names = [name for name in sys.modules if name.partition(".")[0] == self.name]
        return [each for each in map(sys.modules.get, names) if isinstance(each, types.ModuleType)]

    def first_lines(self, codes: Iterable[types.CodeType]) -> set[str]:
        """Where those of the codes begin that are this package's: file and line, with a tab."""
        return {
            f"{code.co_filename[len(self.folder) + 1 :]}\t{code.co_firstlineno}"
            for code in codes
            if code.co_filename.startswith(self.folder)
        }

    def get_source(self, fullname: str) -> str:
        """The text of a module, so that tracebacks can quote it."""
        return self.files[self.held(fullname)].decode("utf-8", "replace")

    def held(self, fullname: str) -> str:
        """The file of a module that was found."""
        file = self.file_of(fullname)
        assert file is not None
        return file

    def file_of(self, fullname: str) -> str | None:
        stem = fullname[len(self.name) + 1 :].replace(".", "/")
        names = (f"{stem}.py", f"{stem}/__init__.py") if stem else ("__init__.py",)
        return next((name for name in names if name in self.files), None)

    def code(self, file: str) -> types.CodeType:
        """The compiled module, compiled once; SyntaxError as Python raises it."""
        if file not in self.compiled:
            self.compiled[file] = compile(
                self.files[file], f"{self.folder}/{file}", "exec", dont_inherit=True
            )
        return self.compiled[file]


def definitions(code: types.CodeType, path: str) -> Iterator[tuple[str, int, int, bool]]:
    """(qualified name, first line, last line, is a stub) of everything that a module defines."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and not constant.co_name.startswith("<"):
            name = f"{path}.{constant.co_name}"
            yield name, constant.co_firstlineno, last_line(constant), is_stub(constant)
            yield from definitions(constant, name)


def last_line(code: types.CodeType) -> int:
    lines: Iterable[int] = filter(None, map(itemgetter(2), code.co_lines()))
    inner = [last_line(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return max([code.co_firstlineno, *lines, *inner])


def is_stub(code: types.CodeType) -> bool:
    """Whether the body is nothing but `raise NotImplementedError`."""
    return code.co_names == ("NotImplementedError",) and code.co_code in STUBS


def is_written(kind: type, name: str) -> bool:
    """Whether a class has this attribute, and not merely as a stub of a base or as Python's own.

    A class without `backward` inherits the one of its base, which says that there is none.
    """
    for each in kind.__mro__:
        if name in vars(each):
            held = vars(each)[name]
            code = getattr(getattr(held, "__func__", held), "__code__", None)
            return each is kind or (each is not object and (code is None or not is_stub(code)))
    return False


def install(finder: MetaPathFinderProtocol) -> None:
    sys.meta_path.insert(0, finder)


# What stays away while NumPy is imported → what NumPy asks it for meanwhile.
AWAY: dict[str, dict[str, Any]] = {
    "numpy._core._add_newdocs": {},
    "numpy._core._add_newdocs_scalars": {},
    "numpy._typing": {"NDArray": list},  # it need only take an index
    "inspect": {"cleandoc": str, "signature": lambda function: None},
    "ast": {},
    "pickle": {},
    "platform": {},
    "textwrap": {},
}


class Later(types.ModuleType):
    """Stands for a module; asked for more than it holds, it brings the real one."""

    def __init__(self, name: str, held: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        vars(self).update(held or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        withdraw(self)
        found = vars(self)[name] = getattr(import_module(self.__name__), name)
        return found


def withdraw(module: Later) -> None:
    """Whoever imports it from now on gets the real one."""
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]


def import_numpy() -> None:
    """Import NumPy with nothing that it can do without; a NumPy that asks for more gets it."""
    away = {name: Later(name, held) for name, held in AWAY.items() if name not in sys.modules}
    sys.modules.update(away)
    import numpy  # noqa: F401

    for module in away.values():
        withdraw(module)
