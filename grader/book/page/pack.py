"""Pack what grading pages load: the grader's modules, each chapter's key and given files, an
editor.

Python comes from Pyodide's public address, or from a local copy beside the pages. Either way the
browser checks the hash of each file (subresource integrity).

A chapter whose files use neither NumPy nor the rest of the package is graded by Pyodide alone.
The others need the NumPy wheel that Pyodide's own list names.

The editor is CodeMirror from npm, a module per package, without a bundler. `npm/package-lock.json`
pins the versions, and `npm install` checks the hashes. An import map tells the page where each
module lies. Without them a page has a plain text field.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ... import about, root
from ...course.key_file import Key, key_bytes
from ...course.load import Course
from ...course.make_key import contents_of
from ...course.schema import Chapter
from ...course.syntax_tree import parse
from ...errors import WrongUse
from ...learner.file_writer import zip_files

NPM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npm")
LOCK = os.path.join(NPM, "package-lock.json")
PYTHON = "pyodide"  # in the same lock file, but no part of the editor
FILES = os.path.join(NPM, "pyodide-files.json")  # file of Pyodide → its integrity
CORE = "https://cdn.jsdelivr.net/npm/pyodide@{}/"  # the same files as npm's
PACKAGES = "https://cdn.jsdelivr.net/pyodide/v{}/full/"  # the wheels of the same release
ABOUT, LICENCE = "package.json", "LICENSE"
FOLDER = "editor"  # in the site


def pinned_packages() -> dict[str, str]:
    """Return package → version of the editor's dependencies, direct and indirect."""
    packages = _read(LOCK)["packages"]
    due = [name for name in packages[""]["dependencies"] if name != PYTHON]
    found: dict[str, str] = {}
    while due:
        name = due.pop()
        if name not in found:
            row = packages[f"node_modules/{name}"]
            found[name] = row["version"]
            due += row.get("dependencies", ())
    return dict(sorted(found.items()))


def lacking_packages(place: str) -> list[str]:
    """List, in words, the packages that an npm folder lacks, or has in another version."""
    return [
        f"{name} {version}" + (f" (there is {there})" if there else "")
        for name, version in pinned_packages().items()
        if (there := _version(place, name)) != version
    ]


def import_map(place: str) -> dict[str, str]:
    """Return the import map: package → its module's address relative to a page."""
    return {
        name: f"./{FOLDER}/{name}/{os.path.basename(_module(place, name))}"
        for name in pinned_packages()
    }


def copy_editor(place: str, site: str) -> list[str]:
    """Copy the modules, each with its licence, beside the pages; return their names."""
    names = []
    for name in pinned_packages():
        os.makedirs(os.path.join(site, FOLDER, name), exist_ok=True)
        for file in (_module(place, name), LICENCE):
            names.append(f"{FOLDER}/{name}/{os.path.basename(file)}")
            source = os.path.join(_folder(place, name), file)
            shutil.copyfile(source, os.path.join(site, names[-1]))
    return names


def _module(place: str, name: str) -> str:
    """Return the file of a package that `import` reads."""
    return str(_read(os.path.join(_folder(place, name), ABOUT))["exports"]["import"])


def _version(place: str, name: str) -> str | None:
    try:
        return str(_read(os.path.join(_folder(place, name), ABOUT))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _folder(place: str, name: str) -> str:
    """Return a package's folder below ``place``, which may be `node_modules` itself."""
    below = os.path.join(place, "node_modules", name)
    return below if os.path.isdir(below) else os.path.join(place, name)


def _read(path: str) -> Any:
    return json.loads(Path(path).read_text("utf-8"))


INIT = '"""The package of this page: its chapter stands on its own."""\n'
PACK, WHERE = "judge.zip", "python.json"  # in the site
FOLDERS = (
    "", "book", "book/page", "book/page/worker", "course", "judge", "learner", "sandbox",
    "sandbox/worker",
)  # fmt: skip
LIST = "pyodide-lock.json"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LIST)


class Work(NamedTuple):
    """A chapter's files: those that the page's reader writes, and the rest (module → text)."""

    chapter: str
    written: dict[str, str]
    given: dict[str, str]
    arrays: bool = True  # whether it needs NumPy


def work(course: Course, chapter: Chapter) -> Work:
    """Split a chapter's files, as `init --from` writes them: those with targets, and the rest."""
    stubs = course.stubs(chapter.number)
    targets = [t.replace(".", "/") for e in chapter.exercises if not e.given for t in e.targets]
    mine = {
        name: text
        for name, text in stubs.items()
        if any(target.startswith(f"{name.removesuffix('.py')}/") for target in targets)
    }
    if not any(map(imports_others, mine.values())):
        return Work(chapter.id, mine, {"__init__.py": INIT}, arrays=False)
    return Work(chapter.id, mine, {n: text for n, text in stubs.items() if n not in mine})


