"""Every option and argument of every command, as the parsers have them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from grader.commands import TABLE, parser


def options_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and arguments of a parser, but for `--help`."""
    for action in command._actions:
        if not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
            yield action


def name_of(action: argparse.Action) -> str:
    return action.option_strings[0] if action.option_strings else action.dest


def parser_of(command: str) -> argparse.ArgumentParser:
    """A command's own parser."""
    actions = parser([command])._actions
    (found,) = (a.choices for a in actions if isinstance(a, argparse._SubParsersAction))
    return found[command]


COMMANDS = {command: parser_of(command) for command in TABLE}
EVERY = {
    (command, name_of(action)): action
    for command, one in {"": parser(), **COMMANDS}.items()
    for action in options_of(one)
}
