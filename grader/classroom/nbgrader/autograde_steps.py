"""Steps of `nbgrader autograde`: when it came in, put back what is missing, judge the answers.

No kernel runs. `JudgeAnswers` takes the place of nbgrader's `Execute`: it reads the answers as
text, has the package that they make judged in the worker, and writes into every tests cell what
`check(...)` there would have shown, and as the cell's result the points, a Python float.

nbgrader believes `timestamp.txt`, which its exchange writes into a submission, and which whoever
hands in can write as well. A log, `times.csv` beside `nbgrader_config.py`, counts before it.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook, Notebook, SourceCell
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import parse_utc
from traitlets import Bool, Enum, Unicode

from ...course.package import NAME, Package, Unfit, safe_bytes
from ...errors import WrongUse
from ...learner import outside
from ...learner.notebook_report import sentence
from ...learner.notebook_source import STANDS_IN, Cell, Tag
from ...sandbox.isolation import FOR_MARKS, LEVELS
from ..handed_out import came_solved, of_releases
from ..marks import CAME_SOLVED
from ..roster import read_columns
from ..submission import has_work, of_cells, package_files, within_bounds
from . import cell_marks as book
from .cell_marks import Mark

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


def without_ours(
    found: Mapping[str, Mark], bench: book.Bench, package: Package, course: str
) -> dict[str, Mark]:
    """Test cell → its mark, where what `release/` of this course holds solved earns nothing."""
    ours = set(came_solved(package.files, _solved(course), bench.key.table["targets"]))
    cells = {cell for cell in found if cell in bench.by_cell and bench.by_cell[cell].id in ours}
    nothing = sentence(CAME_SOLVED)
    return {
        cell: Mark(0.0, mark.max_score, CAME_SOLVED, nothing) if cell in cells else mark
        for cell, mark in found.items()
    }


@cache
def _solved(course: str) -> dict[str, list[str]]:
    """What was handed out solved; nothing where there is no release yet."""
    try:
        return of_releases([course]).solved if os.path.isdir(course) else {}
    except WrongUse:
        return {}


Resources = dict[str, Any]  # what nbconvert's steps tell each other
Processed = tuple[NotebookNode, Resources]

# In a notebook's metadata:
CRASHED = "grader_crashed"  # why it stands in for another
HANDED_IN = "grader_handed_in"  # when it came in, and by whose word


class RestoreCells(OverwriteCells):  # type: ignore[misc]
    """Gives every cell that nbgrader knows its own metadata, and adds those that were deleted."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        names = resources["nbgrader"]["notebook"], resources["nbgrader"]["assignment"]
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(*names)
            tags = {cell.name: _tag(notebook, cell) for cell in notebook.source_cells}
            order = [cell.name for cell in notebook.source_cells]
            _retag(nb, tags)
            for at, cell in enumerate(notebook.source_cells):
                tag = tags[cell.name]
                if (tag["grade"] or tag["task"]) and _index(nb, cell.name) is None:
                    self.log.warning("Cell %s was deleted; it is put back", cell.name)
                    nb.cells.insert(_after(nb, order[:at]), self._again(cell, tag))
        done: Processed = super().preprocess(nb, resources)
        return done

    def _again(self, cell: SourceCell, tag: Tag) -> NotebookNode:
        new = self.missing_cell_transform(
            cell, tag.get("points", 0), is_solution=tag["solution"], is_task=tag["task"]
        )
        new["id"] = cell.name[:64]
        new["metadata"]["nbgrader"] = tag
        return NotebookNode(from_dict(new))


def _tag(notebook: Notebook, cell: SourceCell) -> Tag:
    """nbgrader's metadata of a cell, from the gradebook alone."""
    graded = {c.name: c for c in notebook.grade_cells}
    tasks = {c.name: c for c in notebook.task_cells}
    tag: Tag = {
        "schema_version": 3,
        "grade_id": cell.name,
        "grade": cell.name in graded,
        "solution": cell.name in {c.name for c in notebook.solution_cells},
        "task": cell.name in tasks,
        "locked": cell.locked,
        "cell_type": cell.cell_type,
        "checksum": cell.checksum,
    }
    worth = graded.get(cell.name) or tasks.get(cell.name)
    return tag if worth is None else {**tag, "points": worth.max_score}


