"""What a course says of itself, and what it may not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader import root
from grader.about import about_of
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
    ],
)
def test_a_course_file_that_cannot_be_used_says_why(change, says):
    right = json.loads((OWN / "course.json").read_text())
    with pytest.raises(WrongUse, match=re.escape(says)):
        about_of(json.dumps({**right, **change}).encode(), "course.json")
