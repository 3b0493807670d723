"""`grader grade SUBMISSIONS… --out RESULTS`: every submission gets a row."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..course.load import load
from ..errors import WrongUse
from ..instructor import cohort as cohorts
from ..instructor import handins, pool
from ..instructor.cohort import Cohort
from ..instructor.handins import HandIn
from ..instructor.judging import GRADED, OUR_FAULT, UNREADABLE, fault
from ..instructor.overlay import OverlaidCourse, course_of
from ..instructor.progress import Progress
from ..instructor.results import Results, by_learner, summary
from ..instructor.tables import one_line
from ..key.build import PUBLIC_SEED
from ..key.cache import open_key
from ..key.file import Key
from ..report.words import isolation
from ..verdict import TIMED_OUT

WIDEST = 40  # columns for a name


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every submission was graded, 1 where some could not be, 3 our fault."""
    if options.time < 1 or (options.jobs is not None and options.jobs < 1):
        raise WrongUse("--jobs and --time need numbers from 1 on.")
    course_of(options.course)  # what is wrong with it, before anything is written
    must_exist(options.chapters or ())
    everything = handins.found(options.submissions, options.chapters or ())
    out = os.path.realpath(options.out)  # which may lie among the submissions
    submissions = [h for h in everything if os.path.realpath(h.path) != out]
    with Results(options.out) as results:
        cohort = prepare(options, results)
        counts = grade(submissions, cohort, results, options)
        mine = {handin.learner for handin in submissions}
        rows = [brief(r) for r in results.each() if r["learner"] in mine]
        results.write_summaries()
    print_summary(sorted(rows, key=by_learner), submissions, counts, options.out)
    statuses = {row["status"] for row in rows}
    return 3 if OUR_FAULT in statuses else 1 if UNREADABLE in statuses else 0


def prepare(options: argparse.Namespace, results: Results) -> Cohort:
    """Settle seed, key and chapters, and record them before anything is judged."""
    batch = results.batch
    if options.chapters and set(batch.get("chapters", ())) - set(options.chapters):
        none_lost(results, options)
    seed = cohorts.seed_of(options.seed, options.seed_file, batch)
    overlay = os.path.abspath(options.course) if options.course else batch.get("course")
    course = course_of(overlay)
    own = course.overlay if isinstance(course, OverlaidCourse) else None
    mark = own.mark if own else ""
    policy = options.marks or (own and own.policy) or batch.get("policy") or "own"
    if not batch:  # so that a batch that is stopped while the key is built goes on with its seed
        results.write_batch({"schema": cohorts.SCHEMA, "seed": seed, "course": overlay})
    path = cohorts.key_in(results.folder, seed, course, mark, batch.get("key"))
    wanted = options.chapters or batch.get("chapters")
    chapters = [name for name in Key(path).chapters if not wanted or name in wanted]
    cohort = Cohort(
        path, cohorts.suites(path), chapters, policy, overlay, isolation=options.isolation,
        samples=open_key().path if seed != PUBLIC_SEED else None,
    )  # fmt: skip
    results.write_batch(cohorts.batch_record(seed, cohorts.name_of(seed, mark), cohort, Key(path)))
    return cohort


def none_lost(results: Results, options: argparse.Namespace) -> None:
    """A record holds the chapters that were asked for last: marks of others would go."""
    found = (r["result"]["chapters"] for r in results.each() if r["result"])
    graded = {chapter["id"] for chapters in found for chapter in chapters}
    lost = sorted(graded - set(options.chapters))
    if lost:
        together = " ".join(sorted({*graded, *options.chapters}))
        raise WrongUse(
            f"{options.out} holds marks of {', '.join(lost)}, which would be lost. Keep them with "
            f"`--chapters {together}`, or give this assignment an --out of its own."
        )


def must_exist(names: Iterable[str]) -> None:
    """Said before a key is built for a chapter that is not there."""
    known = [chapter.id for chapter in load().chapters]
    for name in names:
        if name not in known:
            raise WrongUse(f"There is no {name}. Choose from {', '.join(known)}.")


