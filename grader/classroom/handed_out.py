"""What learners were given: the chapters that are asked of them, and the code that came solved.

What came solved from us earns nothing. Of the chapters before the one at which a release begins,
that is everything. A later release holds this chapter solved, too: whoever hands it in late may
have taken it from there, so that such a text is known by its digest.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..about import of_another
from ..course.load import read_package
from ..course.outline import chapter_of, is_chapter, number_of
from ..course.package import NAME, module_of, safe_bytes
from ..errors import WrongUse
from .files import read_json
from .handins import listed
from .normal_form import FORM, length, normal_forms

STATE = ".grader"
LONG = 120  # characters of a normal form that two people do not write alike by chance
UNKNOWN = (
    "it is not known what learners were given. Where a chapter of these came solved, it is free "
    "points: name what was handed out with --release RELEASE"
)
MOST_ZIP, MOST_ENTRIES, MOST_NOTE, MOST_STATE = 32 << 20, 2000, 1 << 16, 1 << 18


class HandedOut(NamedTuple):
    """What a class was given."""

    chapters: list[str]  # those that are asked
    first: int  # the number of the chapter before which everything came solved
    # Target → the digests of its normal form wherever it was handed out solved.
    solved: dict[str, list[str]]
    source: str  # where this is known from, as a sentence's end

    @classmethod
    def of(cls, kept: dict[str, Any]) -> HandedOut:
        """What is on record.

        Raises:
            WrongUse: another grader has recorded it, and nothing would be known by it.
        """
        if any(not d.startswith(FORM) for digests in kept["solved"].values() for d in digests):
            raise WrongUse(
                "What came solved is on record as an earlier grader knew it. Name what you handed "
                "out once more, with --release."
            )
        return cls(**{name: kept[name] for name in cls._fields})


def laid_under(
    stubs: Callable[[int], dict[str, str]], chapters: Sequence[str], known: bool
) -> dict[str, str] | None:
    """The package below files that are handed in alone: nothing that is asked for is solved in it.

    None where it is not known what was handed out, and so where it begins: on another one right
    code could look wrong. Of a single chapter it goes without saying.
    """
    if not known and len(chapters) != 1:
        return None
    return stubs(min(map(number_of, chapters)))


def of_releases(places: Iterable[str]) -> HandedOut:
    """What these releases hold; a folder with an nbgrader course's `release/` is one, too.

    Raises:
        WrongUse: a place that is none of them.
    """
    found = [each for place in places for each in _releases(place)]
    solved: dict[str, set[str]] = {}
    for _, _, package in found:
        for target, (digest, _) in bodies(read_package(package)).items():
            solved.setdefault(target, set()).add(digest)
    chapters = {name for names, _, _ in found for name in names}
    return HandedOut(
        sorted(chapters, key=number_of), min(first for _, first, _ in found),
        {target: sorted(digests) for target, digests in sorted(solved.items())},
        ", ".join(map(os.path.basename, map(os.path.abspath, places))),
    )  # fmt: skip


def _releases(place: str) -> list[tuple[list[str], int, str]]:
    """(chapters, where it begins, the package as it was handed out) of what lies at a place."""
    release = _json(os.path.join(place, STATE, "release.json"))
    if isinstance(release, dict) and isinstance(release.get("chapters"), list):
        if says := of_another(release.get("course"), place):
            raise WrongUse(says)
        package = os.path.join(place, STATE, "base", NAME)
        return [(release["chapters"], begins(place) or 1, package)]
    inside = os.path.join(place, "release")
    assignments = sorted(n for n in listed(inside) if is_chapter(n))
    if not assignments:
        raise WrongUse(
            f"{place} is neither a folder that `grader release` wrote nor an nbgrader course with "
            "a release/ in it. Name what your learners were given."
        )
    folders = [(name, os.path.join(inside, name)) for name in assignments]
    return [([n], begins(f) or number_of(n), os.path.join(f, NAME)) for n, f in folders]


def begins(workspace: str) -> int:
    """The number of the chapter at which a workspace begins; 0 where nothing says it."""
    state = _json(os.path.join(workspace, STATE, "workspace.json"))
    first = state.get("from") if isinstance(state, dict) else None
    return number_of(first) if isinstance(first, str) and is_chapter(first) else 0


def _json(path: str) -> Any:
    """What a note of a workspace holds; None where there is none, or behind a link."""
    behind_link = os.path.islink(os.path.dirname(path))
    return None if behind_link else read_json(path, MOST_STATE)


# ---- from what was handed in ----------------------------------------------------------


def of_hand_ins(paths: Iterable[str]) -> HandedOut | None:
    """What most of these hand-ins say that they were given; one learner's word is not enough.

    Nobody wins by what a workspace says: chapters before its own earn nothing.
    """
    paths = list(paths)
    courses = {course for path in paths if (course := _course_around(path))}
    if len(courses) == 1:
        return of_releases(courses)
    said = Counter(_says(path) for path in paths)
    said.pop(None, None)
    if not said:
        return None
    (most, count), *_ = said.most_common(1)
    if most is None or 2 * count <= len(paths):
        return None
    chapters, first = most
    return HandedOut(
        list(chapters), first, {}, f"the workspaces of {count} of {len(paths)} hand-ins"
    )


def _course_around(path: str) -> str | None:
    """The nbgrader course of `…/submitted/LEARNER/ASSIGNMENT`, where it has released something."""
    submitted = os.path.dirname(os.path.dirname(path))
    course = os.path.dirname(submitted)
    released = any(map(is_chapter, listed(os.path.join(course, "release"))))
    return course if os.path.basename(submitted) == "submitted" and released else None


def _says(path: str) -> tuple[tuple[str, ...], int] | None:
    """The chapters of a workspace, or of the notebooks in a hand-in, and where it begins."""
    names = listed(path) if os.path.isdir(path) else [os.path.basename(path)]
    books = {n.removesuffix(".ipynb") for n in names if n.endswith(".ipynb")}
    asked = sorted(filter(is_chapter, books), key=number_of)
    first = begins(path) if os.path.isdir(path) else 0
    if asked:
        return tuple(asked), first or number_of(asked[0])
    release = _json(os.path.join(path, STATE, "release.json")) if first else None
    chapters = release.get("chapters") if isinstance(release, dict) else None
    named = isinstance(chapters, list) and all(map(is_chapter, map(str, chapters)))
    return (tuple(map(str, chapters or ())) if named else (), first) if first else None


def revealed(path: str, exercises: Container[str]) -> dict[str, int]:
    """Exercise, of those that there are → when its learner had its solution shown, in seconds.

    It is a reason to ask, and no proof: whoever hands in can take it out, and put others in.
    """
    name = f"{STATE}/revealed.json"
    found = None
    if os.path.isdir(path):
        found = _json(os.path.join(path, *name.split("/")))
    elif path.lower().endswith(".zip"):
        found = _in_zip(path, name)
    return {
        id: int(when)
        for id, when in (found.items() if isinstance(found, dict) else ())
        if id in exercises and isinstance(when, int | float) and 0 <= when < 2**37
    }


def _in_zip(path: str, name: str) -> Any:
    """What a small JSON file in an archive holds; None where there is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(safe_bytes(path, MOST_ZIP))) as archive:
            for info in archive.infolist()[:MOST_ENTRIES]:
                if f"/{info.filename}".endswith(f"/{name}") and info.file_size < MOST_NOTE:
                    with archive.open(info) as file:
                        return json.loads(file.read(MOST_NOTE))
    except Exception:  # the reader of archives raises whatever it likes at bytes that are made up
        return None
    return None


# ---- what of a package came solved ----------------------------------------------------


def bodies(texts: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Every function of a package that is no stub → its normal form's digest and length."""
    every = (form for name, text in texts.items() for form in normal_forms(module_of(name), text))
    return {form.target: (form.digest, length(form.words)) for form in every if not form.is_stub}


def came_solved(
    files: Mapping[str, bytes], solved: Mapping[str, list[str]], owners: Mapping[str, str]
) -> list[str]:
    """The exercises whose code is what was handed out solved; ``owners``: target → its exercise.

    A short body is written alike by many. It counts where most long ones of its chapter are ours.
    """
    texts = {name: data.decode("utf-8", "replace") for name, data in files.items()}
    mine = {target: found for target, found in bodies(texts).items() if target in owners}
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
