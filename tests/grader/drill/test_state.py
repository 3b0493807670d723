"""What is kept: damaged, foreign, of the wrong type, changed by several at once, left behind."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from grader import root
from grader.key.file import intact
from grader.making import cache, runs

from .conftest import ASKED, FOUND

FULL = bool(os.environ.get("GRADER_FULL"))
MANY = 200 if FULL else 8
ROUNDS = 20 if FULL else 3


def kept(work: Path) -> dict[str, dict]:
    return json.loads((work / ".grader" / "progress.json").read_text())["exercises"]


# ---- the key ---------------------------------------------------------------------------

needs_cache = pytest.mark.skipif(root.is_installed(), reason="an installed course has no cache")


@pytest.fixture
def cached(tmp_path):
    """A cache of one's own with the built key in it: (its environment, the key, the stamp)."""
    good = Path(cache.open_key().path)
    place = tmp_path / "cache" / "babygrad-course"
    place.mkdir(parents=True)
    stamp = Path(cache.stamp_file(str(good.parent)))
    shutil.copy2(good, place)
    shutil.copy2(stamp, place)
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return env, place / good.name, place / stamp.name


def remember_runs(folder: Path) -> None:
    """What earlier builds ran stands in the other cache, too: a new key takes seconds."""
    known = Path(cache.open_key().path).with_name(runs.NAME)
    ours = folder / known.name
    with closing(sqlite3.connect(known)) as source, closing(sqlite3.connect(ours)) as copy:
        source.backup(copy)


STAMPS = {
    "empty": b"", "no text": b"\xff\xfe\x00" * 50, "another file": b"../../../etc/passwd 1 2\n",
    "a folder": b". 1 2\n", "a NUL": b"a\x00b.key 1 2\n", "no such key": b"0.key 1 2\nx 1 2\n",
}  # fmt: skip


@needs_cache
@pytest.mark.parametrize("name", STAMPS)
def test_a_damaged_stamp_costs_nobody_a_verdict(name, cached, check, work):
    env, key, stamp = cached
    (work / ".grader" / "answers.key").unlink()
    good = stamp.read_bytes()
    stamp.write_bytes(STAMPS[name])
    before = key.stat().st_mtime_ns
    check(env=env).assert_right()
    assert stamp.read_bytes() == good and key.stat().st_mtime_ns == before


