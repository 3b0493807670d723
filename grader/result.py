"""The canonical result, `grader-result/1`: every report and export is written from it.

Its JSON Schema is `grader/classroom/schemas/grader-result-1.schema.json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .about import COURSE
from .arrays import Array, index_of
from .course.compare import sample_in_words
from .course.key_file import ChapterKey
from .course.outline import chapter_of
from .grade_package import Grading
from .judge.judge import CheckVerdict, ExerciseVerdict
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
        Shown,
        Unloadable,
    )

SCHEMA = "grader-result/1"
BEFORE_AND_AFTER = {"yours": "after the call", "reference": "before the call"}
MEASURED = ("inferred:factor", "inferred:offset")  # facts that say a number of learner code's
WITHOUT_SCRIPT = ("guess", "cost")  # what is compared so, no script can show
NEAR = 1e-5  # relative: what is nearer is hardly what is wrong
MOST_VALUES = 64  # arrays larger than this are described instead of listed


def result(grading: Grading, verdicts: dict[str, ExerciseVerdict]) -> Result:
    """The whole result as plain values."""
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
    """What cannot be imported, once each, and the exercises that are not judged for it."""
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
    """The level that held in every worker, by what; and what the strongest would have had."""
    if protections is None:  # nothing had to be run
        return {"level": LEVELS[0], "protections": [], "missing": []}
    held = level(protections)
    return {"level": held, "protections": protections, "missing": missing(protections)}


def exercises_of(result: Result) -> list[ExerciseResult]:
    """Every exercise of a result."""
    return [exercise for chapter in result["chapters"] for exercise in chapter["exercises"]]


def is_all_lost(result: Result) -> bool:
    """Whether something cannot be imported, and no exercise could be judged without it."""
    lost = {id for cause in result["unloadable"] for id in cause["exercises"]}
    judged = (e for e in exercises_of(result) if e["status"] != GIVEN)
    return bool(lost) and all(e["id"] in lost for e in judged)


def checks_of(result: Result) -> list[CheckResult]:
    """Every check of a result."""
    return [check for exercise in exercises_of(result) for check in exercise["checks"]]


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
    total = sum(c.check["weight"] for c in verdict.checks)
    share = verdict.max_score / total if total else 0.0
    return {
        "id": verdict.id,
        "section": verdict.exercise["section"],
        "title": verdict.exercise["title"],
        "status": verdict.status,
        "score": _round(verdict.score),
        "max_score": _round(verdict.max_score),
        "blocked_by": verdict.blocked_by,
        "checks": [_check(grading, chapter, verdict, check, share) for check in verdict.checks],
    }


def _check(
    grading: Grading, chapter: ChapterKey, verdict: ExerciseVerdict, check: CheckVerdict,
    share: float,
) -> CheckResult:  # fmt: skip
    worth = check.check["weight"] * share
    wrong = check.status in WRONG
    location = _location(grading, verdict, check) if wrong else None
    shown: Shown = _arrays(grading, chapter, verdict, check) if wrong else {}
    row: CheckResult = {
        "id": check.check["id"],
        "title": check.check["title"],
        "status": check.status,
        "score": _round(verdict.points(check)),
        "max_score": _round(worth),
        "hidden": check.check["hidden"],
        "message": _message(grading, chapter, check, location),
        "mistake": _mistake(verdict.mistakes or check.inferred) if wrong else None,
        "location": location,
        "yours": shown.get("yours"),
        "expected": shown.get("expected") or unsaid(),
    }
    if "labels" in shown:
        row["labels"] = shown["labels"]
    if wrong and check.check["compare"] in WITHOUT_SCRIPT:
        row["repro"] = False
    return row


def unsaid() -> Expected:
    """What the oracles say where nothing is to be shown of it."""
    return {"reference": None, "finite_difference": None, "pytorch": None}


def unshown(check: CheckResult, says: str) -> CheckResult:
    """A hidden check without its inputs and answers: with this sentence, and the diagnosis."""
    return {**without_place(check), "message": says, "yours": None, "expected": unsaid()}


def without_place(check: CheckResult) -> CheckResult:
    """A hidden check without what code can choose by its inputs: a line, a factor of its numbers.

    A mistake of the course by its name, or what any two numbers can have to do with each other,
    stays: there are few of these.
    """
    named = check["mistake"]
    told = named is not None and not any(fact in named["name"] for fact in MEASURED)
    return {**check, "location": None, "mistake": named if told else None}


def _message(
    grading: Grading, chapter: ChapterKey, check: CheckVerdict, location: str | None
) -> str:
    if check.probe is None or check.status not in WRONG:
        return check.says
    call = chapter.probes[check.probe]["call"]
    notes = list(check.notes)
    if check.outcome is not None and check.outcome.file:
        file, line = check.outcome.file, check.outcome.line
        if f"{file}:{line}" != location and is_a_line(grading.package.files, file, line):
            where = spell_place(f"{file}:{line}")
            caller = "" if location is None else f", reached from {spell_place(location)}"
            notes.append(f"It was raised in {where}{caller}.")
    told = "\n".join(["", "", *notes]) if notes else ""
    return f"{call}\n{_inputs(chapter, check.probe)}{check.says}{told}"


def spell_place(location: str) -> str:
    """Spell out a place: ``ops.py:93`` is ``PACKAGE/ops.py, line 93``."""
    file, _, line = location.rpartition(":")
    return f"{COURSE.name}/{file}, line {line}"


def is_a_line(files: Mapping[str, bytes], file: str, line: int) -> bool:
    """Whether this place is there.

    A place is what a worker says, and may carry what code has seen of hidden inputs: a made-up
    file name, a line number of eight digits.
    """
    return file in files and 0 < line <= files[file].count(b"\n") + 1


def _inputs(chapter: ChapterKey, probe: int) -> str:
    shown = ((name, chapter.array(number)) for name, number in chapter.probes[probe]["shown"])
    return "".join(f"{name} = {_read_out(list_array(each), each.dtype)}\n" for name, each in shown)


def _read_out(value: object, dtype: str) -> object:
    """Round the floats of a nested list to what people read: -0.3700000000000001 is -0.37."""
    if isinstance(value, list):
        return [_read_out(item, dtype) for item in value]
    digits = 7 if dtype == "float32" else 12
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def _mistake(found: list[tuple[str, str]]) -> Named | None:
    """The one mistake that fits, or all that do, said as what they are: candidates."""
    if not found:
        return None
    if len(found) == 1:
        name, says = found[0]
        return {"name": name, "says": says}
    says = " Or: ".join(says for _, says in found)
    return {"name": " | ".join(name for name, _ in found), "says": f"One of these: {says}"}


def _location(grading: Grading, verdict: ExerciseVerdict, check: CheckVerdict) -> str | None:
    """The learner's own file and line: of what was raised, else where the target begins.

    Of an exception's way through the learner's files, the line in the exercise itself counts:
    what it calls may be given, and right.
    """
    if verdict.unloadable is not None:
        return None
    mine = [d for t in verdict.exercise["targets"] if (d := grading.definitions.get(t))]
    if check.outcome is not None and check.outcome.file:
        raised = f"{check.outcome.file}:{check.outcome.line}"
        return next(filter(_inside(mine), _trail(grading, verdict, check)), raised)
    return f"{mine[0].file}:{mine[0].first}" if mine else None


def _trail(grading: Grading, verdict: ExerciseVerdict, check: CheckVerdict) -> list[str]:
    """The ``file:line`` of every learner's frame of what was raised, the innermost first."""
    chapter = chapter_of(verdict.id)
    if check.probe is None:
        return []
    return grading.observations[chapter][check.probe].texts.get("trail", "").splitlines()


