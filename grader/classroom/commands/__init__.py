"""The commands of a class, from `release` to `explain`, and the options that they share."""

from __future__ import annotations

from ...commands import option
from ...course.outline import spell

CHAPTERS = option("--chapters", "CHAPTER", "only these chapters", nargs="+", type=spell)
RELEASE = option(
    "--release",
    "RELEASE",
    "your release, and later ones: code that came solved in them earns nothing",
    nargs="+",
)
DATABASE = option("--db", "URL", "the gradebook's database, as an address for SQLAlchemy")
EARLIER = option(
    "--earlier", help="give earlier chapters solved, or let learners use their own",
    choices=("given", "own"), default="given",
)  # fmt: skip
