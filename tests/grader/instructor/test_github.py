"""GitHub's annotations: a line per fault, and nothing of a learner's begins a command."""

from __future__ import annotations

import pytest

from grader.classroom.exports import ExportRequest
from grader.classroom.exports.ci import export_annotations
from grader.course.package import NAME

from .records import check, exercise, record, unjudged


def exported(*records) -> tuple[list[str], str]:
    files = export_annotations(ExportRequest(list(records), None, "x", None, [])).files
    return files["annotations.txt"].decode().split("\n")[:-1], files["summary.md"].decode()


def failed(**more):
    return record("ada", exercise("chapter1.a", "failed", 0.0, check("failed", **more)))


def test_a_fault_stands_beside_its_line():
    commands, summary = exported(failed(location="ops.py:3", message="f(a)\n100 %"))
    (command,) = commands
    place = f"::error file={NAME}/ops.py,line=3,title=a%3A failed::"
    assert command == f"{place}It is right.%0Af(a)%0A100 %25%0AIn ops.py:3"
    assert "| 1.1 | a | ❌ failed | 0/2 |" in summary
    assert "**ada: 0 of 2 points**; isolation: confined" in summary


@pytest.mark.parametrize("evil", ["\n::set-output name=x::y", "\r\n::stop", "a\u2028::error::b"])
def test_a_learners_words_begin_no_command(evil):
    commands, _ = exported(failed(message=evil))
    text = "\n".join(commands)
    assert text.count("\n") == text.count("\r") == 0 and text.startswith("::error title=")


def test_what_is_right_or_waits_is_no_fault():
    judged = record("ada", exercise("chapter1.a", "passed", 2.0), exercise("chapter1.b", "given"),
                    exercise("chapter1.c", "blocked"))  # fmt: skip
    commands, summary = exported(judged)
    assert commands == [] and "✅ passed" in summary and "⏸️ blocked" in summary
    assert "| b |" not in summary


def test_what_cannot_be_imported_is_told_once():
    says = "Not judged: ops.py cannot be imported."
    lost = check("crashed", says, reason={"name": "not_imported", "says": says})
    whole = record("ada", *(exercise(f"chapter1.{n}", "crashed", 0.0, lost) for n in "abc"))
    cause = {"message": "SyntaxError", "location": "ops.py:1", "exercises": ["chapter1.a"]}
    whole["result"]["unloadable"] = [cause]
    commands, summary = exported(whole)
    assert len(commands) == 1 and commands[0].endswith("::SyntaxError")
    assert summary.count("SyntaxError") == 1


def test_names_and_words_stay_text_in_markdown():
    _, summary = exported(unjudged("a|b<script>", "`x` | [y](z)"))
    assert r"**a\|b&lt;script>**: \`x\` \| \[y\](z)" in summary
    _, summary = exported(failed(message="</pre><script>"))
    assert "&lt;/pre>&lt;script>" in summary


def test_a_blank_line_in_a_message_lets_nothing_out_of_its_html():
    _, summary = exported(failed(message="one\n\n![x](http://127.0.0.1)\n \ntwo"))
    inside = summary.partition("<pre>")[2].partition("</pre>")[0]
    assert "one\n&#32;\n![x]" in inside and all(map(str.strip, inside.split("\n")))
