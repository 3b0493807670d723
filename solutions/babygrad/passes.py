"""Programs made smaller: each pass takes a program and returns another that computes the same.

No pass changes a program: it makes a new one (chapter 15). Every output keeps its value to the
last bit, for all inputs, infinite ones and -0.0 too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .tracing import ELEMENTWISE, KERNELS, Instruction, Program

Pass = Callable[[Program], Program]


def renamed(each: Instruction, names: Mapping[str, str]) -> Instruction:
    """The same instruction, reading other values: a name that is in ``names`` is replaced. Given."""
    return replace(each, inputs=tuple(names.get(name, name) for name in each.inputs))


def constant(name: str, value: Any) -> Instruction:
    """The instruction that makes a value that is known already. Given."""
    value = np.asarray(value)
    return Instruction("constant", (), name, value.shape, str(value.dtype), {"value": value})


def recipe(each: Instruction) -> tuple[Any, ...]:
    """The work of an instruction, without the names: op, attributes, shape and dtype. Given.

    Two recipes are equal if the instructions compute the same from the same inputs. A recipe can
    be the key of a dict, which a dict of attributes cannot.
    """
    attrs = [
        (name, (value.tobytes(), value.shape, str(value.dtype)))
        if isinstance(value, np.ndarray)
        else (name, repr(value))
        for name, value in sorted(each.attrs.items())
    ]
    return (each.op, tuple(attrs), each.shape, each.dtype)


def dead_code(program: Program) -> Program:
    """The program without the instructions that no output needs.

    What stays keeps its name and its order. The inputs stay, even where nobody reads them: whoever
    calls the program hands them in.
    """
    ### BEGIN SOLUTION
    needed, kept = set(program.outputs), []
    for each in reversed(program.instructions):
        if each.out in needed:
            needed.update(each.inputs)
            kept.append(each)
    return replace(program, instructions=tuple(reversed(kept)))
    ### END SOLUTION


def fold_constants(program: Program) -> Program:
    """The program with every value that is known beforehand as a constant.

    An instruction all of whose inputs are known becomes the ``constant`` of what its function in
    ``KERNELS`` gives for them, under the same name. Then that value is known, too. Instructions
    that nobody needs any longer stay: ``dead_code`` takes them away.
    """
    ### BEGIN SOLUTION
    known, found = {}, []
    for each in program.instructions:
        if each.op != "constant" and all(name in known for name in each.inputs):
            sources = [known[name] for name in each.inputs]
            each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))
        if each.op == "constant":
            known[each.out] = each.attrs["value"]
        found.append(each)
    return replace(program, instructions=tuple(found))
    ### END SOLUTION


def common_subexpressions(program: Program) -> Program:
    """The program in which nothing is computed twice.

    Two instructions are the same if they have the same ``recipe`` and read the same values in the
    same order. The first of them stays, the others go, and who reads them reads the first one
    instead: later instructions, which may become the same by that, and outputs.
    """
    ### BEGIN SOLUTION
    first: dict[Any, str] = {}
    names: dict[str, str] = {}
    found = []
    for each in program.instructions:
        each = renamed(each, names)
        key = recipe(each), each.inputs
        if key in first:
            names[each.out] = first[key]
        else:
            first[key] = each.out
            found.append(each)
    outputs = tuple(names.get(name, name) for name in program.outputs)
    return replace(program, instructions=tuple(found), outputs=outputs)
    ### END SOLUTION


# ---- algebra ------------------------------------------------------------------------------


def identity(each: Instruction, made: Mapping[str, Instruction]) -> str | None:
    """The name of the input that an instruction leaves as it is, to the last bit; else None.

    These leave every value as it is, if shape and dtype are those of the input, too:

    - ``x * 1``, ``x / 1`` and ``x ** 1`` with a scalar;
    - ``x + (-0.0)`` with a scalar. Not ``x + 0.0``: it makes 0.0 of -0.0;
    - ``Reshape`` and ``BroadcastTo`` to the shape that it has already;
    - ``Transpose`` with ``axes`` that leave every axis in its place, counted from the end too.

    Args:
        each: the instruction.
        made: name → the Instruction that makes this value, inputs of the program too.
    """
    ### BEGIN SOLUTION
    if len(each.inputs) != 1:
        return None
    (name,) = each.inputs
    if (made[name].shape, made[name].dtype) != (each.shape, each.dtype):
        return None
    scalar = each.attrs.get("scalar")
    if each.op in ("MulScalar", "DivScalar", "PowerScalar"):
        same = bool(scalar == 1)
    elif each.op == "AddScalar":
        same = bool(scalar == 0 and np.signbit(scalar))
    elif each.op == "Transpose":
        axes = each.attrs["axes"]
        same = axes is not None and [axis % len(axes) for axis in axes] == [*range(len(axes))]
    else:
        same = each.op in ("Reshape", "BroadcastTo")
    return name if same else None
    ### END SOLUTION


def undone(each: Instruction, made: Mapping[str, Instruction]) -> str | None:
    """The name of the value that an instruction brings back; else None.

    That is so where ``each`` undoes what the instruction before it did:

    - ``Negate`` of a ``Negate``;
    - ``Transpose`` of a ``Transpose``, if each axis is back in its place. ``axes=None`` swaps the
      last two;
    - ``Reshape`` of a ``Reshape``, if the shape is the first one again.

    Not ``Log`` of an ``Exp``: it is rounded twice, and e to the power of 1000 is inf.

    Args:
        each: the instruction.
        made: name → the Instruction that makes this value, inputs of the program too.
    """
    ### BEGIN SOLUTION
    if each.op not in ("Negate", "Transpose", "Reshape"):
        return None
    before = made[each.inputs[0]]
    if before.op != each.op:
        return None
    (name,) = before.inputs
    if made[name].shape != each.shape:
        return None
    if each.op == "Transpose":
        # Where each axis ends up: an axis is a size of its own, and both steps are taken.
        sizes = np.ones(tuple(range(len(each.shape))), bool)
        for step in (before, each):
            sizes = KERNELS["Transpose"](sizes, **step.attrs)
        if sizes.shape != tuple(range(len(each.shape))):
            return None
    return name
    ### END SOLUTION


def simplify(program: Program) -> Program:
    """The program without the instructions that ``identity`` or ``undone`` sees through. Given.

    Who read their values reads what these find instead.
    """
    made = {each.out: each for each in program.inputs}
    names: dict[str, str] = {}
    found = []
    for each in program.instructions:
        each = renamed(each, names)
        same = identity(each, made) or undone(each, made)
        made[each.out] = each
        if same is None:
            found.append(each)
        else:
            names[each.out] = same
    outputs = tuple(names.get(name, name) for name in program.outputs)
    return replace(program, instructions=tuple(found), outputs=outputs)


def lazy_broadcasts(program: Program) -> Program:
    """The program in which nothing is repeated for an op that repeats by itself. Given.

    ``Add``, ``Mul`` and the like stretch a smaller input themselves: they may read what a
    ``BroadcastTo`` was made from, if their other input has the full shape.
    """
    made = {each.out: each for each in (*program.inputs, *program.instructions)}
    found = []
    for each in program.instructions:
        inputs = list(each.inputs)
        pairs = ((0, 1), (1, 0)) if each.op in ELEMENTWISE and len(inputs) == 2 else ()
        for at, other in pairs:
            before = made[inputs[at]]
            if before.op == "BroadcastTo" and made[inputs[other]].shape == each.shape:
                inputs[at] = before.inputs[0]
        found.append(replace(each, inputs=tuple(inputs)))
    return replace(program, instructions=tuple(found))


PASSES: tuple[Pass, ...] = (
    simplify, lazy_broadcasts, fold_constants, common_subexpressions, dead_code,
)  # fmt: skip


def optimize(program: Program, *passes: Pass) -> Program:
    """The program after all passes, in order, again and again until a round changes nothing.

    Where none are named, they are ``PASSES``.

    What one pass does may give another one something to do. Two programs are the same if they
    print the same.
    """
    ### BEGIN SOLUTION
    before = ""
    while str(program) != before:
        before = str(program)
        for each in passes or PASSES:
            program = each(program)
    return program
    ### END SOLUTION
