"""What is to be graded: the places that were named, as one entry per submission."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import package
from ..course.load import Course
from ..errors import WrongUse
from ..intake import take
from .submission import hand_in, in_archive
from .tables import os_safe

ARCHIVES = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip")
NOTEBOOK = ".ipynb"


class HandIn(NamedTuple):
    """One submission: whose it is, and where it lies."""

    learner: str
    path: str


def found(places: Iterable[str], chapters: Iterable[str] = ()) -> list[HandIn]:
    """Every submission below these places, in the order of their names; no two of one name.

    Args:
        chapters: the assignments to take, where a learner's folder holds one folder for each.

    Raises:
        WrongUse: a place that is not there, or no submission anywhere.
    """
    paths: dict[str, str] = {}
    for place in places:
        for path in _in(place):
            paths.update(_assignments(path, set(chapters)))
    if not paths:
        raise WrongUse(
            "There is no submission there. Name a folder that holds one folder, archive or "
            "notebook per learner, or name the submissions themselves."
        )
    return list(_named(paths))


def _in(place: str) -> Iterator[str]:
    path = os.path.abspath(place)
    if not os.path.lexists(path):
        raise WrongUse(f"There is no {place}. Check the path of the submissions.")
    if not os.path.isdir(path) or is_package(path) or notebooks(path):
        yield path
        return
    try:
        entries = sorted(os.listdir(path))
    except OSError as error:
        raise WrongUse(f"{place} cannot be read: {error.strerror}.") from error
    yield from (os.path.join(path, name) for name in entries if not name.startswith((".", "__")))


def _assignments(path: str, chapters: set[str]) -> dict[str, str]:
    """Submission → whose it is called after. In nbgrader's `submitted/NAME/ASSIGNMENT`, NAME's."""
    if os.path.isdir(path) and not is_package(path) and not notebooks(path):
        inner = [os.path.join(path, name) for name in listed(path)]
        each = [p for p in inner if os.path.isdir(p) and (notebooks(p) or is_package(p))]
        wanted = [p for p in each if os.path.basename(p) in chapters] or each
        if wanted:
            return dict.fromkeys(wanted, os.path.basename(path))
    return {path: stem(os.path.basename(path))}


def is_package(path: str) -> bool:
    """Whether a folder is one submission rather than a folder of them."""
    try:
        package.find(path)
    except WrongUse:
        return False
    return True


def notebooks(path: str) -> list[str]:
    """The notebooks that lie in a folder."""
    return [name for name in listed(path) if name.endswith(NOTEBOOK)]


def listed(path: str) -> list[str]:
    """What lies in a folder; nothing where it cannot be read, which reading it will say."""
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError:
        return []


def _named(paths: dict[str, str]) -> Iterator[HandIn]:
    """A learner is called as the folder or file; by more of the path where two would be one."""
    taken: set[str] = set()
    for path, learner in paths.items():
        whole = os.path.basename(path)
        longer = os.path.join(os.path.basename(os.path.dirname(path)), whole)
        names = [learner, *([whole] if learner == stem(whole) else []), longer, path]
        choices = map(os_safe, names)
        name = next(choice for choice in choices if choice not in taken)
        taken.add(name)
        yield HandIn(name, path)


def stem(name: str) -> str:
    """A file's name without what says that it is an archive or a notebook."""
    lower = name.lower()
    for ending in (*ARCHIVES, NOTEBOOK):
        if lower.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def same_learner(handins: Iterable[HandIn]) -> dict[str, list[str]]:
    """Learners who seem to have handed in more than once: name → the submissions."""
    by_name: dict[str, list[str]] = {}
    for handin in handins:
        by_name.setdefault(stem(os.path.basename(handin.path)), []).append(handin.path)
    return {name: paths for name, paths in by_name.items() if len(paths) > 1}


def read(path: str, course: Course) -> tuple[package.Package, list[str]]:
    """A submission as a package, its bytes read once, and what to know about it.

    Raises:
        WrongUse: it cannot be judged; the message says why and what to do.
    """
    if path.endswith(NOTEBOOK) or (os.path.isdir(path) and notebooks(path)):
        handed_in = hand_in(path, course)
        return handed_in.package, handed_in.notes
    taken = take(_inside(path))
    if any(
        name.endswith(NOTEBOOK) for name in (*taken.notebooks, *(r.name for r in taken.refused))
    ):
        handed_in = in_archive(taken, course)
        return handed_in.package, handed_in.notes
    notes = [f"{each.name} was not taken: {each.why}" for each in taken.refused]
    if not taken.package.files:
        why = " ".join(dict.fromkeys(each.why for each in taken.refused)) or "it is empty."
        raise WrongUse(
            f"{os_safe(os.path.basename(path))} cannot be judged: {why} "
            "Hand in the babygrad folder, or a zip or tar of it."
        )
    return taken.package, notes


def _inside(path: str) -> str:
    """The one archive in a folder that holds nothing else to judge, as Moodle hands them over."""
    if not os.path.isdir(path) or is_package(path):
        return path
    archives = [name for name in listed(path) if name.lower().endswith(ARCHIVES)]
    return os.path.join(path, archives[0]) if len(archives) == 1 else path
