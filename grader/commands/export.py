"""`grader export FORMAT [RESULT] [--out PLACE]`: the canonical result in the words of others."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from .. import about
from ..classroom.exports import FORMATS, Export, Wanted, say_unmarked
from ..classroom.files import write_whole
from ..classroom.handed_out import HandedOut, of_releases
from ..classroom.results import batch_at, records
from ..classroom.roster import absent, on_record, owners
from ..course import outside
from ..errors import WrongUse
from ..sandbox.isolation import FOR_MARKS, LEVELS
from . import CHAPTERS, OVERLAY, RELEASE, Command, Options, Workers, option

VISIBILITY = ("visible", "after_due_date", "after_published", "hidden")
SAYS = "write results in the words of others"
OPTIONS: Options = (
    option(
        "format", "FORMAT", "json junit csv moodle canvas html github workflow central gradescope"
    ),
    option("result", "RESULT", "a folder of results, or one result as JSON", nargs="?"),
    option("--out", "PLACE", "a file, or a folder for several"),
    option("--roster", "FILE", "the participants, for moodle and canvas"),
    option("--assignment", "NAME", default=about.COURSE.name),
    option(
        "--visibility",
        "WHEN",
        f"for gradescope, when learners see the tests: {' '.join(VISIBILITY)}",
        choices=VISIBILITY,
        default=VISIBILITY[0],
    ),
    CHAPTERS,
    RELEASE,
    OVERLAY,
    option(
        "--seed",
        "SEED",
        "for gradescope, draw inputs from it, not from a secret one; "
        "those of «public» anybody can look up",
    ),
    option(
        "--isolation",
        "LEVEL",
        f"for gradescope, no less than {' or '.join(LEVELS)}; {FOR_MARKS} by default",
        choices=LEVELS,
        default=FOR_MARKS,
    ),
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Write the files of one format; a single one goes to stdout where no place is named.

    Exit status 1 where a hand-in did not arrive in them, or has no mark to arrive.
    """
    if options.format not in FORMATS:
        raise WrongUse(f"There is no format {options.format}. Choose from {', '.join(FORMATS)}.")
    name, function, needs_results = FORMATS[options.format]
    if needs_results and options.result is None:
        raise WrongUse(f"Name the results: `grader export {options.format} RESULT`.")
    handed = None if needs_results else _handed_out(options)
    chapters = options.chapters or (handed.chapters if handed else [])
    roster = (
        outside.named_text(options.roster, "The roster ") if options.roster is not None else None
    )
    wanted = Wanted(
        records(options.result) if needs_results else [],
        options.result, options.assignment, roster, chapters,
        options.course, options.isolation, handed, options.seed, options.visibility,
        on_record(batch_at(options.result)) if needs_results else (),
    )  # fmt: skip
    module = importlib.import_module(f"..classroom.exports.{name}", __package__)
    made: Export = getattr(module, function)(wanted)
    for note in made.notes:
        print(note, file=sys.stderr)
    _write(made, options.out)
    for note in absent(owners(wanted.records), wanted.people) if wanted.roster is None else ():
        print(note, file=sys.stderr)
    missing = [*made.missing, *say_unmarked(wanted.records)]
    for each in missing:
        print(each, file=sys.stderr)
    return 1 if missing else 0


def _handed_out(options: argparse.Namespace) -> HandedOut | None:
    """What learners were given: as it is named, or as the class's results have it on record."""
    if options.release:
        return of_releases(options.release)
    kept = batch_at(options.result or "").get("handed_out")
    handed = HandedOut.of(kept) if kept else None
    if handed is None and len(options.chapters or ()) != 1:
        print(
            f"Warning: {options.format} is to judge {', '.join(options.chapters or ['everything'])}"
            ", and it is not known what learners were given. Where a chapter of these came solved, "
            "it is free points: name what was handed out with --release RELEASE.",
            file=sys.stderr,
        )
    return handed


def _write(made: Export, out: str | None) -> None:
    """One file is written at ``out`` itself, or into it where it is a folder; several below it."""
    if out is None and len(made.files) > 1:
        raise WrongUse("This format has several files: name a folder with --out.")
    for name, data in made.files.items():
        if out is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
            continue
        single = len(made.files) == 1 and not os.path.isdir(out)
        path = out if single else os.path.join(out, *name.split("/"))
        write_whole(path, data)
    if out is not None:
        print(f"wrote {len(made.files)} file(s) to {out}", file=sys.stderr)


COMMANDS = {"export": Command(SAYS, OPTIONS, run)}
