"""Time: when a chapter is due, for whom, and what lateness costs.

    [due]
    chapter3 = 2026-03-01T12:00:00Z          # with an offset; a text is only shown
    [late]
    per_day = 10                             # percent of the points, for each day begun
    grace_minutes = 15
    most_days = 7                            # after them, nothing
    [extensions]
    "Ada Love" = 2026-03-08T12:00:00Z        # all chapters; or { chapter3 = 2026-… }

Nobody is late by a clock of ours: without a time that a platform has written down, nothing is late.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from ..errors import WrongUse
from .marks import marked

DAY = timedelta(days=1)
WHO, WHEN = "learner", "time"
MOODLE_WHEN = "Last modified (submission)"
SETTINGS = {"per_day": 100.0, "grace_minutes": 0.0, "most_days": 365.0}
# What platforms write beside ISO 8601; a time without an offset is UTC.
FORMATS = (
    "%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%Y-%m-%d %H:%M:%S %Z",
    "%Y-%m-%d %H:%M:%S.%f %Z",
)  # fmt: skip


class Rule(NamedTuple):
    """What lateness costs.

    Attributes:
        per_day: percent of the points, for each day begun.
        grace: so long nobody is late.
        most: after so many days nothing is left.
    """

    per_day: float
    grace: timedelta
    most: float

    def factor(self, by: timedelta) -> float:
        """What is left of the points, from 0 to 1."""
        if by <= self.grace:
            return 1.0
        days = math.ceil(by / DAY)
        return 0.0 if days > self.most else max(0.0, 1.0 - days * self.per_day / 100)


class Terms(NamedTuple):
    """When everything is due, and for whom later.

    Attributes:
        due: chapter → when.
        extensions: learner → chapter, or "" for all of them → when.
    """

    due: dict[str, datetime]
    rule: Rule
    extensions: dict[str, dict[str, datetime]]

    def due_for(self, learner: str, chapter: str) -> datetime | None:
        own = self.extensions.get(learner, {})
        return own.get(chapter) or own.get("") or self.due.get(chapter)


def terms(path: str, found: Mapping[str, Any]) -> Terms | None:
    """The terms of a `course.toml`; None where nothing in it is due at a time.

    Raises:
        WrongUse: a rule or a date that is none.
    """
    due = {c: _aware(path, c, t) for c, t in found.get("due", {}).items() if not _is_text(t)}
    late = found.get("late", {})
    wrong = [n for n, v in late.items() if n not in SETTINGS or not _is_share(v)]
    if wrong:
        raise WrongUse(
            f"{path}: [late] takes {', '.join(SETTINGS)}, each a number from 0 on, not {wrong[0]}."
        )
    values = {**SETTINGS, **late}
    rule = Rule(values["per_day"], timedelta(minutes=values["grace_minutes"]), values["most_days"])
    extensions = {}
    for learner, given in found.get("extensions", {}).items():
        each = given if isinstance(given, dict) else {"": given}
        extensions[learner] = {c: _aware(path, learner, t) for c, t in each.items()}
    if not due and (late or extensions):
        raise WrongUse(f"{path}: [late] and [extensions] need a [due] with a time in it.")
    return Terms(due, rule, extensions) if due else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _aware(path: str, name: str, when: Any) -> datetime:
    if not isinstance(when, datetime) or when.tzinfo is None:
        raise WrongUse(
            f"{path}: {name} needs a time with its offset, like 2026-03-01T12:00:00+01:00."
        )
    return when


def shown(when: Any) -> str:
    """A due date as learners read it."""
    return f"{when:%A, %d %B %Y, %H:%M %Z}" if isinstance(when, datetime) else str(when)


def times(text: str, names: Mapping[str, str]) -> dict[str, datetime]:
    """Learner → when they handed in, from a platform's list.

    Args:
        text: CSV with the columns `learner` and `time`, or Moodle's grading worksheet.
        names: what a list may call a learner → the learner here.

    Raises:
        WrongUse: there are no such columns, or a time that is none.
    """
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    columns = list(rows[0]) if rows else []
    who = WHO if WHO in columns else "Identifier"
    when = WHEN if WHEN in columns else MOODLE_WHEN
    if who not in columns or when not in columns:
        raise WrongUse(
            f"--times needs the columns {WHO} and {WHEN}, or Moodle's grading worksheet."
        )
    found: dict[str, datetime] = {}
    for row in rows:
        said, name = (row[when] or "").strip(), (row[who] or "").strip()
        if said and said.strip("-"):
            found[names.get(name, name)] = parsed(said)
    return found


def parsed(text: str) -> datetime:
    """A time as platforms write it.

    Raises:
        WrongUse: it is none.
    """
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        found = next(filter(None, (_by(text, each) for each in FORMATS)), None)  # type: ignore[assignment]
    if found is None:
        raise WrongUse(f"{text} is no time. Write it like 2026-03-01T12:00:00+01:00.")
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def _by(text: str, layout: str) -> datetime | None:
    try:
        return datetime.strptime(text, layout)
    except ValueError:
        return None


def applied(record: dict[str, Any], terms: Terms | None, came: datetime | None) -> dict[str, Any]:
    """The record with what lateness costs it: `late` says how much of a chapter is left."""
    bare = {name: value for name, value in record.items() if name not in ("came", "late")}
    if record["result"] is None:
        return bare
    if came is not None:
        bare["came"] = came.isoformat()
    late = _late(record, terms, came) if terms and came else {}
    return marked({**bare, **({"late": late} if late else {})}, record["policy"])


def _late(record: dict[str, Any], terms: Terms, came: datetime) -> dict[str, dict[str, Any]]:
    found = {}
    for chapter in record["result"]["chapters"]:
        due = terms.due_for(record.get("whose") or record["learner"], chapter["id"])
        factor = terms.rule.factor(came - due) if due else 1.0
        if due and factor < 1:
            hours = round((came - due).total_seconds() / 3600, 2)
            found[chapter["id"]] = {"hours": hours, "factor": round(factor, 4)}
    return found


ATTEMPTS = ("each", "last", "best")


def counted(records: Iterable[dict[str, Any]], rule: str) -> dict[str, bool]:
    """Row → whether it is the attempt that counts.

    Args:
        records: what is needed of them: ``learner``, ``whose``, ``mark``, ``came``.
        rule: ``last`` by the platform's time, where all attempts have one; ``best`` by the mark.

    Raises:
        WrongUse: the last attempt of somebody cannot be told.
    """
    by_who: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_who.setdefault(record.get("whose") or record["learner"], []).append(record)
    found: dict[str, bool] = {}
    for who, each in by_who.items():
        if rule == "last" and len(each) > 1 and not all(r.get("came") for r in each):
            raise WrongUse(
                f"{who} handed in {len(each)} times, and which was last is not known: give the "
                "platform's times with --times FILE."
            )
        best = max(each, key=_last if rule == "last" else _best) if rule != "each" else None
        found |= {r["learner"]: best is None or r is best for r in each}
    return found


def _last(record: dict[str, Any]) -> float:
    came = record.get("came")
    return datetime.fromisoformat(came).timestamp() if came else 0.0


def _best(record: dict[str, Any]) -> tuple[float, float]:
    return (-1.0 if record["mark"] is None else record["mark"], _last(record))
