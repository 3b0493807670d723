"""Prepare submissions for nbgrader: set unreadable files aside, and settle the submission time.

Otherwise one notebook of an old format would end the whole run, and a damaged one would get a mark
of 0 without a message. nbgrader also copies the targets of links, which may be another's work or
the staff's. It swallows exceptions of hooks, so errors are printed here.

nbgrader trusts `timestamp.txt`, which its exchange writes into a submission, but which a learner
can write too. A log, `times.csv` beside `nbgrader_config.py`, takes precedence.
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
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import parse_utc

from ...course.package import LINK, NAME, SECOND_NAME, BadFile, Flaw, python_files, safe_bytes
from ...errors import WrongUse, one_line, os_safe
from ...learner import untrusted_files
from ...learner.file_writer import write_whole
from ...notebooks.notebook_source import CRASHED, STANDS_IN, Cell
from ..intake.archive_reader import ASIDE, NOTEBOOK, is_notebook, read_notebook_bytes, stand_in_kind
from ..intake.limited_call import OutOfBounds, limited_call
from ..intake.submission import open_hand_in
from ..marks.roster import read_columns
from .assignments import make_tag

HANDED_IN = "grader_handed_in"  # in a notebook's metadata: the time of submission, and its source

NOT_FOLLOWED = "it is not followed. Hand in a copy of what is yours."
WRITTEN = "This was handed in without a notebook that nbgrader reads; here is a copy of its cells."


def learners_files(course: str) -> dict[str, list[str]]:
    """Return assignment → the package's files beside its notebook, which learners edit."""
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

    nbgrader marks only that: no `chapter3-Copy1.ipynb`, no package, no empty folder.
    """
    refuse_markup(course)
    for assignment in learners_files(course):
        for place in sorted(Path(course, "submitted").glob(f"*/{assignment}")):
            path = place / f"{assignment}{NOTEBOOK}"
            # If it cannot be written, nbgrader skips the submission, and says so.
            with suppress(OSError, WrongUse):
                if place.is_dir() and (place.is_symlink() or place.parent.is_symlink()):
                    remove_links(str(place), [path.name])
                elif place.is_dir() and not os.path.lexists(path):
                    repair_notebook(str(path))


MARKUP = re.compile(r'[<>"\\\x00-\x1f\x7f]|&#|&\w+;')
REFUSED = "refused"  # beside `submitted`
WOULD_RUN = "submitted/{}: nbgrader's pages would run this name as markup."


def refuse_markup(course: str) -> None:
    """Move submissions aside whose learner's id nbgrader's pages would take for markup."""
    for place in sorted(Path(course, "submitted").glob("*")):
        if not MARKUP.search(place.name):
            continue
        aside = Path(course, REFUSED, place.name)
        names = chain([aside], (aside.with_name(f"{aside.name} ({n})") for n in count(2)))
        says = WOULD_RUN.format(one_line(place.name))
        try:
            aside.parent.mkdir(exist_ok=True)
            place.rename(next(each for each in names if not os.path.lexists(each)))
        except OSError as error:
            raise SystemExit(f"{says} Rename the folder ({error.strerror}).") from error
        says += f" It is in {REFUSED}/ now. Rename it, and move it back."
        print(says, file=sys.stderr)


def mend_submissions(notebooks: list[str], **names: str) -> None:
    """Mend or set aside files of a submission that nbgrader must not read: its hook."""
    for folder in dict.fromkeys(map(os.path.dirname, notebooks)):
        learner = os.path.basename(os.path.dirname(folder))
        if MARKUP.search(learner):  # it came after the server had read its settings
            raise SystemExit(f"{WOULD_RUN.format(one_line(learner))} Rename the folder.")
        try:
            remove_links(folder, [os.path.basename(path) for path in notebooks])
            settle_time(folder)
        except (OSError, WrongUse) as error:
            says = getattr(error, "strerror", None) or error
            print(f"{folder} could not be mended: {says}", file=sys.stderr)
            # Otherwise nbgrader would go on, copy link targets, and trust any time.
            raise SystemExit(2) from error
        own = os.path.join(folder, f"{os.path.basename(folder)}{NOTEBOOK}")
        if own not in notebooks:
            notebooks.append(own)  # in nbgrader's own list, which it processes next
        notebooks[:] = (path for path in notebooks if os_safe(path) == path)  # for its database
    _as_stand_in("")  # loads modules here once, so that forks need not
    for path in notebooks:
        try:
            repair_notebook(path)
        except (OSError, WrongUse) as error:
            print(f"{path} could not be mended: {error}", file=sys.stderr)


def remove_links(folder: str, notebooks: list[str]) -> None:
    """Remove links from a submission; if its folder is a link, it becomes a crashed submission."""
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
    except BadFile as error:
        return error.flaw is Flaw.SECOND_NAME
    return False


def settle_time(folder: str) -> None:
    """Write the log's time into `timestamp.txt`, which nbgrader uses.

    Without a logged time the submission's own file stays, with a warning. One without a valid time
    is set aside: nbgrader would drop the submission.
    """
    path = os.path.join(folder, TIME)
    came = find_arrival(folder)
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


def repair_notebook(path: str) -> None:
    """Replace a notebook that nbgrader cannot read; the original is kept beside it."""
    try:
        text, is_ours = limited_call(partial(_mended, path))
    except OutOfBounds:
        text, is_ours = _as_stand_in(WRITTEN), False
    if not text:
        return
    aside = f"{path}{ASIDE}"
    if os.path.lexists(path) and not is_ours:
        if os.path.lexists(aside):  # from an earlier submission
            os.rename(aside, f"{aside}.{os.lstat(aside).st_mtime_ns}")
        os.rename(path, aside)
    write_whole(path, text.encode())
    says = "the grader wrote it, for nbgrader to mark; what was handed in stays beside it."
    print(f"{path}: {says}", file=sys.stderr)


def _mended(path: str) -> tuple[str, bool]:
    """Return a notebook's replacement, empty if it can stay, and whether the grader wrote it."""
    folder, name = os.path.split(path)
    is_legible, is_ours = _is_legible(path), stand_in_kind(path) == STANDS_IN
    if is_legible and not is_ours:
        return "", False
    try:
        # The notebook of the assignment's name shows the cells of all notebooks handed in.
        copied = open_hand_in(
            folder if name == f"{os.path.basename(folder)}{NOTEBOOK}" else path
        ).cells
    except WrongUse:
        copied = []
    text = _as_stand_in(WRITTEN, copied)
    if is_ours and (is_legible and not copied or Path(path).read_bytes() == text.encode()):
        return "", True
    return text, is_ours and (is_legible or os.path.lexists(f"{path}{ASIDE}"))


