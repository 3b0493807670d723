"""Makes a whole key, chapter by chapter, and shows how far it is."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import root
from ..course.load import Course, load
from ..errors import OurFault
from ..oracles import pytorch, records
from ..session.launch import numpy_folder
from ..session.nursery import Nursery
from .build import (
    PUBLIC_SEED,
    ChapterBuild,
    Progress,
    index,
    oracle_answers,
    stored_mistakes,
)
from .file import chapter_slice, write


def record_path(chapter: str) -> str:
    """Where the recorded answers of PyTorch for a chapter lie."""
    return root.path("tests", "recorded", f"{chapter}.json")


def make(
    path: str, seed: str = PUBLIC_SEED, course: Course | None = None, *, with_mistakes: bool = True
) -> None:
    """Build the key for ``seed`` and write it to ``path``.

    Args:
        with_mistakes: whether what the mistakes give is needed too; without, nothing is diagnosed.

    Raises:
        OurFault: the course does not hold together; the message says where.
    """
    course = course or load()
    torch = pytorch.load() if pytorch.installed() else None
    version = None
    slices = {}
    with Nursery(needed_numpy()) as nursery:
        for chapter in course.chapters:
            recorded = records.Records.read(record_path(chapter.id))
            version = version or recorded.version
            build = ChapterBuild(course, chapter, seed, nursery.launch)
            say = progress(chapter.id)
            answers = oracle_answers(build, recorded, torch, seed == PUBLIC_SEED, say)
            outcomes = stored_mistakes(build, say) if with_mistakes else {}
            slices[chapter.id] = chapter_slice(index(build, answers, outcomes), build.arrays)
    if torch is not None:
        version = str(torch.__version__)
    write(path, _table(course, seed, version, live=torch is not None), slices)
    progress("")("")


def _table(course: Course, seed: str, version: str | None, *, live: bool) -> dict[str, Any]:
    return {
        "seed": seed,
        "numpy": np.__version__,
        "torch": {"version": version, "live": live},
        "outline": [[e.id, e.section, e.given] for e in course.exercises.values()],
        "targets": {target: e.id for e in course.exercises.values() for target in e.targets},
        "titles": {chapter.id: chapter.title for chapter in course.chapters},
    }


def needed_numpy() -> str:
    """NumPy's folder; it is a dependency, so that its absence is our fault."""
    folder = numpy_folder()
    if folder is None:
        raise OurFault("NumPy is not installed beside the grader; run `pip install numpy`.")
    return folder


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
