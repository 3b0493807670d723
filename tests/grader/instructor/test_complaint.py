"""One mark as a page, and what was written for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.commands.explain import (
    _compare,
    _record,
    _why_worthless,
    complaint,
    quote_code,
)
from grader.classroom.marks.results import Results
from grader.classroom.marks.roster import Person
from grader.course.package import NAME, Package
from grader.errors import WrongUse

from .records import check, exercise, record

TEXT = b"class A:\n    def f(self):\n        return 1\n\n\ndef g():\n    return 2\n"


def package(**files: bytes) -> Package:
    return Package("/x", {f"{name}.py": data for name, data in files.items()}, "0" * 64)


def test_what_was_written_stands_with_its_place():
    found = quote_code(package(ops=TEXT), ["ops.A.f", "ops.g", "ops.nowhere", "nn.h"])
    assert found == [
        (f"{NAME}/ops.py, line 2", "    def f(self):\n        return 1\n"),
        (f"{NAME}/ops.py, line 6", "def g():\n    return 2\n"),
    ]


@pytest.mark.parametrize("text", [b"def f(:", b"\0", b"x = " + b"-" * 100_000 + b"1"])
def test_what_is_no_python_is_left_to_the_replay(text):
    assert quote_code(package(ops=text), ["ops.f"]) == []


def test_its_learner_sees_nothing_of_hidden_inputs_and_staff_does():
    pytest.importorskip("jinja2")
    secret = check("failed", hidden=True, message="f(42.125)")
    given = exercise("chapter1.a", "failed", 0.0, secret)
    whole = record("ada", given)
    pages = [complaint(whole, given, True, [("ops.py, line 1", "x < 1")], staff).decode()
             for staff in (False, True)]  # fmt: skip
    assert "42.125" not in pages[0] and "42.125" in pages[1]
    assert all("x &lt; 1" in page and "ada, chapter1.a" in page for page in pages)


def test_a_learner_is_found_by_all_that_the_roster_says(tmp_path):
    with Results(str(tmp_path)) as results:
        person = Person("4711", "Ada Love", "ada@x.org", "A", "g1", "")
        results.write_batch({"seed": "s", "roster": [list(person)]})
        whose = "Ada Love_12_assignsubmission_file_"
        results.write(record(whose, whose=whose, counts=False))
        results.write(record(f"second/{whose}", whose=whose))
    for name in ("4711", "Ada Love", "ada@x.org", "Participant 12"):
        assert _record(results, name)["learner"].startswith("second/"), name
    assert _record(results, whose)["learner"] == whose  # by its whole name the other attempt
    with pytest.raises(WrongUse, match="Did you mean Ada Love"):
        _record(results, "Ada Lowe")


@given(
    st.lists(st.sampled_from(["passed", "failed", "crashed", "blocked"]), min_size=1, max_size=5)
)
def test_a_check_that_passes_and_earns_nothing_has_its_reason(statuses):
    """As `ExerciseVerdict.points` has it: nothing is earned unless the first check passes."""
    earns = statuses[0] == "passed"
    checks = [
        {**check(status), "score": 0.5 * (earns and status == "passed"), "max_score": 0.5}
        for status in statuses
    ]
    says = _why_worthless(exercise("chapter1.a", "failed", 0.0, *checks))
    is_idle = any(each["status"] == "passed" and not each["score"] for each in checks)
    assert bool(says) == is_idle and (not says or "the first check" in says)


@pytest.mark.parametrize("late", [{}, {"chapter1": {"hours": 24.98, "factor": 0.8}}])
def test_points_that_lateness_took_are_said_where(late, capsys):
    given = exercise("chapter1.a", "passed", 2.0)
    assert _compare(record("ada", given, late=late), given, given) == 0
    says = "It came 24.98 hours late, and 80 % of its points are left."
    assert (says in capsys.readouterr().out) == bool(late)
