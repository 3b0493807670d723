"""`grader lsp` with a real client: what an editor is told, and what it can do."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

import pytest

from grader import root
from grader.about import COURSE
from grader.course.key_source import open_key
from grader.learner import own_file as definition

from .conftest import run_grader

pytest.importorskip("pygls")
from lsprotocol import types as lsp  # noqa: E402

from grader.editor.commands.language_server import fence  # noqa: E402
from grader.editor.commands.long_work import ONCE  # noqa: E402

from .editor import Editor  # noqa: E402

pytestmark = pytest.mark.xdist_group("language server")  # one for all

RIGHT = ("Sub.forward", "return a - b"), ("Div.forward", "return a / b")
MINUS = "a, b = node._inputs\n        return out_grad / b, out_grad * a / (b * b)"
STUB = "raise NotImplementedError"


def with_bodies(text, *bodies):
    for name, body in bodies:
        text = definition.with_body(
            text, definition.find_definition(text, name), body.split("\n        ")
        )
    return text


def line_of(text, name):
    return definition.find_definition(text, name).top


@pytest.fixture(scope="module")
def uri(editor, ops):
    return editor.open(ops)


@pytest.fixture(scope="module")
def handed_out(ops):
    return ops.read_text()


@pytest.fixture
def text(editor, uri, ops, handed_out):
    """The stubs, saved, whatever an earlier test has left."""
    editor.save(ops, handed_out)
    editor.until(lambda: not editor.faults(uri))
    return handed_out


def at(uri, line):
    place = lsp.Position(line - 1, 4)
    return lsp.TextDocumentIdentifier(uri), place


def test_a_stub_is_a_hint_on_its_line(editor, uri, text):
    editor.until(lambda: editor.faults(uri, lsp.DiagnosticSeverity.Hint))
    hints = editor.faults(uri, lsp.DiagnosticSeverity.Hint)
    assert (line_of(text, "Div.backward"), "chapter3.div.backward") in [h[:2] for h in hints]
    assert not editor.faults(uri) and "section 3." in hints[0][2]


def test_a_wrong_rule_is_told_on_its_line(editor, uri, ops, text):
    wrong = with_bodies(text, ("Sub.forward", "return b - a"))
    editor.save(ops, wrong)
    editor.until(lambda: editor.faults(uri))
    ((line, code, says),) = editor.faults(uri)
    assert (line, code) == (line_of(wrong, "Sub.forward"), "chapter3.sub.forward")
    (fault,) = [d for d in editor.diagnostics[uri] if d.severity == lsp.DiagnosticSeverity.Error]
    assert fault.source == "grader" and "\n" not in says
    (related,) = fault.related_information
    assert "yours" in related.message and related.location.uri == uri
    hover = editor.ask(lsp.TEXT_DOCUMENT_HOVER, lsp.HoverParams(*at(uri, line)))
    assert "chapter3.sub.forward" in hover.contents.value and "section 3.2" in hover.contents.value
    assert says.split()[0] in hover.contents.value and "yours" in hover.contents.value
    moved = "# one more line\n" + wrong
    editor.save(ops, moved)
    editor.until(lambda: [f[0] for f in editor.faults(uri)] == [line + 1])
    editor.save(ops, with_bodies(text, *RIGHT[:1]))
    editor.until(lambda: not editor.faults(uri))


def test_one_lens_above_each_exercise_tells_its_state_and_asks_what_next(editor, uri, text):
    asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    lenses = editor.ask(lsp.TEXT_DOCUMENT_CODE_LENS, asked)
    line = line_of(text, "Div.backward")
    (lens,) = [lens.command for lens in lenses if lens.range.start.line + 1 == line]
    assert lens.title == "· pending, 0 of 2 points"
    assert len({each.range.start.line for each in lenses}) == len(lenses)
    editor.choices.append("Hint")
    editor.do(lens.command, *lens.arguments)
    editor.until(lambda: any("chapter3.div.backward, hint 1 of" in m for m in editor.messages))
    assert [each.title for each in editor.asked[-1].actions] == ["Check", "Hint", "Show", "Reset"]
    told = len(editor.messages)
    editor.do(lens.command, *lens.arguments)  # nothing is chosen
    assert len(editor.messages) == told


def test_the_stub_is_put_back_by_an_edit_of_what_was_written(editor, uri, ops, text):
    wrong = with_bodies(text, ("Div.backward", MINUS), *RIGHT)
    editor.save(ops, wrong)
    place = lsp.Range(lsp.Position(line_of(wrong, "Div.backward"), 8), lsp.Position(0, 0))
    asked = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(uri), place, lsp.CodeActionContext(diagnostics=[])
    )
    actions = editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, asked)
    assert [a.title for a in actions] == [
        "Put the stub of chapter3.div.backward back", "Check: chapter3.div.backward",
        "Hint: chapter3.div.backward", "Open chapter3",
    ]  # fmt: skip
    ((changed, (edit,)),) = actions[0].edit.changes.items()
    lines = wrong.splitlines(True)
    lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
    assert changed == uri and "".join(lines) == with_bodies(text, *RIGHT)
    assert edit.range.end.line - edit.range.start.line == 2
    broken = wrong.replace("class Div", "class (\nclass Div")
    editor.save(ops, broken)
    editor.until(lambda: [f[1] for f in editor.faults(uri)] == ["import babygrad"])
    (fault,) = editor.faults(uri)
    assert fault[0] == broken.split("\n").index("class (") + 1 and "SyntaxError" in fault[2]
    moved = lsp.Range(lsp.Position(place.start.line + 1, 8), place.end)
    asked = lsp.CodeActionParams(asked.text_document, moved, asked.context)
    assert "Put the stub" in editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, asked)[0].title
    editor.save(ops, with_bodies(text, *RIGHT))
    editor.until(lambda: not editor.faults(uri))


def test_a_text_too_large_for_a_module_is_not_looked_into(editor, uri, ops, text):
    editor.save(ops, text + "# " + "x" * (1 << 21))
    asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    assert not editor.ask(lsp.TEXT_DOCUMENT_CODE_LENS, asked)
    editor.until(lambda: any("larger than 2 MB" in says for says in editor.messages))
    editor.save(ops, text)
    assert editor.ask(lsp.TEXT_DOCUMENT_CODE_LENS, asked)


def test_a_newer_save_ends_an_endless_loop(editor, uri, ops, text):
    """And whatever else the code does, the next save is judged."""
    for body in ("while True: pass", "import os; os._exit(7)", "raise SystemExit"):
        editor.save(ops, with_bodies(text, ("Sub.forward", body)))
        editor.ask(lsp.TEXT_DOCUMENT_HOVER, lsp.HoverParams(*at(uri, 1)))  # nobody waits
    editor.until(lambda: any("SystemExit" in f[2] for f in editor.faults(uri)))
    editor.save(ops, with_bodies(text, ("Sub.forward", "while True: pass")))
    editor.save(ops, with_bodies(text, ("Sub.forward", "return b - a")))
    editor.until(lambda: any("SystemExit" not in f[2] for f in editor.faults(uri)))
    ((_, code, says),) = editor.faults(uri)
    assert code == "chapter3.sub.forward" and "time" not in says
    ops.unlink()
    editor.save(ops, with_bodies(text, *RIGHT))
    editor.until(lambda: not editor.faults(uri))


def test_a_file_elsewhere_is_told_once(editor, uri, ops, tmp_path):
    told = len(editor.messages)
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("x = 1\n")
        editor.open(tmp_path / name)
        editor.save(tmp_path / name, "x = 2\n")
    asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier((tmp_path / "one.py").as_uri()))
    assert not editor.ask(lsp.TEXT_DOCUMENT_CODE_LENS, asked)
    (said,) = editor.messages[told:]
    assert "one.py" in said and "grader init DIR" in said
    asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    assert editor.ask(lsp.TEXT_DOCUMENT_CODE_LENS, asked)


def test_what_code_says_cannot_end_the_block_that_quotes_it():
    shown = fence(["before", "`````", "<img src=x> ``````` x"])
    marks = shown.partition("text\n")[0]
    assert set(marks) == {"`"} and len(marks) == 8 and shown.count(marks) == 2
    assert fence(["x"]) == "````text\nx\n````"


@pytest.mark.long
def test_an_editor_that_can_do_little_has_it_in_words(workspace):
    """And what is written already is judged when it is opened."""
    ops = workspace / "babygrad" / "ops.py"
    ops.write_text(with_bodies(ops.read_text(), ("Sub.forward", "return b - a")))
    plain = Editor(workspace, able=False)
    uri = plain.open(ops)
    plain.until(lambda: plain.faults(uri))
    ((_, _, says),) = plain.faults(uri)
    assert "yours" in says
    plain.do("grader.show", uri, "chapter3.div.backward")
    plain.until(lambda: any("chapter3.md, line " in m for m in plain.messages))
    assert plain.quit() == 0


@pytest.fixture
def forgetful(tmp_path):
    """A cache without the answers of chapters 1 and 2, in which everything else is at hand."""
    key = open_key()
    lost = {key.table["names"][name] for name in ("chapter1", "chapter2")}
    own = tmp_path / "cache" / COURSE.distribution

    def link(path, to):
        with suppress(FileNotFoundError):  # another command has just pruned it
            os.link(path, to)

    shutil.copytree(key.memo.place, own, copy_function=link, ignore=lambda *_: lost)
    return str(own.parent)


@pytest.mark.parametrize("able", [True, False])
def test_only_the_answers_that_are_asked_for_are_worked_out_and_announced(
    workspace, forgetful, able
):
    plain = Editor(workspace, able=able, XDG_CACHE_HOME=forgetful)
    plain.open(workspace / "babygrad" / "ops.py")
    plain.do("grader.check", (workspace / "babygrad").as_uri(), "chapter1.mean_squared_error")
    plain.until(
        lambda: any(said.startswith("chapter1.mean_squared_error: ") for said in plain.messages)
    )
    if able:
        assert [each["kind"] for each in plain.work] == ["begin", "end"]
        assert plain.work[0]["message"] == "chapter1, 1 of 1" and len(plain.messages) == 1
    else:
        assert plain.work == [] and plain.messages[:-1] == [ONCE]
    assert plain.quit() == 0


def test_without_pygls_it_says_what_to_install(tmp_path):
    shadow = tmp_path / "pygls"
    shadow.mkdir()
    (shadow / "__init__.py").write_text("raise ModuleNotFoundError(name='pygls')")
    ran = run_grader("lsp", PYTHONPATH=f"{tmp_path}:{root.ROOT}", stdin="")
    assert ran.status == 2 and ran.out == ""
    assert "pip install 'babygrad-course[editor]'" in ran.err