def _retag(nb: NotebookNode, tags: dict[str, Tag]) -> None:
    """The last cell of a name keeps it; what has an unknown name, or an earlier copy, loses it."""
    free = dict(tags)
    for cell in reversed(nb.cells):
        old = cell.metadata.pop("nbgrader", None)
        tag = free.pop(str(old.get("grade_id")), None) if isinstance(old, dict) else None
        if tag is not None:
            cell.metadata["nbgrader"] = from_dict(tag)


def _index(nb: NotebookNode, name: str) -> int | None:
    for at, cell in enumerate(nb.cells):
        if cell.metadata.get("nbgrader", {}).get("grade_id") == name:
            return at
    return None


def _after(nb: NotebookNode, before: list[str]) -> int:
    """Where a cell belongs that was handed out after these."""
    places = [at for at in (_index(nb, name) for name in before) if at is not None]
    return max(places) + 1 if places else len(nb.cells)


class JudgeAnswers(NbGraderPreprocessor):  # type: ignore[misc]
    """Judges the answers of a notebook, and writes the marks into its tests cells."""

    results = Unicode(
        "", help="A folder of `grader grade`: judge with its class's secret inputs and points."
    ).tag(config=True)
    reveal = Bool(False, help="Whether feedback shows the numbers of hidden checks.").tag(
        config=True
    )

    isolation = Enum(
        LEVELS, default_value=FOR_MARKS, help="Judge with no less isolation: see SECURITY.md."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        code = [cell for cell in nb.cells if cell.cell_type == "code"]
        tests = [cell for cell in code if utils.is_grade(cell) and not utils.is_solution(cell)]
        found, notes = self._marks(nb, tests, resources)
        for note in notes:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], note)
        for cell in tests:
            self._write(cell, found.get(cell.metadata.nbgrader["grade_id"]))
        came = arrival(resources["metadata"]["path"])
        if came is not None:
            nb.metadata[HANDED_IN] = str(came)
        resources["grader"] = {name: mark.comment for name, mark in found.items()}
        return nb, resources

    def _marks(
        self, nb: NotebookNode, tests: list[NotebookNode], resources: Resources
    ) -> tuple[dict[str, Mark], list[str]]:
        judge = book.bench(self.results)
        named = [judge.by_cell.get(cell.metadata.nbgrader["grade_id"]) for cell in tests]
        asked = [exercise for exercise in named if exercise is not None]
        assignment = resources["nbgrader"]["assignment"]
        folder = resources["metadata"]["path"]
        earlier = book.earlier_in(folder)  # nbgrader has put the file of the source folder there
        files, handed_out = package_files(folder), judge.stubs(assignment, earlier)
        broken = nb.metadata.get(CRASHED)
        if broken and not has_work(files, handed_out):
            return book.crashed(asked, broken), [broken]
        mine = () if nb.metadata.get(STANDS_IN) else nb.cells
        cells = [Cell(_code(cell), dict(cell.metadata.get("nbgrader", {}))) for cell in mine]
        wanted = asked if mine and not broken else []
        place = f"{folder}/{NAME}"
        try:
            made, _ = within_bounds(
                assignment, lambda: of_cells(cells, files, handed_out, place, wanted)
            )
        except WrongUse as error:
            return book.crashed(asked, str(error)), [str(error)]
        came_written = judge.given(assignment, earlier)
        found = book.marks(judge, made, asked, came_written, self.reveal, self.isolation)
        course = os.path.abspath(
            os.path.join(folder, *[os.pardir] * 3)
        )  # …/autograded/ANN/chapter3
        return without_ours(found, judge, made.package, course), made.notes

    def _write(self, cell: NotebookNode, mark: Mark | None) -> None:
        """Without an output a tests cell would earn all of its points."""
        if mark is None:
            name = cell.metadata.nbgrader["grade_id"]
            self.log.error("Cell %s is no exercise of this course, and was not run", name)
            says = "This cell is no exercise of the course, so nothing judged it."
            cell.outputs = [new_output("error", ename="NotJudged", evalue=says, traceback=[says])]
            return
        data = {"text/html": mark.shown.rich, "text/plain": mark.shown.plain}
        score = repr(mark.worth(float(cell.metadata.nbgrader["points"])))
        cell.execution_count = 1
        cell.outputs = [
            new_output("display_data", data=data),
            new_output("execute_result", data={"text/plain": score}, execution_count=1),
        ]


def _code(cell: NotebookNode) -> str:
    return str(cell.source) if cell.cell_type == "code" else ""
