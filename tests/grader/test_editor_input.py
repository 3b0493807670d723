"""The language server ends with its editor, whatever its threads and its workers are doing."""

from __future__ import annotations

import io
import json
import os
import queue
import select
import subprocess
import sys

import pytest

from grader import root
from grader.learner import own_file as definition

pytest.importorskip("pygls")
from grader.editor.commands.editor_input import EditorInput, end_with  # noqa: E402

SECONDS = 300  # nothing takes as long
# A server whose main loop, pool and background thread hang once they were asked for anything.
HANGS = """
import sys, threading
from grader import cli
from grader.editor.background import CancellableRun
from grader.editor.commands.language_server import Server
from grader.sandbox.launch import ForkServer

def hang(*_):
    print("hangs", file=sys.stderr, flush=True)
    threading.Event().wait()

def fork(self, fork=ForkServer.fork):
    worker = fork(self)
    print(worker.pid, file=sys.stderr, flush=True)
    return worker

ForkServer.fork = fork
Server._hover = Server._saved = hang
reap = CancellableRun.reap
CancellableRun.reap = lambda run: hang() if run._stopped else reap(run)
sys.argv = ["grader", "lsp"]
cli.main()
"""


def message(method, params=None, id=None):
    told = {"jsonrpc": "2.0", "method": method, "params": params, "id": id}
    body = json.dumps({key: value for key, value in told.items() if value is not None}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def leave(server, editor, way):
    """End a server's editor in one of the ways in which one goes."""
    if way == "the editor's process":
        editor.stdin.close()  # its stream stays open: another process has it too
    elif way == "its stream":
        server.stdin.close()
    else:
        calls = ["shutdown", "exit"] if way == "exit" else ["exit"]
        server.stdin.write(b"".join(message(call, id=7 if call == "shutdown" else None)
                                    for call in calls))  # fmt: skip
        server.stdin.flush()


@pytest.mark.parametrize(
    ("way", "status"),
    [("exit", 0), ("exit without shutdown", 1), ("its stream", 0), ("the editor's process", 0)],
)
def test_a_server_ends_with_its_editor_and_leaves_no_process(workspace, way, status):
    ops = workspace / "babygrad" / "ops.py"
    text = ops.read_text()
    loop = definition.find_definition(text, "Sub.forward")
    ops.write_text(text := definition.with_body(text, loop, ["while True: pass"]))
    document = {"uri": ops.as_uri(), "languageId": "python", "version": 1, "text": text}
    place = {"textDocument": document, "position": {"line": 1, "character": 0}}
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with (
        subprocess.Popen(["cat"], **pipes) as editor,
        subprocess.Popen(
            [sys.executable, "-c", HANGS], **pipes, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": root.ROOT},
        ) as server,
    ):  # fmt: skip
        hello = {"processId": editor.pid, "rootUri": None, "capabilities": {}}
        server.stdin.write(message("initialize", hello, 1) + message("initialized", {}))
        server.stdin.write(message("textDocument/didOpen", {"textDocument": document}))
        server.stdin.flush()
        worker = os.pidfd_open(int(server.stderr.readline()))
        server.stdin.write(message("textDocument/hover", place, 2))
        server.stdin.write(message("textDocument/didSave", place))
        server.stdin.flush()
        assert [server.stderr.readline() for _ in range(2)] == [b"hangs\n"] * 2
        leave(server, editor, way)
        assert server.wait(SECONDS) == status
        assert select.select([worker], [], [], SECONDS)[0], "a worker outlives its server"
        os.close(worker)


def read_all(*messages):
    """What pygls would read of these messages, and the status with which the server would end."""
    ends = queue.SimpleQueue()
    given = EditorInput(io.BytesIO(b"".join(messages)), ends.put)
    status, read = ends.get(timeout=SECONDS), []
    while part := given.readline():
        read.append(part)
        if not part.strip():
            read.append(part := given.read(9))
            if not part:
                break
    return status, b"".join(read)


def test_messages_pass_unchanged_until_the_editor_says_exit():
    shown = message("textDocument/didOpen", {"text": 'say "exit" and "shutdown"' + " " * 2000})
    quoted = message("x", {"method": "exit"})
    odd = b"Content-Type: x\r\n" + message("y") + b"Content-Length: 4\r\n\r\nexit"
    down = message("shutdown", id=1)
    for rest in (shown, quoted, odd, down):
        assert read_all(rest) == (0, rest)
    header = message("exit").partition(b"{")[0]
    assert read_all(shown, message("exit"), odd) == (1, shown + header)
    assert read_all(down, quoted, message("exit"), odd) == (0, down + quoted + header)


def test_a_process_that_nobody_sees_ends_no_server():
    with subprocess.Popen(["true"]) as over:
        pass
    for unseen in (None, over.pid, 2**40):
        end_with(unseen, pytest.fail)


def test_the_end_of_a_process_is_noticed_without_pidfd(monkeypatch):
    from grader.editor.commands import editor_input

    monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(editor_input.time, "sleep", lambda _: over.communicate())
    ends = queue.SimpleQueue()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as over:
        end_with(over.pid, ends.put)
        assert ends.get(timeout=SECONDS) == 0
