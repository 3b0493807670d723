"""Characters, windows, one training step, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import (
    PUBLIC_SEED,
    REAL,
    Check,
    Parts,
    Probe,
    number_for,
    rng_for,
    sizes_for,
    start_for,
)
from tests.programs.harness import text
from tests.programs.texts import STEEP

from .formulas import softmax
from .templates import UNTOUCHED, draw, numbers


def checks(seed: str) -> Iterator[Check]:
    yield from characters(seed)
    yield from windows(seed)
    yield from steps(seed)
    yield from chances(seed)
    yield from generating(seed)


def disguised(seed: str, words: str) -> str:
    """The same words in other letters, so that other numbers belong to them."""
    if seed == PUBLIC_SEED:
        return words
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    others = rng_for(seed, "chapter14/alphabet").sample(alphabet, len(alphabet))
    return words.translate(str.maketrans(alphabet, "".join(others)))


def characters(seed: str) -> Iterator[Check]:
    plain = ("grad of a graph", "grad", "of rho", "a ford pod", "dzg")
    alphabet, first, second, third, strange = (disguised(seed, words) for words in plain)
    letters, made = sorted(set(alphabet)), f"Characters({alphabet!r})"

    def encoded(words: str) -> Probe:
        right = np.array([letters.index(each) for each in words])
        return Probe("texts.encoded", (alphabet, words), f"{made}.encode({words!r})",
                     oracles={"numpy": lambda: {"value": [right]}})  # fmt: skip

    def decoded(words: str) -> Probe:
        given = [letters.index(each) for each in words]
        return Probe("texts.decoded", (alphabet, given), f"{made}.decode({given})",
                     oracles={"numpy": lambda: {"value": [text(words)]}})  # fmt: skip

    exercise = "chapter14.characters.encode"
    shape = "integers of shape `(len(text),)`"
    yield Check(exercise, "value", (encoded(first), encoded(second)),
                f"The numbers of the characters of `text`: {shape}")  # fmt: skip
    yield Check(exercise, "more", (encoded(third),), f"its place is its number … {shape}",
                hidden=True,
                says="Characters.encode is right for other texts too.")  # fmt: skip
    refused = {"value": [text("ValueError, naming it")]}
    yield Check(
        exercise, "unknown", (Probe("texts.unknown", (alphabet, strange),
                                    f"{made}.encode({strange!r})",
                                    oracles={"numpy": lambda: refused}),),
        "ValueError: a character that is not in `letters`. The message names it", compare="text",
        weight=0.5,
    )  # fmt: skip
    exercise = "chapter14.characters.decode"
    taught = "The text that these numbers stand for: the way back of `encode`"
    short, long = (disguised(seed, words) for words in ("drag", "a hop"))
    yield Check(exercise, "value", (decoded(short), decoded(long)), taught, compare="text")
    more = disguised(seed, "ford a hog")
    yield Check(exercise, "more", (decoded(more),), taught, compare="text", hidden=True,
                says="Characters.decode is right for other texts too.")  # fmt: skip


PIECE = (
    "pieces of a long sequence … both integers of shape `(size, length)` … "
    "A row of inputs is a piece of `tokens`"
)
AHEAD = (
    "what comes next at each place … its row of targets is the piece that begins "
    "*one token later*, so that `targets[i, t]` is what follows `inputs[i, t]`"
)


def windows(seed: str) -> Iterator[Check]:
    exercise = "chapter14.windows"

    def probe(total: int, length: int, size: int) -> Probe:
        row = np.broadcast_to(np.arange(length), (size, length)).copy()

        def right() -> Parts:
            # Of many places, chance may miss the first and the last.
            ends = {"ends": [np.array([0, total - length - 1])]} if total < 30 else {}
            drawn = dict.fromkeys(("fresh", "apart"), [np.array(total - length > 1)])
            return {"inputs": [row], "targets": [np.ones_like(row)] * 2, **drawn, **ends}

        return Probe("texts.pieces", (total, length, size, start_for(seed, f"{exercise}/{total}")),
                     f"windows(0 … {total - 1}, length={length}, size={size})",
                     oracles={"numpy": right})  # fmt: skip

    (few,) = sizes_for(seed, exercise, 12, spread=8)
    (length,) = sizes_for(seed, f"{exercise}/ends", 4, spread=8)
    small, many = probe(few, 4, 400), probe(1000, 4, 4000)
    drawn = "The place where a piece begins is drawn"
    for part, weight, taught, says in (
        ("inputs", 2, PIECE, "gives rows that are pieces of the sequence"),
        ("targets", 2, AHEAD, "gives for each place the token that comes next"),
        ("fresh", 0.5, drawn, "draws again in every call"),
        ("apart", 0.5, drawn, "draws separately for every row"),
    ):  # fmt: skip
        yield Check(exercise, part, (small,), taught, part=part, says=f"windows {says}.",
                    weight=weight)  # fmt: skip
    yield Check(
        exercise, "starts", (many,), "each as likely as the others", part="starts",
        compare="sample", says="windows draws every beginning, each as likely as the others.",
    )  # fmt: skip
    yield Check(
        exercise, "ends", (small, probe(length, length - 1, 5)), part="ends",
        taught="all places that leave room for inputs and targets",
        says="windows draws the first and the last place where a piece has room, none beyond.",
    )  # fmt: skip


# ---- a step -------------------------------------------------------------------------------


def steps(seed: str) -> Iterator[Check]:
    exercise = "chapter14.train_step"
    table = draw(seed, "step/table", 4, 4)
    batches = [
        (numbers(seed, f"step/{i}/in", 4, 2, 3), numbers(seed, f"step/{i}/out", 4, 2, 3))
        for i in (0, 1, 0)
    ]
    tight, loose = step_probe(table, batches, 0.02), step_probe(table, batches, 99.0)
    usual = step_probe(table * 3, batches, None)
    step = "One step on one batch"
    before = "Forget the gradients, `cross_entropy(model(inputs), targets)`, backward"
    scaled = f"{before}, then scale the gradients of all parameters of the model"
    yield Check(
        exercise, "norm", (tight, usual, loose), part="norm", taught=scaled,
        says="train_step scales all gradients together, where their norm is above max_norm.",
    )  # fmt: skip
    yield Check(exercise, "value", (loose,), f"{step} … {before}", weight=2)
    yield Check(
        exercise, "loss", (loose, usual), part="loss",
        taught=f"{step}; returns the loss before the step, as a plain number … {before}",
        says="train_step returns the loss before the step.",
    )  # fmt: skip
    yield Check(
        exercise, "clipped", (tight, usual), scaled,
        says="train_step keeps the gradients down to max_norm.",
    )  # fmt: skip
    yield Check(
        exercise, "rate", (loose,), "then the scheduler", part="rate",
        says="train_step tells the scheduler once that a step is done.",
    )  # fmt: skip


def step_probe(table: np.ndarray, batches: Any, max_norm: float | None) -> Probe:
    # A large eps, else Adam's step hardly depends on the length of the gradient.
    options = {"lr": 0.1, "eps": 0.05, "weight_decay": 0.1}
    shown = "" if max_norm is None else f", max_norm={max_norm}"
    return Probe(
        "texts.path", (table, batches, options, max_norm),
        f"train_step(model, optimizer, scheduler, inputs, targets{shown}), {len(batches)} times",
        twin=lambda torch: step_twin(torch, table, batches, options, max_norm or 1.0),
    )  # fmt: skip


def step_twin(torch: Any, table: np.ndarray, batches: Any, options: Any, max_norm: float) -> Parts:
    weight = torch.tensor(table, requires_grad=True)
    bias = torch.zeros(1, len(table), dtype=weight.dtype, requires_grad=True)
    optimizer = torch.optim.AdamW([weight, bias], **options)
    falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: (t + 1) / 4)
    places, losses, norms = [], [], []
    for inputs, targets in batches:
        optimizer.zero_grad()
        logits = STEEP * (torch.nn.functional.embedding(torch.tensor(inputs), weight) + bias)
        flat = logits.reshape(-1, len(table)), torch.tensor(targets).reshape(-1)
        loss = torch.nn.functional.cross_entropy(*flat)
        loss.backward()
        norm = torch.cat([weight.grad, bias.grad]).norm()
        if norm > max_norm:  # PyTorch's own function has a 1e-6 in it
            weight.grad *= max_norm / norm
            bias.grad *= max_norm / norm
        norms.append(min(norm.item(), max_norm))
        optimizer.step()
        falling.step()
        places.append(torch.cat([weight, bias]).detach().numpy())
        losses.append(loss.item())
    rate = [falling.get_last_lr()[0], float(len(batches))]
    return {
        "value": [np.stack(places)], "loss": [np.array(losses)], "rate": [np.array(rate)],
        "norm": [np.array(norms)],
    }  # fmt: skip


# ---- what is drawn ------------------------------------------------------------------------


def expected(logits: np.ndarray, temperature: float = 1.0, top_k: int | None = None) -> np.ndarray:
    scores = np.array(logits, dtype=float)
    if top_k is not None:
        scores[scores < np.sort(scores)[::-1][:top_k][-1]] = -np.inf
    return softmax(scores / temperature)


def chances_probe(logits: Any, **options: Any) -> Probe:
    logits = np.asarray(logits)
    shown = "".join(f", {name}={value}" for name, value in options.items())

    def twin(torch: Any) -> Parts:
        scores = torch.tensor(logits).double()
        top = options.get("top_k")
        if top is not None:
            lowest = torch.topk(scores, min(top, len(scores))).values[-1]
            scores = scores.masked_fill(scores < lowest, -torch.inf)
        return {"value": [torch.softmax(scores / options.get("temperature", 1), 0).numpy()]}

    return Probe(
        "texts.chances", (logits, options), f"next_probabilities(logits{shown})",
        oracles={"numpy": lambda: {"value": [expected(logits, **options)], "inputs": [logits]}},
        twin=twin,
    )  # fmt: skip


def no_chances(seed: str, **options: Any) -> Probe:
    ((name, value),) = options.items()
    return Probe(
        "texts.no_chances", (draw(seed, f"chances/{name}/{value}", 2), options),
        f"next_probabilities(logits, {name}={value})",
        oracles={"numpy": lambda: {"value": [np.array(True)]}},
    )  # fmt: skip


def chances(seed: str) -> Iterator[Check]:
    exercise, probe = "chapter14.next_probabilities", chances_probe

    def scores(name: str, count: int) -> np.ndarray:
        return draw(seed, f"chances/{name}", count, domain=REAL)

    stretch = number_for(seed, f"{exercise}/ties", 1.0, 1.1, 1.9)
    ties = stretch * np.array([0.5, 2.5, -1.5, 2.5, 0.5, 1.25, 2.49999])
    low = draw(seed, "chances/low", 5) - 940.0
    every = [probe(scores("narrow", 4).astype("float32"), top_k=2)]
    near = number_for(seed, f"{exercise}/extremes", 999.0, 997.5, 999.5)
    cold = (
        "before the softmax. Small ones make the likeliest likelier; large ones bring all closer "
        "together"
    )
    k = "only the k tokens with the highest scores can be drawn; the others have probability 0"
    for name, probes, taught, says in (
        ("value", [probe(scores("plain", 4))], "float64 of shape `(V,)` that sums to 1",
         "is a softmax"),
        ("temperature", [probe(scores("cold", 4), temperature=0.5),
                         probe(scores("hot", 5), temperature=2.5)], cold,
         "divides the scores by the temperature"),
        ("top-k", [probe(scores("top", 5), top_k=2), probe(low, top_k=2, temperature=99.0)], k,
         "keeps the k highest scores"),
        ("ties", [probe(ties, top_k=1), probe(ties, top_k=5)],
         "If several tie for the last place, all of them stay", "keeps all that tie"),
        ("all", [probe(scores("all", 3), top_k=3), probe(scores("beyond", 3), top_k=7)],
         "None, or more than there are: all can be drawn", "takes a k that is too large"),
        ("extremes", [probe([1000.0, near, -1000.0])], "any finite numbers, ±1000 too",
         "is finite at ±1000"),
        ("more", [probe(scores("both", 7), temperature=0.7, top_k=3)], k,
         "is right for temperature and top_k together"),
    ):  # fmt: skip
        yield Check(exercise, name, tuple(probes), taught, hidden=name == "more",
                    says=f"next_probabilities {says}.")  # fmt: skip
        every += probes if name != "more" else []
    yield from more_chances(seed, every, scores("kept", 4))


def more_chances(seed: str, every: list[Probe], some: np.ndarray) -> Iterator[Check]:
    """Check the result's dtype, the unchanged argument, and the refused options."""
    exercise, probe = "chapter14.next_probabilities", chances_probe
    wrong = tuple(
        no_chances(seed, **options)
        for options in ({"temperature": 0.0}, {"temperature": -1.0}, {"top_k": 0}, {"top_k": -1})
    )
    yield Check(exercise, "dtype", tuple(every), "float64 of shape `(V,)` that sums to 1",
                compare="dtype", says="next_probabilities gives float64, for float32 scores, too.",
                weight=0.5)  # fmt: skip
    kept = probe(some, top_k=2), probe(some, temperature=0.5)
    yield Check(exercise, "inputs", kept, UNTOUCHED, part="inputs", weight=0.5,
                says="next_probabilities leaves its argument as it was.")  # fmt: skip
    yield Check(
        exercise,
        "refused",
        wrong,
        weight=0.5,
        taught="ValueError: `temperature` is not positive, or `top_k` is less than 1",
    )


