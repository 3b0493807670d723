"""A program of the course with all that it leans on, as one text without the course's imports."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

Named = tuple[str, str]  # a module of the programs, and a name that it defines


class Module(NamedTuple):
    """A module of programs: what its names stand for.

    Attributes:
        own: name → the source of its definition.
        uses: name → the names that the definition mentions.
        taken: name → (module, name) that it was imported from.
        imports: name → the line that imports it from elsewhere.
    """

    own: dict[str, str]
    uses: dict[str, set[str]]
    taken: dict[str, Named]
    imports: dict[str, str]


def embedded(texts: dict[str, str], program: str) -> tuple[list[str], list[str]]:
    """(import lines, definitions) that make ``program`` (`operators.vjp`) run by itself."""
    modules = {name: _module(text) for name, text in texts.items()}
    start, _, function = program.partition(".")
    wanted: set[Named] = set()
    imports: set[str] = set()
    todo: list[Named] = [(start, function)]
    while todo:
        name, item = todo.pop()
        module = modules[name]
        if item in module.taken:
            todo.append(module.taken[item])
        elif item in module.imports:
            imports.add(module.imports[item])
        elif item in module.own and (name, item) not in wanted:
            wanted.add((name, item))
            todo += [(name, used) for used in module.uses[item]]
    order = [name for name in ("harness", *modules) if name in modules]
    found = [
        modules[name].own[item]
        for name in dict.fromkeys(order)
        for item in modules[name].own
        if (name, item) in wanted
    ]
    return sorted(imports), found


def _module(text: str) -> Module:
    module = Module({}, {}, {}, {})
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                module.taken[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = source
        else:
            for name in _defined(node):
                module.own[name] = source
                module.uses[name] = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return module


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [n.id for target in node.targets for n in ast.walk(target)
                if isinstance(n, ast.Name)]  # fmt: skip
    return []


def written_out(definitions: list[str], program: str, args: Sequence[object]) -> list[str]:
    """Every `eval(text, names)` as `the_call(**names)`, with ``the_call`` defined before it.

    Args:
        definitions: the program and all that it leans on.
        args: what the program is called with, after the package; one of them is the text.
    """
    trees = [ast.parse(text).body[0] for text in definitions]
    evals = [[n for n in ast.walk(tree) if _is_eval(n)] for tree in trees]
    evaluated = {ast.unparse(node.args[0]) for found in evals for node in found}
    if not evaluated:
        return definitions
    function = program.partition(".")[2]
    own = next(t for t in trees if isinstance(t, ast.FunctionDef) and t.name == function)
    parameters = [each.arg for each in own.args.args][1:]
    call = next(a for p, a in zip(parameters, args, strict=False) if p in evaluated)
    assert isinstance(call, str)
    inputs = ", ".join(_free_names(call))
    written = [f"def the_call(*, {inputs}, **others):\n    return {call}"]
    for text, found in zip(definitions, evals, strict=True):
        for node in found:
            names = ast.get_source_segment(text, node.args[1])
            text = text.replace(ast.get_source_segment(text, node) or "", f"the_call(**{names})")
        written.append(text)
    return written


def _free_names(expression: str) -> list[str]:
    """The names that an expression is given: neither its own nor Python's."""
    names = [n for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)]
    own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return sorted({n.id for n in names} - own - set(dir(builtins)))


def _is_eval(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "eval"
