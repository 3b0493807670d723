"""The meaning of a learner's exceptions in this course's words: a row per message.

The grader reads these before its own rows, which speak of Python and NumPy alone; a row of the same
name takes the place of the grader's. What a row holds says `grader/judge/exceptions.py`.
"""

from __future__ import annotations

ATTRIBUTE = "object has no attribute '(\\w+)'"
OF_A_TENSOR = "object has no attribute '(data|grad|requires_grad|shape|dtype|_op|_inputs)'"
Row = tuple[str, str, str, str, str, str, str]


def row(
    name: str, type: str, pattern: str, says: str, on: str = "", off: str = "", where: str = ""
) -> Row:
    return name, type, pattern, says, on, off, where


# ---- the names that learners bring --------------------------------------------------------------

ENGINES, OPS = "^engines/", "^(?!engines/|scalar)"
ELEMENTWISE = "Add|Sub|Mul|Div|Pow|Negate|Log|Exp|Sqrt|Abs|ReLU|Tanh|Sigmoid"

# Whose it is, what others call it, what it is called here, who calls it so, in which files here.
NAMES = (
    ("Value", "_children children parents", "_prev", "micrograd"),
    ("Tensor", "_parents _children parents children", "_prev", "lectures", "closure"),
    ("Tensor", "_children _parents _prev parents inputs", "_inputs", "other engines", OPS),
    ("Tensor", "op creator _creator grad_fn _ctx", "_op", "other engines", OPS),
    ("Tensor", "op ctx _ctx creator grad_fn", "_creator", "other engines", "apply"),
    ("Tensor", "_ctx _creator creator", "grad_fn", "other engines", "grad_fn"),
    ("Tensor", "cached_data realize_cached_data", "data", "needle"),
    ("Tensor", "item", "data.item()", "PyTorch"),
    ("Tensor", "view squeeze unsqueeze", "reshape(…)", "PyTorch", OPS),
    ("Tensor", "permute t", "transpose(…)", "PyTorch", OPS),
    ("Tensor.sum|Tensor.max", "dim", "axes", "PyTorch", OPS),
    ("Tensor.sum", "dim", "axis", "PyTorch", ENGINES),
    ("Tensor.backward", "grad", "gradient", "chapter 3 and lectures", ENGINES),
    ("Tensor.backward", "gradient", "grad", "PyTorch", OPS),
    ("Pow.forward", "power", "exponent", "lectures", "apply"),
    ("PowerScalar.__init__", "power exponent", "scalar", "lectures", OPS),
    (r"\w+Backward", "saved_tensors saved", "inputs", "PyTorch", ENGINES),
    (r"\w+Backward", "next_functions parents", "inputs", "lectures", ENGINES),
    ("Context", "saved_values", "saved", "minitorch"),
    ("Context", "parents _parents", "inputs", "lectures"),
    ("Context", "backward", "function.backward(context, …)", "lectures"),
    ("Neuron", "w", "weights", "micrograd"),
    ("Neuron|Linear", "b", "bias", "micrograd"),
    ("Neuron", "nonlin act", "activation", "micrograd"),
    ("Linear", "W w", "weight", "lectures"),
    ("Neuron.__init__|Layer.__init__", "nin", "inputs", "micrograd", "scalar"),
    ("Layer.__init__", "nout", "outputs", "micrograd", "scalar"),
    ("Linear.__init__", "in_features nin", "inputs", "PyTorch", ENGINES),
    ("Linear.__init__", "out_features nout", "outputs", "PyTorch", ENGINES),
    ("Sequential", "modules", "layers", "needle"),
    ("Slice", "slices", "index", "needle"),
    (r"Optimizer|SGD|Adam\w*", "params", "parameters", "needle"),
    (r"Optimizer|SGD|Adam\w*", "reset_grad", "zero_grad()", "needle"),
    (r"Adam\w*", "beta1 beta2", "betas", "needle"),
    (r"\w*Dataset", "apply_transform", "apply_transforms", "the author's package"),
    ("name", "multiply", "mul", "NumPy", OPS),
    ("name", "EWiseAdd", "Add", "needle", OPS),
    ("name", "EWiseMul", "Mul", "needle", OPS),
    ("name", "EWiseDiv", "Div", "needle", OPS),
    ("name", "EWisePow", "Pow", "needle", OPS),
    (ELEMENTWISE, "compute", "forward", "needle", OPS),
    (ELEMENTWISE, "gradient", "backward", "needle", OPS),
    ("name", "divide_scalar", "div_scalar", "the author's package", OPS),
)  # fmt: skip

