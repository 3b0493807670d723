"""The walks of the three engines, on graphs made by the programs, and what recursion costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for

# Graphs as the inputs of each node; the leaves have the first numbers.
CHAIN = (1, ((0,), (1,)))
FAN = (2, ((0, 1), (0,), (2, 3, 0)))
UNEVEN = (1, ((0,), (1,), (2, 1), (3, 1)))
NET = (3, ((0, 1), (1, 2), (0, 3, 4), (3,), (5, 6), (7, 4, 2)))
LEAF = (1, ())

SUMS = "Where several paths lead to one Tensor, their gradients add"
NOW = "Every input gets what arrived just now, not the sum of all that has arrived"
ASKED = (
    "A rule is asked after everything that was made from its Tensor has passed on its part, and "
    "gets the sum"
)
EARLIER = "in `grad` from an earlier walk is added to, and not passed on"
BARE = "what is no tuple stands for a tuple of one: an array"
WALKS = {
    "chapter11.grad_fn.backward": ("grad_fn", "backward", {
        "leaf": "Add `gradient` to `grad` … without it, ones",
        "chain": "Add `gradient` to `grad`, and pass on what the rule makes of it … Then "
        "`grad_fn`, where there is one, is asked for one gradient per input, and `backward` of "
        "each input is called with its own",
        "shared": SUMS, "uneven": f"{SUMS} … {NOW}",
        "given": "later an ndarray of the shape of `data` … gradient: of the shape of `data`",
        "earlier": "A later one is added",
        "constant": "whether it gets a gradient … keeps `grad` None",
        "own": "changing `grad` in place later changes no other Tensor",
        "same-graph": NOW,
    }),
    "chapter11.grad_fn.in_order": ("grad_fn", "backward_in_order", {
        "leaf": "The gradients that `root.backward(gradient)` gives",
        "chain": ASKED, "shared": SUMS, "uneven": ASKED,
        "given": "The gradients that `root.backward(gradient)` gives",
        "earlier": "in `grad` from an earlier walk is added to",
        "constant": "keep `grad` None", "calls": "with every rule asked once",
        "own": "changing `grad` in place later changes no other Tensor",
        "same-graph": EARLIER,
    }),
    "chapter11.apply.backward": ("apply", "backward", {
        "leaf": "Without it the walk starts from 1",
        "chain": "the gradient of this Tensor with respect to it … called once, with the sum … "
        f"{BARE}",
        "shared": SUMS, "uneven": "called once, with the sum of all that has arrived",
        "given": "later an ndarray of the shape of `data` … of the shape of `data`. Without it",
        "calls": "is called once, with the sum",
        "earlier": "Whatever a leaf holds from an earlier walk is added to",
        "constant": "whether it gets a gradient … A leaf without `requires_grad` keeps `grad` None",
        "own": "changing one `grad` in place changes no other",
        "same-graph": "Whatever a leaf holds from an earlier walk is added to",
    }),
    "chapter11.closure.backward": ("closure", "backward", {
        "leaf": "or to ones without it",
        "chain": "to all that it was made from … each after all nodes that were made from it",
        "shared": SUMS, "uneven": "each after all nodes that were made from it",
        "given": "It sets `grad` to a copy of `gradient`, of the shape of `data`",
        "calls": "calls `_backward` of every node once",
        "earlier": "A leaf that holds a `grad` from an earlier graph adds to it",
    }),
}  # fmt: skip

SAYS = {
    "leaf": "A leaf's own slope is 1.",
    "chain": "Along a chain, slopes multiply.",
    "shared": "A Tensor used in three places sums what comes back.",
    "uneven": "It is right where one way is longer than the other.",
    "given": "A gradient that is given is where the walk starts.",
    "earlier": "A second graph adds its gradients to those of the first.",
    "same-graph": "A second walk over the same graph adds the same again.",
    "constant": "A Tensor that requires no gradient keeps grad None, and the others get theirs.",
    "calls": "Every rule is asked exactly once.",
}
GRAPHS = {
    "leaf": LEAF, "chain": CHAIN, "shared": FAN, "uneven": UNEVEN, "given": FAN, "constant": FAN,
    "calls": UNEVEN, "earlier": FAN, "same-graph": FAN,
}  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    for exercise, (engine, walk, taught) in WALKS.items():
        for name, words in taught.items():
            if name != "own":
                yield from _named(exercise, engine, walk, name, words, seed)
        more = _probe(exercise, engine, walk, "more", NET, seed)
        yield Check(
            exercise, "more", (more,), taught["chain"], part="gradient", hidden=True,
            says="The gradients of a larger graph are right.",
        )  # fmt: skip
        if "own" in taught:
            yield _own(exercise, engine, walk, taught["own"], seed)
            yield _aliased(exercise, engine, walk, taught["own"], seed)
    yield from _apply_only(seed)
    yield from _visits(seed)
    yield _rules_alone(seed)
    exercise = "chapter11.closure.backward"
    rng = rng_for(seed, f"{exercise}/set")
    x, held, grad = (REAL.draw(rng, (2,)) for _ in range(3))
    probe = Probe(
        "engine_walks.set_anew", (x, held, grad), "x1 = 2 * x0; x1.grad = …; x1.backward(grad)",
        oracles={"numpy": lambda: {"value": [grad, 2 * grad], "given": [grad]}},
    )  # fmt: skip
    words = "It sets `grad` to a copy of `gradient`"
    yield Check(exercise, "set", (probe,), words)
    yield Check(exercise, "copy", (probe,), words, part="given", weight=0.5,
                says="Adding to grad in place changes nothing of the gradient given.")  # fmt: skip
    yield _every_leaf(exercise, seed)


def _every_leaf(exercise: str, seed: str) -> Check:
    """A leaf that nobody learns gets its gradient all the same."""
    rng = rng_for(seed, f"{exercise}/every-leaf")
    arrays, steps = [REAL.draw(rng, (1,)) for _ in range(2)], steps_of(FAN, rng)
    probe = Probe(
        "engine_walks.filled", (steps, arrays),
        f"{told(2, steps, given=False)}, where x0.requires_grad is False",
        oracles={"numpy": lambda: {"value": [np.array([slope]) for slope in slopes(2, steps)]}},
    )  # fmt: skip
    words = "The walk does not look at it and fills every `grad`"
    says = "A leaf gets its gradient whatever its requires_grad says."
    return Check(exercise, "every-leaf", (probe,), words, says=says, weight=0.5)


def slopes(leaves: int, steps: Any) -> list[float]:
    """The slope of a graph's last node with respect to each of its nodes, the leaves first."""
    found = [0.0] * (leaves + len(steps) - 1) + [1.0]
    for number, (sources, factors) in reversed([*enumerate(steps, start=leaves)]):
        for source, factor in zip(sources, factors, strict=True):
            found[source] += factor * found[number]
    return found


