"""A package of somebody else, as it is read."""

from __future__ import annotations

import ast

import pytest

from grader.importing.names import is_same, names_here
from grader.importing.placement import Foreign, Origin, functions_of, is_aside

FILES = {
    "lib/ops.py": b"""
import math
from lib import core, helpers as h
from .core import Node as N, missing
import torch.nn
SMALL = 1e-8
class Times:
    def compute(self, a, b): return a * b
    def gradient(self, out): raise NotImplementedError
    def later(self): ...
    __mul__ = compute
def times(a, b):
    return Times()(a, b)
""",
    "lib/core.py": b"class Node:\n    pass\n",
    "lib/helpers.py": b"def help():\n    pass\n",
    "tests/test_ops.py": b"def times(a, b):\n    assert a\n",
    "lib/broken.py": b"def f(:\n",
}
FOREIGN = Foreign(FILES)


def test_what_it_defines():
    assert FOREIGN.unread == ["lib/broken.py"]
    assert list(FOREIGN.functions["lib/ops.py", "Times"]) == ["compute", "__mul__"]
    assert list(FOREIGN.functions["lib/ops.py", "times"]) == [""]
    assert list(FOREIGN.tops)[-1] == ("tests/test_ops.py", "times")
    assert is_aside("tests/test_ops.py") and not is_aside("lib/attest.py")


@pytest.mark.parametrize(
    "name, origin",
    {
        "times": Origin(unit=("lib/ops.py", "times")),
        "SMALL": Origin(unit=("lib/ops.py", "SMALL")),
        "math": Origin(line="import math"),
        "torch": Origin(line="import torch.nn"),
        "core": Origin(module="core"),
        "h": Origin(module="helpers"),
        "N": Origin(unit=("lib/core.py", "Node")),
        "len": None,
    }.items(),
)
def test_where_a_name_comes_from(name, origin):
    assert FOREIGN.origin(("lib/ops.py", name)) == origin


@pytest.mark.parametrize(
    "body, empty",
    {
        "pass": True, "...": True, "'says'": True, "'says'\n raise NotImplementedError('x')": True,
        "return None": False, "raise ValueError": False,
    }.items(),
)  # fmt: skip
def test_a_function_without_a_body_is_none(body, empty):
    (node,) = ast.parse(f"def f():\n {body}").body
    assert (functions_of(node) == {}) == empty


def test_names():
    table = names_here("Sequential", "nn.py")
    assert table == {"modules": "layers"}
    assert is_same("LogSoftMax", "LogSoftmax", {}) and is_same("logsoftmax", "log_softmax", {})
    assert is_same("modules", "layers", table) and not is_same("__add__", "add", {})
    assert names_here("name", "ops.py")["EWiseMul"] == "Mul"
    assert "EWiseMul" not in names_here("name", "engines/apply.py")
