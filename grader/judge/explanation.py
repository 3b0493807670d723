"""Explain a failure: add the nudge that shows it, and the op at which it begins.

A nudge is the smallest failing example: move one input a little, see how far the output moves. The
learner's own forward runs in the worker that is at hand, so nothing is imported for it. It is shown
only if it agrees with the oracle; else forward is wrong too, or too curved.
"""

from __future__ import annotations

import copy
import math
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..arrays import index_of, make_array
from ..course.compare import difference
from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation
from ..sandbox.session import Session
from ..verdict import FAILED, WRONG
from .judge import CheckVerdict, ExerciseVerdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import Nudge, ProbeRow
    from ..sandbox.worker.request import Arrays, Probe

MOST = 3  # exercises of a chapter that are explained at length, as in the report
NUDGES = (0.01, 0.001)
CLOSE = 0.02  # largest relative difference to the derivative at which a nudge is shown
Path = tuple[Any, ...]


def explain(
    session: Session, chapter: ChapterKey, wrong: list[ExerciseVerdict]
) -> dict[str, list[str]]:
    """Return notes about the first wrong check of each exercise, if it is about a gradient."""
    shown = [next(c for c in verdict.checks if c.status in WRONG) for verdict in wrong]  # at length
    notes = {}
    # In a class the session may have run public probes only; hidden ones are not explained.
    for check in [c for c in shown if c.probe in session.observations][:MOST]:
        if check.probe is not None and _explainable(chapter, check):
            found = [nudge(session, chapter, check, session.observations[check.probe])]
            if not chapter.probes[check.probe]["means"].get("alone"):  # alone: without a graph
                from .fault_localisation import locate_fault  # rare, and imports NumPy

                found += [locate_fault(session, chapter, check.probe)]
            parts = ["\n".join(lines) for lines in found if lines]
            notes[check.id] = "\n\n".join(parts).split("\n")
    return notes


def _explainable(chapter: ChapterKey, check: CheckVerdict) -> bool:
    """Whether wrong numbers came back whose numeric derivative is known; no flag, no count."""
    if check.status != FAILED or check.probe is None or check.outcome is None:
        return False
    which, part = check.outcome.which, check.check["part"]
    known = chapter.probes[check.probe]["answers"].get("finite_difference", {})
    if which is None or part not in known or check.check["aside"] or part == "inputs":
        return False
    return chapter.array(known[part][which]).kind == "float"


# ---- the nudge ---------------------------------------------------------------------------


EACH = "*"  # one gradient for each item of a list


class Spot(NamedTuple):
    """The element that is nudged, its right gradient and the learner's."""

    number: int  # of its probe
    way: Nudge
    weights: list[float]  # out_grad: one number, or one per output value
    name: str
    path: Path  # to its argument, in the probe's `args`
    place: int  # flat index there
    right: float
    yours: float


def nudge(
    session: Session, chapter: ChapterKey, check: CheckVerdict, got: Observation
) -> list[str]:
    """Return the nudge's table as lines; none if this check has no nudge to show."""
    spot = _spot(chapter, check, got)
    if spot is None:
        return []
    for step in NUDGES:
        totals = list(_totals(session, chapter, spot, (0.0, step)))
        if len(totals) == 2 and all(map(math.isfinite, totals)):
            # Of x² at 2: (4.0401 - 4) / 0.01 = 4.01, near enough to 4.
            slope = (totals[1] - totals[0]) / step
            if abs(slope - spot.right) <= CLOSE * max(abs(spot.right), 0.1):
                return _told(chapter, spot, step, totals)
    return []


def _spot(chapter: ChapterKey, check: CheckVerdict, got: Observation) -> Spot | None:
    """Return the first element of a gradient that is wrong by the finite difference."""
    number, part = check.probe, check.check["part"]
    which = check.outcome.which if check.outcome else None
    if number is None or which is None:
        return None
    probe = chapter.probes[number]
    way, answers = probe["means"].get("nudge"), probe["answers"].get("finite_difference", {})
    if way is None or part not in answers:
        return None
    right, mine = chapter.array(answers[part][which]), got.parts[part][which]
    paths = list(_paths(way, probe["args"]))
    if right.shape != mine.shape or mine.kind != "float" or which >= len(paths):
        return None
    weights = _values(chapter, probe["args"][way["out_grad"]])
    for place, (theirs, yours) in enumerate(zip(right.values(), mine.values(), strict=True)):
        one, other = make_array((), [yours], mine.dtype), make_array((), [theirs])
        if math.isfinite(yours) and difference(one, other, "finite_difference") is not None:
            name = _name(probe, which, paths[which]) + index_of(right.shape, place)
            return Spot(number, way, weights, name, paths[which], place, theirs, yours)
    return None


