"""Records of a class that can be written down in a test: as `grader grade` keeps them."""

from __future__ import annotations

from typing import Any

from grader.classroom.marks.record import compute_marks

UNSAID = {"reference": None, "finite_difference": None, "pytorch": None}
NO_CALL = {"call": "", "inputs": {}, "notes": [], "place": None}
CONFINED = {"level": "confined", "protections": ["memory limit"], "missing": []}


def check(status: str, message: str = "f(a)", **more: Any) -> dict[str, Any]:
    usual = {
        "id": "chapter1.a/value", "title": "It is right.", "status": status, "score": 0.0,
        "max_score": 1.0, "hidden": False, "message": message, "mistake": None, "location": None,
        "reason": {"name": "raised", "says": message}, **NO_CALL,
        "yours": None, "expected": UNSAID,
    }  # fmt: skip
    return {**usual, **more}


def exercise(id: str, status: str, score: float = 0.0, *checks: Any, **more: Any) -> dict[str, Any]:
    usual = {
        "id": id, "section": "1.1", "title": id.partition(".")[2], "status": status,
        "score": score, "max_score": 2.0, "blocked_by": [],
        "checks": list(checks) or [check(status, id=f"{id}/value", score=score)],
    }  # fmt: skip
    return {**usual, **more}


def result(*exercises: Any, unloadable: Any = ()) -> dict[str, Any]:
    """A canonical result of one chapter."""
    score = sum(e["score"] for e in exercises)
    most = sum(e["max_score"] for e in exercises)
    chapter = {"id": "chapter1", "title": "One", "score": score, "max_score": most,
               "exercises": list(exercises)}  # fmt: skip
    return {
        "schema": "grader-result/1", "package": {"path": "/in/ada/pkg", "sha256": "0" * 64},
        "isolation": CONFINED, "oracles": {"numpy": "2", "torch": {"version": None, "live": False}},
        "score": score, "max_score": most, "unloadable": list(unloadable), "chapters": [chapter],
    }  # fmt: skip


def record(learner: str, *exercises: Any, **more: Any) -> dict[str, Any]:
    """A record of a learner whose exercises were judged so."""
    usual = {
        "schema": "grader-record/1", "learner": learner, "submission": f"/in/{learner}",
        "status": "graded", "says": "", "sha256": learner, "version": "0",
        "suites": {"chapter1": "s"}, "result": result(*exercises),
        "follow_through_by_exercise": {},
    }  # fmt: skip
    return compute_marks({**usual, **more}, more.get("policy", "own"))


def unjudged(learner: str, says: str = "It is empty.") -> dict[str, Any]:
    """A record of who handed in what nobody can judge."""
    return {
        "schema": "grader-record/1", "learner": learner, "submission": f"/in/{learner}",
        "status": "unreadable", "says": says, "sha256": None, "version": "0", "suites": {},
        "result": None, "follow_through_by_exercise": {}, "marks": {}, "policy": "own",
        "mark": None, "max_mark": None, "own": None, "follow_through": None,
    }  # fmt: skip
