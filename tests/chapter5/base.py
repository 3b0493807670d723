"""The checks of `Optimizer` itself, and of each optimizer's attributes after `__init__`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.course import REAL, Check, Probe, number_for, rng_for

INIT, ZERO = "chapter5.optimizer.init", "chapter5.optimizer.zero_grad"


def optimizer_checks(seed: str) -> Iterator[Check]:
    """`Optimizer.__init__` and `zero_grad`."""
    rng = rng_for(seed, INIT)
    arrays = [REAL.draw(rng, shape) for shape in ((2, 3), (3,), (2,))]
    yield from _kept(arrays)
    rate = number_for(seed, f"{INIT}/rate", 0.1, 0.01, 0.9)
    for name, given, lr, taught in (
        ("empty", [], rate, "ValueError: there is no parameter"),
        ("negative-lr", arrays[1:], -0.1, "or `lr` is negative"),
    ):
        refused = Probe("optimizers.refused", (given, lr), f"Optimizer(a generator, lr={lr})")
        yield Check(INIT, name, (refused,), taught, compare="text", weight=0.5)
    gradients = [REAL.draw(rng, (2, 3)), None, REAL.draw(rng, (2,))]
    probe = Probe("optimizers.forgotten", (arrays, gradients), "optimizer.zero_grad()")
    yield Check(
        ZERO, "none", (probe,), "set `grad` of every parameter to None",
        says="zero_grad sets every gradient to None.",
    )  # fmt: skip
    yield Check(
        ZERO, "values", (probe,), "of every parameter to None. Values stay.", part="data",
        says="zero_grad leaves the values of the parameters alone.", weight=0.5,
    )  # fmt: skip


def _kept(arrays) -> Iterator[Check]:
    equal = [arrays[1], arrays[1].copy(), arrays[0]]
    cases = (
        # name, arrays, which of them are given, how; what is said; the words that teach it
        ("order", arrays, [0, 2, 1], "list", "keeps the parameters as a list, in the order given",
         "a list of these very Tensors in the order given"),
        ("generator", arrays, [0, 1, 2], "generator", "keeps parameters that come from a generator",
         "any iterable of Tensors, a generator too"),
        ("shared", arrays, [1, 0, 1, 2, 0], "list", "keeps a Tensor that occurs twice only once",
         "A Tensor that occurs twice, as shared weights do, is kept once"),
        ("equal", equal, [0, 1, 2], "list", "keeps two Tensors that merely hold equal values",
         "two Tensors that merely hold equal values are two parameters"),
    )  # fmt: skip
    probes = []
    for name, given, order, form, says, taught in cases:
        probes.append(Probe("optimizers.kept", (given, order, 0.07, form), "Optimizer(…, lr=0.07)"))
        yield Check(INIT, name, (probes[-1],), taught, says=f"Optimizer {says}.")
    yield Check(INIT, "list", tuple(probes[:1]), "a list of the Tensors to train", part="list",
                says="Optimizer keeps its parameters in a list.", weight=0.5)  # fmt: skip
    says = "Optimizer keeps lr."
    taught = "lr: the learning rate, a number … Keep the parameters and … kept as `self.lr`"
    yield Check(INIT, "lr", tuple(probes[:1]), taught, part="lr", says=says)
    still = Probe("optimizers.kept", (arrays, [0], 0.0, "list"), "Optimizer(…, lr=0.0)")
    says = "Optimizer keeps a learning rate of 0, too."
    taught = "A rate of 0 is allowed: then nothing moves"
    yield Check(INIT, "zero-lr", (still,), taught, part="lr", says=says, weight=0.5)


MEMORY: dict[str, tuple[tuple[str, ...], str]] = {
    "SGD": (
        ("velocities",),
        "velocities: a list with one array per parameter … a velocity of zeros for each parameter "
        "… a list with one array of zeros per parameter, of its shape and dtype",
    ),
    "Adam": (
        ("first_moments", "second_moments", "steps"),
        "first_moments: a list with the running mean of g, one array per parameter … "
        "second_moments: a list with the running mean of g², one array per parameter … "
        "for each parameter two running means and a counter … lists with one array of zeros per "
        "parameter, of its shape and dtype. `self.steps` is a list with one 0 per parameter",
    ),
}  # fmt: skip
SETTINGS: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.03, "momentum": 0.7, "weight_decay": 0.2},
    "Adam": {"lr": 0.03, "betas": (0.8, 0.95), "eps": 0.04, "weight_decay": 0.2},
}
BASE = "the base class keeps parameters and lr"
HELD = f"Keep the settings … hold the settings; {BASE}"


DEFAULTS = {"SGD": "momentum: float = 0.0", "Adam": "betas: tuple[float, float] = (0.9, 0.999)"}


def setting(seed: str, name: str, usual: float) -> float:
    return number_for(seed, name, usual, 0.8 * usual, usual)


def init_checks(kind: str, exercise: str, seed: str) -> Iterator[Check]:
    """Check an optimizer after `__init__`: its settings, and memory that is still empty."""
    rng = rng_for(seed, exercise)
    arrays = [REAL.draw(rng, shape) for shape in ((2, 3), (3,))]
    options = {
        name: tuple(setting(seed, f"{exercise}/{name}/{i}", each) for i, each in enumerate(value))
        if isinstance(value, tuple) else setting(seed, f"{exercise}/{name}", value)
        for name, value in SETTINGS[kind].items()
    }  # fmt: skip
    probe = Probe(
        "optimizers.settings", (kind, arrays, options, list(options), list(MEMORY[kind][0])),
        f"{kind}(parameters, {', '.join(f'{k}={v}' for k, v in options.items())})",
    )  # fmt: skip
    says = f"{kind} keeps {', '.join(options)} under these names."
    yield Check(exercise, "settings", (probe,), HELD, says=says)
    says = f"{kind} passes its parameters to Optimizer.__init__."
    yield Check(exercise, "parameters", (probe,), BASE, part="parameters", says=says, weight=0.5)
    args = kind, arrays, {}, list(options), list(MEMORY[kind][0])
    usual_ones = Probe("optimizers.settings", args, f"{kind}(parameters)")
    says = f"{kind} has the defaults of its signature."
    yield Check(exercise, "defaults", (usual_ones,), DEFAULTS[kind], says=says, weight=0.5)
    names, taught = MEMORY[kind]
    call = f"{kind}(parameter for parameter in …)"
    memories = tuple(
        Probe("optimizers.memory", (kind, arrays, dtype, list(names)), call)
        for dtype in ("float64", "float32")
    )
    says = f"{kind}'s {', '.join(names)} start from zeros, of each parameter's shape."
    equal = [arrays[0], arrays[1], arrays[1].copy()]
    apart = Probe("optimizers.memory", (kind, equal, "float64", list(names)), call)
    yield Check(exercise, "memory", (memories[0], apart, probe, usual_ones), taught, "memory", says)
    says = f"{kind}'s memory is a separate array each time, even if shapes are the same."
    yield Check(exercise, "apart", (apart,), taught, part="shared", says=says, weight=0.5)
    says = f"{kind}'s memory has the dtype of each parameter."
    yield Check(exercise, "dtype", memories[1:], taught, "memory", says, 0.5, compare="dtype")
