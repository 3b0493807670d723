"""Isolation levels: the protections that each demands, and the level that a worker reached.

The names of protections are those of `worker/{confine,reaper}.py`; both must change together.
`SECURITY.md` says what each level promises.
"""

from __future__ import annotations

import os
import sys

from ..errors import OurFault, WrongUse

TYPE_CHECKING = False  # saves importing `typing` for this name alone
if TYPE_CHECKING:
    from collections.abc import Iterable

PROCESS, CONFINED = "process", "confined"
BROWSER = "browser"  # a page judges its own reader, in the process that holds the answers
PAGE = "a page of the learner's own browser"
NOT_ROOT = "not root"
SUBREAPER = "no process outlives the run"
# level → the protections that it demands, the weakest level first
DEMANDS: dict[str, frozenset[str]] = {
    PROCESS: frozenset({"separate process", "isolated interpreter"}),
    CONFINED: frozenset({
        "separate process", "own session", "isolated interpreter",
        "memory limit", "cpu limit", "file size limit", "open files limit", "no core dumps",
        "no capabilities", "no new privileges", "closed to debuggers", "death with the parent",
        "files (Landlock)", "no new processes (seccomp)", "no sockets (seccomp)",
        "no signals to others (seccomp)", "no doors into the kernel (seccomp)",
    }),
}  # fmt: skip
LEVELS = tuple(DEMANDS)  # levels that can be asked for; a page is below all of them
ANY = BROWSER  # the default: no demand
FOR_MARKS = CONFINED  # below this, marks need an explicit --isolation
HIGHEST = "GRADER_ISOLATION"  # environment variable that caps the level workers try for


def requested_level() -> str:
    """Return the level that workers try for: the strongest, unless the environment says less."""
    return PROCESS if os.environ.get(HIGHEST) == PROCESS else CONFINED


def level(protections: Iterable[str]) -> str:
    """Return the strongest level all of whose demands hold.

    Raises:
        OurFault: not even the weakest holds.
    """
    held = set(protections)
    if PAGE in held:
        return BROWSER
    for name in reversed(LEVELS):
        if DEMANDS[name] <= held:
            return name
    raise OurFault("a worker runs without even the weakest isolation; nothing was graded.")


def missing(protections: Iterable[str]) -> list[str]:
    """Return the demands of the strongest level that do not hold, sorted."""
    return sorted(DEMANDS[LEVELS[-1]] - set(protections))


def stays_root(protections: Iterable[str]) -> bool:
    """Whether code with these protections runs as root, with no file permission to stop it."""
    return level(protections) == PROCESS and NOT_ROOT not in protections and os.geteuid() == 0


def require_level(least: str, protections: list[str]) -> None:
    """Check the isolation before any learner code runs.

    Raises:
        WrongUse: it is weaker than ``least``.
    """
    found = level(protections)
    order = (BROWSER, *LEVELS)
    if order.index(found) >= order.index(least):
        return
    because = (
        f"{HIGHEST}={PROCESS} is set in the environment"
        if requested_level() == PROCESS
        else f"here these do not hold: {', '.join(missing(protections))}"
    )
    raise WrongUse(
        f"--isolation {least} is more than this machine gives: its level is «{found}», for "
        f"{because}. Nothing was graded. Grade on Linux 5.13 or newer with Landlock and seccomp "
        f"(see SECURITY.md), or ask for --isolation {found} (in nbgrader_config.py: "
        f'c.JudgeAnswers.isolation = "{found}"): then what you grade can read your files, '
        "the answer key too."
    )


def deny_memory_access() -> None:
    """Close the memory of this process, which holds the answers, to processes of the same user."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
