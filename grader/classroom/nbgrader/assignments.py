"""Write an nbgrader course: a notebook per chapter, the package beside it, a config.

The prose is MyST; notebooks show plain Markdown. The two directives that chapters use are
converted: an admonition to a quotation, a dropdown to an HTML `details`.

A source notebook holds the solutions between nbgrader's markers; `nbgrader generate_assignment`
removes them. The `.py` files beside it are handed out as they are, so they hold stubs.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ... import DISTRIBUTION
from ...about import COURSE
from ...course.load import Course
from ...course.outline import anchor_of
from ...course.schema import Chapter, Exercise, Question
from ...course.splice import target_file
from ...learner.file_writer import write_whole
from ...learner.open_questions import YOUR_ANSWER
from ...learner.workspace import STATE, agents, begun_at
from ...notebooks.notebook_source import Tag, as_cell
from ..files import plain_template

ANCHOR = re.compile(r"\(([\w-]+)\)=$")
FENCE = re.compile(r"(`{3,}|~{3,})")
FIGURE = re.compile(r"`{3,}\{figure\}")  # interactive: a notebook cannot show it
DIRECTIVE = re.compile(r"(:{3,})\{(\w+)\}\s*(.*)$")


class ProsePiece(NamedTuple):
    """A piece of Markdown, and the anchors of the exercises to put below it."""

    text: str
    anchors: tuple[str, ...] = ()


def split_chapter(prose: str) -> list[ProsePiece]:
    """Cut a chapter at its headings, and below every box with anchors."""
    found: list[ProsePiece] = []
    lines: list[str] = []
    anchors: list[str] = []
    for block in blocks(prose):
        label = ANCHOR.match(block[0])
        if label:
            anchors.append(label.group(1))
            continue
        if block[0].startswith("#"):
            found.append(ProsePiece(_joined(lines)))
            lines = []
        lines += _plain(block)
        if anchors and block != [""]:
            found.append(ProsePiece(_joined(lines), tuple(anchors)))
            lines, anchors = [], []
    return [p for p in [*found, ProsePiece(_joined(lines))] if p.text or p.anchors]


def blocks(prose: str) -> Iterator[list[str]]:
    """Yield blocks of lines: a fence, a directive, or a single line."""
    lines = prose.splitlines()
    at = 0
    while at < len(lines):
        end = at + 1
        if opening := DIRECTIVE.match(lines[at]) or FENCE.match(lines[at]):
            while end < len(lines) and lines[end].strip() != opening[1]:
                end += 1
            end += 1
        yield lines[at:end]
        at = end


def _plain(block: list[str]) -> list[str]:
    """Convert a block to plain Markdown."""
    found = DIRECTIVE.match(block[0])
    if not found:
        return [] if FIGURE.match(block[0]) else block
    _, kind, title = found.groups()
    inside = [line for part in blocks("\n".join(block[1:-1])) for line in _plain(part)]
    if kind == "dropdown":
        summary = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(title, quote=False))
        return ["<details>", f"<summary>{summary}</summary>", "", *inside, "", "</details>"]
    quoted = (f"> {line}".rstrip() for line in inside)
    return [f"> **{title}**", ">", *quoted] if title else list(quoted)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")


SCHEME = "=== BEGIN MARK SCHEME ===", "=== END MARK SCHEME ==="
SETUP = """\
from __future__ import annotations

import numpy as np

