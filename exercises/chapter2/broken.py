"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import body, broken, edit


@broken("tensor.Tensor.__init__")
class TENSOR_INIT:
    whatever_data_had = edit(
        "np.array(data, dtype=dtype)", "np.array(data, dtype=getattr(data, 'dtype', dtype))"
    )
    """whatever `data` had."""


@broken("tensor.Tensor.one_hot")
class TENSOR_ONE_HOT:
    indices_integers_of_any_shape = edit(
        "indices = indices.data", "indices = [int(index) for index in indices.data]"
    )
    """`indices`: integers of any shape…"""

    def which_stays_as_it_was(indices, num_classes, *, device, dtype, requires_grad):
        """which stays as it was;"""
        if isinstance(indices, Tensor):
            indices.data = indices.data.astype(int)
            indices = indices.data
        rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)


@broken("tensor.Tensor.shape")
class TENSOR_SHAPE:
    for_a_single_number = body("return self.data.shape or (1,)")
    """`()` for a single number."""
