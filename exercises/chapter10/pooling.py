"""`tiles`, `MaxPool2d` and `AvgPool2d`: images made smaller."""

from exercises.chapter4.activations import LEAF
from grader.course import body, edit, exercise, mistake


@exercise("nn.tiles", points=2, needs=("chapter10.slice.getitem", "chapter3.reshape.method"))
class TILES:
    """How many tiles fit below one another? Cut off what doesn't fit, with a slice.

    One row of pixels after the other: a column of `rows * size` pixels is `rows` groups of `size`
    neighbours. A reshape alone turns one axis into two.
    """

    remainder_kept = edit("x = x[:, :, : rows * size, : columns * size]", "")
    """If rows or columns are left over, the reshape fails: cut them off first."""

    axes_swapped = edit("rows, size, columns, size", "size, rows, size, columns")
    """The two new axes are in the wrong order: neighbours then end up in different tiles. The first
    of the two counts tiles, the second goes through one."""

    cut_at_the_beginning = edit(
        ": rows * size, : columns * size", "height - rows * size :, width - columns * size :"
    )
    """You cut off the first rows and columns. What is left over is at the bottom and at the
    right."""

    @mistake(says=LEAF)
    def data_only(x, size):
        batch, channels, height, width = x.shape
        rows, columns = height // size, width // size
        x = x[:, :, : rows * size, : columns * size]
        values = x.data.reshape(batch, channels, rows, size, columns, size)
        return Tensor(values, dtype=x.dtype)


@exercise(
    "nn.MaxPool2d.forward",
    points=2,
    minutes=3,
    needs=("chapter10.tiles", "chapter10.max.method", "chapter10.max.backward"),
)
class MAX:
    """Which two axes of the tiles run *inside* a tile? Take their maximum."""

    over_the_tiles = edit("3, 5", "2, 4")
    """You compared values at the same place in different tiles. The maximum is over the values of
    one tile."""

    mean = edit("max((3, 5))", "sum((3, 5)) / self.kernel_size**2")
    """This is the mean of each tile."""

    whole_image = body("return x.max((2, 3))")
    """You took one maximum for the whole image."""

    def to_everyone(self, x):
        """The values are right, but every value of a tile gets the gradient. Only the largest one
        moves the maximum."""
        each = tiles(x, self.kernel_size)
        spread = each.sum((3, 5))
        return spread + each.max((3, 5)).detach() - spread.detach()

    @mistake(says=LEAF)
    def data_only(self, x):
        out = tiles(x, self.kernel_size).max((3, 5))
        return Tensor(out.data, dtype=out.dtype)


@exercise("nn.AvgPool2d.forward", points=1, minutes=3)
class AVERAGE:
    """A sum over the two axes inside a tile, divided by how many values that are."""

    summed = edit(" / self.kernel_size**2", "")
    """This is the sum of each tile; return its mean."""

    divided_by_the_side = edit("**2", "")
    """You divided by the side of a tile. A tile has `kernel_size ** 2` values."""

    over_the_tiles = edit("3, 5", "2, 4")
    """You added values at the same place in different tiles."""

    largest = body("return tiles(x, self.kernel_size).max((3, 5))")
    """This is the largest value of each tile."""

    @mistake(says=LEAF)
    def data_only(self, x):
        out = tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size**2
        return Tensor(out.data, dtype=out.dtype)
