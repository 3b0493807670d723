"""`--verbose` and `GRADER_LOG` tell what is run, where and how long, and cost nothing when off."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from grader import log, root

LINE = re.compile(r" *\d+ ms  \d+  grader\.(\w+): (.+)")


def logged(err: str) -> dict[str, list[str]]:
    """Room → what it logged."""
    rooms: dict[str, list[str]] = {}
    for line in err.splitlines():
        if met := LINE.fullmatch(line):
            rooms.setdefault(met[1], []).append(met[2])
    return rooms


@pytest.mark.parametrize("place", ["first", "last"])
def test_verbose_tells_each_step_and_changes_no_report(place, package, grader):
    words = ["check", "chapter3.sub", "--package", str(package())]
    quiet = grader(*words)
    loud = grader(*(["--verbose", *words] if place == "first" else [*words, "--verbose"]))
    assert (loud.status, loud.out) == (quiet.status, quiet.out)
    rooms = logged(loud.err)
    assert any(re.fullmatch(r"[0-9a-f]{40}: \d+ bytes", line) for line in rooms["memo"])
    loaded, probed = rooms["sandbox"][:2]
    assert re.fullmatch(r"worker \d+: (confined|process); the package: \d+ ms", loaded)
    assert re.fullmatch(r"worker \d+: \d+ probes: \d+ ms", probed)
    assert rooms["cli"] == ["exit status 0"]
    assert not logged(quiet.err)


def test_a_level_chooses(package, grader, monkeypatch):
    monkeypatch.setenv(log.VARIABLE, "info")
    rooms = logged(grader("check", "chapter3.sub", "--package", str(package())).err)
    assert rooms["sandbox"] and "memo" not in rooms


def test_where_nobody_asks_logging_is_not_imported(monkeypatch):
    monkeypatch.delenv(log.VARIABLE, raising=False)
    program = "import sys; from grader import log; log.info('x', 'y');"
    program += "print('logging' in sys.modules)"
    env = {**os.environ, "PYTHONPATH": root.ROOT}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_logging_that_somebody_set_up_is_theirs(monkeypatch, caplog):
    monkeypatch.setenv(log.VARIABLE, "debug")
    monkeypatch.setattr(log, "_root", None)
    with log.timed("judge", "%s again", "blame"):
        pass
    assert re.fullmatch(r"blame again: \d+ ms", caplog.messages[-1])
    assert caplog.records[-1].name == "grader.judge"
