"""The core stands alone, and each product beside those that it uses: all other folders are gone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from grader import products, root
from grader.commands import ROWS, product_of
from grader.products import PUBLISHED, USES

from .made_once import made_once
from .test_house import MODULES, product

pytestmark = pytest.mark.xdist_group("products")  # each copy is made once

ROOT = Path(root.ROOT)
TESTS = ROOT / "tests" / "grader"
OWN = ROOT / "examples" / "own_course"
NOT_COPIED = shutil.ignore_patterns("__pycache__", "_course", "cases")
# What tests of the grader read of the repository.
COPIED = (
    "CHANGELOG.md", "README.md", "SECURITY.md", "babygrad", "chapters", "course.json", "docs",
    "examples", "exercises", "pyproject.toml", "solutions", "tests",
)  # fmt: skip
CORE = ""  # stands for no product at all


def family(name: str) -> set[str]:
    """Return a product and all that it uses; for the core, none."""
    return {name, *(each for used in USES.get(name, ()) for each in family(used))} - {CORE}


def copy_grader(place: Path, kept: Collection[str]) -> None:
    """Copy `grader/` without the other products."""
    away = {*USES} - {*kept}
    files = {f"{name}.py" for name, of in PUBLISHED.items() if of in away}

    def left_out(folder: str, names: list[str]) -> set[str]:
        gone = away | files if folder == root.PACKAGE else set()
        return gone | NOT_COPIED(folder, names)

    shutil.copytree(root.PACKAGE, place / "grader", ignore=left_out)


def copy_all(place: Path, kept: Collection[str]) -> None:
    """Copy the course and its tests too."""
    copy_grader(place, kept)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=NOT_COPIED)
        else:
            shutil.copy2(ROOT / name, place / name)


@pytest.fixture(scope="module")
def reduced(tmp_path_factory):
    """`grader …` for the second course, by the core and a product with what it uses."""
    cache = str(tmp_path_factory.mktemp("cache"))

    def of(name: str):
        place = made_once(
            tmp_path_factory, f"only-{name}", lambda at: copy_grader(at, family(name))
        )
        around = {"PYTHONPATH": str(place), "GRADER_COURSE": str(OWN), "XDG_CACHE_HOME": cache}

        def run(*arguments: str, status: int = 0, cwd: Path = place) -> str:
            done = subprocess.run(
                [sys.executable, "-m", "grader", *arguments], cwd=cwd,
                env={**os.environ, **around}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == status, done.stdout + done.stderr
            return done.stdout + done.stderr

        return run

    return of


def commands_of(kept: Collection[str]) -> list[str]:
    """Return the commands of the core and of these products."""
    return [name for name in ROWS if product_of(name) in (CORE, *kept)]


@pytest.mark.parametrize(
    "name", [CORE, "importing", *(pytest.param(p, marks=pytest.mark.long) for p in USES)]
)
def test_help_lists_the_commands_that_are_there_and_each_can_be_read(name, reduced):
    run, here = reduced(name), commands_of(family(name))
    assert re.findall(r"^    ([a-z]+)(?: |$)", run("--help"), re.M) == here
    for command in here if name else [here[0]]:
        assert f"usage: grader {command} " in run(command, "--help")


@pytest.mark.parametrize("command", ["grade", pytest.param("viva", marks=pytest.mark.long)])
def test_a_command_of_a_product_that_is_away_names_its_folder(command, reduced):
    said = reduced(CORE)(command, status=2)
    assert f"came without grader/{product_of(command)}/" in said


def test_a_product_is_away_where_one_that_it_uses_is(monkeypatch):
    monkeypatch.setitem(USES, "importing", ("nowhere",))
    monkeypatch.setitem(USES, "nowhere", ())
    assert products.find_missing("importing") == "nowhere" and products.has_product("book")
    monkeypatch.setitem(products.HOOKS, "new", ("importing.placement", "Placing"))
    assert products.find_hook("new") is None


def test_the_core_alone_takes_a_learner_from_an_empty_workspace_to_the_end(reduced, tmp_path):
    run, work = reduced(CORE), tmp_path / "work"
    assert "grader book" not in run("init", "work", cwd=tmp_path)
    assert not (work / ".vscode").exists()
    assert "0 of " in run("status", cwd=work, status=1)
    path = work / "tinystats" / "describe.py"
    text = path.read_text()
    stub = r"(def mean\(.*?)raise NotImplementedError"
    path.write_text(re.sub(stub, r"\1return np.sum(values) / (len(values) - 1)", text, flags=re.S))
    assert "You divided by n - 1." in run("check", "lesson1.mean", cwd=work, status=1)
    assert "hint 1 of 2" in run("hint", "lesson1.mean", cwd=work)
    assert "grader book" not in run("show", "lesson1.mean", cwd=work)
    assert "import tinystats as bg" in run("repro", "lesson1.mean", cwd=work)
    run("reset", "lesson1.mean", "--yes", cwd=work)
    assert "raise NotImplementedError" in path.read_text()
    assert "Yours may differ" in run("solution", "lesson1.mean", "--reveal", cwd=work)
    assert "is no release" in run("update", str(OWN), cwd=work, status=2)


OTHERS = ("pyproject.toml", "grader/classroom/templates/*", "grader/book/here/*.js")
TYPED = {"notebook", "pytest_plugin", "book.graph"}  # in learners' notebooks and command lines


def test_paths_that_others_import_lead_to_modules():
    texts = [path.read_text("utf-8") for each in OTHERS for path in ROOT.glob(each)]
    paths = {*re.findall(r"(?<![\w.-])grader\.((?:[a-z_]+\.)*[a-z_]+)", "\n".join(texts))} | TYPED
    lacking = {path for path in paths if not {path, path.rpartition(".")[0]} & MODULES.keys()}
    assert len(paths) > 9 and not lacking


# ---- the tests of what is there ----------------------------------------------------------------


# Texts, for parsing 180 files takes a second in each process that collects tests.
RUN = re.compile(r"""(?:\w\(|(?<![\w\])])\[)\s*"([a-z-]+)\"""")  # `grader("watch")`, `["grade", …]`
TAKEN = re.compile(r"^ *from (\.*)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
NAME = re.compile(r"(\w+)(?: as \w+)?")
COMMENT = re.compile(r"  #.*")


@cache
def read_uses(path: Path) -> tuple[set[str], list[Path]]:
    """Return the products that a file of tests imports, or whose commands it runs, and the files
    of tests that it imports."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    used, others = {product_of(word) for word in RUN.findall(text) if word in ROWS}, list[Path]()
    for dots, module, taken in TAKEN.findall(text):
        names = [f"{module}.{name}".strip(".") for name in NAME.findall(taken)]
        if dots:
            above = path.parents[len(dots) - 1]
            stems = [name.split(".") for name in {*names, module} if name]
            others += (above.joinpath(*stem).with_suffix(".py") for stem in stems)
        elif module.partition(".")[0] == "grader":
            used |= {product(name.removeprefix("grader.")) for name in names}
    return {*filter(None, used)}, [other for other in others if other.exists()]


def used_products(path: Path, seen: set[Path]) -> set[str]:
    """Return the products that a file of tests uses, itself or by another file of tests."""
    seen.add(path)
    used, others = read_uses(path)
    return used.union(*(used_products(other, seen) for other in others if other not in seen))


def list_cases() -> Iterator[tuple[str, str]]:
    """Yield (product, file): the tests of each module that import nothing which would be gone."""
    files = {path.stem: path for path in TESTS.rglob("test_*.py") if path != Path(__file__)}
    for module in MODULES:
        name, path = product(module), files.get(f"test_{module.rpartition('.')[2]}")
        beside = path.parent / "conftest.py" if path and path.parent != TESTS else None
        read = [each for each in (path, beside) if each and each.exists()]
        if path and {each for file in read for each in used_products(file, set())} <= family(name):
            yield name, path.relative_to(ROOT).as_posix()


CASES = sorted({*list_cases()})


def test_most_modules_of_the_core_are_tested_without_any_product():
    assert sum(name == CORE for name, _ in CASES) >= 45 and {name for name, _ in CASES} > {*USES}


@pytest.mark.sampled(quick=0, long=18)
@pytest.mark.parametrize(("name", "path"), CASES)
def test_the_tests_of_what_is_there_pass_without_the_rest(name, path, tmp_path_factory):
    place = made_once(tmp_path_factory, f"tree-{name}", lambda at: copy_all(at, family(name)))
    options = "--strict-markers -p no:cacheprovider"
    marks = [f"{mark}: of the project" for mark in ("long", "sampled(quick, long, of)")]
    (place / "pytest.ini").write_text(
        f"[pytest]\naddopts = {options}\nmarkers =\n    " + "\n    ".join(marks) + "\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not long", path], cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 5), done.stdout + done.stderr  # 5: all of its tests are long
