"""Mutate a body: one small change each, by a table of operators.

An operator takes a node of the body's tree and yields replacements. Operators of syntax are tables
of replacements; those of our field call a helper, which stands above the body and calls `did()` if
it changes anything: so a change without effect is told from one that no check sees (`in_alarm`).
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from ..course.syntax_tree import NO_PYTHON, expression, parse

Others = Iterator[ast.AST]

HELPERS = """
def did():
    pass
def floats(x):
    import numpy
    inside = x.data if hasattr(x, "_inputs") else x
    return isinstance(inside, (numpy.ndarray, numpy.floating)) and inside.dtype.kind == "f"
def cast(x, dtype, and_back=False):
    if type(x) in (tuple, list):
        return type(x)([cast(each, dtype, and_back) for each in x])
    inside = x.data if hasattr(x, "_inputs") else x
    if not floats(x) or inside.dtype == dtype:
        return x
    did()
    other = inside.astype(dtype).astype(inside.dtype if and_back else dtype)
    if inside is x:
        return other
    x.data = other
    return x
def spoil(result, x):
    import numpy
    for each in x if type(x) in (tuple, list) else getattr(x, "_inputs", ()):
        spoil(result, each)
    inside = x.data if hasattr(x, "_inputs") else x
    if floats(x) and isinstance(inside, numpy.ndarray) and inside.flags.writeable:
        did()
        inside += 1
    return result
def kept(result, self):
    for _ in [0] if "_kept" in vars(self) else []:
        did()
    return vars(self).setdefault("_kept", result)
def without_axes(result, x):
    inside = x.data if hasattr(x, "_inputs") else x
    if not floats(x) or inside.ndim:
        return result
    did()
    return x
def seeded(result):
    import numpy
    numpy.random.seed(0)
    return result
""".strip()
ALARM = "    pass", '    raise RuntimeError("it does something")'

OPERATIONS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv, ast.MatMult: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}  # fmt: skip
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
FUNCTIONS = {
    "max": ("mean", "min"), "min": ("max",), "sum": ("mean",), "mean": ("sum",), "any": ("all",),
    "all": ("any",), "argmax": ("argmin",), "maximum": ("minimum",), "minimum": ("maximum",),
    "floor": ("ceil",), "array": ("asarray",), "zeros": ("ones",), "ones": ("zeros",),
    "zeros_like": ("ones_like",), "ones_like": ("zeros_like",), "float64": ("float32",),
    "float32": ("float64",),
}  # fmt: skip
INFINITE = {"-np.inf", "-math.inf", "float('-inf')"}
COMMUTING = {"max", "min", "maximum", "minimum", "isclose", "allclose", "array_equal"}
UNSEEN = {"annotation", "returns"}  # never executed
BELTS = {"strict"}  # of `zip`: a second check of lengths that were checked before


class Mutant(NamedTuple):
    """Kind of the change, the new body, the helpers that it calls, and words for a whole body."""

    kind: str
    body: str
    helpers: str = ""
    said: str = ""

    @property
    def text(self) -> str:
        return f"{self.helpers}\n{self.body}" if self.helpers else self.body

    @property
    def in_alarm(self) -> Mutant | None:
        """The same mutant, which raises if its helper would change something; None without one."""
        return self._replace(helpers=self.helpers.replace(*ALARM, 1)) if self.helpers else None


def mutants(body: str, parameters: list[str], defaults: dict[str, str]) -> Iterator[Mutant]:
    """Yield every mutant of a body, once; the defaults of its parameters are Python text."""
    tree = parse(textwrap.dedent(body).strip("\n"))
    seen = {ast.unparse(tree)}
    for kind, text in _changed(tree, Field(body, parameters)):
        if text not in seen and _is_python(text):
            seen.add(text)
            yield Mutant(kind, text, HELPERS if kind in FIELD else "")
    for name, default in defaults.items():
        kind = "a default in place of the argument"
        yield Mutant(kind, f"{name} = {default}\n{ast.unparse(tree)}")


def read_signature(node: ast.FunctionDef) -> tuple[list[str], dict[str, str]]:
    """Return the names of a function's parameters, and the defaults as Python text."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    starred = [each for each in (node.args.vararg, node.args.kwarg) if each]
    defaults = {name: ast.unparse(default) for name, default in defaults_of(node)}
    return [each.arg for each in (*arguments, *starred)], defaults


