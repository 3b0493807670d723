"""The entries of a zip or a tar, read from its bytes: nothing is unpacked beyond a bound."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from ..course.package import MOST_BYTES, Unfit

NOTEBOOK = ".ipynb"
MOST_NOTEBOOK = 8 << 20  # bytes of a notebook in an archive, its pictures included
MOST_UNPACKED = 64 << 20  # bytes that an archive may become, what is refused of it included
MOST_ENTRIES = 5000  # files of any kind

BEYOND = f"it unpacks to more than {MOST_UNPACKED >> 20} MB."
TOO_LARGE = Unfit("it is too large for a module.")

TOOLS = ("__pycache__", "__MACOSX", "site-packages")

Entry = tuple[str, bytes | Unfit]  # a path, and what it holds or why that is not taken


def wanted(name: str) -> bool:
    """Only Python files and notebooks are read; what tools leave behind is passed over."""
    return name.endswith((".py", NOTEBOOK)) and not any(map(of_a_tool, name.split("/")))


def of_a_tool(part: str) -> bool:
    """Whether a part of a path is hidden, or the name of a folder that no learner makes."""
    return part in TOOLS or (part.startswith(".") and part not in "...")


def zip_entries(data: bytes) -> Iterator[Entry]:
    if entries_claimed(data) > MOST_ENTRIES:
        raise Unfit(f"it holds more than {MOST_ENTRIES} files.")
    unpacked = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            # Some zippers on Windows write backslashes, which no zip should hold.
            name = info.filename.replace("\\", "/")
            if name.endswith("/"):
                continue
            found = _unzipped(archive, info)
            unpacked += MOST_BYTES if found is TOO_LARGE else 0
            if unpacked > MOST_UNPACKED:
                raise Unfit(BEYOND)
            yield name, found


def entries_claimed(data: bytes) -> int:
    """How many entries a zip says that it has, before its list is read."""
    at = data.rfind(b"PK\5\6", max(0, len(data) - 65557))
    return int.from_bytes(data[at + 10 : at + 12], "little") if at >= 0 else 0


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | Unfit:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return Unfit("it is not a regular file.")
    if not wanted(info.filename):
        return b""
    if info.flag_bits & 1:
        return Unfit("it is encrypted.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return Unfit("it is compressed in an unusual way.")
    with archive.open(info) as file:
        return bounded(file, info.filename)


def bounded(file: IO[bytes], name: str) -> bytes | Unfit:
    """A file's bytes; never more than one beyond what a module may have is unpacked."""
    notebook = name.endswith(NOTEBOOK)
    most = MOST_NOTEBOOK if notebook else MOST_BYTES
    data = file.read(most + 1)
    if len(data) <= most:
        return data
    return Unfit("clear its outputs.") if notebook else TOO_LARGE


def tar_entries(data: bytes) -> Iterator[Entry]:
    if data[:2] == b"\x1f\x8b":
        unpacking = zlib.decompressobj(wbits=31)
        data = unpacking.decompress(data, MOST_UNPACKED)
        if unpacking.unconsumed_tail:
            raise Unfit(BEYOND)
        if not unpacking.eof:
            raise Unfit("it is cut short.")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                yield member.name, Unfit("it is not a regular file.")
            elif wanted(member.name):
                file = archive.extractfile(member)
                yield (
                    member.name,
                    bounded(file, member.name) if file else Unfit("it cannot be read."),
                )
            else:
                yield member.name, b""
