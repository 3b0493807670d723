"""The rule against libraries that would do the learner's work: read off sources, and watched."""

from __future__ import annotations

import ast
import sys

import pytest

from grader.sandbox.launch import WORKER

sys.path.insert(0, WORKER)  # its modules name each other barely
from rules import (  # noqa: E402
    Forbidden,
    Guard,
    could_import,
    dotted,
    imported,
    imports_file,
    reaching,
)

sys.path.remove(WORKER)

FORBIDDEN = Forbidden("pkg", ["torch", "jax"], "No {name} here.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import torch", ["torch"]), ("import a, torch.nn as t", ["a", "torch.nn"]),
        ("from torch.nn import Linear", ["torch.nn"]), ("from . import torch", []),
        ("import_module('torch')", ["torch"]), ("x.import_module('jax')", ["jax"]),
        ("__import__('jax')", ["jax"]), ("import_module(name)", []), ("load('torch')", []),
    ],
)  # fmt: skip
def test_every_way_to_import_is_seen(text, names):
    found = [name for node in ast.walk(ast.parse(text)) for name in imported(node)]
    assert found == names


@pytest.mark.parametrize(
    ("text", "right"),
    [("import torch", True), ("from torch import x", True), ("import a,torch", True),
     ("__import__('torch')", True), ("import (\n torch", True), ("# like torch does", False),
     ("torch = 3", False), ("", False)],
)  # fmt: skip
def test_most_sources_need_not_be_parsed(text, right):
    assert could_import(b"torch", text.encode()) is right


def test_a_broken_rule_is_told_with_its_line():
    files = {"ops.py": b"x = 1\nimport torch\n", "nn.py": b"import numpy\n"}
    assert FORBIDDEN.broken(files, ["ops.py", "nn.py"]) == [
        ("ops.py", "ops.py", 2, "No torch here.")
    ]


def test_what_is_no_python_breaks_no_rule():
    assert FORBIDDEN.broken({"ops.py": b"import torch\ndef f(:\n"}, ["ops.py"]) == []


def test_an_import_elsewhere_counts_for_those_that_reach_it():
    files = {
        "helper.py": b"import torch\n", "between.py": b"from . import helper\n",
        "ops.py": b"from .between import x\n", "nn.py": b"from pkg.ops import y\n",
        "engines/a.py": b"from ..helper import z\n", "free.py": b"import math\n",
    }  # fmt: skip
    holders = ["ops.py", "nn.py", "engines/a.py", "free.py"]
    assert sorted(reaching("helper.py", files, holders, "pkg")) == ["engines/a.py", "ops.py"]
    assert reaching("ops.py", files, holders, "pkg") == ["ops.py"]
    assert reaching("__init__.py", files, holders, "pkg") == ["__init__.py"]


@pytest.mark.parametrize(
    ("text", "name", "wanted", "right"),
    [
        ("import pkg.ops", "nn.py", "ops.py", True),
        ("from .ops import f", "nn.py", "ops.py", True),
        ("from . import ops", "nn.py", "ops.py", True),
        ("from .. import ops", "engines/a.py", "ops.py", True),
        ("from . import ops", "engines/a.py", "ops.py", False),
        ("from .b import x", "engines/a.py", "engines/b.py", True),
        ("import ops", "nn.py", "ops.py", False),
    ],
)
def test_relative_imports_are_followed(text, name, wanted, right):
    assert imports_file(ast.parse(text), name, wanted, "pkg") is right


def test_a_file_is_called_as_python_calls_it():
    assert dotted("engines/closures.py", "pkg") == "pkg.engines.closures"
    assert dotted("engines/__init__.py", "pkg") == "pkg.engines"


def test_an_import_of_learner_code_is_stopped_and_noted():
    noted = []
    look = FORBIDDEN.watcher("/work/pkg", lambda *each: noted.append(each))
    look("math")
    look("torch")  # nobody of the learner's asks
    assert noted == []
    code = compile("x = 1\nguard.find_spec('torch.nn')\n", "/work/pkg/ops.py", "exec")
    with pytest.raises(ImportError, match="No torch.nn here."):
        exec(code, {"guard": Guard(look)})
    assert noted == [("ops.py", 2, "No torch.nn here.")]
