"""Kept files: damaged, foreign, of the wrong type, changed by several at once, left behind."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from grader import root
from grader.course import key_source
from grader.course.key_source import open_key
from grader.memo import Memo

from ..caches import fill
from ..conftest import run_grader
from .conftest import ASKED, FOUND, Drilled


def kept(work: Path) -> dict[str, dict]:
    return json.loads((work / ".grader" / "progress.json").read_text())["exercises"]


# ---- the key ---------------------------------------------------------------------------

needs_cache = pytest.mark.skipif(
    root.is_installed_course(), reason="an installed course has no cache"
)


class Cached(NamedTuple):
    """A cache of one's own that knows chapter 3."""

    env: dict[str, str]
    memo: Memo
    entry: Path  # of chapter 3
    table: Path  # as the times of the sources name it


@pytest.fixture
def cached(tmp_path, work) -> Cached:
    """Fill a cache with the key; the workspace has no key of its own."""
    place = tmp_path / "cache" / "babygrad-course"
    memo, name = fill(place), open_key().table["names"]["chapter3"]
    (work / ".grader" / "answers.key").unlink()
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    names = (name, key_source.by_stamp())
    entry, table = (next(path for path in place.rglob(n) if path.is_file()) for n in names)
    return Cached(env, memo, entry, table)


