"""The package that questions are about: its functions as text, recorded calls, changed copies.

Calls come from probes: arguments, lines and result of each function's first call. Code can look
whether it is traced, so nothing traces it: a copy of the package runs whose functions tell what
they do (`line_notes.py`), and counts where it gives what the package itself gives.
The worker is untrusted: only numbers, texts and places in files are kept of what it sends.
"""

from __future__ import annotations

import ast
import marshal
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import groupby
from types import CodeType
from typing import Any, NamedTuple

from ..about import COURSE
from ..audit.mutation import SYNTAX, mutants
from ..course.key_file import ChapterKey, Json
from ..course.package import BadFile, Package, hash_package
from ..course.splice import target_file
from ..course.syntax_tree import NO_PYTHON, Definition, find_definitions, parse, statement_lines
from ..errors import safe_text
from ..grade_package import Grading
from ..judge.runner import Runner
from ..learner.untrusted_files import parse_json
from ..learner.wording import format_numbers
from ..result import list_array
from ..sandbox.course_code import compile_guarded
from ..sandbox.observation import Observation
from ..sandbox.session import Session, compile_programs
from ..verdict import PASSED
from .line_notes import add_notes

PROGRAM = "line_trace"
BESIDE = 1 << 20  # added to the numbers of probes that are loaded but not run


class Value(NamedTuple):
    """The type of an object; of arrays and numbers also the shape and, if few, the numbers."""

    type: str
    shape: tuple[int, ...] | None  # None if it is no array
    numbers: tuple[float, ...] | None


class TracedLine(NamedTuple):
    """A line that ran, the variables it changed, and the calls before the next line."""

    line: int
    names: dict[str, Value]
    calls: list[str]  # file:line of each function


class TracedCall(NamedTuple):
    """A recorded call of a function; tuples stand there by their items, such as `result[0]`."""

    given: dict[str, Value]
    steps: list[TracedLine]
    gave: dict[str, Value]

    @property
    def values(self) -> list[Value]:
        """All values of the call: arguments, variables, results."""
        names = [self.given, *(step.names for step in self.steps), self.gave]
        return [value for each in names for value in each.values()]

    def count(self, line: int) -> int:
        """Return how often a line ran."""
        return sum(step.line == line for step in self.steps)


def trace(
    runner: Runner, chapter: ChapterKey, numbers: list[int], places: list[str]
) -> dict[int, dict[str, TracedCall]]:
    """Run probes on the runner's package; return probe → place → the first call there.

    Args:
        places: FILE:LINE of functions, their decorators included.
    """
    files = add_notes(runner.package.files, places)
    session = runner.open_session(chapter, [], numbers, files)
    request: Any = session.request
    codes: dict[str, CodeType] = marshal.loads(compile_programs(request["programs"]))
    codes[f"{PROGRAM}.py"] = program()
    probes = [
        (number, f"{PROGRAM}.record_calls", [name, args, places], *rest)
        for number, name, args, *rest in request["probes"]
    ]
    beside = [(BESIDE + number, *rest) for number, *rest in request["probes"]]
    request.update(programs=marshal.dumps(codes), probes=[*probes, *beside])
    noted, plain = _observe(session), _observe(runner.open_session(chapter, [], numbers))
    calls = {n: read_calls(noted[n]) if n in noted else {} for n in numbers}
    return {n: each if each and _is_same(noted[n], plain[n]) else {} for n, each in calls.items()}


def _observe(session: Session) -> dict[int, Observation]:
    request: Any = session.request
    request.update(looked_at={}, predicates={}, cold=True)
    session.run()
    return session.close().observations


def _is_same(noted: Observation, plain: Observation) -> bool:
    """Whether a program gave the same with notes and without."""
    return {part: each for part, each in noted.parts.items() if part != "trace"} == plain.parts


