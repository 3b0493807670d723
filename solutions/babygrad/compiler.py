"""From a program to code: what belongs together, what is alive, which memory is used again, and
the text of a Python function (chapter 15).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .passes import optimize
from .tensor import NDArray, Tensor
from .tracing import ELEMENTWISE, KERNELS, Instruction, Program, trace

Built = Callable[..., list[NDArray]]

# ---- what belongs together ----------------------------------------------------------------


def groups(program: Program) -> list[list[str]]:
    """The element-by-element instructions, fused: those of a group can be one loop.

    An instruction whose op is in ``ELEMENTWISE`` begins a group, and takes into it the groups of
    those values that it reads and nobody else needs. Such a value is made by an instruction of
    ``ELEMENTWISE`` and has the shape of what is made here; no other instruction reads it, and it is
    no output. So only the last value of a group has to be stored.

    Returns:
        the names of the values that are made, group by group, in the order of their last
        instructions; within a group in the order of the program.
    """
    ### BEGIN SOLUTION
    made = {each.out: each for each in program.instructions}
    readers: dict[str, int] = dict.fromkeys(program.outputs, 1)
    for each in program.instructions:
        for name in set(each.inputs):
            readers[name] = readers.get(name, 0) + 1
    place = {name: at for at, name in enumerate(made)}
    group_of: dict[str, list[str]] = {}
    for each in program.instructions:
        if each.op not in ELEMENTWISE:
            continue
        own = [each.out]
        for name in each.inputs:
            if name in group_of and readers[name] == 1 and made[name].shape == each.shape:
                own += group_of.pop(name)
        group_of[each.out] = sorted(own, key=place.__getitem__)
    return list(group_of.values())
    ### END SOLUTION


# ---- what is alive, and where -------------------------------------------------------------

# These move no number: what they return looks into the memory of their input (or is a copy).
VIEWS = frozenset({"Reshape", "Transpose", "Slice", "Flip"})


def memory_of(program: Program) -> dict[str, str]:
    """Name → the name of the value in whose memory it lies; most lie in their own. Given."""
    found = {each.out: each.out for each in program.inputs}
    for each in program.instructions:
        found[each.out] = found[each.inputs[0]] if each.op in VIEWS else each.out
    return found


def last_uses(program: Program) -> dict[str, int]:
    """The end of each value's life: name → the number of the last instruction that reads it.

    Instructions are counted from 0. The names are those in whose memory values lie, the values of
    ``memory_of(program)``: who reads a view reads the memory that it looks into. Memory in which an
    output lies is needed to the end, which is ``len(program.instructions)``. Memory that nobody
    reads is needed by the instruction that makes it, that of an unused input by -1.
    """
    ### BEGIN SOLUTION
    memory = memory_of(program)
    last = {each.out: -1 for each in program.inputs}
    for at, each in enumerate(program.instructions):
        for name in (*each.inputs, each.out):
            last[memory[name]] = at
    last |= {memory[name]: len(program.instructions) for name in program.outputs}
    return last
    ### END SOLUTION


# These can write what they compute into an array that is given: ``out=``.
INTO = ELEMENTWISE | {"MatMul", "Summation", "BroadcastTo", "LogSoftmax"}


def assign_buffers(program: Program) -> dict[str, int]:
    """The buffer that each value is written into: name → the number of the buffer.

    A buffer is an array that is made once and used in every call. Values get one in the order of
    the program: a free one that held a value of the same shape and dtype, else a new one, with the
    next number from 0 on.

    - A value gets a buffer if its op is in ``INTO`` and its memory is not needed to the end: who
      calls may keep an output forever.
    - A buffer becomes free with the last use of what is in it, as ``last_uses`` has it.
    - An instruction of ``ELEMENTWISE`` may write into the buffer of a value that it reads itself,
      by name and not through a view, for the last time. Any other instruction reads its inputs
      while it writes, and what it reads for the last time becomes free after it.
    """
    ### BEGIN SOLUTION
    last, memory = last_uses(program), memory_of(program)
    end = len(program.instructions)
    number: dict[str, int] = {}
    free: dict[Any, list[int]] = {}
    kinds = {each.out: (each.shape, each.dtype) for each in program.instructions}
    count = 0
    for at, each in enumerate(program.instructions):
        ending = {memory[name] for name in each.inputs if last[memory[name]] == at}
        early = ending & set(each.inputs) if each.op in ELEMENTWISE else set()
        release(early & set(number), number, kinds, free)
        if each.op in INTO and last[each.out] != end:
            fitting = free.setdefault(kinds[each.out], [])
            if fitting:
                number[each.out] = min(fitting)
                fitting.remove(number[each.out])
            else:
                number[each.out] = count
                count += 1
        late = ending - early | ({each.out} if last.get(each.out) == at else set())
        release(late & set(number), number, kinds, free)
    return number
    ### END SOLUTION


def release(
    names: set[str],
    number: Mapping[str, int],
    kinds: Mapping[str, Any],
    free: dict[Any, list[int]],
) -> None:
    """The buffers of these values are free again, for values of the same kind. Given."""
    for name in names:
        free.setdefault(kinds[name], []).append(number[name])


# ---- the text of a function ---------------------------------------------------------------


def sigmoid(a: NDArray, out: NDArray | None = None) -> NDArray:
    numerator = a >= 0
    decay = np.abs(a, out=out)
    np.exp(np.negative(decay, out=decay), out=decay)
    top = np.where(numerator, decay.dtype.type(1), decay)
    return np.divide(top, np.add(decay, 1, out=decay), out=decay)


def step(a: NDArray, out: NDArray | None = None) -> NDArray:
    return np.greater(a, 0, out=np.empty_like(a) if out is None else out, casting="unsafe")


def log_softmax(a: NDArray, axis: int, out: NDArray | None = None) -> NDArray:
    shifted = np.subtract(a, a.max(axis=axis, keepdims=True), out=out)
    total = np.exp(shifted).sum(axis=axis, keepdims=True)
    return np.subtract(shifted, np.log(total), out=shifted)


def fill(a: NDArray, shape: tuple[int, ...], out: NDArray | None = None) -> NDArray:
    out = np.empty(shape, a.dtype) if out is None else out
    out[...] = a
    return out


# Op → how it is written; `{0}` is the first input, `{out}` is ``, out=b3`` or nothing.
WRITTEN: dict[str, str] = {
    "Add": "np.add({0}, {1}{out})", "Sub": "np.subtract({0}, {1}{out})",
    "Mul": "np.multiply({0}, {1}{out})", "Div": "np.divide({0}, {1}{out})",
    "Pow": "np.power({0}, {1}{out})", "Negate": "np.negative({0}{out})",
    "Log": "np.log({0}{out})", "Exp": "np.exp({0}{out})", "Sqrt": "np.sqrt({0}{out})",
    "Abs": "np.abs({0}{out})", "ReLU": "np.maximum({0}, 0{out})", "Sigmoid": "sigmoid({0}{out})",
    "Tanh": "np.tanh({0}{out})", "Step": "step({0}{out})", "Sign": "np.sign({0}{out})",
    "AddScalar": "np.add({0}, {scalar}{out})", "MulScalar": "np.multiply({0}, {scalar}{out})",
    "DivScalar": "np.divide({0}, {scalar}{out})",
    "PowerScalar": "np.power({0}, float({scalar}){out})",
    "MatMul": "np.matmul({0}, {1}{out})", "Summation": "np.add.reduce({0}, {axes}{out})",
    "BroadcastTo": "fill({0}, {shape}{out})", "LogSoftmax": "log_softmax({0}, {axis}{out})",
    "Reshape": "{0}.reshape({shape})", "Transpose": "{0}.transpose({axes})", "Slice": "np.asarray({0}[{index}])",
}  # fmt: skip


def line_of(each: Instruction, buffers: Mapping[str, int]) -> str:
    """An instruction as a line of Python. Given."""
    if each.op == "Transpose" and each.attrs["axes"] is None:
        return f"{each.out} = {each.inputs[0]}.swapaxes(-1, -2)"
    if each.op in WRITTEN:
        out = f", out=b{buffers[each.out]}" if each.out in buffers else ""
        attrs = {name: repr(value) for name, value in each.attrs.items()}
        return f"{each.out} = " + WRITTEN[each.op].format(*each.inputs, out=out, **attrs)
    given = ", ".join(each.inputs)
    return f"{each.out} = KERNELS[{each.op!r}]({given}, **attrs_of_{each.out})"


def source(program: Program, buffers: Mapping[str, int]) -> str:
    """The text of a function ``compiled``, which computes the program. Given.

    Constants and buffers are names from outside.
    """
    lines = [f"def compiled({', '.join(each.out for each in program.inputs)}):"]
    lines += [
        f"    {line_of(each, buffers)}" for each in program.instructions if each.op != "constant"
    ]
    return "\n".join([*lines, f"    return [{', '.join(program.outputs)}]", ""])


def build(program: Program) -> Built:
    """The program as a Python function: made of text, with buffers of its own. Given.

    ``build(program).text`` is that text.
    """
    buffers = assign_buffers(program)
    text = source(program, buffers)
    names: dict[str, Any] = {
        "np": np, "sigmoid": sigmoid, "step": step, "log_softmax": log_softmax, "fill": fill,
        "KERNELS": KERNELS, "inf": np.inf, "nan": np.nan, "array": np.array,
    }  # fmt: skip
    for each in program.instructions:
        if each.op == "constant":
            names[each.out] = each.attrs["value"]
        elif each.op not in WRITTEN:
            names[f"attrs_of_{each.out}"] = each.attrs
        if each.out in buffers:
            names[f"b{buffers[each.out]}"] = np.empty(each.shape, each.dtype)
    exec(compile(text, "<compiled>", "exec"), names)
    names["compiled"].text = text
    built: Built = names["compiled"]
    return built


class Compiled:
    """A function of Tensors that is traced once for each shape, and then runs as compiled.

    Attributes:
        f: the function.
        made: signature → what ``build`` made for it.
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self.made: dict[Any, Built] = {}

    def __call__(self, *inputs: Tensor) -> list[NDArray]:
        """The outputs of ``f`` as arrays.

        The signature of a call is the shapes and the dtypes of all its inputs. With a new one,
        ``f`` is traced, optimized and built, and what was built is kept in ``made``. With one that
        was there before, ``f`` is not called: what is kept runs, on the data of the inputs, which
        stays as it was.
        """
        ### BEGIN SOLUTION
        signature = tuple((x.shape, x.dtype) for x in inputs)
        if signature not in self.made:
            self.made[signature] = build(optimize(trace(self.f, *inputs)))
        return self.made[signature](*(x.data for x in inputs))
        ### END SOLUTION
