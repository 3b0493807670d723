"""The loop of a learner: make a workspace, fill in a stub, check, read, go on."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files

import jsonschema
import pytest

from grader import root

SCHEMA = files("grader.classroom") / "schemas" / "grader-result-1.schema.json"
BOOK = """
from babygrad import Tensor
a, b, w = Tensor([2, 3]), Tensor([4, 5]), Tensor([3, 2])
d = (a * b) * w
d.backward()
print(a.grad.tolist(), b.grad.tolist())
"""


def solve(workspace, course, *targets):
    """Write the reference body of some targets into the stubs of a workspace."""
    place = workspace / "babygrad" / "ops.py"
    text = place.read_text()
    for target in targets:
        exercise = course.owner[target]
        stub = f"# Yours to write: section {exercise.section}; `grader check {exercise.id}`\n"
        head, _, tail = text.partition(stub)
        text = head + course.regions[target].body.strip() + tail.partition("NotImplementedError")[2]
    place.write_text(text)


def test_a_new_workspace_is_given_and_pending(workspace, grader):
    ran = grader("check", "chapter3", "--json", cwd=workspace)
    assert ran.status == 1
    assert ran.result["score"] == 0
    assert set(ran.statuses().values()) == {"given", "pending"}
    given = {id for id, status in ran.statuses().items() if status == "given"}
    assert given == {
        "chapter3.function", "chapter3.add.forward", "chapter3.add.backward",
        "chapter3.add_scalar.forward", "chapter3.add_scalar.backward", "chapter3.mul.forward",
    }  # fmt: skip
    chapter2 = grader("check", "chapter2", "--json", cwd=workspace)
    assert set(chapter2.statuses().values()) == {"given"} and chapter2.status == 0


def test_one_stub_filled_in_is_one_exercise_passed(workspace, grader, course):
    solve(workspace, course, "ops.Sub.forward")
    ran = grader("check", "--json", cwd=workspace)
    assert ran.statuses()["chapter3.sub.forward"] == "passed"
    assert ran.result["score"] == 1
    assert list(ran.statuses().values()).count("passed") == 1


@pytest.mark.parametrize("name", ["3.2", "chapter3.sub", "chapter3.sub.forward"])
def test_a_part_of_a_chapter(name, workspace, grader):
    ids = grader("check", name, "--json", cwd=workspace).statuses()
    assert "chapter3.sub.forward" in ids and len(ids) < 20


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("3", "chapter3"), ("Ch3", "chapter3"), ("Mul.backward", "chapter3.mul.backward"),
     ("babygrad/ops.py:{line}", "chapter3.mul.backward")],
)  # fmt: skip
def test_a_check_understands_a_name_as_people_type_it(typed, meant, workspace, grader):
    lines = (workspace / "babygrad/ops.py").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "check chapter3.mul.backward`" in text)
    loose, exact = (
        grader("check", name.format(line=line), "--json", cwd=workspace).statuses()
        for name in (typed, meant)
    )
    assert loose == exact


def test_the_grader_alone_lists_its_commands(grader):
    alone = grader()
    assert alone.status == 2 and "\n    check " in alone.out and not alone.err


def test_init_never_overwrites(workspace, grader):
    mine = workspace / "babygrad" / "ops.py"
    mine.write_text("my own work\n")
    again = grader("init", "work", "--from", "chapter3", cwd=workspace.parent)
    assert again.status == 0 and len(again.out.splitlines()) == 5  # the files in one line
    assert "that were there already, and stay: .grader/workspace.json, " in again.out
    assert mine.read_text() == "my own work\n"


def test_earlier_chapters_come_solved_and_later_ones_do_not(workspace, course):
    tensor = (workspace / "babygrad" / "tensor.py").read_text()
    assert course.regions["tensor.Tensor.__init__"].body.strip().splitlines()[-1] in tensor
    assert "SOLUTION" not in tensor
    assert "section 3.11" in tensor


def test_the_package_works_without_the_grader(tmp_path, course):
    for name, text in course.solved().items():
        path = tmp_path / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", BOOK], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("] [") == ["[12.0, 10.0", "6.0, 6.0]\n"]


def test_the_reference_passes_everything_and_the_json_follows_its_schema(grader):
    ran = grader("check", *_chapters(grader), "--json", "--package", root.path("solutions"))
    assert ran.status == 0
    assert ran.result["score"] == ran.result["max_score"] > 0
    jsonschema.validate(ran.result, json.loads(SCHEMA.read_text()))


def _chapters(grader):
    from grader.course.key_source import open_key

    return open_key().chapters


def test_a_wrong_mul_blocks_what_merely_uses_it(package, grader):
    wrong = {"ops.Mul.backward": "a, b = node._inputs\nreturn b * 1.5, a * 1.5"}
    ran = grader("check", "chapter3", "--json", "--package", str(package(wrong)))
    jsonschema.validate(ran.result, json.loads(SCHEMA.read_text()))
    statuses = ran.statuses()
    assert statuses["chapter3.mul.backward"] == "failed"
    assert [id for id, s in statuses.items() if s == "failed"] == ["chapter3.mul.backward"]
    blocked = [e for e in ran.exercises().values() if e["status"] == "blocked"]
    assert blocked
    assert all(e["blocked_by"] == ["chapter3.mul.backward"] for e in blocked)
    assert all(c["mistake"] is None for e in blocked for c in e["checks"])


def test_fail_fast_stops_at_the_first_fault(package, grader):
    wrong = {"ops.Sub.forward": "return b - a", "ops.Log.forward": "return np.log2(a)"}
    place = str(package(wrong))
    ran = grader("check", "chapter3", "--json", "--fail-fast", "--package", place)
    assert [s for s in ran.statuses().values() if s == "failed"] == ["failed"]
    assert list(ran.statuses())[-1] == "chapter3.sub.forward"


def test_without_a_name_the_current_chapter_is_checked(tmp_path, grader, course):
    grader("init", "work", "--from", "chapter2", cwd=tmp_path)
    folder = tmp_path / "work"
    assert "chapter2  " in grader("check", cwd=folder).out
    for name, text in course.solved().items():
        (folder / "babygrad" / name).parent.mkdir(exist_ok=True)
        (folder / "babygrad" / name).write_text(text)
    assert "chapter2  " in grader("check", cwd=folder).out
    assert "chapter3  " in grader("check", cwd=folder).out


def test_hints_climb_and_stay_on_the_last_rung(workspace, grader, course):
    hints = course.exercises["chapter3.div.backward"].hints
    said = [
        grader("hint", "chapter3.div.backward", cwd=workspace).out for _ in range(len(hints) + 1)
    ]
    assert [s.splitlines()[0][-6:] for s in said] == [
        f"{min(n, len(hints))} of {len(hints)}" for n in range(1, len(hints) + 2)
    ]


def test_the_report_is_readable_at_80_columns_without_colour(package, grader):
    wrong = {"ops.Div.backward": course_mistake("forgot-minus")}
    out = grader("check", "chapter3.div", "--package", str(package(wrong))).out
    assert "\x1b" not in out
    parts = [
        "Div.backward returns the gradient of every input.",
        "yours  ", "right  ",
        "The gradient of b lacks its minus",
        "In babygrad/ops.py, line ",
        "`grader hint chapter3.div.backward`",
    ]  # fmt: skip
    places = [out.index(part) for part in parts]
    assert places == sorted(places), out
    assert all(len(line) <= 80 for line in out.splitlines() if "judged" not in line), out


def course_mistake(name):
    from grader.course.load import read_course

    mistakes = read_course().exercises["chapter3.div.backward"].mistakes
    return next(m.body for m in mistakes if m.name == name)
