"""Files of an instructor's commands are closed to other users, under any umask and at any moment;
what is made to be handed out says so."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from grader import cli, interrupt
from grader.classroom.exports import FORMATS
from grader.learner.file_writer import FOR_ALL

from .. import machine
from ..isolation import unprivileged
from .conftest import CHAPTER, SMALL, write_package

UMASKS = (0o022, 0o000)
ROSTERS = {
    "moodle": "Identifier,Full name,Grade,Maximum grade,learner\nParticipant 1,Ada,-,100.00,ada\n",
    "canvas": "Student,ID,SIS Login ID,Section,Assignment (7)\nAda,1,ada,A,\n",
}
PUBLISHED = ("export workflow", "release")
# What Python tells an audit hook before it happens; a `replace` is a rename, an `fchmod` a chmod.
CHANGES = {
    "open", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir",
    "os.symlink",
}  # fmt: skip
VIVA = ("viva", "chapter3.sub.forward", "--count", "1", "--isolation", "LEVEL")
SUPERVISED = (*VIVA, "--package", "two/ada", "--learner", "ada", "--supervised")

# Each command, or several in turn.
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "grade": [("grade", "two", "--out", "new", "--seed", "public", "--chapters", CHAPTER,
               "--jobs", "1", "--isolation", "LEVEL")],
    "grade on": [("grade", "two", "--out", "results", "--chapters", CHAPTER, "--jobs", "1",
                  "--isolation", "LEVEL")],
    "merge": [("merge", "results", "--out", "whole/merged")],
    "open": [("open", "results", "--out", "sheet.csv"), ("open", "results", "--read", "sheet.csv")],
    "insights": [("insights", "results", "--html", "insights.html")],
    "insights anonymous": [("insights", "results", "--anonymous", "--html", "insights.html")],
    "explain": [("explain", "results", "ada", "chapter3.sub.backward", "--staff",
                 "--html", "explain.html")],
    "viva sheet": [(*VIVA, "--sheet", "two", "--out", "sheet.html")],
    "viva supervised": [(*SUPERVISED, "kept")],
    "notebooks": [("notebooks", "course", SMALL, "--seed", "public"), ("gradebook", "course")],
    "release": [("release", "handout", "--chapters", SMALL)],
}  # fmt: skip
for each, (_, _, of_results, _) in FORMATS.items():
    whose = ("results",) if of_results else ("--chapters", CHAPTER)
    if each == "gradescope":
        whose = ("results", *whose, "--isolation", "LEVEL")
    more = ("--roster", f"{each}.csv") if each in ROSTERS else ()
    COMMANDS[f"export {each}"] = [("export", each, *whose, *more, "--out", f"made/{each}")]
SLOW = {"export gradescope", "release", "notebooks"}


@pytest.fixture
def class_folder(graded: Path) -> Iterator[Path]:
    """A class with its results, in a folder that every user may enter."""
    place = Path(tempfile.mkdtemp(prefix="closed-"))
    place.chmod(0o755)
    write_package(place / "two" / "ada", {
        path.name: path.read_text() for path in (graded.parent / "in/ada/babygrad").glob("*.py")
    })  # fmt: skip
    (place / "two" / "empty").mkdir()
    for name, text in ROSTERS.items():
        (place / f"{name}.csv").write_text(text)
    shutil.copytree(graded, place / "results")
    (place / "results").chmod(0o700)
    yield place
    shutil.rmtree(place)


class Watch:
    """Looks at all that is new in a folder before each change of a file, and at the end.

    So it sees every state in between, whoever opens a file, Python's own C code too.
    """

    now: Watch | None = None  # the one that is told

    def __init__(self, place: Path) -> None:
        self.place = place
        self.seen: dict[str, int] = {}  # what others could read or write, and its mode
        self.before = {str(path): path.stat().st_ino for path in place.rglob("*")}
        self.made: set[str] = set()

    def look(self) -> None:
        for base, folders, names in os.walk(self.place):
            for path in (os.path.join(base, name) for name in (*folders, *names)):
                state = os.lstat(path)
                if self.before.get(path) != state.st_ino:
                    self.made.add(path)
                    if state.st_mode & 0o007:
                        self.seen[os.path.relpath(path, self.place)] = state.st_mode & 0o777

    def runs(self, words: tuple[str, ...], umask: int) -> int:
        """The exit status of a command in this process, under that umask."""
        listen()
        before = os.umask(umask)
        Watch.now = self
        try:
            status = cli.run_command_line(
                [word.replace("LEVEL", machine.strongest()) for word in words]
            )
        finally:
            Watch.now = None
            os.umask(before)
        self.look()
        return status


@functools.cache  # a hook stays to the end
def listen() -> None:
    def hear(event: str, _: object) -> None:
        if Watch.now is not None and event in CHANGES:
            Watch.now.look()

    sys.addaudithook(hear)


SOME = pytest.mark.sampled(long=6)


# Whatever 022 leaves open, 000 does; the long run shows it of some.
@pytest.mark.parametrize(
    ("name", "umask"),
    [pytest.param(n, 0, marks=SOME if n in SLOW else pytest.mark.sampled(quick=12, long=3))
     for n in COMMANDS] + [pytest.param(n, 0o022, marks=SOME) for n in COMMANDS],
)  # fmt: skip
def test_no_moment_of_a_command_lets_others_in(name, umask, class_folder, monkeypatch, capfd):
    pytest.importorskip("jinja2")
    if name == "notebooks":
        pytest.importorskip("nbgrader")
    monkeypatch.chdir(class_folder)
    monkeypatch.setattr(interrupt, "read_line", lambda: "1\n")
    watch = Watch(class_folder)
    for words in COMMANDS[name]:
        assert watch.runs(words, umask) in (0, 1), capfd.readouterr().err
    said = "".join(capfd.readouterr())
    assert watch.made
    if name in PUBLISHED:
        assert FOR_ALL in said and watch.seen and not any(m & 0o002 for m in watch.seen.values())
    else:
        assert FOR_ALL not in said and not watch.seen


@pytest.fixture
def read_as() -> Callable[..., list[str]]:
    """The files and folders in a place that a user of this machine can read."""
    if reason := unprivileged.why_not():
        pytest.skip(reason)

    def readable(place: Path, group: int = unprivileged.NOBODY) -> list[str]:
        paths = [str(path.relative_to(place)) for path in place.rglob("*")]
        code = (
            "import json, os, sys\nfound = []\nfor path in json.load(sys.stdin):\n"
            " try: os.listdir(path) if os.path.isdir(path) else open(path).close()\n"
            " except OSError: continue\n found.append(path)\nprint(json.dumps(found))"
        )
        drop = f"--reuid={unprivileged.NOBODY} --regid={group} --clear-groups"
        done = subprocess.run(
            unprivileged.command(sys.executable, "-c", code, drop=drop), cwd=place,
            input=json.dumps(paths), capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    return readable


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("umask", UMASKS)
def test_another_user_reads_no_mark_and_no_question(
    umask, class_folder, read_as, judged_here, monkeypatch
):
    pytest.importorskip("jinja2")
    monkeypatch.chdir(class_folder)
    monkeypatch.setattr(interrupt, "read_line", lambda: "1\n")
    shutil.rmtree("results")
    watch = Watch(class_folder)
    assert "moodle.csv" in read_as(class_folder)  # it can read what is not closed
    inputs = set(read_as(class_folder))
    for name in ("grade", "viva supervised", "viva sheet"):
        assert watch.runs(COMMANDS[name][0], umask) in (0, 1)
    assert watch.runs(("export", "html", "new", "--out", "pages"), umask) == 1  # one has no mark
    assert {"new", "kept", "pages", "sheet.html"} <= {os.path.basename(p) for p in watch.made}
    assert set(read_as(class_folder)) == inputs


TA = 54321  # a group that no user here is in


# The mode that our pages advise; the long run takes each mode with each umask.
@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "umask"),
    [
        (0o2770, 0o000),
        *(pytest.param(mode, umask, marks=pytest.mark.long)
          for mode, umask in ((0o2770, 0o022), *product((0o770, 0o750), (0o000, 0o022)))),
    ],
)  # fmt: skip
def test_assistants_read_what_goes_into_the_folder_of_their_group(
    mode, umask, class_folder, read_as, judged_here, monkeypatch
):
    monkeypatch.chdir(class_folder)
    monkeypatch.setattr(interrupt, "read_line", lambda: "1\n")
    shutil.rmtree("results")
    os.mkdir("new")
    os.chown("new", -1, TA)
    os.chmod("new", mode)
    watch = Watch(class_folder)
    assert watch.runs(COMMANDS["grade"][0], umask) == 1
    assert watch.runs((*SUPERVISED, "new"), umask) == 0
    found = {path for path in read_as(class_folder, TA) if path.startswith("new")}
    assert {"new/results.csv", "new/results.jsonl", "new/learners/ada.json.gz"} <= found
    # The seed, the key and what is asked stay its owner's.
    assert not found & {"new/batch.json", "new/answers.key", "new/viva"}
    assert not [path for path in read_as(class_folder) if path.startswith("new")]
    assert os.stat("new").st_mode & 0o7777 == mode and not watch.seen


@pytest.mark.long
def test_results_of_a_version_before_are_closed_as_they_are_written(
    class_folder, judged_here, monkeypatch, capfd
):
    monkeypatch.chdir(class_folder)
    for path in Path("results").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Path("results").chmod(0o755)
    watch = Watch(class_folder)
    assert watch.runs((*COMMANDS["grade on"][0], "--again"), 0o022) == 1
    said = capfd.readouterr().err
    assert said.count("chmod -R o-rwx") == 1 and str(class_folder / "results") in said
    assert os.stat("results").st_mode & 0o777 == 0o755  # it is the user's own
    for name in ("results.csv", "results.jsonl", "learners/ada.json.gz", "batch.json"):
        assert os.stat(f"results/{name}").st_mode & 0o077 == 0, name
    assert watch.runs(COMMANDS["grade"][0], 0o022) == 1
    assert "chmod" not in capfd.readouterr().err  # of what is made now
