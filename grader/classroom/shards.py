"""A class in parts, each judged by a job of its own, and the parts as one folder again.

Whose part a submission is depends on its learner's name alone, so that jobs need not agree on
anything but the seed: an array of SLURM or an indexed Job of Kubernetes needs no package of ours.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..errors import WrongUse
from .files import as_json, write_whole
from .handins import HandIn
from .results import Results

SAME = ("seed", "key", "suites", "chapters", "policy", "course", "handed_out", "version")
WORDS = {
    "seed": "seeds", "key": "answer keys", "suites": "suites", "chapters": "chapters",
    "policy": "policies of marks", "course": "courses", "handed_out": "releases",
    "version": "versions of the grader",
}  # fmt: skip


class Shard(NamedTuple):
    """Part ``number`` of ``parts``, from 1."""

    number: int
    parts: int

    def holds(self, learner: str) -> bool:
        name = learner.encode("utf-8", "surrogateescape")
        return zlib.crc32(name) % self.parts == self.number - 1


def shard(text: str) -> Shard:
    """``3/8``: the third of eight parts.

    Raises:
        WrongUse: it is none.
    """
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise WrongUse(f"--shard takes I/N with I from 1 to N, like 3/8, not {text}.")
    return Shard(int(found[1]), int(found[2]))


def part(handins: Iterable[HandIn], text: str | None) -> list[HandIn]:
    """The submissions of one shard; all of them where none is named."""
    if text is None:
        return list(handins)
    mine = shard(text)
    return [handin for handin in handins if mine.holds(handin.learner)]


def like(results: Results, other: str) -> None:
    """Begin these results with seed, key and terms of others, where they are new.

    Raises:
        WrongUse: the others hold none.
    """
    if results.batch:
        return
    base = Results(other)
    if not base.batch:
        raise WrongUse(f"{other} holds no results. Name a folder of `grader grade`.")
    _take_key(base.folder, results.folder)
    results.write_batch(base.batch)


def _take_key(source: str, out: str) -> None:
    with open(os.path.join(source, "answers.key"), "rb") as file:
        write_whole(os.path.join(out, "answers.key"), file.read(), mode=0o600)


def merge(parts: Sequence[str], out: Results) -> int:
    """Bring the records of all parts into one folder; how many there are.

    Raises:
        WrongUse: they do not belong together, or two of them judged one learner differently.
    """
    folders = [Results(place) for place in parts]
    for folder in folders:
        if not folder.batch:
            raise WrongUse(f"{folder.folder} holds no results of `grader grade`.")
    _same(folders)
    count = 0
    for folder in folders:
        for record in folder.each():
            _keep(out, record, folder.folder)
            count += 1
    _take_key(folders[0].folder, out.folder)
    out.write_batch(folders[0].batch)
    out.write_summaries()
    return count


def _same(folders: list[Results]) -> None:
    first = folders[0]
    for other in folders[1:]:
        for name in SAME:
            if first.batch.get(name) != other.batch.get(name):
                raise WrongUse(
                    f"{first.folder} and {other.folder} were judged with different {WORDS[name]}; "
                    "their marks do not compare. Grade each shard with one --seed-file, or --like."
                )


def _keep(out: Results, record: dict[str, Any], source: str) -> None:
    known = out.read(record["learner"])
    if known is not None and as_json(known) != as_json(record):
        raise WrongUse(
            f"{source} has another record of {record['learner']} than was merged before. Take away "
            "the one that does not count, in learners/, and merge into a new folder."
        )
    if known is None:
        out.write(record)
