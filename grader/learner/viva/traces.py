"""Probes run with a trace: what each call of the package's functions had and gave.

The worker may send anything: what is kept of it are numbers, short texts and places in the files.
"""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Mapping
from functools import cache, lru_cache
from types import CodeType
from typing import Any, NamedTuple

from ...course.key_file import ChapterKey
from ...course.package import Package
from ...course.syntax_tree import find_definitions, span
from ...judge.runner import Runner
from ...sandbox.observation import Observation, printable
from ...sandbox.own_code import compile_guarded
from ...sandbox.session import Session, compiled

PROGRAM = "line_trace"
BESIDE = 1 << 20  # the numbers of what is loaded and never run
MOST_CHARACTERS = 80
Places = Mapping[str, list[tuple[str, int, int]]]  # (file, first line, last line)


class Seen(NamedTuple):
    """What is known of a value.

    Attributes:
        values: of an array that has few of them.
        plain: a number or a text, as Python writes it.
    """

    type: str
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    values: tuple[float, ...] | None = None
    plain: str = ""
    items: tuple[Seen, ...] = ()

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The numbers that it holds, where they are few."""
        if self.shape is not None:
            return None if self.dtype == "bool" else self.values
        try:
            return (float(self.plain),)
        except ValueError:
            return None

    @property
    def parts(self) -> tuple[Seen, ...]:
        """An array or a number by itself, the arrays of a tuple; none where it is anything else."""
        if self.items:
            return self.items if all(part.shape is not None for part in self.items) else ()
        return (self,) if self.shape is not None or self.numbers is not None else ()


class Call(NamedTuple):
    """One call of a function of the package.

    Attributes:
        name: as targets are named, without the file.
        by: the number of the call that made it; -1 where no code of theirs did.
        line: of the caller.
        steps: (line, what names have changed by it), where they were wanted.
        raised: the class of what it raised, and the classes above that.
        whole: whether all of its steps are there, to the end.
    """

    name: str
    file: str
    by: int
    line: int
    given: dict[str, Seen]
    steps: list[tuple[int, dict[str, Seen]]]
    gave: Seen | None
    raised: tuple[str, ...]
    whole: bool

    @property
    def label(self) -> str:
        return f"`{self.name}` of {self.file}"

    def count(self, lines: range) -> int:
        """How often one of these lines was begun."""
        return sum(line in lines for line, _ in self.steps)


class Trace(NamedTuple):
    """The calls of one probe, in the order in which they began."""

    calls: list[Call]
    whole: bool


def trace(
    runner: Runner, chapter: ChapterKey, numbers: list[int], places: Places
) -> dict[int, Trace]:
    """What these probes of a chapter have the runner's package do.

    Args:
        runner: one that is used for nothing else.
        places: exercise → its functions, whose steps are noted in its probes.
    """
    package = runner.package

    def session(launch: Any, request: Any, owners: Any, *rest: Any) -> Session:
        return Session(launch, with_trace(request, package.folder, places), owners, *rest)

    runner.new_session = session
    opened = runner.open_session(chapter, [], numbers)
    opened.run()
    run = opened.close()
    names = names_by_place(package)
    read = {number: read_trace(got, names) for number, got in run.observations.items()}
    return {number: got for number, got in read.items() if got is not None}


def with_trace(request: Any, folder: str, places: Places) -> Any:
    """A request whose probes are run through the tracing program, which is sent along."""
    codes: dict[str, CodeType] = marshal.loads(compiled(request["programs"]))
    probes = [
        (number, f"{PROGRAM}.trace_lines", [name, args, folder, places[id]], seconds, id)
        for number, name, args, seconds, id in request["probes"]
    ]
    beside = [(BESIDE + number, *rest) for number, *rest in request["probes"]]
    return {
        **request, "programs": marshal.dumps({**codes, f"{PROGRAM}.py": program()}),
        "probes": [*probes, *beside], "looked_at": {},
    }  # fmt: skip


@cache
def program() -> CodeType:
    """The tracing program, ready to be sent."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{PROGRAM}.py")
    with open(path, encoding="utf-8") as file:
        return compile_guarded(f"programs/{PROGRAM}.py", file.read())


def names_by_place(package: Package) -> dict[tuple[str, int], str]:
    """(file, first line, decorators too) → the name of the function that begins there."""
    return {
        (file, line): name
        for file, data in package.files.items()
        for line, name in _names_by_line(data).items()
    }


@lru_cache(maxsize=64)  # of a copy with one change all other files are the same
def _names_by_line(data: bytes) -> dict[int, str]:
    try:
        nodes = find_definitions(data.decode("utf-8-sig"))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return {span(node)[0]: name for name, node in nodes.items()}


def read_trace(got: Observation, names: Mapping[tuple[str, int], str]) -> Trace | None:
    """A trace, as far as it can be believed; None where it is none."""
    try:
        said = json.loads(got.parts["trace"][0].text())
        calls = [_call(each, names) for each in said["calls"]]
        return Trace(calls, not said["cut"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError):
        return None


def _call(said: dict[str, Any], names: Mapping[tuple[str, int], str]) -> Call:
    place = str(said["file"]), int(said["first"])
    steps = [(int(line), _names(changed)) for line, changed in said.get("steps", ())]
    return Call(
        names.get(place, ""), place[0], int(said["by"]), int(said["line"]),
        _names(said.get("given", {})), steps, _seen(said["gave"]) if "gave" in said else None,
        tuple(map(_short, said.get("raised", ()))),
        not said.get("cut") and ("gave" in said or "raised" in said),
    )  # fmt: skip


def _names(said: dict[str, Any]) -> dict[str, Seen]:
    return {_short(name): _seen(each) for name, each in said.items()}


def _seen(said: dict[str, Any]) -> Seen:
    shape, values = said.get("shape"), said.get("values")
    items = said.get("items", ())
    every = items if said.get("length") == len(items) else ()
    return Seen(
        _short(said["type"]), None if shape is None else tuple(map(int, shape)),
        _short(said.get("dtype", "")), None if values is None else tuple(map(float, values)),
        _short(said.get("plain", "")), tuple(map(_seen, every)),
    )  # fmt: skip


def _short(text: Any) -> str:
    return printable(str(text)[:MOST_CHARACTERS].encode())
