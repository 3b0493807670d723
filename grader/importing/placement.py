"""Fill our stubs from a package written elsewhere: their bodies below our signatures, with our
names.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeGuard

from ..about import COURSE
from ..course.package import module_of
from ..course.splice import Piece, find_pieces, with_pieces
from ..course.syntax_tree import NO_PYTHON, find_definitions, is_stub, parse, statement_lines
from .names import Names, is_same, names_here, one_to_one

ASIDE = re.compile(r"(^|/)(tests?|examples?|docs?|test_\w+|conftest|setup)\b")
Unit = tuple[str, str]  # a file, and a class or a function at its top
Import = tuple[ast.Import | ast.ImportFrom, ast.alias]


class Origin(NamedTuple):
    """The source of a name in their code; exactly one field is set."""

    unit: Unit | None = None
    module: str = ""
    line: str = ""  # an import statement from outside of the package


class Foreign:
    """Their package, parsed and never run."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.texts: dict[str, str] = {}
        self.tops: dict[Unit, ast.stmt] = {}  # definitions; those of tests come last
        self.imports: dict[Unit, Import] = {}
        self.unread: list[str] = []  # files that do not parse
        self.ours = {part for file in files for part in re.split(r"[/.]", file)[:-1]}
        for file in sorted(files, key=lambda name: (is_aside(name), name)):
            try:
                self.texts[file] = files[file].decode("utf-8-sig")
                tree = parse(self.texts[file])
            except NO_PYTHON:
                self.unread.append(file)
                continue
            for node in tree.body:
                self._take(file, node)
        self.named: dict[str, list[Unit]] = {}
        for unit in self.tops:
            self.named.setdefault(unit[1], []).append(unit)
        self.modules = {module_stem(file) for file, _ in self.tops}
        # Class → its functions by name; a top-level function has itself under "".
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
        """Return the source of a definition, with decorators and comments."""
        first, last = statement_lines(node)
        return "\n".join(self.texts[file].splitlines()[first - 1 : last])

    def origin(self, unit: Unit) -> Origin | None:
        """Find the source of a name in a file; None if it is not bound at the top level."""
        if unit in self.tops:
            return Origin(unit)
        return self.origin_of(*self.imports[unit]) if unit in self.imports else None

    def origin_of(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> Origin:
        """Find the source of an imported name."""
        path, level = "", 0
        if isinstance(node, ast.ImportFrom):
            path, level = f"{node.module or ''}.", node.level
        *packages, last = (path + alias.name).split(".")
        theirs = level > 0 or (path + alias.name).partition(".")[0] in self.ours
        if theirs and last in self.modules and self.modules.isdisjoint(packages):
            return Origin(module=last)
        named = [*self.named.get(alias.name, ())] if theirs else []
        named.sort(key=lambda unit: module_stem(unit[0]) not in packages)
        return Origin(named[0]) if named else Origin(line=ast.unparse(node))


def functions_of(node: ast.stmt) -> dict[str, ast.FunctionDef]:
    """Return name → function for those with a body, aliases (`__radd__ = __add__`) included."""
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
    """Whether a body is only a docstring, `pass`, `…` or a NotImplementedError."""
    text = "\n".join(ast.unparse(each) for each in node.body if not _is_text(each))
    return re.fullmatch(r"(pass|raise NotImplemented\w*.*)?", text) is not None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_aside(file: str) -> bool:
    """Whether a file is no part of the package proper: a test, an example."""
    return ASIDE.search(file) is not None


def module_stem(file: str) -> str:
    """`engines/closure.py` → `closure`."""
    return file.rpartition("/")[2].removesuffix(".py")


# ---- theirs where ours is to be written -------------------------------------------------------

Places = dict[Unit, dict[str, tuple[ast.FunctionDef, str]]]


class Pair(NamedTuple):
    """A stub of ours and the function of theirs that fills it."""

    exercise: str
    here: Unit
    name: str  # of the stub in its class; empty at the top level
    stub: ast.FunctionDef
    there: Unit
    theirs: ast.FunctionDef

    @property
    def full(self) -> str:
        """The stub's qualified name in its file: ``Mul.backward``."""
        return f"{self.here[1]}.{self.name}".rstrip(".")


class Unplaceable(Exception):
    """A definition that cannot be placed; the message says why."""


class Ours:
    """The learner's package."""

    def __init__(self, files: Mapping[str, bytes], targets: Mapping[str, str]) -> None:
        self.texts: dict[str, str] = {}
        self.pieces: dict[str, Mapping[str, Piece]] = {}
        self.stubs: Places = {}  # unit → name → (function, exercise)
        self.written: Places = {}  # the same for exercises that are no stubs any more
        for file, data in files.items():
            try:
                text = data.decode("utf-8")
                nodes, self.pieces[file] = find_definitions(text), find_pieces(text)
            except NO_PYTHON:
                continue  # a file that does not parse is left as it is
            self.texts[file] = text
            for name, node in nodes.items():
                target = f"{module_of(file)}.{name}"
                if target in targets and isinstance(node, ast.FunctionDef):
                    top, _, inner = name.partition(".")
                    kind = self.stubs if is_stub(node) else self.written
                    kind.setdefault((file, top), {})[inner] = node, targets[target]


def pairs_of(ours: Places, here: Unit, foreign: Foreign, there: Unit) -> list[Pair]:
    """Pair the functions of two units by their names."""
    return [
        Pair(exercise, here, name, stub, there, theirs)
        for name, (stub, exercise) in ours.get(here, {}).items()
        for other, theirs in foreign.functions[there].items()
        if is_same(other, name, names_here(here[1], here[0]))
    ]


class Placing:
    """Places definitions of one package into another; `files` holds the result."""

    def __init__(self, ours: Ours, foreign: Foreign, pairs: Iterable[Pair]) -> None:
        self.ours, self.foreign = ours, foreign
        self.refused: dict[Pair, str] = {}  # pair → why it could not be placed
        self.added: dict[str, dict[str, Piece]] = {file: {} for file in ours.texts}
        pairs = list(pairs)
        self.called = {pair.there[1]: pair.here[1] for pair in pairs}
        # A class that is given here, such as Context, is matched with theirs of the same name.
        files = dict.fromkeys((pair.here[0], pair.there[0]) for pair in reversed(pairs))
        tops: dict[str, list[Unit]] = {}
        for unit in foreign.tops:
            tops.setdefault(unit[0], []).append(unit)
        near = ((here, unit) for here, there in reversed(files) for unit in tops[there])
        self.partner = {(file, u[1]): u for file, u in near if u[1] in ours.pieces[file]}
        self.partner |= {pair.here: pair.there for pair in pairs}
        self.own: dict[Unit, Names] = {}
        self.homes: dict[Unit, list[Unit]] = {}  # the way back of `partner`
        for here, there in self.partner.items():
            self.homes.setdefault(there, []).append(here)
            used = {each.attr for each in ast.walk(foreign.tops[there]) if is_self_attribute(each)}
            self.own[here] = one_to_one(names_here(here[1], here[0]), used)
        self.others = {theirs: name for own in self.own.values() for theirs, name in own.items()}
        for pair in pairs:
            before = dict(self.added[pair.here[0]])
            try:
                says = ast.get_docstring(pair.stub)
                self.add(pair.here, pair.there, pair.theirs, pair.full, says)
                if pair.name == "__iter__":
                    self.take_along(pair.here, pair.there, "__next__")
            except (Unplaceable, RecursionError) as error:
                self.refused[pair] = str(error)
                self.added[pair.here[0]] = before
        self.files = {  # the changed files with their new texts
            file: with_pieces(ours.texts[file], list(found.values()))
            for file, found in self.added.items()
            if found
        }

    def known(self, file: str) -> set[str]:
        """Return the names that a file of ours defines, or now gets."""
        return {*self.ours.pieces[file], *self.added[file]}

    def called_here(self, name: str) -> str:
        """Return our name for a top-level name of theirs."""
        return self.called.get(name) or names_here("name", "ops.py").get(name, name)

    def add(
        self, here: Unit, there: Unit, node: ast.stmt, name: str, says: str | None = None
    ) -> None:
        """Add a definition of theirs to the file under this name, with its dependencies.

        Args:
            says: a docstring that replaces its own.
        """
        kinds = {ast.FunctionDef: "def", ast.ClassDef: "class"}
        piece = Piece(name, 0, 0, "", kinds.get(type(node), "assign"))
        self.added[here[0]][name] = piece  # before its dependencies: it may be recursive
        adapting = Adapting(self, here, there, node)
        new = adapting.visit(copy.deepcopy(node))
        if isinstance(new, ast.FunctionDef):
            new.name = name.rpartition(".")[2]
            self._require_early(new, here[0])
        elif adapting.imports:
            raise Unplaceable(f"it leans on {name}, which cannot be copied")
        text = self.foreign.text(there[0], node)  # with its comments
        if adapting.imports or ast.dump(new) != ast.dump(node):
            text = ast.unparse(_with_docstring(new, says, list(adapting.imports)))
        self.added[here[0]][name] = piece._replace(text=text)

    def _require_early(self, node: ast.FunctionDef, file: str) -> None:
        """Raise Unplaceable if a default or decorator needs a name that is bound only later."""
        args = node.args
        heads = [*args.defaults, *filter(None, args.kw_defaults), *node.decorator_list]
        named = {n.id for head in heads for n in ast.walk(head) if isinstance(n, ast.Name)}
        imports = {name for name, piece in self.added[file].items() if piece.kind == "import"}
        for name in named - {*self.ours.pieces[file]} - imports - {*dir(builtins)}:
            raise Unplaceable(f"its first line needs {name}")

    def take_along(self, here: Unit, there: Unit, name: str) -> None:
        """Add a method of their class, if no class of ours in this file has one of that name."""
        theirs = self.foreign.functions[there].get(name)
        if theirs is not None and not any(e.endswith(f".{name}") for e in self.known(here[0])):
            self.add(here, there, theirs, f"{here[1]}.{name}")


class Adapting(ast.NodeTransformer):
    """Replaces their names by ours, and adds the definitions and imports that these need."""

    def __init__(self, placing: Placing, here: Unit, there: Unit, node: ast.stmt) -> None:
        self.placing, self.here = placing, here
        self.there = there  # their class or function
        inside = list(ast.walk(node))
        bound = {each.arg for each in inside if isinstance(each, ast.arg)}
        stored = (each for each in inside if isinstance(each, ast.Name))
        bound |= {each.id for each in stored if not isinstance(each.ctx, ast.Load)}
        self.names: Names = {name: name for name in bound}
        self.names |= one_to_one(names_here(here[1], here[0]), bound)
        self.imports: dict[str, None] = {}  # import lines for the function's body, in order

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id not in self.names:
            origin = self.placing.foreign.origin((self.there[0], node.id))
            self.names[node.id] = self._bring(node.id, origin) if origin else node.id
        node.id = self.names[node.id]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        found = [self.placing.foreign.origin_of(node, alias) for alias in node.names]
        for alias, origin in zip(node.names, found, strict=True):
            name = alias.asname or alias.name
            self.names[name] = self._bring(name, origin)
        return node if any(origin.line for origin in found) else ast.Pass()

    def visit_Import(self, node: ast.Import) -> ast.Import:
        _allowed(ast.unparse(node))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        origin = self.placing.foreign.origin((self.there[0], getattr(node.func, "id", "")))
        homes = self.placing.homes.get(origin.unit, ()) if origin and origin.unit else ()
        for file, name in homes:
            for each in node.keywords:
                each.arg = each.arg and names_here(name, file).get(each.arg, each.arg)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        placing, module = self.placing, f"{getattr(node.value, 'id', '')}.py"
        if is_self_attribute(node) and self.there == placing.partner.get(self.here):
            node.attr = placing.own[self.here].get(node.attr, node.attr)
            placing.take_along(self.here, self.there, node.attr)
        elif module in placing.ours.texts:
            called = placing.called_here(node.attr)
            node.attr = called if called in placing.known(module) else node.attr
        else:
            node.attr = placing.others.get(node.attr, node.attr)
        return node

    def _bring(self, name: str, origin: Origin) -> str:
        """Return our name for a name of theirs; import it, or copy it if we have none."""
        placing, file = self.placing, self.here[0]
        alone = file.startswith(COURSE.alone["folder"] or "/")
        dots = "." * (file.count("/") + 1)
        if origin.module and not alone:
            if f"{origin.module}.py" not in placing.ours.texts:
                raise Unplaceable(f"it needs the module {origin.module}")
            if origin.module not in placing.known(file):
                self.imports[f"from {dots} import {origin.module}"] = None
            return origin.module
        if origin.unit is None:
            if name not in placing.known(file):
                placing.added[file][name] = Piece(name, 0, 0, _allowed(origin.line), "import")
            return name
        there, name = origin.unit
        called = placing.called_here(name)
        homes = [each for each in placing.ours.texts if called in placing.known(each)]
        homes.sort(
            key=lambda each: (each != file, module_stem(each) != module_stem(there), "/" in each)
        )
        if homes and (homes[0] == file or not alone):
            if homes[0] != file:
                self.imports[f"from {dots}{module_stem(homes[0])} import {called}"] = None
            return called
        if name not in placing.added[file]:
            placing.add(self.here, origin.unit, placing.foreign.tops[origin.unit], name)
        return name


def _with_docstring(node: ast.stmt, says: str | None, imports: list[str]) -> ast.stmt:
    """Set a function's docstring, and put imports before the rest of its body."""
    if isinstance(node, ast.FunctionDef):
        own = ast.get_docstring(node)
        says = textwrap.indent(says or own or "", "    ").strip()
        first = [ast.Expr(ast.Constant(says))] if says else []
        rest = [each for each in node.body[own is not None :] if not isinstance(each, ast.Pass)]
        node.body = [*first, *parse("\n".join(imports)).body, *rest] or [ast.Pass()]
    return node


def is_self_attribute(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Whether a node is an attribute of `self` or `cls`."""
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls")


def _allowed(line: str) -> str:
    """Return an import line; raises Unplaceable if the course forbids it."""
    for word in re.findall(r"\w+", line):
        if word in COURSE.forbidden["imports"]:
            raise Unplaceable(f"it imports {word}")
    return line