@cache
def program() -> CodeType:
    """Compile the tracing program, ready to be sent."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{PROGRAM}.py")
    with open(path, encoding="utf-8") as file:
        return compile_guarded(f"programs/{PROGRAM}.py", file.read())


def read_calls(got: Observation) -> dict[str, TracedCall]:
    """Parse the calls of a trace; empty if it is malformed."""
    try:
        said = parse_json(bytes(got.parts["trace"][0].data))
        return {place: _call(**each) for place, each in said.items()}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, BadFile):
        return {}


def _call(given: Json, steps: Iterable[tuple[int, Json, list[str]]], gave: Json) -> TracedCall:
    read = [TracedLine(int(line), _names(now), list(map(str, calls))) for line, now, calls in steps]
    return TracedCall(_names(given), read, _names(gave))


def _names(said: Json) -> dict[str, Value]:
    return {name: _value(*each) for name, each in said.items()}


def _value(kind: str, shape: list[int] | None, numbers: list[float] | None) -> Value:
    sizes = None if shape is None else tuple(map(int, shape))
    known = None if numbers is None else tuple(map(float, numbers))
    if known is not None and math.prod(sizes or ()) != len(known):
        raise ValueError("it says two things of one array")
    return Value(str(kind), sizes, known)


MOST_LINES = 40  # of a quoted function
MOST_MOVED = 4  # lines in a row, to be put in order
SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Expr)


@lru_cache(maxsize=64)  # a changed copy shares all other files
def read_definitions(data: bytes) -> tuple[list[str], Mapping[str, Definition]]:
    """Return a file's lines and definitions; none if it is no Python or would steer a terminal."""
    try:
        text = re.sub("\r\n?", "\n", data.decode("utf-8-sig"))
        return (text.split("\n"), find_definitions(text)) if safe_text(text) == text else ([], {})
    except NO_PYTHON:
        return [], {}


