"""Hostile submissions gain nothing and harm nothing; benign ones lose nothing.

Each case of `cases/` is judged through the public command, at the strongest level that this
machine offers. Each time one in sixteen of every group is, and one in sixty of those that hand in
to a class; by `-m long` one in four of the others. There one case of every group is judged at the
weakest level too and, as root, as an unprivileged user; with --whole all of them are judged in all
of these ways, and so is what only waits for a clock once more (`full: only`).
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from grader import root
from grader.course.key_source import open_key
from tests.grader.caches import CHAPTERS
from tests.grader.isolation import unprivileged
from tests.grader.made_once import made_once

from . import classes, rooms
from .loader import LEVELS, Case, cases
from .scene import HARM, SECRET, Scene, keys_for

ALL = list(cases())
IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0
STRONGEST = "confined"
READ_WITHOUT_END = "11"  # a row of `WAYS`; `drill/test_held_up.py` has the quick run judge some
CHECKS = 24  # what a case may take beside its budget: of a class, some code runs as often as that
SCHEMA = json.loads(
    Path(root.PACKAGE, "classroom/schemas/grader-result-1.schema.json").read_text("utf-8")
)

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs Linux's /proc")


def ways() -> Iterator[object]:
    """Yield each case, whether its user is unprivileged, and the highest level of isolation."""
    for case in ALL:
        for nobody in (False, True) if IS_ROOT else (False,):
            for least in (STRONGEST, "process"):
                tail = "-as-nobody" * nobody + "-at-process" * (least == "process")
                marks = share(case, tail)
                yield pytest.param(case, nobody, least, id=case.name + tail, marks=marks)


def share(case: Case, tail: str) -> pytest.MarkDecorator:
    """The part of the cases like this one that each run judges in this way."""
    if "full" in case.says:
        return pytest.mark.sampled(long=0)
    if tail:
        return pytest.mark.sampled(long=len(ALL), of=f"{case.group}{tail}")
    if case.says.get("seen") == READ_WITHOUT_END:
        return pytest.mark.sampled(long=4, of="read without end")
    if "class" in case.says:
        return pytest.mark.sampled(quick=60, long=8, of="a class")
    return pytest.mark.sampled(quick=32, long=8, of=case.group)


@pytest.fixture(scope="session")
def keys(tmp_path_factory) -> Iterator[dict[bool, Path]]:
    """A cache of the answer key for this user, in which all test processes of a run keep what their
    commands work out, and one for the unprivileged user."""
    open_key()
    folder = Path(tempfile.mkdtemp(prefix="hostile-keys-"))
    folder.chmod(0o755)
    own = made_once(tmp_path_factory, "hostile-keys", lambda place: keys_for(place, False))
    yield {IS_ROOT: keys_for(folder, IS_ROOT), False: own}
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def honest(course, keys) -> tuple[str, float]:
    """The strongest level here, and how long this machine takes over an honest submission."""
    ended = honestly(course, keys)
    return json.loads(ended.out)["isolation"]["level"], ended.seconds


def honestly(course, keys):
    """An honest submission, judged now."""
    with Scene(Case("benign/honest", {}, []), course, False, keys[False]) as scene:
        return scene.run("check", "chapter3.sub", "--json")


@pytest.mark.parametrize(("case", "nobody", "highest"), list(ways()))
def test_case(case: Case, nobody: bool, highest: str, course, keys, honest) -> None:
    level = "process" if highest == "process" else honest[0]
    if nobody and not readable_by_nobody():
        pytest.skip("the unprivileged user cannot read this repository or this Python")
    if not case.reaches("runs", level):
        pytest.skip(f"only the kernel stops this; judged from level {case.says['runs']}")
    if not case.chapters <= {*CHAPTERS}:
        keys_for(keys[nobody], nobody, case.chapters)
    with Scene(case, course, nobody, keys[nobody], highest, level) as scene:
        if "room" in case.says:
            ended, told = rooms.play(case, scene, course), ""
            rooms.judged(case, scene, ended)
        elif "class" in case.says:
            ended, told = classes.play(case, scene), ""
            classes.judged(case, scene, ended, level)
        else:
            ended = scene.run("check", *case.look, "--json")
            told = scene.run("check", *case.look).out if case.group == "reports" else ""
    budget = float(case.says.get("budget", 5)) + 2
    if ended.seconds > budget + 2 * honest[1]:  # the case, or what else this machine does now?
        now = max(honest[1], honestly(course, keys).seconds)
        took = f"{ended.seconds:.1f} s, an honest one {now:.1f}"
        assert ended.seconds <= budget * stretch() + CHECKS * now, took
    assert not control_characters(told) and not control_characters(ended.out)
    assert "Traceback" not in ended.err, ended.err
    if "wrong use" in case.says:
        assert (ended.status, ended.out) == (2, "") and case.says["wrong use"] in ended.err
    elif not {"class", "room"} & case.says.keys():
        judged(case, ended, level)
    for word in filter(None, [case.says.get("no line begins")]):
        assert not [line for line in told.splitlines() if line.startswith(word)], told
    if case.reaches("harm", level):
        assert ended.harm == []
        assert HARM not in ended.out and SECRET not in ended.out


def judged(case: Case, ended, level: str) -> None:
    """The result is one, and nothing in it is better than it has to be."""
    assert ended.status in (0, 1), ended.err
    result = json.loads(ended.out)
    jsonschema.validate(result, SCHEMA)
    exercises = {e["id"]: e for c in result["chapters"] for e in c["exercises"]}
    words = {id: e["status"] for id, e in exercises.items()}
    assert (ended.status == 0) == (set(words.values()) <= {"passed", "given"})
    for id, statuses in case.expected(level).items():
        assert words[id] in statuses, (words, exercises[id]["checks"])
        if words[id] != "passed":
            most = float(case.says.get("most", 0)) * exercises[id]["max_score"]
            assert exercises[id]["score"] <= most, exercises[id]
    if case.group == "benign":
        assert ended.status == 0, {id: e for id, e in exercises.items() if e["status"] != "passed"}
        assert result["score"] == result["max_score"]


def stretch() -> float:
    """Return how many times as long work takes now as on an idle machine: clocks that
    count processor time run as much longer."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def control_characters(text: str) -> set[str]:
    return {c for c in text if not c.isprintable() and c not in "\n\t"}


