"""What a batch is judged with: settled, and recorded, before anything is judged."""

from __future__ import annotations

import argparse
import os

from ..course.domains import PUBLIC_SEED
from ..errors import WrongUse
from ..key.file import Key
from ..making.cache import open_key
from . import cohort as cohorts
from .cohort import Cohort
from .overlay import OverlaidCourse, course_of
from .results import Results


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
