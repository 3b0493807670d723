"""Mistakes that the ops of this chapter share: only the body differs from op to op."""

from grader.course import Mistake

LEFT = (
    "You compared the shapes from the left. Broadcasting lines them up at their right ends: axis 0 "
    "of a `(3,)` is axis 1 of a `(2, 3)`."
)
# Two shapes side by side as they are, and nothing that could have made them equally long.
SIDE_BY_SIDE = (
    r"(?s)^(?!.*(\bndim\b|\blen\(|\(1,\)|\[1\]|reversed|::-1|insert|longest))"
    r".*\bzip\([\w.]*shape, [\w.]*shape\)"
)


OWN_DTYPE = (r"\bdtype=\w+\.",)  # of the Tensor beside the number


def left(name: str, body: str) -> Mistake:
    """A sum over the axes at which two shapes differ, counted from the left."""
    return Mistake(name, body, LEFT, shown_by=SIDE_BY_SIDE if "zip(" in body else "")


def in_place(body: str) -> Mistake:
    """A forward that writes its result into the array it was given."""
    return Mistake(
        "in-place", body,
        "You wrote the result into the caller's array, so that input is lost. Make a new array.",
    )  # fmt: skip


def float32(body: str) -> Mistake:
    """A forward that casts its result."""
    return Mistake(
        "float32", body,
        "You cast to float32. The op keeps the dtype that it is given; which one that is, is the "
        "business of whoever made the Tensor.",
    )  # fmt: skip


def epsilon(body: str) -> Mistake:
    """A forward or backward that keeps away from a division by 0."""
    return Mistake(
        "epsilon", body,
        "You added a small number, as one does to keep away from 0. That is another function: "
        "near 0 its values are far from the right ones.",
        shown_by=r"\+ (1e-\d+|eps\w*)\b",
    )  # fmt: skip


def forgot_out_grad(body: str) -> Mistake:
    """A backward that returns the local derivative."""
    return Mistake(
        "forgot-out-grad", body,
        "This is the local derivative alone. It must be multiplied by `out_grad`, the gradient "
        "that arrived from above.",
    )  # fmt: skip


def numpy_inside(body: str) -> Mistake:
    """A backward with the right numbers, made of arrays instead of Tensors."""
    return Mistake(
        "numpy-inside", body,
        "The numbers are right, but you computed them with NumPy on `.data`, and no graph "
        "remembers that. Use Tensor operations: then this gradient has a gradient too.",
    )  # fmt: skip


def data_only(body: str) -> Mistake:
    """An operator that computes values and records nothing."""
    return Mistake(
        "data-only", body,
        "The values are right, but the result is a leaf: it does not know what it was made "
        "from. Go through `ops`, which records the graph.",
    )  # fmt: skip


def number_as_tensor(body: str) -> Mistake:
    """An operator that hands a plain number to an op of two tensors."""
    return Mistake(
        "number-as-tensor", body,
        "With two Tensors this is right. But `other` may be a plain number, and a number has no "
        "`.data`. That case needs a line of its own.",
    )  # fmt: skip


def asks_for_ndarray(op: str, scalar: str) -> Mistake:
    """An operator that takes a Tensor for a number, because it asks for the wrong type."""
    return Mistake(
        "asks-for-ndarray",
        f"if isinstance(other, NDArray):\n    return ops.{op}(self, other)\nreturn {scalar}",
        "You ask whether `other` is an NDArray. A Tensor is none, it only holds one, so it takes "
        "the way that is meant for numbers: ask `isinstance(other, Tensor)`.",
        has=(r"isinstance\(other, \(?(?:NDArray|np\.ndarray)",),
    )  # fmt: skip


def bare_number(body: str) -> tuple[Mistake, ...]:
    """An operator that wraps a number without saying how, or with one keyword of the two."""
    return (
        Mistake(
            "bare-number", body,
            "You wrapped the number in a Tensor without the two keywords. So it is rounded to "
            "float32, and it asks for a gradient that nobody wants: give it `dtype=self.dtype` and "
            "`requires_grad=False`.",
            lacks=OWN_DTYPE,
        ),
        Mistake(
            "number-with-gradient",
            body.replace("Tensor(other)", "Tensor(other, dtype=self.dtype)"),
            "The values are right. But a Tensor requires a gradient unless you say otherwise, and "
            "that of a plain number is worked out for nobody: wrap it with `requires_grad=False`.",
            has=OWN_DTYPE,
        ),
    )  # fmt: skip


def wrapped_again(body: str) -> Mistake:
    """An operator that makes a new Tensor even of a Tensor."""
    return Mistake(
        "wrapped-again", body,
        "You made a new Tensor of `other` even where it was one. The values are the same, but "
        "the graph holds the copy, so the gradient never reaches the original.",
    )  # fmt: skip
