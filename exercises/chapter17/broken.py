"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

from typing import Any

BROKEN: dict[str, dict[str, Any]] = {
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
}
