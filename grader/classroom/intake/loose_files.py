"""Read a hand-in that is more than one file: archives, loose modules, a notebook, a picture.

Platforms download what one person uploaded as files side by side, in a folder of theirs or in one
folder for the whole class (`platform_names.py`). An archive is the package, and loose files are
laid over it; what was handed out is below both.

    loveada_5001_90001_work.zip       work/ops.py, work/tensor.py
    loveada_5001_90002_ops-1.py       goes into the place of ops.py
    loveada_5001_90003_essay.pdf      left out, with a note
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter

from ...course import package
from ...course.outline import is_chapter
from ...course.package import BadFile, Package, safe_bytes
from ...errors import WrongUse, one_line
from ...learner.open_questions import FOLDER
from ..files import describe_some
from . import archive_reader as reader
from .archive_reader import Entry, RejectedFile, SubmittedFiles, is_archive, is_notebook
from .package_files import INSTEAD, describe_content, map_odd_names, printable_name, read_odd_name
from .platform_names import TYPED, parse_name

UNREAD = "it is no Python, notebook, zip or tar."
UNCLEAR = "it holds no package, or differs from another archive; files beside it are taken."
NOTHING = SubmittedFiles(Package("", {}, ""), [])
MOST_NESTED = 3  # archives in archives


def group_by_person(paths: Iterable[str]) -> list[str]:
    """Return one file or folder of each person: a folder, an archive or a notebook, else Python."""
    people: dict[object, list[str]] = {}
    for path in paths:
        folder, name = os.path.split(path)
        said = parse_name(name)
        people.setdefault((folder, said.owner if said else name), []).append(path)
    return [min(each, key=_rank) for each in people.values()]


def _rank(path: str) -> tuple[bool, bool, bool, str]:
    name = os.path.basename(path)
    said = parse_name(name)
    is_whole = said is None or not said.file or is_archive(name) or is_notebook(name)
    is_typed = said is not None and said.is_typed
    return is_typed, not is_whole, not reader.is_wanted_file(name), path


def list_beside(path: str) -> list[str]:
    """Return the paths of all that the person of this file or folder has handed in, itself first;
    a file that no platform has named is alone."""
    folder, name = os.path.split(path)
    said = parse_name(name)
    if said is None:
        return [path]
    mine = _list_by_owner(folder, os.stat(folder).st_mtime_ns)[said.owner]
    return [path, *(os.path.join(folder, other) for other in mine if other != name)]


@lru_cache(maxsize=2)  # each hand-in of a class asks for it
def _list_by_owner(folder: str, changed: int) -> defaultdict[object, list[str]]:
    """Map owners to the names in a folder; it was last changed at that time."""
    found = defaultdict[object, list[str]](list)
    for name in reader.list_folder(folder):
        if said := parse_name(name):
            found[said.owner].append(name)
    return found


def read_hand_in(path: str, names: Collection[str]) -> SubmittedFiles:
    """Take a submission: a folder, an archive, or all files of one person.

    Raises:
        WrongUse: several archives differ, and no loose file tells which counts.
    """
    if os.path.islink(path) or not os.path.isdir(path):
        return read_loose_files(path, names) or _read_one(path, names)
    top = reader.list_folder(path)
    others = [n for n in top if n.lower().endswith(tuple(INSTEAD)) and not is_archive(n)]
    left_out = [RejectedFile(name, UNREAD) for name in others] + _sort_uploads(path, names)[1]
    archives = {name: os.path.join(path, name) for name in top if is_archive(name)}
    if not archives or reader.is_package(os.path.join(path, package.NAME)):
        return _leave_out(reader.read_submission_files(path, names), left_out)
    has_loose = {*names} & {*top, *map_odd_names(top, names).values()}
    loose = reader.read_submission_files(path, names) if has_loose else NOTHING
    return _leave_out(_lay_over(path, archives, loose, names), left_out)


def read_loose_files(path: str, names: Collection[str]) -> SubmittedFiles | None:
    """Take all files of the person of this one; None if it can be read as what it is."""
    if os.path.isdir(path) or os.path.islink(path):
        return None
    files, left_out = _sort_uploads(path, names)
    archives = {name: each for name, each in files.items() if is_archive(name)}
    if len(files) + len(left_out) < 2 and all(is_archive(n) or is_notebook(n) for n in files):
        return None
    entries = _iter_files({name: each for name, each in files.items() if name not in archives})
    loose = reader.take_files(path, entries, names)
    if not archives and not loose.has_work:
        says = describe_content(map(os.path.basename, list_beside(path)))
        return loose._replace(refused=[RejectedFile(reader.WHOLE, says)])
    return _leave_out(_lay_over(path, archives, loose, names), left_out)


def _sort_uploads(path: str, names: Collection[str]) -> tuple[dict[str, str], list[RejectedFile]]:
    """Return name as handed in → path, of all that a person has handed in, and what is left out.

    Of one that was uploaded again the last is taken: ``ops-1.py`` before ``ops.py``.
    """
    found: dict[str, str] = {}
    left_out = []
    said = [(each, at) for at in list_beside(path) if (each := parse_name(os.path.basename(at)))]
    meant = [(*read_odd_name(s.file, names), s.is_typed, at) for s, at in said if s.has_content]
    for name, _, is_typed, at in sorted(meant, key=itemgetter(1, 0), reverse=True):
        is_answer = name.endswith(".md") and is_chapter(name.removesuffix(".md"))
        name = f"{FOLDER}/{name}" if is_answer else name
        why = TYPED if is_typed else UNREAD
        if name in found:
            why = f"{os.path.basename(found[name])} was handed in after it."
        elif not is_typed and (is_archive(name) or reader.is_wanted_file(name)):
            found[name], why = at, ""
        if why:
            left_out.append(RejectedFile(printable_name(os.path.basename(at)), why))
    return found, left_out


def _iter_files(paths: Mapping[str, str]) -> Iterator[Entry]:
    for name, path in paths.items():
        try:
            yield name, safe_bytes(path, reader.size_limit(name))
        except BadFile as error:
            yield name, error


def _leave_out(taken: SubmittedFiles, left_out: list[RejectedFile]) -> SubmittedFiles:
    """Name what was left out of a hand-in of which something was taken."""
    return taken._replace(refused=[*taken.refused, *left_out]) if taken.has_work else taken


def _read_one(path: str, names: Collection[str]) -> SubmittedFiles:
    """Read a file; an archive that holds nothing but archives is read by these."""
    taken = reader.read_submission_files(path, names)
    if not taken.holds_no_package():
        return taken
    return _unpack(path, safe_bytes(path, reader.MOST_ARCHIVE), names, taken, MOST_NESTED)


def _unpack(
    path: str, data: bytes, names: Collection[str], taken: SubmittedFiles, most: int
) -> SubmittedFiles:
    kind = reader.detect_kind(path, data)
    if kind not in reader.UNPACKERS or not taken.holds_no_package() or not most:
        return taken
    entries = reader.UNPACKERS[kind](data, is_archive)
    opened = []
    for name, inner in reader.collect_files(entries, [], None, is_archive).items():
        at = os.path.join(path, name)
        opened.append(_unpack(at, inner, names, reader.read_bytes(at, inner, names), most - 1))
    work = _list_unlike(each for each in opened if each.has_work)
    return work[0] if len(work) == 1 else taken


def _list_unlike(opened: Iterable[SubmittedFiles]) -> list[SubmittedFiles]:
    """Return one of each content."""
    kinds = {(each.package.sha256, *sorted(each.notebooks.items())): each for each in opened}
    return list(kinds.values())


def _lay_over(
    path: str, archives: Mapping[str, str], loose: SubmittedFiles, names: Collection[str]
) -> SubmittedFiles:
    """Lay loose files over the archive beside them.

    Of several archives one is taken, if all that hold anything to judge hold the same.

    Raises:
        WrongUse: they differ, and there are no loose files.
    """
    opened = {name: _read_one(each, names) for name, each in archives.items()}
    work = {name: each for name, each in opened.items() if not each.holds_no_package()}
    unlike = _list_unlike(work.values())
    differ = len(unlike) > 1 or any(each.refused for each in work.values() if len(work) > 1)
    if not loose.has_work and differ:
        raise WrongUse(
            f"{one_line(os.path.basename(path))} cannot be judged: it holds several archives, "
            f"which differ: {one_line(', '.join(work))}. Hand in one of them."
        )
    if not loose.has_work:
        return next(iter((work or opened).values()))
    under = unlike[0] if unlike and not differ else NOTHING
    left_out = [RejectedFile(name, UNCLEAR) for name in archives if differ or name not in work]
    files = under.package.files | loose.package.files
    over = sorted(name for name, data in under.package.files.items() if files[name] != data)
    says = "taken as the file that lies beside the archive, not as in it."
    told = [describe_some("{} was", "{} were", over, says)] if over else []
    return SubmittedFiles(
        loose.package._replace(files=files, sha256=package.hash_package(files)),
        [*under.refused, *loose.refused, *left_out], None, under.notebooks | loose.notebooks,
        under.answers | loose.answers, [*under.notes, *loose.notes, *told],
    )  # fmt: skip