@functools.cache
def readable_by_nobody() -> bool:
    """Whether the unprivileged user can be given this Python and this repository."""
    if unprivileged.why_not():
        return False
    words = unprivileged.command(sys.executable, "-c", "import grader, numpy")
    paths = [root.ROOT, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths))}
    done = subprocess.run(words, cwd="/", check=False, env=environment, capture_output=True)
    return done.returncode == 0


GROUPS = {
    "archives", "benign", "delegation", "early_exit", "exhaustion", "forged_reports", "host",
    "lying_values", "monkeypatching", "planted", "records", "replay", "reports", "rooms",
    "secrets",
}  # fmt: skip


# Ways to marks for nothing that were seen to work, and do no more: cases say which they show.
WAYS = {
    "1": "public answers, given back",
    "2": "what travels to the worker, in the place of a rule",
    "3": "a weak level that nobody has asked for",
    "4": "hidden inputs, told by what code says of public ones",
    "5": "a circle, followed through",
    "6": "links",
    "7": "a finite difference that hides, and programs that are replaced",
    "8": "time that every answer pays for anew",
    "9": "a script where staff read",
    "10": "a time of one's own, and a second name of a neighbour's file",
    "11": "what is read without end",
    "20": "what the kernel keeps for two workers: flags of streams, woken threads, hints of files",
    "21": "flags, generations and hints of files of the host",
    "12": "a finite difference of inputs that were taken out of sight",
    "22": "texts that fill the grader's memory",
    "13": "what travels to the worker, past the guard of its functions",
    "23": "the course's own code made anew, or reached through code that calls what it is given",
    "24": "what is right, known by the class of what is asked",
    "25": "work that is done where, or when, nobody counts",
    "26": "given code of a hand-in that knows what it is asked for",
}


@pytest.mark.parametrize("key", ["seen", "twin"])
def test_every_known_way_has_its_case_and_its_honest_twin(key: str) -> None:
    assert {n for case in ALL for n in case.says.get(key, "").split()} == WAYS.keys()


def test_the_suite_is_as_large_as_it_claims() -> None:
    benign = [case for case in ALL if case.group == "benign"]
    assert len(ALL) - len(benign) >= 120 and len(benign) >= 20
    assert {case.group for case in ALL} == GROUPS
    for case in ALL:
        assert case.says.get("never") and case.sections, case.name
        assert case.says.get("harm", "process") in LEVELS
        assert case.says.get("runs", "process") in LEVELS