def defaults_of(node: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    """Return the parameters that have a default, with it."""
    plain = [*node.args.posonlyargs, *node.args.args]
    first = len(plain) - len(node.args.defaults)
    pairs = [*zip(plain[first:], node.args.defaults, strict=True)]
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    pairs += [(each, default) for each, default in named if default is not None]
    return [(each.arg, default) for each, default in pairs]


def _is_python(text: str) -> bool:
    try:
        return bool(parse(text).body)
    except NO_PYTHON:  # such as an assignment to a call
        return False


def _changed(tree: ast.AST, field: Field) -> Iterator[tuple[str, str]]:
    tables: tuple[dict[str, Callable[..., Others]], ...] = (SYNTAX, FIELD)
    for parent, name, at, node in list(_places(tree)):
        for table in tables:
            for kind, operator in table.items():
                for other in operator(node) if table is SYNTAX else operator(node, field):
                    yield kind, _with(tree, parent, name, at, other)


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield (parent, its field, index in that list, node) of all nodes that can affect a result."""
    for name, value in ast.iter_fields(node):
        several = isinstance(value, list)
        for at, each in enumerate(value if several else [value]):
            belt = isinstance(each, ast.keyword) and each.arg in BELTS
            if isinstance(each, ast.AST) and name not in UNSEEN and not belt:
                yield node, name, at if several else None, each
                if not isinstance(each, ast.JoinedStr):  # the words of a message
                    yield from _places(each)


def _with(tree: ast.AST, parent: ast.AST, name: str, at: int | None, other: ast.AST) -> str:
    """Return the tree's text with another node in one place."""
    value = getattr(parent, name)
    changed = other if at is None else [*value[:at], other, *value[at + 1 :]]
    setattr(parent, name, changed)
    try:
        return ast.unparse(tree)
    finally:
        setattr(parent, name, value)


def _like(node: Any, **fields: Any) -> Any:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _parsed(text: str) -> ast.expr:
    return expression(text).body


def _arithmetic(node: ast.AST) -> Others:
    if isinstance(node, ast.BinOp):
        if type(node.op) in OPERATIONS:
            yield _like(node, op=OPERATIONS[type(node.op)]())
        if not isinstance(node.op, (ast.Add, ast.Mult)):
            yield _like(node, left=node.right, right=node.left)
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand


def _comparison(node: ast.AST) -> Others:
    if isinstance(node, ast.Compare):
        for other in COMPARISONS.get(type(node.ops[0]), ()):
            yield _like(node, ops=[other(), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield _like(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        if len(node.values) == 2:
            yield from node.values


def _constant(node: ast.AST) -> Others:
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, float):
        yield ast.Constant(float(f"{value * 1.1:.6g}") if value else 0.1)
    elif isinstance(value, str) and value in FUNCTIONS:
        yield from map(ast.Constant, FUNCTIONS[value])


def _call(node: ast.AST) -> Others:
    """Leave out or swap arguments, or replace a call by an argument or its object."""
    if not isinstance(node, ast.Call):
        return
    args, keywords = node.args, node.keywords
    yield from (each for each in args if not isinstance(each, ast.Starred))
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value
    if args:
        yield _like(node, args=args[:-1])
    commutes = ast.unparse(node.func).rpartition(".")[2] in COMMUTING and len(args) == 2
    for at, _ in enumerate(() if commutes else pairwise(args)):
        yield _like(node, args=[*args[:at], args[at + 1], args[at], *args[at + 2 :]])
    for at, keyword in enumerate(keywords):
        if keyword.arg not in BELTS:
            yield _like(node, keywords=[*keywords[:at], *keywords[at + 1 :]])


def _function(node: ast.AST) -> Others:
    if isinstance(node, ast.Name):
        yield from (_like(node, id=name) for name in FUNCTIONS.get(node.id, ()))
    elif isinstance(node, ast.Attribute):
        yield from (_like(node, attr=name) for name in FUNCTIONS.get(node.attr, ()))
        if node.attr == "copy":
            yield _parsed(f"(lambda: {ast.unparse(node.value)})")


def _statement(node: ast.AST) -> Others:
    """Leave out a statement or a branch; swap setting and adding."""
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise, ast.Break, ast.Continue)):
        yield ast.Pass()
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
        yield ast.Pass()
        yield ast.AugAssign(node.targets[0], ast.Add(), node.value)
    elif isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value, lineno=0)
        if type(node.op) in OPERATIONS:
            yield _like(node, op=OPERATIONS[type(node.op)]())
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield from (_like(node, test=ast.Constant(value)) for value in (True, False))
    elif isinstance(node, ast.While):
        yield _like(node, test=ast.Constant(False))


