"""Find the submissions below the named places."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import NamedTuple

from ...course.outline import is_chapter
from ...errors import WrongUse, one_line
from .archive_reader import NOTEBOOK, is_notebook, is_package, list_folder
from .loose_files import group_by_person
from .package_files import ARCHIVES
from .platform_names import METADATA, parse_name, read_submitters


class HandIn(NamedTuple):
    """A submission to be graded."""

    learner: str  # its unique name
    path: str  # its file or folder
    whose: str = ""  # the learner's own name, equal for several attempts of one


def discover(places: Iterable[str], chapters: Iterable[str] = ()) -> list[HandIn]:
    """Find every submission below these places, in the order of their names, each name unique.

    If a learner's folder holds one for each assignment, those of these chapters are taken.

    Raises:
        WrongUse: no place exists, or there is no submission anywhere.
    """
    places = list(places)
    missing = [place for place in places if not os.path.lexists(place)]
    if missing and len(missing) == len(places):
        raise WrongUse(f"There is no {missing[0]}. Check the path of the submissions.")
    mine = group_by_person(map(os.path.abspath, places))
    found = dict.fromkeys(each for place in mine for each in _list_hand_ins(place, set(chapters)))
    if not found:
        raise WrongUse(
            "There is no submission there. Name a folder that holds one folder, archive or "
            "notebook per learner, or name the submissions themselves."
        )
    return list(name_hand_ins([*found]))


def _list_hand_ins(place: str, chapters: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (path, learner); what several people have handed in together comes once for each."""
    submitters = read_submitters(place)
    for path in _iter_place(place):
        if people := submitters.get(os.path.basename(path)):
            yield from ((path, learner) for learner in people)
        else:
            yield from _assignments(path, chapters).items()


def _iter_place(place: str) -> Iterator[str]:
    if not os.path.isdir(place) or is_submission(place):
        yield place
        return
    try:
        entries = sorted(os.listdir(place))
    except OSError as error:
        raise WrongUse(f"{place} cannot be read: {error.strerror}.") from error
    paths = (os.path.join(place, name) for name in entries)
    yield from group_by_person(path for path in paths if not is_ignored(path))


def _assignments(path: str, chapters: set[str]) -> dict[str, str]:
    """Return submission → learner's name; in nbgrader's `submitted/NAME/ASSIGNMENT` it is NAME.

    A learner who has only other assignments keeps one path: its row reports the missing one.
    """
    is_folder = os.path.isdir(path) and not os.path.islink(path)  # a link may be to another's
    if is_folder and not is_package(path) and not list_notebooks(path):
        inner = [os.path.join(path, name) for name in list_folder(path)]
        named = [p for p in inner if os.path.isdir(p) and is_chapter(os.path.basename(p))]
        each = [p for p in inner if os.path.isdir(p) and (list_notebooks(p) or is_package(p))]
        if named and chapters:
            each = [os.path.join(path, name) for name in sorted(chapters)]
            each = [p for p in each if os.path.isdir(p)] or each[:1]
        # An old copy beside the new one (`alt/`, `neu/`) is no second attempt: reading them as one
        # hand-in takes equal copies, and refuses others for this learner alone.
        is_one = not named and len(each) > 1 and not any(map(list_notebooks, each))
        if each and not is_one:
            return dict.fromkeys(each, os.path.basename(path))
    name = os.path.basename(path)
    is_module = parse_name(name) is not None and name.endswith(".py")
    return {path: name.removesuffix(".py") if is_module else base_name(name)}


def is_submission(path: str) -> bool:
    """Whether a named folder is one submission rather than a class.

    A class may be a folder of notebooks too. Those of one submission are named after chapters, or
    there is a single one and nothing else to judge.
    """
    if is_package(path):
        return True
    found = list_notebooks(path)
    others = [
        name
        for name in set(list_folder(path)).difference(found)
        if os.path.isdir(os.path.join(path, name)) or name.lower().endswith(ARCHIVES)
    ]
    named = all(is_chapter(base_name(name)) for name in found)
    return bool(found) and (named or (len(found) == 1 and not others))


def list_notebooks(path: str) -> list[str]:
    """Return the names of the notebooks in a folder."""
    return [name for name in list_folder(path) if is_notebook(name)]


def is_ignored(path: str) -> bool:
    """Whether a path is a system's leftover; a hidden folder with Python files in it is not."""
    name = os.path.basename(path)
    if name == METADATA or not name.startswith((".", "__")):
        return name == METADATA
    has_code = is_package(path) or any(each.endswith(".py") for each in list_folder(path))
    return not (name.strip("._") and has_code)


def name_hand_ins(found: list[tuple[str, str]]) -> Iterator[HandIn]:
    """Name each submission by its folder or file, with more of its path until it is unique.

    Names that differ only in case or Unicode form count as equal, as on some disks. Attempts of one
    person have the first one's name as `whose`, though a platform numbers each upload.
    """
    taken: set[str] = set()
    owners: dict[object, str] = {}
    members = Counter(path for path, _ in found)
    for path, learner in found:
        around, whole = os.path.split(path)
        end = learner if members[path] > 1 else whole
        longer = os.path.join(os.path.basename(around), end)
        names = [learner, *([whole] if learner == base_name(whole) else []), longer, path]
        more = (f"{path} ({number})" for number in count(2))  # paths that print alike
        choices = map(one_line, chain(names, more))
        name = next(choice for choice in choices if choice and fold_case(choice) not in taken)
        taken.add(fold_case(name))
        said = parse_name(whole) if members[path] == 1 else None
        yield HandIn(name, path, owners.setdefault(said.owner, learner) if said else learner)


def fold_case(name: str) -> str:
    """Fold what looks the same, or is to a disk: case, Unicode form, characters nobody sees."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(c for c in folded if (c.isprintable() or c.isspace()) and not BLANK.match(c))


# Letters and marks that print nothing, which Python calls printable.
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def base_name(name: str) -> str:
    """Drop the ending of an archive or a notebook: ``ada.tar.gz`` becomes ``ada``."""
    lower = name.lower()
    for ending in (*ARCHIVES, NOTEBOOK):
        if lower.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def find_repeated(handins: Iterable[HandIn]) -> dict[str, list[str]]:
    """Return name → submissions of learners who seem to have handed in more than once.

    Two assignments of one learner do not count.
    """
    by_name: dict[tuple[str, str], list[str]] = {}
    for handin in handins:
        name = base_name(os.path.basename(handin.path))
        key = (handin.whose, name) if is_chapter(name) else (base_name(handin.whose) or name, "")
        by_name.setdefault(key, []).append(handin.path)
    return {name: paths for (name, _), paths in by_name.items() if len(paths) > 1}
