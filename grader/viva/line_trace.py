"""Record a learner's functions in the worker: which lines run, their variables, and their calls.

It is a program like those of the course: `traces.py` sends it to the worker, beside a copy of the
package whose functions tell what they do (`line_notes.py`). The grader does not import it. The
notes call methods, because a program's functions may only be called by programs.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any

import numpy as np

Described = tuple[str, object, object]

MOST, MOST_VALUES, MOST_ITEMS = 400, 12, 4  # MOST: lines that a call runs, or calls it makes
NOTE = "__told__"  # as in `line_notes.py`


def record_calls(
    bg: object, program: str, arguments: list[object], places: list[str]
) -> dict[str, Any]:
    """Run a program, and add to its parts the first call of each function at these places.

    Args:
        places: FILE:LINE of functions, their decorators included.
    """
    module, _, name = program.partition(".")
    recorder, names = CallRecorder(places), vars(sys.modules["builtins"])
    names[NOTE] = recorder
    parts: Any = {}
    try:
        parts = getattr(sys.modules[f"programs.{module}"], name)(bg, *arguments)
    except Exception:
        pass  # a call that raised is not recorded
    finally:
        names.pop(NOTE, None)
    named = parts if isinstance(parts, dict) else {"value": parts}
    text = json.dumps(recorder.told).encode()
    return {**named, "trace": [np.frombuffer(text, dtype=np.uint8)]}


class CallRecorder:
    """Records the first call of each wanted function, if it returns."""

    def __init__(self, places: list[str]) -> None:
        self.wanted = set(places)
        self.told: dict[str, dict[str, object]] = {}
        self.frames: dict[FrameType, Steps] = {}

    def enter(self, place: str) -> None:
        frame = sys._getframe(1)
        above = frame.f_back
        while above is not None:
            if above in self.frames:
                self.frames[above].led_to(place)
            above = above.f_back
        if place in self.wanted and not frame.f_code.co_flags & inspect.CO_GENERATOR:
            self.wanted.remove(place)
            self.frames[frame] = Steps(self.told, place, frame)

    def line(self, number: int) -> None:
        if call := self.frames.get(sys._getframe(1)):
            call.begin_line(number)

    def each(self, number: int, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items; a loop comes back to its first line for each."""
        call = self.frames.get(sys._getframe(1))
        for item in items:
            yield item
            if call:
                call.begin_line(number)

    def gave(self, value: Any) -> Any:
        if call := self.frames.get(sys._getframe(1)):
            call.end(value)
        return value


class Steps:
    """Records the lines of one call, each with the variables it changed and what it called."""

    def __init__(self, told: dict[str, dict[str, object]], place: str, frame: FrameType) -> None:
        self.told, self.place, self.frame = told, place, frame
        self.names = describe_all(frame.f_locals)
        around = frame.f_code.co_freevars  # a closure's variables are no arguments
        self.given = describe_all({n: v for n, v in frame.f_locals.items() if n not in around})
        self.steps: list[tuple[int, dict[str, Described], list[str]]] = []
        self.calls = 0

    def led_to(self, place: str) -> None:
        self.calls += 1
        if self.calls <= MOST:
            self.steps[-1][2].append(place)

    def begin_line(self, number: int) -> None:
        self.end_line()
        if len(self.steps) <= MOST:
            self.steps.append((number, {}, []))

    def end_line(self) -> None:
        """Note the variables that the last line has changed."""
        now = describe_all(self.frame.f_locals)
        if self.steps:
            self.steps[-1][1].update({n: s for n, s in now.items() if self.names.get(n) != s})
        self.names = now

    def end(self, value: object) -> None:
        self.end_line()
        if max(self.calls, len(self.steps)) <= MOST:
            gave = describe_all({"result": value})
            self.told[self.place] = {"given": self.given, "steps": self.steps, "gave": gave}


def describe_all(names: dict[str, Any]) -> dict[str, Described]:
    """Describe variables; a short tuple or list by its items: `name[0]`, `name[1]` …"""
    found: dict[str, Described] = {}
    for name, value in names.items():
        if type(value) in (tuple, list) and len(value) <= MOST_ITEMS:
            found.update({f"{name}[{at}]": describe_value(each) for at, each in enumerate(value)})
        else:
            found[name] = describe_value(value)
    return found


def describe_value(value: object) -> Described:
    """Return type, shape and, if few and finite, numbers; of what is no number, only the type."""
    inside = getattr(value, "__dict__", {}).get("data", value)
    kind = type(value).__name__
    if not isinstance(inside, (np.ndarray, np.generic, int, float)):
        return kind, None, None
    array = np.asarray(inside)
    few = array.dtype.kind in "fiu" and array.size <= MOST_VALUES and np.isfinite(array).all()
    shape = array.shape if isinstance(inside, (np.ndarray, np.generic)) else None
    return f"{kind} of {array.dtype}", shape, np.ravel(array).tolist() if few else None
