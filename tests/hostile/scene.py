"""The scene of a case: a workspace, things that nobody may touch, and a check of them."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from grader import root
from tests.grader.caches import CHAPTERS, fill, known
from tests.grader.isolation import unprivileged

from .loader import Case, write

HARM = "harm-was-done"
SECRET = "the-secret-of-the-canary"
PATIENCE = 600.0
MOST_MEMORY = 3 << 30  # of the grader itself, whatever it is sent; a worker has 2 GiB
AS_NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


class Ended(NamedTuple):
    """The outcome of a command, and the traces that the learner's code left."""

    status: int
    out: str
    err: str
    seconds: float
    harm: list[str]


class Scene:
    """A folder of its own for one case.

    Args:
        nobody: whether the command runs as an unprivileged user; only root can ask for that.
        keys: where the answer key is cached for that user.
        highest: the level of isolation that is not gone beyond.
        level: the level that workers have then, and that is demanded for marks.
    """

    def __init__(
        self, case: Case, course, nobody: bool, keys: Path,
        highest: str = "confined", level: str = "confined",
    ) -> None:  # fmt: skip
        self.nobody, self.keys, self.highest, self.level = nobody, keys, highest, level
        self.folder = Path(tempfile.mkdtemp(prefix="hostile-")).resolve()
        self.canary = self.folder / "canary"
        self.canary.mkdir()
        (self.canary / "secret.txt").write_text(SECRET)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.setblocking(False)
        self.victim = subprocess.Popen(["sleep", "600"], cwd="/", **self._user())
        self.work = self.folder / "work"
        words = {
            "CANARY": str(self.canary), "HARM": HARM, "ROOT": root.ROOT,
            "PORT": str(self.server.getsockname()[1]), "VICTIM": str(self.victim.pid),
            "ESC": "\x1b",
        }  # fmt: skip
        write(case, course, self.work / "babygrad", words)
        self.hand_over()
        self.before = self._canary()

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self.survivors(0):
            os.kill(pid, signal.SIGKILL)
        self.victim.kill()
        self.victim.wait()
        self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(
        self,
        *arguments: str,
        prepare: Callable[[], None] | None = None,
        module: str = "grader",
        cwd: Path | None = None,
    ) -> Ended:
        """Run the command to its end. ``prepare`` runs in its process, before it begins."""
        started = time.monotonic()
        done = self.start(*arguments, prepare=prepare, module=module, cwd=cwd)
        with done:
            try:
                out, err = done.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, signal.SIGKILL)
                raise
        seconds = time.monotonic() - started
        return Ended(done.returncode, out, err, seconds, self.harm())

    def start(
        self,
        *arguments: str,
        prepare: Callable[[], None] | None = None,
        module: str = "grader",
        cwd: Path | None = None,
    ) -> subprocess.Popen[str]:
        """Start the command in a session of its own."""
        paths = [root.ROOT, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        environment = {
            **os.environ, "PYTHONDONTWRITEBYTECODE": "1", "GRADER_ISOLATION": self.highest,
            "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in paths if path),
            "XDG_CACHE_HOME": str(self.keys),
        }  # fmt: skip
        command = [sys.executable, "-m", module, *arguments]

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            if prepare is not None:
                prepare()

        return subprocess.Popen(
            unprivileged.command(*command) if self.nobody else command,
            cwd=cwd or self.work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
            preexec_fn=limited,
        )  # fmt: skip

    def harm(self) -> list[str]:
        """Return the harm done outside of the worker, in words."""
        found = []
        if self._canary() != self.before:
            found.append(f"the canary's folder holds {sorted(self._canary())}")
        if self.victim.poll() is not None or "T" in _state(self.victim.pid):
            found.append("another process was ended or stopped")
        try:
            self.server.accept()[0].close()
            found.append("a server was reached")
        except BlockingIOError:
            pass
        left = self.survivors(5.0)
        return found + [f"process {pid} is still running" for pid in left]

    def survivors(self, patience: float) -> list[int]:
        """Return the processes that still run in this workspace after a wait."""
        until = time.monotonic() + patience
        while True:
            found = [int(p) for p in os.listdir("/proc") if p.isdigit() and self._inside(p)]
            if not found or time.monotonic() > until:
                return found

    def _inside(self, pid: str) -> bool:
        try:
            return os.readlink(f"/proc/{pid}/cwd").startswith(str(self.folder))
        except OSError:
            return False

    def _canary(self) -> dict[str, tuple[int, bytes]]:
        return {
            str(p.relative_to(self.canary)): (
                p.lstat().st_mode,
                p.read_bytes() if p.is_file() and not p.is_symlink() else b"",
            )
            for p in self.canary.rglob("*")
        }

    def _user(self) -> dict[str, object]:
        return dict(AS_NOBODY) if self.nobody else {}

    def hand_over(self) -> None:
        """Give the folder to the command's user, so that file permissions stop nothing."""
        if not self.nobody:
            return
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, AS_NOBODY["user"], AS_NOBODY["group"], follow_symlinks=False)


def _state(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


def keys_for(folder: Path, nobody: bool, chapters: Iterable[str] = CHAPTERS) -> Path:
    """A copy of the answer key's cache, so that nobody else builds or prunes there meanwhile."""
    place = folder / "babygrad-course"
    fill(place, {*chapters, *known()})
    for path in (folder, place, *place.rglob("*")):
        if nobody:
            os.chown(path, AS_NOBODY["user"], AS_NOBODY["group"])
    return folder
