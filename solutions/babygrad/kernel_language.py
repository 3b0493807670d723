"""The kernel language: the part of Python that the C of a graphics card can say, too (given).

A kernel is a plain function. It has numbers, loops, helpers of numbers, and the words of its
arrays, one by one. It is read before it runs, and what was read is what runs. All else is refused,
with its line: a list of copied words, for example, would be memory that nobody counts.
"""

from __future__ import annotations

import ast
import linecache
import math
from collections.abc import Callable
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any, NoReturn

FUNCTIONS: dict[str, Any] = {"min": min, "max": max, "abs": abs, "int": int, "float": float}
# Of `math` all that gives one number for numbers, whatever a module puts there later.
NO_NUMBERS = ("frexp", "modf", "fsum", "prod", "dist", "sumprod")
MATH = SimpleNamespace(
    **{n: v for n, v in vars(math).items() if n[0] != "_" and n not in NO_NUMBERS}
)
LANGUAGE = {**FUNCTIONS, "range": range, "math": MATH}
# What says nothing that needs a look of its own, and the parts of it that do.
PLAIN = {
    ast.Pass: (), ast.Break: (), ast.Continue: (), ast.If: ("test", "body", "orelse"),
    ast.While: ("test", "body", "orelse"), ast.IfExp: ("test", "body", "orelse"),
    ast.BinOp: ("left", "right"), ast.UnaryOp: ("operand",), ast.Compare: ("left", "comparators"),
}  # fmt: skip
WORDS = {
    ast.List: "a list", ast.ListComp: "a list", ast.Tuple: "a tuple", ast.Dict: "a dict",
    ast.DictComp: "a dict", ast.Set: "a set", ast.GeneratorExp: "a generator", ast.Slice: "a slice",
    ast.Lambda: "a function inside", ast.FunctionDef: "a function inside", ast.Try: "`try`",
    ast.BoolOp: "`and` or `or` outside of a condition", ast.Return: "a value that is returned",
}  # fmt: skip
HAS = "A kernel has numbers, and the words of its arrays, one by one."
CAN_CALL = "A kernel can call min, max, abs, int, float, those of math, and helpers of numbers."
MOST_NAMES = 64  # registers, so to speak: with one for each word there would be no memory to count


METHODS = ("shared", "local", "atomic_add")  # of a thread; else it has numbers alone


class NotAKernel(ValueError):
    """A function says something that the language has no word for, in this ``line``."""

    def __init__(self, line: int, says: str) -> None:
        super().__init__(f"line {line}: {says}")
        self.line, self.says = line, says


class NotANumber(ValueError):
    """A kernel made a value that one word has no room for."""

    @staticmethod
    def look_at(value: Any) -> Any:
        """Return a float, or an int of 64 bits: in a longer one many words would have room."""
        if type(value) is float or (type(value) in (int, bool) and value.bit_length() < 64):
            return value
        raise NotANumber("makes a value that is no number of 64 bits")

    @staticmethod
    def plain(value: Any) -> Any:
        """Return a module's number without what its class may do beside; None for anything else."""
        if isinstance(value, float):
            return float.__float__(value)
        return int.__int__(value) if isinstance(value, int) else None


LOOK = "look at a number"  # what the compiled text calls; no text can say this name


@cache
def compile_kernel(function: Any, has_thread: bool = False) -> Callable[..., Any]:
    """Read a kernel; return a function that is made of nothing but what was read.

    ``has_thread``: its first parameter is a thread: ``t.x``, ``t.shared("s", 32)``, ``yield``.
    """
    return Reader(function, has_thread, ()).compile()


def parse_function(function: FunctionType) -> ast.FunctionDef:
    """Parse the text of one function; its lines have the numbers of its file."""
    code, module = function.__code__, function.__globals__
    source = getattr(module.get("__loader__"), "get_source", lambda name: None)
    try:
        lines = (source(module["__name__"]) or "").splitlines()
    except ImportError:
        lines = []
    lines = (lines or linecache.getlines(code.co_filename))[code.co_firstlineno - 1 :]
    ends = [at for at, line in enumerate(lines) if at and line.strip() and not line[0].isspace()]
    for end in (*ends, len(lines)):  # the first may lie inside of a signature, or of a text
        try:
            body = ast.parse("\n".join(map(str.rstrip, lines[:end]))).body
        except SyntaxError:
            continue
        if body and isinstance(body[0], ast.FunctionDef):
            ast.increment_lineno(body[0], code.co_firstlineno - 1)
            return body[0]
    raise NotAKernel(code.co_firstlineno, "it is no function of a file, one of its outermost.")


