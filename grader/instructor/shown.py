"""What a learner may see of a result in a class; the staff's result holds all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def true_places(result: dict[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """A result without places that are none in these files.

    A place is what a worker says, and may carry what code has seen of hidden inputs: a made-up
    file name, a line number of eight digits.
    """
    lines = {name: data.count(b"\n") + 1 for name, data in files.items()}
    for chapter in result["chapters"]:
        for check in (c for e in chapter["exercises"] for c in e["checks"]):
            file, _, line = (check["location"] or "").rpartition(":")
            if not (line.isdigit() and 0 < int(line) <= lines.get(file, 0)):
                check["location"] = None
    return result


def for_learner(check: dict[str, Any]) -> dict[str, Any]:
    """A check as its learner may see it: a hidden one shows its sentence and the diagnosis."""
    if not check["hidden"]:
        return check
    nothing = dict.fromkeys(check["expected"])
    says = "" if check["status"] == "passed" else "It does not hold for every hidden input."
    return {**check, "message": says, "yours": None, "expected": nothing}
