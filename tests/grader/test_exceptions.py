"""Exceptions explained in the course's words: a row per message, and a body for each."""

from __future__ import annotations

import pytest

from grader.about import EXCEPTIONS, own_names
from grader.judge.exceptions import ROWS

from .lectures import LECTURES

A = "(a,) = node._inputs\n"

# row → (exercise, target, a body that a beginner writes, words of the sentence)
RAISED = {
    "breakpoint": ("chapter3.log.forward", "ops.Log.forward", "breakpoint()\nreturn np.log(a)",
                   "`grader repro chapter3.log.forward --out r.py`, then `python -m pdb r.py`"),
    "input": ("chapter3.log.forward", "ops.Log.forward", "input()\nreturn np.log(a)",
              "`input()` reads nothing here"),
    "unknown-name": ("chapter3.log.forward", "ops.Log.forward", "return math.log(a)",
                     "does not know the name `math`"),
    "no-end": ("chapter3.add.reflected", "tensor.Tensor.__radd__", "return other + self",
               "that has no end"),
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
    "asked-the-node": ("chapter3.power_scalar.backward", "ops.PowerScalar.backward",
                       A + "return out_grad * node.scalar * a", "no `scalar`: `node` is what"),
    "math-of-an-array": ("chapter3.log.forward", "ops.Log.forward",
                         "import math\nreturn math.log(a)", "one number at a time"),
    "class-called": ("chapter3.negate.operator", "tensor.Tensor.__neg__",
                     "return ops.Negate(self)", "Call what it made: `Negate()(x)`"),
    "numpy-on-a-tensor": ("chapter3.exp.backward", "ops.Exp.backward",
                          A + "return out_grad * np.exp(a)", "A NumPy function was given a Tensor"),
    "inside-of-none": ("chapter3.summation.backward", "ops.Summation.backward",
                       A + "kept = [1 if i in self.axes else n for i, n in enumerate(a.shape)]\n"
                       "return broadcast_to(reshape(out_grad, tuple(kept)), a.shape)",
                       "needs its own line"),
    "tensor-as-number": ("chapter3.log.backward", "ops.Log.backward",
                         "return out_grad / float(node._inputs[0])", "`node._inputs` is a list"),
    "many-for-one": ("chapter3.log.backward", "ops.Log.backward",
                     "return out_grad / Tensor(node._inputs)", "a list of Tensors"),
    "went-through-a-tensor": ("chapter3.log.backward", "ops.Log.backward",
                              "(a,) = node._inputs[0]\nreturn out_grad / a",
                              "as if it were a list"),
    "unpacked": ("chapter3.log.backward", "ops.Log.backward",
                 "a, b = node._inputs\nreturn out_grad / a", "is room for 2"),
    "np-is-an-array": ("chapter3.exp.forward", "ops.Exp.forward", "np = a\nreturn np.exp(a)",
                       "`np` is not NumPy here"),
    "op-on-a-number": ("chapter3.log.backward", "ops.Log.backward",
                       A + "return out_grad / a * abs(1.0)", "hides Python's"),
    "unpacked-other": ("chapter3.reshape.backward", "ops.Reshape.backward",
                       A + "rows, columns = self.shape\nreturn reshape(out_grad, a.shape)",
                       "another number of values came"),
    "none-as-operand": ("chapter3.mul.backward", "ops.Mul.backward",
                        "a, b = node._inputs\nreturn out_grad.data * b.grad, out_grad * a",
                        "One side of the `*` is None"),
    "ops-inside-ops": ("chapter3.reshape.backward", "ops.Reshape.backward",
                       A + "return ops.reshape(out_grad, a.shape)", "Write `reshape(…)`"),
    "asked-a-set": ("chapter3.backward", "tensor.Tensor.backward",
                    "seen = set()\nseen.append(self)", "`seen.add(…)`"),
    "asked-for-t": ("chapter3.matmul.backward", "ops.MatMul.backward",
                    "a, b = node._inputs\nreturn out_grad @ b.T, a.T @ out_grad", "`transpose()`"),
    "numpy-names": ("chapter3.summation.backward", "ops.Summation.backward",
                    A + "return broadcast_to(np.sum(out_grad, axis=0), a.shape)",
                    "it was NumPy that asked"),
    "one-object": ("chapter3.reshape.backward", "ops.Reshape.backward",
                   A + "return np.reshape(out_grad, a.shape)", "one single object"),
    "math-on-a-value": ("chapter1.value.exp", "scalar.Value.exp",
                        "return Value(math.exp(self), (self,))", "`math.exp(self.data)`"),
    "math-on-a-tensor": ("chapter3.log.backward", "ops.Log.backward",
                         "import math\n" + A + "return out_grad / math.log(a)", "one plain number"),
    "compared-a-tensor": ("chapter3.relu.backward", "ops.ReLU.backward",
                          A + "return out_grad * (a > 0)", "`a.data > …`"),
    "compared-by-numpy": ("chapter3.abs.backward", "ops.Abs.backward",
                          "return out_grad * Tensor(np.sign(node._inputs))", "(a,) = node._inputs"),
    "op-on-an-array": ("chapter3.sigmoid.forward", "ops.Sigmoid.forward",
                       "return 1 / (1 + np.exp(-abs(a)))", "`np.abs(a)`"),
    "tensor-for-a-number": ("chapter3.add.operator", "tensor.Tensor.__add__",
                            "if isinstance(other, NDArray):\n    return ops.add(self, other)\n"
                            "return ops.add_scalar(self, number(other))", "isn't an NDArray"),
    "array-beside-a-tensor": ("chapter5.adam.step", "optim.Adam.step",
                              "for i, p in enumerate(self.parameters):\n"
                              "    p = p - self.lr * self.direction(i, gradient_of(p))",
                              "the Tensor's `.data`"),
    "compared-a-value": ("chapter1.value.relu", "scalar.Value.relu",
                         "return Value(max(0, self), (self,))", "Compare the numbers"),
    "raw-memory": ("chapter3.sub.forward", "ops.Sub.forward", "return a.data - b.data",
                   "its raw memory"),
    "caret": ("chapter3.pow.forward", "ops.Pow.forward", "return a ^ b", "two stars"),
    "method-not-called": ("chapter1.neuron.call", "scalar.Neuron.__call__",
                          "return self.bias + self.weights[0].tanh", "parentheses"),
    "multiplied-a-list": ("chapter1.neuron.call", "scalar.Neuron.__call__",
                          "return sum(self.weights * x) + self.bias", "item by item"),
    "list-as-operand": ("chapter3.power_scalar.backward", "ops.PowerScalar.backward",
                        "a = node._inputs\nreturn out_grad * a ** (self.scalar - 1)",
                        "a list at an operator"),
    "list-beside-a-tensor": ("chapter3.log.backward", "ops.Log.backward",
                             "a = node._inputs\nreturn out_grad / a", "take them out of it first"),
    "objects": ("chapter3.log.backward", "ops.Log.backward",
                "return Tensor(np.array([node._inputs, None], dtype=object), dtype=object)",
                "`(a,) = node._inputs`"),
    "past-the-end": ("chapter3.log.backward", "ops.Log.backward",
                     "return out_grad / node._inputs[1]", "the first input"),
    "no-self": ("chapter1.numerical_derivative", "scalar.numerical_derivative",
                "return (f(x + self.h) - f(x)) / self.h", "where the method names it first"),
    "one-too-many": ("chapter3.log.backward", "ops.Log.backward",
                     A + "class Rule:\n    def slope(x):\n        return 1 / x\n"
                     "return out_grad * Rule().slope(a)", "as its first argument, `self`"),
    "nothing-under-id": ("chapter3.backward", "tensor.Tensor.backward",
                         "arrived = {id(self): 1.0}\n"
                         "for node in topological_order(self):\n    arrived[id(node)] += 1",
                         "has to be `reversed`"),
    "many-truths-if": ("chapter3.abs.backward", "ops.Abs.backward",
                       A + "return out_grad if a.data > 0 else -out_grad", "`if` needs one"),
    "many-truths-max": ("chapter3.relu.forward", "ops.ReLU.forward", "return max(0, a)",
                        "`np.maximum`"),
    "many-truths": ("chapter3.relu.forward", "ops.ReLU.forward", "return a > 0 and a",
                    "Python asked an array"),
    "size-not-whole": ("chapter3.reshape.backward", "ops.Reshape.backward",
                       A + "return out_grad.reshape(list(a.data))", "`a.shape`"),
    "array-as-size": ("chapter3.reshape.backward", "ops.Reshape.backward",
                      A + "return out_grad.reshape([np.array(a.shape)])", "a tuple of ints"),
    "not-a-function": ("chapter3.mul.backward", "ops.Mul.backward",
                       "a, b = node._inputs\nreturn out_grad(b), out_grad(a)",
                       "you can't call a Tensor"),
    "nothing-arrived": ("chapter3.backward", "tensor.Tensor.backward",
                        "arrived = {}\nfor source in self._inputs:\n    arrived[source] += 1",
                        "nothing under this key"),
    "walk-too-early": ("chapter3.backward", "tensor.Tensor.backward",
                       "arrived = {self: 1.0}\n"
                       "for node in topological_order(self):\n    total = arrived.pop(node)",
                       "has to be `reversed`"),
    "two-for-one": ("chapter1.value.add", "scalar.Value.__add__",
                    "return Value(self.data + as_value(other).data, self, other)", "one tuple"),
    "rule-with-arguments": ("chapter1.value.neg", "scalar.Value.__neg__",
                            "out = Value(-self.data, (self,))\ndef push(out):\n"
                            "    self.grad -= out.grad\nout._backward = push\nreturn out",
                            "without arguments"),
    "tuple-of-one": ("chapter1.value.neg", "scalar.Value.__neg__",
                     "return Value(-self.data, (self))", "`(self,)`"),
    "looped-over-none": ("chapter1.value.backward", "scalar.Value.backward",
                         "self.grad = 1.0\nfor node in topological_order(self).reverse():\n"
                         "    node._backward()", "`reversed(order)`"),
    "looped-over-int": ("chapter3.summation.forward", "ops.Summation.forward",
                        "if self.axes is None:\n    return a.sum()\n"
                        "return 2 * a.sum(tuple(axis for axis in self.axes))", "`(axes,)`"),
}  # fmt: skip


def test_every_row_has_a_body():
    """Those of other people's names have theirs in `test_lectures.py`."""
    ours = own_names(EXCEPTIONS)
    table = {row[0] for entry in ours["NAMES"] for row in ours["rows_of"](*entry)}
    lectures = {block.row for blocks in LECTURES.values() for block in blocks.values()}
    assert set(RAISED) == {row.name for row in ROWS} - table - lectures


@pytest.mark.sampled(quick=16, long=4)
@pytest.mark.parametrize("row", RAISED)
def test_an_exception_is_explained(row, package, grader):
    exercise, target, body, words = RAISED[row]
    ran = grader("check", exercise, "--json", "--package", str(package({target: body})))
    checks = ran.exercises()[exercise]["checks"]
    check = next(c for status in ("crashed", "failed") for c in checks if c["status"] == status)
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