def grade(
    submissions: list[HandIn], cohort: Cohort, results: Results, options: argparse.Namespace
) -> Counter[str]:
    """Judge what is not known yet; how many were judged and how many were kept."""

    def known(handin: HandIn) -> dict[str, Any] | None:
        return None if options.again else results.read(handin.learner)

    counts: Counter[str] = Counter()
    progress = Progress(len(submissions))
    jobs = options.jobs or os.cpu_count() or 1
    done = pool.run(submissions, known, cohort, jobs, options.time)
    try:
        for (handin, earlier), record in done:
            stays = options.again and record["status"] != GRADED and results.read(handin.learner)
            if stays and stays["status"] == GRADED:
                record = fault(record, record["says"], stays)
            counts["kept" if record == earlier else "judged"] += 1
            if record != earlier:
                results.write(record)
            progress.step(handin.learner)
    except KeyboardInterrupt:
        kept = f"\n{counts.total()} of {len(submissions)} are done and kept in {options.out}"
        print(f"{kept}; the same command goes on from there.", file=sys.stderr)
        raise
    finally:
        done.close()
        progress.close()
    return counts


def brief(record: dict[str, Any]) -> dict[str, Any]:
    """What the summary needs of a record: those of a whole class would fill the memory."""
    isolation = record["result"]["isolation"] if record["result"] else None
    more = {"policy": record["policy"], "isolation": isolation, "timed_out": _timed_out(record)}
    return {**summary(record), **more}


def print_summary(
    records: list[dict[str, Any]], submissions: list[HandIn], counts: Counter[str], out: str
) -> None:
    """Marks, what went wrong and whose fault it was, and what was handed in twice."""
    width = min(max((len(r["learner"]) for r in records), default=0), WIDEST)
    for r in records:
        points = "" if r["mark"] is None else f"{r['mark']:g} of {r['max_mark']:g}"
        name = one_line(r["learner"], WIDEST)
        print(f"{name:<{width}}  {r['status']:<10} {points:>14}  {r['says']}".rstrip())
    print(f"\n{counts['judged']} judged, {counts['kept']} kept from before; results in {out}")
    found = [r["isolation"] for r in records if r["isolation"]]
    for lines in dict.fromkeys(tuple(isolation(each)) for each in found):
        print(" ".join(lines))
    _print_policy(records)
    for status, who in ((UNREADABLE, "could not be read"), (OUR_FAULT, "failed by our fault")):
        names = [r["learner"] for r in records if r["status"] == status]
        if names:
            print(f"{len(names)} {who}, and have no mark: {', '.join(names)}")
    _print_twins(records)
    for name, paths in handins.same_learner(submissions).items():
        print(
            f"{one_line(name)} handed in {len(paths)} times: {one_line(', '.join(paths))}. "
            "Each has its row; take away what does not count, and its row in learners/."
        )
    slow = [r["learner"] for r in records if r["timed_out"]]
    if slow:
        print(f"Ran out of time somewhere: {', '.join(slow)}")


def _print_policy(records: list[dict[str, Any]]) -> None:
    """What the other judgement would give; both stand in every record."""
    more = [r for r in records if r["policy"] == "own" and r["follow_through"] > r["own"]]
    if more:
        most = max(r["follow_through"] - r["own"] for r in more)
        print(
            f"{len(more)} would have up to {most:g} points more with follow-through, which judges "
            "each exercise among otherwise right code: --marks best (or half)"
        )


def _print_twins(records: list[dict[str, Any]]) -> None:
    by_digest: dict[str, list[str]] = {}
    for r in records:
        if r["sha256"]:
            by_digest.setdefault(r["sha256"], []).append(r["learner"])
    for names in by_digest.values():
        if len(names) > 1:
            print(f"The same code, byte for byte: {', '.join(names)}")


def _timed_out(record: dict[str, Any]) -> bool:
    chapters = record["result"]["chapters"] if record["result"] else ()
    return any(e["status"] == TIMED_OUT for c in chapters for e in c["exercises"])
