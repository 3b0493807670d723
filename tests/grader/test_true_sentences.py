"""Sentences about wrong code are true: a named cause is entailed by what was seen, or none is.

Each case stands for its kind: a wrong body, what has to be said of it, and what may not be.
"""

from __future__ import annotations

import pytest

from grader.course.bodies import apply_edit
from grader.verdict import PASSED

NUMERIC, COMPLEX = "checking.numeric_vjp", "checking.complex_vjp"
STEP = "STEP * max(1.0, abs(here))"
CLOSURE = "engines.closure.Tensor."
ATTACH = "out._backward = push\n"

# what is wrong → (exercise, target, its body or what is changed in the reference's,
#                  words that are said, words that are not)
SAID = {
    "a step too small": (
        "chapter12.numeric_vjp", NUMERIC, ((STEP, f"3e-4 * {STEP}"),),
        ["to seven digits, and not beyond."], ["float32"],
    ),
    "an undivided difference": (
        "chapter12.numeric_vjp", NUMERIC, ((" / (2 * step)", ""),),
        ["You forgot to divide by the distance"], ["times the right"],
    ),
    "a real step": (
        "chapter12.complex_vjp", COMPLEX, ((" * 1j", ""),),
        ["Your step is a real number"], ["forgot to divide"],
    ),
    "a step that is moved by a step": (
        "chapter12.complex_vjp", COMPLEX, ((" * 1j", " * 1j * COMPLEX_STEP"),),
        [], ["forgot to divide", "real number"],
    ),
    "twice the step": (
        "chapter12.complex_vjp", COMPLEX, ((" * 1j", " * 2j"),),
        ["are exactly twice the right ones"], ["your result 1 and your result 2"],
    ),
    "a float32 that it was": (
        "chapter3.tanh.forward", "ops.Tanh.forward",
        "return np.tanh(a).astype('float32').astype(a.dtype)",
        ["a number that a float32 can hold"], [],
    ),
    "half, on one number": (
        "chapter3.summation.forward", "ops.Summation.forward",
        "return a.sum(axis=self.axes) / 2",
        ["exactly half of the right one"], ["each use hands back a share"],
    ),
    **{
        f"a closure that {op} never attaches": (
            f"chapter11.closure.{op}", f"{CLOSURE}{method}", ((ATTACH, ""),),
            ["never put into `out._backward`"], ["You read `out.grad`"],
        )
        for op, method in (("mul", "__mul__"), ("matmul", "__matmul__"), ("tanh", "tanh"))
    },
    "a gradient that is read early": (
        "chapter11.closure.tanh", f"{CLOSURE}tanh",
        (("out.grad", "now"), ("def push", "now = out.grad.copy()\n\ndef push")),
        ["You read `out.grad`"], ["never put into"],
    ),
    "None beside the output": (
        "chapter13.jvp", "forward_mode.jvp", "return f(*inputs), None",
        ["None for the tangent; a Tensor was expected"], ["forget `return`"],
    ),
    "a rule that sets grad": (
        "chapter3.mul.backward", "ops.Mul.backward",
        "a, b = node._inputs\na.grad = (out_grad * b).data\nb.grad = (out_grad * a).data",
        ["returned None; it set the `grad` of its inputs"], ["forget `return`"],
    ),
    "a rule that recurses": (
        "chapter11.grad_fn.mul", "engines.grad_fn.MulBackward.backward",
        "a, b = self.inputs\na.backward(unbroadcast(gradient * b.data, a.shape))\n"
        "b.backward(unbroadcast(gradient * a.data, b.shape))",
        ["returned None; it set the `grad` of its inputs"], ["forget `return`"],
    ),
    "no return at all": (
        "chapter3.mul.backward", "ops.Mul.backward", "a, b = node._inputs\nout_grad * b",
        ["returned None; did you forget `return`?"], ["set the `grad`"],
    ),
    "max of an array": (
        "chapter3.relu.forward", "ops.ReLU.forward", "return max(a, 0)",
        ["`np.maximum`"], ["`if` needs"],
    ),
    "if of an array": (
        "chapter3.relu.forward", "ops.ReLU.forward", "if a > 0:\n    return a\nreturn 0 * a",
        ["`if` needs one yes or no"], ["np.maximum"],
    ),
    "and of arrays": (
        "chapter3.relu.forward", "ops.ReLU.forward", "return (a > 0) and a",
        ["Python asked an array for one yes or no"], ["`if` needs"],
    ),
    "exp of an array": (
        "chapter3.sigmoid.forward", "ops.Sigmoid.forward", "return 1 / (1 + exp(-a))",
        ["are for Tensors", "`np.exp(a)`"], ["`sum`"],
    ),
    "probabilities in float32, some of them 0": (
        "chapter14.next_probabilities", "gpt.next_probabilities", ((', dtype="float64"', ""),),
        ["only the dtype float32 is not"], ["where a 0 stands"],
    ),
    "a file in float32": (
        "chapter8.save", "checkpoint.save",
        (("np.asarray(array) for", "np.float32(array) if np.asarray(array).dtype == 'float64' "
          "else np.asarray(array) for"),),
        ["only the dtype float32 is not"], ["as it was given"],
    ),
    "a mask that is written to": (
        "chapter14.attention", "gpt.attention",
        (("blocked = np.where(mask, 0.0", "np.logical_not(mask, out=mask)\n"
          "    blocked = np.where(~mask, 0.0"),),
        ["mask was changed in place"], ["cotangents[0] was changed"],
    ),
    "a state that is used up": (
        "chapter8.random_state", "checkpoint.set_random_state",
        (('state["keys"]', 'state.pop("keys")'),),
        ["KeyError"], ["You drew a number to seed with"],
    ),
    "a function that is called elsewhere": (
        "chapter13.hvp_forward", "forward_mode.hvp_forward",
        "def at(step):\n"
        "    moved = [Tensor(x.data + step * v.data, dtype=x.dtype)\n"
        "             for x, v in zip(inputs, vectors)]\n"
        "    return grad(f(*moved), moved)\n"
        "return [(a - b) / 2e-5 for a, b in zip(at(1e-5), at(-1e-5))]",
        ["This is not so"], ["backward is right here"],
    ),
    "a start that asks for gradients": (
        "chapter13.grad", "higher.grad",
        (("total = total.detach()", "total = Tensor(total.data, dtype=total.dtype)"),),
        ["still ask for gradients"], ["are part of a graph"],
    ),
    "an exception that is raised again": (
        "chapter15.trace", "tracing.trace",
        (("finally:", "except Exception as e:\n    raise RuntimeError('x') from e\nfinally:"),),
        [], ["swallow"],
    ),
    "a walk from the back that learns nothing": (
        "chapter15.dead_code", "passes.dead_code", (("needed.update(each.inputs)", "pass"),),
        [], ["from the front"],
    ),
    "the dtype of the first input": (
        "chapter15.record", "tracing.Tracer.record",
        (("outcome(name, sources, attrs)",
          "outcome(name, sources, attrs)[0], str(sources[0].dtype)"),),
        [], ["shape and dtype of the first"],
    ),
    "one layer without a bias": (
        "chapter14.multihead.init", "gpt.MultiHeadAttention.__init__",
        (("query = Linear(dim, dim", "query = Linear(dim, dim, bias=False"),),
        ["Not every layer of yours has a bias"], ["have no biases"],
    ),
    "relu for every activation": (
        "chapter1.neuron.call", "scalar.Neuron.__call__",
        "total = self.bias\nfor weight, number in zip(self.weights, x, strict=True):\n"
        "    total = total + weight * number\nreturn total.relu()",
        [], ["as it is"],
    ),
    "a temperature that is ignored": (
        "chapter16.choose", "inference.choose", (("temperature, top_k)", "1.0, top_k)"),),
        ["The temperature is ignored"], ["before the temperature"],
    ),
    "an attribute of the op, asked of its output": (
        "chapter3.power_scalar.backward", "ops.PowerScalar.backward",
        "(a,) = node._inputs\nreturn out_grad * node.scalar * a ** (self.scalar - 1)",
        ["`node` is what the op made"], ["Its methods are in"],
    ),
    "a dtype by position": (
        "chapter4.linear.forward", "nn.Linear.forward",
        "return Tensor(x @ self.weight, x.dtype)", ["a dtype is named"], ["`self`"],
    ),
    "no exception": (
        "chapter14.characters.encode", "gpt.Characters.encode",
        "return np.array([self.letters.find(each) for each in text], dtype=int)",
        ['it is "nothing was raised", not "ValueError, naming it"'], ["reads otherwise"],
    ),
}  # fmt: skip


