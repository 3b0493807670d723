"""A class for nbgrader: who is in it, and what each of them hands in."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from grader.course.schema import Exercise, Mistake

from .classroom import Classroom, tag

DUE = "2026-03-01 12:00:00 UTC"
LATE = "2026-03-01 15:00:00 UTC"

# What a hostile answer does when it is called, and a cell that nothing may ever run.
BODIES = {
    "leaves": "import os\n    os._exit(0)",
    "forges": 'print(\'{"status": "passed", "score": 99}\')\n    raise SystemExit(0)',
    "kills": "import os, signal\n    os.kill(os.getppid(), signal.SIGTERM)\n    return 1",
    "loops": "while True:\n        pass",
    "patches": "import sys\n    sys.modules['numpy'].allclose = lambda *a, **k: True",
}
BOMB = "import os, grader\ngrader.notebook.check = lambda *names: 1e9\nos._exit(1)"

BROKEN = {
    "cut": lambda good: good[: len(good) // 2],
    "empty file": lambda good: "",
    "no notebook": lambda good: json.dumps({"nbformat": 4}),
    "format 2": lambda good: json.dumps({"nbformat": 2, "worksheets": []}),
}


class Class(NamedTuple):
    """An assignment that was handed in, judged by both commands, given back and exported.

    Attributes:
        kinds: learner → right, wrong, partial, late, broken, hostile, messy, package or empty.
        mistakes: learner → the mistakes in what was handed in, an exercise each.
        said: what `nbgrader autograde` said.
    """

    room: Classroom
    kinds: dict[str, str]
    mistakes: dict[str, dict[str, Mistake]]
    said: str


@contextmanager
def alone(place: Path) -> Iterator[bool]:
    """One process at a time; whether it is the first one here."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield not (place / "done").exists()
        (place / "done").touch()


def spread(room: Classroom, learners: list[str], each: int) -> dict[str, dict[str, Mistake]]:
    """Every mistake of the chapter (or the first ``each`` of an exercise), once."""
    found: dict[str, dict[str, Mistake]] = {name: {} for name in learners}
    turn = cycle(learners)
    for exercise in room.exercises:
        for mistake in exercise.mistakes[:each]:
            found[next(turn)][exercise.id] = mistake
    return found


def hand_everything_in(room: Classroom, wrong: int, each: int, more: int) -> Class:
    """The submissions.

    Args:
        wrong: how many learners share the mistakes, and ``each`` how many of an exercise count.
        more: how many of each of the other kinds there are.
    """
    made = Class(room, {}, spread(room, [f"wrong{n}" for n in range(wrong)], each), "")
    write = _writer(made)
    for name, mistakes in made.mistakes.items():
        write(name, "wrong", room.notebook(_with(room, mistakes)))
    right = room.notebook(room.right)
    for n in range(more):
        write(f"right{n}", "right", right)
        half = {e.id for e in room.exercises[n :: more + 1]}
        partial = room.notebook(lambda e, half=half: room.right(e) if e.id in half else None)
        write(f"partial{n}", "partial", partial)
        place = write(f"late{n}", "late", right)
        (place / "timestamp.txt").write_text(LATE)
    for name, spoil in list(BROKEN.items())[: more + 1]:
        write(f"broken {name}", "broken", spoil(json.dumps(right)))
    for name, body in list(BODIES.items())[: more + 1]:
        write(f"hostile {name}", "hostile", hostile(room, right, body))
    write("messy", "messy", messy(room))
    shadows = {"grader": "1 / 0", "numpy": "1 / 0", "json": "1 / 0"}
    solved = {f"babygrad__{n[:-3]}": text for n, text in room.course.solved().items()}
    place = write("package", "package", room.released, **solved, **shadows)
    (place / "timestamp.txt").write_text("the day before yesterday, I think")
    (room.folder / "submitted" / "empty" / room.chapter).mkdir(parents=True)
    made.kinds["empty"] = "empty"
    return made


def _writer(made: Class) -> Callable[..., Path]:
    def write(name: str, kind: str, notebook: dict[str, Any] | str, **files: str) -> Path:
        made.kinds[name] = kind
        return made.room.hand_in(name, notebook, **files)

    return write


def _with(room: Classroom, mistakes: dict[str, Mistake]) -> Callable[[Exercise], str]:
    def fill(exercise: Exercise) -> str:
        mistake = mistakes.get(exercise.id)
        if mistake is None:
            return room.right(exercise)
        return room.mistaken(exercise, mistake)

    return fill


def struck(room: Classroom) -> Exercise:
    """The exercise that hostile learners answer with their code, and the messy one loses."""
    # Nothing else depends on it.
    needed = {id for e in room.exercises for id in e.needs}
    return next(e for e in reversed(room.exercises) if e.id not in needed)


def hostile(room: Classroom, right: dict[str, Any], body: str) -> dict[str, Any]:
    """All right but for one answer, and a cell that would end whoever runs it."""
    made: dict[str, Any] = json.loads(json.dumps(right))
    exercise = struck(room)
    (cell,) = (c for c in made["cells"] if tag(c).get("grade_id") == f"{exercise.anchor}-answer")
    target = exercise.targets[-1]
    name = target.rpartition(".")[2]
    cell["source"] += f'\n\n\n@answer("{target}")\ndef {name}(*args, **kwargs):\n    {body}'
    bomb = {"cell_type": "code", "id": "bomb", "metadata": {}, "outputs": [],
            "execution_count": None, "source": BOMB}  # fmt: skip
    made["cells"].insert(0, bomb)
    return made


def messy(room: Classroom) -> dict[str, Any]:
    """All right, but cells are deleted, copied, turned round, and tests are edited."""
    made = room.notebook(room.right)
    first, lost = room.exercises[0].anchor, struck(room).anchor
    gone = {first, lost, f"{lost}-answer"}
    cells = [c for c in made["cells"] if tag(c).get("grade_id") not in gone]
    copied = [{**c, "id": "copy"} for c in cells if tag(c).get("solution")][-1]
    tests = [c for c in cells if tag(c).get("grade")]
    tests[-1]["source"] = "1e9"
    tests[-2]["metadata"]["nbgrader"]["points"] = 1000
    del tests[-3]["metadata"]["nbgrader"]["points"]
    tests[-4]["metadata"]["nbgrader"] = {"schema_version": 1, "grade_id": "none"}
    made["cells"] = [copied, *reversed(cells)]
    return made


def settle(room: Classroom) -> None:
    """A due date, and a rule for who hands in after it."""
    room.run("nbgrader", "db", "assignment", "add", room.chapter, f"--duedate={DUE}")
    with open(room.folder / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')


def cores() -> str:
    return str(os.cpu_count() or 1)
