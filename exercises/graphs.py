"""Read the graphs of the book's engines for `grader graph`, and call one rule of each.

Chapter 3 and the engines of chapter 11 hold the same things in other places: a node's inputs, the
operation that made it, and its backward rule. `engine_of` knows them by their attributes, so that
a learner's own engine in the same style is drawn as well. The grader sends this file to the worker
too, beside its own `book/graph/program.py`, which makes the walk.
"""

from __future__ import annotations

import importlib
import types
from typing import Any

import numpy as np

Node = Any  # what a learner's engine is made of, and what its rules give
PLAIN = (bool, int, float, str, tuple, type(None))

FILES = ("ops.py", "scalar.py", "engines/")  # of the package: what makes graphs begins so
MODULES = ["tensor.py", "ops.py", "nn.py"]  # imported before anything is drawn
OTHERS = ("scalar", "engines.grad_fn", "engines.apply", "engines.closure")


def known_names(bg: types.ModuleType) -> dict[str, Any]:
    """Return the names that an expression may use without importing them."""
    ops = {n: v for n, v in vars(bg.ops).items() if callable(v) and not n.startswith("_")}
    modules = {n: getattr(bg, n) for n in ("ops", "nn") if hasattr(bg, n)}
    engines = other_engines(bg.__name__)
    value = {"Value": engines["scalar"].Value} if hasattr(engines.get("scalar"), "Value") else {}
    return {**ops, **modules, **engines, **value, "Tensor": bg.Tensor, "np": np}


def other_engines(package: str) -> dict[str, Any]:
    """Chapter 1's module and the engines of chapter 11, as far as they are there and run."""
    found = {}
    for name in OTHERS:
        try:
            found[name.rpartition(".")[2]] = importlib.import_module(f"{package}.{name}")
        except Exception:
            continue  # not there yet; whoever asks for it is told so by its name
    return found


