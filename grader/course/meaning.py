"""What the results of a program mean, as the program's module declares it: ``MEANS``.

The judge knows no program by name. What can be said of a result beyond right and wrong stands in
a table beside the programs, a row per program; the row ``*`` holds for all of the module:

    MEANS = {
        "vjp": {
            "gradients": {"value": ["out_grad", "inputs"]},
            "nudge": {"run": "operators.forward", "inputs": ["arrays.*"], "out_grad": "cotangent"},
        },
    }

- ``gradients``: part → what its arrays are gradients of: ``out_grad``, and all other ``inputs`` in
  the order in which they are shown. The part `gradient` needs no such word.
- ``nudge``: how to see a gradient by moving an input: which program to ``run`` (it takes the first
  arguments of this one), which arguments the gradients belong to (``arrays.*`` is each item of a
  list, ``state.weight`` what a dict holds), and which one weighs the output.
- ``calls``: part → the part that holds the first of several calls; the part itself, where its
  first array does.
- ``alone``: that one op's backward is called by itself: there is no walk to search for a fault.
- ``written``: how a script that shows the call writes it (`grader/learner/script.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from ..errors import OurFault
from .syntax_tree import parse

TABLE = "MEANS"
EVERY = "*"
WORDS = {"gradients", "nudge", "calls", "alone", "written"}
Parameters = dict[str, list[str]]  # program → its parameters after ``bg``


def meanings(texts: dict[str, str], programs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Program → what its results mean, for the programs that say so.

    Args:
        texts: module → its source, as it is sent to the worker.

    Raises:
        OurFault: a table speaks of what is not there, or in words that nobody knows.
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


def _table(module: str, tree: ast.Module) -> dict[str, dict[str, Any]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == TABLE for target in node.targets
        ):
            try:
                return dict(ast.literal_eval(node.value))
            except ValueError:
                raise OurFault(f"{TABLE} in {module}.py has to be written out.") from None
    return {}


def _placed(program: str, nudge: dict[str, Any], parameters: Parameters) -> dict[str, Any]:
    """A nudge with the places of arguments for their names."""
    mine = parameters[program]

    def path(name: str) -> list[Any]:
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
