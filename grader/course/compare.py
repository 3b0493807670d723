"""Compare an array with the right one: shape, kind of dtype, finiteness, and only then the values.

Works on plain typed buffers, in plain Python: for the small arrays of a probe that is faster than
importing NumPy.

The cost of a call is compared as well. The worker counts; the key holds the reference's figures,
and the check its bounds.
"""

from __future__ import annotations

import math
import re
from itertools import repeat
from typing import NamedTuple

from ..about import PYTORCH
from ..arrays import KINDS, Array
from ..errors import OurFault
from ..reason import Reason, because

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Tolerance(NamedTuple):
    """``|yours - theirs| <= absolute · max(1, max|theirs|) + relative · |theirs|``."""

    relative: float
    absolute: float


# Oracle, as keys and results name it → its label beside its value in a result, and its name among
# those that agree with the reference.
ORACLES = {
    "reference": ("reference", ""),
    "finite_difference": ("finite difference", "finite differences"),
    "pytorch": (PYTORCH, PYTORCH),
    "numpy": ("", "NumPy"),  # a formula: its value is the reference's
}
LABELS = {name: label for name, (label, _) in ORACLES.items() if label}
# (closeness of the oracle, dtype that came back) → tolerance
TOLERANCES = {
    ("exact", "float64"): Tolerance(1e-9, 1e-11),
    ("exact", "float32"): Tolerance(2e-4, 1e-5),
    ("finite_difference", "float64"): Tolerance(1e-5, 1e-6),
    ("finite_difference", "float32"): Tolerance(2e-4, 2e-5),
}
VALUES = because("values")
EXACT_KINDS = {"float": "a floating-point", "int": "an integer", "bool": "a boolean"}


def difference(
    yours: Array,
    theirs: Array,
    oracle: str,
    *,
    same_dtype: bool = False,
    scalar_shape: bool = False,
    rounded: bool = False,
) -> Reason | None:
    """Return None if ``yours`` is right by this oracle, else the first difference.

    Args:
        oracle: its name in the key; ``finite_difference`` is less exact than the others.
        same_dtype: whether the dtype itself is asked for, not only its kind.
        scalar_shape: whether ``(1,)`` is as good as ``()``.
        rounded: whether values that went through float32 are right in float64 too.
    """
    if yours == theirs:
        return None  # equal to the last bit, as most right arrays are
    if yours.shape != theirs.shape:
        alike = scalar_shape and math.prod(yours.shape) == 1 == math.prod(theirs.shape)
        if not (alike and len(yours.shape) <= 1):
            return because("shape", yours.shape, theirs.shape)
    kind = KINDS[theirs.dtype]  # of most arrays that are compared: a table spares calls
    if KINDS[yours.dtype] != kind:
        return because("dtype_kind", yours.dtype, EXACT_KINDS[kind])
    if same_dtype and yours.dtype != theirs.dtype:
        return because("dtype", yours.dtype, theirs.dtype)
    if kind != "float":
        if yours.values() != theirs.values():
            return _of_flags(yours, theirs) or VALUES
        return None
    return _values(yours, theirs, oracle, rounded or "float32" in (yours.dtype, theirs.dtype))


def _of_flags(yours: Array, theirs: Array) -> Reason | None:
    """Describe flags that should all be alike: they say whether their check's sentence is true."""
    right = theirs.values()
    if theirs.kind != "bool" or len({*right}) != 1:
        return None
    wrong = sum(a != b for a, b in zip(yours.values(), right, strict=True))
    in_part = because("flags_in_part", wrong, len(right))
    return because("flags") if wrong == len(right) else in_part


def _values(yours: Array, theirs: Array, oracle: str, loose: bool) -> Reason | None:
    dtype = "float32" if loose else "float64"
    relative, absolute = TOLERANCES[tolerance_name(oracle), dtype]
    found, expected = yours.values(), theirs.values()
    # Mostly all is right: no value is farther off than all together. (NaN and infinity are.)
    near = absolute + relative * min(map(abs, expected), default=0.0)
    if 1.001 * math.dist(found, expected) < near < math.inf:  # it may have been rounded
        return None
    finite = [abs(value) for value in expected if math.isfinite(value)]
    absolute *= max(1.0, max(finite, default=0.0))
    for mine, right in zip(found, expected, strict=True):
        if math.isfinite(right):
            if not math.isfinite(mine):
                return because("not_finite", mine)
            if abs(mine - right) > absolute + relative * abs(right):
                return VALUES
        elif mine != right and not (math.isnan(mine) and math.isnan(right)):
            return because("not_finite_beside", mine, right)
    return None


