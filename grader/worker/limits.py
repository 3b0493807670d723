"""What the worker takes from itself before it sees a line of learner code.

Every entry says whether it holds here; their names go into the report. What the kernel closes
(files, network, system calls) is in `confine`.
"""

import os
import signal
import sys

try:
    import resource
except ImportError:  # not on this platform
    resource = None

GIB = 1 << 30


def _limit(kind, value):
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


def own_session():
    """Its own session: a signal to it and its children reaches nobody else."""
    return os.getsid(0) == os.getpid()


def isolated_interpreter():
    """No environment variables, no user site, no site-packages."""
    return bool(sys.flags.isolated and sys.flags.no_site)


PROTECTIONS = {
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


def apply():
    """Take everything that can be taken; the names of what holds."""
    # A write beyond the file size limit shall be an OSError, not the end of the process.
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if resource is None:
        names = ("separate process", "isolated interpreter")
    else:
        names = PROTECTIONS
    return [name for name in names if PROTECTIONS[name]()]
