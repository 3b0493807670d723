"""`grader mistakes [NAME …]`: every named mistake, and which check catches which."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from ..audit.published import published
from ..course.key_source import open_key
from ..course.load import load
from ..learner import select
from ..learner.phrases import counted
from ..learner.style import Style
from .options import NAMES, Options

SAYS = "every named mistake, and which check catches which"
OPTIONS: Options = (
    NAMES,
    (("--json",), {"action": "store_true", "help": "print the data set (docs/mistakes.md)"}),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Print the mistakes of the exercises that were named; of all, where none is.

    Raises:
        WrongUse: a name that nothing has, or a course that came without its sources.
    """
    course, key = load(), open_key()
    found = published(course, key, select.exercises(key, options.names or [select.ALL]))
    if options.json:
        json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        print("\n".join(table(found, Style.of(sys.stdout))))
    return 0


def table(found: dict[str, Any], style: Style) -> Iterator[str]:
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
    mistakes, every = counted(len(found["mistakes"]), "mistake"), len(found["checks"])
    yield f"{mistakes}, {counted(every, 'check')}; `--json` has their code and their sentences."
