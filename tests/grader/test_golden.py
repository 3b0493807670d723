"""Transcripts of many submissions, kept as files and reviewed: terminal, plain and JSON.

`GRADER_UPDATE_GOLDEN=1 pytest -m "" tests/grader/test_golden.py` writes them anew; read the
difference as a learner would before you keep it.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.learner.wording import WORDS

from .conftest import run_grader
from .submissions import Submission, sources, submissions
from .whole_course import whole_course

GOLDEN = Path(__file__).parent / "golden"
COURSE = whole_course()
SUBMISSIONS = submissions(COURSE)
ON_A_TERMINAL = ("known-mistake", "syntax-error", "two-wrong-ops", "stubs")

# What differs from machine to machine, or with every line that is added to the reference.
NORMAL = (
    (
        r"judged \S+babygrad(; isolation: \w+ \(reduced[^)]*\))?",
        "judged WORKSPACE/babygrad",
    ),
    (r"\b([Ii]n) babygrad/(\S+), line \d+", r"\1 babygrad/\2, line N"),
    (r"\(babygrad/(\S+), line(\s+)\d+\)", r"(babygrad/\1, line\2N)"),
)
BRIEF = ("passed", "given", "pending")


@pytest.fixture
def workspace(tmp_path: Path):
    def write(one: Submission) -> Path:
        for name, text in sources(COURSE, one).items():
            path = tmp_path / "work" / "babygrad" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "work"

    return write


def normal_text(text: str) -> str:
    for pattern, other in NORMAL:
        text = re.sub(pattern, other, text)
    return text.replace("\r\n", "\n")


def normal_json(text: str) -> str:
    """The canonical result, folded: what is said of many checks in the same words stands once."""
    result = json.loads(text, parse_float=lambda digits: float(f"{float(digits):.6g}"))
    result["package"] = {"path": "WORKSPACE/babygrad", "sha256": "DIGEST"}
    result["oracles"] = {"numpy": "VERSION", "torch": {"version": "VERSION", "live": False}}
    result["isolation"] = {"level": "LEVEL", "protections": []}
    for cause in result["unloadable"]:
        cause["message"] = normal_text(cause["message"])
        cause["location"] = cause["location"] and cause["location"].rpartition(":")[0] + ":N"
    for chapter in result["chapters"]:
        chapter["exercises"] = folded(map(exercise_told, chapter["exercises"]))
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"


def exercise_told(exercise: dict) -> tuple[Any, dict]:
    """Return the name of an exercise, and all that is said of it."""
    score = f"{exercise.pop('score')} of {exercise.pop('max_score')}"
    name = f"{exercise.pop('id')}: {score}"
    if exercise["status"] in BRIEF:
        return name, {"status": exercise["status"]}
    title = f"{exercise.pop('section')} {exercise.pop('title')}"
    checks = [check_told(check) for check in exercise.pop("checks")]
    bundles = folded(checks)
    names = {f"{name}, {title}": [bundle.pop("of") for bundle in bundles]}
    return names, {**given(exercise), "checks": bundles}


def check_told(check: dict) -> tuple[str, dict]:
    """Return the name of a check, and all that is said of it; in brief if right or not written."""
    name, status = check.pop("id").partition("/")[2], check["status"]
    if status in BRIEF:
        return name, {"status": status}
    rows = [check.pop("call"), *(f"{n} = {value}" for n, value in check.pop("inputs").items())]
    notes, place = check.pop("notes"), check.pop("place")
    says = [check.pop("reason")["says"], *(["", *notes] if notes else [])]
    assert check["message"].split() == "\n".join(filter(None, [*rows, *says])).split()
    assert place is None or place.rpartition(":")[2].isdecimal()
    check["message"] = normal_text(check["message"])
    if check["location"]:
        check["location"] = check["location"].rpartition(":")[0] + ":N"
    hidden = ", hidden" if check.pop("hidden") else ""
    score = f"{check.pop('score')} of {check.pop('max_score')}"
    check["expected"] = given(check["expected"])
    return f"{name}: {score}{hidden}: {check.pop('title')}", given(check)


def given(row: dict) -> dict:
    """A row without what is empty in it."""
    return {key: value for key, value in row.items() if value not in (None, [], {})}


def folded(rows: Iterable[tuple[Any, dict]]) -> list[dict]:
    """Rows that say the same one after the other as one, with all their names."""
    found: list[dict] = []
    for name, told in rows:
        if found and {**found[-1], "of": None} == {"of": None, **told}:
            found[-1]["of"].append(name)
        else:
            found.append({"of": [name], **told})
    return found


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: GRADER_UPDATE_GOLDEN=1 writes it"
    assert text == path.read_text(encoding="utf-8"), f"{name} has changed"


# The first of all commands makes a key, and others may wait for it.
KEY_IS_MADE = re.compile("building the answer key: .*\n|Another command is building .*\n")


# A clock runs out there: the quick run waits for that of a call, and only in the text.
CLOCKED = [name for name in SUBMISSIONS if "loop" in name]
AT_IMPORT = "loop-at-import"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.long if n == AT_IMPORT else pytest.mark.sampled(quick=4))
        for n in SUBMISSIONS
    ],
)
def test_what_is_said_in_a_file(name, workspace, grader):
    one = SUBMISSIONS[name]
    place = str(workspace(one))
    plain = grader("check", *one.names, "--package", place)
    assert KEY_IS_MADE.sub("", plain.err) == ""
    assert "\x1b" not in plain.out and "Traceback" not in plain.out
    long = [line for line in plain.out.splitlines() if len(line) > 80]
    assert not [line for line in long if not line.startswith("judged ")], long
    compare(f"{name}.txt", normal_text(plain.out))


# Their words are compared above.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.long if n in CLOCKED else pytest.mark.sampled(quick=6))
        for n in SUBMISSIONS
    ],
)
def test_the_canonical_result(name, workspace, grader):
    one = SUBMISSIONS[name]
    ran = grader("check", *one.names, "--json", "--package", str(workspace(one)))
    compare(f"{name}.json", normal_json(ran.out))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n in ON_A_TERMINAL else pytest.mark.sampled(long=0))
        for n in SUBMISSIONS
    ],
)
def test_what_is_said_on_a_terminal(name, workspace):
    one = SUBMISSIONS[name]
    compare(f"{name}.terminal.txt", normal_text(on_a_terminal(workspace(one), one.names)))


def on_a_terminal(place: Path, names: tuple[str, ...], NO_COLOR: str = "1") -> str:
    """Return what `grader check` writes to a terminal of 100 columns that may want no colour."""
    run_grader("check", *names, "--package", str(place))  # the answers that it makes are kept
    ours, theirs = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    command = [sys.executable, "-m", "grader", "check", *names, "--package", str(place)]
    environment = {**os.environ, "PYTHONPATH": root.ROOT, "NO_COLOR": NO_COLOR, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment) as running:
        os.close(theirs)
        pieces = []
        try:
            while piece := os.read(ours, 1 << 16):
                pieces.append(piece)
        except OSError:
            pass  # the other end was closed: all has been read
        running.wait(timeout=300)
    os.close(ours)
    return b"".join(pieces).decode()


PAINT = re.compile(r"\x1b\]8;;.*?\x1b\\|\x1b\[[0-9;]*m")


def test_a_colour_says_nothing_that_no_word_says(workspace):
    """A coloured report, its colours taken out, is word for word the plain one."""
    one = SUBMISSIONS["two-wrong-ops"]
    painted = on_a_terminal(workspace(one), one.names, NO_COLOR="")
    assert "\x1b[31m" in painted and "\x1b[32m" in painted
    text = normal_text(PAINT.sub("", painted))
    assert text.split() == (GOLDEN / "two-wrong-ops.terminal.txt").read_text("utf-8").split()
    words = [word for _, word, _ in WORDS.values()]
    assert len(set(words)) == len(words) and all(sign for sign, _, _ in WORDS.values())
