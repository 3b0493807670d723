"""What a batch is judged with: settled, and recorded, before anything is judged."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from typing import Any

from ..course.domains import PUBLIC_SEED
from ..course.key_file import Key
from ..course.outline import number_of
from ..errors import WrongUse
from . import cohort as cohorts
from .cohort import Cohort
from .handed_out import HandedOut, of_hand_ins, of_releases
from .handins import HandIn
from .overlay import OverlaidCourse, course_of
from .results import Results


def prepare(
    options: argparse.Namespace, results: Results, submissions: Iterable[HandIn] = ()
) -> Cohort:
    """Settle seed, key and chapters, and record them before anything is judged."""
    batch = results.batch
    handed = handed_out(options, batch, submissions)
    asked = options.chapters or (getattr(options, "release", None) and handed and handed.chapters)
    if asked and set(batch.get("chapters", ())) - set(asked):
        none_lost(results, asked)
    seed = cohorts.seed_of(options.seed, options.seed_file, batch)
    overlay = os.path.abspath(options.course) if options.course else batch.get("course")
    course = course_of(overlay)
    own = course.overlay if isinstance(course, OverlaidCourse) else None
    mark = own.mark if own else ""
    policy = options.marks or (own and own.policy) or batch.get("policy") or "own"
    if not batch:  # so that a batch that is stopped while the key is built goes on with its seed
        results.write_batch({"schema": cohorts.SCHEMA, "seed": seed, "course": overlay})
    wanted = asked or batch.get("chapters") or (handed and handed.chapters)
    path = cohorts.key_in(results.folder, seed, course, mark, batch.get("key"), wanted or ())
    chapters = [name for name in Key(path).chapters if not wanted or name in wanted]
    cohort = Cohort(
        path, suites(path, handed), chapters, policy, overlay, isolation=options.isolation,
        samples=seed != PUBLIC_SEED, handed_out=handed,
    )  # fmt: skip
    results.write_batch(cohorts.batch_record(seed, cohorts.name_of(seed, mark), cohort, Key(path)))
    return cohort


def handed_out(
    options: argparse.Namespace, batch: dict[str, Any], submissions: Iterable[HandIn]
) -> HandedOut | None:
    """What learners were given: as it was named, as it is on record, or as most hand-ins say."""
    if getattr(options, "release", None):
        return of_releases(options.release)
    kept = batch.get("handed_out")
    return HandedOut.of(kept) if kept else of_hand_ins(handin.path for handin in submissions)


def suites(path: str, handed: HandedOut | None) -> dict[str, str]:
    """What a chapter's verdicts rest on: its slice of the key, and whether it came solved."""
    first = handed.first if handed else 0
    found = cohorts.suites(path)
    return {name: "given" if number_of(name) < first else each for name, each in found.items()}


def none_lost(results: Results, asked: list[str]) -> None:
    """A record holds the chapters that were asked for last: marks of others would go."""
    found = (r["result"]["chapters"] for r in results.each() if r["result"])
    graded = {chapter["id"] for chapters in found for chapter in chapters}
    lost = sorted(graded - set(asked))
    if lost:
        together = " ".join(sorted({*graded, *asked}))
        raise WrongUse(
            f"{results.folder} holds marks of {', '.join(lost)}, which would be lost. Keep them "
            f"with `--chapters {together}`, or give this assignment an --out of its own."
        )
