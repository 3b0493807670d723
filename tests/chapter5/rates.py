"""The checks of `clip_grad_norm` and the schedules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Parts, Probe, number_for, rng_for, shapes_for

CLIP = "chapter5.clip_grad_norm"
FACTOR = "If the total norm is greater than `max_norm`, every gradient is multiplied"
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (2, 3), (2,))

LONG = 10_000  # a factor: PyTorch adds 1e-6 to the norm, which must make no difference to it

# name, sentence, words that teach it, shapes (None: no gradient), scale, max_norm, form
CLIPS: tuple[tuple[str, str, str, tuple[Any, ...], float, float, str], ...] = (
    ("one", "cuts one long gradient down to max_norm", FACTOR, SHAPES[:1], LONG, 5.0, "list"),
    ("together", "scales all gradients by one common factor",
     f"Scale all gradients by one common factor … {FACTOR}", (*SHAPES, ()), LONG, 7.5, "list"),
    ("many", "cuts what is long together, though no number is above max_norm",
     f"so that together they are no longer than max_norm … {FACTOR}",
     ((40,), (5, 6)), LONG, 5.0 * LONG, "list"),
    ("short", "leaves gradients alone that are short enough",
     "Otherwise gradients stay as they are", SHAPES, 1, 50.0, "list"),
    ("none", "leaves out a parameter without a gradient",
     "Parameters whose `grad` is None are left out", (None, *SHAPES[:2], None), LONG, 5.0, "list"),
    ("generator", "takes a generator of parameters",
     "any iterable of Tensors, a generator too. Parameters", SHAPES, LONG, 5.0, "generator"),
)  # fmt: skip


def clip_checks(seed: str) -> Iterator[Check]:
    """Gradients and total; the numbers are large, so that PyTorch's + 1e-6 makes no difference."""
    probes = {}
    for name, says, taught, shapes, scale, limit, form in CLIPS:
        rng = rng_for(seed, f"{CLIP}/{name}")
        drawn = [None if s is None else np.asarray(REAL.draw(rng, s) * scale) for s in shapes]
        probes[name] = _clip(drawn, limit, form)
        yield Check(CLIP, name, (probes[name],), taught, says=f"clip_grad_norm {says}.")
    taught = (
        "The total norm as it was before clipping, a float: the root of the sum of the squares of "
        "all values of all gradients"
    )
    rng = rng_for(seed, f"{CLIP}/more")
    args = ([np.asarray(REAL.draw(rng, shape) * 1000) for shape in (*SHAPES, ())],
            2.0, "list", "float32")  # fmt: skip
    narrow = Probe("optimizers.clipped", args, "clip_grad_norm(parameters, 2.0)")
    total = partial(Check, CLIP, taught=taught, part="total")
    says = "clip_grad_norm returns the total norm as it was before."
    yield total("total", (probes["together"], probes["short"]), says=says)
    for part, taught, says in (
        ("data", "Scale all gradients by one common factor", "scales gradients, no values"),
        ("float", "before clipping, a float", "returns a plain number"),
    ):
        yield Check(CLIP, part, (probes["together"], narrow), taught, part=part, weight=0.5,
                    says=f"clip_grad_norm {says}.")  # fmt: skip
    limit = number_for(seed, f"{CLIP}/limit", 5.0, 2.0, 90.0)
    flat = shapes_for(seed, f"{CLIP}/zeros", (3,), (2, 2))
    zeros = (_clip([np.zeros(shape) for shape in flat], limit, "list"),)
    yield Check(CLIP, "zeros", zeros, "Otherwise gradients stay as they are", weight=0.5,
                says="clip_grad_norm leaves gradients of zeros alone.")  # fmt: skip
    says = "clip_grad_norm returns 0.0 where there is no gradient at all."
    yield Check(CLIP, "no-gradient", (_clip([None, None], limit, "list"),), part="total",
                taught="0.0 where there is no gradient", says=says, weight=0.5)  # fmt: skip
    says = "clip_grad_norm keeps float32 gradients float32."
    yield Check(CLIP, "float32", (narrow,), "a new array of the same shape and dtype", weight=0.5,
                compare="dtype", says=says)  # fmt: skip
    drawn = [np.asarray(REAL.draw(rng, shape) * 4000) for shape in ((), (2, 1, 2), (4,))]
    more = (_clip(drawn, 0.25, "list"),)
    says = "clip_grad_norm is right for other shapes and limits too."
    yield Check(CLIP, "more", more, FACTOR, says=says, hidden=True)