def by_sum(shown: list[int], vocabulary: int) -> int:
    return int(np.dot(shown, np.arange(1, len(shown) + 1))) % vocabulary


def followed(tokens: Any, count: int, length: int, vocabulary: int) -> np.ndarray:
    found = list(tokens)
    for _ in range(count):
        found.append(by_sum(found[-length:], vocabulary))
    return np.array(found)


def generating(seed: str) -> Iterator[Check]:
    exercise = "chapter14.generate"

    def probe(tokens: Any, count: int, length: int, vocabulary: int = 7) -> Probe:
        written = followed(tokens, count, length, vocabulary)
        shown = f"np.array({tokens.tolist()})" if isinstance(tokens, np.ndarray) else tokens
        right = {"value": [written], "prompt": [np.array(tokens)]}
        return Probe(
            "texts.continued", (tokens, count, length, vocabulary, {}),
            f"generate(model, {shown}, {count}), the model looks at {length} tokens",
            oracles={"numpy": lambda: right},
        )  # fmt: skip

    def begun(name: str, *usual: int, below: int = 7) -> list[int]:
        if seed == PUBLIC_SEED:
            return list(usual)
        return [int(n) for n in numbers(seed, f"generate/{name}", below, len(usual))]

    short = probe(begun("short", 1, 3, 2), 4, 9)
    long = probe(np.array(begun("long", 5, 3, 6, 1)), 5, 3)
    more = probe(begun("more", 2, 6, below=11), 8, 4, 11)
    fed = "is part of what the model sees from then on"
    written = "that the model drew after them … integers of shape `(len(tokens) + count,)`"
    none = probe(begun("none", 4, 1), 0, 9)
    yield Check(exercise, "value", (short, none), f"{written} … {fed}", weight=2,
                says="generate feeds back what it drew.")  # fmt: skip
    yield Check(
        exercise, "cropped", (long,),
        "It gets only that many of the last ones, and never more … a list or an ndarray",
        says="generate shows the model its last tokens, as many as it can look at.",
    )  # fmt: skip
    yield Check(exercise, "prompt", (short, long), "a list or an ndarray, which stays as it was",
                part="prompt", weight=0.5,
                says="generate leaves the tokens to begin with as they were.")  # fmt: skip
    yield from drawing(exercise, seed)
    yield Check(exercise, "more", (more,), fed, hidden=True,
                says="generate is right for other models too.")  # fmt: skip