def _named(
    exercise: str, engine: str, walk: str, name: str, words: str, seed: str
) -> Iterator[Check]:
    probe = _probe(exercise, engine, walk, name, GRAPHS[name], seed)
    part = "calls" if name == "calls" else "gradient"
    yield Check(exercise, name, (probe,), words, part=part, says=SAYS[name])
    if name == "given" and engine == "grad_fn":
        yield Check(exercise, "dtype", (probe,), "an ndarray of float64", part="dtype",
                    says="What a leaf holds in grad is float64.", weight=0.5)  # fmt: skip
    if name == "earlier" and engine == "apply":
        says = "The array that grad held before stays as it was."
        yield Check(exercise, "earlier-copy", (probe,), "a later one is added to a copy",
                    part="before", says=says, weight=0.5)  # fmt: skip
    if name == "constant":
        says = "A Tensor that requires no gradient keeps grad None."
        yield Check(exercise, "none", (probe,), words, part="none", says=says, weight=0.5)
    if name == "constant" and walk == "backward" and engine == "grad_fn":
        says = "What was made by a rule, but requires no gradient, passes nothing on."
        yield Check(exercise, "passes-nothing", (probe,), "and nothing is passed on to it",
                    part="muted", says=says, weight=0.5)  # fmt: skip


def steps_of(graph: tuple[int, Any], rng: Any) -> list[tuple[tuple[int, ...], list[float]]]:
    """The graph with a slope for every edge."""
    return [(tuple(s), [float(x) for x in REAL.draw(rng, (len(s),))]) for s in graph[1]]


def _probe(
    exercise: str, engine: str, walk: str, name: str, graph: tuple[int, Any], seed: str
) -> Probe:
    rng = rng_for(seed, f"{exercise}/{name}")
    # One element: the engine of `apply` starts by itself there only.
    shape = (2,) if name in ("given", "more", "constant") else (1,)
    arrays = [REAL.draw(rng, shape) for _ in range(graph[0])]
    steps = steps_of(graph, rng)
    grad = REAL.draw(rng, shape) if shape == (2,) else None
    constant = [0] if name == "constant" else []
    times = 2 if name in ("earlier", "same-graph") else 1

    def forward_mode() -> Parts:
        # Every node carries its own derivatives along: nothing is walked back here.
        result = followed(list(np.eye(graph[0])), steps)[-1]
        start = np.ones(shape) if grad is None else grad
        once = [result[i] * start for i in range(graph[0]) if i not in constant]
        before = {"before": once} if times == 2 else {}
        return {"gradient": [times * each for each in once], **before}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=i not in constant) for i, a in enumerate(arrays)]
        start = torch.ones(shape, dtype=torch.float64) if grad is None else torch.tensor(grad)
        for _ in range(times):
            followed(list(leaves), steps)[-1].backward(start)
        gradient = [leaf.grad.numpy() for i, leaf in enumerate(leaves) if i not in constant]
        return {"gradient": gradient}

    call = told(graph[0], steps, walk, grad is not None)
    if times == 2:
        call += ", and once more" + " on a new graph of the same leaves" * (name == "earlier")
        program = "engine_walks.walked_twice"
        args: tuple[Any, ...] = (engine, walk, steps, arrays, name == "earlier")
    else:
        program = "engine_walks.walked"
        args = (engine, walk, steps, arrays, grad, constant)
    return Probe(program, args, call, oracles={"numpy": forward_mode}, twin=twin)


