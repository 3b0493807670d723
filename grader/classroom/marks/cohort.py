"""Settle and record what a class is judged with, before anything is judged: course, secret seed of
the hidden inputs, key, chapters and policy.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ... import __version__
from ...about import COURSE
from ...course import key_source
from ...course.key_file import Key, is_intact, key_bytes
from ...course.load import Course
from ...course.make_key import KeyBuilder, contents_of, work_out
from ...course.outline import FULL, chapter_no, given_ids
from ...course.rows import PUBLIC_SEED
from ...course.source_digest import content_hash
from ...errors import WrongUse
from ...learner import untrusted_files
from ...learner.file_writer import write_whole
from ...memo import Memo
from ...sandbox.isolation import LEVELS
from ...sandbox.launch import numpy_version
from ..intake.handed_out import Handout, infer_handout, read_releases, route_of
from ..intake.handins import HandIn
from .overlay import OverlaidCourse, load_course
from .results import Batch, Results
from .roster import Person, read_people, recorded_people

SCHEMA = "grader-batch/1"
KEY = "answers.key"
GIVEN = "given"  # the suite of a chapter that came solved


class Cohort(NamedTuple):
    """Everything but the submission that a mark depends on; small, to be sent to processes."""

    key_path: str
    suites: dict[str, str]
    chapters: list[str]
    policy: str
    overlay: str | None
    isolation: str = LEVELS[0]  # the least isolation to judge with
    samples: bool = False  # whether the seed is secret, so that public samples may be shown
    handed_out: Handout | None = None  # None if it is not known
    changed: Sequence[str] = ()  # the chapters that results are of by other checks

    @property
    def first(self) -> int:
        """The number of the first chapter to write: all before came solved. 0: not known."""
        return self.handed_out.first if self.handed_out else 0

    @property
    def route(self) -> str:
        """The route of what was handed out; the full one if it is not known."""
        return route_of(self.handed_out)


def choose_seed(options_seed: str | None, seed_file: str | None, batch: Batch) -> str:
    """Return the requested seed, else the recorded one, else a new secret.

    Raises:
        WrongUse: the requested seed differs from the recorded one, or is empty.
    """
    asked = options_seed
    if seed_file is not None:
        asked = untrusted_files.read_named(seed_file, "The seed file ").strip()
    if asked == "":
        raise WrongUse("The seed is empty. Leave the option away to have one drawn.")
    known = batch.get("seed")
    if known is not None and asked is not None and asked != known:
        raise WrongUse(
            "These results were made with another seed; marks of two seeds do not compare. "
            "Leave the seed (or --like) away to go on with the recorded one, or name another --out."
        )
    return str(known or asked or secrets.token_hex(16))


def cut_course(course: Course, names: Collection[str]) -> Course:
    """Cut a course after these chapters. Earlier ones stay: their exercises may be to blame."""
    last = max((chapter_no(name) for name in names), default=None)
    chapters = (c for c in course.chapters if last is None or c.number <= last)
    return replace(course, chapters=tuple(chapters))


def ensure_key(
    folder: str,
    seed: str,
    course: Course,
    known: str | None,
    names: Collection[str] = (),
) -> str:
    """Make the key of this seed in the folder of results, for replays; return its path.

    Args:
        known: the name of the key that is there already, from `name_key`.
        names: the wanted chapters, all if empty. A key that lacks some is made anew with the
            chapters of both.
    """
    path = os.path.join(folder, KEY)
    earlier = (
        Key(path).chapters
        if is_intact(path) and known == name_key(seed, course.key_fingerprint)
        else []
    )
    wanted = cut_course(course, names and {*names, *earlier})
    if [c.id for c in wanted.chapters] == earlier:
        return path
    key = KeyBuilder(wanted, course.drawn_from(seed), Memo()).key()
    pieces = key_bytes(*contents_of(key, key.chapters, with_mistakes=False))
    write_whole(path, b"".join(pieces), "owner")
    return path


def open_class_key(path: str, overlay: str | None) -> Key:
    """Open the key of a class; the results of known mistakes are computed when they are needed."""
    return Key(path, work_out(lambda: load_course(overlay)))


def open_public_key(course: Course) -> Key:
    """Open the key of the public seed; for an overlay it is made, and cached."""
    if not course.key_fingerprint:
        return key_source.open_key()
    return KeyBuilder(course, course.drawn_from(PUBLIC_SEED), Memo()).key()


def name_key(seed: str, mark: str) -> str:
    """Return a digest of seed, course and overlay, from which the seed cannot be read."""
    return hashlib.sha256(f"{content_hash(seed)} {mark}".encode()).hexdigest()[:32]


def digest_suites(path: str, handed: Handout | None = None) -> dict[str, str]:
    """Return chapter → digest of its slice and all before, on which its verdicts depend.

    For chapters that came solved it is always `GIVEN`.
    """
    first, route = (handed.first, handed.route) if handed else (0, FULL)
    key = Key(path)
    solved = [] if route == FULL else sorted(given_ids(key, 0, route))
    digest = hashlib.sha256("".join(solved).encode())
    found = {}
    for name in key.chapters:
        digest.update(key.slice(name))
        found[name] = GIVEN if chapter_no(name) < first else digest.hexdigest()[:32]
    return found


def describe_batch(
    seed: str, name: str, cohort: Cohort, key: Key, listed: Sequence[Person],
    open_marks: Mapping[str, float],
) -> Batch:  # fmt: skip
    """Return the content of `batch.json`, for replays."""
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


def prepare_cohort(
    options: argparse.Namespace, results: Results, submissions: Iterable[HandIn] = ()
) -> Cohort:
    """Settle seed, key and chapters, and record them before anything is judged."""
    batch = results.batch
    handed = settle_handout(options, batch, submissions)
    asked = options.chapters or (options.release and handed and handed.chapters)
    if asked and set(batch.get("chapters", ())) - set(asked):
        refuse_lost_marks(results, asked)
    named = options.roster
    listed = (
        recorded_people(batch)
        if named is None
        else read_people(untrusted_files.read_named(named, "The roster "))
    )
    seed = choose_seed(options.seed, options.seed_file, batch)
    overlay = os.path.abspath(options.course) if options.course else batch.get("course")
    course = load_course(overlay)
    own = course.overlay if isinstance(course, OverlaidCourse) else None
    policy = options.marks or (own and own.policy) or batch.get("policy") or "own"
    if not batch:  # a batch that is stopped while its key is built keeps its seed
        results.write_batch(
            {"schema": SCHEMA, "name": COURSE.name, "seed": seed, "course": overlay}
        )
    wanted = asked or batch.get("chapters") or (handed and handed.chapters)
    path = ensure_key(results.folder, seed, course, batch.get("key"), wanted or ())
    chapters = [name for name in Key(path).chapters if not wanted or name in wanted]
    suites = digest_suites(path, handed)
    cohort = Cohort(
        path, suites, chapters, policy, overlay,
        isolation=options.isolation, samples=seed != PUBLIC_SEED, handed_out=handed,
        changed=find_changed_suites(chapters, batch.get("suites", {}), suites),
    )  # fmt: skip
    name, counted = name_key(seed, course.key_fingerprint), batch.get("open", {})
    results.write_batch(describe_batch(seed, name, cohort, Key(path), listed, counted))
    return cohort


def find_changed_suites(
    chapters: Iterable[str], before: Mapping[str, str], now: Mapping[str, str]
) -> list[str]:
    """Return the chapters that were judged by other checks; that one came solved is no such."""
    pairs = ((name, {before.get(name, now[name]), now[name]}) for name in chapters)
    return [name for name, both in pairs if len(both - {GIVEN}) > 1]


def describe_changed(cohort: Cohort, after: str | None = None) -> list[str]:
    """Say that a check was edited since these results were made, and how every mark is kept.

    Args:
        after: the earlier results, which stay as they are (`--after`).
    """
    if not cohort.changed:
        return []
    folder, names = os.path.dirname(cohort.key_path), ", ".join(cohort.changed)
    if after:
        return [f"The checks have changed since {after}: {names}. Only this is judged again."]
    return [
        f"The checks have changed since these results were made: {names}. Everybody is judged "
        "again, by what they say now, and marks may fall. To keep these results and every mark, "
        f"press Ctrl-C and run `grader grade … --after {os.path.relpath(folder)} --out NEW`."
    ]


def settle_handout(
    options: argparse.Namespace, batch: Batch, submissions: Iterable[HandIn]
) -> Handout | None:
    """Return what learners were given: as named, else as recorded, else as most submissions say."""
    if options.release:
        return read_releases(options.release)
    kept = batch.get("handed_out")
    return Handout.of(kept) if kept else infer_handout(handin.path for handin in submissions)


def refuse_lost_marks(results: Results, asked: list[str]) -> None:
    """Raise WrongUse if marks of other chapters are on record: grading anew would drop them."""
    found = (r["result"]["chapters"] for r in results.each() if r["result"])
    graded = {chapter["id"] for chapters in found for chapter in chapters}
    lost = sorted(graded - set(asked))
    if lost:
        together = " ".join(sorted({*graded, *asked}))
        raise WrongUse(
            f"{results.folder} holds marks of {', '.join(lost)}, which would be lost. Keep them "
            f"with `--chapters {together}`, or give this assignment an --out of its own."
        )
