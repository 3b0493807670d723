"""Given code that was changed is judged for no points, and can be had back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from grader.course import splice
from grader.course.key_source import open_key
from grader.course.outline import chapter_no, chapter_of
from grader.editor.watch_session import WatchSession
from grader.learner import selection
from grader.learner.own_file import find_definition, locate, with_body
from grader.learner.workspace import read_definitions
from grader.sandbox.launch import ForkServer
from grader.verdict import WRONG

from .made_once import made_once
from .test_pytest_plugin import run_pytest
from .whole_course import whole_course

COURSE = whole_course()
LAST = COURSE.chapters[-1]
GIVEN = [e for e in COURSE.exercises.values() if chapter_no(e.id) < LAST.number]
FRAME = [e.id for e in GIVEN if e.given]
EARLIER = [e.id for e in GIVEN if not e.given]
MUL = "chapter3.mul.backward"
RETURN = "return out_grad * b, out_grad * a"


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory, grader) -> Path:
    """A workspace that begins at the last chapter, as `init` writes it."""

    def make(place: Path) -> None:
        assert grader("init", "work", "--from", LAST.id, cwd=place).status == 0

    return made_once(tmp_path_factory, "begun-last", make) / "work"


@pytest.fixture
def work(handed_out, tmp_path) -> Path:
    return Path(shutil.copytree(handed_out, tmp_path / "work"))


def write_body(work: Path, target: str, body: str) -> Path:
    """Put another body into the file of a target; the path of that."""
    path, name = locate(str(work / "babygrad"), target)
    text, lines = Path(path).read_text(), textwrap.dedent(body).strip("\n").splitlines()
    place = find_definition(text, name)
    assert place is not None
    Path(path).write_text(with_body(text, place, lines))
    return Path(path)


def break_given(work: Path, id: str) -> Path:
    """Write a named mistake of an exercise into the code that was given."""
    exercise = COURSE.exercises[id]
    mistake = exercise.mistakes[0]
    return write_body(work, mistake.target or exercise.targets[0], mistake.body)


def fault_of_round_trip(id: str, work: Path, handed_out: Path, grader) -> str:
    """Break, check, repro, reset and check a given exercise; what is not as it should be."""
    path = break_given(work, id)
    before = handed_out / path.relative_to(work)
    ran = grader("check", id, "--json", cwd=work)
    told = ran.exercises()[id]
    if told["status"] not in WRONG or (told["score"], told["max_score"]) != (0, 0):
        return f"{id}: {told['status']}, {told['score']} of {told['max_score']}"
    wrong = [c for c in told["checks"] if c["status"] in WRONG]
    if not wrong[0].get("repro", True) or told["status"] == "refused":
        pass  # of a prediction, a cost and a broken rule there is no call to show
    elif fault := fault_of_script(id, work, grader):
        return fault
    grader("reset", id, "--yes", cwd=work)
    if path.read_bytes() != before.read_bytes():
        return f"{id}: {path.name} is not as it was given"
    ran = grader("check", id, cwd=work)
    return "" if ran.status == 0 and "given, and intact" in ran.out else f"{id}: {ran.out}"


def fault_of_script(id: str, work: Path, grader) -> str:
    ran = grader("repro", id, "--out", "again.py", cwd=work)
    if ran.status:
        return f"{id}: no script: {ran.out}"
    done = subprocess.run(
        [sys.executable, "again.py"], cwd=work, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    (work / "again.py").unlink()
    shows = "wrong" in done.stdout or "expected" in done.stdout or done.returncode
    return "" if shows else f"{id}: the script shows nothing wrong: {done.stdout}"


@pytest.mark.sampled(quick=120, long=12)
@pytest.mark.parametrize("id", EARLIER)
def test_given_code_that_is_broken_is_reported_and_restored(id, work, handed_out, grader):
    assert fault_of_round_trip(id, work, handed_out, grader) == ""


def test_a_frame_without_checks_is_compared_and_restored(work, grader):
    """The whole frame is changed at once, and none of it is run."""
    key, folder = open_key(), str(work / "babygrad")
    before = {path: path.read_bytes() for path in (work / "babygrad").rglob("*.py")}
    for id in FRAME:
        for target in COURSE.exercises[id].targets:
            write_body(work, target, "pass  # anything else")
    assert selection.find_changed(key, selection.package.read_package(folder), FRAME) == set(FRAME)
    said = grader("check", FRAME[1], cwd=work).out
    assert "changed by you, and not checked" in said and "intact" not in said
    for id in FRAME:
        assert grader("reset", id, "--yes", cwd=work).status == 0
    assert {path: path.read_bytes() for path in before} == before


def test_changed_code_that_is_right_says_so_everywhere(work, grader):
    body = "a, b = node._inputs\nreturn b * out_grad, a * out_grad"
    file = write_body(work, "ops.Mul.backward", body)
    right = f"{MUL} is given, changed by you, and right; `grader reset {MUL}` restores it."
    ran = grader("check", "chapter3", cwd=work)
    assert ran.status == 0 and right in " ".join(ran.out.split()) and "All else" in ran.out
    assert grader("repro", MUL, cwd=work).out.endswith("and right: there is no failing call.\n")
    assert "It was given, and you changed it" in grader("status", cwd=work).out
    assert "you changed it" in grader("show", MUL, cwd=work).out
    shown = grader("solution", MUL, cwd=work)
    assert shown.status == 0 and RETURN in shown.out
    assert not (work / ".grader" / "revealed.json").exists()
    file.write_text(file.read_text().replace("return b * out_grad", "return (b * out_grad"))
    assert grader("reset", MUL, "--yes", cwd=work).status == 0  # though the file is no Python
    assert grader("show", MUL, cwd=work).out.endswith("nothing to write here; read it.\n")


def test_status_goes_on_with_given_code_that_fails(work, grader):
    break_given(work, MUL)
    said = grader("check", MUL, cwd=work).out
    assert "(given, and changed by you)" in said
    assert f"restore what was given: `grader reset {MUL}`" in said
    said = grader("status", cwd=work).out
    assert f"✗ failed    {MUL}" in said and f"Next: fix {MUL}." in said
    grader("reset", MUL, "--yes", cwd=work)
    assert MUL not in grader("status", cwd=work).out


def test_spaces_and_comments_are_no_change(work, grader):
    file = work / "babygrad" / "ops.py"
    text = file.read_text().replace(RETURN, "return out_grad*b, out_grad * a  # so")
    file.write_text(text.replace("\n", "\r\n"))
    assert "given, and intact" in grader("check", "chapter3", cwd=work).out


def test_the_usual_check_reads_no_reference(work, monkeypatch):
    """The exercise asked for is the learner's own: a frame beside it is not compared."""
    monkeypatch.setattr(selection.workspace, "read_given", None)
    learner = selection.package.read_package(str(work / "babygrad"))
    asked = [id for id in COURSE.exercises if chapter_of(id) == LAST.id]
    assert selection.find_changed(open_key(), learner, asked) == set()
    assert selection.find_changed(open_key(), learner, [*asked, FRAME[0]]) == set()


