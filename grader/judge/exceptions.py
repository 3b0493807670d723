"""Explain an exception of the learner's code in the course's words: a table, a row per message.

The message itself stands in the report already. A row adds what a beginner cannot read out of it,
and says nothing that the message does not bear out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..about import COURSE, EXCEPTIONS, own_names
from ..sandbox.observation import Observation, line_number


class ExceptionRule(NamedTuple):
    """One kind of exception."""

    name: str  # short and unique
    # Name of its class, or several: ``TypeError|Complaint``. Programs raise a ``Complaint`` about
    # what came back; an array that cannot be sent is ``Unsendable``.
    type: str
    # A regex that its message, or the dtype of that array, must contain; its groups fill the
    # sentence. Messages are those of Python, NumPy and the course's programs.
    pattern: str
    says: str
    # Regexes that the line that raised it must contain, and must not; ``{0}`` as in the sentence.
    # If the line is unknown, a row with ``on`` says nothing.
    on: str = ""
    off: str = ""
    where: str = ""  # a regex for the learner's file name


LONGEST = 500  # characters of a message, or of a line, that are searched
ATTRIBUTE = "object has no attribute '(\\w+)'"

NO_KEYBOARD = (
    "nobody can type while the grader runs your code. Take it out, or run this call yourself: "
    "`grader repro {exercise} --out r.py`, then `python -m pdb r.py`."
)

# Rows of every course. A course's own rows (its `exceptions.py`) come first.
GENERAL = (
    ExceptionRule(
        "no-self", "NameError", r"name 'self' is not defined",
        "`self` is a name like any other: it is known where the method names it first, as in "
        "`def forward(self, a):`.",
    ),
    ExceptionRule("breakpoint", "BdbQuit", "", f"A breakpoint stops nothing here: {NO_KEYBOARD}"),
    ExceptionRule(
        "input", "EOFError", "EOF when reading", f"`input()` reads nothing here: {NO_KEYBOARD}",
    ),
    ExceptionRule(
        "unknown-name", "NameError", r"name '(\w+)' is not defined",
        "Python does not know the name `{0}` here. Is it misspelled, or not imported, or does "
        "it need `self.` or `np.` in front?",
    ),
    ExceptionRule(
        "np-is-an-array", "AttributeError", rf"'numpy\.\w+' {ATTRIBUTE}",
        "`np` is not NumPy here but an array: somewhere above a name `np` was given a value. "
        "Call that variable something else.",
        on=r"\bnp\.{0}\b",
    ),
    ExceptionRule(
        "asked-an-array", "AttributeError", rf"'numpy\.\w+' {ATTRIBUTE}",
        "You asked a NumPy array for `{0}`, which it does not have. NumPy's functions take the "
        "array as their argument, as in `np.exp(a)`.",
    ),
    ExceptionRule(
        "asked-a-list", "AttributeError", rf"'(list|tuple)' {ATTRIBUTE}",
        "You asked a {0} for `{1}`. Take what is in it out first: `(a,) = …` if it holds one, `a, "
        "b = …` if it holds two.",
    ),
    ExceptionRule(
        "asked-none", "AttributeError", rf"'NoneType' {ATTRIBUTE}",
        "You asked None for `{0}`. None is what a function without `return` returns.",
    ),
    ExceptionRule(
        "one-too-many", "TypeError",
        r"\.(\w+)\(\) takes (?:0 positional arguments but 1|1 positional argument but 2|"
        r"2 positional arguments but 3|3 positional arguments but 4) w",
        "`{0}` got one argument more than it takes by position. A method is given the object in "
        "front of the dot as its first argument, `self`; what stands behind `*` goes by name only.",
    ),
    ExceptionRule(
        "class-called", "TypeError", r"^(\w+)\(\) takes no arguments$",
        "`{0}(…)` only makes the object, and takes no arguments. Call what it made: `{0}()(x)`.",
        on=r"\b{0}\(", off=r"\bself\.\w+ = ",
    ),
    ExceptionRule(
        "caret", "TypeError", r"for \^: |'bitwise_xor' not supported",
        "`^` is no power in Python: it works on the bits of whole numbers. A power has two stars: "
        "`a ** 2`.",
    ),
    ExceptionRule(
        "method-not-called", "TypeError", r"'(?:builtin_function_or_)?method'",
        "That is the method itself, not its result: the parentheses after its name are missing.",
    ),
    ExceptionRule(
        "list-as-operand", "TypeError",
        r"unsupported operand type\(s\) for .*'list'|bad operand type for unary .*'list'",
        "There is a list at an operator. Take what is in it out first: `(a,) = …` if it holds one, "
        "`a, b = …` if it holds two.",
    ),
    ExceptionRule(
        "objects", "Unsendable", "^object$",
        "Your result holds objects instead of numbers. That happens when a list meets an array.",
    ),
    ExceptionRule(
        "past-the-end", "IndexError", "list index out of range",
        "The list is shorter than that. The first of its items has the number 0.",
    ),
    ExceptionRule(
        "many-truths-if", "ValueError", "truth value of an array",
        "`if` needs one yes or no, and an array holds many. Decide for each value: multiply by a "
        "mask, or use `np.where`.",
        on=r"\bif\b", off=r"\b(?:max|min|sorted|and|or|not|in)\b",
    ),
    ExceptionRule(
        "many-truths-max", "ValueError", "truth value of an array",
        "Python's `max`, `min` and `sorted` ask which of two things is larger, and for arrays that "
        "has many answers. `np.maximum` and `np.minimum` compare value by value; `a.max()` is the "
        "largest value of all.",
        on=r"(?<!\.)\b(?:max|min|sorted)\(", off=r"\b(?:if|while|and|or|not|in)\b",
    ),
    ExceptionRule(
        "many-truths", "ValueError", "truth value of an array",
        "Python asked an array for one yes or no, and it holds many: `if`, `and`, `or`, `not` and "
        "`in` do that, and so do `max` and `min`. Decide for each value: multiply by a mask, or "
        "use `np.where`.",
    ),
    ExceptionRule(
        "size-not-whole", "TypeError", r"'(?:numpy\.)?float\d*' object cannot be interpreted as",
        "A shape is made of whole numbers. The sizes of `a` are in `a.shape`.",
    ),
    ExceptionRule(
        "array-as-size", "TypeError", "only integer scalar arrays can be converted",
        "A shape or an index is made of ints, and this is an array instead. `tuple(int(n) for n in "
        "…)` makes a tuple of ints.",
    ),
    ExceptionRule(
        "not-a-function", "TypeError", r"'(\w+)' object is not callable",
        "Parentheses after a name call it, and you can't call a {0}. Is there an operator missing "
        "before them, or are they one pair too many?",
    ),
    ExceptionRule(
        "many-for-one", "ValueError", r"setting an array element with a sequence\.$",
        "NumPy needed one plain number, and got something that holds several: a list or an array.",
    ),
    ExceptionRule(
        "unpacked-other", "ValueError",
        r"(?:not enough|too many) values to unpack \(expected (\d+)",
        "There is room for {0} on the left of the `=`, and another number of values came.",
        off=r"_inputs",
    ),
    ExceptionRule(
        "none-as-operand", "TypeError", r"unsupported operand type\(s\) for (\S+): .*'NoneType'",
        "One side of the `{0}` is None. None is what a function without `return` returns.",
    ),
)  # fmt: skip


_OWN = own_names(EXCEPTIONS)
OWN = tuple(ExceptionRule(*row) for row in _OWN.get("EXCEPTIONS", ()))
ROWS = (*OWN, *(row for row in GENERAL if row.name not in {own.name for own in OWN}))
ALONE: dict[str, str] = _OWN.get("ALONE", {})  # row → its sentence for a file that works alone


def explain_exception(
    got: Observation,
    line: Callable[[str, int], str] = lambda file, number: "",
    exercise: str = "EXERCISE",
) -> list[tuple[str, str]]:
    """Return (name, sentence) of the first row that fits; ``line`` gives a place's text."""
    message, dtype = (got.texts.get(name, "")[:LONGEST] for name in ("message", "dtype"))
    kinds = {got.texts.get("type"): message} if got.kind == "raised" else {}
    kinds = {"Complaint": message, "Unsendable": dtype} if got.kind == "complained" else kinds
    folder, file = COURSE.alone["folder"], got.texts.get("file", "")
    is_alone = bool(folder) and file.startswith(folder)
    for row in ROWS:
        said = next((kinds[kind] for kind in row.type.split("|") if kind in kinds), None)
        if said is not None and re.search(row.where, file):
            found = re.search(row.pattern, said)
            if found and _fits(row, found.groups(), got, line):
                says = ALONE.get(row.name, row.says) if is_alone else row.says
                return [(f"raised:{row.name}", says.format(*found.groups(), exercise=exercise))]
    return []


def _fits(
    row: ExceptionRule, groups: tuple[str, ...], got: Observation, line: Callable[[str, int], str]
) -> bool:
    """Whether the line that raised it matches the row's patterns."""
    if not row.on and not row.off:
        return True
    if got.texts.get("by") == "grader":
        return False  # a program of ours raised it, using what was handed back
    text = line(got.texts.get("file", ""), line_number(got.texts.get("line", "")))[:LONGEST]
    on, off = (pattern.format(*map(re.escape, groups)) for pattern in (row.on, row.off))
    return (not on or re.search(on, text) is not None) and not (off and re.search(off, text))
