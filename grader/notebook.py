"""In a notebook: `@answer("ops.Mul.backward")` puts a definition into the learner's package, and
`check("chapter3.mul.backward")` says what the judge says.

What `check` judges is the package beside the notebook with the answers of the cells that were run,
as text, in the worker: as `grader check` would. The kernel is where the learner tries things out;
a score is decided elsewhere, from the notebook as it was handed in.
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
from .course.splice import file_of
from .course.syntax_tree import parse
from .errors import WINDOWS, OurFault, WrongUse
from .learner import notebook_report, workspace
from .learner.notebook_source import Answer, answer_target, answers, cells, choose_answers, splice
from .result import exercises_of

if TYPE_CHECKING:
    from .result_rows import Result

ANNOTATIONS = __future__.annotations.compiler_flag
Owner = types.ModuleType | type
RUN: dict[str, Answer] = {}  # target → its answer, of the cells that were run so far


def answer(target: str) -> Callable[[object], object]:
    """Decorate the definition that belongs at ``target``, ``ops.Mul.backward``.

    A body that still raises `NotImplementedError` leaves alone what is there.
    """

    def attach(thing: object) -> object:
        function = _function(thing)
        text = _source(function)
        found = answers([text])[-1:]
        if found and found[0].fault:
            raise SyntaxError(found[0].fault.partition(": ")[2])
        if found and not found[0].written:
            return thing
        owner, name = _place(target)
        new = _compiled(text, function, owner, name) if text else thing
        _set(owner, name, new)
        if found:
            RUN[target] = found[0]
        # The notebook's own `sum` and `abs` stay what they were.
        return getattr(builtins, name, new if isinstance(owner, types.ModuleType) else thing)

    return attach


def check(*names: str) -> float:
    """Show what the judge says about these exercises; the points that they earn.

    ``names``: `chapter3`, `3.4`, `chapter3.mul` or `chapter3.mul.backward`, as `grader check`
    takes them; without any, the chapter that comes next.
    """
    # In an autograder tests cell, a word on stderr would cost all points.
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            found, printed, score = _judged(list(names))
        except (WrongUse, OurFault) as error:
            notebook_report.show(notebook_report.sentence(str(error)))
            return 0.0
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        found, printed = notebook_report.redact(found), ""
    notebook_report.show(notebook_report.text(found, printed))
    if os.environ.get("NBGRADER_EXECUTION") == "validate":
        # Its own word for all that is not full marks is «Partial credit»; of stderr it shows ours,
        # and cuts long lines.
        said = map(notebook_report.remark, exercises_of(found))
        sys.stderr.write("\n".join(textwrap.fill(each, 80) for each in said if each))
    return score


def _judged(names: list[str]) -> tuple[Result, str, float]:
    if sys.platform == "win32":
        raise WrongUse(WINDOWS)
    from .course.key_source import open_key
    from .learner.choice import choose as asked_for
    from .learner.choice import open_grading
    from .result import result
    from .sandbox.launch import launch

    learner = package.read(package.find(None))
    mine = handed_in() if os.environ.get("NBGRADER_EXECUTION") else RUN
    files, _ = splice(learner.files, mine.values())
    key = open_key(workspace.root_of(learner.folder))
    ids = asked_for(key, learner.folder, names)
    spliced = package.Package(learner.folder, files, package.digest(files))
    grading = open_grading(key, spliced, launch, ids)
    verdicts = grading.grade(ids)
    found = notebook_report.placed(result(grading, verdicts), files, mine)
    return found, grading.output, float(round(sum(v.score for v in verdicts.values()), 4))


def handed_in() -> dict[str, Answer]:
    """The answers of the notebooks in this folder: what nbgrader marks, whatever was run so far.

    An exercise may need what a cell further down holds.
    """
    found: list[Answer] = []
    for name in sorted(name for name in os.listdir() if name.endswith(".ipynb")):
        with open(name, "rb") as file:
            found += answers(cell.source for cell in cells(file.read(), name))
    return choose_answers(found)[0]


def _function(thing: object) -> Any:
    """The plain function in a property, a static method or a class method."""
    return getattr(thing, "fget", None) or getattr(thing, "__func__", thing)


def _source(function: types.FunctionType) -> str:
    """The text of its cell from the decorators on; empty where Python does not know it."""
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return ""


def _place(target: str) -> tuple[Owner, str]:
    """The module or class that a target lies in, imported, and its name there."""
    name, inner = file_of(target, package.read(package.find(None)).files)
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
    """The definition once more, as if it stood in its module and class.

    So it sees the names of its module and nothing of the notebook, and `super()` works: what
    runs here is what would run in the package.
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
    """The tree of a definition without its `@answer`."""
    tree = parse(text)
    for node in tree.body:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        decorators[:] = [d for d in decorators if answer_target(d) is None]
    return tree


def _set(owner: Owner, name: str, new: object) -> None:
    """Put a definition in its place, and where other modules hold it under its name."""
    old = vars(owner).get(name)
    setattr(owner, name, new)
    for module in [m for n, m in sys.modules.items() if n.partition(".")[0] == package.NAME]:
        if vars(module).get(name) is old and old is not None:
            setattr(module, name, new)
