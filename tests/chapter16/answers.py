"""The whole model from its caches, and an answer token by token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grader.course import Check, Probe, rng_for
from tests.chapter14 import formulas
from tests.chapter14.templates import numbers, state_of
from tests.programs.harness import text

from .choices import STAYS, between, chosen_of
from .kept import dtype_check, pieces_of

LAST = "They are those of the *last* place of `model(all tokens so far)`"
SCORES = "Scores for what comes after the new tokens: an ndarray of shape `(B, V)`"
Size = tuple[Any, ...]


def checks(seed: str) -> Iterator[Check]:
    yield from steps(seed)
    yield from streams(seed)


def model_of(seed: str, name: str, size: Size) -> dict[str, np.ndarray]:
    return state_of(seed, f"16/{name}", formulas.of_gpt(*size))


# ---- a step -------------------------------------------------------------------------------


def step_probe(
    seed: str, name: str, size: Size, counts: Sequence[int], starts: Sequence[int] | None = None,
    rows: int = 1, listed: bool = False,
) -> Probe:  # fmt: skip
    state = model_of(seed, name, size)
    tokens = numbers(seed, f"16/{name}/tokens", size[0], rows, sum(counts))
    begins = [0] * rows if starts is None else list(starts)

    def after(end: int) -> np.ndarray:
        """The scores after so many places: each row's text alone, filler as a text of its own."""
        texts = [row[begin if begin < end else end - 1 : end] for row, begin in zip(tokens, begins)]  # noqa: B905
        return np.stack([formulas.gpt(text[None], state, size[3])[0, -1] for text in texts])

    right = {
        "value": [after(int(end)) for end in np.cumsum(counts)],
        "filled": [np.full(size[4], sum(counts))],
        "dtype": [text("float64 stays")],
    }
    said = ", then ".join(map(str, counts))
    begin = "" if starts is None else f", starts={list(starts)}"
    given = [] if starts is None else list(starts)
    return Probe(
        "answering.stepped",
        (size, state, pieces_of(tokens, counts), given or None, listed),
        f"step(GPT{size}, {said} tokens{', as a list' if listed else ''}{begin})",
        oracles={"numpy": lambda: right},
    )  # fmt: skip


