"""How far a batch is: a bar where somebody watches, silence where nobody does."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """Counts submissions on stderr."""

    def __init__(self, total: int) -> None:
        self.bar: Any = None
        if sys.stderr.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                return  # the bar comes with the `instructor` extra; the work does not need it
            self.bar = tqdm(total=total, unit="submission", file=sys.stderr, dynamic_ncols=True)

    def step(self, learner: str) -> None:
        if self.bar is not None:
            self.bar.set_postfix_str(learner[:24], refresh=False)
            self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
