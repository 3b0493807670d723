"""The checks of the four functions that draw: their randomness, spread, limits and shape.

Values are random, so three things are looked at. Two large samples must look alike (mean, spread,
quartiles). The farthest value must lie between two limits, which tells a uniform distribution from
a normal one. And what is not random (shape, dtype) must be exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import (
    PUBLIC_SEED,
    Check,
    Parts,
    Probe,
    rng_for,
    shapes_for,
    sizes_for,
    start_for,
)

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
TAUGHT = {
    "xavier_uniform": "uniformly from -bound to bound, bound = gain · √(6 / (fan_in + fan_out))",
    "xavier_normal": "mean 0, std = gain · √(2 / (fan_in + fan_out))",
    "kaiming_uniform": "from -bound to bound, bound = gain(nonlinearity) · √(3 / fan_in)",
    "kaiming_normal": "mean 0, std = gain(nonlinearity) / √fan_in",
}
FANS = (120, 40)  # 4,800 values, and every wrong rule at least an eighth away from the others
LARGER = (20, 12)  # by how much at most, for a seed of its own
CONV = (72, 270, {"shape": (3, 3, 8, 30)})


def draw_checks(function: str, seed: str) -> Iterator[Check]:
    """All checks of one function: fans, options and where NumPy's generator starts are drawn."""
    exercise, taught = f"chapter7.{function}", TAUGHT[function]
    rng = rng_for(seed, f"{exercise}/fans")
    fans = FANS if seed == PUBLIC_SEED else tuple(
        fan + rng.randint(1, more) for fan, more in zip(FANS, LARGER, strict=True)
    )  # fmt: skip
    plain = _drawn(function, seed, "plain", *fans, {})
    yield Check(exercise, "spread", (plain,), taught, compare="sample", weight=2)
    says = f"{function} draws from the right kind of distribution: its farthest value shows it."
    yield Check(exercise, "limits", (plain,), taught, part="reach", says=says)
    says = f"{function}: the spread of 90,000 values is right to one in fifty."
    yield Check(exercise, "tight", (plain,), taught, part="tight", says=says, weight=0.5)
    probes = [plain]
    for name, says, options in _factors(function):
        probes.append(probe := _drawn(function, seed, name, *fans, options))
        says = f"{function} {says}."
        yield Check(exercise, name, (probe,), taught, compare="sample", says=says)
        says = f"{says[:-1]}: its farthest value shows it."
        yield Check(
            exercise, f"{name}-limits", (probe,), taught, part="reach", says=says, weight=0.5
        )
    yield Check(
        exercise, "anew", (plain,), "again with each call, and never set its seed", part="anew",
        says=f"{function} draws other values each time.", weight=0.5,
    )  # fmt: skip
    yield from _forms(function, exercise, seed, probes)
    if function.startswith("kaiming"):
        rng = rng_for(seed, f"{exercise}/unknown")
        name = "rleu" if seed == PUBLIC_SEED else "".join(rng.sample("rlexu", 4))
        other = Probe("initializers.unknown", (function, name), f'{function}(3, 2, "{name}")')
        yield Check(
            exercise, "unknown", (other,), "gain(nonlinearity)", compare="text", weight=0.5,
            says=f"{function} takes no name that `gain` does not know.",
        )  # fmt: skip
    yield _more(function, exercise, seed)


def _more(function: str, exercise: str, seed: str) -> Check:
    """Look at a factor and a dtype with a shape of its own."""
    fan_in, fan_out, options = CONV
    is_kaiming = function.startswith("kaiming")
    factor = {"nonlinearity": "sigmoid"} if is_kaiming else {"gain": 2.5}
    options = {**options, **factor, "dtype": "float64"}
    probe = _drawn(function, seed, "more", fan_in, fan_out, options)
    says = f"{function} is right for other fans, and for another shape."
    own = "`fan_out` is used only for the shape" if is_kaiming else TAUGHT[function]
    return Check(exercise, "more", (probe,), own, part="reach", says=says, hidden=True)


