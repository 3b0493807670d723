"""`grader grade SUBMISSIONS… --out RESULTS`: judge a class, a row per submission; `grader merge
RESULTS… --out OUT`: merge the results of several shards into one folder."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import datetime, timezone, tzinfo
from functools import partial
from itertools import groupby
from operator import attrgetter

from ...commands import OVERLAY, command, extra, flag, isolation_option, option
from ...course.outline import FULL, chapter_of, select_chapters
from ...errors import WrongUse, one_line
from ...learner.wording import format_count, isolation
from ...sandbox.isolation import FOR_MARKS, LEVELS
from .. import judging
from ..analysis.open_answers import carry_marks
from ..analysis.similar import group_same_code
from ..intake import handins
from ..intake.handed_out import UNKNOWN
from ..intake.handins import HandIn
from ..marks import lateness
from ..marks.cohort import Cohort, describe_changed, prepare_cohort
from ..marks.grants import grant_target
from ..marks.lateness import Grants, Terms
from ..marks.learner_names import cut_apart, name_learners, name_rows
from ..marks.overlay import Overlay, load_course, load_overlay
from ..marks.record import (
    GRADED,
    OUR_FAULT,
    UNREADABLE,
    Record,
    Summary,
    by_learner,
    record_fault,
    summarize_record,
)
from ..marks.regrade import EarlierRecords, begin_after, refuse_lost_learners, settle_changes
from ..marks.results import Results, copy_terms, find_stale_learners, merge_shards, select_shard
from ..marks.roster import (
    Person,
    describe_part,
    index_roster_names,
    list_missing,
    map_owners,
    name_some,
    recorded_people,
    summarize_parts,
)
from ..marks.teams import index_renamed, share_record, share_times, split_teams
from . import CHAPTERS, RELEASE


@command(
    "grade",
    option("submissions", "SUBMISSIONS", nargs="+"),
    option("--out", "RESULTS", "the folder of results", required=True),
    CHAPTERS,
    RELEASE,
    option("--jobs", "N", "number of hand-ins at once (default: all cores)", type=int),
    option("--seed", "SECRET", "seed of the hidden inputs (default: drawn once)"),
    option("--seed-file", "FILE", "file with the seed"),
    option(
        "--marks",
        help="own: as judged; best: with follow-through; half: between",
        choices=("own", "best", "half"),
    ),
    OVERLAY,
    option("--roster", "FILE", "list of the class: id, name, mail, section, group as CSV"),
    option("--times", "FILE", "times of the hand-ins: learner,time as CSV", nargs="+"),
    option("--timezone", "ZONE", "zone of times without one (default: that of the due dates)"),
    option("--time", "SECONDS", "time limit for one submission", type=int, default=judging.SECONDS),
    option("--shard", "I/N", "judge only part I of N; `grader merge` joins them"),
    option("--like", "RESULTS", "begin with the seed, key and terms of these results"),
    option("--after", "RESULTS", "after a fix of a check: grade again, and list changed marks"),
    option("--why", "SENTENCE", "with --after, a sentence for the messages", default=""),
    flag("--lower", "with --after, let marks fall, too"),
    flag("--prepare", "make seed and key, and judge nobody yet"),
    option("--cluster", "WHERE", "judge on Dask: local, an address, or a scheduler's file"),
    flag("--again", "judge again, even if the result is known"),
    isolation_option(
        f"refuse weaker isolation than this: {' or '.join(LEVELS)} (default: {FOR_MARKS})",
        FOR_MARKS,
    ),
    needs={"--timezone": "--times", "--why": "--after", "--lower": "--after"},
    bars={
        "--after": ("--like", "--prepare", "--seed", "--seed-file", "--shard"),
        "--like": ("--seed", "--seed-file"),
        "--prepare": ("--again", "--cluster", "--jobs", "--shard", "--time"),
        "--seed-file": ("--seed",),
    },
)
def run_grade(options: argparse.Namespace) -> int:
    """Grade submissions; exit status 0 if all were, 1 if some could not be read, 3 our fault."""
    _refuse_options(options)
    course = load_course(options.course)  # reports its faults before anything is written
    select_chapters(options.chapters or (), [chapter.id for chapter in course.chapters])
    everything = handins.discover(options.submissions, options.chapters or ())
    out = os.path.realpath(options.out)  # it may lie among the submissions
    submissions = [h for h in everything if os.path.realpath(h.path) != out]
    select_shard(submissions, options.shard)  # reports its faults, too
    with Results(options.out) as results:
        if options.like:
            options.seed = copy_terms(results, options.like)
        base = begin_after(results, options.after)
        one_seed(options, results)
        cohort = prepare_cohort(options, results, submissions)
        for line in (say_given(cohort), *describe_changed(cohort, options.after)):
            print(line, file=sys.stderr)
        listed = recorded_people(results.batch)
        everyone = split_teams(submissions, listed)
        refuse_lost_learners(base, everyone)
        own = load_overlay(cohort.overlay) if cohort.overlay else None
        clock = clock_of(options, own, (submissions, everyone), results)
        submissions = [] if options.prepare else select_shard(everyone, options.shard)
        counts = grade(submissions, cohort, clock, results, options, base)
        rows = sorted(map(summarize_record, results.each()), key=by_learner)
        for learner in (gone := find_stale_learners(rows, options.submissions, everyone)):
            results.remove(learner)
        rows = with_attempts(results, [row for row in rows if row["learner"] not in gone])
        results.write_summaries(rows)
    mine = {handin.learner for handin in submissions}
    if gone:
        print(f"No longer handed in, so their rows are gone: {one_line(', '.join(gone))}")
    if listed and not options.shard:
        print_class(rows, listed)
    settle_changes(base, results, listed, options.why)
    rows = [row for row in rows if row["learner"] in mine]
    named = name_learners(map_owners(rows), listed)
    print_summary(name_rows(rows, named), submissions, counts, options.out)
    statuses = {row["status"] for row in rows}
    return 3 if OUR_FAULT in statuses else 1 if UNREADABLE in statuses else 0


def _refuse_options(options: argparse.Namespace) -> None:
    if options.time < 1 or (options.jobs is not None and options.jobs < 1):
        raise WrongUse("--jobs and --time need numbers from 1 on.")
    if options.jobs and options.cluster not in (None, "local"):
        raise WrongUse(f"--jobs changes nothing at {options.cluster}: its workers say how many.")


def one_seed(options: argparse.Namespace, results: Results) -> None:
    """Raise `WrongUse` if each shard would draw a seed of its own."""
    if options.shard and not (options.seed or options.seed_file or results.batch):
        raise WrongUse(
            "Shards need one seed: name it with --seed-file FILE, or make it once with "
            "`grader grade … --out BASE --prepare`, and say --like BASE for each shard."
        )


def say_given(cohort: Cohort) -> str:
    """Say which chapters are judged and what came solved; warn if that is not known."""
    names = ", ".join(cohort.chapters)
    handed = cohort.handed_out
    if handed is not None:
        before = f"what is before chapter {handed.first} came solved" if handed.first > 1 else ""
        route = f"what the {handed.route} route gives counts for nobody" * (handed.route != FULL)
        later = "a text that was handed out solved earns nothing" if handed.solved else ""
        told = "; ".join(filter(None, (before, route, later))) or "nothing came solved"
        return f"Judged: {names}. By {handed.source}: {told}."
    if len(cohort.chapters) == 1:
        return f"Judged: {names}."
    return f"Judged: {names}. Warning: {UNKNOWN}, or what is asked with --chapters."


def grade(
    submissions: list[HandIn], cohort: Cohort, clock: Clock, results: Results,
    options: argparse.Namespace, base: Results | None = None,
) -> Counter[str]:  # fmt: skip
    """Judge submissions that are new or changed; return outcome (`what_happened`) → count."""
    earlier = EarlierRecords(results, base, options.lower)

    def known(handin: HandIn) -> Record | None:
        return None if options.again else earlier.read(handin.learner)

    counts: Counter[str] = Counter()
    teams = {path: [*each] for path, each in groupby(submissions, attrgetter("path"))}
    first = [team[0] for team in teams.values()]
    jobs = options.jobs or os.cpu_count() or 1
    with extra("instructor", "grader grade needs tqdm"):
        from tqdm import tqdm
    judged = _judge_of(options)(first, known, cohort, jobs=jobs, seconds=options.time)
    bar = tqdm(total=len(submissions), unit="submission", dynamic_ncols=True, disable=None)
    try:
        with closing(judged) as done, bar:
            for (handin, _), record in done:
                team = teams[handin.path]
                for each, shared in zip(team, share_record(record, team), strict=True):
                    counts[keep_record(each, shared, clock, earlier, options.again)] += 1
                bar.set_postfix_str(handin.learner[:24], refresh=False)
                bar.update(len(team))
    except KeyboardInterrupt:
        kept = f"\n{counts.total()} of {len(submissions)} are done and kept in {options.out}"
        print(f"{kept}; the same command goes on from there.", file=sys.stderr)
        raise
    return counts


def keep_record(
    handin: HandIn, record: Record, clock: Clock, known: EarlierRecords, again: bool
) -> str:
    """Write a record with its marks by the terms; return its outcome (`what_happened`)."""
    terms, times, grants = clock
    before = known.read(handin.learner)
    earlier = None if again else before
    if again and record["status"] != GRADED:
        record = record_fault(record, record["says"], before)
    record = carry_marks(record, before, known.results.batch.get("open", {}))
    if earlier is not None and "counts" in earlier:
        record["counts"] = earlier["counts"]  # `with_attempts` settles it at the end
    terms_of = partial(lateness.apply_terms, terms=terms, came=times.get(handin.learner))
    record = known.keep_marks(record, terms_of, grants)
    if record != known.results.read(handin.learner):
        known.results.write(record)
    return what_happened(record, earlier)


def _judge_of(
    options: argparse.Namespace,
) -> Callable[..., Generator[tuple[judging.Task, Record], None, None]]:
    """Return the function that judges: the pool of this machine, or Dask."""
    if not options.cluster:
        return judging.judge_in_pool
    with extra("cluster", "--cluster needs Dask"):
        from .. import cluster
    return partial(cluster.judge_on_cluster, where=options.cluster)


def what_happened(record: Record, earlier: Record | None) -> str:
    """Return ``kept``, ``judged``, or ``re-marked``: same result, other marks by new terms."""
    if earlier is None or record == earlier:
        return "judged" if earlier is None else "kept"
    same = record["result"] is not None and record["result"] == earlier["result"]
    return "re-marked" if same else "judged"


Times = dict[str, datetime]  # learner → time of submission, by the platform
Clock = tuple[Terms | None, Times, Grants]


def clock_of(
    options: argparse.Namespace, own: Overlay | None, handed_in: tuple[list[HandIn], list[HandIn]],
    results: Results,
) -> Clock:  # fmt: skip
    """Return terms, times of submission and grants.

    Times come from the named lists; without any, from the records. ``handed_in``: the hand-ins,
    and the same with one for each member of a team.
    """
    submissions = handed_in[1]
    terms = own.terms if own else None
    listed = recorded_people(results.batch)
    names = index_roster_names((h.learner for h in submissions), listed)
    if options.times is None:
        known = {r["learner"]: r["came"] for r in results.each() if r.get("came")}
        times = {name: datetime.fromisoformat(came) for name, came in known.items()}
    else:
        renamed = index_renamed(*handed_in)
        own_names = {name: who for name, who in names.items() if name not in renamed}
        times = lateness.read_time_lists(options.times, zone_of(options, terms), own_names)
        times, unknown = share_times(times, renamed, submissions)
        if unknown and len(submissions) > 1:  # of one, the others' times are no mistakes
            print(f"In --times, but not handed in: {name_some(unknown)}", file=sys.stderr)
    is_class = len(submissions) > 1  # for a single one, entries for others are no mistakes
    if own and is_class:
        names |= index_roster_names((h.whose or h.learner for h in submissions), listed)
        others = {*times, *(key for each in listed for key in each.keys)}
        terms = terms and terms.of_class(names, others)
    if own and own.attempts == "last" and not options.prepare:
        lateness.refuse_unknown_last(submissions, times)
    asked = results.batch["chapters"]
    granted = [g for g in own.grants if chapter_of(grant_target(g)) in asked] if own else []
    return terms, times, lateness.match_grants(granted, names, is_class)


def zone_of(options: argparse.Namespace, terms: Terms | None) -> tzinfo | None:
    """Return the zone of times that name none: the given one, else that of the due dates."""
    if options.timezone:
        return lateness.find_zone(options.timezone)
    return terms.zone if terms else timezone.utc


def with_attempts(results: Results, rows: list[Summary]) -> list[Summary]:
    """Set in rows and records whether each is the attempt that counts; return the rows."""
    course = results.batch.get("course")
    told = lateness.choose_attempts(rows, load_overlay(course).attempts if course else "each")
    for row in rows:
        name = row["learner"]
        if row["counts"] != told[name] and (record := results.read(name)) is not None:
            record["counts"] = told[name]
            results.write(record)
        row["counts"] = told[name]
    return rows


def print_summary(
    records: list[Summary], submissions: list[HandIn], counts: Counter[str], out: str
) -> None:
    """Print marks, failures, late submissions, and submissions handed in twice."""
    shown = cut_apart([r["learner"] for r in records])
    width = max(map(len, shown.values()), default=0)
    for r in records:
        points = "" if r["mark"] is None else f"{r['mark']:g} of {r['max_mark']:g}"
        name = shown[r["learner"]]
        print(f"{name:<{width}}  {r['status']:<10} {points:>14}  {r['says']}".rstrip())
    print(f"\n{counts['judged']} judged, {counts['kept']} kept from before; results in {out}")
    if counts["re-marked"]:
        print(f"{counts['re-marked']} have other marks by the terms of now; none was judged again")
    found = [r["held"] for r in records if r["held"]]
    for lines in dict.fromkeys(tuple(isolation(each)) for each in found):
        print(" ".join(lines))
    _print_policy(records)
    for status, who in ((UNREADABLE, "could not be read"), (OUR_FAULT, "failed by our fault")):
        names = [r["learner"] for r in records if r["status"] == status]
        if names:
            print(f"{len(names)} {who}, and have no mark: {', '.join(names)}")
    late = [f"{one_line(r['learner'])} ({r['late']})" for r in records if r["late"]]
    if late:
        print(f"Late by the platform's time: {', '.join(late)}")
    solved: dict[int, list[str]] = {}
    for r in records:
        solved.setdefault(r["came_solved"], []).append(one_line(r["learner"]))
    for count, names in sorted(solved.items()):
        if count:
            says = "as they were handed out solved, without points"
            print(f"{format_count(count, 'exercise')} {says}: {', '.join(names)}")
    _print_twice(records, submissions)
    slow = [r["learner"] for r in records if r["timed_out"]]
    if slow:
        print(f"Ran out of time somewhere: {', '.join(slow)}")


def _print_twice(records: list[Summary], submissions: list[HandIn]) -> None:
    """Print learners with equal files, and learners with several submissions."""
    for names in group_same_code(records):
        print(f"The same code, byte for byte: {', '.join(names)}")
    counting = {
        (who, r["submission"])
        for r in records if r["counts"]
        for who in (r["whose"], handins.base_name(r["whose"] or os.path.basename(r["submission"])))
    }  # fmt: skip
    for name, paths in handins.find_repeated(submissions).items():
        chosen = [path for path in paths if (name, path) in counting]
        print(
            f"{one_line(name)} handed in {len(paths)} times: {one_line(', '.join(paths))}. "
            + (f"What counts is {one_line(chosen[0])}." if len(chosen) == 1 else EACH_COUNTS)
        )


EACH_COUNTS = (
    "Each has its row, and all count: say which does under [attempts] in a course.toml, or take "
    "away the others."
)


def print_class(rows: list[Summary], listed: Sequence[Person]) -> None:
    """Print sections and groups, and who is missing, or not in the roster."""
    here = map_owners(row for row in rows if row["counts"])
    shares = {
        row["learner"]: (row["mark"] or 0) / row["max_mark"] for row in rows if row["max_mark"]
    }
    for line in [
        *map(describe_part, summarize_parts(here, shares, listed)),
        *list_missing(here, listed),
    ]:
        print(one_line(line))


def _print_policy(records: list[Summary]) -> None:
    """Print what follow-through would add, if the policy is `own`; records hold both."""
    own = [r for r in records if r["policy"] == "own"]
    more = [most for r in own if (most := (r["follow_through"] or 0) - (r["own"] or 0)) > 0]
    if more:
        print(
            f"{len(more)} would have up to {max(more):g} points more with follow-through, which "
            "judges each exercise among otherwise right code: --marks best (or half)"
        )


@command(
    "merge",
    option("results", "RESULTS", nargs="+"),
    option("--out", "OUT", "the folder of all results", required=True),
)
def run_merge(options: argparse.Namespace) -> int:
    """Merge shards into one folder; WrongUse if they do not belong together."""
    with Results(options.out) as out:
        count = merge_shards(options.results, out)
        rows = with_attempts(out, sorted(map(summarize_record, out.each()), key=by_learner))
        out.write_summaries(rows)
    print(f"{count} records of {len(options.results)} folders are in {options.out}")
    return 0
