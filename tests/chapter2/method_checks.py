"""The checks of the properties, `numpy`, `detach` and `__repr__`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Probe, rng_for, shapes_for
from tests.programs.harness import text

from .known import float64, known, truths

FLOAT64 = {"dtype": "float64"}
SHAPES = ((2, 3), (4, 2, 3))
OTHER_SHAPES = ((5,), (0, 3), (2, 1, 1, 3))


def checks(seed: str) -> Iterator[Check]:
    yield from _shape(seed)
    yield from _dtype(seed)
    yield from _counts(seed)
    yield from _device(seed)
    yield from _numpy(seed)
    yield from _detach(seed)
    yield from _repr(seed)


def _draw(seed: str, name: str, shape: tuple[int, ...]) -> np.ndarray:
    return REAL.draw(rng_for(seed, f"chapter2.{name}/{shape}"), shape)


def _shapes(seed: str, name: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Public and hidden shapes; how many axes there are is drawn where that is asked for."""
    if name == "ndim" and seed != PUBLIC_SEED:
        rng = rng_for(seed, "chapter2.ndim/axes")
        drawn = [tuple(rng.choices((1, 2, 3), k=rng.randint(2, 8))) for _ in range(5)]
        return drawn[:2], drawn[2:]
    return shapes_for(seed, name, *SHAPES), shapes_for(seed, f"{name}/more", *OTHER_SHAPES)


# ---- properties ----------------------------------------------------------------------


