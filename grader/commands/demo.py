"""`grader demo`: see the finished engine at work, before the first line of yours is written."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import Any

from .. import root
from ..errors import WrongUse
from .options import Options

SAYS = "train the finished engine on digits in seconds, and watch it read one"
OPTIONS: Options = (
    (
        ("--package",),
        {"metavar": "DIR", "help": "your own finished package instead of the course's"},
    ),
    (("--seed",), {"type": int, "default": 0, "help": "another start, and another digit"}),
)
NEXT = "Begin with `grader init DIR`, and read DIR/chapters/chapter1.md."


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where it learned to read.

    Raises:
        WrongUse: this course came without its solutions, and no package was named.
    """
    package = options.package or root.path("solutions")
    script = root.path("examples", "demo.py")
    if not os.path.isdir(package) or not os.path.isfile(script):
        raise WrongUse(
            "This course came without a finished engine. Once yours is written, "
            "`grader demo --package DIR` shows it."
        )
    command = [sys.executable, script, "--package", package, "--seed", str(options.seed)]
    status = subprocess.run(command, check=False).returncode
    if status == 0 and options.package is None:
        print(NEXT)
    return 1 if status else 0
