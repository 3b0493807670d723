"""Close files, TCP, signals and abstract sockets by Landlock, as far as this kernel has it.

A ruleset names what stays open: the standard library without its `site-packages`, NumPy, the shared
libraries that modules of either may still load, and a few devices. All else is closed, and nothing
is open for writing but `/dev/null`.
"""

from __future__ import annotations

import os
import struct
import sys

from syscalls import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
READ_BELOW = READ_FILE | READ_DIR
# (first ABI version, rights that it adds): to files, to TCP, and beyond the domain.
FILE_RIGHTS = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
TCP_RIGHTS = ((4, 0b11),)
SCOPES = ((6, 0b11),)  # abstract sockets, signals

# Elsewhere in `sys.path` lie other people's packages: torch, and the course with its answers.
NOT_LIBRARY = ("site-packages", "dist-packages")
# Of the library, what no import needs, by the beginning of the name.
NOT_NEEDED = ("test", "idlelib", "turtledemo", "lib2to3", "ensurepip", "config-")
# Libraries that modules of the standard library link; those of NumPy are loaded by then.
SHARED = (
    "libssl.so.3", "libcrypto.so.3", "libssl.so.1.1", "libcrypto.so.1.1", "libz.so.1",
    "liblzma.so.5", "libbz2.so.1.0", "libbz2.so.1", "libsqlite3.so.0", "libffi.so.8", "libffi.so.7",
    "libmpdec.so.3", "libmpdec.so.4", "libexpat.so.1", "libuuid.so.1", "libm.so.6",
    "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
)  # fmt: skip
SHARED_FOLDERS = ("/lib64", "/usr/lib64", "/usr/lib", "/lib/{}-linux-gnu", "/usr/lib/{}-linux-gnu")
SINGLE = (
    ("/etc/ld.so.cache", READ_FILE),
    ("/dev/urandom", READ_FILE),
    ("/dev/random", READ_FILE),
    ("/dev/zero", READ_FILE),
    ("/dev/null", READ_FILE | WRITE_FILE),
)


def abi() -> int:
    """Return the version of Landlock that this kernel offers; 0 or less for none."""
    return call("landlock_create_ruleset", 0, 0, 1)


def _rights(table: tuple[tuple[int, int], ...], version: int) -> int:
    return sum(right for since, right in table if version >= since)


def ruleset(numpy_folder: str) -> int | None:
    """Make a ruleset; return a descriptor for `enter`, or None if the kernel gives none."""
    version = abi()
    if version < 1:
        return None
    handled = (_rights(table, version) for table in (FILE_RIGHTS, TCP_RIGHTS, SCOPES))
    attributes = struct.pack("<QQQ", *handled)
    fd = call("landlock_create_ruleset", attributes, len(attributes), 0)
    if fd < 0:
        return None
    for path, rights in readable(numpy_folder):
        _allow(fd, path, rights)
    return fd


def enter(fd: int) -> bool:
    """Close all else to this process, for good, once `no new privileges` holds; return success."""
    held = call("landlock_restrict_self", fd, 0) == 0
    os.close(fd)
    return held


def readable(numpy_folder: str) -> Iterator[tuple[str, int]]:
    """Yield each (path, rights) that stays open; paths that do not exist are skipped later."""
    yield numpy_folder, READ_BELOW
    yield f"{numpy_folder}.libs", READ_BELOW
    yield from SINGLE
    for folder in sys.path:
        if os.path.dirname(folder) not in sys.path:  # else the folder around it allowed it
            yield from _library(folder)
    folders = (f.format(os.uname().machine) for f in SHARED_FOLDERS)
    for folder in {os.path.realpath(f) for f in (sys.base_prefix + "/lib", *folders)}:
        yield from ((f"{folder}/{name}", READ_FILE) for name in SHARED)


def _library(folder: str) -> Iterator[tuple[str, int]]:
    """Yield the entries of a standard library folder one by one: no rule can exclude any later."""
    if not os.path.isdir(folder):
        yield folder, READ_FILE  # the library as one archive
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name not in NOT_LIBRARY and not entry.name.startswith(NOT_NEEDED):
                yield entry.path, READ_BELOW if entry.is_dir() else READ_FILE


def read_in(numpy_folder: str) -> None:
    """Have the kernel hold all that stays open: how long a file takes then tells nobody whether
    another worker has read it. Its pages go nowhere, uncopied."""
    with open(os.devnull, "wb") as nowhere:
        for path, _ in readable(numpy_folder):
            below = [f"{folder}/{name}" for folder, _, names in os.walk(path) for name in names]
            for name in below or [path]:
                _read(name, nowhere.fileno())


def _read(name: str, nowhere: int) -> None:
    if not os.path.isfile(name):
        return  # a device, or a library that this machine lacks
    with open(name, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        read = 0
        while read < size and (more := os.sendfile(nowhere, file.fileno(), read, size - read)):
            read += more


def _allow(ruleset_fd: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    call("landlock_add_rule", ruleset_fd, 1, struct.pack("<Qi", rights, fd), 0)
    os.close(fd)
