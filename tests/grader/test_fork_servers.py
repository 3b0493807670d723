"""Both ends of a fork server: orders over a socket, a fork for each, and who waits for it."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from grader.errors import OurFault
from grader.sandbox.launch import ForkServer
from grader.sandbox.worker import fork_server as served
from grader.sandbox.worker.fork_server import NUMBER


@pytest.fixture
def ends():
    """The grader's end of a fork server, and the fork server's."""
    server = ForkServer()  # whose process is played here
    server._orders, theirs = socket.socketpair()
    with server._orders, theirs:
        yield server, theirs


def answers(theirs: socket.socket, *numbers: int) -> None:
    for number in numbers:
        theirs.sendall(NUMBER.pack(number))


def test_an_order_for_a_worker_carries_three_descriptors(ends):
    server, theirs = ends
    answers(theirs, 4711, 9)
    worker = server.fork()
    message, fds, _, _ = socket.recv_fds(theirs, 16, 9)
    assert message == b"F" and len(fds) == 3 and worker.pid == 4711
    os.write(fds[1], b"frame")
    assert os.read(worker.frames, 9) == b"frame"
    assert worker.wait(4711) == 9
    assert theirs.recv(16) == b"W" + NUMBER.pack(4711)
    for fd in (*fds, worker.request, worker.frames, worker.output):
        os.close(fd)


def test_a_nursery_that_has_ended_is_our_fault_and_leaves_nothing_open(ends):
    server, theirs = ends
    theirs.shutdown(socket.SHUT_WR)
    before = set(os.listdir("/dev/fd"))
    with pytest.raises(OurFault, match="has ended or hangs"):
        server.fork()
    assert set(os.listdir("/dev/fd")) == before


def test_a_worker_is_forked_with_its_own_ends_and_waited_for(ends):
    _, theirs = ends
    ours, orders = socket.socketpair()
    reading, writing = os.pipe()
    with ours, orders, open(os.devnull, "r+b") as nowhere:
        socket.send_fds(ours, [b"F"], [nowhere.fileno(), writing, nowhere.fileno()])
        os.close(writing)
        assert served.serve_order(
            orders, lambda request, frames: os.write(frames, b"at work") and None, nothing
        )
        (pid,) = NUMBER.unpack(ours.recv(NUMBER.size))
        assert os.read(reading, 16) == b"at work" and os.read(reading, 16) == b""
        ours.sendall(b"W" + NUMBER.pack(pid))
        assert served.serve_order(orders, lambda *_: None, nothing)
        assert NUMBER.unpack(ours.recv(NUMBER.size)) == (0,)
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        ours.shutdown(socket.SHUT_WR)
        assert not served.serve_order(orders, lambda *_: None, nothing)
    os.close(reading)


def nothing() -> None:
    """Read nothing in."""


def test_what_may_be_read_is_read_in_before_the_answer():
    ours, orders = socket.socketpair()
    done = []
    with ours, orders:
        ours.sendall(b"R")
        assert served.serve_order(orders, lambda *_: None, lambda: done.append(True))
        assert done and NUMBER.unpack(ours.recv(NUMBER.size)) == (0,)


def test_who_will_not_die_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(served, "PATIENCE", 0.01)
    monkeypatch.setattr(os, "waitpid", lambda pid, flags: (0, 0))
    assert served.wait_for_worker(1) == signal.SIGKILL


def test_orders_are_served_until_the_grader_is_gone():
    ours, orders = socket.socketpair()
    ours.sendall(b"W" + NUMBER.pack(2**22 + 1))
    ours.close()
    with pytest.raises(ChildProcessError):  # nobody's child: asked for by nobody
        served.serve_forever(orders.detach(), lambda *_: None, nothing)
    ours, orders = socket.socketpair()
    fd = orders.detach()
    ours.close()
    served.serve_forever(fd, lambda *_: None, nothing)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)
