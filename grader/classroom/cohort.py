"""One class: its course, the secret seed of its hidden inputs, the key that these give; and what a
batch is judged with, settled and recorded before anything is judged.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from .. import __version__
from ..about import COURSE
from ..course import key_source
from ..course.key_file import Key, file_of, intact
from ..course.load import Course
from ..course.make_key import Making, contents_of, work_out
from ..course.outline import number_of
from ..course.rows import PUBLIC_SEED
from ..course.source_digest import content_hash
from ..errors import WrongUse
from ..learner import outside
from ..memo import Memo
from ..sandbox.isolation import LEVELS
from ..sandbox.launch import numpy_version
from .files import write_whole
from .handed_out import HandedOut, of_hand_ins, of_releases
from .handins import HandIn
from .overlay import OverlaidCourse, course_of
from .results import Batch, Results
from .roster import Person, on_record, people

SCHEMA = "grader-batch/1"


class Cohort(NamedTuple):
    """All that a mark depends on beside the submission; small enough to be sent to a process."""

    key_path: str
    suites: dict[str, str]
    chapters: list[str]
    policy: str
    overlay: str | None
    isolation: str = LEVELS[0]  # less than this and nothing is judged
    samples: bool = False  # whether the class has another seed than the public one
    handed_out: HandedOut | None = None  # where nobody said it, nothing is known to have been given

    @property
    def first(self) -> int:
        """The number of the chapter before which everything came solved."""
        return self.handed_out.first if self.handed_out else 0


def seed_of(options_seed: str | None, seed_file: str | None, batch: Batch) -> str:
    """The seed that was asked for, else the recorded one, else a new secret.

    Raises:
        WrongUse: another seed than the one these results were made with.
    """
    asked = options_seed
    if seed_file is not None:
        asked = outside.named_text(seed_file, "The seed file ").strip()
    if asked == "":
        raise WrongUse("The seed is empty. Leave the option away to have one drawn.")
    known = batch.get("seed")
    if known is not None and asked is not None and asked != known:
        raise WrongUse(
            "These results were made with another seed; marks of two seeds do not compare. "
            "Leave the seed (or --like) away to go on with the recorded one, or name another --out."
        )
    return str(known or asked or secrets.token_hex(16))


def up_to(course: Course, names: Collection[str]) -> Course:
    """The course as far as these chapters need it: exercises of those before are blamed, too."""
    last = max((number_of(name) for name in names), default=None)
    chapters = (c for c in course.chapters if last is None or c.number <= last)
    return replace(course, chapters=tuple(chapters))


def key_in(
    folder: str,
    seed: str,
    course: Course,
    known: str | None,
    names: Collection[str] = (),
) -> str:
    """The key of this seed, kept beside the results so that a replay needs nothing else.

    Args:
        known: the name of the key that lies there, as `name_of` made it.
        names: the chapters that are asked for; all where none is named. A key that lies there
            goes on with what is missing.
    """
    path = os.path.join(folder, "answers.key")
    earlier = Key(path).chapters if intact(path) and known == name_of(seed, course.mark) else []
    wanted = up_to(course, names and {*names, *earlier})
    if [c.id for c in wanted.chapters] == earlier:
        return path
    key = Making(wanted, course.drawn_from(seed), Memo()).key()
    pieces = file_of(*contents_of(key, key.chapters, with_mistakes=False))
    write_whole(path, b"".join(pieces), "owner")
    return path


def key_at(path: str, overlay: str | None) -> Key:
    """The key of a class; what mistakes give is worked out when it is asked for."""
    return Key(path, work_out(lambda: course_of(overlay)))


def public_key(course: Course) -> Key:
    """The key of the public seed: the course's own, or one that is made for an overlay and kept."""
    if not course.mark:
        return key_source.open_key()
    return Making(course, course.drawn_from(PUBLIC_SEED), Memo()).key()


def name_of(seed: str, mark: str) -> str:
    """Names everything that a key is made from; the seed cannot be read from it."""
    return hashlib.sha256(f"{content_hash(seed)} {mark}".encode()).hexdigest()[:32]


def suites(path: str, first: int = 0) -> dict[str, str]:
    """Chapter → a digest of all that can change a verdict in it: its slice and those before.

    Of chapters before the ``first`` it is all the same: they came solved.
    """
    key = Key(path)
    digest = hashlib.sha256()
    found = {}
    for name in key.chapters:
        digest.update(key.slice(name))
        found[name] = "given" if number_of(name) < first else digest.hexdigest()[:32]
    return found


def batch_record(
    seed: str, name: str, cohort: Cohort, key: Key, listed: Sequence[Person],
    open_marks: Mapping[str, float],
) -> Batch:  # fmt: skip
    """What a replay needs to know."""
    return {
        "schema": SCHEMA,
        "name": COURSE.name,
        "seed": seed,
        "version": __version__,
        "chapters": cohort.chapters,
        "suites": {name: cohort.suites[name] for name in cohort.chapters},
        "key": name,
        "policy": cohort.policy,
        "course": cohort.overlay,
        "handed_out": cohort.handed_out and cohort.handed_out._asdict(),
        "roster": [list(person) for person in listed],
        "open": dict(open_marks),
        "oracles": {"numpy": numpy_version(), "torch": key.table["torch"]},
    }


def prepare(
    options: argparse.Namespace, results: Results, submissions: Iterable[HandIn] = ()
) -> Cohort:
    """Settle seed, key and chapters, and record them before anything is judged."""
    batch = results.batch
    handed = handed_out(options, batch, submissions)
    asked = options.chapters or (options.release and handed and handed.chapters)
    if asked and set(batch.get("chapters", ())) - set(asked):
        none_lost(results, asked)
    named = options.roster
    listed = on_record(batch) if named is None else people(outside.named_text(named, "The roster "))
    seed = seed_of(options.seed, options.seed_file, batch)
    overlay = os.path.abspath(options.course) if options.course else batch.get("course")
    course = course_of(overlay)
    own = course.overlay if isinstance(course, OverlaidCourse) else None
    policy = options.marks or (own and own.policy) or batch.get("policy") or "own"
    if not batch:  # so that a batch that is stopped while the key is built goes on with its seed
        results.write_batch(
            {"schema": SCHEMA, "name": COURSE.name, "seed": seed, "course": overlay}
        )
    wanted = asked or batch.get("chapters") or (handed and handed.chapters)
    path = key_in(results.folder, seed, course, batch.get("key"), wanted or ())
    chapters = [name for name in Key(path).chapters if not wanted or name in wanted]
    cohort = Cohort(
        path, suites(path, handed.first if handed else 0), chapters, policy, overlay,
        isolation=options.isolation, samples=seed != PUBLIC_SEED, handed_out=handed,
    )  # fmt: skip
    name, counted = name_of(seed, course.mark), batch.get("open", {})
    results.write_batch(batch_record(seed, name, cohort, Key(path), listed, counted))
    return cohort


def handed_out(
    options: argparse.Namespace, batch: Batch, submissions: Iterable[HandIn]
) -> HandedOut | None:
    """What learners were given: as it was named, as it is on record, or as most hand-ins say."""
    if options.release:
        return of_releases(options.release)
    kept = batch.get("handed_out")
    return HandedOut.of(kept) if kept else of_hand_ins(handin.path for handin in submissions)


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
