"""The checks of `Tensor.__init__`: one per promise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Probe, rng_for, shapes_for

from .known import float64, known, truths

ID = "chapter2.init"
FLOAT64 = {"dtype": "float64"}
check = partial(Check, ID)


def checks(seed: str) -> Iterator[Check]:
    made = _single(seed), *_listed(seed), _frozen(seed)
    yield from _values(seed, made)
    yield from _dtypes(seed, made)
    yield from _copies(seed)
    yield from _notes(seed, made)
    yield from _more(seed)


def _draw(seed: str, name: str, shape: tuple[int, ...]) -> np.ndarray:
    return REAL.draw(rng_for(seed, f"{ID}/{name}"), shape)


def _quarters(seed: str, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values that float32 holds exactly: where the digits are not the point."""
    return np.round(_draw(seed, name, shape) * 4 + 0.5) / 4


def _made(data: Any, options: dict[str, Any] | None = None) -> Probe:
    """A Tensor of ``data``, whose values are those that NumPy and PyTorch make of it."""
    options = options or {}
    dtype = options.get("dtype", "float32")
    return Probe(
        "tensors.made", (data, options), f"Tensor({_short(data)}{_told(options)})",
        oracles=known(
            value=np.array(data, dtype=dtype),
            requires_grad=truths(options.get("requires_grad", True)),
        ),
        twin=lambda torch: {
            "value": [torch.tensor(data, dtype=getattr(torch, dtype)).numpy()]
        },
    )  # fmt: skip


def _short(data: Any) -> str:
    return "array" if isinstance(data, np.ndarray) else repr(data)


def _told(options: dict[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in options.items())


def _number(seed: str) -> int:
    return round(float(_draw(seed, "whole-number", ())) * 1000)


def _whole(seed: str) -> Probe:
    return _made(_number(seed), {"dtype": "int64"})


def _single(seed: str) -> Probe:
    return _made(float(_draw(seed, "number", ())))


def _listed(seed: str) -> tuple[Probe, Probe]:
    draw = partial(_draw, seed)
    return _made(draw("list", (3,)).tolist()), _made(draw("nested", (2, 3)).tolist())


def _frozen(seed: str) -> Probe:
    return _made(_draw(seed, "float64", (2,)), {"requires_grad": False})


def _values(seed: str, made: tuple[Probe, ...]) -> Iterator[Check]:
    arrays = "may be a number, a list, a nested list, an ndarray, or another Tensor"
    draw = partial(_draw, seed)
    yield check(
        "number", made[:1], "its shape is `()`, not `(1,)`",
        says="Tensor(number) holds an ndarray without axes.",
    )  # fmt: skip
    yield check(
        "list", made[1:3],
        "data: the values, an ndarray … Whatever came in, `self.data` is an ndarray",
        says="Tensor(list) holds an ndarray.",
    )  # fmt: skip
    yield check("array", (_made(draw("array", (2, 3))),), arrays)
    other = draw("tensor", (2, 3))
    taught = "a number, a (nested) list, an ndarray or another Tensor"
    yield check("tensor", (_from_tensor(other, {}),), taught)


def _from_tensor(array: np.ndarray, options: dict[str, Any]) -> Probe:
    value = np.array(array, dtype=options.get("dtype", "float32"))
    call = f"Tensor(other{_told(options)}), where other is a float64 Tensor"
    return Probe(
        "tensors.made_from_tensor", (array, options), call, oracles=known(value=value)
    )  # fmt: skip


def _dtypes(seed: str, made: tuple[Probe, ...]) -> Iterator[Check]:
    draw = partial(_draw, seed)
    same = partial(check, compare="dtype")
    whole = [[1, 2, 3], [3, 5]]
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, f"{ID}/whole")
        whole = [[rng.randint(-99, 99) for _ in range(4)] for _ in range(2)]
    wide, frozen = (
        _made(draw("wanted", (2, 3)), {**FLOAT64, **more})
        for more in ({}, {"requires_grad": False})
    )
    yield same(
        "default-dtype", (_made(whole[0]), made[-1], *made[:-1]),
        "a list of integers, a float64 array and a float64 Tensor all become float32 … whatever "
        "`data` had",
        says="Without dtype the values are float32, whatever came in.",
    )  # fmt: skip
    yield same(
        "dtype", (wide, frozen, _made(whole[1], {"dtype": "int64"}), _whole(seed)),
        "dtype: the dtype of the values, whatever `data` had … with all their digits",
        says="The dtype that the caller asks for is the dtype of the values.",
    )  # fmt: skip
    yield same(
        "tensor-dtype",
        (_from_tensor(draw("from", (3,)), {}), _from_tensor(draw("to", (3,)), FLOAT64)),
        "It takes over neither the dtype nor `requires_grad` of `other`",
        says="Tensor(other) takes its dtype from the call, not from the other Tensor.",
    )  # fmt: skip


