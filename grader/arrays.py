"""Plain typed buffers: how the judge holds an array without importing NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

# dtype name → the letter of `memoryview.cast` and the size of an item.
FORMATS = {
    "float64": ("d", 8), "float32": ("f", 4), "bool": ("?", 1),
    "int64": ("q", 8), "int32": ("i", 4), "int16": ("h", 2), "int8": ("b", 1),
    "uint64": ("Q", 8), "uint32": ("I", 4), "uint16": ("H", 2), "uint8": ("B", 1),
}  # fmt: skip


class Array(NamedTuple):
    """A dtype's name, a shape, and the values as raw bytes in native order."""

    dtype: str
    shape: tuple[int, ...]
    data: Any

    @property
    def kind(self) -> str:
        """``float``, ``int`` or ``bool``."""
        return self.dtype.rstrip("0123456789").removeprefix("u")

    def values(self) -> list[Any]:
        """All values as plain Python numbers, in C order."""
        letter: Any = FORMATS[self.dtype][0]
        return list(memoryview(self.data).cast("B").cast(letter))

    def nested(self) -> object:
        """The values as lists inside lists; a plain number for a 0-d array."""
        if 0 in self.shape:
            return []  # its other axes may be as long as one likes to claim
        flat = iter(self.values())

        def build(shape: tuple[int, ...]) -> object:
            if not shape:
                return next(flat)
            return [build(shape[1:]) for _ in range(shape[0])]

        return build(self.shape)

    def text(self) -> str:
        """What the bytes say, for an array that carries text."""
        return bytes(self.data).decode("utf-8", "replace")
