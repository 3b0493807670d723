"""What a class found hard: exercises, mistakes, and answers that are wrong in the same way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..verdict import WRONG
from .classbook import Line, lines

STATUSES = (
    "passed", "failed", "refused", "crashed", "timed_out", "out_of_memory", "blocked", "pending",
)  # fmt: skip


class Item(NamedTuple):
    """One exercise over the class.

    Attributes:
        counts: status → how many learners.
        share: the mean share of its points that was earned: 1 is easy, 0 is hard.
        telling: how much more of it the better half of the class earned than the other half.
        lost: the points that it cost the class.
    """

    id: str
    section: str
    title: str
    counts: dict[str, int]
    share: float
    telling: float
    lost: float


class Group(NamedTuple):
    """Learners whose answers to one exercise are wrong in exactly the same way."""

    id: str
    title: str
    says: str
    yours: Any
    known: bool
    learners: list[str]
    lost: float


class Insights(NamedTuple):
    """All of it."""

    learners: list[str]
    unjudged: list[dict[str, Any]]
    items: list[Item]
    groups: list[Group]
    shares: dict[tuple[str, str], float | None]  # (learner, exercise) → share of its points
    statuses: dict[tuple[str, str], str]


def insights(records: list[dict[str, Any]]) -> Insights:
    """Everything that can be said of these records; what was not judged is only counted."""
    judged = [record for record in records if record["result"]]
    ranked = sorted(judged, key=lambda r: (-(r["own"] or 0), r["learner"]))
    found = [line for line in lines(ranked) if line.exercise["status"] != "given"]
    better = {r["learner"] for r in ranked[: (len(ranked) + 1) // 2]}
    by_id: dict[str, list[Line]] = {}
    for line in found:
        by_id.setdefault(line.exercise["id"], []).append(line)
    return Insights(
        [r["learner"] for r in ranked],
        [r for r in records if not r["result"]],
        [_item(each, better) for each in by_id.values()],
        groups(found),
        {_key(line): share(line) for line in found},
        {_key(line): line.exercise["status"] for line in found},
    )


def _key(line: Line) -> tuple[str, str]:
    return line.record["learner"], line.exercise["id"]


def share(line: Line) -> float:
    most = line.exercise["max_score"]
    return float(line.exercise["score"] / most) if most else 0.0


def _mean(values: Iterable[float]) -> float:
    each = list(values)
    return sum(each) / len(each) if each else 0.0


def _item(each: list[Line], better: set[str]) -> Item:
    exercise = each[0].exercise
    statuses = [line.exercise["status"] for line in each]
    upper = _mean(share(line) for line in each if line.record["learner"] in better)
    lower = _mean(share(line) for line in each if line.record["learner"] not in better)
    return Item(
        exercise["id"], exercise["section"], exercise["title"],
        {s: statuses.count(s) for s in STATUSES if s in statuses},
        _mean(map(share, each)),
        upper - lower if len(better) < len(each) else 0.0,
        sum(line.exercise["max_score"] - line.exercise["score"] for line in each),
    )  # fmt: skip


def groups(found: Iterable[Line]) -> list[Group]:
    """Equal wrong answers, the dearest first; those of one learner alone are no group."""
    by_key: dict[str, list[Line]] = {}
    for line in found:
        if line.exercise["status"] in WRONG:
            by_key.setdefault(fingerprint(line.exercise), []).append(line)
    made = [_group(each) for each in by_key.values() if len(each) > 1]
    return sorted(made, key=lambda group: (-group.lost, group.id))


def fingerprint(exercise: dict[str, Any]) -> str:
    """What is the same for two learners who did the same: every check's end, its numbers."""
    checks = [
        [c["id"], c["status"], c["yours"], c["mistake"] and c["mistake"]["name"], c["message"]]
        for c in exercise["checks"]
    ]
    text = json.dumps([exercise["id"], checks], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _group(each: list[Line]) -> Group:
    exercise = each[0].exercise
    first = next(c for c in exercise["checks"] if c["status"] in WRONG)
    mistake = next((c["mistake"] for c in exercise["checks"] if c["mistake"]), None)
    lost = sum(line.exercise["max_score"] - line.exercise["score"] for line in each)
    return Group(
        exercise["id"], exercise["title"], mistake["says"] if mistake else first["title"],
        first["yours"], mistake is not None, [line.record["learner"] for line in each], lost,
    )  # fmt: skip
