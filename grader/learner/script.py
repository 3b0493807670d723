"""Write a failing call as a script: inputs, call, expected values and the comparison."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypeGuard

from ..about import COURSE, SCRIPTS, own_names
from ..arrays import Array
from ..course.compare import ORACLES, TOLERANCES
from ..course.key_file import ChapterKey
from ..course.package import module_of
from ..course.syntax_tree import NO_PYTHON, expression, parse
from .wording import Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow, ProbeRow


WIDTH = 96
MOST_NESTED = 6  # lines of an array; a longer one is a flat list and `.reshape`


def literal_source(chapter: ChapterKey, value: object, column: int = 0) -> str:
    """Write a program's encoded argument as source that begins at ``column``, within `WIDTH`."""
    if isinstance(value, dict) and "array" in value:
        return array_source(chapter.array(value["array"]), column)
    if isinstance(value, dict) and "tuple" in value:
        items = [literal_source(chapter, item, column + 4) for item in value["tuple"]]
        return _bracketed("(", items, ",)" if len(items) == 1 else ")", column)
    if isinstance(value, dict) and "slice" in value:
        return repr(slice(*value["slice"]))
    if isinstance(value, dict):
        pairs = value["dict"] if "dict" in value else value.items()
        items = [
            f"{literal_source(chapter, k)}: {literal_source(chapter, v, column + 4)}"
            for k, v in pairs
        ]
        return _bracketed("{", items, "}", column)
    if isinstance(value, list):
        return _bracketed("[", [literal_source(chapter, v, column + 4) for v in value], "]", column)
    return number(value)


def array_source(found: Array, column: int = 0) -> str:
    """Write an array as a NumPy call; the default dtype, float64, is left out."""
    if 0 in found.shape:
        return f"np.zeros({found.shape}, dtype={found.dtype!r})"
    plain = found.dtype == "float64" or (found.dtype == "bool" and found.shape)
    tail = ")" if plain else f", dtype={found.dtype!r})"
    text = nested_source(found.nested(), column)
    if text.count("\n") < MOST_NESTED or len(found.shape) == 1:
        return f"np.array({text}{tail}"
    return f"np.array({nested_source(found.values(), column)}{tail}.reshape{found.shape}"


def nested_source(value: object, column: int = 0) -> str:
    """Write nested lists of numbers as source."""
    if isinstance(value, list):
        return _bracketed("[", [nested_source(item, column + 4) for item in value], "]", column)
    return number(value)


def number(value: object) -> str:
    """Write a plain value as source; NaN and infinities by their names in NumPy."""
    if isinstance(value, float) and math.isnan(value):
        return "np.nan"
    if isinstance(value, float) and math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def _bracketed(opening: str, items: list[str], closing: str, column: int) -> str:
    """Put items into brackets: on one line if they fit, else filled lines; a long item alone."""
    flat = f"{opening}{', '.join(items)}{closing}"
    if column + len(flat) < WIDTH and "\n" not in flat:
        return flat
    margin = " " * (column + 4)
    lines, line = [], margin
    for item in items:
        if line != margin and ("\n" in item or len(line) + len(item) + 2 > WIDTH):
            lines.append(line.rstrip())
            line = margin
        line += f"{item}, "
        if "\n" in item:
            lines.append(line.rstrip())
            line = margin
    if line != margin:
        lines.append(line.rstrip())
    return "\n".join([opening, *lines, " " * column + closing.lstrip(",")])


