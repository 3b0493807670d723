"""Invariant 7, for sums: no answer depends on the order in which right code adds.

``0.1 + 0.2 + 0.3`` and ``0.3 + 0.2 + 0.1`` differ in their last digit, and both are right. The
reference is run once more with its sums taken from the end: `sum` and loops of `+=`, NumPy's sums
and means. Where a check fails then, it compares the digits of a number: as a text, or with `==`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from ..course.syntax_tree import parse
from ..verdict import GIVEN, PASSED
from .proof import CourseCheck, Problem

# The head of a changed file. Only floats are added from the end: the order of lists is no rounding.
HELPERS = """
import numpy as _np


def _is_float(value):
    return isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f"


def _backwards(terms):
    terms = list(terms)
    return terms[::-1] if all(map(_is_float, terms)) else terms


def _added(start, terms):
    for term in _backwards(terms):
        start += term
    return start


def _sum(terms, *start):
    return sum(_backwards(terms), *start)


def _reduced(name, values, axis=None, *args, **options):
    if not isinstance(values, (list, tuple, _np.ndarray)):
        return getattr(_np, name)(values, axis, *args, **options)
    array = _np.asarray(values)
    if array.dtype.kind == "f" and array.ndim:
        array = _np.ascontiguousarray(_np.flip(array, axis))
    return getattr(_np, name)(array, axis, *args, **options)


def _method(name, values, *args, **options):
    if isinstance(values, _np.ndarray):
        return _reduced(name, values, *args, **options)
    return getattr(values, name)(*args, **options)
"""
REDUCTIONS = ("sum", "mean")


def sums_have_no_order(proof: CourseCheck) -> Iterator[Problem]:
    """Check that the reference passes with its sums taken from the end."""
    solved = proof.course.solved()
    changed = {name: add_backwards(text) for name, text in solved.items()}
    if changed == solved:
        return
    for verdict in proof.judge(changed, handed_out=solved).values():
        for check in verdict.checks if verdict.status not in (PASSED, GIVEN) else ():
            if check.status != PASSED:
                what = f"fails code that adds in another order: {check.says}"
                yield Problem(check.id, what, "compare numbers as numbers, not as a text or by ==")


def add_backwards(text: str) -> str:
    """Return a module whose sums are taken from the end; the same text, if it has none."""
    tree = parse(text)
    change = _Backwards()
    made = change.visit(tree)
    if not change.count:
        return text
    at = next((n for n, node in enumerate(made.body) if not _is_head(node)), len(made.body))
    made.body[at:at] = parse(HELPERS).body
    return ast.unparse(ast.fix_missing_locations(made))


def _is_head(node: ast.stmt) -> bool:
    """Whether a statement has to stay first: the docstring, or an import from the future."""
    is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_doc or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


class _Backwards(ast.NodeTransformer):
    """Lets every sum of a module go through the helpers."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id == "sum" and node.args:
            return self._call("_sum", node.args, node.keywords)
        if not isinstance(function, ast.Attribute) or function.attr not in REDUCTIONS:
            return node
        name, owner = ast.Constant(function.attr), function.value
        if isinstance(owner, ast.Name) and owner.id in ("np", "numpy"):
            return self._call("_reduced", [name, *node.args], node.keywords)
        return self._call("_method", [name, owner, *node.args], node.keywords)

    def visit_For(self, node: ast.For) -> ast.stmt:
        """``for x in xs: total += f(x)`` adds the terms of a list, from its end."""
        self.generic_visit(node)
        if node.orelse or len(node.body) != 1 or not _is_addition(added := node.body[0]):
            return node
        terms = ast.ListComp(added.value, [ast.comprehension(node.target, node.iter, [], 0)])
        read = ast.Name(added.target.id, ast.Load())
        target = ast.Name(added.target.id, ast.Store())
        return ast.Assign([target], self._call("_added", [read, terms], []))

    def _call(self, name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.Call:
        self.count += 1
        return ast.Call(ast.Name(name, ast.Load()), args, keywords)


class _Addition(ast.AugAssign):
    """``total += term``."""

    target: ast.Name


def _is_addition(node: ast.stmt) -> TypeGuard[_Addition]:
    """Whether a statement adds a term, which does not read the total, to a name."""
    if not (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)):
        return False
    if not isinstance(node.target, ast.Name):
        return False
    words = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    kinds = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
    return node.target.id not in words and not any(isinstance(n, kinds) for n in ast.walk(node))
