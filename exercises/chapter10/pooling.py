"""`tiles`, `MaxPool2d` and `AvgPool2d`: images made smaller."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

CUT = """
batch, channels, height, width = x.shape
rows, columns = height // size, width // size
x = x[:, :, : rows * size, : columns * size]
return x.reshape(batch, channels, rows, size, columns, size)
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in CUT
    return CUT.replace(old, new)


TILES = Exercise(
    "chapter10.tiles",
    section="10.9",
    targets=("nn.tiles",),
    points=2,
    minutes=10,
    difficulty=2,
    needs=("chapter10.slice.getitem", "chapter3.reshape.method"),
    hints=(
        "How many tiles fit below each other? Cut off what does not fit, with a slice.",
        "One row of pixels after the other: a column of `rows * size` pixels is `rows` groups of "
        "`size` neighbours. A reshape alone makes two axes of one.",
    ),
    mistakes=(
        Mistake(
            "remainder-kept", edit=("x = x[:, :, : rows * size, : columns * size]\n", ""),
            says="Where rows or columns are left over, the reshape fails: cut them off first.",
        ),
        Mistake(
            "axes-swapped", but("rows, size, columns, size)", "size, rows, size, columns)"),
            "The order of the two new axes is turned round: neighbours then end up in different "
            "tiles. The first of the two counts tiles, the second goes through one.",
        ),
        Mistake(
            "cut-at-the-beginning",
            but("x[:, :, : rows * size, : columns * size]",
                "x[:, :, height - rows * size :, width - columns * size :]"),
            "You cut off the first rows and columns. What is left over lies at the bottom and at "
            "the right.",
        ),
        Mistake(
            "data-only", but("return x.reshape(batch, channels, rows, size, columns, size)",
                             "values = x.data.reshape(batch, channels, rows, size, columns, size)\n"
                             "return Tensor(values, dtype=x.dtype)"),
            LEAF,
        ),
    ),
)  # fmt: skip

MAX = Exercise(
    "chapter10.maxpool2d.forward",
    section="10.9",
    targets=("nn.MaxPool2d.forward",),
    points=2,
    minutes=3,
    needs=("chapter10.tiles", "chapter10.max.method", "chapter10.max.backward"),
    hints=("Which two axes of the tiles run *inside* a tile? Their maximum is asked for.",),
    mistakes=(
        Mistake(
            "over-the-tiles", "return tiles(x, self.kernel_size).max((2, 4))",
            "You compared values of different tiles that stand at the same place. The maximum is "
            "over the values of one tile.",
        ),
        Mistake(
            "mean", "return tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size**2",
            "This is the mean of each tile.",
        ),
        Mistake(
            "whole-image", "return x.max((2, 3))",
            "You took one maximum for the whole image.",
        ),
        Mistake(
            "to-everyone",
            "each = tiles(x, self.kernel_size)\nspread = each.sum((3, 5))\n"
            "return spread + each.max((3, 5)).detach() - spread.detach()",
            "The values are right, but every value of a tile gets the gradient. Only the largest "
            "one moves the maximum.",
        ),
        Mistake(
            "data-only",
            "out = tiles(x, self.kernel_size).max((3, 5))\n"
            "return Tensor(out.data, dtype=out.dtype)",
            LEAF,
        ),
    ),
)  # fmt: skip

AVERAGE = Exercise(
    "chapter10.avgpool2d.forward",
    section="10.9",
    targets=("nn.AvgPool2d.forward",),
    points=1,
    minutes=3,
    needs=("chapter10.tiles",),
    hints=("A sum over the two axes inside a tile, divided by how many values that are.",),
    mistakes=(
        Mistake(
            "summed", "return tiles(x, self.kernel_size).sum((3, 5))",
            "This is the sum of each tile; its mean is asked for.",
        ),
        Mistake(
            "divided-by-the-side",
            "return tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size",
            "You divided by the side of a tile. A tile has `kernel_size ** 2` values.",
        ),
        Mistake(
            "over-the-tiles",
            "return tiles(x, self.kernel_size).sum((2, 4)) / self.kernel_size**2",
            "You added values of different tiles that stand at the same place.",
        ),
        Mistake(
            "largest", "return tiles(x, self.kernel_size).max((3, 5))",
            "This is the largest value of each tile.",
        ),
        Mistake(
            "data-only",
            "out = tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size**2\n"
            "return Tensor(out.data, dtype=out.dtype)",
            LEAF,
        ),
    ),
)  # fmt: skip
