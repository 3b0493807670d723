"""The commands of a class, from `release` to `explain`, and the options that they share."""

from __future__ import annotations

from ...commands import option
from ...course.outline import spell

CHAPTERS = option("--chapters", "CHAPTER", "only these", nargs="+", type=spell)
RELEASE = option(
    "--release",
    "RELEASE",
    "what learners were given, later releases too: what came solved earns nothing",
    nargs="+",
)
DATABASE = option("--db", "URL", "the gradebook's database, as SQLAlchemy has it")
EARLIER = option(
    "--earlier", help="chapters before: solved, or the learner's own", choices=("given", "own"),
    default="given",
)  # fmt: skip
