"""An nbgrader course with its submissions, in a folder, run by nbgrader's own commands."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from grader import root
from grader.course.load import Course
from grader.course.outline import chapter_no
from grader.course.schema import Exercise, Mistake
from grader.course.splice import target_file
from grader.notebooks.notebook_source import answers, as_cell, choose_answers, splice

from .. import machine, warm_start

# A command of nbgrader takes three seconds to import all that nbgrader has.
IMPORTS = ("grader.classroom.nbgrader.gradebook_api", "nbgrader.apps.nbgraderapp")

Fill = Callable[[Exercise], str | None]


class Classroom:
    """One chapter as an assignment, and what learners hand in."""

    def __init__(self, folder: Path, course: Course, chapter: str) -> None:
        """A course that stands in a folder."""
        self.folder = folder
        self.course = course
        self.chapter = chapter
        self.exercises = [
            e for e in course.exercises.values() if e.chapter == chapter and not e.given
        ]

    @classmethod
    def made(cls, folder: Path, course: Course, chapter: str, *options: str) -> Classroom:
        """A new course, its assignment ready to be handed out."""
        room = cls(folder, course, chapter)
        # The public key is built already; tests of a secret one name a folder.
        seed = () if "--results" in options else ("--seed", "public")
        room.run("grader", "notebooks", str(folder), chapter, *seed, *options, cwd=folder.parent)
        with (folder / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write(machine.settings())
        room.run("nbgrader", "generate_assignment", chapter)
        return room

    def run(self, module: str, *arguments: str, cwd: Path | None = None, ok: bool = True) -> str:
        """`python -m MODULE …` in the course's folder; all that it says."""
        words = machine.enough(*arguments) if module == "grader" else arguments
        # Not the environment's `bin`: nbgrader's settings have to see to that themselves.
        around = {**os.environ, "PATH": os.defpath, "PYTHONPATH": root.ROOT}
        around["PYTHONWARNINGS"] = "ignore"
        parent = warm_start.parent_for(warm_start.as_key(around), *IMPORTS)
        place = os.path.abspath(cwd or self.folder)
        asked = {"module": module, "arguments": words, "cwd": place, "environment": around}
        status, out, err = parent.run(asked, None, 600)
        assert not ok or status == 0, out + err
        return out + err

    @property
    def released(self) -> dict[str, Any]:
        path = self.folder / "release" / self.chapter / f"{self.chapter}.ipynb"
        return json.loads(path.read_text(encoding="utf-8"))

    def notebook(self, fill: Fill) -> dict[str, Any]:
        """The released notebook, each answer cell filled in."""
        made = copy.deepcopy(self.released)
        by_cell = {f"{e.anchor}-answer": e for e in self.exercises}
        for cell in made["cells"]:
            exercise = by_cell.get(tag(cell).get("grade_id"))
            text = fill(exercise) if exercise is not None else None
            if text is not None:
                cell["source"] = text
        return made

    def hand_in(self, learner: str, notebook: dict[str, Any] | str, **files: str) -> Path:
        """A submission: the released files, this notebook, and others beside it."""
        place = self.folder / "submitted" / learner / self.chapter
        beside = self.course.stubs(chapter_no(self.chapter))
        texts = {f"babygrad/{name}": text for name, text in beside.items()}
        texts |= {name.replace("__", "/") + ".py": text for name, text in files.items()}
        text = notebook if isinstance(notebook, str) else json.dumps(notebook)
        for name, content in {**texts, f"{self.chapter}.ipynb": text}.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content, encoding="utf-8")
        return place

    def right(self, exercise: Exercise) -> str:
        return self.cell(self.course.solved(), exercise.targets)

    def mistaken(self, exercise: Exercise, mistake: Mistake) -> str:
        """The answer with a known mistake."""
        target = mistake.target or exercise.targets[0]
        return self.cell(self.course.replace_bodies({target: mistake.body}), exercise.targets)

    def cell(self, texts: dict[str, str], targets: Iterable[str]) -> str:
        places = [(t, *target_file(t, texts)) for t in targets]
        return "\n\n\n".join(as_cell(texts[name], inner, t) for t, name, inner in places)

    def checked(self, texts: dict[str, str], place: Path) -> list[dict[str, Any]]:
        """Return the exercises of a package as `grader check` reports them."""
        for name, text in texts.items():
            (place / "babygrad" / name).parent.mkdir(parents=True, exist_ok=True)
            (place / "babygrad" / name).write_text(text, encoding="utf-8")
        (place / ".grader").mkdir(exist_ok=True)
        state = {"schema": "grader-workspace/1", "from": self.chapter}
        (place / ".grader" / "workspace.json").write_text(json.dumps(state))
        said = self.run("grader", "check", self.chapter, "--json", cwd=place, ok=False)
        (chapter,) = json.loads(said)["chapters"]
        mine = {e.id for e in self.exercises}
        return [e for e in chapter["exercises"] if e["id"] in mine]

    def spliced(self, learner: str) -> dict[str, str]:
        """The package that a learner's notebook makes on what was handed out."""
        place = self.folder / "submitted" / learner / self.chapter / f"{self.chapter}.ipynb"
        cells = json.loads(place.read_text(encoding="utf-8"))["cells"]
        best, _ = choose_answers(answers("".join(cell["source"]) for cell in cells))
        stubs = self.course.stubs(chapter_no(self.chapter))
        files, _ = splice({name: text.encode() for name, text in stubs.items()}, best.values())
        return {name: data.decode() for name, data in files.items()}


def tag(cell: dict[str, Any]) -> dict[str, Any]:
    """nbgrader's metadata of a cell."""
    return cell["metadata"].get("nbgrader", {})
