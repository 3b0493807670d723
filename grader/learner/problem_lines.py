"""`grader watch --lines`: what is wrong as lines that an editor reads, and how VS Code is told to.

The one that writes these lines stands beside the pattern that reads them.
"""

from __future__ import annotations

import json
import os

from ..about import COURSE
from .desk import Desk, Round
from .faults import Board
from .screen import Screen

BEGIN, END = "grader: checked", "grader: end of the list"  # between them stands all that is wrong
PATTERN = {
    "regexp": r"^(.+?):(\d+):(\d+): (error): (.+) \[([^\]]+)\]$",
    "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5, "code": 6,
}  # fmt: skip


class Lines(Screen):
    """A watch for a program: after each round all that is wrong, one line per fault."""

    board: Board | None = None

    def round(self, desk: Desk, found: Round) -> None:
        """Every fault that there is now, also of earlier rounds."""
        board = self.board = self.board or Board(desk)
        board.take(found)
        lines = [
            f"{os.path.relpath(os.path.join(desk.folder, fault.file))}:{fault.line}:"
            f"{fault.columns[0] + 1}: error: {fault.says} [{fault.code}]"
            for fault in board.faults()
        ]
        self.show([BEGIN, *lines, END], clear=False)

    def foot(self, desk: Desk) -> None:
        """Nothing: it is for people."""


def vscode() -> dict[str, bytes]:
    """Path in a workspace → content: how VS Code runs that watch, and where it finds exercises."""
    task = {
        "label": "grader watch",
        "type": "process",
        "command": "${command:python.interpreterPath}",
        "args": ["-m", "grader", "watch", "--lines"],
        "isBackground": True,
        "presentation": {"reveal": "silent"},
        "problemMatcher": {
            "owner": "grader",
            "source": "grader",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": PATTERN,
            "background": {
                "activeOnStart": True,
                "beginsPattern": f"^{BEGIN}$",
                "endsPattern": f"^{END}$",
            },
        },
    }
    settings = {
        "python.testing.pytestEnabled": True,
        "python.testing.unittestEnabled": False,
        "python.testing.pytestArgs": ["-p", "grader.pytest_plugin", COURSE.name],
    }
    files = {"tasks": {"version": "2.0.0", "tasks": [task]}, "settings": settings}
    return {
        f".vscode/{name}.json": json.dumps(content, indent=2).encode() + b"\n"
        for name, content in files.items()
    }
