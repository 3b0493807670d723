"""Each command imports few modules before it works, and nothing heavy without need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from grader import root
from grader.commands import TABLE, find_module
from grader.sandbox.launch import require_numpy

pytestmark = pytest.mark.xdist_group("imports of commands")  # they are counted once

# Python without `site`, so that no installed package counts; a fork for each command.
PROGRAM = """
import os, sys
sys.path[:0] = sys.argv[1:]
before, out, sys.stdout = {*sys.modules}, sys.stdout, open(os.devnull, "w")
from grader import cli, commands
for name in ("", *commands.TABLE):
    child = os.fork()
    if not child:
        cli.run_command_line([*([name] if name else ()), "--help"])
        print(name, *{*sys.modules} - before, sep=",", file=out, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
HEAVY = {
    "asyncio", "concurrent", "csv", "dataclasses", "email", "http", "inspect", "jinja2", "logging",
    "multiprocessing", "nbformat", "numpy", "pathlib", "sqlalchemy", "ssl", "tarfile", "torch",
    "tqdm", "watchfiles", "zipfile", "zoneinfo",
}  # fmt: skip
COURSE = {"dataclasses", "inspect", "pathlib"}  # what reads the course's sources
CLASS = HEAVY - {"asyncio", "http", "jinja2", "nbformat", "sqlalchemy", "ssl", "torch", "tqdm",
                 "watchfiles"}  # fmt: skip
# At most so many modules, these heavy ones among them. From one Python to the next it is four more.
ROWS: tuple[tuple[int, set[str], str], ...] = (
    (60, set(), "--help"),
    (90, set(), "hint show repro reset status mistakes"),
    (100, set(), "check quiz viva"),
    (118, set(), "watch lsp demo graph book"),
    (118, COURSE, "solution course stubs record"),
    (142, COURSE, "init update import"),
    (191, CLASS - {"numpy", "multiprocessing"}, "notebooks gradebook"),
    (369, CLASS, "release grade merge open export insights explain audit"),
)
ALLOWED = {name: (most, heavy) for most, heavy, names in ROWS for name in names.split()}


@cache
def imported() -> dict[str, set[str]]:
    """Command → the modules that `grader COMMAND --help` imports."""
    places = [root.ROOT, os.path.dirname(require_numpy())]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, *places], capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    rows = (line.split(",") for line in done.stdout.splitlines())
    return {name or "--help": set(modules) for name, *modules in rows}


@pytest.mark.parametrize("command", ["--help", *TABLE])
def test_a_command_imports_no_more_than_its_row_allows(command):
    most, allowed = ALLOWED[command]
    modules = imported()[command]
    heavy = {name.partition(".")[0] for name in modules} & HEAVY
    assert heavy <= allowed, json.dumps(sorted(modules))
    assert len(modules) <= most, json.dumps(sorted(modules))


def test_help_imports_the_module_of_its_command_alone():
    every = {*map(find_module, TABLE)}
    for command, modules in imported().items():
        own = modules & every
        also = {"grader.commands.workspaces"} if command == "import" else set()
        assert own <= {find_module(command) if command in TABLE else "", *also}


def test_every_row_is_of_a_command():
    assert ALLOWED.keys() == {"--help", *TABLE}
