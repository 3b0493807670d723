"""Theorem 11, on verdicts that are written down here."""

from __future__ import annotations

from types import SimpleNamespace

from grader.audit.counterfactual import Agreement, Repairs, counted
from grader.course import Exercise, Mistake


def played(**judged):
    """A proof in which a package with these mistakes is judged so: ``a``, ``b``, ``a_b``."""
    known = [
        (Exercise(id=id, section="1.1", targets=(f"ops.{id}",)),
         Mistake(name=id, says="s", body=id))
        for id in ("a", "b")
    ]  # fmt: skip
    course = SimpleNamespace(patched=lambda bodies: "_".join(sorted(bodies.values())))

    def judge(sources, ids):
        return {
            id: SimpleNamespace(id=id, status=said.partition(" ")[0],
                                blocked_by=said.split(" ")[1:])
            for id, said in judged[sources].items()
        }  # fmt: skip

    proof = SimpleNamespace(course=course, judge=judge, chapter_ids=lambda exercise: ["a", "b"])
    return [(a.said, a.holds) for a in Repairs(proof).agreements(*known)]


ALONE = {"a": {"a": "failed", "b": "passed"}, "b": {"a": "passed", "b": "failed"}}


def test_who_is_blocked_has_to_pass_once_the_other_is_repaired():
    both = {"a": "failed", "b": "blocked a"}
    assert played(a_b=both, **{**ALONE, "b": {"a": "passed", "b": "passed"}}) == [
        ("failed", True), ("blocked", True),
    ]  # fmt: skip
    assert played(a_b=both, **ALONE) == [("failed", True), ("blocked", False)]
    unknown = {"a": "failed", "b": "blocked q"}
    assert played(a_b=unknown, **ALONE)[1] == ("blocked", False)


def test_who_has_failed_has_to_fail_whatever_else_is_repaired():
    both = {"a": "failed", "b": "failed"}
    assert played(a_b=both, **ALONE) == [("failed", True)] * 2
    assert played(a_b=both, **{**ALONE, "b": {"a": "passed", "b": "passed"}})[1] == (
        "failed", False,
    )  # fmt: skip


def test_agreements_are_counted_by_what_was_said():
    found = [Agreement("", "blocked", True, ""), Agreement("", "failed", True, ""),
             Agreement("", "failed", False, "")]  # fmt: skip
    assert counted(found) == "1 of 1 rightly blocked, 1 of 2 rightly failed"
