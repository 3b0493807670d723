"""A function or a module as a case: what goes in, and probes for values and gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from grader.course import REAL, SMALL, Check, Domain, Parts, Probe, numeric, rng_for
from tests.op_checks import DTYPE
from tests.programs.harness import text

STAYS = text("float32 stays, float64 stays")
UNTOUCHED = "leaves its inputs as they were"
Outs = tuple[np.ndarray, ...]


def draw(seed: str, name: str, *shape: int, domain: Domain = REAL) -> np.ndarray:
    return domain.draw(rng_for(seed, f"chapter14/{name}"), shape)


def numbers(seed: str, name: str, below: int, *shape: int) -> np.ndarray:
    """Whole numbers from 0 on."""
    rng = rng_for(seed, f"chapter14/{name}")
    return np.array([rng.randrange(below) for _ in range(int(np.prod(shape)))]).reshape(shape)


def state_of(seed: str, name: str, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Values for the parameters of a module: small, so that no softmax is all but certain."""
    return {each: draw(seed, f"{name}/{each}", *shapes[each], domain=SMALL) for each in shapes}


def tupled(found: Any) -> Outs:
    return found if isinstance(found, tuple) else (found,)


def joined(formula: Callable[..., Any], cotangents: Sequence[np.ndarray]) -> Callable[..., Any]:
    """``Σ cotangent · output`` over all outputs, as one number."""

    def total(*arrays: np.ndarray) -> np.ndarray:
        outs = tupled(formula(*arrays))
        return np.asarray(sum(np.sum(c * o) for c, o in zip(cotangents, outs, strict=True)))

    return total


def derivative(formula: Callable[..., Any], arrays, cotangents) -> list[np.ndarray]:
    total = joined(formula, cotangents)
    return numeric.vjp(total, arrays, np.array(1.0), analytic=True)


def torch_gradient(torch: Any, outs: Any, leaves: Sequence[Any], cotangents) -> list[np.ndarray]:
    pairs = zip(tupled(outs), cotangents, strict=True)
    total = sum((torch.tensor(cotangent) * out).sum() for out, cotangent in pairs)
    return [each.numpy() for each in torch.autograd.grad(total, leaves)]


# ---- functions ----------------------------------------------------------------------------


def function_probe(
    name: str, arrays: list[np.ndarray], others: tuple[Any, ...], formula: Callable[..., Any],
    twin: Callable[..., Any], call: str, seed: str,
) -> Probe:  # fmt: skip
    """A function of `babygrad.gpt`: its values, its gradients, and its inputs left alone.

    Args:
        formula, twin: the same in NumPy, of the arrays alone, and in PyTorch, of torch and tensors.
    """
    right = tupled(formula(*arrays))
    masks = [each for each in others if isinstance(each, np.ndarray)]
    cotangents = [draw(seed, f"{call}/{i}", *np.shape(o)) for i, o in enumerate(right)]

    def answer() -> Parts:
        return {
            "value": list(map(np.asarray, right)), "inputs": [*arrays, *masks],
            "dtype": [text("float64 stays")],
        }  # fmt: skip

    def numerically() -> Parts:
        return {"gradient": derivative(formula, arrays, cotangents)}

    def with_torch(torch: Any) -> Parts:
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        outs = twin(torch, *leaves)
        return {
            "value": [out.detach().numpy() for out in tupled(outs)],
            "gradient": torch_gradient(torch, outs, leaves, cotangents),
        }

    return Probe(
        "attentions.function", (name, arrays, others, cotangents), call,
        oracles={"numpy": answer, "finite_difference": numerically}, twin=with_torch,
    )  # fmt: skip


def function_checks(
    exercise: str, name: str, groups: Sequence[tuple[str, list[Probe], str, str]],
    untouched: int = 0,
) -> Iterator[Check]:  # fmt: skip
    """Values and gradients of each group (name, probes, words that teach it, sentence).

    A group whose name begins with «more» is hidden.

    Args:
        untouched: the group whose first probe shows whether the inputs stay as they were, and the
            dtype.
    """
    for group, probes, taught, says in groups:
        hidden = group.startswith("more")
        yield Check(
            exercise, group, tuple(probes), taught, says=f"{name} {says}.", hidden=hidden,
        )  # fmt: skip
        yield Check(
            exercise, f"{group}-gradient", tuple(probes), taught, part="gradient", hidden=hidden,
            says=f"{name}: the gradients are right where it {says}.",
        )  # fmt: skip
    yield Check(
        exercise, "inputs", tuple(groups[untouched][1][:1]), UNTOUCHED, part="inputs", weight=0.5,
        says=f"{name} leaves its inputs as they were.",
    )  # fmt: skip
    yield dtype_check(exercise, name, groups[untouched][1][0], groups[0][1][0])