def test_an_edit_of_one_file_has_no_other_one_parsed(work, monkeypatch):
    file, parsed, compare = break_given(work, MUL), [], splice.find_edited

    def note(owners, files, came):
        parsed.extend(came)
        return compare(owners, files, came)

    def changed():
        parsed.clear()
        learner = selection.package.read_package(str(work / "babygrad"))
        return selection.find_changed(open_key(), learner, EARLIER)

    monkeypatch.setattr(splice, "find_edited", note)
    assert changed() == {MUL}  # others may have asked it before
    assert changed() == {MUL} and parsed == []
    file.write_text(f"{file.read_text()}# {time.time_ns()}\n")
    assert changed() == {MUL} and parsed == ["ops.py"]


def test_a_release_has_its_given_code_from_what_it_handed_out(work):
    base = work / ".grader" / "base"
    shutil.copytree(work / "babygrad", base / "babygrad")
    ops = base / "babygrad" / "ops.py"
    ops.write_text(ops.read_text().replace(RETURN, "return 1, 2"))
    folder = str(work / "babygrad")
    assert "return 1, 2" in read_definitions(folder, ["ops.Mul.backward"])["ops.Mul.backward"]
    learner = selection.package.read_package(folder)
    assert selection.find_changed(open_key(), learner, [MUL, "chapter3.sub.backward"]) == {MUL}


def test_a_watch_judges_given_code_that_is_saved(work):
    with ForkServer(restarts=True) as warm:
        session = WatchSession(open_key(), str(work / "babygrad"), [LAST.id], warm)
        current, file = session.working_on(), work / "babygrad" / "ops.py"
        text = file.read_text()
        break_given(work, MUL)
        first, *_ = session.saved()
        assert [(e["id"], e["status"]) for e in first.exercises] == [(MUL, "failed")]
        assert session.working_on() == current and session.status_of(MUL) == "failed"
        file.write_text(text)
        first, *_ = session.saved()
        assert [e["status"] for e in first.exercises] == ["given"] == [session.status_of(MUL)]


def test_pytest_has_an_item_for_given_code_that_was_changed(work):
    break_given(work, MUL)
    done = run_pytest("-p", "grader.pytest_plugin", os.path.join("babygrad", "ops.py"), cwd=work)
    assert f"FAILED babygrad/ops.py::{MUL}" in done.stdout and done.returncode == 1
    assert "given, and changed by you" in done.stdout
