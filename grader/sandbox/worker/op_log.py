"""What every op's backward was given and what it gave, noted while a program runs.

The ops of the learner's package are wrapped for that long. Nothing is judged here.
"""

from __future__ import annotations

import functools
import types

import numpy as np
import wire
from call_log import signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from clock import Clock
    from request import Probe
    from run import Bench
    from wire import Field

MOST_NODES = 256
MOST_VALUES = 4096  # of one node: more are not differentiated anyway
SENDABLE = "fiub"


def once_more(bench: Bench, probe: Probe, clock: type[Clock]) -> None:
    """Run a probe once more, and send what every op's backward was given and gave."""
    number, name, args, seconds, exercise = probe
    bench.enter(exercise)
    notes = Recorder(bench.bg)
    try:
        arguments = [wire.revive(arg, bench.request["arrays"]) for arg in args]
        with notes, clock(seconds):
            bench.program(name)(bench.bg, *arguments)
    except BaseException:
        pass  # that it fails is known; here it counts what was noted
    for texts, arrays in notes.found:
        bench.sender.send(number, wire.NODE, arrays, **texts)


class Recorder:
    """A context in which calls of `Function.backward` leave notes in ``found``."""

    def __init__(self, bg: Any) -> None:
        self.base = getattr(getattr(bg, "ops", None), "Function", None)
        self.found: list[tuple[dict[str, str], list[Field]]] = []
        self.depth = 0
        self.arguments: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.undo: list[tuple[type, str, Any]] = []

    def __enter__(self) -> Recorder:
        todo = [self.base] if isinstance(self.base, type) else []
        while todo:
            kind = todo.pop()
            todo += kind.__subclasses__()
            if kind is not self.base:
                self.wrap(kind, "__init__", self.made)
                self.wrap(kind, "backward", self.called)
        return self

    def __exit__(self, *_: object) -> None:
        for kind, name, method in self.undo:
            setattr(kind, name, method)

    def wrap(self, kind: type, name: str, around: Callable[..., Any]) -> None:
        method = kind.__dict__.get(name)
        if isinstance(method, types.FunctionType):
            self.undo.append((kind, name, method))
            setattr(kind, name, functools.wraps(method)(around(method)))

    def made(self, method: Callable[..., Any]) -> Callable[..., None]:
        """`__init__`, with the arguments remembered: what an op was made with."""

        def init(op: Any, *args: Any, **named: Any) -> None:
            method(op, *args, **named)
            given = signature(method).bind(op, *args, **named)
            given.apply_defaults()
            self.arguments[id(op)] = (op, given.args[1:])

        return init

    def called(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """`backward`, with a note of what went in and out; not of one inside another."""

        def backward(op: Any, out_grad: Any, node: Any) -> Any:
            self.depth += 1
            try:
                gradients = method(op, out_grad, node)
            finally:
                self.depth -= 1
            if self.depth == 0 and len(self.found) < MOST_NODES:
                self.found.append(self.note(op, out_grad, node, gradients))
            return gradients

        return backward

    def note(
        self, op: Any, out_grad: Any, node: Any, gradients: Any
    ) -> tuple[dict[str, str], list[Field]]:
        """(texts, arrays) of one call; without arrays where they cannot be read."""
        texts = {"op": type(op).__name__, "attrs": repr(self.arguments.get(id(op), (op, ()))[1])}
        try:
            asks = [bool(each.requires_grad) for each in node._inputs]
            texts["constants"] = " ".join(str(n) for n, asked in enumerate(asks) if not asked)
            if not isinstance(gradients, (tuple, list)):
                gradients = (gradients,)
            arrays = [("input", np.array(each.data)) for each in node._inputs]
            arrays += [("out_grad", np.array(out_grad.data))]
            arrays += [("gradient", np.array(each.data)) for each in gradients]
            fits = sum(array.size for _, array in arrays) <= MOST_VALUES
            plain = all(array.dtype.kind in SENDABLE for _, array in arrays)
            return texts, arrays if fits and plain and len(arrays) < 60 else []
        except Exception:
            return texts, []
