"""What is added to a failure: the nudge that shows it, and the op at which it begins."""

from __future__ import annotations

from ..course.key_file import ChapterKey
from ..sandbox.session import Session
from ..verdict import FAILED, WRONG
from .fault_localisation import fault
from .judge import CheckVerdict, ExerciseVerdict
from .nudge import nudge

MOST = 3  # exercises of a chapter that are explained at length, as the report does


def explain(session: Session, chapter: ChapterKey, wrong: list[ExerciseVerdict]) -> None:
    """Add lines to the first wrong check of each exercise, if it is about a gradient, in place."""
    shown = [next(c for c in verdict.checks if c.status in WRONG) for verdict in wrong]  # at length
    # In a class a session may have run public probes only: of hidden ones nothing is shown.
    for check in [c for c in shown if c.probe in session.observations][:MOST]:
        if _explainable(chapter, check) and check.probe is not None:
            got = session.observations[check.probe]
            found = nudge(session, chapter, check, got), fault(session, chapter, check.probe)
            check.notes += "\n\n".join("\n".join(lines) for lines in found if lines).split("\n")


def _explainable(chapter: ChapterKey, check: CheckVerdict) -> bool:
    """Whether wrong numbers came back where a numeric derivative is known."""
    if check.status != FAILED or check.probe is None or check.outcome is None:
        return False
    known = chapter.probes[check.probe]["answers"].get("finite_difference", {})
    is_aside = check.check["aside"] or check.check["part"] == "inputs"
    return check.outcome.which is not None and check.check["part"] in known and not is_aside
