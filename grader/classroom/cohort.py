"""One class: its course, the secret seed of its hidden inputs, and the key that these give."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

from .. import __version__
from ..course import key_source
from ..course.domains import PUBLIC_SEED
from ..course.key_file import Key, intact
from ..course.load import Course
from ..course.make_key import Making, save, work_out
from ..course.outline import number_of
from ..course.source_digest import content_hash
from ..errors import WrongUse
from ..memo import Memo
from ..sandbox.isolation import LEVELS
from ..sandbox.launch import numpy_version
from .files import forget, unwritten
from .handed_out import HandedOut
from .overlay import OverlaidCourse, course_of

SCHEMA = "grader-batch/1"


class Cohort(NamedTuple):
    """All that a mark depends on beside the submission; small enough to be sent to a process."""

    key_path: str
    suites: dict[str, str]
    chapters: list[str]
    policy: str
    overlay: str | None
    follow: bool = True
    isolation: str = LEVELS[0]  # less than this and nothing is judged
    samples: bool = False  # whether the class has another seed than the public one
    handed_out: HandedOut | None = None  # where nobody said it, nothing is known to have been given

    @property
    def first(self) -> int:
        """The number of the chapter before which everything came solved."""
        return self.handed_out.first if self.handed_out else 0


def seed_of(options_seed: str | None, seed_file: str | None, batch: dict[str, Any]) -> str:
    """The seed that was asked for, else the recorded one, else a new secret.

    Raises:
        WrongUse: another seed than the one these results were made with.
    """
    asked = options_seed
    if seed_file is not None:
        try:
            with open(seed_file, encoding="utf-8") as file:
                asked = file.read().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise WrongUse(f"The seed file {seed_file} cannot be read: {error}.") from error
    if asked == "":
        raise WrongUse("The seed is empty. Leave the option away to have one drawn.")
    known = batch.get("seed")
    if known is not None and asked is not None and asked != known:
        raise WrongUse(
            "These results were made with another seed; marks of two seeds do not compare. "
            "Leave the seed away to go on with the recorded one, or name another --out."
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
    mark: str,
    known: str | None,
    names: Collection[str] = (),
) -> str:
    """The key of this seed, kept beside the results so that a replay needs nothing else.

    Args:
        mark: names what ``course`` holds of the instructor's own.
        known: the name of the key that lies there, as `name_of` made it.
        names: the chapters that are asked for; all where none is named. A key that lies there
            goes on with what is missing.
    """
    path = os.path.join(folder, "answers.key")
    earlier = Key(path).chapters if known == name_of(seed, mark) and sound(path) else []
    wanted = up_to(course, names and {*names, *earlier})
    if [c.id for c in wanted.chapters] == earlier:
        return path
    try:
        # Under another name than the public seed: what is the instructor's own is not on record.
        making = Making(wanted, f"{seed} {mark}" if mark else seed, Memo())
        save(making.key(), path, with_mistakes=False)
        os.chmod(path, 0o600)
    except OSError as error:
        forget(f"{path}.{os.getpid()}")
        raise unwritten(path, error) from error
    return path


def key_at(path: str, overlay: str | None) -> Key:
    """The key of a class; what mistakes give is worked out when it is asked for.

    Args:
        overlay: the instructor's `course.toml`, if there is one.
    """
    return Key(path, work_out(lambda: course_of(overlay)))


def sound(path: str) -> bool:
    """Whether a key is there whole; one that is damaged is made anew, and is the same."""
    return os.path.exists(path) and intact(path)


def public_key(course: Course) -> Key:
    """The key of the public seed: the course's own, or one that is made for an overlay and kept."""
    mark = course.overlay.mark if isinstance(course, OverlaidCourse) else ""
    if not mark:
        return key_source.open_key()
    return Making(course, f"{PUBLIC_SEED} {mark}", Memo()).key()


def name_of(seed: str, mark: str) -> str:
    """Names everything that a key is made from; the seed cannot be read from it."""
    return hashlib.sha256(f"{content_hash(seed)} {mark}".encode()).hexdigest()[:32]


def suites(path: str) -> dict[str, str]:
    """Chapter → a digest of all that can change a verdict in it: its slice and those before."""
    key = Key(path)
    digest = hashlib.sha256()
    found = {}
    for name in key.chapters:
        digest.update(key.slice(name))
        found[name] = digest.hexdigest()[:32]
    return found


def batch_record(seed: str, name: str, cohort: Cohort, key: Key) -> dict[str, Any]:
    """What a replay needs to know."""
    return {
        "schema": SCHEMA,
        "seed": seed,
        "version": __version__,
        "chapters": cohort.chapters,
        "suites": {name: cohort.suites[name] for name in cohort.chapters},
        "key": name,
        "policy": cohort.policy,
        "course": cohort.overlay,
        "handed_out": cohort.handed_out and cohort.handed_out._asdict(),
        "oracles": {"numpy": numpy_version(), "torch": key.table["torch"]},
    }
