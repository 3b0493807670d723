"""The folder of results: one record per learner is the truth, everything else is made from it.

RESULTS/batch.json            seed, suites, versions: what a replay needs; for staff only
RESULTS/learners/NAME.json.gz a record (`grader-record/1`), whole or not there; `zcat` shows it
RESULTS/results.jsonl         a line per record, as they come; sorted when the batch is done
RESULTS/results.csv           the same, for people
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any
from urllib.parse import quote

from ..errors import WrongUse
from .csv_tables import csv_text
from .files import as_json, as_packed, forget, read_json, write_whole

SUMMARY = (
    "learner", "status", "mark", "max_mark", "own", "follow_through", "submission", "sha256",
    "says",
)  # fmt: skip
LONGEST_NAME = 150
ENDING = ".json.gz"
PART = re.compile(r"\.\d+\.part$")  # what `write_whole` writes beside the place


class Results:
    """One folder of results; as a context manager, held by this process alone."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        self.learners = os.path.join(self.folder, "learners")
        self._lock: int | None = None

    def __enter__(self) -> Results:
        try:
            os.makedirs(self.learners, exist_ok=True)
            path = os.path.join(self.folder, ".lock")
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            says = f"{self.folder} cannot be used for results: {error.strerror}."
            raise WrongUse(says) from error
        self._hold(self._lock)
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
        try:
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        except OSError:
            pass  # a full disk: the lock holds all the same, and the first record will say it

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._lock is not None:
            os.close(self._lock)  # which gives the lock back, as the death of this process would

    def path(self, learner: str) -> str:
        return os.path.join(self.learners, f"{file_name(learner)}{ENDING}")

    def read(self, learner: str) -> dict[str, Any] | None:
        """The record of a learner; None where there is none that can be read."""
        path = self.path(learner)
        found = read_json(path if os.path.exists(path) else path.removesuffix(".gz"))
        return found if whole(found) else None

    def write(self, record: dict[str, Any]) -> None:
        """Keep a record, and add its line to the log."""
        path = self.path(record["learner"])
        write_whole(path, as_packed(record))
        forget(path.removesuffix(".gz"))  # of a grader that did not pack
        line = json.dumps(summary(record)).encode() + b"\n"
        try:
            with open(os.path.join(self.folder, "results.jsonl"), "ab") as file:
                file.write(line)
        except OSError:
            pass  # the record is kept; the log is made anew from the records at the end

    def records(self) -> list[dict[str, Any]]:
        """Every record, by learner."""
        return sorted(self.each(), key=by_learner)

    def each(self) -> Iterator[dict[str, Any]]:
        """Every record, one in memory at a time."""
        try:
            listed = set(os.listdir(self.learners))
        except FileNotFoundError as error:
            raise WrongUse(
                f"{self.folder} holds no results. Name the folder after --out of `grader grade`."
            ) from error
        # Beside one that is packed, a plain one is of a grader that did not pack.
        ours = (n for n in listed if n.endswith((ENDING, ".json")) and f"{n}.gz" not in listed)
        names = sorted(ours)
        found = (read_json(os.path.join(self.learners, name)) for name in names)
        yield from filter(whole, found)

    def write_summaries(self, rows: Iterable[dict[str, Any]] | None = None) -> None:
        """`results.jsonl` and `results.csv`.

        Args:
            rows: what `summary` gives of each record, at least; else the records are read for it.
        """
        rows = sorted(map(summary, self.each()) if rows is None else rows, key=by_learner)
        names = (*SUMMARY, "isolation")
        lines = "".join(json.dumps({name: row[name] for name in names}) + "\n" for row in rows)
        write_whole(os.path.join(self.folder, "results.jsonl"), lines.encode())
        table = [list(names), *([row[name] for name in names] for row in rows)]
        write_whole(os.path.join(self.folder, "results.csv"), csv_text(table).encode())

    @property
    def batch(self) -> dict[str, Any]:
        path = os.path.join(self.folder, "batch.json")
        found = read_json(path)
        if isinstance(found, dict) and isinstance(found.get("seed"), str):
            return found
        if os.path.lexists(path):
            raise WrongUse(
                f"{path} is damaged, and with it the seed of these results. Put a copy of it back, "
                "or grade into another folder with --out."
            )
        return {}

    def write_batch(self, batch: dict[str, Any]) -> None:
        """Kept for the owner's eyes only: the seed tells what the hidden inputs are."""
        write_whole(os.path.join(self.folder, "batch.json"), as_json(batch), mode=0o600)


def by_learner(record: dict[str, Any]) -> str:
    return str(record["learner"])


def whole(record: Any) -> bool:
    """Whether a file held a record; one that somebody damaged counts as not there."""
    return (
        isinstance(record, dict)
        and all(name in record for name in (*SUMMARY, "result", "marks", "policy"))
        and (record["status"] != "graded") == (record["result"] is None)
    )


def file_name(learner: str) -> str:
    """A file name for a name in any script; no two learners share one."""
    name = quote(os.fsencode(learner), safe="")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:80]}-{hashlib.sha256(os.fsencode(learner)).hexdigest()[:32]}"


def summary(record: dict[str, Any]) -> dict[str, Any]:
    """A record in one line; no points where nothing was judged: that is not a zero."""
    level = record["result"]["isolation"]["level"] if record["result"] else None
    return {**{name: record.get(name) for name in SUMMARY}, "isolation": level}
