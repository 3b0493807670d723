"""A layer as a case: how it is made, what it holds, what goes in, and who knows the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from grader.course import REAL, Parts, Probe, numeric, rng_for, start_for

LEARNED = ("weight", "bias")


@dataclass(frozen=True)
class Layer:
    """One layer with its formula and its twin.

    Attributes:
        name: the class in `babygrad.nn`.
        formula: the output in NumPy: ``formula(x, *learned, **options)``; takes complex numbers
            where ``analytic``.
        twin: makes the PyTorch module: ``twin(torch, arguments)``.
        transposed: whether PyTorch keeps ``weight`` the other way round.
    """

    name: str
    formula: Callable[..., np.ndarray]
    twin: Callable[..., Any]
    analytic: bool = True
    transposed: bool = False


@dataclass(frozen=True)
class Case:
    """One call: the arguments of the constructor, what the attributes hold, the mode, the input."""

    arguments: tuple[Any, ...]
    x: np.ndarray
    state: Mapping[str, np.ndarray] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    training: bool = True
    dtype: str = "float64"

    @property
    def learned(self) -> list[np.ndarray]:
        return [self.state[name] for name in LEARNED if name in self.state]


def vector(seed: str, name: str, *shape: int) -> np.ndarray:
    """Random values for one attribute or input."""
    return REAL.draw(rng_for(seed, f"chapter4/{name}"), shape)


def value_probe(layer: Layer, case: Case) -> Probe:
    """The output, and whether the input was left alone."""

    def formula() -> Parts:
        out = layer.formula(case.x, *case.learned, **case.options)
        return {"value": [np.asarray(out)], "inputs": [case.x]}

    def twin(torch: Any) -> Parts:
        out = torch_layer(torch, layer, case)(torch.tensor(case.x))
        return {"value": [out.detach().numpy()], "inputs": [case.x]}

    return Probe(
        "modules.value",
        _args_of(layer, case),
        call(layer, case), oracles={"numpy": formula}, twin=twin,
    )  # fmt: skip


def _args_of(layer: Layer, case: Case) -> tuple[Any, ...]:
    state = {name: array.astype(case.dtype) for name, array in case.state.items()}
    return layer.name, case.arguments, state, case.training, case.x.astype(case.dtype)


def gradient_probe(layer: Layer, case: Case, seed: str, name: str) -> Probe:
    """The gradients of the input, of ``weight`` and of ``bias``, as far as there are any."""
    formula = partial(layer.formula, **case.options)
    arrays = [case.x, *case.learned]
    cotangent = vector(seed, f"{layer.name}/{name}/cotangent", *np.shape(formula(*arrays)))

    def derivative() -> Parts:
        return {"value": numeric.vjp(formula, arrays, cotangent, analytic=layer.analytic)}

    return Probe(
        "modules.gradient",
        (*_args_of(layer, case), cotangent),
        f"gradients through {call(layer, case)}",
        oracles={"finite_difference": derivative},
        twin=lambda torch: torch_gradient(torch, layer, case, cotangent),
    )  # fmt: skip


def initial_probe(seed: str, layer: str, arguments: tuple[Any, ...], names: list[str]) -> Probe:
    """Probe the first values of a new layer's attributes."""
    told = ", ".join(map(str, arguments))
    start = start_for(seed, f"chapter4/{layer}/{arguments}/{names}")
    what = f".{names[0]}" if len(names) == 1 else ""
    return Probe("modules.initial", (layer, arguments, names, start), f"nn.{layer}({told}){what}")


def call(layer: Layer, case: Case) -> str:
    mode = "" if case.training else ".eval()"
    return f"nn.{layer.name}({', '.join(map(repr, case.arguments))}){mode}(x)"


def torch_layer(torch: Any, layer: Layer, case: Case) -> Any:
    """PyTorch's module with the same values in it."""
    module = layer.twin(torch, case.arguments)
    if isinstance(module, torch.nn.Module):
        module = module.double().train(case.training)
        for name, array in case.state.items():
            array = array.T if layer.transposed and name == "weight" else array
            getattr(module, name).data = torch.tensor(np.array(array))
    return module


def torch_gradient(torch: Any, layer: Layer, case: Case, cotangent: np.ndarray) -> Parts:
    """The same gradients from PyTorch, ``weight`` turned back to our way round."""
    module = torch_layer(torch, layer, case)
    x = torch.tensor(case.x, requires_grad=True)
    learned = [getattr(module, name) for name in LEARNED if name in case.state]
    found = torch.autograd.grad(module(x), [x, *learned], torch.tensor(cotangent))
    gradients = [each.numpy() for each in found]
    if layer.transposed and learned:
        gradients[1] = gradients[1].T
    return {"value": gradients}
