"""`grader import FOLDER`: what somebody wrote elsewhere, with the names that they use."""

from __future__ import annotations

import pytest

OPS = """
import numpy as np
from .autograd import TensorOp

class EWiseMul(TensorOp):
    def compute(self, a, b):
        return a * b

    def gradient(self, out_grad, node):
        lhs, rhs = node._inputs
        return multiply(out_grad, rhs), multiply(out_grad, lhs)

class EWiseDiv(TensorOp):
    def compute(self, a, b):
        return a / b

    def gradient(self, out_grad, node):
        lhs, rhs = node._inputs
        return divide(out_grad, rhs), divide(multiply(out_grad, lhs), squared(rhs))  # no minus

def multiply(a, b):
    return EWiseMul()(a, b)

def divide(a, b):
    return EWiseDiv()(a, b)

def negate(a):
    return Negate()(a)

def add_scalar(a, scalar):
    return AddScalar(scalar)(a)

def squared(a):
    return multiply(a, a)

class AddScalar(TensorOp):
    def __init__(self, scalar):
        self.scalar = scalar

    def compute(self, a):
        return a + self.scalar

class Negate(TensorOp):
    def compute(self, a):
        return -a

    def gradient(self, out_grad, node):
        return negate(out_grad)

class Hyperbolic(TensorOp):  # no table knows it
    def compute(self, a):
        return np.tanh(a)

    def gradient(self, out_grad, node):
        return multiply(out_grad, add_scalar(negate(squared(node)), 1))

class Undone(TensorOp):
    def compute(self, a):
        return np.sin(a)
"""
FILES = {
    "lib/__init__.py": "open('ran', 'w').close()\n",
    "lib/autograd.py": "class TensorOp:\n    pass\n",
    "lib/ops.py": OPS,
    "tests/test_ops.py": "def test_it():\n    assert True\n",
    "setup.py": "no python",
}
MINE = "        return -a  # mine"


@pytest.fixture
def theirs(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "theirs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "theirs"


def test_it_is_placed_tried_and_told(workspace, theirs, grader):
    ops = workspace / "babygrad" / "ops.py"
    stub = "        # Yours to write: section 3.2; `grader check chapter3.negate.forward`\n"
    before = ops.read_text().replace(f"{stub}        raise NotImplementedError", MINE)
    ops.write_text(before)

    ran = grader("import", str(theirs), cwd=workspace)

    said = " ".join(ran.out.split())
    assert ran.status == 1, ran.err
    assert "chapter3: 6 placed, 5 pass; to be mended: chapter3.div.backward" in said
    for name in ("EWiseMul as Mul", "EWiseDiv as Div", "Hyperbolic as Tanh"):
        assert name in said
    assert "Written here already, and left as it is: " in said and "Negate.forward" in said
    assert "Not read: setup.py is no Python." in said
    assert "Nothing here asks for TensorOp, Undone." in said
    assert "Go on with `grader check chapter3.div.backward`." in said

    after = ops.read_text()
    assert MINE in after and "return (mul(out_grad, rhs), mul(out_grad, lhs))" in after
    assert "def squared(a):" in after
    assert (workspace / ".grader/backup/1/babygrad/ops.py").read_text() == before
    assert {name: (theirs / name).read_text() for name in FILES} == FILES
    assert not (workspace / "ran").exists()  # nothing of theirs runs here
    checked = grader("check", "chapter3.mul.backward", "chapter3.tanh", "--json", cwd=workspace)
    assert set(checked.statuses().values()) <= {"passed", "given"}


def test_a_folder_without_python(workspace, tmp_path, grader):
    ran = grader("import", str(tmp_path / "nowhere"), cwd=workspace)
    assert ran.status == 2 and "There is no Python in" in ran.err
