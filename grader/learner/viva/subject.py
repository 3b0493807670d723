"""A package that questions are asked about: its functions, calls of these, and changes to them."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cached_property
from typing import NamedTuple

from ...course.key_file import ChapterKey
from ...course.package import Package, digest
from ...course.splice import file_of
from ...grade_package import Grading
from ...result import list_array
from ...verdict import PASSED
from ..wording import numbers
from .functions import Function, read
from .traces import Call, trace

MOST_SAMPLES = 4  # of an exercise
MOST_SHOWN = 12  # values of an input


class Line(NamedTuple):
    """A line of a function."""

    function: Function
    number: int


class Sample(NamedTuple):
    """A call of a function, made by a probe whose inputs may be shown.

    Attributes:
        setting: what was called with what, a line each.
        shown: whether all inputs stand there.
    """

    function: Function
    probe: int
    setting: tuple[str, ...]
    shown: bool
    call: Call


class Subject:
    """A package, and the exercises of a chapter that questions are asked about.

    Attributes:
        passing: the exercises that pass: what a change breaks is told of these.
        ids: of these, the ones to ask about.
    """

    def __init__(self, grading: Grading, chapter: ChapterKey, ids: list[str]) -> None:
        self.grading = grading
        self.chapter = chapter
        mine = [row["id"] for row in chapter.exercises if row["id"] not in grading.given]
        statuses = self.statuses(grading.package, mine)
        self.passing = [id for id in mine if statuses[id] == PASSED]
        self.ids = [id for id in ids if id in self.passing]

    @cached_property
    def functions(self) -> list[Function]:
        """The functions of all exercises, in their order."""
        files = self.grading.package.files
        rows = [row for row in self.chapter.exercises if row["id"] in self.ids]
        found = []
        for id, target in ((row["id"], target) for row in rows for target in row["targets"]):
            file, path = file_of(target, files)
            text, nodes = read(files.get(file, b""))
            for name, node in nodes.items():
                if f"{name}.".startswith(f"{path}.") and isinstance(node, ast.FunctionDef):
                    found.append(Function(id, name, file, node, text))
        return found

    @cached_property
    def lines(self) -> list[Line]:
        """Every line of every function."""
        return [Line(function, n) for function in self.functions for n in function.lines]

    @cached_property
    def samples(self) -> list[Sample]:
        """Some calls of each function, by inputs that are public."""
        public = {id: self._public(id) for id in self.ids}
        calls = self.calls(self.grading.package, [n for each in public.values() for n in each])
        return [
            Sample(function, number, *self.setting_of(number), calls[number][function.place])
            for function in self.functions for number in public[function.exercise]
            if function.place in calls[number]
        ]  # fmt: skip

    def _public(self, id: str) -> list[int]:
        """The first probe of some checks that hide none; its words have to say which one it is."""
        checks = [c for c in self.chapter.checks if c["exercise"] == id and c["probes"]]
        secret = {n for check in checks if check["hidden"] for n in check["probes"]}
        said = Counter(
            self.setting_of(n) for n, row in enumerate(self.chapter.probes) if row["exercise"] == id
        )
        firsts = dict.fromkeys(check["probes"][0] for check in checks)
        plain = [n for n in firsts if n not in secret and said[self.setting_of(n)] == 1]
        return plain[:MOST_SAMPLES]

    def setting_of(self, probe: int) -> tuple[tuple[str, ...], bool]:
        """What a probe calls with what, a line each, and whether all of its inputs stand there."""
        row = self.chapter.probes[probe]
        arrays = {name: self.chapter.array(number) for name, number in row["shown"]}
        large = {name for name, array in arrays.items() if len(array.values()) > MOST_SHOWN}
        lines = [
            f"{name}: an array of shape {array.shape}" if name in large
            else f"{name} = {numbers(list_array(array))}"
            for name, array in arrays.items()
        ]  # fmt: skip
        return (row["call"], *lines), not large

    def replaced(self, function: Function, texts: dict[int, str]) -> Package:
        """The package with other text in some lines, indented as what stood there."""
        lines = list(function.text)
        for number, text in texts.items():
            lines[number - 1] = lines[number - 1].replace(function.line(number), text)
        old = self.grading.package
        files = {**old.files, function.file: "\n".join(lines).encode()}
        return old._replace(files=files, sha256=digest(files))

    def calls(
        self, package: Package, probes: list[int], chapter: ChapterKey | None = None
    ) -> dict[int, dict[str, Call]]:
        """Probe → place of a function → its first call, where these probes run this package.

        Args:
            chapter: the key's, with further probes.
        """
        places = [function.place for function in self.functions]
        return trace(self._grading(package), chapter or self.chapter, probes, places)

    def statuses(self, package: Package, ids: list[str]) -> dict[str, str]:
        """Exercise → how it ends where this package is judged instead."""
        verdicts = self._grading(package).at_first(self.chapter, ids)
        return {id: verdicts[id].status for id in ids}

    def _grading(self, package: Package) -> Grading:
        old = self.grading
        return Grading(old.key, package, old.launch, old.given, least=old.least)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Place → the function that begins there, as an option names it."""
        return {
            Function("", name, file, node, []).place: f"`{name}` of {file}"
            for file, data in self.grading.package.files.items()
            for name, node in read(data)[1].items() if isinstance(node, ast.FunctionDef)
        }  # fmt: skip