def _shape(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.shape")

    def probe(shape: tuple[int, ...]) -> Probe:
        array = _draw(seed, "shape", shape)
        return Probe(
            "tensors.shape", (array,), f"Tensor(…).shape, of an array of shape {shape}",
            oracles=known(value=float64(shape), tuple=truths(True)),
            twin=lambda torch: {
                "value": [float64(torch.tensor(array).shape)],
                "tuple": [truths(isinstance(torch.tensor(array).shape, tuple))],
            },
        )  # fmt: skip

    shapes, others = _shapes(seed, "shape")
    public = tuple(map(probe, shapes))
    yield check("value", public, "The size of every axis, a tuple")
    yield check(
        "tuple", public[:1], "`shape` is a tuple and not a list", part="tuple", weight=0.5,
        says="shape is a tuple.",
    )  # fmt: skip
    yield check(
        "number", (probe(()),), "``()`` for a single number", weight=0.5,
        says="The shape of a single number is ().",
    )  # fmt: skip
    yield check(
        "more", tuple(map(probe, others)), "The size of every axis, a tuple", hidden=True,
        says="shape is right for other tensors too.",
    )  # fmt: skip


def _dtype(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.dtype")
    floats, others = ["float32", "float64"], ["int64", "bool", "uint8"]
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, "chapter2.dtype/names")
        floats = rng.choices(["float16", *floats], k=6)
        others = rng.choices(["int8", "int16", "int32", *others], k=6)

    def probe(name: str) -> Probe:
        array = _draw(seed, f"dtype-{name}", (2,))
        return Probe(
            "tensors.dtype", (array, name),
            f"Tensor(…, dtype={name!r}).dtype, where data held complex numbers for a while",
            oracles=known(value=text(name), object=truths(True)),
            twin=lambda torch: {
                "value": [text(str(torch.zeros(2, dtype=getattr(torch, name)).dtype)[6:])]
            },
        )  # fmt: skip

    public = tuple(map(probe, floats))
    yield check("value", public, "The NumPy dtype of the values", compare="text")
    yield check(
        "object", public[:1], "`dtype` is NumPy's dtype object and not its name as a string",
        part="object", weight=0.5, says="dtype is NumPy's dtype object, not a string.",
    )  # fmt: skip
    yield check(
        "more", tuple(map(probe, others)), "The NumPy dtype of the values",
        compare="text", hidden=True, says="dtype is right for integers and bools too.",
    )  # fmt: skip


def _counts(seed: str) -> Iterator[Check]:
    rows: tuple[tuple[str, str, Callable[[np.ndarray], int], Callable[[Any], int]], ...] = (
        ("ndim", "The number of axes: 0 for a single number", np.ndim, lambda t: t.ndim),
        ("size", "The number of values: the product of `shape`", np.size, lambda t: t.numel()),
    )
    single = "A single number has no axes, and one value"
    for name, taught, count, torchs in rows:
        check = partial(Check, f"chapter2.{name}")
        probe = partial(_count, seed, name, count, torchs)
        shapes, others = _shapes(seed, name)
        yield check("value", tuple(map(probe, shapes, ("float64", "float32"))), taught)
        says = f"{name} of a single number is {count(np.array(0.5))}."
        yield check("number", (probe(()),), single, says=says, weight=0.5)
        says = f"{name} is right for other tensors too."
        yield check("more", tuple(map(probe, others)), taught, hidden=True, says=says)


def _count(
    seed: str, name: str, count: Any, torchs: Any, shape: tuple[int, ...], dtype: str = "float64"
) -> Probe:
    array = _draw(seed, name, shape)
    return Probe(
        "tensors.count", (name, array, dtype), f"Tensor(…).{name}, of an array of shape {shape}",
        oracles=known(value=float64(count(array))),
        twin=lambda torch: {"value": [float64(torchs(torch.tensor(array)))]},
    )  # fmt: skip


def _device(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.device", compare="text")

    def probe(options: dict[str, Any]) -> Probe:
        return Probe(
            "tensors.device", (_draw(seed, "device", (3,)), options), "Tensor(…).device",
            oracles=known(value=text("cpu")),
            twin=lambda torch: {"value": [text(str(torch.tensor([0.5]).device))]},
        )  # fmt: skip

    yield check("value", (probe({}),), 'always the string `"cpu"`')
    yield check(
        "passed", (probe({"device": "cpu"}), probe({"device": "cuda"})),
        "in lower case, whatever was passed to `device=`", hidden=True, weight=0.5,
        says='device is "cpu" whatever was passed to device=.',
    )  # fmt: skip


# ---- the way out ---------------------------------------------------------------------


def _numpy(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.numpy")

    def probe(shape: tuple[int, ...], dtype: str) -> Probe:
        array = _draw(seed, f"numpy-{dtype}", shape)
        right = array.astype(dtype)
        return Probe(
            "tensors.numpy", (array, {"dtype": dtype}),
            f"x.numpy(), twice, where x = Tensor(…, dtype={dtype!r})",
            oracles=known(value=right, copy=[right, right, 2 * right]),
            twin=lambda torch: {"value": [torch.tensor(right).numpy()]},
        )  # fmt: skip

    public = probe((3,), "float64"), probe((2, 3), "float32")
    every = *public, probe((4,), "int64"), probe((2, 2), "float64"), probe((2,), "float32")
    every = *every, probe((), "float64")
    yield check("value", public, "The values as an ndarray")
    yield check(
        "dtype", every, "It has the shape and the dtype of the tensor", compare="dtype",
        says="The array from numpy() has the dtype of the tensor.",
    )  # fmt: skip
    yield check("copy", every, "writing to it leaves the tensor alone", part="copy")
    (empty,) = shapes_for(seed, "chapter2.numpy/empty", (0, 3))
    yield check(
        "more", (probe((2, 1, 3), "float32"), probe(empty, "float64")),
        "It has the shape and the dtype of the tensor", compare="dtype", hidden=True,
        says="numpy() is right for other shapes too.",
    )  # fmt: skip


def _detach(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.detach")
    first = _detached(_draw(seed, "detach", (2, 3)), "float64")
    frozen = _detached(_draw(seed, "detach", (2, 2)), "float64", requires_grad=False)
    single = _detached(_draw(seed, "detach", (3,)), "float32")
    other, whole = (
        _detached(_draw(seed, "detach", (2, 1, 3)), dtype) for dtype in ("float64", "int64")
    )
    public = first, frozen, single
    yield check("value", public, "A new leaf with the same values and dtype")
    yield check(
        "dtype", public, "a float64 tensor stays float64", compare="dtype", weight=0.5,
        says="detach() keeps the dtype of the tensor.",
    )  # fmt: skip
    yield check(
        "requires-grad", public, "that does not require a gradient", part="requires_grad",
        says="requires_grad of the detached tensor is False.",
    )  # fmt: skip
    yield check(
        "leaf", public, "although `x` may have come out of an operation", part="leaf",
        says="The detached tensor is a leaf: _op is None, _inputs is empty, grad is None.",
    )  # fmt: skip
    yield check(
        "original", public, "It keeps its `requires_grad` and its memory", part="original",
        says="The tensor itself keeps its requires_grad, its _op and its _inputs.", weight=0.5,
    )  # fmt: skip
    taught = "it shares no memory with `x`: writing to one leaves the other alone"
    yield check("memory", public, taught, part="memory", weight=0.5)
    yield check(
        "more", (other, whole), "A new leaf with the same values and dtype", compare="dtype",
        hidden=True,
        says="detach() keeps values and dtype of other tensors too.",
    )  # fmt: skip


def _detached(array: np.ndarray, dtype: str, **frozen: bool) -> Probe:
    array = array.astype(dtype)
    of = "which requires no gradient" if frozen else "which came out of an operation"

    def twin(torch: Any) -> dict[str, list[np.ndarray]]:
        result = torch.tensor(array, requires_grad=array.dtype.kind == "f") * 2
        out = result.detach()
        return {
            "value": [out.numpy()],
            "requires_grad": [truths(*[out.requires_grad] * 2)],
            "leaf": [truths(out.grad_fn is None, out.is_leaf, out.grad is None)],
        }

    answers = known(
        value=array * 2, requires_grad=truths(False, False), leaf=truths(True, True, True),
        original=truths(True, True, True),
        memory=[array * 2, np.full(array.shape, 3, dtype)],
    )  # fmt: skip
    call = f"y.detach(), of a {dtype} Tensor y {of}"
    return Probe("tensors.detach", (array, {"dtype": dtype, **frozen}), call, answers, twin)


def _repr(seed: str) -> Iterator[Check]:
    check = partial(Check, "chapter2.repr", compare="text")

    def printed(data: Any, requires_grad: bool) -> Probe:
        if seed != PUBLIC_SEED:
            drawn = REAL.draw(rng_for(seed, f"chapter2.repr/{data}"), np.shape(data))
            data = (np.round(drawn * 4) / 4).tolist()
        return _printed(data, requires_grad)

    taught = "``Tensor(VALUES, requires_grad=True)``; VALUES as ``str(self.data)`` prints them"
    yield check("value", (printed([1.5, -2.0], True), printed([[0.5, 2.0]], True)), taught)
    yield check(
        "requires-grad", (printed([0.25, -3.0], False),),
        "It ends in `requires_grad=False)` if that is the case",
        says="The text says requires_grad=False where that is the case.",
    )  # fmt: skip
    more = (
        printed(2.5, True), printed([[1.0, -0.5], [8.0, 4.0]], False), printed([], True),
        _printed([0.1234567, 2.0], True), _printed([0.000012, 3.5], False),
    )  # fmt: skip
    says = "The text is right for a single number and for several rows too."
    yield check(
        "more", more, taught, says=says, hidden=True,
        fixed="an empty tensor has no values to draw, and small numbers are printed in their way",
    )  # fmt: skip


def _printed(data: Any, requires_grad: bool) -> Probe:
    values = np.array(data, dtype="float32")
    return Probe(
        "tensors.representation", (data, {"requires_grad": requires_grad}),
        f"repr(Tensor({data}, requires_grad={requires_grad}))",
        oracles=known(value=text(f"Tensor({values!s}, requires_grad={requires_grad})")),
    )  # fmt: skip
