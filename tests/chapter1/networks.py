"""Neuron, Layer and MLP: what they hold, what they compute, their parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum
from random import Random
from typing import Any

import numpy as np

from grader.course import (
    REAL,
    SMALL,
    Check,
    Domain,
    Parts,
    Probe,
    numeric,
    rng_for,
    sizes_for,
    start_for,
)

NEW_LIST = "Every call makes a new list"
GIVES_THE_SAME = f"{NEW_LIST}: a second call gives the same"
BENT = {
    "tanh": np.tanh,
    "relu": lambda z: np.maximum(z, 0),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "linear": lambda z: z,
}


def checks(seed: str) -> Iterator[Check]:
    yield from _made(seed)
    yield from _neuron(seed)
    yield from _layer(seed)
    yield from _mlp(seed)
    yield from _parameters(seed)


def _made(seed: str) -> Iterator[Check]:
    def drawn(inputs: int, *bent: str) -> Probe:
        args = (inputs, start_for(seed, f"chapter1.neuron/{inputs}/{bent}"), *bent)
        told = ", ".join(map(repr, (inputs, *bent)))
        return Probe("scalar_networks.neuron_drawn", args, f"Neuron({told})")

    (size,) = sizes_for(seed, "chapter1.neuron.init", 3)
    (large,) = sizes_for(seed, "chapter1.neuron.init/many", 2000)
    many, few, bent = drawn(large), drawn(size), drawn(size, "relu")
    exercise, own = "chapter1.neuron.init", "one per input … Every weight is a separate Value"
    yield Check(
        exercise, "weights", (many,), "uniformly from -1 to 1", part="weights", compare="sample"
    )
    yield Check(
        exercise, "numbers", (many,), "a separate Value, with its own number", part="numbers",
        says="Every weight has a number of its own, those of the next neuron, too.",
    )  # fmt: skip
    for name, says, taught in (
        ("distinct", "There is one weight per input, each a separate Value.", own),
        ("bias", "The bias starts at 0.", "bias: a Value … the bias starts at 0"),
    ):
        yield Check(exercise, name, (few,), taught, part=name, says=says)
    yield Check(
        exercise, "activation", (few, bent), '`"tanh"`, `"relu"`, `"sigmoid"` or `"linear"`',
        part="activation", says="A Neuron keeps the name of its activation.", compare="text",
    )  # fmt: skip
    a, b = sizes_for(seed, "chapter1.layer.init", 3, 4)
    layer = Probe("scalar_networks.layer_made", ([a, b], "relu"), f'Layer({a}, {b}, "relu")')
    neurons = "a list of Neurons, one per output … separate neurons, each with `inputs` weights"
    yield from _facts("chapter1.layer.init", (layer,), neurons, neurons)
    deep, named = _mlp_made(seed, ()), _mlp_made(seed, ("relu", "sigmoid"))
    single = _mlp_made(seed, ("relu", "linear"), layers=1)
    yield from _facts(
        "chapter1.mlp.init", (deep, named, single),
        "a list of Layers … One layer per step from one size … `MLP([2, 8, 1])` has two layers",
        "of every layer but the last",
    )  # fmt: skip


def _mlp_made(seed: str, extra: tuple[str, ...], layers: int = 2) -> Probe:
    usual = (3, 4) if extra else (2, 4, 3, 5)
    sizes = [*sizes_for(seed, f"chapter1.mlp.init/{extra}", *usual, spread=12)]
    if extra and layers == 2:
        sizes.append(sizes[-1])  # its hidden layer is as large as the last one
    call = f"MLP({', '.join(map(repr, (sizes, *extra)))})"
    return Probe("scalar_networks.mlp_made", (sizes, extra), call)


def _facts(exercise: str, probes: tuple[Probe, ...], shape: str, bent: str) -> Iterator[Check]:
    for part, says, taught in (
        ("layers", "There are as many layers as there should be.", shape),
        ("neurons", "Every layer has as many neurons as it has outputs.", shape),
        ("weights", "Every neuron has as many weights as there are inputs.", shape),
        ("distinct", "Every neuron is a separate object.", shape),
        ("bent", "Every neuron has the activation that was asked for.", bent),
    ):
        if not (part == "layers" and exercise == "chapter1.layer.init"):
            how = "text" if part == "bent" else "close"
            yield Check(exercise, part, probes, taught, part=part, says=says, compare=how)


def numbers(rng: Random, shape: tuple[int, ...], domain: Domain = REAL) -> Any:
    return domain.draw(rng, shape).tolist()


def oracles_of(function: Callable, arrays: list, out_grads: Any, analytic: bool) -> dict:
    """The value and the gradient of ``function(*arrays)``, whose result is one array."""

    def parts() -> Parts:
        value = np.atleast_1d(function(*arrays))
        slopes = numeric.vjp(function, arrays, np.asarray(out_grads), analytic=analytic)
        flat = np.concatenate([slope.ravel() for slope in slopes])
        return {"value": [value], "gradient": [flat]}

    return {"finite_difference": parts}


def twin_of(function: Callable, arrays: list, out_grads: Any) -> Callable[[Any], Parts]:
    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
        out = function(torch, *leaves)
        out.backward(torch.tensor(out_grads, dtype=torch.float64).reshape(out.shape))
        flat = np.concatenate([leaf.grad.numpy().ravel() for leaf in leaves])
        value = np.atleast_1d(out.detach().numpy())
        return {"value": [value], "gradient": [flat], "both": [np.concatenate([value, flat])]}

    return twin


def _neuron(seed: str) -> Iterator[Check]:
    exercise = "chapter1.neuron.call"
    taught = "`activation(w₁·x₁ + w₂·x₂ + … + bias)`"
    plain: list[Probe] = []
    for name, size, hidden in (
        ("tanh", 2, False), ("relu", 3, False), ("sigmoid", 3, False), ("linear", 2, False),
        ("more", 4, True),
    ):  # fmt: skip
        probe = _neuron_probe(rng_for(seed, f"{exercise}/{name}"), name, size)
        bent = {"more": "the default activation"}.get(name, f'"{name}"')
        for part, what in (("value", "value"), ("gradient", "gradients")):
            says = f"A Neuron with {bent} has the right {what}."
            yield Check(
                exercise, f"{name}-{part}", (probe,), taught, part=part, says=says, hidden=hidden
            )
        plain += [] if hidden else [probe]
    says = "A Neuron takes plain numbers too."
    yield Check(
        exercise, "plain", tuple(plain), "holds numbers or Values", part="plain", says=says
    )  # fmt: skip


def _neuron_probe(rng: Random, name: str, size: int) -> Probe:
    weights, x = numbers(rng, (size,), SMALL), numbers(rng, (size,))
    # Large enough that a sum of its own sign stays away from relu's kink at 0.
    bias, out_grad = (
        round(abs(fsum(w * v for w, v in zip(weights, x, strict=True))) + 0.37, 2),
        numbers(rng, ()),
    )
    bent = "tanh" if name == "more" else name
    arrays = [np.array(weights), np.array(bias), np.array(x)]

    def formula(w: Any, b: Any, x: Any) -> Any:
        return BENT[bent](np.sum(w * x) + b)

    def twin(torch: Any, w: Any, b: Any, x: Any) -> Any:
        z = (w * x).sum() + b
        return z if bent == "linear" else getattr(torch, bent)(z)

    activation = [] if name == "more" else [name]
    oracles = oracles_of(formula, arrays, out_grad, analytic=bent != "relu")
    oracles["numpy"] = lambda: {"plain": [np.asarray(formula(*arrays))]}
    return Probe(
        "scalar_networks.neuron_call", (activation, weights, bias, x, out_grad),
        f"Neuron({', '.join([str(size), *map(repr, activation)])})(x) with weights = {weights}, "
        f"bias = {bias:g}, x = {x}; out.grad = {out_grad:g}", oracles=oracles,
        twin=twin_of(twin, arrays, out_grad),
    )  # fmt: skip


def _layer(seed: str) -> Iterator[Check]:
    exercise, taught = "chapter1.layer.call", "A list of what the neurons return for `x`"
    rng = rng_for(seed, exercise)
    for name, rows, columns, hidden in (("value", 2, 2, False), ("more", 3, 2, True)):
        probe = _layer_probe(rng, rows, columns)
        yield Check(
            exercise, name, (probe,), taught, hidden=hidden,
            says="A Layer returns what its neurons make of x, in their order.",
        )  # fmt: skip
        yield Check(
            exercise, f"{name}-gradient", (probe,), taught, part="gradient", hidden=hidden,
            says="Gradients reach every weight, every bias and every input of a Layer.",
        )  # fmt: skip


def _layer_probe(rng: Random, rows: int, columns: int) -> Probe:
    weights, biases = numbers(rng, (rows, columns), SMALL), numbers(rng, (rows,), SMALL)
    x, out_grads = numbers(rng, (columns,)), numbers(rng, (rows,))
    # A row per neuron: its weights, then its bias, as the program lists them.
    table = np.column_stack([weights, biases])

    def twin(torch: Any, table: Any, x: Any) -> Any:
        return torch.tanh(torch.nn.functional.linear(x, table[:, :-1], table[:, -1]))

    arrays = [table, np.array(x)]
    return Probe(
        "scalar_networks.layer_call", ("tanh", weights, biases, x, out_grads),
        f"Layer({columns}, {rows})(x) with weights = {weights}, biases = {biases}, x = {x}; "
        f"grad of its outputs = {out_grads}", twin=twin_of(twin, arrays, out_grads),
        oracles=oracles_of(lambda t, x: np.tanh(t[:, :-1] @ x + t[:, -1]), arrays, out_grads, True),
    )  # fmt: skip


def _mlp(seed: str) -> Iterator[Check]:
    exercise, taught = "chapter1.mlp.call", "The output of the last layer: a list of Values"
    rng = rng_for(seed, exercise)
    probes = {sizes: _mlp_probe(rng, sizes) for sizes in ((2, 3, 2), (2, 3, 1), (3, 4, 1, 3))}
    for sizes, name, part, says, words in (
        ((2, 3, 2), "value", "value", "Each layer is fed by the one before it.", taught),
        ((2, 3, 2), "gradient", "gradient", "Gradients reach all parameters and inputs.", taught),
        ((2, 3, 1), "one", "value", "An MLP with one output has the right value.", taught),
        ((2, 3, 1), "bare", "bare", "Where the last layer has one neuron, its Value comes bare.",
         "or a bare Value if it has one neuron"),
        ((3, 4, 1, 3), "more", "gradient", "A deeper MLP has the right gradients too.", taught),
        ((3, 4, 1, 3), "more-value", "value", "A deeper MLP has the right value too.", taught),
    ):  # fmt: skip
        hidden, how = name.startswith("more"), "text" if part == "bare" else "close"
        yield Check(
            exercise, name, (probes[sizes],), words, part=part, says=says, hidden=hidden,
            compare=how,
        )  # fmt: skip


def _mlp_probe(rng: Random, sizes: tuple[int, ...]) -> Probe:
    steps = list(zip(sizes[:-1], sizes[1:], strict=True))
    weights = [numbers(rng, (rows, columns), SMALL) for columns, rows in steps]
    biases = [numbers(rng, (rows,), SMALL) for _, rows in steps]
    tables = [np.column_stack([w, b]) for w, b in zip(weights, biases, strict=True)]
    x, out_grads = numbers(rng, (sizes[0],)), numbers(rng, (sizes[-1],))

    def formula(tanh: Callable, tables: Any, x: Any) -> Any:
        for i, table in enumerate(tables):
            x = table[:, :-1] @ x + table[:, -1]
            x = x if i == len(tables) - 1 else tanh(x)
        return x

    arrays = [*tables, np.array(x)]
    return Probe(
        "scalar_networks.mlp_call", (list(sizes), weights, biases, x, out_grads),
        f"MLP({list(sizes)})(x)",
        oracles=oracles_of(lambda *a: formula(np.tanh, a[:-1], a[-1]), arrays, out_grads, True),
        twin=twin_of(lambda torch, *a: formula(torch.tanh, a[:-1], a[-1]), arrays, out_grads),
    )  # fmt: skip


def _parameters(seed: str) -> Iterator[Check]:
    a, b, c = sizes_for(seed, "chapter1.parameters", 2, 4, 3, spread=20)
    (size,) = sizes_for(seed, "chapter1.neuron.parameters", 3)
    for kind, args, taught in (
        ("Neuron", (size,), "The weights and the bias, in one flat list; each once"),
        (
            "Layer",
            (c, a),
            "The parameters of all neurons of the layer, in one flat list; each once",
        ),
        ("MLP", ([a, b, c],), "The parameters of all layers, in one flat list; each once"),
    ):
        exercise = f"chapter1.{kind.lower()}.parameters"
        call = f"{kind}({', '.join(map(str, args))}).parameters()"
        probe = Probe("scalar_networks.parameters", (kind, args), call)
        yield Check(exercise, "once", (probe,), taught, part="once", compare="text")
        says = "The list holds nothing else."
        yield Check(exercise, "length", (probe,), taught, part="length", says=says)
        says = "A second call gives as many as the first."
        new = GIVES_THE_SAME if kind == "Neuron" else NEW_LIST
        yield Check(exercise, "again", (probe,), new, part="again", says=says, weight=0.5)
