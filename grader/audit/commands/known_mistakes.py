"""`grader mistakes`: the known mistakes, and which check catches which."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from ...commands import NAMES, command, flag
from ...course.key_file import Json
from ...course.key_source import open_key
from ...learner import selection
from ...learner.typed_names import ALL
from ...learner.wording import Style, format_count
from ..data_set import read_data_set


@command("mistakes", NAMES, flag("--json", "print the data set (docs/mistakes.md)"))
def run_mistakes(options: argparse.Namespace) -> int:
    """Print the mistakes of the exercises that were named; of all, where none is."""
    key = open_key()
    found = read_data_set(key, selection.exercises(key, options.names or [ALL]))
    if options.json:
        json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        print("\n".join(format_mistakes_table(found, Style.of(sys.stdout))))
    return 0


def format_mistakes_table(found: Json, style: Style) -> Iterator[str]:
    """Per exercise its mistakes, and the checks that catch each; the counts at the end."""
    checks: dict[str, list[str]] = {}
    for check in found["checks"]:
        checks.setdefault(check["exercise"], []).append(check["id"].partition("/")[2])
    last = ""
    for mistake in found["mistakes"]:
        exercise = mistake["exercise"]
        if exercise != last:
            yield from ([""] if last else [])
            yield style.paint("bold", exercise) + f"  ({', '.join(checks[exercise])})"
            last = exercise
        kills = [id.partition("/")[2] for id in mistake["caught_by"]]
        name = mistake["id"].partition("/")[2]
        yield from style.wrap(f"{name}: {', '.join(kills)}", "      ", "  ")
    yield ""
    named = format_count(len(found["mistakes"]), "mistake")
    checked = format_count(len(found["checks"]), "check")
    yield f"{named}, {checked}; `--json` has their code and their sentences."
