"""What a learner may see of a result in a class; the staff's result holds all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ..result import is_a_line
from ..verdict import WRONG

SAMPLE = ("message", "yours", "expected", "location")  # of a check
NOTHING: Mapping[str, dict[str, Any]] = MappingProxyType({})


def true_places(result: dict[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """A result without places that are none in these files: `is_a_line` says why."""
    for each in (*_checks(result), *result["unloadable"]):
        file, _, line = (each["location"] or "").rpartition(":")
        if not (line.isdigit() and is_a_line(files, file, int(line))):
            each["location"] = None
    return result


def fresh_samples(secret: dict[str, Any], public: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Hidden checks that fail → how the same check fails with inputs that are no secret.

    Args:
        secret: the result of a class, whose hidden inputs its seed has drawn.
        public: the result of the same code with those of the public seed.
    """
    ended = {c["id"]: c for c in _checks(public)}
    found = {}
    for check in _checks(secret):
        other = ended.get(check["id"])
        if check["hidden"] and check["status"] in WRONG and other is not None:
            same_inputs = other["message"] == check["message"]  # those that no seed draws
            if other["status"] == check["status"] and not same_inputs:
                found[check["id"]] = {name: other[name] for name in SAMPLE}
    return found


def only_hidden(result: dict[str, Any]) -> list[str]:
    """The exercises that fail for hidden inputs alone: their learners see no call that fails."""
    return [
        e["id"]
        for chapter in result["chapters"]
        for e in chapter["exercises"]
        if {c["hidden"] for c in e["checks"] if c["status"] in WRONG} == {True}
    ]


def _checks(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (c for chapter in result["chapters"] for e in chapter["exercises"] for c in e["checks"])


def for_learner(
    check: dict[str, Any], samples: Mapping[str, dict[str, Any]] = NOTHING
) -> dict[str, Any]:
    """A check as its learner may see it: a hidden one shows its sentence and the diagnosis.

    Args:
        samples: as `fresh_samples` gives them; such a check shows one of those.
    """
    if not check["hidden"]:
        return check
    if check["id"] in samples:
        return {**check, **samples[check["id"]]}
    nothing = dict.fromkeys(check["expected"])
    says = "" if check["status"] == "passed" else "It does not hold for every hidden input."
    return {**check, "message": says, "yours": None, "expected": nothing}
