"""Honest forms that any right body can take: in a thread, a cache, a dataclass, a generator …

Each wraps a body in a function `compute` with the body's own parameters, and calls it in its way.
"""

from __future__ import annotations

import ast
import re
import textwrap

from grader.course.load import Course
from grader.course.splice import target_file
from grader.course.syntax_tree import find_definitions

# What stands at the top of each file: a body that is called often makes no class anew.
HEAD = """
import contextlib
import functools
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path, PurePosixPath

own_log = logging.getLogger(__name__)

class Ended:
    def __init__(self, function, arguments):
        self.result = self.raised = None
        thread = threading.Thread(target=self.work, args=(function, arguments))
        thread.start()
        thread.join()
    def work(self, function, arguments):
        try:
            self.result = function(*arguments)
        except BaseException as caught:
            self.raised = caught
    def value(self):
        if self.raised is not None:
            raise self.raised
        return self.result

@dataclass(frozen=True)
class Call:
    function: object
    arguments: tuple = field(default=())
    def run(self):
        return self.function(*self.arguments)

class Result:
    def __init__(self, function, *arguments):
        self._call = function, arguments
    @property
    def value(self):
        function, arguments = self._call
        return function(*arguments)

class Slotted:
    __slots__ = ("call", "value")
    def __init__(self, *call):
        self.call = call
    def __call__(self):
        function, *arguments = self.call
        self.value = function(*arguments)
        return self.value

class Way(Enum):
    RIGHT = auto()
    LEFT = auto()
    def of(self, function, *arguments):
        return function(*arguments) if self is Way.RIGHT else None

def in_two_steps(function, *arguments):
    yield
    yield function(*arguments)

@functools.lru_cache(maxsize=64)
def chosen(function):
    return function

@contextlib.contextmanager
def around_it(name):
    yield name
"""
# Form → lines that end in the value of `compute(…)`; the names of its parameters are `args`.
FORMS = {
    "a thread": "return Ended(compute, ({args},)).value()",
    "a pool": """
        with ThreadPoolExecutor(max_workers=2) as pool:
            return pool.submit(compute, {args}).result()
    """,
    "a cache": "return chosen(compute)({args})",
    "a dataclass": "return Call(compute, ({args},)).run()",
    "a property": "return Result(compute, {args}).value",
    "a generator": """
        going = in_two_steps(compute, {args})
        next(going)
        return next(going)
    """,
    "slots": "return Slotted(compute, {args})()",
    "logging": """
        own_log.debug("called with %d values", len(({args},)))
        computed = compute({args})
        own_log.info("gave %r", type(computed))
        return computed
    """,
    "pathlib": """
        here = PurePosixPath("tools") / "compute.txt"
        return {{Path(here).stem: compute}}[here.stem]({args})
    """,
    "enum": "return Way.RIGHT.of(compute, {args})",
    "contextlib": """
        with contextlib.ExitStack() as stack, contextlib.suppress(TimeoutError):
            stack.enter_context(around_it("compute"))
            stack.callback(int)
            return compute({args})
    """,
    "partial": "return functools.reduce(functools.partial, ({args},), compute)()",
}
FUTURE = "from __future__ import annotations\n"
# These stay as they are: chapter 15's `reader` looks for a line in the frames above it.
BY_FRAMES, READS = "reader()", {"tensor.Tensor.numpy"}


def in_forms(course: Course, shift: int) -> dict[str, str]:
    """Return the reference with the bodies that a learner writes in one form after the other.

    With another shift each body has another form; with all of them each body has had each.
    """
    written = (each for each in course.exercises.values() if not each.given)
    targets = [target for each in written for target in each.targets]
    forms, bodies = [*FORMS], {}
    for number, target in enumerate(targets):
        is_one = target in course.regions and target not in READS
        names = parameters(course, target) if is_one else None
        body = course.regions[target].body if names is not None else BY_FRAMES
        calls_itself = re.search(rf"\b{target.rpartition('.')[2]}\(", body)  # 65,536 times
        if BY_FRAMES not in body and not calls_itself:
            form = forms[(number + shift) % len(forms)]
            bodies[target] = formed(body, names or [], form)
    sources = course.replace_bodies(bodies)
    return {name: text.replace(FUTURE, FUTURE + HEAD, 1) for name, text in sources.items()}


def formed(body: str, names: list[str], form: str) -> str:
    """Return a body that has the function `compute` do what it did, in this form."""
    args = ", ".join(names)
    computing = f"def compute({args}):\n{textwrap.indent(body, '    ')}\n"
    return computing + textwrap.dedent(FORMS[form]).strip().format(args=args or "*()")


def parameters(course: Course, target: str) -> list[str] | None:
    """Return the names of a function's parameters; None for what is none, and for a kernel.

    The kernel language has no functions in functions.
    """
    file, name = target_file(target, course.solutions)
    node = find_definitions(course.solutions[file])[name]
    if isinstance(node, ast.ClassDef) or "kernel language" in (ast.get_docstring(node) or ""):
        return None
    given = node.args
    several = [given.vararg, *given.kwonlyargs, given.kwarg]
    return [each.arg for each in (*given.posonlyargs, *given.args, *several) if each]
