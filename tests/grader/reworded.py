"""A grader whose constant sentences are all worded otherwise: code that reads one notices.

`python -m tests.grader.reworded (as-it-is | reworded) CASE …` judges these cases and
writes what came out as JSON. Reworded, a word of each constant sentence has a mark of its own
before it, wherever the sentence has a space: «its ⟦17⟧values ⟦17⟧are …». So no two constants begin
or end alike any more, and with the marks taken out again the output must be as it was, byte for
byte. Sentences are marked as modules are imported, and the worker's in a copy of its folder.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import itertools
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from grader import root

PACKAGE = Path(root.PACKAGE)
MARK = re.compile("⟦[0-9]+⟧")
SPACE = re.compile(r"(?<=[\w`'\")}\]:;,.…]) (?=[\w`'\"({\[…])")
NUMBERS = itertools.count(1)
# Modules that word something for people, as folders or files below `grader/`.
SPEAKERS = (
    "judge/", "course/compare", "result", "reason", "learner/", "classroom/", "errors",
    "sandbox/course_code", "sandbox/session", "sandbox/channel", "sandbox/observation",
)  # fmt: skip
OF_THE_WORKER = ("rules", "importer", "clock")
# Constants with spaces that are no sentences: patterns, names that stand in results, and layout.
CALLS = ("compile", "search", "sub", "match", "fullmatch", "findall", "finditer", "strftime")
NO_SENTENCES = (
    "ATTRIBUTE", "HELD", "PATTERN", "SET", "SIDES", "ORACLES", "KINDS", "KEYS", "BEFORE_AND_AFTER",
    "WORDS", "CALLER", "EVERY_FRAME",
)  # fmt: skip


class Rewording(ast.NodeTransformer):
    """Marks the sentences of a module."""

    def visit_body(self, node: Any) -> Any:
        first = node.body[0] if node.body else None
        has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        kept = node.body[:1] if has_docstring else []
        node.body = [*kept, *map(self.visit, node.body[len(kept) :])]
        return node

    visit_Module = visit_ClassDef = visit_body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self.visit_body(node)  # annotations and defaults stay as they are

    def visit_Assign(self, node: ast.Assign) -> Any:
        every = (each for target in node.targets for each in ast.walk(target))
        names = {each.id for each in every if isinstance(each, ast.Name)}
        return node if names & {*NO_SENTENCES} else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Dict(self, node: ast.Dict) -> Any:
        node.values = list(map(self.visit, node.values))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        node.value = self.visit(node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in CALLS:
            return node
        node.func = self.visit(node.func)
        if called == "ExceptionRule":  # name, type and pattern come first, then the sentence
            node.args = [*node.args[:3], *map(self.visit, node.args[3:])]
        else:
            node.args = list(map(self.visit, node.args))
            node.keywords = list(map(self.visit, node.keywords))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        number = next(NUMBERS)
        for part in node.values:
            if isinstance(part, ast.Constant):
                part.value = marked(part.value, number)
            else:
                part.value = self.visit(part.value)
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            return ast.copy_location(ast.Constant(marked(node.value, next(NUMBERS))), node)
        return node


def marked(text: str, number: int) -> str:
    """``its values`` → ``its ⟦17⟧values``."""
    return SPACE.sub(f" ⟦{number}⟧", text)


def reworded(source: str) -> ast.Module:
    return ast.fix_missing_locations(Rewording().visit(ast.parse(source)))


class Reworder(importlib.abc.MetaPathFinder):
    """Finds the modules that speak, and compiles them with their sentences marked."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        inside = name.partition("grader.")[2].replace(".", "/")
        if not name.startswith("grader.") or not f"{inside}/".startswith(SPEAKERS):
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None and spec.origin and "/worker/" not in spec.origin:
            loader: Any = spec.loader
            path = spec.origin
            loader.get_code = lambda _: compile(reworded(Path(path).read_text()), path, "exec")
        return spec


def reword(folder: Path) -> None:
    """Mark the sentences of all modules that are imported from now on, and of the worker."""
    sys.meta_path.insert(0, Reworder())
    from grader.course import source_digest  # names the key by the files as they are
    from grader.memo import Memo
    from grader.sandbox import launch

    worker = folder / "worker"
    shutil.copytree(launch.WORKER, worker, ignore=shutil.ignore_patterns("__pycache__"))
    for name in OF_THE_WORKER:
        path = worker / f"{name}.py"
        path.write_text(ast.unparse(reworded(path.read_text())), encoding="utf-8")
    assert source_digest.WORKER == launch.WORKER
    launch.WORKER = str(worker)
    Memo.put = lambda memo, name, data: False  # type: ignore[method-assign]  # others read it


# ---- what is judged ------------------------------------------------------------------------------


def judge(name: str) -> dict[str, Any]:
    """Judge a case; return its result, and what is shown of it in every way."""
    from grader.classroom.marks.record import describe_exercise
    from grader.course.key_source import open_key
    from grader.course.package import Package
    from grader.grade_package import Grading
    from grader.learner import selection
    from grader.result import iter_exercises, result
    from grader.sandbox.launch import ForkServer, require_numpy

    from .submissions import Submission, mistake, sources, submissions
    from .whole_course import whole_course

    course, key = whole_course(), open_key()
    id, _, named = name.partition("/")
    one = Submission((id,), mistake(course, id, named)) if named else submissions(course)[name]
    files = {n: text.encode() for n, text in sources(course, one).items()}
    ids = selection.exercises(key, one.names)
    with ForkServer(require_numpy()) as fork_server:
        learner = Package("/work/babygrad", files, "0" * 64)
        grading = Grading(key, learner, fork_server.fork, set(), reference=course.solved)
        found = result(grading, grading.grade(ids))
    told = list(map(describe_exercise, iter_exercises(found)))
    return {"result": found, **shown(found), "told": told}


def shown(found: Any) -> dict[str, Any]:
    """Return the reports of a result; lines are broken nowhere, so that marks take no room."""
    from grader.learner.terminal import next_for_blocked, report, written_elsewhere
    from grader.learner.wording import Style
    from grader.notebooks.notebook_report import remark
    from grader.result import iter_exercises

    rows = iter_exercises(found)
    return {
        "report": report(found, Style(False, 100_000)),
        "notebook": report(found, Style(False, 100_000, home="notebook")),
        "remarks": list(map(remark, rows)),
        "elsewhere": list(map(written_elsewhere, rows)),
        "waiting": list(map(next_for_blocked, rows)),
    }


def main() -> None:
    how, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if how == "reworded":
            reword(Path(folder))
        made = {name: judge(name) for name in names}
    text = json.dumps(made, indent=1, ensure_ascii=False)
    assert (how == "reworded") == bool(MARK.search(text))
    print(MARK.sub("", text))


if __name__ == "__main__":
    main()
