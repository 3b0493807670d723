"""Build the canonical result, `grader-result/1`, from which every report and export is written.

Its JSON Schema is `grader/classroom/schemas/grader-result-1.schema.json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from .about import COURSE
from .arrays import Array, index_of
from .course.compare import DATA, LABELS, sample_in_words
from .course.key_file import ChapterKey
from .course.outline import chapter_of
from .grade_package import Grading
from .judge.judge import CheckVerdict, ExerciseVerdict
from .reason import Reason, because
from .sandbox.isolation import LEVELS, level, missing
from .sandbox.launch import numpy_version
from .sandbox.observation import Definition, line_number
from .verdict import GIVEN, WRONG

if TYPE_CHECKING:
    from .result_rows import (
        ChapterResult,
        CheckResult,
        ExerciseResult,
        Expected,
        IsolationResult,
        Named,
        Result,
        Said,
        ShownNumbers,
        Unloadable,
    )

SCHEMA = "grader-result/1"
BEFORE_AND_AFTER = {"yours": "after the call", "reference": "before the call"}
MEASURED = ("inferred:factor", "inferred:offset")  # facts that quote a number of learner code's
CELL = "@cell "  # begins a location that lies in an answer cell of a notebook
WITHOUT_SCRIPT = ("guess", "cost")  # comparisons that no script can show
NEAR = 1e-5  # relative: a nearer value is hardly the wrong one
MOST_VALUES = 64  # arrays larger than this are described instead of listed


def result(grading: Grading, verdicts: dict[str, ExerciseVerdict]) -> Result:
    """Build the whole result, as plain values."""
    chapters = []
    for name in grading.key.chapters:
        mine = [v for id, v in verdicts.items() if id.startswith(f"{name}.")]
        if mine:
            chapters.append(_chapter(grading, grading.key.chapter(name), mine))
    table = grading.key.table
    return {
        "schema": SCHEMA,
        "package": {"path": grading.package.folder, "sha256": grading.package.sha256},
        "isolation": _isolation(grading.protections),
        "oracles": {"numpy": numpy_version(), "torch": table["torch"]},
        "score": _round(sum(c["score"] for c in chapters)),
        "max_score": _round(sum(c["max_score"] for c in chapters)),
        "unloadable": _unloadable(verdicts),
        "chapters": chapters,
    }


def _unloadable(verdicts: Mapping[str, ExerciseVerdict]) -> list[Unloadable]:
    """List each failed import once, with the exercises that could not be judged."""
    found: dict[tuple[str, str | None], list[str]] = {}
    for id, verdict in verdicts.items():
        if verdict.unloadable is not None:
            texts = verdict.unloadable.texts
            place = f"{texts['file']}:{texts['line']}" if texts.get("file") else None
            found.setdefault((verdict.says, place), []).append(id)
    return [
        {"message": says, "location": place, "exercises": ids}
        for (says, place), ids in found.items()
    ]


def _isolation(protections: list[str] | None) -> IsolationResult:
    """Return the isolation level of all workers, its protections, and those that are missing."""
    if protections is None:  # nothing had to be run
        return {"level": LEVELS[0], "protections": [], "missing": []}
    held = level(protections)
    return {"level": held, "protections": protections, "missing": missing(protections)}


def iter_exercises(result: Result) -> list[ExerciseResult]:
    """Return every exercise of a result."""
    return [exercise for chapter in result["chapters"] for exercise in chapter["exercises"]]


def is_all_lost(result: Result) -> bool:
    """Whether an import failed, and no exercise could be judged."""
    lost = {id for cause in result["unloadable"] for id in cause["exercises"]}
    judged = (e for e in iter_exercises(result) if e["status"] != GIVEN)
    return bool(lost) and all(e["id"] in lost for e in judged)


def iter_checks(result: Result) -> list[CheckResult]:
    """Return every check of a result."""
    return [check for exercise in iter_exercises(result) for check in exercise["checks"]]


def _chapter(
    grading: Grading, chapter: ChapterKey, verdicts: list[ExerciseVerdict]
) -> ChapterResult:
    return {
        "id": chapter.id,
        "title": chapter.title,
        "score": _round(sum(v.score for v in verdicts)),
        "max_score": _round(sum(v.max_score for v in verdicts)),
        "exercises": [_exercise(grading, chapter, verdict) for verdict in verdicts],
    }


def _exercise(grading: Grading, chapter: ChapterKey, verdict: ExerciseVerdict) -> ExerciseResult:
    return {
        "id": verdict.id,
        "section": verdict.exercise["section"],
        "title": verdict.exercise["title"],
        "status": verdict.status,
        "score": _round(verdict.score),
        "max_score": _round(verdict.max_score),
        "blocked_by": verdict.blocked_by,
        "checks": [_check(grading, chapter, verdict, check) for check in verdict.checks],
    }


def _check(
    grading: Grading, chapter: ChapterKey, verdict: ExerciseVerdict, check: CheckVerdict
) -> CheckResult:
    wrong = check.status in WRONG
    location = _location(grading, verdict, check) if wrong else None
    shown: ShownNumbers = _arrays(grading, chapter, verdict, check) if wrong else {}
    said = _said(grading, chapter, check, location)
    row: CheckResult = {
        "id": check.check["id"],
        "title": check.check["title"],
        "status": check.status,
        "score": _round(verdict.points(check)),
        "max_score": _round(verdict.worth(check)),
        "hidden": check.check["hidden"],
        "message": _message(said),
        "reason": said["reason"],
        "call": said["call"],
        "inputs": said["inputs"],
        "notes": said["notes"],
        "place": said["place"],
        "mistake": _mistake(verdict.mistakes or check.inferred) if wrong else None,
        "location": location,
        "yours": shown.get("yours"),
        "expected": shown.get("expected") or hide_answers(),
    }
    if "labels" in shown:
        row["labels"] = shown["labels"]
    if wrong and check.check["compare"] in WITHOUT_SCRIPT:
        row["repro"] = False
    return row


def hide_answers() -> Expected:
    """Return the oracles' values of a check that shows none."""
    return cast("Expected", dict.fromkeys(LABELS))


