"""`grader release OUT [--chapters …]`: the learner bundle, audited, scanned, then written."""

from __future__ import annotations

import argparse
import tempfile
from typing import Any

from ..course.load import Course
from ..instructor import release
from ..instructor.cohort import key_in
from ..instructor.overlay import OverlaidCourse, course_of
from ..key.build import PUBLIC_SEED
from ..key.cache import open_key
from ..key.file import Key


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Nothing is written unless the course holds together and the bundle gives nothing away."""
    course = course_of(options.course)
    chapters = release.span(course, options.chapters)
    with tempfile.TemporaryDirectory() as folder:
        return _release(options, course, chapters, _key(course, folder))


def _key(course: Course, folder: str) -> Key:
    """The public key; of an instructor's own course, one that is made for this release."""
    if not isinstance(course, OverlaidCourse):
        return open_key()
    return Key(key_in(folder, PUBLIC_SEED, course, course.overlay.mark, None))


def _release(options: argparse.Namespace, course: Course, chapters: list[str], key: Key) -> int:
    problems = [f"{p.where}: {p.what}; {p.mend}" for p in release.red(course, key)]
    release.refuse(problems, "The course does not hold together, so nothing is handed out:")
    files = release.bundle(course, key, chapters, options.earlier)
    found = sorted(set(release.leaks(course, key, chapters, files)))
    release.refuse(found, "The bundle would give answers away, so it is not written:")
    release.write(files, options.out)
    size = sum(map(len, files.values())) / 1e6
    print(
        f"{options.out}: {', '.join(chapters)}; {len(files)} files, {size:.1f} MB\n"
        "audited; no solution, no hidden check and no hidden answer is in it"
    )
    return 0
