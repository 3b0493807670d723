"""Count the work of a call, which no other process and no machine changes."""

from __future__ import annotations

import sys
from collections.abc import Callable


def steps(run: Callable[[], object]) -> int:
    """Return how many of Python's instructions a call runs."""
    found = 0

    def note(frame, event, _):
        nonlocal found
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        found += event == "opcode"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        run()
    finally:
        sys.settrace(before)
    return found


def growth(of: Callable[[int], Callable[[], object]], size: int) -> float:
    """Return how many times the work grows where the size is doubled; the first call warms up."""
    of(size)()
    return steps(of(2 * size)) / steps(of(size))
