"""Given code to read before writing: `Function`, Add, AddScalar, half of Mul."""

from grader.course import REAL, Exercise, OpRow, shapes

# Not judged, since they are given; what a gradient went through is held against them.
ADD_ROW = OpRow(
    op="Add",
    forward=lambda a, b: a + b,
    torch=lambda torch, a, b: a + b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)),),
    taught={},
)
ADD_SCALAR_ROW = OpRow(
    op="AddScalar",
    forward=lambda a, scalar: a + scalar,
    torch=lambda torch, a, scalar: a + scalar,
    domain=(REAL,),
    samples=(shapes((2,), attrs=(2.5,)),),
    taught={},
)

FUNCTION = Exercise("chapter3.function", "3.1", ("ops.Function",), given=True)
ADD_FORWARD = Exercise("chapter3.add.forward", "3.1", ("ops.Add.forward",), given=True)
ADD_BACKWARD = Exercise("chapter3.add.backward", "3.1", ("ops.Add.backward",), given=True)
ADD_SCALAR_FORWARD = Exercise(
    "chapter3.add_scalar.forward", "3.1", ("ops.AddScalar.forward",), given=True
)
ADD_SCALAR_BACKWARD = Exercise(
    "chapter3.add_scalar.backward", "3.1", ("ops.AddScalar.backward",), given=True
)
MUL_FORWARD = Exercise("chapter3.mul.forward", "3.1", ("ops.Mul.forward",), given=True)

EXERCISES = (
    FUNCTION, ADD_FORWARD, ADD_BACKWARD, ADD_SCALAR_FORWARD, ADD_SCALAR_BACKWARD, MUL_FORWARD,
)  # fmt: skip
