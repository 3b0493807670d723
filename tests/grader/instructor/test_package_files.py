"""A package is found by its files' names, odd ones too; where none is, what is there is named."""

from __future__ import annotations

import pytest

from grader.classroom.intake.package_files import (
    EMPTY,
    describe_content,
    find_package,
    map_odd_names,
)

WANTED = ("ops.py", "nn.py", "engines/lean.py")


@pytest.mark.parametrize("plain", WANTED)
@pytest.mark.parametrize("around", ["", "work/", "babygrad (1)/"])
@pytest.mark.parametrize("end", [" (1).py", "(2).py", " (12).py", ".py.txt", " (1).py.txt"])
def test_an_odd_name_with_one_meaning_is_that_file(plain, around, end):
    name = f"{around}{plain.removesuffix('.py')}{end}"
    assert map_odd_names([name, "read.me"], WANTED) == {name: f"{around}{plain}"}
    for rival in (f"{around}{plain}", f"{around}{plain.removesuffix('.py')} (7).py"):
        assert map_odd_names([name, rival], WANTED) == {}


@pytest.mark.parametrize("name", ["ops.py", "loops (1).py", "ops (1).txt", "ops 1.py", "ops().py"])
def test_other_names_stay_as_they_are(name):
    assert map_odd_names([name], WANTED) == {}


def test_what_is_there_instead_is_named_with_its_kind():
    for name, kind in {
        "work.rar": "an archive that is not read", "Essay.DOCX": "a text document",
        "shot.png": "no code", "a.tar.gz": "an archive",
    }.items():  # fmt: skip
        assert f"It holds {name} ({kind})." in describe_content([name])
    assert describe_content([]) == EMPTY
    assert describe_content("fedcba").endswith("It holds a, b, c, d and 2 more.")


def test_a_place_without_a_package_says_so_with_all_its_files():
    found, why = find_package({"mine.py": b"x"}, WANTED, ["work.rar"])
    assert found == {} and "mine.py (Python, but none of the files" in why and "work.rar" in why
