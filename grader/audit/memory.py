"""Mutate what a function keeps: each mutant remembers something from one call for the next.

The reference's body becomes a function `right` of the same parameters, and a helper stands between
it and the caller. So `return a * b`, kept by shape, becomes

    def right(self, a, b):
        return a * b
    return kept(lambda: right(self, a, b), (by_shape(a), by_shape(b)), True)

A result that is kept by all of its inputs is right. So `kept` calls `did()` only if its key leaves
something out: a function of numbers alone cannot be wrong by its key (`Mutant.in_alarm`).
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from ..course.syntax_tree import parse
from .mutation import Mutant

KEYS = """
def did():
    pass
def inside(x):
    return getattr(x, "data", x) if hasattr(x, "_inputs") else x
def is_plain(x):
    import numbers
    return x is None or isinstance(x, (numbers.Number, str, bytes, slice, type))
def loses(x):
    if isinstance(x, dict):
        return any(map(loses, x.values()))
    return any(map(loses, x)) if isinstance(x, (tuple, list)) else not is_plain(x)
def is_object(x):
    met = []
    by(x, lambda array: 0, met.append)
    return bool(met)
def by(x, of_array, of_object):
    import numpy
    if is_plain(x):
        return type(x).__name__, repr(x)
    if isinstance(inside(x), (numpy.ndarray, numpy.generic)):
        return type(x).__name__, of_array(inside(x))
    if isinstance(x, dict):
        return "dict", *((repr(name), by(each, of_array, of_object)) for name, each in x.items())
    if isinstance(x, (tuple, list)):
        return type(x).__name__, *(by(each, of_array, of_object) for each in x)
    return of_object(x)
def by_value(x):
    return by(x, lambda array: (array.shape, array.dtype.str, array.tobytes()), id)
def by_shape(x):
    return by(x, lambda array: (array.shape, array.dtype.str), id)
def by_size(x):
    return len(x) if isinstance(x, (tuple, list, dict)) else by(x, lambda array: array.size, id)
def by_id(x):
    if isinstance(x, tuple):
        return tuple(map(by_id, x))
    return by_value(x) if not loses(x) else id(x)
def by_repr(x):
    return by(x, lambda array: (array.shape, array.dtype.str, array.tobytes()), repr)
def memory():
    return globals().setdefault("_memory_of_NAME", {})
def kept(right, key, lost, *inputs):
    if lost:
        did()
    if key not in memory():
        memory()[key] = right(), inputs
    return memory()[key][0]
def buffered(result):
    import numpy
    array = inside(result)
    if not isinstance(array, numpy.ndarray) or not array.size:
        return result
    did()
    buffer = memory().setdefault((array.shape, array.dtype.str), array.copy())
    buffer[...] = array
    if array is result:
        return buffer
    result.data = buffer
    return result
def last(name, value, default):
    did()
    if repr(value) != repr(default):
        memory()[name] = value
    return memory().get(name, value)
""".strip()

MEMORY = "a memory"  # the kind of all of them
# The words of a key → its function. A node is new in every call, and what it was made from stays:
# its identity is as good as its value, and its value tells what its op was made with. So does the
# identity of the tuple that `*args` takes, and of its dict.
IDENTITY = "identity"
KINDS = {"shape": "by_shape", "size": "by_size", IDENTITY: "by_id", "repr": "by_repr"}
NODE, TOLD_BY_NODE = "node", {IDENTITY, "repr"}
VALUE = "by_value"


def memory_mutants(
    target: str, body: str, node: ast.FunctionDef, defaults: dict[str, str]
) -> Iterator[Mutant]:
    """Yield a function's mutants with a memory; the defaults of its parameters are Python text."""
    tree = parse(textwrap.dedent(body).strip("\n"))
    helpers = KEYS.replace("NAME", target.replace(".", "_"))
    function = Function(node, tree)
    for said, text in function.mutants(defaults):
        yield Mutant(MEMORY, text, helpers, said)


class Function:
    """A function whose body is set apart, so that its result can be kept."""

    def __init__(self, node: ast.FunctionDef, tree: ast.Module) -> None:
        arguments = node.args
        plain = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        named = [each.arg for each in arguments.kwonlyargs]
        starred = [each.arg if each else "" for each in (arguments.vararg, arguments.kwarg)]
        several, keywords = ([f"{'*' * n}{name}"] if name else []
                             for n, name in enumerate(starred, 1))  # fmt: skip
        self.is_starred = any(starred)
        star = ["*"] if named and not several else []
        self.names = [*plain, *filter(None, starred[:1]), *named, *filter(None, starred[1:])]
        # Of one object a constructor is called once: it has nothing to keep for the next call.
        self.has_owner = "self" in self.names and node.name != "__init__"
        self.mappings = {*starred[1:]}
        self.body = ast.unparse(tree)
        self.is_generator = is_generator(tree)
        self.signature = ", ".join([*plain, *(several or star), *named, *keywords])
        given = (f"{name}={name}" for name in named)
        self.call = "({})".format(", ".join([*plain, *several, *given, *keywords]))
        self.right = self.define("right", self.body)
        self.result = f"list(right{self.call})" if self.is_generator else f"right{self.call}"

    def define(self, name: str, body: str) -> str:
        """Return the text of a function with this body and the parameters of the reference."""
        return f"def {name}({self.signature}):\n{textwrap.indent(body, '    ')}"

    def mutants(self, defaults: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the words and the body of each mutant."""
        for owner in ("self", "") if self.has_owner else ("",):
            where = ", for each object" if owner else ""
            for said, key in self.keys().items():
                yield f"{said}{where}", self.keep(owner, key)
        if not self.is_generator:
            yield "one array for all results", f"{self.right}\nreturn buffered({self.result})"
        for name, default in defaults.items():
            text = f"{name} = last({name!r}, {name}, {default})\n{self.body}"
            yield f"last {name} in place of its default", text

    def keys(self) -> dict[str, dict[str, str]]:
        """Return the words of each key → parameter → the function that makes its share of it."""
        names = [name for name in self.names if name != "self"]
        found: dict[str, dict[str, str]] = {"first result for ever": {}}
        for said, function in KINDS.items() if names else ():
            told = TOLD_BY_NODE if NODE in names else {IDENTITY} if self.is_starred else ()
            if said not in told:
                found[f"kept by {said}"] = dict.fromkeys(names, function)
        for name in names if len(names) > 1 else ():
            found[f"kept without {name}"] = {each: VALUE for each in names if each != name}
        return found

    def keep(self, owner: str, key: dict[str, str]) -> str:
        """Return the body that keeps results by a key, for each object or for all."""
        parts = [f"id({owner})"] * bool(owner) + [
            f"{by}(tuple({name}.items()))" if name in self.mappings else f"{by}({name})"
            for name, by in key.items()
        ]
        out = {*self.names} - {owner, *key}
        loses = "is_object" if "by_repr" in key.values() else "loses"
        lost = f"any(map({loses}, [{', '.join(key)}]))"
        lost = "True" if out - {"self"} else f"bool(vars(self)) or {lost}" if out else lost
        inputs = "".join(f", {name}" for name in self.names)
        whole_key = "".join(f"{part}, " for part in parts)
        kept = f"kept(lambda: {self.result}, ({whole_key}), {lost}{inputs})"
        return f"{self.right}\nreturn {f'iter({kept})' if self.is_generator else kept}"


def is_generator(tree: ast.Module) -> bool:
    """Whether a function with this body yields; what is defined inside does not count."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
    return False
