"""From a function of Tensors to a program: a list of instructions that can be run again (chapter 15).

A value of a program has a name and gets its value once: x0, x1, … are handed in, v0, v1, … are
computed. That is single-assignment form.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .ops import Function, Sigmoid, unbroadcast
from .tensor import NDArray, Tensor

Attributes = dict[str, Any]

# ---- what a program is made of ------------------------------------------------------------


def kind(shape: tuple[int, ...], dtype: str) -> str:
    """Shape and dtype as a program shows them: ``float32[2, 3]``."""
    return f"{dtype}{list(shape)}"


def shown(value: Any) -> str:
    """An attribute as a program shows it; of an array with many numbers, its shape."""
    if isinstance(value, np.ndarray):
        return str(value) if value.ndim == 0 else f"array{value.shape}"
    return repr(value)


@dataclass(frozen=True, eq=False)
class Instruction:
    """One line of a program: ``v2 = MulScalar(v1, scalar=3.0)``.

    Attributes:
        op: the name of the `Function`, ``"MulScalar"``; ``"constant"`` and ``"input"`` are no
            Functions.
        inputs: the names of the values that it reads, in order.
        out: the name of the value that it makes; no other instruction makes it.
        shape, dtype: those of the value that it makes; ``dtype`` is a str.
        attrs: what the Function was made with; ``value`` of a constant.
    """

    op: str
    inputs: tuple[str, ...]
    out: str
    shape: tuple[int, ...]
    dtype: str
    attrs: Attributes = field(default_factory=dict)

    def __str__(self) -> str:
        given = [*self.inputs, *(f"{name}={shown(value)}" for name, value in self.attrs.items())]
        return f"{self.out} = {self.op}({', '.join(given)})"


@dataclass(frozen=True, eq=False)
class Program:
    """The trace of a function; ``print(program)`` shows it.

    Attributes:
        inputs: an ``"input"`` Instruction for each array that is handed in.
        instructions: what is computed, line by line; an instruction stands after those whose
            values it reads.
        outputs: the names of the values that are returned.
    """

    inputs: tuple[Instruction, ...]
    instructions: tuple[Instruction, ...]
    outputs: tuple[str, ...]

    def __str__(self) -> str:
        given = [f"{each.out}: {kind(each.shape, each.dtype)}" for each in self.inputs]
        texts = [str(each) for each in self.instructions]
        wide = max(map(len, texts), default=0)
        lines = [
            f"  {text:{wide}}   {kind(each.shape, each.dtype)}"
            for text, each in zip(texts, self.instructions, strict=True)
        ]
        first = f"program({', '.join(given)})"
        return "\n".join([first, *lines, f"  return {', '.join(self.outputs)}"])


# ---- what each instruction computes -------------------------------------------------------


def turned(a: NDArray, axes: tuple[int, ...] | None) -> NDArray:
    return a.swapaxes(-1, -2) if axes is None else np.transpose(a, axes)


def dilated(a: NDArray, axes: Any, step: int) -> NDArray:
    shape, every = list(a.shape), [slice(None)] * a.ndim
    for axis in (axes,) if isinstance(axes, int) else axes:
        shape[axis] = max((a.shape[axis] - 1) * step + 1, 0)
        every[axis] = slice(None, None, step)
    out = np.zeros(shape, a.dtype)
    out[tuple(every)] = a
    return out


def log_sum_exp(a: NDArray, axes: Any) -> NDArray:
    largest = a.max(axis=axes, keepdims=True)
    total = np.exp(a - largest).sum(axis=axes)
    return np.asarray(np.log(total) + largest.reshape(total.shape))


def log_softmax(a: NDArray, axis: int) -> NDArray:
    shifted = a - a.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


# Op → a function of arrays and of the attributes, in the words of NumPy. Given.
KERNELS: dict[str, Callable[..., NDArray]] = {
    "constant": lambda value: value,
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Pow": np.power,
    "Negate": np.negative, "Log": np.log, "Exp": np.exp, "Sqrt": np.sqrt, "Abs": np.abs,
    "ReLU": lambda a: np.maximum(a, 0), "Sigmoid": Sigmoid().forward, "Tanh": np.tanh,
    "Step": lambda a: (a > 0).astype(a.dtype), "Sign": np.sign,
    "AddScalar": lambda a, scalar: a + scalar, "MulScalar": lambda a, scalar: a * scalar,
    "DivScalar": lambda a, scalar: a / scalar,
    "PowerScalar": lambda a, scalar: np.power(a, float(scalar)),
    "Reshape": lambda a, shape: a.reshape(shape), "Transpose": turned,
    "Summation": lambda a, axes: np.asarray(a.sum(axis=axes)),
    "BroadcastTo": lambda a, shape: np.full(shape, a, a.dtype), "MatMul": np.matmul,
    "LogSumExp": log_sum_exp, "LogSoftmax": log_softmax,
    "Pad": lambda a, widths: np.pad(a, widths), "Slice": lambda a, index: np.asarray(a[index]),
    "Dilate": dilated, "Flip": lambda a, axes: np.flip(a, axes),
    "Max": lambda a, axes: np.asarray(a.max(axis=axes)), "Take": lambda a, indices: a[indices],
}  # fmt: skip

# These compute value by value: each value of the result needs one value of each input.
ELEMENTWISE = frozenset({
    "Add", "Sub", "Mul", "Div", "Pow", "Negate", "Log", "Exp", "Sqrt", "Abs", "ReLU", "Sigmoid",
    "Tanh", "Step", "Sign", "AddScalar", "MulScalar", "DivScalar", "PowerScalar",
})  # fmt: skip


def outcome(op: str, inputs: Sequence[Any], attrs: Attributes) -> tuple[tuple[int, ...], str]:
    """Shape and dtype of what an instruction makes, from those of its inputs. Given.

    It computes once with ones: no value of anybody's is needed.

    Raises:
        CannotTrace: no kernel has this name.
    """
    if op not in KERNELS:
        raise CannotTrace(f"{op} is no op that a program knows; KERNELS has those that it does.")
    with np.errstate(all="ignore"):
        found = KERNELS[op](*(np.ones(x.shape, x.dtype) for x in inputs), **attrs)
    return found.shape, str(found.dtype)


def run(program: Program, *arrays: NDArray) -> list[NDArray]:
    """Compute a program: one array for each input comes in, one for each output is returned.

    Every instruction is computed once, in order, by its function in ``KERNELS``, which takes the
    arrays of the inputs and the attributes by name. The arrays that come in stay as they were.

    Raises:
        ValueError: there are more or fewer arrays than inputs, or the shape or the dtype of one is
            not that of its input: the program was traced for others.
    """
    ### BEGIN SOLUTION
    values = {}
    for given, array in zip(program.inputs, arrays, strict=True):
        if array.shape != given.shape or str(array.dtype) != given.dtype:
            raise ValueError(
                f"{given.out} is {kind(given.shape, given.dtype)}, not "
                f"{kind(array.shape, str(array.dtype))}"
            )
        values[given.out] = array
    for each in program.instructions:
        sources = [values[name] for name in each.inputs]
        values[each.out] = KERNELS[each.op](*sources, **each.attrs)
    return [values[name] for name in program.outputs]
    ### END SOLUTION


# ---- how a function becomes a program -----------------------------------------------------


class CannotTrace(TypeError):
    """The function cannot become a program; the message says why, and where."""


def reader() -> str:
    """Find the line that reads the data of a `Traced` just now: file, line, its text. Given.

    The methods of a Tensor do not count: whoever calls them is meant.
    """
    frame = sys._getframe(1)
    while frame.f_back and isinstance(frame.f_locals.get("self"), Tensor):
        frame = frame.f_back
    file, line = frame.f_code.co_filename, frame.f_lineno
    return f"{file}, line {line}: {linecache.getline(file, line).strip()}"


class Traced(Tensor):
    """A Tensor while a function is traced: it has a name, a shape and a dtype, but no values.

    Attributes:
        name: the name of its value in the program.
        _op, _inputs: as in every Tensor; the inputs are Traced, too.
    """

    def __init__(
        self, made: Instruction, op: Function | None = None, inputs: Sequence[Traced] = ()
    ) -> None:
        self.name = made.out
        self._kind = made.shape, np.dtype(made.dtype)
        self.grad, self.requires_grad = None, True
        self._op, self._inputs = op, list(inputs)

    shape = property(lambda self: self._kind[0])
    dtype = property(lambda self: self._kind[1])
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: int(np.prod(self.shape, dtype=int)))

    @property
    def data(self) -> Any:
        """There are no values yet: whoever reads them is told so.

        Raises:
            CannotTrace: always. The message holds all that ``reader()`` returns, so that the line
                can be found.
        """
        ### BEGIN SOLUTION
        raise CannotTrace(
            f"{reader()}\nThis line reads values. While a function is traced there are none: decide "
            "before you trace, or compute with ops."
        )
        ### END SOLUTION

    def __bool__(self) -> bool:
        return bool(self.data)

    def __repr__(self) -> str:
        return f"Traced({self.name}: {kind(self.shape, str(self.dtype))})"


class Tracer:
    """Writes a program while a function runs.

    Attributes:
        inputs, instructions: what is written so far.
    """

    def __init__(self) -> None:
        self.inputs: list[Instruction] = []
        self.instructions: list[Instruction] = []
        # Tensors from outside, and who stands in for each. A Tensor that is gone could leave its
        # id to another: so they are kept.
        self._stand_ins: dict[int, tuple[Tensor, Traced]] = {}

    def new_name(self) -> str:
        """A name that no value of the program has yet: ``v0``, ``v1``, … Given."""
        return f"v{len(self.instructions)}"

    def input_for(self, tensor: Tensor) -> Traced:
        """One more input, of the shape and dtype of ``tensor``. Given."""
        name = f"x{len(self.inputs)}"
        made = Instruction("input", (), name, tensor.shape, str(tensor.dtype))
        self.inputs.append(made)
        self._stand_ins[id(tensor)] = tensor, Traced(made)
        return self._stand_ins[id(tensor)][1]

    def stand_in(self, tensor: Tensor) -> Traced:
        """Return the `Traced` that stands for a Tensor in the program. Given.

        A Traced stands for itself. A Tensor that was handed to ``trace`` is that input, wherever
        it is met. Any other Tensor becomes a constant: its values are copied into the program.
        """
        if isinstance(tensor, Traced):
            return tensor
        if id(tensor) not in self._stand_ins:
            value = np.array(tensor.data)
            made = Instruction(
                "constant", (), self.new_name(), value.shape, str(value.dtype), {"value": value}
            )
            self.instructions.append(made)
            self._stand_ins[id(tensor)] = tensor, Traced(made)
        return self._stand_ins[id(tensor)][1]

    def record(self, op: Function, *inputs: Tensor) -> Traced:
        """Take the place of ``Function.__call__``: write an instruction, compute nothing.

        The instruction goes to the end of ``instructions``. Its op is the name of the class of
        ``op``; its inputs are the names of those that stand in for ``inputs``; its name is new;
        its attributes are those of ``op``, ``vars(op)``, in a dict of its own; shape and dtype are
        what ``outcome`` says.

        Returns:
            a Traced for that instruction, with ``op`` as its ``_op`` and those that stand in as
            its ``_inputs``.
        """
        ### BEGIN SOLUTION
        sources = [self.stand_in(x) for x in inputs]
        name, attrs = type(op).__name__, dict(vars(op))
        shape, dtype = outcome(name, sources, attrs)
        names = tuple(x.name for x in sources)
        made = Instruction(name, names, self.new_name(), shape, dtype, attrs)
        self.instructions.append(made)
        return Traced(made, op, sources)
        ### END SOLUTION

    def program(self, outputs: Sequence[Tensor]) -> Program:
        """Return the program as it was written, with these Tensors as its outputs. Given."""
        names = tuple(self.stand_in(each).name for each in outputs)
        return Program(tuple(self.inputs), tuple(self.instructions), names)


def trace(f: Callable[..., Any], *inputs: Tensor) -> Program:
    """The program of ``f``, for inputs of these shapes and dtypes.

    ``f`` is called once, with an input of a new ``Tracer`` for each of ``inputs``. Meanwhile the
    tracer's ``record`` takes the place of ``Function.__call__``. Afterwards ``Function.__call__``
    is again what it was, even if ``f`` ended with an exception, which goes on.

    Args:
        f: takes Tensors; returns a Tensor, or a list or tuple of Tensors: the outputs.
        inputs: Tensors; only their shapes and dtypes matter.
    """
    ### BEGIN SOLUTION
    tracer = Tracer()
    given = [tracer.input_for(x) for x in inputs]
    before = Function.__call__
    # A plain function: as an attribute of a class it is called with the op in front.
    Function.__call__ = lambda op, *xs: tracer.record(op, *xs)
    try:
        found = f(*given)
    finally:
        Function.__call__ = before
    return tracer.program([found] if isinstance(found, Tensor) else found)
    ### END SOLUTION


# ---- the way back, in the same program ----------------------------------------------------


class Step(Function):
    """1 where ``a`` is positive, else 0: the slope of ReLU as an op. Given."""

    def forward(self, a: NDArray) -> NDArray:
        return KERNELS["Step"](a)

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return zeros_like(out_grad)


class Sign(Function):
    """-1, 0 or 1: the slope of the absolute value as an op. Given."""

    def forward(self, a: NDArray) -> NDArray:
        return KERNELS["Sign"](a)

    def backward(self, out_grad: Tensor, node: Tensor) -> Tensor:
        return zeros_like(out_grad)


def zeros_like(x: Tensor) -> Tensor:
    return Tensor(np.zeros(x.shape), dtype=x.dtype, requires_grad=False)


def relu_rule(out_grad: Tensor, node: Tensor) -> Tensor:
    """The rule of ReLU without a look at any value: the mask is computed in the program.

    ``out_grad`` where the input is greater than 0, else 0, made of Tensor operations.
    """
    ### BEGIN SOLUTION
    (a,) = node._inputs
    return out_grad * Step()(a)
    ### END SOLUTION


def abs_rule(out_grad: Tensor, node: Tensor) -> Tensor:
    """The rule of Abs without a look at any value: ``out_grad`` times the sign of the input."""
    ### BEGIN SOLUTION
    (a,) = node._inputs
    return out_grad * Sign()(a)
    ### END SOLUTION


# The rules of chapter 3 that read values, and what takes their place.
RULES: dict[str, Callable[..., Any]] = {"ReLU": relu_rule, "Abs": abs_rule}


def rule_of(node: Tensor) -> Callable[..., Any]:
    """The rule to ask for a node: ``rule(out_grad, node)``. Given."""
    return RULES.get(type(node._op).__name__, node._op.backward)


def backwards(root: Tensor) -> list[Tensor]:
    """Every Tensor that ``root`` was made from, itself first, each before its inputs. Given."""
    order: list[Tensor] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node._inputs)
    return order[::-1]


def gradients(output: Tensor, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The gradient of ``output`` with respect to each of ``inputs``, as Tensors that are traced.

    The walk of chapter 3, once more: it starts from ones of the shape and dtype of ``output``,
    goes through ``backwards(output)``, and asks ``rule_of(node)`` once for each node, with the sum
    of all that arrived there. What a rule returns is summed down to the shape of its input by
    ``unbroadcast``, and where paths meet, gradients add. All of it is Tensor operations, so that
    the tracer records them: no ``data`` is read.

    An input that ``output`` does not depend on gets zeros of its shape and dtype.
    """
    ### BEGIN SOLUTION
    start = Tensor(np.ones(output.shape), dtype=output.dtype, requires_grad=False)
    arrived = {id(output): start}
    for node in backwards(output):
        if node._op is None or id(node) not in arrived:
            continue
        found = rule_of(node)(arrived[id(node)], node)
        found = (found,) if isinstance(found, Tensor) else found
        for source, gradient in zip(node._inputs, found, strict=True):
            gradient = unbroadcast(gradient, source.shape)
            before = arrived.get(id(source))
            arrived[id(source)] = gradient if before is None else before + gradient
    return [arrived[id(x)] if id(x) in arrived else zeros_like(x) for x in inputs]
    ### END SOLUTION


def with_gradients(f: Callable[..., Tensor]) -> Callable[..., list[Tensor]]:
    """A function to trace: the value of ``f``, then its gradient for each input. Given."""

    def both(*inputs: Tensor) -> list[Tensor]:
        output = f(*inputs)
        return [output, *gradients(output, inputs)]

    return both
