"""The rules: an exercise is not handed to a library which does it by itself; some files work alone.

Which libraries these are, the course says; and below which folder a file uses nothing else of the
package. While a probe of such a file runs, no function of another file may be entered: it can get
hold of these without an import.

An import of a library is watched while it runs: its audit event cannot be taken away again by the
code that it is about. What works alone is read off the sources: a module that is there already can
be imported without an event.
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

    Broken = tuple[str, str, int, str]  # the file it counts for, file, line, sentence
    Note = Callable[[str, int, str], None]  # file, line, sentence
    LookAt = Callable[[object], None]  # the name of an import
else:
    ast = importer.Later("ast")  # few files are parsed twice

IS_SCRIPT = ("__name__ == '__main__'", "'__main__' == __name__")
CALLS = ("import_module", "__import__")
EVERY_FILE = "__init__.py"  # what it does serves the whole package


class Forbidden:
    """The libraries that a course forbids.

    Args:
        imports: their names.
        says: what is said of an import of ``{name}``.
    """

    def __init__(self, imports: Iterable[str], says: str) -> None:
        self.imports = frozenset(imports)
        self.says = says

    def watcher(self, folder: str, note: Note) -> LookAt:
        """Looks at the name of an import; stops such a library's, and notes where it stands."""
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


def parsed(data: bytes) -> ast.Module:
    """The syntax tree; an empty one where the source has none (importing it will say so)."""
    try:
        return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def imported(node: ast.AST) -> list[str]:
    """The names that a statement or a call imports, relative imports left out."""
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
    """Every node of a file but those under `if __name__ == "__main__":`, which an import skips."""
    todo = [tree]
    for node in todo:  # grows while it is gone through
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) in IS_SCRIPT:
            todo += node.orelse
        else:
            todo += ast.iter_child_nodes(node)


def line_of(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


class Guard:
    """A finder that finds nothing: `importlib.import_module` has no audit event."""

    def __init__(self, look_at: LookAt) -> None:
        self.look_at = look_at

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        self.look_at(name)


UNWATCHED = nullcontext()
MOST_EVENTS = 20_000  # of one probe that are looked at: a few milliseconds


class Alone:
    """The rule of one course.

    Args:
        package: the name of the learner's package.
        folder: ``engines/``; where it is empty, no file works alone.
        says: what is said of a file that does not.
    """

    def __init__(self, package: str, folder: str, says: str) -> None:
        self.package = package
        self.folder = folder
        self.says = says

    def broken(self, files: Mapping[str, bytes], holders: Collection[str]) -> list[Broken]:
        """(file it counts for, file, line, sentence) of every import that breaks the rule."""
        return [
            (file, file, line, self.says)
            for file in holders
            if self.folder and file.startswith(self.folder) and file in files
            for line in self.own_imports(parsed(files[file]))
        ]

    def own_imports(self, tree: ast.AST) -> Iterator[int]:
        """The lines in which something of the learner's own package is imported."""
        for node in imported_nodes(tree):
            relative = isinstance(node, ast.ImportFrom) and node.level
            names = imported(node)
            if relative or any(name.startswith(".") or self.is_own(name) for name in names):
                yield line_of(node)

    def is_own(self, name: str) -> bool:
        return name.partition(".")[0] == self.package

    def watch(self, folder: str, file: str | None, note: Note) -> AbstractContextManager[None]:
        """What looks on while a probe of this file runs; where there is none, at nothing."""
        if not file:
            return UNWATCHED
        return Watch(folder, file, lambda file, line: note(file, line, self.says))


class Watch:
    """A context in which a call into another file of the package is noted, the first one.

    Args:
        folder: where the learner's files lie.
        file: the engine's.
        note: is called with file and line.
    """

    def __init__(self, folder: str, file: str, note: Callable[[str, int], None]) -> None:
        self.prefix, self.file, self.note = f"{folder}/", file, note
        self.own = f"{folder}/{file}"
        self.look = self.seen  # one object: `self.seen` is another at every look
        self.before: Any = None
        self.left = MOST_EVENTS

    def __enter__(self) -> None:
        self.before = sys.getprofile()
        sys.setprofile(self.look)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # An exception out of `seen` itself, the end of time, takes it off as well.
        taken_off = self.left and kind is None and sys.getprofile() is not self.look
        sys.setprofile(self.before)
        if taken_off:
            self.note(self.file, 1)

    def seen(self, frame: FrameType, event: str, arg: Any) -> None:
        if self.before is not None:
            self.before(frame, event, arg)
        self.left -= 1
        if not self.left:
            sys.setprofile(self.before)
        name = frame.f_code.co_filename
        if event != "call" or name == self.own or not name.startswith(self.prefix):
            return
        self.left = 0
        sys.setprofile(self.before)
        place: FrameType | None = frame
        while place is not None and place.f_code.co_filename != self.own:
            place = place.f_back
        self.note(self.file, 1 if place is None else place.f_lineno)
