"""Import a course's Python files as modules of a package of its own.

The course in `/srv/bounds` is the package `grader_course_1f0c…`, and its `exercises/chapter1.py` is
`grader_course_1f0c….exercises.chapter1`. In the course's own files `from exercises.chapter1 import
MEAN` means that module: they run with an `__import__` of their own. So `sys.path` stays as it is,
and somebody else's `tests` neither hides the course's nor is hidden by it.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType

from .. import root

# Known in every course, though a folder may be missing, or hold no Python file itself.
FOLDERS = ("exercises", "solutions", "tests", "tests.programs")
NOT_THE_COURSES = {"grader", "numpy", *sys.stdlib_module_names}


def import_module(name: str) -> ModuleType:
    """Import a module of this course, such as ``exercises.chapter3``."""
    return modules_of(root.ROOT).import_module(name)


def import_file(name: str, path: str) -> ModuleType:
    """Import a file that lies elsewhere as if it were `NAME.py` of this course."""
    return modules_of(root.ROOT).import_file(name, path)


def has_module(name: str) -> bool:
    """Whether this course has a module of this name."""
    try:
        return find_spec(f"{modules_of(root.ROOT).package}.{name}") is not None
    except ModuleNotFoundError:  # its package is missing, too
        return False


def public_words(text: str) -> str:
    """Return a text about modules of this course with the names that its author knows."""
    return text.replace(f"{modules_of(root.ROOT).package}.", "")


@cache
def modules_of(folder: str) -> CourseModules:
    made = CourseModules(folder)
    sys.meta_path.insert(0, made)
    return made


class CourseModules:
    """Find the modules of one course, below its package; works once it is in `sys.meta_path`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.package = f"grader_course_{hashlib.sha256(folder.encode()).hexdigest()[:12]}"
        self.builtins = {**vars(builtins), "__import__": self.course_import}

    def import_module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def import_file(self, name: str, path: str) -> ModuleType:
        full = f"{self.package}.{name}"
        spec = spec_from_file_location(full, path, loader=CourseLoader(full, path, self.builtins))
        assert spec is not None and spec.loader is not None
        sys.modules[full] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == self.package:
            return _package_spec(fullname, [self.folder])
        if not fullname.startswith(f"{self.package}."):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is None:
            inside = fullname.removeprefix(f"{self.package}.")
            return _package_spec(fullname, []) if inside in FOLDERS else None
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = CourseLoader(fullname, spec.loader.path, self.builtins)
        elif spec.submodule_search_locations is not None:  # a folder without `__init__.py`
            return _package_spec(fullname, [*spec.submodule_search_locations])
        return spec

    def course_import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        """Import like `__import__`; a name that lies in the course means the course's module.

        from exercises.chapter3 import div    the module `….exercises.chapter3`
        import exercises.chapter3             the package `….exercises`, as `__import__` has it
        """
        top = name.partition(".")[0]
        if level or not self.owns(top):
            return builtins.__import__(name, globals, locals, fromlist, level)
        module = self.import_module(name)
        if not fromlist:
            return sys.modules[f"{self.package}.{top}"]
        return builtins.__import__(module.__name__, globals, locals, fromlist)

    def owns(self, top: str) -> bool:
        """Whether a top-level name means something of this course in its files."""
        place = os.path.join(self.folder, top)
        return top not in NOT_THE_COURSES and (
            top in FOLDERS
            or f"{self.package}.{top}" in sys.modules
            or os.path.isfile(f"{place}.py")
            or (os.path.isdir(place) and any(name.endswith(".py") for name in os.listdir(place)))
        )


class CourseLoader(SourceFileLoader):
    """Run a module of a course with the course's own `__import__`."""

    def __init__(self, fullname: str, path: str, names: dict[str, object]) -> None:
        super().__init__(fullname, path)
        self.names = names

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self.names
        super().exec_module(module)


def _package_spec(fullname: str, folders: list[str]) -> ModuleSpec:
    """Describe a package without code of its own. A list of folders can be added to."""
    spec = ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = folders
    return spec
