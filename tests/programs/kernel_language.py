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
from copy import deepcopy
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
METHODS = {"shared": 2, "local": 1, "atomic_add": 3}  # of a thread; else it has numbers alone
NO_C = ast.MatMult, ast.In, ast.NotIn, ast.Is, ast.IsNot
# All that a kernel may say, and the parts of it that are read. `Reader` has rules for some of it.
PARTS: dict[type, str] = {
    ast.Assign: "", ast.AugAssign: "", ast.AnnAssign: "", ast.Expr: "", ast.Return: "value",
    ast.If: "body orelse", ast.While: "body", ast.For: "", ast.Pass: "", ast.Break: "",
    ast.Continue: "", ast.Constant: "", ast.Name: "", ast.Attribute: "", ast.Subscript: "slice",
    ast.Call: "args", ast.BinOp: "left right", ast.UnaryOp: "operand", ast.IfExp: "body orelse",
    ast.Compare: "left comparators",
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
LOOK = "look at a number"  # what the compiled text calls; no text can say this name
THREAD = 'say t.shared("name", size), t.local(size) or t.atomic_add(array, place, number).'
HELPER = "a helper is given numbers, and returns one. What writes into arrays stands in the kernel."


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


@cache
def compile_kernel(function: Any, has_thread: bool = False) -> Callable[..., Any]:
    """Read a kernel; return a function that is made of nothing but what was read.

    ``has_thread``: its first parameter is a thread: ``t.x``, ``t.shared("s", 32)``, ``yield``.
    """
    return Reader(function, has_thread, ()).compile()


def parse_function(function: FunctionType) -> ast.FunctionDef:
    """Parse the file of a function, and return a tree of its own of this one."""
    code, module = function.__code__, function.__globals__
    source = getattr(module.get("__loader__"), "get_source", lambda name: None)
    try:
        text = source(module["__name__"])
    except ImportError:
        text = None
    for node in parse_module(text or "".join(linecache.getlines(code.co_filename))):
        begins = [each.lineno for each in [node, *getattr(node, "decorator_list", [])]]
        if isinstance(node, ast.FunctionDef) and code.co_firstlineno in begins:
            return deepcopy(node)  # who reads it changes it
    raise NotAKernel(code.co_firstlineno, "it is no function of a file, one of its outermost.")


@cache
def parse_module(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def name_of(node: ast.AST | None) -> str:
    """Return a name, or two with a dot between them; empty for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def array_of(node: ast.AST) -> str:
    """Return the name whose words a node uses; empty where it uses none."""
    if isinstance(node, ast.Call) and name_of(node.func).endswith(".atomic_add") and node.args:
        return name_of(node.args[0])
    return name_of(node.value) if isinstance(node, ast.Subscript) else ""


def operators(node: ast.AST) -> list[Any]:
    return [getattr(node, "op", None), *getattr(node, "ops", [])]


class Reader:
    """Read one function, from top to bottom.

    Attributes:
        known: names that have a number by now.
        arrays: names whose words are read or written.
        loops: names that count the loops around this place.
        names: all that the compiled function can see.
        registers: names that get a number anywhere, those of helpers too.
    """

    def __init__(self, function: Any, has_thread: bool, above: tuple[Any, ...]) -> None:
        if not isinstance(function, FunctionType):
            raise NotAKernel(0, f"{function!r} is no plain function.")
        self.above, self.globals = (*above, function), function.__globals__
        self.tree, self.file = parse_function(function), function.__code__.co_filename
        given = self.tree.args
        self.known = {arg.arg for arg in given.args}
        self.thread = given.args[0].arg if has_thread and given.args else ""
        used = set(map(array_of, ast.walk(self.tree))) - {self.thread}
        self.arrays = set() if above else self.known & used
        self.loops: list[str] = []
        self.names: dict[str, Any] = {**LANGUAGE, LOOK: NotANumber.look_at, "__builtins__": {}}
        self.registers = {*self.known}
        odd = given.defaults or given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs
        if odd or getattr(self.tree, "type_params", None) or self.tree.decorator_list:
            self.refuse(self.tree, "a decorator, or a parameter that is more than a name.")
        for name in self.known:
            self.check_new(self.tree, name)

    def compile(self) -> Callable[..., Any]:
        body = self.tree.body[ast.get_docstring(self.tree) is not None :]
        if body and isinstance(body[0], ast.Raise):
            raise NotImplementedError
        self.read(body)
        self.tree.body = body or self.tree.body
        if len(self.registers) > MOST_NAMES:
            self.refuse(self.tree, f"{len(self.registers)} names. A kernel keeps {MOST_NAMES}.")
        plain = (ast.copy_location(ast.arg(each.arg), each) for each in self.tree.args.args)
        self.tree.args.args = [*plain]  # a wrong annotation may not stop a kernel
        self.tree.returns = None
        exec(compile(ast.Module([self.tree], []), self.file, "exec"), self.names)
        made: Callable[..., Any] = self.names[self.tree.name]
        return made

    def refuse(self, node: ast.AST, says: str = "") -> NoReturn:
        what = WORDS.get(type(node)) or f"`{ast.unparse(node).splitlines()[0]}`"
        raise NotAKernel(getattr(node, "lineno", self.tree.lineno), says or f"{what}. {HAS}")

    def read(self, *nodes: Any) -> None:
        """Read nodes, or lists of them: the rule of their kind first, then their parts."""
        for node in nodes:
            if isinstance(node, list):
                self.read(*node)
                node[:] = map(self.checked, node)
            elif type(node) not in PARTS or any(isinstance(op, NO_C) for op in operators(node)):
                self.refuse(node)
            else:
                if hasattr(node, "test"):
                    self.read_condition(node.test)
                getattr(self, f"rule_{type(node).__name__}", bool)(node)
                self.read(*(getattr(node, part) or [] for part in PARTS[type(node)].split()))

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

    def read_condition(self, node: ast.expr) -> None:
        """Here alone are `and` and `or` allowed: as values, C has other ones."""
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                self.read_condition(each)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.read_condition(node.operand)
        else:
            self.read(node)

    # ---- statements ---------------------------------------------------------------------

    def rule_Expr(self, node: ast.Expr) -> None:
        said = node.value
        if isinstance(said, ast.Yield) and self.thread and said.value is None:
            return
        if not self.is_of_thread(said, "atomic_add"):
            is_helper = isinstance(said, ast.Call) and name_of(said.func) in self.globals
            why = HELPER if is_helper else f"nobody keeps this value. {HAS}"
            self.refuse(node, f"`{ast.unparse(said)}`: {why}")
        self.check_array(said.args[0])  # type: ignore[attr-defined]
        self.read(said.args[1:])  # type: ignore[attr-defined]

    def rule_assignment(self, node: Any) -> None:
        target, *others = getattr(node, "targets", None) or [node.target]
        if others:
            self.refuse(node, "two names for one value. Give each a line of its own.")
        if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name):
            self.read(target)
        is_memory = self.is_of_thread(node.value, "shared", "local")
        if is_memory and (isinstance(node, ast.AugAssign) or not isinstance(target, ast.Name)):
            self.refuse(node, f"`{ast.unparse(node)}`: memory of a thread gets a name of its own.")
        self.read(node.value.args[-1] if is_memory else node.value or self.refuse(node))
        if isinstance(target, ast.Subscript):
            self.read(target)
        elif not isinstance(target, ast.Name):
            self.refuse(target)
        elif target.id in {*self.arrays, *self.loops, self.thread}:
            self.refuse(target, f"`{target.id}` is an array, or counts a loop: it stays that.")
        else:
            self.check_new(target, target.id)
            (self.arrays if is_memory else self.known).add(target.id)
            self.registers.add(target.id)

    rule_Assign = rule_AnnAssign = rule_AugAssign = rule_assignment

    def rule_While(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "`else` after a loop.")

    def rule_For(self, node: ast.For) -> None:
        """Read a loop; after it its name has no number: in Python the last one, in C one more."""
        name, rounds = node.target, node.iter
        if not (isinstance(rounds, ast.Call) and name_of(rounds.func) == "range"):
            self.refuse(node, f"`for … in {ast.unparse(rounds)}`: a loop goes over a `range`.")
        odd = node.orelse or rounds.keywords or not 1 <= len(rounds.args) <= 3
        if not isinstance(name, ast.Name) or odd:
            self.refuse(node, "a loop has one name, up to three numbers, and no `else`.")
        self.read(rounds.args)
        ends = {each.id for each in ast.walk(rounds) if isinstance(each, ast.Name)}
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in ends:
                self.refuse(each, f"`{each.id}` changes inside of the loop that it is the end of.")
        self.check_new(name, name.id)
        if name.id in self.known | self.arrays:
            self.refuse(name, f"`{name.id}` has a number already. A loop needs a name of its own.")
        self.known.add(name.id)
        self.registers.add(name.id)
        self.loops.append(name.id)
        self.read(node.body)
        self.known.remove(self.loops.pop())

    def rule_Return(self, node: ast.Return) -> None:
        if node.value is not None and len(self.above) == 1:
            self.refuse(node)

    # ---- expressions --------------------------------------------------------------------

    def rule_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, (int, float)):
            self.refuse(node)

    def rule_Name(self, node: ast.Name) -> None:
        number = NotANumber.plain(self.globals.get(node.id))
        if node.id in self.arrays or node.id == self.thread:
            self.refuse(node, f"`{node.id}` as a whole. {HAS}")
        if node.id not in self.known:
            if number is None:
                self.refuse(node, f"`{node.id}` has no number here.")
            self.names[node.id] = number

    def rule_Attribute(self, node: ast.Attribute) -> None:
        owner, field = name_of(node.value), node.attr
        is_number = owner == "math" and isinstance(vars(MATH).get(field), float)
        is_of_thread = owner and owner == self.thread and field not in METHODS and field[0] != "_"
        if not is_number and not is_of_thread:
            self.refuse(node)

    def rule_Subscript(self, node: ast.Subscript) -> None:
        self.check_array(node.value)

    def rule_Call(self, node: ast.Call) -> None:
        name = name_of(node.func)
        is_given = name == LOOK or (name in FUNCTIONS and name not in self.globals)
        is_of_math = name[:5] == "math." and callable(vars(MATH).get(name[5:]))
        is_helper = not is_given and not is_of_math
        if is_helper:
            is_name = isinstance(node.func, ast.Name) and name not in self.known
            helper = self.globals.get(name) if is_name else None
            if not isinstance(helper, FunctionType) or helper in self.above:
                self.refuse(node, f"`{ast.unparse(node.func)}(…)`. {CAN_CALL}")
            inner = Reader(helper, False, self.above)
            self.names[name] = inner.compile()
            self.registers |= {f"{name}.{each}" for each in inner.registers}
        if node.keywords or (name in ("min", "max") and len(node.args) < 2):
            self.refuse(node, f"`{ast.unparse(node)}`: a call takes numbers, and `max` several.")
        if is_helper:  # it keeps what it gets
            node.args = [self.looked_at(each) for each in node.args]

    # ---- what several of them ask -------------------------------------------------------

    def check_array(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Name) or node.id not in self.arrays:
            self.refuse(node, f"`{ast.unparse(node)}` is no array of this kernel's.")

    def check_new(self, node: ast.AST, name: str) -> None:
        if name in LANGUAGE or name == self.tree.name:
            self.refuse(node, f"`{name}` is a word of the language, or this kernel.")

    def is_of_thread(self, node: Any, *methods: str) -> bool:
        """Tell whether a node calls one of these methods, which take just what they take."""
        owner, _, method = name_of(getattr(node, "func", None)).partition(".")
        if not owner or owner != self.thread or method not in methods:
            return False
        name = node.args[0] if node.args else None
        is_text = isinstance(name, ast.Constant) and isinstance(name.value, str)
        if len(node.args) != METHODS[method] or node.keywords or is_text != (method == "shared"):
            self.refuse(node, f"`{ast.unparse(node)}`: {THREAD}")
        return True
