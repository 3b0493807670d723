"""What a call may cost: bounds, and what is said of who costs more.

The worker counts, the key holds what the reference spends, and its check the most that passes.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..arrays import Array
from ..errors import OurFault
from .compare import Difference

PART = "cost"
# Figure → in words; in the order of `grader/sandbox/worker/meter.py`.
FIGURES = {
    "operations": "array operations",
    "multiply_adds": "multiply-adds",
    "elements_read": "elements read",
    "elements_written": "elements written",
    "peak_bytes": "bytes alive at once",
    "uncounted": "numbers that nobody can count",
}
ALIKE = 0.05  # by how much two costs of one mistake may differ
ASIDE = 16  # so many numbers more than the reference may go their own way; beside a share …
SHARE = 8  # … of what the reference writes, as its eighth
OUTSIDE = " They go in or out as lists, floats or plain memory. Leave the work to NumPy's arrays."
LEAST = 2  # who brings numbers in and spends less than half of the reference has it done elsewhere
TOO_LITTLE = (
    "It costs {cost:,} {name}, and {right:,} are needed: the rest of the work is done where nobody "
    "can count it. Leave all of it to NumPy's arrays."
)
BUILTINS = {"len": len, "max": max, "min": min, "sum": sum, "range": range, "abs": abs}


def bounds(
    who: str, costs: Mapping[str, int | str], names: Mapping[str, object], spent: Array
) -> dict[str, int]:
    """The most that passes, of each figure that a check is about.

    Args:
        who: the check.
        costs: figure → its bound: a number, or an expression.
        names: what a bound may speak of, beside ``reference``.
        spent: what the reference costs.

    Raises:
        OurFault: a bound cannot be read, or the reference is not within it.
    """
    most = {}
    for figure, bound in costs.items():
        try:
            reference = figures(spent)[figure]
            known = {**names, "reference": reference}
            most[figure] = int(eval(str(bound), {"__builtins__": BUILTINS}, known))
        except Exception as error:
            raise OurFault(f"{who}: the bound {figure}={bound!r} cannot be read: {error}") from None
        if reference > most[figure]:
            raise OurFault(
                f"{who}: {figure}={bound!r} allows {most[figure]:,}, and the reference itself "
                f"costs {reference:,}."
            )
    return most


def figures(spent: Array) -> dict[str, int]:
    """What the worker counted, by its names."""
    return dict(zip(FIGURES, map(int, spent.values()), strict=True))


def cost_difference(mine: Array, right: Array, most: Mapping[str, int]) -> Difference | None:
    """None where no figure is too high, or too low to be all; or where it is too high in both, as
    the same mistake has it.

    Args:
        right: what the reference costs, or a mistake.
        most: figure → the most that passes.
    """
    if (mine.dtype, mine.shape) != (right.dtype, right.shape):
        return Difference("shape", "What it costs was not told.")
    yours, theirs = figures(mine), figures(right)
    aside = ASIDE + theirs["elements_written"] // SHARE
    for figure, allowed in {**most, "uncounted": theirs["uncounted"] + aside}.items():
        cost, other = yours[figure], theirs[figure]
        if cost <= allowed and other <= allowed:
            if figure in most and yours["uncounted"] and LEAST * cost < other:
                says = TOO_LITTLE.format(cost=cost, name=FIGURES[figure], right=other)
                return Difference("value", says)
            continue
        if min(cost, other) <= allowed or abs(cost - other) > ALIKE * max(cost, other):
            return Difference("value", told(figure, cost, other, allowed))
    return None


def told(figure: str, cost: int, right: int, allowed: int) -> str:
    """What is said of a cost that is too high."""
    up_to = f", and up to {allowed:,} pass" if allowed != right else ""
    says = f"It costs {cost:,} {FIGURES[figure]}; {right:,} are enough{up_to}."
    return says + OUTSIDE if figure == "uncounted" else says
