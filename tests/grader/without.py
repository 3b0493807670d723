"""Runs Python on a machine that lacks something.

    python -m tests.grader.without landlock,seccomp -m pytest tests/grader

The first word names what is missing, for this Python and for all that it starts:

    landlock, seccomp   the kernel was built without the one, or forbids the other
    CALL=ERROR          it answers this system call with that number; 0: it only claims to do it
    torch, posix_spawn  Python has no such module, no such function
    setsid              its `posix_spawn` makes no session, as where the C library was an old one
    chromium            no browser is on the PATH
    root                the user is nobody, with a cache of the key and a home of their own
"""

from __future__ import annotations

import ctypes
import os
import platform
import site
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .isolation import unprivileged
from .isolation.users import copy_key

ENOSYS, EPERM = 38, 1
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # how the kernel names a machine
CALLS = {  # their numbers there
    "capset": (126, 91),
    "prctl": (157, 167),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
SET_SECCOMP, NO_NEW_PRIVILEGES = 22, 38  # what `prctl` may be asked for
LOAD, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ERROR, ALLOW = 0x50000, 0x7FFF0000
BROWSERS = {"chromium", "chromium-browser", "google-chrome"}
HIDES = {
    "torch": "import sys\nsys.modules['torch'] = None\n",
    "posix_spawn": """
import os
for name in [name for name in vars(os) if name.lower().startswith("posix_spawn")]:
    delattr(os, name)
""",
    "setsid": """
import os
def without(spawn):
    def spawned(*arguments, setsid=False, **more):
        if setsid:
            raise NotImplementedError(f"{spawn.__name__}: setsid unavailable on this platform")
        return spawn(*arguments, **more)
    return spawned
os.posix_spawn, os.posix_spawnp = without(os.posix_spawn), without(os.posix_spawnp)
""",
}


def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction of a filter; ``yes`` and ``no``: how many to skip."""
    return struct.pack("<HBBI", code, yes, no, value)


def answer(value: int, error: int) -> bytes:
    """Return steps that end the call with an error (0: success) if this value is loaded."""
    return step(IF_EQUAL, value, no=1) + step(RETURN, ERROR | error)


def number(call: str) -> int:
    return CALLS[call][list(AUDIT).index(platform.machine())]


def instructions(name: str) -> bytes:
    """Return steps that answer like a kernel without this; they keep the call's number loaded."""
    if name == "landlock":
        return b"".join(answer(number(call), ENOSYS) for call in CALLS if name in call)
    if name == "seccomp":
        first = step(LOAD, 16) + answer(SET_SECCOMP, EPERM) + step(LOAD, 0)
        prctl = step(IF_EQUAL, number("prctl"), no=len(first) // 8) + first
        return answer(number(name), EPERM) + prctl
    call, _, error = name.partition("=")
    return answer(number(call), int(error))


def enter(names: list[str]) -> None:
    """Install the filter for this process and all that it starts."""
    allow = step(RETURN, ALLOW)
    ours = step(LOAD, 4) + step(IF_EQUAL, AUDIT[platform.machine()], yes=1) + allow
    code = b"".join([ours, step(LOAD, 0), *map(instructions, names), allow])
    held = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)  # else only root may
    if libc.prctl(SET_SECCOMP, 2, program):
        sys.exit("without: this kernel takes no filter")


def python(hidden: list[str], place: Path) -> str:
    """Make a Python with this one's modules, without those to hide."""
    if not hidden:
        return sys.executable
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    around = [f"import site; site.addsitedir({folder!r})\n" for folder in site.getsitepackages()]
    (packages / "around.pth").write_text("".join(around))
    (packages / "sitecustomize.py").write_text("".join(HIDES[name] for name in hidden))
    link_commands([Path(sys.executable).parent], set(), place / "bin")
    return str(place / "bin" / "python")


def link_commands(folders: Iterable[str | Path], but: set[str], place: Path) -> None:
    """Link the commands of these folders into one, the first of each name, without some names."""
    for folder in filter(os.path.isdir, folders):
        for name in set(os.listdir(folder)) - but - set(os.listdir(place)):
            (place / name).symlink_to(os.path.join(folder, name))


def path_without(names: set[str], place: Path) -> str:
    """Make a folder that stands for the whole PATH, without these commands."""
    place.mkdir()
    link_commands(os.get_exec_path(), names, place)
    return str(place)


def prepare(names: set[str], place: Path) -> list[str]:
    """Change the environment; return the command that runs this Python."""
    place.chmod(0o755)
    command = [python([name for name in HIDES if name in names], place / "python")]
    if "chromium" in names:
        os.environ["PATH"] = path_without(BROWSERS, place / "bin")
    if "root" not in names:
        return command
    copy_key(place / "cache", unprivileged.NOBODY)
    (place / "home").mkdir()
    for name in ("cache", "home"):
        os.chown(place / name, unprivileged.NOBODY, unprivileged.NOBODY)
    os.environ.update(XDG_CACHE_HOME=str(place / "cache"), HOME=str(place / "home"))
    return unprivileged.command(*command)


def main() -> int:
    names = sys.argv[1].split(",")
    by_kernel = [name for name in names if name not in {*HIDES, "chromium", "root"}]
    with tempfile.TemporaryDirectory(prefix="without-", ignore_cleanup_errors=True) as folder:
        command = prepare(set(names), Path(folder))
        if by_kernel:
            enter(by_kernel)
        return subprocess.run([*command, *sys.argv[2:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
