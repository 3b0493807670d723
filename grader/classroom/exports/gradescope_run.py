"""Runs on Gradescope, with key and NumPy only: one submission, judged, as `results.json`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from ... import root
from ...about import COURSE
from ...course import outline
from ...course.key_file import Key
from ...errors import WrongUse
from ...grade_package import Grading
from ...learner.wording import isolation
from ...memo import replace_file
from ...result import exercises_of, result
from ...sandbox.isolation import FOR_MARKS
from ...sandbox.launch import Nursery, needed_numpy
from ...verdict import BROKEN, PASSED, PENDING
from ..arrival import take
from ..handed_out import HandedOut, came_solved
from ..marks import CAME_SOLVED, in_part, told, true_places, unimportable
from ..submission import Submission, laid_over, of_package, within_bounds
from ..submission import read as notebook

if TYPE_CHECKING:
    from ...result_rows import Result

MEND = f"Upload the files of your {COURSE.name} folder, a zip of it, or your notebook."


def main(folder: str, chapters: list[str], least: str = FOR_MARKS) -> None:
    """Judge `submission/` and write `results/results.json`, whole, as the last thing."""
    started = time.monotonic()
    # The platform's own folder may be reached by a link; nothing that was handed in may.
    found = judged(os.path.realpath(os.path.join(folder, "submission")), chapters, least)
    if found is None:
        return  # our fault: what `run_autograder` wrote first stays
    found["execution_time"] = round(time.monotonic() - started, 3)
    replace_file(os.path.join(folder, "results", "results.json"), json.dumps(found).encode())


def judged(submission: str, chapters: list[str], least: str) -> dict[str, object] | None:
    """What Gradescope is to show; None where nothing could be said."""
    given, stubs = of_zip("handed_out.json"), of_zip("stubs.json")
    handed = HandedOut.of(given) if given else None
    under = stubs if handed or len(chapters) == 1 else None
    try:
        made = handed_in(submission, stubs, under or {})
    except WrongUse as error:
        return {"score": 0, "output": f"Your submission could not be judged: {error} {MEND}"}
    key = Key(root.path("answers.key"))
    given = outline.given(key.outline, handed.first if handed else 0)
    ids = outline.of_chapters(key.outline, chapters)
    with Nursery(needed_numpy()) as nursery:
        grading = Grading(key, made.package, nursery.launch, given, least=least, apart=True)
        try:
            verdicts = grading.grade(ids)
        except WrongUse as error:
            print(error)  # for the staff, who alone are shown it
            return None
    if BROKEN in {verdict.status for verdict in verdicts.values()}:
        return None
    whole = true_places(result(grading, verdicts), made.package.files)
    if why := in_part(whole, made.package, stubs, under):
        return {"score": 0, "output": f"There is no mark yet. {why}"}
    owners = {t: id for t, id in key.table["targets"].items() if id not in given}
    ours = came_solved(made.package.files, handed.solved, owners) if handed else []
    found = as_results(without(whole, set(ours)), of_zip("gradescope.json")["visibility"])
    first = filter(None, [unimportable(whole)])  # no setting hides what decides the whole mark
    return {**found, "output": "\n".join([*first, str(found["output"]), *made.notes])}


def of_zip(name: str) -> Any:
    """What a file says that `gradescope.py` has put into the zip; None where it has not."""
    if not os.path.exists(root.path(name)):
        return None
    with open(root.path(name), encoding="utf-8") as file:
        return json.load(file)


def without(whole: Result, ours: set[str]) -> Result:
    """A canonical result in which what came solved from us earns nothing."""
    for chapter in whole["chapters"]:
        for e in (e for e in chapter["exercises"] if e["id"] in ours):
            for holder in (whole, chapter):
                holder["score"] = round(holder["score"] - e["score"], 4)
            e["score"], e["status"] = 0.0, PENDING
            e["checks"] = [{**e["checks"][0], "message": CAME_SOLVED}]
    return whole


def handed_in(submission: str, stubs: Mapping[str, str], under: Mapping[str, str]) -> Submission:
    """The files that were uploaded, as a package.

    Args:
        stubs: the package below the answers of a notebook.
        under: the one below files that came alone; empty where it is not known.

    Raises:
        WrongUse: nothing in them can be judged.
    """
    if any(name.endswith(".ipynb") for name in os.listdir(submission)):
        made = notebook(submission, stubs)
    else:
        made, _ = within_bounds("what was uploaded", lambda: _package(submission, stubs, under))
    if not made.package.files:
        raise WrongUse(" ".join(made.notes) or "it is empty.")
    return made


def _package(submission: str, names: Collection[str], under: Mapping[str, str]) -> Submission:
    taken = take(submission, names)
    return laid_over(of_package(taken), under, taken.refused)


def as_results(found: Result, seen: str = "visible") -> dict[str, object]:
    """A canonical result in Gradescope's words: a test per exercise."""
    tests = [
        {
            "name": e["title"], "number": e["section"], "score": e["score"],
            "max_score": e["max_score"], "status": "passed" if e["status"] == PASSED else "failed",
            "output": told(e) or e["status"].replace("_", " "), "output_format": "text",
            "visibility": seen, "extra_data": {"exercise": e["id"], "status": e["status"]},
        }
        for e in exercises_of(found)
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
