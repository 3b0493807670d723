"""Parameter, collect and Module: what is owned, and which mode it is in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Parts, Probe, number_for, rng_for

MARKS = (0.5, 1.5, 2.5, 3.5)  # by which parameters and a plain Tensor are known

# case, how often each of three parameters and a plain Tensor are to be found, the words
PLACES = (
    ("attributes", (1, 1, 1, 0), "the attributes of a Module … No other object is looked into"),
    ("modules", (1, 1, 1, 0), "Looked into, to any depth"),
    ("list", (1, 1, 1, 0), "the items of a list or tuple"),
    ("tuple", (1, 1, 1, 0), "the items of a list or tuple"),
    ("dict", (1, 1, 1, 0), "the values of a dict"),
    ("deep", (1, 1, 1, 0), "Looked into, to any depth"),
    ("shared", (1, 1, 1, 0), "What is held in two places is listed once"),
    ("cycle", (1, 1, 0, 0), "modules that hold each other do not make the search endless"),
)
HIDDEN = {"deep", "cycle"}
SAYS = {
    "attributes": "collect finds what the attributes of a module hold.",
    "modules": "collect finds what modules inside modules hold.",
    "list": "collect looks into lists.",
    "tuple": "collect looks into tuples.",
    "dict": "collect looks into dicts.",
    "deep": "collect looks into lists inside tuples inside dicts, to any depth.",
    "shared": "collect lists once what is held in two places.",
    "cycle": "collect comes to an end where modules hold each other.",
}


def checks(seed: str) -> Iterator[Check]:
    yield from parameter(seed)
    yield from collect(seed)
    yield from call_checks(seed)
    yield from parameters(seed)
    yield from zero_grad(seed)
    yield from modes(seed)


def eighths(seed: str, name: str, count: int) -> list[float]:
    """Values that float32 holds exactly, in a list."""
    drawn = REAL.draw(rng_for(seed, f"chapter4/owning/{name}"), (count,))
    return [float(each) for each in np.round(drawn * 8) / 8]


def parameter(seed: str) -> Iterator[Check]:
    exercise = "chapter4.parameter.init"
    kinds = ("list", "array", "tensor", "computed")
    made = {given: parameter_probe(seed, given) for given in kinds}
    plain = (made["list"], made["tensor"])
    yield Check(exercise, "values", plain, "Make a leaf that holds its own copy of `data`")
    yield Check(
        exercise, "dtype", (*plain, made["array"], parameter_probe(seed, "array", "float64"),
                           parameter_probe(seed, "tensor", "float32")),
        "dtype: the dtype of the values. None keeps the dtype of a Tensor; anything else becomes "
        "float32", compare="dtype", weight=0.5,
        says="Parameter.__init__ keeps the dtype of a Tensor.",
    )  # fmt: skip
    yield Check(
        exercise, "leaf", (made["computed"],), part="leaf",
        taught="A parameter is always a leaf, even when `data` is a Tensor that was computed",
        says="Parameter.__init__ makes a leaf, even of a Tensor that was computed.",
    )  # fmt: skip
    yield Check(
        exercise, "requires-grad", plain, "requires_grad: True, whatever `data` had",
        part="requires_grad", says="Parameter.__init__ makes something that requires a gradient.",
    )  # fmt: skip
    yield Check(
        exercise, "frozen",
        (Probe("ownership.frozen", (eighths(seed, "frozen", 2),),
               "nn.Parameter(…, requires_grad=False)"),),
        "unless you say otherwise", weight=0.5, compare="dtype",
    )  # fmt: skip
    yield Check(
        exercise, "copy", (made["tensor"], made["array"]), "holds its own copy of `data`",
        part="copy", weight=0.5,
        says="Parameter.__init__ copies: writing to `data` changes nothing.",
    )  # fmt: skip


def parameter_probe(seed: str, given: str, dtype: str | None = None) -> Probe:
    values = eighths(seed, f"{given}/{dtype}", 3)
    factor = 2.0 if given == "computed" else 1.0
    kept = dtype or ("float32" if given in ("list", "array") else "float64")
    expected = np.array(values, dtype=kept) * np.array(factor, dtype=kept)

    def twin(torch) -> Parts:
        source = torch.tensor(values, dtype=getattr(torch, kept)) * factor
        found = torch.nn.Parameter(source)
        return {"value": [found.detach().numpy()], "requires_grad": [np.array(found.requires_grad)]}

    what = {"list": "a list", "array": "an ndarray", "tensor": "a Tensor", "computed": "x * 2"}
    return Probe(
        "ownership.parameter", (given, dtype, values), f"nn.Parameter({what[given]})",
        oracles={"numpy": lambda: {"value": [expected], "copy": [expected]}}, twin=twin,
    )  # fmt: skip


def marks_for(seed: str, name: str) -> list[float]:
    """Return a number for each parameter of a structure, all different, to tell them apart."""
    if seed == PUBLIC_SEED:
        return list(MARKS)
    rng = rng_for(seed, f"chapter4/owning/{name}/marks")
    return [n / 8 for n in rng.sample(range(3, 800), len(MARKS))]


def found_probe(seed: str, program: str, case: str, counts: tuple[int, ...]) -> Probe:
    """``counts``: how often each is to be found; it is told as so often its number."""
    marks = marks_for(seed, f"{program}/{case}")
    expected = {"value": [np.array(counts) * marks[: len(counts)], np.array(0)]}
    return Probe(
        f"ownership.{program}", (case, marks), f"a module with parameters in: {case}",
        oracles={"numpy": lambda: expected},
    )  # fmt: skip


def collect(seed: str) -> Iterator[Check]:
    exercise = "chapter4.collect"
    for case, counts, taught in PLACES:
        yield Check(
            exercise, case, (found_probe(seed, "collected", case, counts),), taught,
            says=SAYS[case], hidden=case in HIDDEN,
        )  # fmt: skip
    kinds = (("attributes", (1,)), ("modules", (1, 1, 1)), ("shared", (1, 1)))
    yield Check(
        exercise, "kind",
        tuple(found_probe(seed, "collected_modules", case, counts) for case, counts in kinds),
        "Every object of the type `kind` that `value` is or holds",
    )  # fmt: skip


def call_checks(seed: str) -> Iterator[Check]:
    name = "chapter4/owning/called"
    usual = (2.0, 3.0, 4.0, 5.0, 0.5)
    given = [number_for(seed, f"{name}/{i}", n, 1.5, 9.5) for i, n in enumerate(usual)]
    a, b, c, d, scale = given
    right = (a + 10, a + 10 * b, a + 10 * b + 100 * (c + d), (a + 10) * scale)
    results = [np.array(number) for number in right]
    probe = Probe(
        "ownership.called", (given,), f"module({a}), module({a}, {b}), …, module({a}, {scale=})",
        oracles={"numpy": lambda: {"value": results}},
    )  # fmt: skip
    taught = "gives what `module.forward(x)` gives … Passes on every argument, named ones too"
    yield Check("chapter4.module.call", "arguments", (probe,), taught)


def parameters(seed: str) -> Iterator[Check]:
    exercise = "chapter4.module.parameters"
    listed = "Every Parameter of this module and of the modules in it, each once"
    no_other = "each once; no other Tensor"
    for case, counts, _ in PLACES[:6]:
        if case in ("attributes", "modules", "deep"):
            taught = f"{listed} … {no_other}" if case == "attributes" else listed
            yield Check(exercise, case, (found_probe(seed, "parameters", case, counts),), taught)
    yield Check(
        exercise, "shared", (found_probe(seed, "parameters", "shared", (1, 1, 1, 0)),),
        listed, says="Module.parameters lists a shared parameter once.",
    )  # fmt: skip
    yield Check(
        exercise, "tensor", (found_probe(seed, "parameters", "tensor", (1, 0, 0, 0)),),
        no_other, says="Module.parameters lists no Tensor that isn't a Parameter.",
    )  # fmt: skip


def zero_grad(seed: str) -> Iterator[Check]:
    exercise = "chapter4.module.zero_grad"
    probes = [
        Probe("ownership.zeroed", (case, marks),
              f"zero_grad() on a module with parameters in: {case}",
              oracles={"numpy": partial(cleared, held, marks)})
        for case, held in (("attributes", 3), ("deep", 3), ("tensor", 1))
        for marks in (marks_for(seed, f"zeroed/{case}"),)
    ]  # fmt: skip
    yield Check(
        exercise, "gradients", tuple(probes), "`grad` of every parameter is None afterwards",
        says="Module.zero_grad leaves no gradient in any parameter.",
    )  # fmt: skip
    yield Check(
        exercise, "values", tuple(probes[:2]), "The values of the parameters stay", part="data",
        weight=0.5, says="Module.zero_grad leaves the values of the parameters alone.",
    )  # fmt: skip


def cleared(held: int, marks: list[float]) -> Parts:
    """Three parameters with the values that they were made with; the first ``held`` are cleared.

    A gradient that stays is three times the parameter's number; so is every one before.
    """
    numbers = marks[:3]
    return {
        "value": [np.array([3 * n, 0.0 if i < held else 3 * n]) for i, n in enumerate(numbers)],
        "data": [np.array([n, -n], dtype="float32") for n in numbers],
    }


# exercise's method, calls, words
MODES = (
    (
        "train",
        "off-and-on",
        (("train", (False,)), ("train", ())),
        "True until told otherwise … Set `training` to `mode`",
    ),
    ("train", "twice", (("train", (False,)), ("train", (False,))), "Set `training` to `mode`"),
    (
        "eval",
        "off",
        (("eval", ()),),
        "True in training mode, False in evaluation mode … Set `training` to False",
    ),
    ("eval", "stays-off", (("eval", ()), ("eval", ())), "Set `training` to False"),
)


def calls_for(seed: str, name: str, calls: tuple[Any, ...]) -> list[Any]:
    """The calls; for a seed of its own, each behind modes that were set by hand."""
    if seed == PUBLIC_SEED:
        return [*calls]
    rng = rng_for(seed, f"chapter4/owning/{name}")
    turns = (("by hand", [rng.random() < 0.5 for _ in range(8)]) for _ in range(24))
    return [step for call in calls for step in (*(next(turns) for _ in range(8)), call)]


def modes(seed: str) -> Iterator[Check]:
    for method, name, calls, words in MODES:
        exercise = f"chapter4.module.{method}"
        probes = tuple(
            Probe("ownership.modes", (case, calls_for(seed, f"{method}/{name}/{case}", calls)),
                  f"{calls_text(calls)}, modules in: {case}")
            for case in ("attributes", "modules", "deep", "shared")
        )  # fmt: skip
        yield Check(
            exercise, name, probes, f"{words}, here and in every module inside",
            says=f"Module.{method} sets training here and in every module inside.",
        )  # fmt: skip
        if name in ("off-and-on", "off"):
            yield Check(
                exercise, "returns", probes[:1],
                "here and in every module inside; return this module",
                part="returned", weight=0.5, says=f"Module.{method} returns the module.",
            )  # fmt: skip


def calls_text(calls) -> str:
    return ", ".join(f"{name}({', '.join(map(str, arguments))})" for name, arguments in calls)
