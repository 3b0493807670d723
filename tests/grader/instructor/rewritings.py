"""Other texts for the same code: what a copy is disguised with, and what changes nothing that it
does. Each takes the text of a module and gives another."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from functools import cache

Block = list[ast.stmt]
Rewriting = Callable[[str], str]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def in_bodies(change: Callable[[Block], Block]) -> Rewriting:
    """Another list of statements for every block inside a function, the innermost first."""

    def rewritten(text: str) -> str:
        tree = ast.parse(text)
        for function in functions(tree):
            for node in [*ast.walk(function)][::-1]:
                for name in ("body", "orelse", "finalbody"):
                    block = getattr(node, name, None)
                    if isinstance(block, list) and block:
                        setattr(node, name, change(block))
        return ast.unparse(ast.fix_missing_locations(tree))

    return rewritten


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions that are not inside another."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, FUNCTIONS):
            yield child
        elif isinstance(child, ast.ClassDef):
            yield from functions(child)


def among(*texts: str) -> Callable[[Block], Block]:
    """Put these statements, in turn, before each statement of a block and at its end."""

    def change(block: Block) -> Block:
        new = [ast.parse(texts[n % len(texts)]).body[0] for n in range(len(block) + 1)]
        return [each for pair in zip(new, block, strict=False) for each in pair] + new[-1:]

    return change


def swapped(block: Block) -> Block:
    """Neighbours that need nothing of each other, the other way round."""
    block, n = list(block), 0
    while n + 1 < len(block):
        pair = block[n : n + 2]
        if all(isinstance(each, ast.Assign) for each in pair) and apart(*pair):
            block[n : n + 2] = pair[::-1]
            n += 1
        n += 1
    return block


def apart(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether neither of two assignments to names or attributes touches what the other sets."""
    names = [[n for n in ast.walk(each) if isinstance(n, ast.Name | ast.Attribute)]
             for each in (one, other)]  # fmt: skip
    sets = [{ast.unparse(n) for n in each if isinstance(n.ctx, ast.Store)} for each in names]
    all_of = [{ast.unparse(n) for n in each} for each in names]
    calls = [any(isinstance(n, ast.Call | ast.Subscript) for n in ast.walk(each))
             for each in (one, other)]  # fmt: skip
    return not (sets[0] & all_of[1] or sets[1] & all_of[0] or all(calls))


class Renamed(ast.NodeTransformer):
    """Renames every parameter and every local variable of a function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        nodes = list(ast.walk(function))
        names = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        names += [n.arg for n in nodes if isinstance(n, ast.arg)]
        names += [n.name for n in nodes if isinstance(n, FUNCTIONS) and n is not function]
        names += [n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name]
        outer = {n for each in nodes if isinstance(each, ast.Global) for n in each.names}
        mine = [n for n in dict.fromkeys(names) if n not in outer and not hasattr(builtins, n)]
        self.names = {name: f"{name}_{n}_mine" for n, name in enumerate(mine)}
        self.function = function

    def of(self, name: str) -> str:
        return self.names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.of(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.of(node.arg), node.annotation)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.Nonlocal([self.of(name) for name in node.names])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = node.name and self.of(node.name)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node is not self.function:
            node.name = self.of(node.name)
        return self.generic_visit(node)


def renamed(text: str) -> str:
    tree = ast.parse(text)
    for function in functions(tree):
        Renamed(function).visit(function)
    return ast.unparse(tree)


class Annotated(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Name):
            return node
        return ast.AnnAssign(node.targets[0], ast.Name("object"), node.value, simple=1)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg, ast.Constant("mine"))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node  # it takes none

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = ast.Name("object")
        return self.generic_visit(node)


def annotated(text: str) -> str:
    tree = ast.parse(text)
    for function in functions(tree):
        Annotated().visit(function)
    return ast.unparse(ast.fix_missing_locations(tree))


def with_docstrings(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            had = ast.get_docstring(node, clean=False) is not None
            node.body[: 1 if had else 0] = ast.parse("'This is my own work.'").body
    return ast.unparse(tree)


class InParentheses(ast.NodeTransformer):
    """Mark each value that is returned, assigned or tested; the mark becomes parentheses."""

    AROUND = (ast.Return, ast.Assign, ast.AugAssign, ast.If, ast.While, ast.BinOp, ast.Compare)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("value", "test", "left", "right"):
            value = getattr(node, name, None)
            if isinstance(value, ast.expr) and isinstance(node, self.AROUND):
                setattr(node, name, ast.Call(ast.Name("__parentheses__"), [value], []))
        return node


def in_parentheses(text: str) -> str:
    tree = ast.parse(text)
    for function in functions(tree):
        InParentheses().visit(function)
    return ast.unparse(ast.fix_missing_locations(tree)).replace("__parentheses__", "")


def is_whole(text: str) -> bool:
    try:
        return bool(ast.parse(text.replace("return ", "", 1) if text[:7] == "return " else text))
    except SyntaxError:
        return False


def with_semicolons(text: str) -> str:
    """Simple statements that follow each other, in one line."""
    lines: list[str] = []
    for line in ast.unparse(ast.parse(text)).split("\n"):
        last = lines[-1] if lines else ""
        if indent(line) == indent(last) and is_simple(line) and is_simple(last.split(";")[0]):
            lines[-1] += f"; {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache  # most lines are asked about once as the next one, and once as the last
def is_simple(line: str) -> bool:
    try:
        (node,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return line.strip().startswith("return ") and is_whole(line.strip())
    return not hasattr(node, "body")


def below_if_true(block: Block) -> Block:
    return [ast.If(ast.Constant(True), block, [])]


def then(*rewritings: Rewriting) -> Rewriting:
    def all_of_them(text: str) -> str:
        for rewriting in rewritings:
            text = rewriting(text)
        return text

    return all_of_them


REWRITINGS: dict[str, Rewriting] = {
    "other white space": lambda text: ast.unparse(ast.parse(text)),
    "pass at the end": in_bodies(lambda block: [*block, ast.Pass()]),
    "pass everywhere": in_bodies(among("pass")),
    "ellipses": in_bodies(among("...")),
    "constants and names": in_bodies(among("0", "None", "int", "'mine'", "(1, [len])", "len.mine")),
    "docstrings": with_docstrings,
    "annotations": annotated,
    "declared first": in_bodies(among("mine: int", "assert True", "mine = mine")),
    "other names": renamed,
    "if True": in_bodies(below_if_true),
    "if False": in_bodies(among("if False:\n    mine()", "if 1:\n    pass\nelse:\n    mine()",
                                "while 0:\n    mine()")),
    "another order": in_bodies(swapped),
    "parentheses": in_parentheses,
    "semicolons": with_semicolons,
}  # fmt: skip
REWRITINGS["many at once"] = then(*map(REWRITINGS.__getitem__, (
    "another order", "annotations", "other names", "if True", "ellipses", "docstrings",
    "semicolons",
)))  # fmt: skip