def tolerance_name(oracle: str) -> str:
    """Return an oracle's closeness, a key of `TOLERANCES`."""
    return oracle if oracle == "finite_difference" else "exact"


DATA = "data"  # the part with a dict, a set or a mixed list, as `returned.py` writes it
# A quoted text, which holds no number; or a number: ``-0.5``, ``np.float32(0.5)``.
IN_DATA = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|"""
    r"(?P<single>np\.float32\()?(?<![\w.])(?P<number>-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|inf|nan))(?![\w.])\)?"
)


def data_difference(yours: Array, theirs: Array, oracle: str) -> Reason | None:
    """Return None if two texts of data are equal, each float within the tolerance, else why not.

    A whole number is right where a float of its value is; an int is compared exactly.
    """
    if yours == theirs:
        return None
    mine = _respell(yours.text(), theirs.text(), oracle).encode()
    return text_difference(Array("uint8", (len(mine),), mine), theirs)


def _respell(mine: str, right: str, oracle: str) -> str:
    """Write each number of ``mine`` as in ``right`` if it is close to the one in its place there;
    to any, if they are not equally many: then a report names what is missing alone."""
    wanted = [m for m in IN_DATA.finditer(right) if m["number"]]
    count = sum(bool(m["number"]) for m in IN_DATA.finditer(mine))
    places = iter([each] for each in wanted) if count == len(wanted) else repeat(wanted)

    def spell(found: re.Match[str]) -> str:
        near = next(places) if found["number"] else ()
        return next((each[0] for each in near if _is_close(found, each, oracle)), found[0])

    return IN_DATA.sub(spell, mine)


def _is_close(mine: re.Match[str], right: re.Match[str], oracle: str) -> bool:
    if right["number"].lstrip("-").isdecimal():
        return mine[0] == right[0]
    loose = mine["single"] or right["single"]
    relative, absolute = TOLERANCES[tolerance_name(oracle), "float32" if loose else "float64"]
    a, b = float(mine["number"]), float(right["number"])
    same = a == b or (math.isnan(a) and math.isnan(b))
    return same or abs(a - b) <= absolute * max(1.0, abs(b)) + relative * abs(b) < math.inf


MOST_TEXT = 72  # characters of a text that a sentence quotes
MOST_WORD = 60  # … of one finding in a longer text


def text_difference(yours: Array, theirs: Array) -> Reason | None:
    """Return None if two texts, which travel as their bytes, are equal, else the difference."""
    if yours.dtype == theirs.dtype and yours.values() == theirs.values():
        return None
    mine, right = _first_apart(yours.text(), theirs.text())
    if not (mine + right).isprintable():
        return because("text_other")
    if max(len(mine), len(right)) <= MOST_TEXT:
        return because("text", mine, right)
    between = "; " if "; " in mine + right else ", "
    return _first_missing(mine.split(between), right.split(between))


def _first_apart(mine: str, right: str) -> tuple[str, str]:
    """Of texts with equally many findings, separated by «; », return the first two that differ."""
    of_mine, of_right = mine.split("; "), right.split("; ")
    if len(of_mine) != len(of_right):
        return mine, right
    return next(pair for pair in zip(of_mine, of_right, strict=True) if pair[0] != pair[1])


def _first_missing(mine: list[str], right: list[str]) -> Reason:
    """Return what one list lacks of another, or has beside it."""
    found = [("text_lacks", word) for word in right if word not in mine]
    found += [("text_beside", word) for word in mine if word not in right]
    is_list = min(len(mine), len(right)) > 1
    told = [each for each in found if is_list and len(each[1]) <= MOST_WORD]
    return because(*told[0]) if told else because("text_other")


ROUNDING = 4e-6  # relative slack for a sample without spread that went through float32


def sample_difference(yours: Array, theirs: Array) -> Reason | None:
    """Compare the distributions of two large samples: mean, spread, quartiles, tails.

    The bounds are six standard errors wide: right code fails once in hundreds of millions.
    """
    if yours.shape != theirs.shape:
        return because("shape", yours.shape, theirs.shape)
    if yours.kind != theirs.kind:
        return because("dtype", yours.dtype, theirs.dtype)
    mine, right = (sorted(float(v) for v in array.values()) for array in (yours, theirs))
    if not all(map(math.isfinite, mine)):
        return because("not_finite_sample")
    count = len(right)
    spread, own = _deviation(right), _deviation(mine)
    error = 6 * spread * math.sqrt(2 / count) + ROUNDING * max(map(abs, right), default=0.0)
    if abs(sum(mine) - sum(right)) / count > error:
        return because("mean")
    if abs(own - spread) > error:
        return because("spread")
    # The standard error of a quartile is wider than that of the mean, by sqrt(p(1-p)) / density:
    # 0.433 / 0.318 = 1.36 for normal values.
    quartiles = (count // 4, count // 2, count * 3 // 4)
    far = any(abs(mine[i] - right[i]) > 2.5 * error for i in quartiles)
    if len(set(right)) > 2 and (far or _have_other_tails(mine, right, own, spread)):
        return because("distribution")
    return None


def sample_in_words(array: Array) -> str:
    """Describe a sample by the figures that are compared: none of its values has a right one."""
    values = sorted(float(value) for value in array.values())
    mean, count = sum(values) / len(values), len(values)
    return (
        f"{count} values: mean {mean:.4g}, spread {_deviation(values):.4g}, quartiles "
        f"{', '.join(f'{values[count * n // 4]:.4g}' for n in (1, 2, 3))}"
    )


def _have_other_tails(mine: list[float], right: list[float], own: float, spread: float) -> bool:
    """Whether the means of (distance from the mean / spread)⁴ differ by more than chance."""
    count, wanted = len(right), _fourth_powers(right, spread)
    error = 6 * _deviation(wanted) * math.sqrt(2 / count)
    return abs(sum(_fourth_powers(mine, own)) / count - sum(wanted) / count) > error


def _fourth_powers(values: list[float], spread: float) -> list[float]:
    mean = sum(values) / len(values)
    return [((value - mean) / spread) ** 4 for value in values]


def _deviation(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


# ---- what a call costs ----------------------------------------------------------------------

COST = "cost"  # the part of a result with its cost
# Figure → its words; in the order of `grader/sandbox/worker/meter.py`.
FIGURES = {
    "operations": "array operations",
    "multiply_adds": "multiply-adds",
    "elements_read": "elements read",
    "elements_written": "elements written",
    "peak_bytes": "bytes alive at once",
    "uncounted": "numbers that nobody can count",
    "brought": "numbers that come from where nobody can count",
}
ALIKE = 0.05  # relative difference that two costs of one mistake may have
ASIDE = 16  # numbers more than the reference that may come from outside; and of those that …
SHARE = 8  # … go there, one for so many that it writes: for 80 written, 16 + 80 // 8 == 26 more
LEAST = 2  # uncounted numbers and a cost below a half of the reference's: work is done elsewhere
BUILTINS = {"len": len, "max": max, "min": min, "sum": sum, "range": range, "abs": abs}


def cost_bounds(
    who: str, costs: Mapping[str, int | str], names: Mapping[str, object], spent: Array
) -> dict[str, int]:
    """Evaluate the bound of each figure that a check is about.

    Args:
        costs: figure → its bound: a number, or an expression such as ``2 * x.size``.
        names: values that an expression may use, beside ``reference``.
        spent: the reference's cost.

    Raises:
        OurFault: a bound cannot be evaluated, or the reference exceeds it.
    """
    most = {}
    for figure, bound in costs.items():
        try:
            reference = cost_figures(spent)[figure]
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


def cost_figures(spent: Array) -> dict[str, int]:
    """Map the figures' names to what the worker counted."""
    return dict(zip(FIGURES, map(int, spent.values()), strict=True))


