"""Machines, users and folders as they come."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from grader import memo, root
from grader.errors import WrongUse
from tests.grader.conftest import asked_in
from tests.grader.isolation import unprivileged

from .conftest import ASKED

ORDINARY = {"PATH": os.defpath, "HOME": "/nowhere", "XDG_CACHE_HOME": "/nowhere"}
ENVIRONMENTS = {
    "empty": {},
    "no HOME": {"PATH": os.defpath},
    "a HOME that is a file": {"HOME": "/dev/null", "PATH": os.defpath},
    "a relative cache": {**ORDINARY, "XDG_CACHE_HOME": "here"},
    "LC_ALL=C": {**ORDINARY, "LC_ALL": "C"},
    "POSIX": {**ORDINARY, "LANG": "POSIX"},
    "ASCII": {**ORDINARY, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "Latin-1": {**ORDINARY, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
    "a locale that nobody has": {**ORDINARY, "LC_ALL": "xx_XX.ISO-8859-1"},
    "NO_COLOR": {**ORDINARY, "NO_COLOR": "1"},
    "TERM=dumb": {**ORDINARY, "TERM": "dumb"},
    "no room": {**ORDINARY, "COLUMNS": "0", "LINES": "0"},
    "unbuffered": {**ORDINARY, "PYTHONUNBUFFERED": "1"},
    "every warning an error": {**ORDINARY, "PYTHONWARNINGS": "error", "PYTHONDEVMODE": "1"},
}


@pytest.mark.sampled(quick=7, long=2)
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments(name, check, drill, work):
    environment = ENVIRONMENTS[name]
    check(env=environment).assert_right()
    drill("check", *ASKED, cwd=work, env=environment).assert_says(1, "1 of 3 points")
    drill("status", cwd=work, env=environment).assert_says(1, f"1 of {asked_in('chapter3')}")
    drill("show", ASKED[1], cwd=work, env=environment).assert_says(0, "Div.forward")
    drill("check", "nonsense", cwd=work, env=environment).assert_says(2, "no chapter")
    assert not (work / "here").exists() and not (work / "~").exists()


FOLDERS = {
    "spaces": b"two  words ",
    "accents": "Übung é".encode(),
    "Chinese": "作业".encode(),
    "a newline": b"first\nsecond",
    "no UTF-8": b"\xff\xe9t\xe9",
    "quotes": b'it\'s "mine" $HOME `x` %s {0}',
    "a dash": b"-rf",
    "long": b"x" * 200,
}


@pytest.mark.sampled(quick=7, long=2)
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize("name", FOLDERS)
def test_folders(name, locale, made, drill, tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), FOLDERS[name])
    try:
        shutil.copytree(os.fsencode(made), folder)
    except (OSError, UnicodeError):
        pytest.skip("no folder can bear this name here")
    env = {**ORDINARY, "LC_ALL": locale, "PYTHONCOERCECLOCALE": "0"}
    drill("check", *ASKED, "--json", "--package", folder, cwd="/", env=env).assert_right()
    drill("check", *ASKED, cwd=folder, env=env).assert_says(1, "1 of 3 points")
    drill("status", cwd=folder, env=env).assert_says(1, f"1 of {asked_in('chapter3')}")
    drill("repro", ASKED[1], cwd=folder, env=env).assert_says(0, "repro of")


def test_foreign_packages_on_the_path_and_in_the_folder(check, work, tmp_path):
    for name in ("babygrad", "grader", "exercises", "tests", "json", "argparse", "numpy"):
        (work / f"{name}.py").write_text("raise SystemExit('a foreign one was run')\n")
    for name in ("babygrad", "exercises", "tests", "solutions"):
        (tmp_path / "path" / name).mkdir(parents=True)
        (tmp_path / "path" / name / "__init__.py").write_text("raise SystemExit('foreign')\n")
    check(env={**ORDINARY, "PYTHONPATH": str(tmp_path / "path")}).assert_right()


@pytest.fixture
def open_to_all(made, bin_grader):
    """A folder that every user may read and none but this one may write to."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        shutil.copytree(made, f"{folder}/work")
        shutil.copy(bin_grader, folder)
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.name == "grader" else 0o644)
        yield Path(folder)


def test_another_user_in_a_workspace_that_cannot_be_written_to(open_to_all, drill):
    if why := unprivileged.why_not():
        pytest.skip(why)
    how = {
        "cwd": open_to_all / "work", "env": {**os.environ, **ORDINARY},
        "through": tuple(unprivileged.command(sys.executable, str(open_to_all / "grader"))),
    }  # fmt: skip
    ran = drill("check", *ASKED, "--json", **how)
    ran.assert_right()
    assert "progress could not be kept" in ran.err
    drill("hint", ASKED[1], **how).assert_says(0, "hint 1 of")
    drill("reset", "--yes", ASKED[1], **how).assert_says(2, "cannot be written")


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("year", [0, 86400 * 365, 4_000_000_000], ids=["1970", "1971", "2096"])
def test_files_of_another_time(year, check, drill, work):
    check().assert_right()
    for path in work.rglob("*"):
        os.utime(path, (year, year))
    check().assert_right()
    drill("status", cwd=work).assert_says(1, f"1 of {asked_in('chapter3')}")


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("most", [3, 4, 6, 8, 10, 12, 16, 24, 32])
def test_few_descriptors(most, drill, work):
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    ran = drill("check", *ASKED, "--json", cwd=work, preexec_fn=few)
    if ran.status == 1 and ran.out:
        ran.assert_right()
    else:
        assert most < 32, ran
        if "grader" in ran.err:  # else Python itself could not start
            ran.assert_says(2, "too few files at once")


def test_the_cache_lies_where_it_can_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert memo.folder() == str(tmp_path / "mine" / "babygrad-course")
    (tmp_path / "file").write_text("")
    for wrong in ("relative", str(tmp_path / "file"), "/proc/nowhere"):
        monkeypatch.setenv("XDG_CACHE_HOME", wrong)
        assert memo.folder() == f"/tmp/babygrad-course-{os.getuid()}"
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, how: "babygrad" not in path and real(path, how))
    with pytest.raises(WrongUse, match="XDG_CACHE_HOME=DIR"):
        memo.folder()
    assert not Path("relative").exists()


@pytest.mark.parametrize("lacks", ["posix_spawn", "setsid"])
def test_a_python_that_was_built_for_an_older_system(lacks, check):
    """Its workers are started by hand, and are isolated as much."""
    through = (sys.executable, "-m", "tests.grader.without", lacks, "-m", "grader")
    ran = [check(), check(through=through, env={**os.environ, "PYTHONPATH": root.ROOT})]
    for each in ran:
        each.assert_right()
    first, second = (json.loads(each.out)["isolation"] for each in ran)
    assert first == second
