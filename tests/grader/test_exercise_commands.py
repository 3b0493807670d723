"""An exercise in an editor: commands of `grader lsp`, and its requests beyond LSP."""

from __future__ import annotations

import ast

import pytest

from grader.learner import own_file as definition

from .conftest import run_grader

pytest.importorskip("pygls")
from lsprotocol import types as lsp  # noqa: E402

from .editor import Editor  # noqa: E402

pytestmark = pytest.mark.xdist_group("language server")
SUB = "chapter3.sub.forward"


@pytest.fixture(scope="module")
def home(ops):
    return ops.parents[1].as_uri()


@pytest.fixture(scope="module")
def tree(editor, home):
    """The tree, asked for before any file is open."""
    return editor.ask("grader/tree", {"uri": home})


@pytest.fixture(scope="module")
def uri(editor, ops, tree):
    return editor.open(ops)


def written(text, body):
    return definition.with_body(text, definition.find_definition(text, "Sub.forward"), [body])


def test_the_tree_needs_a_folder_alone_and_names_what_wants_a_terminal(tree, home):
    assert tree.workspace == home
    assert [c.id for c in tree.chapters][:3] == ["chapter1", "chapter2", "chapter3"]
    assert tree.points == 0 and tree.maxPoints > 100
    for name in ("quiz", "viva", "book"):
        assert getattr(tree.terminal, name)[-1] == name


def test_a_folder_without_a_workspace_has_no_tree_and_no_complaint(editor, tmp_path):
    told = len(editor.messages)
    assert editor.ask("grader/tree", {"uri": tmp_path.as_uri()}) is None
    assert editor.ask("grader/exercise", {"uri": tmp_path.as_uri(), "id": SUB}) is None
    assert len(editor.messages) == told


def test_each_round_tells_what_has_changed_in_the_tree(editor, ops, uri):
    text = ops.read_text()

    def last(status, points):
        rows = [row for told in editor.progress for row in told.exercises if row.id == SUB]
        return rows and (rows[-1].status, rows[-1].points) == (status, points)

    editor.save(ops, written(text, "return b - a"))
    editor.until(lambda: last("failed", 0))
    editor.save(ops, written(text, "return a - b"))
    editor.until(lambda: last("passed", 1))
    assert editor.progress[-1].points >= 1
    editor.save(ops, text)
    editor.until(lambda: last("pending", 0))


def test_an_exercise_is_found_by_its_name_and_by_a_place(editor, ops, uri):
    text = ops.read_text()
    top = definition.find_definition(text, "Sub.forward").top
    asked = {"uri": uri, "position": {"line": top, "character": 4}}
    by_place, by_name = (editor.ask("grader/exercise", each) for each in (asked, {
        "uri": uri, "id": SUB}))  # fmt: skip
    assert by_place == by_name and by_place.id == SUB
    assert (by_name.code.uri, by_name.code.line) == (uri, top - 1)
    chapter = by_name.chapter
    lines = (ops.parents[1] / "chapters" / "chapter3.md").read_text().splitlines()
    assert chapter.uri.endswith("/work/chapters/chapter3.md")
    assert chapter.title in lines[chapter.line] and f"({chapter.anchor})=" in lines
    nowhere = {"uri": uri, "position": {"line": 0, "character": 0}}
    assert editor.ask("grader/exercise", nowhere) is None


def test_an_exercise_that_is_not_there_is_named(editor, uri):
    for command in ("check", "hint", "show", "repro", "reset", "menu"):
        told = len(editor.messages)
        editor.do(f"grader.{command}", uri, "chapter3.nothing")
        said = "chapter3.nothing is no exercise of this course."
        editor.until(lambda told=told, said=said: editor.messages[told:] == [said])


def test_a_given_exercise_has_no_hints(editor, uri):
    editor.do("grader.hint", uri, "chapter3.add.forward")
    editor.until(lambda: "chapter3.add.forward is given, and has no hints." in editor.messages)


def test_show_opens_the_chapter_and_next_the_definition(editor, ops, uri):
    shown = len(editor.opened)
    editor.do("grader.show", uri, SUB)
    editor.until(lambda: len(editor.opened) > shown)
    assert editor.opened[-1].uri.endswith("/work/chapters/chapter3.md")
    editor.do("grader.next", uri)
    editor.until(lambda: len(editor.opened) > shown + 1)
    line = editor.opened[-1].selection.start.line
    assert editor.opened[-1].uri == uri
    assert "def " in ops.read_text().splitlines()[line]


def test_check_says_how_it_went(editor, uri):
    editor.do("grader.check", uri, SUB)
    editor.until(lambda: f"{SUB}: pending" in editor.messages)


def test_reset_is_an_edit_and_repro_a_script(editor, ops, uri):
    text = ops.read_text()
    editor.do("grader.reset", uri, SUB)
    editor.until(lambda: any("is as it came already" in each for each in editor.messages))
    editor.save(ops, written(text, "return b - a"))
    editor.until(lambda: editor.faults(uri))
    editor.do("grader.repro", uri, SUB)
    script = ops.parents[1] / "repro_chapter3_sub_forward.py"
    editor.until(lambda: editor.opened and editor.opened[-1].uri == script.as_uri())
    assert "Sub" in script.read_text() and ast.parse(script.read_text())
    editor.do("grader.reset", uri, SUB)
    editor.until(lambda: editor.edits)
    ((changed, (edit,)),) = editor.edits[-1].edit.changes.items()
    lines = ops.read_text().splitlines(True)
    lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
    assert changed == uri and "".join(lines) == text
    editor.choices.append("Repro")
    editor.do("grader.menu", uri, SUB)
    assert "Repro" in [each.title for each in editor.asked[-1].actions]


def test_only_an_editor_that_asked_for_the_tree_is_told(ops, tmp_path):
    assert run_grader("init", "plain", "--from", "chapter3", cwd=tmp_path).status == 0
    own = tmp_path / "plain" / "babygrad" / "ops.py"
    plain = Editor(tmp_path)
    uri = plain.open(own)
    plain.save(own, written(own.read_text(), "return b - a"))
    plain.until(lambda: plain.faults(uri, lsp.DiagnosticSeverity.Error))
    assert plain.progress == [] and plain.quit() == 0