def _copied(seed: str, dtype: str, kind: str, options: dict[str, Any]) -> Probe:
    array = _quarters(seed, f"copy-{dtype}", (2, 3)).astype(dtype)
    what = ", of an array from np.memmap" if kind == "memmap" else ""
    return Probe(
        "tensors.own_copy", (array, kind, options),
        f"array *= 10, after Tensor(array{_told(options)}) and Tensor(array[0]"
        f"{_told(options)}), with and without requires_grad{what}",
        oracles=known(
            value=[array, array, array[0], array[0], array * 10],
            requires_grad=truths(True, False, True, False),
        ),
        twin=partial(_torch_copy, array),
    )  # fmt: skip


def _own(seed: str) -> dict[str, Probe]:
    return {
        "float32": _copied(seed, "float32", "ndarray", {}),
        "float64": _copied(seed, "float64", "memmap", FLOAT64),
    }


def _copies(seed: str) -> Iterator[Check]:
    for dtype, kept in _own(seed).items():
        yield check(
            f"copy-{dtype}", (kept,),
            "holds its own copy of `data` … writing to the caller's array leaves the tensor alone, "
            "and writing to the tensor leaves the caller's array alone", weight=0.5,
            says=f"Tensor(array) shares no memory with the caller's {dtype} array.",
        )  # fmt: skip
    array = _quarters(seed, "copy-tensor", (3,))
    of_tensor = Probe(
        "tensors.own_copy_of_tensor", (array, FLOAT64), "x = Tensor(other, dtype='float64')",
        oracles=known(value=[array, np.full(3, -1.0)]),
    )  # fmt: skip
    yield check("copy-tensor", (of_tensor,), "The same holds between two tensors")


def _torch_copy(array: np.ndarray, torch: Any) -> dict[str, list[np.ndarray]]:
    source = array.copy()
    tensors = [torch.tensor(each) for each in (source, source, source[0], source[0])]
    source *= 10
    kept = [tensor.numpy().copy() for tensor in tensors]
    for tensor in tensors:
        tensor[...] = -1
    return {"value": [*kept, source]}


def _notes(seed: str, made: tuple[Probe, ...]) -> Iterator[Check]:
    array = _draw(seed, "notes", (2, 3))

    def notes(name: str, program: str, call: str, taught: str, *answers: bool) -> Check:
        oracles = known(value=truths(*answers))
        return check(name, (Probe(f"tensors.{program}", (array,), call, oracles),), taught)

    yield notes(
        "grad", "starts_without_grad", "Tensor(array).grad is None",
        "grad: None, then … The gradient of a new tensor is None", True, True, True,
    )  # fmt: skip
    whole = _number(seed)
    asked = Probe(
        "tensors.requires_grad", (array,), "Tensor(array, requires_grad=…).requires_grad",
        oracles=known(requires_grad=truths(True, True, False, True)),
    )  # fmt: skip
    ints = _made(whole), _whole(seed)
    yield check(
        "requires-grad", (asked, *made, *_own(seed).values(), *ints),
        "whether `backward` should leave a gradient here … the default is True",
        part="requires_grad",
    )  # fmt: skip
    yield notes(
        "leaf", "new_is_leaf", "x = Tensor(array); x._op, x._inputs",
        "None for a leaf … `[]` for a leaf … A new tensor is a leaf: `grad` is None, `_op` is None",
        True, True,
    )  # fmt: skip
    yield notes(
        "leaf-of-result", "fresh_from_result", "Tensor(the result of an operation)",
        "`Tensor(other)` is a new leaf, even if `other` came out of an operation", True, True,
    )  # fmt: skip
    yield notes(
        "requires-grad-of-tensor", "requires_grad_from_tensor", "Tensor(other).requires_grad",
        "both come from the call, or from the defaults", True, False,
    )  # fmt: skip


def _more(seed: str) -> Iterator[Check]:
    draw = partial(_draw, seed)
    number, flags = -7, [[[True], [False]]]
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, f"{ID}/others")
        number = rng.randint(-9999, 9999)
        flags = [[[rng.random() < 0.5] for _ in range(20)]]
    more = (
        _made(draw("more", (2, 1, 3))),
        _made(float64(np.zeros(*shapes_for(seed, f"{ID}/empty", (0, 3))))),
        _made(number),
        _made(flags, {"dtype": "bool"}),
        _made(9_007_199_254_740_993 + 2 * abs(number), {"dtype": "int64"}),  # that no float64 holds
    )
    yield check(
        "more", more, "This holds for every kind of data", compare="dtype", hidden=True,
        says="Tensor(…) gets values and dtype right for other data too.",
    )  # fmt: skip