def judged(proof, exercise, target, change):
    body = change if isinstance(change, str) else apply_edit(
        proof.course.regions[target].body, change, target
    )  # fmt: skip
    return proof.judge(proof.course.replace_bodies({target: body}), [exercise])[exercise]


def everything(verdict):
    """All sentences about an exercise."""
    said = [says for _, says in verdict.mistakes]
    for check in verdict.checks:
        said += [check.says, *check.notes, *(says for _, says in check.inferred)]
    return " ".join(said)


@pytest.mark.sampled(quick=8, long=2)
@pytest.mark.parametrize("what", SAID)
def test_what_is_said_is_entailed(what, proof):
    exercise, target, change, words, not_said = SAID[what]
    verdict = judged(proof, exercise, target, change)
    said = everything(verdict)
    assert verdict.status != PASSED
    assert all(word in said for word in words), said
    assert not any(word in said for word in not_said), said


# A value is right whatever becomes of its gradient, and is said to be.
RIGHT_VALUES = {
    "a gradient too many": (
        "chapter11.apply.tanh", "engines.apply.Tanh.backward",
        "(out,) = ctx.saved\nreturn gradient * (1 - out * out), np.zeros(())",
    ),
    "a gradient that is not summed": (
        "chapter11.closure.mul", f"{CLOSURE}__mul__",
        (("_unbroadcast(other.data * out.grad, self.shape)", "other.data * out.grad"),
         ("_unbroadcast(self.data * out.grad, other.shape)", "self.data * out.grad")),
    ),
    "a graph that is cut": (
        "chapter14.attention", "gpt.attention",
        "scores = q.data @ k.data.swapaxes(-1, -2) / math.sqrt(q.shape[-1])\n"
        "scores = scores if mask is None else np.where(mask, scores, -np.inf)\n"
        "e = np.exp(scores - scores.max(-1, keepdims=True))\n"
        "w = e / e.sum(-1, keepdims=True)\n"
        "return Tensor(w @ v.data, dtype=q.dtype), Tensor(w, dtype=q.dtype)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", RIGHT_VALUES)
def test_a_value_that_is_right_is_right_whatever_its_gradient(what, proof):
    verdict = judged(proof, *RIGHT_VALUES[what])
    kinds = {check.check["id"].partition("/")[2]: check.status for check in verdict.checks}
    values = {name: status for name, status in kinds.items() if f"{name}-gradient" in kinds}
    values["value"] = kinds.get("value", kinds.get("values", PASSED))
    assert set(values.values()) == {PASSED}, kinds
    assert set(kinds.values()) != {PASSED}


def test_a_count_is_right_as_a_float(proof):
    body = proof.course.regions["engines.grad_fn.visits"].body
    whole = "\n".join(f"    {line}" for line in body.splitlines())
    counted = f"def count(root):\n{whole.replace('visits(', 'count(')}\nreturn float(count(root))"
    verdict = judged(proof, "chapter11.grad_fn.visits", "engines.grad_fn.visits", counted)
    assert verdict.status == PASSED, everything(verdict)
