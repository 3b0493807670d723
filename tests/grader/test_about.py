"""What a course says of itself, and what it may not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader import root
from grader.about import COURSE, about_of
from grader.cli import OUR_FAULT, explain_failure
from grader.errors import WrongUse

OWN = Path(root.ROOT) / "examples" / "own_course"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": "numpy"}, "there is a package of this name already"),
        ({"name": "no name"}, "as a Python package is called"),
        ({"chapter": "Lesson 1"}, "a word in small letters"),
        ({"nmae": "x"}, "'nmae', which means nothing"),
        ({"forbidden": {"imports": []}}, "forbidden has to hold imports, says"),
        ({"files": "describe.py"}, "files has to be a list"),
        ({"schema": "grader-course/2"}, "does not begin with"),
        ({"repository": "javascript:alert(1)"}, "repository has to begin with https://"),
        ({"contact": "write to me\x1b[0m"}, "an address of mail or of a page"),
    ],
)
def test_a_course_file_that_cannot_be_used_says_why(change, says):
    right = json.loads((OWN / "course.json").read_text())
    with pytest.raises(WrongUse, match=re.escape(says)):
        about_of(json.dumps({**right, **change}).encode(), "course.json")


@pytest.mark.parametrize(
    ("contact", "says"),
    [("", "lines above; your files"), ("a@b.org", "lines above to a@b.org; your files")],
)
def test_a_fault_of_ours_says_where_to_report_it(contact, says, monkeypatch, capsys):
    monkeypatch.setattr(COURSE, "contact", contact)
    assert explain_failure(ZeroDivisionError("on purpose")) == OUR_FAULT
    assert says in " ".join(capsys.readouterr().err.split())
