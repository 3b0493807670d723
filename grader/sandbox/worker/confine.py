"""Confine the worker before it sees learner code: limits, and what the kernel can refuse.

A limit is reported where it holds. Each kernel layer (files, network, system calls) is applied,
then tested: it is reported only if the forbidden act, really tried, fails. The names are those of
`grader/sandbox/isolation.py`; both must change together.
"""

from __future__ import annotations

import errno
import os
import signal
import struct
import sys
import time

import landlock
import syscalls
from syscalls import COLUMN, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

NOBODY, GIB = 65534, 1 << 30
PAGES = os.sysconf("SC_PHYS_PAGES") if sys.platform == "linux" else 0  # of the whole machine
NEW_USER, NEW_IPC, NEW_NETWORK, NEW_MOUNTS = 0x10000000, 0x08000000, 0x40000000, 0x00020000
AT_FDCWD, RECURSIVE = -100, 0x8000  # `mount_setattr`: AT_RECURSIVE, with all mounts below
READ_ONLY, NO_TIMES, TIMES, PRIVATE = 0x01, 0x10, 0x70, 1 << 18
# File systems of the kernel: place → an entry there. Its times tell when somebody first looked.
ENTRIES = {"/proc": "self", "/sys": "kernel"}
PDEATHSIG, SET_DUMPABLE, NO_NEW_PRIVS, ASK_NO_NEW_PRIVS = 1, 4, 38, 39
NO_PROCESSES = "no new processes (seccomp)"
# Paths that any user may open on Linux. One that opens before and not after shows that it holds.
READ_TRIALS = (("/", os.O_RDONLY), (os.path.abspath(__file__), os.O_RDONLY))
WRITE_TRIALS = (("/dev/zero", os.O_WRONLY), ("/dev/full", os.O_WRONLY))
SOMEWHERE = struct.pack("=H", 2) + struct.pack(">H", 1) + bytes([127, 0, 0, 1]) + bytes(8)


def _limit(kind: str, value: int) -> bool:
    number = getattr(resource, f"RLIMIT_{kind}", None)
    if number is None:
        return False
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(number, (value, value))
    except (ValueError, OSError):
        return False
    return True


def own_session() -> bool:
    """Whether the worker leads its own session: a signal to its group reaches nobody else."""
    return os.getsid(0) == os.getpid()


def isolated_interpreter() -> bool:
    """Whether Python ignores environment variables, the user site and site-packages."""
    return bool(sys.flags.isolated and sys.flags.no_site)


LIMITS: dict[str, Callable[[], bool]] = {
    "separate process": lambda: True,
    "own session": own_session,
    "isolated interpreter": isolated_interpreter,
    "memory limit": lambda: _limit("AS", 2 * GIB),
    "cpu limit": lambda: _limit("CPU", 120),
    "file size limit": lambda: _limit("FSIZE", 0),
    "open files limit": lambda: _limit("NOFILE", 64),
    "process limit": lambda: _limit("NPROC", 1024),
    "no core dumps": lambda: _limit("CORE", 0),
}
WITHOUT_RESOURCE = ("separate process", "isolated interpreter")


def limit() -> list[str]:
    """Apply the limits that every platform has; return the names of those that hold."""
    # A write beyond the file size limit then raises OSError instead of killing the process.
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    names = WITHOUT_RESOURCE if resource is None else tuple(LIMITS)
    return [name for name in names if LIMITS[name]()]


def is_requested(level: str) -> bool:
    """Whether to confine by the kernel: asked for, and our tables know this machine."""
    return level != "process" and COLUMN is not None and syscalls.has_filters()


def prepare_ruleset(numpy_folder: str, level: str) -> int | None:
    """Prepare what all forked workers share; return the ruleset for `apply`, or None."""
    if not is_requested(level):
        return None
    syscalls.prepare_filter()
    own_mounts()
    return landlock.ruleset(numpy_folder)


def read_in(numpy_folder: str, level: str) -> None:
    """Read in what workers may read, where that is little."""
    if is_requested(level):
        landlock.read_in(numpy_folder)


def own_mounts() -> None:
    """Give the workers their own mounts, if root: read-only, no access times, no /proc or /sys.

    Those times outlast a run: one worker could signal to the next by reading a library's file, or
    by being the first to look at an entry of /proc.
    """
    if call("unshare", NEW_MOUNTS) == 0:
        to = struct.pack("<4Q", READ_ONLY | NO_TIMES, TIMES, PRIVATE, 0)
        if call("mount_setattr", AT_FDCWD, b"/\0", RECURSIVE, to, len(to)) == 0:
            cover_entries()  # private by now: other processes keep theirs


def cover_entries() -> None:
    """Mount an empty file system over each place."""
    for place in ENTRIES:
        call("mount", b"none", place.encode(), b"tmpfs", READ_ONLY, 0)


def shows_no_entries() -> bool:
    """Whether /proc and /sys are hidden: they list processes, open files and the like."""
    return not any(os.path.exists(f"{place}/{name}") for place, name in ENTRIES.items())


def apply(numpy_folder: str, level: str, ruleset: int | None) -> list[str]:
    """Apply every layer that this machine has; return the names of those that hold."""
    if sys.platform != "linux" or COLUMN is None:
        return []
    held = []
    if is_requested(level) and separate_namespaces():
        held.append("own network and IPC namespaces")
    was_root = os.getuid() == 0
    if step_down(numpy_folder):
        held.append("not root")
        if was_root and is_requested(level):
            call("unshare", NEW_USER)  # else the threads of all workers count for one user
    if leaves_no_time(numpy_folder) and leaves_no_time(os.__file__):
        held.append("no times of reading")
    if shows_no_entries():
        held.append("no entries of the kernel")
    held += [name for name, takes in PRIVILEGES.items() if takes()]
    if not is_requested(level):
        return held
    if ruleset is not None:
        held += restrict_files(ruleset)
    if syscalls.enter_filter():
        answer_by_constants()
        held += [name for name, refused in TRIALS.items() if refused()]
    return held


