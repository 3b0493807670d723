"""The folder of results: one record per learner is the truth, everything else is made from it.

A class in parts, each judged by a job of its own, is one such folder again.

RESULTS/batch.json seed, suites, versions: what a replay needs; for staff only
RESULTS/learners/NAME.json.gz a record (`grader-record/1`), whole or not there; `zcat` shows it
RESULTS/results.jsonl a line per record, as they come; sorted when the batch is done
RESULTS/results.csv the same, for people

Whose part a submission is depends on its learner's name alone, so that jobs need not agree on
anything but the seed: an array of SLURM or an indexed Job of Kubernetes needs no package of ours.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, TypedDict
from urllib.parse import quote

from ..about import of_another
from ..course.package import Unfit, safe_bytes
from ..errors import WrongUse
from ..memo import forget
from ..result_rows import OraclesResult, Result
from .files import (
    RESULT,
    as_json,
    as_packed,
    conforms,
    csv_text,
    make_folder,
    one_line,
    open_for,
    read_json,
    write_whole,
)
from .handins import HandIn
from .record import (
    GRADED,
    SCHEMA,
    Judged,
    Read,
    Record,
    Row,
    Summary,
    by_learner,
    marked,
    summary,
    whole,
)

COLUMNS = tuple(Row.__annotations__)
LONGEST_NAME = 150
MOST_KEY = 1 << 30  # bytes
ENDING = ".json.gz"
PART = re.compile(r"\.\d+\.part$")  # what `write_whole` writes beside the place


class Batch(TypedDict, total=False):
    """What a class was judged with: `batch.json`."""

    schema: str
    name: str
    seed: str
    version: str
    chapters: list[str]
    suites: dict[str, str]
    key: str
    policy: str
    course: str | None
    handed_out: dict[str, Any] | None
    roster: list[list[str]]
    open: dict[str, float]
    oracles: OraclesResult


class Results:
    """One folder of results; as a context manager, held by this process alone."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        self.learners = os.path.join(self.folder, "learners")
        self._lock: int | None = None

    def __enter__(self) -> Results:
        try:
            make_folder(self.learners)
            self._lock = open_for("staff", os.path.join(self.folder, ".lock"), os.O_RDWR)
        except OSError as error:
            says = f"{self.folder} cannot be used for results: {error.strerror}."
            raise WrongUse(says) from error
        self._hold(self._lock)
        if os.stat(self.folder).st_mode & 0o007:
            says = f"Other users of this machine can look into {self.folder}."
            print(f"{says} Close it: chmod -R o-rwx {self.folder}", file=sys.stderr)
        for name in os.listdir(self.learners):
            if PART.search(name):  # of a grader that was killed while it wrote
                os.unlink(os.path.join(self.learners, name))
        return self

    def _hold(self, lock: int) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(lock)
            raise WrongUse(
                f"Another grader (process {holder}) is writing to {self.folder}. "
                "Wait until it is done, or name another folder with --out."
            ) from error
        with suppress(OSError):  # a full disk: the lock holds, and the first record will say it
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            os.close(self._lock)  # which gives the lock back, as the death of this process would

    def path(self, learner: str) -> str:
        return os.path.join(self.learners, f"{file_name(learner)}{ENDING}")

    def read(self, learner: str) -> Record | None:
        """The record of a learner; None where there is none that can be read."""
        path = self.path(learner)
        found = read_json(path if os.path.exists(path) else path.removesuffix(".gz"))
        return found if whole(found) else None

    def write(self, record: Record) -> None:
        """Keep a record, and add its line to the log."""
        path = self.path(record["learner"])
        write_whole(path, as_packed(record))
        forget(path.removesuffix(".gz"))  # of a grader that did not pack
        log = os.path.join(self.folder, "results.jsonl")
        # The record is kept; the log is made anew from all of them at the end.
        with suppress(OSError), open(open_for("staff", log, os.O_RDWR | os.O_APPEND), "ab") as file:
            file.write(_line(_row(summary(record))))

    def remove(self, learner: str) -> None:
        """Keep no record of a learner any more."""
        for path in (self.path(learner), self.path(learner).removesuffix(".gz")):
            forget(path)

    def records(self) -> list[Record]:
        """Every record, by learner."""
        return sorted(self.each(), key=by_learner)

    def each(self, refuse: bool = False) -> Iterator[Record]:
        """Every record, one in memory at a time. What is damaged is refused, or else counts as not
        there, and is judged again."""
        try:
            listed = set(os.listdir(self.learners))
        except FileNotFoundError as error:
            raise WrongUse(
                f"{self.folder} holds no results. Name the folder after --out of `grader grade`."
            ) from error
        # Beside one that is packed, a plain one is of a grader that did not pack.
        ours = (n for n in listed if n.endswith((ENDING, ".json")) and f"{n}.gz" not in listed)
        for path in (os.path.join(self.learners, name) for name in sorted(ours)):
            found = read_json(path)
            if whole(found):
                yield found
            elif refuse:
                raise WrongUse(
                    f"{one_line(path)} is no record of `grader grade`, or is damaged. Put a copy "
                    "of it back, or take it away and grade this learner again."
                )

    def write_summaries(self, rows: Iterable[Summary] | None = None) -> None:
        """`results.jsonl` and `results.csv`.

        Args:
            rows: what `summary` gives of each record, at least; else the records are read for it.
        """
        each = map(summary, self.each()) if rows is None else rows
        table = [_row(row) for row in sorted(each, key=by_learner)]
        lines = b"".join(map(_line, table))
        write_whole(os.path.join(self.folder, "results.jsonl"), lines)
        text = csv_text([COLUMNS, *(row.values() for row in table)])
        write_whole(os.path.join(self.folder, "results.csv"), text.encode())

    @property
    def batch(self) -> Batch:
        path = os.path.join(self.folder, "batch.json")
        found: Batch | None = read_json(path)
        if isinstance(found, dict) and isinstance(found.get("seed"), str):
            if says := of_another(found.get("name"), self.folder):
                raise WrongUse(says)
            return found
        if os.path.lexists(path):
            raise WrongUse(
                f"{path} is damaged, and with it the seed of these results. Put a copy of it back, "
                "or grade into another folder with --out."
            )
        return {}

    def write_batch(self, batch: Batch) -> None:
        """Kept for the owner's eyes only: the seed tells what the hidden inputs are."""
        write_whole(os.path.join(self.folder, "batch.json"), as_json(batch), "owner")


