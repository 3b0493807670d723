"""Ask for a part of a call's result wherever a learner sees such a call.

What holds of every call, that its inputs stay or that its dtype is kept, is often right in one
setting alone: in float64, without an option, for one axis. The probes of a program show it all, so
to look at it in each of them costs no further call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps

from grader.course import Check, Probe

Checks = Callable[[str], Iterable[Check]]


def ask_in_every_call(*parts: str) -> Callable[[Checks], Callable[[str], Iterator[Check]]]:
    """Decorate `checks`: a check of one of these parts looks at all probes of its program.

    They are those of its exercise. Left out are probes that are hidden, whose inputs are the same
    for every seed, or that earn nothing.
    """

    def decorate(checks: Checks) -> Callable[[str], Iterator[Check]]:
        return wraps(checks)(lambda seed: _widen([*checks(seed)], parts))

    return decorate


def _widen(checks: list[Check], parts: Iterable[str]) -> Iterator[Check]:
    shown: dict[tuple[str, str], dict[int, Probe]] = {}
    last = {check.exercise: at for at, check in enumerate(checks)}
    for check in filter(_is_open, checks):
        for probe in check.probes if check.weight else ():
            shown.setdefault((check.exercise, probe.program), {})[id(probe)] = probe
    waiting: list[Check] = []  # behind the others of its exercise: the probes are theirs first
    for at, check in enumerate(checks):
        if check.part in parts and _is_open(check):
            probes = {id(probe): probe for probe in check.probes}
            for probe in check.probes:
                probes |= shown.get((check.exercise, probe.program), {})
            waiting.append(replace(check, probes=tuple(probes.values())))
        else:
            yield check
        if last[check.exercise] == at:
            yield from (each for each in waiting if each.exercise == check.exercise)


def _is_open(check: Check) -> bool:
    return not (check.hidden or check.fixed or check.costs)
