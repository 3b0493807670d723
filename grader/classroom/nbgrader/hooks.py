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
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import parse_utc

from ...course.package import LINK, NAME, SECOND_NAME, Flaw, Unfit, python_files, safe_bytes
from ...errors import WrongUse
from ...learner import outside
from ...learner.notebook_source import CRASHED, STANDS_IN, Cell
from ..arrival import ASIDE, NOTEBOOK, is_notebook, stand_in_kind
from ..files import os_safe, write_whole
from ..limited_call import OutOfBounds, limited_call
from ..roster import read_columns
from ..submission import notebook_bytes, opened
from .assignments import make_tag

HANDED_IN = "grader_handed_in"  # in a notebook's metadata: when it came in, and by whose word

NOT_FOLLOWED = "it is not followed. Hand in a copy of what is yours."
WRITTEN = "This was handed in without a notebook that nbgrader reads; here is a copy of its cells."


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
    """Put a notebook into each submission that has none of the assignment's name.

    nbgrader marks nothing else: neither `chapter3-Copy1.ipynb` nor a package, nor an empty folder.
    """
    for assignment in learners_files(course):
        for place in sorted(Path(course, "submitted").glob(f"*/{assignment}")):
            path = place / f"{assignment}{NOTEBOOK}"
            # Where that cannot be written, nbgrader passes over it, and says so.
            with suppress(OSError, WrongUse):
                if place.is_dir() and (place.is_symlink() or place.parent.is_symlink()):
                    without_links(str(place), [path.name])
                elif place.is_dir() and not os.path.lexists(path):
                    mend(str(path))


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
        own = os.path.join(folder, f"{os.path.basename(folder)}{NOTEBOOK}")
        if own not in notebooks:
            notebooks.append(own)  # nbgrader's own list, which it goes on with
        notebooks[:] = (path for path in notebooks if os_safe(path) == path)  # for its database
    _as_stand_in("")  # what it loads, no fork has to load
    for path in notebooks:
        try:
            mend(path)
        except (OSError, WrongUse) as error:
            print(f"{path} could not be mended: {error}", file=sys.stderr)


def without_links(folder: str, notebooks: list[str]) -> None:
    """Take the links out of a submission; a folder that is one itself becomes one that crashed."""
    for path in (os.path.dirname(folder), folder):
        if os.path.islink(path):
            shown = os.path.relpath(path, os.path.join(folder, *[os.pardir] * 3))
            print(f"{shown} was a link to {os.readlink(path)}; {NOT_FOLLOWED}", file=sys.stderr)
            os.unlink(path)
            os.makedirs(folder)
            says = f"{shown} cannot be judged: {LINK}"
            for name in notebooks:
                Path(folder, name).write_text(_as_stand_in(says, key=CRASHED), encoding="utf-8")
            return
    for base, folders, names in os.walk(folder):
        for path in (os.path.join(base, name) for name in [*folders, *names]):
            is_link = os.path.islink(path)
            if is_link or not (os.path.isfile(path) or os.path.isdir(path)):
                what = f"a link to {os.readlink(path)}" if is_link else "no regular file"
                says = f"it was {what}; {NOT_FOLLOWED}"
                os.unlink(path)
                if is_notebook(path):
                    why = LINK if is_link else "it is not a regular file."
                    reason = f"{os.path.basename(path)} is not read: {why}"
                    Path(path).write_text(_as_stand_in(reason, key=CRASHED), encoding="utf-8")
                else:
                    Path(f"{path}{ASIDE}").write_text(f"{says}\n", encoding="utf-8")
                print(f"{path}: {says}", file=sys.stderr)
            elif not (is_notebook(path) or path.endswith(ASIDE)) and _has_second_name(path):
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
        text, is_ours = limited_call(partial(_mended, path))
    except OutOfBounds:
        text, is_ours = _as_stand_in(WRITTEN), False
    if not text:
        return
    aside = f"{path}{ASIDE}"
    if os.path.lexists(path) and not is_ours:
        if os.path.lexists(aside):  # of an earlier hand-in
            os.rename(aside, f"{aside}.{os.lstat(aside).st_mtime_ns}")
        os.rename(path, aside)
    write_whole(path, text.encode())
    says = "the grader wrote it, for nbgrader to mark; what was handed in stays beside it."
    print(f"{path}: {says}", file=sys.stderr)


def _mended(path: str) -> tuple[str, bool]:
    """What takes a notebook's place, empty where it can stay; and whether the grader wrote it."""
    folder, name = os.path.split(path)
    is_legible, is_ours = _is_legible(path), stand_in_kind(path) == STANDS_IN
    if is_legible and not is_ours:
        return "", False
    try:
        # The assignment's own shows all that was handed in, whatever that is called.
        copied = opened(folder if name == f"{os.path.basename(folder)}{NOTEBOOK}" else path).cells
    except WrongUse:
        copied = []
    text = _as_stand_in(WRITTEN, copied)
    if is_ours and (is_legible and not copied or Path(path).read_bytes() == text.encode()):
        return "", True
    return text, is_ours and (is_legible or os.path.lexists(f"{path}{ASIDE}"))


def _is_legible(path: str) -> bool:
    """Whether nbgrader reads, and can write, what lies there."""
    try:
        data = notebook_bytes(path)
        notebook = nbformat.reads(data.decode("utf-8"), as_version=4)
        nbformat.validate(notebook)
        nbformat.writes(notebook, version=4).encode("utf-8")
        for cell in notebook.cells:
            MetadataValidator().validate_cell(cell)
        return bool(json.loads(data)["nbformat"] == 4)
    except Exception:  # whatever nbformat makes of it, nbgrader would make of it, too
        return False


def _as_stand_in(says: str, copied: Iterable[Cell] = (), key: str = STANDS_IN) -> str:
    """A notebook that says what it is, with copies of cells; `RestoreCells` adds those with points.

    The same cells give the same text, so that what stands there already is not written again.
    """
    made = [new_markdown_cell(says, id="says")]
    for number, cell in enumerate(copied):
        # By its name `RestoreCells` knows a cell, and puts back the rest.
        name = str(cell.tag.get("grade_id", ""))
        tag = make_tag(name) if re.fullmatch(r"[A-Za-z0-9_-]+", name) else {}
        about = {"source": cell.text, "id": f"cell-{number}", "metadata": tag}
        made.append(new_code_cell(**about) if cell.source else new_markdown_cell(**about))
    notebook = new_notebook(cells=made, metadata={key: says})
    return str(nbformat.writes(notebook, version=4)).encode("utf-8", "replace").decode()


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