# A method or function that writes a function without arguments, for its result to keep:
# `out._backward = push`.
CLOSURE = r"\n( +)def (\w+)\(\).*\n(?:\1 .*\n|\n)+\1\w+\.\w+ = \2\n"
# A method `backward` that calls `backward` with a gradient alone: of its inputs, or of a rule. What
# calls `op.backward(out_grad, node)` is chapter 3's.
ONE_ARGUMENT = r"\((?:[^,()]|\([^()]*\))+\)"
RECURSION = r"\n( +)def backward\(self\b.*\n(?:\1 .*\n|\n)*?\1 .*\.backward" + ONE_ARGUMENT

# The file here for an engine of each style, and patterns of what its code does: the first row fits
# of which a file has all, printed by `ast.unparse`.
STYLES = (
    ("engines/apply.py", r"\.save_for_backward\(|@staticmethod\n +def forward\("),
    ("engines/grad_fn.py", r"self\.grad\b", RECURSION),
    ("engines/grad_fn.py", r"\nclass \w+Backward\b"),
    ("engines/closure.py", CLOSURE, r"(?:zeros|ones)_like\(|\.shape\b"),
    ("scalar.py", CLOSURE),
)


def rows_of(whose: str, theirs: str, ours: str, source: str, where: str = "") -> tuple[Row, ...]:
    """Return a row for code that uses another package's name, and one for code that lacks ours."""
    names, owner = theirs.split(), rf"\b(?:{whose})\b"
    last = ours.partition("(")[0].rpartition(".")[2]
    used = row(
        f"{names[0]}-is-{last}", "AttributeError|TypeError|NameError",
        rf"{owner}.* ?'({'|'.join(names)})'", f"`{{0}}`, as in {source}, is `{ours}` here.",
        where=where,
    )  # fmt: skip
    missing = row(
        f"{names[0]}-for-{last}", "AttributeError|TypeError|Complaint",
        rf"{owner}.* (?:attribute|argument) '?{ours}\b",
        f"`{ours}` is the name here. Or did you write `{'` or `'.join(names)}`, as in {source}?",
        where=where,
    )  # fmt: skip
    return (used, missing) if ours.isidentifier() else (used,)


