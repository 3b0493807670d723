"""`grader insights RESULTS`: what cost the class most, and for whom one comment fits."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..instructor.classbook import records
from ..instructor.files import write_whole
from ..instructor.html import page
from ..instructor.insights import Insights, Item, insights
from ..report.style import Style
from ..report.tables import os_safe
from .options import Options

SAYS = "what cost the class most, and who shares a wrong answer"
OPTIONS: Options = (
    (("results",), {"metavar": "RESULTS"}),
    (("--html",), {"metavar": "FILE", "help": "write a page with a heat map, too"}),
)


MOST = 15  # rows of each table; the page has all


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the tables; with ``--html``, write the page with the heat map too."""
    found = insights(records(options.results))
    if options.html:
        write_whole(options.html, heat_map(found))
    sys.stdout.write(os_safe("\n".join(text(found, Style.of(sys.stdout)))) + "\n")
    return 0


def text(found: Insights, style: Style) -> list[str]:
    """The lines of the terminal."""
    told = [f"{len(found.learners)} judged, {len(found.unjudged)} without a mark", ""]
    told.append(style.paint("bold", "What cost the class most"))
    told.append(f"  {'points':>7} {'earned':>7} {'telling':>8}  exercise")
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    told += [_row(item) for item in dear[:MOST] if item.lost]
    if found.groups:
        told += ["", style.paint("bold", "Wrong in the same way: one comment for all")]
    for group in found.groups[:MOST]:
        told.append(f"  {group.lost:>7g} {len(group.learners):>3} learners  {group.id}")
        told += style.wrap(group.says, "          ", "          ")
        told += style.wrap(", ".join(group.learners), "          ", "          ")
    return told


def _row(item: Item) -> str:
    counts = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in item.counts.items())
    return f"  {item.lost:>7g} {item.share:>7.0%} {item.telling:>+8.0%}  {item.id}  ({counts})"


def heat_map(found: Insights) -> bytes:
    """A page of its own: a column per learner, a row per exercise."""
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    return page("insights.html", title="What the class found hard", found=found, dear=dear)
