"""What a command is; and the options that several share, with settings as argparse has them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import about

Options = tuple[tuple[tuple[str, ...], dict[str, Any]], ...]


class Command(NamedTuple):
    """A command: its sentence, its options, and what it does; the exit status comes back.

    Attributes:
        run: is given the options, and the workers that are on their way.
    """

    says: str
    options: Options
    run: Callable[[argparse.Namespace, list[Any]], int]


PACKAGE = (
    ("--package",),
    {"metavar": "DIR", "help": f"the {about.COURSE.name} folder, or the one around it"},
)
CHAPTERS = (("--chapters",), {"nargs": "+", "metavar": "CHAPTER", "help": "only these"})
RELEASE = (
    ("--release",),
    {
        "nargs": "+",
        "metavar": "RELEASE",
        "help": "what learners were given, later releases too: what came solved earns nothing",
    },
)
OVERLAY = (("--course",), {"metavar": "course.toml", "help": "the instructor's own course on top"})
DATABASE = (("--db",), {"metavar": "URL", "help": "the gradebook's database, as SQLAlchemy has it"})
NAMES = (("names",), {"nargs": "*", "metavar": "NAME", "help": "chapter3, 3.4, chapter3.div …"})
EXERCISE = (("name",), {"metavar": "EXERCISE", "help": "chapter3.div.backward"})
