"""Diagnosis names the known mistake that gives exactly what came back."""

from __future__ import annotations

import pytest

from grader.arrays import make_array
from grader.judge.diagnosis import diagnose, find_in_text, gives_the_same
from grader.judge.judge import CheckVerdict, ExerciseVerdict
from grader.sandbox.observation import Observation

from .small_key import ID, Probes, check, exercise


def test_what_a_python_words_anew_is_the_same_mistake():
    """The message for a wrong division differs between Pythons; the type identifies the mistake."""
    stored = {"ended": "raised", "type": "ZeroDivisionError", "message": "division by zero"}
    texts = {"type": "ZeroDivisionError", "message": "in words of another Python"}
    assert gives_the_same([], stored, Observation("raised", texts, {}))
    other = Observation("raised", {**texts, "type": "ValueError"}, {})
    assert not gives_the_same([], stored, other)


# ---- on a chapter that is written down here -----------------------------------------------------

ROW = {"mistakes": {"twice": "You doubled it.", "zero": "It is empty."}}


def gave(*values: float) -> Observation:
    return Observation("arrays", {}, {"value": [make_array((len(values),), list(values))]})


def diagnosed(*got: Observation, text="", **more):
    """Return the mistakes named if the first probe failed; the second fits `twice` by chance."""
    probes = Probes()
    probes.add([3.0], {"twice": [6.0], "zero": [0.0]})
    probes.add([0.0], {"twice": [0.0], "zero": [0.0]})
    key = probes.key([exercise(**ROW, **more)], [check(0), check(1, id=f"{ID}/again")])
    verdict = ExerciseVerdict(key.exercises[0], False)
    verdict.checks = [CheckVerdict(each, "passed") for each in key.checks]
    verdict.checks[0].status, verdict.checks[0].failing = "failed", [0]
    observed = dict(enumerate(got))
    found = diagnose(key, verdict, observed, lambda: probes.gives, lambda: text, {})
    return [name for name, _ in found]


def test_a_mistake_is_named_that_gives_the_same_everywhere():
    assert diagnosed(gave(6.0), gave(0.0)) == ["twice"]
    assert diagnosed(gave(0.0), gave(0.0)) == ["zero"]
    assert diagnosed(gave(7.0), gave(0.0)) == []


def test_it_is_named_where_it_tells_of_all_that_failed_and_passes_the_rest():
    assert diagnosed(gave(6.0), gave(1.0)) == ["twice"]
    raised = Observation("raised", {"type": "KeyError", "message": "x"}, {})
    assert diagnosed(raised, gave(0.0)) == []


@pytest.mark.parametrize("right", [[0.0], [6.0]])
def test_a_stretch_that_fails_as_well_hides_no_mistake(right):
    """The mistake passes the stretch, and the learner's code does not, or the other way round."""
    probes = Probes()
    probes.add([3.0], {"twice": [6.0]})
    probes.add(right, {"twice": [0.0]})
    checks = [check(0), check(1, id=f"{ID}/stretch", weight=0.0)]
    key = probes.key([exercise(**ROW)], checks)
    for other in (gave(0.0), gave(6.0), Observation("raised", {"type": "RecursionError"}, {})):
        verdict = ExerciseVerdict(key.exercises[0], False)
        verdict.checks = [CheckVerdict(each, "failed") for each in key.checks]
        for number, each in enumerate(verdict.checks):
            each.failing = [number]
        observed = {0: gave(6.0), 1: other}
        found = diagnose(key, verdict, observed, lambda: probes.gives, str, {})
        assert [name for name, _ in found] == ["twice"]


def test_where_numbers_do_not_tell_the_text_has_to_fit():
    told = {"told_by_text": {"twice": [["2 \\*"], ["sum"]]}}
    assert diagnosed(gave(6.0), gave(0.0), text="return 2 * a", **told) == ["twice"]
    for text in ("return a + a", "return 2 * a.sum()"):
        assert diagnosed(gave(6.0), gave(0.0), text=text, **told) == []


def test_a_mistake_that_raised_is_known_by_its_words():
    ended = {"ended": "raised", "type": "KeyError", "message": "x"}
    texts = {"type": "KeyError", "message": "x"}
    assert gives_the_same([], ended, Observation("raised", texts, {}))
    for kind, said in (("raised", {**texts, "message": "y"}), ("died", {})):
        assert not gives_the_same([], ended, Observation(kind, said, {}))
    assert not gives_the_same([], None, gave(1.0))


def test_the_line_that_such_words_tell_is_the_learners_own():
    ended = {"ended": "raised", "type": "TypeError", "message": "babygrad/ops.py, line 7: no"}
    for message, same in (("babygrad/ops.py, line 93: no", True), ("line 7: no", False)):
        texts = {"type": "TypeError", "message": message}
        assert gives_the_same([], ended, Observation("raised", texts, {})) == same


def test_what_the_text_shows_is_said_of_checks_of_which_nothing_is_known():
    row = exercise(**ROW, shown_by_text={"zero": "return 0"})
    verdict = ExerciseVerdict(row, False)
    statuses = ("failed", "passed", "crashed")
    verdict.checks = [CheckVerdict(check(0, id=f"c{n}"), s) for n, s in enumerate(statuses)]
    known = {"c2": [("known", "k")]}
    assert find_in_text(verdict, lambda: "return 0", known) == {"c0": [("zero", "It is empty.")]}
    assert find_in_text(verdict, lambda: "return 1", known) == {"c0": []}
    found = verdict.with_findings([], known, {"c1": ["a line"]})
    assert [(c.inferred, c.notes) for c in found.checks] == [
        ([], []), ([], ["a line"]), (known["c2"], [])
    ]  # fmt: skip
    assert not any(c.inferred or c.notes for c in verdict.checks)  # it is as it was made
