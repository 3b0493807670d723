"""From scores to a token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Probe, rng_for
from tests.chapter14.formulas import softmax
from tests.chapter14.templates import draw
from tests.chapter14.texts import expected

STAYS = "leaves its arguments as they were"
FEW = (
    "as few as together reach the probability `p`: float64 … All others get 0, and those that "
    "stay are divided by their sum"
)


def checks(seed: str) -> Iterator[Check]:
    yield from nuclei(seed)
    yield from draws(seed)
    yield from choosing(seed)


def chances_of(seed: str, name: str, count: int) -> np.ndarray:
    found = draw(seed, f"16/{name}", count, domain=POSITIVE)
    return found / found.sum()


# ---- the nucleus --------------------------------------------------------------------------


def likeliest(chances: np.ndarray, p: float) -> np.ndarray:
    """One token after the other, until their sum is p: slow, and plain."""
    kept = np.zeros(len(chances))
    for token in sorted(range(len(chances)), key=lambda token: (-chances[token], token)):
        if sum(kept) >= p:
            break
        kept[token] = chances[token]
    return kept / kept.sum()


def halfway(chances: np.ndarray, count: int) -> float:
    """A p that is reached by the likeliest ``count``, and by half of the last one."""
    rising = np.sort(chances)[::-1]
    return round(float(rising[: count - 1].sum() + rising[count - 1] / 2), 4)


def nuclei(seed: str) -> Iterator[Check]:
    exercise = "chapter16.nucleus"

    def probe(chances: Any, p: float) -> Probe:
        given = np.asarray(chances)
        right = likeliest(given.astype("float64"), p)
        return Probe(
            "answering.nucleus", (given, p), f"nucleus(probabilities, {p})",
            oracles={"numpy": lambda: {"value": [right], "inputs": [given]}},
        )  # fmt: skip

    five, seven = chances_of(seed, "five", 5), chances_of(seed, "seven", 7)
    equal = rng_for(seed, exercise).sample([0.125, 0.25, 0.125, 0.25, 0.125, 0.125], 6)
    near = rng_for(seed, f"{exercise}/near").sample([0.2498, 0.2498, 0.25, 0.2504], 4)
    plain, whole = probe(five, halfway(five, 2)), probe(seven * (1 - 1e-12), 1.0)
    for name, probes, taught, says in (
        ("value", (plain, probe(five, halfway(five, 4))), FEW,
         "keeps the likeliest, as few as reach p"),
        ("exactly", (*(probe(equal, p) for p in (0.5, 0.25, 0.625)), probe(near, 0.5005)),
         "of equal ones the lower number first; the one with which their sum reaches `p` is the "
         "last that stays",
         "stops where the sum is exactly p, and takes the lower of equal ones"),
        ("one", (probe(five, halfway(five, 1)),), FEW, "keeps one token, if it is enough"),
        ("all", (probe(seven, halfway(seven, 7)), whole), FEW,
         "keeps all where needed, even if their sum is rounded to less than p"),
        ("more", (probe(seven, halfway(seven, 5)),), FEW, "is right for other probabilities too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"nucleus {says}.", hidden=name == "more")
    rounded = probe(five.astype("float32"), halfway(five, 2))
    yield Check(exercise, "dtype", (rounded, plain, whole), "float64, `(V,)`", compare="dtype",
                weight=0.5, says="nucleus gives float64 for float32, too.")  # fmt: skip
    yield Check(exercise, "inputs", (probe(seven, halfway(seven, 3)),), STAYS, part="inputs",
                weight=0.5, says="nucleus leaves its argument as it was.")  # fmt: skip
    refused = tuple(
        Probe("answering.no_nucleus", (five, p), f"nucleus(probabilities, {p})",
              oracles={"numpy": lambda: {"value": [np.array(True)]}})
        for p in (0.0, -0.5, 1.5)
    )  # fmt: skip
    yield Check(exercise, "refused", refused, "ValueError: `p` is not above 0, or is above 1",
                weight=0.5)  # fmt: skip


# ---- a draw -------------------------------------------------------------------------------


def draws(seed: str) -> Iterator[Check]:
    exercise = "chapter16.draw"

    def probe(chances: Any, numbers: list[float]) -> Probe:
        given = np.asarray(chances)
        sums = np.cumsum(given)
        tokens = [next(i for i, s in enumerate(sums) if s > u * sums[-1]) for u in numbers]
        right = {
            "value": [np.array(tokens)], "asked": [np.array(len(numbers))], "inputs": [given],
        }  # fmt: skip
        return Probe(
            "answering.drawn", (given, numbers),
            f"draw(probabilities, generator), whose numbers are {numbers}",
            oracles={"numpy": lambda: right},
        )  # fmt: skip

    def inside(name: str, chances: np.ndarray, count: int) -> list[float]:
        """Numbers that fall into the middle of a token each, in no order."""
        sums = np.cumsum(chances)
        middles = [round(float(s - c / 2), 4) for s, c in zip(sums, chances, strict=True)]
        return rng_for(seed, f"{exercise}/{name}").sample(middles, count)

    four, six = chances_of(seed, "four", 4), chances_of(seed, "six", 6)
    first = probe(four, inside("four", four, 3))
    yield Check(exercise, "value", (first,),
                "A token, drawn by these probabilities: an int … the first token with which the "
                "sum is *above* that number is drawn",
                weight=2)  # fmt: skip
    yield Check(exercise, "asked", (first,), "`generator.random()` is asked once", part="asked",
                says="draw asks the generator that it was handed, once.")  # fmt: skip
    yield from edges(exercise, four, probe)
    yield Check(exercise, "inputs", (first,), STAYS, part="inputs", weight=0.5,
                says="draw leaves its argument as it was.")  # fmt: skip
    yield Check(exercise, "more", (probe(six, inside("six", six, 5)),),
                "Add up the probabilities, from token 0 on", hidden=True,
                says="draw is right for other probabilities too.")  # fmt: skip


def edges(exercise: str, some: np.ndarray, probe: Callable[..., Probe]) -> Iterator[Check]:
    """Numbers that are exactly a sum, and sums that are not quite 1."""
    yield Check(
        exercise, "never", (probe([0.0, 0.25, 0.0, 0.5, 0.25], [0.0, 0.25, 0.75, 0.5]),),
        "a token of probability 0 is never drawn, and the same generator draws the same again",
        fixed="sums that are exact in binary",
        says="draw never draws a token of probability 0, on no edge.",
    )  # fmt: skip
    short = some * 0.9999
    yield Check(exercise, "rounding", (probe(short, [0.99999, 0.5]),
                                       probe(np.append(short, 0.0), [0.99999, 0.5])),
                "Their sum is 1, or nearly. Whatever it is, it counts as 1: some token is always "
                "drawn",
                says="draw finds a token where the sum is a little below 1.")  # fmt: skip


# ---- both ---------------------------------------------------------------------------------


def chosen_of(logits: np.ndarray, options: dict[str, Any], number: float) -> tuple[int, float]:
    """Return the right token and its chance; the caller keeps the number away from all edges."""
    how = {"temperature": 1.0, "top_k": None, "top_p": None, **options}
    if how["temperature"] == 0:
        token = int(np.argmax(logits))
    else:
        chances = expected(logits, how["temperature"], how["top_k"])
        if how["top_p"] is not None:
            chances = likeliest(chances, how["top_p"])
        token = int(np.flatnonzero(np.cumsum(chances) > number)[0])
    return token, float(softmax(np.asarray(logits, dtype=float))[token])


def between(
    logits: np.ndarray, temperature: float = 1.0, other: float = 1.1, top_k: int | None = None
) -> float:
    """A number that draws something else with another temperature."""
    one, other_one = (np.cumsum(expected(logits, t, top_k)) for t in (temperature, other))
    at = np.argmax(np.abs(one - other_one))
    return float((one[at] + other_one[at]) / 2)


def chosen(logits: np.ndarray, number: float, **options: Any) -> Probe:
    token, chance = chosen_of(logits, options, number)
    right = {
        "value": [np.array([token, chance])],
        "asked": [np.array(0 if options.get("temperature") == 0 else 1)],
        "inputs": [logits],
    }
    shown = "".join(f", {name}={value}" for name, value in options.items())
    return Probe(
        "answering.chosen", (logits, options, number),
        f"choose(logits, generator{shown}), the generator's number is {number:.6g}",
        oracles={"numpy": lambda: right},
    )  # fmt: skip


def scores(seed: str, name: str, *steps: float) -> np.ndarray:
    """Scores in an order of the seed's own; how far they are apart decides what is drawn."""
    shift = draw(seed, f"16/choose/{name}", 1, domain=REAL)[0]
    order = rng_for(seed, f"chapter16.choose/{name}").sample(steps, len(steps))
    return shift + np.array(order)


