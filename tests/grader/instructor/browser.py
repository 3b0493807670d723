"""A Jupyter server on a folder, and a real browser that looks at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader import root

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
PATIENCE = 120_000  # milliseconds; a busy machine starts a kernel slowly
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def jupyter(folder: Path, home: Path) -> Iterator[str]:
    """The address of a JupyterLab that was started in a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home.mkdir(parents=True, exist_ok=True)
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
             "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
             "--LabApp.news_url=", "--LabApp.check_for_updates_class="
             "jupyterlab.handlers.announcements.NeverCheckForUpdate"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": root.ROOT, "HOME": str(home), "XDG_CACHE_HOME": cache},
            stdout=subprocess.DEVNULL, stderr=log,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api", server)
        yield address
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        assert server.poll() is None, "JupyterLab has ended"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)  # another process comes up: there is nothing else to wait for
    raise AssertionError("JupyterLab does not answer")


@contextmanager
def browsing(address: str) -> Iterator[Any]:
    """A page of a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            yield page
        finally:
            browser.close()
