"""Embed a program with all that it depends on, so that one text runs by itself.

Its modules import each other; a script has their definitions in a row, without these imports.
"""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeGuard

from ..course.syntax_tree import NO_PYTHON, expression, parse
from ..sandbox.launch import WORKER

Named = tuple[str, str]  # a module of the programs, and a name that it defines
BEGIN = "begin_probe"  # called before each probe, in the module that remembers earlier ones
INSTEAD = "IN_A_SCRIPT"  # in a module: name → the definition that a script has in its place


class ProgramModule(NamedTuple):
    """The names of a module of programs, and their sources."""

    own: dict[str, str]  # name → the source of its definition
    uses: dict[str, set[str]]  # name → the names that the definition mentions
    taken: dict[str, Named]  # name → (module, name) that it was imported from
    imports: dict[str, str]  # name → the line that imports it from elsewhere


def embed_program(
    texts: dict[str, str], program: str, kept: frozenset[str] = frozenset()
) -> tuple[list[str], list[str]]:
    """Return (import lines, definitions) that let ``program`` (`operators.vjp`) run by itself.

    Args:
        kept: names; what uses them does not get the form that it has in a script.
    """
    modules: dict[str, ProgramModule] = {}  # the modules that it uses
    start, _, function = program.partition(".")
    wanted: set[Named] = set()
    imports: set[str] = set()
    todo: list[Named] = [(start, function)]
    while todo:
        name, item = todo.pop()
        if name not in modules:
            modules[name] = _module(texts[name], kept)
        module = modules[name]
        if item in module.taken:
            todo.append(module.taken[item])
        elif item in module.imports:
            imports.add(module.imports[item])
        elif item in module.own and (name, item) not in wanted:
            wanted.add((name, item))
            todo += [(name, used) for used in module.uses[item]]
    order = [name for name in dict.fromkeys(["harness", *texts]) if name in modules]
    own = [(name, *each) for name in order for each in modules[name].own.items()]
    return sorted(imports), [source for name, item, source in own if (name, item) in wanted]


class Beginning(NamedTuple):
    """The function that programs have called before each call, and the names that it uses."""

    program: str = ""  # its module and name; empty without one
    uses: frozenset[str] = frozenset()


def find_beginning(texts: dict[str, str]) -> Beginning:
    """Return what is called before each probe."""
    for name, text in texts.items():
        for node in parse(text).body if f"def {BEGIN}(" in text else ():
            if isinstance(node, ast.FunctionDef) and node.name == BEGIN:
                return Beginning(f"{name}.{BEGIN}", frozenset(_mentioned(node)))
    return Beginning()


def embed_earlier_calls(texts: dict[str, str], start: Beginning) -> tuple[list[str], list[str]]:
    """Return (import lines, definitions) of what asks something else first."""
    with open(os.path.join(WORKER, "earlier_call.py"), encoding="utf-8") as file:
        texts = {**texts, "earlier_call": file.read()}
    wanted = filter(None, ["earlier_call.other_arguments", start.program])
    each = [embed_program(texts, program, start.uses) for program in wanted]
    own = ["from __future__ import annotations", "from contextlib import suppress"]
    imports = [*own, *chain(*(found for found, _ in each))]
    return imports, list(dict.fromkeys(chain(*(definitions for _, definitions in each))))


def _module(text: str, kept: frozenset[str]) -> ProgramModule:
    module = ProgramModule({}, {}, {}, {})
    instead: dict[str, str] = {}
    lines = text.encode().split(b"\n")
    for node in parse(text).body:
        source = _source(lines, node)
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                module.taken[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = source
        else:
            for name in _defined(node):
                module.own[name] = source
                module.uses[name] = _mentioned(node)
                if name == INSTEAD and isinstance(node, ast.Assign):
                    instead = ast.literal_eval(node.value)
    for name, source in instead.items():
        if kept & module.uses[name]:
            continue
        module.own[name], module.uses[name] = source, _mentioned(parse(source))
    return module


def _source(lines: list[bytes], node: ast.stmt) -> str:
    """Return a node's source; `ast.get_source_segment` would split the whole text each time."""
    mine = lines[node.lineno - 1 : node.end_lineno]
    mine[-1] = mine[-1][: node.end_col_offset]
    mine[0] = mine[0][node.col_offset :]
    return b"\n".join(mine).decode()


def _mentioned(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [n.id for target in node.targets for n in ast.walk(target)
                if isinstance(n, ast.Name)]  # fmt: skip
    return []


def written_out(definitions: list[str], program: str, args: Sequence[object]) -> list[str]:
    """Replace every `eval(text, names)` by `THE_CALLS[text](**names)`, and define `THE_CALLS`.
    For the argument "x @ w" that is {'x @ w': lambda w, x, **others: x @ w}.

    Args:
        definitions: the program and its dependencies.
        args: the program's arguments after the package; the texts are among them.
    """
    trees = [parse(text).body[0] for text in definitions]
    evals = [[n for n in ast.walk(tree) if _is_eval(n)] for tree in trees]
    wanted = {ast.unparse(node.args[0]): node.args[0] for found in evals for node in found}
    if not wanted:
        return definitions
    function = program.partition(".")[2]
    own = next(t for t in trees if isinstance(t, ast.FunctionDef) and t.name == function)
    parameters = [each.arg for each in own.args.args][1:]
    named = [(p, a) for p, a in zip(parameters, args, strict=False) if isinstance(a, str)]
    calls = {
        call: None
        for pattern in wanted.values()
        for name, text in named
        for call in (_filled(pattern, text),)
        if _is_expression(call) and (name in wanted or not text.isidentifier())
    }
    entries = [f"    {call!r}: {_as_function(call)}," for call in calls]
    written = ["\n".join(["THE_CALLS = {", *entries, "}"])]
    for text, found in zip(definitions, evals, strict=True):
        # All pieces before any is replaced: then the places of those behind it are others.
        pieces = [
            [ast.get_source_segment(text, each) or "" for each in (node, *node.args)]
            for node in found
        ]
        for old, call, names in pieces:
            text = text.replace(old, f"THE_CALLS[{call}](**{names})")
        written.append(text)
    return written


def _filled(pattern: ast.expr, text: str) -> str:
    """Return the text that is evaluated: itself, or put into the f-string around it."""
    if not isinstance(pattern, ast.JoinedStr):
        return text
    return "".join(str(p.value) if isinstance(p, ast.Constant) else text for p in pattern.values)


def _is_expression(text: str) -> bool:
    try:
        expression(text)
    except NO_PYTHON:
        return False
    return True


def _as_function(call: str) -> str:
    inputs = "".join(f"{name}, " for name in _free_names(call))
    is_tuple = isinstance(expression(call).body, ast.Tuple)
    return f"lambda {inputs}**others: {f'({call})' if is_tuple else call}"


def _free_names(code: str) -> list[str]:
    """Return the sorted free names of an expression: neither bound in it nor built in."""
    nodes = list(ast.walk(parse(code)))
    names = [n for n in nodes if isinstance(n, ast.Name)]
    own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    return sorted({n.id for n in names} - own - set(dir(builtins)))


def _is_eval(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "eval"