def _is_legible(path: str) -> bool:
    """Whether nbgrader can read and write a notebook."""
    try:
        data = read_notebook_bytes(path)
        notebook = nbformat.reads(data.decode("utf-8"), as_version=4)
        nbformat.validate(notebook)
        nbformat.writes(notebook, version=4).encode("utf-8")
        for cell in notebook.cells:
            MetadataValidator().validate_cell(cell)
        return bool(json.loads(data)["nbformat"] == 4)
    except Exception:  # whatever nbformat raises, nbgrader would run into as well
        return False


def _as_stand_in(says: str, copied: Iterable[Cell] = (), key: str = STANDS_IN) -> str:
    """Write a stand-in notebook with copies of cells; `RestoreCells` adds those with points.

    Equal cells give equal text, so that an unchanged stand-in is not written again.
    """
    made = [new_markdown_cell(says, id="says")]
    for number, cell in enumerate(copied):
        # `RestoreCells` finds a cell by its name, and restores the rest.
        name = str(cell.tag.get("grade_id", ""))
        tag = make_tag(name) if re.fullmatch(r"[A-Za-z0-9_-]+", name) else {}
        about = {"source": cell.text, "id": f"cell-{number}", "metadata": tag}
        made.append(new_code_cell(**about) if cell.source else new_markdown_cell(**about))
    notebook = new_notebook(cells=made, metadata={key: says})
    return str(nbformat.writes(notebook, version=4)).encode("utf-8", "replace").decode()


# ---- the time of submission ------------------------------------------------------------

TIME = "timestamp.txt"  # in a submission
LOG = "times.csv"
ITS_WORD = f"its own {TIME}, which its learner can write"


class Arrival(NamedTuple):
    """The time of a submission, in UTC, and its source."""

    when: datetime
    by: str

    @property
    def is_logged(self) -> bool:
        return self.by != ITS_WORD

    def __str__(self) -> str:
        return f"handed in {self.when:%Y-%m-%d %H:%M:%S} UTC, by {self.by}"


def find_arrival(folder: str, log: str = "") -> Arrival | None:
    """Return the time of the submission in COURSE/…/LEARNER/ASSIGNMENT; None if it is not known.

    Args:
        log: path of a log; by default the one beside the course's settings, if it is there.

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
    told = read_time_file(os.path.join(folder, TIME))
    return None if told is None else Arrival(told, ITS_WORD)


def _stamp(log: str) -> int:
    """Return the log's modification time in ns, to invalidate the cache; 0 if it is missing."""
    try:
        return os.stat(log).st_mtime_ns
    except OSError:
        return 0


@cache
def _logged(log: str, stamp: int, assignment: str) -> dict[str, datetime]:
    """Cache `read_arrival_log`, so that a class's log is read once."""
    return read_arrival_log(log, assignment)


def read_arrival_log(path: str, assignment: str = "") -> dict[str, datetime]:
    """Read learner → time of submission, in UTC, from a platform's log.

    Args:
        path: a CSV with the columns `learner` and `time`, and optionally `assignment`.
        assignment: the wanted one; empty if the log holds only one.

    Raises:
        WrongUse: it cannot be read, or a row has no valid time.
    """
    try:
        _, rows = read_columns(untrusted_files.read_text(path))
        mine = [row for row in rows if (row.get("assignment") or assignment) == assignment]
        return {row["learner"]: parse_utc(row["time"].replace(" ", "T", 1)) for row in mine}
    except KeyError as error:
        raise WrongUse(
            f"{path} has no column {error.args[0]}: learner and time are asked for."
        ) from error
    except (BadFile, csv.Error, ValueError, OverflowError, TypeError, AttributeError) as error:
        says = str(error).rstrip(".")
        raise WrongUse(f"{path} cannot be read as a log of times: {says}.") from error


def read_time_file(path: str) -> datetime | None:
    """Read the time in a file, in UTC; None if it holds none."""
    try:
        found: datetime = parse_utc(safe_bytes(path).decode()[:100].strip())
        return found
    except (BadFile, ValueError, OverflowError, TypeError):
        return None
