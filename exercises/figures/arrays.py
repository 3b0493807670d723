"""Figures of arrays: what goes where, forward and back, and what lies in whose memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.course import import_reference

from .given import Described, seeded, tensor

SHAPES = (((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 1), (3,)), ((2, 3), ()))


def broadcast() -> Described:
    """Sums of two shapes, and what goes back to each, by the reference's tensors."""
    tensor = import_reference().Tensor
    draw = np.random.default_rng(3)
    cases = []
    for shapes in SHAPES:
        a, b = (tensor(draw.integers(1, 9, shape), dtype="float64") for shape in shapes)
        out = a + b
        arrives = draw.integers(1, 9, out.shape).astype(float)
        out.backward(tensor(arrives, dtype="float64"))
        held = {"a": a.data, "b": b.data, "out": out.data, "arrives": arrives}
        held |= {"a_grad": a.grad, "b_grad": b.grad}
        cases.append({name: np.asarray(each).tolist() for name, each in held.items()})
    return {"cases": cases}


def transpose() -> Described:
    """Every order of three axes: forward, back by the inverse, and back by the same again."""
    a = np.arange(24.0).reshape(2, 3, 4)
    orders, cases = list(itertools.permutations(range(3))), []
    for axes in orders:
        x = tensor(a)
        out = x.transpose(axes)
        arrives = np.arange(24.0).reshape(out.shape) + 50
        out.backward(tensor(arrives))
        wrong = tensor(arrives).transpose(axes).data
        arrays = {"out": out.data, "arrives": arrives, "grad": x.grad, "wrong": wrong}
        cases.append({name: array.tolist() for name, array in arrays.items()})
    return {"axes": [list(axes) for axes in orders], "a": a.tolist(), "cases": cases}


def total() -> Described:
    """Sums over rows, columns and everything, and the way back."""
    a = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    cases = []
    for axis, arrives in ((1, [10.0, 20.0]), (0, [1.0, 2.0, 3.0]), (None, 7.0)):
        x = tensor(a)
        out = x.sum(axis)
        out.backward(tensor(arrives))
        cases.append({"axis": axis, "a": a.tolist(), "out": out.data.tolist(), "arrives": arrives,
                      "grad": x.grad.tolist()})  # fmt: skip
    return {"cases": cases}


def matmul() -> Described:
    """Two matrices and what arrives, with the numbers of the chapter in their corners."""
    return {
        "a": [[1, 2, 3, 2], [4, 5, 6, 1], [2, 0, 1, 3]],
        "b": [[1, 0, 2], [0, 2, 1], [3, 1, 0], [2, 1, 1]],
        "g": [[1, 10, 3], [2, 20, 1], [4, 5, 2]],
    }


def im2col() -> Described:
    """The picture of the chapter, and two kernels."""
    return {
        "picture": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        "kernels": [[[1, 2], [3, 4]], [[1, 0, 2], [0, 3, 0], [1, 0, 1]]],
    }


def dilate() -> Described:
    """A kernel in whose gradient every digit tells where it came from."""
    return {"kernel": [1, 10, 100], "arrives": [1, 2, 3, 4, 5, 6]}


def batch() -> Described:
    """A batch of six examples with four features, and the draws that dropout makes for it."""
    draw = np.random.default_rng(5)
    spread, centre = np.array([1.0, 3.0, 0.5, 2.0]), np.array([0.0, 4.0, -1.0, 1.0])
    x = (draw.normal(0, 1, (6, 4)) * spread + centre).round(1)
    return {"x": x.tolist(), "draws": draw.random((6, 4)).round(3).tolist()}


KEEP: dict[str, Callable[[Any], Any]] = {
    "np.asarray(buffer)": np.asarray,
    "np.asarray(buffer, float)": lambda buffer: np.asarray(buffer, float),
    "buffer[:]": lambda buffer: buffer[:],
    "np.array(buffer)": np.array,
    "Tensor(buffer)": lambda buffer: import_reference().Tensor(buffer).data,
}


def alias() -> Described:
    """A buffer of float32 that three batches fill, and what was kept of it in five ways."""
    batches, cases = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], []
    for code, keep in KEEP.items():
        buffer, kept, steps = np.zeros(3, dtype="float32"), [], []
        for batch in batches:
            buffer[:] = batch
            kept.append(keep(buffer))
            steps.append([each.tolist() for each in kept])
        shares = [bool(np.shares_memory(buffer, each)) for each in kept]
        cases.append({"code": code, "steps": steps, "shares": shares})
    return {"batches": batches, "cases": cases}


@seeded(1)
def loader() -> Described:
    """The orders of the chapter's loader, epoch after epoch, and draws with replacement."""
    data, epochs, count = import_reference("data"), range(6), 10
    shuffled = data.DataLoader(data.ArrayDataset(np.arange(count)), batch_size=1, shuffle=True)
    return {
        "shuffled": [[int(batch.data[0]) for (batch,) in shuffled] for _ in epochs],
        "replaced": [np.random.randint(count, size=count).tolist() for _ in epochs],
    }


def idx() -> Described:
    """Two small IDX files, and the shapes that the reference finds in them."""
    images = [0, 0, 128, 255, 30, 0, 0, 64, 200, 90, 12, 7]
    files = {"images": ([2, 2, 3], images), "labels": ([5], [3, 1, 4, 1, 5])}
    found: Described = {}
    for name, (sizes, values) in files.items():
        head = [0, 0, 8, len(sizes), *(byte for n in sizes for byte in n.to_bytes(4, "big"))]
        array = import_reference("data").parse_idx(bytes([*head, *values]))
        found[name] = {"bytes": [*head, *values], "shape": list(array.shape)}
    return {"files": found}
