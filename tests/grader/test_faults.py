"""A fault in an editor stands at the report's line and moves along with its definition."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.course.package import Package
from grader.editor.background import IMPORT, Fault, FaultBoard
from grader.result import hide_answers

TEXT = "import numpy\n\n\nclass A:\n    def f(self):\n        return 1\n"
OWNERS = {"ops.A.f": "chapter1.a"}


@pytest.fixture
def board(tmp_path):
    (tmp_path / "ops.py").write_text(TEXT)
    learner = Package(str(tmp_path), {"ops.py": TEXT.encode(), "__init__.py": b""}, "")
    key = SimpleNamespace(table={"targets": OWNERS})
    return FaultBoard(SimpleNamespace(folder=str(tmp_path), learner=learner, key=key))


def a_round(status="failed", unloadable=(), mistake=None, location="ops.py:5"):
    check = {
        "id": "chapter1.a.value", "title": "f is right.", "status": status, "max_score": 1.0,
        "reason": {"name": "values", "says": "Its values are not right."}, "call": "A().f()",
        "inputs": {"x": 2}, "notes": ["A note."], "place": None,
        "mistake": mistake, "location": location, "yours": 1.0,
        "expected": {**hide_answers(), "reference": 2.0},
    }  # fmt: skip
    exercise = {"id": "chapter1.a", "status": status, "checks": [check]}
    return SimpleNamespace(exercises=[exercise], result={"unloadable": list(unloadable)})


def test_the_sentence_the_call_and_both_results(board):
    board.take(a_round())
    (fault,) = board.faults()
    assert fault[:5] == ("ops.py", 5, (4, 16), "chapter1.a", "Its values are not right.")
    assert fault.call.splitlines()[:2] == ["A().f()", "x = 2"] and "yours" in fault.call
    board.take(a_round(mistake={"name": "one", "says": "You took\nthe other one."}))
    assert board.faults()[0].says == "You took the other one."


def test_it_moves_along_and_goes_when_mended(board):
    board.take(a_round(location="ops.py:6"))
    files = board.session.learner.files
    files["ops.py"] = ("# one more\n\n" + TEXT).encode()
    assert board.faults()[0].line == 8
    files["ops.py"] = b"class A(:\n"  # nobody knows where it stands: where it stood
    assert board.faults()[0].line == 6
    board.take(a_round("passed"))
    assert board.faults() == []


@pytest.mark.parametrize("made_up", ["../../etc/passwd:1", "ops.py:99", "ops.py", "", None])
def test_a_place_that_is_not_there_is_the_file_of_the_exercise(board, made_up):
    board.take(a_round(location=made_up))
    assert board.faults()[0][:2] == ("ops.py", 1)


def test_what_cannot_be_imported_stands_alone_and_forgets_nothing(board):
    board.take(a_round())
    cause = {"message": "SyntaxError:\nno", "location": "ops.py:4", "exercises": ["chapter1.a"]}
    board.take(a_round("crashed", [cause]))
    assert board.faults() == [Fault("ops.py", 4, (0, 8), IMPORT, "SyntaxError: no")]
    board.take(a_round("crashed", [{**cause, "location": None}]))
    assert board.faults()[0][:2] == ("__init__.py", 1)
    empty = SimpleNamespace(exercises=[], result={"unloadable": []})
    board.take(empty)
    assert [f.code for f in board.faults()] == ["chapter1.a"]
