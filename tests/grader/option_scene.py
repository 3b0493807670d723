"""A folder in which every command of a small course can be run, and what a run of one shows."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shlex
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader import root

from . import warm_start
from .conftest import Ran, run_grader
from .made_once import made_once

COURSE = Path(root.ROOT) / "examples" / "own_course"
NAME = "tinystats"
# Wrong in two lessons, so that there is something to fail, to wait and to be named.
WRONG = {
    "describe": [("len(values)\n", "(len(values) - 1)\n"), ("np.sqrt(var", "(var")],
    "relate": [("return mean((x - mean(x)) * (y - mean(y)))", "return np.sum(x * y)")],
}
ROSTER = "Student,ID,SIS Login ID,Section,learner\n    Points Possible,,,,\nAda,7,a,S,ada\n"
FILES = {
    "roster.csv": ROSTER,
    "worksheet.csv": "Identifier,Full name,Grade,Maximum grade,learner\n"
    "Participant 1,Ada,-,100,ada\n",
    "moodle-filled.csv": "Identifier,Full name,Grade,Maximum grade,learner\n"
    "Participant 1,Ada,97.00,100,ada\n",
    "canvas-filled.csv": ROSTER.replace(",learner", f",learner,{NAME}")
    .replace(",,,,", ",,,,,12")
    .replace("S,ada", "S,ada,3"),
    "times.csv": "learner,time\nada,2026-03-01 12:30\n",
    "later.csv": "learner,time\nada,2026-03-09 12:30\nben,2026-03-09 12:30\n",
    "seed.txt": "from a file\n",
    "other.toml": '[points]\n"lesson1.mean" = 7\n[due]\nlesson1 = 2026-03-01T12:00:00+00:00\n'
    "[late]\nper_day = 50\n",
    "saved.json": '{"schema": "grader-browser/1", "chapter": "lesson1", '
    '"files": {"describe.py": "# of the page"}}',
}
AROUND = {"GRADER_COURSE": str(COURSE)}


class Line(NamedTuple):
    """A command line, with what it is given."""

    words: str
    stdin: str | None
    around: dict[str, str]


def run(line: str, place: Path, stdin: str | None = None, **around: str) -> Ran:
    """`grader …` in the scene's workspace."""
    more = {**AROUND, "XDG_CACHE_HOME": os.environ["SCENE_CACHE"], **around}
    return run_grader(*shlex.split(line), cwd=place / "work", stdin=stdin, **more)


def write_scene(place: Path) -> None:
    """Two workspaces, one wrong and one right, a class of two, its results, and two releases."""
    (place / "work").mkdir()

    def done(line: str) -> None:
        ran = run(line, place, "3\n")
        assert ran.status in (0, 1), (line, ran.err)

    for name in (".", "../right", "../new"):
        done(f"init {name}")
    for file in ("describe.py", "relate.py", "__init__.py"):
        shutil.copy(COURSE / "solutions" / NAME / file, place / "right" / NAME / file)
        text = (COURSE / "solutions" / NAME / file).read_text()
        for old, new in WRONG.get(file.removesuffix(".py"), ()):
            assert old in text
            text = text.replace(old, new)
        (place / "work" / NAME / file).write_text(text)
    for name, text in FILES.items():
        (place / name).write_text(text)
    for learner, folder in {"ada": "right", "ben": "work"}.items():
        shutil.copytree(place / folder, place / "in" / learner)
        shutil.rmtree(place / "in" / learner / ".grader", ignore_errors=True)
    (place / "part" / "ada" / NAME).mkdir(parents=True)
    shutil.copy(place / "right" / NAME / "relate.py", place / "part" / "ada" / NAME)
    done("check all")
    done("check all --package ../right")
    done("hint lesson1.mean --package ../right")
    done("release ../handout --chapters lesson2")
    done("release ../both")
    done("grade ../in --out ../res --seed s --chapters lesson1 lesson2 --jobs 1 --marks own")
    done("grade ../in/ada --out ../base --seed other --chapters lesson1 --prepare")
    for name, n in (("part1", 1), ("part2", 2)):
        done(f"grade ../in --out ../{name} --like ../res --shard {n}/2 --jobs 1")
    shutil.copytree(place / "new", place / "early" / "ada")  # who had nothing then
    done("grade ../early --out ../before --seed s --chapters lesson1 --jobs 1")
    done("quiz lesson1 --package ../right")
    mine = shutil.copytree(COURSE, place / "mine")
    (mine / NAME / "describe.py").write_text('"""Of last year."""\n')


@pytest.fixture(scope="session")
def whole_scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene, made once; tests copy it."""
    cache = made_once(tmp_path_factory, "scene-cache", lambda place: None)
    os.environ["SCENE_CACHE"] = str(cache)
    warm_start.keep(**AROUND)
    return made_once(tmp_path_factory, "scene", write_scene)


@pytest.fixture
def scene(whole_scene: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Gives a fresh copy of it for each run: of what its line names, and of the workspace."""
    numbers = iter(range(9))

    def copy(line: str) -> Path:
        place = tmp_path / str(next(numbers))
        place.mkdir()
        for path in whole_scene.iterdir():
            if path.name in line or path.name == "work":
                (shutil.copytree if path.is_dir() else shutil.copy2)(path, place / path.name)
        return place

    return copy


@pytest.fixture
def shown(
    whole_scene: Path, scene: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Line], str]:
    """Tells what a line shows; it is run once for all cases that have it."""

    def show(line: Line) -> str:
        def run_it(place: Path) -> None:
            text = seen(line, scene(f"{line}"), whole_scene)
            (place / "text").write_bytes(text.encode("utf-8", "surrogatepass"))

        name = hashlib.sha256(f"{line}".encode()).hexdigest()[:16]
        place = made_once(tmp_path_factory, f"shown-{name}", run_it)
        return (place / "text").read_bytes().decode("utf-8", "surrogatepass")

    return show


def seen(line: Line, place: Path, original: Path) -> str:
    """All that a run shows: its status, what it says, and each file that is new or another."""
    before = {path: stamp(path) for path in files_below(place)}
    ran = run(line.words, place, line.stdin, **line.around)
    assert "Traceback" not in ran.err, ran.err
    texts = [f"status {ran.status}", ran.out, ran.err]
    for path in files_below(place):
        inner = path.relative_to(place)
        if before.get(path) != stamp(path) and not is_same(path, original / inner):
            texts += [f"wrote {inner}", *texts_in(path.name, path.read_bytes())]
    told = re.sub(re.escape(str(place)), "PLACE", "\n".join(texts))
    return re.sub("building the answer key.*\n", "", told)  # by whoever is the first


def files_below(place: Path) -> list[Path]:
    return sorted(Path(at, name) for at, _, names in os.walk(place) for name in names)


def stamp(path: Path) -> tuple[int, int, int]:
    """Another one wherever a file was written."""
    state = path.stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


def is_same(path: Path, other: Path) -> bool:
    return other.is_file() and path.read_bytes() == other.read_bytes()


def texts_in(name: str, data: bytes) -> Iterator[str]:
    """The text of a file; of an archive, of each file in it."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            small = [each for each in archive.infolist() if each.file_size < 50_000]
            yield from (archive.read(each).decode("utf-8", "replace") for each in small)
    else:
        yield (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8", "replace")
