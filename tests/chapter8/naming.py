"""Checks of `named_state` and `Module.state_dict`: which names, which values, whose memory."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for, sizes_for
from tests.programs.harness import names_of

from . import specs
from .specs import Spec, drawn, learned, module

WALK, STATE = "chapter8.named_state", "chapter8.module.state_dict"
OVERWRITTEN = 7.5

# name, the sentence, the words that teach it, whether PyTorch can hold such a thing
CASES = (
    ("attributes", "names what the attributes of a module hold",
     "Every Tensor and ndarray that `value` holds … Numbers and texts do not", True),
    ("modules", "joins the names of modules inside modules with dots", "joined with dots", True),
    ("list", "counts the items of a list, those without a state too",
     "the numbers of items, counted from 0", True),
    ("tuple", "counts the items of a tuple", "the items of a list or tuple", True),
    ("dict", "takes the keys of a dict into the name", "the keys of dicts", True),
    ("buffers", "finds Tensors and arrays that aren't Parameters",
     "what no gradient changes counts as well", True),
    ("parameters", "finds Parameters that are items of lists and dicts themselves",
     "A Parameter is a Tensor … the attributes of a Module, the items of a list or tuple", True),
    ("shared", "names twice what is held in two places",
     "What is held in two places appears under both paths", True),
    ("keys", "takes keys that are numbers into the name, too", "and the keys of dicts", False),
    ("others", "looks into no other object, and into no Tensor",
     "No other object is looked into, a Tensor neither", False),
    ("deep", "looks into lists inside dicts inside tuples", "Looked into, to any depth", False),
    ("cycle", "comes to an end where modules hold each other",
     "Modules that hold each other do not make the walk endless", False),
    ("knots", "does not enter the list, dict or tuple that it is inside of",
     "it never enters a module, list, tuple or dict that it is inside of", False),
)  # fmt: skip
HIDDEN = {"deep", "cycle", "knots"}


def checks(seed: str) -> Iterator[Check]:
    yield from _walk(seed)
    yield from _state(seed)


def structure(case: str, rng: Random) -> Spec:
    """The module of a case, its values drawn."""
    a, b, c = drawn(rng, (2, 3), (3,), (2,))
    p, q, r = learned(a), learned(b), learned(c)
    relu = module(p=["plain", 0.5])
    build = {
        "attributes": lambda: module(
            weight=p, name=["plain", "outer"], eps=["plain", 0.5], bias=q, none=["plain", None],
            _scale=["array", np.asarray(REAL.draw(rng, ()))],
        ),
        "modules": lambda: module(first=p, inner=module(second=q, inmost=module(third=r))),
        "list": lambda: module(layers=["list", [module(w=p), relu, module(w=q), module(w=r)]]),
        "tuple": lambda: module(layers=["tuple", [relu, module(w=p), module(w=q)]], head=r),
        "dict": lambda: module(blocks=["dict", {"left": module(w=p), "right": module(w=q)}]),
        "buffers": lambda: module(weight=p, mean=["tensor", b], inner=module(count=["array", c])),
        "parameters": lambda: module(some=["list", [p, q]], more=["dict", {"own": r}]),
        "shared": lambda: module(inner=module(weight=p, bias=q), tied=["again", "weight"],
                                 same=["again", "inner"]),
        "deep": lambda: module(
            held=["tuple", [["dict", {"a": ["list", [p, module(own=["list", [["array", b]]])]]}]]],
            inner=module(more=["list", [["tuple", [r]]]]),
            far=nested(["array", c]),
        ),
        "keys": lambda: module(by=["numbered", {"10": module(w=p), "2": q}], rest=r),
        "others": lambda: module(weight=["trained", a], helper=["object", {"weight": q}],
                                 box=["list", [["object", {"bias": q}], r]]),
        "cycle": lambda: module(first=p, inner=module(parent=["again", "root"], second=q)),
        "knots": lambda: module(some=["knotted_list", [p]], more=["knotted_dict", {"own": q}],
                                rest=["knotted_tuple", [r]], own=["again", "root"]),
    }  # fmt: skip
    return build[case]()


def nested(spec: Spec) -> Spec:
    """Put a structure deep inside lists that each hold one list."""
    for _ in range(9):
        spec = ["list", [spec]]
    return spec


def walk_probe(seed: str, case: str, with_twin: bool) -> Probe:
    spec = structure(case, rng_for(seed, f"{WALK}/{case}"))
    state = specs.flat(spec)

    def parts(state: specs.Values) -> Parts:
        return {
            "value": [names_of(state)], "arrays": specs.in_order(state),
            "same": [np.ones(len(state), dtype=bool)],
        }  # fmt: skip

    return Probe(
        "states.named", (spec,), f"named_state({specs.told(spec)})",
        oracles={"numpy": lambda: parts(state)},
        twin=(lambda torch: parts(torch_state(torch, spec))) if with_twin else None,
    )  # fmt: skip


def torch_state(torch, spec: Spec) -> specs.Values:
    return {name: t.numpy().copy() for name, t in specs.twin(torch, spec).state_dict().items()}


def _walk(seed: str) -> Iterator[Check]:
    probes = {}
    for name, says, taught, with_twin in CASES:
        probes[name] = walk_probe(seed, name, with_twin)
        yield Check(
            WALK, name, (probes[name],), taught, says=f"named_state {says}.", compare="text",
            hidden=name in HIDDEN, weight=2 if name == "list" else 1,
        )  # fmt: skip
    plain = (probes["attributes"], probes["list"], probes["buffers"])
    yield Check(
        WALK, "values", plain, "Its Tensors and arrays are the very objects", part="arrays",
        says="named_state gives the right Tensor or array under each name.", weight=0.5,
    )  # fmt: skip
    yield Check(
        WALK, "objects", plain, "Its Tensors and arrays are the very objects", part="same",
        says="named_state gives the Tensors and arrays themselves, no copies.", weight=0.5,
    )  # fmt: skip
    a, b = drawn(rng_for(seed, f"{WALK}/clash"), (2,), (3,))
    spec = ["dict", {"a.b": learned(a), "a": ["dict", {"b": learned(b)}]}]
    clash = Probe("states.clash", (spec,), 'named_state({"a.b": x, "a": {"b": y}})')
    yield Check(WALK, "clash", (clash,), "two places have the same path", compare="text",
                weight=0.5)  # fmt: skip


def state_probe(seed: str, name: str, dtype: str = "float64") -> Probe:
    rng = rng_for(seed, f"{STATE}/{name}")
    a, b, c, d = drawn(rng, (2, 3), (3,), (2,), ())
    spec = module(
        layers=["list", [module(weight=learned(a), bias=learned(b)), module(mean=["tensor", c])]],
        counts=["array", d],
        seen=["integers", np.array(rng.sample(range(9, 99), 3))],
    )
    kinds = {"seen": "int64"}
    state = {key: value.astype(kinds.get(key, dtype)) for key, value in specs.flat(spec).items()}
    filled = [np.full(x.shape, OVERWRITTEN, dtype) for x in (a, b, c, d)]
    filled.append(np.full(3, OVERWRITTEN, "int64"))

    def parts(state: specs.Values) -> Parts:
        arrays = specs.in_order(state)
        return {
            "value": arrays, "names": [names_of(state)], "later": arrays, "module": filled,
        }  # fmt: skip

    def by_torch(torch) -> Parts:
        found = torch_state(torch, spec).items()
        return parts({name: v.astype(kinds.get(name, dtype)) for name, v in found})

    return Probe(
        "states.taken", (spec, dtype), f"{specs.told(spec)}.state_dict(), {dtype}",
        oracles={"numpy": lambda: parts(state)}, twin=by_torch,
    )  # fmt: skip


def network_probe(sizes: tuple[int, ...]) -> Probe:
    """The layers of chapter 4; PyTorch's BatchNorm counts batches, too, which ours does not."""

    def by_torch(torch) -> Parts:
        (inputs, outputs), nn = sizes, torch.nn
        model = nn.Module()
        model.layers = nn.Sequential(
            nn.Linear(inputs, outputs), nn.ReLU(), nn.BatchNorm1d(outputs),
            nn.Linear(outputs, inputs, bias=False),
        )  # fmt: skip
        return {"value": [names_of(n for n in model.state_dict() if "num_batches" not in n)]}

    call = "Sequential(Linear, ReLU, BatchNorm1d, Linear without bias).state_dict()"
    return Probe("states.names_in_network", (list(sizes),), call, twin=by_torch)


