"""Exercises of one chapter that are judged together, and what came back of them.

It stands below all that explains a verdict: who asks whose fault it is, or says more about a
failure, asks it of a case.
"""

from __future__ import annotations

from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation, Run
from ..sandbox.session import Session
from ..verdict import WRONG
from .judge import ExerciseVerdict, Places, judge
from .outcome import Outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_AGAIN = ("TimeUp", "MemoryError", "Skipped")


class Case:
    """One judgment: which exercises, on which worker, with which verdicts.

    Args:
        ids: the exercises, all of one chapter.
        owners: definition → its exercise, of the whole course.

    Attributes:
        run: all that the session brought back.
        places: whose a line of the learner's package is.
        verdicts: of these exercises, before anybody is blamed.
        shown: where what a class reads was run, if it is run apart (`public_only.py`).
        by_file: where a file could not be imported, the same of those that work alone, one by one.
    """

    run: Run
    places: Places

    def __init__(
        self, chapter: ChapterKey, ids: list[str], session: Session, owners: Mapping[str, str]
    ) -> None:
        self.chapter = chapter
        self.ids = ids
        self.session = session
        self.owners = owners
        self.outcomes = Outcomes(chapter)
        self.shown: Session | None = None
        self.by_file: list[Case] = []
        self.verdicts: dict[str, ExerciseVerdict] = {}

    def run_probes(self) -> None:
        """Run the probes; each is judged as it arrives, while the worker goes on."""
        self.session.run(self.arrived)
        self.read_session()

    def arrived(self, number: int, got: Observation) -> None:
        """Judge what came back of a probe."""
        self.outcomes.judge_probe(number, got)
        if len(self.outcomes.wrong) > 1:  # formulas will be needed
            read_formulas(self.chapter)

    def read_session(self) -> None:
        """Take what the session has brought back by now."""
        self.run = self.session.result()
        self.places = Places(self.run.definitions, self.owners)

    def judge(self, given: set[str]) -> None:
        """Make a verdict for every exercise of what came back."""
        self.verdicts = judge(self.chapter, self.ids, given, self.run, self.places, self.outcomes)

    @property
    def wrong(self) -> list[ExerciseVerdict]:
        """The exercises that failing probes show to be wrong."""
        return [v for v in self.verdicts.values() if v.status in WRONG and v.failing]

    def can_run_again(self, number: int) -> bool:
        """Whether a probe can be run once more without hanging or killing the worker."""
        return can_run_again(self.run, number)

    def readable_session(self, apart: bool) -> Session | None:
        """The session whose words its learner may read."""
        return self.shown if apart else self.session

    def close(self) -> None:
        """End its workers."""
        for session in filter(None, (self.shown, self.session)):
            session.close()


def can_run_again(run: Run, number: int) -> bool:
    """Whether a probe of a run can be run once more without hanging or killing the worker."""
    got = run.observations[number]
    return got.kind in ("arrays", "raised", "complained") and got.texts.get("type") not in NOT_AGAIN


def read_formulas(chapter: ChapterKey) -> None:
    """Read the ops' formulas, once, if the chapter has ops: a worker computes meanwhile."""
    from .true_calls import OPS

    if f"{OPS}.py" in chapter.modules:
        from .fault_localisation import read_rows

        read_rows()
