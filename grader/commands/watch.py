"""`grader watch [NAME …]`: check again whenever you save, until you press q; `grader lsp`: what is
wrong, in the learner's editor, whenever a file is saved.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator

from .. import DISTRIBUTION, interrupt
from ..course import package
from ..errors import OurFault, WrongUse, plain
from ..learner import choice
from ..learner.desk import Desk, Round, Warm
from ..learner.events import Events
from ..learner.screen import Lines, Screen
from ..sandbox.launch import needed_numpy
from . import NAMES, PACKAGE, command, flag


@command(
    "watch",
    "check again whenever you save",
    NAMES,
    PACKAGE,
    flag("--lines", "for an editor: all that is wrong after each save, a line per fault"),
)
def run(options: argparse.Namespace) -> int:
    """Exit status 0 where all that is watched is passed in the end."""
    folder = package.find(options.package)
    screen = Lines() if options.lines else Screen()
    interrupt.also(signal.SIGTERM, signal.SIGHUP)  # so that the terminal is put back
    events, key = Events(folder), choice.key_for(folder)
    with events:
        needed_numpy()  # without it nothing is watched
        warm = Warm()
        try:
            desk = Desk(key, folder, options.names, warm)
            _rounds(desk, screen, desk.all())
            while (event := events.next()) != "q":
                _react(desk, screen, event)
        finally:
            warm.close()
    return 0 if desk.next() is None else 1


def _react(desk: Desk, screen: Screen, event: str) -> None:
    """What one event brings about."""
    if event == "save":
        _rounds(desk, screen, desk.saved())
    elif event in ("c", "a"):
        _rounds(desk, screen, desk.all())
    elif event == "h":
        screen.hint(desk)
    elif event == "l":
        screen.list(desk)
        screen.foot(desk)
    elif event == "n":
        id = desk.go_on()
        if id is not None:
            screen.card(desk, id)
        screen.foot(desk)


def _rounds(desk: Desk, screen: Screen, rounds: Iterator[Round]) -> None:
    """Show one batch after the other; what goes wrong is said, and the watch goes on."""
    shown = False
    try:
        for found in rounds:
            screen.round(desk, found)
            shown = True
            if desk.note:
                screen.show([desk.note], clear=False)
    except (WrongUse, OurFault) as error:
        screen.show([plain(str(error))], clear=not shown)
        shown = True
    if shown:
        screen.foot(desk)


MISSING = (
    "lsp needs what speaks to editors, and that comes with an extra: "
    f'run `pip install "{DISTRIBUTION}[editor]"`.'
)


@command(
    "lsp",
    "a language server: faults, hints and stubs in your editor",
    flag("--stdio", "speak over standard input and output, as it always does"),
)
def run_lsp(options: argparse.Namespace) -> int:
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
