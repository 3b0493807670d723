"""`Parameter`: a Tensor that is to be learned."""

from grader.course import edit, exercise


@exercise("nn.Parameter.__init__", points=1)
class INIT:
    """`Tensor.__init__` does nearly all of it: call it with `super().__init__(…)`.

    The one new thing is the dtype. What does `Tensor(data)` do with a float64 tensor if you don't
    pass a dtype?
    """

    def always_float32(self, data, *, device, dtype, requires_grad):
        """A float64 Tensor became a float32 Parameter: half of the digits are gone. Without a
        `dtype` argument, keep the dtype of a Tensor."""
        dtype = dtype or "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)

    def inherits_requires_grad(self, data, *, device, dtype, requires_grad):
        """You took `requires_grad` from `data`. A parameter is there to be learned: its
        `requires_grad` is True, whatever `data` had."""
        if dtype is None:
            dtype = data.dtype if isinstance(data, Tensor) else "float32"
        super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)
        if isinstance(data, Tensor):
            self.requires_grad = data.requires_grad

    shares_memory = edit(
        "requires_grad = data.requires_grad", "data = data.data", of=inherits_requires_grad
    )
    """Parameter and `data` share one array: updating one changes the other."""

    keeps_history = edit(
        "requires_grad = data.requires_grad",
        "_op, self._inputs = data._op, data._inputs",
        of=inherits_requires_grad,
    )
    """The parameter remembers how `data` was computed. Then it isn't a leaf, and `backward` leaves
    no gradient in it."""

    drops_requires_grad = edit(", requires_grad=requires_grad", "")
    """`requires_grad` is accepted but not passed on to Tensor."""