def drawing(exercise: str, seed: str) -> Iterator[Check]:
    words = "Each new token is drawn with `np.random` by the probabilities at the *last* place"
    again = Probe(
        "texts.again", (60, 7, start_for(seed, f"{exercise}/again")),
        "generate(model, [0], 60), twice",
        oracles={"numpy": lambda: {"value": [np.array(True)]}},
    )  # fmt: skip
    yield Check(exercise, "again", (again,), words, weight=0.5)
    for name, options, shown, says in (
        ("drawn", {}, "", "draws by the probabilities"),
        ("temperature", {"temperature": 2.0}, ", temperature=2.0", "passes the temperature on"),
        ("top-k", {"top_k": 2}, ", top_k=2", "passes top_k on"),
    ):
        probe = Probe(
            "texts.drawn", (300, 5, 5, options, start_for(seed, f"{exercise}{shown}")),
            f"generate(model, [0], 5{shown}), 300 times", seconds=10,
        )  # fmt: skip
        yield Check(exercise, name, (probe,), words, compare="sample", says=f"generate {says}.")
    said = {"temperature": 1.0, "top_k": None}
    probe = Probe(
        "texts.usual", (150, 7, said, start_for(seed, f"{exercise}/usual")),
        "generate(model, [0], 150), and with temperature=1.0, top_k=None",
        oracles={"numpy": lambda: {"value": [np.array(True)]}},
    )  # fmt: skip
    yield Check(exercise, "usual", (probe,), "temperature, top_k: as in `next_probabilities`",
                weight=0.5)  # fmt: skip