COMPARE = """\
for name, mine, right in zip(names, yours, expected):
    mine, right = np.asarray(mine), np.asarray(right)
    rtol, atol = ({loose}) if np.float32 in (mine.dtype, right.dtype) else ({strict})
    if right.dtype.kind == "f" and right.size:
        atol *= max(1.0, np.nanmax(np.abs(right), initial=0, where=np.isfinite(right)))
    same = mine.shape == right.shape and mine.dtype.kind == right.dtype.kind
    same = same and np.allclose(mine, right, rtol=rtol, atol=atol, equal_nan=True)
    print(name + (": right" if same else ": wrong"))
    for label, values in (("yours   ", mine), ("expected", right)):
        text = np.array2string(values, precision=6, separator=", ", prefix=" " * 12)
        print(f"  {{label}}  {{text}}  {{values.dtype}}, shape {{values.shape}}")
if len(yours) != len(expected):
    print(f"{{len(yours)}} came back, not {{len(expected)}}.")
"""

SAMPLES = """\
for name, mine, (mean, spread) in zip(names, yours, expected):
    mine = np.asarray(mine, dtype=float)
    print(name)
    print(f"  yours     mean {mine.mean():.4f}, spread {mine.std():.4f}, shape {mine.shape}")
    print(f"  expected  mean {mean:.4f}, spread {spread:.4f}, about")
"""

TEXTS = """\
for name, mine, right in zip(names, yours, expected):
    mine = mine if isinstance(mine, str) else bytes(mine).decode("utf-8", "replace")
    print(name + (": right" if mine == right else ": wrong"))
    print("  yours    ", mine)
    print("  expected ", right)
"""


class Failure(NamedTuple):
    """The failure to reproduce: a check of an exercise, and the probe that shows it."""

    exercise: ExerciseRow
    check: CheckRow
    probe: ProbeRow
    modules: list[str]
    says: str


def script(chapter: ChapterKey, failure: Failure) -> str:
    """Return the whole text of the script."""
    by_hand = own_names(SCRIPTS).get("WRITTEN", {}).get(failure.probe["means"].get("written"))
    if by_hand:
        write = partial(literal_source, chapter)
        imports, call = by_hand(write, failure.probe["args"], failure.check["part"])
    else:
        imports, call = _by_program(chapter, failure)
    return "\n".join(
        [
            *_docstring(failure), "",
            *imports, "",
            *call, "",
            *_expected(chapter, failure), "",
            _comparison(failure.check),
        ]
    ).rstrip("\n") + "\n"  # fmt: skip


def _docstring(failure: Failure) -> list[str]:
    said = failure.says.replace("\\", "\\\\").replace('"""', "'''")
    return [
        f'"""repro of {failure.exercise["id"]}',
        "",
        *Style(colour=False, width=88).wrap(failure.check["title"]),
        "",
        *(f"    {line}" for line in [*failure.probe["call"].splitlines(), *said.splitlines()]),
        "",
        f"Keep and run it in the folder that holds {COURSE.name}/:",
        f"    grader repro {failure.exercise['id']} --out repro.py",
        "    python repro.py",
        '"""',
    ]


def _expected(chapter: ChapterKey, failure: Failure) -> list[str]:
    """Write the expected values, with a comment that names the oracles that agree."""
    check, answers = failure.check, failure.probe["answers"]
    arrays = chapter.parts(answers["reference"])[check["part"]]
    named = ((name, answers.get(oracle, ())) for oracle, (_, name) in ORACLES.items() if name)
    who = [name for name, parts in named if check["part"] in parts]
    agreed = f"  # {' and '.join(who)} agree{'s' * (len(who) == 1)}" if who else ""
    if check["compare"] == "sample":
        values = [nested_source(list(_moments(each))) for each in arrays]
    elif check["compare"] == "text":
        values = [repr(each.text()) for each in arrays]
    else:
        values = [array_source(each, 4) for each in arrays]
    return [
        f"names = {_names(failure, len(arrays))!r}",
        f"expected = [{agreed}",
        *(f"    {value}," for value in values),
        "]",
    ]


def _moments(found: Array) -> tuple[float, float]:
    values = [float(value) for value in found.values()]
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return round(mean, 6), round(spread, 6)


