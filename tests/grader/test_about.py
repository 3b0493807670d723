"""A course file names the course, its report address and its files; a wrong one is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader import about, root
from grader.about import COURSE, OWN_FILES, about_of
from grader.cli import OUR_FAULT, explain_failure
from grader.course.source_digest import source_files
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
        ({"graphs": "../graphs.py"}, "a Python file inside the course, not '../graphs.py'"),
        ({"graphs": "/graphs.py"}, "a Python file inside the course"),
        ({"graphs": "graphs.txt"}, "a Python file inside the course"),
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


@pytest.mark.parametrize("place", ["", "exercises/", "words/of-ours/"])
@pytest.mark.parametrize("key", OWN_FILES)
def test_a_file_of_its_own_lies_where_the_course_says(key, place, monkeypatch, tmp_path):
    """By default the file lies beside `course.json`, as in version 1.0."""
    name = f"{place}{key}.py"
    said = {**json.loads((OWN / "course.json").read_text()), **({key: name} if place else {})}
    (tmp_path / "course.json").write_text(json.dumps(said))
    monkeypatch.setattr(root, "ROOT", str(tmp_path))
    if place:
        with pytest.raises(WrongUse, match=f"{key} is {name}, and no such file is there"):
            about.read_about(str(tmp_path))
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("WORD = 7\n")
    monkeypatch.setattr(about, "COURSE", about.read_about(str(tmp_path)))
    assert about.own_names(key)["WORD"] == 7
    assert about.metadata_files().keys() == {"course.json", name}


def test_no_file_of_its_own_is_a_source_of_answers():
    names = {name.rpartition("/")[2] for name in COURSE.own_files.values()}
    assert names == {f"{key}.py" for key in OWN_FILES}
    assert not {root.path(name) for name in COURSE.own_files.values()} & {*source_files()}
    assert root.path("tests", "chapter3", "graphs.py") in source_files()
