"""`grader status`: show progress, lost and blocked exercises, and the next one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from ..course import package
from ..course.key_file import Key
from ..course.outline import CHAPTER, HIDDEN, SHORT, chapter_of, given_ids
from ..errors import WrongUse
from ..learner import own_file, selection, workspace
from ..learner.wording import Style, bar, format_count, next_step, points, state, waits, when
from ..learner.workspace import State
from ..verdict import BLOCKED, GIVEN, PASSED, PENDING, WRONG
from . import PACKAGE, command

BAR = 12
TITLE = 27
MOST_LINES = 8  # of each list


@command("status", PACKAGE)
def run_status(options: argparse.Namespace) -> int:
    """Print the status; exit status 0 if the whole course is passed, else 1."""
    folder = package.find_package_folder(options.package)
    key = selection.key_for(folder)
    early = selection.find_given(key, folder)
    progress = workspace.progress(folder)
    style = Style.of(sys.stdout)
    statuses = {id: mark["status"] for id, mark in progress["exercises"].items()}
    changed = selection.find_changed(key, package.read_package(folder), early)
    owned = {key.table["targets"].get(target) for target in workspace.read_own(folder)}
    changed -= {id for id in owned if statuses.get(id) == PASSED}  # it was not given then
    wrong = {id for id in changed if statuses.get(id) in WRONG}  # at its last check
    upcoming = selection.upcoming(key, statuses, early - wrong)
    lines = [
        *format_status_table(key, progress["exercises"], early, style),
        *tell_terms(key, folder, early, style),
        *lost(key, progress, style),
    ]
    lines += list_changed([id for id, _, _ in key.outline if id in changed], statuses, style)
    lines += [*blocked(key, progress["exercises"], style), *list_revealed(folder, style)]
    lines += _freshness(folder, progress, style)
    exercise = selection.find_row(key, upcoming) if upcoming else None
    lines += ["", next_step(upcoming, exercise, statuses.get(upcoming or "", PENDING))]
    lines += own_file.find_obstacles(key, folder, upcoming) if upcoming else []
    print("\n".join(lines))
    return 0 if upcoming is None else 1


def format_status_table(
    key: Key, marks: dict[str, State], early: set[str], style: Style
) -> Iterator[str]:
    """Yield a line per chapter, and their sum."""
    row = _narrow_row if style.narrow else _row
    if not style.narrow:
        yield style.paint("dim", f"{CHAPTER:<{TITLE + 13}}{'exercises':>{BAR + 12}}{'points':>13}")
    sums = [0, 0, 0.0, 0.0]
    for name in key.chapters:
        asked = [id for id, _, _ in key.outline if chapter_of(id) == name and id not in early]
        found = chapter_totals(asked, marks, key.points)
        sums = [a + b for a, b in zip(sums, found, strict=True)]
        yield row(name.removeprefix(CHAPTER), key.table["titles"][name], found)
    yield style.paint("bold", row("", f"all {CHAPTER}s", sums))


def tell_terms(key: Key, folder: str, early: set[str], style: Style) -> Iterator[str]:
    """Yield a line about the short route, and one about hidden formulas."""
    terms = workspace.read_terms(folder)
    if terms.route == SHORT:
        solved = len(early - given_ids(key, workspace.start(folder, key.chapters)))
        yield style.paint("dim", f"On the short route, which gives {solved} exercises solved.")
    if terms.formulas == HIDDEN:
        yield style.paint("dim", "Docstrings leave derivatives out; the last hint has them.")


def chapter_totals(
    asked: list[str], marks: dict[str, State], worth: dict[str, float]
) -> list[float]:
    """Count these exercises: passed and asked; and their points: won and to be won."""
    mine = [marks[id] for id in asked if id in marks]
    return [
        sum(mark["status"] == PASSED for mark in mine),
        len(asked),
        sum(mark["score"] for mark in mine),
        sum(worth[id] for id in asked),
    ]


def _row(label: str, title: str, numbers: list[float]) -> str:
    passed, asked, score, most = numbers
    title = title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"
    head = f"  {label:>2}  {title:<{TITLE}}"
    if not asked:
        return f"{head}  given"
    marks = f"{points(score):>6} / {points(most)}"
    return f"{head}  {bar(passed, asked, BAR)}  {f'{passed:g} of {asked:g}':>11}   {marks}"


def _narrow_row(label: str, title: str, numbers: list[float]) -> str:
    """Format a row in two lines, for a narrow terminal."""
    passed, asked, score, most = numbers
    marks = f"{passed:g} of {asked:g} exercises, {points(score)} / {points(most)} points"
    return f"{label:>2}  {title}\n      {marks if asked else 'given'}"


def lost(key: Key, progress: State, style: Style) -> Iterator[str]:
    """Yield the exercises that were passed once and are not any more, the latest first."""
    marks = progress["exercises"]
    found = [id for id, _, _ in key.outline if "lost" in marks.get(id, {})]
    if not found:
        return
    yield ""
    yield style.paint("bold", "It was passed, and is not any more:")
    found.sort(key=lambda id: -marks[id]["lost"])
    for id in found[:MOST_LINES]:
        at = marks[id]["lost"]
        last = "in your last check" if at == progress["checked"] else f"since {when(at)}"
        yield f"  {state(marks[id]['status'], style, 9)} {id}, {last}"
    yield from _more(found)


def list_changed(found: list[str], statuses: dict[str, str], style: Style) -> Iterator[str]:
    """Yield the given exercises that were edited, with the status of their last check."""
    if found:
        yield ""
        yield style.paint("bold", "It was given, and you changed it (`grader reset` restores it):")
    for id in found[:MOST_LINES]:
        yield f"  {state(statuses.get(id, GIVEN), style, 9)} {id}"
    yield from _more(found)


def blocked(key: Key, marks: dict[str, State], style: Style) -> Iterator[str]:
    """Yield the blocked exercises, and what blocks them."""
    found = [id for id, _, _ in key.outline if marks.get(id, {}).get("status") == BLOCKED]
    if not found:
        return
    yield ""
    for id in found[:MOST_LINES]:
        yield from style.wrap(waits(id, marks[id]["blocked_by"]), "    ", "◦ ")
    yield from _more(found)


def _more(found: list[str]) -> Iterator[str]:
    if found[MOST_LINES:]:
        yield f"  … and {len(found) - MOST_LINES} more"


def list_revealed(folder: str, style: Style) -> Iterator[str]:
    """Yield the solutions that were revealed before the exercise was passed."""
    seen = workspace.read_state(folder, "revealed.json")
    if seen:
        yield ""
        head = f"You have had {format_count(len(seen), 'solution')} shown to you: "
        yield from style.wrap(", ".join(sorted(seen)) + ".", "  ", head)


def _freshness(folder: str, progress: State, style: Style) -> Iterator[str]:
    """Yield the time of the last check, and whether the package has changed since."""
    yield ""
    if not progress["checked"]:
        yield "Nothing is checked yet: `grader check`."
        return
    try:
        changed = package.read_package(folder).sha256 != progress["sha256"]
    except WrongUse:
        changed = True
    told = f"As of your last check, {when(progress['checked'])}."
    if changed:
        told += " Your package has changed since: `grader check` looks again."
    yield style.paint("dim", told)