def told(leaves: int, steps: Any, walk: str = "backward", given: bool = True) -> str:
    """A graph as a learner would write it, and the walk over it: ``x1 = 2 * x0; x1.backward()``."""
    lines = []
    for number, (sources, slopes) in enumerate(steps, start=leaves):
        terms = (
            f"{slope:g} * x{i}" if isinstance(slope, float) else f"x{i}"
            for i, slope in zip(sources, slopes, strict=True)
        )
        lines.append(f"x{number} = " + " + ".join(terms).replace("+ -", "- "))
    root, arguments = f"x{leaves + len(steps) - 1}", ["grad"] * given
    if walk == "backward":
        return "; ".join([*lines, f"{root}.backward({''.join(arguments)})"])
    return "; ".join([*lines, f"{walk}({', '.join([root, *arguments])})"])


def followed(values: list[Any], steps: Any) -> list[Any]:
    for sources, slopes in steps:
        values.append(sum(s * values[i] for i, s in zip(sources, slopes, strict=True)))
    return values


def _own(exercise: str, engine: str, walk: str, words: str, seed: str) -> Check:
    rng = rng_for(seed, f"{exercise}/own")
    arrays, grad = [REAL.draw(rng, (2,)) for _ in range(2)], REAL.draw(rng, (2,))
    probe = Probe(
        "engine_walks.own_arrays", (engine, walk, arrays, grad, 99.0),
        f"{told(2, [((0, 1), (None, None))], walk)}; x0.grad[...] = 99.0",
        oracles={"numpy": lambda: {"value": [grad, grad, grad]}},
    )  # fmt: skip
    says = "Changing one leaf's grad in place changes no other, and not the gradient given."
    return Check(exercise, "own", (probe,), words, says=says)


def _aliased(exercise: str, engine: str, walk: str, words: str, seed: str) -> Check:
    """Every rule hands one array on to both of its inputs: it may not be added to in place."""
    rng = rng_for(seed, f"{exercise}/aliased")
    arrays, grad = [REAL.draw(rng, (2,)) for _ in range(2)], REAL.draw(rng, (2,))
    steps = [((0, 1), (None, None)), ((0, 1), (None, None)), ((2, 3), (None, None))]
    probe = Probe(
        "engine_walks.walked", (engine, walk, steps, arrays, grad, []), told(2, steps, walk),
        oracles={"numpy": lambda: {"gradient": [2 * grad, 2 * grad]}},
    )  # fmt: skip
    says = "An array that a rule hands to several inputs is not added to in place."
    return Check(exercise, "aliased", (probe,), words, part="gradient", says=says, weight=0.5)


def _rules_alone(seed: str) -> Check:
    exercise = "chapter11.grad_fn.in_order"
    rng = rng_for(seed, f"{exercise}/rules-alone")
    arrays, steps = [REAL.draw(rng, (1,))], steps_of(UNEVEN, rng)
    probe = Probe(
        "engine_walks.calls_of_backward", (steps, arrays), told(1, steps, "backward_in_order"),
        oracles={"numpy": lambda: {"value": [np.array(0)]}},
    )  # fmt: skip
    words = "calls no Tensor's `backward`"
    return Check(exercise, "rules-alone", (probe,), words, weight=0.5)


