"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
HOW = "says how it can be done; what comes of it is tested"
WHY = "says why"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED: dict[str, dict[str, tuple[str, ...]]] = {
    "ndarray.matmul_in_tiles": {
        COMES_IN: ("All three are `(n, n)`.",),
        HOW: ("A tile has `tile` rows and columns;",),
    },
    "ndarray.padded_row": {
        COMES_IN: ("line: how many words a line has.",),
        WHY: (
            "A line of memory may stay in one set alone:",
            "line number `i` in set `i % sets`.",
        ),
    },
    "box 17.17": {
        SAID_TWICE: ("Return the shortest row that spreads over all sets: a whole number of…",),
    },
}