def _row(record: Summary) -> dict[str, object]:
    told = dict(record)
    return {name: told[name] for name in COLUMNS}


def _line(row: dict[str, object]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def file_name(learner: str) -> str:
    """A file name for a name in any script; no two learners share one."""
    name = quote(os.fsencode(learner), safe="")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:80]}-{hashlib.sha256(os.fsencode(learner)).hexdigest()[:32]}"


# What parts of a class have in common.
SAME = {
    "seed": "seeds", "key": "answer keys", "suites": "suites", "chapters": "chapters",
    "policy": "policies of marks", "course": "courses", "handed_out": "releases",
    "open": "open questions", "version": "versions of the grader",
}  # fmt: skip


def part(handins: Iterable[HandIn], text: str | None) -> list[HandIn]:
    """The submissions of one shard, like ``3/8``, the third of eight; all where none is named.

    Raises:
        WrongUse: there is no such part.
    """
    if text is None:
        return list(handins)
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise WrongUse(f"--shard takes I/N with I from 1 to N, like 3/8, not {text}.")
    number, parts = int(found[1]), int(found[2])
    names = ((h, h.learner.encode("utf-8", "surrogateescape")) for h in handins)
    return [h for h, name in names if zlib.crc32(name) % parts == number - 1]


def like(results: Results, other: str) -> str:
    """Begin these results with seed, key and terms of others, where they are new; the seed.

    Raises:
        WrongUse: the others hold none.
    """
    base = Results(other)
    if not base.batch:
        raise WrongUse(f"{other} holds no results. Name a folder of `grader grade`.")
    if not results.batch:
        _take_key(base.folder, results.folder)
        results.write_batch(base.batch)
    return base.batch["seed"]


def _take_key(source: str, out: str) -> None:
    path = os.path.join(source, "answers.key")
    try:
        write_whole(os.path.join(out, "answers.key"), safe_bytes(path, MOST_KEY), "owner")
    except Unfit as error:
        raise WrongUse(f"The key {path} cannot be read: {error}") from error


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
        for record in folder.each(refuse=True):
            _keep(out, record, folder.folder)
            count += 1
    _take_key(folders[0].folder, out.folder)
    out.write_batch(folders[0].batch)
    return count


def _same(folders: list[Results]) -> None:
    first = folders[0]
    for other in folders[1:]:
        for name, words in SAME.items():
            if first.batch.get(name) != other.batch.get(name):
                raise WrongUse(
                    f"{first.folder} and {other.folder} were judged with different {words}; "
                    "their marks do not compare. Grade each shard with one --seed-file, or --like."
                )


def _keep(out: Results, record: Record, source: str) -> None:
    known = out.read(record["learner"])
    if known is not None and _judged(known) != _judged(record):
        raise WrongUse(
            f"{source} has another record of {record['learner']} than was merged before. Take away "
            "the one that does not count, in learners/, and merge into a new folder."
        )
    if known is None:
        out.write(record)


def _judged(record: Record) -> bytes:
    """A record but for whether it counts: other parts may hold other attempts."""
    return as_json({name: value for name, value in record.items() if name != "counts"})


# ---- what something is written from ----------------------------------------------------


def records(place: str) -> list[Record]:
    """Every record at this place, as `one_by_one` finds them, by learner."""
    return sorted(one_by_one(place)[0], key=by_learner)


def batch_at(place: str) -> Batch:
    """What is on record of the class at this place; nothing where it is a single result."""
    found: Batch | None = read_json(os.path.join(place, "batch.json"))
    return found if isinstance(found, dict) else {}


def one_by_one(place: str) -> tuple[Iterator[Record], Read]:
    """Every record at this place, and how to read one of them again, for who holds few at a time.

    Raises:
        WrongUse: there is none that can be read.
    """
    if not os.path.isdir(place):
        alone = _single(place)
        return iter([alone]), {alone["learner"]: alone}.get
    results = Results(place)
    names = (r for r in results.each() if r.get("counts", True))
    first = next(names, None)
    if first is None:
        raise WrongUse(f"{place} holds no results yet. Run `grader grade` first.")
    return chain([first], names), results.read


def _single(place: str) -> Record:
    """What a file holds: a record, or a canonical result."""
    if not os.path.exists(place):
        raise WrongUse(f"There is no {place}. Name a folder of results, or a result as JSON.")
    read = read_json(place)
    if whole(read):
        return read
    if conforms(read, RESULT):
        return _of_result(read)
    raise WrongUse(
        f"{place} is no result of this grader. Name a folder of results, or what "
        "`grader check --json` printed."
    )


def _of_result(result: Result) -> Record:
    """A record around one canonical result."""
    path = str(result["package"]["path"])
    learner = os.path.basename(os.path.dirname(path)) or "package"
    record: Judged = {
        "schema": SCHEMA, "learner": learner, "submission": path, "status": GRADED, "says": "",
        "sha256": result["package"]["sha256"], "result": result, "follow_through_by_exercise": {},
    }  # fmt: skip
    return marked(record, "own")
