"""The cache, who sees whom, and what goes through attention and a block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grader.course import Check, Probe, sizes_for
from tests.chapter14 import formulas
from tests.chapter14.templates import draw, state_of
from tests.op_checks import DTYPE
from tests.programs.harness import text

from .choices import STAYS


def checks(seed: str) -> Iterator[Check]:
    yield from extending(seed)
    yield from looking(seed)
    yield from attending(seed)
    yield from going_through(seed)


# ---- the cache ----------------------------------------------------------------------------


def extending(seed: str) -> Iterator[Check]:
    exercise = "chapter16.cache.extend"

    def batches(name: str, *counts: int, rows: int = 1, heads: int = 1, width: int = 2) -> Any:
        return [
            tuple(draw(seed, f"16/{name}/{i}/{part}", rows, heads, n, width) for part in "kv")
            for i, n in enumerate(counts)
        ]

    def probe(room: int, given: Any) -> Probe:
        both = [np.concatenate([pair[i] for pair in given], axis=2) for i in (0, 1)]
        right = {
            "value": both, "filled": [np.array(both[0].shape[2])],
            "views": [np.array([True, True])] * 2, "inputs": list(given[-1]),
        }  # fmt: skip
        counts = ", then ".join(str(keys.shape[2]) for keys, _ in given)
        return Probe(
            "answering.extended", (room, given),
            f"a Cache with room for {room} tokens is extended by {counts}",
            oracles={"numpy": lambda: right},
        )  # fmt: skip

    once, twice = probe(4, batches("once", 2)), probe(5, batches("twice", 2, 1, 2))
    after = "They are written into `self.keys` and `self.values`, after those that are there"
    yield Check(exercise, "value", (once, twice),
                "the keys and the values of all tokens so far, `(B, H, S, D)`", weight=2,
                says="Cache.extend returns all keys and values so far.")  # fmt: skip
    yield Check(exercise, "filled", (twice,), "filled: how many tokens they hold", part="filled",
                weight=0.5, says="Cache.extend counts the tokens that it holds.")  # fmt: skip
    yield Check(
        exercise, "views", (twice,), f"{after} … views of the two arrays. No older one is copied",
        part="views", says="Cache.extend writes into its two arrays, and returns views of them.",
    )  # fmt: skip
    yield Check(exercise, "inputs", (twice,), STAYS, part="inputs", weight=0.5,
                says="Cache.extend leaves its arguments as they were.")  # fmt: skip
    yield from full(exercise, seed)
    wide = probe(6, batches("wide", 1, 4, 1, rows=2, heads=3, width=1))
    yield Check(exercise, "more", (wide,), "Keep the keys and values of T more tokens",
                hidden=True, says="Cache.extend is right for other sizes too.")  # fmt: skip


def full(exercise: str, seed: str) -> Iterator[Check]:
    """More tokens than there is room for."""
    first, more, one = (draw(seed, f"16/room/{n}", 1, 1, n, 2) for n in (2, 3, 1))
    probes = [
        Probe(
            "answering.no_room", (room, first, new),
            f"a Cache with room for {room} tokens is extended by 2, then {new.shape[2]}",
            oracles={"numpy": lambda: {
                "value": [np.array(True)], "kept": [np.array([True, True])]}},
        )
        for room, new in ((4, more), (2, one))
    ]  # fmt: skip
    no_room = "ValueError: there is no room for so many"
    yield Check(exercise, "room", tuple(probes), no_room, weight=0.5)
    yield Check(
        exercise, "unchanged", tuple(probes), f"{no_room}. Nothing is changed then", part="kept",
        weight=0.5, says="Cache.extend changes nothing where there is no room.",
    )  # fmt: skip


# ---- who sees whom ------------------------------------------------------------------------


def seen(before: int, count: int, starts: Sequence[int]) -> np.ndarray:
    """One place after the other, in words: itself, or what is not later and is text."""
    found = np.zeros((len(starts), 1, count, before + count), bool)
    for row, start in enumerate(starts):
        for new in range(count):
            at = before + new
            for place in range(before + count):
                found[row, 0, new, place] = place == at or start <= place <= at
    return found


def looking(seed: str) -> Iterator[Check]:
    exercise = "chapter16.visible"

    def probe(before: int, count: int, starts: list[int]) -> Probe:
        given = np.array(starts)
        right = seen(before, count, starts)
        return Probe(
            "answering.sight", (before, count, given), f"visible({before}, {count}, {starts})",
            oracles={"numpy": lambda: {"value": [right], "inputs": [given]}},
        )  # fmt: skip

    (three, two) = sizes_for(seed, f"{exercise}/sizes", 3, 2, spread=4)
    itself = "A token may look at itself, and at everything before it"
    places = "booleans of shape `(B, 1, T, S)` … the new ones stand at the places from there on"
    for name, probes, taught, says in (
        ("value", (probe(0, three, [0]), probe(three, 1, [0])), f"{places} … {itself}",
         "lets a token see itself and what came before"),
        ("several", (probe(two, three, [0]),), itself, "hides what comes later among the new ones"),
        ("starts", (probe(three, two, [0, 1]), probe(0, three, [two, 0])),
         "the place where the text of each row begins. Whatever stands before it is filler … A "
         "token may look at itself, and at everything before it from its row's start on",
         "hides the filler before a row's text"),
        ("filler", (probe(0, three, [two]), probe(1, three, [three, 1])),
         "Filler may look at itself alone", "lets filler see itself, and nothing else"),
        ("more", (probe(two + 1, three, [two + 2, 0, 3]),), itself, "is right for other sizes too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"visible {says}.",
                    hidden=name == "more")  # fmt: skip
    yield Check(exercise, "inputs", (probe(two, 1, [0, 1]),), STAYS, part="inputs", weight=0.5,
                says="visible leaves its argument as it was.")  # fmt: skip


# ---- through attention, and through a block -----------------------------------------------


def whole(x: np.ndarray, starts: Sequence[int], one: Any) -> np.ndarray:
    """A function of a text, for each row from its start on; filler goes through it alone."""
    out = np.zeros_like(x)
    for row, start in enumerate(starts):
        for place in range(start):
            out[row, place] = one(x[row : row + 1, place : place + 1])[0, 0]
        out[row, start:] = one(x[row : row + 1, start:])[0]
    return out


def causal(length: int) -> np.ndarray:
    return np.tril(np.ones((length, length), bool))


def pieces_of(total: np.ndarray, counts: Sequence[int]) -> list[np.ndarray]:
    return np.split(total, np.cumsum(counts)[:-1], axis=1)


def pieces_probe(
    seed: str, name: str, kind: str, dim: int, heads: int, counts: Sequence[int],
    starts: Sequence[int] = (0,), stretch: float = 1.0,
) -> Probe:  # fmt: skip
    """A text in pieces through an attention or a block: what the whole gives, piece by piece."""
    attention = kind == "attend"
    shapes = formulas.of_heads(dim) if attention else formulas.of_block(dim)
    state = state_of(seed, f"16/{name}", shapes)
    if stretch != 1:
        state |= {n: state[n] * stretch for n in state if n.startswith(("query", "key"))}
    x = draw(seed, f"16/{name}/x", len(starts), sum(counts), dim)

    def one(text: np.ndarray) -> np.ndarray:
        mask = causal(text.shape[1])
        if attention:
            return formulas.heads_of(text, state, heads, mask)[0]
        return formulas.block(text, state, heads, mask)

    right = {
        "value": pieces_of(whole(x, starts, one), counts),
        "dtype": [text("float64 stays")],
        "inputs": pieces_of(x, counts),
        **(_cached(x, state, heads, counts) if attention else {}),
    }
    ends = np.cumsum([0, *counts])
    sights = [seen(int(before), n, starts) for before, n in zip(ends, counts)]  # noqa: B905
    said = ", then ".join(map(str, counts))
    rows = "" if len(starts) == 1 else f", texts that begin at {list(starts)}"
    return Probe(
        f"answering.{'attended' if attention else 'passed'}",
        (dim, heads, state, pieces_of(x, counts), sights),
        f"{kind}, {said} tokens of {dim} numbers, heads: {heads}{rows}",
        oracles={"numpy": lambda: right},
    )  # fmt: skip


def _cached(x: np.ndarray, state: Any, heads: int, counts: Sequence[int]) -> Any:
    """Return a cache's right contents after all pieces, and its number of extensions."""
    rows, length, dim = x.shape
    both = [x @ state[f"{name}.weight"] + state[f"{name}.bias"] for name in ("key", "value")]
    split = [each.reshape(rows, length, heads, dim // heads).swapaxes(1, 2) for each in both]
    return {"cached": split, "extended": [np.array([len(counts), length])]}


def dtype_check(exercise: str, probe: Probe) -> Check:
    return Check(exercise, "dtype", (probe,), DTYPE, part="dtype", compare="text", weight=0.5,
                 aside=True, says=f"{exercise.partition('.')[2]} keeps the dtype.")  # fmt: skip


def attending(seed: str) -> Iterator[Check]:
    exercise = "chapter16.attend"

    def probe(name: str, *args: Any, **more: Any) -> Probe:
        return pieces_probe(seed, f"attend/{name}", "attend", *args, **more)

    new = "The output of `layer` for the new tokens, which look at all tokens so far"
    after = "`(B, T, C)`, the result of `layer.output` … Each query is compared with all keys"
    prompt, one = probe("prompt", 2, 1, (3,)), probe("one", 2, 1, (2, 1))
    for name, probes, taught, says in (
        ("value", (prompt, one), after, "gives what the layer gives for the whole text"),
        ("heads", (probe("heads", 4, 2, (2, 1, 1)),),
         "are made of the *new* tokens, and split into heads",
         "lets each head attend by itself"),
        ("pieces", (probe("pieces", 4, 2, (1, 2)),),
         f"{new} … {after}", "takes several tokens after others"),
        ("sight", (probe("sight", 2, 1, (2, 1), (0, 1)),),
         "True where a token may look at another", "obeys `sight`"),
        ("extremes", (probe("extremes", 2, 1, (2, 1), stretch=400.0),),
         "as in chapter 14's `attention`", "is finite where scores are large"),
        ("more", (probe("more", 6, 3, (3, 1, 2), (2, 0)),), new,
         "is right for other sizes too"),
    ):  # fmt: skip
        yield Check(exercise, name, probes, taught, says=f"attend {says}.",
                    hidden=name == "more")  # fmt: skip
    yield Check(exercise, "inputs", (one,), STAYS, part="inputs", weight=0.5,
                says="attend leaves its arguments as they were.")  # fmt: skip
    yield dtype_check(exercise, one)
    yield Check(exercise, "cached", (one,), "Queries, keys and values are made of the *new* "
                "tokens … extended by the keys and values", part="cached", weight=0.5,
                says="attend keeps keys as keys, and values as values.")  # fmt: skip
    yield Check(exercise, "extended", (one,), "extended by the keys and values, once",
                part="extended", weight=0.5,
                says="attend extends the cache once, by the new tokens.")  # fmt: skip


def going_through(seed: str) -> Iterator[Check]:
    exercise = "chapter16.through"

    def probe(name: str, *args: Any, **more: Any) -> Probe:
        return pieces_probe(seed, f"through/{name}", "through", *args, **more)

    taught = (
        "its two steps, `(B, T, C)` to `(B, T, C)` … what `block(x, mask)` computes, with "
        "`attend` instead of `block.attention`"
    )
    one = probe("one", 4, 2, (2, 1))
    yield Check(exercise, "value", (probe("prompt", 2, 1, (2,)), one), taught, weight=2,
                says="through gives what the block gives for the whole text.")  # fmt: skip
    yield Check(exercise, "inputs", (one,), STAYS, part="inputs", weight=0.5,
                says="through leaves its arguments as they were.")  # fmt: skip
    yield dtype_check(exercise, probe("dtype", 2, 1, (2,)))
    yield Check(exercise, "more", (probe("more", 6, 3, (1, 2), (1, 0)),), taught, hidden=True,
                says="through is right for other sizes too.")  # fmt: skip
