"""The autograder zip of Gradescope: grader, key and stubs in it, and no solution that is asked for.

The platform unpacks it to /autograder/source, runs `setup.sh` once, and `run_autograder` for each
submission; marks are read from /autograder/results/results.json.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from dataclasses import replace

from ... import about
from ...course.key_file import Key
from ...course.make_key import save
from ...course.outline import choose, number_of, up_to
from ...course.rows import PUBLIC_SEED
from ...errors import WrongUse
from ..bundle import grader_files, numpy_range, zip_files
from ..cohort import key_at, key_in, public_key
from ..overlay import course_of
from ..results import batch_at
from ..safe_text import plain_template
from . import Export, Wanted

CLOSED = {
    "score": 0,
    "output": "The grader did not finish, so there is no mark yet. This is not your fault: tell "
    "the staff, who can run it again.",
}


def export(wanted: Wanted) -> Export:
    """One zip; with the key of a class where its results were named."""
    with tempfile.TemporaryDirectory(prefix="grader-key-") as folder:
        known = _key(wanted, folder)
        chapters = choose(wanted.chapters, known.chapters)
        path = os.path.join(folder, "whole.key")
        save(known, path, up_to(chapters[-1], known.chapters), with_mistakes=True)
        with open(path, "rb") as file:
            key = file.read()
    notes = [] if wanted.place or wanted.seed else [DRAWN]
    closed = json.dumps(CLOSED, indent=1)
    run = plain_template("run_autograder.sh").replace("CLOSED", closed)
    run = run.replace("CHAPTERS", " ".join(chapters)).replace("LEVEL", wanted.isolation)
    setup = plain_template("setup.sh").replace("NUMPY", numpy_range())
    course, own = "course/grader", "course/grader/_course"
    files = {"setup.sh": setup.encode(), "run_autograder": run.encode(), f"{own}/answers.key": key}
    files |= {f"{own}/{name}": data for name, data in about.files().items()}
    files[f"{own}/stubs.json"] = _stubs(wanted, chapters)
    files[f"{own}/gradescope.json"] = json.dumps({"visibility": wanted.visibility}).encode()
    if wanted.handed_out is not None:
        files[f"{own}/handed_out.json"] = json.dumps(wanted.handed_out._asdict()).encode()
    files |= {f"{course}/{name}": data for name, data in grader_files()}
    modes = {"setup.sh": 0o755, "run_autograder": 0o755, f"{own}/answers.key": 0o600}
    return Export({"autograder.zip": zip_files(files, modes)}, notes)


DRAWN = (
    "Its hidden inputs were drawn for this zip alone, so keep it to yourself. To make another with "
    "the same, name a folder of `grader grade`: grader export gradescope RESULTS."
)


def _key(wanted: Wanted, folder: str) -> Key:
    """The key of a class, which holds its own course already; else one made for this zip."""
    results, course = wanted.place, wanted.course
    if results is None and wanted.seed == PUBLIC_SEED:
        return public_key(course_of(course))
    if results is None:
        own = course_of(course)
        names = choose(wanted.chapters, [chapter.id for chapter in own.chapters])
        asked = replace(own, chapters=tuple(c for c in own.chapters if c.id in names))
        seed = wanted.seed or secrets.token_hex(16)
        return key_at(key_in(folder, seed, asked, None), course)
    if course is not None:
        raise WrongUse("Name the results, which know their course.toml, or --course; not both.")
    path = os.path.join(results, "answers.key")
    if not os.path.exists(path) or not batch_at(results):
        raise WrongUse(f"{results} holds no key. Name a folder of `grader grade`, or none at all.")
    return key_at(path, batch_at(results).get("course"))


def _stubs(wanted: Wanted, chapters: list[str]) -> bytes:
    """The package as it was handed out, which the answers of a notebook are put into."""
    overlay = wanted.course
    if wanted.place is not None:
        overlay = batch_at(wanted.place).get("course")
    first = number_of(chapters[0])
    return json.dumps(course_of(overlay).stubs(first)).encode()
