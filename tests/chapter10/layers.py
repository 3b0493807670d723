"""The layers: `nn.Conv` with copied weights, tiles, and both kinds of pooling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from exercises.chapter10.conv import formula as convolved
from grader.course import DISTINCT, REAL, Check, Domain, Parts, Probe, rng_for, sizes_for

from ..chapter4.layers import Case, Layer
from ..chapter4.templates import (
    UNTOUCHED,
    dtype_check,
    group,
    layer_checks,
    own_values_check,
    start_check,
)

Sizes = tuple[int, ...]


def checks(seed: str) -> Iterator[Check]:
    yield from conv_init(seed)
    yield from conv_forward(seed)
    yield from tile_checks(seed)
    yield from pools(seed)


def draw(seed: str, name: str, *shape: int, domain: Domain = REAL) -> np.ndarray:
    return domain.draw(rng_for(seed, f"chapter10/{name}"), shape)


# ---- the convolutional layer ----------------------------------------------------------------


def conv_formula(x, weight, bias=0.0, stride=1, padding=0):
    images, kernels = x.transpose(0, 2, 3, 1), weight.transpose(2, 3, 1, 0)
    return (convolved(images, kernels, stride, padding) + bias).transpose(0, 3, 1, 2)


def conv_twin(torch, arguments: tuple):
    """PyTorch asks for dilation and groups before it asks for the bias."""
    return torch.nn.Conv2d(*arguments[:5], 1, 1, *arguments[5:])


SHAPES = (
    "a Parameter of shape `(out_channels, in_channels, kernel_size, kernel_size)` … "
    "a Parameter of shape `(out_channels,)`"
)
START = (
    "The values of both start uniform between -1/√n and 1/√n … "
    "where n is how many numbers each sum adds up"
)
OPTIONS = "stride, padding: those of `ops.Conv`"
CONV = Layer("Conv", conv_formula, conv_twin)


def conv_init(seed: str) -> Iterator[Check]:
    exercise, names = "chapter10.nn_conv.init", ["weight", "bias"]
    size = sizes_for(seed, exercise, 2, 3, 4, spread=12)
    padded, wide = (*size, 2, 1), (*size, 1, 0, True, "float64")
    owned = tuple(Probe("modules.owned", ("Conv", given, names), f"nn.Conv{given}")
                  for given in (size, padded, wide))  # fmt: skip
    yield Check(
        exercise, "shapes", owned,
        SHAPES, part="shape", says="Conv.__init__ makes weight and bias in the right shapes.",
    )  # fmt: skip
    yield Check(
        exercise, "parameters", owned, "Make `weight` and `bias`, two Parameters of this dtype",
        part="parameter", says="Conv.__init__ makes Parameters that require a gradient.",
    )  # fmt: skip
    asked: dict[str, Any] = {
        "weight": ((1, 60, 5), (12, 60, 2, 1, 0, False), (2, 40, 3, 1, 0, True, "float64"),
                   (12, 60, 2, 1, 0, False, "float64")),
        "bias": ((2, 3000, 2, 3, 1), (2, 3000, 1, 1, 0, True, "float64")),
    }  # fmt: skip
    for name, sizes in asked.items():
        yield start_check(exercise, "Conv", name, "±1/√n", START, sizes, seed)
    yield own_values_check(exercise, "Conv", (1, 60, 2), START, seed)
    bare, words = (*size, 1, 0, False), "two Parameters of this dtype"
    yield replace(dtype_check("Conv", size, names, words, bare), exercise=exercise)
    absent = Probe("modules.absent", ("Conv", bare, "bias"),
                   "nn.Conv(…, bias=False)")  # fmt: skip
    yield Check(exercise, "no-bias", (absent,), "None with `bias=False`", weight=0.5)
    stride, padding = sizes_for(seed, f"{exercise}/options", 3, 2, spread=30)
    told = f"nn.Conv(…, stride={stride}, padding={padding})"
    kept = (
        options_probe(size, (stride, padding), told, (stride, padding)),
        options_probe(size, (), f"nn.Conv{size}", (1, 0)),
    )
    yield Check(exercise, "options", kept, f"{OPTIONS} … keep `stride`, `padding`", weight=0.5)


def options_probe(size: Sizes, options: Sizes, call: str, right: Sizes) -> Probe:
    """Probe the stride and padding that a layer keeps; the default ones if none are given."""
    answer = {"value": [np.array(float(number)) for number in right]}
    return Probe("modules.options", ("Conv", (*size, *options), ["stride", "padding"]), call,
                 oracles={"numpy": lambda: answer})  # fmt: skip


def conv_case(
    seed: str, name: str, batch: int, sizes: tuple[int, int], channels: tuple[int, int, int],
    stride: int = 1, padding: int = 0, bias: bool = True,
) -> Case:  # fmt: skip
    inside, outside, kernel = channels
    state = {"weight": draw(seed, f"{name}/weight", outside, inside, kernel, kernel)}
    if bias:
        state["bias"] = draw(seed, f"{name}/bias", outside)
    arguments = (*channels, stride, padding, *(() if bias else (False,)))
    options = {"stride": stride, "padding": padding}
    return Case(arguments, draw(seed, f"{name}/x", batch, inside, *sizes), state, options)


def conv_forward(seed: str) -> Iterator[Check]:
    exercise = "chapter10.nn_conv.forward"
    taught = (
        "Each image under every kernel, plus the bias of that kernel … "
        "the result `(batch, out_channels, rows, columns)`",
        "Gradients reach `x`, `weight` and `bias`, each in the shape of its own tensor",
    )
    public = [
        conv_case(seed, "small", 1, (3, 3), (1, 2, 2)),
        conv_case(seed, "channels", 2, (3, 4), (2, 3, 2)),
    ]
    hidden = [conv_case(seed, "wide", 2, (5, 4), (3, 2, 3), 2, 1)]
    yield from layer_checks(exercise, CONV, public, hidden, taught, seed)
    for name, case, says, words in (
        ("stride", conv_case(seed, "stride", 1, (5, 4), (1, 2, 2), 2), "has a stride",
         "`stride` and `padding` are those of the op"),
        ("padding", conv_case(seed, "padding", 1, (3, 2), (1, 2, 3), 1, 1), "has padding",
         "`stride` and `padding` are those of the op"),
        ("no-bias", conv_case(seed, "bare", 1, (3, 3), (1, 3, 2), bias=False),
         "has no bias", "None with `bias=False`"),
        ("as-many-columns", conv_case(seed, "square", 1, (3, 4), (1, 3, 2)),
         "gives as many columns as channels", "plus the bias of that kernel"),
    ):  # fmt: skip
        yield from group(exercise, name, CONV, [case], says, words, seed)


# ---- pooling ---------------------------------------------------------------------------------


def tiled(x, size: int):
    """The same for an array and for a torch tensor."""
    batch, channels, rows, columns = (*x.shape[:2], x.shape[2] // size, x.shape[3] // size)
    x = x[:, :, : rows * size, : columns * size]
    return x.reshape(batch, channels, rows, size, columns, size)


def tile_checks(seed: str) -> Iterator[Check]:
    exercise = "chapter10.tiles"
    even = [tile_probe(seed, f"even/{i}", *each) for i, each in enumerate((
        ((1, 1, 4, 4), 2), ((2, 1, 3, 6), 3),
    ))]  # fmt: skip
    left = [tile_probe(seed, f"left/{i}", *each) for i, each in enumerate((
        ((1, 2, 5, 3), 2), ((1, 1, 4, 7), 3),
    ))]  # fmt: skip
    for name, probes, taught, says, hidden in (
        ("value", even, "tiles that do not overlap … axis 3 runs down inside a tile and axis 5",
         "cuts images into tiles", False),
        ("remainder", left[:1], "columns at the right that fill no tile are left out",
         "leaves out what fills no tile", False),
        ("more", left[1:], "columns at the right that fill no tile are left out",
         "is right for other sizes too", True),
    ):  # fmt: skip
        yield Check(exercise, name, tuple(probes), taught, says=f"tiles {says}.", hidden=hidden)
        yield Check(
            exercise, f"{name}-gradient", tuple(probes), taught, part="gradient", hidden=hidden,
            says=f"tiles: the gradient is right where it {says}.",
        )  # fmt: skip
    yield Check(
        exercise, "inputs", tuple(even[:1]), UNTOUCHED, part="inputs", weight=0.5,
        says="tiles leaves its inputs as they were.",
    )  # fmt: skip


def tile_probe(seed: str, name: str, shape: Sizes, size: int) -> Probe:
    x = draw(seed, f"tiles/{name}/x", *shape)
    cotangent = draw(seed, f"tiles/{name}/cotangent", *tiled(x, size).shape)
    gradient = np.zeros(shape)
    rows, columns = (n // size * size for n in shape[2:])
    gradient[:, :, :rows, :columns] = cotangent.reshape(*shape[:2], rows, columns)

    def twin(torch) -> Parts:
        leaf = torch.tensor(x, requires_grad=True)
        out = tiled(leaf, size)
        (found,) = torch.autograd.grad(out, leaf, torch.tensor(cotangent))
        return {"value": [out.detach().numpy()], "gradient": [found.numpy()]}

    right = {"value": [tiled(x, size)], "inputs": [x], "gradient": [gradient]}
    return Probe(
        "modules.tiles", (x, size, cotangent), f"nn.tiles(x, {size})",
        oracles={"numpy": lambda: right}, twin=twin,
    )  # fmt: skip


def pools(seed: str) -> Iterator[Check]:
    shares = "Every value of a tile gets the same share of its gradient"
    largest = "The gradient goes to the largest value of a tile"
    for name, formula, how, gradient in (
        ("MaxPool2d", lambda x, size: tiled(x, size).max((3, 5)), "The maximum", largest),
        ("AvgPool2d", lambda x, size: tiled(x, size).mean((3, 5)), "The mean", shares),
    ):
        exercise = f"chapter10.{name.lower()}.forward"
        layer = Layer(name, formula, lambda t, arguments, n=name: getattr(t.nn, n)(*arguments))
        values = f"{how} of each tile: `(batch, channels, height // size, width // size)`"
        public = [pool_case(seed, name, (1, 1, 2, 4), 2), pool_case(seed, name, (2, 2, 3, 6), 3)]
        # Neighbours differ among these, too, and float32 does not hold them.
        hidden = [pool_case(seed, name, (1, 3, 4, 6), 2, REAL)]
        yield from layer_checks(exercise, layer, public, hidden, (values, gradient), seed)
        cases = [pool_case(seed, name, (1, 2, 5, 3), 2)]
        left = "columns at the right that fill no tile are left out"
        yield from group(exercise, "remainder", layer, cases, "leaves something over", left, seed)
    yield ties(seed)


def pool_case(seed: str, name: str, shape: Sizes, size: int, domain: Domain = DISTINCT) -> Case:
    x = draw(seed, f"{name}/{shape}", *shape, domain=domain)
    return Case((size,), x, options={"size": size})


def ties(seed: str) -> Check:
    """Two that tie, four, and three, which a maximum of maxima does not treat alike.

    PyTorch's own pooling decides otherwise, so it is not asked.
    """
    large, small, same = (float(draw(seed, f"ties/{i}", domain=DISTINCT)) for i in range(3))
    large, small = abs(large) + 25, min(small, 24.0)
    x = np.array([[[[large, large, same, same, large, small],
                    [small, -small, same, same, large, large]]]])  # fmt: skip
    two, four, three = (float(draw(seed, f"ties/cotangent/{i}")) for i in range(3))
    cotangent = np.array([[[[2 * two, 4 * four, 3 * three]]]])
    right = np.array([[[[two, two, four, four, three, 0.0],
                        [0.0, 0.0, four, four, three, three]]]])  # fmt: skip
    probe = Probe(
        "modules.gradient", ("MaxPool2d", (2,), {}, True, x, cotangent),
        "gradients through nn.MaxPool2d(2)(x)", oracles={"numpy": lambda: {"value": [right]}},
    )  # fmt: skip
    return Check(
        "chapter10.maxpool2d.forward", "ties", (probe,),
        "The gradient goes to the largest value of a tile; where several tie, in equal shares",
        says="MaxPool2d shares the gradient equally where values tie.",
    )  # fmt: skip
