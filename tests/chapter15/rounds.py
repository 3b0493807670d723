"""Checks of all passes, again and again."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check, Probe, rng_for

from .answers import (
    Said,
    called,
    described,
    lines,
    moved,
    probe,
    program,
    said,
    stays,
)

OPTIMIZE = "chapter15.optimize"


ROWS = (
    Said("value", "once", "value", "The program after all passes",
         "optimize returns the program after all passes."),
    Said("again", "often single", "value",
         "again and again until a round changes nothing … may give another one",
         "optimize goes on as long as a round changes something.", 2),
    Said("changed", "changed", "value", "Two programs are the same if they print the same",
         "A round that takes nothing away may still change something."),
    Said("order", "once often", "asked", "after all passes, in order",
         "All passes are asked in order, and one round more shows that nothing changes."),
    Said("stops", "never", "asked", "Two programs are the same if they print the same",
         "Where the first round changes nothing, there is no other."),
    Said("usual", "usual", "value", "Where none are named, they are `PASSES`",
         "optimize takes all passes where none are named."),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    size = rng_for(seed, OPTIMIZE).randrange(2, 99)

    def one(ops: str, kinds: str, left: int, rounds: int) -> Probe:
        rows = [(op, "x0" if at == 0 else f"v{at - 1}") for at, op in enumerate(ops.split())]
        given = moved(program(str(size), rows, "x0"), seed)
        told = described(given)
        answer = {
            "value": lines(*told[: 1 + left], "return x0"),
            "asked": lines(*kinds.split() * rounds), "untouched": lines(*told),
        }  # fmt: skip
        does = [_told(*kind.partition(">")) for kind in kinds.split()]
        call = f"optimize(program, …): {', '.join(does)}" if does else "optimize(program)"
        return probe("compilations.rounds", (given, kinds), called(call, given), lambda: answer)

    probes = {
        "once": one("Sqrt Exp Tanh", "Tanh Exp", 1, 2),
        "often": one("Sqrt Tanh Exp Tanh Exp", "Tanh Exp", 1, 4),
        "changed": one("Log Sqrt Sqrt", "Exp Sqrt>Exp", 1, 4),
        "never": one("Sqrt Exp", "Tanh Log", 2, 1),
        "single": one("Sqrt Exp Exp Exp", "Exp", 1, 4),
        "usual": one("Sqrt Exp Tanh", "", 0, 0),
    }
    yield from said(OPTIMIZE, ROWS, probes)
    yield stays(OPTIMIZE, probes["often"])


def _told(old: str, _: str, new: str) -> str:
    """Describe the course's own pass in words."""
    return f"one turns a last {old} into {new}" if new else f"one pass drops a last {old}"
