"""Read and write the folder of results: a record per learner, from which all else is made.

A class can be split into shards for separate jobs, and their folders merged.

RESULTS/batch.json seed, suites, versions: what a replay needs; for staff only
RESULTS/learners/NAME.json.gz a record (`grader-record/1`), whole or not there; `zcat` shows it
RESULTS/results.jsonl a line per record, as they come; sorted when the batch is done
RESULTS/results.csv the same, for people

The learner's name alone decides the shard, so jobs need to share only the seed: a SLURM array or an
indexed Job of Kubernetes works without further software.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from typing import Any, TypedDict
from urllib.parse import quote

from ...about import of_another
from ...course.package import BadFile, safe_bytes
from ...disk import forget, hold_lock
from ...errors import WrongUse, one_line
from ...learner.file_writer import make_folder, open_for, write_whole
from ...learner.untrusted_files import read_json_or_none
from ...result import iter_exercises
from ...result_rows import OraclesResult, Result
from ..files import RESULT, as_json, as_packed, conforms, csv_text
from ..intake.handins import HandIn
from .record import (
    GRADED,
    SCHEMA,
    JudgedRecord,
    Record,
    RecordReader,
    ResultsRow,
    Summary,
    by_learner,
    compute_marks,
    is_record,
    list_failed_imports,
    summarize_record,
)

COLUMNS = tuple(ResultsRow.__annotations__)
LONGEST_NAME = 150
MOST_KEY = 1 << 30  # bytes
ENDING = ".json.gz"
PART = re.compile(r"\.\d+\.part$")  # temporary files of `replace_file`


class Batch(TypedDict, total=False):
    """The content of `batch.json`: what a class was judged with."""

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
    """A folder of results; as a context manager, locked by this process."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        self.learners = os.path.join(self.folder, "learners")
        self._lock = ExitStack()

    def __enter__(self) -> Results:
        try:
            make_folder(self.learners)
            lock = open_for("staff", os.path.join(self.folder, ".lock"), os.O_RDWR)
        except OSError as error:
            says = f"{self.folder} cannot be used for results: {error.strerror}."
            raise WrongUse(says) from error
        self._hold(lock)
        if os.stat(self.folder).st_mode & 0o007:
            says = f"Other users of this machine can look into {self.folder}."
            print(f"{says} Close it: chmod -R o-rwx {self.folder}", file=sys.stderr)
        for name in os.listdir(self.learners):
            if PART.search(name):  # left by a grader that was killed while writing
                os.unlink(os.path.join(self.learners, name))
        return self

    def _hold(self, lock: int) -> None:
        if not self._lock.enter_context(hold_lock(lock)):
            holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
            self._lock.close()
            raise WrongUse(
                f"Another grader (process {holder}) is writing to {self.folder}. "
                "Wait until it is done, or name another folder with --out."
            )
        with suppress(OSError):  # a full disk: the lock holds, and the first record reports it
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def path(self, learner: str) -> str:
        return os.path.join(self.learners, f"{safe_file_name(learner)}{ENDING}")

    def read(self, learner: str) -> Record | None:
        """Read a learner's record; None if there is none, or it is damaged."""
        path = self.path(learner)
        found = read_json_or_none(path if os.path.exists(path) else path.removesuffix(".gz"))
        return renew(found) if is_record(found) else None

    def write(self, record: Record) -> None:
        """Write a record, and append its line to `results.jsonl`."""
        path = self.path(record["learner"])
        write_whole(path, as_packed(record))
        forget(path.removesuffix(".gz"))  # of an older grader, uncompressed
        log = os.path.join(self.folder, "results.jsonl")
        # An error here is ignored: the log is rebuilt from the records at the end.
        with suppress(OSError), open(open_for("staff", log, os.O_RDWR | os.O_APPEND), "ab") as file:
            file.write(_line(_row(summarize_record(record))))

    def remove(self, learner: str) -> None:
        """Delete a learner's record."""
        for path in (self.path(learner), self.path(learner).removesuffix(".gz")):
            forget(path)

    def records(self) -> list[Record]:
        """Read all records, sorted by learner."""
        return sorted(self.each(), key=by_learner)

    def each(self, refuse: bool = False) -> Iterator[Record]:
        """Yield all records, one in memory at a time. A damaged one raises WrongUse with
        ``refuse``, else it is skipped, and judged again."""
        try:
            listed = set(os.listdir(self.learners))
        except FileNotFoundError as error:
            raise WrongUse(
                f"{self.folder} holds no results. Name the folder after --out of `grader grade`."
            ) from error
        # An uncompressed file of an older grader counts unless a compressed one is there.
        ours = (n for n in listed if n.endswith((ENDING, ".json")) and f"{n}.gz" not in listed)
        for path in (os.path.join(self.learners, name) for name in sorted(ours)):
            found = read_json_or_none(path)
            if is_record(found):
                yield renew(found)
            elif refuse:
                raise WrongUse(
                    f"{one_line(path)} is no record of `grader grade`, or is damaged. Put a copy "
                    "of it back, or take it away and grade this learner again."
                )

    def write_summaries(self, rows: Iterable[Summary] | None = None) -> None:
        """Write `results.jsonl` and `results.csv`.

        Args:
            rows: summaries of all records; by default the records are read for them.
        """
        each = map(summarize_record, self.each()) if rows is None else rows
        table = [_row(row) for row in sorted(each, key=by_learner)]
        lines = b"".join(map(_line, table))
        write_whole(os.path.join(self.folder, "results.jsonl"), lines)
        text = csv_text([COLUMNS, *(row.values() for row in table)])
        write_whole(os.path.join(self.folder, "results.csv"), text.encode())

    @property
    def batch(self) -> Batch:
        path = os.path.join(self.folder, "batch.json")
        found: Batch | None = read_json_or_none(path)
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
        """Write `batch.json`, readable only by its owner: the seed determines the hidden inputs."""
        write_whole(os.path.join(self.folder, "batch.json"), as_json(batch), "owner")


