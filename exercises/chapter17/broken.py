"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

from typing import Any

BEHIND = "index += (slice(None),) * (len(self.shape) - len(index))\n"

BROKEN: dict[str, dict[str, Any]] = {
    "ndarray.offset_of": {
        "index: one int for each axis;": (
            "if len(index) != len(shape):",
            "if isinstance(index, list):\n    index = index[::-1]\nif len(index) != len(shape):",
        ),
    },
    "ndarray.NDArray.broadcast_to": {
        "new axes may stand in front.": (
            "[0] * new", "[int(len(self.shape) == 1 != self.shape[0])] * new",
        ),
    },
    "ndarray.NDArray.__getitem__": {
        "index: an int or a slice,": ("else (index,)", "else (slice(None),)"),
        "the axes behind stay whole.": (
            (BEHIND, ""), ("self.strides, strict=True)", "self.strides)"),
        ),
        "An int takes its axis away,": (
            "offset += offset_of([part], (size,), (stride,))",
            "offset += offset_of([part], (size,), (stride,))\n        shape.append(1)\n"
            "        strides.append(stride)",
        ),
        "and a negative one counts from the end.": (
            "offset_of([part], (size,), (stride,))", "part * stride",
        ),
        "its step may be negative.": (
            "part.indices(size)",
            "(part if part != slice(None, None, -1) else slice(0, None, -1)).indices(size)",
        ),
    },
    "ndarray.NDArray.__setitem__": {
        "value: a number, or an NDArray,": ("NDArray([value], ())", "NDArray([value + 1], ())"),
    },
    "ndarray.reduce": {
        "axes: an axis, or several;": (
            "if isinstance(axes, int) else axes",
            "if isinstance(axes, int) else axes[:1] if isinstance(axes, list) else axes",
        ),
        "keepdims: whether the axes stay, with size 1;": ("if keepdims:", "if False:"),
        "else they are gone.": ("if keepdims:", "if True:"),
    },
    "ndarray.matmul": {
        "Both may be views with any strides.": (
            ("a.strides, a.offset", "row_major_strides(a.shape), a.offset"),
            ("b.strides, b.offset", "row_major_strides(b.shape), b.offset"),
        ),
        "ValueError: one of them has not two axes,": (
            "len(a.shape) != 2 or len(b.shape) != 2 or ",
            "",
        ),
    },
}  # fmt: skip
