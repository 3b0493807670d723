"""Runs a script or an expression and describes the graph of its result. Travels to the worker.

It imports nothing but NumPy and the standard library, and leans on nothing of the learner's
but `_op`, `_inputs`, `data` and every op's own `backward`: the walk back is made here.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

MOST_NODES = 150
MOST_VALUES = 4096
MOST_TEXT = 200


class Complaint(Exception):
    """What cannot be drawn; the message says why and what to do."""


def drawing(bg: Any, source: str, name: str) -> dict[str, list[Any]]:
    """The graph as JSON, in bytes."""
    names = known_names(bg)
    found = evaluated(bg, source, names, name)
    sys.stdout.flush()  # what it printed goes out before the answer does
    text = json.dumps(described(found, names))
    return {"graph": [np.frombuffer(text.encode(), dtype=np.uint8)]}


def known_names(bg: Any) -> dict[str, Any]:
    """What an expression may use without importing it."""
    ops = {n: v for n, v in vars(bg.ops).items() if callable(v) and not n.startswith("_")}
    modules = {n: getattr(bg, n) for n in ("ops", "nn") if hasattr(bg, n)}
    return {"__name__": "__main__", **ops, **modules, "Tensor": bg.Tensor, "np": np}


def evaluated(bg: Any, source: str, names: dict[str, Any], name: str) -> Any:
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
            raise Complaint(f"There is no variable {name} at the end of it.")
        value = names[name]
    elif not isinstance(value, bg.Tensor):
        made = [v for v in names.values() if isinstance(v, bg.Tensor) and v._op is not None]
        value = made[-1] if made else value
    if not isinstance(value, bg.Tensor):
        raise Complaint("It made no Tensor. Name the variable that holds one: FILE.py:loss.")
    return value


def described(root: Any, names: dict[str, Any]) -> dict[str, Any]:
    """Nodes in the order in which they were made, and every backward in the order of the walk."""
    order = sorted_nodes(root)
    number = {id(tensor): n for n, tensor in enumerate(order)}
    called = {id(tensor): name for name, tensor in reversed(list(tensors_in(names, type(root))))}
    nodes = [
        {
            "name": called.get(id(tensor), ""),
            "op": type(tensor._op).__name__ if tensor._op is not None else "",
            "attrs": attributes(tensor._op),
            "inputs": [number[id(source)] for source in tensor._inputs],
            "requires_grad": bool(tensor.requires_grad),
            "value": array(tensor.data),
        }
        for tensor in order
    ]
    calls, gradients = walked(order, number)
    return {"nodes": nodes, "calls": calls, "gradients": gradients}


def sorted_nodes(root: Any) -> list[Any]:
    """Every tensor after all that it was made from."""
    order: list[Any] = []
    seen: set[int] = set()
    todo = [(root, False)]
    while todo:
        tensor, done = todo.pop()
        if done:
            order.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            todo.append((tensor, True))
            todo.extend((source, False) for source in reversed(tensor._inputs))
        if len(seen) > MOST_NODES:
            raise Complaint(f"The graph has more than {MOST_NODES} nodes: draw a smaller one.")
    return order


def tensors_in(names: dict[str, Any], kind: type) -> Iterator[tuple[str, Any]]:
    """(name, Tensor) of what variables hold, and of what the objects in them hold."""
    for name, value in list(names.items()):
        if isinstance(value, kind):
            yield name, value
    for name, value in list(names.items()):
        if not isinstance(value, (kind, type)) and not name.startswith("_"):
            for inner, held in list(getattr(value, "__dict__", {}).items()):
                if isinstance(held, kind) and hasattr(type(value), "forward"):
                    yield f"{name}.{inner}", held


def attributes(op: Any) -> list[str]:
    """What an op was made with, as far as it holds that: each as Python writes it."""
    held = getattr(op, "__dict__", {}).values()
    return [repr(value)[:MOST_TEXT] for value in held]


def array(data: Any) -> dict[str, Any]:
    """Shape and values; of a large array only the first values."""
    data = np.asarray(data)
    values = data.ravel()[:MOST_VALUES].astype(float).tolist()
    return {"shape": list(data.shape), "dtype": data.dtype.name, "values": values}


def walked(order: list[Any], number: dict[int, int]) -> tuple[list[Any], dict[int, Any]]:
    """The walk back from ones: every call of a backward, and what each node holds in the end."""
    held = {number[id(order[-1])]: np.ones_like(np.asarray(order[-1].data), dtype=float)}
    calls: list[dict[str, Any]] = []
    for tensor in reversed(order):
        at = number[id(tensor)]
        if tensor._op is None or at not in held:
            continue
        call = {"node": at, "out_grad": array(held[at]), "gradients": [], "error": ""}
        calls.append(call)
        try:
            kind = type(tensor)
            upstream = kind(held[at].copy(), dtype=str(tensor.data.dtype), requires_grad=False)
            found = tensor._op.backward(upstream, tensor)
            found = list(found) if isinstance(found, (tuple, list)) else [found]
            data = [np.asarray(gradient.data, dtype=float) for gradient in found]
            if len(data) != len(tensor._inputs):
                raise ValueError(f"{len(data)} gradient(s) for {len(tensor._inputs)} input(s)")
        except Exception as error:
            call["error"] = f"{type(error).__name__}: {error}"[:MOST_TEXT].rstrip(": ")
            break
        call["gradients"] = [array(gradient) for gradient in data]
        for source, gradient in zip(tensor._inputs, data):  # noqa: B905
            give(held, number[id(source)], source, gradient)
    return calls, {at: array(gradient) for at, gradient in held.items()}


def give(held: dict[int, Any], at: int, source: Any, gradient: Any) -> None:
    """Add what arrives, summed down to the shape of the tensor where broadcasting stretched it."""
    if not source.requires_grad:
        return
    shape = np.shape(source.data)
    extra = gradient.ndim - len(shape)
    if extra > 0:
        gradient = gradient.sum(tuple(range(extra)))
    sizes = enumerate(zip(shape, gradient.shape))  # noqa: B905
    axes = tuple(i for i, (size, wide) in sizes if size == 1 != wide)
    if axes:
        gradient = gradient.sum(axes, keepdims=True)
    held[at] = gradient if at not in held else held[at] + gradient
