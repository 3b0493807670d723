"""`Parameter`: a Tensor that is to be learned."""

from grader.course import Exercise, Mistake

KEPT = 'if dtype is None:\n    dtype = data.dtype if isinstance(data, Tensor) else "float32"\n'
MADE = "super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)\n"

INIT = Exercise(
    "chapter4.parameter.init",
    section="4.1",
    targets=("nn.Parameter.__init__",),
    points=1,
    minutes=4,
    hints=(
        "`Tensor.__init__` does nearly all of it: call it with `super().__init__(…)`.",
        "The one new thing is the dtype. What does `Tensor(data)` do with a float64 tensor, if "
        "nobody names a dtype?",
    ),
    mistakes=(
        Mistake(
            "always-float32",
            'dtype = dtype or "float32"\n' + MADE,
            "A float64 Tensor became a float32 Parameter: half of the digits are gone. Without "
            "a `dtype` argument, the dtype of a Tensor is to be kept.",
        ),
        Mistake(
            "inherits-requires-grad",
            KEPT + MADE
            + "if isinstance(data, Tensor):\n    self.requires_grad = data.requires_grad",
            "You took `requires_grad` from `data`. A parameter is made to be learned: it is True, "
            "whatever `data` had.",
        ),
        Mistake(
            "shares-memory",
            KEPT + MADE + "if isinstance(data, Tensor):\n    self.data = data.data",
            "Parameter and `data` share one array: an update of the one changes the other.",
        ),
        Mistake(
            "keeps-history",
            KEPT + MADE + "if isinstance(data, Tensor):\n"
            "    self._op, self._inputs = data._op, data._inputs",
            "The parameter remembers how `data` was computed. Then it is no leaf, and no gradient "
            "is left in it.",
        ),
        Mistake(
            "drops-requires-grad",
            KEPT + "super().__init__(data, device=device, dtype=dtype)",
            "`requires_grad` is accepted but not passed on to Tensor.",
        ),
    ),
)  # fmt: skip
