"""Read a submission (folder, zip, tar, notebook) into memory, by an allow-list of files.

Nothing is unpacked onto disk, no link is followed, and sizes are bounded. `limited_call` bounds
time and memory, also those of an archive's own lists and headers. Files are copied once, and only
the copy is judged. A Python file that is refused counts as missing: its exercises earn nothing, and
no other file takes its place.
"""

from __future__ import annotations

import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import IO, NamedTuple

from ...course import package
from ...course.package import (
    BadFile,
    Flaw,
    Package,
    safe_bytes,
    says_too_large,
    unfit_name,
)
from ...errors import WrongUse
from ...learner.open_questions import holds_answers
from ...learner.untrusted_files import as_utf8
from ...notebooks.notebook_source import CRASHED, MOST_BYTES, STANDS_IN
from .package_files import (
    ARCHIVES,
    EMPTY,
    HIDDEN_TEXT,
    NO_PACKAGE,
    find_package,
    map_odd_names,
    printable_name,
)

NOTEBOOK = ".ipynb"
ASIDE = ".as-submitted"  # suffix of a submitted file that the grader has replaced by its own
MOST_NOTEBOOK = 8 << 20  # bytes of a notebook in an archive, its images included
MOST_UNPACKED = 64 << 20  # bytes of an unpacked archive, refused files included
MOST_ENTRIES = 5000  # files of any kind

BEYOND = f"it unpacks to more than {MOST_UNPACKED >> 20} MB."
TOO_LARGE = BadFile("it is too large for a module.")

TOOLS = ("__pycache__", "__MACOSX", "site-packages")

Entry = tuple[str, bytes | BadFile]  # a path, and its bytes or the reason why it is refused
Wanted = Callable[[str], bool]  # whether a file of this name is read


def is_notebook(name: str) -> bool:
    """Whether a file's name is that of a notebook, in any case."""
    return name.lower().endswith(NOTEBOOK)


def is_package(path: str) -> bool:
    """Whether a folder is, or holds, a package."""
    try:
        package.find_package_folder(path)
    except WrongUse:
        return False
    return True


def list_folder(path: str) -> list[str]:
    """List a folder, sorted, without hidden names; empty if it cannot be read."""
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError:
        return []


def stand_in_kind(path: str) -> str:
    """Return the metadata key that marks a notebook as the grader's own; empty for others."""
    try:
        data = safe_bytes(path, MOST_BYTES)
    except BadFile:
        return ""
    # In a JSON string a quotation mark is `\"`, so only a key can end with `":`.
    return next((key for key in (CRASHED, STANDS_IN) if f'"{key}":'.encode() in data), "")


def find_original(path: str) -> str:
    """Return the path of the notebook that was handed in as this one; empty if none was."""
    kind, aside = stand_in_kind(path), f"{path}{ASIDE}"
    if kind and os.path.lexists(aside):  # else it is from an earlier submission
        return "" if os.path.isdir(aside) or stand_in_kind(aside) == STANDS_IN else aside
    return "" if kind == STANDS_IN else path


def read_notebook_bytes(path: str) -> bytes:
    """Read a notebook's bytes.

    Raises:
        WrongUse: it is no regular file, too large, or cannot be read.
    """
    try:
        return safe_bytes(path, MOST_BYTES)
    except BadFile as error:
        name = os.path.basename(path).removesuffix(ASIDE)
        says = str(error)
        if error.flaw is Flaw.TOO_LARGE:
            says = says_too_large(error.most, "clear its outputs, and hand it in again")
        raise WrongUse(f"{name} is not read: {says}") from error


def find_notebooks(place: str) -> list[str]:
    """Return the paths of the notebooks handed in at a place: originals, no stand-ins."""
    names = sorted(os.listdir(place)) if os.path.isdir(place) else [""]
    paths = [os.path.join(place, n) if n else place for n in names if not is_of_a_tool(n)]
    mine = (path for path in paths if is_notebook(path) and not os.path.isdir(path))
    return list(filter(None, map(find_original, mine)))


def is_wanted_file(name: str) -> bool:
    """Whether a file is read: Python, a notebook or open answers, and not in a tool's folder."""
    ours = name.endswith((".py", HIDDEN_TEXT)) or is_notebook(name) or holds_answers(name)
    return ours and not any(map(is_of_a_tool, name.split("/")))


def is_of_a_tool(part: str) -> bool:
    """Whether a part of a path is hidden, or a folder that tools make."""
    return part in TOOLS or (part.startswith(".") and part not in "...")


def is_archive(name: str) -> bool:
    """Whether a path is that of an archive that we read, in any case, and in no tool's folder."""
    return name.lower().endswith(ARCHIVES) and not any(map(is_of_a_tool, name.split("/")))


