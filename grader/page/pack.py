"""What a page loads of the grader, in one file: its modules, and the key of one chapter."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile

from .. import about, root
from ..course.load import Course
from ..key.file import Key, table_of, write

CHAPTER, MODULE = "chapter1", "scalar.py"
PACK = "judge.zip"
ROOMS = (
    "", "choosing", "intake", "judge", "key", "page", "report", "session", "sources", "teaching",
    "worker",
)  # fmt: skip
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
           "pyodide-lock.json")  # fmt: skip
WHEN = (1980, 1, 1, 0, 0, 0)  # the same sources make the same bytes


def beside(key: Key, python: str, site: str) -> list[str]:
    """Put what the page loads beside it: Pyodide, and the file of the grader; their names."""
    os.makedirs(os.path.join(site, "pyodide"), exist_ok=True)
    for name in PYODIDE:
        shutil.copyfile(os.path.join(python, name), os.path.join(site, "pyodide", name))
    pack(key, os.path.join(site, PACK))
    return [PACK, *(f"pyodide/{name}" for name in PYODIDE)]


def pack(key: Key, path: str) -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "page.key")
        write(part, table_of(key, [CHAPTER]), {CHAPTER: key.slice(CHAPTER)})
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for room in ROOMS:
                place = os.path.join(root.PACKAGE, room)
                for name in sorted(n for n in os.listdir(place) if n.endswith(".py")):
                    _add(file, os.path.join("grader", room, name), os.path.join(place, name))
            _add(file, about.FILE, root.path(about.FILE))
            _add(file, "page.key", part)


def _add(file: zipfile.ZipFile, name: str, path: str) -> None:
    with open(path, "rb") as source:
        info = zipfile.ZipInfo(name, WHEN)
        info.compress_type = zipfile.ZIP_DEFLATED
        file.writestr(info, source.read())


def stub(course: Course) -> str:
    """The file that a reader of the page begins with."""
    return course.stubs(1)[MODULE]


def pyodide(place: str) -> str | None:
    """The folder of Pyodide in the folder that was named: itself, or where npm puts it."""
    for inside in ("", "package", "pyodide", os.path.join("node_modules", "pyodide")):
        folder = os.path.join(place, inside)
        if all(os.path.isfile(os.path.join(folder, name)) for name in PYODIDE):
            return folder
    return None