def name_of(node: ast.AST) -> str:
    """Return a name, or two with a dot between them; empty for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def array_of(node: ast.AST) -> str:
    """Return the name whose words a node uses; empty where it uses none."""
    if isinstance(node, ast.Call) and name_of(node.func).endswith(".atomic_add") and node.args:
        return name_of(node.args[0])
    return name_of(node.value) if isinstance(node, ast.Subscript) else ""


class Reader:
    """Read one function, from top to bottom; a node without a method here is refused.

    It leans on no method of `ast`, which a module of a learner's could replace. ``known`` are the
    names that have a number by now.
    """

    def __init__(self, function: Any, has_thread: bool, above: tuple[Any, ...]) -> None:
        if not isinstance(function, FunctionType):
            raise NotAKernel(0, f"{function!r} is no plain function.")
        self.above, self.globals = (*above, function), function.__globals__
        self.tree, self.file = parse_function(function), function.__code__.co_filename
        given = self.tree.args
        self.known = {arg.arg for arg in given.args}
        self.thread = given.args[0].arg if has_thread and given.args else ""
        self.arrays = set() if above else self.known & set(map(array_of, ast.walk(self.tree)))
        self.loops: list[str] = []
        self.conditions: set[ast.AST] = set()
        self.names: dict[str, Any] = {
            **LANGUAGE, LOOK: NotANumber.look_at, "__builtins__": {}
        }  # fmt: skip
        self.registers: set[str] = set()
        odd = (
            getattr(self.tree, "type_params", None)
            or given.defaults
            or given.vararg
            or given.kwarg
            or given.kwonlyargs
            or given.posonlyargs
        )
        if odd or self.tree.decorator_list:
            self.refuse(self.tree, "a decorator, or a parameter that is more than a name.")
        for name in self.known:
            self.look_at_new(self.tree, name)
            self.registers.add(name)

    def compile(self) -> Callable[..., Any]:
        body = self.tree.body[ast.get_docstring(self.tree) is not None :]
        if body and isinstance(body[0], ast.Raise):
            raise NotImplementedError
        self.visit(body)
        self.tree.body = body or self.tree.body
        if len(self.registers) > MOST_NAMES:
            self.refuse(self.tree, f"{len(self.registers)} names. A kernel keeps {MOST_NAMES}.")
        plain = (ast.copy_location(ast.arg(each.arg), each) for each in self.tree.args.args)
        self.tree.args.args = list(plain)
        self.tree.returns = None
        exec(compile(ast.Module([self.tree], []), self.file, "exec"), self.names)
        made: Callable[..., Any] = self.names[self.tree.name]
        return made

    def refuse(self, node: ast.AST, says: str = "") -> NoReturn:
        what = WORDS.get(type(node)) or f"`{ast.unparse(node).splitlines()[0]}`"
        raise NotAKernel(getattr(node, "lineno", self.tree.lineno), says or f"{what}. {HAS}")

    def visit(self, node: Any) -> None:
        """Read a node, or several, with the method of its kind."""
        kind, parts = type(node), PLAIN.get(type(node))
        if kind is list:
            for at, each in enumerate(node):
                self.visit(each)
                node[at] = self.checked(each)
        elif parts is None or isinstance(getattr(node, "op", None), ast.MatMult):
            own = getattr(self, f"visit_{kind.__name__}", None)
            own(node) if own and kind is not ast.BinOp else self.refuse(node)
        else:
            if "test" in parts:
                self.note_condition(node.test)
            if kind is ast.While and node.orelse:
                self.refuse(node, "`else` after a loop.")
            for part in parts:
                self.visit(getattr(node, part))

    def checked(self, node: Any) -> Any:
        """Return a statement that looks at the number which it gives to a name."""
        target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
        if isinstance(node, ast.For) or not isinstance(target, ast.Name):
            return node
        value = node.value
        if isinstance(node, ast.AugAssign):
            value = ast.BinOp(ast.Name(target.id, ast.Load()), node.op, value)
        if isinstance(value, ast.Call) and name_of(value.func).partition(".")[0] == self.thread:
            return node
        made = ast.Assign([target], self.looked_at(value))
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def looked_at(self, value: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(LOOK, ast.Load()), [value], [])
        return ast.fix_missing_locations(ast.copy_location(call, value))

    def note_condition(self, node: ast.AST) -> None:
        self.conditions.add(node)
        for part in getattr(node, "values", [getattr(node, "operand", None)]):
            if isinstance(part, (ast.BoolOp, ast.UnaryOp)):
                self.note_condition(part)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        if node not in self.conditions:
            self.refuse(node)
        self.visit(node.values)

    # ---- statements ---------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Yield) and self.thread and node.value.value is None):
            if not self.is_of_thread(node.value, "atomic_add"):
                self.refuse(node, f"`{ast.unparse(node.value)}`: nobody keeps this value. {HAS}")
            array, *numbers = node.value.args  # type: ignore[attr-defined]
            self.look_at_array(array)
            self.visit(numbers)

    def visit_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) > 1:
            self.refuse(node, "two names for one value. Give each a line of its own.")
        self.assign(node.targets[0], node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.assign(node.target, node.value or self.refuse(node))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.MatMult):
            self.refuse(node)
        if isinstance(node.target, ast.Name):
            self.visit_Name(node.target)
        self.assign(node.target, node.value)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        is_memory = self.is_of_thread(value, "shared", "local")
        self.visit(value.args[-1] if is_memory else value)  # type: ignore[attr-defined]
        if isinstance(target, ast.Name):
            self.look_at_new(target, target.id)
            if target.id in self.arrays or target.id in self.loops:
                self.refuse(target, f"`{target.id}` is an array, or counts a loop: it stays that.")
            (self.arrays if is_memory else self.known).add(target.id)
            self.registers.add(target.id)
        else:
            self.visit_Subscript(target)

    def visit_For(self, node: ast.For) -> None:
        """Read a loop; after it its name has no number: in Python the last one, in C one more."""
        name, rounds = node.target, node.iter
        if not (isinstance(rounds, ast.Call) and name_of(rounds.func) == "range"):
            self.refuse(node, f"`for … in {ast.unparse(rounds)}`: a loop goes over a `range`.")
        if not isinstance(name, ast.Name) or node.orelse or not 1 <= len(rounds.args) <= 3:
            self.refuse(node, "a loop has one name, up to three numbers, and no `else`.")
        self.visit(rounds.args)
        read = {each.id for each in ast.walk(rounds) if isinstance(each, ast.Name)}
        for each in (each for line in node.body for each in ast.walk(line)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in read:
                self.refuse(each, f"`{each.id}` changes inside of the loop that it is the end of.")
        self.look_at_new(name, name.id)
        if name.id in self.known | self.arrays:
            self.refuse(name, f"`{name.id}` has a number already. A loop needs a name of its own.")
        self.known.add(name.id)
        self.registers.add(name.id)
        self.loops.append(name.id)
        self.visit(node.body)
        self.known.remove(self.loops.pop())

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            if len(self.above) == 1:
                self.refuse(node)
            self.visit(node.value)

    # ---- expressions --------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, (int, float)):
            self.refuse(node)

    def visit_Name(self, node: ast.Name) -> None:
        number = NotANumber.plain(self.globals.get(node.id))
        if node.id in self.arrays or node.id == self.thread:
            self.refuse(node, f"`{node.id}` as a whole. {HAS}")
        if node.id in self.known:
            return
        if number is None:
            self.refuse(node, f"`{node.id}` has no number here.")
        self.names[node.id] = number

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = name_of(node.value)
        is_number = owner == "math" and isinstance(vars(MATH).get(node.attr), float)
        is_thread = (
            owner and owner == self.thread and node.attr not in METHODS and node.attr[0] != "_"
        )
        if not is_number and not is_thread:
            self.refuse(node)

    def visit_Subscript(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Subscript):
            self.refuse(node)
        self.look_at_array(node.value)
        self.visit(node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        name = name_of(node.func)
        if name.startswith("math.") and callable(vars(MATH).get(name[5:])):
            pass
        elif name not in FUNCTIONS or name in self.globals:
            helper = self.globals.get(name)
            if not isinstance(helper, FunctionType) or helper in self.above:
                self.refuse(node, f"`{ast.unparse(node.func)}(…)`. {CAN_CALL}")
            inner = Reader(helper, False, self.above)
            self.names[name] = inner.compile()
            self.registers |= {f"{name}.{each}" for each in inner.registers}
        if node.keywords or (name in ("min", "max") and len(node.args) < 2):
            self.refuse(node, f"`{ast.unparse(node)}`: a call takes numbers, and `max` several.")
        self.visit(node.args)
        if name in self.names:  # a helper keeps what it gets
            node.args = [self.looked_at(each) for each in node.args]

    # ---- what several of them ask -------------------------------------------------------

    def look_at_array(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Name) or node.id not in self.arrays:
            self.refuse(node, f"`{ast.unparse(node)}` is no array of this kernel's.")

    def look_at_new(self, node: ast.AST, name: str) -> None:
        if name in LANGUAGE or name == self.tree.name:
            self.refuse(node, f"`{name}` is a word of the language, or this kernel.")

    def is_of_thread(self, node: ast.expr, *methods: str) -> bool:
        names = {f"{self.thread}.{method}" for method in methods if self.thread}
        return isinstance(node, ast.Call) and name_of(node.func) in names and bool(node.args)
