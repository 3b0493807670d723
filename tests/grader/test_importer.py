"""In the worker: a learner's modules are imported from texts."""

from __future__ import annotations

import builtins
import importlib
import os
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
    assert finder.missing(["ops.py", "nn.py"], said) == "nn.py"
    assert finder.missing(["ops.py"], said) == ""


def test_what_a_module_defines_has_its_lines_and_whether_it_is_a_stub():
    code = compile(
        "class A:\n    def f(self):\n        'Says.'\n        raise NotImplementedError\n"
        "    def g(self):\n        def h(): pass\n        return [x for x in h()]\n"
        "def s():\n    raise NotImplementedError('')\n", "x", "exec",
    )  # fmt: skip
    found = {name: (first, last, stub) for name, first, last, stub in texts.list_spans(code, "ops")}
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


PARTS = {
    "__init__.py": b"from .ops import f\n", "ops.py": b"def f(): pass\n",
    "nn.py": b"from . import stops\n",
    "optim.py": b"from .ops import f\nclass SGD:\n  def g(): pass\n",
    "stops.py": b"try:\n  stop()\nexcept BaseException:\n  pass\n", "free.py": b"x = 1\n",
    "ends.py": b"import os\nos._exit(3)\n", "inner/__init__.py": b"", "inner/a.py": b"1 / 0\n",
}  # fmt: skip


@pytest.fixture
def load(monkeypatch):
    """Loads files of a package of these parts; `stop()` in one of them breaks a rule there."""
    made = []

    def make(*wanted, **more):
        package = texts.LearnerPackage("learnt_here", "/nowhere", {**PARTS, **more})
        made.append(package)
        texts.install(package)

        def stop():
            package.stopped.append(texts.Refused("No.", "/nowhere/stops.py", 2))
            raise ImportError

        monkeypatch.setattr(builtins, "stop", stop, raising=False)
        with texts.catchable_exit():
            return package, package.load(wanted)

    yield make
    sys.meta_path[:] = [each for each in sys.meta_path if each not in made]
    for name in [name for name in sys.modules if name.partition(".")[0] == "learnt_here"]:
        del sys.modules[name]


def test_a_file_that_is_lost_costs_those_who_ask_for_it(load):
    package, bg = load("optim.py", "nn.py", "inner/a.py", "ends.py")
    kinds = {name.partition(".")[2]: type(error) for name, error in package.lost.items()}
    assert kinds == {"nn": texts.Refused, "inner.a": ZeroDivisionError, "ends": SystemExit}
    for ask, kind in ((lambda: bg.nn, texts.Refused), (lambda: bg.ends, SystemExit),
                      (lambda: bg.inner.a, ZeroDivisionError), (lambda: bg.stops, texts.Refused),
                      (lambda: bg.other, AttributeError)):  # fmt: skip
        with pytest.raises(kind):
            ask()
    assert bg.free.x == 1 and bg.optim.SGD and bg.f
    has = [t for t in ("optim.SGD.g", "optim.SGD.h", "nn.any", "other.f") if package.has(bg, t)]
    assert has == ["optim.SGD.g", "nn.any"]


def test_a_file_that_broke_a_rule_never_loads_however_often_it_is_asked_for(load):
    package, bg = load("optim.py", "nn.py")
    for again in (1, 2):
        known = len(package.stopped)
        with pytest.raises(texts.Refused, match="No."):
            importlib.import_module("learnt_here.stops")
        assert len(package.stopped) == known + 1, again
    assert package.stopped[-1].line == 2 and "learnt_here.stops" not in sys.modules


@pytest.mark.parametrize("broken", [b"1 / 0", b"def f(:", b"raise SystemExit", b"stop()"])
def test_a_file_that_names_nothing_else_is_loaded_without_the_package(load, broken):
    package, bg = load("free.py", **{"ops.py": broken})
    assert bg.free.x == 1 and not package.lost
    causes = []
    for _ in range(2):
        with pytest.raises((Exception, SystemExit)) as caught:
            _ = bg.f
        causes.append(caught.value)
    assert causes[0] is causes[1] is package.lost["learnt_here"]
    assert bg.free.x == 1


def test_the_package_is_there_for_who_asks_a_lone_file_for_more(load):
    _, bg = load("free.py")
    assert "f" not in vars(bg) and bg.f is bg.ops.f
    with pytest.raises(AttributeError):
        _ = bg.other


def test_where_nothing_that_is_wanted_loads_the_first_cause_is_raised(load):
    with pytest.raises(texts.Refused):
        load("nn.py", "ends.py")


def test_exit_of_a_forked_child_ends_the_child():
    """Else it would go on as a second worker, and send frames of its own."""
    with texts.catchable_exit():
        child = os.fork()
        if child == 0:
            try:
                os._exit(7)
            except SystemExit:
                os.kill(os.getpid(), 9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