class Function(NamedTuple):
    """A function that an exercise asks for, or one inside it."""

    exercise: str
    name: str
    file: str
    node: ast.FunctionDef
    text: list[str]  # of the whole file

    @property
    def title(self) -> str:
        return f"{self.name} ({COURSE.name}/{self.file})"

    @property
    def place(self) -> str:
        """Its FILE:LINE, of the first line with decorators."""
        return f"{self.file}:{statement_lines(self.node)[0]}"

    def line(self, number: int) -> str:
        return self.text[number - 1].strip()

    @property
    def lines(self) -> dict[int, ast.stmt]:
        """Number → statement, for lines that hold exactly one whole statement, or its head."""
        found: dict[int, ast.stmt | None] = {}
        for each in _statements(self.node):
            inside = None if isinstance(each, Definition) else getattr(each, "body", None)
            last = inside[0].lineno - 1 if inside else each.end_lineno or 0
            begins = not self.text[each.lineno - 1][: each.col_offset].strip()
            alone = begins and last <= each.lineno and _is_told(each)
            for number in range(each.lineno, max(last, each.lineno) + 1):
                found[number] = each if alone and number not in found else None
        return {number: each for number, each in found.items() if each is not None}

    @property
    def blocks(self) -> list[list[int]]:
        """Blocks of three or four consecutive lines without branches and loops."""
        simple = [(n, each) for n, each in self.lines.items() if isinstance(each, SIMPLE)]
        rows = groupby(enumerate(simple), lambda it: (it[1][0] - it[0], it[1][1].col_offset))
        found = [[number for _, (number, _) in row][-MOST_MOVED:] for _, row in rows]
        return [row for row in found if len(row) > 2]

    def quote(self, mark: int = 0) -> tuple[str, ...]:
        """Quote its lines with numbers, without its docstring; line ``mark`` gets a `>`."""
        shown = list(range(self.node.lineno, (self.node.end_lineno or 0) + 1))
        if ast.get_docstring(self.node, clean=False) is not None:
            first, last = statement_lines(self.node.body[0])
            shown = [n for n in shown if not first <= n <= last]
        if len(shown) > MOST_LINES and mark:
            shown = [n for n in shown if abs(n - mark) <= MOST_LINES // 2]
        return tuple(f"{'>' if n == mark else ' '}{n:>4} | {self.text[n - 1]}" for n in shown)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield a function's statements in order, without those of definitions inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, Definition):
            yield from _statements(child)


def _is_told(statement: ast.stmt) -> bool:
    """Whether the trace reports this statement: Python may skip those of constants."""
    inside = statement.value if isinstance(statement, ast.Expr) else None
    constant = isinstance(getattr(statement, "test", inside), ast.Constant)
    return isinstance(statement, (*SIMPLE, ast.If, ast.For, ast.While)) and not constant


def other_lines(line: str) -> list[str]:
    """Mutate a line by the audit's operators: ``return a + b`` becomes ``return a - b`` …"""
    head = line.endswith(":")
    try:
        body = ast.unparse(parse(f"{line} pass" if head else line))
    except NO_PYTHON:  # such as an `elif`
        return []
    found = [m.body.split("\n") for m in mutants(body, [], {}) if m.kind in SYNTAX]
    return [first for first, *rest in found if len(rest) == head == first.endswith(":")]


MOST_SAMPLES = 4  # of an exercise
MOST_SHOWN = 12  # values of an input


class SourceLine(NamedTuple):
    """A line of a function."""

    function: Function
    number: int


class SampleCall(NamedTuple):
    """A recorded call of a function, made by a public probe."""

    function: Function
    probe: int
    setting: tuple[str, ...]  # the call and its inputs, a line each
    shown: bool  # whether all inputs are shown in full
    call: TracedCall


class Subject:
    """A package, and the passed exercises of a chapter that questions may be about."""

    def __init__(self, grading: Grading, chapter: ChapterKey, ids: list[str]) -> None:
        self.grading = grading
        self.chapter = chapter
        mine = [row["id"] for row in chapter.exercises if row["id"] not in grading.given]
        statuses = self.statuses(grading.package, mine)
        # A question may ask which passing exercise a change breaks; it is about one that passes.
        self.passing = [id for id in mine if statuses[id] == PASSED]
        self.ids = [id for id in ids if id in self.passing]

    @cached_property
    def functions(self) -> list[Function]:
        """The functions of the exercises, in the chapter's order."""
        files = self.grading.package.files
        rows = [row for row in self.chapter.exercises if row["id"] in self.ids]
        found = []
        for id, target in ((row["id"], target) for row in rows for target in row["targets"]):
            file, path = target_file(target, files)
            text, nodes = read_definitions(files.get(file, b""))
            for name, node in nodes.items():
                if f"{name}.".startswith(f"{path}.") and isinstance(node, ast.FunctionDef):
                    found.append(Function(id, name, file, node, text))
        return found

    @cached_property
    def lines(self) -> list[SourceLine]:
        """Every line of every function."""
        return [SourceLine(function, n) for function in self.functions for n in function.lines]

    @cached_property
    def samples(self) -> list[SampleCall]:
        """Some calls of each function, with public inputs."""
        public = {id: self._public(id) for id in self.ids}
        calls = self.calls(self.grading.package, [n for each in public.values() for n in each])
        return [
            SampleCall(function, number, *self.setting_of(number), calls[number][function.place])
            for function in self.functions for number in public[function.exercise]
            if function.place in calls[number]
        ]  # fmt: skip

    def _public(self, id: str) -> list[int]:
        """Choose public probes of an exercise: each check's first, if its setting is unique."""
        checks = [c for c in self.chapter.checks if c["exercise"] == id and c["probes"]]
        secret = {n for check in checks if check["hidden"] for n in check["probes"]}
        said = Counter(
            self.setting_of(n) for n, row in enumerate(self.chapter.probes) if row["exercise"] == id
        )
        firsts = dict.fromkeys(check["probes"][0] for check in checks)
        plain = [n for n in firsts if n not in secret and said[self.setting_of(n)] == 1]
        return plain[:MOST_SAMPLES]

    def setting_of(self, probe: int) -> tuple[tuple[str, ...], bool]:
        """Return a probe's call and inputs, a line each, and whether all inputs are in full."""
        row = self.chapter.probes[probe]
        arrays = {name: self.chapter.array(number) for name, number in row["shown"]}
        large = {name for name, array in arrays.items() if len(array.values()) > MOST_SHOWN}
        lines = [
            f"{name}: an array of shape {array.shape}" if name in large
            else f"{name} = {format_numbers(list_array(array))}"
            for name, array in arrays.items()
        ]  # fmt: skip
        return (row["call"], *lines), not large

    def replaced(self, function: Function, texts: dict[int, str]) -> Package:
        """Return the package with some lines of a function replaced, indented as before."""
        lines = list(function.text)
        for number, text in texts.items():
            lines[number - 1] = lines[number - 1].replace(function.line(number), text)
        old = self.grading.package
        files = {**old.files, function.file: "\n".join(lines).encode()}
        return old._replace(files=files, sha256=hash_package(files))

    def calls(
        self, package: Package, probes: list[int], chapter: ChapterKey | None = None
    ) -> dict[int, dict[str, TracedCall]]:
        """Run probes on a package; return probe → place of a function → its first call."""
        places = [function.place for function in self.functions]
        return trace(self._grading(package), chapter or self.chapter, probes, places)

    def statuses(self, package: Package, ids: list[str]) -> dict[str, str]:
        """Judge another package; return exercise → status, without attribution."""
        verdicts = self._grading(package).grade_without_blame(self.chapter, ids)
        return {id: verdicts[id].status for id in ids}

    def _grading(self, package: Package) -> Grading:
        old = self.grading
        return Grading(old.key, package, old.launch, old.given, least=old.least)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Place → the function that begins there, as options name it."""
        return {
            Function("", name, file, node, []).place: f"`{name}` of {file}"
            for file, data in self.grading.package.files.items()
            for name, node in read_definitions(data)[1].items() if isinstance(node, ast.FunctionDef)
        }  # fmt: skip
