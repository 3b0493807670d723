"""`Tensor.__init__`: five fields, and a copy."""

from grader.course import after, before, edit, exercise


@exercise("chapter2.init", targets=("tensor.Tensor.__init__",), points=4)
class EXERCISE:
    """Five fields: `data`, `grad`, `requires_grad`, `_op`, `_inputs`. Only the first needs thought.

    NumPy already turns numbers, lists and arrays into an ndarray of the dtype that you ask for. It
    has two functions for that; one of them always copies.

    NumPy can't read a Tensor. Ask with `isinstance` first, and take the array out of it.
    """

    dtype_ignored = edit(", dtype=dtype", "")
    """You never used `dtype`, so NumPy chose one by looking at the data. The caller's `dtype`
    decides, and it's float32 if the caller says nothing."""

    always_float32 = edit("dtype=dtype", 'dtype="float32"')
    """You made float32 whatever the caller asked for. float32 is the default, not the rule."""

    always_float64 = edit("dtype=dtype", "dtype=np.float64")
    """You made float64 whatever the caller asked for. Use the parameter `dtype`."""

    through_float32 = edit("(data, dtype=dtype)", "(data, dtype='float32').astype(dtype)")
    """You converted to float32 first and to `dtype` afterwards. The second step can't bring back
    the digits that the first one dropped."""

    alias = edit(
        "array",
        "asarray",
        seen="https://github.com/HandreBez/autograd-from-scratch/blob/a832967ea1/engine/tensor.py",
    )
    """`np.asarray` copies only when it must convert. With an array that has the right dtype
    already, your tensor and the caller share one array."""

    def tensor_alias(self, data, *, device, dtype, requires_grad):
        """You copy lists and arrays, but a tensor made from a Tensor shares its array with it:
        writing to one changes the other."""
        if isinstance(data, Tensor):
            self.data = data.data.astype(dtype, copy=False)
        else:
            self.data = np.array(data, dtype=dtype)
        self.grad = None
        self.requires_grad = requires_grad
        self._op = None
        self._inputs = []

    tensor_not_opened = edit(("if isinstance(data, Tensor):", ""), ("data = data.data", ""))
    """`data` may be a Tensor too, and NumPy doesn't know what to do with one. The values are in its
    `data`."""

    kept_as_it_came = edit("np.array(data, dtype=dtype)", "data")
    """You kept the object that the caller passed: a list stays a list, and an array stays the
    caller's own. `data` has to be an ndarray of your own, of the dtype that was asked for."""

    one_axis_at_least = edit("dtype=dtype", "dtype=dtype, ndmin=1")
    """A single number became an array with one axis, of shape `(1,)`. It has no axes: its shape is
    `()`."""

    @before("data = data.data")
    def tensor_dtype_kept(data):
        """Your tensor kept the dtype of the Tensor that it was made from. Only the values come from
        there; the dtype comes from the call."""
        dtype = data.data.dtype

    @before("data = data.data")
    def tensor_requires_grad_kept(data):
        """Your tensor kept the `requires_grad` of the Tensor that it was made from. Only the values
        come from there; `requires_grad` comes from the call."""
        requires_grad = data.requires_grad

    def tensor_history_kept(self, data, *, device, dtype, requires_grad):
        """A tensor made from the result of an operation kept its `_op` and `_inputs`. A new tensor
        is a leaf, whatever its values were before."""
        history = (data._op, data._inputs) if isinstance(data, Tensor) else (None, [])

        if isinstance(data, Tensor):
            data = data.data
        self.data = np.array(data, dtype=dtype)

        self.grad = None
        self.requires_grad = requires_grad
        self._op = None
        self._inputs = []
        self._op, self._inputs = history

    @after("self._inputs: list[Tensor] = []")
    def grad_of_zeros(self):
        """`grad` starts as zeros here. Zeros would mean that a gradient was computed and that
        nothing depends on this tensor; before that, it is None."""
        self.grad = np.zeros_like(self.data)

    @after("self._inputs: list[Tensor] = []")
    def zeros_if_required(self, requires_grad):
        """If a gradient is required, your `grad` starts as zeros. It starts as None on every
        tensor, until a gradient is computed."""
        if requires_grad:
            self.grad = np.zeros_like(self.data)

    @after("self._inputs: list[Tensor] = []")
    def requires_grad_fixed(self):
        """You set `requires_grad` to True and ignored what the caller passed."""
        self.requires_grad = True

    @after("self._inputs: list[Tensor] = []")
    def requires_grad_inverted(self, requires_grad):
        """`requires_grad` is inverted: True became False, and False became True."""
        self.requires_grad = not requires_grad

    @after("self._inputs: list[Tensor] = []")
    def inputs_none(self):
        """`_inputs` is None. A leaf has an empty list there, so a walk along the inputs can loop
        over it without asking first."""
        self._inputs = None

    no_graph_fields = edit(("self._op: Any = None", ""), ("self._inputs: list[Tensor] = []", ""))
    """You didn't set `_op` and `_inputs`. A leaf has both: None, and an empty list."""

    @after("self._inputs: list[Tensor] = []")
    def op_is_a_name(self):
        """`_op` is an empty string here. No operation made a leaf, so it's None."""
        self._op = ""
