"""Probes run with a trace: what the first call of each function had, did and gave.

The worker may send anything: what is kept of it are numbers, texts and places in the files.
"""

from __future__ import annotations

import marshal
import math
import os
from collections.abc import Iterable
from functools import cache
from types import CodeType
from typing import Any, NamedTuple

from ...course.key_file import ChapterKey, Json
from ...course.outside import parse_json
from ...course.package import Unfit
from ...judge.runner import Runner
from ...sandbox.observation import Observation
from ...sandbox.own_code import compile_guarded
from ...sandbox.session import compiled

PROGRAM = "line_trace"
BESIDE = 1 << 20  # the numbers of what is loaded and never run


class Value(NamedTuple):
    """An array, whose numbers are known where they are few; a number; of all else its type.

    Attributes:
        shape: None of what is no array.
    """

    type: str
    shape: tuple[int, ...] | None
    numbers: tuple[float, ...] | None


class Step(NamedTuple):
    """A line that ran, the names that it has changed, and what was called until the next one."""

    line: int
    names: dict[str, Value]
    calls: list[str]  # file:line of each function


class Call(NamedTuple):
    """One call of a function that returned; a tuple is there by its items, such as `result[0]`."""

    given: dict[str, Value]
    steps: list[Step]
    gave: dict[str, Value]

    @property
    def values(self) -> list[Value]:
        """All that it had in its hands."""
        names = [self.given, *(step.names for step in self.steps), self.gave]
        return [value for each in names for value in each.values()]

    def count(self, line: int) -> int:
        """How often a line was begun."""
        return sum(step.line == line for step in self.steps)


def trace(
    runner: Runner, chapter: ChapterKey, numbers: list[int], places: list[str]
) -> dict[int, dict[str, Call]]:
    """Probe → place → the first call there, where the runner's package runs these probes.

    Args:
        places: file:line of functions, their decorators included.
    """
    session = runner.open_session(chapter, [], numbers)
    request: Any = session.request
    codes: dict[str, CodeType] = marshal.loads(compiled(request["programs"]))
    codes[f"{PROGRAM}.py"] = program()
    probes = [
        (number, f"{PROGRAM}.trace_lines", [name, args, request["folder"], places], *rest)
        for number, name, args, *rest in request["probes"]
    ]
    beside = [(BESIDE + number, *rest) for number, *rest in request["probes"]]
    request.update(programs=marshal.dumps(codes), probes=[*probes, *beside], looked_at={})
    session.run()
    found = session.close().observations
    return {n: read_calls(found[n]) if n in found else {} for n in numbers}


@cache
def program() -> CodeType:
    """The tracing program, ready to be sent."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{PROGRAM}.py")
    with open(path, encoding="utf-8") as file:
        return compile_guarded(f"programs/{PROGRAM}.py", file.read())


def read_calls(got: Observation) -> dict[str, Call]:
    """The calls of a trace; none where it cannot be believed."""
    try:
        said = parse_json(bytes(got.parts["trace"][0].data))
        return {place: _call(**each) for place, each in said.items()}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, Unfit):
        return {}


def _call(given: Json, steps: Iterable[tuple[int, Json, list[str]]], gave: Json) -> Call:
    read = [Step(int(line), _names(now), list(map(str, calls))) for line, now, calls in steps]
    return Call(_names(given), read, _names(gave))


def _names(said: Json) -> dict[str, Value]:
    return {name: _value(*each) for name, each in said.items()}


def _value(kind: str, shape: list[int] | None, numbers: list[float] | None) -> Value:
    sizes = None if shape is None else tuple(map(int, shape))
    known = None if numbers is None else tuple(map(float, numbers))
    if known is not None and math.prod(sizes or ()) != len(known):
        raise ValueError("it says two things of one array")
    return Value(str(kind), sizes, known)
