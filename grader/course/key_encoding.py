"""Encode programs, their meanings, arguments and exercises for the key, as plain JSON values.

The judge knows no program by name. All that can be said of a program's results beyond right and
wrong is declared beside the programs, in a table with a row per program; the row ``*`` holds for
all of the module:

    MEANS = {
        "vjp": {
            "gradients": {"value": ["out_grad", "inputs"]},
            "nudge": {"run": "operators.forward", "inputs": ["arrays.*"], "out_grad": "cotangent"},
        },
    }

- ``gradients``: part → what its arrays are gradients of: ``out_grad``, and all other ``inputs`` in
  the order in which they are shown. The part `gradient` needs no such entry.
- ``nudge``: how to see a gradient by moving an input: which program to ``run`` (it takes the first
  arguments of this one), which arguments the gradients belong to (``arrays.*`` is each item of a
  list, ``state.weight`` an entry of a dict), and which one weighs the output.
- ``calls``: part → the part that holds the first of several calls; the part itself, if its first
  array does.
- ``names``: part → the names of its arrays, or the part that lists them: «weight, bias».
- ``not_so``: the sentence for a result that is False and should be True: «Nothing was raised».
- ``alone``: that one op's backward is called by itself: there is no walk to search for a fault.
- ``written``: how a script that shows the call writes it (`grader/learner/script.py`).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np

from ..arrays import Array
from ..errors import OurFault
from . import Chapter, Check, Exercise, Probe, key_file, returned
from .load import Course
from .modules import import_module
from .package import holds_any
from .syntax_tree import NO_PYTHON, does_nothing, parse

TABLE = "MEANS"
EVERY = "*"
WORDS = {"gradients", "nudge", "calls", "names", "not_so", "alone", "written"}
Means = dict[str, Any]  # a row of the table
Parameters = dict[str, list[str]]  # program → its parameters after ``bg``


def read_program_metadata(texts: dict[str, str], programs: Iterable[str]) -> dict[str, Means]:
    """Map programs to the meaning of their results, for those that declare one.

    Args:
        texts: module → its source, as it is sent to the worker.

    Raises:
        OurFault: a table names a program that is not there, or an unknown key.
    """
    trees = {name: parse(text) for name, text in texts.items()}
    parameters: Parameters = {
        f"{name}.{node.name}": [arg.arg for arg in node.args.args][1:]
        for name, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    tables = {name: _table(name, tree) for name, tree in trees.items()}
    for module, table in tables.items():
        for function, row in table.items():
            if function != EVERY and f"{module}.{function}" not in parameters:
                raise OurFault(f"{TABLE} in {module}.py: there is no program {function}.")
            if set(row) - WORDS:
                raise OurFault(f"{TABLE} in {module}.py: {min(set(row) - WORDS)} says nothing.")
    found = {}
    for program in sorted(set(programs)):
        module, _, function = program.partition(".")
        row = {**tables[module].get(EVERY, {}), **tables[module].get(function, {})}
        if "nudge" in row:
            row["nudge"] = _placed(program, row["nudge"], parameters)
        if row:
            found[program] = row
    return found


def _table(module: str, tree: ast.Module) -> dict[str, Means]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == TABLE for target in node.targets
        ):
            try:
                return dict(ast.literal_eval(node.value))
            except ValueError:
                raise OurFault(f"{TABLE} in {module}.py has to be written out.") from None
    return {}


def _placed(program: str, nudge: Means, parameters: Parameters) -> Means:
    """Copy a nudge, with arguments' positions in place of their names."""
    mine = parameters[program]

    def path(name: str) -> list[int | str]:
        argument, *steps = name.split(".")
        if argument not in mine:
            raise OurFault(f"{program} has no argument {argument}, which is to be nudged.")
        return [mine.index(argument), *steps]

    return {
        "run": nudge["run"],
        "keep": len(parameters[nudge["run"]]),
        "inputs": [path(name) for name in nudge["inputs"]],
        "out_grad": path(nudge["out_grad"])[0],
    }


