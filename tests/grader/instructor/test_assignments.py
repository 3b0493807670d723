"""A chapter's prose as plain Markdown, in pieces.

`grader notebooks`: what is in the course that it writes, and what is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traitlets.config.loader import PyFileConfigLoader  # noqa: E402

from grader import root  # noqa: E402
from grader.classroom.nbgrader.assignments import (  # noqa: E402
    assignment_files,
    source,  # noqa: E402
    split_chapter,  # noqa: E402
    write_assignments,
)
from grader.course.key_file import Key  # noqa: E402
from grader.course.load import Course  # noqa: E402
from grader.course.syntax_tree import BEGIN  # noqa: E402

pytest.importorskip("nbformat", reason="notebooks need the extra `instructor`")
pytestmark = pytest.mark.xdist_group("notebooks")  # each is written once


@pytest.fixture(scope="module")
def sources(course: Course) -> dict[str, Any]:
    """Chapter → the notebook that its instructor has."""
    return {chapter.id: source(course, chapter) for chapter in course.chapters}


def test_prose_becomes_plain_markdown(sources: dict[str, Any]) -> None:
    for notebook in sources.values():
        for text in (c.source for c in notebook.cells if c.cell_type == "markdown"):
            outside = "\n".join(text.split("```")[::2])
            assert ":::" not in outside
            assert ")=\n" not in outside


def test_a_box_is_a_quotation_and_a_dropdown_opens() -> None:
    box = "(x-1)=\n:::{admonition} Do `it`\nNow.\n:::\n"
    prose = f"# A\n\n{box}\n:::{{dropdown}} Why `so`?\nB.\n:::\n"
    found = split_chapter(prose)
    assert [p.anchors for p in found] == [("x-1",), ()]
    assert "> **Do `it`**\n>\n> Now." in found[0].text
    assert "<summary>Why <code>so</code>?</summary>\n\nB.\n\n</details>" in found[1].text


def test_what_the_prose_has_no_place_for_follows_it(course, sources, monkeypatch) -> None:
    chapter = course.chapters[0]

    def graded(notebook: Any) -> list[str]:
        tags = (cell.metadata.get("nbgrader", {}) for cell in notebook.cells)
        return sorted(tag["grade_id"] for tag in tags if tag.get("grade"))

    monkeypatch.setattr(type(course), "prose", lambda *_: "")
    notebook = source(course, chapter)
    assert graded(notebook) == graded(sources[chapter.id])
    titles = [c.source for c in notebook.cells if c.cell_type == "markdown"]
    assert f"## {chapter.exercises[0].title}" in titles


def test_anchors_inside_code_are_code() -> None:
    found = split_chapter("```python\n(x)=\n# no heading\n```\n")
    assert [p.anchors for p in found] == [()]


nbformat = pytest.importorskip("nbformat", reason="notebooks need the extra `instructor`")
pytest.importorskip("nbgrader", reason="notebooks need the extra `instructor`")


SOURCES = Path(root.path("exercises"))


def code(notebook: Any) -> list[str]:
    return [c.source for c in notebook.cells if c.cell_type == "code"]


def tags(notebook: Any, kind: str) -> list[Any]:
    found = [c.metadata.get("nbgrader", {}) for c in notebook.cells]
    return [tag for tag in found if tag.get(kind)]


@pytest.mark.parametrize("name", sorted(n.name for n in SOURCES.glob("chapter*")))
def test_every_exercise_has_its_answer_and_its_test(
    course: Course, sources: dict[str, Any], name: str
) -> None:
    chapter = next(c for c in course.chapters if c.id == name)
    notebook = sources[name]
    nbformat.validate(notebook)
    mine = [e for e in chapter.exercises if not e.given]
    tests = {tag["grade_id"]: tag["points"] for tag in tags(notebook, "grade")}
    assert tests == {e.anchor: e.points for e in mine}
    assert [t["grade_id"] for t in tags(notebook, "solution")] == [
        f"{name}-answer" for name in tests
    ]
    whole = "\n".join(code(notebook))
    for target in (t for e in mine for t in e.targets):
        assert whole.count(f'@answer("{target}")\n') == 1


@pytest.mark.parametrize("number", [1, 3, 7])
def test_open_questions_carry_their_mark_scheme(
    course: Course, sources: dict[str, Any], number: int
) -> None:
    chapter = next(c for c in course.chapters if c.number == number)
    open_ones = [q for q in chapter.questions if q.answer is None]
    tasks = tags(sources[chapter.id], "task")
    assert [tag["points"] for tag in tasks] == [len(q.rubric) for q in open_ones]
    whole = "\n".join(c.source for c in sources[chapter.id].cells)
    assert all(line in whole for q in open_ones for line in q.rubric)


def test_a_test_cell_is_a_call_and_no_answer(course: Course, sources: dict[str, Any]) -> None:
    for chapter in course.chapters:
        for cell in sources[chapter.id].cells:
            name = cell.metadata.get("nbgrader", {})
            if name.get("grade"):
                exercise = next(e for e in chapter.exercises if e.anchor == name["grade_id"])
                assert cell.source == f'check("{exercise.id}")'
                assert name["locked"]


def test_no_exercise_is_called_like_a_part_of_another(course: Course) -> None:
    """`check` takes a name for all that lies below it; a test cell's must mean one exercise."""
    for id in course.exercises:
        assert not [other for other in course.exercises if other.startswith(f"{id}.")]
    assert len({e.anchor for e in course.exercises.values()}) == len(course.exercises)


