"""Which check catches which named mistake: worked out from what the key holds, without a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation
from ..verdict import PASSED
from .outcome import outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..course.key_rows import CheckRow, Outcome


def caught_by(chapter: ChapterKey, exercise: str, gives: Mapping[int, Outcome]) -> list[str]:
    """The ids of the checks of an exercise that a mistake fails, in the suite's order.

    Args:
        gives: what the mistake gives, by the numbers of the exercise's probes.
    """
    checks = [check for check in chapter.checks if check["exercise"] == exercise]
    return [check["id"] for check in checks if not _passes(chapter, check, gives)]


def _passes(chapter: ChapterKey, check: CheckRow, gives: Mapping[int, Outcome]) -> bool:
    """Whether what the mistake gave is right for every probe of a check."""
    for number in check["probes"]:
        parts = gives.get(number, {}).get("parts")
        if parts is None:
            return False
        got = Observation("arrays", {}, parts)
        if outcome(chapter, check, number, got).status != PASSED:
            return False
    return True
