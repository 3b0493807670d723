"""A template per property: from a row of the op table to its checks.

Forward and backward are two exercises, so there are two lists. One probe serves several checks
where it can: the same call shows the values and whether the inputs were left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from grader.course import REAL, Check, OpRow, OpSample, Parts, Probe, SampleGroup, numeric, rng_for

GRAPH = "so that it can be differentiated again"
UNTOUCHED = "leaves its inputs as they were"
DTYPE = "The dtype stays: float64 in, float64 out"


def forward_checks(
    row: OpRow,
    exercise: str,
    hidden: Sequence[OpSample],
    seed: str,
    alike: bool = False,
    float32: bool = False,
) -> list[Check]:
    """The values on public and on hidden samples, each group, the dtype, the inputs left alone.

    Args:
        alike: whether all hidden samples begin with the same numbers, so that nothing but a shape
            or an attribute of the op tells some of them apart.
        float32: whether a call in float32 is asked for, too.
    """
    taught = row.taught["forward"]
    check = partial(Check, exercise, taught=taught, scalar_shape=row.scalar_shape)
    public = _probes(_forward_probe, row, exercise, "value", row.samples, seed)
    groups = _groups("forward", _forward_probe, row, exercise, seed)
    shown = _public_ones(public, groups)
    single = (_single_probe(row, exercise, seed),) if float32 else ()
    checks = [
        check("value", public),
        *groups,
        Check(
            exercise, "dtype", shown, DTYPE, part="dtype", compare="text", aside=True,
            says=f"{row.op}.forward keeps the dtype.", weight=0.5,
        ),
        Check(
            exercise, "inputs", (*shown, *single), UNTOUCHED, part="inputs",
            says=f"{row.op}.forward leaves its inputs as they were.", weight=0.5,
        ),
    ]  # fmt: skip
    if hidden:
        more = _probes(_forward_probe, row, exercise, "more", hidden, seed, alike=alike)
        says = f"{row.op}.forward computes the right values for other shapes too."
        checks.append(check("more", more, says=says, hidden=True))
        says = f"{row.op}.forward keeps the dtype, and its inputs, for other shapes too."
        checks.append(_asks_dtype(row, exercise, "kept", more, part="kept", says=says, hidden=True))
    return [*checks, *([_asks_dtype(row, exercise, "float32", single)] if single else ())]


def _asks_dtype(row: OpRow, exercise: str, name: str, probes: tuple[Probe, ...], **more) -> Check:
    """Check values with their dtype; a mistake is recognised without it."""
    return Check(
        exercise, name, probes, DTYPE, compare="dtype", aside=True,
        weight=0.25 if more else 0.5, scalar_shape=row.scalar_shape, **more,
    )  # fmt: skip


def backward_checks(
    row: OpRow, exercise: str, hidden: Sequence[OpSample], seed: str, alike: bool = False
) -> list[Check]:
    """The gradients on public and on hidden samples, each group, twice, inputs left alone."""
    taught = row.taught["backward"]
    check = partial(Check, exercise, taught=taught, part="gradient", compare="rounded")
    public = _probes(_vjp_probe, row, exercise, "gradient", row.samples, seed)
    groups = _groups("backward", _vjp_probe, row, exercise, seed)
    checks = [
        check("gradient", public, weight=2),
        *groups,
        again_check(row, exercise, row.samples[:1], seed),
        Check(
            exercise, "inputs", _public_ones(public, groups), UNTOUCHED, part="inputs",
            says=f"{row.op}.backward leaves its inputs and out_grad as they were.", weight=0.5,
        ),
    ]  # fmt: skip
    if hidden:
        more = _probes(_vjp_probe, row, exercise, "more", hidden, seed, alike=alike)
        says = f"{row.op}.backward returns the gradient of every input for other shapes too."
        checks.append(check("more", more, says=says, hidden=True))
        checks.append(Check(
            exercise, "kept", more, UNTOUCHED, part="inputs", weight=0.25, hidden=True,
            says=f"{row.op}.backward leaves its inputs and out_grad for other shapes too.",
        ))  # fmt: skip
    return checks


def again_check(row: OpRow, exercise: str, samples: Sequence[OpSample], seed: str) -> Check:
    """Whether what a backward returns can be differentiated in its turn."""
    probes = _probes(_again_probe, row, exercise, "again", samples, seed)
    return Check(
        exercise, "again", probes, GRAPH, weight=0.5, aside=True, compare="rounded"
    )  # fmt: skip


def _public_ones(public: Sequence[Probe], groups: Iterable[Check]) -> tuple[Probe, ...]:
    """Every drawn probe that a learner sees and that counts: a branch of its own may serve each."""
    drawn = (each for each in groups if each.weight and not (each.hidden or each.fixed))
    return *public, *(probe for check in drawn for probe in check.probes)


def _groups(direction, make, row: OpRow, exercise: str, seed: str) -> list[Check]:
    part, how = ("value", "close") if direction == "forward" else ("gradient", "rounded")
    checks = []
    for group in row.groups:
        if direction in group.directions:
            probes = _probes(make, row, exercise, group.name, group.samples, seed, group)
            checks.append(Check(
                exercise, group.name, probes, group.taught, part=part,
                says=group.says.format(method=f"{row.op}.{direction}"),
                hidden=group.hidden, scalar_shape=group.scalar_shape, compare=how,
                weight=group.weight,
                fixed="these values are the point" if any(s.values for s in group.samples) else "",
            ))  # fmt: skip
    return checks


def _probes(
    make, row, exercise, name, samples, seed, group: SampleGroup | None = None, alike=False
):
    numeric_too = group is None or group.numeric
    return tuple(
        make(row, sample, rng_for(seed, f"{exercise}/{name}/{0 if alike else i}"), numeric_too)
        for i, sample in enumerate(samples)
    )


def _forward_probe(row: OpRow, sample: OpSample, rng, numeric_too: bool) -> Probe:
    arrays = sample.draw(row.domain, rng)
    return Probe(
        program="operators.forward",
        args=(row.op, sample.attrs, arrays),
        call=f"{_made(row, sample)}.forward({_names(arrays)})",
        oracles={"numpy": lambda: _value(row, sample, arrays)},
        twin=row.torch and (lambda torch: _torch_value(torch, row, sample, arrays)),
    )


def _single_probe(row: OpRow, exercise: str, seed: str) -> Probe:
    sample = row.samples[0]
    drawn = sample.draw(row.domain, rng_for(seed, f"{exercise}/float32"))
    arrays = [array.astype("float32") for array in drawn]

    def formula() -> Parts:
        return {"value": [np.asarray(_forward(row, sample, *arrays), "float32")], "inputs": arrays}

    call = f"{_made(row, sample)}.forward({_names(arrays)}) in float32"
    return Probe("operators.single", (row.op, sample.attrs, arrays), call, {"numpy": formula})


def _vjp_probe(row: OpRow, sample: OpSample, rng, numeric_too: bool) -> Probe:
    arrays = sample.draw(row.domain, rng)
    forward = partial(_forward, row, sample)
    cotangent = REAL.draw(rng, np.shape(forward(*arrays)))

    def derivative() -> Parts:
        gradient = numeric.vjp(forward, arrays, cotangent, analytic=row.analytic)
        return {"gradient": gradient, "inputs": [*arrays, cotangent]}

    return Probe(
        program="operators.vjp",
        args=(row.op, sample.attrs, arrays, cotangent),
        call=f"{_made(row, sample)}.backward(out_grad, node) at ({_names(arrays)})",
        oracles={"finite_difference": derivative} if numeric_too else {},
        twin=row.torch and (lambda torch: _torch_vjp(torch, row, sample, arrays, cotangent)),
    )


def _again_probe(row: OpRow, sample: OpSample, rng, numeric_too: bool) -> Probe:
    arrays = sample.draw(row.domain, rng)
    forward = partial(_forward, row, sample)
    cotangent = REAL.draw(rng, np.shape(forward(*arrays)))
    second = [REAL.draw(rng, array.shape) for array in arrays]

    def derivative() -> Parts:
        return {"value": numeric.vjp_of_vjp(
            forward, arrays, cotangent, second, analytic=row.analytic
        )}  # fmt: skip

    def twin(torch) -> Parts:
        return _torch_again(torch, row, sample, arrays, cotangent, second)

    return Probe(
        program="operators.again",
        args=(row.op, sample.attrs, arrays, cotangent, second),
        call=f"{_made(row, sample)}.backward(out_grad, node) at ({_names(arrays)}), twice",
        oracles={"finite_difference": derivative},
        twin=row.torch and twin,
    )


def _made(row: OpRow, sample: OpSample) -> str:
    return f"{row.op}({', '.join(map(repr, sample.attrs))})"


def _names(arrays: Sequence[np.ndarray]) -> str:
    return ", ".join("ab"[: len(arrays)])


def _forward(row: OpRow, sample: OpSample, *arrays: np.ndarray) -> np.ndarray:
    return np.asarray(row.forward(*arrays, *sample.attrs))


def _value(row: OpRow, sample: OpSample, arrays: list[np.ndarray]) -> Parts:
    value = [_forward(row, sample, *arrays)]
    return {"value": value, "inputs": arrays, "kept": [np.empty(0), *arrays]}


def _torch_value(torch, row: OpRow, sample: OpSample, arrays: list[np.ndarray]) -> Parts:
    value = row.torch(torch, *(torch.tensor(a) for a in arrays), *sample.attrs)
    return {"value": [value.numpy()], "inputs": arrays}


def _torch_vjp(torch, row: OpRow, sample: OpSample, arrays, cotangent) -> Parts:
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    out = row.torch(torch, *leaves, *sample.attrs)
    gradients = torch.autograd.grad(out, leaves, torch.tensor(cotangent))
    return {"gradient": [g.numpy() for g in gradients], "inputs": [*arrays, cotangent]}


def _torch_again(torch, row: OpRow, sample: OpSample, arrays, cotangent, second) -> Parts:
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    v = torch.tensor(cotangent, requires_grad=True)
    out = row.torch(torch, *leaves, *sample.attrs)
    gradients = torch.autograd.grad(out, leaves, v, create_graph=True)
    total = sum((torch.tensor(u) * g).sum() for u, g in zip(second, gradients, strict=True))
    twice = torch.autograd.grad(total, [v, *leaves], allow_unused=True, materialize_grads=True)
    return {"value": [g.numpy(force=True) for g in twice]}
