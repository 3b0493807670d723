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
from ...course.outline import number_of, up_to
from ...course.rows import PUBLIC_SEED
from ...errors import WrongUse
from ..bundle import WHEN, grader_files, numpy_range
from ..cohort import key_at, key_in, public_key
from ..files import read_json
from ..overlay import OverlaidCourse, course_of
from . import Export, Wanted

SETUP = """\
#!/usr/bin/env bash
# Run once, when the image is built.
set -euo pipefail
python="${PYTHON:-python3}"
if ! "$python" -c 'import numpy' 2>/dev/null; then
  "$python" -m pip --version >/dev/null 2>&1 || { apt-get update; apt-get install -y python3-pip; }
  "$python" -m pip install --break-system-packages 'NUMPY' || "$python" -m pip install 'NUMPY'
fi
"$python" -c 'import sys, numpy; assert sys.version_info >= (3, 10), sys.version'
# Root's alone: what learners wrote runs as nobody, whether the kernel confines it or not.
chmod 600 "${AUTOGRADER_ROOT:-/autograder}/source/course/grader/_course/answers.key"
"""

RUN = """\
#!/usr/bin/env bash
# Run for each submission. What stands in results.json first is what counts if anything fails.
root="${AUTOGRADER_ROOT:-/autograder}"
mkdir -p "$root/results"
cat > "$root/results/results.json" <<'END'
CLOSED
END
cd /
exec "${PYTHON:-python3}" -I -c '
import sys
sys.path.insert(0, sys.argv[1] + "/source/course")
from grader.classroom.exports.gradescope_run import main
main(sys.argv[1], sys.argv[3:], sys.argv[2])
' "$root" LEVEL CHAPTERS
"""

CLOSED = {
    "score": 0,
    "output": "The grader did not finish, so there is no mark yet. This is not your fault: tell "
    "the staff, who can run it again.",
}


def export(wanted: Wanted) -> Export:
    """One zip; with the key of a class where its results were named."""
    with tempfile.TemporaryDirectory(prefix="grader-key-") as folder:
        known = _key(wanted, folder)
        chapters = _chapters(known.chapters, wanted.chapters)
        path = os.path.join(folder, "whole.key")
        save(known, path, up_to(chapters[-1], known.chapters), with_mistakes=True)
        with open(path, "rb") as file:
            key = file.read()
    notes = [] if wanted.place or wanted.seed else [DRAWN]
    closed = json.dumps(CLOSED, indent=1)
    run = RUN.replace("CLOSED", closed).replace("CHAPTERS", " ".join(chapters))
    run = run.replace("LEVEL", wanted.isolation)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", SETUP.replace("NUMPY", numpy_range()).encode(), 0o755)
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
        names = _chapters([chapter.id for chapter in own.chapters], wanted.chapters)
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


def _chapters(known: list[str], names: list[str]) -> list[str]:
    """Those that are named, in the course's order; all of them where none is."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise WrongUse(f"There is no {unknown[0]}. Choose from {', '.join(known)}.")
    return [name for name in known if not names or name in names]


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: Any = 0o644) -> None:
    """An entry that is the same whenever it is made."""
    info = zipfile.ZipInfo(name, WHEN)
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
