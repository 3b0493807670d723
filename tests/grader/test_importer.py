"""In the worker: a learner's modules are imported from texts."""

from __future__ import annotations

import importlib
import sys

import pytest

from grader.sandbox.worker import importer as texts

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
