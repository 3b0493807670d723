"""Which lines of a learner's functions run, and what their names hold then.

It is a program like those of the course: `traces.py` sends its text to the worker, which runs it
beside the package. Nothing here is imported by the grader. What Python calls back are methods:
functions of programs may be called by programs alone.
"""

from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

import numpy as np

MOST_CALLS, MOST_STEPS, MOST_STEPPED = 400, 400, 8
MOST_VALUES, MOST_ITEMS, MOST_CHARACTERS = 12, 4, 80
PLAIN = (bool, int, float, str, type(None))


def trace_lines(
    bg: Any, program: str, arguments: list[Any], folder: str, places: list[tuple[str, int, int]]
) -> dict[str, list[Any]]:
    """What a program has the package do: its calls in their order, with the steps of some.

    Args:
        places: (file, first line, last line) of the functions whose steps are wanted.
    """
    module, _, name = program.partition(".")
    watch = Watch(folder, places)
    sys.settrace(watch.entered)
    try:
        getattr(sys.modules[f"programs.{module}"], name)(bg, *arguments)
    except Exception:
        pass  # the call that raised says so
    finally:
        watch.cut |= sys.gettrace() != watch.entered  # somebody has put an end to it
        sys.settrace(None)
    text = json.dumps({"calls": watch.calls, "cut": watch.cut})
    return {"trace": [np.frombuffer(text.encode(), dtype=np.uint8)]}


class Watch:
    """Notes every call of a function of the package."""

    def __init__(self, folder: str, places: list[tuple[str, int, int]]) -> None:
        self.folder = f"{folder}/"
        self.places = places
        self.calls: list[dict[str, Any]] = []
        self.numbers: dict[FrameType, int] = {}  # frame → the number of its call
        self.stepped = 0
        self.cut = False

    def entered(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        mine = code.co_filename.startswith(self.folder) and not code.co_name.startswith("<")
        if not mine or frame in self.numbers:
            return None
        if len(self.calls) >= MOST_CALLS:
            self.cut = True
            return None
        file, first = code.co_filename[len(self.folder) :], code.co_firstlineno
        by, line = self.caller(frame)
        call: dict[str, Any] = {"file": file, "first": first, "by": by, "line": line}
        self.numbers[frame] = len(self.calls)
        self.calls.append(call)
        wanted = any(file == f and a <= first <= b for f, a, b in self.places)
        if not wanted or self.stepped >= MOST_STEPPED:
            return None
        self.stepped += 1
        return Steps(call, frame).happened

    def caller(self, frame: FrameType) -> tuple[int, int]:
        """The number of the call that made this one, and the line; -1 where it was not theirs."""
        above = frame.f_back
        while above is not None and above not in self.numbers:
            above = above.f_back
        return (-1, 0) if above is None else (self.numbers[above], above.f_lineno)


class Steps:
    """Notes the lines of one call, each with the names that it has changed."""

    def __init__(self, call: dict[str, Any], frame: FrameType) -> None:
        self.call = call
        self.names = self.held(frame)
        self.failing = False
        code = frame.f_code
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = {name: said for name, said in self.names.items() if name in arguments}
        call.update(given=given, steps=[])  # what a closure found around it was not handed to it

    def happened(self, frame: FrameType, event: str, arg: Any) -> Any:
        steps = self.call["steps"]
        if steps and event in ("line", "return"):
            now = self.held(frame)
            steps[-1][1].update({n: s for n, s in now.items() if self.names.get(n) != s})
            self.names = now
        if event == "line":
            self.failing = False
            if len(steps) >= MOST_STEPS:
                self.call["cut"] = True
                return None
            steps.append([frame.f_lineno, {}])
        elif event == "exception":
            self.failing = True
            self.call["raised"] = [kind.__name__ for kind in arg[0].__mro__]
        elif event == "return" and not self.failing:
            self.call.pop("raised", None)
            self.call["gave"] = self.seen(arg)
        return self.happened

    def held(self, frame: FrameType) -> dict[str, Any]:
        return {name: self.seen(value) for name, value in frame.f_locals.items()}

    def seen(self, value: Any, depth: int = 0) -> dict[str, Any]:
        """What can be said of a value: its type, and of arrays and numbers what they hold."""
        said: dict[str, Any] = {"type": type(value).__name__}
        inside = getattr(value, "__dict__", {}).get("data", value)
        if isinstance(inside, (np.ndarray, np.generic)) and inside.dtype.kind in "fiub":
            said.update(shape=inside.shape, dtype=inside.dtype.name)
            if inside.size <= MOST_VALUES:
                said["values"] = [float(each) for each in np.ravel(inside)]
        elif type(inside) in PLAIN:
            said["plain"] = repr(inside)[:MOST_CHARACTERS]
        elif type(value) in (tuple, list) and depth < 2:
            said["items"] = [self.seen(each, depth + 1) for each in value[:MOST_ITEMS]]
            said["length"] = len(value)
        return said