def _inside(mine: list[Definition]) -> Callable[[str], bool]:
    """Whether a place lies in one of these definitions."""

    def inside(place: str) -> bool:
        file, _, line = place.rpartition(":")
        return any(d.file == file and d.first <= line_number(line) <= d.last for d in mine)

    return inside


def _arrays(
    grading: Grading, chapter: ChapterKey, verdict: ExerciseVerdict, check: CheckVerdict
) -> Shown:
    """What came back beside what each oracle says, for the first array that is wrong."""
    if check.probe is None or check.outcome is None or check.outcome.which is None:
        return {}
    which, part = check.outcome.which, check.check["part"]
    answers = chapter.probes[check.probe]["answers"]
    as_text = check.check["compare"] == "text"
    told = check.check["compare"] != "guess"  # a prediction that is told is none any more

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
    expected: Expected = {
        "reference": said("reference"), "finite_difference": said("finite_difference"),
        "pytorch": said("pytorch"),
    }  # fmt: skip
    if part == "inputs":  # no oracle has computed these: they are what the call was given
        expected["finite_difference"] = expected["pytorch"] = None
        return {"yours": list_array(yours, at=at), "expected": expected, "labels": BEFORE_AND_AFTER}
    return {"yours": listed(yours), "expected": expected}


def _first_difference(yours: Array, right: Array) -> int:
    """The place of the first value that is not the right one; 0 where there is none to name."""
    pairs = zip(yours.values(), right.values(), strict=False)
    apart = (n for n, pair in enumerate(pairs) if not math.isclose(*pair, rel_tol=NEAR))
    return next(apart, 0) if yours.shape == right.shape else 0


def list_array(array: Array, as_text: bool = False, at: int = 0) -> object:
    """An array as nested lists; as text where it is text; a large one in words, from ``at`` on."""
    if as_text and array.dtype == "uint8":
        return array.text()
    values = array.values()
    if len(values) > MOST_VALUES:
        head = ", ".join(f"{value:.6g}" for value in values[at : at + 4])
        place = f", from {index_of(array.shape, at)} on" if at else ""
        return f"{array.dtype} array of shape {array.shape}{place}: {head}, …"
    return _json_safe(array.nested())


def _json_safe(value: object) -> object:
    """NaN and infinities as words: JSON has no numbers for them."""
    if isinstance(value, list):
        return [_json_safe(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value


def _round(value: float) -> float:
    return round(value, 4)
