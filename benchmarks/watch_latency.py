"""Measure `grader watch` from a save to its verdict, as a multiple of `import numpy`.

The watch runs as a learner runs it, on a solved package. Each time it saves the body of one
exercise in another way (in place, or by a rename, as editors do), and stops the clock when the
watch has printed its verdict. `python -c "import numpy"` runs in between; we quote the median of
the ratios, pair by pair, so a slow phase of the machine slows both.

    python benchmarks/watch_latency.py [--runs 15]
"""

from __future__ import annotations

import argparse
import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
from typing import IO

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRADER = [sys.executable, "-c", "from grader.cli import main; main()"]
NUMPY = [sys.executable, "-c", "import numpy"]
EDITED = re.compile(r"(return out_grad / b, [^#\n]*?)(  # save \d+)?$", re.MULTILINE)
VERDICT = re.compile(rb"passed +chapter3\.div\.backward\b")
READY = re.compile(rb"q quit\n")
GOAL_RATIO, SECONDS = 0.5, 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        watch = start(folder)
        try:
            pairs = [(save(watch, folder, n), numpy()) for n in range(runs + 2)][2:]
            idle = idle_seconds(watch.pid)
        finally:
            watch.stdin.write(b"q")
            watch.stdin.close()
            watch.wait(SECONDS)
    ratios = sorted(verdict / numpy for verdict, numpy in pairs)
    print(f"import numpy      {1000 * statistics.median(n for _, n in pairs):7.0f} ms "
          f"(median of {runs})")  # fmt: skip
    print(f"save to verdict   {1000 * statistics.median(v for v, _ in pairs):7.0f} ms")
    print(f"save to verdict   {statistics.median(ratios):7.2f} × import numpy "
          f"(goal ≤ {GOAL_RATIO}), from {ratios[0]:.2f} to {ratios[-1]:.2f}")  # fmt: skip
    print(f"while idle        {100 * idle:7.1f} % of one processor")


def start(folder: str) -> subprocess.Popen[bytes]:
    """A watch over a workspace with a solved package, once it is ready."""
    environment = {**os.environ, "PYTHONPATH": ROOT}
    sys.path.insert(0, ROOT)
    from grader.course.load import read_course

    for name, text in read_course().solved().items():
        path = os.path.join(folder, "babygrad", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    watch = subprocess.Popen(
        [*GRADER, "watch", "chapter3"],
        cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    read_until(watch.stdout, READY)
    return watch


def save(watch: subprocess.Popen[bytes], folder: str, number: int) -> float:
    """Save another body of `Div.backward`; return the seconds until its verdict is there."""
    path = os.path.join(folder, "babygrad", "ops.py")
    with open(path, encoding="utf-8") as file:
        data = EDITED.sub(rf"\1  # save {number}", file.read(), count=1).encode()
    place = f"{path}.new" if number % 2 else path
    started = time.perf_counter()
    with open(place, "wb") as file:
        file.write(data)
    if place != path:
        os.replace(place, path)
    rest = read_until(watch.stdout, VERDICT)
    seconds = time.perf_counter() - started
    read_until(watch.stdout, READY, rest)
    return seconds


def numpy() -> float:
    """Seconds of a whole process that imports NumPy."""
    started = time.perf_counter()
    subprocess.run(NUMPY, check=True)
    return time.perf_counter() - started


def idle_seconds(pid: int, seconds: float = 2.0) -> float:
    """The share of a processor that the watch uses while nothing happens."""

    def used() -> float:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    if not os.path.exists(f"/proc/{pid}/stat"):
        return float("nan")
    before = used()
    time.sleep(seconds)
    return (used() - before) / seconds


def read_until(stream: IO[bytes] | None, pattern: re.Pattern[bytes], seen: bytes = b"") -> bytes:
    """Read until the pattern has come; return the text after it."""
    assert stream is not None
    deadline = time.monotonic() + SECONDS
    while (found := pattern.search(seen)) is None:
        if not select.select([stream], [], [], max(0, deadline - time.monotonic()))[0]:
            sys.exit(f"nothing came in time; so far:\n{seen.decode()}")
        seen += os.read(stream.fileno(), 1 << 16)
    return seen[found.end() :]


if __name__ == "__main__":
    main()
