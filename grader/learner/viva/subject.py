"""A package that questions are asked about: its functions, calls of these, and changes to them."""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from ...about import COURSE
from ...course.key_file import ChapterKey
from ...course.mutation import SYNTAX, mutants
from ...course.package import Package
from ...course.package import digest as named
from ...course.splice import file_of
from ...course.syntax_tree import Definition, find_definitions, parse
from ...course.syntax_tree import span as whole_span
from ...grade_package import Grading
from ...result import list_array
from ...verdict import PASSED
from ..wording import numbers
from .traces import Call, Trace, trace

MOST_SAMPLES = 4  # of an exercise
MOST_SHOWN = 12  # values of an input
MOST_LINES = 40  # of a function that is quoted
LOOPS = (ast.For, ast.While, ast.AsyncFor)


class Function(NamedTuple):
    """A function that an exercise had written, or one inside it."""

    exercise: str
    name: str
    file: str
    node: ast.FunctionDef
    lines: list[str]  # of the whole file

    @property
    def title(self) -> str:
        return f"{self.name} ({COURSE.name}/{self.file})"

    @property
    def statements(self) -> list[ast.stmt]:
        """What it does, line by line, without its docstring and without the functions in it."""
        docstring = ast.get_docstring(self.node, clean=False) is not None
        return list(_statements(self.node.body[int(docstring) :]))

    def text(self, statement: ast.stmt) -> str:
        """A statement's lines in one; of a branch or a loop its head."""
        first, last = span(statement)
        return " ".join(line.strip() for line in self.lines[first - 1 : last])

    def place(self, statement: ast.stmt) -> str:
        """A statement as an option names it."""
        return f"line {statement.lineno}: `{self.text(statement)}`"

    def quote(self, mark: ast.stmt | None = None) -> list[str]:
        """Its lines with their numbers, without its docstring; a marked one has a `>`."""
        first, last = self.node.lineno, self.node.end_lineno or self.node.lineno
        hidden: range = range(0)
        if ast.get_docstring(self.node, clean=False) is not None:
            hidden = range(self.node.body[0].lineno, (self.node.body[0].end_lineno or 0) + 1)
        marked = lines_of(mark) if mark else range(0)
        shown = [n for n in range(first, last + 1) if n not in hidden]
        if len(shown) > MOST_LINES and mark:
            near = range(mark.lineno - MOST_LINES // 2, mark.lineno + MOST_LINES // 2)
            shown = [n for n in shown if n in near]
        return [f"{'>' if n in marked else ' '}{n:>4} | {self.lines[n - 1]}" for n in shown]


class Sample(NamedTuple):
    """A call of a function, made by a probe whose inputs may be shown.

    Attributes:
        at: the call's number in the trace.
        setting: what was called with what, a line each.
        shown: whether all inputs stand there.
    """

    function: Function
    probe: int
    trace: Trace
    at: int
    setting: tuple[str, ...]
    shown: bool

    @property
    def call(self) -> Call:
        return self.trace.calls[self.at]

    def below(self, lines: range | None = None) -> list[Call]:
        """The calls that this one led to; of these, those of some lines."""
        inside = {self.at}
        found = []
        for number, each in enumerate(self.trace.calls):
            if each.by in inside and (each.by != self.at or lines is None or each.line in lines):
                inside.add(number)
                found.append(each)
        return found


class Line(NamedTuple):
    """A statement of a function."""

    function: Function
    statement: ast.stmt


class Change(NamedTuple):
    """A statement of a function, and what stands in its place in a copy of the package."""

    function: Function
    statement: ast.stmt
    new: str
    package: Package


class Subject:
    """A package, and the exercises of a chapter that questions are asked about.

    Args:
        ids: the exercises to ask about, all of which pass.
        passing: all that pass: what a change breaks is told of these.
    """

    def __init__(
        self, grading: Grading, chapter: ChapterKey, ids: list[str], passing: list[str]
    ) -> None:
        self.grading = grading
        self.chapter = chapter
        self.ids = ids
        self.passing = passing
        self._judged: dict[tuple[str, ...], dict[str, str]] = {}

    @cached_property
    def functions(self) -> list[Function]:
        """The functions of all exercises, in their order."""
        files = self.grading.package.files
        rows = [row for row in self.chapter.exercises if row["id"] in self.ids]
        read = cache(lambda file: _read(files.get(file, b"")))
        found = []
        for id, target in ((row["id"], target) for row in rows for target in row["targets"]):
            file, path = file_of(target, files)
            lines, nodes = read(file)
            for name, node in nodes.items():
                if f"{name}.".startswith(f"{path}.") and isinstance(node, ast.FunctionDef):
                    found.append(Function(id, name, file, node, lines))
        return found

    @cached_property
    def samples(self) -> list[Sample]:
        """Some calls of each function, by inputs that are public."""
        probes = [n for id in self.ids for n in self._public(id)]
        traces = self.traces(self.grading.package, probes)
        found = []
        for function in self.functions:
            for number in self._public(function.exercise):
                at = _call_of(function, traces.get(number))
                if at is not None:
                    setting, shown = self.setting_of(number)
                    found.append(Sample(function, number, traces[number], at, setting, shown))
        return found

    @classmethod
    def of(cls, grading: Grading, chapter: ChapterKey, ids: list[str]) -> Subject:
        """Of these exercises, those that pass."""
        mine = [row["id"] for row in chapter.exercises if row["id"] not in grading.given]
        verdicts = grading.at_first(chapter, mine)
        passing = [id for id in mine if verdicts[id].status == PASSED]
        return cls(grading, chapter, [id for id in ids if id in passing], passing)

    @cached_property
    def lines(self) -> list[Line]:
        """Every statement of every function."""
        return [Line(f, statement) for f in self.functions for statement in f.statements]

    def change(self, line: Line, rng: random.Random) -> Change | None:
        """A small change of a statement; None where it does not stand in lines of its own."""
        texts = list(other_texts(*line))
        if not texts:
            return None
        text = rng.choice(texts)
        package = self.with_lines(line.function, *span(line.statement), [text])
        return Change(*line, text, package)

    def with_lines(self, function: Function, first: int, last: int, texts: list[str]) -> Package:
        """The package with other lines, indented as the first of those in their place."""
        line = function.lines[first - 1]
        indent = line[: len(line) - len(line.lstrip())]
        new = [f"{indent}{text}" for text in texts]
        lines = [*function.lines[: first - 1], *new, *function.lines[last:]]
        old = self.grading.package
        files = {**old.files, function.file: "\n".join(lines).encode()}
        return old._replace(files=files, sha256=named(files))

    def judged(self, package: Package, ids: list[str] | None = None) -> dict[str, str]:
        """Exercise → how it ends where this package is judged instead."""
        ids = self.passing if ids is None else ids
        name = (package.sha256, *ids)
        if name not in self._judged:
            verdicts = self._grading(package).at_first(self.chapter, ids)
            self._judged[name] = {id: verdicts[id].status for id in ids}
        return self._judged[name]

    def passes(self, package: Package, id: str) -> bool:
        """Whether an exercise passes where this package is judged instead."""
        return self.judged(package, [id])[id] == PASSED

    def calls_in(self, package: Package, samples: list[Sample]) -> list[Call | None]:
        """The calls of samples where this package runs instead; None where one is not made."""
        found = self.traces(package, [sample.probe for sample in samples])
        calls: list[Call | None] = []
        for sample in samples:
            of = found.get(sample.probe)
            at = _call_of(sample.function, of)
            calls.append(of.calls[at] if of is not None and at is not None else None)
        return calls

    def traces(self, package: Package, probes: list[int]) -> dict[int, Trace]:
        """What these probes have a package do."""
        places: dict[str, list[tuple[str, int, int]]] = {id: [] for id in self.ids}
        for each in self.functions:
            places[each.exercise].append((each.file, *whole_span(each.node)))
        numbers = list(dict.fromkeys(probes))
        return trace(self._grading(package), self.chapter, numbers, places)

    def _grading(self, package: Package) -> Grading:
        old = self.grading
        return Grading(old.key, package, old.launch, old.given, least=old.least)

    def _public(self, id: str) -> list[int]:
        """Some probes of an exercise that nobody hides: the first of each check, then others.

        What is said of a probe has to say which one it is.
        """
        checks = [c for c in self.chapter.checks if c["exercise"] == id]
        secret = {n for c in checks if c["hidden"] for n in c["probes"]}
        probes = [c["probes"] for c in checks if c["compare"] != "guess"]
        order = [*(each[0] for each in probes if each), *(n for each in probes for n in each)]
        said = Counter(
            self.setting_of(n) for n, row in enumerate(self.chapter.probes) if row["exercise"] == id
        )
        plain = (n for n in dict.fromkeys(order) if n not in secret)
        return [n for n in plain if said[self.setting_of(n)] == 1][:MOST_SAMPLES]

    def setting_of(self, probe: int) -> tuple[tuple[str, ...], bool]:
        """What a probe calls with what, a line each, and whether all of its inputs stand there."""
        row = self.chapter.probes[probe]
        arrays = [(name, self.chapter.array(number)) for name, number in row["shown"]]
        small = [len(array.values()) <= MOST_SHOWN for _, array in arrays]
        lines = [
            f"{name} = {numbers(list_array(array))}" if fits
            else f"{name}: an array of shape {array.shape}"
            for (name, array), fits in zip(arrays, small, strict=True)
        ]  # fmt: skip
        return (row["call"], *lines), all(small)


def _read(data: bytes) -> tuple[list[str], dict[str, Definition]]:
    """A file's lines and its definitions; none of one that is not written in UTF-8."""
    try:
        text = re.sub("\r\n?", "\n", data.decode("utf-8-sig"))
        return text.split("\n"), find_definitions(text)
    except (SyntaxError, ValueError, RecursionError):
        return [], {}


def _call_of(function: Function, found: Trace | None) -> int | None:
    """The first call of a function in a trace, where its steps are known as a whole."""
    for number, call in enumerate(found.calls if found is not None else ()):
        if (call.name, call.file) == (function.name, function.file):
            known = call.whole and (call.steps or call.gave or call.raised)
            return number if known else None
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for each in body:
        yield each
        if not isinstance(each, Definition):
            for name in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(each, name, []))
            for handler in getattr(each, "handlers", ()):
                yield from _statements(handler.body)


