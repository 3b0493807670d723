"""The record of a submission, `grader-record/1`: from points to marks; what its learner may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple, TypedDict, TypeGuard

from ... import __version__
from ...about import COURSE
from ...course.outline import chapter_of
from ...course.package import Package
from ...errors import one_line
from ...learner.wording import SIDES, format_count, percent, undetected_fault
from ...reason import because
from ...result import hide_inputs, is_a_line, is_all_lost, iter_checks, iter_exercises
from ...result_rows import (
    ChapterResult,
    CheckResult,
    ExerciseResult,
    IsolationResult,
    PublicFailure,
    Result,
    Said,
    Unloadable,
)
from ...verdict import GIVEN, PENDING, TIMED_OUT, WRONG
from ..files import RECORD, conforms, describe_some
from ..intake.submission import Findings
from .grants import Grant, Marks, apply_grants

SCHEMA = "grader-record/1"
GRADED, UNREADABLE, OUR_FAULT = "graded", "unreadable", "our_fault"


class OpenMark(TypedDict, total=False):
    """A person's marks of an open answer; before that, only `max_points` is there."""

    max_points: float
    points: float
    items: list[float]
    comment: str
    key: str


class RecordHead(Findings, total=False):
    """The fields of a record that need no result."""

    schema: str
    learner: str
    submission: str
    status: str
    whose: str
    team: list[str]  # all who have handed in together
    sha256: str | None
    says: str
    version: str
    suites: dict[str, str]
    samples: dict[str, PublicFailure]
    counts: bool
    came: str
    late: dict[str, dict[str, float]]  # chapter → {hours, factor that is left}
    granted: list[Grant]
    kept: list[str]  # exercises of these that keep the points they had before (`regrade.py`)
    remarks: str  # what `says` held before its sentences about grants
    open: dict[str, OpenMark]
    follow_through_by_exercise: dict[str, float]


class JudgedRecord(RecordHead):
    """A record with a result, before it has marks."""

    result: Result


class GradedRecord(JudgedRecord):
    """A record with marks; `marks`: exercise or open question → its marks."""

    policy: str
    own: float
    follow_through: float
    mark: float
    max_mark: float
    marks: dict[str, Marks]


class UnjudgedRecord(RecordHead):
    """A record without a result: nothing was judged, which is not a zero."""

    result: None
    policy: None
    own: None
    follow_through: None
    mark: None
    max_mark: None
    marks: dict[str, Marks]


Record = GradedRecord | UnjudgedRecord
RecordReader = Callable[[str], Record | None]  # reads a learner's record


class ResultsRow(TypedDict):
    """A row of `results.csv`."""

    learner: str
    status: str
    mark: float | None
    max_mark: float | None
    own: float | None
    follow_through: float | None
    submission: str
    sha256: str | None
    says: str
    isolation: str | None


class Summary(ResultsRow):
    """The short form of a record, to summarise a class: whole ones would fill the memory."""

    whose: str
    came: str | None
    counts: bool
    policy: str | None
    held: IsolationResult | None
    timed_out: bool
    untouched: bool
    came_solved: int
    late: str


class ExerciseLine(NamedTuple):
    """An exercise of a learner."""

    record: Record
    chapter: ChapterResult
    exercise: ExerciseResult


def is_record(record: object) -> TypeGuard[Record]:
    """Whether a parsed JSON value is a valid record."""
    return (
        isinstance(record, dict)
        and conforms(record, RECORD)
        and ((record["status"] != GRADED) == (record["result"] is None))
    )


by_learner = itemgetter("learner")


def summarize_record(record: Record) -> Summary:
    """Shorten a record; without a result its points are None, not zero."""
    result = record["result"]
    exercises = iter_exercises(result) if result else ()
    return {
        "learner": record["learner"], "status": record["status"], "mark": record["mark"],
        "max_mark": record["max_mark"], "own": record["own"],
        "follow_through": record["follow_through"], "submission": record["submission"],
        "sha256": record["sha256"], "says": record["says"],
        "isolation": result["isolation"]["level"] if result else None,
        "whose": record.get("whose", ""), "came": record.get("came"),
        "counts": record.get("counts", True), "policy": record["policy"],
        "held": result["isolation"] if result else None,
        "timed_out": any(e["status"] == TIMED_OUT for e in exercises),
        "untouched": is_untouched(record), "came_solved": len(record.get("came_solved", ())),
        "late": ", ".join(
            f"{name} {each['hours']:g} h, {percent(each['factor'])} left"
            for name, each in record.get("late", {}).items()
        ),
    }  # fmt: skip


def list_failed_imports(record: Record) -> list[Unloadable]:
    """Return the failed imports of a record, each once."""
    return record["result"]["unloadable"] if record["result"] else []


