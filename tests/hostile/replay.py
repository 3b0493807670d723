"""Make a package that returns right answers by heart: those in the key of some seed."""

from __future__ import annotations

from functools import cache
from typing import Any

from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.load import read_course
from grader.course.make_key import KeyBuilder
from grader.course.rows import PUBLIC_SEED

GIVES_BACK = """
import sys
import numpy as np
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
bench = frame.f_locals["self"]
ANSWERS = {answers!r}
def run(probe):
    fields = [
        (part, np.frombuffer(data, dtype).reshape(shape))
        for part, dtype, shape, data in ANSWERS[probe[0]]
    ]
    bench.sender.send(probe[0], 2, fields)
bench.run = run
"""


@cache
def key_of(chapter: str, seed: str) -> Key:
    """The key to ask for a chapter with this seed."""
    if seed == PUBLIC_SEED:
        return open_key()
    return KeyBuilder(read_course(), seed).key()


def replayed(course: Any, chapter: str, seed: str) -> dict[str, str]:
    """File → text of a package that computes nothing, and answers what is right with this seed."""
    targets = [t for e in course.exercises.values() if e.chapter == chapter for t in e.targets]
    texts = course.replace_bodies(dict.fromkeys(targets, "return None"))
    key = key_of(chapter, seed).chapter(chapter)
    answers = {
        number: [
            (part, array.dtype, array.shape, bytes(array.data))
            for part, numbers in probe["answers"]["reference"].items()
            for array in map(key.array, numbers)
        ]
        for number, probe in enumerate(key.probes)
    }
    return {**texts, "__init__.py": texts["__init__.py"] + GIVES_BACK.format(answers=answers)}
