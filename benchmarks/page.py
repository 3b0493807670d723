"""Measure the page that grades chapter 1: its bytes, and its time as a multiple of the terminal.

The folder holds Pyodide, and the editor beside it as npm puts it. The first check of a page loads
Pyodide and the judge; the next ones do not. The script compares each with `grader check chapter1`
on the same package, run right after it; we quote the median of the ratios, pair by pair. It opens a
page in a new profile every time, so its cache is empty.

    python benchmarks/page.py NPM_DIR [--runs 5]
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from glob import glob
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
IDLE = "!document.documentElement.classList.contains('busy')"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("npm")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    from grader.book.serve import server

    with tempfile.TemporaryDirectory() as folder:
        site = os.path.join(folder, "site")
        grader("book", "--build", site, "--pyodide", options.npm)
        grader("init", os.path.join(folder, "work"))
        weigh(site)
        with open(os.path.join(ROOT, "solutions", "babygrad", "scalar.py")) as file:
            text = file.read()
        with open(os.path.join(folder, "work", "babygrad", "scalar.py"), "w") as file:
            file.write(text)
        with server(site, 0) as running, sync_playwright() as driver:
            threading.Thread(target=running.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{running.server_address[1]}/chapter1-here.html"
            browser = driver.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox"]
            )
            rows = [pair(browser, address, text, folder) for _ in range(options.runs)]
            running.shutdown()
    for name, values in zip(("first check", "next check"), zip(*rows)):  # noqa: B905
        print(f"{name} in the page: {statistics.median(values):.1f} x grader check chapter1")


def pair(browser: Any, address: str, text: str, folder: str) -> tuple[float, float]:
    """The first and the second check of a fresh page, as multiples of one in a terminal."""
    page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.set_default_timeout(300_000)
    page.goto(address)
    page.wait_for_selector(".cm-editor >> nth=1")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.focus("#code")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("ControlOrMeta+V")
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        page.click("#all")
        page.wait_for_function(IDLE)
        seconds.append(time.perf_counter() - started)
    points = page.inner_text("#earned"), page.get_attribute("#bar", "max")
    assert float(points[0]) == float(points[1]), points
    page.context.close()
    terminal = grader("check", "chapter1", cwd=os.path.join(folder, "work"))
    return seconds[0] / terminal, seconds[1] / terminal


def grader(*arguments: str, cwd: str | None = None) -> float:
    """The seconds of a command."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "grader", *arguments], check=True, cwd=cwd,
        stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": ROOT},
    )  # fmt: skip
    return time.perf_counter() - started


def weigh(site: str) -> None:
    """Print the bytes of the page's files, as they lie on the host and compressed for transfer."""
    groups = {
        "the page and the judge": [
            "chapter1-here.html", "book.css", "book.js", "theme.js", "here.css", "field.js",
            "here.js", "editor.js", "here-worker.js", "judge.zip", "chapter1.zip",
        ],
        "its editor": glob("editor/**/*.js", root_dir=site, recursive=True),
        "Pyodide": glob("pyodide/*", root_dir=site),
    }  # fmt: skip
    for name, files in groups.items():
        data = []
        for each in files:
            with open(os.path.join(site, each), "rb") as file:
                data.append(file.read())
        packed = sum(min(len(each), len(gzip.compress(each))) for each in data)
        print(f"{name}: {sum(map(len, data)) / 1e6:.2f} MB, {packed / 1e6:.2f} MB compressed")


if __name__ == "__main__":
    main()