def choosing(seed: str) -> Iterator[Check]:
    exercise, probe = "chapter16.choose", chosen
    plain, other = scores(seed, "plain", 0.0, 1.0, 2.5), scores(seed, "more", 0.0, 0.7, 1.4, 2.1)
    close, far = plain * 1e-9, scores(seed, "far", -999.0, 996.5, 998.0, 999.0)
    wide = scores(seed, "wide", 0.0, 1.0, 2.0, 3.0, 4.0)
    telling = between(other, 0.7, 1.0, top_k=3)
    scaled = "Chapter 14's `next_probabilities` with `temperature` and `top_k`"
    after = f"{scaled} … then `draw`"
    for name, probes, taught, says in (
        ("value", (probe(plain, 0.03), probe(plain, 0.97), probe(wide, between(wide))),
         f"return it, and how likely the model held it … {after}",
         "draws from the softmax of the scores"),
        ("temperature", tuple(probe(wide, u, temperature=t)
                              for u, t in ((0.06, 5.0), (0.94, 5.0), (0.0005, 0.2), (0.9995, 0.2))),
         after, "obeys the temperature"),
        ("top-k", tuple(probe(wide, u, top_k=2) for u in (0.02, 0.98)), after, "obeys top_k"),
        ("top-p", tuple(probe(wide, u, top_p=0.7) for u in (0.02, 0.98)),
         "of these the `nucleus` of `top_p`, then `draw` … the token, an int, and its probability "
         "in the softmax of `logits` as they came",
         "obeys top_p, and tells the model's own probability"),
        ("together", tuple(probe(wide, u, temperature=3.0, top_p=0.8, top_k=4)
                           for u in (0.02, 0.5, 0.98)),
         f"{scaled}, of these the `nucleus` of `top_p`, then `draw` … the token, an int, and its "
         "probability in the softmax of `logits` as they came: neither the temperature nor what "
         "was cut off changes it",
         "takes the temperature first, then top_k, then the nucleus"),
        ("small", tuple(probe(close, u, temperature=1e-9) for u in (0.03, 0.97)), after,
         "takes no small temperature for 0"),
        ("extremes", (probe(far, 0.03), probe(far, 0.97)), "any finite numbers, ±1000 too",
         "is finite at ±1000"),
        ("zero", (probe(wide, 0.02, temperature=0), probe(wide, 0.98, temperature=0.0, top_k=3)),
         "A temperature of 0 takes the highest score", "takes the highest score at 0"),
        ("equal", (probe(np.array([1.0, 2.5, 0.5, 2.5]) + plain[0], 0.9, temperature=0),),
         "of equal ones the first", "takes the first of equal scores at 0"),
        ("more", tuple(probe(other, u, temperature=0.7, top_k=3) for u in (0.5, telling)), after,
         "is right for other scores too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"choose {says}.",
                    hidden=name == "more")  # fmt: skip
    yield from around_a_choice(exercise, plain, wide)


def around_a_choice(exercise: str, plain: np.ndarray, wide: np.ndarray) -> Iterator[Check]:
    """Options that make no sense, how often the generator is asked, and what stays."""
    refused = tuple(
        Probe("answering.not_chosen", (wide, {name: value}),
              f"choose(logits, generator, {name}={value})",
              oracles={"numpy": lambda: {"value": [np.array(True)]}})
        for name, value in (("top_p", 1.5), ("top_p", 0), ("top_k", 0))
    )  # fmt: skip
    yield Check(exercise, "refused", refused, "of these the `nucleus` of `top_p`", weight=0.5)
    yield Check(
        exercise, "asked", (chosen(plain, 0.5), chosen(plain, 0.5, temperature=0)),
        "and doesn't ask the generator", part="asked", weight=0.5,
        says="choose asks the generator once, and at a temperature of 0 not at all.",
    )  # fmt: skip
    yield Check(exercise, "inputs", (chosen(plain, 0.4, top_k=2),), STAYS, part="inputs",
                weight=0.5, says="choose leaves the scores as they were.")  # fmt: skip
