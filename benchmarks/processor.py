"""Processor time of commands with all their processes, which a busy machine does not stretch.

A process that outlives its parent is counted by nobody, unless somebody takes it in: a judge's warm
parent of workers does, and with it went what all of its workers had computed. (Linux.)
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def take_in() -> None:
    """Make this process the parent of every descendant that outlives its own parent."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("This system lets no process take in others: nothing can be measured.")


def used() -> float:
    """Seconds of all that was started from here; waits for whoever still runs."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def spend(
    command: Sequence[str], cwd: str | Path, env: Mapping[str, str], right: Collection[int] = (0, 1)
) -> tuple[float, str]:
    """Run a command; return the processor seconds of all its processes, and what it printed.

    A status that is not right ends the benchmark with what the command said. (1 of the grader's
    says only that something is not right yet.)
    """
    before = used()
    done = subprocess.run(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    spent = used() - before
    if done.returncode not in right:
        sys.exit(f"{' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return spent, done.stdout
