"""`grader lsp`: what is wrong, in the learner's editor, whenever a file is saved."""

from __future__ import annotations

import argparse
import os
import sys

from .. import DISTRIBUTION
from ..errors import WrongUse
from . import Command, Options, Workers, flag

SAYS = "a language server: faults, hints and stubs in your editor"
OPTIONS: Options = (flag("--stdio", "speak over standard input and output, as it always does"),)
MISSING = (
    "lsp needs what speaks to editors, and that comes with an extra: "
    f'run `pip install "{DISTRIBUTION}[editor]"`.'
)


def run(options: argparse.Namespace, workers: Workers) -> int:
    """Serve one editor until it goes. Standard output is the protocol's: all else is for errors."""
    try:
        from .language_server import Server
    except ModuleNotFoundError as error:
        raise WrongUse(MISSING) from error
    sys.stdout.flush()
    with os.fdopen(os.dup(0), "rb") as ours, os.fdopen(os.dup(1), "wb") as theirs:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        Server().serve(ours, theirs)
    return 0


COMMANDS = {"lsp": Command(SAYS, OPTIONS, run)}
