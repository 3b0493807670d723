"""What is built on the engines: a fresh Tensor, apply, losses, layers, networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import (
    PUBLIC_SEED,
    REAL,
    SMALL,
    Check,
    Parts,
    Probe,
    number_for,
    numeric,
    rng_for,
    sizes_for,
    start_for,
)

from .cases import values
from .rules import BIG, FINITE, FLOAT64, LOSS, UNTOUCHED

DRAW = {
    "grad_fn": "uniformly between -1/√inputs and 1/√inputs",
    "closure": "rng.normal(0, 1/√inputs)",
}


def checks(seed: str) -> Iterator[Check]:
    yield from _fresh(seed)
    yield from _summed(seed)
    yield from _loss(seed)
    yield from _applied(seed)
    yield from _refused(seed)
    yield from _shown(seed)
    for engine in ("grad_fn", "closure"):
        yield from _linear(engine, seed)
        yield from _mlp(engine, seed)


def _told(**parts: Any) -> Callable[[], Parts]:
    return lambda: {name: [np.asarray(each) for each in arrays] for name, arrays in parts.items()}


def _fresh(seed: str) -> Iterator[Check]:
    exercise, rng = "chapter11.grad_fn.init", rng_for(seed, "chapter11.grad_fn.init")
    data = REAL.draw(rng, (2, 2))
    probe = Probe(
        "engines.grad_fn_fresh", (data, True), "Tensor(data), Tensor(data, True, rule)",
        oracles={"numpy": _told(value=[data, data], defaults=[[True] * 3], kept=[[True] * 2])},
    )  # fmt: skip
    single = Probe(
        "engines.grad_fn_fresh", (data.astype("float32"), True), "Tensor of float32 data",
        oracles={"numpy": _told(value=[data.astype("float32").astype("float64")] * 2)},
    )  # fmt: skip
    counted = np.array(rng.sample(range(-99, 99), 4))
    whole = Probe(
        "engines.grad_fn_fresh", (counted, True), "Tensor of whole numbers",
        oracles={"numpy": _told(value=[counted.astype("float64")] * 2)},
    )  # fmt: skip
    words = "holds a float64 copy of `data`"
    yield Check(exercise, "data", (probe,), words, says="data is a copy of what was given.")
    yield Check(
        exercise, "dtype", (single, whole), words, compare="dtype", says="data is float64 always."
    )
    yield Check(
        exercise, "defaults", (probe,), "None for a leaf … `grad` starts as None", part="defaults",
        says="grad is None; requires_grad is False and grad_fn None, unless given.",
    )  # fmt: skip
    yield Check(
        exercise, "kept", (probe,), "are kept as they are given", part="kept",
        says="requires_grad and grad_fn are kept.",
    )  # fmt: skip


def _summed(seed: str) -> Iterator[Check]:
    rows = (
        ("bias", (4, 3), (3,), "Rows are summed away for a bias."),
        ("column", (2, 3), (2, 1), "A column is summed along its row, and stays a column."),
        ("number", (2, 3), (), "For a single number everything is summed."),
        ("same", (2, 3), (2, 3), "Where nothing was broadcast, nothing is summed."),
        ("both", (2, 4, 3), (1, 3), "New axes and stretched ones, both at once."),
    )
    for engine, name, words in (
        ("grad_fn", "unbroadcast", "over the axes along which `shape` was broadcast … axes of "
         "length 1 that it stretched are summed and kept. The result has the shape `shape`"),
        ("closure", "_unbroadcast", "over the axes along which `shape` was broadcast, to that"),
    ):
        exercise = f"chapter11.{engine}.unbroadcast"
        for label, big, small, says in rows:
            gradient = REAL.draw(rng_for(seed, f"{exercise}/{label}"), big)
            probe = Probe(
                "engines.summed", (engine, name, gradient, list(small)),
                f"{name}(gradient of {big}, {small})",
                oracles={"finite_difference": _spread(gradient, small)},
                twin=_torch_spread(gradient, small),
            )  # fmt: skip
            yield Check(exercise, label, (probe,), words, says=says, hidden=label == "both")
            if label == "bias":
                yield Check(exercise, "inputs", (probe,), UNTOUCHED, part="inputs", weight=0.5,
                            says=f"{name} leaves the gradient as it was.")  # fmt: skip
                yield Check(exercise, "dtype", (probe,), FLOAT64, part="dtype", weight=0.5,
                            aside=True, says=f"{name} keeps float64.")  # fmt: skip


def _spread(gradient: np.ndarray, small: tuple[int, ...]) -> Callable[[], Parts]:
    """What un-broadcasting is: the derivative of broadcasting."""

    def parts() -> Parts:
        def spread(a: Any) -> Any:
            return np.broadcast_to(a, gradient.shape)

        value = numeric.vjp(spread, [np.zeros(small)], gradient, analytic=True)
        return {"value": value, "inputs": [gradient], "dtype": [np.array(True)]}

    return parts


def _torch_spread(gradient: np.ndarray, small: tuple[int, ...]) -> Callable[[Any], Parts]:
    def twin(torch: Any) -> Parts:
        leaf = torch.zeros(small, dtype=torch.float64, requires_grad=True)
        leaf.expand(gradient.shape).backward(torch.tensor(gradient))
        return {"value": [leaf.grad.numpy()]}

    return twin


def _loss(seed: str) -> Iterator[Check]:
    exercise, words = "chapter11.grad_fn.cross_entropy", "mean over the rows of `-log(softmax"
    draws = [LOSS.draw(seed, f"{exercise}/{i}") for i in range(2)]
    huge = [np.array(BIG) * number_for(seed, f"{exercise}/huge", 0.1, 0.09, 0.11)]
    for name, chosen, taught in (("value", draws, words), ("extreme", [huge], FINITE[7:])):
        probes = tuple(_loss_probe(arrays) for arrays in chosen)
        says = "The loss is right." if name == "value" else "The loss is right at ±1000, too."
        yield Check(exercise, name, probes, taught, says=says)
    remembers = "with `CrossEntropyBackward` as its rule, made by `result`"
    probes = (_loss_probe(draws[0]),)
    for part, says in (
        ("remembers", "The loss remembers its rule, and this one the logits."),
        ("forgets", "Logits that require no gradient give a loss without a rule."),
    ):
        yield Check(exercise, part, probes, remembers, part=part, says=says)


def _loss_probe(arrays: list[np.ndarray]) -> Probe:
    def twin(torch: Any) -> Parts:
        return {"value": [LOSS.torch(torch, torch.tensor(arrays[0])).numpy()]}

    return Probe(
        "engines.grad_fn_made", ("CrossEntropyBackward", LOSS.call, arrays), LOSS.call,
        oracles={"numpy": lambda: {"value": [values(LOSS, arrays)],
                                   "remembers": [np.array([True] * 3)],
                                   "forgets": [np.array([True] * 2)]}},
        twin=twin,
    )  # fmt: skip


def _applied(seed: str) -> Iterator[Check]:
    exercise, rng = "chapter11.apply.apply", rng_for(seed, "chapter11.apply.apply")
    a, b, scale = REAL.draw(rng, (2,)), REAL.draw(rng, (2,)), float(REAL.draw(rng, ()))
    probe = Probe(
        "engine_networks.wrapped", ([a, b], scale), f"Blend.apply(a, b, scale={scale})",
        oracles={"numpy": _told(
            value=[a + scale * b, b + 0.5, a[0] + 0.5], arrays=[[True, True]], options=[scale, 1.0],
            creator=[[True] * 4], fresh=[True], requires=[[True] * 5],
        )},
    )  # fmt: skip
    for part, says, words in (
        ("value", "The result holds what forward returned.", "wrap what it returns"),
        ("arrays", "forward is given arrays, not Tensors.", "the `data` of every input"),
        ("options", "Keyword arguments reach forward.", "`options` as keyword arguments"),
        ("creator", "The result holds the Context of this call as its _creator.",
         "becomes one, by `as_tensor` … holds the Context as its `_creator`"),
        ("fresh", "Every call gets a Context of its own.", "is made for each call"),
        ("requires", "A result requires a gradient where an input does, and only there.",
         "The result requires a gradient where any input does"),
    ):  # fmt: skip
        weight = 2 if part in ("value", "creator") else 1
        yield Check(exercise, part, (probe,), words, part=part, says=says, weight=weight)
    yield Check(exercise, "dtype", (probe,), "one that is given keeps its dtype", compare="dtype",
                says="The result keeps the dtype, of a single number too.", weight=0.5,
                aside=True)  # fmt: skip


def _refused(seed: str) -> Iterator[Check]:
    given: list[Any] = [[1.0, 2.0], "3", 3, -2, 2.5]
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, "chapter11.apply.pow/refuses")
        numbers = [rng.randint(2, 99), -rng.randint(2, 99), rng.randint(2, 99) + 0.5]
        others = [[1.0, float(rng.randint(2, 99))], str(rng.randint(2, 99)), None]
        given = rng.sample(numbers + others, 6)
    right = [float(not isinstance(each, (int, float))) for each in given]
    refused = Probe(
        "engines.refuses", (given,), f"Pow.forward with the exponents {given}",
        oracles={"numpy": _told(value=[right])},
    )  # fmt: skip
    yield Check(
        "chapter11.apply.pow", "refuses", (refused,), "It raises TypeError where `exponent` is not"
    )


def _shown(seed: str) -> Iterator[Check]:
    exercise, words = "chapter11.apply.repr", "the data as `print` shows it"
    single: float = 12.0
    pair = [1.5, -2.0]
    if seed != PUBLIC_SEED:
        single, *pair = np.round(REAL.draw(rng_for(seed, exercise), (3,)) * 8).tolist()
    for name, data, requires in (("scalar", single, True), ("array", pair, False)):
        text = f"Tensor(data={np.array(data)}, requires_grad={requires})"
        shown = Probe(
            "engine_networks.shown", (data, requires), f"repr(Tensor({data}))",
            oracles={"numpy": lambda text=text: {
                "value": [np.frombuffer(text.encode(), dtype=np.uint8)]}},
        )  # fmt: skip
        yield Check(exercise, name, (shown,), words, compare="text", says=f"It reads {text}.")


def _linear(engine: str, seed: str) -> Iterator[Check]:
    exercise = f"chapter11.{engine}.linear"
    sizes, start = (20, 100), 7
    if seed != PUBLIC_SEED:
        rng = rng_for(seed, f"{exercise}/sizes")
        sizes, start = (rng.randint(21, 30), rng.randint(80, 99)), start_for(seed, exercise)
    shape = sizes[::-1] if engine == "grad_fn" else sizes
    call = f"Linear({sizes[0]}, {sizes[1]}, rng) of {engine}"
    drawn = Probe("engine_networks.drawn", (engine, sizes, start), call)
    laid = "`(outputs, inputs)`" if engine == "grad_fn" else "`(inputs, outputs)`"
    yield Check(
        exercise, "weights", (drawn,), DRAW[engine], part="weights", compare="sample",
        says="The weights are drawn from the right distribution.",
    )  # fmt: skip
    for part, says, words in (
        ("shape", f"The weight has the shape {laid}: {shape}.", f"of the shape {laid}"),
        ("bias", "The bias starts at 0.", "a Tensor of the shape `(outputs,)` … biases 0"),
        ("same", "The same generator draws the same weights, another one others.", "from `rng"),
        ("requires", "Weight and bias require a gradient.", "that requires a gradient"),
    ):
        if part != "requires" or engine == "grad_fn":
            yield Check(exercise, part, (drawn,), words, part=part, says=says, weight=0.5)
    if engine == "grad_fn":
        yield _without_rng("Linear", sizes, exercise, "Without `rng` a new generator is made", seed)
    words = "`x @ W.T + b`" if engine == "grad_fn" else "`x @ weight + bias`"
    for name, size, hidden in (("call", (3, 2), False), ("more", (2, 4), True)):
        probe = _linear_probe(engine, seed, name, size)
        for part, says in (("value", "computes the right values"),
                           ("gradient", "hands gradients to x, weight and bias")):  # fmt: skip
            yield Check(
                exercise, f"{name}-{part}", (probe,), words, part=part, hidden=hidden,
                says=f"Linear {says}.",
            )  # fmt: skip


def _without_rng(kind: str, arguments: Any, exercise: str, words: str, seed: str) -> Check:
    probe = Probe(
        "engine_networks.without_rng", (kind, list(arguments), start_for(seed, f"{exercise}/new")),
        f"{kind}({', '.join(map(str, arguments))}), twice",
        oracles={"numpy": lambda: {"value": [np.array(True)]}},
    )  # fmt: skip
    return Check(exercise, "without-rng", (probe,), words, weight=0.5)


def _linear_probe(engine: str, seed: str, name: str, size: tuple[int, int]) -> Probe:
    rng = rng_for(seed, f"{engine}/linear/{name}")
    inputs, outputs = size
    weight = REAL.draw(rng, size[::-1] if engine == "grad_fn" else size)
    bias, x = REAL.draw(rng, (outputs,)), REAL.draw(rng, (4, inputs))
    out_grad = REAL.draw(rng, (4, outputs))

    def formula(x: Any, weight: Any, bias: Any) -> Any:
        return x @ (weight.T if engine == "grad_fn" else weight) + bias

    return Probe(
        "engine_networks.linear_call", (engine, weight, bias, [x], out_grad),
        f"Linear({inputs}, {outputs})(x)", **answers(formula, formula, [x, weight, bias], out_grad),
    )  # fmt: skip


def answers(formula: Any, torch_formula: Any, arrays: Any, out_grad: Any, skip: int = 0) -> Any:
    """The oracles and the twin of a formula of arrays; ``skip`` leaves out the first gradients."""

    def parts() -> Parts:
        slopes = numeric.vjp(formula, arrays, out_grad, analytic=False)
        return {"value": [formula(*arrays)], "gradient": slopes[skip:]}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
        out = torch_formula(*leaves)
        out.backward(torch.tensor(out_grad).reshape(out.shape))
        gradient = [leaf.grad.numpy() for leaf in leaves[skip:]]
        return {"value": [out.detach().numpy()], "gradient": gradient}

    return {"oracles": {"finite_difference": parts}, "twin": twin}


def _mlp(engine: str, seed: str) -> Iterator[Check]:
    exercise = f"chapter11.{engine}.mlp"
    a, b, c, d = sizes_for(seed, exercise, 5, 4, 3, 2, spread=12)
    dims = [a, b, c, d] if engine == "grad_fn" else [a, b, b, c]
    text = f"MLP({dims})" if engine == "grad_fn" else f"MLP({a}, {b}, {c})"
    turned = dims if engine == "closure" else None
    shapes = [(a, b) if turned else (b, a) for a, b in zip(dims[:-1], dims[1:], strict=True)]
    made = Probe("engine_networks.mlp_made", (engine, dims, start_for(seed, exercise)), text)
    words = (
        "Linear layers, in order … one Linear per step from one size" if engine == "grad_fn"
        else "the three Linear layers, in order … Linears from `inputs` to `hidden`, to `hidden`"
    )  # fmt: skip
    again = "draw from the same generator" if engine == "grad_fn" else "draw from one generator"
    for part, says, taught in (
        ("shapes", f"The weights of {text} have the shapes {shapes}.", words),
        ("distinct", "Every layer is an object of its own.", words),
        ("same", "The same seed makes the same network.", again),
    ):
        yield Check(exercise, part, (made,), taught, part=part, says=says, weight=0.5)
    yield Check(
        exercise, "draws", (made,), again, part="weights", weight=0.5,
        says="The layers draw one after the other from one generator.",
    )  # fmt: skip
    if engine == "grad_fn":
        yield _without_rng("MLP", [dims], exercise, "without one, a new one", seed)
    else:
        yield Check(exercise, "usual", (made,), "seed: int = 0", part="usual", weight=0.5,
                    says="Without a seed it is the network of seed 0.")  # fmt: skip
    bend = f"with `{'relu' if turned is None else 'tanh'}` after every layer but the last"
    probe = _mlp_probe(engine, seed, dims, text)
    yield Check(exercise, "value", (probe,), bend, says=f"{text} computes the right values.")
    yield Check(
        exercise, "gradient", (probe,), bend, part="gradient",
        says="Every parameter gets the gradient that PyTorch gives it.",
    )  # fmt: skip
    listed = Probe("engine_networks.parameters", (engine, dims), f"{text}.parameters()")
    words = "Weight and bias of every layer, in one flat list; each once"
    yield Check(exercise, "once", (listed,), words, part="once")
    says = "The list holds nothing else."
    yield Check(exercise, "length", (listed,), words, part="length", says=says)


def _mlp_probe(engine: str, seed: str, dims: list[int], text: str) -> Probe:
    rng = rng_for(seed, f"{engine}/mlp")
    pairs = list(zip(dims[:-1], dims[1:], strict=True))
    weights = [SMALL.draw(rng, p[::-1] if engine == "grad_fn" else p) for p in pairs]
    biases = [SMALL.draw(rng, (b,)) for _, b in pairs]
    x, out_grad = REAL.draw(rng, (3, dims[0])), REAL.draw(rng, (3, dims[-1]))

    def formula(bend: Callable) -> Callable:
        def run(x: Any, *flat: Any) -> Any:
            for number in range(0, len(flat), 2):
                weight, bias = flat[number : number + 2]
                x = x @ (weight.T if engine == "grad_fn" else weight) + bias
                x = bend(x) if number + 2 < len(flat) else x
            return x

        return run

    bend, torch_bend = {
        "grad_fn": (lambda a: np.maximum(a, 0), lambda a: a.relu()),
        "closure": (np.tanh, lambda a: a.tanh()),
    }[engine]
    flat = [a for pair in zip(weights, biases, strict=True) for a in pair]
    return Probe(
        "engine_networks.mlp_call", (engine, dims, weights, biases, [x], out_grad), f"{text}(x)",
        **answers(formula(bend), formula(torch_bend), [x, *flat], out_grad, skip=1),
    )  # fmt: skip
