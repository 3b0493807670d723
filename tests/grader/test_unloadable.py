"""A file that cannot be imported is reported once and costs only the exercises that need it."""

from __future__ import annotations

import json

from .whole_course import whole_course

SOURCES = whole_course().solved()
BROKEN = "def broken(:\n"
LIES = "babygrad/ops.py cannot be imported"


def broken(file: str) -> dict[str, str]:
    """The reference with one file that is no longer valid Python."""
    return {file.removesuffix(".py"): f"{SOURCES[file]}\n{BROKEN}"}


def test_one_cause_is_one_message(package, grader):
    place = str(package(**broken("ops.py")))
    names = ("check", "chapter2", "chapter3", "chapter11.zoo", "--package", place)
    told = grader(*names).out
    assert told.count("SyntaxError") == told.count("cannot be imported") == 1, told
    assert "Next: make `import babygrad` work." in told
    ran = grader(*names, "--json")
    (cause,) = ran.result["unloadable"]
    assert ran.out.count("SyntaxError") == 1 and "SyntaxError" in cause["message"]
    assert cause["location"].startswith("ops.py:")
    lost = {id for id, status in ran.statuses().items() if status == "crashed"}
    assert lost == set(cause["exercises"]) and "chapter11.zoo" in lost
    checks = ran.exercises()["chapter3.sub.forward"]["checks"]
    assert {c["message"] for c in checks} == {f"Not judged: {LIES}."}


def test_an_engine_that_is_broken_costs_its_own_exercises(package, grader):
    place = str(package(**broken("engines/apply.py")))
    names = ("check", "chapter11.apply.mul", "chapter11.closure.mul", "chapter11.grad_fn.sigmoid")
    ran = grader(*names, "--json", "--package", place)
    statuses = {id.split(".")[1]: status for id, status in ran.statuses().items()}
    assert statuses == {"apply": "crashed", "closure": "passed", "grad_fn": "passed"}
    told = grader(*names, "--package", place).out
    assert told.count("✗ babygrad/engines/apply.py cannot be imported.") == 1
    assert "Next: fix babygrad/engines/apply.py." in told


def test_one_engine_alone_needs_no_other(package, grader):
    place = str(package(**broken("engines/apply.py")))
    assert grader("check", "chapter11.closure.mul", "--package", place).status == 0


def test_what_could_be_judged_counts_as_progress(workspace, grader):
    (workspace / "babygrad" / "ops.py").write_text(SOURCES["ops.py"] + "\n" + BROKEN)
    grader("check", "chapter1.value.add", "chapter3.sub.forward", cwd=workspace)
    states = workspace / ".grader"
    written = " ".join(p.read_text() for p in states.glob("*.json")) if states.exists() else ""
    assert "chapter3.sub.forward" not in written


def test_the_exports_say_it_once(package, grader):
    from grader.classroom.marks.record import describe_exercise, is_lost

    place = str(package(**broken("ops.py")))
    ran = grader("check", "chapter3.sub", "--json", "--package", place)
    for exercise in ran.exercises().values():
        assert is_lost(exercise) and describe_exercise(exercise) == f"Not judged: {LIES}."
    assert json.dumps(ran.result["chapters"]).count("SyntaxError") == 0


def test_the_page_and_the_annotations_say_it_once(tmp_path, grader):
    """Two chapters and 40 of their exercises need the broken file."""
    for name, text in {**SOURCES, "ops.py": f"{SOURCES['ops.py']}\n{BROKEN}"}.items():
        file = tmp_path / "in" / "ada" / "babygrad" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    results = str(tmp_path / "results")
    chapters = ("--chapters", "chapter2", "chapter3", "--seed", "public", "--jobs", "1")
    ran = grader("grade", str(tmp_path / "in"), "--out", results, *chapters)
    assert ran.status in (0, 1), ran.err
    for name in ("html", "github"):
        made = grader("export", name, results, "--out", str(tmp_path / name))
        assert made.status == 0, made.err
    page = (tmp_path / "html" / "learners" / "ada.html").read_text(encoding="utf-8")
    assert page.count("SyntaxError") == page.count("cannot be imported") == 1
    assert "babygrad/ops.py cannot be imported" in page
    log = (tmp_path / "github" / "annotations.txt").read_text(encoding="utf-8")
    assert log.count("::error") == 1 and "file=babygrad/ops.py" in log
    summary = (tmp_path / "github" / "summary.md").read_text(encoding="utf-8")
    assert summary.count("SyntaxError") == summary.count("<details>") == 1
