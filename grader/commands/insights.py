"""`grader insights RESULTS`: what cost the class most, and for whom one comment fits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from ..classroom.files import write_whole
from ..classroom.item_analysis import Insights, Item, insights
from ..classroom.results import batch_at, one_by_one
from ..classroom.roster import on_record, say_part
from ..classroom.safe_text import os_safe, page
from ..classroom.similar import Cluster
from ..learner.wording import Style, first_of, percent, points
from . import Command, Options, Workers, flag, option

SAYS = "what cost the class most, and who shares a wrong answer"
OPTIONS: Options = (
    option("results", "RESULTS"),
    option("--html", "FILE", "write a page with a heat map, too"),
    option("--before", "EARLIER", "results of before: whose marks jumped"),
    flag("--anonymous", "numbers in the place of names, to be shown to others"),
)


MOST = 15  # rows of each table; the page has more
MOST_NAMES = 12  # of a group
FEWEST = 5  # of a section, or its mean would tell of somebody


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Print the tables; with ``--html``, write the page with the heat map too."""
    each, read = one_by_one(options.results)
    before = shares(options.before) if options.before else None
    found = insights(each, read, before, on_record(batch_at(options.results)))
    if options.anonymous:
        found = anonymous(found)
    if options.html:
        write_whole(options.html, heat_map(found))
    sys.stdout.write(os_safe("\n".join(text(found, Style.of(sys.stdout)))) + "\n")
    return 0


def shares(place: str) -> dict[str, float]:
    """Learner → the share of the points in an earlier assignment."""
    each, _ = one_by_one(place)
    judged = (r for r in each if r["result"] is not None and r["max_mark"])
    return {r["learner"]: r["own"] / r["max_mark"] for r in judged}


def anonymous(found: Insights) -> Insights:
    """The same with numbers for names, in an order that tells nothing of the points."""
    number = {name: f"#{n}" for n, name in enumerate(sorted(found.learners), 1)}
    return found._replace(
        learners=[number[name] for name in found.learners],
        unjudged=[("–", *row[1:]) for row in found.unjudged],
        groups=[g._replace(learners=[number[n] for n in g.learners]) for g in found.groups],
        columns=[c._replace(name=number.get(c.name, c.name)) for c in found.columns],
        parts=[part for part in found.parts if part.marked >= FEWEST],
        clusters=[],
        oral=[],  # it is nobody's business
    )


def text(found: Insights, style: Style) -> list[str]:
    """The lines of the terminal."""
    told = [f"{len(found.learners)} judged, {len(found.unjudged)} without a mark"]
    told += [f"mean {percent(found.mean)}, median {percent(found.median)} of the points", ""]
    told += ["".join(_bars(found.distribution)), ""]
    told += [*map(say_part, found.parts), *[""] * bool(found.parts)]
    told.append(style.paint("bold", "What cost the class most"))
    told.append(f"  {'points':>8} {'earned':>7} {'telling':>8}  exercise")
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    told += [_row(item) for item in dear[:MOST] if item.lost]
    if found.groups:
        told += ["", style.paint("bold", "Wrong in the same way: one comment for all")]
    for group in found.groups[:MOST]:
        more = f" and {len(group.more)} more" if group.more else ""
        told.append(
            f"  {points(group.lost):>8} {len(group.learners):>3} learners  {group.id}{more}"
        )
        told += style.wrap(group.says, "          ", "          ")
        told += style.wrap(first_of(group.learners, MOST_NAMES), "          ", "          ")
    if found.clusters:
        told += ["", style.paint("bold", "Much the same code, whatever its names (no proof)")]
    for cluster in found.clusters[:MOST]:
        told += style.wrap(alike(cluster), "  ", "      ")
    if found.oral:
        told += ["", style.paint("bold", "Whom to talk to (a reason to ask, no proof)")]
    for name, reasons in found.oral[:MOST]:
        told += style.wrap(f"{name}: {'; '.join(reasons)}", "  ", "      ")
    return told


def alike(cluster: Cluster) -> str:
    """Who they are, how much they share, and where."""
    names = first_of(cluster.learners, MOST_NAMES)
    return f"{names}: up to {percent(cluster.share)}, in {', '.join(cluster.places)}"


def _bars(distribution: list[int]) -> Iterator[str]:
    """How many earned how much, a line per tenth."""
    most = max(distribution, default=0) or 1
    for n, count in enumerate(distribution):
        bar = "#" * round(30 * count / most)
        yield f"  {10 * n:>3}–{10 * (n + 1):<3} % {count:>5} {bar}".rstrip() + "\n"


def _row(item: Item) -> str:
    counts = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in item.counts.items())
    waited = f"; {points(item.waited)} of it by waiting" if item.waited else ""
    telling = f"{100 * item.telling:+.0f} %"
    return (
        f"  {points(item.lost):>8} {percent(item.share):>7} {telling:>8}  {item.id}  "
        f"({counts}{waited})"
    )


def heat_map(found: Insights) -> bytes:
    """A page of its own: a column per learner, or per group of them, a row per exercise."""
    dear = sorted(found.items, key=lambda item: (-item.lost, item.id))
    return page("insights.html", title="What the class found hard", found=found, dear=dear)


COMMANDS = {"insights": Command(SAYS, OPTIONS, run)}
