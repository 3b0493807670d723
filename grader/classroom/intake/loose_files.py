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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from ...course import package
from ...course.outline import is_chapter
from ...course.package import BadFile, safe_bytes
from ...errors import WrongUse, one_line
from ...learner.open_questions import FOLDER
from ..files import describe_some
from .archive_reader import (
    MOST_ARCHIVE,
    UNPACKERS,
    WHOLE,
    Entry,
    RejectedFile,
    SubmittedFiles,
    collect_files,
    detect_kind,
    is_archive,
    is_notebook,
    is_of_a_tool,
    is_package,
    is_wanted_file,
    list_folder,
    read_bytes,
    read_submission_files,
    size_limit,
    take_files,
)
from .package_files import (
    NO_PACKAGE,
    describe_content,
    is_instead_of_code,
    map_odd_names,
    printable_name,
    read_odd_name,
)
from .platform_names import TYPED, parse_name

UNREAD = "it is no Python, notebook, zip or tar."
MOST_NESTED = 3  # archives in archives


def group_by_person(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return file or folder → all that its person has handed in beside it.

    A person's folder, archive or notebook stands for them, else their first Python file.
    """
    people: dict[object, list[str]] = {}
    for path in paths:
        folder, name = os.path.split(path)
        said = parse_name(name)
        people.setdefault((folder, said.owner if said else name), []).append(path)
    return {min(each, key=_rank): each for each in people.values()}


def _rank(path: str) -> tuple[bool, bool, bool, str]:
    said = parse_name(os.path.basename(path))
    is_whole = said is None or not said.file or is_archive(path) or is_notebook(path)
    is_typed = said is not None and said.is_typed
    return is_typed, not is_whole, not is_wanted_file(os.path.basename(path)), path


def list_beside(path: str) -> list[str]:
    """Return the paths of all that the person of this file or folder has handed in, with itself.

    A file that no platform has named is alone.
    """
    folder, name = os.path.split(path)
    said = parse_name(name)
    if said is None:
        return [path]
    found = ((other, parse_name(other)) for other in list_folder(folder))
    mine = [other for other, each in found if each and each.owner == said.owner]
    return [os.path.join(folder, other) for other in mine] or [path]


def read_hand_in(path: str, names: Collection[str]) -> SubmittedFiles:
    """Take a submission: a folder, an archive, or all files of one person.

    Raises:
        WrongUse: several archives differ, and no loose file tells which counts.
    """
    if os.path.islink(path):
        return read_submission_files(path, names)
    if os.path.isdir(path):
        beside = [each for each in list_beside(path) if each != path]
        others = (n for n in list_folder(path) if is_instead_of_code(n) and not is_archive(n))
        left_out = [RejectedFile(name, UNREAD) for name in others]
        left_out += _sort_uploads(beside, names).left_out
        return _leave_out(_read_folder(path, names), left_out)
    return read_loose_files(path, names) or _read_one(path, names)


def read_loose_files(path: str, names: Collection[str]) -> SubmittedFiles | None:
    """Take all files of the person of this one; None if it can be read as what it is."""
    if os.path.isdir(path) or os.path.islink(path):
        return None
    beside = list_beside(path)
    found = _sort_uploads(beside, names)
    if len(beside) == 1 and all(map(is_notebook, found.loose)):
        return None
    loose = take_files(path, _iter_files(found.loose), names)
    if not found.archives and not _has_work(loose):
        says = describe_content(map(os.path.basename, beside))
        return loose._replace(refused=[RejectedFile(WHOLE, says)])
    return _leave_out(_lay_over(path, found.archives, loose, names), found.left_out)


class Uploads(NamedTuple):
    """The files of one person: name as it was handed in → path."""

    archives: dict[str, str]
    loose: dict[str, str]
    left_out: list[RejectedFile]


def _sort_uploads(paths: Iterable[str], names: Collection[str]) -> Uploads:
    """Sort a person's files by what is done with them; of one that was uploaded again, the last is
    taken.

    Example: of ``ops.py`` and ``ops-1.py`` the second is taken, as ``ops.py``.
    """
    found = Uploads({}, {}, [])
    said = [(each, path) for path in paths if (each := parse_name(os.path.basename(path)))]
    meant = [(*read_odd_name(each.file, names), path, each.is_typed) for each, path in said]
    for name, _, path, is_typed in sorted(meant, key=itemgetter(1, 0), reverse=True):
        if why := TYPED if is_typed else _place(found, name, path):
            found.left_out.append(RejectedFile(printable_name(os.path.basename(path)), why))
    return found


def _place(found: Uploads, name: str, path: str) -> str:
    """Put a file where it belongs; return why it is left out, or an empty text."""
    if name.endswith(".md") and is_chapter(name.removesuffix(".md")):
        name = f"{FOLDER}/{name}"
    if not is_archive(name) and not is_wanted_file(name):
        return UNREAD
    kind = found.archives if is_archive(name) else found.loose
    if name in kind:
        return f"{os.path.basename(kind[name])} was handed in after it."
    kind[name] = path
    return ""


def _iter_files(paths: Mapping[str, str]) -> Iterator[Entry]:
    for name, path in paths.items():
        try:
            yield name, safe_bytes(path, size_limit(name))
        except BadFile as error:
            yield name, error


def _has_work(taken: SubmittedFiles) -> bool:
    return bool(taken.package.files or taken.notebooks or taken.notebook)


def _leave_out(taken: SubmittedFiles, left_out: Sequence[RejectedFile]) -> SubmittedFiles:
    """Name what was left out of a hand-in of which something was taken."""
    return taken._replace(refused=[*taken.refused, *left_out]) if _has_work(taken) else taken


def _read_folder(path: str, names: Collection[str]) -> SubmittedFiles:
    """Read a folder; one with archives and no package folder is read by these."""
    top = list_folder(path)
    archives = {name: os.path.join(path, name) for name in top if is_archive(name)}
    if not archives or is_package(os.path.join(path, package.NAME)):
        return read_submission_files(path, names)
    has_loose = {*names} & {*top, *map_odd_names(top, names).values()}
    loose = read_submission_files(path, names) if has_loose else None
    return _lay_over(path, archives, loose, names)


def _read_one(path: str, names: Collection[str]) -> SubmittedFiles:
    """Read a file; an archive that holds nothing but archives is read by these."""
    try:
        data = safe_bytes(path, MOST_ARCHIVE)
    except BadFile:
        return read_submission_files(path, names)  # it says why
    return _unpack(path, data, names, MOST_NESTED)


def _unpack(path: str, data: bytes, names: Collection[str], most: int) -> SubmittedFiles:
    taken, kind = read_bytes(path, data, names), detect_kind(path, data)
    if kind not in UNPACKERS or _has_work(taken) or not taken.holds_no_package() or not most:
        return taken
    inside = collect_files(UNPACKERS[kind](data, _is_inner_archive), [], None, _is_inner_archive)
    opened = [_unpack(os.path.join(path, n), d, names, most - 1) for n, d in inside.items()]
    work = _list_unlike(filter(_has_work, opened))
    return work[0] if len(work) == 1 else taken


def _is_inner_archive(name: str) -> bool:
    return is_archive(name) and not any(map(is_of_a_tool, name.split("/")))


def _list_unlike(opened: Iterable[SubmittedFiles]) -> list[SubmittedFiles]:
    """Return one of each content."""
    kinds = {(each.package.sha256, *sorted(each.notebooks.items())): each for each in opened}
    return list(kinds.values())


def _lay_over(
    path: str, archives: Mapping[str, str], loose: SubmittedFiles | None, names: Collection[str]
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
    if loose is None or not _has_work(loose):
        if differ:
            raise WrongUse(
                f"{one_line(os.path.basename(path))} cannot be judged: it holds several archives, "
                f"which differ: {one_line(', '.join(work))}. Hand in one of them."
            )
        return next(iter((work or opened).values()))
    why = (
        "it differs from another archive, and loose files lie beside both."
        if differ
        else NO_PACKAGE
    )
    left = [RejectedFile(name, why) for name in archives if differ or name not in work]
    under = next(iter(work.values())) if work and not differ else None
    return _merge(loose, under, left)


def _merge(
    loose: SubmittedFiles, under: SubmittedFiles | None, left: Sequence[RejectedFile]
) -> SubmittedFiles:
    if under is None:
        return loose._replace(refused=[*loose.refused, *left])
    files = under.package.files | loose.package.files
    over = sorted(name for name, data in under.package.files.items() if files[name] != data)
    says = "taken as the file that lies beside the archive, not as in it."
    told = [describe_some("{} was", "{} were", over, says)] if over else []
    return SubmittedFiles(
        loose.package._replace(files=files, sha256=package.hash_package(files)),
        [*under.refused, *loose.refused, *left], None, under.notebooks | loose.notebooks,
        under.answers | loose.answers, [*under.notes, *loose.notes, *told],
    )  # fmt: skip
