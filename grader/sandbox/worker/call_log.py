"""The calls that a probe makes of certain definitions, noted; and some of them put right.

A probe runs once more with the learner's definitions wrapped. What a call was given and what it
gave goes to the grader, which alone can say what is right. It may ask for the probe once more,
and hand in what a call should have given: then it shows whether all comes right with that. What
is handed in belongs to these very calls; no rule and no walk ever stands here.

It may ask, too, what every op's backward was given and gave on a walk back.
"""

from __future__ import annotations

import functools
import types

import numpy as np
import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from clock import Clock
    from request import Arrays, Probe
    from run import Bench
    from wire import Field, Numbers

MOST_CALLS = 48  # of one probe
MOST_NODES = 256  # of one walk
MOST_VALUES = 4096  # of one call: more are not differentiated anyway
SENDABLE = "fiub"
PLAIN = (int, float, bool, str, type(None))
FORWARD, BACKWARD, TENSOR, VALUE, OWN = "forward", "backward", "tensor", "value", "own"


class Note:
    """One call: its target, within which other it was made, what it was given and gave."""

    def __init__(
        self, target: str, within: int, key: str, texts: dict[str, str], arrays: list[Field]
    ) -> None:
        self.target = target
        self.within = within
        self.key = key
        self.texts = texts
        self.arrays = arrays


class Wrapping:
    """A context in which definitions of the learner's package are wrapped.

    Args:
        bg: the learner's package.
    """

    def __init__(self, bg: Any) -> None:
        self.bg = bg
        self.made_with: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.undo: list[tuple[Any, str, Any]] = []

    def __exit__(self, *_: object) -> None:
        for holder, name, method in reversed(self.undo):
            setattr(holder, name, method)

    def replace(self, holder: Any, name: str, wrapper: Callable[..., Any]) -> None:
        method = vars(holder)[name]
        self.undo.append((holder, name, method))
        setattr(holder, name, functools.wraps(method)(wrapper))

    def remember(self, kind: type) -> None:
        """From now on it is known what an op of this class was made with."""
        method = vars(kind).get("__init__")
        if not isinstance(method, types.FunctionType) or getattr(method, "remembers", False):
            return

        def init(op: Any, *args: Any, **named: Any) -> None:
            method(op, *args, **named)
            self.made_with[id(op)] = (op, bound(method, op, *args, **named)[1:])

        init.remembers = True  # type: ignore[attr-defined]
        self.replace(kind, "__init__", init)


