"""Modules left out while a worker imports NumPy are imported at their first use."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grader.sandbox.launch import WORKER, require_numpy, start_worker
from grader.sandbox.session import Session

BEGIN = """
import sys
sys.path[:0] = sys.argv[1:]
import importer as later
"""
USED = """
import io
import numpy as np

file = io.BytesIO()
np.save(file, np.array([{"a": 1}], dtype=object))
file.seek(0)
assert np.load(file, allow_pickle=True)[0] == {"a": 1}
assert np.matrix("1 2; 3 4")[1, 0] == 3
assert np.linalg.eigh(np.diag([2.0, 1.0])).eigenvalues.tolist() == [1, 2]

import ast, inspect, pickle, platform, textwrap
from numpy.typing import NDArray

assert str(inspect.signature(lambda a, b=2: a)) == "(a, b=2)"
assert inspect.cleandoc(" a\\n   b") == "a\\nb"
assert "float64" in str(NDArray[np.float64])
assert pickle.loads(pickle.dumps(NDArray)) == NDArray
for module in (ast, inspect, pickle, platform, textwrap):
    assert module.__file__ and sys.modules[module.__name__] is module
"""


def run(text: str) -> str:
    folder = os.path.dirname(require_numpy())
    command = [sys.executable, "-I", "-S", "-B", "-c", BEGIN + text, WORKER, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


def test_numpy_is_imported_without_them():
    others = "(n for n, module in sys.modules.items() if type(module) is not later.LazyModule)"
    told = f"\nprint(*{others})"
    few, many = (set(run(how + told).split()) for how in ("later.import_numpy()", "import numpy"))
    assert "numpy" in few < many
    count = "\nprint(sum(type(each) is later.LazyModule for each in sys.modules.values()))"
    assert run(f"later.import_numpy(){count}").strip() == "0"


def test_whoever_asks_for_them_later_gets_them():
    run(f"later.import_numpy()\n{USED}")


def test_a_numpy_that_asks_them_for_more_gets_it():
    """Another release of NumPy may use a module at once that this one keeps for later."""
    run(f"later.AWAY = dict.fromkeys(later.AWAY, {{}})\nlater.import_numpy()\n{USED}")


def test_a_module_that_comes_later_is_that_module():
    run("""
json = later.LazyModule("json")
assert "json" not in sys.modules and not hasattr(json, "__path__")
assert json.loads("[1]") == [1] and json.loads is sys.modules["json"].loads
""")


PROGRAM = """
import numpy as np

def told(bg):
    return {"value": [np.array(float(bg.answer()))], "other": [np.array(2.0)]}
"""
LEARNERS = b"""
import ast, inspect, pickle, platform, textwrap
from numpy.typing import NDArray

def answer() -> NDArray:
    assert inspect.signature(answer).parameters == {}
    assert platform.python_version()
    return ast.literal_eval(pickle.loads(pickle.dumps(textwrap.dedent("  7"))))
"""


@pytest.mark.parametrize(("looked_at", "parts"), [
    ({}, {"value", "other"}), ({0: ["value"]}, {"value"}), ({1: ["value"]}, {"value", "other"}),
])  # fmt: skip
def test_a_learner_gets_them_too_and_only_what_is_looked_at_comes_back(looked_at, parts):
    request = {
        "folder": "/learner", "files": {"__init__.py": LEARNERS}, "modules": [], "targets": [],
        "programs": {"__init__": '""""""\n', "ask": PROGRAM}, "arrays": {},
        "probes": [(0, "ask.told", [], 20.0, "one")], "import_seconds": 20.0,
        "looked_at": looked_at,
    }  # fmt: skip
    session = Session(start_worker, request, {0: "one"})
    session.run()
    ran = session.close()
    assert ran.unloadable is None, ran.unloadable
    assert ran.observations[0].kind == "arrays", ran.observations[0].texts
    assert set(ran.observations[0].parts) == parts
    assert ran.observations[0].parts["value"][0].values() == [7.0]