def _clip(gradients, limit: float, form: str) -> Probe:
    return Probe(
        "optimizers.clipped", (gradients, limit, form), f"clip_grad_norm(parameters, {limit})",
        oracles={"numpy": partial(_clipped, gradients, limit)},
        twin=partial(_torch_clipped, gradients, limit),
    )  # fmt: skip


def _clipped(gradients, limit: float) -> Parts:
    there = [g for g in gradients if g is not None]
    total = np.linalg.norm(np.concatenate([np.zeros(1), *(g.ravel() for g in there)]))
    factor = min(1.0, limit / total) if total else 1.0
    return _parts([g * factor for g in there], total)


def _torch_clipped(gradients, limit: float, torch) -> Parts:
    parameters = [torch.zeros(() if g is None else g.shape, dtype=torch.float64) for g in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = None if gradient is None else torch.tensor(gradient)
    total = torch.nn.utils.clip_grad_norm_(parameters, limit)
    found = [p.grad.numpy() for p in parameters if p.grad is not None]
    return _parts(found, total.double().numpy())


def _parts(gradients, total) -> Parts:
    """A part without arrays does not travel: without gradients there is only the total."""
    return {"total": [total], **({"value": gradients} if gradients else {})}


# ---- schedules --------------------------------------------------------------------------


def schedule_checks(seed: str) -> Iterator[Check]:
    """Both schedules and the scheduler."""
    yield from _step_decay(seed)
    yield from _warmup_cosine(seed)
    rng = rng_for(seed, "chapter5.scheduler")
    one, two = (rng.uniform(0.01, 0.09) for _ in range(2))
    rates = [0.0, one, one, two, 0.0]  # from 0, and level for a step
    probe = Probe(
        "optimizers.scheduled", (rates, 0.001), "Scheduler(optimizer, schedule).step()",
        oracles={"numpy": lambda: {"value": [np.array(rates)], "t": [np.arange(len(rates)) * 1.0]}},
        twin=partial(_scheduled, rates),
    )  # fmt: skip
    exercise = "chapter5.scheduler"
    yield Check(
        exercise, "start", (probe,), "set `optimizer.lr` to `schedule(0)` at once", part="start",
        says="Scheduler sets the rate of step 0 when it is made.", weight=0.5,
    )  # fmt: skip
    yield Check(
        exercise, "number", (probe,), part="t",
        taught="start at `t = 0` … add 1 to `t` … t: the number of the step that comes next",
        says="Scheduler counts the steps in t, from 0.", weight=0.5,
    )  # fmt: skip
    yield Check(
        exercise, "rates", (probe,),
        "add 1 to `t`, and set `optimizer.lr` … what `optimizer.lr` was before does not matter … "
        "nothing but an `lr`",
    )  # fmt: skip


def _scheduled(rates, torch) -> Parts:
    """PyTorch multiplies the rate that it started from; that is 1 here."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rates.__getitem__)
    return {"value": [np.array(_seen(optimizer, scheduler, len(rates)))]}


def _seen(optimizer, scheduler, count: int) -> list[float]:
    seen = []
    for step in range(count):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if step + 1 < count:
            scheduler.step()
    return seen


def _schedule(function: str, steps, options, numpy, twin) -> Probe:
    told = ", ".join(f"{name}={value}" for name, value in options.items())
    return Probe(
        "optimizers.schedule", (function, list(steps), options), f"{function}(t, {told})",
        oracles={"numpy": lambda: {"value": [np.array([numpy(t, **options) for t in steps])]}},
        twin=lambda torch: {"value": [np.array(twin(torch, max(steps) + 1, **options))[steps]]},
    )  # fmt: skip


def _settings(seed: str, name: str, usual: dict[str, Any]) -> dict[str, Any]:
    """The settings of a schedule: its lengths as usual, its rates and factors the seed's own."""
    if seed == PUBLIC_SEED:
        return usual
    return {
        key: number_for(seed, f"chapter5.{name}/{key}", value, 0.5 * value, 0.95 * value)
        if isinstance(value, float) else value
        for key, value in usual.items()
    }  # fmt: skip


def _step_decay(seed: str) -> Iterator[Check]:
    def rate(t, lr, every, factor=0.1):
        return lr * np.prod([factor for s in range(1, t + 1) if s % every == 0])

    def twin(torch, count, lr, every, factor=0.1):
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr)
        made = torch.optim.lr_scheduler.StepLR(optimizer, every, factor)
        return _seen(optimizer, made, count)

    cases = (
        ("first", "keeps lr for the first steps",
         "lr times factor, once per `every` steps … every − 1 have `lr`",
         range(4), {"lr": 0.3, "every": 4, "factor": 0.5}, False),
        ("drops", "drops once per `every` steps", "the next `every` steps have `lr · factor`",
         range(12), {"lr": 0.3, "every": 4, "factor": 0.5}, False),
        ("default", "has the default factor 0.1", "factor: float = 0.1",
         range(7), {"lr": 2.0, "every": 3}, False),
        ("more", "is right for other settings", "`lr · factor²`, and so on",
         [0, 6, 7, 13, 14, 20, 21, 30, 91], {"lr": 0.8, "every": 7, "factor": 0.7}, True),
    )  # fmt: skip
    for name, says, taught, steps, usual, hidden in cases:
        options = _settings(seed, f"step_decay/{name}", usual)
        probe = _schedule("step_decay", list(steps), options, rate, twin)
        says = f"step_decay {says}."
        yield Check("chapter5.step_decay", name, (probe,), taught, says=says, hidden=hidden)


