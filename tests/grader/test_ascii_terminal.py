"""A terminal that is not UTF-8: everything is said that it can show."""

from __future__ import annotations

import pytest

DIV = "chapter3.div.backward"


@pytest.mark.parametrize("command", ["check", "show", "status", "solution"])
def test_a_terminal_that_knows_ascii_only_is_told_the_same(command, workspace, grader):
    names = [] if command == "status" else [DIV]
    ordinary = grader(command, *names, cwd=workspace)
    narrow = grader(command, *names, cwd=workspace, PYTHONIOENCODING="ascii")
    assert narrow.status == ordinary.status
    assert "Traceback" not in narrow.err
    assert len(narrow.out.splitlines()) == len(ordinary.out.splitlines())


def test_the_canonical_result_needs_no_more_than_ascii(workspace, grader):
    named = ("check", "chapter3.summation", "--json")
    ordinary = grader(*named, cwd=workspace)
    narrow = grader(*named, cwd=workspace, PYTHONIOENCODING="ascii")
    assert narrow.out.isascii() and narrow.result == ordinary.result