def _factors(function: str) -> tuple[tuple[str, str, dict[str, Any]], ...]:
    more = {"dtype": "float64", "requires_grad": False}  # these change no value
    if function.startswith("xavier"):
        return (
            ("gain", "is scaled by gain", {"gain": 2.5, **more}),
            ("small-gain", "is scaled by a gain below 1, too", {"gain": 0.4}),
        )
    return (
        ("tanh", "takes the gain of tanh", {"nonlinearity": "tanh", **more}),
        ("linear", "takes the gain of no nonlinearity", {"nonlinearity": "linear"}),
    )


def _forms(function: str, exercise: str, seed: str, drawn: list[Probe]) -> Iterator[Check]:
    fan_in, fan_out = sizes_for(seed, exercise, 6, 4)
    (own,) = shapes_for(seed, f"{exercise}/shape", (2, 3, 4))
    start = start_for(seed, f"{exercise}/given-shape")
    options = {"shape": own}
    args = function, (fan_in, fan_out), options, start
    shaped = Probe("initializers.form", args, _call(function, fan_in, fan_out, options))
    plain, other, more = drawn
    for name, says, probes, of_the_first in (
        ("shape", "returns a float32 Tensor of shape (fan_in, fan_out)", (plain, more),
         "which is `(fan_in, fan_out)` unless told otherwise"),
        ("given-shape", "returns a Tensor of the shape that it is given", (shaped,),
         "The result is a Tensor of `shape`"),
        ("no-grad", "passes requires_grad on", (other,), "and this `requires_grad`"),
        ("dtype", "passes dtype on", (other,), "with this dtype"),
    ):  # fmt: skip
        taught = of_the_first if function == "xavier_uniform" else "as in `xavier_uniform`."
        yield Check(
            exercise, name, probes, taught, part="form", compare="text", weight=0.5,
            says=f"{function} {says}.",
        )  # fmt: skip


def _call(function: str, fan_in: int, fan_out: int, options: dict[str, Any]) -> str:
    more = "".join(f", {name}={value!r}" for name, value in options.items())
    return f"{function}({fan_in}, {fan_out}{more})"


def _drawn(
    function: str, seed: str, name: str, fan_in: int, fan_out: int, options: dict[str, Any]
) -> Probe:
    limits, reach = _limits(function, fan_in, fan_out, options)
    start = start_for(seed, f"chapter7.{function}/{name}")
    std = _std(function, fan_in, fan_out, options) if name == "plain" else None
    right = {"reach": [np.array(reach)], "anew": [np.array(0.0)], "tight": [np.array(bool(std))]}
    return Probe(
        "initializers.drawn", (function, (fan_in, fan_out), options, limits, start, std),
        _call(function, fan_in, fan_out, options), oracles={"numpy": lambda: right},
        twin=partial(_twin, function, fan_in, fan_out, options, limits),
    )  # fmt: skip


def _std(function: str, fan_in: int, fan_out: int, options: dict[str, Any]) -> float:
    if function.startswith("xavier"):
        return options.get("gain", 1.0) * math.sqrt(2 / (fan_in + fan_out))
    return GAINS[options.get("nonlinearity", "relu")] / math.sqrt(fan_in)


def _limits(function: str, fan_in, fan_out, options) -> tuple[list[float], list[float]]:
    """Two limits, and whether values lie beyond each: of 2,000 values or more, surely.

    A uniform distribution ends at √3 standard deviations; a normal one reaches beyond 2.5, where
    one value in eighty lies, and hardly ever to 6.5, where one in ten billion does.
    """
    std = _std(function, fan_in, fan_out, options)
    if function.endswith("uniform"):
        return [0.97 * math.sqrt(3) * std, 1.0001 * math.sqrt(3) * std], [1.0, 0.0]
    return [2.5 * std, 6.5 * std], [1.0, 0.0]


def _twin(function, fan_in, fan_out, options, limits, torch) -> Parts:
    """PyTorch keeps outputs first, and derives the fans from the shape."""
    kernel = options.get("shape", ())[:-2]
    places = math.prod(kernel)
    values = torch.empty(fan_out // places, fan_in // places, *kernel, dtype=torch.float64)
    if function.startswith("xavier"):
        given = {"gain": options.get("gain", 1.0)}
    else:
        given = {"nonlinearity": options.get("nonlinearity", "relu")}
    getattr(torch.nn.init, f"{function}_")(values, **given)
    farthest = float(values.abs().max())
    return {"reach": [np.array([float(farthest > limit) for limit in limits])]}
