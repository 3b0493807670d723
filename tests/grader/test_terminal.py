"""The report of a terminal, from a canonical result that is written down here."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.key_source import open_key
from grader.course.package import Package
from grader.grade_package import Grading
from grader.learner.terminal import (
    MOST_DETAILS,
    MOST_LINES,
    details,
    next_for_blocked,
    report,
    stretches,
)
from grader.learner.wording import Style
from grader.result import iter_exercises
from grader.result import result as of_grading
from grader.sandbox.launch import ForkServer, require_numpy
from grader.verdict import WRONG

from .examples import SOME

STYLE = Style(False, 80)
UNSAID = {"reference": None, "finite_difference": None, "pytorch": None}


def check(status: str, kind: str = "other", says: str = "Its values are wrong.", **more):
    reason = {"name": kind, "says": says}
    if status == "pending" and kind == "other":
        reason = {"name": "stub", "says": "x is not written yet."}
    usual = {
        "id": "chapter3.x/a", "title": "It is right.", "status": status, "score": 0.0,
        "max_score": 1.0, "hidden": False, "reason": reason, "call": "f(a)", "inputs": {},
        "notes": [], "place": None, "mistake": None, "location": None, "yours": None,
        "expected": UNSAID,
    }  # fmt: skip
    return {**usual, **more}


def exercise(status: str, *checks, id="chapter3.x", **more):
    usual = {"id": id, "section": "3.2", "title": id.partition(".")[2], "status": status,
             "score": 0.0, "max_score": 1.0, "blocked_by": [],
             "checks": list(checks) or [check(status)]}  # fmt: skip
    return {**usual, **more}


def result(*exercises, score=0.0, unloadable=(), **more):
    return {
        "package": {"path": "/work/pkg", "sha256": "ab" * 32}, "score": score,
        "max_score": 2.0, "isolation": {"level": "confined", "protections": [], "missing": []},
        "oracles": {"numpy": "2", "torch": {"version": None, "live": False}},
        "unloadable": list(unloadable),
        "chapters": [{"id": "chapter3", "title": "T", "score": score, "max_score": 2.0,
                      "exercises": list(exercises)}],
        **more,
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
         "0 of 2 points. Next: fix chapter3.y."),
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
    assert "Next: fix " in last(lost, exercise("passed", id="chapter3.y"), unloadable=[cause])


def test_beyond_some_wrong_exercises_are_only_named():
    many = [exercise("failed", id=f"chapter3.e{n}") for n in range(MOST_DETAILS + 2)]
    text = report(result(*many), STYLE)
    assert text.count("✗ chapter3.e") == MOST_DETAILS
    assert f"`grader check`: chapter3.e{MOST_DETAILS}, chapter3.e{MOST_DETAILS + 1}." in text


def test_details_tell_the_check_that_earns_points_its_mistake_and_its_line():
    side = check("failed", title="A side.", max_score=0.0, says="other", notes=["words"])
    value = check("failed", mistake={"name": "n", "says": "You did it."}, location="ops.py:7",
                  yours=1.0, expected={**UNSAID, "reference": 2.0})  # fmt: skip
    lines = list(details(exercise("failed", side, value), STYLE))
    assert lines[0] == "✗ chapter3.x failed  (0 of 1 points)" and lines[1] == "  It is right."
    assert "  not yet, and worth no points: A side." in lines
    assert "  → You did it." in lines and any(li.endswith("/ops.py, line 7.") for li in lines)
    assert lines[-1] == "  or see it alone: `grader repro chapter3.x`."


def test_of_checks_that_the_same_keeps_from_being_judged_only_the_number_is_told():
    same = [check("crashed", "raised", "KeyError: 'a'.") for _ in range(3)]
    text = "\n".join(details(exercise("crashed", *same), STYLE))
    assert "The same keeps 2 more of its checks from being judged." in text


def test_a_sentence_is_said_once():
    """Checks of one title differ in their inputs."""
    twice = [check("failed", title=title, yours=1.0) for title in ("It is so.", "It is more.") * 2]
    text = "\n".join(details(exercise("failed", *twice), STYLE))
    assert text.count("It is so.") == text.count("It is more.") == 1 and "  and 2 more." in text


TINY = check("failed", "values", title="It adds nothing to small numbers.", yours=1.0)
SHAPE = {"name": "shape", "says": "It: its shape is (1,), not ()."}
DTYPE = {"name": "dtype", "says": "The result: its dtype is float32, not float64."}
CHANGED = {"name": "changed_in_place", "says": "a was changed in place."}


@pytest.mark.parametrize("before", [[], [check("passed")]])
def test_a_special_check_is_not_said_to_fail_beside_a_plain_one(before):
    """Nothing need be added to a small number where only a minus is forgotten."""
    plain = check("failed", "values", title="It is right.", yours=1.0)
    shape = {**TINY, "title": "It is so in two rows.", "reason": SHAPE}
    text = "\n".join(details(exercise("failed", *before, plain, TINY, shape), STYLE))
    assert "also failed: 2 further checks." in text and "small" not in text


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ({"status": "passed"}, {}),
        ({"reason": DTYPE}, {}),
        ({}, {"reason": DTYPE}),
        ({}, {"reason": {"name": "raised", "says": "ValueError: no."}, "yours": None}),
        ({}, {"reason": CHANGED}),
    ],
)
def test_a_check_that_fails_for_its_own_reason_is_named(plain, other):
    value = {**check("failed", "values", title="It is right.", yours=1.0), **plain}
    gradient = {**value, "title": "Its gradient is right."}
    special = {**TINY, "title": "It is further."}
    all = [value, gradient, special, {**TINY, **other}]
    text = "\n".join(details(exercise("failed", *all), STYLE))
    assert "also not true yet: It adds nothing to small numbers." in text


def test_a_stretch_that_is_left_is_told_though_the_exercise_is_passed():
    deep = check("crashed", title="A long chain is walked.", max_score=0.0, notes=["words"])
    lines = report(result(exercise("passed", check("passed"), deep)), STYLE).splitlines()
    assert "Worth no points, and not reached yet: A long chain is walked." in lines
    assert not stretches(exercise("failed", check("failed"), deep))


def test_the_last_line_but_one_names_the_package_and_a_weaker_isolation():
    held = {"level": "confined", "protections": [], "missing": []}
    foot = report(result(exercise("passed"), isolation=held), STYLE).splitlines()[-2]
    assert foot.startswith("judged /") and "isolation" not in foot
    weak = {"level": "process", "protections": [], "missing": ["files"]}
    foot = report(result(exercise("passed"), isolation=weak), STYLE).splitlines()[-2]
    assert foot.startswith("judged /") and foot.partition("; ")[2].startswith("isolation: process")


def test_where_a_script_has_nothing_to_show_none_is_offered():
    guess = check("failed", yours=3.0, repro=False)
    assert list(details(exercise("failed", guess), STYLE))[-1] == (
        "  Go on with `grader hint chapter3.x`."
    )


def test_what_was_printed_is_shown_and_who_waits_is_named():
    blocked = [exercise("blocked", id=f"chapter3.{n}", blocked_by=["chapter3.y"]) for n in "ab"]
    text = report(result(*blocked), STYLE, "hello\n")
    assert "◦ blocked by chapter3.y: a, b" in text and "  | hello" in text
    assert next_for_blocked(exercise("blocked")) == "Next: what chapter3.x waits for."


@SOME
@given(
    dims=st.lists(st.integers(2, 4), min_size=1, max_size=3),
    inputs=st.integers(0, 14),
    wrong=st.integers(0, 63),
    others=st.integers(0, 9),
)
def test_a_failure_fits_and_shows_where_it_is_wrong(dims, inputs, wrong, others):
    """This holds for any size and any number of arrays."""
    size = math.prod(dims)
    right = [round(-1.0001 - n / 7, 5) for n in range(size)]
    mine = [*right]
    mine[wrong % size] = 12345.5
    call = {f"x{n}": nested(right, dims) for n in range(inputs)}
    shown = check(
        "failed", title="It is right. " * 4, location="ops.py:7",
        says="The result: its values are not the right ones.", inputs=call,
        yours=nested(mine, dims),
        expected={
            "reference": None, "finite_difference": None, "pytorch": nested(right, dims),
        },
        mistake={"name": "a", "says": "A sentence. " * 15},
    )  # fmt: skip
    also = [check("failed", title="It is right, too. " * 5)] * others
    text = details(exercise("failed", shown, *also), STYLE)
    assert len(text) <= MOST_LINES and max(map(len, text)) <= STYLE.width
    yours, theirs = (
        next(n for n, line in enumerate(text) if line.strip().startswith(side))
        for side in ("yours", "PyTorch")
    )
    assert "12345.5" in " ".join(text[yours:theirs])


def nested(values, dims):
    """Numbers as nested lists of this shape."""
    for size in reversed(dims[1:]):
        values = [values[n : n + size] for n in range(0, len(values), size)]
    return values


@pytest.mark.long
def test_what_is_said_of_a_mistake_fits(course, is_whole):
    """Some of all mistakes of the course; every one with --whole."""
    known = [(e, m) for e in course.exercises.values() for m in e.mistakes]
    asked = known if is_whole else random.Random(0).sample(known, 12)
    too_long = []
    with ForkServer(require_numpy()) as fork_server:
        for exercise, mistake in asked:
            bodies = {mistake.target or exercise.targets[0]: mistake.body}
            files = {name: text.encode() for name, text in course.replace_bodies(bodies).items()}
            grading = Grading(
                open_key(), Package("/l/babygrad", files, ""), fork_server.fork, set()
            )
            (found,) = iter_exercises(of_grading(grading, grading.grade([exercise.id])))
            if found["status"] in WRONG and len(details(found, STYLE)) > MOST_LINES:
                too_long.append(f"{exercise.id}: {mistake.name}")
    assert not too_long


def test_what_was_written_elsewhere_is_told():
    """A learner who has written an exercise would not believe that it is pending."""
    says = "x is not there, but `xs` is, in ops.py, line 3. Did you mean `x`?"
    told = report(result(exercise("pending", check("pending", "misspelt", says))), STYLE)
    assert f"\n  → {says}\n" in told
    assert "→" not in report(result(exercise("pending")), STYLE)
