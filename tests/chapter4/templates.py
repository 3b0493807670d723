"""A template for every layer that maps ``x`` to an output: values, gradients, inputs left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grader.course import Check, Probe

from .layers import Case, Layer, gradient_probe, initial_probe, value_probe

UNTOUCHED = "leaves its inputs as they were"


def layer_checks(
    exercise: str,
    layer: Layer,
    public: Sequence[Case],
    hidden: Sequence[Case],
    taught: tuple[str, str],
    seed: str,
) -> Iterator[Check]:
    """Check a layer: right values, right gradients, an unchanged input.

    Args:
        taught: the words that promise the values, and those that promise the gradients.
    """
    values = tuple(value_probe(layer, case) for case in public)
    gradients = _gradients(layer, public, seed, "gradient")
    yield Check(exercise, "value", values, taught[0])
    yield Check(exercise, "gradient", gradients, taught[1])
    yield Check(
        exercise, "inputs", values[:1], UNTOUCHED, part="inputs", weight=0.5,
        says=f"{layer.name}.forward leaves its inputs as they were.",
    )  # fmt: skip
    if hidden:
        yield Check(
            exercise, "more", tuple(value_probe(layer, case) for case in hidden), taught[0],
            says=f"{layer.name}.forward computes the right values for other shapes too.",
            hidden=True,
        )  # fmt: skip
        yield Check(
            exercise, "more-gradients", _gradients(layer, hidden, seed, "more"), taught[1],
            says=f"{layer.name}: the gradients are right for other shapes too.", hidden=True,
        )  # fmt: skip


def group(
    exercise: str, name: str, layer: Layer, cases: Sequence[Case], says: str, taught: str, seed: str
) -> Iterator[Check]:
    """Values and gradients of a behaviour that is announced by itself."""
    values = tuple(value_probe(layer, case) for case in cases)
    yield Check(exercise, name, values, taught, says=f"{layer.name}.forward {says}.")
    yield Check(
        exercise, f"{name}-gradient", _gradients(layer, cases, seed, name), taught,
        says=f"{layer.name}: the gradients are right where it {says}.",
    )  # fmt: skip


def _gradients(layer: Layer, cases: Sequence[Case], seed: str, name: str):
    return tuple(gradient_probe(layer, c, seed, f"{name}/{i}") for i, c in enumerate(cases))


def start_check(
    exercise: str, layer: str, name: str, bound: str, taught: str,
    sizes: Sequence[tuple[Any, ...]], seed: str,
) -> Check:  # fmt: skip
    """The first values of a weight or a bias are drawn as they should be."""
    return Check(
        exercise, f"{name}-values", tuple(initial_probe(seed, layer, each, [name])
                                          for each in sizes),
        taught, compare="sample", weight=1 if name == "weight" else 0.5,
        says=f"{layer}.__init__ draws the {name} uniformly within {bound}.",
    )  # fmt: skip


def own_values_check(
    exercise: str, layer: str, arguments: tuple[int, ...], taught: str, seed: str
) -> Check:
    """No value of a new layer is there twice, nor in the next one."""
    return Check(
        exercise, "own-values", (initial_probe(seed, layer, arguments, ["weight", "bias"]),),
        taught, part="own", weight=0.5,
        says=f"Every value of a {layer} is drawn, the bias and those of the next {layer}, too.",
    )  # fmt: skip


def dtype_check(
    layer: str, arguments: tuple[int, ...], names: Sequence[str], taught: str,
    bare: tuple[int, ...] = (),
) -> Check:  # fmt: skip
    """The arrays of a new layer have the dtype that was asked for; float32 where none was.

    Args:
        bare: arguments with which it has a weight alone.
    """
    asked = [(arguments, names, None), (arguments, names, "float64")]
    asked += [(bare, names[:1], "float64")] if bare else []
    probes = tuple(
        Probe("modules.typed", (layer, given, list(held), dtype),
              f"nn.{layer}({', '.join(map(str, given))}{dtype and f', dtype={dtype}' or ''})")
        for given, held, dtype in asked
    )  # fmt: skip
    return Check(
        f"chapter4.{layer.lower()}.init", "dtype", probes, taught, compare="dtype", weight=0.5
    )
