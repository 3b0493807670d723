"""Apply due dates, extensions and lateness penalties; choose the attempt that counts.

The terms stand in the tables `[due]`, `[late]` and `[extensions]` of a `course.toml`, described in
docs/instructors.md. A due date that is a text is only shown.

A time without a zone, as many platforms write it, is in the zone of the due dates.

Our own clock is never used: a submission without a time from a platform is not late.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from typing import Any, NamedTuple, TypedDict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...errors import WrongUse
from ...learner import untrusted_files
from ..intake.handins import HandIn
from .grants import Grant, describe_grants, grant_target
from .record import JudgedRecord, Record, compute_marks
from .roster import BY_NUMBER, find_learner, number_rows, read_columns
from .worksheet import locate_times, read_worded_time

Table = Mapping[str, Any]  # of a `course.toml`
Grants = Mapping[str, list[Grant]]  # learner → theirs
DAY = timedelta(days=1)
WHO, WHEN = "learner", "time"
MOODLE_WHEN = "Last modified (submission)"
SETTINGS = {"per_day": 100.0, "grace_minutes": 0.0, "most_days": 365.0}
# ISO 8601, and other formats of platforms.
READERS: tuple[Callable[[str], datetime], ...] = (
    datetime.fromisoformat,
    lambda text: datetime.strptime(text, "%A, %d %B %Y, %I:%M %p"),
    lambda text: datetime.strptime(text, "%A, %d %B %Y, %H:%M"),
    lambda text: datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f%z"),
    read_worded_time,
)
UTC = re.compile(r" ?(Z|UTC|GMT)$")


class LatePenalty(NamedTuple):
    """The penalty for lateness."""

    per_day: float  # percent of the points, for each day begun
    grace: timedelta  # lateness without a penalty
    most: float  # days, after which no points are left

    def factor(self, by: timedelta) -> float:
        """Return the share of the points that is left, from 0 to 1."""
        # 10 percent per day: 25 hours late is 2 days begun, which leaves 0.8.
        if by <= self.grace:
            return 1.0
        days = math.ceil(by / DAY)
        return 0.0 if days > self.most else max(0.0, 1.0 - days * self.per_day / 100)


class Terms(NamedTuple):
    """The due dates and extensions of a class."""

    due: dict[str, datetime]  # chapter → due date
    rule: LatePenalty
    extensions: dict[str, dict[str, datetime]]  # learner → chapter, or "" for all → date

    def due_for(self, learner: str, chapter: str) -> datetime | None:
        own = self.extensions.get(learner, {})
        return own.get(chapter) or own.get("") or self.due.get(chapter)

    @property
    def zone(self) -> tzinfo | None:
        """The time zone of the due dates; None if there are several."""
        zones = {when.utcoffset(): when.tzinfo for when in self.due.values()}
        return next(iter(zones.values())) if len(zones) == 1 else None

    def of_class(self, names: Mapping[str, str], others: Container[str] = ()) -> Terms:
        """Return the terms with extensions by our learners' names; ``others``: not handed in.

        Raises:
            WrongUse: an extension names nobody in the class.
        """
        given = self.extensions.items()
        own = {_match_name("[extensions]", name, names, others): each for name, each in given}
        return self._replace(extensions=own)


def _match_name(
    table: str, name: str, names: Mapping[str, str], others: Container[str] = ()
) -> str:
    who = find_learner(name, names)
    if who is None and name not in others:
        near = ", ".join(get_close_matches(name, list(names), cutoff=0.4))
        raise WrongUse(
            f"{table}: {name} is nobody who handed in. "
            + (f"Is it {near}?" if near else "Write the name as the submission has it.")
        )
    return who or name


def match_grants(grants: Iterable[Grant], names: Mapping[str, str], whole: bool) -> Grants:
    """Return learner → grants; unless ``names`` are the whole class, others' are skipped.

    Raises:
        WrongUse: a grant names nobody, or a learner has two for the same.
    """
    found: dict[str, list[Grant]] = {}
    for grant in grants:
        if whole or find_learner(grant["learner"], names):
            own = found.setdefault(_match_name("[[grants]]", grant["learner"], names), [])
            if grant_target(grant) in map(grant_target, own):
                says = f"{grant['learner']} has two for {grant_target(grant)}"
                raise WrongUse(f"[[grants]]: {says}. Keep one of them.")
            own.append(grant)
    return found


def read_terms(path: str, found: Mapping[str, Table]) -> Terms | None:
    """Read the terms of a `course.toml`; None if no due date in it is a time.

    Raises:
        WrongUse: a rule or a date is invalid.
    """
    due = {
        c: _require_zone(path, c, t)
        for c, t in found.get("due", {}).items()
        if not isinstance(t, str)
    }
    late = found.get("late", {})
    wrong = [n for n, v in late.items() if n not in SETTINGS or not _is_share(v)]
    if wrong:
        raise WrongUse(
            f"{path}: [late] takes {', '.join(SETTINGS)}, each a number from 0 on, not {wrong[0]}."
        )
    values = {**SETTINGS, **late}
    rule = LatePenalty(
        values["per_day"], timedelta(minutes=values["grace_minutes"]), values["most_days"]
    )
    extensions = {}
    for learner, given in found.get("extensions", {}).items():
        each = given if isinstance(given, dict) else {"": given}
        extensions[learner] = {c: _require_zone(path, learner, t) for c, t in each.items()}
    if not due and (late or extensions):
        raise WrongUse(f"{path}: [late] and [extensions] need a [due] with a time in it.")
    return Terms(due, rule, extensions) if due else None


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _require_zone(path: str, name: str, when: object) -> datetime:
    if not isinstance(when, datetime) or when.tzinfo is None:
        raise WrongUse(
            f"{path}: {name} needs a time with its offset, like 2026-03-01T12:00:00+01:00."
        )
    return when


def format_due_date(when: object) -> str:
    """Format a due date for learners; a text stays as it is."""
    return f"{when:%A, %d %B %Y, %H:%M %Z}" if isinstance(when, datetime) else str(when)


def read_time_lists(
    paths: Iterable[str], zone: tzinfo | None, names: Mapping[str, str]
) -> dict[str, datetime]:
    """Read learner → time of submission from files, and print which zone they are read in.

    Raises:
        WrongUse: a list cannot be read, or a row has no valid time.
    """
    found: dict[str, datetime] = {}
    for path in paths:
        found |= read_times(untrusted_files.read_named(path), names, zone)
        if zone is not None:
            print(f"Times in {path} that name no zone are read in {zone}.", file=sys.stderr)
    return found


def read_times(
    text: str, names: Mapping[str, str], zone: tzinfo | None = timezone.utc
) -> dict[str, datetime]:
    """Read learner → time of submission from a platform's list.

    Args:
        text: CSV with the columns `learner` and `time`, or Moodle's grading worksheet.
        names: name in the list → learner here.
        zone: of the times that name none.

    Raises:
        WrongUse: these columns are missing, or a time is invalid.
    """
    columns, rows = read_columns(text)
    who = WHO if WHO in columns else "Identifier"
    when = WHEN if WHEN in columns else MOODLE_WHEN
    if who not in columns or when not in columns:
        who, rows = BY_NUMBER, number_rows(columns, rows)
        when = locate_times(columns, rows) if rows and who in rows[0] else ""
    if not when:
        raise WrongUse(
            f"--times needs the columns {WHO} and {WHEN}, or Moodle's grading worksheet."
        )
    came = [row for row in rows if row[when].strip("-")]
    learners = _name_rows(came, who, names)
    return {name: parse_time(row[when], zone) for name, row in zip(learners, came, strict=True)}


def _name_rows(rows: list[dict[str, str]], who: str, names: Mapping[str, str]) -> list[str]:
    """Return each row's learner: by its cell `who`, else by a name or mail address beside it that
    no other row has; else the cell. A team's download has no number of its members."""
    sure = [find_learner(row[who], names) for row in rows]
    beside = [
        name or next(filter(None, (find_learner(cell, names) for cell in row.values())), None)
        for name, row in zip(sure, rows, strict=True)
    ]
    count = Counter(beside)
    each = zip(sure, beside, rows, strict=True)
    return [by or (other if other and count[other] == 1 else row[who]) for by, other, row in each]