def _row(record: Summary) -> dict[str, object]:
    told = dict(record)
    return {name: told[name] for name in COLUMNS}


def _line(row: dict[str, object]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def safe_file_name(learner: str) -> str:
    """Return a unique, safe file name for a learner's name in any script."""
    name = quote(os.fsencode(learner), safe="")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:80]}-{hashlib.sha256(os.fsencode(learner)).hexdigest()[:32]}"


def find_stale_learners(
    rows: Iterable[Summary], places: Iterable[str], handins: Iterable[HandIn]
) -> list[str]:
    """Return the learners with a result whose submission is gone from these places."""
    here = {handin.learner for handin in handins}
    folders = tuple(os.path.join(os.path.abspath(place), "") for place in places)
    gone = (row for row in rows if row["learner"] not in here)
    return [row["learner"] for row in gone if row["submission"].startswith(folders)]


# Fields of `batch.json` that the shards of a class must share → their name in errors.
SAME = {
    "seed": "seeds", "key": "answer keys", "suites": "suites", "chapters": "chapters",
    "policy": "policies of marks", "course": "courses", "handed_out": "releases",
    "open": "open questions", "version": "versions of the grader",
}  # fmt: skip


def select_shard(handins: Iterable[HandIn], text: str | None) -> list[HandIn]:
    """Return the submissions of a shard: ``3/8`` is the third of eight; None means all.

    Raises:
        WrongUse: the text names no shard.
    """
    if text is None:
        return list(handins)
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise WrongUse(f"--shard takes I/N with I from 1 to N, like 3/8, not {text}.")
    number, parts = int(found[1]), int(found[2])
    names = ((h, h.learner.encode("utf-8", "surrogateescape")) for h in handins)
    return [h for h, name in names if zlib.crc32(name) % parts == number - 1]


def copy_terms(results: Results, other: str) -> str:
    """Copy seed, key and terms of other results into these, if they are new; return the seed.

    Raises:
        WrongUse: the other folder holds no results.
    """
    base = Results(other)
    if not base.batch:
        raise WrongUse(f"{other} holds no results. Name a folder of `grader grade`.")
    if not results.batch:
        _copy_key(base.folder, results.folder)
        results.write_batch(base.batch)
    return base.batch["seed"]