def steps(seed: str) -> Iterator[Check]:
    exercise = "chapter16.step"

    def probe(name: str, *args: Any, **more: Any) -> Probe:
        return step_probe(seed, f"step/{name}", *args, **more)

    small, deep = (5, 6, 4, 2, 1), (4, 5, 3, 1, 2)
    first = probe("one", small, (2, 1, 1))
    for name, probes, taught, says in (
        ("prompt", (probe("prompt", small, (3,)),), f"{SCORES} … {LAST}",
         "gives the scores after a prompt"),
        ("value", (first,), f"{LAST}, computed from the new tokens and from what the caches hold",
         "gives after every token what the model gives for the whole text"),
        ("deep", (probe("deep", deep, (2, 1)),),
         "caches: one for each block; they hold what came before",
         "goes through all blocks, each with its cache"),
        ("pieces", (probe("pieces", small, (2, 2, 1), rows=2),), "the new ones, whole numbers of "
         "shape `(B, T)` … None: at place 0 in every row",
         "takes several texts, and several tokens, at once"),
        ("tied", (probe("tied", (5, 4, 4, 2, 1, True), (2, 1)),), LAST, "knows tied weights"),
        ("starts", (probe("starts", small, (3, 1, 1), (1, 0), rows=2),),
         "starts: where the text of each row begins … the scores are those of the text alone",
         "gives each row what its text alone would get"),
        ("filler", (probe("filler", deep, (2, 2), (3, 0), rows=2),),
         "Filler has position 0 as well", "gives filler the position 0"),
        ("list", (probe("list", small, (1, 2), (1,), listed=True),), "an ndarray or a nested list",
         "takes lists"),
        ("more", (probe("more", (6, 7, 6, 3, 2), (1, 3, 1), (2, 0, 1), rows=3),), LAST,
         "is right for other sizes too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"step {says}.", hidden=name == "more",
                    weight=2 if name == "value" else 1)  # fmt: skip
    yield cheap_step(exercise, seed)
    yield dtype_check(exercise, first)
    yield Check(exercise, "filled", (probe("filled", deep, (2, 1)),),
                "one for each block … and afterwards the new tokens too", part="filled",
                weight=0.5, says="step leaves the new tokens in every cache, once.")  # fmt: skip


def cheap_step(exercise: str, seed: str) -> Check:
    """With many different tokens the head is most of the work."""
    wide = (60, 6, 4, 2, 1)
    state, prompt = model_of(seed, "step/cheap", wide), numbers(seed, "16/cheap", 60, 1, 6)
    call = f"step(GPT{wide}, 6 tokens)"
    last = Probe("answering_costs.spent_on_a_step", (wide, state, prompt), call)
    return Check(
        exercise, "last-place", (last,),
        "Only that place goes through `norm` and the head",
        costs={"multiply_adds": "1.5 * reference"},  # every place costs 1.7
    )  # fmt: skip


# ---- a stream -----------------------------------------------------------------------------


def written(
    size: Size, state: Any, prompt: list[int], count: int, options: Any, drawn: Sequence[float]
) -> np.ndarray:
    """Return the right tokens and chances; the whole model runs for every token."""
    text, found = list(prompt), []
    for number in drawn[:count]:
        scores = formulas.gpt(np.array([text]), state, size[3])[0, -1]
        found.append(chosen_of(scores, options, number))
        text.append(found[-1][0])
    return np.array(found).reshape(-1, 2)


SIZE = (5, 8, 4, 2, 1)


def stream_probe(
    seed: str, name: str, length: int, count: int, size: Size = SIZE,
    drawn: Sequence[float] | None = None, **options: Any,
) -> Probe:  # fmt: skip
    state = model_of(seed, f"stream/{name}", size)
    state["head.weight"] = state["head.weight"] * 12  # scores that are apart
    prompt = [int(n) for n in numbers(seed, f"16/stream/{name}/prompt", size[0], length)]
    # Numbers that are clear: the ends, and what only another temperature would tell otherwise.
    drawn = drawn or [0.002, 0.998, 0.004, 0.996, 0.001][:count]
    if name == "usual":
        drawn = [between(formulas.gpt(np.array([prompt]), state, size[3])[0, -1])]
    right = {
        "value": [written(size, state, prompt, count, options, drawn)],
        "asked": [np.arange(1, count + 1) * (options.get("temperature") != 0)],
        "prompt": [np.array(prompt)],
        "shown": [np.array([length] + [1] * (count - 1))],
        "steps": [np.arange(1, count + 1)],
    }
    shown = "".join(f", {n}={value}" for n, value in options.items())
    return Probe(
        "answering.streamed", (size, state, prompt, count, options, drawn),
        f"stream(GPT{size}, {prompt}, {count}, generator{shown})",
        oracles={"numpy": lambda: right},
    )  # fmt: skip


def telling(seed: str) -> Probe:
    """A stream in which each option, alone left out, moves a token."""
    model = model_of(seed, "stream/together", SIZE)
    model["head.weight"] = model["head.weight"] * 12
    prompt = [int(n) for n in numbers(seed, "16/stream/together/prompt", SIZE[0], 2)]
    rng = rng_for(seed, "16/stream/together/drawn")

    def tokens(given: Any, drawn: list[float]) -> list[float]:
        return list(written(SIZE, model, prompt, 4, given, drawn)[:, 0])

    while True:
        options = {
            "temperature": round(rng.uniform(8, 16), 1), "top_k": 3,
            "top_p": round(rng.uniform(0.65, 0.85), 2),
        }  # fmt: skip
        drawn = [round(rng.uniform(0.01, 0.99), 3) for _ in range(4)]
        right = tokens(options, drawn)
        fewer = ({n: v for n, v in options.items() if n != name} for name in options)
        if not all(tokens(given, drawn) != right for given in fewer):
            continue
        if all(tokens(options, [u + e for u in drawn]) == right for e in (-0.005, 0.005)):
            return stream_probe(seed, "together", 2, 4, drawn=drawn, **options)


def streams(seed: str) -> Iterator[Check]:
    exercise = "chapter16.stream"

    def probe(name: str, *args: Any, **options: Any) -> Probe:
        return stream_probe(seed, name, *args, **options)

    first = probe("plain", 3, 4)
    for name, probes, taught, says in (
        ("value", (first, probe("full", 5, 3), probe("usual", 3, 1)),
         "Write `count` tokens after `prompt` … the token and its probability, as `choose`",
         "writes what the whole model would, and says how likely it was"),
        ("options", (probe("hot", 2, 4, temperature=2.0, top_k=2),
                     probe("nucleus", 2, 4, top_p=0.6), probe("cold", 2, 4, temperature=0),
                     telling(seed)),
         "`choose` decides, with the generator and the options", "passes its options on"),
        ("more", (probe("more", 1, 5, (7, 9, 6, 3, 2), temperature=1.5),),
         "Write `count` tokens after `prompt`", "is right for other models too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"stream {says}.", hidden=name == "more",
                    compare="rounded", weight=2 if name == "value" else 1)  # fmt: skip
    yield from ways_of_a_stream(exercise, first, seed)
    state = model_of(seed, "stream/long", SIZE)
    long = tuple(
        Probe("answering.too_much", (SIZE, state, prompt, count),
              f"stream(GPT{SIZE}, {prompt}, {count}, generator)",
              oracles={"numpy": lambda: {"value": [np.array(True)]}})
        for prompt, count in (([1, 2, 0, 3], 5), ([1] * 9, 1))
    )  # fmt: skip
    yield Check(exercise, "too-long", long,
                "ValueError: `prompt` and `count` are together more than `model.length`. It is "
                "raised when somebody wants the first token",
                weight=0.5)  # fmt: skip


def ways_of_a_stream(exercise: str, first: Probe, seed: str) -> Iterator[Check]:
    """Check what `stream` sends through the model, and when; the prompt stays unchanged."""
    whole = "The whole prompt goes through the model in one `step`, every later token by itself"
    model = model_of(seed, "stream/cheap", SIZE)
    call = f"stream(GPT{SIZE}, [1, 2, 0, 3, 1], 2, generator, temperature=0), both tokens"
    last = Probe("answering_costs.spent_on_a_token", (SIZE, model, [1, 2, 0, 3, 1], 2), call)
    yield Check(exercise, "cheap", (last,), whole, costs={"multiply_adds": "1.5 * reference"})
    yield Check(
        exercise, "shown", (first,), whole, part="shown",
        says="stream sends the prompt in one step, and then one token in each.",
    )  # fmt: skip
    yield Check(exercise, "lazy", (first,),
                "gives each as soon as it is chosen … and only when somebody wants the next one",
                part="asked",
                says="stream gives each token before it draws the next one.")  # fmt: skip
    yield Check(exercise, "step-by-step", (first,), "only when somebody wants the next one",
                part="steps", weight=0.5,
                says="stream takes a step only when somebody wants the next token.")  # fmt: skip
    yield Check(exercise, "prompt-kept", (first,), STAYS, part="prompt",
                weight=0.5, says="stream leaves the prompt as it was.")  # fmt: skip
