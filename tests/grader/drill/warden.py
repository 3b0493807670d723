"""Runs a command, presses Ctrl-C at given moments, and tells how it ended and what it left behind.

`python warden.py ORDER`, the order as JSON:

- ``command``: what follows `grader`; ``{n}`` in it is the number of the run
- ``cwd``, ``delays``: seconds after the grader began to listen; null never presses it
- ``terminal``: whether it runs on a terminal of its own, where the key itself is pressed

It prints a report per run. Every process that such a run has started and that lost its parent
becomes a child of the warden's, so that none can hide.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time

SUBREAPER = 36  # of prctl
PATIENCE = 600  # seconds for a command to end, and for what it started
CTRL_C = b"\x03"
MAIN = """
import os, sys
from grader import interrupt
from grader.cli import main
ready, listen = int(sys.argv.pop(1)), interrupt.listen
def listening(**how):
    listen(**how)
    os.write(ready, b"!")
interrupt.listen = listening
main()
"""


class Output:
    """Reads a descriptor to its end, in a thread, so that nobody waits for a reader."""

    def __init__(self, fd: int) -> None:
        self.fd, self.data = fd, b""
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        try:
            while piece := os.read(self.fd, 1 << 16):
                self.data += piece
        except OSError:
            pass  # the other end of a terminal was closed

    def text(self) -> str:
        self.thread.join(PATIENCE)
        return self.data.decode(errors="replace")


def run(command: list[str], cwd: str, delay: float | None, terminal: bool) -> dict[str, object]:
    """One run."""
    ready, said = os.pipe()
    start = [sys.executable, "-c", MAIN, str(said), *command]
    here, there = pty.openpty() if terminal else os.pipe()
    before = termios.tcgetattr(there) if terminal else None
    started = time.monotonic()
    process = subprocess.Popen(
        start, cwd=cwd, stdin=there if terminal else subprocess.DEVNULL, stdout=there,
        stderr=there, pass_fds=[said], start_new_session=True,
        preexec_fn=own_terminal if terminal else None,
    )  # fmt: skip
    os.close(said)
    if not terminal:
        os.close(there)
    output = Output(here)
    os.read(ready, 1)
    os.close(ready)
    if delay is not None:
        time.sleep(delay)
        if terminal:
            os.write(here, CTRL_C)
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
    status: object
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        status = "hangs"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    left = orphans()
    sane = before is None or termios.tcgetattr(there) == before
    if terminal:
        os.close(there)
    return {
        "delay": delay, "status": status, "said": output.text(), "left": left, "sane": sane,
        "seconds": time.monotonic() - started,
    }  # fmt: skip


def own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def orphans() -> list[str]:
    """The processes that are still there when they had their time to end."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
        except ChildProcessError:
            return []
    found = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "args="], text=True,
                           capture_output=True, check=False).stdout  # fmt: skip
    return found.splitlines() or ["?"]


def main() -> None:
    order = json.loads(sys.argv[1])
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    reports = []
    for number, delay in enumerate(order["delays"]):
        command = [word.replace("{n}", str(number)) for word in order["command"]]
        reports.append(run(command, order["cwd"], delay, order["terminal"]))
    print(json.dumps(reports))


if __name__ == "__main__":
    main()
