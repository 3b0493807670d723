"""Export Gradescope's autograder zip, and judge a submission there.

The zip holds grader, key and stubs, but no solution of the wanted exercises. There the grader needs
only the key and NumPy, and writes `results.json`.

The platform unpacks it to /autograder/source, runs `setup.sh` once, and `run_autograder` for each
submission; marks are read from /autograder/results/results.json.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ... import about, root
from ...about import COURSE
from ...course import outline
from ...course.key_file import Key, key_bytes
from ...course.make_key import contents_of
from ...course.outline import chapter_no, chapter_of, chapters_up_to, select_chapters
from ...course.rows import PUBLIC_SEED
from ...disk import replace_file
from ...errors import WrongUse
from ...grade_package import Grading
from ...learner.untrusted_files import read_json_or_none
from ...learner.wording import isolation, points
from ...reason import because
from ...result import iter_exercises, result, say_only
from ...result_rows import Result
from ...sandbox.isolation import FOR_MARKS
from ...sandbox.launch import ForkServer, require_numpy
from ...verdict import BROKEN, PASSED, PENDING
from ..files import plain_template
from ..intake.archive_reader import read_submission_files
from ..intake.handed_out import Handout, find_came_solved, route_of
from ..intake.submission import (
    Submission,
    build_from_package,
    complete_with_stubs,
    read_submission,
    read_within_limits,
)
from ..marks.cohort import ensure_key, open_class_key, open_public_key
from ..marks.grants import Grant, apply_grants, describe_grants, grant_target
from ..marks.overlay import OverlaidCourse, load_course
from ..marks.record import (
    CAME_SOLVED,
    describe_exercise,
    describe_missing_files,
    describe_unimportable,
    drop_false_locations,
)
from ..marks.results import read_batch
from ..marks.roster import Person
from . import Export, ExportRequest

CLOSED = {
    "score": 0,
    "output": "The grader did not finish, so there is no mark yet. This is not your fault: tell "
    "the staff, who can run it again.",
}


def export_gradescope(wanted: ExportRequest) -> Export:
    """Export the autograder zip, with the key of a class if its results were named."""
    from ...learner.file_writer import zip_files
    from ..release.bundle import iter_grader_files, numpy_range

    with tempfile.TemporaryDirectory(prefix="grader-key-") as folder:
        known = _key(wanted, folder)
        chapters = select_chapters(wanted.chapters, known.chapters)
        each = known.table["points"].items()
        total = sum(most for id, most in each if chapter_of(id) in chapters)
        key = b"".join(
            key_bytes(*contents_of(known, chapters_up_to(chapters[-1], known.chapters), True))
        )
    notes = [TOTAL.format(points(total))] if total else []
    notes += [] if wanted.place or wanted.seed else [DRAWN]
    closed = json.dumps(CLOSED, indent=1)
    run = plain_template("run_autograder.sh").replace("CLOSED", closed)
    run = run.replace("CHAPTERS", " ".join(chapters)).replace("LEVEL", wanted.isolation)
    setup = plain_template("setup.sh").replace("NUMPY", numpy_range())
    course, own = "course/grader", "course/grader/_course"
    files = {"setup.sh": setup.encode(), "run_autograder": run.encode(), f"{own}/answers.key": key}
    files |= {f"{own}/{name}": data for name, data in about.metadata_files().items()}
    overlay = read_batch(wanted.place).get("course") if wanted.place else wanted.course
    # The package as it was handed out: a notebook's answers are spliced into it.
    given = load_course(overlay)
    stubs = given.stubs(chapter_no(chapters[0]), route_of(wanted.handed_out))
    files[f"{own}/stubs.json"] = json.dumps(stubs).encode()
    files[f"{own}/gradescope.json"] = json.dumps({"visibility": wanted.visibility}).encode()
    if isinstance(given, OverlaidCourse):
        grants = [g for g in given.overlay.grants if chapter_of(grant_target(g)) in chapters]
        files[f"{own}/grants.json"] = json.dumps(grants).encode()
    if wanted.handed_out is not None:
        files[f"{own}/handed_out.json"] = json.dumps(wanted.handed_out._asdict()).encode()
    files |= {f"{course}/{name}": data for name, data in iter_grader_files()}
    modes = {"setup.sh": 0o755, "run_autograder": 0o755}
    modes |= {f"{own}/answers.key": 0o600, f"{own}/grants.json": 0o600}
    return Export({"autograder.zip": zip_files(files, modes)}, notes)


TOTAL = "Its tests are worth {} points: enter this as «Autograder points» in Gradescope."
DRAWN = (
    "Its hidden inputs were drawn for this zip alone, so keep it to yourself. To make another with "
    "the same, name a folder of `grader grade`: grader export gradescope RESULTS."
)


def _key(wanted: ExportRequest, folder: str) -> Key:
    """Open the key of a class, with its own course; else make one for this zip."""
    results, course = wanted.place, wanted.course
    if results is None and wanted.seed == PUBLIC_SEED:
        return open_public_key(load_course(course))
    if results is None:
        own = load_course(course)
        names = select_chapters(wanted.chapters, [chapter.id for chapter in own.chapters])
        asked = replace(own, chapters=tuple(c for c in own.chapters if c.id in names))
        seed = wanted.seed or secrets.token_hex(16)
        return open_class_key(ensure_key(folder, seed, asked, None), course)
    if course is not None or wanted.seed is not None:
        raise WrongUse("Name results, or --seed and --course, which results know; not both.")
    path = os.path.join(results, "answers.key")
    if not os.path.exists(path) or not read_batch(results):
        raise WrongUse(f"{results} holds no key. Name a folder of `grader grade`, or none at all.")
    return open_class_key(path, read_batch(results).get("course"))


# ---- on Gradescope, for one submission -------------------------------------------------

MEND = f"Upload the files of your {COURSE.name} folder, a zip of it, or your notebook."


def main(folder: str, chapters: list[str], least: str = FOR_MARKS) -> None:
    """Judge `submission/`, then write `results/results.json` atomically."""
    started = time.monotonic()
    # The platform may link its own folder; inside the submission no link is followed.
    place = os.path.realpath(os.path.join(folder, "submission"))
    found = grade_upload(place, chapters, least, find_grants(folder))
    if found is None:
        return  # our fault: the placeholder that `run_autograder` wrote stays
    found["execution_time"] = round(time.monotonic() - started, 3)
    replace_file(os.path.join(folder, "results", "results.json"), json.dumps(found).encode())


def grade_upload(
    submission: str, chapters: list[str], least: str, grants: Iterable[Grant] = ()
) -> dict[str, object] | None:
    """Return the content of `results.json`; None if the grader failed."""
    given, stubs = read_zip_file("handed_out.json"), read_zip_file("stubs.json")
    handed = Handout.of(given) if given else None
    under = stubs if handed or len(chapters) == 1 else None
    try:
        made = read_upload(submission, stubs, under or {})
    except WrongUse as error:
        return {"score": 0, "output": f"Your submission could not be judged: {error} {MEND}"}
    key = Key(root.path("answers.key"))
    given = outline.given_ids(key, handed.first if handed else 0, route_of(handed))
    ids = outline.of_chapters(key.outline, chapters)
    with ForkServer(require_numpy(), reads_in=True) as workers:
        grading = Grading(key, made.package, workers.fork, given, least=least, public_only=True)
        try:
            verdicts = grading.grade(ids)
        except WrongUse as error:
            print(error)  # only the staff sees it
            return None
    if BROKEN in {verdict.status for verdict in verdicts.values()}:
        return None
    whole = drop_false_locations(result(grading, verdicts), made.package.files)
    if why := describe_missing_files(whole, made.package, stubs, under):
        return {"score": 0, "output": f"There is no mark yet. {why}"}
    owners = {t: id for t, id in key.table["targets"].items() if id not in given}
    ours = find_came_solved(made.package.files, handed.solved, owners) if handed else []
    says = [describe_unimportable(whole), *grant_points(zero_came_solved(whole, set(ours)), grants)]
    found = convert_result(whole, read_zip_file("gradescope.json")["visibility"])
    first = filter(None, says)  # shown whatever the visibility of the tests
    return {**found, "output": "\n".join([*first, str(found["output"]), *made.notes])}


def read_zip_file(name: str) -> Any:
    """Read a JSON file that `export_gradescope` put into the zip; None if it did not."""
    if not os.path.exists(root.path(name)):
        return None
    with open(root.path(name), encoding="utf-8") as file:
        return json.load(file)


def zero_came_solved(whole: Result, ours: set[str]) -> Result:
    """Set exercises whose code came solved from us to 0 points, in place; return the result."""
    for chapter in whole["chapters"]:
        for e in (e for e in chapter["exercises"] if e["id"] in ours):
            for holder in (whole, chapter):
                holder["score"] = round(holder["score"] - e["score"], 4)
            e["score"], e["status"] = 0.0, PENDING
            said = say_only(because("came_solved"))
            e["checks"] = [{**e["checks"][0], **said, "message": CAME_SOLVED}]
    return whole


def find_grants(folder: str) -> list[Grant]:
    """Return the grants for the submitters, by the platform's names; for a group, anybody's."""
    users = (read_json_or_none(os.path.join(folder, "submission_metadata.json")) or {}).get(
        "users", ()
    )
    said = ([str(user.get(key) or "") for key in ("sid", "name", "email")] for user in users)
    called = {key.casefold() for each in said for key in Person._make([*each, "", "", ""]).keys}
    return [g for g in read_zip_file("grants.json") or () if g["learner"].casefold() in called]


def grant_points(whole: Result, grants: Iterable[Grant]) -> list[str]:
    """Apply grants to a canonical result, in place; return a sentence for each."""
    each = {e["id"]: e for e in iter_exercises(whole)}
    table = {id: {"mark": e["score"], "max_mark": e["max_score"]} for id, e in each.items()}
    apply_grants(grants, table)
    for id, marks in table.items():
        whole["score"] = round(whole["score"] + marks["mark"] - each[id]["score"], 4)
        each[id]["score"] = marks["mark"]
    return describe_grants(grants)


def read_upload(submission: str, stubs: Mapping[str, str], under: Mapping[str, str]) -> Submission:
    """Read the uploaded files as a package.

    Args:
        stubs: the package into which a notebook's answers are spliced.
        under: the files that fill up a partial package; empty if they are not known.

    Raises:
        WrongUse: nothing in the upload can be judged.
    """
    if any(name.endswith(".ipynb") for name in os.listdir(submission)):
        made = read_submission(submission, stubs)
    else:
        made, _ = read_within_limits(
            "what was uploaded", lambda: _package(submission, stubs, under)
        )
    if not made.package.files:
        raise WrongUse(" ".join(made.notes) or "it is empty.")
    return made


def _package(submission: str, names: Collection[str], under: Mapping[str, str]) -> Submission:
    taken = read_submission_files(submission, names)
    return complete_with_stubs(build_from_package(taken), under, taken.refused)


def convert_result(found: Result, seen: str = "visible") -> dict[str, object]:
    """Convert a canonical result to Gradescope's format, a test per exercise."""
    tests = [
        {
            "name": e["title"], "number": e["section"], "score": e["score"],
            "max_score": e["max_score"], "status": "passed" if e["status"] == PASSED else "failed",
            "output": describe_exercise(e) or e["status"].replace("_", " "),
            "output_format": "text",
            "visibility": seen, "extra_data": {"exercise": e["id"], "status": e["status"]},
        }
        for e in iter_exercises(found)
        if e["status"] != "given"
    ]  # fmt: skip
    return {
        "score": found["score"],
        "output": f"{found['score']:g} of {found['max_score']:g} points "
        f"({isolation(found['isolation'])[0]}).",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
