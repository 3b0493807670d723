"""Neovim, as it comes: a wrong rule, a save, and the fault stands on its line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from grader import root
from grader.learner import own_file as definition

pytest.importorskip("pygls")
NEOVIM = shutil.which("nvim")
SCRIPT = os.path.join(os.path.dirname(__file__), "neovim.lua")


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_a_saved_fault_is_shown_on_its_line(workspace, tmp_path):
    ops = workspace / "babygrad" / "ops.py"
    text = ops.read_text()
    place = definition.find_definition(text, "Sub.forward")
    wrong, out = tmp_path / "wrong.py", tmp_path / "out.json"
    wrong.write_text(definition.with_body(text, place, ["return b - a"]))
    done = subprocess.run(
        [str(NEOVIM), "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"],
        env={
            **os.environ, "PYTHONPATH": root.ROOT, "PYTHON": sys.executable, "XDG_STATE_HOME":
            str(tmp_path), "FILE": str(ops), "TEXT": str(wrong), "OUT": str(out),
            "ROOT": str(workspace),
        },
        capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert out.exists(), done.stderr
    found = json.loads(out.read_text())
    ((line, source, says),) = found["faults"]
    assert (line, source) == (place.top, "grader") and says and found["stubs"] > 10
    assert ops.read_text() == wrong.read_text()
