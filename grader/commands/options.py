"""Options that several commands share: the flags of each, and its settings as argparse has them."""

from __future__ import annotations

from typing import Any

from .. import about

Options = tuple[tuple[tuple[str, ...], dict[str, Any]], ...]

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
COURSE = (("--course",), {"metavar": "course.toml", "help": "the instructor's own course on top"})
DATABASE = (("--db",), {"metavar": "URL", "help": "the gradebook's database, as SQLAlchemy has it"})
NAMES = (("names",), {"nargs": "*", "metavar": "NAME", "help": "chapter3, 3.4, chapter3.div …"})
EXERCISE = (("name",), {"metavar": "EXERCISE", "help": "chapter3.div.backward"})
