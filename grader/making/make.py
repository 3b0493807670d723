"""Makes a whole key, chapter by chapter, and shows how far it is."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from .. import root
from ..about import COURSE, PYTORCH
from ..course import PUBLIC_SEED, Chapter
from ..course.load import Course, load
from ..errors import OurFault
from ..key.file import Key, chapter_slice, write
from ..session.launch import Worker, needed_numpy
from ..session.nursery import Nursery
from ..session.session import Session
from . import pytorch, records
from .build import (
    ChapterBuild,
    Given,
    Progress,
    given_by_mistakes,
    index,
    oracle_answers,
    stored_answers,
    stored_mistakes,
)  # fmt: skip
from .digest import content_hash

if TYPE_CHECKING:
    from ..session.store import Store  # not every Python has its database
    from .slices import Slices


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
    store: Store | None = None,
    remembers: bool = False,
    launch: Callable[[], Worker] | None = None,
) -> None:
    """Build the key for ``seed`` and write it to ``path``.

    Args:
        with_mistakes: whether what the mistakes give is needed too; without, nothing is diagnosed.
        earlier: an earlier key of this course; chapters whose sources are as they were then are
            taken from it.
        store: where earlier runs of the same code are kept; a mistake in it is not run again.
        remembers: whether slices are kept there, too. ``course`` reads as its files do then.
        launch: starts the workers, one after another; by default each chapter has a nursery.

    Raises:
        OurFault: the course does not hold together; the message says where.
    """
    course = course or load()
    kept = _remembered(store, course, seed, with_mistakes) if remembers and store else None
    making = Making(seed, course, with_mistakes, store, kept, launch)
    hashes = {chapter.id: content_hash(seed, chapter.id) for chapter in course.chapters}
    found = _unchanged(earlier, hashes) if earlier is not None else {}
    found.update(making.known([c for c in course.chapters if c.id not in found]))
    left = [chapter for chapter in course.chapters if chapter.id not in found]
    if left:
        making.prepare(left)
        with ThreadPoolExecutor(1 if launch else os.cpu_count()) as threads:
            made = threads.map(making.chapter, left)
            found.update({c.id: slice for c, slice in zip(left, made, strict=True)})
    write(path, {**making.table(), "hashes": hashes}, {name: found[name] for name in hashes})
    progress("")("")


def _unchanged(earlier: Key, hashes: dict[str, str]) -> dict[str, bytes]:
    """The slices of an earlier key whose sources are as they were then."""
    then = earlier.table.get("hashes", {})
    return {name: earlier.slice(name) for name in hashes if then.get(name) == hashes[name]}


def _remembered(store: Store, course: Course, seed: str, with_mistakes: bool) -> Slices:
    from .slices import Slices

    return Slices(store, course, seed, with_mistakes)


class Making:
    """What the chapters of one key have in common."""

    def __init__(
        self,
        seed: str,
        course: Course,
        with_mistakes: bool,
        store: Store | None = None,
        slices: Slices | None = None,
        launch: Callable[[], Worker] | None = None,
    ) -> None:
        self.seed = seed
        self.course = course
        self.torch: Any = None
        self.answers: dict[str, Any] = {}  # chapter → what is kept of its oracles' answers
        self.with_mistakes = with_mistakes
        self.session = store.session if store is not None else Session
        self.slices = slices
        self.launch = launch
        self.live = PYTORCH in COURSE.against and pytorch.installed()
        self.version = pytorch.version() if self.live else None

    def prepare(self, chapters: Iterable[Chapter]) -> None:
        """Read what the oracles said of these chapters; where some of it is not kept, import
        PyTorch, while no other thread reads sources."""
        known = {c.id: self.slices.answers(c) if self.slices else None for c in chapters}
        self.answers = {id: found for id, found in known.items() if found is not None}
        if self.live and len(self.answers) < len(known):
            self.torch = pytorch.load()

    def known(self, chapters: Iterable[Chapter]) -> Iterator[tuple[str, bytes]]:
        """Chapter → its slice, of those that are kept."""
        for chapter in chapters:
            if self.slices is not None and (found := self.slices.get(chapter)):
                self.version = self.version or found[0]
                yield chapter.id, found[1]

    def chapter(self, chapter: Chapter) -> bytes:
        """The slice of one chapter, by a nursery of its own where nothing else starts workers."""
        recorded = records.Records.read(record_path(chapter.id))
        self.version = self.version or recorded.version
        say = progress(chapter.id)
        with ExitStack() as stack:
            launch = self.launch or stack.enter_context(Nursery(needed_numpy())).launch
            build = ChapterBuild(self.course, chapter, self.seed, launch, self.session)
            answers = stored_answers(build, self._answers(build, recorded, say))
            if self.seed == PUBLIC_SEED:
                missing(build.unrecorded)
            outcomes = stored_mistakes(build, self._given(build, say))
        slice = chapter_slice(index(build, answers, outcomes), build.arrays)
        if self.slices is not None:
            self.slices.put(chapter, self.version, slice)
        return slice

    def _answers(
        self, build: ChapterBuild, recorded: records.Records, say: Progress
    ) -> list[dict[str, Any]]:
        """What each oracle gives for each probe, asked only where it is not kept."""
        answers: list[dict[str, Any]]
        if build.chapter.id in self.answers:
            answers, build.unrecorded = self.answers[build.chapter.id]
            return answers
        answers = oracle_answers(build, recorded, self.torch, say)
        if self.slices is not None:
            self.slices.keep_answers(build.chapter, answers, build.unrecorded)
        return answers

    def _given(self, build: ChapterBuild, say: Progress) -> Iterator[Given]:
        """What the mistakes of a chapter give; they are run only where that is not kept."""
        for exercise in build.chapter.exercises if self.with_mistakes else ():
            found = self.slices and self.slices.given(build.chapter, exercise)
            if not found:
                found = given_by_mistakes(build, exercise, say)
                if self.slices is not None and not build.lost:
                    self.slices.keep_given(build.chapter, exercise, found)
            yield from found

    def table(self) -> dict[str, Any]:
        """What the key says of the whole course."""
        exercises = self.course.exercises.values()
        return {
            "course": COURSE.name,
            "seed": self.seed,
            "torch": {"version": self.version, "live": self.live},
            "outline": [[e.id, e.section, e.given] for e in exercises],
            "targets": {target: e.id for e in exercises for target in e.targets},
            "titles": {chapter.id: chapter.title for chapter in self.course.chapters},
            "built": {chapter.id: built(chapter.id) for chapter in self.course.chapters},
        }


def built(chapter: str) -> str:
    """What a learner has when a chapter is done; empty where nobody has said it."""
    if not os.path.exists(root.path("exercises", "built.py")):
        return ""
    words: dict[str, str] = importlib.import_module("exercises.built").BUILT
    return words.get(chapter, "")


def progress(chapter: str) -> Progress:
    """Says on stderr what is being built: on one line; where that is no terminal, a line each."""
    told: list[str] = []

    def say(what: str) -> None:
        if sys.stderr.isatty():
            line = f"building the answer key: {chapter}: {what}" if chapter else ""
            sys.stderr.write(f"\r\x1b[K{line[:79]}")
            sys.stderr.flush()
        elif chapter and not told:
            told.append(what)  # a log gets one line for each chapter
            print(f"building the answer key: {chapter}", file=sys.stderr, flush=True)

    return say


def missing(names: list[str]) -> None:
    """Tell which answers of PyTorch are not recorded: it costs the report a line, nothing else."""
    for name in names:
        print(
            f"{name}: no recorded answer of PyTorch for these inputs; `grader record` makes one.",
            file=sys.stderr,
        )


def record(course: Course, chapters: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Record PyTorch's answers for every probe with a twin of these chapters.

    Yields:
        The path of each file, and whether it was written: it is left alone where nothing changed.
    """
    torch = pytorch.load()
    for chapter in course.chapters:
        if chapter.id not in chapters:
            continue
        path = record_path(chapter.id)
        build = ChapterBuild(course, chapter, PUBLIC_SEED, launch=_no_worker)
        try:
            recorded = records.Records.read(path)
        except OurFault:
            recorded = records.Records(None, {})  # damaged: made anew
        answers = {
            name: (records.Inputs.of(probe.program, probe.args), pytorch.answer(torch, probe.twin))
            for name, probe in zip(build.names, build.probes, strict=True)
            if probe.twin is not None
        }
        changed = recorded.renew(answers)
        if changed:
            recorded.version = str(torch.__version__)
            recorded.write(path)
        yield path, changed


def _no_worker() -> Any:
    raise OurFault("Recording runs no worker.")