EXCEPTIONS = (
    *(each for entry in NAMES for each in rows_of(*entry)),
    row(
        "name-of-the-op", "AttributeError|TypeError", r"\b(?:Value|Tensor)\b.* '(_op|op|label)'",
        "`{0}`, as micrograd has it, is there to be drawn. A node keeps no such name here: leave "
        "it out.", where="scalar|closure",
    ),
    row(
        "op-by-position", "TypeError", r"Value\.__init__\(\) takes .* positional arguments but",
        "`Value(data, parents, op)`, as micrograd has it, is `Value(data, parents)` here: a node "
        "keeps no name of the operation.", on=r"\), *['\"]",
    ),
    row(
        "parents-by-position", "TypeError", r"Tensor\.__init__\(\) takes 2 positional arguments",
        "`Tensor(data, parents, op)`, as lectures have it, is `Tensor(data, _prev=parents)` here: "
        "a node keeps no name of the operation.", where="closure",
    ),
    row(
        "no-objects", "TypeError", r"^(\w+)\(\) takes no arguments$",
        "A Function has no objects here: `{0}.apply(…)` calls it, and what one call remembers is "
        "in a `Context(cls, tensors)`.", where="apply",
    ),
    row(
        "retain-graph", "TypeError", r"backward\(\) got .* keyword argument '(retain_graph)'",
        "`{0}`, as in PyTorch, is not needed here: `backward` leaves the graph as it is. Leave it "
        "out.",
    ),
    row(
        "graph-by-position", "TypeError", r"Tensor\.__init__\(\) takes 2 positional arguments",
        "`Tensor(data)` takes nothing else by position: a dtype is named, `dtype=…`. What it was "
        "made of, and by which op, is recorded by `Function.__call__`: call the op.", where=OPS,
    ),
    row(
        "function-of-closure", "AttributeError", r"'Tensor'.* '(_unbroadcast)'",
        "`{0}` is a method of the Tensor in lectures. Here it is a function, in this file.",
        where="closure",
    ),
    row(
        "function-of-grad-fn", "AttributeError", r"'Tensor'.* '(unbroadcast|cross_entropy)'",
        "`{0}` is a method of the Tensor in lectures. Here it is a function, in this file.",
        where="grad_fn",
    ),
    row(
        "sizes-in-a-list", "TypeError", r"MLP\.__init__\(\) missing 1 .* '\w*out\w*'",
        "`MLP(3, [4, 4, 1])`, as micrograd has it, is `MLP([3, 4, 4, 1])` here: one list, which "
        "begins with the number of inputs.",
    ),
    row(
        "rate-in-the-base", "TypeError",
        r"Optimizer\.__init__\(\) (?:missing 1 .* 'lr'|takes 2 positional arguments but 3)",
        "`Optimizer(params)`, as needle has it, is `Optimizer(parameters, lr)` here: the base "
        "class keeps the learning rate, too.",
    ),
    row(
        "all-axes", "TypeError", r"(LogSumExp|Summation)\.__init__\(\) missing .* 'axes'",
        "`{0}()` goes over all axes here: `axes` needs the default None.",
    ),
    row(
        "any-model", "AttributeError", r"'Plain' object has no attribute '(\w+)'",
        "`model` is any network here: it can be called, and it has `parameters()`. Do without its "
        "`{0}`.", where="grad_fn",
    ),
    row(
        "not-called", "AttributeError",
        r"'function' object has no attribute '(?:data|grad|backward|_prev)'",
        "That is a function, not the Value that it builds. Call it, and use what it returns.",
        where="scalar",
    ),
    row(
        "ops-inside-ops", "NameError", r"name 'ops' is not defined",
        "Inside `ops.py` there is no `ops`: its functions are in the same file, below the classes. "
        "Write `reshape(…)` instead of `ops.reshape(…)`.",
    ),
    row(
        "no-end", "RecursionError", "",
        "Calls were nested too deep. Follow the call on this line: if it leads back here with "
        "nothing changed, that has no end. If every step of a long graph is a call inside the one "
        "before, use a loop over a list of what is still to do instead.",
    ),
    row(
        "math-of-an-array", "TypeError",
        r"only (?:length-1|size-1|0-dimensional) arrays can be converted to Python scalars",
        "Python's `math` takes one number at a time. NumPy's functions of the same names, as "
        "`np.exp`, take an array of any shape.",
        on=r"\bmath\.\w+\(|(?<![.\w])(?:log|log2|log10|exp|sqrt|tanh|fabs|erf)\(",
    ),
    row(
        "op-on-an-array", "AttributeError", r"'numpy\.\w+' object has no attribute 'requires_grad'",
        "An op was called with an array, and takes Tensors. The functions at the end of `ops.py`, "
        "`exp`, `log`, `tanh` …, are for Tensors; one of them, `abs`, hides Python's. For an "
        "array, use NumPy's: `np.exp(a)`, `np.abs(a)`.",
        on=r"\bx\.(data|requires_grad)\b", off=r"\bnp\.requires_grad\b",
    ),
    row(
        "op-on-a-number", "AttributeError", rf"'(?:int|float|bool)' {OF_A_TENSOR}",
        "An op was called with a plain number, and takes Tensors. The functions at the end of "
        "`ops.py`, `exp`, `log`, `tanh` …, are for Tensors; one of them, `abs`, hides Python's. "
        "For a number there is `math`: `math.exp(2)`.", on=r"x\.(data|requires_grad)\b",
    ),
    row(
        "asked-a-number", "AttributeError", rf"'(?:int|float|bool)' {OF_A_TENSOR}",
        "You asked a plain number for `{0}`. A number that comes in unwrapped needs its own line.",
        on=r"\.{0}\b",
    ),
    row(
        "asked-none", "AttributeError", rf"'NoneType' {ATTRIBUTE}",
        "You asked None for `{0}`. None is what a function without `return` returns, and what "
        "`.grad` is before a gradient has arrived.",
    ),
    row(
        "asked-for-t", "AttributeError", "'Tensor' object has no attribute 'm?T'",
        "`.T` is NumPy's and PyTorch's. Your Tensor has `transpose()`, which records the graph.",
    ),
    row(
        "asked-the-node", "AttributeError", rf"'Tensor' {ATTRIBUTE}",
        "Your Tensor has no `{0}`: `node` is what the op made. What the op itself was given is in "
        "`self`.", on=r"\bnode\.{0}\b", where=OPS,
    ),
    row(
        "asked-a-tensor", "AttributeError", rf"'Tensor' {ATTRIBUTE}",
        "Your Tensor has no `{0}`. Its methods are in `tensor.py`; the functions that take Tensors "
        "are in `ops.py`, below the classes.",
    ),
    row(
        "numpy-on-a-tensor", "TypeError", "operand 'Tensor' does not support ufuncs",
        "A NumPy function was given a Tensor. For Tensors there are the functions in `ops.py`, "
        "below the classes; NumPy takes `.data`, and what it returns has no graph.",
    ),
    row(
        "numpy-names", "TypeError", r"Tensor\.(\w+)\(\) got an unexpected keyword argument '(\w+)'",
        "`Tensor.{0}` takes no `{1}`: its own docstring says what it takes. If you wrote `np.{0}`, "
        "it was NumPy that asked: for Tensors, use the functions in `ops.py`.",
    ),
    row(
        "one-object", "ValueError", r"cannot reshape array of size 1 into shape",
        "An array of size 1 holds one value. If you gave a Tensor to `np.reshape`: to NumPy a "
        "Tensor is one single object. For Tensors there is `reshape` in `ops.py`.",
        on=r"\bnp\.reshape\((?!a, self\.)",
    ),
    row(
        "math-on-a-value", "TypeError", "must be real number, not Value",
        "`math` works on plain numbers. The number of a Value is in its `data`: "
        "`math.exp(self.data)`.",
    ),
    row(
        "math-on-a-tensor", "TypeError", "must be real number, not Tensor",
        "`math` works on one plain number. For Tensors there are the functions in `ops.py`, below "
        "the classes, under the same names.",
    ),
    row(
        "compared-a-tensor", "TypeError", r"'([<>]=?)' not supported .*'Tensor'",
        "A Tensor has no `{0}`. Compare the array in it, `a.data {0} …`; the mask that comes out "
        "is a constant, so wrap it in a Tensor.", on=r"[<>]|\b(max|min|sorted|sort)\b",
    ),
    row(
        "compared-by-numpy", "TypeError", r"'[<>]=?' not supported .*'Tensor'",
        "NumPy was given a Tensor, perhaps inside a list, and could not compare it. "
        "`node._inputs` is a list of Tensors: take them out of it first, `(a,) = node._inputs`, "
        "and give NumPy their `.data`.", off=r"[<>]",
    ),
    row(
        "compared-a-value", "TypeError", r"'([<>]=?)' not supported .*'Value'",
        "A Value has no `{0}`, and `max` needs it, too. Compare the numbers: `self.data`.",
    ),
    row(
        "raw-memory", "TypeError", "'memoryview'",
        "The `.data` of a NumPy array is its raw memory. Use the array itself; `.data` is for "
        "Tensors. A forward is given arrays.",
    ),
    row(
        "list-beside-a-tensor", "TypeError", r"with a Tensor or a number; wrap this (list|tuple)",
        "There is a {0} at an operator. If it holds Tensors, as `node._inputs` does, take them out "
        "of it first: `(a,) = node._inputs`.",
    ),
    row(
        "tensor-for-a-number", "TypeError", r"with a Tensor or a number; wrap this Tensor\b",
        "A Tensor came where a plain number is taken. `isinstance(other, Tensor)` tells the two "
        "apart; a Tensor isn't an NDArray, it only holds one.",
    ),
    row(
        "array-beside-a-tensor", "TypeError", r"with a Tensor or a number; wrap this ndarray",
        "There is an array beside a Tensor at an operator. If you want no graph, as in an "
        "optimizer, use the Tensor's `.data`; if you want one, wrap the array: `Tensor(…)`.",
    ),
    row(
        "objects", "Unsendable", "^object$",
        "Your result holds objects instead of numbers. That happens when a list meets an array: "
        "`node._inputs` is a list, so take the Tensors out of it first, as in `(a,) = "
        "node._inputs`.",
    ),
    row(
        "past-the-end", "IndexError", "list index out of range",
        "The list is shorter than that. The first of its items has the number 0.",
    ),
    row(
        "size-not-whole", "TypeError", r"'(?:numpy\.)?float\d*' object cannot be interpreted as",
        "A shape is made of whole numbers. The sizes of `a` are in `a.shape`; `a.data` holds its "
        "values.",
    ),
    row(
        "nothing-arrived", "KeyError", r"^(?:Tensor|Value)\(",
        "The dict has nothing under this key yet. Ask first, `if key in arrived`, or with "
        "`arrived.get(key)`, which gives None.", on=r"\+",
    ),
    row(
        "looped-over-none", "TypeError", "'NoneType' object is not iterable",
        "You can't loop over None. `.reverse()` and `.append()` change a list and return None; you "
        "can loop over `reversed(order)`. And if None is allowed, as for `axes`, it needs its own "
        "line.",
    ),
    row(
        "looped-over-int", "TypeError", "'int' object is not iterable",
        "You can't loop over one number. If a number is allowed instead of a tuple, as for `axes`, "
        "make a tuple of it first: `(axes,)`.",
    ),
    row(
        "inside-of-none", "TypeError", r"argument of type 'NoneType' is|'NoneType' has no len",
        "None holds nothing, and has no length. If None is allowed, as for `axes`, it needs its "
        "own line.",
    ),
    row(
        "asked-a-set", "AttributeError", r"'set' object has no attribute 'append'",
        "A set has no `append`. Add to a set with `seen.add(…)`; a list has `append`.",
    ),
    row(
        "multiplied-a-list", "TypeError", "can't multiply sequence by non-int of type",
        "You multiplied a list. Take it item by item: `for weight, number in zip(weights, x)`.",
    ),
    row(
        "walk-too-early", "KeyError", r"^(?:Tensor|Value)\(",
        "Nothing has arrived here yet. Does the walk go from the result to the inputs? A list with "
        "the inputs first has to be `reversed`. Or is this a constant, where nothing arrives?",
    ),
    row(
        "nothing-under-id", "KeyError", r"^\d{9,}$",
        "The dict has nothing under this `id(…)` yet. Did the walk come to the node before "
        "anything had arrived there? The walk goes from the result to the inputs: a list with the "
        "inputs first has to be `reversed`.",
    ),
    row(
        "two-for-one", "TypeError", r"Value\.__init__\(\) takes .* positional arguments but",
        "`Value(data, _prev)` takes a number and one tuple with all the Values that it was made "
        "from: `Value(…, (self, other))`.",
    ),
    row(
        "rule-with-arguments", "TypeError",
        r"<locals>\.\S+\(\) (?:missing \d required|takes 0 positional)",
        "The walk calls a rule without arguments, `node._backward()`. What a rule needs, such as "
        "`out`, it finds in the method around it.",
    ),
    row(
        "tuple-of-one", "TypeError", "'Value' object is not iterable",
        "There is one Value where several are needed. `(self)` is only `self` in parentheses; a "
        "tuple of one has a comma: `(self,)`.",
    ),
    row(
        "tensor-as-number", "TypeError", "must be a .*real number, not 'Tensor'",
        "There is a Tensor where a plain number is needed, perhaps inside a list. `node._inputs` "
        "is a list: take the Tensors out of it, as in `(a,) = node._inputs`.",
    ),
    row(
        "many-for-one", "ValueError", r"setting an array element with a sequence\.$",
        "NumPy needed one plain number, and got something that holds several: a Tensor, a list or "
        "an array. `node._inputs` is a list of Tensors: take them out of it first, as in `(a,) = "
        "node._inputs`.",
    ),
    row(
        "went-through-a-tensor", "TypeError",
        "'Tensor' object is not iterable|non-iterable Tensor object",
        "You went through a Tensor as if it were a list. A `backward` of one input returns a "
        "bare Tensor, not a tuple of one.",
    ),
    row(
        "unpacked", "ValueError", r"(?:not enough|too many) values to unpack \(expected (\d+)",
        "There is room for {0} on the left of the `=`, and another number of values came. "
        "`node._inputs` holds one Tensor per input.", on=r"_inputs",
    ),
)  # fmt: skip

# What a row says instead in a file that works alone: the engines of chapter 11 have no ops and no
# `_inputs`.
ALONE = {
    "asked-a-tensor": "Your Tensor has no `{0}`. What it has is in its class, in this file.",
    "numpy-on-a-tensor": "A NumPy function was given a Tensor. NumPy takes its `.data`, and what "
    "it returns has no graph.",
    "tensor-as-number": "There is a Tensor where a plain number is needed, perhaps inside a list.",
    "many-for-one": "NumPy needed one plain number, and got something that holds several: a "
    "Tensor, a list or an array.",
    "went-through-a-tensor": "You went through a Tensor as if it were a list.",
    "unpacked": "There is room for {0} on the left of the `=`, and another number of values came.",
}
