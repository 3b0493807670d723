"""Commands about the results of a class, or of one learner.

`grader export FORMAT [RESULT] [--out PLACE]`: write results in another program's format. `grader
insights RESULTS`: show what cost the class most, and learners with equal wrong answers. `grader
open RESULTS --out SHEET`: write a class's open answers to a spreadsheet, to be marked; `--read
SHEET`: add the marks.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator

from ... import about
from ...commands import OVERLAY, TO_STDOUT, command, flag, isolation_option, option
from ...course.key_source import open_key
from ...course.outline import select_chapters
from ...course.schema import Question
from ...errors import WrongUse, one_line, os_safe
from ...learner import untrusted_files
from ...learner.file_writer import write_whole
from ...learner.open_questions import open_questions
from ...learner.wording import Style, first_of, percent, points
from ...sandbox.isolation import FOR_MARKS, LEVELS
from ..analysis.item_analysis import Insights, Item, analyse_class, rename_learners
from ..analysis.open_answers import apply_sheet_marks, make_marking_sheet, read_sheet
from ..analysis.similar import Cluster
from ..exports import FORMATS, Export, ExportRequest, describe_unmarked, restrict_records
from ..files import fill_template
from ..intake.handed_out import UNKNOWN, Handout
from ..marks.cohort import settle_handout
from ..marks.overlay import load_course
from ..marks.results import Batch, Results, iter_records, read_batch, read_records
from ..marks.roster import (
    describe_part,
    list_missing,
    map_owners,
    recorded_people,
)
from . import CHAPTERS, RELEASE

VISIBILITY = ("visible", "after_due_date", "after_published", "hidden")


@command(
    "export",
    option("format", "FORMAT", " ".join(FORMATS)),
    option("result", "RESULT", "a folder of results, or one result as JSON", nargs="?"),
    option("--out", "PLACE", "a file, a folder for several, or - for standard output"),
    option("--roster", "FILE", "list of participants, for moodle and canvas"),
    option("--assignment", "NAME", "name of the assignment, for moodle, canvas and html",
           default=about.COURSE.name),
    flag("--overwrite", "for moodle and canvas, write over marks and comments that differ"),
    option("--visibility", "WHEN", "for gradescope, the time when learners see the tests: "
           f"{' '.join(VISIBILITY)}", choices=VISIBILITY, default=VISIBILITY[0]),
    CHAPTERS, RELEASE, OVERLAY,
    option("--seed", "SEED", "for gradescope, draw inputs from this seed instead of a secret one; "
           "everybody can look up those of «public»"),
    isolation_option("for gradescope, refuse weaker isolation than this: "
                     f"{' or '.join(LEVELS)} (default: {FOR_MARKS})", FOR_MARKS),
)  # fmt: skip
def run_export(options: argparse.Namespace) -> int:
    """Write the files of one format; a single one goes to stdout if no place is named.

    Exit status 1 if a learner was left out, or has no mark.
    """
    if options.format not in FORMATS:
        raise WrongUse(f"There is no format {options.format}. Choose from {', '.join(FORMATS)}.")
    name, function, needs_results, takes = FORMATS[options.format]
    for given in sorted(options.given.difference(takes)):
        if takers := [each for each, row in FORMATS.items() if given in row[3]]:
            which = " and ".join(takers)
            raise WrongUse(f"{given} changes nothing in {options.format}; it is for {which}.")
    if needs_results and options.result is None:
        raise WrongUse(f"Name the results: `grader export {options.format} RESULT`.")
    batch, handed, chapters = read_batch(options.result or ""), None, options.chapters or []
    if not needs_results:
        handed, chapters = _to_judge(options, batch)
    roster = options.roster
    if roster is not None:
        roster = untrusted_files.read_named(roster, "The roster ")
    wanted = ExportRequest(
        restrict_records(read_records(options.result), chapters) if needs_results else [],
        options.result, options.assignment, roster, chapters,
        options.course, options.isolation, handed, options.seed, options.visibility,
        recorded_people(batch) if needs_results else (), options.overwrite,
        "--assignment" in options.given,
    )  # fmt: skip
    module = importlib.import_module(f"..exports.{name}", __package__)
    made: Export = getattr(module, function)(wanted)
    for note in made.notes:
        print(note, file=sys.stderr)
    _write(made, None if options.out == TO_STDOUT else options.out)
    for note in (
        list_missing(map_owners(wanted.records), wanted.people) if wanted.roster is None else ()
    ):
        print(note, file=sys.stderr)
    missing = [*made.missing, *describe_unmarked(wanted.records, wanted.people)]
    for each in missing:
        print(each, file=sys.stderr)
    return 1 if missing else 0


def _to_judge(options: argparse.Namespace, batch: Batch) -> tuple[Handout | None, list[str]]:
    """Return what learners were given, and the chapters to judge; warn if that is not known."""
    if options.result is not None and not batch:
        raise WrongUse(f"{options.result} holds no results. Name a folder of `grader grade`.")
    is_zip = options.format == "gradescope"  # the other formats need only chapters' names
    if not is_zip and sum(map(bool, (options.result, options.release, options.chapters))) > 1:
        raise WrongUse("Say once which chapters: with RESULT, --release or --chapters.")
    handed = settle_handout(options, batch, ())
    asked = select_chapters(options.chapters, open_key().chapters) if options.chapters else []
    chapters = asked or (options.release and handed and handed.chapters)
    chapters = chapters or batch.get("chapters") or (handed.chapters if handed else [])
    if handed is None and (len(chapters) != 1 if is_zip else not chapters):
        what = ", ".join(chapters or ["everything"])
        print(f"Warning: {options.format} is to judge {what}, and {UNKNOWN}.", file=sys.stderr)
    return handed, chapters


def _write(made: Export, out: str | None) -> None:
    """Write one file to ``out``, or into it if it is a folder; write several below it."""
    if out is None and len(made.files) > 1:
        raise WrongUse("This format has several files: name a folder with --out.")
    for name, data in made.files.items():
        if out is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
            continue
        single = len(made.files) == 1 and not os.path.isdir(out)
        path = out if single else os.path.join(out, *name.split("/"))
        write_whole(path, data, made.readers)
    if out is not None:
        print(f"wrote {len(made.files)} file(s) to {out}", file=sys.stderr)


MOST = 15  # rows of each table; the page has more
MOST_NAMES = 12  # of a group
FEWEST = 5  # learners of a section whose mean may be shown to others


@command(
    "insights",
    option("results", "RESULTS"),
    option("--html", "FILE", "write a page with a heat map, too"),
    option("--before", "EARLIER", "earlier results: list learners whose marks jumped"),
    flag("--anonymous", "numbers instead of names, for showing to others"),
)
def run_insights(options: argparse.Namespace) -> int:
    """Print the tables; with ``--html``, write the page with the heat map too."""
    each, read = iter_records(options.results)
    before = shares(options.before) if options.before else None
    found = analyse_class(each, read, before, recorded_people(read_batch(options.results)))
    if options.anonymous:
        found = anonymous(found)
    if options.html:
        write_whole(options.html, heat_map(found))
    sys.stdout.write(os_safe("\n".join(format_insights(found, Style.of(sys.stdout)))) + "\n")
    return 0


def shares(place: str) -> dict[str, float]:
    """Return learner → share of the points in an earlier assignment."""
    each, _ = iter_records(place)
    judged = (r for r in each if r["result"] is not None and r["max_mark"])
    return {r["learner"]: r["own"] / r["max_mark"] for r in judged}


def anonymous(found: Insights) -> Insights:
    """Replace names by numbers, in alphabetical order, which does not tell the points."""
    number = {name: f"#{n}" for n, name in enumerate(sorted(found.learners), 1)}
    return rename_learners(found, number)._replace(
        unjudged=[("–", *row[1:]) for row in found.unjudged],
        parts=[part for part in found.parts if part.marked >= FEWEST],
        clusters=[],
        oral=[],  # not for others
    )


def format_insights(found: Insights, style: Style) -> list[str]:
    """Return the lines for the terminal."""
    told = [f"{len(found.learners)} judged, {len(found.unjudged)} without a mark"]
    told += [
        f"mean {percent(found.mean)}, median {percent(found.median)} of the points, as judged",
        "(before lateness, grants and follow-through, which the class page counts)",
        "",
    ]
    told += ["".join(_bars(found.distribution)), ""]
    told += [*map(describe_part, found.parts), *[""] * bool(found.parts)]
    told.append(style.paint("bold", "What cost the class most"))
    told.append(f"  {'points':>8} {'earned':>7} {'telling':>8}  exercise")
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    told += [_row(item) for item in dear[:MOST] if item.lost]
    if found.groups:
        told += ["", style.paint("bold", "Wrong in the same way: one comment for all")]
    for group in found.groups[:MOST]:
        more = f" and {len(group.more)} more" if group.more else ""
        told.append(
            f"  {points(group.lost):>8} {len(group.learners):>3} learners  {group.id}{more}"
        )
        told += style.wrap(group.says, "          ", "          ")
        told += style.wrap(first_of(group.learners, MOST_NAMES), "          ", "          ")
    if found.clusters:
        told += ["", style.paint("bold", "Much the same code, whatever its names (no proof)")]
    for cluster in found.clusters[:MOST]:
        told += style.wrap(format_clusters(cluster), "  ", "      ")
    if found.oral:
        told += ["", style.paint("bold", "Whom to talk to (a reason to ask, no proof)")]
    for talk in found.oral[:MOST]:
        told += style.wrap(f"{first_of(talk.learners, MOST_NAMES)}: {talk.says}", "  ", "      ")
    return told


def format_clusters(cluster: Cluster) -> str:
    """Describe a cluster: its learners, the share of common code, and the places."""
    names = first_of(cluster.learners, MOST_NAMES)
    return f"{names}: up to {percent(cluster.share)}, in {', '.join(cluster.places)}"


def _bars(distribution: list[int]) -> Iterator[str]:
    """Yield the distribution of points, a line per tenth."""
    most = max(distribution, default=0) or 1
    for n, count in enumerate(distribution):
        bar = "#" * round(30 * count / most)
        yield f"  {10 * n:>3}–{10 * (n + 1):<3} % {count:>5} {bar}".rstrip() + "\n"


def _row(item: Item) -> str:
    counts = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in item.counts.items())
    waited = f"; {points(item.waited)} of it by waiting" if item.waited else ""
    telling = f"{100 * item.telling:+.0f} %"
    return (
        f"  {points(item.lost):>8} {percent(item.share):>7} {telling:>8}  {item.id}  "
        f"({counts}{waited})"
    )


def heat_map(found: Insights) -> bytes:
    """Render the HTML page: a column per learner, or group of them, and a row per exercise."""
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    return fill_template("insights.html", title="What the class found hard", found=found, dear=dear)


@command(
    "open",
    option("results", "RESULTS"),
    option("--out", "SHEET", "write a row for each answer, for you to fill in"),
    option("--read", "SHEET", "read a filled-in sheet; its points count in the marks"),
)
def run_open(options: argparse.Namespace) -> int:
    """Write or read a sheet; exit status 1 if a row is invalid, or a counting answer unmarked."""
    if (options.out is None) == (options.read is None):
        raise WrongUse("Say where the sheet goes with --out SHEET, or what to read, --read SHEET.")
    batch = Results(options.results).batch
    if not batch:
        raise WrongUse(f"{options.results} holds no results. Name a folder of `grader grade`.")
    course, names = load_course(batch.get("course")), batch.get("chapters", ())
    asked = open_questions(chapter for chapter in course.chapters if chapter.id in names)
    if not asked:
        raise WrongUse(f"There are no open questions in {', '.join(names)}.")
    if options.out is not None:
        return _write_sheet(options, asked)
    with Results(options.results) as results:
        return _read_back(options.read, results, batch, asked)


def _write_sheet(options: argparse.Namespace, asked: dict[str, Question]) -> int:
    """Write the sheet to a new file: an existing one may hold marks that were not read yet."""
    if os.path.lexists(options.out):
        raise WrongUse(
            f"{options.out} is there already. Read what is filled in with --read, then take it "
            "away or name another file."
        )
    records = [r for r in Results(options.results).records() if r.get("counts", True)]
    data, count = make_marking_sheet(records, asked)
    write_whole(options.out, data)
    learners = sum(bool(record.get("answers")) for record in records)
    print(f"{options.out}: {count} answers of {learners} learners, {len(asked)} questions")
    print("For each item 1, 0 or between; then `grader open RESULTS --read SHEET`.")
    return 0


def _read_back(path: str, results: Results, batch: Batch, asked: dict[str, Question]) -> int:
    given, wrong = read_sheet(untrusted_files.read_named(path), results.each(), asked)
    begun = {*batch.get("open", {}), *(each.question for each in given.values())}
    counted = {id: float(len(asked[id].rubric)) for id in asked if id in begun}
    waiting = []
    for record in results.each():
        made = apply_sheet_marks(record, given, counted)
        if made != record:
            results.write(made)
        if made.get("counts", True):
            waiting += describe_unmarked([made])
    results.write_batch({**batch, "open": counted})
    results.write_summaries()
    print(
        f"{len(given)} answers are marked in {path}; {len(counted)} of {len(asked)} questions "
        f"count, {sum(counted.values()):g} points"
    )
    for line in [*wrong, *waiting]:
        print(one_line(line), file=sys.stderr)
    return 1 if wrong or waiting else 0
