"""What a machine makes of a copied text so that it is not known again: right code, as a rule, that
does the same by other words. Each takes the text of a module and gives another."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from .rewritings import Block, Rewriting, among, functions, in_bodies, renamed, swapped, then


class _Inlined(ast.NodeTransformer):
    """Puts the value of a name that is set once and read once where it is read."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return self.values[node.id]
        return node


def inlined(text: str) -> str:
    tree = ast.parse(text)
    for function in functions(tree):
        names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        read = Counter(n.id for n in names if isinstance(n.ctx, ast.Load))
        written = Counter(n.id for n in names if isinstance(n.ctx, ast.Store))
        values: dict[str, ast.expr] = {}
        kept = []
        for node in function.body:
            node = _Inlined(values).visit(node)
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    read[name] == written[name] == 1
                ):
                    values[name] = value
                case _:
                    kept.append(node)
        function.body = kept or [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))


class _Split(ast.NodeTransformer):
    """Gives each operation and call inside a statement a line and a name of its own."""

    def __init__(self, prefix: str) -> None:
        self.prefix, self.before, self.count = prefix, [], 0

    def named(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        self.count += 1
        name = f"{self.prefix}{self.count}"
        self.before.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(name, ast.Load())

    visit_BinOp = visit_Call = visit_Subscript = named

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    visit_ListComp = visit_GeneratorExp = visit_DictComp = visit_SetComp = visit_IfExp = (
        visit_Lambda
    )
    visit_BoolOp = visit_Lambda


def split(block: Block) -> Block:
    made: Block = []
    for n, node in enumerate(block):
        if isinstance(node, ast.Assign | ast.Return) and node.value is not None:
            splitter = _Split(f"t{n}_")
            node.value = splitter.visit(node.value)
            made += splitter.before
        made.append(node)
    return made


class _Flipped(ast.NodeTransformer):
    """Turns comparisons, sums and products round, and branches by their negation."""

    TURNED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE,
              ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}  # fmt: skip

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in self.TURNED:
            turned = self.TURNED[type(node.ops[0])]()
            return ast.Compare(node.comparators[0], [turned], [node.left])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Mult):
            return ast.BinOp(node.right, node.op, node.left)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if node.orelse:
            return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)
        return node


class _Expanded(ast.NodeTransformer):
    """`x += 1` as `x = x + 1`, whole numbers as sums, attributes by `getattr`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.target, ast.Name):
            read = ast.Name(node.target.id, ast.Load())
            return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and 0 < node.value < 99:
            return ast.BinOp(ast.Constant(node.value - 1), ast.Add(), ast.Constant(1))
        return node


class _ByGetattr(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            return ast.Call(ast.Name("getattr", ast.Load()),
                            [node.value, ast.Constant(node.attr)], [])  # fmt: skip
        return node


class _Loops(ast.NodeTransformer):
    """`for` as `while` over an iterator."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        if node.orelse:
            return node
        name = f"it{node.lineno}"
        begin = ast.parse(f"{name} = iter(0)").body[0]
        begin.value.args = [node.iter]
        step = ast.parse(f"x = next({name}, {name})").body[0]
        step.targets = [node.target]
        loop = ast.While(ast.Constant(True), [step, *node.body], [])
        return [begin, loop]


class _Wrapped(ast.NodeTransformer):
    """Each value that is returned, through a function of its own."""

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is None:
            return node
        inner = ast.Lambda(ast.parse("lambda: 0").body[0].value.args, node.value)
        return ast.Return(ast.Call(inner, [], []))


def by(transformer: type[ast.NodeTransformer]) -> Rewriting:
    def rewritten(text: str) -> str:
        return ast.unparse(ast.fix_missing_locations(transformer().visit(ast.parse(text))))

    return rewritten


def outlined(text: str) -> str:
    """Each function in two: its first half gives its names to a second, which ends it."""
    tree = ast.parse(text)
    for function in functions(tree):
        half = len(function.body) // 2
        if half and not any(isinstance(n, ast.Nonlocal) for n in ast.walk(function)):
            inner = ast.parse("def rest(): pass").body[0]
            inner.body = function.body[half:]
            end = ast.parse("return rest()").body if _returns(inner) else ast.parse("rest()").body
            function.body = [*function.body[:half], inner, *end]
    return ast.unparse(ast.fix_missing_locations(tree))


def _returns(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(function))


def reordered(text: str) -> str:
    """The definitions of a module, and of its classes, the other way round."""
    tree = ast.parse(text)
    for node in [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]:
        node.body = list(_turned(node.body))
    return ast.unparse(tree)


def _turned(body: Block) -> Iterator[ast.stmt]:
    defined = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return (defined.pop() if isinstance(n, ast.FunctionDef | ast.ClassDef) else n for n in body)


junk = in_bodies(among("_ = len('')", "if len('') > 1:\n    print()", "_a = [0] * 2"))
EVASIONS: dict[str, Rewriting] = {
    "renamed": renamed,
    "reordered definitions": reordered,
    "reordered statements": in_bodies(swapped),
    "inlined": inlined,
    "split into steps": in_bodies(split),
    "cut in two": outlined,
    "turned round": by(_Flipped),
    "numbers and sums": by(_Expanded),
    "by getattr": by(_ByGetattr),
    "while for for": by(_Loops),
    "returned through a function": by(_Wrapped),
    "calls that do nothing": junk,
    "renamed, reordered, inlined": then(renamed, reordered, inlined),
    "renamed, turned, split": then(renamed, by(_Flipped), in_bodies(split)),
}  # fmt: skip
