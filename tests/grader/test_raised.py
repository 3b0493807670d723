"""What an exception means, said in the course's words: a row per message, and a body for each."""

from __future__ import annotations

import pytest

from grader.judge.raised import ROWS

A = "(a,) = node._inputs\n"

# row → (exercise, target, a body that a beginner writes, words of the sentence)
RAISED = {
    "unknown-name": ("chapter3.log.forward", "ops.Log.forward", "return math.log(a)",
                     "does not know the name `math`"),
    "no-end": ("chapter3.add.reflected", "tensor.Tensor.__radd__", "return other + self",
               "calls itself without end"),
    "asked-an-array": ("chapter3.sqrt.forward", "ops.Sqrt.forward", "return a.sqrt()",
                       "asked a NumPy array for `sqrt`"),
    "asked-a-number": ("chapter3.sub.operator", "tensor.Tensor.__sub__",
                       "return ops.sub(self, Tensor(other.data))", "asked a plain number"),
    "asked-a-list": ("chapter3.log.backward", "ops.Log.backward",
                     "return out_grad / node._inputs.data", "asked a list for `data`"),
    "asked-none": ("chapter3.mul.backward", "ops.Mul.backward",
                   "a, b = node._inputs\nreturn out_grad * b.grad.data, out_grad * a",
                   "asked None for `data`"),
    "asked-a-tensor": ("chapter3.log.backward", "ops.Log.backward",
                       A + "return out_grad * a.reciprocal()", "Your Tensor has no `reciprocal`"),
    "class-called": ("chapter3.negate.operator", "tensor.Tensor.__neg__",
                     "return ops.Negate(self)", "Call what it made: `Negate()(x)`"),
    "numpy-on-a-tensor": ("chapter3.exp.backward", "ops.Exp.backward",
                          A + "return out_grad * np.exp(a)", "A NumPy function was given a Tensor"),
    "tensor-as-number": ("chapter3.log.backward", "ops.Log.backward",
                         "return out_grad / Tensor(node._inputs)", "`node._inputs` is a list"),
    "went-through-a-tensor": ("chapter3.log.backward", "ops.Log.backward",
                              "(a,) = node._inputs[0]\nreturn out_grad / a",
                              "as if it were a list"),
    "unpacked": ("chapter3.log.backward", "ops.Log.backward",
                 "a, b = node._inputs\nreturn out_grad / a", "is room for 2"),
    "np-is-an-array": ("chapter3.exp.forward", "ops.Exp.forward", "np = a\nreturn np.exp(a)",
                       "`np` is not NumPy here"),
    "op-on-a-number": ("chapter3.log.backward", "ops.Log.backward",
                       A + "return out_grad / a * abs(1.0)", "hide Python's"),
    "unpacked-other": ("chapter3.reshape.backward", "ops.Reshape.backward",
                       A + "rows, columns = self.shape\nreturn reshape(out_grad, a.shape)",
                       "another number of values came"),
    "none-as-operand": ("chapter3.mul.backward", "ops.Mul.backward",
                        "a, b = node._inputs\nreturn out_grad.data * b.grad, out_grad * a",
                        "One side of the `*` is None"),
}  # fmt: skip


def test_every_row_has_a_body():
    assert set(RAISED) == {row.name for row in ROWS}


@pytest.mark.parametrize("row", RAISED)
def test_an_exception_is_explained(row, package, grader):
    exercise, target, body, words = RAISED[row]
    ran = grader("check", exercise, "--json", "--package", str(package({target: body})))
    check = next(c for c in ran.exercises()[exercise]["checks"] if c["status"] == "crashed")
    assert check["mistake"] is not None, check["message"]
    assert check["mistake"]["name"] == f"raised:{row}", check
    assert words in check["mistake"]["says"]


def test_the_line_is_the_exercise_s_own(package, grader):
    """Not the line of given code that it called, which is right."""
    place = package({"ops.Log.backward": "a = node._inputs\nreturn out_grad / Tensor(a)"})
    ran = grader("check", "chapter3.log.backward", "--json", "--package", str(place))
    check = ran.exercises()["chapter3.log.backward"]["checks"][0]
    lines = (place / "babygrad" / "ops.py").read_text().splitlines()
    file, _, line = check["location"].partition(":")
    assert file == "ops.py" and lines[int(line) - 1].strip() == "return out_grad / Tensor(a)"
    assert "It was raised in babygrad/tensor.py, line" in check["message"]
