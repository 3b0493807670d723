"""Record the inputs and results of every op's backward during a backward pass.

A probe runs once more with the learner's definitions wrapped, and the notes go to the grader, which
alone can say what is right.
"""

from __future__ import annotations

import functools
import types

import numpy as np
import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable
    from typing import Any

    from clock import Clock
    from request import Probe
    from run import ProbeRunner
    from wire import Field, Numbers

MOST_NODES = 256  # of one walk
MOST_VALUES = 4096  # of one call: more are not differentiated anyway
SENDABLE = "fiub"


class Recorder:
    """A context in which the backward of every op leaves notes in ``found``.

    Args:
        bg: the learner's package.
    """

    def __init__(self, bg: Any) -> None:
        self.bg = bg
        self.made_with: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.undo: list[tuple[Any, str, Any]] = []
        self.found: list[tuple[dict[str, str], list[Field]]] = []
        self.depth = 0

    def __enter__(self) -> Recorder:
        base = getattr(getattr(self.bg, "ops", None), "Function", None)
        todo: list[type] = base.__subclasses__() if isinstance(base, type) else []
        while todo:
            kind = todo.pop()
            todo += kind.__subclasses__()
            self.wrap(kind, "__init__", self.remembers)
            self.wrap(kind, "backward", self.called)
        return self

    def __exit__(self, *_: object) -> None:
        for holder, name, method in reversed(self.undo):
            setattr(holder, name, method)

    def wrap(
        self, holder: Any, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]
    ) -> None:
        """Wrap a method, if this very class defines it."""
        method = vars(holder).get(name)
        if isinstance(method, types.FunctionType):
            self.undo.append((holder, name, method))
            setattr(holder, name, functools.wraps(method)(wrapper(method)))

    def remembers(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `__init__` to remember an op's arguments."""

        def init(op: Any, *args: Any, **named: Any) -> None:
            method(op, *args, **named)
            self.made_with[id(op)] = (op, bound(method, op, *args, **named)[1:])

        return init

    def called(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `backward` to note its inputs and results; a call inside another is left out."""

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
        """Return (texts, arrays) of one call; no arrays if they cannot be read."""
        texts = {"op": type(op).__name__, "attrs": repr(self.made_with.get(id(op), (op, ()))[1])}
        try:
            asks = [bool(each.requires_grad) for each in node._inputs]
            texts["constants"] = " ".join(str(n) for n, asked in enumerate(asks) if not asked)
            if not isinstance(gradients, (tuple, list)):
                gradients = (gradients,)
            arrays = [("input", sendable(each.data)) for each in node._inputs]
            arrays += [("out_grad", sendable(out_grad.data))]
            arrays += [("gradient", sendable(each.data)) for each in gradients]
            fits = sum(array.size for _, array in arrays) <= MOST_VALUES
            return texts, arrays if fits and len(arrays) < 60 else []
        except Exception:
            return texts, []


def record_ops(runner: ProbeRunner, probe: Probe, clock: type[Clock]) -> None:
    """Run a probe once more; send the inputs and results of every op's backward."""
    number, name, args, seconds, exercise = probe
    runner.enter(exercise)
    notes = Recorder(runner.bg)
    try:
        arguments = [wire.decode_argument(arg, runner.request["arrays"]) for arg in args]
        with notes, clock(seconds):
            runner.program(name)(runner.bg, *arguments)
    except BaseException:
        pass  # its failure is known already; the notes count
    for texts, arrays in notes.found:
        runner.sender.send(number, wire.NODE, arrays, **texts)


def bound(method: Callable[..., Any], *args: Any, **named: Any) -> tuple[Any, ...]:
    """Return the arguments of a call by position, defaults included."""
    found = signature(method).bind(*args, **named)
    found.apply_defaults()
    return (*found.args, *found.kwargs.values())


@functools.lru_cache(maxsize=256)
def signature(method: Callable[..., Any]) -> inspect.Signature:
    import inspect  # rarely needed, and slow to import

    return inspect.signature(method)


def sendable(data: Any) -> Numbers:
    array = np.array(data)
    if array.dtype.kind not in SENDABLE:
        raise ValueError
    return array
