"""The report in a notebook: places in cells, HTML that holds no HTML of a learner's."""

from __future__ import annotations

import sys

import pytest

from grader.about import COURSE
from grader.notebooks import notebook_report

from .instructor.records import check, exercise, result

TEXT = b"x = 1\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"


def wrong(**more):
    return result(exercise("chapter1.a", "failed", 0.0, check("failed", **more)))


def only(found):
    return found["chapters"][0]["exercises"][0]["checks"][0]


@pytest.mark.parametrize(
    ("place", "told"),
    [("ops.py:5", "@cell ops.f:3"), ("ops.py:4", "@cell ops.f:2"), ("ops.py:9", "ops.py:9"),
     ("nn.py:5", "nn.py:5"), (None, None)],
)  # fmt: skip
def test_a_line_of_an_answer_is_a_line_of_its_cell(place, told):
    files = {"ops.py": TEXT, "broken.py": b"def f(:\n"}
    answers = dict.fromkeys(["ops.f", "broken.f", "nowhere.f"])
    assert (
        only(notebook_report.map_lines_to_cells(wrong(location=place), files, answers))["location"]
        == told
    )


def test_the_report_names_cells_and_no_command_that_knows_none():
    shown = notebook_report.format_report(wrong(location="@cell ops.f:3"))
    assert 'In the cell of "ops.f", line 3.' in shown.plain
    assert COURSE.name + "/@cell" not in shown.plain and "grader repro" not in shown.plain
    assert "`grader hint chapter1.a` in a terminal." in shown.plain
    assert repr(shown) == shown.plain


def test_html_has_colours_and_nothing_of_a_learners():
    shown = notebook_report.format_report(wrong(message="f(a)\n<script>"))
    rich = shown._repr_html_()
    assert "&lt;script&gt;" in rich and "<script>" not in rich and "\x1b" not in rich
    assert rich.count("<span") == rich.count("</span>") > 0


@pytest.mark.parametrize(
    ("each", "says"),
    [
        (exercise("chapter1.a", "passed", 2.0), ""), (exercise("chapter1.a", "given"), ""),
        (exercise("chapter1.a", "failed", 0.5, check("failed")),
         "Failed (0.5 of 2 points). It is right."),
        (exercise("chapter1.a", "failed", 0.0,
                  check("failed", mistake={"name": "n", "says": "S."})),
         "Failed (0 of 2 points). It is right. S."),
        (exercise("chapter1.a", "blocked", 0.0, blocked_by=["x", "y"]),
         "Blocked (0 of 2 points). It waits for x and y."),
        (exercise("chapter1.a", "blocked", 0.0,
                  check("blocked", reason={"name": "ran_undetected", "says": "It passes."}),
                  blocked_by=["x"]), "Blocked (0 of 2 points). It waits for x. It passes."),
        (exercise("chapter1.a", "pending", 0.0, check("pending", message="f is not written.")),
         "Pending (0 of 2 points). f is not written."),
    ],
)  # fmt: skip
def test_a_remark_says_what_a_mark_rests_on(each, says):
    assert notebook_report.remark(each) == says


def test_a_class_sees_no_number_of_a_hidden_check():
    found = only(notebook_report.redact(wrong(hidden=True, message="f(42)", yours=[42.0])))
    assert found["message"] == notebook_report.HIDDEN and found["yours"] is None
    assert only(notebook_report.redact(wrong(message="f(1)")))["message"] == "f(1)"
    passed = result(exercise("chapter1.a", "passed", 2.0, check("passed", hidden=True)))
    assert only(notebook_report.redact(passed))["message"] == "f(a)"


def test_where_nothing_displays_it_is_printed(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    notebook_report.display_report(notebook_report.format_sentence("A <word>."))
    assert capsys.readouterr().out == "A <word>.\n"
    assert "A &lt;word&gt;." in notebook_report.format_sentence("A <word>.").rich
