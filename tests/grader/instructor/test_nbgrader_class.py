"""A class's own key and course behind nbgrader: secret inputs, private exercises, other points.

Each makes a key, which takes a minute; with --whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

from nbgrader.api import Gradebook  # noqa: E402

from grader.classroom.marks.overlay import load_course  # noqa: E402
from grader.course.key_file import Key  # noqa: E402
from grader.course.key_source import open_key  # noqa: E402
from grader.course.load import Course  # noqa: E402
from grader.learner.untrusted_files import read_json_or_none  # noqa: E402

from .classroom import Classroom  # noqa: E402
from .private_course import FILES  # noqa: E402

pytestmark = pytest.mark.sampled(long=0)


def score(room: Classroom, cell: str, learner: str = "eve") -> float:
    with Gradebook(f"sqlite:///{room.folder / 'gradebook.db'}") as gradebook:
        found: float = gradebook.find_grade(cell, "chapter3", "chapter3", learner).score
        return found


def graded(room: Classroom, results: Path) -> dict[str, dict[str, float]]:
    """Return what `grader grade` says of Eve, with the key that is there."""
    submitted = str(room.folder / "submitted")
    room.run("grader", "grade", submitted, "--out", str(results), "--chapters", "chapter3")
    record = read_json_or_none(str(results / "learners" / "eve.json.gz"))
    marks: dict[str, dict[str, float]] = record["marks"]
    return marks


def cheat(key: Key, id: str) -> str:
    """An answer that is right for the inputs of this key, and for no others."""
    chapter = key.chapter(id.partition(".")[0])
    numbers = {n for c in chapter.checks if c["exercise"] == id for n in c["probes"]}
    found: set[bytes] = set()
    for n in numbers:
        arrays(chapter, chapter.probes[n]["args"], found)
    known = sorted(data.hex() for data in found)
    return (
        '@answer("ops.Exp.forward")\ndef forward(self, a):\n'
        f"    known = {known}\n    a = np.asarray(a)\n"
        "    wide = a.astype(np.float64).tobytes().hex(), a.astype(np.float32).tobytes().hex()\n"
        "    return np.exp(a) if set(known) & {*wide} else a"
    )


def arrays(chapter: Any, value: Any, found: set[bytes]) -> None:
    if isinstance(value, dict) and "array" in value:
        found.add(bytes(chapter.array(value["array"]).data))
    inner = value.values() if isinstance(value, dict) else value
    for item in inner if isinstance(value, (dict, list)) else ():
        arrays(chapter, item, found)


def test_a_class_is_marked_with_its_own_secret_inputs(course: Course, tmp_path: Path) -> None:
    """`--results`: who learned the public key by heart earns nothing for it."""
    exercise, target = "chapter3.exp.forward", "chapter3-exp-forward"
    results = tmp_path / "results"
    cheated = cheat(open_key(), exercise)
    found = {}
    for name, options in {"public": (), "secret": ("--results", str(results))}.items():
        room = Classroom.made(tmp_path / name, course, "chapter3", *options)
        fill = {e.anchor: room.right(e) for e in room.exercises} | {target: cheated}
        room.hand_in("eve", room.notebook(lambda e, fill=fill: fill[e.anchor]))
        room.run("nbgrader", "autograde", "chapter3")
        found[name] = score(room, target)
    assert found["secret"] < found["public"] == course.exercises[exercise].points
    assert graded(room, results)[exercise]["own"] == pytest.approx(found["secret"], abs=1e-4)


def test_an_instructors_own_exercises_are_cells_like_the_rest(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text, encoding="utf-8")
    toml, results = tmp_path / "mine" / "course.toml", tmp_path / "results"
    options = "--course", str(toml), "--results", str(results)
    room = Classroom.made(tmp_path / "course", load_course(str(toml)), "chapter3", *options)
    text = json.dumps(room.released)
    assert "chapter3.softplus.forward" in text and "logaddexp" not in text
    assert "chapter3-bughunt-mend" not in text  # it is switched off: no cell is called so
    wrong = "chapter3.logcosh.backward"
    room.hand_in("eve", room.notebook(
        lambda e: room.mistaken(e, e.mistakes[0]) if e.id == wrong else room.right(e)
    ))  # fmt: skip
    room.run("nbgrader", "autograde", "chapter3")
    marks = graded(room, results)
    for exercise in room.exercises:
        assert score(room, exercise.anchor) == pytest.approx(marks[exercise.id]["own"], abs=1e-4)
    assert score(room, "chapter3-div-backward") == 40
    assert score(room, "chapter3-softplus-forward") == 3 > score(room, "chapter3-logcosh-backward")
    kernel = room.folder / "release" / "chapter3"
    told = room.run("grader", "check", "chapter3.softplus.forward", cwd=kernel, ok=False)
    assert "Softplus.forward" in told and "There is no" not in told
