"""`grader stubs [--check]`: `babygrad/` is made from `solutions/babygrad/`, from nothing else."""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Iterator
from typing import Any

from .. import root
from ..course.load import Course, load, module_of, read_package
from ..errors import WrongUse

FOLDER = root.path("babygrad")


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the stubs, or with ``--check`` only say what differs (exit status 1)."""
    course = load()
    found = list(differences(course))
    if options.check:
        for name, what in found:
            print(f"babygrad/{name}: {what}")
        print("Run `grader stubs` to renew it." if found else "babygrad/ is up to date.")
        return 1 if found else 0
    written = list(work_in(read_package(FOLDER), course))
    if written:
        raise WrongUse(
            "babygrad/ holds more than stubs, and would be overwritten:\n  "
            + "\n  ".join(written)
            + "\nMove this work to a workspace (`grader init DIR`), then run `grader stubs` again."
        )
    expected = course.stubs()
    for name in set(read_package(FOLDER)) - set(expected):
        os.remove(os.path.join(FOLDER, name))
    for name, text in expected.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print(f"wrote {len(expected)} files to babygrad/")
    return 0


def differences(course: Course) -> Iterator[tuple[str, str]]:
    """(file, what is wrong with it) wherever `babygrad/` is not the stripped reference."""
    there, expected = read_package(FOLDER), course.stubs()
    for name in sorted(set(there) | set(expected)):
        if name not in there:
            yield name, "is missing"
        elif name not in expected:
            yield name, "is not part of the reference"
        elif there[name] != expected[name]:
            yield name, "is not the stripped reference"


def work_in(there: dict[str, str], course: Course) -> Iterator[str]:
    """Every definition in `babygrad/` that somebody may have written: asked for, or unknown."""
    known = course.solved()
    for name, text in there.items():
        try:
            bodies = functions(module_of(name), text)
        except SyntaxError as error:
            yield f"babygrad/{name}: line {error.lineno} is no Python"
            continue
        given = functions(module_of(name), known.get(name, "")).keys()
        for target, function in bodies.items():
            if not is_stub(function) and (target in course.regions or target not in given):
                yield f"babygrad/{name}: {target.partition('.')[2]}, line {function.lineno}"


def functions(module: str, text: str) -> dict[str, ast.FunctionDef]:
    """Target → its definition, for every function of a module."""
    found: dict[str, ast.FunctionDef] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                found[f"{path}.{child.name}"] = child
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{path}.{child.name}")

    visit(ast.parse(text), module)
    return found


def is_stub(function: ast.FunctionDef) -> bool:
    """Whether the body is a docstring at most, and `raise NotImplementedError`."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
