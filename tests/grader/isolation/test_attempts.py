"""Every protection, shown by real attempts from inside learner code, through the command."""

from __future__ import annotations

import base64
import json
import os
import socket
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.sandbox.isolation import CONFINED, DEMANDS, HIGHEST, PROCESS

from . import unprivileged
from .users import as_user, copy_key, me, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tries calls of Linux, by number")
ATTEMPTS = (Path(__file__).parent / "attempts.py").read_text()
CLOSED = {"EACCES", "EPERM", "EROFS"}  # where root runs it, all is mounted for reading, too
COMMANDS = {  # that Python and NumPy need; nobody else is told anything by them
    "fcntl": [0, 1, 2, 3, 1030],  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
    # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2
    "ioctl": [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A],
    # MADV_NORMAL, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, GUARD_INSTALL and _REMOVE
    "madvise": [0, 4, 8, 14, 15, 16, 17, 102, 103],
}
FINE = {"done"}

# attempt → how it may end at level confined, and at level process (None: it promises nothing).
EXPECTED: dict[str, tuple[set[str], set[str] | None]] = {
    "read a file": (CLOSED, None),
    "list a folder": (CLOSED, None),
    "read the grader's code": (CLOSED, None),
    "list other packages": (CLOSED, None),
    "read its own /proc": (CLOSED | {"ENOENT"}, None),
    "read the grader's memory": (CLOSED | {"ENOENT"}, CLOSED),
    "write a file": (CLOSED, {"EFBIG"} | CLOSED),
    "make a file": (CLOSED, None),
    "make a folder": (CLOSED, None),
    "remove a file": (CLOSED, None),
    "rename a file": (CLOSED, None),
    "empty a file": (CLOSED, None),
    "empty what may be read": (CLOSED, None),
    "change a mode": (CLOSED, None),
    "change a time": (CLOSED, None),
    "link a file": (CLOSED, None),
    "open a socket": (CLOSED, None),
    "connect to this machine": (CLOSED, None),
    "connect to an abstract socket": (CLOSED, None),
    "signal the grader": (CLOSED, None),
    "signal everybody": (CLOSED, None),
    "fork": (CLOSED, None),
    "execute": (CLOSED, None),
    "spawn": (CLOSED | {"AttributeError"}, None),  # not every Python can
    "trace the grader": (CLOSED, CLOSED),
    "a new user namespace": (CLOSED, None),
    "io_uring": (CLOSED, None),
    "a kernel key": (CLOSED, None),
    "shared memory": (CLOSED, None),
    "own the signals of a pipe": (CLOSED, None),
    "lock a file": (CLOSED, None),
    "lock bytes of a file": (CLOSED, None),
    "look for a lock": (CLOSED, None),
    "lease a file": (CLOSED, None),
    "commands of fcntl": (FINE, None),
    "requests of ioctl": (FINE, None),
    "wake another's thread": ({"EAGAIN"}, None),
    "queue a signal": ({"EPERM"}, None),
    "a timer of the kernel's": ({"EPERM"}, None),
    "send a descriptor": ({"EPERM"}, None),
    "the clock of the grader": ({"EPERM"}, None),
    "count all signals that wait": ({"EPERM"}, None),
    "a thread with files of its own": ({"EPERM"}, None),
    "remove shared memory": ({"EPERM"}, None),
    "ask what is cached": ({"EPERM"}, None),
    "count faults of pages": ({"EPERM"}, None),
    "say what to cache": ({"EPERM"}, None),
    "advice about files": (FINE, None),
    "ask after a process": (FINE, None),
    "count the children's faults": ({"ECHILD"}, None),
    "free memory": ({"EPERM"}, None),
    "free space": ({"EPERM"}, None),
    "free space of what is open": ({"EPERM"}, None),
    "become debuggable": (CLOSED, None),
    "take limits back": ({"EPERM", "ValueError"}, {"EPERM", "ValueError"}),
    "become root again": ({"EPERM", "EINVAL", "same"}, {"EPERM", "EINVAL", "same"}),
    "three gigabytes": ({"MemoryError"}, {"MemoryError"}),
    "descriptors": (FINE, FINE),
    "its own time": ({"same"}, None),  # and no counter that depends on others
    "its own machine": ({"same"}, None),
    "environment": (FINE, FINE),
    "working directory": (FINE, FINE),
    "import pytest": ({"ModuleNotFoundError"}, {"ModuleNotFoundError"}),
    "import grader": ({"ModuleNotFoundError"}, {"ModuleNotFoundError"}),
    "import solutions": ({"ModuleNotFoundError"}, {"ModuleNotFoundError"}),
    "thread pool": (FINE, FINE),
    "lazy parts of NumPy": (FINE, FINE),
    "lazy parts of the library": (FINE, FINE),
    "a file in memory": ({"EFBIG"}, {"EFBIG"}),
    "nowhere": (FINE, FINE),
    "a pair of sockets": (FINE, FINE),
    "signal itself": (FINE, FINE),
}