def span(statement: ast.stmt) -> tuple[int, int]:
    """The first and the last line of a statement; of a branch, a loop, a function: of its head."""
    inside = getattr(statement, "body", None)
    last = inside[0].lineno - 1 if inside else statement.end_lineno or 0
    return statement.lineno, max(statement.lineno, last)


def lines_of(statement: ast.stmt) -> range:
    """The lines of `span`."""
    first, last = span(statement)
    return range(first, last + 1)


def is_alone(function: Function, statement: ast.stmt) -> bool:
    """Whether a statement shares its lines with no other; of comments it may have one."""
    first, last = span(statement)
    before = function.lines[first - 1].encode()[: statement.col_offset]
    if inside := getattr(statement, "body", None):
        return first == last < inside[0].lineno and not before.strip()
    after = function.lines[last - 1].encode()[statement.end_col_offset :]
    return not before.strip() and bool(re.fullmatch(rb"\s*(#.*)?", after))


def other_texts(function: Function, statement: ast.stmt) -> Iterator[str]:
    """What might stand in a statement's place, in one line: by the operators of the audit."""
    head = isinstance(statement, (ast.If, ast.For))
    if (getattr(statement, "body", None) and not head) or not is_alone(function, statement):
        return
    text = function.text(statement)
    if head and not text.startswith(("if ", "for ")):
        return
    try:
        body = ast.unparse(parse(f"{text} pass" if head else text))
    except SyntaxError:  # a comment between its lines
        return
    for mutant in mutants(body, [], {}):
        lines = mutant.body.split("\n")
        if mutant.kind in SYNTAX and len(lines) == 1 + head and (not head or lines[0][-1] == ":"):
            yield lines[0]
