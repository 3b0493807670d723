"""`jacobian` and `hessian`: all derivatives of a small function, as an ndarray."""

from grader.course import body, edit, exercise, instead


@exercise("higher.jacobian", points=3, minutes=15)
class JACOBIAN:
    """One walk gives `Σ grad_output · row`. Which `grad_output` leaves only one row of the sum?

    `np.ndindex(y.shape)` goes through all places of the output; for `()` it goes through once. Fill
    `rows[index]` with the gradient's data.
    """

    @instead("for index in np.ndindex(y.shape):", "start[index] = 1")
    def start_not_renewed(y):
        """The ones of earlier rounds are still in `start`, so each row holds the sum of all rows up
        to it. Begin each round with zeros."""
        start = np.zeros(y.shape, y.dtype)
        for index in np.ndindex(y.shape):
            start[index] = 1

    def ones(f, x):
        """Every walk starts from ones, so every row is the sum of all rows."""
        y = f(x)
        rows = np.zeros(y.shape + x.shape, y.dtype)
        for index in np.ndindex(y.shape):
            start = np.ones(y.shape, y.dtype)
            (row,) = grad(y, [x], constant(start))
            rows[index] = row.data
        return rows

    @instead("return rows")
    def transposed(x, rows):
        """The axes are the wrong way round: those of `f(x)` come first, then those of `x`."""
        size = len(x.shape)
        return np.moveaxis(rows, range(-size, 0), range(size))

    computed_again = edit("y,", "f(x),")
    """You compute `f` again for every row. One graph serves all walks."""

    flat = edit("return rows", "return rows.reshape(y.size, x.size)")
    """You returned a table. The axes stay: `f(x).shape + x.shape`."""


@exercise("higher.hessian", points=2, minutes=6)
class HESSIAN:
    """It is one line: `jacobian` of a function that returns a gradient. Which gradient can be
    differentiated again?
    """

    graph_forgotten = edit(", create_graph=True", "", lacks=(r"create_graph=True",))
    """Without `create_graph=True` the gradient is a constant, and every second derivative is 0."""

    jacobian_only = body("return jacobian(f, x)")
    """These are the first derivatives."""

    def row_sums(f, x):
        """You differentiated the sum of the gradient and put it on the diagonal. That is right only
        if no input meets another; in general each number of the gradient needs a walk of its
        own."""
        (g,) = grad(f(x), [x], create_graph=True)
        (total,) = grad(g.sum(), [x])
        return np.diag(total.data.ravel()).reshape(x.shape * 2)