def answer_by_constants() -> None:
    """Let Python answer what the filter refuses: no load, all memory free, one's own time."""
    ask, size = os.sysconf, {"SC_PHYS_PAGES": PAGES, "SC_AVPHYS_PAGES": PAGES}
    vars(os)["sysconf"] = lambda name: size[name] if name in size else ask(name)
    vars(os)["getloadavg"] = lambda: (0.0, 0.0, 0.0)
    vars(resource)["getrusage"] = own_usage


def own_usage(who: int) -> Any:
    """Tell a process its own time alone: faults and switches depend on others, and are 0."""
    assert resource is not None, "`enter_filter` needs Linux"
    seconds = time.process_time() if who == resource.RUSAGE_SELF else 0.0
    return resource.struct_rusage([seconds, 0.0, *[0] * 14])


def leaves_no_time(path: str) -> bool:
    """Whether reading files there leaves no access time."""
    try:
        return os.statvfs(path).f_flag & os.ST_NOATIME != 0
    except OSError:  # in an archive, for one
        return False


def separate_namespaces() -> bool:
    """Enter a network without devices and own IPC; a user namespace gives the right to it."""
    flags = NEW_NETWORK | NEW_IPC
    if call("unshare", flags) == 0:
        return True
    if call("unshare", flags | NEW_USER | NEW_MOUNTS) != 0:
        return False
    cover_entries()
    return True


def step_down(numpy_folder: str) -> bool:
    """Change from root to user 65534, if Python and NumPy stay readable. True also if not root."""
    if os.getuid() != 0:
        return True
    groups = os.getgroups()
    try:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        for path in (f"{numpy_folder}/__init__.py", os.__file__):
            with open(path, "rb"):
                pass
    except OSError:
        os.seteuid(0)
        os.setegid(0)
        _try(os.setgroups, groups)
        return False
    os.seteuid(0)
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return True


def no_capabilities() -> bool:
    """Drop all of root's capabilities; check that none can be taken back."""
    head = struct.pack("<Ii", 0x20080522, 0)
    call("capset", head, bytes(24))
    return call("capset", head, b"\xff\xff\xff\xff" * 2 + bytes(16)) == -errno.EPERM


def no_new_privileges() -> bool:
    call("prctl", NO_NEW_PRIVS, 1, 0, 0, 0)
    return call("prctl", ASK_NO_NEW_PRIVS, 0, 0, 0, 0) == 1


def close_to_debuggers() -> bool:
    """Keep processes of the same user from tracing this one or reading its memory."""
    return COLUMN is not None and call("prctl", SET_DUMPABLE, 0, 0, 0, 0) == 0


PRIVILEGES: dict[str, Callable[[], bool]] = {
    "no capabilities": no_capabilities,
    "no new privileges": no_new_privileges,
    "closed to debuggers": close_to_debuggers,
    # After `step_down`: a change of uid or gid clears it.
    "death with the parent": lambda: call("prctl", PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0,
}


def restrict_files(ruleset: int) -> list[str]:
    """Enter Landlock; return the names of what it closes, before seccomp closes most of it too."""
    reading, writing = (
        [trial for trial in trials if _opens(*trial) is True]
        for trials in (READ_TRIALS, WRITE_TRIALS)
    )
    if not landlock.enter(ruleset):
        return []
    held = []
    if reading and writing and all(_opens(*trial) == errno.EACCES for trial in reading + writing):
        held.append("files (Landlock)")
    version = landlock.abi()
    if version >= 4 and _connects() == -errno.EACCES:
        held.append("no TCP (Landlock)")
    if version >= 6 and _try(os.kill, os.getppid(), 0) == errno.EPERM:
        held.append("no signals to others (Landlock)")
    return held


def _opens(path: str, flags: int) -> int | None:
    """Return True if the path opens, else the error number."""
    try:
        os.close(os.open(path, flags | os.O_CLOEXEC))
    except OSError as error:
        return error.errno
    return True


def _try(function: Callable[..., object], *arguments: object) -> int | None:
    """Return 0 if the call succeeds, else the error number."""
    try:
        function(*arguments)
    except OSError as error:
        return error.errno
    return 0


def _connects() -> int:
    """Return the result of connecting to this machine itself: 0 or a negative error number."""
    fd = call("socket", 2, 1, 0)
    if fd < 0:
        return 0
    result = call("connect", fd, SOMEWHERE, len(SOMEWHERE))
    os.close(fd)
    return result


def _refused(name: str, *arguments: int) -> bool:
    return call(name, *arguments) == -errno.EPERM


def no_processes() -> bool:
    """Whether a fork and an exec fail; a fork that succeeds ends at once."""
    pid = call("clone", signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    # Without a filter `execve` fails too, but with EFAULT for its null pointers.
    return pid == -errno.EPERM and _refused("execve", 0, 0, 0)


TRIALS: dict[str, Callable[[], bool]] = {
    NO_PROCESSES: no_processes,
    "no sockets (seccomp)": lambda: _refused("socket", 2, 1, 0) and _refused("connect", 1, 0, 0),
    "no signals to others (seccomp)": lambda: _try(os.kill, os.getppid(), 0) == errno.EPERM,
    "no doors into the kernel (seccomp)": lambda: (
        _refused("ptrace", 16, 0, 0, 0)  # attach to process 0: ESRCH without a filter
        and _refused("unshare", 0)  # no flags: succeeds without a filter
        and _refused("prctl", SET_DUMPABLE, 1, 0, 0, 0)
    ),
}