def attempted(place: Path, run: Callable[..., dict[str, Any]], **env: str) -> dict[str, Any]:
    """The result of a package that tries everything, and how each attempt ended."""
    local = socket.create_server(("127.0.0.1", 0))
    with local as server, socket.socket(socket.AF_UNIX) as abstract:
        name = f"grader-{os.urandom(8).hex()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        folder = written(place, "")
        told = {"folder": folder, "port": server.getsockname()[1], "abstract": name,
                "grader": root.PACKAGE, **COMMANDS}  # fmt: skip
        (Path(folder) / "babygrad" / "ops.py").write_text(f"TOLD = {told!r}\n{ATTEMPTS}")
        result = run("--package", folder, **env)
    message = result["unloadable"][0]["message"]
    packed = base64.b64decode(message.removeprefix("RuntimeError: "))
    result["attempts"] = json.loads(zlib.decompress(packed))
    result["folder"] = folder
    return result


def judge(result: dict[str, Any], level: str) -> None:
    assert result["isolation"]["level"] == level
    column = 0 if level == CONFINED else 1
    wrong = {
        name: found
        for name, found in result["attempts"].items()
        if EXPECTED[name][column] is not None and found not in EXPECTED[name][column]
    }
    assert not wrong
    assert set(result["attempts"]) == set(EXPECTED)


def untouched(result: dict[str, Any]) -> bool:
    folder = Path(result["folder"])
    names = {"babygrad", "victim", "spare"}
    return {p.name for p in folder.iterdir()} == names and all(
        (folder / name).read_text() == "precious" for name in ("victim", "spare")
    )


def test_confined_holds(place, confinable):
    result = attempted(place, me(place))
    judge(result, CONFINED)
    assert result["isolation"]["missing"] == [] and untouched(result)


def test_confined_holds_for_nobody(place, confinable, nobody):
    result = attempted(place, nobody)
    judge(result, CONFINED)
    assert {"own network and IPC namespaces", "no entries of the kernel"} <= set(
        result["isolation"]["protections"]
    )
    assert "not root" in result["isolation"]["protections"] and untouched(result)


def test_process_holds_what_it_promises(place):
    result = attempted(place, me(place), **{HIGHEST: PROCESS})
    judge(result, PROCESS)
    assert set(result["isolation"]["missing"]) == DEMANDS[CONFINED] - set(
        result["isolation"]["protections"]
    )


def test_process_holds_what_it_promises_for_nobody(place, nobody):
    judge(attempted(place, nobody, **{HIGHEST: PROCESS}), PROCESS)


@pytest.mark.parametrize("level", [CONFINED, PROCESS])
def test_root_steps_down(place, level):
    reason = unprivileged.why_not()
    if reason:
        pytest.skip(reason)

    def readable(*words: str) -> list[str]:
        return unprivileged.command(*words, drop="--reuid=0 --regid=0 --clear-groups")

    copy_key(place / "roots")  # the user's own cache may lie where only root can go
    own = {"XDG_CACHE_HOME": str(place / "roots")}
    text = "import os\nraise RuntimeError(f'{os.getgroups()}')\n"
    if level == PROCESS:
        text = "import os\nraise RuntimeError(f'{os.getresuid()} {os.getgroups()}')\n"
    folder = written(place, text)
    result = as_user(place, readable, "--package", folder, **{HIGHEST: level, **own})
    assert "not root" in result["isolation"]["protections"]
    message = result["unloadable"][0]["message"]
    if level == PROCESS:
        assert message == "RuntimeError: (65534, 65534, 65534) []"
