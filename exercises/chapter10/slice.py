"""Indexing: `Slice`, and `Tensor.__getitem__`."""

from exercises.chapter3.sentences import DATA_ONLY, FORGOT_OUT_GRAD
from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

SPAN = slice  # this module has the name of the built-in
ALL = SPAN(None)
AXES = "An int removes its axis; axes without an index stay whole"

ROW = OpRow(
    op="Slice",
    forward=lambda a, index: a[index],
    torch=lambda torch, a, index: a[index],
    domain=(REAL,),
    samples=(
        shapes((4,), attrs=(slice(1, 3),)),
        shapes((3, 4), attrs=((slice(0, 2), slice(1, None)),)),
    ),
    groups=(
        SampleGroup(
            "ints",
            "{method} is right for ints: they remove their axis.",
            (shapes((3, 2), attrs=(1,)), shapes((2, 3, 2), attrs=((ALL, 2, slice(0, 1)),)),
             shapes((2, 3), attrs=((1, 0),))),
            taught=AXES,
        ),
        SampleGroup(
            "negative",
            "{method} is right for ints and slices that count from the end.",
            (shapes((5,), attrs=(slice(-4, -1),)), shapes((3, 4), attrs=((-1, slice(-2, None)),))),
            taught="Negative numbers count from the end",
        ),
        SampleGroup(
            "step",
            "{method} is right for slices with a step.",
            (shapes((5,), attrs=(slice(None, None, 2),)),
             shapes((2, 8), attrs=((ALL, slice(1, None, 3)),))),
            taught="`x[1::3]` picks every third value from place 1 on",
        ),
        SampleGroup(
            "fewer",
            "{method} leaves the axes whole that have no index.",
            (shapes((3, 2, 2), attrs=(slice(1, 3),)), shapes((2, 2, 3), attrs=((1, ALL),))),
            taught=AXES,
        ),
    ),
    taught={
        "forward": "NumPy's `a[self.index]`",
        "backward": "`out_grad` at the places that were picked, 0 elsewhere",
    },
)  # fmt: skip


@exercise("ops.Slice.forward", points=1, minutes=2)
class FORWARD:
    """`a` is a NumPy array and `self.index` a tuple of ints and slices. What can you put between
    the brackets of an array?

    Use the whole tuple at once. If NumPy returns a number, `np.asarray` turns it into an array.
    """

    def one_after_another(self, a):
        """You applied the parts of the index one after another, each to the first axis of what was
        left. Each part belongs to its own axis: give NumPy the whole tuple."""
        for part in self.index:
            a = a[part]
        return a

    first_part_only = edit("index", "index[0]")
    """You used the first part of the index only."""

    def axes_kept(self, a):
        """The values are right, but if the index is an int, its axis is still there, with size 1.
        An int removes its axis."""
        return a[tuple(p if isinstance(p, slice) else slice(p, p + 1 or None) for p in self.index)]


@exercise(
    "ops.Slice.backward",
    points=3,
    needs=(
        "chapter10.slice.forward",
        "chapter10.pad.forward",
        "chapter10.dilate.forward",
        "chapter3.reshape.forward",
    ),
)
class BACKWARD:
    """What was picked has to go back to the places from which it came. `places` names them: a range
    for each axis of `a`, with a start, a step and a length.

    Three steps. Bring back the axes that an int removed (`reshape`); move neighbours as far apart
    as they were (`dilate`); put zeros before and after (`pad`).

    There are `start` zeros before the first value. After the last one, add as many as are still
    missing to fill the axis.
    """

    not_spread = body("return out_grad")
    """Your gradient has the shape of what was picked. The gradient of `a` has the shape of `a`,
    with 0 where nothing was picked."""

    from_the_start = edit("each.start, size - each.start", "0, size")
    """You put the values at the beginning of each axis. They belong where they were picked from."""

    up_to_stop = edit("size - each.start - grad.shape[axis]", "size - each.stop")
    """You filled up what lies beyond the slice's `stop`. A step may end before that: what is
    missing is what the axis has more than your zeros and values together."""

    step_ignored = edit("each.step > 1", "False", lacks=(r"dilate\(\w{1,40}, each",))
    """With a step, the picked values were apart. In your gradient they are side by side."""

    axis_not_put_back = edit("reshape(out_grad, tuple(len(each) for each in picked))", "out_grad")
    """An int removed its axis. Bring it back, with size 1, before you put anything around it."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        mask = np.zeros(a.shape)
        mask[self.index] = 1
        return Tensor(mask)

    numpy_inside = RULE.detached


@exercise("chapter10.slice.getitem", targets=("tensor.Tensor.__getitem__",), points=1, minutes=1)
class GETITEM:
    """Python calls `x.__getitem__((1, 2))` for `x[1, 2]`. `ops.getitem` makes the node."""

    first_part_only = body(
        "return ops.getitem(self, index[0] if isinstance(index, tuple) else index)"
    )
    """That is right for one index. `x[1, 2]` passes both as one tuple, and you used only the
    first."""

    tuple_only = body("return ops.getitem(self, tuple(index))")
    """`index` is a tuple only if there are several; for `x[1]` it's the 1 itself."""

    data_only = body("return Tensor(self.data[index], dtype=self.dtype)", says=DATA_ONLY)
