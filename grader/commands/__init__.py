"""One module per command. This one knows their names and options; each is imported when run."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from typing import Any

from .. import __version__

# command → (its one sentence, its options); an option is (flags, settings of argparse).
PACKAGE = (("--package",), {"metavar": "DIR", "help": "the babygrad folder, or the one around it"})
NAMES = (("names",), {"nargs": "*", "metavar": "NAME", "help": "chapter3, 3.4, chapter3.div …"})

COMMANDS: dict[str, tuple[str, list[tuple[tuple[str, ...], dict[str, Any]]]]] = {
    "init": (
        "make a workspace to learn in",
        [
            (("folder",), {"metavar": "DIR"}),
            (("--from",), {"dest": "first", "metavar": "CHAPTER",
                           "help": "begin at this chapter; those before it come solved"}),
        ],
    ),
    "check": (
        "say what is right, what is wrong and why",
        [
            NAMES,
            PACKAGE,
            (("--json",), {"action": "store_true", "help": "print the canonical result"}),
            (("--fail-fast",), {"action": "store_true", "help": "stop at the first fault"}),
        ],
    ),
    "hint": (
        "one more hint for an exercise, never the answer",
        [(("name",), {"metavar": "EXERCISE"}), PACKAGE],
    ),
    "audit": ("prove that the course holds together", []),
    "stubs": (
        "write babygrad/ anew from solutions/",
        [(("--check",), {"action": "store_true", "help": "only say whether it is up to date"})],
    ),
    "record": ("record PyTorch's answers (needs torch)", []),
}  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="grader", description="The judge of the babygrad course.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"babygrad-course {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, (sentence, options) in COMMANDS.items():
        one = commands.add_parser(name, help=sentence, description=sentence, allow_abbrev=False)
        for flags, settings in options:
            one.add_argument(*flags, **settings)
        one.set_defaults(command=_command(name))
    return top


def _command(name: str) -> Callable[[argparse.Namespace, list[Any]], int]:
    def run(options: argparse.Namespace, workers: list[Any]) -> int:
        module = importlib.import_module(f"{__name__}.{name}")
        status: int = module.run(options, workers)
        return status

    return run