def _loop(node: ast.AST) -> Others:
    if isinstance(node, (ast.For, ast.comprehension)):
        yield _like(node, iter=_parsed(f"list({ast.unparse(node.iter)})[:-1]"))
        if isinstance(node, ast.comprehension) and node.ifs:
            yield _like(node, ifs=[])


def _index(node: ast.AST) -> Others:
    if isinstance(node, ast.Slice):
        yield from (_like(node, **{n: None}) for n in ("lower", "upper", "step"))
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value


SYNTAX: dict[str, Callable[[ast.AST], Others]] = {
    "arithmetic": _arithmetic, "a comparison": _comparison, "a constant moved": _constant,
    "a call or its arguments": _call, "another function or dtype": _function,
    "a statement or branch": _statement, "a loop's end": _loop, "an index": _index,
}  # fmt: skip


class Field(NamedTuple):
    """The function that an operator of our field works on."""

    body: str
    parameters: list[str]


def _by_a_template(template: str, needs: str = "") -> Callable[..., Others]:
    """Return an operator that returns another value: ``E`` is the old one, ``P`` each parameter."""

    def operator(node: ast.AST, field: Field) -> Others:
        wanted = needs in (field.parameters if needs == "self" else field.body)
        if isinstance(node, ast.Return) and node.value is not None and wanted:
            names = [n for n in field.parameters if n != "self"]
            for name in names if "P" in template else [""]:
                text = template.replace("P", name).replace("E", ast.unparse(node.value))
                yield _like(node, value=_parsed(text))

    return operator


def _generator(node: ast.AST, field: Field) -> Others:
    if isinstance(node, ast.Name) and node.id == "rng" and isinstance(node.ctx, ast.Load):
        yield from map(_parsed, ("np.random", "np.random.default_rng(0)"))


def _finite(node: ast.AST, field: Field) -> Others:
    if isinstance(node, ast.expr) and ast.unparse(node) in INFINITE:
        yield from (_parsed(text) for text in ("-30.0", "-100.0", "-1000.0"))


def _nearly(node: ast.AST, field: Field) -> Others:
    if isinstance(node, ast.Compare):
        both = ast.unparse(node.left), ast.unparse(node.comparators[0])
        if isinstance(node.ops[0], ast.Eq):
            yield _parsed("np.isclose({}, {})".format(*both))
        if ".shape" in both[0] + both[1]:
            for other in (".size", ".ndim"):
                yield _parsed(ast.unparse(node).replace(".shape", other))


FIELD: dict[str, Callable[[ast.AST, Field], Others]] = {
    "a result in float32": _by_a_template("cast(E, 'float32')"),
    "a result in float64": _by_a_template("cast(E, 'float64')"),
    "computed in float32": _by_a_template("cast(E, 'float32', and_back=True)"),
    "the input written to at the end": _by_a_template("spoil(E, P)"),
    "the second call gives the first result": _by_a_template("kept(E, self)", needs="self"),
    "an input without axes given back": _by_a_template("without_axes(E, P)"),
    "a global seed set": _by_a_template("seeded(E)", needs="rng"),
    "another generator": _generator, "a finite number for -inf": _finite,
    "nearly, or sizes for shapes": _nearly,
}  # fmt: skip
