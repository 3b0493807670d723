"""An exercise as plain text, for places of others."""

from __future__ import annotations

from grader.classroom.marks.record import describe_exercise, is_lost


def check(status: str, **more):
    usual = {
        "id": "chapter1.x/a", "title": "It is right.", "status": status, "score": 0.0,
        "max_score": 1.0, "hidden": False, "message": "f(a)", "mistake": None, "location": None,
        "yours": None, "expected": {"reference": None, "finite_difference": None, "pytorch": None},
    }  # fmt: skip
    return {**usual, **more}


def exercise(status: str, *checks):
    return {"id": "chapter1.x", "status": status, "blocked_by": ["chapter1.y", "chapter1.z"],
            "checks": list(checks)}  # fmt: skip


def test_what_is_wrong_is_told_check_by_check():
    wrong = check(
        "failed", yours=[2.0], expected={"reference": [1.0], "finite_difference": None,
                                         "pytorch": None},
        mistake={"name": "twice", "says": "You doubled it."}, location="ops.py:3",
    )  # fmt: skip
    said = describe_exercise(
        exercise("failed", check("passed"), wrong, check("crashed", message=""))
    )
    assert said == (
        "It is right.\nf(a)\nyours: [2.0]\nreference: [1.0]\nYou doubled it.\nIn ops.py:3"
        "\n\nIt is right."
    )


def test_who_waits_is_said_and_what_is_right_says_nothing():
    assert (
        describe_exercise(exercise("blocked", check("blocked")))
        == "It waits for chapter1.y, chapter1.z."
    )
    told = check("blocked", reason={"name": "ran_undetected", "says": "It passes."})
    assert describe_exercise(exercise("blocked", told)).endswith("chapter1.z. It passes.")
    assert describe_exercise(exercise("passed", check("passed"))) == ""
    assert describe_exercise(exercise("pending", check("pending", message="Not written yet."))) == (
        "Not written yet."
    )


def test_what_could_not_be_imported_is_said_once():
    says = "Not judged: ops.py cannot be imported."
    lost = check("crashed", message=says, reason={"name": "not_imported", "says": says})
    assert is_lost(exercise("crashed", lost, lost)) and not is_lost(exercise("given"))
    assert describe_exercise(exercise("crashed", lost, lost)) == lost["message"]
