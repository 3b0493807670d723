"""Find out what learners were given: the chapters to write, and the code that came solved.

Code that came solved earns nothing. That is everything in the chapters before a release's first
one. A later release also has this release's chapters solved, and a late learner may copy from it;
so solved code is recognised by its digest.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...about import of_another
from ...course.outline import FULL, ROUTES, chapter_no, chapter_of, is_chapter
from ...course.package import NAME, BadFile, module_of, read_texts, safe_bytes
from ...errors import WrongUse
from ...learner import untrusted_files
from .archive_reader import list_folder
from .normal_form import FORM, form_length, normal_forms

STATE = ".grader"
LONG = 120  # characters of a normal form; two people do not write such a long one alike by chance
UNKNOWN = (
    "it is not known what learners were given. Where a chapter of these came solved, it is free "
    "points: name what was handed out with --release RELEASE"
)
MOST_ZIP, MOST_ENTRIES, MOST_NOTE, MOST_STATE = 32 << 20, 2000, 1 << 16, 1 << 18


class Handout(NamedTuple):
    """The material that a class was given."""

    chapters: list[str]  # the chapters to write
    first: int  # the number of the first chapter to write; all before came solved
    # Target → the digests of its normal forms in the releases that hold it solved.
    solved: dict[str, list[str]]
    source: str  # the source of this knowledge, as the end of a sentence
    route: str = FULL  # what it gives solved counts for nobody

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Handout:
        """Restore it from a record.

        Raises:
            WrongUse: an earlier grader's digests are on record, which match nothing now.
        """
        if any(not d.startswith(FORM) for digests in kept["solved"].values() for d in digests):
            raise WrongUse(
                "What came solved is on record as an earlier grader knew it. Name what you handed "
                "out once more, with --release."
            )
        return cls(**{name: kept[name] for name in cls._fields if name in kept})


def route_of(handed: Handout | None) -> str:
    """Return the route of what was handed out; the full one if it is not known."""
    return handed.route if handed else FULL


def choose_stubs(
    stubs: Callable[[int], dict[str, str]], chapters: Sequence[str], known: bool
) -> dict[str, str] | None:
    """Return the stubs that fill up a partial package, with none of these chapters solved.

    None if it is not known what was handed out: on other stubs right code could look wrong. For a
    single chapter it is clear.
    """
    if not known and len(chapters) != 1:
        return None
    return stubs(min(map(chapter_no, chapters)))


def read_releases(places: Iterable[str]) -> Handout:
    """Read what releases hold; the folder of an nbgrader course with a `release/` counts as one.

    Raises:
        WrongUse: a place is neither, or two of them take different routes.
    """
    found = [each for place in places for each in _read_place(place)]
    routes = {*map(read_route, places)}
    if len(routes) > 1:
        raise WrongUse(
            "These releases take different routes. Grade those of each route by themselves, into "
            "an --out of their own."
        )
    solved: dict[str, set[str]] = {}
    for _, _, package in found:
        for target, (digest, _) in hash_bodies(read_texts(package)).items():
            solved.setdefault(target, set()).add(digest)
    chapters = {name for names, _, _ in found for name in names}
    return Handout(
        sorted(chapters, key=chapter_no), min(first for _, first, _ in found),
        {target: sorted(digests) for target, digests in sorted(solved.items())},
        ", ".join(map(os.path.basename, map(os.path.abspath, places))), routes.pop(),
    )  # fmt: skip


def _read_place(place: str) -> list[tuple[list[str], int, str]]:
    """Return (chapters, number of the first, folder of the package) for each release at a place."""
    release = _read_state(os.path.join(place, STATE, "release.json"))
    if isinstance(release, dict) and isinstance(release.get("chapters"), list):
        if says := of_another(release.get("course"), place):
            raise WrongUse(says)
        package = os.path.join(place, STATE, "base", NAME)
        return [(release["chapters"], read_first_chapter(place) or 1, package)]
    inside = os.path.join(place, "release")
    assignments = sorted(n for n in list_folder(inside) if is_chapter(n))
    if not assignments:
        raise WrongUse(
            f"{place} is neither a folder that `grader release` wrote nor an nbgrader course with "
            "a release/ in it. Name what your learners were given."
        )
    folders = [(name, os.path.join(inside, name)) for name in assignments]
    return [
        ([n], read_first_chapter(f) or chapter_no(n), os.path.join(f, NAME)) for n, f in folders
    ]


def read_first_chapter(workspace: str) -> int:
    """Return the number of the chapter at which a workspace begins; 0 if it does not say."""
    first = _read_beginning(workspace).get("from")
    return chapter_no(first) if isinstance(first, str) and is_chapter(first) else 0


def read_route(workspace: str) -> str:
    """Return the route of a workspace; the full one if it does not say."""
    route = _read_beginning(workspace).get("route")
    return route if route in ROUTES else FULL


def _read_beginning(workspace: str) -> dict[str, Any]:
    state = _read_state(os.path.join(workspace, STATE, "workspace.json"))
    return state if isinstance(state, dict) else {}


def _read_state(path: str) -> Any:
    """Read a JSON file of a workspace's state; None if it is missing, or behind a link."""
    with suppress(BadFile):
        return (
            None
            if os.path.islink(os.path.dirname(path))
            else untrusted_files.read_json(path, MOST_STATE)
        )
    return None