def dtype_check(exercise: str, name: str, like: Probe, first: Probe) -> Check:
    """float32 stays and float64 stays, as far as the package's own operations keep them.

    Args:
        first: a probe of the values: they all show it of float64 (`ask_in_every_call`).
    """
    kinds: tuple[str, ...] = ("float32", "float64")
    if name == "attention":
        arrays, others = list(like.args[:3]), like.args[3:4]
    else:
        _, arrays, others, _ = like.args
    if name == "cross_entropy":  # by how many it divides may be a number of NumPy's, which widens
        arrays, others, kinds = [like.args[0]], (like.args[1],), ("float64",)
    right = text(", ".join(f"{kind} stays" for kind in kinds))
    probe = Probe(
        "attentions.dtypes", (name, arrays, others, kinds), f"{like.call} in {' and '.join(kinds)}",
        oracles={"numpy": lambda: {"dtype": [right]}},
    )  # fmt: skip
    return Check(exercise, "dtype", (probe, first), DTYPE, part="dtype", compare="text", weight=0.5,
                 aside=True, says=f"{name} keeps the dtype.")  # fmt: skip


# ---- modules ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One call of a module: its constructor's arguments, its parameters, what goes in.

    Attributes:
        formula: ``formula(x, state)`` in NumPy.
        twin: ``twin(torch, x, state)``, the state as tensors.
    """

    name: str
    kind: str
    arguments: tuple[Any, ...]
    state: dict[str, np.ndarray]
    x: np.ndarray
    formula: Callable[..., Any]
    twin: Callable[..., Any]
    others: tuple[Any, ...] = ()
    call: str = "(x)"
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.arguments))}){self.call}"

    @property
    def whole_numbers(self) -> bool:
        return self.x.dtype.kind == "i"

    def outs(self) -> Outs:
        return tupled(self.formula(self.x, self.state))


def value_probe(case: Case) -> Probe:
    def twin(torch: Any) -> Parts:
        state = {name: torch.tensor(array) for name, array in case.state.items()}
        x = case.x if case.whole_numbers else torch.tensor(case.x)
        return {"value": [out.detach().numpy() for out in tupled(case.twin(torch, x, state))]}

    return Probe(
        "attentions.value", (case.kind, case.arguments, case.state, case.x, case.others),
        case.said, twin=twin, oracles={"numpy": lambda: {
            "value": list(case.outs()), "inputs": [case.x], "dtype": [text("float64 stays")]}},
    )  # fmt: skip


def gradient_probe(case: Case, seed: str) -> Probe:
    """The gradients of the input, where it has one, and of every parameter."""
    outs = case.outs()
    cotangents = [draw(seed, f"{case.name}/{i}", *out.shape) for i, out in enumerate(outs)]
    names = list(case.state)

    def formula(*arrays: np.ndarray) -> Any:
        x, values = (case.x, arrays) if case.whole_numbers else (arrays[0], arrays[1:])
        return case.formula(x, dict(zip(names, values, strict=True)))

    def numerically() -> Parts:
        arrays = [*([] if case.whole_numbers else [case.x]), *case.state.values()]
        return {"value": derivative(formula, arrays, cotangents)}

    def twin(torch: Any) -> Parts:
        state = {n: torch.tensor(array, requires_grad=True) for n, array in case.state.items()}
        x = case.x if case.whole_numbers else torch.tensor(case.x, requires_grad=True)
        leaves = [*([] if case.whole_numbers else [x]), *state.values()]
        return {"value": torch_gradient(torch, case.twin(torch, x, state), leaves, cotangents)}

    return Probe(
        "attentions.gradient",
        (case.kind, case.arguments, case.state, case.x, case.others, cotangents),
        f"gradients through {case.said}",
        oracles={"finite_difference": numerically}, twin=twin,
    )  # fmt: skip


def module_checks(
    exercise: str, groups: Sequence[tuple[str, Sequence[Case], str, str]], seed: str
) -> Iterator[Check]:
    """Values and gradients of each group (name, cases, words that teach it, sentence)."""
    kind = groups[0][1][0].kind
    for group, cases, taught, says in groups:
        hidden = group.startswith("more")
        check = partial(Check, exercise, hidden=hidden, taught=taught)
        yield check(group, tuple(map(value_probe, cases)), says=f"{kind}.forward {says}.")
        yield check(
            f"{group}-gradient", tuple(gradient_probe(case, seed) for case in cases),
            says=f"{kind}: the gradients are right where it {says}.",
        )  # fmt: skip
    yield Check(
        exercise, "inputs", (value_probe(groups[0][1][0]),), UNTOUCHED, part="inputs", weight=0.5,
        says=f"{kind}.forward leaves its inputs as they were.",
    )  # fmt: skip
    first = groups[0][1][0]
    probes = tuple(
        Probe(
            "attentions.dtypes_of_module", (kind, case.arguments, case.x, case.others),
            f"{case.said} in float32 and float64", oracles={"numpy": lambda: {"dtype": [STAYS]}},
        )
        for group, (case, *_), _, _ in groups
        if group in (groups[0][0], "tied")
    )  # fmt: skip
    yield Check(exercise, "dtype", (*probes, value_probe(first)), DTYPE, part="dtype",
                compare="text", weight=0.5, aside=True, says=f"{kind}.forward keeps the dtype.",
                )  # fmt: skip