def iter_zip(data: bytes, is_wanted: Wanted = is_wanted_file) -> Iterator[Entry]:
    unpacked = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            # Some Windows programs write backslashes, against the zip format.
            name = info.filename.replace("\\", "/")
            if name.endswith("/"):
                continue
            found = _unzipped(archive, info, is_wanted)
            unpacked += package.MOST_BYTES if found is TOO_LARGE else 0
            if unpacked > MOST_UNPACKED:
                raise BadFile(BEYOND)
            yield name, found


def _unzipped(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, is_wanted: Wanted
) -> bytes | BadFile:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return BadFile("it is not a regular file.")
    if not is_wanted(info.filename):
        return b""
    if info.flag_bits & 1:
        return BadFile("it is encrypted.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return BadFile("it is compressed in an unusual way.")
    with archive.open(info) as file:
        return read_bounded(file, info.filename)


def read_bounded(file: IO[bytes], name: str) -> bytes | BadFile:
    """Read a file of an archive, at most one byte beyond its limit."""
    data = file.read(size_limit(name) + 1)
    if len(data) <= size_limit(name):
        return data
    return BadFile("clear its outputs.") if is_notebook(name) else TOO_LARGE


def iter_tar(data: bytes, is_wanted: Wanted = is_wanted_file) -> Iterator[Entry]:
    if data[:2] == b"\x1f\x8b":
        unpacking = zlib.decompressobj(wbits=31)
        data = unpacking.decompress(data, MOST_UNPACKED)
        if unpacking.unconsumed_tail:
            raise BadFile(BEYOND)
        if not unpacking.eof:
            raise BadFile("it is cut short.")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                yield member.name, BadFile("it is not a regular file.")
            elif is_wanted(member.name):
                file = archive.extractfile(member)
                yield (
                    member.name,
                    read_bounded(file, member.name) if file else BadFile("it cannot be read."),
                )
            else:
                yield member.name, b""


MOST_ARCHIVE = 32 << 20  # bytes of a file that is handed in
MOST_REFUSED = 50  # that are listed one by one
WHOLE = "the submission"  # the name of what is wrong with all of it


class RejectedFile(NamedTuple):
    """A file that was not taken, and why."""

    name: str
    why: str
    # The error of reading it; None if it was refused for another reason.
    unfit: BadFile | None = None

    def has(self, flaw: Flaw) -> bool:
        """Whether it could not be read because of this flaw."""
        return self.unfit is not None and self.unfit.flaw is flaw


class SubmittedFiles(NamedTuple):
    """The content of a submission."""

    package: Package  # to be judged; it has no files if nothing could be taken
    refused: list[RejectedFile]  # the files that were not taken
    notebook: bytes | None = None  # the submission itself, if it is a notebook
    notebooks: dict[str, bytes] = {}  # path → notebook, inside an archive or folder
    answers: dict[str, bytes] = {}  # path → file with open answers
    notes: Sequence[str] = ()  # sentences about files that were taken under another name

    @property
    def has_work(self) -> bool:
        """Whether there is anything to judge."""
        return bool(self.package.files or self.notebooks or self.notebook)

    def holds_no_package(self) -> bool:
        """Whether it was read without errors, but holds no package."""
        whys = [each.why for each in self.refused]
        return not self.package.files and len(whys) == 1 and whys[0].startswith((NO_PACKAGE, EMPTY))


def read_submission_files(path: str, names: Collection[str] = ()) -> SubmittedFiles:
    """Read a submission; faults are listed in `refused` and never raised.

    With ``names``, the files of a whole package, a part of a package is recognised too.
    """
    path = os.path.abspath(path)
    try:
        if os.path.islink(path):
            raise BadFile(package.LINK)
        if os.path.isdir(path):
            return take_files(path, iter_folder(path), names)
        data = safe_bytes(path, MOST_ARCHIVE)
    except BadFile as error:
        name = printable_name(os.path.basename(path))
        return SubmittedFiles(_package(path, {}), [RejectedFile(name, str(error), error)])
    return read_bytes(path, data, names)


def read_bytes(path: str, data: bytes, names: Collection[str] = ()) -> SubmittedFiles:
    """Read a submission that is one file."""
    kind = detect_kind(path, data)
    if kind in UNPACKERS:
        return take_files(path, UNPACKERS[kind](data), names)
    says = "it is neither a folder nor a zip, a tar or a notebook."
    refused = [RejectedFile(printable_name(os.path.basename(path)), says)]
    is_read = kind == "notebook"
    return SubmittedFiles(_package(path, {}), [] if is_read else refused, data if is_read else None)


def take_files(path: str, entries: Iterator[Entry], names: Collection[str]) -> SubmittedFiles:
    """Take what is wanted of a folder, an archive or loose files."""
    refused: list[RejectedFile] = []
    others: list[str] = []
    files = collect_files(entries, refused, others)
    whole = any(each.name == WHOLE for each in refused)
    inside = {name: files.pop(name) for name in list(files) if is_notebook(name)}
    written = {name: files.pop(name) for name in list(files) if holds_answers(name)}
    renamed = map_odd_names(files, names)
    files |= {plain: files.pop(name) for name, plain in renamed.items()}
    others += [name for name in files if name.endswith(HIDDEN_TEXT)]
    files = {name: data for name, data in files.items() if not name.endswith(HIDDEN_TEXT)}
    rooting = not whole and not (inside and not files)
    found, why = find_package(files, names, others) if rooting else ({}, "")
    refused += [RejectedFile(WHOLE, why)] if why else []
    notes = [f"{name} was taken as {plain}." for name, plain in renamed.items() if found]
    return SubmittedFiles(
        _package(path, found), refused[:MOST_REFUSED], None, inside, written, notes
    )


def _package(path: str, files: dict[str, bytes]) -> Package:
    return Package(path, files, package.hash_package(files))


def detect_kind(path: str, data: bytes) -> str:
    """Return a file's kind by its first bytes, a notebook's by its name as well."""
    if data[:4] in (b"PK\3\4", b"PK\5\6"):
        return "zip"
    if data[:2] == b"\x1f\x8b" or data[257:262] == b"ustar":
        return "tar"
    if is_notebook(path) and data.lstrip()[:1] == b"{":
        return "notebook"
    return "nothing"


UNPACKERS = {"zip": iter_zip, "tar": iter_tar}


# ---- what is inside -------------------------------------------------------------------


def iter_folder(folder: str) -> Iterator[Entry]:
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_of_a_tool(name)]
        inside = os.path.relpath(base, folder).replace(os.sep, "/")
        for name in [*folders, *names]:
            path = os.path.join(base, name)
            mode = os.lstat(path).st_mode
            below = name if inside == "." else f"{inside}/{name}"
            if is_notebook(name):
                path = find_original(path)
            if stat.S_ISDIR(mode) or not path:
                continue
            try:
                # Other than regular files are passed to `safe_bytes` too: it says why not.
                is_read = is_wanted_file(below) or not stat.S_ISREG(mode)
                yield below, safe_bytes(path, size_limit(below)) if is_read else b""
            except BadFile as error:
                yield below, error
        if inside.count("/") >= package.MOST_DEPTH:
            del folders[:]


