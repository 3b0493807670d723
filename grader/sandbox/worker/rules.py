"""Rules of a course: forbidden libraries, and files that use nothing else of the package.

The course names the libraries, which would solve an exercise by themselves, and the folder whose
files work alone. While a probe of such a file runs, no function of another file may be entered: it
can get hold of these without an import.

An import of a library is watched at run time: code cannot take its audit event away. Files that
work alone are checked by their sources: importing a module that is there already raises no event.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

import importer

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import Any

    Broken = tuple[str, str, int, str]  # the file that it counts for, file, line, sentence
    Note = Callable[[str, int, str], None]  # file, line, sentence
    LookAt = Callable[[object], None]  # the name of an import
else:
    ast = importer.LazyModule("ast")  # rarely needed, and slow to import

IS_SCRIPT = ("__name__ == '__main__'", "'__main__' == __name__")
CALLS = ("import_module", "__import__")
EVERY_FILE = "__init__.py"  # a rule broken here counts for the whole package


class Forbidden:
    """The libraries that a course forbids.

    Args:
        imports: their names.
        says: the sentence about an import of ``{name}``.
    """

    def __init__(self, imports: Iterable[str], says: str) -> None:
        self.imports = frozenset(imports)
        self.says = says

    def watcher(self, folder: str, note: Note) -> LookAt:
        """Return a function that stops an import of a forbidden library, and notes its place."""
        prefix = folder + "/"

        def look_at(name: object) -> None:
            if str(name).partition(".")[0] not in self.imports:
                return
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and not frame.f_code.co_filename.startswith(prefix):
                frame = frame.f_back
            if frame is not None:
                says = self.says.replace("{name}", str(name))
                note(frame.f_code.co_filename[len(prefix) :], frame.f_lineno, says)
                raise ImportError(says)

        return look_at


def parse_or_empty(data: bytes) -> ast.Module:
    """Parse a source; return an empty tree if it is no Python (importing it will say so)."""
    try:
        return ast.parse(data)
    except importer.NO_PYTHON:
        return ast.Module([], [])


def imported(node: ast.AST) -> list[str]:
    """Return the names that a statement or a call imports, without relative imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module or ""]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in CALLS and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def imported_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a file but those under `if __name__ == "__main__":`, never imported."""
    todo = [tree]
    for node in todo:  # grows during the loop
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) in IS_SCRIPT:
            todo += node.orelse
        else:
            todo += ast.iter_child_nodes(node)


def line_of(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


class Guard:
    """A finder that finds nothing: it sees `importlib.import_module`, which has no audit event."""

    def __init__(self, look_at: LookAt) -> None:
        self.look_at = look_at

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        self.look_at(name)


UNWATCHED = nullcontext()
MOST_CALLS = 10_000  # watched in one probe: a few milliseconds


class SelfContainedRule:
    """The rule that some files use nothing else of the package.

    Args:
        package: the name of the learner's package.
        folder: ``engines/``; if empty, no file works alone.
        says: the sentence about a file that breaks the rule.
    """

    def __init__(self, package: str, folder: str, says: str) -> None:
        self.package = package
        self.folder = folder
        self.says = says

    def broken(self, files: Mapping[str, bytes], holders: Collection[str]) -> list[Broken]:
        """Return (file it counts for, file, line, sentence) of each import that breaks the rule."""
        return [
            (file, file, line, self.says)
            for file in holders
            if self.folder and file.startswith(self.folder) and file in files
            for line in self.own_imports(parse_or_empty(files[file]))
        ]

    def own_imports(self, tree: ast.AST) -> Iterator[int]:
        """Yield the lines that import something of the learner's own package."""
        for node in imported_nodes(tree):
            relative = isinstance(node, ast.ImportFrom) and node.level
            names = imported(node)
            if relative or any(name.startswith(".") or self.is_own(name) for name in names):
                yield line_of(node)

    def is_own(self, name: str) -> bool:
        return name.partition(".")[0] == self.package

    def watch(self, folder: str, file: str | None, note: Note) -> AbstractContextManager[None]:
        """Return the context in which a probe of this file runs; an empty one without a file."""
        if not file:
            return UNWATCHED
        return CrossFileTracer(folder, file, lambda file, line: note(file, line, self.says))


class CrossFileTracer:
    """A context that notes the first call into another file of the package.

    A trace function is told of Python's calls alone; a profiler of each end and of C's, too (2 ×).

    Args:
        folder: the folder of the learner's files.
        file: the file that works alone.
        note: called with file and line.
    """

    def __init__(self, folder: str, file: str, note: Callable[[str, int], None]) -> None:
        self.prefix, self.file, self.note = f"{folder}/", file, note
        self.own = f"{folder}/{file}"
        self.look = self.seen  # one object: `self.seen` is a new one at each access
        self.before: Any = None
        self.left = MOST_CALLS

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        sys.settrace(self.look)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # An exception out of `seen` itself, such as `TimeUp`, takes it off as well.
        taken_off = self.left and kind is None and sys.gettrace() is not self.look
        sys.settrace(self.before)
        if taken_off:
            self.note(self.file, 1)

    def seen(self, frame: FrameType, event: str, arg: Any) -> None:
        self.left -= 1
        if not self.left:
            sys.settrace(self.before)
        name = frame.f_code.co_filename
        if name == self.own or not name.startswith(self.prefix):
            return  # and with that no line of this call is traced
        self.left = 0
        sys.settrace(self.before)
        place: FrameType | None = frame
        while place is not None and place.f_code.co_filename != self.own:
            place = place.f_back
        self.note(self.file, 1 if place is None else place.f_lineno)