def test_beside_the_notebook_lie_stubs(course: Course) -> None:
    """nbgrader strips solutions from notebooks only: a `.py` is handed out as it is."""
    chapter = next(c for c in course.chapters if c.number == 3)
    texts = assignment_files(course, [chapter], "given")
    beside = {n.rpartition("babygrad/")[2]: t for n, t in texts.items() if n.endswith(".py")}
    assert beside == course.stubs(3)
    assert "AGENTS.md" in {name.rpartition("/")[2] for name in texts}
    assert not any(BEGIN in text for text in beside.values())


def test_what_learners_may_write_to_is_not_overwritten(course: Course, tmp_path: Path) -> None:
    chapters = [c for c in course.chapters if c.number in (2, 3)]
    write_assignments(str(tmp_path), assignment_files(course, chapters, "given"))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()
    every = [f"babygrad/{name}" for name in sorted(course.stubs())]
    kept = config.Autograde.exclude_overwriting
    assert {name: sorted(paths) for name, paths in kept.items()} == {
        "chapter2": every, "chapter3": every,
    }  # fmt: skip


def test_settings_of_an_instructor_outlive_a_new_chapter(course: Course, tmp_path: Path) -> None:
    by_number = {c.number: c for c in course.chapters}
    first = assignment_files(course, [by_number[2]], "given")
    write_assignments(str(tmp_path), first, "postgresql://host/marks", "/results")
    config = tmp_path / "nbgrader_config.py"
    config.write_text(config.read_text() + "c.CourseDirectory.course_id = 'autumn'\n")
    before = config.read_text()
    write_assignments(str(tmp_path), assignment_files(course, [by_number[3]], "given"))
    assert config.read_text() == before
    write_assignments(str(tmp_path), {}, "sqlite:///other.db")
    assert before.replace("postgresql://host/marks", "sqlite:///other.db") == config.read_text()


def test_own_earlier_chapters_are_not_given_away(course: Course, tmp_path: Path) -> None:
    from grader.classroom.nbgrader.autograde_steps import first_in  # imports nbgrader

    chapter = next(c for c in course.chapters if c.number == 3)
    texts = assignment_files(course, [chapter], "own")
    assert texts["source/chapter3/babygrad/tensor.py"] == course.stubs()["tensor.py"]
    assert json.loads(texts["source/chapter3/.grader/workspace.json"])["from"] == "chapter1"
    write_assignments(str(tmp_path), texts)
    assert first_in(str(tmp_path / "source" / "chapter3")) == 0
    write_assignments(str(tmp_path), assignment_files(course, [chapter], "given"))
    assert first_in(str(tmp_path / "source" / "chapter3")) == 3


def test_the_same_course_gives_the_same_bytes(course: Course) -> None:
    chapter = next(c for c in course.chapters if c.number == 7)
    assert assignment_files(course, [chapter], "given") == assignment_files(
        course, [chapter], "given"
    )


def test_the_command_writes_it_and_says_what_comes_next(
    grader: Callable[..., Any], tmp_path: Path
) -> None:
    out = tmp_path / "course"
    database = "postgresql://host/marks"
    done = grader("notebooks", str(out), "chapter9", "--db", database, "--seed", "public")
    assert done.status == 0, done.err
    assert "nbgrader generate_assignment chapter9" in done.out
    config = (out / "nbgrader_config.py").read_text()
    assert 'c.CourseDirectory.db_url = "postgresql://host/marks"' in config
    assert (out / "source" / "chapter9" / "chapter9.ipynb").exists()
    assert 'c.JudgeAnswers.results = "results"' in config
    for path, mode in (("", 0o700), ("answers.key", 0o600), ("batch.json", 0o600)):
        assert (out / "results" / path).stat().st_mode & 0o777 == mode


def test_a_class_has_the_key_of_its_assignments_and_is_judged_in_these(
    grader: Callable[..., Any], tmp_path: Path
) -> None:
    out, before = tmp_path / "course", []
    for chapter in ("chapter2", "chapter1"):
        assert grader("notebooks", str(out), chapter, "--seed", "public").status == 0
        batch = json.loads((out / "results" / "batch.json").read_text())
        before.append((batch["chapters"], Key(str(out / "results" / "answers.key")).chapters))
    both = ["chapter1", "chapter2"]
    assert before == [(["chapter2"], both), (both, both)]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("course", "chapter77"), "There is no chapter77. Choose from chapter1"),
        (("/dev/null/course", "chapter9"), "cannot be used for results"),
    ],
)
def test_wrong_use_is_a_sentence(
    grader: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = grader("notebooks", *arguments, "--seed", "public", cwd=tmp_path)
    assert done.status == 2
    assert says in done.err