def _names(failure: Failure, count: int) -> list[str]:
    """Name each array in the report's words: "the gradient of x", "result 2"."""
    inputs = [name for name, _ in failure.probe["shown"]]
    part = failure.check["part"]
    if part in ("gradient", "inputs") and len(inputs) >= count:
        return [f"the gradient of {n}" if part == "gradient" else n for n in inputs[:count]]
    return ["the result"] if count == 1 else [f"result {n + 1}" for n in range(count)]


def _comparison(check: CheckRow) -> str:
    if check["compare"] == "sample":
        return SAMPLES
    if check["compare"] == "text":
        return TEXTS
    loose, strict = (TOLERANCES["exact", dtype] for dtype in ("float32", "float64"))
    return COMPARE.format(
        loose=f"{loose.relative}, {loose.absolute}", strict=f"{strict.relative}, {strict.absolute}"
    )


# ---- the call, with its program, where the course has no writer for it ------------------------


def _by_program(chapter: ChapterKey, failure: Failure) -> tuple[list[str], list[str]]:
    program, args = failure.probe["program"], failure.probe["args"]
    predicate = failure.probe.get("predicate", "")
    imports, definitions = embed_program(chapter.programs, program)
    if predicate:
        more, judging = embed_program(chapter.programs, predicate)
        imports, definitions = imports + more, list(dict.fromkeys(definitions + judging))
    definitions = written_out(definitions, program, args)
    lines = []
    for definition in definitions:
        lines += ["", *definition.splitlines(), ""]
    lines += ["", f"found = {program.partition('.')[2]}(", "    bg,"]
    given = [f"    {literal_source(chapter, arg, 4)}," for arg in args]
    lines += [*given, ")"]
    if predicate:
        lines += [f"found = {predicate.partition('.')[2]}(", "    found,", *given, ")"]
    lines += ["if isinstance(found, dict):", f"    found = found[{failure.check['part']!r}]"]
    lines += ["yours = list(found)"]
    wanted = sorted({"import numpy as np", *imports})
    imported = [f"import {COURSE.name}.{module_of(file)}" for file in failure.modules]
    return [*wanted, "", f"import {COURSE.name} as bg", *imported], lines


# ---- a program with its dependencies, without the course's imports ----------------------------

Named = tuple[str, str]  # a module of the programs, and a name that it defines
INSTEAD = "IN_A_SCRIPT"  # in a module: name → the definition that a script has in its place


class ProgramModule(NamedTuple):
    """The names of a module of programs, and their sources."""

    own: dict[str, str]  # name → the source of its definition
    uses: dict[str, set[str]]  # name → the names that the definition mentions
    taken: dict[str, Named]  # name → (module, name) that it was imported from
    imports: dict[str, str]  # name → the line that imports it from elsewhere


def embed_program(texts: dict[str, str], program: str) -> tuple[list[str], list[str]]:
    """Return (import lines, definitions) that let ``program`` (`operators.vjp`) run by itself."""
    modules: dict[str, ProgramModule] = {}  # the modules that it uses
    start, _, function = program.partition(".")
    wanted: set[Named] = set()
    imports: set[str] = set()
    todo: list[Named] = [(start, function)]
    while todo:
        name, item = todo.pop()
        if name not in modules:
            modules[name] = _module(texts[name])
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


def _module(text: str) -> ProgramModule:
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
        for node in found:
            call, names = (ast.get_source_segment(text, each) for each in node.args)
            old = ast.get_source_segment(text, node) or ""
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
    inputs = ", ".join(_free_names(call))
    return f"lambda {inputs}, **others: {call}" if inputs else f"lambda **others: {call}"


def _free_names(code: str) -> list[str]:
    """Return the sorted free names of an expression: neither bound in it nor built in."""
    nodes = list(ast.walk(parse(code)))
    names = [n for n in nodes if isinstance(n, ast.Name)]
    own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    return sorted({n.id for n in names} - own - set(dir(builtins)))


def _is_eval(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "eval"