def imports_others(text: str) -> bool:
    """Whether a file uses NumPy, or another file of the package."""
    names = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ImportFrom):
            names.append(f"{about.COURSE.name}." if node.level else node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return any(name.partition(".")[0] in ("numpy", about.COURSE.name) for name in names)


class Python(NamedTuple):
    """The addresses of Pyodide, relative to the pages, and the hashes of its files."""

    core: str  # address of its own files; ``packages``: of its wheels
    packages: str
    # File → hash, of its own files; one of them, the list, has the hashes of all wheels.
    integrity: dict[str, str]
    # The files to copy beside the pages; none for the public address.
    own: tuple[str, ...] = ()
    has_numpy: bool = True  # whether it comes with NumPy


def public_python() -> Python:
    """Return the public Pyodide, in the version whose hashes are in `FILES`."""
    version = _read(LOCK)["packages"][f"node_modules/{PYTHON}"]["version"]
    return Python(CORE.format(version), PACKAGES.format(version), _read(FILES))


def own_python(folder: str) -> Python:
    """Return a local copy of Pyodide, with its NumPy if that lies beside it."""
    wheel = numpy_wheel(folder)
    own = tuple(os.path.join(folder, name) for name in (*PYODIDE, *([wheel] if wheel else [])))
    there = f"./{PYTHON}/"
    return Python(there, there, integrity_of(folder), own, wheel is not None)


def integrity_of(folder: str) -> dict[str, str]:
    """Return file → hash for Pyodide's own files, in the form of subresource integrity."""
    return {name: f"sha256-{_hash(os.path.join(folder, name))}" for name in PYODIDE}


def _hash(path: str) -> str:
    return base64.b64encode(hashlib.sha256(Path(path).read_bytes()).digest()).decode()


def beside(key: Key, python: Python, site: str, chapters: Sequence[Work]) -> list[str]:
    """Write what pages load: Pyodide, the grader, an archive per chapter; return their names."""
    os.makedirs(os.path.join(site, PYTHON), exist_ok=True)
    names = [f"{PYTHON}/{os.path.basename(path)}" for path in python.own]
    for path, name in zip(python.own, names, strict=True):
        shutil.copyfile(path, os.path.join(site, name))
    told = {name: getattr(python, name) for name in ("core", "packages", "integrity")}
    Path(site, WHERE).write_text(json.dumps(told), "utf-8")
    pack(os.path.join(site, PACK))
    for each in chapters:
        pack_chapter(key, each, os.path.join(site, f"{each.chapter}.zip"))
    return [PACK, WHERE, *(f"{each.chapter}.zip" for each in chapters), *names]


def pack(path: str) -> None:
    """Write the archive of the grader's modules."""
    files: dict[str, bytes] = {}
    for below_grader in FOLDERS:
        place = Path(root.PACKAGE, below_grader)
        files |= {
            os.path.join("grader", below_grader, p.name): p.read_bytes() for p in place.glob("*.py")
        }
    Path(path).write_bytes(zip_files(dict(sorted(files.items())) | about.metadata_files()))


def pack_chapter(key: Key, each: Work, path: str) -> None:
    """Write a chapter's archive: its key, and its given files."""
    part = b"".join(key_bytes(*contents_of(key, [each.chapter], with_mistakes=True)))
    given = json.dumps(each.given).encode()
    Path(path).write_bytes(zip_files({"page.key": part, "given.json": given}))


def pyodide(place: str) -> str | None:
    """Find Pyodide's folder: the named one, or where npm puts it; None if it is not there."""
    for inside in ("", "package", "pyodide", os.path.join("node_modules", "pyodide")):
        folder = os.path.join(place, inside)
        if all(os.path.isfile(os.path.join(folder, name)) for name in PYODIDE):
            return folder
    return None


def numpy_named(python: str) -> tuple[str, str]:
    """Return the file name and SHA-256 of the NumPy wheel that a Pyodide's list names.

    Raises:
        WrongUse: the list cannot be read, or names none.
    """
    path = os.path.join(python, LIST)
    try:
        found = _read(path)["packages"]["numpy"]
        name, sha256 = str(found["file_name"]), str(found["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WrongUse(f"{path} is not Pyodide's list of packages ({error!r}).") from error
    if os.path.basename(name) != name:
        raise WrongUse(f"{path} names a NumPy outside its folder: {name}.")
    return name, sha256


def numpy_wheel(python: str) -> str | None:
    """Return the name of the NumPy wheel beside a Pyodide; None if there is none.

    Raises:
        WrongUse: its hash is not that of Pyodide's list, so it would not be loaded.
    """
    name, sha256 = numpy_named(python)
    path = os.path.join(python, name)
    if not os.path.isfile(path):
        return None
    if hashlib.sha256(Path(path).read_bytes()).hexdigest() != sha256:
        raise WrongUse(f"{path} is not the file that {LIST} describes: fetch it again.")
    return name
