"""`Tensor.__init__`: five fields, and a copy."""

from grader.course import Exercise, Mistake

ID = "chapter2.init"

NOTES = """
self.grad = None
self.requires_grad = requires_grad
self._op = None
self._inputs = []
"""
UNWRAP = """
if isinstance(data, Tensor):
    data = data.data
"""
COPY = "self.data = np.array(data, dtype=dtype)"
VALUES = UNWRAP + COPY + "\n"

ABOUT_DATA = (
    Mistake(
        "dtype-ignored", UNWRAP + "self.data = np.array(data)" + NOTES,
        "You never used `dtype`, so NumPy chose one by looking at the data. The caller's `dtype` "
        "decides, and it is float32 where the caller says nothing.",
    ),
    Mistake(
        "always-float32", UNWRAP + "self.data = np.array(data, dtype='float32')" + NOTES,
        "You made float32 whatever the caller asked for. float32 is the default, not the rule.",
    ),
    Mistake(
        "always-float64", UNWRAP + "self.data = np.array(data, dtype=np.float64)" + NOTES,
        "You made float64 whatever the caller asked for. Use the parameter `dtype`.",
    ),
    Mistake(
        "through-float32",
        UNWRAP + "self.data = np.array(data, dtype='float32').astype(dtype)" + NOTES,
        "You converted to float32 first and to `dtype` afterwards. The second step cannot bring "
        "back the digits that the first one dropped.",
    ),
    Mistake(
        "alias", UNWRAP + "self.data = np.asarray(data, dtype=dtype)" + NOTES,
        "`np.asarray` copies only when it must convert. With an array that has the right dtype "
        "already, your tensor and the caller share one array.",
    ),
    Mistake(
        "tensor-alias",
        "if isinstance(data, Tensor):\n    self.data = data.data.astype(dtype, copy=False)\n"
        "else:\n    self.data = np.array(data, dtype=dtype)" + NOTES,
        "You copy lists and arrays, but a tensor made from a Tensor shares its array with it: "
        "writing to one changes the other.",
    ),
    Mistake(
        "tensor-not-opened", COPY + NOTES,
        "`data` may be a Tensor too, and NumPy does not know what to do with one. The values are "
        "in its `data`.",
    ),
    Mistake(
        "kept-as-it-came", UNWRAP + "self.data = data" + NOTES,
        "You kept the object that the caller passed: a list stays a list, and an array stays the "
        "caller's own. `data` has to be an ndarray of your own, of the dtype that was asked for.",
    ),
    Mistake(
        "one-axis-at-least", UNWRAP + "self.data = np.array(data, dtype=dtype, ndmin=1)" + NOTES,
        "A single number became an array with one axis, of shape `(1,)`. It has no axes: its "
        "shape is `()`.",
    ),
)  # fmt: skip

ABOUT_NOTES = (
    Mistake(
        "tensor-dtype-kept",
        "if isinstance(data, Tensor):\n    dtype = data.data.dtype\n    data = data.data\n"
        + COPY + NOTES,
        "A tensor made from a Tensor kept that one's dtype. Only the values come from there; the "
        "dtype comes from the call.",
    ),
    Mistake(
        "tensor-requires-grad-kept",
        "if isinstance(data, Tensor):\n    requires_grad = data.requires_grad\n"
        "    data = data.data\n" + COPY + NOTES,
        "A tensor made from a Tensor kept that one's `requires_grad`. Only the values come from "
        "there; `requires_grad` comes from the call.",
    ),
    Mistake(
        "tensor-history-kept",
        "history = (data._op, data._inputs) if isinstance(data, Tensor) else (None, [])\n"
        + VALUES + NOTES + "self._op, self._inputs = history\n",
        "A tensor made from the result of an operation kept its `_op` and `_inputs`. A new tensor "
        "is a leaf, whatever its values were before.",
    ),
    Mistake(
        "grad-of-zeros", VALUES + NOTES + "self.grad = np.zeros_like(self.data)\n",
        "`grad` starts as zeros here. Zeros would mean that a gradient was computed and that "
        "nothing depends on this tensor; before that, it is None.",
    ),
    Mistake(
        "zeros-if-required",
        VALUES + NOTES + "if requires_grad:\n    self.grad = np.zeros_like(self.data)\n",
        "Where a gradient is required, `grad` starts as zeros here. It starts as None on every "
        "tensor, until a gradient was computed.",
    ),
    Mistake(
        "requires-grad-fixed", VALUES + NOTES + "self.requires_grad = True\n",
        "You set `requires_grad` to True and ignored what the caller passed.",
    ),
    Mistake(
        "requires-grad-inverted", VALUES + NOTES + "self.requires_grad = not requires_grad\n",
        "`requires_grad` is turned round: True became False, and False became True.",
    ),
    Mistake(
        "inputs-none", VALUES + NOTES + "self._inputs = None\n",
        "`_inputs` is None. A leaf has an empty list there, so that a walk along the inputs can "
        "loop over it without asking first.",
    ),
    Mistake(
        "no-graph-fields", VALUES + "self.grad = None\nself.requires_grad = requires_grad\n",
        "You did not set `_op` and `_inputs`. A leaf has both: None, and an empty list.",
    ),
    Mistake(
        "op-is-a-name", VALUES + NOTES + "self._op = ''\n",
        "`_op` is an empty string here. A leaf was made by no operation, so it is None.",
    ),
)  # fmt: skip

EXERCISE = Exercise(
    ID,
    section="2.1",
    targets=("tensor.Tensor.__init__",),
    points=4,
    minutes=12,
    difficulty=2,
    hints=(
        "Five fields: `data`, `grad`, `requires_grad`, `_op`, `_inputs`. Only the first takes "
        "thought.",
        "NumPy already turns numbers, lists and arrays into an ndarray of a wanted dtype. Of its "
        "two functions for that, one always copies.",
        "NumPy cannot read a Tensor. Ask with `isinstance` first, and take the array out of it.",
    ),
    mistakes=ABOUT_DATA + ABOUT_NOTES,
)  # fmt: skip
