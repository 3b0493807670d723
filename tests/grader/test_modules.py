"""A course's modules have a package of their own, and no other package gets in their way.

Version 1.0 put the course first on `sys.path`; what its files could import there, they still can.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import root
from grader.commands import TABLE
from grader.course.load import blame_course
from grader.course.modules import CourseModules, import_module, modules_of
from grader.errors import OurFault

from .option_rows import AUTHORS, INSTRUCTORS, LEARNERS, Row
from .option_scene import AROUND, scene, shown, whole_scene

__all__ = ["scene", "shown", "whole_scene"]  # fixtures

NAMES = ("tests", "exercises", "solutions", "exceptions", "graphs", "scripts", "exercises_of_mine")
PACKAGES = ("exercises", "solutions", "tests")

# Runs a command, and ends with 99 if it has changed what Python finds by these names, or where.
PROGRAM = f"""
import os, sys
before = {{name: __import__(name) if "early" in sys.argv[1] else None for name in {NAMES}}}
paths, here, leave = list(sys.path), os.getpid(), os._exit
def look(status):
    after = {{name: sys.modules.get(name) for name in before}}
    sys.path[:] = [path for path in sys.path if "setuptools" not in path]  # nbgrader imports it
    with open(sys.argv[1], "w") as notes:
        print(paths, sys.path, before, after, sep="\\n", file=notes)
    return status if (sys.path, after) == (paths, before) else 99
