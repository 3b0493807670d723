"""Initialization: what the weights hold before the first step (chapter 7).

All functions that draw take the two fans of a layer: ``fan_in``, how many inputs each output
sums over, and ``fan_out``, how many outputs each input goes to. They draw from NumPy's global
stream (``np.random``), again with each call, and never set its seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from .optim import gradient_of  # noqa: F401  (a gradient as an ndarray, or None)
from .tensor import Tensor


def gain(nonlinearity: str) -> float:
    """The factor by which weights before this nonlinearity have to be larger than before none.

    =========== =======
    "linear"    1
    "sigmoid"   1
    "tanh"      5 / 3
    "relu"      √2
    =========== =======

    Raises:
        ValueError: another name.

    Source: He et al. 2015 for ReLU; the others are those of ``torch.nn.init.calculate_gain``.
    """
    ### BEGIN SOLUTION
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
    if nonlinearity not in gains:
        raise ValueError(f"{nonlinearity!r} is none of {', '.join(gains)}.")
    return gains[nonlinearity]
    ### END SOLUTION


def xavier_uniform(
    fan_in: int,
    fan_out: int,
    gain: float = 1.0,
    *,
    shape: tuple[int, ...] | None = None,
    dtype: Any = "float32",
    requires_grad: bool = True,
) -> Tensor:
    """Values drawn uniformly from -bound to bound, bound = gain · √(6 / (fan_in + fan_out)).

    The result is a Tensor of ``shape``, which is ``(fan_in, fan_out)`` unless told otherwise,
    with this dtype and this ``requires_grad``.

    Source: Glorot and Bengio 2010, equation 16.
    """
    ### BEGIN SOLUTION
    bound = gain * math.sqrt(6 / (fan_in + fan_out))
    values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
    return Tensor(values, dtype=dtype, requires_grad=requires_grad)
    ### END SOLUTION


def xavier_normal(
    fan_in: int,
    fan_out: int,
    gain: float = 1.0,
    *,
    shape: tuple[int, ...] | None = None,
    dtype: Any = "float32",
    requires_grad: bool = True,
) -> Tensor:
    """Values drawn from a normal distribution: mean 0, std = gain · √(2 / (fan_in + fan_out)).

    Shape, dtype and ``requires_grad`` as in ``xavier_uniform``.

    Source: Glorot and Bengio 2010, equation 12.
    """
    ### BEGIN SOLUTION
    std = gain * math.sqrt(2 / (fan_in + fan_out))
    values = np.random.normal(0.0, std, (fan_in, fan_out) if shape is None else shape)
    return Tensor(values, dtype=dtype, requires_grad=requires_grad)
    ### END SOLUTION


def kaiming_uniform(
    fan_in: int,
    fan_out: int,
    nonlinearity: str = "relu",
    *,
    shape: tuple[int, ...] | None = None,
    dtype: Any = "float32",
    requires_grad: bool = True,
) -> Tensor:
    """Values drawn uniformly from -bound to bound, bound = gain(nonlinearity) · √(3 / fan_in).

    ``fan_out`` is used only for the shape. Shape, dtype and ``requires_grad`` as in
    ``xavier_uniform``.

    Source: He et al. 2015, equation 10, as a uniform distribution of the same spread.
    """
    ### BEGIN SOLUTION
    bound = gain(nonlinearity) * math.sqrt(3 / fan_in)
    values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
    return Tensor(values, dtype=dtype, requires_grad=requires_grad)
    ### END SOLUTION


def kaiming_normal(
    fan_in: int,
    fan_out: int,
    nonlinearity: str = "relu",
    *,
    shape: tuple[int, ...] | None = None,
    dtype: Any = "float32",
    requires_grad: bool = True,
) -> Tensor:
    """Values drawn from a normal distribution: mean 0, std = gain(nonlinearity) / √fan_in.

    ``fan_out`` is used only for the shape. Shape, dtype and ``requires_grad`` as in
    ``xavier_uniform``.

    Source: He et al. 2015, equation 10.
    """
    ### BEGIN SOLUTION
    std = gain(nonlinearity) / math.sqrt(fan_in)
    values = np.random.normal(0.0, std, (fan_in, fan_out) if shape is None else shape)
    return Tensor(values, dtype=dtype, requires_grad=requires_grad)
    ### END SOLUTION


def initialize(parameters: Iterable[Tensor], draw: Callable[[int, int], Tensor]) -> None:
    """Give every weight matrix new values from ``draw``.

    Args:
        parameters: any iterable of Tensors.
        draw: a function such as ``kaiming_normal``; it is called with fan_in and fan_out and
            returns a Tensor of shape ``(fan_in, fan_out)``.

    A parameter with exactly two axes is a weight matrix of shape ``(fan_in, fan_out)``. It stays
    the same Tensor and keeps its dtype; only its ``data`` gets the drawn values. All other
    parameters (biases, scales) are left as they are.
    """
    ### BEGIN SOLUTION
    for parameter in parameters:
        if parameter.ndim == 2:
            fan_in, fan_out = parameter.shape
            parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)
    ### END SOLUTION


class Statistics(NamedTuple):
    """The statistics of one layer's output, or of one gradient, over all of its values together."""

    mean: float
    std: float
    zeros: float


def activation_statistics(
    layers: Iterable[Callable[[Tensor], Tensor]], x: Tensor
) -> list[Statistics]:
    """Send ``x`` through the layers, one after the other, and look at what comes out of each.

    Args:
        layers: functions or Modules that take a Tensor and return one. The first gets ``x``,
            each other one the output of the one before it.

    Returns:
        One ``Statistics`` per layer: the mean of all values of its output, their standard
        deviation (the root of the mean squared distance from the mean), and the share of
        values that are exactly 0, between 0 and 1.
    """
    ### BEGIN SOLUTION
    found = []
    for layer in layers:
        x = layer(x)
        zeros = float(np.mean(x.data == 0))
        found.append(Statistics(float(x.data.mean()), float(x.data.std()), zeros))
    return found
    ### END SOLUTION


def gradient_statistics(parameters: Iterable[Tensor]) -> list[Statistics | None]:
    """Look at the gradients that ``backward`` left in the parameters.

    Args:
        parameters: any iterable of Tensors, a generator too; most often those of one model, in
            the order of its layers.

    Returns:
        One entry per parameter, in their order: the ``Statistics`` of its gradient, as
        ``activation_statistics`` computes them for an output; None where ``grad`` is None. Nothing
        has arrived there, which is not the same as a gradient of zeros. ``grad`` is only read.
    """
    ### BEGIN SOLUTION
    found: list[Statistics | None] = []
    for parameter in parameters:
        g = gradient_of(parameter)
        if g is None:
            found.append(None)
        else:
            found.append(Statistics(float(g.mean()), float(g.std()), float(np.mean(g == 0))))
    return found
    ### END SOLUTION
