"""Trace a learner's functions in the worker: which lines run, their variables, and their calls.

It is a program like those of the course: `subject.py` sends it to the worker, which runs it beside
the package. The grader does not import it. The trace callbacks are methods, because a program's
functions may only be called by programs.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

Trace = Callable[[FrameType, str, Any], Any]
Described = tuple[str, object, object]

MOST, MOST_VALUES, MOST_ITEMS = 400, 12, 4  # MOST: lines that a call runs, or calls it makes


def trace_lines(
    bg: object, program: str, arguments: list[object], folder: str, places: list[str]
) -> dict[str, list[np.ndarray]]:
    """Run a program, and record the first call of each function at these places.

    Args:
        places: FILE:LINE of functions, their decorators included.
    """
    module, _, name = program.partition(".")
    watch = FirstCallTracer(folder, places)
    sys.settrace(watch.entered)
    try:
        getattr(sys.modules[f"programs.{module}"], name)(bg, *arguments)
    except Exception:
        pass  # a call that raised is not recorded
    finally:
        ended = sys.gettrace() != watch.entered  # learner code has replaced the trace function
        sys.settrace(None)
    text = json.dumps({} if ended else watch.told)
    return {"trace": [np.frombuffer(text.encode(), dtype=np.uint8)]}


class FirstCallTracer:
    """Records the first call of each wanted function, if it returns."""

    def __init__(self, folder: str, places: list[str]) -> None:
        self.folder = f"{folder}/"
        self.wanted = set(places)
        self.told: dict[str, dict[str, object]] = {}
        self.frames: dict[FrameType, Steps] = {}
        self.generators: set[FrameType] = set()

    def entered(self, frame: FrameType, event: str, arg: object) -> Trace | None:
        code = frame.f_code
        mine = code.co_filename.startswith(self.folder) and not code.co_name.startswith("<")
        if not mine or frame in self.generators:  # a generator enters its frame again and again
            return None
        place = f"{code.co_filename[len(self.folder) :]}:{code.co_firstlineno}"
        above = frame.f_back
        while above is not None:
            if above in self.frames:
                self.frames[above].led_to(place)
            above = above.f_back
        if code.co_flags & inspect.CO_GENERATOR:
            self.generators.add(frame)
        elif place in self.wanted:
            self.wanted.remove(place)
            self.frames[frame] = Steps(self.told, place, frame)
            return self.frames[frame].happened
        return None


class Steps:
    """Records the lines of one call, each with the variables it changed and what it called."""

    def __init__(self, told: dict[str, dict[str, object]], place: str, frame: FrameType) -> None:
        self.told, self.place = told, place
        self.names = describe_all(frame.f_locals)
        around = frame.f_code.co_freevars  # a closure's variables are no arguments
        self.given = describe_all({n: v for n, v in frame.f_locals.items() if n not in around})
        self.steps: list[tuple[int, dict[str, Described], list[str]]] = []
        self.calls = 0
        self.failing = False

    def led_to(self, place: str) -> None:
        self.calls += 1
        if self.calls <= MOST:
            self.steps[-1][2].append(place)

    def happened(self, frame: FrameType, event: str, arg: object) -> Trace:
        if self.steps and event in ("line", "return"):
            now = describe_all(frame.f_locals)
            self.steps[-1][1].update({n: s for n, s in now.items() if self.names.get(n) != s})
            self.names = now
        if event == "line" and len(self.steps) <= MOST:
            self.steps.append((frame.f_lineno, {}, []))
        if event == "return" and max(self.calls, len(self.steps)) <= MOST and not self.failing:
            gave = describe_all({"result": arg})
            self.told[self.place] = {"given": self.given, "steps": self.steps, "gave": gave}
        self.failing = event == "exception"
        return self.happened


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