def cut_short(data: bytes) -> bytes:
    return data[: len(data) // 2]


def one_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def another_course(data: bytes) -> bytes:
    """The key of other sources: whole, and under this name."""
    whole = data[:-32]
    at = whole.index(b'"chapter1":"', whole.index(b'"hashes"')) + len('"chapter1":"')
    other = bytes([ord("0") if whole[at] != ord("0") else ord("1")])
    whole = whole[:at] + other + whole[at + 1 :]
    return whole + hashlib.sha256(whole).digest()


DAMAGES = {"cut short": cut_short, "one bit": one_bit, "empty": lambda data: b"",
           "another course": another_course}  # fmt: skip


@needs_cache
@pytest.mark.parametrize("name", DAMAGES)
def test_a_key_that_is_damaged_or_foreign_is_not_believed(name, cached):
    env, key, stamp = cached
    assert cache._is_ours(str(key), "public") and intact(str(key))
    key.write_bytes(DAMAGES[name](key.read_bytes()))
    assert not cache._is_ours(str(key), "public")
    _, state, _ = cache._read_stamp(str(stamp))
    assert state and state != cache._state(str(key))


@needs_cache
@pytest.mark.long
@pytest.mark.parametrize("name", DAMAGES if FULL else ["one bit"])
def test_and_is_built_anew(name, cached, check, work):
    env, key, _ = cached
    remember_runs(key.parent)
    (work / ".grader" / "answers.key").unlink()
    key.write_bytes(DAMAGES[name](key.read_bytes()))
    check(env=env).assert_right()
    assert cache._is_ours(str(key), "public")
    found = [p.suffix for p in key.parent.iterdir() if not p.name.startswith(runs.NAME)]
    assert sorted(found) == ["", ".key"]


@needs_cache
def test_a_key_that_was_only_touched_stays(cached, check, work):
    env, key, stamp = cached
    (work / ".grader" / "answers.key").unlink()
    os.utime(key, (1, 1))
    check(env=env).assert_right()
    assert key.stat().st_mtime == 1 and " 1000000000\n" in stamp.read_text()


@needs_cache
def test_a_folder_in_the_place_of_the_key(cached, check, work):
    env, key, _ = cached
    (work / ".grader" / "answers.key").unlink()
    key.unlink()
    key.mkdir()
    check(env=env).assert_says(2, str(key), "Delete it")


def test_a_damaged_key_of_a_release(check, work):
    key = work / ".grader" / "answers.key"
    data = key.read_bytes()
    key.write_bytes(data[:5])
    check().assert_says(2, "no answer key that this grader can read")
    key.write_bytes(data[: len(data) // 8])
    check().assert_says(3, "is damaged in chapter3", "Take it again")


# ---- the workspace ----------------------------------------------------------------------

WRONG = [None, -1, "x", []]
WRONG_TOO = [True, 1e300, "", [1], {}, {"a": 1}, [[]], "failed", float("nan")]
FIELDS = ("status", "score", "max_score", "blocked_by", "at", "before", "lost")


@pytest.mark.parametrize(
    "value", [*WRONG, *(pytest.param(v, marks=pytest.mark.long) for v in WRONG_TOO)], ids=repr
)
def test_a_field_of_the_wrong_type(value, check, drill, work):
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
        drill("status", cwd=work).assert_says(1, "all chapters")
        if earlier is where:
            del where[name]
        else:
            where[name] = earlier
    path.write_text(json.dumps(value))
    for command, status in (["status"], 1), (["show", one], 0), (["hint", two], 0):
        drill(*command, cwd=work).assert_says(status)
    for name in ("hints.json", "quiz.json", "revealed.json"):
        (work / ".grader" / name).write_text(json.dumps({two: value, "q": value}))
    for command, status in (
        (["hint", two], 0), (["status"], 1), (["solution", "--reveal", two], 0),
        (["quiz", "chapter3"], 1), (["check", *ASKED], 1),
    ):  # fmt: skip
        drill(*command, cwd=work, stdin=subprocess.DEVNULL).assert_says(status)


@pytest.mark.parametrize("first", ["chapter99", "chapter0", "chapter-3", "99", "", 3, None, []])
def test_a_workspace_that_begins_nowhere(first, check, drill, work):
    place = work / ".grader" / "workspace.json"
    place.write_text(json.dumps({"schema": "grader-workspace/1", "from": first}))
    if first == 3:  # a number is understood
        return check().assert_right()
    check().assert_says(2, "workspace.json", "Delete it, or write")
    for command in (["check"], ["status"], ["show", ASKED[0]]):
        drill(*command, cwd=work).assert_says(2, "workspace.json", "Delete it, or write")
    return None


def test_four_checks_at_once_lose_no_mark(drill, work):
    names = [*ASKED, "chapter3.negate.forward"]
    for _ in range(ROUNDS):
        (work / ".grader" / "progress.json").unlink(missing_ok=True)
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda name: drill("check", name, cwd=work), names))
        assert {id: m["status"] for id, m in kept(work).items()} == {**FOUND, names[3]: "pending"}
    assert {p.name for p in (work / ".grader").iterdir()} == {
        "answers.key", "progress.json", "workspace.json",
    }  # fmt: skip


WRITER = """
import sys
from grader import workspace
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
from grader.workspace import Turn
with Turn(sys.argv[1]):
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
def test_many_checks_in_a_row(check, work):
    for _ in range(MANY):
        check().assert_right()
    assert {p.name for p in (work / ".grader").iterdir()} == {
        "answers.key", "progress.json", "workspace.json",
    }  # fmt: skip


@needs_cache
def test_what_a_chapter_left_behind_is_no_chapter(tmp_path, drill, work):
    """A `__pycache__` without its sources, as `git` leaves it when a chapter goes."""
    course = tmp_path / "course"
    for name in ("exercises", "tests", "solutions", "chapters", "grader", "examples", "babygrad"):
        skip = shutil.ignore_patterns("__pycache__", "golden", "hostile")
        shutil.copytree(root.path(name), course / name, ignore=skip)
    shutil.copy(root.path("course.json"), course)
    (course / "exercises" / "chapter88" / "__pycache__").mkdir(parents=True)
    (course / "exercises" / "chapter88" / "__pycache__" / "row.cpython-311.pyc").write_bytes(b"")
    command = (sys.executable, "-m", "grader")
    env = {**os.environ, "PYTHONPATH": str(course)}
    for words, status in (["init", "new"], 0), (["stubs", "--check"], 0), (["status"], 1):
        drill(*words, cwd=work, through=command, env=env).assert_says(status)
