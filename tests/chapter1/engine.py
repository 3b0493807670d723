"""The numeric slope, a new Value, and the walk back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Parts, Probe, numeric, rng_for, sizes_for

FUNCTIONS = ("x * x * x", "sin(x)", "exp(x) / x")
STEP = 0.25

# Graphs as (numbers of the inputs) per node, in the order in which they are made; the leaves
# have the first numbers.
CHAIN = (1, ((0,), (1,)))
FAN = (2, ((0, 1), (0,), (2, 3, 0)))
UNEVEN = (1, ((0,), (1,), (2, 1), (3, 1)))
NET = (3, ((0, 1), (1, 2), (0, 3, 4), (3,), (5, 6), (7, 4, 2)))
LEAF = (1, ())


def checks(seed: str) -> Iterator[Check]:
    yield from _derivative(seed)
    yield from _fresh(seed)
    yield from _order(seed)
    yield from _backward(seed)


def _derivative(seed: str) -> Iterator[Check]:
    exercise = "chapter1.numerical_derivative"
    rng = rng_for(seed, exercise)
    first, second = (float(x) for x in REAL.draw(rng, (2,)))
    steps = (_slope_probe(first, STEP), _slope_probe(second, STEP))
    yield Check(
        exercise, "formula", steps, "`(f(x + h) - f(x - h)) / (2h)`",
        says="With h given, it is the central difference with that h.",
    )  # fmt: skip
    yield Check(
        exercise, "default", (_slope_probe(first, None), _slope_probe(second, None)),
        "with it, the slope is right to at least four digits",
        says="Without h, it is close to the true slope.",
    )  # fmt: skip
    yield Check(
        exercise, "more", (_slope_probe(1.7 * second, STEP / 2),), "`(f(x + h) - f(x - h)) / (2h)`",
        says="It is the central difference elsewhere too.", hidden=True,
    )  # fmt: skip


def _slope_probe(at: float, step: float | None) -> Probe:
    names = {"sin": np.sin, "exp": np.exp}
    functions = [eval(f"lambda x: {text}", names) for text in FUNCTIONS]

    def formula() -> Parts:
        return {
            "value": [np.array([(f(at + step) - f(at - step)) / (2 * step) for f in functions])]
        }

    def slopes() -> Parts:
        found = [numeric.vjp(f, [np.array(at)], np.array(1.0), analytic=True)[0] for f in functions]
        return {"value": [np.array(found, dtype="float32")]}

    def twin(torch: Any) -> Parts:
        names = {"sin": torch.sin, "exp": torch.exp}
        found = []
        for text in FUNCTIONS:
            x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
            eval(text, names, {"x": x}).backward()
            found.append(float(x.grad))
        return {"value": [np.array(found, dtype="float32")]}

    more = "" if step is None else f", {step}"
    return Probe(
        "scalars.derivative", (FUNCTIONS, at, step),
        f"numerical_derivative(f, {at:g}{more}) for f = {', '.join(FUNCTIONS)}",
        oracles={"finite_difference": slopes} if step is None else {"numpy": formula},
        twin=twin if step is None else None,
    )  # fmt: skip


def _fresh(seed: str) -> Iterator[Check]:
    exercise = "chapter1.value.init"
    rng = rng_for(seed, exercise)
    at = float(REAL.draw(rng, ()))
    probe = Probe(
        "scalars.fresh", (at,), f"Value({at:g})",
        oracles={"numpy": lambda: {p: [np.array(x)] for p, x in zip(
            ("value", "grad"), (at, 0.0), strict=True)}},
    )  # fmt: skip
    numbers = [float(x) for x in REAL.draw(rng, (2,))]
    inputs = Probe(
        "scalars.with_inputs", (numbers,), "Value(1.5, (a, b))",
        oracles={"numpy": lambda: {"grad": [np.array(0.0)]}},
    )  # fmt: skip
    text = partial(Check, exercise, compare="text")
    yield Check(
        exercise, "data", (probe,), "data: the number … that holds the number `data`",
        says="data is the number.",
    )  # fmt: skip
    yield Check(
        exercise, "grad", (probe, inputs), "0.0 at first … `grad` starts at 0.0", part="grad",
        says="grad is 0.0.",
    )  # fmt: skip
    yield text("leaf", (probe,), "`()` for a leaf", part="prev", says="_prev is empty.")
    yield text(
        "rule", (probe,), part="rule",
        taught="_backward: a function without arguments … For a leaf it does nothing … `_backward` "
        "starts as a function that does nothing",
        says="_backward is a function, which can be called.", weight=0.5,
    )  # fmt: skip
    yield text(
        "prev", (inputs,),
        "was made from the Values in `_prev` … _prev: the Values that it was made from",
    )  # fmt: skip


def _order(seed: str) -> Iterator[Check]:
    exercise = "chapter1.topological_order"
    rng = rng_for(seed, exercise)
    graphs = (CHAIN, FAN, UNEVEN, NET, *others(seed))
    probes = tuple(_order_probe(rng, graph) for graph in graphs)
    # Two leaves that hold the same number are two nodes all the same.
    twins = Probe(
        "scalars.order", (_slopes(rng, FAN), [0.5, 0.5]),
        f"topological_order({told(FAN)}), where a and b both hold 0.5",
    )  # fmt: skip
    once = "in an order to compute them. Each node is in the list once, after all nodes in its"
    after = f"{once} `_prev`; `root` is the last"
    for part, says, probes_of, taught in (
        ("after", "Every node comes after the nodes that it was made from.", probes, after),
        ("once", "Every node is in the list exactly once.", probes, once),
        ("length", "Nothing else is in the list.", probes, once),
        ("last", "The root is the last in the list.", probes, "`root` is the last"),
        ("once", "Two Values with the same data are two nodes.", (twins,),
         "the same object, whatever their `data`"),
    ):  # fmt: skip
        name = "same-data" if probes_of is not probes else part
        how = "close" if part == "length" else "text"
        yield Check(exercise, name, probes_of, taught, part=part, says=says, compare=how)
    (levels,) = sizes_for(seed, "chapter1.topological_order/linear", 40)
    long = Probe(
        "scalars.ladder", (levels,), f"topological_order of a ladder of {levels} diamonds",
        {"numpy": lambda: {"value": [np.array(3.0 * levels + 1)]}},
    )  # fmt: skip
    yield Check(
        exercise, "linear", (long,), "Check that before you go to its inputs",
        says="In 40 diamonds the work grows with the nodes, not with the paths.",
    )  # fmt: skip
    (length,) = sizes_for(seed, "chapter1.topological_order/deep", 300)
    deep = Probe("scalars.deep", (length, 150), f"topological_order of a chain of {length}")
    yield Check(exercise, "deep", (deep,), "a stretch that earns no points", weight=0)


def others(seed: str) -> tuple[tuple, ...]:
    """Two graphs more, for a seed of its own: how many nodes they have is not to be foreseen."""
    if seed == PUBLIC_SEED:
        return ()
    rng = rng_for(seed, "chapter1.topological_order/graphs")

    def graph(leaves: int, count: int) -> tuple:
        made = [tuple(rng.sample(range(n), min(n, 2))) for n in range(leaves, leaves + count)]
        last = leaves + count - 1
        unused = set(range(last)) - {source for sources in made for source in sources}
        return leaves, (*made[:-1], tuple(sorted({*made[-1], *unused} - {last})))

    return tuple(graph(rng.randint(2, 6), rng.randint(4, 18)) for _ in range(2))


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def told(graph: tuple) -> str:
    """A graph in a few words, its root first: ``e, where c is made of a and b; …``."""
    made = [
        f"{LETTERS[graph[0] + i]} is made of {' and '.join(LETTERS[n] for n in sources)}"
        for i, sources in enumerate(graph[1])
    ]
    root = LETTERS[graph[0] + len(graph[1]) - 1]
    return f"{root}, where {', '.join(made)}" if made else root


def _formulas(numbers: list[float], nodes: list) -> str:
    """The graph as a learner would write it, up to the name of its result."""
    lines = [f"{name} = Value({x:g})" for name, x in zip(LETTERS, numbers, strict=False)]
    for i, (sources, slopes) in enumerate(nodes, start=len(numbers)):
        terms = [f"{s:g}*{LETTERS[n]}" for n, s in zip(sources, slopes, strict=True)]
        lines.append(f"{LETTERS[i]} = {' + '.join(terms).replace('+ -', '- ')}")
    return "; ".join([*lines, LETTERS[len(numbers) + len(nodes) - 1]])


def _slopes(rng: Random, graph: tuple) -> list:
    """The graph with a slope for every edge."""
    return [(list(s), [float(x) for x in REAL.draw(rng, (len(s),))]) for s in graph[1]]


def _order_probe(rng: Random, graph: tuple) -> Probe:
    numbers = [float(x) for x in REAL.draw(rng, (graph[0],))]
    call = f"topological_order({told(graph)})"
    return Probe("scalars.order", (_slopes(rng, graph), numbers), call)


def _backward(seed: str) -> Iterator[Check]:
    exercise = "chapter1.value.backward"
    rng = rng_for(seed, exercise)
    shared = "A Value that is used several times sums its gradients"
    for name, says, graph, times, taught, hidden in (
        ("chain", "Along a chain, slopes multiply.", CHAIN, 1,
         "the derivative of `self` with respect to it", False),
        ("leaf", "A leaf's own slope is 1.", LEAF, 1, "It starts with `self.grad = 1.0`", False),
        ("shared", "A Value used in three places sums what comes back.", FAN, 1, shared, False),
        ("uneven", "A node waits for all that was made from it, however long the way.", UNEVEN, 1,
         "each only after all nodes that were made from it", False),
        ("calls", "A leaf adds to what it holds from an earlier result.", FAN, 2,
         "A leaf that holds a `grad` from an earlier result adds to it", False),
        ("more", "The gradients of a larger graph are right.", NET, 1,
         "Where paths meet, derivatives add", True),
    ):  # fmt: skip
        probe = _backward_probe(rng, graph, times)
        yield Check(exercise, name, (probe,), taught, says=says, hidden=hidden)
    yield Check(
        exercise, "root", (_backward_probe(rng, CHAIN, 1, 0.75),),
        "It starts with `self.grad = 1.0`",
        says="The result starts from 1, whatever it held in grad before.",
    )  # fmt: skip
    graphs = (CHAIN, FAN, UNEVEN, *others(seed))
    yield Check(
        exercise, "once", tuple(_calls_probe(rng, graph) for graph in graphs),
        "calls `_backward` of every node once",
        says="The rule of every node is called once, however many paths lead to it.",
    )  # fmt: skip


def _calls_probe(rng: Random, graph: tuple) -> Probe:
    numbers, nodes = [float(x) for x in REAL.draw(rng, (graph[0],))], _slopes(rng, graph)
    names = LETTERS[graph[0] : graph[0] + len(nodes)]
    return Probe(
        "scalars.rule_calls", (nodes, numbers),
        f"{_formulas(numbers, nodes)}.backward(), calls of the rules of {', '.join(names)}",
        oracles={"numpy": lambda: {"value": [np.ones(len(nodes), int)]}},
    )  # fmt: skip


def _backward_probe(rng: Random, graph: tuple, times: int, held: float = 0.0) -> Probe:
    count = graph[0]
    numbers = [float(x) for x in REAL.draw(rng, (count,))]
    nodes = _slopes(rng, graph)

    def follow(leaves: list) -> list:
        for sources, slopes in nodes:
            leaves.append(sum(s * leaves[i] for i, s in zip(sources, slopes, strict=True)))
        return leaves

    def forward_mode() -> Parts:
        # Every node carries its own derivatives along: nothing is walked back here.
        result = follow(list(np.eye(count)))[-1]
        return {"value": [np.array(times * slope) for slope in result]}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in numbers]
        for _ in range(times):
            follow(list(leaves))[-1].backward()
        return {"value": [leaf.grad.numpy() for leaf in leaves]}

    again = ", then of the same once more" if times > 1 else ""
    again += f", where the result holds {held:g} in its grad before" if held else ""
    call = f"{_formulas(numbers, nodes)}.backward(){again}"
    return Probe(
        "scalars.backward", (nodes, numbers, times, held), call,
        oracles={"numpy": forward_mode}, twin=twin,
    )  # fmt: skip