class Calls(Wrapping):
    """A context in which the calls of ``targets`` leave notes in ``notes``.

    Args:
        targets: target → what kind of definition it is, a word of this module.
        instead: key of a call → what it should give; such a call is not made.
        arrays: the arrays that ``instead`` names.
    """

    def __init__(
        self, bg: Any, targets: Mapping[str, str], instead: Mapping[str, Any], arrays: Arrays
    ) -> None:
        super().__init__(bg)
        self.targets = targets
        self.instead = instead
        self.arrays = arrays
        self.notes: list[Note] = []
        self.open: list[int] = []

    def __enter__(self) -> Calls:
        for target, kind in self.targets.items():
            path = target.split(".")
            holder = self.bg
            for name in path[:-1]:
                holder = getattr(holder, name, None)
            method = vars(holder).get(path[-1]) if holder is not None else None
            if isinstance(method, types.FunctionType):
                if kind in (FORWARD, BACKWARD):
                    self.remember(holder)
                self.replace(holder, path[-1], self.noted(method, target, kind))
        return self

    def noted(self, method: Callable[..., Any], target: str, kind: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            if len(self.notes) >= MOST_CALLS:
                return method(*args, **named)
            note = self.begun(method, target, kind, args, named)
            self.notes.append(note)
            self.open.append(len(self.notes) - 1)
            try:
                right = self.instead.get(note.key)
                if right is not None:
                    gave = self.made(right, bound(method, *args, **named))
                else:
                    gave = method(*args, **named)
            except BaseException as error:
                note.texts["ended"] = type(error).__name__
                raise
            finally:
                self.open.pop()
            note.texts["right"] = str(int(right is not None))
            if kind != OWN and note.key:
                after = self.told(looked_at(kind, bound(method, *args, **named)))[1]
                same = list(map(fingerprint, after)) == list(map(fingerprint, note.arrays))
                note.texts["changed"] = str(int(not same))
                self.ended(note, kind, gave, args)
            return gave

        return call

    # ---- what is told of a call -----------------------------------------------------------

    def begun(
        self,
        method: Callable[..., Any],
        target: str,
        kind: str,
        args: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Note:
        within = self.open[-1] if self.open else -1
        if kind == OWN:
            return Note(target, within, "", {}, [])
        try:
            given = bound(method, *args, **named)
            attrs = self.made_with.get(id(given[0]), (None, ()))[1]
            told, arrays = self.told(looked_at(kind, given))
            texts = {"given": repr(told), "attrs": repr(plainly(attrs))}
            size = sum(array.size for _, array in arrays)
            if size > MOST_VALUES:
                raise ValueError
            key = str(hash((target, repr(told), repr(attrs), *map(fingerprint, arrays))))
            return Note(target, within, key, texts, arrays)
        except Exception:
            return Note(target, within, "", {"given": "None"}, [])

    def told(self, given: Sequence[Any]) -> tuple[list[Any], list[Field]]:
        """Each argument as a word or a plain value, and the arrays of those that hold one."""
        told: list[tuple[object, ...]] = []
        arrays: list[Field] = []
        for each in given:
            if isinstance(each, (np.ndarray, np.generic)):
                told.append(("array",))
                arrays.append(("input", sendable(each)))
            elif self.holds(each):
                told.append(("tensor", bool(each.requires_grad)) if self.is_tensor(each)
                            else ("value",))  # fmt: skip
                arrays.append(("input", sendable(each.data)))
            else:
                told.append(("plain", plainly(each)))
        return told, arrays

    def ended(self, note: Note, kind: str, gave: Any, args: tuple[Any, ...]) -> None:
        """Add what a call gave; nothing where that cannot be read."""
        several = isinstance(gave, (tuple, list)) and kind == BACKWARD
        found = list(gave) if several else [gave]
        try:
            if kind == FORWARD:
                arrays = [("gave", sendable(each)) for each in found]
            else:
                arrays = [("gave", sendable(each.data)) for each in found if self.holds(each)]
            if len(arrays) != len(found) or sum(a.size for _, a in arrays) > MOST_VALUES:
                return
        except Exception:
            return
        note.texts["gave"] = "1"
        if kind in (TENSOR, VALUE):
            note.texts["reached"] = self.reached(gave, args)
        note.arrays = note.arrays + arrays

    def reached(self, gave: Any, args: tuple[Any, ...]) -> str:
        """For each argument that is a node: whether the result's graph leads to it, and as often
        as it was given: `x * x` does so twice."""
        nodes = [id(each) for each in args if self.holds(each)]
        edges = dict.fromkeys(nodes, 0)
        seen: set[int] = set()
        todo = [gave]
        while todo and len(seen) < 1000:
            node = todo.pop()
            if id(node) in edges:
                edges[id(node)] += 1
            elif id(node) not in seen:
                seen.add(id(node))
                todo += getattr(node, "_inputs", None) or getattr(node, "_prev", None) or ()
        return "".join(str(int(edges[node] >= nodes.count(node))) for node in nodes)

    def is_tensor(self, each: object) -> bool:
        return isinstance(each, getattr(self.bg, "Tensor", ()))

    def holds(self, each: object) -> bool:
        value = getattr(getattr(self.bg, "scalar", None), "Value", ())
        return self.is_tensor(each) or isinstance(each, value)

    # ---- what should have been given --------------------------------------------------------

    def made(self, right: Any, given: Sequence[Any]) -> Any:
        """What a call gives instead: arrays, Tensors, a node of the learner's ops, or a Value."""
        how, *what = right
        if how == "arrays":
            return wire.revive({"array": what[0]}, self.arrays)
        if how == "tensors":
            data = [wire.revive({"array": name}, self.arrays) for name in what]
            found = tuple(self.bg.Tensor(d, dtype=d.dtype, requires_grad=False) for d in data)
            return found if len(found) > 1 else found[0]
        if how == "value":
            data, slopes = what
            return self.value(data, slopes, given)
        found = given[0]
        for op, attrs, order in what:
            places = [found if place < 0 else given[place] for place in order]
            found = getattr(self.bg.ops, op)(*wire.revive(attrs, {}))(*places)
        return found

    def value(self, data: Any, slopes: Sequence[float], given: Sequence[Any]) -> Any:
        kind = self.bg.scalar.Value
        sources = [each if isinstance(each, kind) else kind(each) for each in given[: len(slopes)]]
        out = kind(data, tuple(sources))

        def push() -> None:
            for source, slope in zip(sources, slopes, strict=False):
                source.grad += slope * out.grad

        out._backward = push
        return out


def once_more(
    bench: Bench, probe: Probe, targets: Mapping[str, str], instead: Mapping[str, Any]
) -> None:
    """Run a probe with these calls put right; send how it ended, then what it called."""
    bench.enter(probe[4])
    calls = Calls(bench.bg, targets, instead, bench.request["arrays"])
    with calls:
        bench.run(probe)
    for note in calls.notes:
        texts: dict[str, Any] = note.texts.copy()
        texts.update(target=note.target, within=note.within, key=note.key)
        try:
            bench.sender.send(probe[0], wire.CALL, note.arrays, **texts)
        except wire.Unsendable:
            texts.pop("gave", None)
            bench.sender.send(probe[0], wire.CALL, **texts)


class Recorder(Wrapping):
    """A context in which the backward of every op leaves notes in ``found``."""

    def __init__(self, bg: Any) -> None:
        super().__init__(bg)
        self.found: list[tuple[dict[str, str], list[Field]]] = []
        self.depth = 0

    def __enter__(self) -> Recorder:
        base = getattr(getattr(self.bg, "ops", None), "Function", None)
        todo: list[type] = base.__subclasses__() if isinstance(base, type) else []
        while todo:
            kind = todo.pop()
            todo += kind.__subclasses__()
            self.remember(kind)
            method = vars(kind).get("backward")
            if isinstance(method, types.FunctionType):
                self.replace(kind, "backward", self.called(method))
        return self

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


def record_ops(bench: Bench, probe: Probe, clock: type[Clock]) -> None:
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


def looked_at(kind: str, given: Sequence[Any]) -> Sequence[Any]:
    """Of the arguments of a call: those that its result is made of."""
    if kind == BACKWARD:
        return (given[1], *given[2]._inputs)
    return given[1:] if kind == FORWARD else given


def bound(method: Callable[..., Any], *args: Any, **named: Any) -> tuple[Any, ...]:
    """The arguments of a call by position, defaults included."""
    found = signature(method).bind(*args, **named)
    found.apply_defaults()
    return (*found.args, *found.kwargs.values())


@functools.lru_cache(maxsize=256)
def signature(method: Callable[..., Any]) -> inspect.Signature:
    import inspect  # rarely needed, and dear

    return inspect.signature(method)


def plainly(value: object) -> Any:
    """A value as numbers, texts and tuples of these.

    Raises:
        ValueError: it is more than that.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, (tuple, list)) and len(value) < 20:
        return tuple(map(plainly, value))
    raise ValueError


def sendable(data: Any) -> Numbers:
    array = np.array(data)
    if array.dtype.kind not in SENDABLE:
        raise ValueError
    return array


def fingerprint(field: Field) -> tuple[str, tuple[int, ...], bytes]:
    _, array = field
    return array.dtype.str, array.shape, array.tobytes()
