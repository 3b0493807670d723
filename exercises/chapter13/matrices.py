"""`jacobian` and `hessian`: all derivatives of a small function, as an ndarray."""

from grader.course import Exercise, Mistake

from .second import but

ROWS = """
y = f(x)
rows = np.zeros(y.shape + x.shape, y.dtype)
for index in np.ndindex(y.shape):
    start = np.zeros(y.shape, y.dtype)
    start[index] = 1
    (row,) = grad(y, [x], constant(start))
    rows[index] = row.data
return rows
"""

JACOBIAN = Exercise(
    "chapter13.jacobian",
    section="13.2",
    targets=("higher.jacobian",),
    points=3,
    minutes=15,
    difficulty=2,
    needs=("chapter13.grad",),
    hints=(
        "One walk gives `Σ grad_output · row`. Which `grad_output` leaves only one row of the sum?",
        "`np.ndindex(y.shape)` goes through all places of the output; for `()` it goes once. "
        "Fill `rows[index]` with the gradient's data.",
    ),
    mistakes=(
        Mistake(
            "start-not-renewed",
            "y = f(x)\nrows = np.zeros(y.shape + x.shape, y.dtype)\n"
            "start = np.zeros(y.shape, y.dtype)\nfor index in np.ndindex(y.shape):\n"
            "    start[index] = 1\n    (row,) = grad(y, [x], constant(start))\n"
            "    rows[index] = row.data\nreturn rows",
            "The ones of earlier rounds are still in `start`, so each row holds the sum of all "
            "rows up to it. Begin each round with zeros.",
        ),
        Mistake(
            "ones", but("    start = np.zeros(y.shape, y.dtype)\n    start[index] = 1\n",
                        "    start = np.ones(y.shape, y.dtype)\n", ROWS),
            "Every walk starts from ones, so that every row is the sum of all rows.",
        ),
        Mistake(
            "transposed",
            but("return rows", "size = len(x.shape)\n"
                "return np.moveaxis(rows, range(-size, 0), range(size))", ROWS),
            "The axes are the wrong way round: those of `f(x)` come first, then those of `x`.",
        ),
        Mistake(
            "computed-again", but("    (row,) = grad(y,", "    (row,) = grad(f(x),", ROWS),
            "You compute `f` anew for every row. One graph serves all walks.",
        ),
        Mistake(
            "flat", but("return rows", "return rows.reshape(y.size, x.size)", ROWS),
            "You returned a table. The axes stay: `f(x).shape + x.shape`.",
        ),
    ),
)  # fmt: skip

HESSIAN = Exercise(
    "chapter13.hessian",
    section="13.2",
    targets=("higher.hessian",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter13.jacobian", "chapter13.grad"),
    hints=("It is one line: `jacobian` of a function that returns a gradient. Which gradient can "
           "be differentiated again?",),
    mistakes=(
        Mistake(
            "graph-forgotten", "return jacobian(lambda x: grad(f(x), [x])[0], x)",
            "Without `create_graph=True` the gradient is a constant, and every second derivative "
            "is 0.",
        ),
        Mistake(
            "jacobian-only", "return jacobian(f, x)",
            "These are the first derivatives.",
        ),
        Mistake(
            "row-sums",
            "(g,) = grad(f(x), [x], create_graph=True)\n(total,) = grad(g.sum(), [x])\n"
            "return np.diag(total.data.ravel()).reshape(x.shape * 2)",
            "You differentiated the sum of the gradient and put it on the diagonal. That is right "
            "only where no input meets another; in general each number of the gradient needs a "
            "walk of its own.",
        ),
    ),
)  # fmt: skip