def hide_inputs(check: CheckResult, says: str) -> CheckResult:
    """Return a hidden check without inputs and answers: this sentence, and the diagnosis."""
    said = say_only(because("hidden", says) if says else None)
    unshown: ShownNumbers = {"yours": None, "expected": hide_answers()}
    return {**without_place(check), "message": says, **said, **unshown}


def say_only(reason: Reason | None) -> Said:
    """Return what is said of a check of which no call is shown."""
    named = _named(reason) if reason is not None else None
    return {"reason": named, "call": "", "inputs": {}, "notes": [], "place": None}


def without_place(check: CheckResult) -> CheckResult:
    """Drop what code could choose by a hidden input, to leak it: its line, a factor of numbers.

    Named mistakes and inferred facts without a number stay: there are too few to leak much.
    """
    named = check["mistake"]
    told = named is not None and not any(fact in named["name"] for fact in MEASURED)
    return {**check, "location": None, "place": None, "mistake": named if told else None}


def _said(grading: Grading, chapter: ChapterKey, check: CheckVerdict, location: str | None) -> Said:
    """Return what is said of a check, field by field."""
    said = say_only(check.reason)
    if check.probe is None or check.status not in WRONG:
        return said
    notes, place = list(check.notes), None
    if check.outcome is not None and check.outcome.file:
        file, line = check.outcome.file, check.outcome.line
        place = f"{file}:{line}" if is_a_line(grading.package.files, file, line) else None
        if place is not None and place != location:
            caller = "" if location is None else f", reached from {spell_place(location)}"
            notes.append(f"It was raised in {spell_place(place)}{caller}.")
    call = chapter.probes[check.probe]["call"]
    inputs = _inputs(chapter, check.probe)
    return {**said, "call": call, "inputs": inputs, "notes": notes, "place": place}


def _named(reason: Reason) -> Named:
    return {"name": reason.kind, "says": reason.says}


def _message(said: Said) -> str:
    """Make one text of what is said of a check."""
    rows = [said["call"]] if said["call"] else []
    rows += (f"{name} = {value}" for name, value in said["inputs"].items())
    rows += [said["reason"]["says"] if said["reason"] else ""]
    return "\n".join([*rows, *(["", *said["notes"]] if said["notes"] else [])])


def spell_place(location: str) -> str:
    """Spell out a place: ``ops.py:93`` is ``PACKAGE/ops.py, line 93``."""
    file, _, line = location.rpartition(":")
    if file.startswith(CELL):
        return f'the cell of "{file.removeprefix(CELL)}", line {line}'
    return f"{COURSE.name}/{file}, line {line}"


def is_a_line(files: Mapping[str, bytes], file: str, line: int) -> bool:
    """Whether the package has this line.

    Places come from the worker, and could carry hidden inputs: in an invented file name, or a line
    number of eight digits.
    """
    return file in files and 0 < line <= files[file].count(b"\n") + 1


def _inputs(chapter: ChapterKey, probe: int) -> dict[str, object]:
    shown = ((name, chapter.array(number)) for name, number in chapter.probes[probe]["shown"])
    return {name: _read_out(list_array(each), each.dtype) for name, each in shown}


