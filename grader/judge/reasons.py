"""Why something was not judged, or is pending: the sentences that say it, which code may go by.

A result is JSON and holds the sentence alone, so a reason is read back from it here and nowhere
else.
"""

from __future__ import annotations

import re
from enum import Enum


class Reason(Enum):
    """A reason; its value is the sentence, with places for the names of what it speaks of."""

    STUB = "{0} is not written yet."
    ABSENT = "{0} has no {1} yet."
    NOT_IMPORTED = "Not judged: {0} cannot be imported."
    REFUSED = "Not judged, because the exercise is refused."

    def says(self, *names: str) -> str:
        """The sentence about these."""
        return self.value.format(*names)

    def is_said_by(self, sentence: str) -> bool:
        """Whether a result's sentence gives this reason."""
        pattern = re.sub(r"\\\{\d\\\}", ".+", re.escape(self.value))
        return re.fullmatch(pattern, sentence, re.DOTALL) is not None