def parse_time(text: str, zone: tzinfo | None = timezone.utc) -> datetime:
    """Parse a platform's time.

    Raises:
        WrongUse: it is no time, or its zone is not known.
    """
    text = UTC.sub("+00:00", text)
    found = None
    for read in READERS:
        with suppress(ValueError):
            found = found or read(text)
    if found is None:
        raise WrongUse(
            f"{text} is no time. Write it like 2026-03-01T12:00:00+01:00; if Moodle wrote it, "
            "download the worksheet in English."
        )
    if found.tzinfo is None and zone is None:
        raise WrongUse(
            f"{text} names no zone, and the due dates are in several. Say it: --timezone "
            "Europe/Berlin."
        )
    return found if found.tzinfo else found.replace(tzinfo=zone)


def find_zone(name: str) -> tzinfo:
    """Return a time zone by its name: ``Europe/Berlin``.

    Raises:
        WrongUse: there is none.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        raise WrongUse(
            f"There is no time zone {name}. Write it like Europe/Berlin or UTC."
        ) from error


def apply_terms(
    record: Record, terms: Terms | None, came: datetime | None, grants: Grants | None = None
) -> Record:
    """Return the record with its time, its penalties (`late`: chapter → hours and factor) and its
    grants applied to the marks; earlier ones are dropped."""
    bare = record.copy()
    bare.pop("came", None)
    bare.pop("late", None)
    bare.pop("granted", None)
    bare.pop("remarks", None)
    if own := (grants or {}).get(record.get("whose") or record["learner"]):
        bare["granted"], bare["remarks"] = own, bare["says"]
        bare["says"] = " ".join(filter(None, (bare["says"], *describe_grants(own))))
    if bare["result"] is None:
        return bare
    if came is not None:
        bare["came"] = came.isoformat()
    if late := _late(bare, terms, came) if terms and came else {}:
        bare["late"] = late
    return compute_marks(bare, bare["policy"])


def _late(record: JudgedRecord, terms: Terms, came: datetime) -> dict[str, dict[str, float]]:
    found = {}
    for chapter in record["result"]["chapters"]:
        due = terms.due_for(record.get("whose") or record["learner"], chapter["id"])
        factor = terms.rule.factor(came - due) if due else 1.0
        if due and factor < 1:
            hours = round((came - due).total_seconds() / 3600, 2)
            found[chapter["id"]] = {"hours": hours, "factor": round(factor, 4)}
    return found


ATTEMPTS = ("each", "last", "best")


class Attempt(TypedDict):
    """The fields that decide which attempt of a learner counts."""

    learner: str
    whose: str
    mark: float | None
    came: str | None


def choose_attempts(records: Iterable[Attempt], rule: str) -> dict[str, bool]:
    """Return row → whether it is the attempt that counts: ``last`` by the platform's time, ``best``
    by the mark; with ``each`` all count.

    Raises:
        WrongUse: ``last``, and a learner has an attempt without a time.
    """
    by_who: dict[str, list[Attempt]] = {}
    for record in records:
        by_who.setdefault(record["whose"] or record["learner"], []).append(record)
    found: dict[str, bool] = {}
    for who, each in by_who.items():
        if rule == "last" and len(each) > 1 and not all(r["came"] for r in each):
            raise WrongUse(
                f"{who} handed in {len(each)} times, and which was last is not known: --times FILE "
                f"has to name each, {' and '.join(r['learner'] for r in each)}."
            )
        best = max(each, key=_last if rule == "last" else _best) if rule != "each" else None
        found |= {r["learner"]: best is None or r is best for r in each}
    return found


def refuse_unknown_last(handins: Iterable[HandIn], times: Mapping[str, datetime]) -> None:
    """Refuse, before judging, attempts of which the last cannot be told.

    Raises:
        WrongUse: a learner has several attempts, and one has no time.
    """
    came = {name: when.isoformat() for name, when in times.items()}
    each: list[Attempt] = [
        {"learner": h.learner, "whose": h.whose, "came": came.get(h.learner), "mark": None}
        for h in handins
    ]
    choose_attempts(each, "last")


def _last(record: Attempt) -> float:
    return datetime.fromisoformat(record["came"]).timestamp() if record["came"] else 0.0


def _best(record: Attempt) -> tuple[float, float]:
    return (-1.0 if record["mark"] is None else record["mark"], _last(record))