def size_limit(name: str) -> int:
    if is_archive(name):
        return MOST_ARCHIVE
    return MOST_NOTEBOOK if is_notebook(name) else package.MOST_BYTES


# ---- what is taken of it --------------------------------------------------------------


def collect_files(
    entries: Iterator[Entry], refused: list[RejectedFile], others: list[str] | None = None,
    is_wanted: Wanted = is_wanted_file,
) -> dict[str, bytes]:  # fmt: skip
    """Collect the wanted files, and the names of others; of two with the same name, ignoring case,
    none is taken."""
    files: dict[str, bytes] = {}
    seen: dict[str, str] = {}  # case-folded name → name
    total = 0
    try:
        for count, (name, data) in enumerate(entries):
            if count >= MOST_ENTRIES:
                raise BadFile(f"it holds more than {MOST_ENTRIES} files.")
            name = re.sub(r"^(\./)+", "", name)  # `tar cf work.tar .` adds it
            unfit = data if isinstance(data, BadFile) else None
            why = str(unfit) if unfit is not None else unfit_name(name)
            if not why and not is_wanted(name):
                if others is not None and not any(map(is_of_a_tool, name.split("/"))):
                    others.append(printable_name(name))
                continue
            if name.casefold() in seen:
                files.pop(seen[name.casefold()], None)
                unfit, why = None, "a file of this name is in it twice."
            seen[name.casefold()] = name
            if why or isinstance(data, BadFile):
                refused.append(RejectedFile(printable_name(name), why, unfit))
                continue
            total += len(data)
            if total > package.MOST_TOTAL or len(files) >= package.MOST_FILES:
                raise BadFile("its files are too many or too large.")
            files[name] = data if is_notebook(name) else as_utf8(data)
    except BadFile as error:
        refused.append(RejectedFile(WHOLE, str(error)))
        return {}
    except Exception as error:
        # zipfile and tarfile raise all kinds of exceptions for malformed bytes.
        refused.append(RejectedFile(WHOLE, f"it is damaged ({type(error).__name__})."))
        return {}
    return files
