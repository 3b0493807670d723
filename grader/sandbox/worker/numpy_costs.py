"""Bound how many products of two numbers a call of a NumPy function takes.

A function that no table here names counts by the sizes of what it reads and writes, so that none is
free because nobody thought of it. `tests/grader/test_numpy_costs.py` calls all public functions.
"""

from __future__ import annotations

import math

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from counting import Made

# No products: they move values, compare, add, or divide by how many there are.
LINEAR = {
    "__copy__", "__deepcopy__", "__getitem__", "__setitem__", "array", "asanyarray", "asarray",
    "ascontiguousarray", "asfortranarray", "astype", "byteswap", "copy", "copyto", "fill",
    "flatten", "from_dlpack", "frombuffer", "fromiter", "getfield", "setfield", "arange",
    "diag", "diagflat", "empty", "empty_like", "eye", "full", "full_like", "identity",
    "indices", "meshgrid", "ones", "ones_like", "tri", "tril", "triu", "zeros", "zeros_like",
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "bmat",
    "broadcast_arrays", "broadcast_to", "choose", "column_stack", "compress", "concat",
    "concatenate", "delete", "diagonal", "dstack", "expand_dims", "extract", "fill_diagonal",
    "flip", "fliplr", "flipud", "hstack", "insert", "matrix_transpose", "moveaxis", "pad",
    "permute_dims", "place", "put", "put_along_axis", "putmask", "ravel", "repeat", "require",
    "reshape", "resize", "roll", "rollaxis", "rot90", "select", "split", "squeeze", "stack",
    "swapaxes", "take", "take_along_axis", "tile", "transpose", "trim_zeros", "unstack",
    "vstack", "where", "all", "allclose", "any", "argmax", "argmin", "argpartition", "argsort",
    "argwhere", "array_equal", "bincount", "clip", "copysign", "count_nonzero", "digitize",
    "equal", "flatnonzero", "fmax", "fmin", "greater", "greater_equal", "heaviside", "isclose",
    "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "less", "less_equal",
    "lexsort", "logical_and", "logical_not", "logical_or", "logical_xor", "max", "maximum",
    "min", "minimum", "nanargmax", "nanargmin", "nanmax", "nanmin", "nonzero", "not_equal",
    "partition", "searchsorted", "sign", "signbit", "sort", "sort_complex", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "add", "around", "ceil",
    "conj", "conjugate", "cumsum", "cumulative_sum", "diff", "ediff1d", "fix", "floor", "imag",
    "mean", "median", "nan_to_num", "nancumsum", "nanmean", "nanmedian", "nansum", "negative",
    "positive", "ptp", "real", "rint", "round", "subtract", "sum", "trace", "trunc",
}  # fmt: skip
# Curves through one number at a time. (The exponential of a sum of logarithms is a free product.)
CURVES = {
    "absolute", "abs", "fabs", "acos", "acosh", "arccos", "arccosh", "arcsin", "arcsinh",
    "arctan", "arctanh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2",
    "expm1", "log", "log10", "log1p", "log2", "sin", "sinc", "sinh", "sqrt", "tan", "tanh",
}  # fmt: skip
# One product per element.
PRODUCTS = {
    "multiply", "divide", "true_divide", "square", "power", "float_power", "reciprocal", "prod",
    "cumprod", "var", "std", "norm", "kron", "cross",
}  # fmt: skip
# Products per element: the length of the first operand's last axis …
ROWS = {"matmul", "dot", "inner", "vecdot", "matvec", "vecmat"}
# … or the root of (size * size / result's size), as both hold the summed axes and the result does
# not: (3, 4) by (4, 5) gives 15 elements, each of isqrt(12 * 20 // 15) == 4 products.
BY_SIZES = {"tensordot", "outer", "vdot"}
# These find places or say yes and no: whole numbers that any other function makes of real ones
# are values, whose products count. (3 * 2 ** 20 is 3, written as a whole number.)
PLACES = {
    "argmax", "argmin", "argpartition", "argsort", "argwhere", "count_nonzero", "digitize",
    "flatnonzero", "nanargmax", "nanargmin", "nonzero", "searchsorted", "lexsort",
}  # fmt: skip
FOURIER = "numpy.fft"  # one product per element: a right convolution may go that way


