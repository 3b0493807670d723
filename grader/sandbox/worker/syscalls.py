"""System calls by number: neither Python nor every C library has a function for these."""

from __future__ import annotations

import ctypes
import os
import sys

MACHINES = ("x86_64", "aarch64")  # the columns of every table of numbers here and in `seccomp`
NUMBERS = {
    "socket": (41, 198),
    "connect": (42, 203),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "execve": (59, 221),
    "ptrace": (101, 117),
    "capset": (126, 91),
    "prctl": (157, 167),
    "unshare": (272, 97),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}


def machine() -> int | None:
    """The column of this machine; None where no table has one for it."""
    known = sys.platform == "linux" and sys.maxsize > 1 << 32 and os.uname().machine in MACHINES
    return MACHINES.index(os.uname().machine) if known else None


COLUMN = machine()
_LIBC = ctypes.CDLL(None, use_errno=True) if COLUMN is not None else None
if _LIBC is not None:
    _LIBC.syscall.restype = ctypes.c_long


def call(name: str, *arguments: int | bytes) -> int:
    """The result of a system call; where it fails, the negative error number.

    Arguments are numbers, or bytes where the kernel reads from memory.
    """
    assert _LIBC is not None and COLUMN is not None, "`COLUMN` says whether there are any"
    passed = [a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
    result: int = _LIBC.syscall(ctypes.c_long(NUMBERS[name][COLUMN]), *passed)
    return result if result >= 0 else -ctypes.get_errno()
