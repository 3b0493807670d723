"""A workspace with a right, a wrong and a missing exercise, and the command as it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.course.make_key import save
from grader.learner import own_file as definition
from tests.grader.made_once import made_once
from tests.grader.some_mistakes import some_mistakes

ASKED = ("chapter3.sub.forward", "chapter3.div.forward", "chapter3.pow.forward")
FOUND = {
    "chapter3.sub.forward": "passed", "chapter3.div.forward": "failed",
    "chapter3.pow.forward": "pending",
}  # fmt: skip
BODIES = {"Sub.forward": "return a - b", "Div.forward": "return b / a"}

# What `pip` writes into `bin/`, with the place of this course.
SCRIPT = f"""#!{sys.executable}
import sys
sys.path.insert(1, {root.ROOT!r})
from grader.cli import main
sys.exit(main())
"""


class Drilled(NamedTuple):
    """The exit status and the output of a command."""

    status: int
    out: str
    err: str

    def assert_right(self) -> None:
        """Assert the verdicts that this workspace always gets."""
        assert "Traceback" not in self.out + self.err, self.err
        assert self.status == 1, self
        chapters = json.loads(self.out)["chapters"]
        assert {e["id"]: e["status"] for c in chapters for e in c["exercises"]} == FOUND

    def assert_says(self, status: int, *words: str) -> None:
        """Assert this exit status and these words in the output, without a traceback."""
        assert "Traceback" not in self.out + self.err, self.err
        assert self.status == status, self
        for word in words:
            assert word in self.out + self.err, self


@pytest.fixture(scope="session")
def bin_grader(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the console script."""
    path = tmp_path_factory.mktemp("bin") / "grader"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, bin_grader: str) -> Path:
    """Make a workspace with right and wrong ops and a release's key, so that it needs no cache."""

    def make(place: Path) -> None:
        folder = place / "work"
        subprocess.run([bin_grader, "init", str(folder), "--from", "chapter3"], check=True)
        ops = folder / "babygrad" / "ops.py"
        text = ops.read_text(encoding="utf-8")
        for name, body in BODIES.items():
            text = definition.with_body(text, definition.find_definition(text, name), [body])
        ops.write_text(text, encoding="utf-8")
        chapters = ["chapter1", "chapter2", "chapter3"]
        key = some_mistakes(open_key(), ASKED)
        save(key, str(folder / ".grader" / "answers.key"), chapters, with_mistakes=True)

    return made_once(tmp_path_factory, "drilled", make) / "work"


@pytest.fixture
def work(made: Path, tmp_path: Path) -> Path:
    """Copy the workspace, so that a test may change everything in it."""
    return Path(shutil.copytree(made, tmp_path / "work"))


@pytest.fixture(scope="session")
def drill(bin_grader: str) -> Callable[..., Drilled]:
    """Run `grader …`, or the command in ``through`` with the same arguments."""

    def run(
        *arguments: str, cwd: Any, env: Mapping[str, str] | None = None,
        through: tuple[str, ...] = (), **more: Any,
    ) -> Drilled:  # fmt: skip
        done = subprocess.run(
            [*(through or (bin_grader,)), *arguments], cwd=cwd, capture_output=True, timeout=600,
            env=os.environ if env is None else env, check=False, **more,
        )  # fmt: skip
        out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        return Drilled(done.returncode, out, err)

    return run


@pytest.fixture
def check(drill: Callable[..., Drilled], work: Path) -> Callable[..., Drilled]:
    """Run `grader check … --json` in the copied workspace."""

    def run(**how: Any) -> Drilled:
        return drill("check", *ASKED, "--json", **{"cwd": work, **how})

    return run
