"""Sentences that several mistakes share from chapter 3 on."""

LEFT = (
    "You compared the shapes from the left. Broadcasting lines them up at their right ends: axis 0 "
    "of a `(3,)` is axis 1 of a `(2, 3)`."
)
# Two shapes side by side as they are, and nothing that could have made them equally long.
SIDE_BY_SIDE = (
    r"(?s)^(?!.*(\bndim\b|\blen\(|\(1,\)|\[1\]|reversed|::-1|insert|longest))"
    r".*\bzip\([\w.]{0,60}shape, [\w.]{0,60}shape\)"
)
OWN_DTYPE = (r"\bdtype=\w+\.",)  # of the Tensor beside the number
IN_PLACE = "You wrote the result into the caller's array, so that input is lost. Make a new array."
FLOAT32 = (
    "You cast to float32. The dtype is chosen when a Tensor is made, and an op keeps the dtype of "
    "its inputs."
)
EPSILON = (
    "You added a small number to keep away from 0. That makes it another function: near 0, its "
    "values are far from the right ones."
)
DATA_ONLY = (
    "The values are right, but the result is a leaf: it doesn't know what it was made from. Go "
    "through `ops`, which records the graph."
)
SWAPPED_NUMBER = (r"_scalar\((?!self\b)",)  # the number has its own line: its arguments are swapped
ASKS_FOR_NDARRAY = (
    "You ask whether `other` is an NDArray. A Tensor isn't one, it only holds one. So it takes the "
    "branch for numbers: ask `isinstance(other, Tensor)`."
)
NUMBER_AS_TENSOR = (
    "With two Tensors this is right. But `other` may be a plain number, and a number has no "
    "`.data`. That case needs a line of its own."
)
WRAPPED_AGAIN = (
    "You made a new Tensor from `other` even if it was one already. The values are the same, but "
    "the graph holds the copy, so the gradient never reaches the original."
)
BARE_NUMBER = (
    "You wrapped the number in a Tensor without the two keywords. So it's rounded to float32, and "
    "it requires a gradient that nobody needs: give it `dtype=self.dtype` and "
    "`requires_grad=False`."
)
NUMBER_WITH_GRADIENT = (
    "The values are right. But a Tensor requires a gradient unless you say otherwise, and nobody "
    "needs the gradient of a plain number: wrap it with `requires_grad=False`."
)
FORGOT_OUT_GRAD = (
    "This is the local derivative alone. It must be multiplied by `out_grad`, the gradient that "
    "arrived from above."
)
NUMPY_INSIDE = (
    "The numbers are right, but you computed them with NumPy on `.data`, and no graph remembers "
    "that. Use Tensor operations: then this gradient has a gradient too."
)
SWAPPED = "Both gradients are right, but they are swapped: a's gradient comes first, then b's."
TUPLE_ONLY = "`self.axes` may be a single int, and an int can't be looped over."
ONE_BY_ONE = (
    "You sum over one axis after the other. Each sum removes an axis, so those after it move up, "
    "and the next number means another axis. Sum over all at once, or from the last axis to the "
    "first."
)
LAST_PATH = (
    "A tensor that was used twice gets a gradient from each use. You kept the last one; the "
    "gradients of all paths add up."
)
SHARED = (
    "`+=` changes an array in place. An op may pass the same array to both of its inputs, as Add "
    "does; adding to one then adds to the other as well."
)
