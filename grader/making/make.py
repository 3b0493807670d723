"""Makes a whole key, chapter by chapter, and shows how far it is."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .. import root
from ..course import Chapter
from ..course.load import Course, load
from ..errors import OurFault
from ..key.file import Key, chapter_slice, write
from ..session.launch import needed_numpy
from ..session.nursery import Nursery
from . import pytorch, records
from .build import PUBLIC_SEED, ChapterBuild, Progress, index, oracle_answers, stored_mistakes
from .digest import content_hash


def record_path(chapter: str) -> str:
    """Where the recorded answers of PyTorch for a chapter lie."""
    return root.path("tests", "recorded", f"{chapter}.json")


def make(
    path: str,
    seed: str = PUBLIC_SEED,
    course: Course | None = None,
    *,
    with_mistakes: bool = True,
    earlier: Key | None = None,
) -> None:
    """Build the key for ``seed`` and write it to ``path``.

    Args:
        with_mistakes: whether what the mistakes give is needed too; without, nothing is diagnosed.
        earlier: an earlier key of this course; chapters whose sources are as they were then are
            taken from it.

    Raises:
        OurFault: the course does not hold together; the message says where.
    """
    course = course or load()
    torch = pytorch.load() if pytorch.installed() else None
    making = Making(seed, course, torch, with_mistakes)
    hashes = {chapter.id: content_hash(seed, chapter.id) for chapter in course.chapters}
    kept = {
        name
        for name in hashes
        if earlier is not None and earlier.table.get("hashes", {}).get(name) == hashes[name]
    }
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        slices = threads.map(
            lambda c: earlier.slice(c.id) if earlier and c.id in kept else making.chapter(c),
            course.chapters,
        )
        found = dict(zip(hashes, slices, strict=True))
    write(path, {**making.table(), "hashes": hashes}, found)
    progress("")("")


class Making:
    """What the chapters of one key have in common."""

    def __init__(self, seed: str, course: Course, torch: Any, with_mistakes: bool) -> None:
        self.seed = seed
        self.course = course
        self.torch = torch
        self.with_mistakes = with_mistakes
        self.version = str(torch.__version__) if torch is not None else None

    def chapter(self, chapter: Chapter) -> bytes:
        """The slice of one chapter, by a nursery of its own."""
        recorded = records.Records.read(record_path(chapter.id))
        self.version = self.version or recorded.version
        say = progress(chapter.id)
        with Nursery(needed_numpy()) as nursery:
            build = ChapterBuild(self.course, chapter, self.seed, nursery.launch)
            is_public = self.seed == PUBLIC_SEED
            answers = oracle_answers(build, recorded, self.torch, is_public, say)
            outcomes = stored_mistakes(build, say) if self.with_mistakes else {}
        return chapter_slice(index(build, answers, outcomes), build.arrays)

    def table(self) -> dict[str, Any]:
        """What the key says of the whole course."""
        exercises = self.course.exercises.values()
        return {
            "seed": self.seed,
            "numpy": np.__version__,
            "torch": {"version": self.version, "live": self.torch is not None},
            "outline": [[e.id, e.section, e.given] for e in exercises],
            "targets": {target: e.id for e in exercises for target in e.targets},
            "titles": {chapter.id: chapter.title for chapter in self.course.chapters},
        }


def progress(chapter: str) -> Progress:
    """Says on stderr, on one line, what is being built; silent where nobody watches."""

    def say(what: str) -> None:
        if sys.stderr.isatty():
            line = f"building the answer key: {chapter}: {what}" if chapter else ""
            sys.stderr.write(f"\r\x1b[K{line[:79]}")
            sys.stderr.flush()

    return say


def record(course: Course) -> list[str]:
    """Record PyTorch's answers for every probe with a twin; the files that were written."""
    torch = pytorch.load()
    written = []
    for chapter in course.chapters:
        build = ChapterBuild(course, chapter, PUBLIC_SEED, launch=_no_worker)
        recorded = records.Records(str(torch.__version__), {})
        for name, probe in zip(build.names, build.probes, strict=True):
            if probe.twin is not None:
                inputs = records.digest(probe.program, probe.args)
                recorded.put(name, inputs, pytorch.answer(torch, probe.twin))
        recorded.write(record_path(chapter.id))
        written.append(record_path(chapter.id))
    return written


def _no_worker() -> Any:
    raise OurFault("Recording runs no worker.")