def cut_short(data: bytes) -> bytes:
    return data[: len(data) // 2]


def one_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGES = {"cut short": cut_short, "one bit": one_bit, "empty": lambda data: b""}


@needs_cache
@pytest.mark.sampled(quick=6)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_table_costs_nobody_a_verdict(name, cached, check):
    good, before = cached.table.read_bytes(), cached.entry.stat().st_mtime_ns
    cached.table.write_bytes(DAMAGES[name](good))
    check(env=cached.env).assert_right()
    assert cached.table.read_bytes() == good and cached.entry.stat().st_mtime_ns == before


@needs_cache
@pytest.mark.parametrize("name", DAMAGES)
def test_an_entry_that_is_damaged_counts_as_missing(name, cached):
    good = cached.memo.get(cached.entry.name)
    assert good
    cached.entry.write_bytes(DAMAGES[name](cached.entry.read_bytes()))
    assert cached.memo.get(cached.entry.name) is None
    assert cached.memo.put(cached.entry.name, good) and cached.memo.get(cached.entry.name) == good


@needs_cache
def test_and_is_built_anew(cached, check):
    good = cached.entry.read_bytes()
    cached.entry.write_bytes(one_bit(good))
    done = check(env=cached.env)
    done.assert_right()
    assert "building the answer key: chapter3" in done.err
    assert cached.entry.read_bytes() == good


@pytest.mark.long
@needs_cache
def test_of_two_commands_one_builds_and_the_other_waits(cached, check):
    """The first is held back until the second has met its lock."""
    cached.entry.unlink()
    with ThreadPoolExecutor(2) as threads:
        done = [*threads.map(lambda _: check(env=cached.env), range(2))]
    for each in done:
        each.assert_right()
    assert sum("building the answer key: chapter3" in each.err for each in done) == 1
    with cached.memo.entry_lock(cached.entry.name, "nothing"):
        check(env=cached.env).assert_right()  # what is there is waited for by nobody


@needs_cache
def test_a_command_that_waits_says_for_what(cached, tmp_path, capsys):
    held, met = threading.Event(), threading.Event()

    def hold() -> None:
        with cached.memo.entry_lock("name", "chapter3"):
            held.set()
            met.wait()

    class Told(io.StringIO):
        def write(self, text: str) -> int:
            met.set()  # who waits has said so
            return super().write(text)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with contextlib.redirect_stderr(Told()) as told, cached.memo.entry_lock("name", "chapter3"):
        holder.join()
    assert told.getvalue() == "Another command is building chapter3; waiting for it.\n"


@needs_cache
def test_an_entry_that_was_only_touched_stays(cached, check):
    os.utime(cached.entry, (1, 1))
    done = check(env=cached.env)
    done.assert_right()
    assert "building" not in done.err
    assert cached.entry.stat().st_mtime > 1  # it was used


@pytest.mark.long
@needs_cache
def test_a_folder_in_the_place_of_an_entry(cached, check):
    cached.entry.unlink()
    cached.entry.mkdir()
    check(env=cached.env).assert_says(2, "could not be written", str(cached.memo.place))


def test_a_damaged_key_of_a_release(check, work):
    key = work / ".grader" / "answers.key"
    data = key.read_bytes()
    key.write_bytes(data[:5])
    check().assert_says(2, "no answer key that this grader can read")
    key.write_bytes(data[: len(data) // 8])
    check().assert_says(3, "is damaged in chapter3", "Take it again")


# ---- the workspace ----------------------------------------------------------------------

WRONG = [[]]
WRONG_TOO = [None, -1, "x", True, 1e300, "", [1], {}, {"a": 1}, [[]], "failed", float("nan")]
FIELDS = ("status", "score", "max_score", "blocked_by", "at", "before", "lost")


def told(*arguments: str, cwd: Path) -> Drilled:
    """Return what the command says of the key that it reads."""
    return Drilled(*run_grader(*arguments, cwd=cwd, stdin=""))


@pytest.mark.parametrize(
    "value",
    [*WRONG, *(pytest.param(v, marks=pytest.mark.sampled(long=2)) for v in WRONG_TOO)],
    ids=repr,
)
def test_a_field_of_the_wrong_type(value, check, work):
    path = work / ".grader" / "progress.json"
    check().assert_right()
    state = json.loads(path.read_text())
    one, two = ASKED[0], ASKED[1]
    for where, name in [(state, "checked"), (state, "sha256"), (state, "exercises"),
                        *((state["exercises"][one], field) for field in FIELDS)]:  # fmt: skip
        earlier = where.get(name, where)
        where[name] = value
        state["exercises"] = (
            {**state["exercises"], "strange": value} if name != "exercises" else value
        )
        path.write_text(json.dumps(state))
        told("status", cwd=work).assert_says(1, "all chapters")
        if earlier is where:
            del where[name]
        else:
            where[name] = earlier
    path.write_text(json.dumps(value))
    for command, status in (["status"], 1), (["show", one], 0), (["hint", two], 0):
        told(*command, cwd=work).assert_says(status)
    for name in ("hints.json", "quiz.json", "revealed.json"):
        (work / ".grader" / name).write_text(json.dumps({two: value, "q": value}))
    for command, status in (
        (["hint", two], 0), (["status"], 1), (["solution", "--reveal", two], 0),
        (["quiz", "chapter3"], 1), (["check", *ASKED], 1),
    ):  # fmt: skip
        told(*command, cwd=work).assert_says(status)


@pytest.mark.parametrize("first", ["chapter99", "chapter0", "chapter-3", "99", "", 3, None, []])
def test_a_workspace_that_begins_nowhere(first, work):
    place = work / ".grader" / "workspace.json"
    place.write_text(json.dumps({"schema": "grader-workspace/1", "from": first}))
    if first == 3:  # a number is understood
        return told("check", *ASKED, "--json", cwd=work).assert_right()
    for command in (["check", *ASKED, "--json"], ["check"], ["status"], ["show", ASKED[0]]):
        told(*command, cwd=work).assert_says(2, "workspace.json", "Delete it, or write")
    return None


def test_four_checks_at_once_lose_no_mark(drill, work, is_whole):
    names = [*ASKED, "chapter3.negate.forward"]
    for _ in range(20 if is_whole else 1):
        (work / ".grader" / "progress.json").unlink(missing_ok=True)
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda name: drill("check", name, cwd=work), names))
        assert {id: m["status"] for id, m in kept(work).items()} == {**FOUND, names[3]: "pending"}
    assert {p.name for p in (work / ".grader").iterdir()} == {
        "answers.key", "progress.json", "workspace.json",
    }  # fmt: skip


WRITER = """
import sys
from grader.learner import workspace
package, name = sys.argv[1:]
mark = {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}
for n in range(40):
    assert workspace.write_progress(package, {f"{name}.{n}": mark}, "") == ""
"""


def test_writers_without_a_pause_lose_no_mark(work):
    command = [sys.executable, "-c", WRITER, str(work / "babygrad")]
    env = {**os.environ, "PYTHONPATH": root.ROOT}
    writers = [subprocess.Popen([*command, name], env=env) for name in "abcd"]
    assert [writer.wait(300) for writer in writers] == [0] * 4
    assert set(kept(work)) == {f"{name}.{n}" for name in "abcd" for n in range(40)}


HOLDER = """
import sys, time
from grader.learner.workspace import workspace_lock
with workspace_lock(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_lock_dies_with_who_holds_it(check, work):
    folder = work / ".grader"
    before = {p.name for p in folder.iterdir()}
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": root.ROOT},
    )  # fmt: skip
    assert holder.stdout and holder.stdout.readline() == "held\n"
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert {p.name for p in folder.iterdir()} == before
    check().assert_right()
    assert set(kept(work)) == set(ASKED)


@pytest.mark.long
def test_many_checks_in_a_row(check, work, is_whole):
    for _ in range(200 if is_whole else 8):
        check().assert_right()
    assert {p.name for p in (work / ".grader").iterdir()} == {
        "answers.key", "progress.json", "workspace.json",
    }  # fmt: skip


@needs_cache
def test_what_a_chapter_left_behind_is_no_chapter(tmp_path, drill, work):
    """A `__pycache__` without its sources, as `git` leaves it when a chapter goes."""
    course = tmp_path / "course"
    for name in ("exercises", "tests", "solutions", "chapters", "grader", "examples", "babygrad"):
        skip = shutil.ignore_patterns("golden", "hostile")
        shutil.copytree(root.path(name), course / name, ignore=skip)
    shutil.copy(root.path("course.json"), course)
    (course / "exercises" / "chapter88" / "__pycache__").mkdir(parents=True)
    (course / "exercises" / "chapter88" / "__pycache__" / "row.cpython-311.pyc").write_bytes(b"")
    command = (sys.executable, "-m", "grader")
    env = {**os.environ, "PYTHONPATH": str(course)}
    for words, status in (["init", "new"], 0), (["stubs", "--check"], 0), (["status"], 1):
        drill(*words, cwd=work, through=command, env=env).assert_says(status)
