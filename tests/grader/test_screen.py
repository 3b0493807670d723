"""The watch shows reports, counts and next steps; a fake desk provides the results."""

from __future__ import annotations

import io
from functools import partial
from types import SimpleNamespace

import pytest

from grader.editor import screen
from grader.editor.screen import CLEAR, MOST_CHANGES, Screen
from grader.editor.watch_session import JudgedBatch, WatchSession

from .instructor.records import check, exercise, result
from .small_key import exercise as row

IDS = ["chapter1.a", "chapter1.b"]


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(screen.selection, "find_row", lambda key, id: row(id, section="1.1"))
    monkeypatch.setattr(screen.selection, "upcoming", lambda *_: None)
    found = SimpleNamespace(
        key=None, folder="/work/pkg", ids=IDS, given=set(), statuses={IDS[0]: "passed"},
        importable=True, next=lambda: IDS[1], working_on=lambda: None,
    )  # fmt: skip
    found.status_of = partial(WatchSession.status_of, found)
    return found


def a_round(why, *exercises, before="pending", printed="", unloadable=None, files=("ops.py",),
            gone=()):  # fmt: skip
    before = {e["id"]: before for e in exercises}
    lost = [e["id"] for e in exercises if e["status"] == "crashed"]
    says, place = unloadable or ("", None)
    told = {"message": says, "location": place, "exercises": lost}
    whole = {**result(*exercises), "unloadable": [told] if unloadable else []}
    return JudgedBatch(why, list(files), whole, unloadable, before, printed, frozenset(gone))


def shown(show) -> str:
    out = io.StringIO()
    show(Screen(out))
    return out.getvalue()


def test_a_save_tells_what_it_passed_and_explains_the_first_that_is_wrong(session):
    wrong = [exercise(f"chapter1.{n}", "failed", 0.0, check("failed")) for n in "xy"]
    found = a_round("edited", exercise(IDS[0], "passed", 2.0), *wrong, printed="hi\n")
    text = shown(lambda s: s.round(session, found))
    assert "ops.py saved\n✓ passed    chapter1.a\n" in text
    assert "✗ chapter1.x failed  (0 of 2 points)" in text and "✗ failed    chapter1.y" in text
    assert text.count("It is right.") == 1 and "  | hi" in text


def test_who_waits_says_for_whom_and_what_is_gone_is_said(session):
    told = check("blocked", reason={"name": "ran_undetected", "says": "It passes."})
    blocked = exercise(IDS[0], "blocked", 0.0, told, blocked_by=["chapter1.q"])
    found = a_round("edited", blocked, files=("ops.py", "nn.py"), gone=("nn.py",))
    text = shown(lambda s: s.round(session, found))
    assert "ops.py saved, nn.py is gone" in text
    assert "chapter1.a is blocked by chapter1.q.\n  → It passes." in text


def test_a_name_of_a_file_steers_no_terminal(session):
    found = a_round("edited", exercise(IDS[0], "passed"), files=("a\x1b]0;x\a\nb.py", "c\u202e.py"))
    text = shown(lambda s: s.round(session, found))
    assert "  a\ufffd]0;x\ufffd b.py, c\ufffd.py saved\n" in text


def test_of_what_depends_on_it_only_what_changed_is_told(session):
    found = a_round("dependents", exercise(IDS[0], "passed"), exercise(IDS[1], "timed_out"),
                    before="timed_out")  # fmt: skip
    assert shown(lambda s: s.round(session, found)) == (
        "✓ passed    chapter1.a (was timed out)\nchecked too, and as before: 1 exercise\n"
    )
    many = [exercise(f"chapter1.e{n}", "passed") for n in range(MOST_CHANGES + 3)]
    assert "… and 3 more" in shown(lambda s: s.round(session, a_round("dependents", *many)))


def test_of_everything_a_report_where_something_is_wrong_and_numbers_where_not(session):
    quiet = a_round("all", exercise(IDS[0], "passed"), exercise(IDS[1], "pending"))
    assert shown(lambda s: s.round(session, quiet)) == (
        "Watching /work/pkg\n  1 passed, 1 pending\n"
    )
    loud = a_round("all", exercise(IDS[0], "failed", 0.0, check("failed")))
    assert "Next: fix chapter1.a." in shown(lambda s: s.round(session, loud))


def test_a_package_that_cannot_be_imported_is_said_instead(session):
    found = a_round("edited", exercise(IDS[0], "crashed"), unloadable=("SyntaxError", "ops.py:3"))
    text = shown(lambda s: s.round(session, found))
    assert "✗ Your package cannot be imported." in text and "chapter1.a" not in text


def test_beside_a_file_that_cannot_be_imported_the_rest_is_reported(session):
    both = (exercise(IDS[0], "crashed"), exercise(IDS[1], "passed"))
    found = a_round("all", *both, unloadable=("SyntaxError", "ops.py:3"))
    text = shown(lambda s: s.round(session, found))
    assert "✗ babygrad/ops.py cannot be imported." in text and "✓ passed" in text


def test_the_foot_counts_and_says_the_next_step_and_the_keys(session):
    bar, step, keys = shown(lambda s: s.foot(session)).splitlines()[1:]
    assert bar.endswith("1 of 2 exercises passed") and step.startswith("Next: write ")
    assert keys.startswith("h hint · l list")
    session.importable = False
    assert "Next: make `import " in shown(lambda s: s.foot(session))


def test_only_a_terminal_is_cleared(session):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    Screen(out).show(["x"])
    assert out.getvalue() == CLEAR + "x\n" and shown(lambda s: s.show(["x"])) == "x\n"


def test_exercises_are_listed_by_section_and_status(session):
    session.given = {IDS[1]}
    assert (
        shown(lambda s: s.list(session)) == "  1.1   ✓ passed        a\n        · given         b\n"
    )
    assert "nothing to hint at" in shown(lambda s: s.hint(session))