os._exit = lambda status: leave(look(status) if os.getpid() == here else status)
from grader import cli
sys.exit(look(cli.run_command_line(sys.argv[2:])))
"""


@pytest.fixture(scope="session")
def foreign(tmp_path_factory) -> Path:
    """A folder with a package or module of each name; each has a submodule that no course has."""
    folder = tmp_path_factory.mktemp("foreign")
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("WHOSE = 'foreign'\n")
    return folder


def first_lines() -> dict[str, Row]:
    """Command → a line that it is run with in the scene, which is a course with two lessons."""
    rows = {**LEARNERS, **INSTRUCTORS, **AUTHORS}
    own = {k: row for k, row in rows.items() if isinstance(row, Row) and not row.around}
    return {command: row for (command, _), row in reversed(own.items()) if command}


MORE = {
    "demo": "demo two_moons", "export": "export csv ../res", "gradebook": "gradebook ../res",
    "graph": "graph 'mean([1.0])'", "lsp": "lsp", "open": "open ../res --out sheet.csv",
    "record": "record", "stubs": "stubs --check",
}  # fmt: skip
LINES = {**{command: Row(line, "", "") for command, line in MORE.items()}, **first_lines()}
REFUSES = ("demo", "gradebook", "graph", "open", "record")  # this course has nothing for them


def test_every_command_has_a_line():
    assert TABLE.keys() == LINES.keys()


@pytest.mark.sampled(quick=32, long=4)
@pytest.mark.parametrize("when", ["early", "late"])  # imported before the command starts, or never
@pytest.mark.parametrize("command", LINES)
def test_a_command_neither_sees_nor_hides_foreign_packages(
    command, when, foreign, scene, whole_scene, tmp_path
):
    row = LINES[command]
    place, notes = scene(row.shows), tmp_path / when
    around = {"PYTHONPATH": f"{foreign}{os.pathsep}{root.ROOT}", **AROUND, **row.around}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(notes), *shlex.split(row.shows)],
        cwd=place / "work", capture_output=True, text=True, input=row.stdin or "",
        env={**os.environ, "XDG_CACHE_HOME": os.environ["SCENE_CACHE"], **around},
    )  # fmt: skip
    told = done.stdout + done.stderr + notes.read_text()
    assert done.returncode in ((2,) if command in REFUSES else (0, 1)), told
    assert "Traceback" not in told


IMPORTS = {
    "a name of a module": "from exercises.chapter1 import WORD",
    "a module of a package": "from exercises import chapter1; WORD = chapter1.WORD",
    "a module by its whole name": "import exercises.chapter1; WORD = exercises.chapter1.WORD",
    "a module by another name": "import exercises.chapter1 as one; WORD = one.WORD",
    "a module beside it": "from .chapter1 import WORD",
    "a program": "from tests.programs.calls import WORD",
    "the reference": "from solutions.mine.first import WORD",
    "the stubs": "from mine.first import WORD",
    "a file at the top": "from helpers import WORD",
    "a folder at the top": "from common.words import WORD",
    "a name that is free elsewhere": "from graphs import WORD",
    "inside a function": "def word():\n    from exercises.chapter1 import WORD\n    return WORD\n"
    "WORD = word()",
}
FILES = (
    "exercises/chapter1.py", "tests/programs/calls.py", "solutions/mine/first.py", "mine/first.py",
    "helpers.py", "common/words.py", "graphs.py",
)  # fmt: skip


@pytest.fixture
def courses() -> Iterator[list[str]]:
    """The folders of courses that a test writes; they are forgotten after it."""
    folders: list[str] = []
    yield folders
    for each in map(modules_of, folders):
        sys.meta_path.remove(each)
        for name in [n for n in sys.modules if n.partition(".")[0] == each.package]:
            del sys.modules[name]
    modules_of.cache_clear()


def write_course(folder: Path, word: str, imported: str) -> CourseModules:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"WORD = {word!r}\n")
    (folder / "exercises" / "chapter2.py").write_text(f"{imported}\n")
    return modules_of(str(folder))


@pytest.mark.parametrize("packages", [False, True], ids=["bare folders", "packages"])
@pytest.mark.parametrize("imported", IMPORTS.values(), ids=IMPORTS.keys())
def test_an_import_in_a_course_means_that_course(imported, packages, foreign, tmp_path, courses,
                                                 monkeypatch):  # fmt: skip
    """Two courses in one process, and packages of the same names in front of both."""
    monkeypatch.syspath_prepend(str(foreign))
    before = list(sys.path)
    for word in ("one", "two"):
        folder = tmp_path / word
        courses.append(str(folder))
        course = write_course(folder, word, imported)
        for name in PACKAGES if packages else ():
            (folder / name / "__init__.py").write_text("")
    for word in ("one", "two"):
        course = modules_of(str(tmp_path / word))
        found = course.import_module("exercises.chapter2").WORD
        assert found == word
    assert sys.path == before and not {"helpers", "common", "mine", "graphs"} & sys.modules.keys()


def test_a_course_has_the_libraries_of_everybody(tmp_path, courses):
    """A file called `random.py` beside the exercises never was what `import random` gave."""
    courses.append(str(tmp_path))
    course = write_course(tmp_path, "ours", "import random, numpy, grader.course")
    for name in ("random.py", "numpy.py"):
        (tmp_path / name).write_text("raise ValueError\n")
    found = course.import_module("exercises.chapter2")
    assert found.random is sys.modules["random"] and found.numpy is sys.modules["numpy"]
    assert found.grader is sys.modules["grader"]


def test_an_author_reads_the_names_that_the_course_has(tmp_path, courses, monkeypatch):
    courses.append(str(tmp_path))
    write_course(tmp_path, "ours", "from exercises.chapter9 import WORD")
    monkeypatch.setattr(root, "ROOT", str(tmp_path))
    says = r"No module named 'exercises.chapter9' \(exercises/chapter2.py, line 1\)$"
    with pytest.raises(OurFault, match=says), blame_course("exercises/chapter2"):
        import_module("exercises.chapter2")


def test_courses_of_the_examples_and_of_version_one_live_side_by_side(tmp_path, courses):
    with zipfile.ZipFile(Path(__file__).with_name("version-1.0.zip")) as archive:
        archive.extractall(tmp_path)
    examples = Path(root.ROOT) / "examples"
    chapters = {
        examples / "own_course": "lesson1", examples / "graphs_and_sorting": "unit1",
        tmp_path / "course": "chapter1",
    }  # fmt: skip
    found = {}
    for folder, chapter in chapters.items():
        courses.append(str(folder))
        course = modules_of(str(folder))
        found[chapter] = course.import_module(f"exercises.{chapter}").CHAPTER.id
    assert all(name == id for name, id in found.items())