def _apply_only(seed: str) -> Iterator[Check]:
    exercise = "chapter11.apply.backward"
    rng = rng_for(seed, exercise)
    many, one = REAL.draw(rng, (3,)), REAL.draw(rng, ())
    for name, array, requires, flags, says, words in (
        ("non-scalar", many, True, (1, 1), "Without a gradient, a Tensor with several elements "
         "raises ValueError.", "for more it raises ValueError"),
        ("scalar", one, True, (0, 0), "A Tensor with a single element starts by itself.",
         "only for a Tensor with one element"),
        ("silent", many, False, (0, 1), "Where no gradient is required it returns, without an "
         "error.", "it returns and changes nothing: no error"),
    ):  # fmt: skip
        probe = Probe(
            "engine_walks.without_start", (array, requires), "x.backward()",
            oracles={"numpy": lambda flags=flags: {
                "raised": [np.array(float(flags[0]))], "none": [np.array(bool(flags[1]))]}},
        )  # fmt: skip
        yield Check(exercise, name, (probe,), words, part="raised", says=says)
        if name != "non-scalar":
            yield Check(
                exercise, f"{name}-grad", (probe,), words, part="none", weight=0.5,
                says=f"{says[:-1]}, and grad is as it should be.",
            )  # fmt: skip
    arrays, grad = [REAL.draw(rng, (2,)) for _ in range(2)], REAL.draw(rng, (2,))
    nothing = _none_probe([((0, 1, 0), [1.5, "none", -0.7])], arrays, grad, [0.8], [1])
    some = _none_probe(
        [((0, 1), [1.5, "none"]), ((2, 1), [0.5, 2.0])], arrays, grad, [0.75, 2.0], []
    )
    for name, probe, part, says in (
        ("nothing-gradient", nothing, "gradient",
         "None for one input leaves the others their gradients."),
        ("nothing-none", nothing, "none", "An input that gets None keeps grad None."),
        ("nothing-more", some, "gradient", "None from one rule leaves what another one gave."),
    ):  # fmt: skip
        yield Check(exercise, name, (probe,), "nothing arrives there", part=part, says=says)
    yield _one_number(exercise, one)


def _one_number(exercise: str, one: np.ndarray) -> Check:
    """Check a walk whose Tensor has no axes: its rules return NumPy's numbers."""
    chain = [((0,), [3.0]), ((1,), [-0.5])]
    probe = Probe(
        "engine_walks.walked", ("apply", "backward", chain, [one], None, []),
        f"{told(1, chain, given=False)}, where x0 has no axes",
        oracles={"numpy": lambda: {"gradient": [np.array(-1.5)]}},
    )  # fmt: skip
    says = "A rule that gives one number, of a Tensor without axes, gives a tuple of one."
    words = "or the NumPy number that an array without axes turns into"
    return Check(exercise, "number", (probe,), words, part="gradient", says=says, weight=0.5)


def _none_probe(
    steps: Any, arrays: list[np.ndarray], grad: np.ndarray, slopes: list[float], quiet: list[int]
) -> Probe:
    return Probe(
        "engine_walks.walked", ("apply", "backward", steps, arrays, grad, [], quiet),
        f"{told(len(arrays), steps)}, where the rule returns None for x1",
        oracles={"numpy": lambda: {"gradient": [slope * grad for slope in slopes],
                                   "none": [np.array([True] * len(quiet), dtype=bool)]}},
    )  # fmt: skip


def ladder(rungs: int) -> tuple[int, Any]:
    """Diamonds one on top of the other: each node uses the one below it twice."""
    return 1, tuple((i, i) for i in range(rungs))


def _visits(seed: str) -> Iterator[Check]:
    exercise, words = "chapter11.grad_fn.visits", "asks a rule for gradients from `root`"
    rungs = {4: 15, 8: 255, 12: 4095, 16: 65535}
    rows = [(ladder(n), [], count) for n, count in rungs.items()]
    for name, chosen, says, taught in (
        ("ladders", rows, "On ladders of 4, 8, 12 and 16 diamonds it counts 15, 255, 4,095 and "
         "65,535.", words),
        ("uneven", [(UNEVEN, [], 6), (NET, [], 8)], "It counts a rule once for every path.", words),
        ("leaf", [(LEAF, [], 0)], "A leaf counts 0.", "A leaf has no rule and counts 0"),
        ("constant", [(CHAIN, [0], 0), (FAN, [0], 2), (FAN, [2], 2)],
         "What requires no gradient is not asked.",
         "A leaf has no rule and counts 0; so does a Tensor that requires no gradient"),
    ):  # fmt: skip
        probes = tuple(_counted(seed, name, *row) for row in chosen)
        yield Check(exercise, name, probes, taught, says=says)
        if name == "uneven":
            yield Check(
                exercise, "nothing", probes, "Nothing is computed, and no `grad` changes",
                part="nothing", says="It asks no rule, and leaves every grad alone.", weight=0.5,
            )  # fmt: skip


def _counted(
    seed: str, name: str, graph: tuple[int, Any], constant: list[int], count: int
) -> Probe:
    rng = rng_for(seed, f"visits/{name}/{len(graph[1])}")
    arrays = [REAL.draw(rng, ()) for _ in range(graph[0])]
    return Probe(
        "engine_walks.counted", (steps_of(graph, rng), arrays, constant),
        f"visits(root) of a graph of {len(graph[1])} nodes",
        oracles={"numpy": lambda: {"value": [np.array(count)],
                                   "nothing": [np.array([0, 0])]}},
    )  # fmt: skip
