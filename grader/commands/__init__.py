"""The commands, by modules: of each its sentence, its options, how these are written, what it does.

A command line imports the module of its command alone; help without one imports them all.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .. import DISTRIBUTION, __version__, log
from ..about import COURSE
from ..course.outline import spell
from ..errors import WrongUse
from ..sandbox.isolation import LEVELS
from ..streams import columns

Option = tuple[tuple[str, ...], dict[str, Any]]  # as `add_argument` takes it
Run = Callable[[argparse.Namespace], int]  # the exit status


class Command(NamedTuple):
    """A command: its sentence, its options, and what it does."""

    says: str
    options: tuple[Option, ...]
    run: Run


COMMANDS: dict[str, Command] = {}  # those of the modules that were imported


def command(name: str, says: str, *options: Option) -> Callable[[Run], Run]:
    """Puts what it stands above into the table of commands."""

    def enter(run: Run) -> Run:
        COMMANDS[name] = Command(says, options, run)
        return run

    return enter


def option(
    name: str, metavar: str | None = None, help: str | None = None, **settings: Any
) -> Option:
    """An argument, or an option with a value; ``settings`` are argparse's own."""
    if settings.get("nargs") == "+" and name.startswith("-"):
        settings["action"] = "extend"  # `--release A --release B` are two, not the last one
    return (name,), {"metavar": metavar, "help": help, **settings}


def flag(name: str, help: str) -> Option:
    """An option that is there or is not."""
    return (name,), {"action": "store_true", "help": help}


def at_least(says: str, default: str | None = None) -> Option:
    """The isolation without which nothing is run."""
    return option("--isolation", "LEVEL", says, choices=LEVELS, default=default)


PACKAGE = option("--package", "DIR", f"the {COURSE.name} folder, or the one around it")
CHAPTERS = option("--chapters", "CHAPTER", "only these", nargs="+", type=spell)
RELEASE = option(
    "--release",
    "RELEASE",
    "what learners were given, later releases too: what came solved earns nothing",
    nargs="+",
)
OVERLAY = option("--course", "course.toml", "the instructor's own course on top")
DATABASE = option("--db", "URL", "the gradebook's database, as SQLAlchemy has it")
NAMES = option("names", "NAME", "chapter3, 3.4, chapter3.div, Div.backward, ops.py:93 …", nargs="*")
EXERCISE = option("name", "EXERCISE", "chapter3.div.backward")
EARLIER = option(
    "--earlier", help="chapters before: solved, or the learner's own", choices=("given", "own"),
    default="given",
)  # fmt: skip


# command → its module, in the order in which help lists them: what learners need first.
MODULES = {
    "init": "workspaces",
    "import": "importing",
    "check": "check",
    "hint": "exercise",
    "show": "exercise",
    "repro": "exercise",
    "solution": "exercise",
    "reset": "exercise",
    "watch": "watch",
    "lsp": "watch",
    "status": "status",
    "quiz": "questions",
    "viva": "questions",
    "demo": "book",
    "book": "book",
    "release": "workspaces",
    "update": "workspaces",
    "grade": "grade",
    "merge": "grade",
    "notebooks": "nbgrader_course",
    "gradebook": "nbgrader_course",
    "open": "class_results",
    "export": "class_results",
    "insights": "class_results",
    "explain": "explain",
    "graph": "book",
    "mistakes": "course",
    "course": "course",
    "audit": "course",
    "stubs": "course",
    "record": "course",
}


def parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command line.

    Args:
        first: its first word. Where this is a command, only that one's options are made ready:
            all of them together take longer than `check` may wait.
    """
    # Asked for no width, argparse would import `shutil` to learn how wide the terminal is.
    formatter = partial(argparse.HelpFormatter, width=min(80, columns(sys.stdout)) - 2)
    top = argparse.ArgumentParser(
        prog="grader",
        description=f"The judge of the {COURSE.name} course.",
        allow_abbrev=False,
        formatter_class=formatter,
    )
    top.add_argument("--version", action="version", version=f"{DISTRIBUTION} {__version__}")
    top.add_argument(
        log.FLAG, action="store_true", help="say on standard error what is run, where, how long"
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True, prog="grader")
    for name in [first] if first in MODULES else MODULES:
        importlib.import_module(f"{__name__}.{MODULES[name]}")
        says, options, run = COMMANDS[name]
        one = commands.add_parser(
            name, help=says, description=says, allow_abbrev=False, formatter_class=formatter
        )
        for flags, settings in options:
            one.add_argument(*flags, **settings)
        one.set_defaults(command=run)
    return top


# (command, option) → the option without which it changes nothing.
NEEDS = {
    ("explain", "--staff"): "--html",
    ("grade", "--timezone"): "--times",
    ("solution", "--no-docstrings"): "--all",
    ("viva", "--minutes"): "--supervised",
    ("viva", "--sheet"): "--out",
    ("viva", "--supervised"): "--learner",
}
# (command, option) → the options that change nothing beside it.
BARS = {
    ("grade", "--like"): ("--seed", "--seed-file"),
    ("grade", "--prepare"): ("--again", "--cluster", "--jobs", "--shard", "--time"),
    ("grade", "--seed-file"): ("--seed",),
    ("viva", "--json"): ("--out", "--supervised"),
    ("viva", "--sheet"): ("--json", "--learner", "--package", "--supervised"),
    ("viva", "--supervised"): ("--out", "--seed"),
}


def refuse_ignored(arguments: list[str], options: argparse.Namespace) -> None:
    """Refuse empty values, and options that change nothing beside the others; note what is given.
    Example: `--course ""`; or `--timezone` without `--times`, whose zone it is."""
    for before, each in zip(["grader", *arguments], arguments, strict=False):
        name, equals, value = each.partition("=")
        if not each or (name.startswith("--") and equals and not value):
            raise WrongUse(f"What stands after {name or before} is empty. Is a variable not set?")
    options.given = {each.partition("=")[0] for each in arguments}
    command = next(each for each in arguments if each in MODULES)
    for name in sorted(options.given):
        if (needed := NEEDS.get((command, name), name)) not in options.given:
            raise WrongUse(f"{name} needs {needed} beside it. Add it, or leave {name} out.")
        for idle in options.given.intersection(BARS.get((command, name), ())):
            raise WrongUse(f"{idle} changes nothing beside {name}. Leave one of the two out.")
