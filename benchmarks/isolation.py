"""Measure the cost of confinement per worker, beside the same worker without it.

A worker is timed from its start to the frame in which it says which protections hold, their
preflight included; then it is ended. Both kinds take turns in one run, so that a machine that
slows down slows both. «fresh» is a new Python that imports NumPy (`grader check`), «forked» a
child of a warm parent (grading in bulk, `watch`).

    python benchmarks/isolation.py [--runs 40]
"""

from __future__ import annotations

import argparse
import marshal
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from grader.about import COURSE  # noqa: E402
from grader.sandbox import launch as launching  # noqa: E402
from grader.sandbox.channel import Channel, Deadline  # noqa: E402
from grader.sandbox.isolation import CONFINED, DEMANDS, level  # noqa: E402
from grader.sandbox.launch import (  # noqa: E402
    WORKER,
    ForkServer,
    Worker,
    find_numpy,
)
from grader.sandbox.observation import Frame  # noqa: E402

GOALS = {"fresh": 15.0, "forked": 5.0}
# What the bare worker has in place of `confine`: it takes nothing, and needs no reaper.
NOTHING = """
def limit(): return []
def is_requested(level): return True
def prepare_ruleset(numpy_folder, level): return None
def apply(numpy_folder, level, ruleset): return []
def close_to_debuggers(): return True
"""
PROGRAMS = {
    "__init__.py": compile("", "programs/__init__.py", "exec"),
    "harness.py": compile("class Complaint(Exception): pass", "programs/harness.py", "exec"),
    "differences.py": compile("class Refused(Exception): pass", "programs/differences.py", "exec"),
}
REQUEST = {
    "folder": "/nowhere", "files": {}, "modules": [], "targets": [],
    "programs": marshal.dumps(PROGRAMS), "arrays": {}, "probes": [], "import_seconds": 5.0,
    "run": [], "reduced_timeouts": False, "slept": False, "suffices": DEMANDS[CONFINED],
    "codes": {}, "course": COURSE.rules,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    folder = find_numpy()
    assert folder is not None
    with tempfile.TemporaryDirectory() as place:
        bare = shutil.copytree(WORKER, os.path.join(place, "worker"))
        with open(os.path.join(bare, "confine.py"), "w", encoding="utf-8") as file:
            file.write(NOTHING)
        with fork_server(folder, bare) as plain, fork_server(folder, WORKER) as warm:
            compared("fresh", at(bare, folder), at(WORKER, folder), runs)
            compared("forked", plain.fork, warm.fork, runs)


def fork_server(folder: str, worker: str) -> ForkServer:
    launching.WORKER = worker
    return ForkServer(folder)


def at(worker: str, folder: str) -> Callable[[], Worker]:
    def launched() -> Worker:
        launching.WORKER = worker
        return launching.spawn_worker(folder)

    return launched


def compared(
    way: str, bare: Callable[[], Worker], confined: Callable[[], Worker], runs: int
) -> None:
    """Time both kinds in turn, and print medians, their difference and the median ratio."""
    milliseconds(bare)
    found = level(milliseconds(confined)[1])
    if found != CONFINED:
        sys.exit(f"this machine gives no more than «{found}»: there is nothing to time")
    pairs = [(milliseconds(bare)[0], milliseconds(confined)[0]) for _ in range(runs)]
    extra = statistics.median(b - a for a, b in pairs)
    ratio = statistics.median(b / a for a, b in pairs)
    plain, closed = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"{way:<7} bare {plain:7.1f} ms   confined {closed:7.1f} ms   "
        f"+{extra:.1f} ms (goal ≤ {GOALS[way]:g}), {ratio:.2f} × (medians of {runs})"
    )


def milliseconds(launch: Callable[[], Worker]) -> tuple[float, list[str]]:
    """Return the time from a worker's start to its first frame, and the protections it names."""
    started = time.perf_counter()
    channel = Channel(launch(), bytearray())
    channel.send({**REQUEST, "nonce": channel.nonce})
    hello = channel.receive(Deadline(channel.worker.pid, 30.0))
    took = 1000 * (time.perf_counter() - started)
    if not isinstance(hello, Frame):
        sys.exit(f"a worker did not start: {hello} {bytes(channel.output).decode()}")
    channel.protections = hello.texts["protections"].splitlines()
    channel.close()
    return took, channel.protections


if __name__ == "__main__":
    main()
