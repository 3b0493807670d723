"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
HOW = "says how it can be done; what comes of it is tested"
WHY = "says why"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED: dict[str, dict[str, tuple[str, ...]]] = {}