def to_buffer(array: object) -> Array:
    """Convert a NumPy array to a plain typed buffer."""
    array = np.asarray(array)
    return Array(array.dtype.name, array.shape, np.ascontiguousarray(array).tobytes())


def encode_args(value: object, arrays: key_file.ArrayStore) -> Any:
    """Encode an argument as JSON; add its arrays to ``arrays``.

        np.eye(2)       {"array": 0}                  its number in ``arrays``
        (1, 2)          {"tuple": [1, 2]}             a slice likewise
        {1: "x"}        {"dict": [[1, "x"]]}          JSON would turn the key 1 into "1"
        {"tuple": 7}    {"dict": [["tuple", 7]]}      else it would be read back as a tuple

    Raises:
        OurFault: a value of any other type.
    """
    if isinstance(value, np.ndarray):
        return {"array": arrays.add(to_buffer(value))}
    if isinstance(value, tuple):
        return {"tuple": [encode_args(item, arrays) for item in value]}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if isinstance(value, list):
        return [encode_args(item, arrays) for item in value]
    if isinstance(value, dict):
        named = {key: encode_args(item, arrays) for key, item in value.items()}
        if MARKS.isdisjoint(named) and all(isinstance(key, str) for key in named):
            return named
        return {"dict": [[encode_args(key, arrays), item] for key, item in named.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise OurFault(
        f"an argument holds a {type(value).__name__}. Arguments are None, numbers, texts, lists, "
        "tuples, dicts, slices and arrays; let the program make of them what it needs."
    )


MARKS = {"array", "tuple", "slice", "dict"}


def collect_program_sources(probes: Iterable[Probe]) -> dict[str, str]:
    """Return the texts of the modules that the probes need, and of those that these import."""

    def source(name: str) -> str:
        module = _module(name)
        text = inspect.getsource(module) if getattr(module, "__file__", None) else ""
        return text or '""""""\n'

    named = [name for p in probes for name in (p.program, p.predicate) if name]
    return follow_imports(["__init__", *(name.partition(".")[0] for name in named)], source)


def follow_imports(modules: Iterable[str], source: Callable[[str], str]) -> dict[str, str]:
    """Return module → text for these modules of programs and those that they import."""
    texts: dict[str, str] = {}
    todo = list(modules)
    while todo:
        name = todo.pop()
        if name not in texts:
            texts[name] = source(name)
            todo += _neighbours(texts[name])
    return dict(sorted(texts.items()))


def _neighbours(text: str) -> list[str]:
    """Return the modules of its own folder that a program imports."""
    found = [n for n in ast.walk(parse(text)) if isinstance(n, ast.ImportFrom) and n.level == 1]
    named = [n.module.partition(".")[0] for n in found if n.module]
    return named + [alias.name for n in found if not n.module for alias in n.names]


def modules(course: Course, chapter: Chapter) -> list[str]:
    """Return the files that hold the targets of a chapter."""
    wanted = {t for e in chapter.exercises for t in e.targets}
    return [name for name in course.solutions if holds_any(name, wanted)]


def _module(name: str) -> ModuleType:
    """Import a module of programs: the course's, or the one that the grader has for all courses."""
    if name == returned.__name__.rpartition(".")[2]:
        return returned
    return import_module("tests.programs" + ("" if name == "__init__" else f".{name}"))


def program_of(name: str) -> Callable[..., object]:
    """Return the function that a probe names."""
    module, _, function = name.partition(".")
    found: Callable[..., object] = getattr(_module(module), function)
    return found


def parameters_of(probe: Probe) -> list[str]:
    """Return the parameters of a probe's program, after ``bg``."""
    return list(inspect.signature(program_of(probe.program)).parameters)[1:]


def describe_check(check: Check) -> str:
    """Return a check's sentence for the learner: its own, else its program's docstring."""
    if check.says:
        return check.says
    name = check.probes[0].predicate or check.probes[0].program
    program = program_of(name)
    if not (program.__doc__ or "").strip():
        raise OurFault(f"{check.id} says nothing: give it `says`, or {name} a docstring.")
    parameters = parameters_of(check.probes[0])
    doc = (program.__doc__ or "").strip().splitlines()[0]
    return doc.format(**dict(zip(parameters, check.probes[0].args, strict=False)))


# Parameter of a program → its name in the report.
IN_WORDS = {"cotangent": "out_grad", "second": "second"}
CALLED_WITH = re.compile(r"\(([a-eg-z](?:, [a-eg-z]\b)*)[,)]")  # `f` is a function
# Lists whose arrays have no letter in the call: they are named by number.
BY_PLACE = (
    "weights", "biases", "tangents", "vectors", "cotangents", "pieces", "sights", "yours", "right",
)  # fmt: skip


def name_shown_arrays(probe: Probe, args: list[Any]) -> list[list[Any]]:
    """Return (name, number) of every array that a probe is given, in the learner's words."""
    found: list[list[Any]] = []
    given = list(zip(parameters_of(probe), args, strict=False))
    for name, arg in given:
        if _is_array(arg):
            found.append([IN_WORDS.get(name, name), arg["array"]])
        elif isinstance(arg, list) and name != "second":
            found += [
                [letter, each["array"]]
                for letters, row in _rows(name, arg, probe.call)
                for letter, each in zip(letters, row, strict=False)
                if _is_array(each)
            ]
    # Arrays in a dict, such as a module's state, have their own names and come last.
    held = {n: a for n, a in given if isinstance(a, dict) and any(map(_is_array, a.values()))}
    for name, arg in held.items():
        form = "{}" if len(held) == 1 else f"{name}[{{!r}}]"
        found += [[form.format(key), v["array"]] for key, v in arg.items() if _is_array(v)]
    return found


def _rows(name: str, arg: list[Any], call: str) -> list[tuple[list[str], list[Any]]]:
    """Return the arrays of a list under their names; one row per step, if there are steps."""
    if name in BY_PLACE:
        return [([f"{name}[{n}]" for n in range(len(arg))], arg)]
    in_call = CALLED_WITH.search(call)
    letters = ["x0", "x1", "x2", "x3"] if "x0" in call else ["a", "b", "c", "d"]
    named = in_call[1].split(", ") if in_call else []
    letters = named if len(named) >= len(arg) else letters
    if name != "gradients":
        return [(letters, arg)]
    if all(isinstance(row, list) for row in arg):
        return [
            ([f"{letter}.grad in step {n}" for letter in letters], row)
            for n, row in enumerate(arg, start=1)
        ]
    return [([f"{letter}.grad" for letter in letters], arg)]


def _is_array(arg: object) -> bool:
    """Whether a plain argument is an array: a dict with its number."""
    return isinstance(arg, dict) and "array" in arg


PUBLIC = (
    "id", "section", "title", "targets", "points", "needs", "given", "anchor", "minutes",
    "difficulty", "hints",
)  # fmt: skip


def exercise_row(exercise: Exercise) -> dict[str, object]:
    """Return the key's row of an exercise."""
    mistakes = exercise.mistakes
    return {name: getattr(exercise, name) for name in PUBLIC} | {
        "mistakes": {m.name: m.says for m in mistakes},
        "told_by_text": {m.name: [m.has, m.lacks] for m in mistakes if m.has or m.lacks},
        "shown_by_text": {m.name: m.shown_by for m in mistakes if m.shown_by},
        "idle": {m.name: True for m in mistakes if _is_idle(m.body)},
    }


def _is_idle(body: str) -> bool:
    """Whether a mistake's body does nothing; False if it is no Python, which the audit reports."""
    with suppress(*NO_PYTHON):
        return does_nothing(parse(body).body)
    return False
