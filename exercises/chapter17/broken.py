"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN: dict[str, dict[str, object]] = {}
