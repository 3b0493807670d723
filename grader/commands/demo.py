"""`grader demo`: see the finished engine at work, before the first line of yours is written."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from .. import root
from ..about import COURSE
from ..errors import WrongUse
from .options import Command, Options, Workers, option

SAYS = "train the finished engine on digits in seconds, and watch it read one"
OPTIONS: Options = (
    option("--package", "DIR", "your own finished package instead of the course's"),
    option("--seed", help="another start, and another digit", type=int, default=0),
)
NEXT = f"Begin with `grader init DIR`, and read DIR/chapters/{COURSE.chapter}1.md."


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Exit status 0 where it learned to read.

    Raises:
        WrongUse: this course has no demo, or came without its solutions, and no package was named.
    """
    package = options.package or root.path("solutions")
    script = root.path("examples", "demo.py")
    if os.path.isdir(root.path("solutions")) and not os.path.isfile(script):
        raise WrongUse(f"The course {COURSE.name} has no demo: no examples/demo.py.")
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


COMMANDS = {"demo": Command(SAYS, OPTIONS, run)}
