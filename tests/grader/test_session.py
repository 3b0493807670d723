"""A session ends, and every probe has an end, whatever frames a worker sends in whatever order."""

from __future__ import annotations

import os
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import OurFault
from grader.sandbox import launch as launching
from grader.sandbox import session as sessions
from grader.sandbox.channel import Channel
from grader.sandbox.isolation import DEMANDS, LEVELS
from grader.sandbox.launch import Worker, open_pipes
from grader.sandbox.observation import ARRAY, HEADER, MAGIC, FrameReader, size_in_bytes
from grader.sandbox.session import Session

NONCE = b"n" * 16
EXERCISES = {0: "one", 1: "one", 2: "two", 3: "three"}
ENOUGH = "\n".join(DEMANDS[LEVELS[-1]])
HELLO, LOADED, ARRAYS, RAISED, COMPLAINED, TRACED, NODE, DONE = range(8)

LINE = "ops.f\tops.py\t1\t2\t0"
WORDS = st.sampled_from(["", "\t", "a\tb", LINE, f"{LINE}\n" * 9, "9" * 30])
TEXTS = st.dictionaries(
    st.sampled_from(["definitions", "absent", "refused", "type", "message", "file", "line",
                     "entered", "op", "attrs"]),
    WORDS | st.text(max_size=20), max_size=4,
)  # fmt: skip
FRAMES = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 5), TEXTS, st.integers(0, 3)), max_size=10
)


class Known(Channel):
    """A channel whose mark is known beforehand."""

    def __init__(self, worker: Worker, output: bytearray) -> None:
        super().__init__(worker, output)
        self.nonce, self.reader = NONCE, FrameReader(NONCE)


def frame(kind: int, probe: int, texts: dict[str, str], arrays: int = 0) -> bytes:
    fields = [field(name, 0, text.encode()) for name, text in texts.items()]
    fields += [field("value", 1, struct.pack("<d", 1.5))] * arrays
    payload = b"".join(fields)
    return HEADER.pack(MAGIC, NONCE, probe, kind, len(fields), len(payload)) + payload


def field(name: str, code: int, data: bytes) -> bytes:
    size = len(data) if code == 0 else len(data) // 8
    return struct.pack(f"<B{len(name)}sBBQ", len(name), name.encode(), code, 1, size) + data


def sends(data: bytes):
    """Launches workers that have said this and are gone."""

    def launch() -> Worker:
        ours, (request, frames, output) = open_pipes()
        os.write(frames, data)
        for fd in (request, frames, output):
            os.close(fd)
        return Worker(1 << 22, *ours, wait=lambda pid: 0)

    return launch


@pytest.fixture(autouse=True)
def nobody_is_killed(monkeypatch):
    monkeypatch.setattr(launching, "kill_group", lambda pid: None)
    monkeypatch.setattr(sessions, "Channel", Known)


@given(frames=FRAMES, begins=st.booleans(), tail=st.binary(max_size=30))
def test_any_frames_in_any_order(frames, begins, tail):
    start = [(HELLO, 0, {"protections": ENOUGH}, 0), (LOADED, 0, {}, 0)] if begins else []
    data = b"".join(frame(*each) for each in [*start, *frames]) + tail
    probes = [(n, "x.y", [], 0.05, id) for n, id in EXERCISES.items()]
    session = Session(sends(data), {"probes": probes, "programs": {}}, EXERCISES)
    started = time.monotonic()
    try:
        session.run()
        if session.unloadable is None:
            assert set(session.observations) == set(EXERCISES)
        session.trace([0, 2])
        list(session.ask({"record": [0]}, 0.05))
        list(session.ask({"run": [], "arrays": {}}, 0.05))
    except OurFault as error:
        assert "worker" in str(error)  # it did not start: our fault, and said so
    finally:
        run = session.close()
    assert time.monotonic() - started < 25  # of 30 for a worker that does not start
    assert all(got.kind for got in run.observations.values())


def answering(rest: bytes) -> bytes:
    start = frame(HELLO, 0, {"protections": ENOUGH}) + frame(LOADED, 0, {})
    return start + b"".join(frame(ARRAYS, n, {}, 1) for n in EXERCISES) + rest


