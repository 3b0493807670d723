"""The package: found and read once by the grader, imported from its bytes by the worker."""

from __future__ import annotations

import importlib
import os
import sys

import pytest

from grader.errors import WrongUse
from grader.intake import package
from grader.intake.package import (
    LINK,
    MARKS,
    NAME,
    SECOND_NAME,
    Unfit,
    digest,
    find,
    read,
    safe_bytes,
)
from grader.worker import package as texts

MARK = MARKS[0]


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "work" / NAME
    folder.mkdir(parents=True)
    (folder / MARK).write_bytes(b"x = 1\n")
    return folder


def test_it_is_found_by_its_own_name_around_it_and_further_up(place, monkeypatch):
    assert find(str(place)) == find(str(place.parent)) == str(place)
    (place.parent / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(place.parent / "a" / "b")
    assert find(None) == str(place)


def test_where_there_is_none_it_says_what_to_name(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongUse, match="here or above"):
        find(None)
    with pytest.raises(WrongUse, match="There is no folder"):
        find(str(tmp_path / "nowhere"))
    with pytest.raises(WrongUse, match=f"is not a {NAME} package"):
        find(str(tmp_path))


def test_every_python_file_is_read_and_nothing_else(place):
    for name in ("sub/deep.py", "notes.txt", ".hidden/a.py", "__pycache__/b.py"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(b"y")
    found = read(str(place))
    assert set(found.files) == {MARK, "sub/deep.py"} and found.sha256 == digest(found.files)


def test_a_digest_names_paths_and_bytes():
    assert digest({"a": b"bc"}) != digest({"ab": b"c"}) != digest({"ab": b"d"})
    assert digest({"a": b"1", "b": b"2"}) == digest({"b": b"2", "a": b"1"})


@pytest.mark.parametrize(
    ("bound", "value", "says"),
    [("MOST_FILES", 1, "more than 1 Python files"), ("MOST_TOTAL", 3, "MB of Python files")],
)
def test_a_package_has_its_bounds(bound, value, says, place, monkeypatch):
    (place / "b.py").write_bytes(b"y = 2\n")
    monkeypatch.setattr(package, bound, value)
    with pytest.raises(WrongUse, match=says):
        read(str(place))


def test_only_a_regular_file_with_one_name_is_read(place, tmp_path):
    (tmp_path / "link").symlink_to(place / MARK)
    os.mkfifo(tmp_path / "pipe")
    os.link(place / MARK, tmp_path / "second")
    for name, why in (("link", LINK), ("pipe", "not a regular file"), ("second", SECOND_NAME),
                      ("work", "it is a folder"), ("none", "No such file")):  # fmt: skip
        with pytest.raises(Unfit) as refused:
            safe_bytes(str(tmp_path / name))
        assert why in str(refused.value), name
    (tmp_path / "second").unlink()
    assert safe_bytes(str(place / MARK)) == b"x = 1\n"
    assert safe_bytes(str(place / MARK), most=6) == b"x = 1\n"
    with pytest.raises(Unfit, match="larger than"):
        safe_bytes(str(place / MARK), most=5)


# ---- in the worker --------------------------------------------------------------------------

FILES = {
    "__init__.py": b"from .ops import f\n", "ops.py": b"def f():\n    return __file__\n",
    "engines/__init__.py": b"", "engines/a.py": b"from ..ops import f as g\n",
    "broken.py": b"def f(:\n",
}  # fmt: skip


@pytest.fixture
def finder():
    found = texts.TextFinder("learnt_here", "/nowhere/learnt_here", FILES)
    texts.install(found)
    yield found
    sys.meta_path.remove(found)
    for name in [name for name in sys.modules if name.partition(".")[0] == "learnt_here"]:
        del sys.modules[name]


def test_modules_are_imported_from_texts_alone(finder):
    module = importlib.import_module("learnt_here.engines.a")
    assert module.g() == "/nowhere/learnt_here/ops.py"
    assert module.__spec__.origin == "/nowhere/learnt_here/engines/a.py"
    assert finder.get_source("learnt_here.ops") == FILES["ops.py"].decode()
    for name in ("learnt_here.nowhere", "learnt_here_too"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)
    with pytest.raises(SyntaxError, match="broken.py"):
        importlib.import_module("learnt_here.broken")


def test_a_file_that_is_not_there_is_said_to_be_so(finder):
    said = "No module named 'learnt_here.nn'"
    assert finder.missing(["ops.py", "nn.py"], said) == "learnt_here/nn.py is not there."
    assert finder.missing(["ops.py"], said) == ""


def test_what_a_module_defines_has_its_lines_and_whether_it_is_a_stub():
    code = compile(
        "class A:\n    def f(self):\n        'Says.'\n        raise NotImplementedError\n"
        "    def g(self):\n        def h(): pass\n        return [x for x in h()]\n"
        "def s():\n    raise NotImplementedError('')\n", "x", "exec",
    )  # fmt: skip
    found = {
        name: (first, last, stub) for name, first, last, stub in texts.definitions(code, "ops")
    }
    assert found["ops.A.f"] == (2, 4, True) and found["ops.s"] == (8, 9, True)
    assert found["ops.A.g"] == (5, 7, False) and "ops.A.g.h" in found
    assert not any("<" in name for name in found)


def test_what_is_only_a_stub_of_a_base_is_not_written():
    class Base:
        def backward(self):
            raise NotImplementedError

        def other(self):
            return 1

    class Mine(Base):
        def forward(self):
            return 1

    assert texts.is_written(Mine, "forward") and texts.is_written(Mine, "other")
    assert not texts.is_written(Mine, "backward") and texts.is_written(Base, "backward")
    assert not texts.is_written(Mine, "__init__") and not texts.is_written(Mine, "nothing")


def test_of_everything_else_only_numpy_is_found():
    found = texts.NumpyFinder("/a/numpy")
    assert found.find_spec("numpy").origin == "/a/numpy/__init__.py"
    assert found.find_spec("numpy.linalg") is None and found.find_spec("os") is None
