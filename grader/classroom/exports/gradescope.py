"""The autograder zip of Gradescope: grader, key and stubs in it, and no solution that is asked for.

The platform unpacks it to /autograder/source, runs `setup.sh` once, and `run_autograder` for each
submission; marks are read from /autograder/results/results.json.
"""

from __future__ import annotations

import io
import json
import os
import secrets
import tempfile
import zipfile
from dataclasses import replace
from typing import Any

from ... import about
from ...course.key_file import Key
from ...course.make_key import save
from ...course.outline import choose, number_of, up_to
from ...course.rows import PUBLIC_SEED
from ...errors import WrongUse
from ..bundle import WHEN, grader_files, numpy_range
from ..cohort import key_at, key_in, public_key
from ..files import read_json
from ..overlay import OverlaidCourse, course_of
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
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", setup.encode(), 0o755)
        _add(archive, "run_autograder", run.encode(), 0o755)
        _add(archive, "course/grader/_course/answers.key", key, 0o600)
        for name, data in about.files().items():
            _add(archive, f"course/grader/_course/{name}", data)
        _add(archive, "course/grader/_course/stubs.json", _stubs(wanted, chapters))
        seen = json.dumps({"visibility": wanted.visibility}).encode()
        _add(archive, "course/grader/_course/gradescope.json", seen)
        if wanted.handed_out is not None:
            given = json.dumps(wanted.handed_out._asdict())
            _add(archive, "course/grader/_course/handed_out.json", given.encode())
        for name, data in grader_files():
            _add(archive, f"course/grader/{name}", data)
    return Export({"autograder.zip": out.getvalue()}, notes)


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
        mark = own.overlay.mark if isinstance(own, OverlaidCourse) else ""
        names = choose(wanted.chapters, [chapter.id for chapter in own.chapters])
        asked = replace(own, chapters=tuple(c for c in own.chapters if c.id in names))
        seed = wanted.seed or secrets.token_hex(16)
        return key_at(key_in(folder, seed, asked, mark, None), course)
    if course is not None:
        raise WrongUse("Name the results, which know their course.toml, or --course; not both.")
    path = os.path.join(results, "answers.key")
    if not os.path.exists(path) or not read_json(os.path.join(results, "batch.json")):
        raise WrongUse(f"{results} holds no key. Name a folder of `grader grade`, or none at all.")
    return key_at(path, read_json(os.path.join(results, "batch.json")).get("course"))


def _stubs(wanted: Wanted, chapters: list[str]) -> bytes:
    """The package as it was handed out, which the answers of a notebook are put into."""
    overlay = wanted.course
    if wanted.place is not None:
        overlay = read_json(os.path.join(wanted.place, "batch.json")).get("course")
    first = number_of(chapters[0])
    return json.dumps(course_of(overlay).stubs(first)).encode()


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: Any = 0o644) -> None:
    """An entry that is the same whenever it is made."""
    info = zipfile.ZipInfo(name, WHEN)
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
