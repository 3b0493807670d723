"""What a learner may see of a result in a class; the staff's result holds all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..result import is_a_line, unplaced, unshown
from ..verdict import WRONG

if TYPE_CHECKING:
    from ..course.key_rows import CheckResult, Result, Sample, Unloadable

NOTHING: Mapping[str, Sample] = MappingProxyType({})


def true_places(result: Result, files: Mapping[str, bytes]) -> Result:
    """A result without places that are none in these files: `is_a_line` says why."""
    everything: list[CheckResult | Unloadable] = [*_checks(result), *result["unloadable"]]
    for each in everything:
        file, _, line = (each["location"] or "").rpartition(":")
        if not (line.isdigit() and is_a_line(files, file, int(line))):
            each["location"] = None
    return result


def fresh_samples(secret: Result, public: Result) -> dict[str, Sample]:
    """Hidden checks that fail → how the same check fails with inputs that are no secret.

    Args:
        secret: the result of a class, whose hidden inputs its seed has drawn.
        public: the result of the same code with those of the public seed.
    """
    ended = {c["id"]: c for c in _checks(public)}
    found: dict[str, Sample] = {}
    for check in _checks(secret):
        other = ended.get(check["id"])
        if check["hidden"] and check["status"] in WRONG and other is not None:
            same_inputs = other["message"] == check["message"]  # those that no seed draws
            if other["status"] == check["status"] and not same_inputs:
                found[check["id"]] = {
                    "message": other["message"], "yours": other["yours"],
                    "expected": other["expected"], "location": other["location"],
                }  # fmt: skip
    return found


def only_hidden(result: Result) -> list[str]:
    """The exercises that fail for hidden inputs alone: their learners see no call that fails."""
    return [
        e["id"]
        for chapter in result["chapters"]
        for e in chapter["exercises"]
        if {c["hidden"] for c in e["checks"] if c["status"] in WRONG} == {True}
    ]


def _checks(result: Result) -> Iterator[CheckResult]:
    return (c for chapter in result["chapters"] for e in chapter["exercises"] for c in e["checks"])


def for_learner(check: CheckResult, samples: Mapping[str, Sample] = NOTHING) -> CheckResult:
    """A check as its learner may see it: a hidden one shows its sentence and the diagnosis.

    Args:
        samples: as `fresh_samples` gives them; such a check shows one of those.
    """
    if not check["hidden"]:
        return check
    if check["id"] in samples:
        return {**unplaced(check), **samples[check["id"]]}
    says = "" if check["status"] == "passed" else "It does not hold for every hidden input."
    return unshown(check, says)
