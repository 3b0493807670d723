"""`grader release OUT [--chapters …]`: what learners get, audited, scanned, then written."""

from __future__ import annotations

import argparse
import re

from ...commands import OVERLAY, command, flag, option
from ...course.outline import FORMULAS, FULL, ROUTES, SHOWN, Terms
from ...errors import WrongUse
from ...learner.file_writer import FOR_ALL, write_folder
from ..marks.cohort import open_public_key
from ..marks.overlay import load_course
from ..release import bundle, publickey
from . import CHAPTERS, EARLIER


@command(
    "release",
    option("out", "OUT"),
    CHAPTERS,
    EARLIER,
    OVERLAY,
    option("--wheel", "URL", "address of the grader for learners (default: a wheel in the folder)"),
    option(
        "--route",
        "ROUTE",
        "short: of exercises that are alike a part comes solved, for no points; full",
        choices=ROUTES,
        default=FULL,
    ),
    option(
        "--formulas",
        "HOW",
        "hidden: docstrings leave derivatives out, the last hint has them; shown",
        choices=FORMULAS,
        default=SHOWN,
    ),
    flag("--reveal", "let learners see solutions before they have passed"),
)
def run_release(options: argparse.Namespace) -> int:
    """Nothing is written unless the course holds together and the bundle gives nothing away."""
    if options.wheel is not None and not re.match(r"(https?|file)://\S+\.whl$", options.wheel):
        raise WrongUse(f"--wheel takes the URL of a wheel, https://….whl, not {options.wheel}.")
    course = load_course(options.course)
    terms = Terms(options.route, options.formulas)
    course.require_terms(terms)
    chapters = bundle.choose_span(course, options.chapters)
    key, shown = open_public_key(course), bundle.list_shown_chapters(course, chapters)
    problems = [
        f"{p.where}: {p.what}; {p.mend}" for p in bundle.find_failing_invariants(course, key, shown)
    ]
    bundle.refuse_problems(problems, "The course does not hold together, so nothing is handed out:")
    wheel, reveal = options.wheel, options.reveal
    files = bundle.build_bundle(course, key, chapters, options.earlier, wheel, reveal, terms)
    found = sorted(set(publickey.find_leaks(course, key, chapters, files, terms.route)))
    bundle.refuse_problems(found, "The bundle would give answers away, so it is not written:")
    write_folder(files, options.out)
    size = sum(map(len, files.values())) / 1e6
    print(
        f"{options.out}: {', '.join(chapters)}; {len(files)} files, {size:.1f} MB\n"
        "audited; no solution, no mark scheme, no hidden check and no hidden answer is in it"
        f"{', but for the solutions that --reveal allows' * reveal}\n{FOR_ALL}"
    )
    return 0
