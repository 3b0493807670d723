"""The commands around `check`: show, hint, repro, solution, reset, status."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.course.load import read_course
from grader.learner import exercise_card
from grader.learner import own_file as definition
from grader.learner.exercise_card import box_lines
from grader.learner.wording import Style

from .conftest import asked_in

DIV = "chapter3.div.backward"
WRONG_DIV = "a, b = node._inputs\nreturn out_grad / b, out_grad * a / (b * b)"


def fill(workspace, **bodies):
    """Write bodies into stubs: ``Div__backward="return …"`` in ops.py."""
    path = workspace / "babygrad" / "ops.py"
    text = path.read_text()
    for name, body in bodies.items():
        place = definition.find_definition(text, name.replace("__", "."))
        text = definition.with_body(text, place, body.splitlines())
    path.write_text(text)
    return path


# ---- one exercise, named or not ---------------------------------------------------------------


def test_show_tells_prose_signature_worth_and_needs(workspace, grader):
    said = grader("show", DIV, cwd=workspace).out
    for part in (
        "pending", "section 3.4", "2 points", " minutes · ★★☆", "chapters/chapter3.md, line ",
        "babygrad/ops.py, line ", "def backward(self, out_grad", "d(a/b)/da = 1/b",
        "· pending   chapter3.div.forward", f"`grader check {DIV}`",
    ):  # fmt: skip
        assert part in said, part
    assert "return" not in said.partition("def backward")[2].partition("It needs")[0]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (os.mkfifo, "it is not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is a link"),
        (lambda path: path.write_text("x = 1\n" * (1 << 19)), "it is larger than 2 MB"),
        (lambda path: path.write_text("x = " + "-" * 60_000 + "1"), "it is too deep"),
    ],
    ids=["a pipe", "a device", "too large", "too deep"],
)
def test_what_stands_in_a_files_place_is_said(make, says, workspace, grader):
    path = workspace / "babygrad" / "ops.py"
    path.unlink()
    make(path)
    assert f"ops.py cannot be read: {says}" in grader("show", DIV, cwd=workspace).out
    assert grader("reset", DIV, "--yes", cwd=workspace).status == 2
    assert not list(path.parent.glob("*.bak*"))


def test_show_of_every_exercise_fits_80_columns_of_words():
    key = open_key()
    for chapter in map(key.chapter, key.chapters):
        for exercise in (e for e in chapter.exercises if not e["given"]):
            assert exercise_card.excerpt(chapter.id, exercise["anchor"]) is not None, exercise["id"]
            lines = list(box_lines(exercise, Style(colour=False, width=80)))
            code = [li for li in lines if "|" in li or li.startswith("        ")]
            wide = [li for li in lines if len(li) > 80 and li not in code]
            assert len(lines) > 2 and not wide, (exercise["id"], wide)


def test_a_name_of_several_is_the_first_that_is_not_passed(workspace, grader):
    fill(workspace, Sub__forward="return a - b", Div__forward="return a / b")
    grader("check", "3.2", cwd=workspace)
    assert grader("hint", "3.2", cwd=workspace).out.startswith("chapter3.pow.forward, hint 1")
    assert grader("hint", cwd=workspace).out.startswith("chapter3.pow.forward, hint 2")
    several = grader("reset", "chapter3.div", "--yes", cwd=workspace)
    assert several.status == 2 and "Name one exercise" in several.err


@pytest.mark.parametrize("command", ["show", "hint", "repro", "solution", "reset"])
def test_an_unknown_exercise_is_wrong_use(command, workspace, grader):
    ran = grader(command, "chapter3.divv", cwd=workspace)
    assert ran.status == 2 and "Did you mean chapter3.div" in ran.err


def test_repro_says_why_there_is_no_failing_call(workspace, grader):
    ran = grader("repro", DIV, cwd=workspace)
    assert ran.status == 1 and "not written yet" in ran.out
    fill(workspace, Div__forward="return a / b", Div__backward=WRONG_DIV)
    # The reference's operators, so that nothing but Div is at fault.
    ran = grader("repro", "chapter3.div.forward", cwd=workspace)
    assert ran.status == 0 and "is passed" in ran.out


# ---- solution ---------------------------------------------------------------------------------


def test_a_solution_is_shown_after_passing_or_on_request(workspace, grader):
    ran = grader("solution", DIV, cwd=workspace)
    assert ran.status == 1 and "b * b" not in ran.out and "--reveal" in ran.out
    assert not (workspace / ".grader" / "revealed.json").exists()
    ran = grader("solution", DIV, "--reveal", cwd=workspace)
    assert ran.status == 0 and "-out_grad * a / (b * b)" in ran.out
    assert list(json.loads((workspace / ".grader" / "revealed.json").read_text())) == [DIV]
    assert f"You have had 1 solution shown to you: {DIV}." in grader("status", cwd=workspace).out
    fill(workspace, Sub__forward="return a - b")
    grader("check", "chapter3.sub.forward", cwd=workspace)
    ran = grader("solution", "chapter3.sub.forward", cwd=workspace)
    assert ran.status == 0 and "return a - b" in ran.out
    assert list(json.loads((workspace / ".grader" / "revealed.json").read_text())) == [DIV]


def test_a_whole_file_of_the_reference_is_shown_on_request(workspace, grader):
    ran = grader("solution", "bughunt.py", "--all", cwd=workspace)
    assert ran.status == 1 and "--reveal" in ran.out and "def mended" not in ran.out
    ran = grader("solution", "chapter3.bughunt.mend", "--all", "--reveal", cwd=workspace)
    assert ran.status == 0 and "### BEGIN" not in ran.out
    assert ran.out == read_course().solved()["bughunt.py"]
    kept = json.loads((workspace / ".grader" / "revealed.json").read_text())
    assert sorted(kept) == ["chapter3.bughunt.mend", "chapter3.bughunt.predict"]
    bare = grader(
        "solution", "bughunt.py", "--all", "--reveal", "--no-docstrings", cwd=workspace
    ).out
    definitions = [n for n in ast.walk(ast.parse(bare)) if isinstance(n, ast.FunctionDef)]
    assert definitions and not any(map(ast.get_docstring, definitions))
    code = ast.unparse(ast.parse(bare))
    assert all(line in ast.unparse(ast.parse(ran.out)) for line in code.splitlines())
    assert grader("solution", "none.py", "--all", cwd=workspace).status == 2


# ---- reset ------------------------------------------------------------------------------------


def test_reset_asks_keeps_a_backup_and_touches_nothing_else(workspace, grader):
    fresh = (workspace / "babygrad" / "ops.py").read_bytes()
    path = fill(workspace, Div__forward="return a / b")
    other = path.read_bytes()
    fill(workspace, Div__backward=WRONG_DIV + "\n# and a comment of mine")
    mine = path.read_bytes()
    no = grader("reset", DIV, cwd=workspace)
    assert no.status == 1 and "Nothing was changed" in no.out and path.read_bytes() == mine
    yes = grader("reset", DIV, "--yes", cwd=workspace)
    assert yes.status == 0 and "ops.py.bak1" in yes.out
    assert path.read_bytes() == other
    assert (workspace / "babygrad" / "ops.py.bak1").read_bytes() == mine
    assert "already" in grader("reset", DIV, "--yes", cwd=workspace).out
    grader("reset", "chapter3.div.forward", "--yes", cwd=workspace)
    assert path.read_bytes() == fresh
    assert (workspace / "babygrad" / "ops.py.bak2").read_bytes() == other


def test_reset_helps_where_the_file_is_no_python_any_more(workspace, grader):
    path = workspace / "babygrad" / "ops.py"
    before = path.read_text()
    fill(workspace, Div__backward="return (a")
    path.write_text(path.read_text() + "\n")
    assert grader("check", DIV, cwd=workspace).status == 1
    assert grader("reset", DIV, "--yes", cwd=workspace).status == 0
    assert path.read_text() == before + "\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        "class A:\n    def f(self): return 1\n\n    def g(self):\n        return 2\n",
        "class A:\n    @property\n    def f(self):\n        '''Said.'''\n        # why\n"
        "        return 1\n        # left\n\n    # of g\n    def g(self):\n        return 2\n",
        "class A:\n    def f(\n        self,\n    ):\n        # why\n\n        x = '''\nodd\n'''\n"
        "        return x\n\n    def g(self):\n        return 2",
    ],
)
def test_a_body_is_replaced_and_every_other_line_stays(text, newline):
    text = text.replace("\n", newline)
    new = definition.with_body(text, definition.find_definition(text, "A.f"), ["pass"])
    assert new.count("pass") == 1 and "return 1" not in new and "return x" not in new
    assert "why" not in new and "left" not in new
    assert ("# of g" in new) == ("# of g" in text) and ("Said." in new) == ("Said." in text)
    assert new.endswith(text[text.index("    def g") :])
    assert len(new.split(newline)) > 4 and ("\r" in new) == (newline == "\r\n")
    ast.parse(new)


# ---- status -----------------------------------------------------------------------------------


def test_status_counts_and_tells_what_is_next_blocked_and_lost(workspace, grader):
    empty = grader("status", cwd=workspace)
    assert empty.status == 1 and "Nothing is checked yet" in empty.out
    assert "Next: write Sub.forward (section 3.2, chapter3.sub.forward)." in empty.out
    fill(
        workspace,
        Negate__forward="return -a", Sub__forward="return a - b",
        Sub__backward="return out_grad, negate(out_grad)",
    )  # fmt: skip
    grader("check", "chapter3", cwd=workspace)
    said = grader("status", cwd=workspace).out
    assert f"2 of {asked_in('chapter3')}" in said and "not any more" not in said
    assert "◦ chapter3.sub.backward is blocked by chapter3.negate.backward." in said
    fill(workspace, Sub__forward="return b - a")
    assert "has changed since" in grader("status", cwd=workspace).out
    grader("check", "chapter3", cwd=workspace)
    said = grader("status", cwd=workspace).out
    assert "✗ failed    chapter3.sub.forward, in your last check" in said
    assert f"1 of {asked_in('chapter3')}" in said and "Next: fix chapter3.sub.forward." in said
    assert all(len(line) <= 80 for line in said.splitlines()), said
    grader("check", "chapter3.abs", cwd=workspace)
    assert "chapter3.sub.forward, since " in grader("status", cwd=workspace).out
    fill(workspace, Sub__forward="return a - b")
    grader("check", "chapter3.sub.forward", cwd=workspace)
    assert "not any more" not in grader("status", cwd=workspace).out


def test_a_package_that_cannot_be_imported_loses_no_progress(workspace, grader):
    path = fill(workspace, Sub__forward="return a - b")
    grader("check", "chapter3", cwd=workspace)
    before = (workspace / ".grader" / "progress.json").read_text()
    path.write_text("def (:\n")
    assert grader("check", "chapter3", cwd=workspace).status == 1
    assert (workspace / ".grader" / "progress.json").read_text() == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"exercises": 3}', '{"exercises": {"a": "b"}}'])
def test_damaged_progress_is_no_progress(text, workspace, grader):
    grader("status", cwd=workspace)  # whoever is the first to ask for a key is told that it is made
    (workspace / ".grader" / "progress.json").write_text(text)
    ran = grader("status", cwd=workspace)
    assert ran.status == 1 and f"0 of {asked_in('chapter3')}" in ran.out and not ran.err


# Only Python's own modules, NumPy and the course can be found: what `pip install` alone brings.
WITHOUT_EXTRAS = """
import sys

class Alone:
    there = {*sys.stdlib_module_names, "grader", "exercises", "tests", "numpy"}

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in self.there and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Alone())
sys.argv = ["grader", "--help"]
from grader.cli import main
main()
"""


def test_every_command_is_there_without_any_extra():
    command = [sys.executable, "-c", WITHOUT_EXTRAS]
    ran = subprocess.run(command, cwd=root.ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "record PyTorch's answers" in ran.stdout, ran.stderr
