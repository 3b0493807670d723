"""Measure `grader lsp` from a save to the editor's diagnostic, beside `grader watch`.

Both run as a learner runs them, each over a solved package of its own. One exercise is saved wrong,
then right, again and again, in both, taking turns; the clock stops when the diagnostic is published
or gone, and when the watch has printed its verdict. The next turn begins when the one before is
idle: it judges what depends on the exercise as well.

With ``--extension`` the client library of the extension for VS Code takes a turn as well, in Node;
build it first: `npm ci && node build.mjs --tests` in `editors/vscode`.

    python benchmarks/editor_latency.py [--runs 15] [--extension]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack

from watch_latency import EDITED, GRADER, ROOT, VERDICT, read_until, start

ID = b"chapter3.div.backward"
FAILED = re.compile(re.escape(ID) + rb" failed")
READY = re.compile(rb"q quit\n")
LENGTH = re.compile(rb"Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n")
WRONG = "return out_grad / b, out_grad"
CLIENT = os.path.join(ROOT, "editors", "vscode", "dist", "latency.js")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--extension", action="store_true")
    args = parser.parse_args()
    with ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(3)]
        watch, editors = start(folders[0]), {"lsp": Editor(folders[1])}
        if args.extension:
            editors["extension"] = Extension(folders[2])
        took: dict[tuple[str, bool], list[float]] = {}
        for number in range(2 * args.runs + 4):
            right = number % 2 == 1
            took.setdefault(("watch", right), []).append(watched(watch, folders[0], right))
            for name, editor in editors.items():
                took.setdefault((name, right), []).append(editor.saved(right))
        watch.stdin.write(b"q")
        watch.wait()
        for editor in editors.values():
            editor.quit()
    for right, word in ((False, "wrong"), (True, "right")):
        base = took["watch", right][2:]
        print(f"{word} code: watch {1000 * statistics.median(base):.0f} ms "
              f"(medians of {args.runs} turns)")  # fmt: skip
        for name in editors:
            mine = took[name, right][2:]
            ratio = statistics.median(one / other for one, other in zip(mine, base, strict=True))
            print(f"  {name}: {1000 * statistics.median(mine):.0f} ms, {ratio:.2f} × the watch")


def text_of(folder: str, right: bool, kept: dict[str, str] = {}) -> str:  # noqa: B006
    """Write the file with a right or a wrong rule; return its text."""
    path = os.path.join(folder, "babygrad", "ops.py")
    if folder not in kept:
        with open(path, encoding="utf-8") as file:
            kept[folder] = file.read()
    text = kept[folder] if right else EDITED.sub(WRONG, kept[folder], count=1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return text


def watched(watch: subprocess.Popen[bytes], folder: str, right: bool) -> float:
    """Seconds from a save to the verdict of the watch."""
    started = time.perf_counter()
    text_of(folder, right)
    rest = read_until(watch.stdout, VERDICT if right else FAILED)
    seconds = time.perf_counter() - started
    read_until(watch.stdout, READY, rest)
    return seconds


def prepare(folder: str) -> None:
    """Write a package, and have every chapter worked out."""
    watch = start(folder)
    watch.stdin.write(b"q")
    watch.wait()


class Extension:
    """The client library of the extension for VS Code, in Node."""

    def __init__(self, folder: str) -> None:
        prepare(folder)
        self.folder = folder
        for kind in ("wrong", "right"):  # the texts that it saves; ends with the right one
            text = text_of(folder, kind == "right")
            with open(os.path.join(folder, kind), "w", encoding="utf-8") as file:
                file.write(text)
        self.client = subprocess.Popen(
            ["node", CLIENT, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": ROOT, "PYTHON": sys.executable},
        )  # fmt: skip

    def saved(self, right: bool) -> float:
        """Save; return the seconds until the diagnostic comes or goes."""
        kind = "right" if right else "wrong"
        self.client.stdin.write(f"{kind} {os.path.join(self.folder, kind)}\n")
        self.client.stdin.flush()
        return float(self.client.stdout.readline()) / 1000

    def quit(self) -> None:
        self.client.stdin.close()
        self.client.wait()


class Editor:
    """A minimal editor for the language server."""

    def __init__(self, folder: str) -> None:
        prepare(folder)
        self.folder = folder
        self.uri = f"file://{folder}/babygrad/ops.py"
        self.server = subprocess.Popen(
            [*GRADER, "lsp"], cwd=folder, env={**os.environ, "PYTHONPATH": ROOT},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        self.rest = b""
        self.send("initialize", {"capabilities": {}, "processId": None, "rootUri": None}, id=1)
        self.send("initialized", {})
        item = {"uri": self.uri, "languageId": "python", "version": 1, "text": ""}
        self.send("textDocument/didOpen", {"textDocument": item})

    def send(self, method: str, params: object, **more: object) -> None:
        """Send one message."""
        data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))

    def receive(self) -> dict[str, object]:
        """Return the next message of the server."""
        while not (head := LENGTH.match(self.rest)) or len(self.rest) < head.end() + int(head[1]):
            self.rest += os.read(self.server.stdout.fileno(), 1 << 16)
        end = head.end() + int(head[1])
        told, self.rest = json.loads(self.rest[head.end() : end]), self.rest[end:]
        return told

    def saved(self, right: bool) -> float:
        """Save; return the seconds until the diagnostic comes or goes."""
        started = time.perf_counter()
        text_of(self.folder, right)
        self.send("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        while self.is_wrong() is right:
            pass
        seconds = time.perf_counter() - started
        check = {"command": "grader.check", "arguments": [self.uri, ID.decode()]}
        self.send("workspace/executeCommand", check, id=3)
        while self.receive().get("method") != "window/showMessage":
            pass
        return seconds

    def is_wrong(self) -> bool:
        """Tell whether the next diagnostics name a fault."""
        while (told := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        return any(each["severity"] == 1 for each in told["params"]["diagnostics"])

    def quit(self) -> None:
        self.send("shutdown", None, id=2)
        self.send("exit", None)
        self.server.wait()


if __name__ == "__main__":
    main()
