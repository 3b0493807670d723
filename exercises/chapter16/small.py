"""Weights in a byte each."""

from grader.course import body, edit, exercise


@exercise("inference.quantise", points=2, minutes=12)
class QUANTISE:
    """One scale for each row: the largest absolute value along axis 1, divided by 127.

    `np.rint` rounds to the nearest whole number; `astype("int8")` alone cuts off.

    A row of zeros has no largest value to divide by. `np.where` gives it the scale 1.
    """

    cut_off = edit("np.rint(weight / scales[:, None])", "(weight / scales[:, None])")
    """You cut the fraction off. Round to the nearest: cutting off is wrong by up to a whole
    scale."""

    rounded_down = edit("np.rint", "np.floor")
    """You rounded down. Round to the nearest: down is wrong by up to a whole scale."""

    half_added = edit("np.rint(weight / scales[:, None])", "(weight / scales[:, None] + 0.5)")
    """You added a half and cut the fraction off. Below zero, cutting off goes up: there you don't
    get the nearest number."""

    def powers_of_two(weight):
        """You took a power of two for a scale, so the largest value of a row gets a smaller code
        than 127. The scale is its 127th part, as it comes."""
        largest = np.abs(weight).max(axis=1)
        scales = np.where(largest > 1e-35, largest / 127, 1.0).astype("float32")
        scales = (2.0 ** np.ceil(np.log2(scales))).astype("float32")
        return np.rint(weight / scales[:, None]).astype("int8"), scales

    clipped = edit(
        ("np.abs(weight).max(axis=1)", "np.percentile(np.abs(weight), 99, axis=1)"),
        ("np.rint(weight / scales[:, None])",
         "np.clip(np.rint(weight / scales[:, None]), -127, 127)"),
        shown_by=r"\b(?:nan)?(?:percentile|quantile)\(|\bstd\(",
    )  # fmt: skip
    """Your scale is made for most values of a row, and the largest don't fit it. Take the largest
    absolute value of the row: then each has a code."""

    one_scale = edit("np.abs(weight).max(axis=1)",
                     "np.full(len(weight), np.abs(weight).max())")  # fmt: skip
    """You took one scale for the whole matrix. A row of small numbers then has hardly any codes
    left. Each row has a scale of its own."""

    by_column = edit(
        ("axis=1", "axis=0"),
        ("scales[:, None]", "scales[: weight.shape[1]]"),
    )
    """You took a scale for each column. Each *row* has one."""

    largest_value = edit("np.abs(weight)", "weight")
    """You took the largest value. A negative one may be larger still, and its code doesn't fit into
    a byte: take absolute values."""

    by_128 = edit("largest / 127, 1.0", "largest / 128, 1.0")
    """With 128 the largest value gets the code 128, which int8 doesn't have: it becomes -128. The
    codes go up to 127."""

    no_row_of_zeros = edit("np.where(largest > 1e-35, largest / 127, 1.0)", "(largest / 127)")
    """A row of zeros has the scale 0, and 0 / 0 is nan. Its scale is 1."""

    whole_spread = edit("np.abs(weight).max(axis=1)",
                        "weight.max(axis=1) - weight.min(axis=1)")  # fmt: skip
    """You divided the whole spread of a row by 127, so half of the codes are never used. Divide the
    largest absolute value."""

    wide_codes = edit('.astype("int8"), scales', ", scales")
    """The codes are whole numbers, but each still takes as much room as before. Make them int8."""

    wide_scales = edit('1.0).astype("float32")', "1.0)")
    """The scales should be float32."""


@exercise("inference.restore", points=1, minutes=3)
class RESTORE:
    """A scale belongs to a whole row: bring it into a column before you multiply."""

    by_column = body("return codes * scales[: codes.shape[1]]")
    """You multiplied each column by a scale. A scale belongs to a row."""

    divided = edit("*", "/")
    """You divided. A code is the value divided by its scale; go back."""

    codes_only = body('return codes.astype("float32")')
    """These are the codes themselves. Multiply each by the scale of its row."""

    one_scale = edit("scales[:, None]", "scales[0]")
    """You used the first scale for every row."""

    times_127 = edit("scales[:, None]", "(scales[:, None] * 127)")
    """You multiplied by 127 as well. That is in the scale already."""

    in_float64 = edit("codes *", 'codes.astype("float64") *')
    """The values are right, but in float64. float32 is all that the codes know."""


@exercise(
    "chapter16.smalllinear",
    targets=("inference.SmallLinear.forward",),
    points=2,
    needs=("chapter16.quantise",),
)
class FORWARD:
    """The codes have a row for each output. To multiply from the right they have to be turned:
    `(rows, in) @ (in, out)`.

    int8 times float32 is slow, and int8 times int8 overflows: turn the codes into the dtype of `x`
    first.

    Each result has one scale: the one of its output.
    """

    no_scales = edit(" * self.scales", "")
    """The scales are missing: these are sums of codes."""

    scales_after_the_bias = edit(
        ("(x.data @ self.codes.T.astype(x.dtype)) * self.scales",
         "x.data @ self.codes.T.astype(x.dtype)"),
        ("return Tensor(out, dtype=x.dtype)", "return Tensor(out * self.scales, dtype=x.dtype)"),
    )  # fmt: skip
    """You scaled the bias, too. It never was a code."""

    no_bias = edit(("if self.bias is not None:", ""), ("out = out + self.bias", ""))
    """The bias is missing."""

    def needs_a_bias(self, x):
        """Not every layer has a bias: `self.bias` may be None."""
        out = (x.data @ self.codes.T.astype(x.dtype)) * self.scales
        if True:
            out = out + self.bias
        return Tensor(out, dtype=x.dtype)

    inputs_scaled = edit(
        "(x.data @ self.codes.T.astype(x.dtype)) * self.scales",
        "(x.data * self.scales[0]) @ self.codes.T.astype(x.dtype)",
    )
    """You scaled the inputs, all by the first scale. A scale belongs to an output."""

    restored_first = edit(
        "(x.data @ self.codes.T.astype(x.dtype)) * self.scales",
        "x.data @ (self.codes * self.scales[:, None].astype(x.dtype)).T",
    )
    """The values are right, but you multiply every code by its scale before you begin, for each
    call again. Multiply the results: there are fewer of them."""

    x_in_bytes = edit("x.data @ self.codes.T.astype(x.dtype)",
                      "np.rint(x.data) @ self.codes.T.astype(x.dtype)")  # fmt: skip
    """You rounded `x`. Only the weights are rounded."""

    whole_numbers = edit(
        "(x.data @ self.codes.T.astype(x.dtype))",
        '(x.data.astype("int8") @ self.codes.T).astype(x.dtype)',
    )
    """int8 times int8 overflows, and `x` loses its fractions. Turn the *codes* into the dtype of
    `x`."""

    an_array = edit("Tensor(out, dtype=x.dtype)", "out")
    """You returned an ndarray. A layer gives a Tensor."""