def iter_exercise_lines(of: Iterable[Record]) -> Iterator[ExerciseLine]:
    """Yield every judged exercise of every learner."""
    for record in of:
        for chapter in record["result"]["chapters"] if record["result"] else ():
            yield from (ExerciseLine(record, chapter, e) for e in chapter["exercises"])


def replace_chapters(whole: Result, chapters: list[ChapterResult]) -> Result:
    """Return a canonical result with these chapters and their sums."""
    return {
        **whole,
        "score": round(sum(chapter["score"] for chapter in chapters), 4),
        "max_score": round(sum(chapter["max_score"] for chapter in chapters), 4),
        "unloadable": [cause.copy() for cause in whole["unloadable"]],
        "chapters": chapters,
    }


def record_fault(record: RecordHead, says: str, earlier: Record | None) -> Record:
    """Return a record without a result; an earlier result is kept, with a note about this fault."""
    if earlier is not None and earlier["result"] is not None:
        return {**earlier, "says": f"Kept from before: this time it was {record['status']}. {says}"}
    return {
        "sha256": None, **record, "says": says, "version": __version__, "suites": {},
        "result": None, "follow_through_by_exercise": {}, "marks": {}, "policy": None,
        "own": None, "follow_through": None, "mark": None, "max_mark": None,
    }  # fmt: skip


# ---- from points to marks -------------------------------------------------------------

CAME_SOLVED = because("came_solved").says

# Policy → function of (own points, points with follow-through) that returns the mark.
POLICIES: dict[str, Callable[[float, float], float]] = {
    "own": lambda own, follow: own,
    "best": max,
    "half": lambda own, follow: own + (max(own, follow) - own) / 2,
}


def compute_marks(record: JudgedRecord, policy: str) -> GradedRecord:
    """Return the record with its marks under a policy.

    Code that came solved from us earns nothing, but counts in the maximum. Lateness reduces the
    mark (`lateness.py`), then a grant replaces it. `own` and `follow_through` stay unreduced.
    """
    result, follow = record["result"], record["follow_through_by_exercise"]
    ours = set(record.get("came_solved", ()))
    table: dict[str, Marks] = {}
    kept = float(result["score"])
    for chapter in result["chapters"]:
        for e in chapter["exercises"]:
            own = e["score"]
            after = follow.get(e["id"], own)
            if e["id"] in ours:
                kept -= own
                own = after = 0.0
            mark = POLICIES[policy](own, after) * _share_left(record, chapter["id"])
            table[e["id"]] = {
                "own": own, "follow_through": after,
                "mark": round(mark, 4), "max_mark": e["max_score"],
            }  # fmt: skip
    by_hand = dict(_open_marks(record))
    apply_grants(record.get("granted", ()), table)
    kept += sum(row["own"] for row in by_hand.values())
    table |= by_hand
    # From the result's own sum, not from rounded exercises, so that all reports show one number.
    most = result["max_score"] + sum(row["max_mark"] for row in by_hand.values())
    follow_through, mark = (
        round(kept + sum(row[name] - row["own"] for row in table.values()), 4)
        for name in ("follow_through", "mark")
    )
    return {
        **record, "policy": policy, "marks": table, "own": round(kept, 4),
        "max_mark": round(most, 4), "follow_through": follow_through, "mark": mark,
    }  # fmt: skip


def _share_left(record: RecordHead, chapter: str) -> float:
    """Return the share of a chapter's points that lateness leaves."""
    late = record.get("late", {})
    return late[chapter]["factor"] if chapter in late else 1.0


def _open_marks(record: RecordHead) -> Iterator[tuple[str, Marks]]:
    """Yield (open question, marks) for those that count; without points the mark is 0."""
    for id, each in record.get("open", {}).items():
        own = float(each.get("points") or 0)
        mark = round(own * _share_left(record, chapter_of(id)), 4)
        yield id, {"own": own, "follow_through": own, "mark": mark, "max_mark": each["max_points"]}


def list_unmarked(record: RecordHead) -> list[str]:
    """Return the answered open questions without a mark yet; until then they count as 0."""
    waiting = (id for id, each in record.get("open", {}).items() if each.get("points") is None)
    return [id for id in waiting if id in record.get("answers", ())]


NOTHING: Mapping[str, PublicFailure] = MappingProxyType({})


def drop_false_locations(result: Result, files: Mapping[str, bytes]) -> Result:
    """Remove locations that these files do not have, in place (see `is_a_line`)."""
    everything: list[CheckResult | Unloadable] = [*iter_checks(result), *result["unloadable"]]
    for each in everything:
        file, _, line = (each["location"] or "").rpartition(":")
        if not (line.isdigit() and is_a_line(files, file, int(line))):
            each["location"] = None
    return result


