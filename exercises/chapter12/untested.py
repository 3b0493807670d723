"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED: dict[str, dict[str, tuple[str, ...]]] = {}