def _state(seed: str) -> Iterator[Check]:
    plain, single = state_probe(seed, "plain"), state_probe(seed, "float32", "float32")
    copied = (
        "Every value is an ndarray that is a copy: later training does not change the state, and "
        "writing into the state does not change the module"
    )
    yield Check(STATE, "names", (plain,), "The paths are those of `named_state`", part="names",
                says="state_dict has every Tensor and array under its path.",
                compare="text")  # fmt: skip
    yield Check(STATE, "values", (plain,), "every Tensor and array in it, by its path",
                says="state_dict gives the right values.")  # fmt: skip
    yield Check(
        STATE, "later", (plain,), copied, part="later",
        says="What state_dict gave stays as it was when the module goes on learning.",
    )  # fmt: skip
    yield Check(
        STATE, "module", (plain,), copied, part="module",
        says="Writing into the state does not change the module.", weight=0.5,
    )  # fmt: skip
    yield Check(STATE, "dtype", (plain, single), "It has the dtype of the original",
                compare="dtype", says="state_dict keeps the dtype.", weight=0.5)  # fmt: skip
    sizes = sizes_for(seed, "chapter8.network", 2, 3)
    yield Check(
        STATE, "network", (network_probe(sizes),), "The paths are those of `named_state`",
        compare="text", says="A network of chapter 4 has the names that it has in PyTorch.",
    )  # fmt: skip