class Ops:
    """Chapter 3: `_op` made it of `_inputs`; the rule takes a Tensor and gives Tensors."""

    name = "ops"
    held_in: tuple[str, ...] = ("_op", "_inputs")

    def maker(self, node: Node) -> object:
        return node._op

    def title(self, node: Node) -> str:
        return type(node._op).__name__

    def inputs(self, node: Node) -> list[Node]:
        return list(node._inputs)

    def holds(self, node: Node) -> dict[str, object]:
        """Return the arguments that the op was made with, as far as it holds them."""
        return dict(getattr(node._op, "__dict__", {}))

    def wants(self, node: Node) -> bool:
        """Tell whether a gradient reaches the node."""
        return bool(node.requires_grad)

    def rule(self, node: Node, arrived: np.ndarray) -> list[Node]:
        upstream = type(node)(arrived.copy(), dtype=str(node.data.dtype), requires_grad=False)
        return [each.data for each in several(node._op.backward(upstream, node))]

    def fitted(self, gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Summed down to the shape of the input, as chapter 3's walk does."""
        extra = gradient.ndim - len(shape)
        if extra > 0:
            gradient = gradient.sum(tuple(range(extra)))
        sizes = enumerate(zip(shape, gradient.shape))  # noqa: B905
        axes = tuple(i for i, (size, wide) in sizes if size == 1 != wide)
        return gradient.sum(axes, keepdims=True) if axes else gradient


class GradFn(Ops):
    """Recursion: a rule of its own for every result; arrays in, arrays out, in the right shape."""

    name = "grad_fn"
    held_in: tuple[str, ...] = ("grad_fn",)

    def maker(self, node: Node) -> object:
        return node.grad_fn

    def title(self, node: Node) -> str:
        return type(node.grad_fn).__name__

    def inputs(self, node: Node) -> list[Node]:
        return [] if node.grad_fn is None else list(node.grad_fn.inputs)

    def holds(self, node: Node) -> dict[str, object]:
        return plain(getattr(node.grad_fn, "__dict__", {}), but=("inputs",))

    def rule(self, node: Node, arrived: np.ndarray) -> list[Node]:
        return several(node.grad_fn.backward(arrived))

    def fitted(self, gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """As it is: here un-broadcasting is the rule's own task."""
        if gradient.shape != shape:
            raise ValueError(f"a gradient of shape {gradient.shape} for an input of shape {shape}")
        return gradient


class Apply(GradFn):
    """`Function.apply`: a Context that names the class, the inputs and what was saved."""

    name = "apply"
    held_in = ("_creator",)

    def maker(self, node: Node) -> object:
        return node._creator

    def title(self, node: Node) -> str:
        return str(node._creator.function.__name__)

    def inputs(self, node: Node) -> list[Node]:
        return [] if node._creator is None else list(node._creator.inputs)

    def holds(self, node: Node) -> dict[str, object]:
        return plain(getattr(node._creator, "__dict__", {}), but=("function", "inputs", "saved"))

    def rule(self, node: Node, arrived: np.ndarray) -> list[Node]:
        context = node._creator
        found = several(context.function.backward(context, arrived))
        inputs = zip(found, context.inputs)  # noqa: B905  (how many there are is looked at later)
        empty = [np.zeros_like(source.data) if each is None else each for each, source in inputs]
        return empty + found[len(empty) :]


class Closures(GradFn):
    """Closures, and chapter 1's `Value`: a function without arguments that adds to every `grad`."""

    name = "closure"
    held_in = ("_prev", "_backward")

    def maker(self, node: Node) -> object:
        return node._backward if node._prev else None

    def title(self, node: Node) -> str:
        """The method that the closure was written in: ``mul`` of ``Tensor.__mul__``."""
        around = getattr(node._backward, "__qualname__", "").split(".<locals>")[0]
        return around.rpartition(".")[2].strip("_")

    def inputs(self, node: Node) -> list[Node]:
        """Each once: what arrives in `grad` cannot be told apart."""
        return list({id(each): each for each in node._prev}.values())

    def holds(self, node: Node) -> dict[str, object]:
        code = getattr(node._backward, "__code__", None)
        cells = getattr(node._backward, "__closure__", None) or ()
        names = code.co_freevars if code else ()
        found = {name: cell.cell_contents for name, cell in zip(names, cells)}  # noqa: B905
        return plain(found)

    def wants(self, node: Node) -> bool:
        return True  # this walk fills every `grad`

    def rule(self, node: Node, arrived: np.ndarray) -> list[Node]:
        sources = self.inputs(node)
        before = [(each, each.grad) for each in (node, *sources)]
        number = not isinstance(node.data, np.ndarray)
        try:
            node.grad = float(arrived) if number else arrived
            for source in sources:
                source.grad = 0.0 if number else np.zeros_like(source.data)
            node._backward()
            return [source.grad for source in sources]
        finally:
            for each, grad in before:
                each.grad = grad


ENGINES: tuple[Ops, ...] = (Ops(), GradFn(), Apply(), Closures())


# In each engine, what made a node → the op with the same formula, and the names under which the
# node remembers what that op is made with. `closure` is chapter 1's Value, too.
FORMULAS: dict[str, dict[str, tuple[str, ...]]] = {
    "grad_fn": {
        "AddBackward": ("Add",), "MulBackward": ("Mul",),
        "PowBackward": ("PowerScalar", "exponent"),
        "ReLUBackward": ("ReLU",), "SigmoidBackward": ("Sigmoid",),
        "TransposeBackward": ("Transpose",), "MatMulBackward": ("MatMul",),
    },
    "apply": {
        "Add": ("Add",), "Mul": ("Mul",), "Pow": ("PowerScalar", "exponent"), "Exp": ("Exp",),
        "Log": ("Log",), "ReLU": ("ReLU",), "Tanh": ("Tanh",), "MatMul": ("MatMul",),
        "Sum": ("Summation", "axis"),
    },
    "closure": {
        "add": ("Add",), "sub": ("Sub",), "mul": ("Mul",), "truediv": ("Div",), "neg": ("Negate",),
        "matmul": ("MatMul",), "sum": ("Summation", "axis"), "exp": ("Exp",), "log": ("Log",),
        "tanh": ("Tanh",), "relu": ("ReLU",), "sigmoid": ("Sigmoid",),
        "log_softmax": ("LogSoftmax",), "pow": ("PowerScalar", "exponent"),
    },
}  # fmt: skip


def engine_of(value: object) -> Ops | None:
    """The engine that this is a node of; None where it is none."""
    if isinstance(value, type) or not hasattr(value, "data"):
        return None
    for engine in ENGINES:
        if all(hasattr(value, name) for name in engine.held_in):
            return engine
    return None


def several(found: object) -> list[Node]:
    """Return a rule's result as a list; a single value stands for a tuple of one."""
    return list(found) if isinstance(found, (tuple, list)) else [found]


def plain(held: dict[str, object], but: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the attributes that fit in a word: numbers, names, axes."""
    return {n: v for n, v in held.items() if n not in but and isinstance(v, PLAIN)}
