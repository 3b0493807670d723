"""Compute a function's normal form: words that do not change when its text is only disguised.

They leave out comments, docstrings, annotations and layout; statements that do nothing or are never
reached; names of local variables; messages of exceptions; and the order of independent statements.
A local variable stands for the value assigned to it: a statement's words contain everything that it
depends on, so that the statements of a block can be sorted by their words.

A text is read once, with only a table of names: the time is linear in its length.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from ...course.syntax_tree import NO_PYTHON, find_functions, is_stub, parse

LOCAL, OUTER, TEXT = "=", "@", '"'  # prefixes of words: a local variable, another name, a string
# What a word of a name or string stands for where names do not count.
KINDS = {LOCAL: "Name", OUTER: "Name", TEXT: "Constant"}

EFFECTS = "()"  # a pseudo-variable that each statement with side effects reads and sets
ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
DOES = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)  # nodes with side effects
DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ENCLOSES = (*DEFINES, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BLOCKS = {"body", "orelse", "finalbody"}
BINDS: dict[type[ast.AST], str] = {
    ast.arg: "arg", ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}  # fmt: skip
# Fields of a node, in the order of evaluation; of all other nodes, all fields as they stand.
READ: dict[type[ast.AST], tuple[str, ...]] = {
    ast.arg: (),
    ast.Assign: ("value", "targets"),
    ast.AnnAssign: ("value", "target"),
    ast.NamedExpr: ("value", "target"),
    ast.Assert: ("test",),
    ast.For: ("iter", "target", "body", "orelse"),
    ast.comprehension: ("iter", "target", "ifs"),
    ast.ListComp: ("generators", "elt"),
    ast.SetComp: ("generators", "elt"),
    ast.GeneratorExp: ("generators", "elt"),
    ast.DictComp: ("generators", "key", "value"),
    ast.FunctionDef: ("decorator_list", "args", "body"),
    ast.AsyncFunctionDef: ("decorator_list", "args", "body"),
}


class Form(NamedTuple):
    """The normal form of a function."""

    target: str
    is_stub: bool
    words: list[str]
    digest: str  # of the words


FORM = "1:"  # prefix of digests: the version of normal forms


@lru_cache(maxsize=64)
def normal_forms(
    module: str, text: str, prepare: Callable[[ast.FunctionDef], ast.FunctionDef] | None = None
) -> tuple[Form, ...]:
    """Return the forms of all functions of a module, those in its classes included, cached.

    A text that does not parse has none.
    """
    with suppress(*NO_PYTHON):
        return tuple(compute_forms(module, text, prepare))
    return ()


def compute_forms(
    module: str, text: str, prepare: Callable[[ast.FunctionDef], ast.FunctionDef] | None = None
) -> Iterator[Form]:
    """Compute the forms of all functions of a module; those nested too deeply are left out.

    Args:
        prepare: rewrites each function before it is read.

    Raises:
        one of `NO_PYTHON`: the text does not parse.
    """
    tree = parse(text)
    imported = {bound: origin for node in tree.body for bound, origin in _imported(node)}
    for target, function in find_functions(module, tree).items():
        with suppress(RecursionError):
            stub = is_stub(function)
            words = normal_form(prepare(function) if prepare else function, imported)
            digest = sha256("\n".join(words).encode("utf-8", "replace")).hexdigest()
            yield Form(target, stub, words, FORM + digest[:30])


def normal_form(function: ast.FunctionDef, imported: Mapping[str, str]) -> list[str]:
    """Return the words of a function's body; parameters are known by their positions.

    Args:
        imported: name in the module → full name of what it imports: ``np`` → ``numpy``.
    """
    names = {name for node in ast.walk(function) if node is not function for name in _bound(node)}
    reading = _WordCollector(names, imported)
    reading.visit(function.args)
    reading.begin()
    reading.block(_without_end(function.body))
    return reading.words


def form_length(words: Iterable[str]) -> int:
    """Return the length of a normal form in characters; a variable counts as one."""
    return sum(1 if word[0] == LOCAL else len(word) for word in words)


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (local name, full name) of everything that a statement imports."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = getattr(node, "module", None)
        for alias in node.names:
            whole = f"{module}.{alias.name}" if module else alias.name
            yield alias.asname or alias.name.partition(".")[0], whole


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, DEFINES):
        yield node.name
    elif type(node) in BINDS:
        yield getattr(node, BINDS[type(node)]) or ""
    yield from (name for name, _ in _imported(node))


def _effective(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a block that have an effect and are reachable."""
    found: list[ast.stmt] = []
    for node in body:
        if found and isinstance(found[-1], ENDS):
            break
        alone = _alone(node)
        if alone is not None:
            found += _effective(alone)
        elif not _is_idle(node):
            found.append(node)
    return found


