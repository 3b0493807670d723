"""The grader's end of the pipes: whatever a worker does, it ends in time and stays small."""

from __future__ import annotations

import marshal
import os
import resource
import shutil
import signal
import struct
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox import channel as channels
from grader.sandbox import launch
from grader.sandbox.channel import MOST_OUTPUT, Channel, Deadline
from grader.sandbox.launch import Worker, open_pipes, spawn_process
from grader.sandbox.observation import (
    HEADER,
    MAGIC,
    MOST_BYTES,
    SHORT,
    BadFrame,
    Frame,
    FrameReader,
    Observation,
)

SOON = 0.15
AT_MOST = 20.0  # seconds: more than any load makes of SOON, less than START_SECONDS


class Fake:
    """A channel to a worker that this test plays itself."""

    def __init__(self) -> None:
        ours, (self.request, self.frames, self.output) = open_pipes()
        self.pid = spawn_process([str(shutil.which("sleep")), "600"])
        self.channel = Channel(Worker(self.pid, *ours), bytearray())

    def receive(self, seconds: float = SOON):
        return self.channel.receive(Deadline(self.pid, seconds, seconds))

    def frame(self, kind: int = 2, payload: bytes = b"", fields: int = 0, **lies: int) -> bytes:
        length = lies.get("length", len(payload))
        return HEADER.pack(MAGIC, self.channel.nonce, 7, kind, fields, length) + payload

    def end(self) -> None:
        for fd in (self.request, self.frames, self.output):
            try:
                os.close(fd)
            except OSError:
                pass
        if not self.channel.ended:
            self.channel.close()


@pytest.fixture
def fake() -> Iterator[Fake]:
    one = Fake()
    yield one
    one.end()


def during(act) -> threading.Thread:
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    return thread


def test_trickled_bytes_do_not_stretch_the_time(fake):
    data = fake.frame(payload=b"x" * 1000, length=1 << 20)
    stop = threading.Event()

    def trickle() -> None:
        for at in range(len(data)):
            os.write(fake.frames, data[at : at + 1])
            if stop.wait(0.001):
                return

    thread = during(trickle)
    started = time.monotonic()
    assert fake.receive(SOON) is None
    assert time.monotonic() - started < AT_MOST
    stop.set()
    thread.join()


def test_endless_output_neither_hangs_nor_grows(fake):
    stop = threading.Event()

    def flood() -> None:
        try:
            while not stop.is_set():
                os.write(fake.output, b"x" * 65536)
        except OSError:
            pass

    thread = during(flood)
    assert fake.receive() is None
    started = time.monotonic()
    fake.channel.close()
    assert time.monotonic() - started < AT_MOST
    assert len(fake.channel.output) == MOST_OUTPUT
    stop.set()
    thread.join()


def test_a_request_that_nobody_reads_does_not_block(fake, monkeypatch):
    monkeypatch.setattr(channels, "START_SECONDS", SOON)
    started = time.monotonic()
    fake.channel.send("x" * (1 << 20))
    assert time.monotonic() - started < AT_MOST


def test_a_request_arrives_whole_however_long(fake):
    got = bytearray()
    value = {"text": "x" * (1 << 20)}

    def read() -> None:
        while len(got) < 4 or len(got) < 4 + struct.unpack("<I", got[:4])[0]:
            got.extend(os.read(fake.request, 1 << 16))

    thread = during(read)
    fake.channel.send(value)
    thread.join()
    assert marshal.loads(got[4:]) == value


def test_a_closed_pipe_is_a_death(fake):
    os.close(fake.frames)
    found = fake.receive()
    assert isinstance(found, Observation) and found.kind == "died" and fake.channel.ended


def test_a_worker_that_another_holds_is_left_in_time(monkeypatch):
    monkeypatch.setattr(launch, "PATIENCE", SOON)
    monkeypatch.setattr(launch, "kill_group", lambda pid: None)  # as if it could not be buried
    one = Fake()
    kill = os.kill
    started = time.monotonic()
    one.end()
    assert time.monotonic() - started < AT_MOST
    kill(one.pid, signal.SIGKILL)
    os.waitpid(one.pid, 0)


def test_descriptors_beyond_what_select_knows():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1200:
        pytest.skip("no more descriptors than that are to be had")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        one = Fake()
        assert max(one.frames, one.output) > 1024
        os.write(one.frames, one.frame())
        assert isinstance(one.receive(), Frame)
        one.end()
    finally:
        for fd in held:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    "lie",
    [
        {"length": MOST_BYTES + 1}, {"fields": 65}, {"kind": 99}, {"fields": 1},
        {"payload": b"left over"},
        # a field `x` of float64: 2^40 × 2^40 items; one that is cut short
        {"payload": b"\x01x\x01\x02" + struct.pack("<QQ", 1 << 40, 1 << 40), "fields": 1},
        {"payload": b"\x01x\x01\x01" + struct.pack("<Q", 2) + b"12345678", "fields": 1},
        {"payload": b"\x01x\x63\x00", "fields": 1},
        {"payload": b"\x01x\x01\xff", "fields": 1},
    ],
)  # fmt: skip
def test_a_lying_frame_is_no_frame(fake, lie):
    os.write(fake.frames, fake.frame(**lie))
    found = fake.receive()
    assert isinstance(found, Observation) and found.kind == "garbled"


def test_an_axis_without_end_beside_an_empty_one_is_an_empty_array(fake):
    field = b"\x01x\x01\x02" + struct.pack("<QQ", 1 << 63, 0)
    os.write(fake.frames, fake.frame(payload=field, fields=1))
    (array,) = fake.receive().parts["x"]
    assert array.shape == (1 << 63, 0) and array.values() == [] and array.nested() == []


@given(st.lists(st.binary(max_size=40), max_size=8), st.data())
def test_no_bytes_make_the_reader_crash_or_keep_more_than_a_frame(pieces, data):
    reader = FrameReader(b"n" * 16)
    fields = data.draw(st.integers(0, 70))
    length = data.draw(st.integers(0, 200))
    kind = data.draw(st.integers(0, 8))
    reader.feed(HEADER.pack(MAGIC, b"n" * 16, 1, kind, fields, length))
    for piece in pieces:
        reader.feed(piece)
        try:
            frame = reader.next()
        except BadFrame:
            return
        if frame is not None:
            assert all(len(text) <= SHORT.get(n, 1 << 18) for n, text in frame.texts.items())
        assert len(reader.buffer) <= HEADER.size + length + sum(map(len, pieces))
