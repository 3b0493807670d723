"""A program of the course with all that it leans on, as one text without the course's imports."""

from __future__ import annotations

import ast
import builtins
from typing import NamedTuple

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


def written_out(definitions: list[str], program: str, call: str) -> list[str]:
    """The program's `eval(text, names)` as `call(**names)`, with ``call`` defined before it.

    Args:
        call: the expression that the text holds, as a learner writes it.
    """
    function = program.partition(".")[2]
    found = []
    for text in definitions:
        tree = ast.parse(text).body[0]
        named = isinstance(tree, ast.FunctionDef) and tree.name == function
        evals = [n for n in ast.walk(tree) if _is_eval(n)] if named else []
        for node in evals:
            assert isinstance(node, ast.Call)
            names = ast.get_source_segment(text, node.args[1])
            old = ast.get_source_segment(text, node) or ""
            text = text.replace(old, f"call(**{names})")
        if evals:
            inputs = ", ".join(_free_names(call))
            found.append(f"def call(*, {inputs}, **others):\n    return {call}")
        found.append(text)
    return found


def _free_names(expression: str) -> list[str]:
    """The names that an expression is given: neither its own nor Python's."""
    names = [n for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)]
    own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return sorted({n.id for n in names} - own - set(dir(builtins)))


def _is_eval(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "eval"
