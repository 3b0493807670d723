"""The names that platforms give to what was handed in, when all of it is downloaded at once.

Moodle: ``Ada Love_1234567_assignsubmission_file_work.zip``; the number is the participant's, which
the offline worksheet calls ``Participant 1234567``. Canvas: ``loveada_LATE_4711_99_work.zip``; the
first number is the user's ID in the gradebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:(?P<late>LATE)_)?(?P<id>\d+)_\d+_.+")


class Whose(NamedTuple):
    """What a platform's name tells: all that its learner may be called in a roster."""

    keys: tuple[str, ...]
    late: bool = False


def whose(name: str) -> Whose:
    """Under which names a submission's learner may stand in a roster."""
    moodle = MOODLE.fullmatch(name)
    if moodle:
        return Whose((name, f"Participant {moodle['id']}", moodle["id"], moodle["name"]))
    canvas = CANVAS.fullmatch(name)
    if canvas:
        return Whose((name, canvas["id"], canvas["name"]), bool(canvas["late"]))
    return Whose((name,))


def by_key(learners: Iterable[str]) -> dict[str, str]:
    """A name that a roster may use → the learner here; one that fits two fits nobody."""
    found: dict[str, str | None] = {}
    exact = set()
    for learner in learners:
        exact.add(learner)
        for key in whose(learner).keys:
            found[key] = learner if found.get(key, learner) == learner else None
    return {key: who for key, who in found.items() if who} | {name: name for name in exact}
