"""Judge exercises that wait for stubs with all stubs written, so that one mistake hides no other.

The reference is put into the stubs, and the waiting exercises are judged there as in any other
package, with blame and diagnosis. Only what is wrong even there has failed; else the first verdict
stands.

For example, with `forgot_minus` in `Div.backward` and no operator written yet:

    here           div.backward waits for `/`          log.backward waits for `/`
    with `/` in    fails, for it lacks its minus       is blocked by div.backward
    so             it has failed, and says why         it waits for `/`
"""

from __future__ import annotations

import copy

from ..course.outline import chapter_of, chapters_up_to
from ..course.splice import is_unwritten, with_solved
from ..reason import because
from ..sandbox.observation import Observation, line_number
from ..verdict import WRONG
from .blame import is_own_failure
from .judge import CheckVerdict, ExerciseVerdict
from .runner import Case, Runner

NEEDS = "You have not written {} yet; the grader used its own."


def fill_stubs(case: Case, runner: Runner) -> dict[str, bytes] | None:
    """Write this and earlier chapters' stubs by the reference; None if nothing can be written."""
    if runner.reference is None:
        return None
    earlier = chapters_up_to(case.chapter.id, list(runner.key.chapters))
    named = {id for v in case.verdicts.values() for id in v.blocked_by}
    places, mine = case.places, runner.package.files
    wanted = {
        id
        for target, id in runner.targets.items()
        if (chapter_of(id) in earlier or id in named)
        # Of a file that no worker has imported, only the text tells: `tensor.py` imports `ops.py`
        # when its first op runs, which a stub of `Tensor.__init__` prevents.
        and (
            places.is_unwritten(target) if places.is_listed(target) else is_unwritten(target, mine)
        )
    }
    files = with_solved(mine, runner.targets, runner.reference(), wanted)
    return files if files != mine else None


def unmask(mine: ExerciseVerdict, there: ExerciseVerdict, seen: CheckTransfer) -> ExerciseVerdict:
    """Copy a verdict, with the checks that fail even where the stubs are written."""
    made = copy.copy(mine)
    if any(map(seen.has_failed, there.checks)):
        made.checks = list(map(seen.take, mine.checks, there.checks))
        made.name_blockers()
        made.mistakes = there.mistakes
    return made


class CheckTransfer:
    """Carry checks of the package without stubs over to the learner's own."""

    def __init__(self, here: Case, there: Case, public_only: bool) -> None:
        self.here = here
        self.there = there
        # a class: words may be the reference's, or quote hidden inputs
        self.public_only = public_only
        self.observations: dict[int, Observation] = {}  # probe → what a report shows of it

    def has_failed(self, check: CheckVerdict) -> bool:
        """Whether a check fails there, although the reference fits the learner's code."""
        got = [self.there.run.observations[number] for number in check.failing]
        return check.status in WRONG and bool(got) and all(map(is_own_failure, got))

    def take(self, mine: CheckVerdict, other: CheckVerdict) -> CheckVerdict:
        """Return the check as it failed there; else unchanged, as is one that is wrong here."""
        if mine.status in WRONG or not self.has_failed(other):
            return mine
        made = copy.copy(other)
        if self.public_only:
            made.reason, made.notes, made.inferred = because("wrong_anyway"), [], []
            made.probe = made.outcome = None
            return made
        if ids := sorted(set(mine.blocked_by)):
            made.notes = [*other.notes, NEEDS.format(" and ".join(ids))]
        if made.probe is not None and made.outcome is not None:
            got = self.there.run.observations[made.probe]
            trail = [*filter(None, map(self._line, got.texts.get("trail", "").splitlines()))]
            file, _, line = (trail or [""])[0].rpartition(":")
            made.outcome = made.outcome._replace(file=file, line=line_number(line))
            texts = {**got.texts, "trail": "\n".join(trail)}
            self.observations[made.probe] = got._replace(texts=texts)
        return made

    def _line(self, place: str) -> str:
        """Map ``ops.py:93`` to the line in the learner's file; empty if the code was put in."""
        file, _, number = place.rpartition(":")
        line = line_number(number)
        inner = self.there.places.definition_around(file, line)
        own = self.here.run.definitions.get(inner.target) if inner else None
        if not inner or not own or own.stub or own.last - own.first != inner.last - inner.first:
            return ""
        return f"{file}:{line - inner.first + own.first}"
