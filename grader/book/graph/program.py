"""Run a script or an expression in the worker, and describe the graph of its result.

It imports only NumPy and the standard library. Of the learner's code it uses only the attributes
of nodes and each op's own backward, through the course's `graphs.py`; the walk back is made here.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Node = Any  # a Tensor of the learner's, or a gradient
Engine = Any  # the course's adapter to one kind of node, see its `graphs.py`
EngineOf = Callable[[object], "Engine | None"]  # None if the object is no node
Names = dict[str, Any]  # variables, or a row of JSON

# The course's file lies beside this one only in the worker; other callers pass `engine_of`.
graphs: Any = importlib.import_module(".graphs", __package__) if __package__ == "programs" else None

MOST_NODES = 150
MOST_VALUES = 4096
MOST_TEXT = 200
MOST_SEARCHED = 5000  # objects that are looked into for names


class UndrawableError(Exception):
    """A graph that cannot be drawn; the message says why, and what to do."""


Complaint = UndrawableError  # the worker looks for this name (`worker/run.py`)


def drawing(bg: types.ModuleType, source: str, name: str) -> dict[str, list[Node]]:
    """Run source code; return its graph as one part, "graph": JSON as uint8."""
    names = {"__name__": "__main__", **graphs.known_names(bg)}
    found = evaluate(source, names, name, graphs.engine_of)
    sys.stdout.flush()  # its output is sent before the answer
    text = json.dumps(describe_graph(found, names, graphs.engine_of))
    return {"graph": [np.frombuffer(text.encode(), dtype=np.uint8)]}


def evaluate(source: str, names: Names, name: str, engine_of: EngineOf) -> Node:
    """Run ``source``; the Tensor called ``name``, or the last line's, or the last one made."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    value = None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, "your code", "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "your code", "eval"), names)
    if name:
        if name not in names:
            raise UndrawableError(f"There is no variable {name} at the end of it.")
        value = names[name]
    elif engine_of(value) is None:
        engines = [(engine_of(v), v) for v in names.values()]
        made = [v for engine, v in engines if engine is not None and engine.maker(v) is not None]
        value = made[-1] if made else value
    if engine_of(value) is None:
        raise UndrawableError("It made no Tensor. Name the variable that holds one: FILE.py:loss.")
    return value


def describe_graph(root: Node, names: Names, engine_of: EngineOf) -> Names:
    """Describe a graph: nodes in topological order, backward calls in the order of the walk."""
    engine = engine_of(root)
    assert engine is not None
    order = sorted_nodes(engine, root)
    number = {id(tensor): n for n, tensor in enumerate(order)}
    called = {id(tensor): name for name, tensor in reversed(list(tensors_in(names, type(root))))}
    nodes = [
        {
            "name": called.get(id(tensor), ""),
            "engine": engine.name,
            "op": engine.title(tensor) if engine.maker(tensor) is not None else "",
            "attrs": {n: repr(v)[:MOST_TEXT] for n, v in engine.holds(tensor).items()},
            "inputs": [number[id(source)] for source in engine.inputs(tensor)],
            "requires_grad": engine.wants(tensor),
            "value": summarize_array(tensor.data),
        }
        for tensor in order
    ]
    calls, gradients = walk_back(engine, order, number)
    return {"nodes": nodes, "calls": calls, "gradients": gradients}


def sorted_nodes(engine: Engine, root: Node) -> list[Node]:
    """Sort a graph topologically, inputs first; raises Complaint if it is too large."""
    order: list[Node] = []
    seen: set[int] = set()
    todo = [(root, False)]
    while todo:
        tensor, done = todo.pop()
        if done:
            order.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            todo.append((tensor, True))
            todo.extend((source, False) for source in reversed(engine.inputs(tensor)))
        if len(seen) > MOST_NODES:
            raise UndrawableError(
                f"The graph has more than {MOST_NODES} nodes: draw a smaller one."
            )
    return order


def tensors_in(names: Names, kind: type) -> Iterator[tuple[str, Node]]:
    """Yield (name, Tensor) of variables, then of what lists, dicts and objects in them hold."""
    todo = [(name, value) for name, value in list(names.items()) if not name.startswith("_")]
    seen: set[int] = set()
    while todo and len(seen) < MOST_SEARCHED:
        inner: list[tuple[str, Node]] = []
        for name, value in todo:
            if isinstance(value, kind):
                yield name, value
            elif id(value) not in seen:
                seen.add(id(value))
                inner += held_in(name, value)
        todo = inner


def held_in(name: str, value: object) -> list[tuple[str, Node]]:
    """List the items of a list, dict or callable object, named as in Python: ``layers[0]``."""
    if isinstance(value, dict):
        return [(f"{name}[{key!r}]", held) for key, held in list(value.items())]
    if isinstance(value, (list, tuple)):
        return [(f"{name}[{at}]", held) for at, held in enumerate(list(value))]
    if isinstance(value, (type, types.FunctionType)) or not callable(value):
        return []
    held = getattr(value, "__dict__", {})
    return [(f"{name}.{inner}", each) for inner, each in list(held.items())]


def summarize_array(data: object) -> Names:
    """Describe an array: shape, dtype and values, at most `MOST_VALUES`."""
    data = np.asarray(data)
    values = data.ravel()[:MOST_VALUES].astype(float).tolist()
    return {"shape": list(data.shape), "dtype": data.dtype.name, "values": values}


def walk_back(
    engine: Engine, order: list[Node], number: dict[int, int]
) -> tuple[list[Node], dict[int, Names]]:
    """Walk back from a gradient of ones; return the backward calls, and node → its gradient."""
    held = {number[id(order[-1])]: np.ones_like(np.asarray(order[-1].data), dtype=float)}
    calls: list[Names] = []
    for tensor in reversed(order):
        at = number[id(tensor)]
        if engine.maker(tensor) is None or at not in held:
            continue
        call = {
            "node": at,
            "out_grad": summarize_array(held[at]),
            "gradients": [],
            "handed": [],
            "error": "",
        }
        calls.append(call)
        sources = engine.inputs(tensor)
        try:
            found = engine.rule(tensor, held[at].copy())
            data = [np.asarray(gradient, dtype=float) for gradient in found]
            if len(data) != len(sources):
                raise ValueError(f"{len(data)} gradient(s) for {len(sources)} input(s)")
            fitted = [engine.fitted(g, np.shape(s.data)) for g, s in zip(data, sources)]  # noqa: B905
        except Exception as error:
            call["error"] = f"{type(error).__name__}: {error}"[:MOST_TEXT].rstrip(": ")
            break
        call["gradients"] = [summarize_array(gradient) for gradient in data]
        call["handed"] = [summarize_array(gradient) for gradient in fitted]
        for source, gradient in zip(sources, fitted):  # noqa: B905
            if engine.wants(source):
                place = number[id(source)]
                held[place] = gradient if place not in held else held[place] + gradient
    return calls, {at: summarize_array(gradient) for at, gradient in held.items()}