def products(call: Made) -> int:
    """Return at most how many products of two numbers a call takes; `i * stride` is none."""
    name = call.name
    if name in LINEAR or name in CURVES and not call.is_complex:
        return 0
    if name == "einsum":
        return products_of_einsum(*call.args)
    found = _by_operands(call)
    if found is not None:
        return found
    return 0 if call.is_whole else _by_sizes(call)


def _by_operands(call: Made) -> int | None:
    """Return the products of a function whose operands tell them; None for any other."""
    name = call.name
    sizes: list[int] = [each.size for each in call.given.plain]
    if name in ROWS and len(call.args) > 1:
        first, second = map(np.shape, call.args[:2])
        return call.written * int(first[-1] if first and second else 1)
    if name in BY_SIZES and len(sizes) > 1:
        return call.written * math.isqrt(sizes[0] * sizes[1] // call.written)
    if name in ("convolve", "correlate") and len(sizes) > 1:
        return math.prod(sizes)
    return None


def _by_sizes(call: Made) -> int:
    """Return a bound that sizes tell: an element takes one product, or one for each of a row.

    Inverting a matrix of (n, n) takes some n ** 3, and so does one of shape (a, b, n), a * b == n.
    """
    arrays, ufunc = call.given.plain, ufunc_of(call.function)
    has_lists = any(type(each) in (list, tuple) for each in call.args)
    listed = call.given.numbers if has_lists else 1
    size: int = max(call.written, listed, *(each.size for each in arrays), 1)
    method = call.function.__name__ if ufunc else ""
    if method in ("at", "reduceat"):  # the places may be a list, and the same ones again
        size = max(size, np.size(call.args[1]))
    is_one = call.name in PRODUCTS and not _has_order(call) or ufunc and ufunc.signature is None
    is_fourier = (getattr(call.function, "__module__", "") or "").startswith(FOURIER)
    if (is_one or is_fourier) and method != "reduceat":
        return size
    longest: int = max(math.isqrt(size), listed, *(n for each in arrays for n in each.shape), 1)
    return size * longest


def ufunc_of(function: Any) -> Any:
    """Return the ufunc that a method is of, as `__call__` is; None for another function."""
    found = getattr(function, "__self__", None)
    return found if isinstance(found, np.ufunc) else None


def _has_order(call: Made) -> bool:
    """Whether this is a norm of a certain order: some need singular values."""
    return call.name == "norm" and (len(call.args) > 1 or "ord" in call.named)


def products_of_einsum(subscripts: Any, *operands: Any) -> int:
    """Return the products of an `einsum`: all letter combinations, times (operands - 1)."""
    if not isinstance(subscripts, str):
        return products_of_einsum(*letters_of(subscripts, *operands))
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    sizes: dict[str, int] = {}
    for term, operand in zip(terms, operands, strict=False):
        before, dots, after = term.partition("...")
        shape = np.shape(operand)
        middle = shape[len(before) : len(shape) - len(after)] if dots else ()
        sizes |= dict(zip(before, shape, strict=False))
        sizes |= dict(zip(after, shape[len(shape) - len(after) :], strict=False))
        for place, size in enumerate(reversed(middle)):
            sizes[f"...{place}"] = max(size, sizes.get(f"...{place}", 1))
    # `ij,jk->ik` of shapes (2, 3) and (3, 4): 2 * 3 * 4 combinations, one product each.
    return math.prod(sizes.values()) * max(1, len(terms) - 1)


def letters_of(*args: Any) -> tuple[Any, ...]:
    """Convert `einsum` arguments with axis numbers to subscripts with letters."""
    pairs = [args[place : place + 2] for place in range(0, len(args) - 1, 2)]
    terms = ["".join("..." if n is Ellipsis else chr(97 + n) for n in axes) for _, axes in pairs]
    return (",".join(terms), *(operand for operand, _ in pairs))