def cost_difference(mine: Array, right: Array, most: Mapping[str, int]) -> Reason | None:
    """Return None if no figure is too high, or suspiciously low; else the difference.

    ``right`` is the cost of the reference, or of a mistake: two costs that are both too high are
    equal if they differ by less than `ALIKE`.
    """
    if (mine.dtype, mine.shape) != (right.dtype, right.shape):
        return because("cost_unknown")
    yours, theirs = cost_figures(mine), cost_figures(right)
    aside = ASIDE + theirs["elements_written"] // SHARE
    outside = {"uncounted": theirs["uncounted"] + aside, "brought": theirs["brought"] + ASIDE}
    for figure, allowed in {**most, **outside}.items():
        cost, other = yours[figure], theirs[figure]
        if cost <= allowed and other <= allowed:
            if figure in most and yours["uncounted"] and LEAST * cost < other:
                return because("cost_too_little", cost, FIGURES[figure], other)
            continue
        if min(cost, other) <= allowed or abs(cost - other) > ALIKE * max(cost, other):
            return _too_much(figure, cost, other, allowed)
    return None


def _too_much(figure: str, cost: int, right: int, allowed: int) -> Reason:
    """Return by how much a call costs too much."""
    kind = "cost_outside" if figure in ("uncounted", "brought") else "cost_up_to"
    return because(kind if allowed != right else "cost", cost, FIGURES[figure], right, allowed)
