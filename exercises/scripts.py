"""Write a failing call by hand for `grader repro`: of an op, and of a difference quotient.

Every other call is written with its program (`grader/learner/script.py`). A row is named by the
word ``written`` in the `MEANS` of a program; it gives the imports, and lines that leave what is to
be compared in ``yours``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Write = Callable[..., str]  # a value of a probe as source, and the column at which it begins
Lines = list[str]

# What of a forward's call is looked at, where it is not the result.
YOURS = {
    "inputs": "yours = [{given}]  # as they are now",
    "dtype": "yours = [result.dtype.name]",
    "kept": "yours = [np.empty(0, result.dtype), {given}]  # its dtype, and the inputs",
}


def op(write: Write, args: list[Any]) -> tuple[str, list[str], list[Any]]:
    """The constructor's call, the names of the inputs, the inputs."""
    name, attrs, arrays = args[:3]
    values = [write(value) for value in attrs["tuple"]]
    return f"{name}({', '.join(values)})", list("abcd"[: len(arrays)]), arrays


def forward(write: Write, args: list[Any], part: str) -> tuple[Lines, Lines]:
    made, letters, arrays = op(write, args)
    lines = [f"{name} = {write(value, 4)}" for name, value in zip(letters, arrays, strict=True)]
    given = ", ".join(letters)
    lines += ["", f"result = {made}.forward({given})"]
    lines.append(YOURS[part].format(given=given) if part in YOURS else "yours = [result]")
    return ["import numpy as np", "", f"from babygrad.ops import {args[0]}"], lines


def vjp(write: Write, args: list[Any], part: str) -> tuple[Lines, Lines]:
    made, letters, arrays = op(write, args)
    lines = [
        f'{name} = Tensor({write(value, 4)}, dtype="float64")'
        for name, value in zip(letters, arrays, strict=True)
    ]
    lines += [
        f'out_grad = Tensor({write(args[3], 4)}, dtype="float64", requires_grad=False)',
        "",
        f"out = {made}({', '.join(letters)})",
        "gradients = out._op.backward(out_grad, out)",
        "if isinstance(gradients, Tensor):",
        "    gradients = (gradients,)",
    ]
    everything = ", ".join(f"{name}.data" for name in (*letters, "out_grad"))
    lines.append(
        f"yours = [{everything}]  # as they are now"
        if part == "inputs"
        else "yours = [gradient.data for gradient in gradients]"
    )
    imports = ["from babygrad import Tensor", f"from babygrad.ops import {args[0]}"]
    return ["import numpy as np", "", *imports], lines


def difference_quotient(write: Write, args: list[Any], part: str) -> tuple[Lines, Lines]:
    functions, at, step = args
    extra = "" if step is None else f", {step!r}"
    imports = [
        "import numpy as np", "from numpy import exp, log, sin", "",
        "from babygrad.scalar import numerical_derivative",
    ]  # fmt: skip
    calls = [
        f"    numerical_derivative(lambda x: float({f}), {at!r}{extra}),"
        for f in functions["tuple"]
    ]
    # A difference quotient is right to some six digits, so it is compared as float32.
    dtype = '"float64"' if step else '"float32"'
    return imports, ["slopes = [", *calls, "]", f"yours = [np.array(slopes, dtype={dtype})]"]


WRITTEN = {"forward": forward, "backward": vjp, "difference quotient": difference_quotient}
