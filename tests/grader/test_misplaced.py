"""Code written elsewhere is told with its line; nothing of the course's is taken for it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from grader.course.key_source import open_key
from grader.course.outline import chapter_no
from grader.course.package import module_of
from grader.course.splice import find_pieces, target_file, with_pieces
from grader.judge.misplaced import find_misplaced
from grader.judge.source_map import SourceMap
from grader.sandbox.observation import Definition
from grader.sandbox.worker import importer

from .whole_course import whole_course

COURSE = whole_course()
SOLVED = COURSE.solved()
ASKED = [target for target, exercise in COURSE.owner.items() if not exercise.given]


begun_at = cache(COURSE.stubs)
pieces_in = cache(find_pieces)


@cache
def definitions_in(name: str, text: str) -> list[Definition]:
    """The definitions of a file as a worker lists them."""
    rows = importer.list_spans(compile(text, name, "exec"), module_of(name))
    return [Definition(target, name, *rest) for target, *rest in rows]


@cache
def table() -> dict[str, Any]:
    """Return the key's table of all chapters; to open it looks at every file of the course."""
    return open_key().table


def places_in(files: Mapping[str, str]) -> SourceMap:
    """Return what the judge knows of a package before anything has run."""
    found = {d.target: d for name, text in files.items() for d in definitions_in(name, text)}
    return SourceMap(found, table()["targets"], frozenset(table()["frame"]))


def told_of(target: str, files: Mapping[str, str]) -> str:
    """Return what is told of a target in this package."""
    places = places_in(files)
    found = find_misplaced(target, places.definitions, places.ours)
    return found.says if found else ""


@pytest.mark.parametrize("first", [chapter.number for chapter in COURSE.chapters])
def test_no_stub_of_an_untouched_package_is_found_elsewhere(first):
    places = places_in(begun_at(first))
    stubs = [target for target in ASKED if places.is_stub(target)]
    assert stubs
    found = (find_misplaced(target, places.definitions, places.ours) for target in stubs)
    assert list(filter(None, found)) == []


# ---- what was renamed or moved is told ------------------------------------------------------


def begun_for(target: str) -> tuple[dict[str, str], str, str]:
    """The package at the start of a target's chapter, the target's file, and its name there."""
    files = begun_at(chapter_no(COURSE.owner[target].id))
    return files, *target_file(target, files)


def solved(target: str) -> str:
    """Return the reference's definition of a target."""
    file, inside = begun_for(target)[1:]
    return pieces_in(SOLVED[file])[inside].text


def doubled(name: str) -> str:
    """A name with its last letter twice: `exp` → `expp`, `__add__` → `__addd__`."""
    return re.sub(r"(\w)$", r"\1\1", name.removesuffix("__")) + "__" * name.endswith("__")


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("target", ASKED)
def test_a_target_by_another_name_is_told_with_its_line(target):
    files, file, inside = begun_for(target)
    name = inside.rpartition(".")[2]
    stub = pieces_in(files[file])[inside]
    wrong = solved(target).replace(f"def {name}(", f"def {doubled(name)}(", 1).split("\n")
    lines = files[file].split("\n")
    for there, first in (("there", stub.first), ("written", stub.last + 2)):
        kept = [] if there == "there" else [*lines[stub.first - 1 : stub.last], ""]
        text = "\n".join([*lines[: stub.first - 1], *kept, *wrong, *lines[stub.last :]])
        assert told_of(target, {**files, file: text}) == (
            f"{inside} is not {there}, but `{doubled(name)}` is, in {file}, line {first}. "
            f"Did you mean `{name}`?"
        )


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("target", [t for t in ASKED if "." in target_file(t, SOLVED)[1]])
def test_a_class_by_another_name_is_told_with_its_line(target):
    files, file, inside = begun_for(target)
    holder, known = inside.rpartition(".")[0], pieces_in(files[file])
    text = with_pieces(files[file], [known[inside]._replace(text=solved(target))])
    text = re.sub(rf"^class {holder}\b", f"class {doubled(holder)}", text, flags=re.MULTILINE)
    assert told_of(target, {**files, file: text}) == (
        f"{inside} is not there, but `{doubled(holder)}` is, in {file}, line "
        f"{known[holder].first}. Did you mean `{holder}`?"
    )


@pytest.mark.sampled(quick=4)
@pytest.mark.parametrize("target", ASKED)
def test_a_target_in_another_file_is_told_with_its_line(target):
    files, file, inside = begun_for(target)
    stub = pieces_in(files[file])[inside]
    other = next(name for name in files if name not in (file, "__init__.py"))
    holder, piece = inside.rpartition(".")[0], textwrap.dedent(solved(target))
    if holder:
        piece = f"class {holder}:\n{textwrap.indent(piece, '    ')}"
    first = files[other].count("\n") + 3 + bool(holder)
    lines = files[file].split("\n")
    del lines[stub.first - 1 : stub.last]
    moved = {**files, file: "\n".join(lines), other: f"{files[other]}\n\n{piece}\n"}
    told = told_of(target, moved)
    assert told == f"{inside} is in {other}, line {first}. It belongs in {file}: move it there."


def test_a_capital_letter_is_a_misspelling_too():
    there = Definition("scalar.Value.relU", "scalar.py", 7, 9, stub=False)
    said = find_misplaced("scalar.Value.relu", {"scalar.Value.relU": there}, ())
    assert said is not None and "Did you mean `relu`?" in said.says
