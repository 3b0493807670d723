"""Before nbgrader reads a submission: what it cannot read is set aside, with a word why, and the
time at which it came in is settled.

Left alone, one notebook of an old format ends the whole run, and one that is damaged leaves no
trace but a mark of 0. And nbgrader copies what a link leads to, a neighbour's work or the staff's,
as if it had been handed in. It swallows what a hook raises, so this one says its own errors.

nbgrader believes `timestamp.txt`, which its exchange writes into a submission, and which whoever
hands in can write as well. A log, `times.csv` beside `nbgrader_config.py`, counts before it.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import parse_utc

from ...course.package import NAME, SECOND_NAME, Flaw, Unfit, python_files, safe_bytes
from ...errors import WrongUse
from ...learner import outside
from ...learner.notebook_source import STANDS_IN, cells
from ..arrival import NOTEBOOK
from ..files import open_for
from ..limited_call import OutOfBounds, limited_call
from ..roster import read_columns
from ..submission import ASIDE, notebook_bytes

# In a notebook's metadata:
CRASHED = "grader_crashed"  # why it stands in for another
HANDED_IN = "grader_handed_in"  # when it came in, and by whose word

NOT_FOLLOWED = "links are not followed. Hand in a copy of what is yours."
ALONE = "A package was handed in without a notebook. The marks below are those of the package."


def learners_files(course: str) -> dict[str, list[str]]:
    """Assignment → the files beside its notebook that learners may write to."""
    source = os.path.join(course, "source")
    names = sorted(os.listdir(source)) if os.path.isdir(source) else []
    packages = {name: os.path.join(source, name, NAME) for name in names}
    return {
        name: [f"{NAME}/{inner}" for inner, _ in python_files(folder)]
        for name, folder in packages.items()
        if os.path.isdir(folder)
    }


def packages_alone(course: str) -> None:
    """Put a notebook beside each package that was handed in without one.

    nbgrader marks what holds a notebook. This one holds nothing: `RestoreCells` puts the cells
    that carry points back in, and the package is judged.
    """
    for assignment in learners_files(course):
        submitted = os.path.join(course, "submitted")
        for learner in sorted(os.listdir(submitted)) if os.path.isdir(submitted) else ():
            place = os.path.join(submitted, learner, assignment)
            if any(map(os.path.islink, (os.path.dirname(place), place, os.path.join(place, NAME)))):
                continue
            names = os.listdir(place) if os.path.isdir(place) else []
            if NAME in names and not any(name.endswith(NOTEBOOK) for name in names):
                # Where that cannot be written, nbgrader passes over it, and says so.
                with suppress(OSError):
                    stand_in = _as_stand_in(ALONE, STANDS_IN)
                    Path(place, f"{assignment}{NOTEBOOK}").write_text(stand_in, encoding="utf-8")


def mend_submissions(notebooks: list[str], **names: str) -> None:
    """Mend, or set aside, what nbgrader must not read of one submission."""
    for folder in dict.fromkeys(map(os.path.dirname, notebooks)):
        try:
            without_links(folder, [os.path.basename(path) for path in notebooks])
            mend_time(folder)
        except (OSError, WrongUse) as error:
            says = getattr(error, "strerror", None) or error
            print(f"{folder} could not be mended: {says}", file=sys.stderr)
            # nbgrader would go on, copy what is linked, and believe any time.
            raise SystemExit(2) from error
    _as_stand_in("")  # what it loads, no fork has to load
    for path in notebooks:
        try:
            mend(path)
        except OSError as error:
            print(f"{path} could not be mended: {error.strerror}.", file=sys.stderr)


def without_links(folder: str, notebooks: list[str]) -> None:
    """Take the links out of a submission; a folder that is one itself becomes one that crashed."""
    for path in (os.path.dirname(folder), folder):
        if os.path.islink(path):
            says = f"{os.path.basename(path)} was a link to {os.readlink(path)}; {NOT_FOLLOWED}"
            print(f"{folder}: {says}", file=sys.stderr)
            os.unlink(path)
            os.makedirs(folder)
            for name in notebooks:
                Path(folder, name).write_text(_as_stand_in(says), encoding="utf-8")
            return
    for base, folders, names in os.walk(folder):
        for path in (os.path.join(base, name) for name in [*folders, *names]):
            if os.path.islink(path) and not path.endswith(NOTEBOOK):
                says = f"it was a link to {os.readlink(path)}; {NOT_FOLLOWED}"
                os.unlink(path)
                Path(f"{path}{ASIDE}").write_text(f"{says}\n", encoding="utf-8")
                print(f"{path}: {says}", file=sys.stderr)
            elif _has_second_name(path):
                os.replace(path, f"{path}{ASIDE}")
                print(f"{path} is set aside: {SECOND_NAME}", file=sys.stderr)


def _has_second_name(path: str) -> bool:
    try:
        safe_bytes(path, 0)
    except Unfit as error:
        return error.flaw is Flaw.SECOND_NAME
    return False


def mend_time(folder: str) -> None:
    """Leave in `timestamp.txt`, which nbgrader goes by, what the platform's log says.

    Where no log speaks of the submission, its own word stays, and is said to be that. One that
    names no time is set aside: nbgrader would drop the submission.
    """
    path = os.path.join(folder, TIME)
    came = arrival(folder)
    if came is not None and not came.is_logged:
        print(f"{folder}: {came}; a log counts, as {LOG} beside the settings.", file=sys.stderr)
        return
    if os.path.lexists(path):
        os.replace(path, f"{path}{ASIDE}")
        if came is None:
            says = "names no time; it is set aside, and nobody is late by it."
            print(f"{path} {says}", file=sys.stderr)
    if came is not None:
        Path(path).write_text(f"{came.when:%Y-%m-%d %H:%M:%S} UTC\n", encoding="utf-8")


def mend(path: str) -> None:
    """Leave a notebook that nbgrader can read; the one that was handed in is kept beside it."""
    try:
        text = limited_call(partial(_mended, path))
    except OutOfBounds as error:
        text = _as_stand_in(f"{os.path.basename(path)} is not read: {error}")
    if text:
        beside = f"{path}.{os.getpid()}"
        with open(open_for("staff", beside, os.O_WRONLY), "wb") as file:
            file.write(text.encode())
        os.replace(path, f"{path}{ASIDE}")
        os.replace(beside, path)


def _mended(path: str) -> str:
    """What takes a notebook's place; empty where it can stay."""
    name = os.path.basename(path)
    try:
        data = notebook_bytes(path)
        cells(data, name)
        notebook = nbformat.reads(data.decode("utf-8-sig"), as_version=4)
        nbformat.validate(notebook)
        if json.loads(data)["nbformat"] == 4 and not any(map(_strange, notebook.cells)):
            return ""
        for cell in notebook.cells:
            if _strange(cell):
                del cell.metadata["nbgrader"]
    except WrongUse as error:
        return _as_stand_in(str(error))
    except Exception as error:  # whatever nbformat makes of it: this submission is set aside
        says = f"{name} is no valid notebook ({type(error).__name__})."
        return _as_stand_in(f"{says} Open it in Jupyter, save it, and hand it in again.")
    return str(nbformat.writes(notebook, version=4))


def _as_stand_in(says: str, kind: str = CRASHED) -> str:
    """An empty notebook that says what happened; the cells that carry points are put back in."""
    said = f"**This submission crashed.** {says}" if kind == CRASHED else says
    cell = nbformat.v4.new_markdown_cell(said, id="says")
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={kind: says})
    return str(nbformat.writes(notebook, version=4))


def _strange(cell: NotebookNode) -> bool:
    """Whether a cell's nbgrader metadata is of another version, or nothing of the kind."""
    tag = cell.metadata.get("nbgrader", {"schema_version": 3})
    return not isinstance(tag, dict) or (bool(tag) and tag.get("schema_version") != 3)


# ---- when it came in -------------------------------------------------------------------

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

    Without a log, the one beside the course's settings is asked, if it is there.

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

    Raises:
        WrongUse: it cannot be read, or a row names no time.
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
