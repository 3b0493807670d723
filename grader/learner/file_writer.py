"""Write files atomically, with permissions closed from the first byte on."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Literal

from ..disk import replace_file
from ..errors import WrongUse

MENDS = {
    errno.ENOSPC: "The disk is full. Make room and run the same command again",
    errno.EDQUOT: "Your quota is used up. Make room and run the same command again",
    errno.EFBIG: "The disk takes no larger file. Make room and run the same command again",
    errno.EROFS: "It cannot be written to. Choose another place with --out",
    errno.EACCES: "It is not yours to write to. Choose another place with --out",
}


# Who may read a written file. Staff: its owner, and the group of a folder that is shared by one.
Readers = Literal["owner", "staff", "anybody"]
FOR_ALL = "This is made to be handed out: everybody may read it."


def write_whole(path: str, data: bytes, readers: Readers = "staff") -> None:
    """Replace a file atomically, and have it on the disk; make missing folders.

    Raises:
        WrongUse: it cannot be written; the earlier file stays.
    """
    try:
        replace_file(path, data, opener=partial(open_for, readers), is_synced=True)
    except OSError as error:
        raise describe_disk_error(path, error) from error


def write_folder(files: dict[str, bytes], out: str) -> None:
    """Write files into a folder that is not there yet, or is empty.

    Raises:
        WrongUse: something stands there.
    """
    if os.path.exists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise WrongUse(f"{out} is there already. Name a new folder, or empty that one.")
    for name, data in files.items():
        write_whole(os.path.join(out, *name.split("/")), data, "anybody")


def open_for(readers: Readers, path: str, flags: int) -> int:
    """Open a file; create it and its folders if needed, at no moment readable by others."""
    above, bits = os.path.dirname(os.path.abspath(path)), 0o644 if readers == "anybody" else 0o600
    make_folder(above, readers)
    fd = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, bits)
    _share(fd, above, readers, bits)
    return fd


def make_folder(path: str, readers: Readers = "staff") -> None:
    """Create a folder and its missing parents; an existing one stays as it is."""
    if not os.path.isdir(path):
        above, bits = os.path.dirname(path), 0o775 if readers == "anybody" else 0o700
        make_folder(above, readers)
        with suppress(FileExistsError):  # another grader was quicker
            os.mkdir(path, bits)
            _share(path, above, readers, bits)


def _share(made: int | str, above: str, readers: Readers, bits: int) -> None:
    """Give the group of the folder above the same rights to a staff file as it has in the folder.

    2770 ta                → 0660 ta   set-group-id, or the group may write: it is for that group
    0750 ta                → 0640 ta   closed to others, and `ta` is not this user's first group
    0755 users, 0750 users → 0600      as a umask leaves it: all users may be in `users`
    """
    folder, mine = os.stat(above), os.stat(made)
    mode, bits = folder.st_mode, bits | mine.st_mode & 0o2000
    is_of_group = mode & 0o2020 or (not mode & 0o007 and folder.st_gid != os.getegid())
    with suppress(PermissionError):  # we are not in that group
        if readers != "anybody" and mine.st_mode & 0o077:  # made by an older version
            os.chmod(made, bits)
        if readers == "staff" and is_of_group and not mode & 0o002:
            os.chown(made, -1, folder.st_gid)
            os.chmod(made, bits | mode & (bits & 0o700) >> 3)


def describe_disk_error(path: str, error: OSError) -> WrongUse:
    """Return the error for a file that cannot be written."""
    mend = MENDS.get(error.errno or 0, "Mend that and run the same command again")
    return WrongUse(
        f"{path} could not be written ({error.strerror}). {mend}; "
        "everything written before is kept."
    )


WHEN = (1980, 1, 1, 0, 0, 0)  # fixed, so that equal files give equal archives


def zip_files(files: Mapping[str, bytes], modes: Mapping[str, int] = MappingProxyType({})) -> bytes:
    """Make a reproducible zip archive; files have mode 0o644 unless ``modes`` says otherwise."""
    import zipfile  # no command of a learner needs it

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, WHEN)
            info.external_attr = (0o100000 | modes.get(name, 0o644)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()
