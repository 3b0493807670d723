"""A new workspace holds the package, prose, examples and a note to assistants."""

from __future__ import annotations

from types import SimpleNamespace

from grader import root
from grader.about import COURSE, FILE
from grader.course.schema import Question
from grader.learner.workspace import agents, below, starter


def test_it_holds_package_prose_examples_and_a_word_to_assistants():
    seen = []
    asked = SimpleNamespace(
        id="chapter1", title="One", questions=[Question("chapter1.q.why", "Why?", rubric=("So.",))]
    )
    course = SimpleNamespace(
        stubs=lambda first, *terms: seen.append(first) or {"ops.py": "x = 1\n"},
        chapters=[asked],
    )
    found = starter(course, 3)
    assert seen == [3] and found[f"{COURSE.name}/ops.py"] == b"x = 1\n"
    assert "chapters/chapter3.md" in found and "AGENTS.md" in found
    assert b"## chapter1.q.why" in found["answers/chapter1.md"]
    assert not [name for name in found if "own_course" in name or "__pycache__" in name]
    with open(root.path("chapters", "chapter3.md"), "rb") as file:
        assert found["chapters/chapter3.md"] == file.read()


def test_assistants_are_told_which_package_is_not_theirs_to_write():
    assert COURSE.name.encode() in agents() and b"PACKAGE" not in agents()


def test_another_course_hidden_folders_and_bytecode_are_no_part_of_it(tmp_path):
    for path in ("a.md", "b/c.md", ".git/d", "__pycache__/e", f"own/{FILE}", "own/f.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    assert below(str(tmp_path)) == {"a.md": b"a.md", "b/c.md": b"b/c.md"}
    assert below(str(tmp_path / "nowhere")) == {}
