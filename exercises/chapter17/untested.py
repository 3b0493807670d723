"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
HOW = "says how it can be done; what comes of it is tested"
WHEN = "says when the formula holds; the check has such sizes"
WHY = "says why"
FREE = "leaves it open"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED: dict[str, dict[str, tuple[str, ...]]] = {
    "ndarray.view_strides": {
        COMES_IN: ("`new` has room for exactly as many values.",),
        FREE: (
            "The stride of an axis of size 1 may be any number,",
            "and without values all strides may.",
        ),
    },
    "ndarray.elementwise": {HOW: ("None of them is copied.",)},
    "ndarray.NDArray": {
        COMES_IN: (
            'buffer: the words, `array("d")`;',
            "every view of an array has the same one.",
            "shape: the size of each axis.",
            "strides: how many words further the next index along each axis lies;",
            "it may be 0 or less.",
            "offset: the place in the buffer of the value at index 0, 0, …",
        ),
    },
    "box 17.6": {
        SAID_TWICE: ("An int takes its axis away, so an int for each axis leaves the shape `()`.",),
    },
    "box 17.8": {
        SAID_TWICE: (
            "Return the array with its values row by row: itself, if they lie like that…",
        ),
        WHY: ("A copy that nobody needs is a mistake here: it moves every word for nothing.",),
    },
    "box 17.9": {
        SAID_TWICE: ("Return the strides of a view in another shape, or None if there is no…",),
    },
    "box 17.10": {SAID_TWICE: ("Return a view if there is one, else a copy.",)},
    "ndarray.matmul_by_rows": {
        WHEN: (
            "if the cache has room for a row of `b`, a row of `out` and a line of `a`,",
            "and if rows are whole lines long.",
        ),
    },
    "ndarray.matmul_in_tiles": {
        COMES_IN: ("All three are `(n, n)`.",),
        WHEN: ("if rows and tiles are whole lines wide and the cache has room for five tiles.",),
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
