"""One operation of one engine as a table row, and the probes that are made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course import REAL, Parts, Probe, numeric, rng_for

Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Case:
    """A call in the learner's terms, the same in NumPy and in PyTorch, and where to try it.

    ``function`` takes arrays, complex ones too; ``torch`` takes the torch module and tensors, None
    where ``function`` itself takes tensors. ``at`` holds the arrays themselves, where drawn ones
    do not show the point.
    """

    call: str
    function: Callable[..., Any]
    shapes: Shapes = ()
    torch: Callable[..., Any] | None = None
    numeric: bool = True
    at: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def draw(self, seed: str, name: str) -> list[np.ndarray]:
        if self.at:
            return [np.array(each, dtype=np.float64) for each in self.at]
        rng = rng_for(seed, name)
        return [REAL.draw(rng, shape) for shape in self.shapes]


def values(case: Case, arrays: list[np.ndarray]) -> np.ndarray:
    return np.asarray(case.function(*arrays), dtype=np.float64)


def gradients(
    case: Case, arrays: list[np.ndarray], out_grad: np.ndarray, held: list[np.ndarray]
) -> Parts:
    """The numeric gradients, added to what the inputs held before."""
    slopes = numeric.vjp(case.function, arrays, out_grad, analytic=True)
    return both(case, [slope + before for slope, before in zip(slopes, held, strict=True)])


def both(case: Case, gradient: list[np.ndarray]) -> Parts:
    """The gradients, and once more for an engine whose rules are asked twice."""
    return {"gradient": gradient, "again": gradient} if ".apply" in case.call else {
        "gradient": gradient
    }  # fmt: skip


def twin(
    case: Case, torch: Any, arrays: list[np.ndarray], out_grad: np.ndarray, held: list[np.ndarray]
) -> Parts:
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    for leaf, before in zip(leaves, held, strict=True):
        leaf.grad = torch.tensor(before)
    out = case.function(*leaves) if case.torch is None else case.torch(torch, *leaves)
    out.backward(torch.tensor(out_grad).reshape(out.shape))
    gradient = [leaf.grad.numpy() for leaf in leaves]
    return {"value": [out.detach().numpy()], **both(case, gradient)}


def probe(
    case: Case, exercise: str, seed: str, label: str, held: bool = False, rule: str = ""
) -> Probe:
    """The probe of one case, by the program of the engine that the exercise belongs to."""
    name = f"{exercise}/{label}"
    arrays = case.draw(seed, name)
    rng = rng_for(seed, f"{name}/out_grad")
    out_grad = REAL.draw(rng, values(case, arrays).shape)
    before = [REAL.draw(rng, a.shape) if held else np.zeros(a.shape) for a in arrays]
    engine = exercise.split(".")[1]
    program, args = {
        "grad_fn": ("engines.grad_fn_rule", (rule, case.call, arrays, out_grad)),
        "apply": ("engines.applied", (
            case.call.partition(".")[0], dict(case.options), arrays, out_grad,
        )),
        "closure": ("engines.closure_rule", (
            case.call, arrays,
            {f"x{i}.grad": a for i, a in enumerate(before)} if held else {}, out_grad,
        )),
    }[engine]  # fmt: skip
    oracles: dict[str, Callable[[], Parts]] = {"numpy": lambda: {"value": [values(case, arrays)]}}
    if case.numeric:
        oracles["finite_difference"] = lambda: gradients(case, arrays, out_grad, before)
    return Probe(
        program, args, case.call, oracles=oracles,
        twin=lambda torch: twin(case, torch, arrays, out_grad, before),
    )  # fmt: skip
