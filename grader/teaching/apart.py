"""What a class reads of public probes, from a worker that knows no hidden input.

Beside the hidden probes whatever learner code says (an exception, a number, a name) may quote their
inputs, and the next hand-in would have their answers by heart. So what fails in public runs once
more, in a worker that was sent nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..judge.judge import ExerciseVerdict
from ..session.observation import Observation
from ..session.session import Session
from ..verdict import PASSED, PENDING, WRONG

ELSEWHERE = "It fails beside other calls only: by itself this one comes out right."
UNSAID = {"type": "ImportError", "message": "It can be imported by itself, but not for these."}
SAID, CLOCKED = ("arrays", "raised", "complained"), ("TimeUp", "Skipped")
QUIET = (PASSED, PENDING)  # of these nothing is shown that learner code has said


def once_more(case: Any, make: Callable[..., Session]) -> Session | None:
    """Put what is shown of a case in the place of what hidden inputs may have gone into.

    Args:
        case: a `grader.grade.Case` whose probes have run.
        make: a session for some probes of a chapter, in a worker of its own.

    Returns:
        That session, which can explain what failed; None where nothing is shown.
    """
    run, public = case.session.result(), public_numbers(case)
    failing = public if run.unloadable else [n for n in public if is_shown(case, n)]
    if not failing:
        return None
    session = make(case.chapter, [], failing, modules=case.session.request["modules"])
    session.run()
    if run.unloadable:
        again = session.result().unloadable
        case.session.unloadable = again or Observation("raised", UNSAID, {})
        return session
    for number in failing:
        got = session.observations.get(number)
        if got is None or not fails(case, number, got):
            got = Observation("complained", {"message": ELSEWHERE}, {})
        case.session.observations[number] = got
        case.outcomes.arrived(number, got)
    return session


def public_numbers(case: Any) -> list[int]:
    """The probes of the case that any public check looks at."""
    found = {
        number: None
        for check in case.chapter.checks
        if check["exercise"] in case.ids and not check["hidden"]
        for number in check["probes"]
    }
    return [number for number in found if number in case.session.exercises]


def is_shown(case: Any, number: int) -> bool:
    """Whether what learner code says of a probe is to be read. That time ran out, we say."""
    got = case.session.observations[number]
    if got.kind not in SAID or got.texts.get("type") in CLOCKED:
        return False
    return fails(case, number, got)


def fails(case: Any, number: int, got: Observation) -> bool:
    """Whether a check that fails shows what came of this probe."""
    checks = (c for c in case.chapter.checks if number in c["probes"] and not c["hidden"])
    return any(case.outcomes.fresh(check, number, got).status not in QUIET for check in checks)


def explained(verdicts: list[ExerciseVerdict], session: Session) -> list[ExerciseVerdict]:
    """Those of which the check that is shown at length ran in this session."""
    return [
        verdict
        for verdict in verdicts
        if next(c for c in verdict.checks if c.status in WRONG).probe in session.observations
    ]
