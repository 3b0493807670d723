"""The style of an engine is recognised by what its code does, and its file found by that."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grader.about import EXCEPTIONS, own_names
from grader.importing.commands.import_package import find_styles
from grader.importing.placement import Foreign

from .foreign_engines import APPLY, CLOSURES, ENGINES, MICROGRAD
from .made_once import made_once

SOLUTIONS = Path(__file__).parents[2] / "solutions" / "babygrad"
NAMES = own_names(EXCEPTIONS)["NAMES"]
# Of each style: exercises that the reference solves; those that others' code is placed for, passes.
COUNTS = {
    "scalar.py": (35, 23, 16),
    "engines/closure.py": (5, 4, 2),
    "engines/apply.py": (5, 5, 2),
    "engines/grad_fn.py": (9, 5, 3),
}
CHAPTERS = {home: "chapter11" if "/" in home else "chapter1" for home in ENGINES}


def with_their_names(home: str) -> str:
    """Return the reference with its classes renamed as other packages name them."""
    text = (SOLUTIONS / home).read_text()
    for owner, theirs, ours, _, *where in NAMES:
        is_here = re.search(rf"class (?:{owner})\b", text) and re.search("".join(where), home)
        if is_here and ours.isidentifier() and ours != "data":
            text = re.sub(rf"\b{ours}\b", theirs.split()[0], text)
    return text


@pytest.fixture(scope="module")
def empty(tmp_path_factory, grader):
    def make(place: Path) -> None:
        assert grader("init", "work", cwd=place).status == 0

    return made_once(tmp_path_factory, "empty", make) / "work"


@pytest.fixture
def said(empty, tmp_path, grader):
    """Return what `grader import` says of these files, in a workspace with nothing written."""

    def bring(files: dict[str, str]) -> str:
        work = shutil.copytree(empty, tmp_path / "work")
        for name, text in files.items():
            path = tmp_path / "theirs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return " ".join(grader("import", str(tmp_path / "theirs"), cwd=work).out.split())

    return bring


def counts(home: str, placed: int, passing: int) -> str:
    return (
        f"Taken over: code for {placed} exercises; {passing} of them pass. "
        f"{CHAPTERS[home]}: {placed} placed, {passing} pass"
    )


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("file", ["tensor.py", "engine.py", "nn.py"])
@pytest.mark.parametrize("home", ENGINES)
def test_an_engine_goes_to_the_file_of_its_style(home, file, said):
    words = said({f"lib/{file}": (SOLUTIONS / home).read_text()})
    assert words.startswith(counts(home, COUNTS[home][0], COUNTS[home][0])), words
    assert "Nothing here asks for" not in words


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("home", ENGINES)
def test_an_engine_with_names_of_others_passes(home, said):
    text = with_their_names(home)
    assert text != (SOLUTIONS / home).read_text()
    words = said({"lib/engine.py": text})
    assert words.startswith(counts(home, COUNTS[home][0], COUNTS[home][0])), words
    assert "Nothing here asks for" not in words


@pytest.mark.parametrize("home", ENGINES)
def test_an_engine_of_others_is_placed_in_its_file(home, said):
    words = said(ENGINES[home])
    assert words.startswith(counts(home, *COUNTS[home][1:])), words
    asked_for_nothing = re.findall(r"Nothing here asks for ([^.]*)\.", words)
    assert asked_for_nothing == (["MyMLP"] if home == "engines/closure.py" else [])


def test_what_is_asked_for_elsewhere_is_not_placed_with_a_reason(said):
    twice = {**MICROGRAD, "old/engine.py": MICROGRAD["micrograd/engine.py"]}
    words = said(twice)
    assert "Module of micrograd/nn.py: it may be for Module of nn.py, but its code is for" in words
    assert "Value of old/engine.py: it may be for Value of scalar.py, but others" in words


def test_a_class_of_another_name_is_told_which_it_may_be(said):
    words = said({"lib/t.py": CLOSURES["mygrad/tensor.py"].replace("Tensor", "Node")})
    assert "Node of lib/t.py: name it as it is called in engines/closure.py: Tensor." in words


def test_a_name_of_several_places_is_told_them(said):
    words = said({"lib/t.py": "class Tensor:\n def backward(self): return 1\n"})
    assert "Tensor of lib/t.py: it may be for Tensor of tensor.py, Tensor of engines/a" in words


def test_only_engines_of_the_reference_have_a_style():
    files = {str(p.relative_to(SOLUTIONS)): p.read_bytes() for p in SOLUTIONS.rglob("*.py")}
    assert find_styles(Foreign(files)) == {home: home for home in ENGINES}


def test_a_file_goes_with_the_one_that_it_imports_from():
    tensor = "from .functions import Mul\nclass Tensor:\n def mul(a, b): return Mul.apply(a, b)\n"
    files = {"lib/functions.py": APPLY["autograd.py"].encode(), "lib/tensor.py": tensor.encode()}
    assert find_styles(Foreign(files)) == dict.fromkeys(files, "engines/apply.py")
