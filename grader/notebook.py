"""The grader in a notebook: `@answer("ops.Mul.backward")` puts a definition into the learner's
package, and `check("chapter3.mul.backward")` shows the verdict.

`check` judges the package beside the notebook with the answers of the cells that were run, as text,
in the worker, like `grader check`. The kernel is for trying things out; marks come from the
submitted notebook, elsewhere.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import importlib
import inspect
import io
import os
import sys
import textwrap
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .course import package
from .course.package import module_of
from .course.splice import target_file
from .course.syntax_tree import parse
from .errors import WINDOWS, OurFault, WrongUse
from .learner import workspace
from .notebooks import notebook_report
from .notebooks.notebook_source import Answer, answer_target, answers, cells, choose_answers, splice
from .result import iter_exercises

if TYPE_CHECKING:
    from .result_rows import Result

ANNOTATIONS = __future__.annotations.compiler_flag
Owner = types.ModuleType | type
RUN: dict[str, Answer] = {}  # target → its answer in the cells that were run so far


def answer(target: str) -> Callable[[object], object]:
    """Decorate the definition of ``target``, ``ops.Mul.backward``, to put it into the package.

    A stub, which raises `NotImplementedError`, replaces nothing.
    """

    def attach(thing: object) -> object:
        function = _function(thing)
        text = _source(function)
        found = answers([text])[-1:]
        if found and found[0].fault:
            raise SyntaxError(found[0].fault)
        if found and not found[0].written:
            return thing
        owner, name = _place(target)
        new = _compiled(text, function, owner, name) if text else thing
        _set(owner, name, new)
        if found:
            RUN[target] = found[0]
        # The notebook's own `sum` and `abs` stay Python's.
        return getattr(builtins, name, new if isinstance(owner, types.ModuleType) else thing)

    return attach


def check(*names: str) -> float:
    """Judge exercises and show the report; return the points that they earn.

    ``names``: `chapter3`, `3.4`, `chapter3.mul` or `chapter3.mul.backward`, as for `grader check`;
    without any, the learner's current chapter.
    """
    # In nbgrader's test cells any output on stderr costs all points.
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            found, printed, score = _judged(list(names))
        except (WrongUse, OurFault) as error:
            notebook_report.display_report(notebook_report.format_sentence(str(error)))
            return 0.0
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        found, printed = notebook_report.redact(found), ""
    notebook_report.display_report(notebook_report.format_report(found, printed))
    if os.environ.get("NBGRADER_EXECUTION") == "validate":
        # nbgrader says «Partial credit» for anything but full marks; it also shows stderr, with
        # long lines cut.
        said = map(notebook_report.remark, iter_exercises(found))
        sys.stderr.write("\n".join(textwrap.fill(each, 80) for each in said if each))
    return score


def _judged(names: list[str]) -> tuple[Result, str, float]:
    if sys.platform == "win32":
        raise WrongUse(WINDOWS)
    from .course.key_source import open_key
    from .learner.selection import choose_exercises, open_grading
    from .result import result
    from .sandbox.launch import start_worker

    learner = package.read_package(package.find_package_folder(None))
    mine = collect_answers() if os.environ.get("NBGRADER_EXECUTION") else RUN
    files, _ = splice(learner.files, mine.values())
    key = open_key(workspace.root_of(learner.folder))
    ids = choose_exercises(key, learner.folder, names)
    spliced = package.Package(learner.folder, files, package.hash_package(files))
    grading = open_grading(key, spliced, start_worker, ids)
    verdicts = grading.grade(ids)
    found = notebook_report.map_lines_to_cells(result(grading, verdicts), files, mine)
    return found, grading.output, float(round(sum(v.score for v in verdicts.values()), 4))


def collect_answers() -> dict[str, Answer]:
    """Read the answers of all notebooks in this folder, which nbgrader marks, run or not.

    An exercise may need an answer from a cell further down.
    """
    found: list[Answer] = []
    for name in sorted(name for name in os.listdir() if name.endswith(".ipynb")):
        with open(name, "rb") as file:
            found += answers(cell.source for cell in cells(file.read(), name))
    return choose_answers(found)[0]


def _function(thing: object) -> Any:
    """Return the plain function in a property, a static method or a class method."""
    return getattr(thing, "fget", None) or getattr(thing, "__func__", thing)


def _source(function: types.FunctionType) -> str:
    """Return a function's source, decorators included; empty if Python does not know it."""
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return ""


def _place(target: str) -> tuple[Owner, str]:
    """Import the module or class that holds a target; return it, and the target's name there."""
    name, inner = target_file(target, package.read_package(package.find_package_folder(None)).files)
    path, _, last = inner.rpartition(".")
    try:
        owner = importlib.import_module(f"{package.NAME}.{module_of(name)}")
        for part in filter(None, path.split(".")):
            owner = getattr(owner, part)
        getattr(owner, last)
    except (ImportError, AttributeError) as error:
        raise NameError(
            f'`@answer("{target}")` names nothing in the package beside this notebook. '
            "Put back the name that the notebook came with."
        ) from error
    return owner, last


def _compiled(text: str, function: types.FunctionType, owner: Owner, name: str) -> object:
    """Compile a definition again, as if it stood in its module and class.

    So it sees its module's names and none of the notebook's, and `super()` works, as in the
    package.
    """
    tree = ast.increment_lineno(_bare(text), function.__code__.co_firstlineno - 1)
    space: dict[str, type] = {}
    in_class = isinstance(owner, type)
    if in_class:
        around = parse(f"class {owner.__name__}: pass")
        around.body[0].body = tree.body  # type: ignore[attr-defined]
        tree = ast.fix_missing_locations(around)
    place = function.__code__.co_filename
    code = compile(tree, place, "exec", ANNOTATIONS, dont_inherit=True)
    exec(code, vars(sys.modules[owner.__module__ if in_class else owner.__name__]), space)
    thing = vars(space[owner.__name__])[name] if in_class else space[name]
    made = _function(thing)
    made.__qualname__ = f"{owner.__qualname__}.{name}" if in_class else name
    for variable, cell in zip(made.__code__.co_freevars, made.__closure__ or (), strict=True):
        if variable == "__class__":
            cell.cell_contents = owner
    return thing


def _bare(text: str) -> ast.Module:
    """Parse a definition, and drop its `@answer`."""
    tree = parse(text)
    for node in tree.body:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        decorators[:] = [d for d in decorators if answer_target(d) is None]
    return tree


def _set(owner: Owner, name: str, new: object) -> None:
    """Replace a definition in its module or class, and in modules that import it by name."""
    old = vars(owner).get(name)
    setattr(owner, name, new)
    for module in [m for n, m in sys.modules.items() if n.partition(".")[0] == package.NAME]:
        if vars(module).get(name) is old and old is not None:
            setattr(module, name, new)