def choose_samples(secret: Result, public: Result) -> dict[str, PublicFailure]:
    """Return hidden check → its failure with the public seed's inputs, if it fails alike."""
    ended = {c["id"]: c for c in iter_checks(public)}
    found: dict[str, PublicFailure] = {}
    for check in iter_checks(secret):
        other = ended.get(check["id"])
        if check["hidden"] and check["status"] in WRONG and other is not None:
            fields = Said.__annotations__  # if they agree, no seed changes the hidden inputs
            is_same = all(other.get(name) == check.get(name) for name in fields)
            if other["status"] == check["status"] and not is_same:
                found[check["id"]] = {
                    "message": other["message"], "reason": other["reason"], "call": other["call"],
                    "inputs": other["inputs"], "notes": other["notes"], "place": other["place"],
                    "yours": other["yours"], "expected": other["expected"],
                    "location": other["location"],
                }  # fmt: skip
    return found


def is_untouched(record: Record) -> bool:
    """Whether the learner has written nothing: all is pending, given or came solved."""
    ours = record.get("came_solved", ())
    return record["result"] is not None and all(
        e["status"] in (PENDING, GIVEN) or e["id"] in ours for e in iter_exercises(record["result"])
    )


def find_hidden_failures(result: Result) -> list[str]:
    """Return the exercises that fail only hidden checks: their learners see no failing call."""
    return [
        e["id"]
        for e in iter_exercises(result)
        if {c["hidden"] for c in e["checks"] if c["status"] in WRONG} == {True}
    ]


def redact_check(check: CheckResult, samples: Mapping[str, PublicFailure] = NOTHING) -> CheckResult:
    """Return a check as its learner may see it: a hidden one without values, or of a sample."""
    if not check["hidden"]:
        return check
    if check["id"] in samples:
        return {**hide_inputs(check, ""), **samples[check["id"]]}
    says = "" if check["status"] == "passed" else "It does not hold for every hidden input."
    return hide_inputs(check, says)


def describe_unimportable(result: Result) -> str:
    """Return a sentence about the first failed import; empty if there is none."""
    for found in result["unloadable"][:1]:
        where = f" ({COURSE.name}/{found['location']})" if found["location"] else ""
        lost = format_count(len(found["exercises"]), "exercise")
        head = "It cannot be imported" if is_all_lost(result) else f"Of it, {lost} cannot be judged"
        return one_line(f"{head}: {found['message'].rstrip('.')}{where}.", 300)
    return ""


def describe_missing_files(
    result: Result, learner: Package, names: Collection[str], under: Mapping[str, str] | None
) -> str:
    """Say why there is no mark: an import failed, files are missing, and their stubs are not known.

    Args:
        names: the files of a whole package.
        under: the stubs that fill up a partial package; None if they are not known.
    """
    lacking = sorted(set(names) - learner.files.keys()) if under is None else []
    if not lacking or not result["unloadable"]:
        return ""
    says = "not handed in, and with which files it was handed out is not known."
    missing = describe_some("{} was", "{} were", lacking, says)
    return f"{describe_unimportable(result)} {missing} {MEND}"


MEND = f"Hand in the whole {COURSE.name} folder; staff can name what was handed out (--release)."


def describe_exercise(
    exercise: ExerciseResult, samples: Mapping[str, PublicFailure] = NOTHING
) -> str:
    """Return a learner's text about an exercise: its failed checks, and where."""
    if exercise["status"] == "blocked":
        waits = f"It waits for {', '.join(exercise['blocked_by'])}."
        return f"{waits} {undetected_fault(exercise)}".rstrip()
    if exercise["status"] in ("passed", "given"):
        return ""
    if exercise["status"] == "pending" or is_lost(exercise):
        return str(exercise["checks"][0]["message"])
    parts = []
    for check in (redact_check(each, samples) for each in exercise["checks"]):
        if check["status"] in WRONG:
            lines = [check["title"], check["message"], *_values(check)]
            lines += [check["mistake"]["says"]] if check["mistake"] else []
            lines += [f"In {check['location']}"] if check["location"] else []
            parts.append("\n".join(line for line in lines if line))
    return "\n\n".join(parts)


def is_lost(exercise: ExerciseResult) -> bool:
    """Whether an exercise was not judged because of a failed import."""
    reasons = [check.get("reason") for check in exercise["checks"]]
    return any(reason["name"] == "not_imported" for reason in reasons if reason)


def _values(check: CheckResult) -> list[str]:
    if check["yours"] is None:
        return []
    named = {"yours": check["yours"], **check["expected"]}
    return [f"{SIDES.get(n, n)}: {v}" for n, v in named.items() if v is not None]
