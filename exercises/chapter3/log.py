"""The natural logarithm: `Log`."""

import numpy as np

from grader.course import POSITIVE, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import epsilon, float32, forgot_out_grad, in_place, numpy_inside

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
        Group(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2e-14, 3e-15]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.log.forward",
    section="3.2",
    targets=("ops.Log.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here, and NumPy has the function.",
        "The natural logarithm is the one to base e. NumPy's shortest name for a logarithm is it.",
    ),
    mistakes=(
        Mistake(
            "base-ten", "return np.log10(a)",
            "This is the logarithm to base 10. The natural one has base e.",
        ),
        Mistake(
            "base-two", "return np.log2(a)",
            "This is the logarithm to base 2. The natural one has base e.",
        ),
        Mistake(
            "plus-one", "return np.log1p(a)",
            "`log1p` is the logarithm of 1 + a.",
        ),
        in_place("return np.log(a, out=a)"),
        float32("return np.log(a).astype(np.float32)"),
        epsilon("return np.log(a + 1e-8)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.log.backward",
    section="3.4",
    targets=("ops.Log.backward",),
    points=2,
    minutes=3,
    needs=("chapter3.log.forward",),
    hints=(
        "One input: `(a,) = node._inputs`. One gradient: return the Tensor itself.",
        "The logarithm climbs steeply near 0 and slowly far out: its slope is 1/a.",
    ),
    mistakes=(
        forgot_out_grad("(a,) = node._inputs\nreturn 1 / a"),
        Mistake(
            "multiplied", edit=("/", "*"),
            says="You multiplied by a; the slope of the logarithm is one over a.",
        ),
        Mistake(
            "output-for-input", "return out_grad / node",
            "`node` is the output, log a. The slope needs the input, which is in "
            "`node._inputs`.",
        ),
        Mistake(
            "once-more", edit=("/ a", "* log(a)"),
            says="You multiplied by the logarithm itself. Only the exponential function is its own "
            "derivative.",
        ),
        epsilon("(a,) = node._inputs\nreturn out_grad / (a + 1e-8)"),
        numpy_inside("(a,) = node._inputs\nreturn Tensor(out_grad.data / a.data)"),
    ),
)  # fmt: skip