import PACKAGE
from grader.notebook import answer, check"""


def assignment_files(course: Course, chapters: list[Chapter], earlier: str) -> dict[str, str]:
    """Return path → text of the assignments' folders.

    Args:
        earlier: ``given``, if chapters before a notebook's come solved; ``own``, if learners bring
            their own code of these.
    """
    texts: dict[str, str] = {}
    for chapter in chapters:
        beside = _beside(course, chapter, earlier)
        texts |= {f"source/{chapter.id}/{name}": text for name, text in beside.items()}
        notebook = nbformat.writes(source(course, chapter), version=4)
        texts[f"source/{chapter.id}/{chapter.id}.ipynb"] = notebook + "\n"
    return texts


def _beside(course: Course, chapter: Chapter, earlier: str) -> dict[str, str]:
    """Return the files beside a notebook: the package, its first chapter, AGENTS.md."""
    first = chapter.number if earlier == "given" else 0
    state = begun_at(chapter.id if earlier == "given" else course.chapters[0].id)
    stubs = {f"{COURSE.name}/{name}": text for name, text in course.stubs(first).items()}
    begins = {f"{STATE}/workspace.json": json.dumps(state) + "\n"}
    return {**begins, "AGENTS.md": agents().decode(), **stubs}


def source(course: Course, chapter: Chapter) -> NotebookNode:
    """Make the source notebook of a chapter, with its solutions."""
    waiting = {e.anchor: e for e in chapter.exercises}
    how, setup = (
        text.replace("PACKAGE", COURSE.name)
        for text in (plain_template("notebook.md").strip(), SETUP)
    )
    locked = make_tag(f"{chapter.id}-setup", locked=True)
    cells = [new_markdown_cell(how), new_code_cell(setup, metadata=locked)]
    for piece in split_chapter(course.prose(chapter.id)):
        cells.append(new_markdown_cell(piece.text))
        here = [waiting.pop(anchor) for anchor in piece.anchors if anchor in waiting]
        cells += [cell for e in here if not e.given for cell in exercise_cells(course, e)]
    for exercise in (e for e in waiting.values() if not e.given):  # not in the prose
        cells.append(new_markdown_cell(f"## {exercise.title}"))
        cells += exercise_cells(course, exercise)
    cells += [cell for q in chapter.questions if q.answer is None for cell in question_cells(q)]
    for number, cell in enumerate(cells):
        cell["id"] = cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell-{number}"
        cell["id"] = cell["id"][:64]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made: NotebookNode = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return made


def exercise_cells(course: Course, exercise: Exercise) -> Iterator[NotebookNode]:
    """Yield the answer cell, with its solution, and the locked test cell with the points."""
    text = "\n\n\n".join(_answer(course, target) for target in exercise.targets)
    yield new_code_cell(text, metadata=make_tag(f"{exercise.anchor}-answer", solution=True))
    call = f'check("{exercise.id}")'
    yield new_code_cell(
        call, metadata=make_tag(exercise.anchor, grade=True, locked=True, points=exercise.points)
    )


def _answer(course: Course, target: str) -> str:
    """Return a definition with its solution markers; the end marker is a comment below it."""
    name, inner = target_file(target, course.solutions)
    return as_cell(course.solutions[name], inner, target, course.regions[target].last + 1)


def question_cells(question: Question) -> Iterator[NotebookNode]:
    """Yield an open question as a manually graded task, a point per line of its rubric."""
    begin, end = SCHEME
    lines = "\n".join(f"- (1 point) {line}" for line in question.rubric)
    text = f"**Question.** {question.asks}\n\n{begin}\n{lines}\n\n{question.why}\n{end}"
    name = anchor_of(question.id)
    points = len(question.rubric)
    yield new_markdown_cell(text, metadata=make_tag(name, task=True, locked=True, points=points))
    yield new_markdown_cell(YOUR_ANSWER)


def make_tag(name: str, points: float | None = None, **kinds: bool) -> dict[str, Tag]:
    """Return nbgrader's metadata of a cell, schema 3."""
    flags = {kind: kinds.get(kind, False) for kind in ("grade", "solution", "locked", "task")}
    tag: Tag = {"schema_version": 3, "grade_id": name, **flags}
    return {"nbgrader": tag if points is None else {**tag, "points": points}}


def write_assignments(
    folder: str, texts: dict[str, str], db_url: str = "", results: str = ""
) -> None:
    """Write the files and the settings; existing files are replaced one by one."""
    settings = Path(folder, SETTINGS)
    before = settings.read_text(encoding="utf-8") if settings.exists() else ""
    for name, text in {SETTINGS: config(db_url, results, before), **texts}.items():
        write_whole(str(Path(folder, name)), text.encode())


SETTINGS = "nbgrader_config.py"
YOURS = "# ---- yours below; this line and what follows it stay when the file is written again"


def results_in(text: str) -> str:
    """Return the folder of results that a settings file names; empty if it names none."""
    found = _value(text.partition(YOURS)[0], "JudgeAnswers.results")
    try:
        return str(json.loads(found)) if found else ""
    except ValueError:
        return ""  # an expression of the instructor's own


def config(db_url: str = "", results: str = "", before: str = "") -> str:
    """Return the text of the settings file.

    Args:
        db_url: the gradebook's SQLAlchemy URL; empty: as before, else nbgrader's default.
        results: the folder of `grader grade` whose key judges, relative to the course's folder;
            empty: as before, else none.
        before: the earlier text of the file; the instructor's lines at its end are kept.
    """
    ours, _, yours = before.partition(YOURS)
    results = json.dumps(results) if results else _value(ours, "JudgeAnswers.results") or '""'
    text = plain_template(f"{SETTINGS}.txt").replace("DISTRIBUTION", DISTRIBUTION)
    text = text.replace('"COURSE"', f'"{COURSE.name}"')
    text = text.replace('results = ""', f"results = {results}")
    db_url = json.dumps(db_url) if db_url else _value(ours, "CourseDirectory.db_url")
    if db_url:
        text += f"\nc.CourseDirectory.db_url = {db_url}\n"
    return f"{text}\n{YOURS}{yours or chr(10)}"


def _value(text: str, name: str) -> str:
    """Return a setting's value, as source text; empty if it is not set."""
    found = re.search(rf"^c\.{re.escape(name)} = (.+)$", text, re.MULTILINE)
    return found.group(1) if found else ""
