"""Programs for convolutions: many sizes in one call, and what is no convolution."""

import numpy as np

from .harness import Complaint, array_of, input_gradients, leaf, made_by

Case = tuple[int, ...]  # (batch, height, width, channels, filters, kernel, stride, padding)

MEANS = {
    "raises": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
}


def drawn(case, start):
    """Images, kernels, a cotangent, and weights for the gradients of both; the same each time."""
    batch, height, width, channels, filters, kernel, stride, padding = case
    rows, columns = ((size + 2 * padding - kernel) // stride + 1 for size in (height, width))
    images, kernels = (batch, height, width, channels), (kernel, kernel, channels, filters)
    rng = np.random.RandomState(start % (1 << 32))
    wanted = (images, kernels, (batch, rows, columns, filters), images, kernels)
    return [rng.uniform(-2, 2, shape) for shape in wanted]


def outputs(bg, cases, start):
    """Conv.forward is right in many combinations of size, stride and padding."""
    totals = []
    for number, case in enumerate(cases):
        a, b, weights, *_ = drawn(case, start + number)
        out = array_of(bg.ops.Conv(*case[6:]).forward(a, b), "Conv.forward")
        totals.append(total(weights, out, case))
    return [np.array(totals, dtype=out.dtype)]


def gradients(bg, cases, start):
    """Conv.backward is right in many combinations of size, stride and padding."""
    totals = []
    for number, case in enumerate(cases):
        a, b, cotangent, *weights = drawn(case, start + number)
        out = made_by(bg.ops.Conv(*case[6:])(leaf(bg, a), leaf(bg, b)), "Conv")
        found = input_gradients(bg, out, leaf(bg, cotangent, requires_grad=False))
        totals.append([total(w, g.data, case) for w, g in zip(weights, found)])  # noqa: B905
    # What one float32 step has rounded is to be judged as float32.
    both = np.array(totals, dtype=min((g.data.dtype for g in found), key=lambda d: d.itemsize))
    return {"gradient": [np.array(column) for column in both.T]}


def total(weights, array, case):
    """One number for a whole array, which has to have the shape of its weights."""
    if np.shape(array) != weights.shape:
        batch, height, width, channels, filters, kernel, stride, padding = case
        raise Complaint(
            f"For images {(batch, height, width, channels)}, kernels "
            f"{(kernel, kernel, channels, filters)}, stride {stride} and padding {padding} the "
            f"shape is {np.shape(array)}, not {weights.shape}."
        )
    return np.sum(weights * array)


def raises(bg, a, b):
    """Conv.forward raises ValueError for a kernel that does not fit."""
    try:
        bg.ops.Conv().forward(a, b)
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]
