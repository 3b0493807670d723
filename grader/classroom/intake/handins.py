"""Find the submissions below the named places."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import NamedTuple

from ...course import package
from ...course.load import Course
from ...course.outline import is_chapter
from ...course.package import LINK, SECOND_NAME, Flaw, Package, says_too_large
from ...errors import WrongUse
from ..files import one_line
from ..marks.record import Seen, Summary
from .archive_reader import NOTEBOOK, Intake, Refused, is_notebook, take
from .submission import (
    NOTHING,
    Submission,
    in_archive,
    laid_over,
    notebook_paths,
    of_course,
    of_package,
    opened,
    within_bounds,
)

ARCHIVES = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip")


class HandIn(NamedTuple):
    """A submission to be graded."""

    learner: str  # its unique name
    path: str  # its file or folder
    whose: str = ""  # the learner's own name, equal for several attempts of one


def found(places: Iterable[str], chapters: Iterable[str] = ()) -> list[HandIn]:
    """Find every submission below these places, in the order of their names, each name unique.

    If a learner's folder holds one for each assignment, those of these chapters are taken.

    Raises:
        WrongUse: no place exists, or there is no submission anywhere.
    """
    places = list(places)
    missing = [place for place in places if not os.path.lexists(place)]
    if missing and len(missing) == len(places):
        raise WrongUse(f"There is no {missing[0]}. Check the path of the submissions.")
    paths: dict[str, str] = {}
    for place in without_online_texts([os.path.abspath(each) for each in places]):
        for path in _in(place):
            paths.update(_assignments(path, set(chapters)))
    if not paths:
        raise WrongUse(
            "There is no submission there. Name a folder that holds one folder, archive or "
            "notebook per learner, or name the submissions themselves."
        )
    return list(_named(paths))


def _in(place: str) -> Iterator[str]:
    if not os.path.isdir(place) or is_one(place):
        yield place
        return
    try:
        entries = sorted(os.listdir(place))
    except OSError as error:
        raise WrongUse(f"{place} cannot be read: {error.strerror}.") from error
    paths = (os.path.join(place, name) for name in without_online_texts(entries))
    yield from (path for path in paths if not passed_over(path))


# Moodle puts the text that a learner typed into a folder of its own, beside the one of their files.
ONLINE, FILES = "_assignsubmission_onlinetext", "_assignsubmission_file"


def without_online_texts(names: list[str]) -> list[str]:
    """Drop the online texts of learners who handed in files as well."""

    def beside_files(name: str) -> bool:
        whose, online, _ = name.rpartition(ONLINE)
        return bool(online) and any(n.startswith(whose + FILES) for n in names)

    return [name for name in names if not beside_files(name)]


def left_over(
    rows: Iterable[Summary], places: Iterable[str], handins: Iterable[HandIn]
) -> list[str]:
    """Return the learners with a result whose submission is gone from these places."""
    here = {handin.learner for handin in handins}
    folders = tuple(os.path.join(os.path.abspath(place), "") for place in places)
    gone = (row for row in rows if row["learner"] not in here)
    return [row["learner"] for row in gone if row["submission"].startswith(folders)]


def _assignments(path: str, chapters: set[str]) -> dict[str, str]:
    """Return submission → learner's name; in nbgrader's `submitted/NAME/ASSIGNMENT` it is NAME.

    A learner who has only other assignments keeps one path: its row reports the missing one.
    """
    is_folder = os.path.isdir(path) and not os.path.islink(path)  # a link may be to another's
    if is_folder and not is_package(path) and not notebooks(path):
        inner = [os.path.join(path, name) for name in listed(path)]
        named = [p for p in inner if os.path.isdir(p) and is_chapter(os.path.basename(p))]
        each = [p for p in inner if os.path.isdir(p) and (notebooks(p) or is_package(p))]
        if named and chapters:
            each = [os.path.join(path, name) for name in sorted(chapters)]
            each = [p for p in each if os.path.isdir(p)] or each[:1]
        if each:
            return dict.fromkeys(each, os.path.basename(path))
    return {path: stem(os.path.basename(path))}


def is_one(path: str) -> bool:
    """Whether a named folder is one submission rather than a class.

    A class may be a folder of notebooks too. Those of one submission are named after chapters, or
    there is a single one and nothing else to judge.
    """
    if is_package(path):
        return True
    found = notebooks(path)
    others = [
        name
        for name in set(listed(path)).difference(found)
        if os.path.isdir(os.path.join(path, name)) or name.lower().endswith(ARCHIVES)
    ]
    named = all(is_chapter(stem(name)) for name in found)
    return bool(found) and (named or (len(found) == 1 and not others))


def is_package(path: str) -> bool:
    """Whether a folder is, or holds, a package."""
    try:
        package.find(path)
    except WrongUse:
        return False
    return True


def notebooks(path: str) -> list[str]:
    """Return the names of the notebooks in a folder."""
    return [name for name in listed(path) if is_notebook(name)]


def passed_over(path: str) -> bool:
    """Whether a path is a system's leftover; a hidden folder with a package in it is not."""
    name = os.path.basename(path)
    return name.startswith((".", "__")) and not (name.strip("._") and is_package(path))


