"""Find out that a call is right alone, and wrong after another one.

A worker asks something else before an exercise's first probe (`sandbox/worker/earlier_call.py`).
Where a wrong answer is that of an earlier call, or lies in the same array, the call runs once more
in a worker that has asked nothing else. If it is right there, something is kept from one call for
the next, whatever else its numbers look like.
"""

from __future__ import annotations

from ..verdict import PASSED, WRONG
from .judge import ExerciseVerdict, Finding
from .outcome import compare_probe
from .runner import Case, Runner

KEPT = "written:kept"
SAYS = (
    "This call is right alone, and wrong after another one: something is kept from one call for "
    "the next. Look for what outlives a call: a name outside of the function, an attribute, a "
    "default argument. Each call has to work with its own inputs."
)


def find_kept(case: Case, verdict: ExerciseVerdict, runner: Runner) -> list[Finding]:
    """Return the finding that the first wrong call is right if nothing was called before it."""
    check = next((c for c in verdict.checks if c.status in WRONG and c.probe is not None), None)
    if check is None or check.probe is None:
        return []
    told = case.run.observations[check.probe].texts
    if check.check["part"] not in told.get("repeats", "").split() and "overwritten" not in told:
        return []
    session = runner.open_session(case.chapter, [], [check.probe])
    session.request["cold"] = True
    session.time = case.session.time
    try:
        session.run()
        got = session.result().observations.get(check.probe)
    finally:
        session.close()
    if got is None or compare_probe(case.chapter, check.check, check.probe, got).status != PASSED:
        return []
    return [(KEPT, SAYS)]
