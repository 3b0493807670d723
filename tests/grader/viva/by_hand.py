"""Record what a package does without a tracer, by calls written into its source.

The viva runs the package in a worker and traces every line. Here an instrumented copy of the
package reports its own steps, in a plain process: a second way to the same answers.
"""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from grader import root
from grader.course.package import hash_package

HERE = Path(__file__)
Files = dict[str, bytes]


class Instrument(ast.NodeTransformer):
    """Writes a call of `SAY` before and after each statement of a module's functions."""

    def __init__(self, file: str) -> None:
        self.file, self.path = file, []

    def visit_ClassDef(self, node):  # noqa: N802
        self.path.append(node.name)
        node.body = [self.visit(each) for each in node.body]
        self.path.pop()
        return node

    def visit_FunctionDef(self, node):  # noqa: N802
        self.path.append(node.name)
        label = f"`{'.'.join(self.path)}` of {self.file}"
        body = self.block(node.body)
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        given = ", ".join(f"{name!r}: {name}" for name in names)
        enter = ast.parse(f"SAY.enter({label!r}, {{{given}}})").body
        leave = ast.parse("SAY.leave()").body
        node.body = [*enter, ast.Try(body, [], [], leave)]
        self.path.pop()
        return node

    def block(self, body):
        found = []
        for each in body:
            line = each.lineno
            if isinstance(each, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
                found.append(each)
                continue
            found += ast.parse(f"SAY.line({line})").body
            targets = each.targets if isinstance(each, ast.Assign) else []
            names = [
                node.id
                for target in targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
            found.append(self.inside(each, line))
            if names:
                held = ", ".join(f"{name!r}: {name}" for name in names)
                found += ast.parse(f"SAY.names({line}, {{{held}}})").body
        return found

    def inside(self, each, line):
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            return self.visit(each)
        if isinstance(each, ast.Return):
            each.value = _call(f"SAY.gave({line}, None)", each.value or ast.Constant(None))
        elif isinstance(each, (ast.For, ast.AsyncFor)):
            each.iter = _call(f"SAY.rounds({line}, None)", each.iter)
        elif isinstance(each, ast.While):
            each.test = _call(f"SAY.test({line}, None)", each.test)
        for name in ("body", "orelse", "finalbody"):
            if getattr(each, name, None):
                setattr(each, name, self.block(getattr(each, name)))
        for handler in getattr(each, "handlers", ()):
            handler.body = self.block(handler.body)
        return each


def _call(text, value):
    found = ast.parse(text, mode="eval").body
    found.args[1] = value
    return found


@cache
def instrumented(name: str, data: bytes) -> bytes:
    """Return a file with calls that report what happens."""
    tree = Instrument(name).visit(ast.parse(data))
    begins = (
        n for n, s in enumerate(tree.body)
        if not (isinstance(s, ast.Expr) or getattr(s, "module", "") == "__future__")
    )  # fmt: skip
    first = next(begins, len(tree.body))
    tree.body[first:first] = ast.parse("from builtins import SAY").body
    return ast.unparse(ast.fix_missing_locations(tree)).encode()


class Job(NamedTuple):
    """A program of the course with its arguments, to be run on a package."""

    files: Files
    program: str
    args: list[Any]


def run(jobs: list[Job], folder: Path) -> list[list[Any]]:
    """Return the events of each job; one plain process runs them all."""
    todo = []
    places: dict[str, str] = {}
    for job in jobs:
        place = places.setdefault(hash_package(job.files), str(folder / str(len(places))))
        todo.append((place, job.program, job.args))
        for name, data in job.files.items():
            path = Path(place) / "babygrad" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(instrumented(name, data))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(HERE), root.path("tests")],
        input=pickle.dumps(todo), stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return pickle.loads(done.stdout)


# ---- in the plain process ----------------------------------------------------------------------


class Say:
    """Keeps what is said, in order."""

    def __init__(self):
        self.events = []

    def line(self, number):
        self.events.append(("line", number))

    def names(self, number, held):
        self.events.append(("names", number, {n: describe(v) for n, v in held.items()}))

    def enter(self, label, given):
        self.events.append(("enter", label, {n: describe(v) for n, v in given.items()}))

    def leave(self):
        error = sys.exc_info()[0]
        self.events.append(("leave", error.__name__ if error else None))

    def gave(self, number, value):
        self.events.append(("gave", describe(value)))
        return value

    def rounds(self, number, values):
        for value in values:
            yield value
            self.line(number)

    def test(self, number, value):
        self.line(number)
        return value


def describe(value):
    """Return type, shape and numbers of an array, number or Tensor, and the items of a tuple."""
    import numpy as np

    inside = getattr(value, "__dict__", {}).get("data", value)
    several = isinstance(value, (tuple, list)) and len(value) < 5
    items = [describe(each) for each in value] if several else []
    if not isinstance(inside, (np.ndarray, np.generic, int, float)):
        return type(value).__name__, None, None, items
    array = np.array(inside, subok=False)
    known = array.dtype.kind in "fiub"
    numbers = np.array(array, dtype=float, subok=False).tolist() if known else None
    return type(value).__name__, array.shape, numbers, items


def imported(folder):
    """Import the package in a folder with all its files; forget the package before it."""
    import importlib

    known = sys.modules.get("babygrad")
    if known is not None and known.__file__.startswith(f"{folder}/"):
        return known
    for name in [n for n in sys.modules if n.split(".")[0] in ("babygrad", "programs")]:
        del sys.modules[name]
    sys.path[0] = folder
    for path in sorted(Path(folder).glob("babygrad/**/*.py")):
        name = path.relative_to(folder).with_suffix("").as_posix().replace("/", ".")
        importlib.import_module(name.removesuffix(".__init__"))
    return sys.modules["babygrad"]


def main():
    import builtins
    import importlib
    import warnings

    import numpy as np

    sys.path[:0] = ["", sys.argv[1]]
    builtins.SAY = Say()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # a package may print
    found = []
    for folder, program, args in pickle.loads(sys.stdin.buffer.read()):
        builtins.SAY.__init__()
        bg = imported(folder)
        module, _, function = program.partition(".")
        call = getattr(importlib.import_module(f"programs.{module}"), function)
        importlib.import_module("programs.pool").begin_probe("")  # nothing of the job before
        builtins.SAY.events.clear()
        np.seterr(all="ignore")  # a package may make errors of warnings; a worker takes that back
        warnings.simplefilter("ignore")
        try:
            call(bg, *args)
        except Exception:
            pass
        found.append(list(builtins.SAY.events))
    answers.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
