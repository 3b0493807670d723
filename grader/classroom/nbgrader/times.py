"""When a submission came in: by a log of the platform, else by the word of its own file.

nbgrader believes `timestamp.txt`, which its exchange writes into a submission, and which whoever
hands in can write as well. A log, `times.csv` beside `nbgrader_config.py`, counts before it.
"""

from __future__ import annotations

import csv
import os
from datetime import datetime
from functools import cache
from typing import NamedTuple

from nbgrader.utils import parse_utc

from ...course import outside
from ...course.package import Unfit, safe_bytes
from ...errors import WrongUse
from ..roster import read_columns

TIME = "timestamp.txt"  # in a submission
LOG = "times.csv"
ITS_WORD = f"its own {TIME}, which its learner can write"


class Arrival(NamedTuple):
    """When a submission came in, in UTC, and who says so."""

    when: datetime
    by: str

    @property
    def is_logged(self) -> bool:
        return self.by != ITS_WORD

    def __str__(self) -> str:
        return f"handed in {self.when:%Y-%m-%d %H:%M:%S} UTC, by {self.by}"


def arrival(folder: str, log: str = "") -> Arrival | None:
    """When the submission in COURSE/…/LEARNER/ASSIGNMENT came in; None where nobody says so.

    Args:
        log: the platform's log; empty for the one beside the course's settings, if it is there.

    Raises:
        WrongUse: the log cannot be read.
    """
    above, assignment = os.path.split(os.path.abspath(folder))
    above, learner = os.path.split(above)
    beside = os.path.join(os.path.dirname(above), LOG)
    log = log or (beside if os.path.exists(beside) else "")
    logged = _logged(log, _stamp(log), assignment).get(learner) if log else None
    if logged is not None:
        return Arrival(logged, os.path.basename(log))
    told = time_in(os.path.join(folder, TIME))
    return None if told is None else Arrival(told, ITS_WORD)


def _stamp(log: str) -> int:
    """Changes when the log does; 0 where it cannot be looked at, which reading it will tell."""
    try:
        return os.stat(log).st_mtime_ns
    except OSError:
        return 0


@cache
def _logged(log: str, stamp: int, assignment: str) -> dict[str, datetime]:
    """`times_in`, read once for a class and not for each of its learners."""
    return times_in(log, assignment)


def times_in(path: str, assignment: str = "") -> dict[str, datetime]:
    """Learner → when they handed in, from a platform's own log.

    Args:
        path: a CSV with the columns `learner` and `time`; one `assignment` may say for which.
        assignment: the one that is asked for; empty where the log holds one only.
    """
    try:
        _, rows = read_columns(outside.read_text(path))
        mine = [row for row in rows if (row.get("assignment") or assignment) == assignment]
        return {row["learner"]: parse_utc(row["time"].replace(" ", "T", 1)) for row in mine}
    except KeyError as error:
        raise WrongUse(
            f"{path} has no column {error.args[0]}: learner and time are asked for."
        ) from error
    except (Unfit, csv.Error, ValueError, OverflowError, TypeError, AttributeError) as error:
        says = str(error).rstrip(".")
        raise WrongUse(f"{path} cannot be read as a log of times: {says}.") from error


def time_in(path: str) -> datetime | None:
    """The time that a file names, in UTC; None where it names none."""
    try:
        found: datetime = parse_utc(safe_bytes(path).decode()[:100].strip())
        return found
    except (Unfit, ValueError, OverflowError, TypeError):
        return None
