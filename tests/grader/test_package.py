"""The package: found and read once by the grader, imported from its bytes by the worker."""

from __future__ import annotations

import os

import pytest

from grader.course import package
from grader.course.package import (
    LINK,
    MARKS,
    NAME,
    SECOND_NAME,
    BadFile,
    Flaw,
    find_package_folder,
    hash_package,
    read_package,
    safe_bytes,
)
from grader.errors import WrongUse

MARK = MARKS[0]


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "work" / NAME
    folder.mkdir(parents=True)
    (folder / MARK).write_bytes(b"x = 1\n")
    return folder


def test_it_is_found_by_its_own_name_around_it_and_further_up(place, monkeypatch):
    assert find_package_folder(str(place)) == find_package_folder(str(place.parent)) == str(place)
    (place.parent / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(place.parent / "a" / "b")
    assert find_package_folder(None) == str(place)


def test_where_there_is_none_it_says_what_to_name(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongUse, match="here or above"):
        find_package_folder(None)
    with pytest.raises(WrongUse, match="There is no folder"):
        find_package_folder(str(tmp_path / "nowhere"))
    with pytest.raises(WrongUse, match=f"is not a {NAME} package"):
        find_package_folder(str(tmp_path))


def test_every_python_file_is_read_and_nothing_else(place):
    for name in ("sub/deep.py", "notes.txt", ".hidden/a.py", "__pycache__/b.py"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(b"y")
    found = read_package(str(place))
    assert set(found.files) == {MARK, "sub/deep.py"} and found.sha256 == hash_package(found.files)


def test_a_digest_names_paths_and_bytes():
    assert hash_package({"a": b"bc"}) != hash_package({"ab": b"c"}) != hash_package({"ab": b"d"})
    assert hash_package({"a": b"1", "b": b"2"}) == hash_package({"b": b"2", "a": b"1"})


@pytest.mark.parametrize(
    ("bound", "value", "says"),
    [("MOST_FILES", 1, "more than 1 Python files"), ("MOST_TOTAL", 3, "MB of Python files")],
)
def test_a_package_has_its_bounds(bound, value, says, place, monkeypatch):
    (place / "b.py").write_bytes(b"y = 2\n")
    monkeypatch.setattr(package, bound, value)
    with pytest.raises(WrongUse, match=says):
        read_package(str(place))


def test_only_a_regular_file_with_one_name_is_read(place, tmp_path):
    (tmp_path / "link").symlink_to(place / MARK)
    os.mkfifo(tmp_path / "pipe")
    os.link(place / MARK, tmp_path / "second")
    for name, why in (("link", LINK), ("pipe", "not a regular file"), ("second", SECOND_NAME),
                      ("work", "it is a folder"), ("none", "No such file")):  # fmt: skip
        with pytest.raises(BadFile) as refused:
            safe_bytes(str(tmp_path / name))
        assert why in str(refused.value), name
        assert (refused.value.flaw is Flaw.SECOND_NAME) == (name == "second")
    (tmp_path / "second").unlink()
    assert safe_bytes(str(place / MARK)) == b"x = 1\n"
    assert safe_bytes(str(place / MARK), most=6) == b"x = 1\n"
    with pytest.raises(BadFile, match="larger than") as large:
        safe_bytes(str(place / MARK), most=5)
    assert (large.value.flaw, large.value.most) == (Flaw.TOO_LARGE, 5)
