"""Neovim, as it comes: a wrong rule, a save, and the fault stands on its line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from grader import root
from grader.learner import own_file as definition

pytest.importorskip("pygls")
NEOVIM = shutil.which("nvim")
HERE = os.path.dirname(__file__)
needs_neovim = pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")


def neovim_version():
    said = subprocess.run([str(NEOVIM), "--version"], capture_output=True, text=True, check=True)
    major, minor = re.match(r"NVIM v(\d+)\.(\d+)", said.stdout).groups()
    return int(major), int(minor)


def run_neovim(script, tmp_path, **environment):
    """Run a script of this folder; return what it wrote."""
    out = tmp_path / "out.json"
    done = subprocess.run(
        [str(NEOVIM), "--headless", "--clean", "-n",
         "-c", f"luafile {HERE}/{script}", "-c", "cquit"],
        env={
            **os.environ, "PYTHONPATH": root.ROOT, "PYTHON": sys.executable,
            "XDG_STATE_HOME": str(tmp_path), "OUT": str(out), **environment,
        },
        capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert out.exists(), done.stderr
    return json.loads(out.read_text())


def docs_of(section):
    """Return a section of docs/editors.md."""
    with open(root.path("docs", "editors.md"), encoding="utf-8") as file:
        return file.read().partition(f"\n## {section}\n")[2].partition("\n## ")[0]


@needs_neovim
def test_a_saved_fault_is_shown_on_its_line(workspace, tmp_path):
    ops = workspace / "babygrad" / "ops.py"
    text = ops.read_text()
    place = definition.find_definition(text, "Sub.forward")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(definition.with_body(text, place, ["return b - a"]))
    found = run_neovim("neovim.lua", tmp_path, FILE=str(ops), TEXT=str(wrong), ROOT=str(workspace))
    ((line, source, says),) = found["faults"]
    assert (line, source) == (place.top, "grader") and says and found["stubs"] > 10
    assert ops.read_text() == wrong.read_text()


SETTINGS = re.findall(r"```lua\n(.*?)```", docs_of("Neovim"), re.DOTALL)


@needs_neovim
@pytest.mark.parametrize(("block", "since"), [(0, (0, 11)), (1, (0, 8))])
def test_the_settings_of_the_docs_work(workspace, tmp_path, block, since):
    """A block that starts the server, then the one with points, the next exercise and a quiz."""
    if (version := neovim_version()) < since:
        pytest.skip(f"these settings are for {since}, and this is {version}")
    files = [tmp_path / "start.lua", tmp_path / "more.lua"]
    for file, text in zip(files, [SETTINGS[block], SETTINGS[2]], strict=True):
        file.write_text(text)
    command = tmp_path / "bin" / "grader"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grader "$@"\n')
    command.chmod(0o755)
    ops, right = workspace / "babygrad" / "ops.py", tmp_path / "right.py"
    text = ops.read_text()
    place = definition.find_definition(text, "Sub.forward")
    right.write_text(definition.with_body(text, place, ["return a - b"]))
    told = run_neovim(
        "neovim_docs.lua", tmp_path, FILE=str(ops), TEXT=str(right),
        SETTINGS=":".join(map(str, files)), PATH=f"{command.parent}:{os.environ['PATH']}",
    )  # fmt: skip
    assert told["stubs"] > 10 and told["next"] == place.top
    assert told["terminal"].startswith("term://") and told["terminal"].endswith(sys.executable)
    assert told["before"].startswith("0 of ") and told["after"].startswith("1 of ")
