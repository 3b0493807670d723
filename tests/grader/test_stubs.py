"""`grader stubs`: made from the reference and from nothing else; never over somebody's work."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader import root

PARTS = ("grader", "exercises", "solutions", "babygrad", "chapters")


@pytest.fixture
def tree(tmp_path):
    """A copy of the course that may be spoilt."""
    for part in PARTS:
        shutil.copytree(root.path(part), tmp_path / part)  # with what Python has compiled of it
    shutil.copy(root.path("course.json"), tmp_path)
    return tmp_path


def stubs(tree, grader, *options):
    return grader("stubs", *options, cwd=tree, PYTHONPATH=str(tree))


def test_the_stubs_are_up_to_date(tree, grader):
    assert stubs(tree, grader, "--check").status == 0


def test_a_changed_reference_is_noticed_and_written(tree, grader):
    ops = tree / "solutions" / "babygrad" / "ops.py"
    ops.write_text(ops.read_text().replace("``a / b``, value by value.", "``a / b``, one by one."))
    checked = stubs(tree, grader, "--check")
    assert checked.status == 1 and "babygrad/ops.py" in checked.out
    assert stubs(tree, grader).status == 0
    assert "one by one" in (tree / "babygrad" / "ops.py").read_text()
    assert stubs(tree, grader, "--check").status == 0


WORK = {
    "a body that somebody wrote": ("raise NotImplementedError", "return a - b", "Sub.forward"),
    "a helper of somebody's own": (
        "class Sub(",
        "def mine():\n    return 1\n\n\nclass Sub(",
        "mine",
    ),
    "no Python": ("class Sub(", "class Sub((", "is no Python"),
}


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("name", WORK)
def test_somebodys_work_is_named_and_kept(name, tree, grader):
    old, new, said = WORK[name]
    ops = tree / "babygrad" / "ops.py"
    head, middle, tail = ops.read_text().partition("class Sub(")
    text = head + (middle + tail).replace(old, new, 1)
    ops.write_text(text)
    ran = stubs(tree, grader)
    assert ran.status == 2 and "babygrad/ops.py" in ran.err and said in ran.err
    assert ops.read_text() == text


def test_a_workspace_that_cannot_be_written_is_one_sentence(tmp_path, grader):
    (tmp_path / "file").write_text("")
    ran = grader("init", str(tmp_path / "file" / "work"))
    assert ran.status == 2 and "cannot be written to" in ran.err and "Traceback" not in ran.err


def test_every_file_of_the_stub_package_is_generated():
    names = {p.name for p in Path(root.path("babygrad")).glob("*.py")}
    assert names == {p.name for p in Path(root.path("solutions", "babygrad")).glob("*.py")}
