"""Which check catches which named mistake: worked out from what the key holds, without a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..key.file import ChapterKey
from ..session.observation import Observation
from ..verdict import PASSED
from .outcome import outcome

if TYPE_CHECKING:
    from ..rows import CheckRow


def caught_by(chapter: ChapterKey, exercise: str, name: str) -> list[str]:
    """The ids of the checks of an exercise that a mistake fails, in the suite's order."""
    checks = [check for check in chapter.checks if check["exercise"] == exercise]
    return [check["id"] for check in checks if not _passes(chapter, check, name)]


def _passes(chapter: ChapterKey, check: CheckRow, name: str) -> bool:
    """Whether what the mistake gave is right for every probe of a check."""
    for number in check["probes"]:
        stored = chapter.probes[number]["mistakes"].get(name)
        if stored is None or "ended" in stored:
            return False
        got = Observation("arrays", {}, chapter.parts(stored["parts"]))
        if outcome(chapter, check, number, got).status != PASSED:
            return False
    return True
