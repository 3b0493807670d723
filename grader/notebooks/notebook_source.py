"""Read definitions from a notebook, as data: nothing in it is executed.

An answer is a definition below `@answer("ops.Mul.backward")`. The decorator names its place in the
package. `splice` puts the definition there, without the decorator; `as_cell` takes it out again;
each undoes the other byte for byte. Everything else in a notebook is ignored.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..about import COURSE
from ..course.splice import target_file
from ..course.syntax_tree import (
    BEGIN,
    END,
    NO_PYTHON,
    Definition,
    find_definitions,
    is_stub,
    parse,
    statement_lines,
)
from ..errors import WrongUse

MARKER = "answer"
MOST_BYTES = 32 << 20  # of a notebook; images in outputs make them large
NAMED = re.compile(rf"^[ \t]*@{MARKER}\([ \t]*[\"']([\w.]+)[\"']", re.MULTILINE)
SHELL = re.compile(r"^[ \t]*[%!?]")
# In the metadata of a notebook that the grader wrote in place of a learner's:
STANDS_IN = "grader_stands_in"  # the reason for it, as a sentence
CRASHED = "grader_crashed"  # the message that `cells` raises

KINDS = ("property", "staticmethod", "classmethod")  # decorators that need no import


class Answer(NamedTuple):
    """A definition that a notebook hands in.

    Attributes:
        target: its place in the package, ``ops.Mul.backward``.
        text: the definition, beginning at column 0, without its `@answer`.
        cell: the number of its cell, from 1.
        written: whether it is more than a stub.
        fault: why it cannot be used; the text is empty then. Empty if it can.
        line: its line in the cell, if the fault has one.
    """

    target: str
    text: str
    cell: int
    written: bool = True
    fault: str = ""
    line: int = 0

    @property
    def says(self) -> str:
        """The fault, and where it is: "cell 3, line 2: invalid syntax"."""
        return f"cell {self.cell}{f', line {self.line}' if self.line else ''}: {self.fault}"


Tag = dict[str, Any]  # nbgrader's metadata of a cell
Raw = dict[str, Any]  # a notebook, or a cell of it, as JSON


class Cell(NamedTuple):
    """A cell of a notebook.

    Attributes:
        source: its code, empty if it is no code cell.
        tag: its nbgrader metadata.
        text: its text, code or not.
    """

    source: str
    tag: Tag
    text: str = ""


def cells(data: bytes, name: str) -> list[Cell]:
    """Parse a notebook's cells, from UTF-8, UTF-16 or UTF-32, with or without a byte order mark.

    Raises:
        WrongUse: it is no notebook; the message names it and says what to do.
    """
    if len(data) > MOST_BYTES:
        size = f"larger than {MOST_BYTES >> 20} MB"
        raise WrongUse(f"{name} is {size}. Clear its outputs, and save it again.")
    again = "Open it in Jupyter, save it, and hand it in again."
    try:
        notebook = json.loads(data)
        found = [_cell(cell) for cell in _raw_cells(notebook)]
        about = notebook.get("metadata", {})
        if about.get(CRASHED):
            raise WrongUse(str(about[CRASHED]))
        return [] if about.get(STANDS_IN) else found
    except UnicodeDecodeError as error:
        raise WrongUse(f"{name} is no notebook: it is not UTF-8 text. {again}") from error
    except json.JSONDecodeError as error:
        raise WrongUse(
            f"{name} is no notebook: its JSON breaks off or is damaged at line {error.lineno} "
            f"({error.msg}). {again}"
        ) from error
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise WrongUse(f"{name} is JSON, but no notebook of format 3 or 4. {again}") from error


def _raw_cells(notebook: Raw) -> list[Raw]:
    """Return the cells as JSON; format 3 kept them in worksheets."""
    version = notebook["nbformat"]
    if version == 3:
        return [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    if version != 4:
        raise ValueError(f"format {version}")
    return list(notebook["cells"])


def _cell(cell: Raw) -> Cell:
    held = cell["input"] if "input" in cell else cell.get("source", "")
    text = held if isinstance(held, str) else "".join(held)
    tag = cell.get("metadata", {}).get("nbgrader")
    source = text if cell["cell_type"] == "code" else ""
    return Cell(source, tag if isinstance(tag, dict) else {}, text)


def answers(sources: Iterable[str]) -> list[Answer]:
    """Find every answer in these code cells, in their order."""
    return [a for number, text in enumerate(sources, 1) for a in _in_cell(number, text)]


def choose_answers(found: Iterable[Answer]) -> tuple[dict[str, Answer], list[str]]:
    """Choose the answer that counts for each target: the last written one, as with «Run All».

    Returns:
        Target → answer, and a sentence for each written answer that replaces an earlier one.
    """
    best: dict[str, Answer] = {}
    notes = []
    for answer in found:
        before = best.get(answer.target)
        if before is not None and before.written and answer.written:
            notes.append(
                f"{answer.target} is answered in cells {before.cell} and {answer.cell}; "
                f"the last one, cell {answer.cell}, counts."
            )
        if before is None or answer.written:
            best[answer.target] = answer
    return best, notes


def _in_cell(number: int, source: str) -> Iterator[Answer]:
    text = _python(source)
    if f"@{MARKER}" not in text:
        return
    try:
        tree = parse_compilable(text)
    except NO_PYTHON as error:
        said, line = error.args[0] if error.args else "", getattr(error, "lineno", None) or 0
        for target in NAMED.findall(text):
            yield Answer(target, "", number, True, str(said) or type(error).__name__, line)
        return
    for node in tree.body:
        if isinstance(node, Definition):
            for decorator in node.decorator_list:
                target = answer_target(decorator)
                if target is not None:
                    yield _answer(number, text, node, decorator, target)


def _python(source: str) -> str:
    """Blank out IPython's own lines (`%timeit`, `!ls`), and drop solution markers."""
    lines = re.sub("\r\n?", "\n", source).split("\n")
    kept = ("" if SHELL.match(line) else line for line in lines)
    return "\n".join(line for line in kept if line.strip() not in (BEGIN, END))


