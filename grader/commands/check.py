"""`grader check [NAME …]`: judge the learner's package, and say what to do next."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from .. import log
from ..course import package
from ..course.key_file import Json, Key
from ..course.key_source import open_key
from ..course.outline import chapter_of, in_words
from ..grade_package import Grading, Verdicts
from ..learner import workspace
from ..learner.selection import choose_exercises, find_given, open_grading
from ..learner.terminal import oracles, report
from ..learner.wording import Style
from ..products import find_hook
from ..result import result
from ..sandbox.isolation import ANY, LEVELS
from ..sandbox.launch import ForkServer
from ..verdict import BROKEN, GIVEN, PASSED
from . import NAMES, PACKAGE, command, flag, isolation_option


@command(
    "check",
    NAMES,
    PACKAGE,
    flag("--json", "print the canonical result"),
    isolation_option(f"refuse weaker isolation than this: {' or '.join(LEVELS)}", ANY),
    flag("--fail-fast", "stop at the first mistake"),
)
def run_check(options: Any) -> int:
    """Judge exercises; exit status 0 if all pass, 1 if not yet, 3 if the grader is broken."""
    folder = package.find_package_folder(options.package)
    learner = package.read_package(folder)
    key = open_key(workspace.root_of(folder))
    ids = choose_exercises(key, folder, options.names)
    first = options.workers.pop() if options.workers else None  # started by `cli.early_worker`
    least = options.isolation
    with ForkServer(restarts=True) as fork_server:
        grading = open_grading(key, learner, fork_server.fork, ids, first=first, least=least)
        verdicts = grading.grade(ids, options.fail_fast)
    # A failed import says nothing about its exercises: their statuses stay as they were.
    judged = {id: v for id, v in verdicts.items() if v.unloadable is None}
    nothing_ran = len(judged) < len(verdicts) and {v.status for v in judged.values()} <= {GIVEN}
    known = {} if nothing_ran else workspace.summarize_verdicts(judged)
    note = workspace.write_progress(folder, known, learner.sha256) if known else ""
    _print(options, grading, verdicts)
    if note:
        print(note, file=sys.stderr)
    lost = next((v for v in verdicts.values() if v.lacks_something), None)
    if lost and not options.json:
        from ..learner.own_file import find_obstacles  # kept off the usual path

        for says in find_obstacles(key, folder, lost.id):
            print("\n".join(Style.of(sys.stdout).wrap(says)))
    statuses = {v.status for v in verdicts.values()}
    if not options.json and statuses <= {PASSED, GIVEN}:
        for name in newly_ended(key, folder, ids):  # chapters that this check completed
            print("\n".join(congratulation(name, key.table, Style.of(sys.stdout))))
    if BROKEN in statuses:
        return 3
    return 0 if statuses <= {PASSED, GIVEN} else 1


def _print(options: Any, grading: Grading, verdicts: Verdicts) -> None:
    found = result(grading, verdicts)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    digest, torch = found["package"]["sha256"][:12], found["oracles"]["torch"]
    log.info("check", "judged a package (%s) against %s", digest, oracles(torch))
    style = Style.of(sys.stdout)
    if style.colour and (address := find_hook("address of the book")):
        style.book = address()
    sys.stdout.write(report(found, style, grading.output, grading.changed))
    due = workspace.due(grading.package.folder)
    for name in (c["id"] for c in found["chapters"] if c["id"] in due):
        print(f"{name} is due: {due[name]}")


TOLD = "ended.json"


def newly_ended(key: Key, folder: str, ids: Iterable[str]) -> list[str]:
    """Return the chapters of these exercises that are complete and were not congratulated before.

    From now on they count as congratulated. Outside of a workspace earlier checks are not known,
    and there are none.
    """
    if not workspace.is_workspace(folder):
        return []
    progress, told = workspace.read_progress(folder), workspace.read_state(folder, TOLD)
    early = find_given(key, folder)
    mine = [id for id, _, _ in key.outline if id not in early]
    left = [id for id in mine if progress.get(id) != PASSED]
    passed = {*map(chapter_of, mine)} - {*map(chapter_of, left)}
    asked = dict.fromkeys(map(chapter_of, ids))
    ended = [name for name in asked if name in passed and name not in told]
    if ended:
        workspace.add_state(folder, TOLD, {name: int(time.time()) for name in ended})
    return ended


LAST = "It was the last chapter. All of it is yours now: show it to somebody."


def congratulation(name: str, table: Json, style: Style) -> Iterator[str]:
    """Yield the lines for a completed chapter."""
    titles: dict[str, str] = table.get("titles", {})
    built = table.get("built", {}).get(name, "")
    spoken = in_words(name)
    yield ""
    yield style.paint("green", f"{spoken.capitalize()} is done: {titles.get(name, name)}.")
    if built:
        yield from style.wrap(f"You have built {built}.")
    yield from style.wrap(_next(name, titles))


def _next(name: str, titles: dict[str, str]) -> str:
    names = list(titles)
    after = names[names.index(name) + 1 :] if name in names else []
    if not after:
        return LAST
    return f"Next: {in_words(after[0])}, {titles[after[0]]}. It begins in chapters/{after[0]}.md."
