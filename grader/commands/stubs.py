"""`grader stubs [--check]`: the stubs are made from `solutions/`, from nothing else."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..about import COURSE
from ..course.load import load, read_package
from ..course.stub_files import FOLDER, differences, work_in
from ..errors import WrongUse
from .options import Options

SAYS = f"write {COURSE.name}/ anew from solutions/"
OPTIONS: Options = (
    (("--check",), {"action": "store_true", "help": "only say whether it is up to date"}),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Write the stubs, or with ``--check`` only say what differs (exit status 1)."""
    course = load()
    found = list(differences(course))
    if options.check:
        for name, what in found:
            print(f"{COURSE.name}/{name}: {what}")
        print("Run `grader stubs` to renew it." if found else f"{COURSE.name}/ is up to date.")
        return 1 if found else 0
    written = list(work_in(read_package(FOLDER), course))
    if written:
        raise WrongUse(
            f"{COURSE.name}/ holds more than stubs, and would be overwritten:\n  "
            + "\n  ".join(written)
            + "\nMove this work to a workspace (`grader init DIR`), then run `grader stubs` again."
        )
    expected = course.stubs()
    for name in set(read_package(FOLDER)) - set(expected):
        os.remove(os.path.join(FOLDER, name))
    for name, text in expected.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print(f"wrote {len(expected)} files to {COURSE.name}/")
    return 0
