"""Your compiler's program as C: one loop for each group, through the compiler of this machine.

    python examples/compiled_c.py --package my-course

A training step of a small network is traced, with its gradients, and made smaller by your passes.
Then it is printed as C. Each group that `groups` found is one loop, and only its last value is
stored. The system's compiler makes a library of it, and both programs get the same inputs: the
values have to agree. Where no compiler is found, a sentence says so, and the C is only shown.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package

BATCH, HIDDEN = 256, 32
CLOSE = 1e-10
REPEATS = 200

# Op → the expression of one value, of the values a and b and the attribute s.
EXPRESSIONS = {
    "Add": "{a} + {b}", "Sub": "{a} - {b}", "Mul": "{a} * {b}", "Div": "{a} / {b}",
    "Pow": "pow({a}, {b})", "Negate": "-{a}", "Exp": "exp({a})", "Log": "log({a})",
    "Sqrt": "sqrt({a})", "Tanh": "tanh({a})", "Abs": "fabs({a})",
    "ReLU": "({a} > 0 ? {a} : 0)", "Step": "({a} > 0 ? 1.0 : 0.0)",
    "Sign": "(({a} > 0) - ({a} < 0))", "Sigmoid": "(1 / (1 + exp(-{a})))",
    "AddScalar": "{a} + {s}", "MulScalar": "{a} * {s}", "DivScalar": "{a} / {s}",
    "PowerScalar": "pow({a}, {s})",
}  # fmt: skip


def main() -> None:
    options = package.arguments("A training step as C.").parse_args()
    package.load(options.package)
    from babygrad import compiler, passes, tracing

    program, arrays = traced(tracing, passes, options.seed)
    text = Printer(program, compiler.groups(program)).text()
    loops = text.count("// ")
    print(text)
    print(f"{len(program.instructions)} instructions, {loops} pieces of C")
    cc = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if cc is None:
        print("This machine has no C compiler (cc, gcc or clang), so the C is only shown.")
        return
    with tempfile.TemporaryDirectory() as folder:
        in_c = library(cc, text, program, Path(folder))
        report(in_c, compiler.build(program), arrays)


def traced(tracing: Any, passes: Any, seed: int) -> tuple[Any, list[np.ndarray]]:
    """Loss and gradients of a network with one hidden layer, for some data."""
    from babygrad import Tensor, ops

    def loss(x: Any, y: Any, w1: Any, b1: Any, w2: Any) -> Any:
        error = ops.tanh(x @ w1 + b1) @ w2 - y
        return (error * error).sum() / BATCH

    rng = np.random.default_rng(seed)
    shapes = ((BATCH, 8), (BATCH, 4), (8, HIDDEN), (HIDDEN,), (HIDDEN, 4))
    arrays = [rng.normal(size=shape) for shape in shapes]
    leaves = [Tensor(array, dtype="float64") for array in arrays]
    return passes.optimize(tracing.trace(tracing.with_gradients(loss), *leaves)), arrays


# ---- the text -------------------------------------------------------------------------------


class Printer:
    """A program as the text of one C function, ``run``."""

    def __init__(self, program: Any, groups: list[list[str]]) -> None:
        self.program = program
        self.made = {each.out: each for each in (*program.inputs, *program.instructions)}
        self.group_at = {group[-1]: group for group in groups}
        self.inside = {name for group in groups for name in group[:-1]}

    def text(self) -> str:
        given = [f"const double *{each.out}" for each in self.program.inputs]
        results = [f"double *out{n}" for n, _ in enumerate(self.program.outputs)]
        lines = ["#include <math.h>", "#include <string.h>", ""]
        lines.append(f"void run({', '.join([*given, *results])}) {{")
        for each in self.program.instructions:
            if each.out not in self.inside:
                lines += [f"  {line}" for line in self.lines(each)]
        for n, name in enumerate(self.program.outputs):
            lines.append(f"  memcpy(out{n}, {name}, sizeof(double) * {size(self.made[name])});")
        return "\n".join([*lines, "}", ""])

    def lines(self, each: Any) -> list[str]:
        """An instruction, or the group that ends with it."""
        head = [f"static double {each.out}[{size(each)}];"]
        if each.op == "constant":
            numbers = ", ".join(repr(float(n)) for n in np.ravel(each.attrs["value"]))
            return [f"static const double {each.out}[] = {{{numbers}}};"]
        if each.out in self.group_at:
            return [*head, *self.loop(self.group_at[each.out], each)]
        if each.op == "Reshape":
            return [f"const double *{each.out} = {each.inputs[0]};"]
        write: dict[str, Callable[[Any], list[str]]] = {
            "MatMul": self.product, "Summation": self.total, "Transpose": self.turned,
            "BroadcastTo": self.repeated,
        }  # fmt: skip
        if each.op not in write:
            sys.exit(f"{each.op} cannot be written as C here.")
        return [*head, f"// {each}", *write[each.op](each)]

    def loop(self, group: list[str], last: Any) -> list[str]:
        """All instructions of a group, for one place after another."""
        body = []
        for name in group:
            each = self.made[name]
            a, b = (*(self.value(source, last, group) for source in each.inputs), "")[:2]
            said = EXPRESSIONS[each.op].format(a=a, b=b, s=repr(each.attrs.get("scalar", "")))
            body.append(f"  double {name}_ = {said};")
        return [
            f"// {', '.join(self.made[name].op for name in group)}",
            f"for (int i = 0; i < {size(last)}; i++) {{", *body, f"  {last.out}[i] = {last.out}_;",
            "}",
        ]  # fmt: skip

    def value(self, name: str, last: Any, group: list[str]) -> str:
        """What a value is at place i: a number of this loop, or one in memory."""
        if name in group:
            return f"{name}_"
        return f"{name}[{index(self.made[name].shape, last.shape)}]"

    def product(self, each: Any) -> list[str]:
        a, b = each.inputs
        (rows, inner), columns = self.made[a].shape, each.shape[1]
        return [
            f"memset({each.out}, 0, sizeof {each.out});",
            f"for (int i = 0; i < {rows}; i++) for (int k = 0; k < {inner}; k++)",
            f"  for (int j = 0; j < {columns}; j++)",
            f"    {each.out}[i * {columns} + j] += {a}[i * {inner} + k] * {b}[k * {columns} + j];",
        ]

    def total(self, each: Any) -> list[str]:
        source = self.made[each.inputs[0]]
        axes = each.attrs["axes"]
        axes = range(len(source.shape)) if axes is None else np.atleast_1d(axes)
        summed = {int(axis) % len(source.shape) for axis in axes}
        kept = tuple(1 if axis in summed else n for axis, n in enumerate(source.shape))
        return [
            f"memset({each.out}, 0, sizeof {each.out});",
            f"for (int i = 0; i < {size(source)}; i++)",
            f"  {each.out}[{index(kept, source.shape)}] += {source.out}[i];",
        ]

    def turned(self, each: Any) -> list[str]:
        rows, columns = self.made[each.inputs[0]].shape
        return [
            f"for (int i = 0; i < {rows}; i++) for (int j = 0; j < {columns}; j++)",
            f"  {each.out}[j * {rows} + i] = {each.inputs[0]}[i * {columns} + j];",
        ]

    def repeated(self, each: Any) -> list[str]:
        source = self.made[each.inputs[0]]
        return [
            f"for (int i = 0; i < {size(each)}; i++)",
            f"  {each.out}[i] = {source.out}[{index(source.shape, each.shape)}];",
        ]


def size(each: Any) -> int:
    return int(np.prod(each.shape, dtype=int))


def index(shape: tuple[int, ...], whole: tuple[int, ...]) -> str:
    """Where the number at place i of the shape ``whole`` lies in a smaller one."""
    if shape == whole:
        return "i"
    terms, inner, own = [], 1, 1
    padded = (1,) * (len(whole) - len(shape)) + tuple(shape)
    for axis in reversed(range(len(whole))):
        if padded[axis] != 1:
            terms.append(f"i / {inner} % {whole[axis]} * {own}")
            own *= padded[axis]
        inner *= whole[axis]
    return " + ".join(terms) or "0"


# ---- the library ----------------------------------------------------------------------------


def library(cc: str, text: str, program: Any, folder: Path) -> Callable[..., list[np.ndarray]]:
    """The program as a function of arrays that calls what the compiler made."""
    code, made = folder / "program.c", folder / "program.so"
    code.write_text(text, encoding="utf-8")
    call = [cc, "-O3", "-shared", "-fPIC", "-o", str(made), str(code), "-lm"]
    subprocess.run(call, check=True)
    function = ctypes.CDLL(str(made)).run
    shapes = {each.out: each.shape for each in (*program.inputs, *program.instructions)}
    results = [np.empty(shapes[name]) for name in program.outputs]

    def run(*arrays: np.ndarray) -> list[np.ndarray]:
        whole = [np.ascontiguousarray(each) for each in (*arrays, *results)]
        function(*(each.ctypes.data_as(ctypes.c_void_p) for each in whole))
        return results

    return run


def report(in_c: Any, in_numpy: Any, arrays: list[np.ndarray]) -> None:
    """Whether both agree, and how long each takes."""
    pairs = zip(in_c(*arrays), in_numpy(*arrays), strict=True)
    worst = max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)
    if worst > CLOSE:
        sys.exit(f"C and NumPy do not agree: {worst:.1e} of the largest value.")
    print(f"C and NumPy agree to {CLOSE:g} of the largest value.")
    times = {"C": in_c, "NumPy": in_numpy}
    best = {name: min(timed(each, arrays) for _ in range(REPEATS)) for name, each in times.items()}
    print(f"C takes {best['C'] / best['NumPy']:.1f} x the time of NumPy.")


def timed(function: Any, arrays: list[np.ndarray]) -> float:
    started = time.perf_counter()
    function(*arrays)
    return time.perf_counter() - started


if __name__ == "__main__":
    package.run(main)
