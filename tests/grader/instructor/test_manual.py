"""The manual, followed: every `$ grader …` line of a page runs, in order, in one folder."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from grader import root
from grader.commands import parser

from .conftest import write_package

CHAPTER = "chapter7"
PAGES = ("instructors.md", "learners.md", "own-course.md", "results.md", "scaling.md")
DOCS = Path(root.path("docs"))
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="docs/ is no part of an installed grader")


def blocks(page: str, kind: str) -> list[str]:
    found = re.findall(rf"^```{kind}\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)
    return [line for block in found for line in block.splitlines()]


def commands(page: str) -> list[list[str]]:
    return [shlex.split(line[2:])[1:] for line in blocks(page, "console") if line.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_is_one(page):
    """That includes commands that are shown but not run: their options exist."""
    text = "\n".join(line for kind in ("text", "bash") for line in blocks(page, kind))
    shown = re.findall(r"^grader (.+)$", text.replace("\\\n", ""), re.M)
    lines = [*commands(page), *map(shlex.split, shown)]
    assert lines
    for words in lines:
        if "--help" not in words:
            parser(words).parse_args(words)


# Of a late chapter and of a shown sample, which the page tells in words.
DETAILS = {"hours", "factor"}
SCHEMAS = ("grader-result-1", "grader-class-1")


def fields(schema: dict) -> set[str]:
    """All names that a schema gives to anything, and all words that it allows."""
    own = set(schema.get("properties", ())) | {str(w) for w in schema.get("enum", ()) if w}
    inner = [each for each in schema.values() if isinstance(each, dict)]
    return own.union(*map(fields, inner)) if inner else own


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_page_of_results_knows_every_field(name):
    text = re.sub(r"^```.*?^```", "", (DOCS / "results.md").read_text(), flags=re.M | re.S)
    page = set(re.findall(r"`([^`]+)`", text))
    path = Path(root.PACKAGE) / "classroom" / "schemas" / f"{name}.schema.json"
    known = fields(json.loads(path.read_text()))
    assert len(known) > 20 and not known - page - DETAILS


@pytest.fixture
def class_folder(course, tmp_path: Path) -> Path:
    """Lay out what an instructor has before the page begins: hand-ins, and the platform's lists."""
    for name in ("ada", "bob"):
        write_package(tmp_path / "submitted" / name, course.solved())
    write_package(tmp_path / "submitted" / "mo", course.stubs(7))
    (tmp_path / "course.toml").write_text(
        "\n".join(line for line in blocks("instructors.md", "toml"))
    )
    (tmp_path / "times.csv").write_text("learner,time\nada,2026-03-07T11:00:00Z\n")
    (tmp_path / "worksheet.csv").write_text(
        "Identifier,Full name,Grade,Maximum grade,learner\nParticipant 1,Ada,-,100.00,ada\n"
    )
    return tmp_path


@pytest.mark.long
def test_the_instructors_pages_lead_to_a_graded_class(class_folder, grader):
    """With the public seed, whose key is there: a secret one takes minutes to be made."""
    for page, out in (("instructors.md", "results"), ("scaling.md", "base")):
        start = ["grade", "submitted", "--out", out, "--seed", "public", "--prepare"]
        start += ["--course", "course.toml"]  # or their points would be others
        assert grader(*start, "--chapters", CHAPTER, cwd=class_folder).status == 0
        for words in commands(page):
            ran = grader(*words, cwd=class_folder)
            assert ran.status in (0, 1) and "Traceback" not in ran.err, (words, ran.err)
    for made in (
        "handout/requirements.txt", "pages/index.html", "pages/learners/ada.html", "grades.csv",
        "insights.html", "filled.csv", "grader.yml", "grade-the-class.yml", "autograder.zip",
        "whole/results.csv",
    ):  # fmt: skip
        assert (class_folder / made).is_file(), made
    one, whole = ((class_folder / n / "results.csv").read_text() for n in ("results", "whole"))
    assert one == whole and len(one.splitlines()) == 4
    assert ",92.31," in (class_folder / "filled.csv").read_text()


def test_the_learners_page_runs(tmp_path, grader):
    made, *rest = commands("learners.md")
    assert grader(*made, cwd=tmp_path).status == 0
    for words in rest:
        ran = grader(*words, cwd=tmp_path / "work")
        assert ran.status in (0, 1) and "Traceback" not in ran.err, (words, ran.err)


def test_the_container_installs_what_the_project_has():
    text = (DOCS.parent / "Containerfile").read_text()
    project = (DOCS.parent / "pyproject.toml").read_text()
    (extras,) = re.findall(r"\[([\w,]+)\]\"", text)
    assert all(re.search(rf"^{extra} = \[", project, re.M) for extra in extras.split(","))
    assert "USER grader" in text