def _copy_key(source: str, out: str) -> None:
    path = os.path.join(source, "answers.key")
    try:
        write_whole(os.path.join(out, "answers.key"), safe_bytes(path, MOST_KEY), "owner")
    except BadFile as error:
        raise WrongUse(f"The key {path} cannot be read: {error}") from error


def merge_shards(parts: Sequence[str], out: Results) -> int:
    """Merge the records of all shards into one folder; return their number.

    Raises:
        WrongUse: the shards do not belong together, or two have different records of a learner.
    """
    folders = [Results(place) for place in parts]
    for folder in folders:
        if not folder.batch:
            raise WrongUse(f"{folder.folder} holds no results of `grader grade`.")
    _refuse_mixed_shards(folders)
    count = 0
    for folder in folders:
        for record in folder.each(refuse=True):
            _merge_record(out, record, folder.folder)
            count += 1
    _copy_key(folders[0].folder, out.folder)
    out.write_batch(folders[0].batch)
    return count


def _refuse_mixed_shards(folders: list[Results]) -> None:
    first = folders[0]
    for other in folders[1:]:
        for name, words in SAME.items():
            if first.batch.get(name) != other.batch.get(name):
                raise WrongUse(
                    f"{first.folder} and {other.folder} were judged with different {words}; "
                    "their marks do not compare. Grade each shard with one --seed-file, or --like."
                )


def _merge_record(out: Results, record: Record, source: str) -> None:
    known = out.read(record["learner"])
    if known is not None and _judged(known) != _judged(record):
        raise WrongUse(
            f"{source} has another record of {record['learner']} than was merged before. Take away "
            "the one that does not count, in learners/, and merge into a new folder."
        )
    if known is None:
        out.write(record)


def _judged(record: Record) -> bytes:
    """Encode a record without `counts`, which depends on attempts in other shards."""
    return as_json({name: value for name, value in record.items() if name != "counts"})


# ---- sources of reports and exports ----------------------------------------------------


def read_records(place: str) -> list[Record]:
    """Read all records at a place, like `iter_records`, sorted by learner."""
    return sorted(iter_records(place)[0], key=by_learner)


def read_batch(place: str) -> Batch:
    """Read `batch.json` at a place; empty if there is none, as for a single result."""
    found: Batch | None = read_json_or_none(os.path.join(place, "batch.json"))
    return found if isinstance(found, dict) else {}


def iter_records(place: str) -> tuple[Iterator[Record], RecordReader]:
    """Return an iterator over the counting records at a place, and a function to read one again.

    Raises:
        WrongUse: there is no record.
    """
    if not os.path.isdir(place):
        alone = _read_single(place)
        return iter([alone]), {alone["learner"]: alone}.get
    results = Results(place)
    names = (r for r in results.each() if r.get("counts", True))
    first = next(names, None)
    if first is None:
        raise WrongUse(f"{place} holds no results yet. Run `grader grade` first.")
    return chain([first], names), results.read


def _read_single(place: str) -> Record:
    """Read a file with a record or a canonical result, as a record."""
    if not os.path.exists(place):
        raise WrongUse(f"There is no {place}. Name a folder of results, or a result as JSON.")
    read = read_json_or_none(place)
    if is_record(read):
        return renew(read)
    if conforms(read, RESULT):
        return renew(_wrap_result(read))
    raise WrongUse(
        f"{place} is no result of this grader. Name a folder of results, or what "
        "`grader check --json` printed."
    )


def renew(record: Record) -> Record:
    """Give a record of version 1.0 the reasons that code asks for, in place."""
    for cause in list_failed_imports(record):
        for exercise in iter_exercises(record["result"]) if record["result"] else ():
            for check in exercise["checks"] if exercise["id"] in cause["exercises"] else ():
                check.setdefault("reason", {"name": "not_imported", "says": check["message"]})
    return record


def _wrap_result(result: Result) -> Record:
    """Wrap a canonical result into a record."""
    path = str(result["package"]["path"])
    learner = os.path.basename(os.path.dirname(path)) or "package"
    record: JudgedRecord = {
        "schema": SCHEMA, "learner": learner, "submission": path, "status": GRADED, "says": "",
        "sha256": result["package"]["sha256"], "result": result, "follow_through_by_exercise": {},
    }  # fmt: skip
    return compute_marks(record, "own")
