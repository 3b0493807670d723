"""What a command is, how its options are written, and those that several share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..sandbox.launch import Worker

Option = tuple[tuple[str, ...], dict[str, Any]]  # as `add_argument` takes it
Options = tuple[Option, ...]
Workers = list["Worker"]  # those that are on their way


class Command(NamedTuple):
    """A command: its sentence, its options, and what it does; the exit status comes back.

    Attributes:
        run: is given the options, and the workers that are on their way.
    """

    says: str
    options: Options
    run: Callable[[argparse.Namespace, Workers], int]


def option(
    name: str, metavar: str | None = None, help: str | None = None, **settings: Any
) -> Option:
    """An argument, or an option with a value; ``settings`` are argparse's own."""
    return (name,), {"metavar": metavar, "help": help, **settings}


def flag(name: str, help: str) -> Option:
    """An option that is there or is not."""
    return (name,), {"action": "store_true", "help": help}


PACKAGE = option("--package", "DIR", f"the {about.COURSE.name} folder, or the one around it")
CHAPTERS = option("--chapters", "CHAPTER", "only these", nargs="+")
RELEASE = option(
    "--release",
    "RELEASE",
    "what learners were given, later releases too: what came solved earns nothing",
    nargs="+",
)
OVERLAY = option("--course", "course.toml", "the instructor's own course on top")
DATABASE = option("--db", "URL", "the gradebook's database, as SQLAlchemy has it")
NAMES = option("names", "NAME", "chapter3, 3.4, chapter3.div …", nargs="*")
EXERCISE = option("name", "EXERCISE", "chapter3.div.backward")
EARLIER = option(
    "--earlier", help="chapters before: solved, or the learner's own", choices=("given", "own"),
    default="given",
)  # fmt: skip
