"""What a class's workers may read is in memory before the first: no clock tells who read it."""

from __future__ import annotations

import ast
import ctypes
import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader import root
from grader.sandbox.launch import WORKER, ForkServer, find_numpy

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs Linux's mincore")
# Who asks: a Python as the worker's, whose `sys.path` holds the library alone.
LIST = """
import sys
sys.path.insert(0, sys.argv[1])
import landlock
sys.path.pop(0)
print("\\n".join(path for path, _ in landlock.readable(sys.argv[2])))
"""


def readable() -> list[Path]:
    """All files that Landlock's list opens, but devices."""
    words = [sys.executable, "-I", "-S", "-c", LIST, WORKER, find_numpy() or ""]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    paths = map(Path, done.stdout.splitlines())
    files = (each for path in paths for each in (path.rglob("*") if path.is_dir() else [path]))
    return [file for file in files if file.is_file()]


def pages_on_disk(path: Path) -> int:
    """How many pages of a file are not in memory."""
    size = path.stat().st_size
    if not size:
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * 5]
    with path.open("rb") as file:
        at = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    found = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
    asked = libc.mincore(ctypes.c_void_p(at), ctypes.c_size_t(size), found)
    libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(size))
    if asked:
        pytest.skip("the kernel tells this user nothing of its cache")
    return sum(not each & 1 for each in found)


def forget(path: Path) -> None:
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def test_nothing_that_a_worker_may_read_is_cold(confinable):
    files = readable()
    rare = [f for f in files if f.suffix in (".py", ".pyi") and f.stat().st_size > 3 << 12][-40:]
    for file in rare:
        forget(file)
    cold = [file for file in rare if pages_on_disk(file)]
    if not cold:
        pytest.skip("nothing leaves this machine's cache")
    with ForkServer() as plain:
        plain.start()
        assert [file for file in cold if pages_on_disk(file)], "read by itself: it shows nothing"
    with ForkServer(reads_in=True) as server:
        server.start()
        assert not [file for file in files if pages_on_disk(file)]


def test_all_workers_of_a_class_are_such():
    made = [
        {word.arg for word in node.keywords}
        for path in Path(root.PACKAGE, "classroom").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "ForkServer"
    ]
    assert len(made) >= 3 and all("reads_in" in words for words in made)


def test_the_list_holds_what_an_import_may_need_and_no_more():
    library = Path(os.__file__).parent
    found = {str(path.relative_to(library)) for path in readable() if library in path.parents}
    assert not [n for n in found if n.startswith(("test/", "idlelib/", "config-"))]
    assert {"json/decoder.py", "unittest/case.py", "asyncio/runners.py"} <= found
