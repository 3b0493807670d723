"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, before, broken, edit, instead


@broken("ndarray.offset_of")
class OFFSET_OF:
    @before("if len(index) != len(shape):")
    def index_one_int_for_each(index):
        """index: one int for each axis;"""
        if isinstance(index, list):
            index = index[::-1]


@broken("ndarray.NDArray")
class NDARRAY:
    @after("shape, strides = [", target="ndarray.NDArray.transpose")
    def nothing_but_setitem_changes(self, strides):
        """Nothing but `__setitem__` changes an array that is there already,"""
        self.strides = tuple(strides)

    @after("order = [axis + count", target="ndarray.NDArray.transpose")
    def nothing_changes_a_list(axes, order):
        """and nothing changes a list that it is given."""
        if isinstance(axes, list):
            axes[:] = order


@broken("ndarray.NDArray.broadcast_to")
class NDARRAY_BROADCAST_TO:
    new_axes_may_stand = edit("[0] * new", "[int(len(self.shape) == 1 != self.shape[0])] * new")
    """new axes may stand in front."""


@broken("ndarray.NDArray.__getitem__")
class NDARRAY_GETITEM:
    index_an_int = edit("else (index,)", "else (slice(None),)")
    """index: an int or a slice,"""

    @instead(
        "index += (slice(None),)",
        "shape, strides, offset = [], [], self.offset",
        edits=(("self.strides, strict=True)", "self.strides)"),),
    )
    def the_axes_behind_stay_whole(self):
        """the axes behind stay whole."""
        shape, strides, offset = [], [], self.offset

    @after("offset += offset_of([part],")
    def an_int_takes_its_axis(shape, stride, strides):
        """An int takes its axis away,"""
        shape.append(1)
        strides.append(stride)

    a_negative_one_counts_from = edit("offset_of([part], (size,), (stride,))", "part * stride")
    """and a negative one counts from the end."""

    its_step_may_be_negative = edit(
        "part.indices(size)",
        "(part if part != slice(None, None, -1) else slice(0, None, -1)).indices(size)",
    )
    """its step may be negative."""


@broken("ndarray.NDArray.__setitem__")
class NDARRAY_SETITEM:
    value_a_number = edit("NDArray([value], ())", "NDArray([value + 1], ())")
    """value: a number, or an NDArray,"""


@broken("ndarray.reduce")
class REDUCE:
    axes_an_axis_or_several = edit(
        "if isinstance(axes, int) else axes",
        "if isinstance(axes, int) else axes[:1] if isinstance(axes, list) else axes",
    )
    """axes: an axis, or several;"""

    keepdims_whether_the_axes_stay = edit("if keepdims:", "if False:")
    """keepdims: whether the axes stay, with size 1;"""

    else_they_are_gone = edit("if keepdims:", "if True:")
    """else they are gone."""


@broken("ndarray.matmul")
class MATMUL:
    both_may_be_views = edit(
        ("a.strides, a.offset", "row_major_strides(a.shape), a.offset"),
        ("b.strides, b.offset", "row_major_strides(b.shape), b.offset"),
    )
    """Both may be views with any strides."""

    valueerror_one_of_them_has = edit("len(a.shape) != 2 or len(b.shape) != 2 or ", "")
    """ValueError: one of them has not two axes,"""
