"""Measure the book's build, as a multiple of `import numpy`, and the bytes of its pages.

A build runs in a separate process, and `python -c "import numpy"` after it; we quote the median of
the ratios, pair by pair. The size of a page includes everything that it loads at once: its style
and its scripts, but not the index of search, which it loads for the first search.

    python benchmarks/book.py [--runs 5]
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMPY = [sys.executable, "-c", "import numpy"]
BUILD = [sys.executable, "-m", "grader", "book", "--build"]
LOADED = re.compile(r'<(?:script|link)[^>]* (?:src|href)="([\w.-]+)"')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(seconds([*BUILD, folder]), seconds(NUMPY)) for _ in range(runs + 1)][1:]
        ratio = statistics.median(build / numpy for build, numpy in pairs)
        print(f"building the book: {ratio:.1f} x import numpy ({runs} pairs)")
        for name in ("index.html", "chapter1.html", "chapter3.html"):
            plain, packed = weight(folder, name)
            print(f"{name:<14} {plain / 1024:6.0f} KB, {packed / 1024:4.0f} KB compressed")
        whole = [read(folder, name) for name in os.listdir(folder)]
        packed = sum(len(gzip.compress(data)) for data in whole)
        print(f"all {len(whole)} files {sum(map(len, whole)) / 1024:6.0f} KB, "
              f"{packed / 1024:4.0f} KB compressed")  # fmt: skip


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": ROOT}
    )
    return time.perf_counter() - started


def weight(folder: str, name: str) -> tuple[int, int]:
    """Return the bytes of a page and everything it loads at once, plain and compressed."""
    page = read(folder, name)
    files = [page, *(read(folder, each) for each in LOADED.findall(page.decode()))]
    return sum(map(len, files)), sum(len(gzip.compress(data)) for data in files)


def read(folder: str, name: str) -> bytes:
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


if __name__ == "__main__":
    main()
