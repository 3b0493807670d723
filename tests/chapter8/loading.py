"""Checks of `require_match` and `Module.load_state_dict`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import Check, Parts, Probe, rng_for
from tests.programs.harness import names_of, text

from . import specs
from .specs import Spec, Values, drawn, learned, module

MATCH, LOAD = "chapter8.require_match", "chapter8.module.load_state_dict"


def checks(seed: str) -> Iterator[Check]:
    yield from _match(seed)
    yield from _load(seed)


# ---- require_match ------------------------------------------------------------------------

OWN = {"layers.0.weight": (2, 3), "layers.0.bias": (3,), "head.scale": (4,), "head.shift": ()}
# name, the sentence, the words that teach it, what is another way in the state (None: not there)
CASES: tuple[tuple[str, str, str, dict[str, tuple[int, ...] | None]], ...] = (
    ("fits", "raises nothing where everything fits, and only there",
     "Make sure that `state` has the names of `own`, and the same shape under each of them … "
     "dtypes may differ", {}),
    ("missing", "names every missing name",
     "Make sure that `state` has the names of `own` … a name is missing from `state`",
     {"layers.0.bias": None, "head.shift": None}),
    ("unexpected", "names every unexpected name", "is unexpected there",
     {"layers.7.weight": (2,), "tail": (), "scale": (4,)}),
    ("shapes", "names every name whose shape differs",
     "and the same shape under each of them … or its shape differs",
     {"layers.0.weight": (3, 2), "head.scale": (1,)}),
    ("broadcast", "refuses shapes that NumPy would broadcast", "or its shape differs",
     {"layers.0.weight": (3,), "head.scale": ()}),
    ("all", "names all of them at once",
     "of all three kinds at once, and no name that is all right",
     {"layers.0.bias": None, "tail": (2, 2), "head.scale": (4, 1)}),
    ("more", "names every one of many",
     "The message holds every one of these names … and no name that is all right",
     {"layers.0.weight": (6,), "layers.0.bias": None, "head.shift": (1, 1),
      **{f"blocks.{i}.gain": (2,) for i in range(12)}}),
)  # fmt: skip


def match_probe(seed: str, case: str, changes: dict[str, tuple[int, ...] | None]) -> Probe:
    rng = rng_for(seed, f"{MATCH}/{case}")
    own = {name: np.asarray(specs.REAL.draw(rng, shape)) for name, shape in OWN.items()}
    kept = {name: shape for name, shape in OWN.items() if name not in changes}
    other = {name: shape for name, shape in changes.items() if shape is not None}
    state = {n: np.asarray(specs.REAL.draw(rng, shape)) for n, shape in {**kept, **other}.items()}
    if "head.scale" in state:
        state["head.scale"] = state["head.scale"].astype("float32")

    def parts(said: str) -> Parts:
        kind = text(said.partition(" naming")[0])
        left = [kind, names_of(own), names_of(state)]
        return {"value": [text(said)], "kind": [kind], "left": left}

    right = f"ValueError naming {', '.join(sorted(changes))}" if changes else "nothing was raised"

    def by_torch(torch) -> Parts:
        model = specs.nested(torch, own)
        try:
            model.load_state_dict({name: torch.tensor(array) for name, array in state.items()})
        except RuntimeError as error:
            said = sorted(name for name in {**own, **state} if f'"{name}"' in str(error)
                          or f"for {name}:" in str(error))  # fmt: skip
            return parts(f"ValueError naming {', '.join(said)}")
        return parts("nothing was raised")

    return Probe(
        "states.matched", (own, state), f"require_match(own, a state: {case})",
        oracles={"numpy": lambda: parts(right)}, twin=by_torch,
    )  # fmt: skip


def _match(seed: str) -> Iterator[Check]:
    probes = {name: match_probe(seed, name, changes) for name, _, _, changes in CASES}
    for name, says, taught, changes in CASES:
        fits = not changes  # what complains of nothing at all is not right about what fits
        yield Check(
            MATCH, name, (probes[name], probes["all"]) if fits else (probes[name],), taught,
            part="kind" if fits else "value", says=f"require_match {says}.",
            compare="text", hidden=name == "more",
        )  # fmt: skip
    yield Check(
        MATCH, "left", (probes["all"],), "Both stay as they were", part="left", compare="text",
        says="require_match leaves both dicts as they were.", weight=0.5,
    )  # fmt: skip


# ---- load_state_dict ------------------------------------------------------------------------


def model(arrays: list[np.ndarray]) -> Spec:
    """A list, a Tensor that is no Parameter, an array, and a Parameter in two places."""
    a, b, c, d, e, f = arrays
    first = module(weight=learned(a), bias=learned(b))
    return module(
        layers=["list", [first, module(mean=["tensor", c], count=["array", d])]],
        tied=["again", "weight"],
        scale=learned(e),
        seen=["array", f],
    )


SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (3,), (2,), (1, 2), (), (2,))
PLACES = (
    "layers.0.weight", "layers.0.bias", "layers.1.mean", "layers.1.count", "tied", "scale", "seen",
)  # fmt: skip


def load_probe(seed: str, name: str, dtype: str = "float64", wide: bool = False) -> Probe:
    """A module with values of its own, and a state with other ones, in another order."""
    rng = rng_for(seed, f"{LOAD}/{name}")
    spec = model(drawn(rng, *SHAPES))
    state = dict(reversed(specs.flat(model(drawn(rng, *SHAPES))).items()))
    if not wide:
        state = {key: array.astype(dtype) for key, array in state.items()}

    def parts(values: Values) -> Parts:
        found = [values[place].astype(dtype) for place in PLACES]
        return {
            "value": found, "same": [np.ones(len(PLACES), dtype=bool)],
            "names": [names_of(state)], "left": specs.in_order(state),
            "apart": found + [np.full_like(a, -1) for a in specs.in_order(state)],
        }  # fmt: skip

    def by_torch(torch) -> Parts:
        twin = specs.twin(torch, spec).to(getattr(torch, dtype))
        twin.load_state_dict({key: torch.tensor(array) for key, array in state.items()})
        return parts({key: t.numpy().copy() for key, t in twin.state_dict().items()})

    call = f"{specs.told(spec)}.load_state_dict(state), {dtype}"
    return Probe(
        "states.loaded", (spec, state, dtype), call,
        oracles={"numpy": lambda: parts(state)}, twin=by_torch,
    )  # fmt: skip


def not_loaded_probe(seed: str, case: str) -> Probe:
    """The last name of the state is the one that does not fit; in the module it is not the last.

    Of two shapes that do not fit one would broadcast, and one has as many numbers.
    """
    rng = rng_for(seed, f"{LOAD}/{case}")
    arrays = drawn(rng, *SHAPES)
    spec, state = model(arrays), specs.flat(model(drawn(rng, *SHAPES)))
    bad = state.pop("layers.1.mean")
    wrong = ["layers.1.other" if case == "unexpected" else "layers.1.mean"]
    if case == "unexpected":
        state |= {"layers.1.mean": bad, "layers.1.other": bad}
    elif case == "shape":
        state["layers.1.mean"] = bad[:1]
        state["layers.0.weight"] = state.pop("layers.0.weight").reshape(3, 2)
        wrong.insert(0, "layers.0.weight")
    values = specs.flat(spec)

    def numpy() -> Parts:
        return {
            "value": [text(f"ValueError naming {', '.join(wrong)}")],
            "left": [values[place] for place in PLACES],
        }

    return Probe(
        "states.not_loaded", (spec, state), f"module.load_state_dict(a state: {case})",
        oracles={"numpy": numpy},
    )  # fmt: skip


def _load(seed: str) -> Iterator[Check]:
    plain, other = load_probe(seed, "plain"), load_probe(seed, "other")
    wide = load_probe(seed, "wide", "float32", wide=True)
    rows = (
        ("values", (plain, other), "value", 2, "Take over the values of a state",
         "load_state_dict takes over every value."),
        ("objects", (plain,), "same", 1,
         "stay the same objects and are filled, not replaced: an optimizer, and anything else that "
         "holds them, sees the new values",
         "load_state_dict fills the Tensors and arrays that are there, and replaces none."),
        ("apart", (plain,), "apart", 1,
         "module and state share no memory afterwards, and the state stays as it was",
         "After load_state_dict, module and state share no memory."),
        ("left", (plain,), "left", 0.5, "and the state stays as it was",
         "load_state_dict leaves the arrays of the state as they were."),
    )  # fmt: skip
    for name, probes, part, weight, taught, says in rows:
        yield Check(LOAD, name, probes, taught, part=part, says=says, weight=weight)
    yield Check(LOAD, "names", (plain,), "and the state stays as it was", part="names",
                compare="text", weight=0.5,
                says="load_state_dict takes nothing out of the state.")  # fmt: skip
    yield Check(LOAD, "dtype", (wide,), "They keep their dtype, whatever that of the state is",
                compare="dtype", weight=0.5,
                says="A float32 module stays float32 when the state is float64.")  # fmt: skip
    refused = tuple(not_loaded_probe(seed, case) for case in ("missing", "unexpected", "shape"))
    yield Check(
        LOAD, "refuses", refused,
        "names are missing, unexpected, or have another shape; `require_match` says which",
        compare="text", says="load_state_dict raises ValueError for a state that does not fit.",
    )  # fmt: skip
    yield Check(
        LOAD, "all-or-nothing", refused,
        "Nothing is loaded then: every value of the module stays as it was", part="left",
        says="Where a state does not fit, load_state_dict loads nothing of it.",
    )  # fmt: skip
