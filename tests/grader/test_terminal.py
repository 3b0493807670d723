"""The report of a terminal, from a canonical result that is written down here."""

from __future__ import annotations

import pytest

from grader.learner.style import Style
from grader.learner.terminal import MOST_DETAILS, details, report, waiting

STYLE = Style(False, 80)
UNSAID = {"reference": None, "finite_difference": None, "pytorch": None}


def check(status: str, **more):
    usual = {
        "id": "chapter3.x/a", "title": "It is right.", "status": status, "score": 0.0,
        "max_score": 1.0, "hidden": False, "message": "f(a)\nIts values are wrong.",
        "mistake": None, "location": None, "yours": None, "expected": UNSAID,
    }  # fmt: skip
    return {**usual, **more}


def exercise(status: str, *checks, id="chapter3.x", **more):
    usual = {"id": id, "section": "3.2", "title": id.partition(".")[2], "status": status,
             "score": 0.0, "max_score": 1.0, "blocked_by": [],
             "checks": list(checks) or [check(status)]}  # fmt: skip
    return {**usual, **more}


def result(*exercises, score=0.0, unloadable=()):
    return {
        "package": {"path": "/work/pkg", "sha256": "ab" * 32}, "score": score,
        "max_score": 2.0, "isolation": {"level": "confined", "protections": [], "missing": []},
        "oracles": {"numpy": "2", "torch": {"version": None, "live": False}},
        "unloadable": list(unloadable),
        "chapters": [{"id": "chapter3", "title": "T", "score": score, "max_score": 2.0,
                      "exercises": list(exercises)}],
    }  # fmt: skip


def last(*exercises, **more) -> str:
    return report(result(*exercises, **more), STYLE).splitlines()[-1]


def test_a_chapter_has_its_marks_at_the_right_edge():
    head = report(result(exercise("passed"), score=2.0), STYLE).splitlines()[0]
    assert head.startswith("chapter3  T ") and head.endswith("2 / 2 points") and len(head) == 80
    narrow = report(result(exercise("passed"), score=2.0), Style(False, 40)).splitlines()
    assert narrow[:2] == ["chapter3  T", "2 / 2 points"]


def test_each_status_of_a_section_is_one_line():
    text = report(result(exercise("passed", id="chapter3.a"), exercise("passed", id="chapter3.b"),
                         exercise("pending", id="chapter3.c")), STYLE)  # fmt: skip
    assert "  3.2   ✓ passed        a, b" in text and "        · pending       c" in text


@pytest.mark.parametrize(
    ("exercises", "says"),
    [
        ([exercise("passed")], "0 of 2 points. All of it is right."),
        ([exercise("pending"), exercise("failed", id="chapter3.y")],
         "0 of 2 points. Next: mend chapter3.y."),
        ([exercise("pending")], "0 of 2 points. Next: write x (section 3.2)."),
        ([exercise("blocked", blocked_by=["chapter3.y"])],
         "0 of 2 points. Next: chapter3.y, which x waits for."),
    ],
)  # fmt: skip
def test_the_last_line_says_what_to_do_now(exercises, says):
    assert last(*exercises) == says


def test_what_cannot_be_imported_is_mended_first():
    cause = {"message": "SyntaxError: x.", "location": "ops.py:3", "exercises": ["chapter3.x"]}
    lost = exercise("crashed")
    text = report(result(lost, unloadable=[cause]), STYLE)
    assert text.count("cannot be imported") == 1 and "chapter3.x crashed" not in text
    assert text.splitlines()[-1].startswith("Next: make `import ")
    assert "Next: mend " in last(lost, exercise("passed", id="chapter3.y"), unloadable=[cause])


def test_beyond_some_wrong_exercises_are_only_named():
    many = [exercise("failed", id=f"chapter3.e{n}") for n in range(MOST_DETAILS + 2)]
    text = report(result(*many), STYLE)
    assert text.count("✗ chapter3.e") == MOST_DETAILS
    assert f"`grader check`: chapter3.e{MOST_DETAILS}, chapter3.e{MOST_DETAILS + 1}." in text


def test_details_tell_the_check_that_earns_points_its_mistake_and_its_line():
    side = check("failed", title="A side.", max_score=0.0, message="other\n\nwords")
    value = check("failed", mistake={"name": "n", "says": "You did it."}, location="ops.py:7",
                  yours=1.0, expected={**UNSAID, "reference": 2.0})  # fmt: skip
    lines = list(details(exercise("failed", side, value), STYLE))
    assert lines[0] == "✗ chapter3.x failed  (0 of 1 points)" and lines[1] == "  It is right."
    assert "  not yet, and worth no points: A side." in lines
    assert "  → You did it." in lines and any(li.endswith("/ops.py, line 7.") for li in lines)
    assert lines[-1] == "  or see it alone: `grader repro chapter3.x`."


def test_of_checks_that_the_same_keeps_from_being_judged_only_the_number_is_told():
    same = [check("crashed", message="f(a)\nKeyError: 'a'.") for _ in range(3)]
    text = "\n".join(details(exercise("crashed", *same), STYLE))
    assert "The same keeps 2 more of its checks from being judged." in text


def test_a_prediction_has_no_call_to_play_with():
    guess = check("failed", yours=3.0)
    assert list(details(exercise("failed", guess), STYLE))[-1] == (
        "  Go on with `grader hint chapter3.x`."
    )


def test_what_was_printed_is_shown_and_who_waits_is_named():
    blocked = [exercise("blocked", id=f"chapter3.{n}", blocked_by=["chapter3.y"]) for n in "ab"]
    text = report(result(*blocked), STYLE, "hello\n")
    assert "◦ blocked by chapter3.y: a, b" in text and "  | hello" in text
    assert waiting(exercise("blocked")) == "Next: what chapter3.x waits for."
