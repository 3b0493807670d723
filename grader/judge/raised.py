"""What an exception of the learner's code means, in the course's words: a row per message.

The message itself stands in the report already. A row adds what a beginner cannot read out of
it, and says nothing that the message does not bear out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..session.observation import Observation


class Row(NamedTuple):
    """One kind of exception.

    Attributes:
        name: short and unique.
        type: the name of the exception's class.
        pattern: what its message has to hold; its groups fill the sentence.
        says: the sentence.
    """

    name: str
    type: str
    pattern: str
    says: str


ATTRIBUTE = "object has no attribute '(\\w+)'"
OF_A_TENSOR = "object has no attribute '(data|grad|requires_grad|shape|dtype|_op|_inputs)'"

ROWS = (
    Row(
        "unknown-name", "NameError", r"name '(\w+)' is not defined",
        "Python does not know the name `{0}` here. Is it misspelled, or not imported, or does "
        "it need `self.` or `np.` in front?",
    ),
    Row(
        "no-end", "RecursionError", "",
        "Calls were nested too deep. Most often that is a method that calls itself without end: "
        "follow the call on this line, and see whether it leads back here.",
    ),
    Row(
        "asked-an-array", "AttributeError", rf"'numpy\.\w+' {ATTRIBUTE}",
        "You asked a NumPy array for `{0}`, which it does not have. NumPy's functions take the "
        "array as their argument, as in `np.exp(a)`.",
    ),
    Row(
        "asked-a-number", "AttributeError", rf"'(?:int|float|bool)' {OF_A_TENSOR}",
        "You asked a plain number for `{0}`. A number that comes in unwrapped needs a line of "
        "its own.",
    ),
    Row(
        "asked-a-list", "AttributeError", rf"'(list|tuple)' {ATTRIBUTE}",
        "You asked a {0} for `{1}`. Take what is in it out first: `(a,) = …` where it holds one, "
        "`a, b = …` where it holds two.",
    ),
    Row(
        "asked-none", "AttributeError", rf"'NoneType' {ATTRIBUTE}",
        "You asked None for `{0}`. None is what a function without `return` hands back, and "
        "what `.grad` is before a gradient has arrived.",
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
        "tensor-as-number", "TypeError", "must be a .*real number, not 'Tensor'",
        "A Tensor stood where a plain number was wanted, perhaps inside a list. `node._inputs` "
        "is a list: take the Tensors out of it, as in `(a,) = node._inputs`.",
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
    "went-through-a-tensor": "You went through a Tensor as if it were a list.",
    "unpacked": "Left of the `=` is room for {0}, and another number of values came.",
}


def explained(got: Observation) -> list[tuple[str, str]]:
    """(name, sentence) of the row that an exception belongs to; nothing where there is none."""
    if got.kind != "raised":
        return []
    in_engine = got.texts.get("file", "").startswith("engines/")
    for row in ROWS:
        if got.texts.get("type") == row.type:
            found = re.search(row.pattern, got.texts.get("message", "")[:500])
            if found:
                says = IN_ENGINES.get(row.name, row.says) if in_engine else row.says
                return [(f"raised:{row.name}", says.format(*found.groups()))]
    return []
