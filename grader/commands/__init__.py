"""One module per command: its sentence, its options, and what it does.

A command line imports the module of its command alone; help without one imports them all.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

from .. import DISTRIBUTION, __version__
from ..about import COURSE
from ..streams import columns

# In the order in which help lists them: what learners need first.
NAMES = (
    "init",
    "check",
    "hint",
    "show",
    "repro",
    "solution",
    "reset",
    "watch",
    "status",
    "quiz",
    "demo",
    "book",
    "release",
    "update",
    "grade",
    "merge",
    "notebooks",
    "gradebook",
    "export",
    "insights",
    "explain",
    "graph",
    "mistakes",
    "course",
    "audit",
    "stubs",
    "record",
)


def parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command line.

    Args:
        first: its first word. Where this is a command, only that one's options are made ready:
            all of them together take longer than `check` may wait.
    """
    top = argparse.ArgumentParser(
        prog="grader",
        description=f"The judge of the {COURSE.name} course.",
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    top.add_argument("--version", action="version", version=f"{DISTRIBUTION} {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, prog="grader")
    for name in [first] if first in NAMES else NAMES:
        module: Any = importlib.import_module(f"{__name__}.{name}")
        one = commands.add_parser(
            name,
            help=module.SAYS,
            description=module.SAYS,
            allow_abbrev=False,
            formatter_class=_formatter,
        )
        for flags, settings in module.OPTIONS:
            one.add_argument(*flags, **settings)
        one.set_defaults(command=module.run)
    return top


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Asked for no width, argparse would import `shutil` to learn how wide the terminal is."""
    return argparse.HelpFormatter(prog, width=min(80, columns(sys.stdout)) - 2)