def listed(path: str) -> list[str]:
    """List a folder, sorted, without hidden names; empty if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError:
        return []


def _named(paths: dict[str, str]) -> Iterator[HandIn]:
    """Name each submission by its folder or file, with more of its path until it is unique.

    Names that differ only in case or Unicode form count as equal, as on some disks.
    """
    taken: set[str] = set()
    for path, learner in paths.items():
        whole = os.path.basename(path)
        longer = os.path.join(os.path.basename(os.path.dirname(path)), whole)
        names = [learner, *([whole] if learner == stem(whole) else []), longer, path]
        more = (f"{path} ({number})" for number in count(2))  # paths that print alike
        choices = map(one_line, chain(names, more))
        name = next(choice for choice in choices if choice and fold_case(choice) not in taken)
        taken.add(fold_case(name))
        yield HandIn(name, path, learner)


def fold_case(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def stem(name: str) -> str:
    """Drop the ending of an archive or a notebook: ``ada.tar.gz`` becomes ``ada``."""
    lower = name.lower()
    for ending in (*ARCHIVES, NOTEBOOK):
        if lower.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def same_learner(handins: Iterable[HandIn]) -> dict[str, list[str]]:
    """Return name → submissions of learners who seem to have handed in more than once.

    Two assignments of one learner do not count.
    """
    by_name: dict[tuple[str, str], list[str]] = {}
    for handin in handins:
        name = stem(os.path.basename(handin.path))
        key = (handin.whose, name) if is_chapter(name) else (stem(handin.whose) or name, "")
        by_name.setdefault(key, []).append(handin.path)
    return {name: paths for (name, _), paths in by_name.items() if len(paths) > 1}


def read(
    path: str,
    course: Course,
    look: Callable[[Submission], Seen] = lambda made: {},
    stubs: Mapping[str, str] = NOTHING,
) -> tuple[Package, list[str], Seen]:
    """Read a submission; return its package, notes about it, and the result of ``look``.

    Missing files are taken from ``stubs``, the package as it was handed out.
    """
    made, seen = within_bounds(os.path.basename(path), lambda: _read(path, course, stubs), look)
    return made.package, made.notes, seen


def _read(path: str, course: Course, stubs: Mapping[str, str]) -> Submission:
    if not os.path.lexists(path):
        what = one_line(os.path.join(*path.split(os.sep)[-2:]))
        raise WrongUse(f"{what} is not there: nothing was handed in under this name.")
    if os.path.islink(path):
        raise WrongUse(f"{one_line(os.path.basename(path))} cannot be judged: {LINK}")
    package.refuse_another(path)
    if is_notebook(path) or (os.path.isdir(path) and notebook_paths(path)):
        return _answered(path, of_course(opened(path), course, stubs))
    taken = intake(path, course.solutions)
    for each in taken.refused:
        if each.has(Flaw.SECOND_NAME):  # it may be another's file: no mark either way
            raise WrongUse(f"{each.name} cannot be judged: {SECOND_NAME}")
    refused = [each.name for each in taken.refused]
    if any(map(is_notebook, (*taken.notebooks, *refused))):
        return _answered(path, in_archive(taken, course, stubs))._replace(taken=taken)
    if not taken.package.files:
        why = " ".join(dict.fromkeys(map(_mend, taken.refused))) or "it is empty."
        if os.path.isfile(path) and not os.path.getsize(path):
            why = "it is an empty file."
        raise WrongUse(
            f"{one_line(os.path.basename(path))} cannot be judged: {why} "
            f"Hand in the {package.NAME} folder, or a zip or tar of it."
        )
    return laid_over(of_package(taken), stubs, taken.refused)._replace(taken=taken)


def _mend(refused: Refused) -> str:
    """Say why a file was not taken; of one that is too large also what to do."""
    if refused.unfit is not None and refused.has(Flaw.TOO_LARGE):
        return says_too_large(refused.unfit.most, "leave out what is not your package")
    return refused.why


def _answered(path: str, handed_in: Submission) -> Submission:
    if not handed_in.package.files:
        raise WrongUse(f"{one_line(os.path.basename(path))}: {' '.join(handed_in.notes)}")
    return handed_in


def intake(path: str, names: Collection[str]) -> Intake:
    """Take a submission, or the archive in its folder, as Moodle downloads have it.

    Of several archives one is taken, if all that hold anything to judge hold the same.

    Raises:
        WrongUse: they differ.
    """
    archives = [name for name in listed(path) if name.lower().endswith(ARCHIVES)]
    if not archives or os.path.islink(path) or is_package(path):
        return take(path, names)
    opened = {name: take(os.path.join(path, name), names) for name in archives}
    work = {name: each for name, each in opened.items() if not each.is_beside_the_point()}
    kinds = {(each.package.sha256, *sorted(each.notebooks.items())) for each in work.values()}
    if len(kinds) > 1 or any(each.refused for each in work.values() if len(work) > 1):
        raise WrongUse(
            f"{one_line(os.path.basename(path))} cannot be judged: it holds several archives, "
            f"which differ: {one_line(', '.join(work))}. Hand in one of them."
        )
    return next(iter((work or opened).values()))
