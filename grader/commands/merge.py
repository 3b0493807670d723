"""`grader merge RESULTS… --out OUT`: the results of several shards as one folder."""

from __future__ import annotations

import argparse
from typing import Any

from ..classroom.results import Results
from ..classroom.shards import merge
from .options import Options

SAYS = "bring the results of several shards together"
OPTIONS: Options = (
    (("results",), {"nargs": "+", "metavar": "RESULTS"}),
    (("--out",), {"required": True, "metavar": "OUT", "help": "the folder of all results"}),
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0; where parts do not belong together, nothing says that they do."""
    with Results(options.out) as out:
        count = merge(options.results, out)
    print(f"{count} records of {len(options.results)} folders are in {options.out}")
    return 0
