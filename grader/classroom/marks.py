"""From points to marks; and of a result, which staff see whole, what a learner may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..about import COURSE
from ..course.outline import chapter_of
from ..course.package import Package
from ..judge.judge import Reason
from ..result import checks_of, exercises_of, is_a_line, unshown, without_place
from ..verdict import GIVEN, PENDING, WRONG
from .safe_text import one_line
from .submission import some

if TYPE_CHECKING:
    from ..result_rows import CheckResult, ExerciseResult, Result, Sample, Unloadable
    from .record import Graded, Head, Judged, Marks, Record


CAME_SOLVED = "This is as it was handed out solved, and so worth nothing here."

# (points of the ordinary run, points with follow-through) → the mark.
POLICIES: dict[str, Callable[[float, float], float]] = {
    "own": lambda own, follow: own,
    "best": max,
    "half": lambda own, follow: own + (max(own, follow) - own) / 2,
}


def marked(record: Judged, policy: str) -> Graded:
    """The record with its marks under a policy; both judgements stay in it.

    What came solved from us earns nothing, and counts among what could be earned. Lateness takes
    from the mark what `lateness.py` says, and leaves both judgements as they are.
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
            mark = POLICIES[policy](own, after) * _left(record, chapter["id"])
            table[e["id"]] = {
                "own": own, "follow_through": after,
                "mark": round(mark, 4), "max_mark": e["max_score"],
            }  # fmt: skip
    by_hand = dict(_open_marks(record))
    kept += sum(row["own"] for row in by_hand.values())
    table |= by_hand
    # From the whole result, which is not rounded exercise by exercise: one number everywhere.
    most = result["max_score"] + sum(row["max_mark"] for row in by_hand.values())
    follow_through, mark = (
        round(kept + sum(row[name] - row["own"] for row in table.values()), 4)
        for name in ("follow_through", "mark")
    )
    return {
        **record, "policy": policy, "marks": table, "own": round(kept, 4),
        "max_mark": round(most, 4), "follow_through": follow_through, "mark": mark,
    }  # fmt: skip


def _left(record: Head, chapter: str) -> float:
    """The share of a chapter's points that lateness leaves."""
    late = record.get("late", {})
    return late[chapter]["factor"] if chapter in late else 1.0


def _open_marks(record: Head) -> Iterator[tuple[str, Marks]]:
    """Open question → its marks, of those that count; nothing written is worth nothing."""
    for id, each in record.get("open", {}).items():
        own = float(each.get("points") or 0)
        mark = round(own * _left(record, chapter_of(id)), 4)
        yield id, {"own": own, "follow_through": own, "mark": mark, "max_mark": each["max_points"]}


def without_points(record: Head) -> list[str]:
    """The open questions whose answer waits for its mark: so long it counts as nothing."""
    waiting = (id for id, each in record.get("open", {}).items() if each.get("points") is None)
    return [id for id in waiting if id in record.get("answers", ())]


NOTHING: Mapping[str, Sample] = MappingProxyType({})


def true_places(result: Result, files: Mapping[str, bytes]) -> Result:
    """A result without places that are none in these files: `is_a_line` says why."""
    everything: list[CheckResult | Unloadable] = [*checks_of(result), *result["unloadable"]]
    for each in everything:
        file, _, line = (each["location"] or "").rpartition(":")
        if not (line.isdigit() and is_a_line(files, file, int(line))):
            each["location"] = None
    return result


def fresh_samples(secret: Result, public: Result) -> dict[str, Sample]:
    """Hidden checks that fail with the secret inputs of a class → how the same check fails with
    those of the public seed."""
    ended = {c["id"]: c for c in checks_of(public)}
    found: dict[str, Sample] = {}
    for check in checks_of(secret):
        other = ended.get(check["id"])
        if check["hidden"] and check["status"] in WRONG and other is not None:
            same_inputs = other["message"] == check["message"]  # those that no seed draws
            if other["status"] == check["status"] and not same_inputs:
                found[check["id"]] = {
                    "message": other["message"], "yours": other["yours"],
                    "expected": other["expected"], "location": other["location"],
                }  # fmt: skip
    return found


def is_untouched(record: Record) -> bool:
    """Whether all that is asked for is as it was handed out."""
    ours = record.get("came_solved", ())
    return record["result"] is not None and all(
        e["status"] in (PENDING, GIVEN) or e["id"] in ours for e in exercises_of(record["result"])
    )


def only_hidden(result: Result) -> list[str]:
    """The exercises that fail for hidden inputs alone: their learners see no call that fails."""
    return [
        e["id"]
        for e in exercises_of(result)
        if {c["hidden"] for c in e["checks"] if c["status"] in WRONG} == {True}
    ]


def for_learner(check: CheckResult, samples: Mapping[str, Sample] = NOTHING) -> CheckResult:
    """A check as its learner may see it: of a hidden one its sentence and the diagnosis, or one of
    the samples that are no secret."""
    if not check["hidden"]:
        return check
    if check["id"] in samples:
        return {**without_place(check), **samples[check["id"]]}
    says = "" if check["status"] == "passed" else "It does not hold for every hidden input."
    return unshown(check, says)


def unimportable(result: Result) -> str:
    """A sentence where no exercise could be judged because the package does not even load."""
    for found in result["unloadable"][:1]:
        where = f" ({COURSE.name}/{found['location']})" if found["location"] else ""
        return one_line(f"It cannot be imported: {found['message'].rstrip('.')}{where}.", 300)
    return ""


def in_part(
    result: Result, learner: Package, names: Collection[str], under: Mapping[str, str] | None
) -> str:
    """Why there is no mark: files are missing, and what was handed out with them is not known.

    Args:
        names: the files of a whole package.
        under: that package as it was handed out, which stands below what came; None: not known.
    """
    lacking = sorted(set(names) - learner.files.keys()) if under is None else []
    if not lacking or not result["unloadable"]:
        return ""
    says = "not handed in, and with which files it was handed out is not known."
    return f"{unimportable(result)} {some('{} was', '{} were', lacking, says)} {MEND}"


MEND = f"Hand in the whole {COURSE.name} folder; staff can name what was handed out (--release)."
SKIPPED = ("passed", "given", "pending", "blocked")


def told(exercise: ExerciseResult, samples: Mapping[str, Sample] = NOTHING) -> str:
    """What a learner reads of an exercise: its checks that failed, and where."""
    if exercise["status"] == "blocked":
        return f"It waits for {', '.join(exercise['blocked_by'])}."
    if exercise["status"] in SKIPPED:
        return exercise["checks"][0]["message"] if exercise["status"] == "pending" else ""
    if is_lost(exercise):
        return str(exercise["checks"][0]["message"])
    parts = []
    for check in (for_learner(each, samples) for each in exercise["checks"]):
        if check["status"] in WRONG:
            lines = [check["title"], check["message"], *_values(check)]
            lines += [check["mistake"]["says"]] if check["mistake"] else []
            lines += [f"In {check['location']}"] if check["location"] else []
            parts.append("\n".join(line for line in lines if line))
    return "\n\n".join(parts)


def is_lost(exercise: ExerciseResult) -> bool:
    """Whether its files could not be imported."""
    checks = exercise["checks"]
    return bool(checks) and Reason.NOT_IMPORTED.is_said_by(checks[0]["message"])


def _values(check: CheckResult) -> list[str]:
    if check["yours"] is None:
        return []
    named = {"yours": check["yours"], **check["expected"]}
    return [f"{n.replace('_', ' ')}: {v}" for n, v in named.items() if v is not None]
