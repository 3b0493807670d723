"""A protection that does not hold is not claimed; a demand that cannot be met is refused."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import memo, root
from grader.errors import OurFault
from grader.sandbox.isolation import (
    BROWSER,
    CONFINED,
    DEMANDS,
    HIGHEST,
    LEVELS,
    PAGE,
    PROCESS,
    level,
    require_level,
    stays_root,
)

from .. import without
from ..conftest import run_grader
from . import unprivileged
from .users import as_user, copy_key, me, written

EXERCISE = "chapter3.div.forward"  # waits for no other, so nothing is made to tell why it fails


def test_a_demand_that_cannot_be_met_refuses_before_any_learner_code_runs(place):
    folder = written(place, "")
    Path(folder, "babygrad", "ops.py").write_text(f"import os\nos.mkdir({folder + '/ran'!r})\n")
    words = ("check", EXERCISE, "--package", folder, "--isolation", CONFINED)
    ran = run_grader(*words, **{HIGHEST: PROCESS})
    assert ran.status == 2 and "more than this machine gives" in ran.err and ran.out == ""
    assert "Traceback" not in ran.err and not os.path.exists(folder + "/ran")
    assert run_grader(*words[:-1], PROCESS, **{HIGHEST: PROCESS}).status == 1
    assert os.path.exists(folder + "/ran")


def test_marks_are_given_at_the_strongest_level_unless_less_was_said(place, confinable):
    folder = written(place, "")
    out = str(Path(folder).parent / "results")
    words = ("grade", folder, "--out", out, "--chapters", "chapter7", "--seed", "public",
             "--jobs", "1")  # fmt: skip
    ran = run_grader(*words, **{HIGHEST: PROCESS})
    assert ran.status == 2 and "c.JudgeAnswers.isolation" in ran.err and "Traceback" not in ran.err
    weaker = run_grader(*words, "--isolation", PROCESS, **{HIGHEST: PROCESS})
    assert weaker.status == 0 and "isolation: process" in weaker.out
    again = run_grader(*words)  # what was judged with less than is demanded is judged again
    assert "1 judged, 0 kept" in again.out and "isolation: confined" in again.out


def test_who_grades_as_root_with_no_more_than_a_process_is_told_first(place):
    """Only where Python can be read by root alone: elsewhere the worker has become nobody."""
    if reason := unprivileged.why_not():
        pytest.skip(reason)
    folder = written(place, "import sys\nprint('learner code', file=sys.stderr)\n")
    copy_key(place / "roots")
    told = {}
    for who, command in {
        "as it is": lambda *words: list(words),
        "root, whose Python all may read": lambda *words: unprivileged.command(
            *words, drop="--reuid=0 --regid=0 --clear-groups"
        ),
    }.items():
        for demanded in ((), ("--isolation", PROCESS)):
            words = ("-m", "grader", "check", EXERCISE, "--package", folder, *demanded)
            done = subprocess.run(
                command(sys.executable, *words), capture_output=True, text=True, check=False,
                cwd=place, env={**os.environ, "PYTHONPATH": root.ROOT, HIGHEST: PROCESS,
                                "XDG_CACHE_HOME": str(place / "roots")},
            )  # fmt: skip
            assert done.returncode == 1, done.stderr
            told[who, bool(demanded)] = "runs as root here" in done.stderr
    closed = bool(unprivileged.closed())
    assert told == {
        ("as it is", True): closed, ("as it is", False): False,
        ("root, whose Python all may read", True): False,
        ("root, whose Python all may read", False): False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("held", "user", "stays"),
    [((), 0, True), (("not root",), 0, False), ((), 1000, False), (DEMANDS[CONFINED], 0, False)],
)
def test_who_stays_root(monkeypatch, held, user, stays):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert stays_root([*DEMANDS[PROCESS], *held]) == stays


def test_the_report_names_a_level_below_the_strongest(place, confinable):
    words = ("check", "chapter3.div", "--package", root.path("solutions"))
    assert "isolation" not in run_grader(*words).out
    reduced = run_grader(*words, **{HIGHEST: PROCESS}).out
    assert "isolation: process (reduced isolation" in " ".join(reduced.split())  # it may wrap


def test_reading_leaves_no_time_where_root_runs_it(place, confinable):
    tried = ["unshare", "-m", "mount", "-o", "remount,bind,noatime", "/"]
    if shutil.which("unshare") is None or subprocess.run(tried, check=False).returncode:
        pytest.skip("this user cannot say how anything is mounted")
    result = me(place)("--package", root.path("solutions"))
    held = {"no times of reading", "no entries of the kernel"}
    assert held <= set(result["isolation"]["protections"]) and os.path.exists("/proc/self")
    assert not os.statvfs(os.__file__).f_flag & os.ST_NOATIME  # for the workers alone
    below = me(place)("--package", root.path("solutions"), **{HIGHEST: PROCESS})
    assert "no times of reading" not in below["isolation"]["protections"]


@pytest.mark.skipif(platform.machine() not in without.AUDIT, reason="no numbers for this one")
@pytest.mark.parametrize(
    ("lacks", "missing"),
    [
        ("landlock", "files (Landlock)"),
        ("landlock_restrict_self=0", "files (Landlock)"),
        ("seccomp", "no sockets (seccomp)"),
        ("seccomp=0", "no new processes (seccomp)"),
        ("capset=0", "no capabilities"),
    ],
    ids=["no Landlock", "Landlock pretends", "no seccomp", "seccomp pretends", "capset pretends"],
)
def test_what_does_not_hold_is_not_claimed(place, confinable, lacks, missing):
    if missing == "no capabilities" and os.getuid() != 0:
        pytest.skip("nobody has capabilities to lose")

    def on_such_a_machine(python: str, *words: str) -> list[str]:
        return [python, "-m", "tests.grader.without", lacks, *words]

    env = {"XDG_CACHE_HOME": os.path.dirname(memo.folder())} if os.getuid() == 0 else {}
    result = as_user(place, on_such_a_machine, "--package", root.path("solutions"), **env)
    assert result["isolation"]["level"] == PROCESS
    assert missing in result["isolation"]["missing"]
    assert missing not in result["isolation"]["protections"]
    assert result["score"] == result["max_score"] > 0


def test_a_page_is_less_than_any_process():
    assert level([PAGE]) == BROWSER and BROWSER not in LEVELS
    require_level(BROWSER, [PAGE])
    with pytest.raises(Exception, match="Nothing was graded"):
        require_level(PROCESS, [PAGE])
    with pytest.raises(OurFault):
        level([])