def _paths(way: Nudge, args: list[Any]) -> Iterator[Path]:
    """Yield the path of each argument that can be nudged and that this probe has."""
    for path in way["inputs"]:
        if path[-1] == EACH:
            yield from ((*path[:-1], i) for i in range(len(_at(args, path[:-1]))))
        elif len(path) == 1 or path[-1] in _at(args, path[:-1]):
            yield tuple(path)


def _at(value: Any, path: Sequence[Any]) -> Any:
    for step in path:
        value = value[step]
    return value


def _name(probe: ProbeRow, which: int, path: Path) -> str:
    if isinstance(path[-1], str):
        return path[-1]
    return str(probe["shown"][which][0]) if which < len(probe["shown"]) else f"x{which}"


def _totals(
    session: Session, chapter: ChapterKey, spot: Spot, steps: tuple[float, ...]
) -> Iterator[float]:
    """Yield ``Σ out_grad · output`` after each nudge, computed by the learner's forward."""
    probe, weights = chapter.probes[spot.number], spot.weights
    probes: list[Probe] = []
    arrays = {**chapter.inputs(spot.number)}
    for i, step in enumerate(steps):
        args = copy.deepcopy(probe["args"][: spot.way["keep"]])
        _put(chapter, args, spot, step, f"nudge{i}", arrays)
        probes.append((spot.number, spot.way["run"], args, probe["seconds"], probe["exercise"]))
    for frame in session.ask({"run": probes, "arrays": arrays}, probe["seconds"]):
        outputs = frame.parts.get("value", [])
        values = outputs[0].values() if len(outputs) == 1 else []
        if len(weights) == 1 or len(values) == len(weights):
            spread = weights * len(values) if len(weights) == 1 else weights
            # Not `fsum`, which raises at infinities; `nudge` skips a total that is not finite.
            yield float(sum(w * v for w, v in zip(spread, values, strict=True)))


def _put(
    chapter: ChapterKey, args: list[Any], spot: Spot, step: float, name: str, arrays: Arrays
) -> None:
    """Nudge one element of one argument, in place; a changed array is stored by a new name."""
    holder = _at(args, spot.path[:-1])
    value = holder[spot.path[-1]]
    if not isinstance(value, dict):
        holder[spot.path[-1]] = value + step
        return
    known = chapter.array(value["array"])
    values = array("d", known.values())
    values[spot.place] += step
    arrays[name] = ("float64", known.shape, values.tobytes())
    holder[spot.path[-1]] = {"array": name}


def _values(chapter: ChapterKey, value: Any) -> list[float]:
    if isinstance(value, dict):
        return chapter.array(value["array"]).values()
    return [float(value)]


def _told(chapter: ChapterKey, spot: Spot, step: float, totals: list[float]) -> list[str]:
    start = _values(chapter, _at(chapter.probes[spot.number]["args"], spot.path))[spot.place]
    moved = totals[1] - totals[0]
    places = len(f"{step:g}") - 2
    rows = [
        (spot.name, "output" if spot.weights == [1.0] else "sum of out_grad * output"),
        (f"{start:.{places}f}", f"{totals[0]:.6g}"),
        (f"{start + step:.{places}f}", f"{totals[1]:.6g}"),
        (f"{step:+g}", f"{moved:+.4g}"),
    ]
    width = max(len(left) for left, _ in rows)
    return [
        f"Nudge {spot.name} by {step:g}:",
        *(f"  {left:>{width}}   {right}" for left, right in rows),
        f"The gradient at {spot.name} is about {moved:.4g} / {step:g} = {moved / step:.4g}; "
        f"yours says {spot.yours:.4g}.",
    ]