def _warmup_cosine(seed: str) -> Iterator[Check]:
    def rate(t, lr, warmup, total, lowest=0.0):
        if t < warmup:
            return lr / warmup * (t + 1)
        # (1 + cos x) / 2 is the square of the cosine of half the angle.
        quarter = math.pi / 2 * min(t - warmup, total - warmup) / (total - warmup)
        return lowest + (lr - lowest) * math.cos(quarter) ** 2

    cases = (
        ("warmup", "rises in a straight line first", "never 0, and `lr` in the last of them",
         range(4), {"lr": 0.2, "warmup": 4, "total": 13}, 1, False),
        ("cosine", "falls along half a cosine",
         "half a cosine down … the share of the way from step `warmup` to step `total`",
         range(11), {"lr": 0.2, "warmup": 4, "total": 10}, 2, False),
        ("lowest", "ends at lowest", "lowest + (lr − lowest) · (1 + cos(π · done)) / 2",
         range(11), {"lr": 0.2, "warmup": 3, "total": 10, "lowest": 0.05}, 1, False),
        ("beyond", "stays at lowest from step total on",
         "From step `total` on it stays at `lowest`",
         range(9, 16), {"lr": 0.2, "warmup": 3, "total": 10, "lowest": 0.05}, 1, False),
        ("no-warmup", "starts at lr where there is no warm-up",
         "with `warmup=0` there is no line up",
         range(7), {"lr": 0.3, "warmup": 0, "total": 6, "lowest": 0.02}, 1, False),
        ("more", "is right for other settings", "lowest + (lr − lowest) · (1 + cos(π · done)) / 2",
         range(24), {"lr": 0.7, "warmup": 9, "total": 21, "lowest": 0.3}, 1, True),
    )  # fmt: skip
    for name, says, taught, steps, usual, weight, hidden in cases:
        options = _settings(seed, f"warmup_cosine/{name}", usual)
        probe = _schedule("warmup_cosine", list(steps), options, rate, _torch_cosine)
        says = f"warmup_cosine {says}."
        yield Check(
            "chapter5.warmup_cosine", name, (probe,), taught,
            says=says, weight=weight, hidden=hidden,
        )  # fmt: skip


def _torch_cosine(torch, count: int, lr, warmup, total, lowest=0.0) -> list[float]:
    """A line up, then a cosine, chained; PyTorch's cosine would rise again beyond its end."""
    rates = torch.optim.lr_scheduler
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr)
    if warmup:
        up = rates.LinearLR(optimizer, 1 / warmup, 1.0, warmup - 1)
        down = rates.CosineAnnealingLR(optimizer, total - warmup, lowest)
        made = rates.SequentialLR(optimizer, [up, down], [warmup])
    else:
        made = rates.CosineAnnealingLR(optimizer, total, lowest)
    seen = _seen(optimizer, made, min(count, total + 1))
    return seen + [lowest] * (count - len(seen))