# ---- from submissions -----------------------------------------------------------------


def infer_handout(paths: Iterable[str]) -> Handout | None:
    """Return what more than half of these submissions say that they were given, else None.

    A forged workspace gains nothing: chapters before its first one earn no points.
    """
    paths = list(paths)
    courses = {course for path in paths if (course := _course_around(path))}
    if len(courses) == 1:
        return read_releases(courses)
    said = Counter(_declared_chapters(path) for path in paths)
    said.pop(None, None)
    if not said:
        return None
    (most, count), *_ = said.most_common(1)
    if most is None or 2 * count <= len(paths):
        return None
    chapters, first, route = most
    source = f"the workspaces of {count} of {len(paths)} hand-ins"
    return Handout(list(chapters), first, {}, source, route)


def _course_around(path: str) -> str | None:
    """Return the nbgrader course around `submitted/LEARNER/ASSIGNMENT`, if it has a release."""
    submitted = os.path.dirname(os.path.dirname(path))
    course = os.path.dirname(submitted)
    released = any(map(is_chapter, list_folder(os.path.join(course, "release"))))
    return course if os.path.basename(submitted) == "submitted" and released else None


def _declared_chapters(path: str) -> tuple[tuple[str, ...], int, str] | None:
    """Return the chapters that a submission declares, its first and its route: by notebooks or
    workspace."""
    names = list_folder(path) if os.path.isdir(path) else [os.path.basename(path)]
    books = {n.removesuffix(".ipynb") for n in names if n.endswith(".ipynb")}
    asked = sorted(filter(is_chapter, books), key=chapter_no)
    first = read_first_chapter(path) if os.path.isdir(path) else 0
    if asked:
        return tuple(asked), first or chapter_no(asked[0]), FULL
    release = _read_state(os.path.join(path, STATE, "release.json")) if first else None
    chapters = release.get("chapters") if isinstance(release, dict) else None
    named = isinstance(chapters, list) and all(map(is_chapter, map(str, chapters)))
    listed = tuple(map(str, chapters or ())) if named else ()
    return (listed, first, read_route(path)) if first else None


def read_revealed(path: str, exercises: Container[str]) -> dict[str, int]:
    """Return exercise → when its solution was shown to the learner, in seconds since the epoch.

    It is a reason to ask, no proof: the learner can edit it.
    """
    name = f"{STATE}/revealed.json"
    found = None
    if os.path.isdir(path):
        found = _read_state(os.path.join(path, *name.split("/")))
    elif path.lower().endswith(".zip"):
        found = _read_from_zip(path, name)
    return {
        id: int(when)
        for id, when in (found.items() if isinstance(found, dict) else ())
        if id in exercises and isinstance(when, int | float) and 0 <= when < 2**37
    }


def _read_from_zip(path: str, name: str) -> Any:
    """Read a small JSON file from a zip archive; None if there is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(safe_bytes(path, MOST_ZIP))) as archive:
            for info in archive.infolist()[:MOST_ENTRIES]:
                if f"/{info.filename}".endswith(f"/{name}") and info.file_size < MOST_NOTE:
                    with archive.open(info) as file:
                        return json.loads(file.read(MOST_NOTE))
    except Exception:  # zipfile raises all kinds of exceptions for malformed bytes
        return None
    return None


# ---- solved code in a package ---------------------------------------------------------


def hash_bodies(texts: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Return target → (digest, length) of the normal forms of all functions that are no stubs."""
    every = (form for name, text in texts.items() for form in normal_forms(module_of(name), text))
    return {
        form.target: (form.digest, form_length(form.words)) for form in every if not form.is_stub
    }


def find_came_solved(
    files: Mapping[str, bytes], solved: Mapping[str, list[str]], owners: Mapping[str, str]
) -> list[str]:
    """Return the exercises whose code was handed out solved; ``owners``: target → exercise.

    Many people write the same short body: it counts only if most long ones of its chapter are ours.
    """
    if not solved:  # as when workspaces alone tell what was handed out
        return []
    texts = {name: data.decode("utf-8", "replace") for name, data in files.items()}
    mine = {target: found for target, found in hash_bodies(texts).items() if target in owners}
    ours = {target for target, (digest, _) in mine.items() if digest in solved.get(target, ())}
    long = {target for target, (_, size) in mine.items() if size >= LONG}
    by_chapter: dict[str, list[bool]] = {}
    for target in long & solved.keys():
        by_chapter.setdefault(chapter_of(owners[target]), []).append(target in ours)
    copied = {name for name, each in by_chapter.items() if 2 * sum(each) > len(each)}
    wanted: dict[str, list[bool]] = {}
    for target in mine:
        sure = target in ours and (target in long or chapter_of(owners[target]) in copied)
        wanted.setdefault(owners[target], []).append(sure)
    return sorted(id for id, each in wanted.items() if all(each))