def _read_out(value: object, dtype: str) -> object:
    """Round the floats of a nested list to what people read: -0.3700000000000001 is -0.37."""
    if isinstance(value, list):
        return [_read_out(item, dtype) for item in value]
    digits = 7 if dtype == "float32" else 12
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def _mistake(found: list[tuple[str, str]]) -> Named | None:
    """Return the one mistake that fits, or all that fit, as candidates; None without any."""
    if not found:
        return None
    if len(found) == 1:
        name, says = found[0]
        return {"name": name, "says": says}
    says = " Or: ".join(says for _, says in found)
    return {"name": " | ".join(name for name, _ in found), "says": f"One of these: {says}"}


def _location(grading: Grading, verdict: ExerciseVerdict, check: CheckVerdict) -> str | None:
    """Return FILE:LINE in the learner's files: where it raised, else where the target begins.

    Of a traceback's frames the innermost one in the exercise itself counts: the functions that it
    calls may be given, and right.
    """
    if verdict.unloadable is not None:
        return None
    mine = [d for t in verdict.exercise["targets"] if (d := grading.definitions.get(t))]
    if check.outcome is not None and check.outcome.file:
        raised = f"{check.outcome.file}:{check.outcome.line}"
        return next(filter(_inside(mine), _trail(grading, verdict, check)), raised)
    return f"{mine[0].file}:{mine[0].first}" if mine else None


def _trail(grading: Grading, verdict: ExerciseVerdict, check: CheckVerdict) -> list[str]:
    """Return FILE:LINE of every frame of the traceback in the learner's files, innermost first."""
    chapter = chapter_of(verdict.id)
    if check.probe is None:
        return []
    return grading.observations[chapter][check.probe].texts.get("trail", "").splitlines()


def _inside(mine: list[Definition]) -> Callable[[str], bool]:
    """Return a predicate: whether a place lies in one of these definitions."""

    def inside(place: str) -> bool:
        file, _, line = place.rpartition(":")
        return any(d.file == file and d.first <= line_number(line) <= d.last for d in mine)

    return inside


def _arrays(
    grading: Grading, chapter: ChapterKey, verdict: ExerciseVerdict, check: CheckVerdict
) -> ShownNumbers:
    """Return the returned value and each oracle's, for the first wrong array."""
    if check.probe is None or check.outcome is None or check.outcome.which is None:
        return {}
    which, part = check.outcome.which, check.check["part"]
    answers = chapter.probes[check.probe]["answers"]
    as_text = check.check["compare"] in ("text", DATA)
    told = check.check["compare"] != "guess"  # the answer to a prediction is not told

    def said(oracle: str) -> object:
        if not told or part not in answers.get(oracle, ()):
            return None
        return listed(chapter.array(answers[oracle][part][which]))

    def listed(array: Array) -> object:
        if check.check["compare"] == "sample":
            return sample_in_words(array)
        return list_array(array, as_text, at)

    yours = grading.observations[chapter.id][check.probe].parts[part][which]
    right = answers.get("reference", {}).get(part)
    at = _first_difference(yours, chapter.array(right[which])) if right else 0
    if part == "inputs":  # these are the call's own inputs: no oracle has computed them
        expected: Expected = {**hide_answers(), "reference": said("reference")}
        return {"yours": list_array(yours, at=at), "expected": expected, "labels": BEFORE_AND_AFTER}
    return {
        "yours": listed(yours),
        "expected": cast("Expected", {name: said(name) for name in LABELS}),
    }


def _first_difference(yours: Array, right: Array) -> int:
    """Return the flat index of the first wrong value; 0 if there is none, or shapes differ."""
    pairs = zip(yours.values(), right.values(), strict=False)
    apart = (n for n, pair in enumerate(pairs) if not math.isclose(*pair, rel_tol=NEAR))
    return next(apart, 0) if yours.shape == right.shape else 0


def list_array(array: Array, as_text: bool = False, at: int = 0) -> object:
    """Convert an array to nested lists, or to text; a large one to words, from ``at`` on."""
    if as_text and array.dtype == "uint8":
        return array.text()
    values = array.values()
    if len(values) > MOST_VALUES:
        head = ", ".join(f"{value:.6g}" for value in values[at : at + 4])
        place = f", from {index_of(array.shape, at)} on" if at else ""
        return f"{array.dtype} array of shape {array.shape}{place}: {head}, …"
    return _json_safe(array.nested())


def _json_safe(value: object) -> object:
    """Replace NaN and infinities by words: JSON has no numbers for them."""
    if isinstance(value, list):
        return [_json_safe(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value


def _round(value: float) -> float:
    return round(value, 4)
