"""`grader release OUT [--chapters …]`: the learner bundle, audited, scanned, then written."""

from __future__ import annotations

import argparse
import re

from ..classroom import bundle
from ..classroom.cohort import public_key
from ..classroom.overlay import course_of
from ..course.key_file import Key
from ..course.load import Course
from ..errors import WrongUse
from .options import CHAPTERS, EARLIER, OVERLAY, Command, Options, Workers, flag, option

SAYS = "write what learners get, once it is proved to give nothing away"
OPTIONS: Options = (
    option("out", "OUT"),
    CHAPTERS,
    EARLIER,
    OVERLAY,
    option("--wheel", "URL", "where learners install the grader from; else the bundle holds it"),
    flag("--reveal", "learners may see solutions before they have passed"),
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Nothing is written unless the course holds together and the bundle gives nothing away."""
    if options.wheel is not None and not re.match(r"(https?|file)://\S+\.whl$", options.wheel):
        raise WrongUse(f"--wheel takes the URL of a wheel, https://….whl, not {options.wheel}.")
    course = course_of(options.course)
    chapters = bundle.span(course, options.chapters)
    return _release(options, course, chapters, public_key(course))


def _release(options: argparse.Namespace, course: Course, chapters: list[str], key: Key) -> int:
    problems = [f"{p.where}: {p.what}; {p.mend}" for p in bundle.red(course, key)]
    bundle.refuse(problems, "The course does not hold together, so nothing is handed out:")
    wheel, reveal = options.wheel, options.reveal
    files = bundle.bundle(course, key, chapters, options.earlier, wheel, reveal)
    found = sorted(set(bundle.leaks(course, key, chapters, files)))
    bundle.refuse(found, "The bundle would give answers away, so it is not written:")
    bundle.write(files, options.out)
    size = sum(map(len, files.values())) / 1e6
    print(
        f"{options.out}: {', '.join(chapters)}; {len(files)} files, {size:.1f} MB\n"
        "audited; no solution, no mark scheme, no hidden check and no hidden answer is in it"
        f"{', but for the solutions that --reveal allows' * reveal}"
    )
    return 0


COMMANDS = {"release": Command(SAYS, OPTIONS, run)}