def run_through(rest: bytes) -> Session:
    probes = [(n, "x.y", [], 0.05, id) for n, id in EXERCISES.items()]
    session = Session(sends(answering(rest)), {"probes": probes, "programs": {}}, EXERCISES)
    session.run()
    return session


def test_notes_end_where_the_worker_says_so():
    session = run_through(frame(NODE, 0, {}, 1) * 3 + frame(DONE, 0, {}))
    assert len(list(session.ask({"record": [0]}, 1.0))) == 3 and not session.is_unresponsive
    session.close()


@pytest.mark.parametrize("answers", [0, 1])
def test_notes_share_the_room_of_all_that_came(answers):
    session = run_through(frame(NODE, 0, {}, 8) * 20 + frame(DONE, 0, {}))
    session.bytes_left = answers * 8 * (ARRAY + 8) + ARRAY
    assert len(list(session.ask({"record": [0]}, 1.0))) == answers
    assert session.is_unresponsive and list(session.ask({"record": [0]}, 1.0)) == []
    session.close()


def test_texts_take_room_as_arrays_do(monkeypatch):
    """Under any name of a field; an exercise that sends too much leaves the room to the others."""
    monkeypatch.setattr(sessions, "MOST_KEPT", 10_000)
    large = {"trail": "\U0001f40d" + "x" * 1500}  # beside such a character each takes four bytes
    start = frame(HELLO, 0, {"protections": ENOUGH}) + frame(LOADED, 0, {})
    rest = b"".join(frame(RAISED, n, large) for n in EXERCISES)
    probes = [(n, "x.y", [], 0.05, id) for n, id in EXERCISES.items()]
    session = Session(sends(start + rest), {"probes": probes, "programs": {}}, EXERCISES)
    session.run()
    kinds = [session.observations[n].kind for n in EXERCISES]
    assert kinds[:2] == ["raised", "garbled"] and session.bytes_left > 0
    assert sum(map(size_in_bytes, session.observations.values())) < sessions.MOST_KEPT
    session.close()


def test_functions_that_were_entered_take_room():
    session = run_through(frame(TRACED, 0, {"entered": "a\t1\nb\t2"}))
    session.bytes_left = sessions.PAIR
    session.trace([0])
    assert session.entered == {0: set()}
    session.close()


def test_who_does_not_come_to_an_end_is_not_asked_again(monkeypatch):
    monkeypatch.setattr(sessions, "MOST_ANSWERS", 5)
    session = run_through(frame(NODE, 0, {}) * 9)
    assert len(list(session.ask({"record": [0]}, 1.0))) == 5 and session.is_unresponsive
    session.close()


def test_one_clock_runs_for_the_imports_of_a_whole_run(monkeypatch):
    """Nine workers are needed, each import takes a while, and there is time for three."""
    monkeypatch.setattr(sessions, "IMPORT_SECONDS", 5.0)
    begins = frame(HELLO, 0, {"protections": ENOUGH}) + frame(LOADED, 0, {})
    clock, launched = sessions.ImportTime(3.0), []
    clock.spend = lambda seconds: setattr(clock, "left", clock.left - 1.0)

    def launch():
        launched.append(sends(begins)())
        return launched[-1]

    exercises = {n: f"chapter1.e{n}" for n in range(9)}
    probes = [(n, "x.y", [], 0.05, id) for n, id in exercises.items()]
    session = Session(launch, {"probes": probes, "programs": {}}, exercises, imports=clock)
    session.run()
    assert len(launched) == 3 and session.unloadable.kind == "hung"
    session.trace([0])
    assert list(session.ask({"record": [0]}, 0.05)) == [] and len(launched) == 3
    again = Session(launch, {"probes": probes, "programs": {}}, exercises, imports=clock)
    again.run()
    assert len(launched) == 3 and again.unloadable.kind == "hung"


def test_code_is_sent_of_nothing_but_what_is_the_courses_own():
    job = {"folder": "there", "files": {"ops.py": b"x = 1", "own.py": b"x = 2"}}
    assert sessions.compile_own_files(job) == {}
    found = sessions.compile_own_files({**job, "ours": ["ops.py"]})
    assert list(found) == ["ops.py"] and found["ops.py"].co_filename == "there/ops.py"
