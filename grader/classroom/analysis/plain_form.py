"""Rewrite a function so that what a machine can do to a copy by rule is undone.

Steps with names of their own go back into the expression that reads them; values that nobody reads
are left out, and so are tests and calls that hang on nothing; comparisons, sums and products have
one direction; `getattr(x, "a")` is `x.a`, `1 + 1` is `2`, `x += 1` is `x = x + 1`. What this gives
is compared and need not run.
"""

from __future__ import annotations

import ast
import builtins
import zlib
from collections import Counter

DEEPEST = 40  # a value that is nested deeper stays where it is, so that the whole can be walked
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
EVEN = (ast.Eq, ast.NotEq, ast.Add, ast.Mult)  # operations whose operands may change places


def make_plain(function: ast.FunctionDef) -> ast.FunctionDef:
    """Rewrite a function in place; return it.

    Raises:
        RecursionError: it is nested too deeply.
    """
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    read = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
    written = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    once = {name for name, count in written.items() if count == read[name] == 1}
    _Plain(once, read).generic_visit(function)
    return function


def hangs_on_nothing(node: ast.expr) -> bool:
    """Whether an expression names Python's builtins alone: `len("")`, but no constant."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return bool(names) and names <= vars(builtins).keys()


class _Plain(ast.NodeTransformer):
    def __init__(self, once: set[str], read: Counter[str]) -> None:
        self.once, self.read = once, read
        self.values: dict[str, ast.expr] = {}
        self.shapes: dict[ast.AST, tuple[int, int]] = {}  # node → its depth, and a hash

    def shape(self, node: ast.AST) -> tuple[int, int]:
        """Return how deep an expression is, and a number that no name in it changes."""
        if node not in self.shapes:
            below = [self.shape(child) for child in ast.iter_child_nodes(node)]
            said = getattr(node, "attr", "") or repr(getattr(node, "value", ""))[:20]
            said = said if isinstance(node, ast.Attribute | ast.Constant) else ""
            words = f"{type(node).__name__} {said} {[number for _, number in below]}"
            deep = 1 + max((depth for depth, _ in below), default=0)
            self.shapes[node] = deep, zlib.crc32(words.encode("utf-8", "replace"))
        return self.shapes[node]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        reads = isinstance(node.ctx, ast.Load)
        return self.values.pop(node.id, node) if reads else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        self.generic_visit(node)
        match node.targets:
            case [ast.Name(id=name)] if not self.read[name]:
                return None
            case [ast.Name(id=name)] if name in self.once:
                if self.shape(node.value)[0] <= DEEPEST:
                    self.values[name] = node.value
                    return None
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        value = self.order(ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))
        return ast.Assign([node.target], value)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(int(left)), ast.Add(), ast.Constant(int(right))):
                return ast.Constant(left + right)
        return self.order(node)

    def order(self, node: ast.BinOp) -> ast.BinOp:
        if isinstance(node.op, EVEN) and self.shape(node.left)[1] > self.shape(node.right)[1]:
            node.left, node.right = node.right, node.left
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        (op,), (right,) = node.ops, node.comparators
        turns = isinstance(op, EVEN) and self.shape(node.left)[1] > self.shape(right)[1]
        if turns or type(op) in TURNED:
            return ast.Compare(right, [TURNED.get(type(op), type(op))()], [node.left])
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if hangs_on_nothing(node.test):
            return [*node.body, *node.orelse]  # either may be what the copy is hidden in
        if node.orelse and isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
            node.test, node.body, node.orelse = node.test.operand, node.orelse, node.body
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        return None if hangs_on_nothing(node.value) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name(id="getattr"), [value, ast.Constant(str(name))], []):
                return ast.Attribute(value, name, ast.Load())
            case ast.Call(ast.Lambda(args=ast.arguments(args=[]), body=body), [], []):
                return body
        return node
