"""The natural logarithm: `Log`."""

import numpy as np

from grader.course import POSITIVE, OpRow, SampleGroup, body, edit, exercise, shapes, values

from .sentences import EPSILON
from .standard import RULE

ROW = OpRow(
    op="Log",
    forward=np.log,
    torch=lambda torch, a: torch.log(a),
    domain=(POSITIVE,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "The natural logarithm of every value",
        "backward": "d(log a)/da = 1/a",
    },
    groups=(
        SampleGroup(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2e-14, 3e-15]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)


@exercise("ops.Log.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here, and NumPy has the function.

    The natural logarithm is the one to base e. It has NumPy's shortest name for a logarithm.
    """

    base_ten = edit("log", "log10")
    """This is the logarithm to base 10. The natural one has base e."""

    base_two = edit("log", "log2")
    """This is the logarithm to base 2. The natural one has base e."""

    plus_one = edit("log", "log1p")
    """`log1p` is the logarithm of 1 + a."""

    in_place = RULE.in_place
    float32 = RULE.float32
    epsilon = edit(
        "a",
        "a + 1e-8",
        says=EPSILON,
        shown_by=r"\+ (1e-\d+|eps\w*)\b",
        seen="https://github.com/IgorWebJava/rede-neural/blob/46554f50f6/engine/tensor.py",
    )


@exercise("ops.Log.backward", points=2, minutes=3, difficulty=1)
class BACKWARD:
    """One input: `(a,) = node._inputs`. One gradient: return the Tensor itself.

    The logarithm climbs steeply near 0 and slowly far out: its slope is 1/a.
    """

    forgot_out_grad = RULE.out_grad_one

    multiplied = edit("/", "*")
    """You multiplied by a; the slope of the logarithm is one over a."""

    output_for_input = body("return out_grad / node")
    """`node` is the output, log a. The slope needs the input, which is in `node._inputs`."""

    once_more = edit("/ a", "* log(a)")
    """You multiplied by the logarithm itself. Only the exponential function is its own
    derivative."""

    epsilon = edit(
        " a",
        " (a + 1e-8)",
        says=EPSILON,
        shown_by=r"\+ (1e-\d+|eps\w*)\b",
        seen="https://github.com/IgorWebJava/rede-neural/blob/46554f50f6/engine/tensor.py",
    )
    numpy_inside = RULE.numpy_inside
