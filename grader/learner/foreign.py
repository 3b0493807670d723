"""A package that somebody wrote elsewhere: what it defines, and what of it is called what here."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from ..about import EXCEPTIONS, own_names
from ..course.syntax_tree import parse, span

ASIDE = re.compile(r"(^|/)(tests?|examples?|docs?|test_\w+|conftest|setup)\b")
# Whose it is, what others call it, what it is called here, who calls it so, in which files here.
NAMES: tuple[tuple[str, ...], ...] = own_names(EXCEPTIONS).get("NAMES", ())

Unit = tuple[str, str]  # a file, and a class or a function at its top
Import = tuple[ast.Import | ast.ImportFrom, ast.alias]


class Origin(NamedTuple):
    """Where a name comes from that their code uses: one of the three."""

    unit: Unit | None = None
    module: str = ""
    line: str = ""  # an import from outside of the package


class Foreign:
    """A package, read and parsed; nothing of it runs here."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.texts: dict[str, str] = {}
        self.tops: dict[Unit, ast.stmt] = {}  # what modules define; tests and examples come last
        self.imports: dict[Unit, Import] = {}
        self.unread: list[str] = []  # what is no Python
        self.ours = {part for file in files for part in re.split(r"[/.]", file)[:-1]}
        for file in sorted(files, key=lambda name: (is_aside(name), name)):
            try:
                self.texts[file] = files[file].decode("utf-8-sig")
                tree = parse(self.texts[file])
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.unread.append(file)
                continue
            for node in tree.body:
                self._take(file, node)
        # Of each class by name; a function is its own, "".
        self.functions = {unit: functions_of(node) for unit, node in self.tops.items()}

    def _take(self, file: str, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.tops[file, node.name] = node
        elif isinstance(node, ast.Assign):
            names = (each.id for each in node.targets if isinstance(each, ast.Name))
            self.tops |= {(file, name): node for name in names}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                self.imports[file, (alias.asname or alias.name).partition(".")[0]] = node, alias

    def text(self, file: str, node: ast.stmt) -> str:
        """The lines of a definition, its decorators and comments too."""
        first, last = span(node)
        return "\n".join(self.texts[file].splitlines()[first - 1 : last])

    def origin(self, unit: Unit) -> Origin | None:
        """Where a name comes from in a file of theirs; None where nothing at its top says so."""
        if unit in self.tops:
            return Origin(unit)
        return self.origin_of(*self.imports[unit]) if unit in self.imports else None

    def origin_of(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> Origin:
        """What an import of theirs brings."""
        path, level = "", 0
        if isinstance(node, ast.ImportFrom):
            path, level = f"{node.module or ''}.", node.level
        *packages, last = (path + alias.name).split(".")
        theirs = level > 0 or (path + alias.name).partition(".")[0] in self.ours
        modules = {stem(file) for file, _ in self.tops}
        if theirs and last in modules and not modules & set(packages):
            return Origin(module=last)
        named = [unit for unit in self.tops if unit[1] == alias.name] if theirs else []
        named.sort(key=lambda unit: stem(unit[0]) not in packages)
        return Origin(named[0]) if named else Origin(line=ast.unparse(node))


def functions_of(node: ast.stmt) -> dict[str, ast.FunctionDef]:
    """The functions that have a body, under every name that a class gives them."""
    found: dict[str, ast.FunctionDef] = {}
    for each in node.body if isinstance(node, ast.ClassDef) else [node]:
        if isinstance(each, ast.FunctionDef) and not _is_empty(each):
            found[each.name if each is not node else ""] = each
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and each is not node:
            same = found.get(each.value.id)
            names = [one.id for one in each.targets if isinstance(one, ast.Name)]
            found |= dict.fromkeys(names, same) if same is not None else {}
    return found


def _is_empty(node: ast.FunctionDef) -> bool:
    """Whether there is nothing but a docstring, `pass`, `…`, or that it is not implemented."""
    text = "\n".join(ast.unparse(each) for each in node.body if not _is_text(each))
    return re.fullmatch(r"(pass|raise NotImplemented\w*.*)?", text) is not None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_aside(file: str) -> bool:
    """Whether a file stands beside what is to be taken over: a test, an example."""
    return ASIDE.search(file) is not None


def stem(file: str) -> str:
    """`engines/closure.py` → `closure`."""
    return file.rpartition("/")[2].removesuffix(".py")


def names_here(whose: str, file: str) -> dict[str, str]:
    """Their name → ours, of what belongs to a class, a function or, by `name`, to a module."""
    return {
        name: called
        for owner, theirs, called, _, *where in NAMES
        if re.fullmatch(owner, whose) and called.isidentifier()
        if not where or re.search(where[0], file)
        for name in theirs.split()
    }


def is_same(theirs: str, ours: str, table: Mapping[str, str]) -> bool:
    """Whether two names are the same but for capitals and underscores inside, or by the table."""
    plain = (re.sub(r"(?<=[^_])_(?=[^_])", "", name.lower()) for name in (theirs, ours))
    return len(set(plain)) == 1 or table.get(theirs) == ours