def _alone(node: ast.stmt) -> list[ast.stmt] | None:
    """Return the block that a statement reduces to, as ``if True:`` does to its body; else None."""
    match node:
        case ast.If(test=ast.Constant(value=value)):
            return node.body if value else node.orelse
        case ast.While(test=ast.Constant(value=value)) if not value:
            return node.orelse
        case ast.Try(handlers=[]) if not _effective(node.finalbody):
            return [*node.body, *node.orelse]
    return None


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement has no effect."""
    match node:
        case ast.Pass() | ast.Global() | ast.Nonlocal() | ast.AnnAssign(value=None):
            return True
        case ast.Expr() | ast.Assert(test=ast.Constant()):
            return not any(isinstance(inner, DOES) for inner in ast.walk(node))
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
            return name == same
    return False


def _without_end(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a function's effective statements, without a ``return None`` at the end."""
    found = _effective(body)
    while found and isinstance(found[-1], ast.Return) and _is_none(found[-1].value):
        found.pop()
    return found


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


class _WordCollector(ast.NodeVisitor):
    """Collects the words since `begin`, and what each variable was last assigned.

    Attributes:
        rough, exact: checksums of the words, without and with names and texts.
    """

    def __init__(self, own: set[str], imported: Mapping[str, str]) -> None:
        self.own = own
        self.imported = imported
        self.given: dict[str, str] = {}
        self.hidden: list[tuple[str, str]] = []  # (name, its value before), for open scopes
        self.begin()

    def begin(self) -> None:
        self.words: list[str] = []
        self.rough = self.exact = 0

    def say(self, word: str) -> None:
        self.words.append(word)
        self.rough = zlib.crc32(KINDS.get(word[0], word).encode("utf-8", "replace"), self.rough)
        self.exact = zlib.crc32(word.encode("utf-8", "replace"), self.exact)

    def named(self, name: str) -> str:
        """Return the word for a name that is read."""
        if name in self.own:
            return self.given.get(name) or f"{LOCAL}later"
        return f"{OUTER}{self.imported.get(name, name)}"

    def bind(self, name: str) -> None:
        """Assign to a name the checksum of the words so far."""
        self.say("to")
        self.hidden.append((name, self.given.get(name, "")))
        self.given[name] = f"{LOCAL}{self.exact:x}"

    def block(self, body: list[ast.stmt]) -> None:
        """Read statements, and sort them by their words: by `rough` first, so that a change to one
        moves few of them."""
        outside = self.words, self.rough, self.exact
        read = []
        for node in body:
            self.begin()
            self.visit(node)
            read.append((self.rough, self.exact, self.words))
        self.words, self.rough, self.exact = outside
        for rough, exact, words in sorted(read):
            self.words += words
            self.rough = zlib.crc32(rough.to_bytes(4, "little"), self.rough)
            self.exact = zlib.crc32(exact.to_bytes(4, "little"), self.exact)

    def generic_visit(self, node: ast.AST) -> None:
        kind, outside = type(node), len(self.hidden)
        self.say(kind.__name__)
        if isinstance(node, DEFINES):  # it may be recursive, and its effects come later
            self.bind(node.name)
            outside += 1
            self.bind(EFFECTS)
        elif kind in BINDS and getattr(node, BINDS[kind]):
            self.bind(getattr(node, BINDS[kind]))
        for field in READ.get(kind, kind._fields):
            value = getattr(node, field, None)
            if field in BLOCKS and isinstance(value, list):
                if body := (_without_end if isinstance(node, DEFINES) else _effective)(value):
                    self.say(field)
                    self.block(body)
            elif field != "ctx":  # reads and writes already differ by their places
                for child in value if isinstance(value, list) else (value,):
                    if isinstance(child, ast.AST):
                        self.visit(child)
        if isinstance(node, ENCLOSES):
            while len(self.hidden) > outside:
                name, before = self.hidden.pop()
                self.given[name] = before
        if isinstance(node, DEFINES):
            self.bind(node.name)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:
            self.say(self.named(node.id))

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, str):
            self.say(f"{TEXT}{value}")
        elif type(value) is int:
            self.say(f"{value:x}")  # linear in its length; decimal is quadratic
        else:
            self.say(f"{TEXT}{value!r}" if isinstance(value, bytes) else repr(value))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Say an attribute by its name, or by what was assigned to it here: ``self.data = …``."""
        place = f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""
        self.say(self.given.get(place) or f".{node.attr}")
        self.visit(node.value)
        if place and isinstance(node.ctx, ast.Store):
            self.bind(place)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Read an expression statement: its effect may depend on those of earlier ones."""
        self.say(self.given.get(EFFECTS) or f"{LOCAL}first")
        self.visit(node.value)
        self.bind(EFFECTS)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        self.say(f"!{node.conversion}")
        for each in filter(None, (node.value, node.format_spec)):
            self.visit(each)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.say(f"{node.arg}=")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.say("AugAssign")
        if isinstance(node.target, ast.Name):
            self.say(self.named(node.target.id))
        for each in (node.op, node.value, node.target):
            self.visit(each)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.say("Assign")
        for each in filter(None, (node.value, node.target)):
            self.visit(each)

    def visit_Return(self, node: ast.Return) -> None:
        self.say("Return")
        if node.value is not None and not _is_none(node.value):
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.say("Raise")
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if kind is not None:
            self.visit(kind)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, origin in _imported(node):
            self.say(f"{OUTER}{origin}")
            self.bind(name)

    visit_ImportFrom = visit_Import
