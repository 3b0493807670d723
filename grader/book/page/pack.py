"""What pages load of the grader: its modules, and for each chapter its key and the files around.

A chapter whose files use neither NumPy nor the rest of the package is graded by Pyodide alone.
Every other one needs a NumPy that was built for it: the wheel that Pyodide's own list names, in
the folder beside it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from typing import NamedTuple

from ... import about, root
from ...course.key_file import Key
from ...course.load import Course
from ...course.make_key import save
from ...course.schema import Chapter
from ...course.syntax_tree import parse
from ...errors import WrongUse

INIT = '"""The package of this page: its chapter stands on its own."""\n'
PACK = "judge.zip"
ROOMS = (
    "", "book", "book/page", "course", "judge", "learner", "sandbox", "sandbox/worker",
)  # fmt: skip
LIST = "pyodide-lock.json"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LIST)
WHEN = (1980, 1, 1, 0, 0, 0)  # the same sources make the same bytes


class Work(NamedTuple):
    """What a page has its reader write, and the rest of the package: module → text.

    Attributes:
        arrays: whether it needs NumPy.
    """

    chapter: str
    written: dict[str, str]
    given: dict[str, str]
    arrays: bool = True


def work(course: Course, chapter: Chapter) -> Work:
    """The files of a chapter as `init --from` writes them; what holds a target is to be written."""
    stubs = course.stubs(chapter.number)
    targets = [t.replace(".", "/") for e in chapter.exercises if not e.given for t in e.targets]
    mine = {
        name: text
        for name, text in stubs.items()
        if any(target.startswith(f"{name.removesuffix('.py')}/") for target in targets)
    }
    if not any(map(leans, mine.values())):
        return Work(chapter.id, mine, {"__init__.py": INIT}, arrays=False)
    return Work(chapter.id, mine, {n: text for n, text in stubs.items() if n not in mine})


def leans(text: str) -> bool:
    """Whether a file uses NumPy, or another file of the package."""
    names = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ImportFrom):
            names.append(f"{about.COURSE.name}." if node.level else node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return any(name.partition(".")[0] in ("numpy", about.COURSE.name) for name in names)


def beside(key: Key, python: str, site: str, chapters: Sequence[Work]) -> list[str]:
    """Put what pages load beside them: Pyodide, the grader, a file per chapter; their names."""
    os.makedirs(os.path.join(site, "pyodide"), exist_ok=True)
    wheel = numpy(python)
    names = [*PYODIDE, *([wheel] if wheel else [])]
    for name in names:
        shutil.copyfile(os.path.join(python, name), os.path.join(site, "pyodide", name))
    pack(os.path.join(site, PACK))
    for each in chapters:
        pack_chapter(key, each, os.path.join(site, f"{each.chapter}.zip"))
    packed = [f"{each.chapter}.zip" for each in chapters]
    return [PACK, *packed, *(f"pyodide/{name}" for name in names)]


def pack(path: str) -> None:
    """Write the file of the grader's modules."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for room in ROOMS:
            place = os.path.join(root.PACKAGE, room)
            for name in sorted(n for n in os.listdir(place) if n.endswith(".py")):
                _add(file, os.path.join("grader", room, name), os.path.join(place, name))
        for name in about.files():
            _add(file, name, root.path(name))


def pack_chapter(key: Key, each: Work, path: str) -> None:
    """Write the file of a chapter: its key, and the files that its page does not show."""
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "page.key")
        save(key, part, [each.chapter], with_mistakes=True)
        given = os.path.join(folder, "given.json")
        with open(given, "w", encoding="utf-8") as file:
            json.dump(each.given, file)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for source in (part, given):
                _add(packed, os.path.basename(source), source)


def _add(file: zipfile.ZipFile, name: str, path: str) -> None:
    with open(path, "rb") as source:
        info = zipfile.ZipInfo(name, WHEN)
        info.compress_type = zipfile.ZIP_DEFLATED
        file.writestr(info, source.read())


def pyodide(place: str) -> str | None:
    """The folder of Pyodide in the folder that was named: itself, or where npm puts it."""
    for inside in ("", "package", "pyodide", os.path.join("node_modules", "pyodide")):
        folder = os.path.join(place, inside)
        if all(os.path.isfile(os.path.join(folder, name)) for name in PYODIDE):
            return folder
    return None


def numpy_named(python: str) -> tuple[str, str]:
    """The NumPy that belongs to a Pyodide: the name of its wheel, and its SHA-256.

    Raises:
        WrongUse: Pyodide's list cannot be read, or names none.
    """
    path = os.path.join(python, LIST)
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)["packages"]["numpy"]
        name, sha256 = str(found["file_name"]), str(found["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WrongUse(f"{path} is not Pyodide's list of packages ({error!r}).") from error
    if os.path.basename(name) != name:
        raise WrongUse(f"{path} names a NumPy outside its folder: {name}.")
    return name, sha256


def numpy(python: str) -> str | None:
    """The wheel of NumPy beside a Pyodide; None where there is none.

    Raises:
        WrongUse: it is not the one that Pyodide's list describes, and would not be loaded.
    """
    name, sha256 = numpy_named(python)
    path = os.path.join(python, name)
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != sha256:
            raise WrongUse(f"{path} is not the file that {LIST} describes: fetch it again.")
    return name
