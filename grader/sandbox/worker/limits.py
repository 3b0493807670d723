"""What the worker takes from itself before it sees a line of learner code.

Every entry says whether it holds here; their names go into the report. What the kernel closes
(files, network, system calls) is in `confine`.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

GIB = 1 << 30


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
    """Its own session: a signal to it and its children reaches nobody else."""
    return os.getsid(0) == os.getpid()


def isolated_interpreter() -> bool:
    """No environment variables, no user site, no site-packages."""
    return bool(sys.flags.isolated and sys.flags.no_site)


PROTECTIONS: dict[str, Callable[[], bool]] = {
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


def apply() -> list[str]:
    """Take everything that can be taken; the names of what holds."""
    # A write beyond the file size limit shall be an OSError, not the end of the process.
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    names = WITHOUT_RESOURCE if resource is None else tuple(PROTECTIONS)
    return [name for name in names if PROTECTIONS[name]()]
