"""`grader explain RESULTS LEARNER EXERCISE`: replay one mark with the key that it came from."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from functools import partial

from ...commands import command, flag, option
from ...course import outline
from ...course.key_file import Key, is_intact
from ...course.package import NAME, Package
from ...course.splice import target_file
from ...course.syntax_tree import NO_PYTHON
from ...errors import WrongUse
from ...grade_package import Grading
from ...learner import selection
from ...learner.file_writer import write_whole
from ...learner.own_file import find_definition, lines_of
from ...learner.terminal import report
from ...learner.wording import Style, percent
from ...result import iter_exercises, result
from ...result_rows import ExerciseResult
from ...sandbox.launch import ForkServer, require_numpy
from ...verdict import PASSED
from ..files import fill_template
from ..intake.handed_out import choose_stubs
from ..intake.submission import read_handin
from ..marks.cohort import open_class_key
from ..marks.grants import describe_grants
from ..marks.overlay import load_course
from ..marks.record import CAME_SOLVED, GradedRecord, redact_check
from ..marks.results import Results
from ..marks.roster import find_learner, index_roster_names, map_owners, recorded_people


def quote_code(learner: Package, targets: list[str]) -> list[tuple[str, str]]:
    """Return (place, text) of each of these definitions that can be found."""
    found = []
    for target in targets:
        name, inner = target_file(target, learner.files)
        text = learner.files.get(name, b"").decode("utf-8", "replace")
        with suppress(*NO_PYTHON):  # the replay says why
            if place := find_definition(text, inner):
                lines = lines_of(text)[place.top - 1 : place.last]
                found.append((f"{NAME}/{name}, line {place.top}", "".join(lines)))
    return found


def complaint(
    record: GradedRecord,
    given: ExerciseResult,
    agrees: bool,
    code: list[tuple[str, str]],
    staff: bool,
) -> bytes:
    """Render the page; without ``staff`` it shows only what the learner may see."""
    id, result = given["id"], record["result"]
    chapter, samples = id.partition(".")[0], record.get("samples", {})
    with_what = {
        "package": record["sha256"], "suite": record["suites"].get(chapter, ""),
        "grader": record["version"], "isolation": result["isolation"]["level"],
    }  # fmt: skip
    return fill_template(
        "explain.html", title=f"{record['learner']}, {id}", package=NAME, record=record,
        marks=record["marks"][id], blocked_by=given["blocked_by"], code=code, agrees=agrees,
        checks=given["checks"] if staff else [redact_check(c, samples) for c in given["checks"]],
        came_solved=CAME_SOLVED if id in record.get("came_solved", ()) else "",
        late=record.get("late", {}).get(chapter), with_what=with_what,
        granted=describe_grants(record.get("granted", ()), id), worthless=_why_worthless(given),
    )  # fmt: skip


@command(
    "explain",
    option("results", "RESULTS"),
    option("learner", "LEARNER"),
    option("exercise", "EXERCISE"),
    option("--html", "FILE", "write a page that the learner may see"),
    flag("--staff", "show hidden inputs on the page, too"),
    needs={"--staff": "--html"},
)
def run_explain(options: argparse.Namespace) -> int:
    """Replay a mark; exit status 0 if the result is the same, else 1."""
    results = Results(options.results)
    record = _record(results, options.learner)
    key = _key(results)
    id = selection.resolve_name(key, options.exercise)
    given = _given(record, id)
    course, batch = load_course(results.batch.get("course")), results.batch
    handed = batch.get("handed_out") or {}
    route = handed.get("route", outline.FULL)
    stubs = partial(course.stubs, route=route)
    under = choose_stubs(stubs, batch["chapters"], bool(handed)) or {}
    learner, *_ = read_handin(record["submission"], course, stubs=under)
    if learner.sha256 != record["sha256"]:
        raise WrongUse(
            f"{record['submission']} is not what was graded: its digest is {learner.sha256[:12]}, "
            f"and {str(record['sha256'])[:12]} was judged. Put the graded files there."
        )
    known = outline.given_ids(key, handed.get("first", 0), route)
    with ForkServer(require_numpy(), reads_in=True) as fork_server:
        grading = Grading(key, learner, fork_server.fork, known, reference=course.solved)
        # The chapter whole, as it was: who is blamed depends on its other exercises.
        verdicts = grading.grade(outline.of_chapters(key.outline, [outline.chapter_of(id)]))
        found = result(grading, {id: verdicts[id]})
    sys.stdout.write(report(found, Style.of(sys.stdout), ""))
    again = found["chapters"][0]["exercises"][0]
    if options.html:
        code = quote_code(learner, [t for t, owner in key.table["targets"].items() if owner == id])
        data = complaint(record, given, _is_same(again, given), code, options.staff)
        write_whole(options.html, data)
    return _compare(record, given, again)


def _key(results: Results) -> Key:
    folder = results.folder
    path = os.path.join(folder, "answers.key")
    if not is_intact(path):
        raise WrongUse(
            f"{path} is missing or damaged. `grader grade SUBMISSIONS --out {folder}` makes it "
            "anew, from the seed that is kept there; what is judged stays as it is."
        )
    return open_class_key(path, results.batch.get("course"))


def _record(results: Results, said: str) -> GradedRecord:
    """Read a learner's record, by the submission's name or one in the roster."""
    record = results.read(said)
    if record is None:
        counting = [each for each in results.each() if each.get("counts", True)]
        names = index_roster_names(map_owners(counting), recorded_people(results.batch))
        record = results.read(find_learner(said, names) or said)
    if record is None:
        near = get_close_matches(said, list(names))
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        raise WrongUse(f"There is no {said} in {results.folder}.{meant}")
    if record["result"] is None:
        raise WrongUse(f"{record['learner']} has no mark: {record['says']}")
    return record


def _given(record: GradedRecord, id: str) -> ExerciseResult:
    """Return an exercise of a record, as it was judged."""
    for exercise in iter_exercises(record["result"]):
        if exercise["id"] == id:
            return exercise
    judged = ", ".join(chapter["id"] for chapter in record["result"]["chapters"])
    raise WrongUse(f"{id} was not graded: this result is of {judged}.")


def _is_same(again: ExerciseResult, given: ExerciseResult) -> bool:
    """Whether a replay gives what is kept; checks that version 1.0 kept have fewer fields."""
    kept = [each.keys() for each in given["checks"]]
    pairs = zip(again["checks"], kept, strict=False)
    checks = [{name: each for name, each in check.items() if name in keys} for check, keys in pairs]
    return {**again, "checks": checks} == given


def _why_worthless(given: ExerciseResult) -> str:
    """Say why checks that pass earn nothing (`ExerciseVerdict.points`); empty if they earn."""
    statuses = [check["status"] for check in given["checks"]]  # none of what came solved
    if statuses[:1] == [PASSED] or PASSED not in statuses:
        return ""
    return "Checks that pass earn nothing here, because the first check, the value, does not pass."


def _compare(record: GradedRecord, given: ExerciseResult, again: ExerciseResult) -> int:
    """Print the mark, the points of each check, and whether the replay agrees."""
    marks = record["marks"][given["id"]]
    points = f"{marks['mark']:g} of {marks['max_mark']:g} points"
    print(f"\n{record['learner']}, {given['id']}: {points}")
    for check in given["checks"]:
        hidden = " (hidden)" if check["hidden"] else ""
        points = f"{check['score']:g}/{check['max_score']:g}"
        print(f"  {points:>9}  {check['status']:<9} {check['title']}{hidden}")
    if says := _why_worthless(given):
        print(f"  {says}")
    if given["id"] in record.get("came_solved", ()):
        print(f"  {CAME_SOLVED}")
    if late := record.get("late", {}).get(outline.chapter_of(given["id"])):
        left = f"{percent(late['factor'])} of its points are left."
        print(f"  It came {late['hours']:g} hours late, and {left}")
    for line in describe_grants(record.get("granted", ()), given["id"]):
        print(f"  {line}")
    if marks["follow_through"] != marks["own"]:
        print(f"  with the learner's own code among right code: {marks['follow_through']:g}")
    if _is_same(again, given):
        print("The replay gives the same, check by check.")
        return 0
    print(f"The replay differs: {again['score']:g} points, {again['status']}. Code that draws")
    print("random numbers or runs close to its time may do that, and so may another version of the")
    print("grader. `grader grade --again` judges anew.")
    return 1