def answer_target(decorator: ast.expr) -> str | None:
    """Return the target that `@answer("…")` names; None for any other decorator."""
    if not isinstance(decorator, ast.Call) or len(decorator.args) != 1:
        return None
    name, argument = decorator.func, decorator.args[0]
    marked = isinstance(name, ast.Name) and name.id == MARKER
    if marked and isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    return None


def parse_compilable(text: str) -> ast.Module:
    """Parse a text that Python can compile; it is not run.

    Raises:
        one of `NO_PYTHON`, as `compile` does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # «"is" with a literal» is for the learner's own Python
        # Some errors, such as `nonlocal` at the top, appear only when code is generated.
        compile(text, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        return parse(text)


def describe_fault(error: BaseException) -> str:
    """Format an error of `compile` with its line: "line 2: invalid syntax"."""
    line = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
    return line + str(error.msg if isinstance(error, SyntaxError) else error)


def _answer(number: int, text: str, node: Definition, decorator: ast.expr, target: str) -> Answer:
    fault = _misfit(node, decorator, target)
    if fault:
        return Answer(target, "", number, True, fault)
    lines = text.split("\n")
    first, last = statement_lines(node)
    without = lines[first - 1 : decorator.lineno - 1] + lines[decorator.end_lineno : last]
    return Answer(
        target,
        "\n".join(without),
        number,
        not (isinstance(node, ast.FunctionDef) and is_stub(node)),
    )


def _misfit(node: Definition, decorator: ast.expr, target: str) -> str:
    """Say why a definition cannot stand in the package; empty if it can.

    Decorators and defaults run when the package is imported: if one raised, every exercise failed.
    """
    name = target.rpartition(".")[2]
    if not isinstance(node, ast.FunctionDef) or node.name != name:
        kind = "class" if isinstance(node, ast.ClassDef) else "def"
        return f'`@{MARKER}("{target}")` needs `def {name}`, not `{kind} {node.name}`'
    for other in node.decorator_list:
        if other is not decorator and ast.unparse(other) not in KINDS:
            return f"the package does not know the decorator `@{ast.unparse(other)}`"
    for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d)):
        if not _is_plain(default):
            shown = ast.unparse(default)
            return f"the default `{shown}` is no literal; use None, and set it inside"
    return ""


def _is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.Name):
        return hasattr(builtins, value.id)
    try:
        ast.literal_eval(value)
    except (TypeError, *NO_PYTHON):
        return False
    return True


def inside_strings(tree: ast.AST) -> set[int]:
    """Return the lines that begin inside a string: indenting them would change its value.

    Docstrings are left out: they may be indented along with their definition.
    """
    nodes = list(ast.walk(tree))
    firsts = (node.body[0] for node in nodes if isinstance(node, Definition) and node.body)
    docstrings = {id(first.value) for first in firsts if isinstance(first, ast.Expr)}
    return {
        line
        for node in nodes
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and id(node) not in docstrings
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }


def as_cell(text: str, name: str, target: str, end: int = 0) -> str:
    """Make the answer cell of a definition: `@answer`, then its lines from column 0 on, up to line
    ``end`` if that is later than its own last line."""
    node = find_definitions(text)[name]
    first, last = statement_lines(node)
    kept = inside_strings(node)
    lines = text.split("\n")
    blank = lines[node.lineno - 1][: node.col_offset]
    mine = enumerate(lines[first - 1 : max(last, end)], first)
    own = (line if n in kept else line.removeprefix(blank) for n, line in mine)
    return "\n".join([f'@{MARKER}("{target}")', *own])


def splice(
    files: Mapping[str, bytes], found: Iterable[Answer]
) -> tuple[dict[str, bytes], list[str]]:
    """Put every written answer into its place; return the files, and a sentence per lost answer.

    An answer with a fault becomes a body that raises it, so that it costs only its own exercise.
    """
    changed = dict(files)
    notes = []
    by_file: dict[str, list[tuple[str, Answer]]] = {}
    for answer in found:
        name, inner = target_file(answer.target, files)
        if not name:
            notes.append(_nowhere(answer))
        elif answer.written:
            by_file.setdefault(name, []).append((inner, answer))
    for name, mine in by_file.items():
        try:
            text, lost = _into(_text(files[name]), mine)
        except NO_PYTHON as error:
            line = getattr(error, "lineno", None)
            where = f"line {line} is no Python" if line else "it cannot be read as Python"
            notes.append(f"{COURSE.name}/{name} takes no answer: {where}.")
            continue
        changed[name] = text.encode()
        notes += lost
    return changed, notes


def _text(data: bytes) -> str:
    return re.sub("\r\n?", "\n", data.decode("utf-8-sig"))


def _into(text: str, mine: list[tuple[str, Answer]]) -> tuple[str, list[str]]:
    """Put answers into one file; return its text, and a sentence per answer without a place."""
    nodes = find_definitions(text)
    lines = text.split("\n")
    here = [(nodes[inner], answer) for inner, answer in mine if inner in nodes]
    # From the last to the first: replacing lines does not move the definitions above them.
    for node, answer in sorted(here, key=lambda pair: -pair[0].lineno):
        first, last = statement_lines(node)
        new = answer.text if not answer.fault else _raising(text, node, answer.says)
        lines[first - 1 : last] = _indented_by(new, lines[node.lineno - 1][: node.col_offset])
    return "\n".join(lines), [_nowhere(answer) for inner, answer in mine if inner not in nodes]


def _indented_by(text: str, by: str) -> list[str]:
    kept = inside_strings(parse(text))
    return [
        line if n in kept or not line.strip() else by + line
        for n, line in enumerate(text.split("\n"), 1)
    ]


def _raising(text: str, node: Definition, fault: str) -> str:
    """Write a function that raises SyntaxError with the fault of its cell."""
    head = "".join(f"@{ast.unparse(d)}\n" for d in node.decorator_list)
    return f"{head}def {node.name}(*args, **kwargs):\n    raise SyntaxError({fault!r})"


def _nowhere(answer: Answer) -> str:
    return (
        f'Cell {answer.cell}: `@answer("{answer.target}")` names nothing in the package, '
        "so its definition counts for nothing. Put back the name that the notebook came with."
    )
