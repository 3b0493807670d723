"""What an exception of the learner's code means, in the course's words: a row per message.

The message itself stands in the report already. A row adds what a beginner cannot read out of
it, and says nothing that the message does not bear out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..about import COURSE
from ..sandbox.observation import Observation, line_number


class Row(NamedTuple):
    """One kind of exception.

    Attributes:
        name: short and unique.
        type: the name of the exception's class; ``Complaint`` is a program's own, about what
            came back.
        pattern: what its message has to hold; its groups fill the sentence.
        says: the sentence.
        on, off: what has to stand on the line that raised it, and what may not; ``{0}`` as in
            the sentence. Where the line is not known, a row with ``on`` says nothing.
    """

    name: str
    type: str
    pattern: str
    says: str
    on: str = ""
    off: str = ""


ATTRIBUTE = "object has no attribute '(\\w+)'"
OF_A_TENSOR = "object has no attribute '(data|grad|requires_grad|shape|dtype|_op|_inputs)'"

ROWS = (
    Row(
        "ops-inside-ops", "NameError", r"name 'ops' is not defined",
        "Inside `ops.py` there is no `ops`: its functions stand in the same file, below the "
        "classes. Write `reshape(…)` instead of `ops.reshape(…)`.",
    ),
    Row(
        "unknown-name", "NameError", r"name '(\w+)' is not defined",
        "Python does not know the name `{0}` here. Is it misspelled, or not imported, or does "
        "it need `self.` or `np.` in front?",
    ),
    Row(
        "no-end", "RecursionError", "",
        "Calls were nested too deep. Follow the call on this line: if it leads back here with "
        "nothing changed, that has no end. If every step of a long graph is a call inside the one "
        "before, a loop over a list of what is still to do needs none.",
    ),
    Row(
        "np-is-an-array", "AttributeError", rf"'numpy\.\w+' {ATTRIBUTE}",
        "`np` is not NumPy here but an array: somewhere above a name `np` was given a value. "
        "Call that variable something else.",
        on=r"\bnp\.{0}\b",
    ),
    Row(
        "op-on-an-array", "AttributeError", r"'numpy\.\w+' object has no attribute 'requires_grad'",
        "An op was called with an array, and takes Tensors. In `ops.py` the names `abs`, `sum`, "
        "`exp` … are the course's own functions for Tensors, and hide Python's. For an array take "
        "NumPy's: `np.abs(a)`.",
        on=r"\bx\.(data|requires_grad)\b",
    ),
    Row(
        "asked-an-array", "AttributeError", rf"'numpy\.\w+' {ATTRIBUTE}",
        "You asked a NumPy array for `{0}`, which it does not have. NumPy's functions take the "
        "array as their argument, as in `np.exp(a)`.",
    ),
    Row(
        "op-on-a-number", "AttributeError", rf"'(?:int|float|bool)' {OF_A_TENSOR}",
        "An op was called with a plain number, and takes Tensors. In `ops.py` the names `abs`, "
        "`sum`, `exp` … are the course's own functions for Tensors, and hide Python's.",
        on=r"x\.(data|requires_grad)\b",
    ),
    Row(
        "asked-a-number", "AttributeError", rf"'(?:int|float|bool)' {OF_A_TENSOR}",
        "You asked a plain number for `{0}`. A number that comes in unwrapped needs a line of "
        "its own.",
        on=r"\.{0}\b",
    ),
    Row(
        "asked-a-list", "AttributeError", rf"'(list|tuple)' {ATTRIBUTE}",
        "You asked a {0} for `{1}`. Take what is in it out first: `(a,) = …` where it holds one, "
        "`a, b = …` where it holds two.",
    ),
    Row(
        "asked-a-set", "AttributeError", r"'set' object has no attribute 'append'",
        "A set has no `append`. To a set one adds, `seen.add(…)`; a list has `append`.",
    ),
    Row(
        "asked-none", "AttributeError", rf"'NoneType' {ATTRIBUTE}",
        "You asked None for `{0}`. None is what a function without `return` hands back, and "
        "what `.grad` is before a gradient has arrived.",
    ),
    Row(
        "asked-for-t", "AttributeError", "'Tensor' object has no attribute 'm?T'",
        "`.T` is NumPy's and PyTorch's. Your Tensor has `transpose()`, which records the graph.",
    ),
    Row(
        "asked-a-tensor", "AttributeError", rf"'Tensor' {ATTRIBUTE}",
        "Your Tensor has no `{0}`. Its methods stand in `tensor.py`; the functions that take "
        "Tensors stand in `ops.py`, below the classes.",
    ),
    Row(
        "class-called", "TypeError", r"^(\w+)\(\) takes no arguments$",
        "`{0}(…)` only makes the object, and takes nothing for it. Call what it made: "
        "`{0}()(x)`.",
    ),
    Row(
        "numpy-on-a-tensor", "TypeError", "operand 'Tensor' does not support ufuncs",
        "A NumPy function was given a Tensor. For Tensors there are the functions in `ops.py`, "
        "below the classes; NumPy takes `.data`, and what it returns has no graph.",
    ),
    Row(
        "numpy-names", "TypeError", r"Tensor\.(\w+)\(\) got an unexpected keyword argument '(\w+)'",
        "`Tensor.{0}` takes no `{1}`: its own docstring says what it takes. If you wrote "
        "`np.{0}`, it was NumPy that asked: for Tensors take the functions in `ops.py`.",
    ),
    Row(
        "one-object", "ValueError", r"cannot reshape array of size 1 into shape",
        "An array of size 1 holds one value. If you gave a Tensor to `np.reshape`: to NumPy a "
        "Tensor is one single object. For Tensors there is `reshape` in `ops.py`.",
        on=r"\bnp\.reshape\((?!a, self\.)",
    ),
    Row(
        "math-on-a-value", "TypeError", "must be real number, not Value",
        "`math` works on plain numbers. The number of a Value is in its `data`: "
        "`math.exp(self.data)`.",
    ),
    Row(
        "math-on-a-tensor", "TypeError", "must be real number, not Tensor",
        "`math` works on one plain number. For Tensors there are the functions in `ops.py`, below "
        "the classes, under the same names.",
    ),
    Row(
        "compared-a-tensor", "TypeError", r"'([<>]=?)' not supported .*'Tensor'",
        "A Tensor does not know `{0}`. Compare the array in it, `a.data {0} …`; the mask that "
        "comes out is a constant, so wrap it in a Tensor.",
        on=r"[<>]|\b(max|min|sorted|sort)\b",
    ),
    Row(
        "compared-by-numpy", "TypeError", r"'[<>]=?' not supported .*'Tensor'",
        "NumPy was given a Tensor, perhaps inside a list, and could not compare it. "
        "`node._inputs` is a list of Tensors: take them out of it first, `(a,) = node._inputs`, "
        "and give NumPy their `.data`.",
        off=r"[<>]",
    ),
    Row(
        "compared-a-value", "TypeError", r"'([<>]=?)' not supported .*'Value'",
        "A Value does not know `{0}`, and `max` asks for that too. Compare the numbers: "
        "`self.data`.",
    ),
    Row(
        "raw-memory", "TypeError", "'memoryview'",
        "In a forward `a` is a NumPy array, and the `.data` of an array is its raw memory. Take "
        "`a` itself; `.data` is for Tensors.",
    ),
    Row(
        "caret", "TypeError", r"for \^: |'bitwise_xor' not supported",
        "`^` is no power in Python: it works on the bits of whole numbers. A power has two stars: "
        "`a ** 2`.",
    ),
    Row(
        "method-not-called", "TypeError", r"'(?:builtin_function_or_)?method'",
        "A method stands there, not what it gives: the parentheses behind its name are missing.",
    ),
    Row(
        "multiplied-a-list", "TypeError", "can't multiply sequence by non-int of type",
        "You multiplied a list. Take it item by item: `for weight, number in zip(weights, x)`.",
    ),
    Row(
        "list-as-operand", "TypeError",
        r"unsupported operand type\(s\) for .*'list'|bad operand type for unary .*'list'",
        "There is a list at an operator. Take what is in it out first: `(a,) = …` where it holds "
        "one, `a, b = …` where it holds two.",
    ),
    Row(
        "list-beside-a-tensor", "TypeError", r"with a Tensor or a number; wrap this (list|tuple)",
        "There is a {0} at an operator. If it holds Tensors, as `node._inputs` does, take them out "
        "of it first: `(a,) = node._inputs`.",
    ),
    Row(
        "tensor-for-a-number", "TypeError", r"with a Tensor or a number; wrap this Tensor\b",
        "A Tensor came where a plain number is taken. `isinstance(other, Tensor)` tells the two "
        "apart; a Tensor is no NDArray, it only holds one.",
    ),
    Row(
        "array-beside-a-tensor", "TypeError", r"with a Tensor or a number; wrap this ndarray",
        "There is an array beside a Tensor at an operator. Where no graph is wanted, as in an "
        "optimizer, take the Tensor's `.data`; where one is, wrap the array: `Tensor(…)`.",
    ),
    Row(
        "objects", "Complaint", "its dtype is object",
        "Your result holds objects instead of numbers. That comes about where a list meets an "
        "array: `node._inputs` is a list, so take the Tensors out of it first, as in "
        "`(a,) = node._inputs`.",
    ),
    Row(
        "past-the-end", "IndexError", "list index out of range",
        "The list is shorter than that. The first of its items has the number 0: "
        "`node._inputs[0]` is the first input.",
    ),
    Row(
        "many-truths", "ValueError", "truth value of an array",
        "`if` needs one yes or no, and an array holds many. Decide for each value: multiply by a "
        "mask, or use `np.where`.",
    ),
    Row(
        "size-not-whole", "TypeError", r"'(?:numpy\.)?float\d*' object cannot be interpreted as",
        "A shape is made of whole numbers. The sizes of `a` are in `a.shape`; `a.data` holds its "
        "values.",
    ),
    Row(
        "array-as-size", "TypeError", "only integer scalar arrays can be converted",
        "A shape or an index is made of ints, and an array stands there instead. "
        "`tuple(int(n) for n in …)` makes a tuple of ints.",
    ),
    Row(
        "not-a-function", "TypeError", r"'(\w+)' object is not callable",
        "Parentheses behind a name call it, and a {0} cannot be called. Is there an operator "
        "missing before them, or are they one pair too many?",
    ),
    Row(
        "nothing-arrived", "KeyError", r"^(?:Tensor|Value)\(",
        "The dict has nothing under this key yet. Ask first, `if key in arrived`, or with "
        "`arrived.get(key)`, which gives None.",
    ),
    Row(
        "two-for-one", "TypeError", r"Value\.__init__\(\) takes .* positional arguments but",
        "`Value(data, _prev)` takes a number and one tuple with all the Values that it was made "
        "from: `Value(…, (self, other))`.",
    ),
    Row(
        "rule-with-arguments", "TypeError",
        r"<locals>\.\S+\(\) (?:missing \d required|takes 0 positional)",
        "The walk calls a rule without arguments, `node._backward()`. What a rule needs, such as "
        "`out`, it finds in the method around it.",
    ),
    Row(
        "tuple-of-one", "TypeError", "'Value' object is not iterable",
        "One Value stands where several were wanted. `(self)` is only `self` in parentheses; a "
        "tuple of one has a comma: `(self,)`.",
    ),
    Row(
        "looped-over-none", "TypeError", "'NoneType' object is not iterable",
        "None cannot be looped over. `.reverse()` and `.append()` change a list and hand back "
        "None; `reversed(order)` can be looped over. And where None is allowed, as for `axes`, it "
        "needs a line of its own.",
    ),
    Row(
        "looped-over-int", "TypeError", "'int' object is not iterable",
        "One number cannot be looped over. Where a number may stand instead of a tuple, as for "
        "`axes`, make a tuple of it first: `(axes,)`.",
    ),
    Row(
        "inside-of-none", "TypeError", r"argument of type 'NoneType' is|'NoneType' has no len",
        "There is nothing in None, and it has no length. Where None is allowed, as for `axes`, it "
        "needs a line of its own.",
    ),
    Row(
        "tensor-as-number", "TypeError", "must be a .*real number, not 'Tensor'",
        "A Tensor stood where a plain number was wanted, perhaps inside a list. `node._inputs` "
        "is a list: take the Tensors out of it, as in `(a,) = node._inputs`.",
    ),
    Row(
        "many-for-one", "ValueError", r"setting an array element with a sequence\.$",
        "Where NumPy wanted one plain number there stood something that holds several: a Tensor, "
        "a list or an array. `node._inputs` is a list of Tensors: take them out of it first, as "
        "in `(a,) = node._inputs`.",
    ),
    Row(
        "went-through-a-tensor", "TypeError",
        "'Tensor' object is not iterable|non-iterable Tensor object",
        "You went through a Tensor as if it were a list. A `backward` of one input returns a "
        "bare Tensor, not a tuple of one.",
    ),
    Row(
        "unpacked", "ValueError", r"(?:not enough|too many) values to unpack \(expected (\d+)",
        "Left of the `=` is room for {0}, and another number of values came. `node._inputs` "
        "holds one Tensor per input.",
        on=r"_inputs",
    ),
    Row(
        "unpacked-other", "ValueError",
        r"(?:not enough|too many) values to unpack \(expected (\d+)",
        "Left of the `=` is room for {0}, and another number of values came.",
        off=r"_inputs",
    ),
    Row(
        "none-as-operand", "TypeError", r"unsupported operand type\(s\) for (\S+): .*'NoneType'",
        "One side of the `{0}` is None. None is what a function without `return` hands back.",
    ),
)  # fmt: skip


# The engines of chapter 11 have no ops and no `_inputs`: what these rows say is not true there.
IN_ENGINES = {
    "asked-a-tensor": "Your Tensor has no `{0}`. What it has stands in its class, in this file.",
    "numpy-on-a-tensor": "A NumPy function was given a Tensor. NumPy takes its `.data`, and what "
    "it returns has no graph.",
    "tensor-as-number": "A Tensor stood where a plain number was wanted, perhaps inside a list.",
    "many-for-one": "Where NumPy wanted one plain number there stood something that holds several: "
    "a Tensor, a list or an array.",
    "went-through-a-tensor": "You went through a Tensor as if it were a list.",
    "unpacked": "Left of the `=` is room for {0}, and another number of values came.",
}

# What a sentence speaks of, and the file by which a course is known to have it; and what is still
# true where it has not.
BROUGHT_BY = {
    "ops.py": r"`ops\.py`|\bops?\b",
    "tensor.py": r"Tensor|_inputs|`\.grad`|\.data\b|\bgraph\b",
    "scalar.py": r"\bValues?\b|_backward",
}
ELSEWHERE = {
    "asked-none": "You asked None for `{0}`. None is what a function without `return` hands back.",
    "past-the-end": "The list is shorter than that. The first of its items has the number 0.",
    "objects": "Your result holds objects instead of numbers. That comes about where a list meets "
    "an array.",
    "size-not-whole": "A shape is made of whole numbers. The sizes of `a` are in `a.shape`.",
    "many-for-one": "Where NumPy wanted one plain number there stood something that holds several: "
    "a list or an array.",
}


def explain_exception(
    got: Observation, line: Callable[[str, int], str] = lambda file, number: ""
) -> list[tuple[str, str]]:
    """(name, sentence) of the row that an exception belongs to; nothing where there is none.

    Args:
        line: the learner's text at a place.
    """
    kinds = {"raised": got.texts.get("type"), "complained": "Complaint"}
    folder = COURSE.alone["folder"]
    in_engine = bool(folder) and got.texts.get("file", "").startswith(folder)
    other = IN_ENGINES if in_engine else {}
    for row in ROWS:
        if kinds.get(got.kind) == row.type:
            found = re.search(row.pattern, got.texts.get("message", "")[:500])
            if not found or not _fits(row, found.groups(), got, line):
                continue
            if says := words(other.get(row.name, row.says), row.name):
                return [(f"raised:{row.name}", says.format(*found.groups()))]
    return []


def words(says: str, name: str) -> str:
    """A row's sentence where this course has all that it speaks of; else what is left of it."""
    missing = (found for file, found in BROUGHT_BY.items() if file not in COURSE.files)
    return ELSEWHERE.get(name, "") if any(re.search(each, says) for each in missing) else says


def _fits(
    row: Row, groups: tuple[str, ...], got: Observation, line: Callable[[str, int], str]
) -> bool:
    """Whether the line that raised it may have done so in the way that the row speaks of."""
    if not row.on and not row.off:
        return True
    if got.texts.get("by") == "grader":
        return False  # what was handed back was asked by a program of ours
    text = line(got.texts.get("file", ""), line_number(got.texts.get("line", "")))
    on, off = (pattern.format(*map(re.escape, groups)) for pattern in (row.on, row.off))
    return (not on or re.search(on, text) is not None) and not (off and re.search(off, text))
