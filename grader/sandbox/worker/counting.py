"""Arrays that tell a `Meter` what NumPy does with them, and what stands for NumPy meanwhile."""

from __future__ import annotations

import math
import sys
import types

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from meter import Meter

    Function = Callable[..., Any]

# One product for each element.
PRODUCTS = {
    "multiply", "divide", "true_divide", "square", "power", "float_power", "reciprocal", "prod",
    "cumprod", "var", "std", "norm", "kron", "cross",
}  # fmt: skip
# As many products for each element as the last axis of the first operand is long …
ROWS = {"matmul", "dot", "inner", "vecdot", "matvec", "vecmat"}
# … or as the sizes tell: both hold what is summed over, and the result does not.
BY_SIZES = {"tensordot", "outer", "vdot"}
# Written in Python, of what counts by itself: these run on counting arrays.
OF_OTHERS = {"multi_dot", "matrix_power", "apply_along_axis", "apply_over_axes", "piecewise"}
TAKES = {"__getitem__", "take", "take_along_axis", "compress", "choose"}  # read what they give
OUT = {"tolist", "item", "tobytes", "tofile", "dump", "dumps", "__float__"}
# What brings no values along; whatever is none of it may, and nobody sees how many.
HARMLESS = (int, str, slice, type, range, np.dtype, np.generic, type(None), type(...))
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.sum))


def owner(array: Any) -> Any:
    """What holds the memory of an array."""
    while (base := getattr(array, "base", None)) is not None:
        array = base
    return array


def is_real(array: Any) -> bool:
    return array.dtype.kind in "fc"


class Operands:
    """What a function of NumPy's is given: plain, and what is to be known of it.

    Attributes:
        plain: the arrays.
        same: a plain array's number → the counting array that it is a look at.
        outside: how many values came from where nothing is counted.
        numbers: how many single values were counted before.
        closed: whether it is given something that nobody can look into: memory, a function.
    """

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.plain: list[Any] = []
        self.same: dict[int, Any] = {}
        self.outside, self.numbers, self.closed = 0, 0, False

    def bare(self, value: Any, inside: bool = False) -> Any:
        """A value without the count, whatever it holds."""
        kind = type(value)
        if kind is self.arrays.kind:
            self.arrays.check(value, self)
            return self.plain_of(np.ndarray.view(value, np.ndarray), value)
        if kind in HARMLESS:
            return value
        if kind in self.arrays.numbers:
            self.numbers += 1
            return kind.plain(np.generic.item(value))
        if isinstance(value, np.ndarray):
            self.outside += value.size if is_real(value) else 0
            return self.plain_of(value, value)
        if kind is list or kind is tuple:
            return kind(self.bare(each, True) for each in value)
        if isinstance(value, (float, np.floating)):
            self.outside += inside
        elif not isinstance(value, HARMLESS):
            if hasattr(kind, "__array__"):
                return self.bare(value.__array__())
            self.closed = True
        return value

    def plain_of(self, plain: Any, value: Any) -> Any:
        self.plain.append(plain)
        self.same[id(plain)] = value
        if plain.dtype.hasobject:
            self.outside += sum(np.size(each) for each in plain.flat)
        return plain

    def shares(self, array: Any) -> bool:
        return any(np.may_share_memory(array, each) for each in self.plain)


class Arrays:
    """Arrays that tell a meter what NumPy does with them."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.kind: Any = kind_of_arrays(self)
        self.numbers: Any = kinds_of_numbers(self)
        self.modules: dict[str, Module] = {}

    # ---- what is done with them ---------------------------------------------------------

    def run(self, name: str, function: Function, args: Iterable[Any], named: dict[str, Any]) -> Any:
        """What a function of NumPy's gives for plain arrays; what it did is counted."""
        given = Operands(self)
        plain = [given.bare(each) for each in args]
        plain_named = {key: given.bare(each) for key, each in named.items()}
        value = function(*plain, **plain_named)
        if not self.meter.is_open:
            return given.same.get(id(value), value)
        if name in OUT:
            first = given.plain[0]
            self.meter.figures["uncounted"] += is_real(first) * (np.size(value) or first.size)
            return value
        several = isinstance(value, (tuple, list))
        made = Made(self, name, plain, plain_named, given)
        found = [made.counting(each) for each in (value if several else (value,))]
        made.count()
        if not several:
            return found[0]
        return value._make(found) if hasattr(value, "_make") else type(value)(found)

    def check(self, array: Any, given: Operands) -> None:
        """Whether somebody has written into the memory of an array past NumPy."""
        if not self.meter.is_on:
            return
        holder = owner(array)
        known = self.meter.alive.get(id(holder))
        if known is not None and known.digest != digest(holder):
            given.outside += holder.size
            known.digest = digest(holder)

    def sign(self, array: Any, is_new: bool = False) -> None:
        """What the memory of an array holds now is what NumPy has put there."""
        holder = owner(array)
        if self.meter.is_on and isinstance(holder, np.ndarray):
            self.meter.known(holder).digest = digest(holder)
            if is_new:
                self.meter.allocated(holder)

    def wrap(self, plain: Any) -> Any:
        """A plain array as one that counts."""
        return np.ndarray.view(plain, self.kind) if type(plain) is np.ndarray else plain

    def given(self, value: Any) -> Any:
        """An argument of a program, its arrays as ones that count."""
        if type(value) in (list, tuple):
            return type(value)(map(self.given, value))
        if type(value) is dict:
            return {key: self.given(each) for key, each in value.items()}
        return self.wrap(value)

    def counting(self, name: str, function: Function) -> Function:
        return lambda *args, **named: self.run(name, function, args, named)

    def in_place_of(self, value: Any) -> Any:
        """What counts in the place of a module or function of NumPy's; None for all else."""
        if isinstance(value, types.ModuleType):
            name = value.__name__
            if name.partition(".")[0] != "numpy":
                return None
            return self.modules.setdefault(name, Module(name, self))
        if not isinstance(value, FUNCTIONS) or value.__name__ in OF_OTHERS:
            return None
        is_numpy = (value.__module__ or "").partition(".")[0] == "numpy"
        return self.counting(value.__name__, value) if is_numpy else None


class Module(types.ModuleType):
    """A module of NumPy's: the same, but what its functions make counts."""

    def __init__(self, name: str, arrays: Arrays) -> None:
        super().__init__(name)
        self.raw, self.arrays = sys.modules[name], arrays

    def __getattr__(self, name: str) -> Any:
        held, sys.modules["numpy"] = sys.modules["numpy"], np
        try:
            value = getattr(self.raw, name)  # may import more of NumPy, which has to find itself
        finally:
            sys.modules["numpy"] = held
        new = self.arrays.in_place_of(value)
        vars(self)[name] = value if new is None else new
        return vars(self)[name]


class Made:
    """What one call of NumPy's made, counted.

    Args:
        args, named: its arguments, plain.
        given: the operands that these hold.
    """

    def __init__(
        self, arrays: Arrays, name: str, args: list[Any], named: dict[str, Any], given: Operands
    ) -> None:
        self.arrays, self.name, self.args, self.given = arrays, name, args, given
        self.named = named
        self.written = 0
        self.outside = given.outside

    def counting(self, value: Any) -> Any:
        """A result as one that counts; a look at what was given costs nothing."""
        given = self.given
        if value is None and given.plain:  # it has written into what it was given
            self.wrote_into(given.plain[0])
        elif id(value) in given.same:
            if "out" in self.named:
                self.wrote_into(value)
            return given.same[id(value)]
        elif isinstance(value, np.ndarray):
            is_new = value.base is None or not given.shares(value)
            if is_new:
                self.written += value.size
                self.outside += value.size if given.closed and is_real(value) else 0
            elif is_real(value) and not is_real(given.plain[0]):
                self.outside += value.size  # bits, looked at as numbers
            self.arrays.sign(value, is_new)
            return self.arrays.wrap(value)
        elif isinstance(value, np.generic) and given.plain or given.numbers:
            self.written += 1
            kinds = self.arrays.numbers
            return next((kind(value) for kind in kinds if kind.plain is type(value)), value)
        return value

    def wrote_into(self, plain: Any) -> None:
        part = plain[self.args[1]] if self.name == "__setitem__" else plain
        self.written += part.size
        self.arrays.sign(plain)

    def count(self) -> None:
        meter, given = self.arrays.meter, self.given
        meter.figures["uncounted"] += self.outside
        if not self.written or not meter.is_on:
            return
        read = sum(each.size for each in given.plain) + given.numbers
        meter.figures["operations"] += 1
        meter.figures["elements_written"] += self.written
        meter.figures["elements_read"] += self.written if self.name in TAKES else read
        meter.figures["multiply_adds"] += self.products()

    def products(self) -> int:
        """How many products of two numbers it took."""
        sizes = [each.size for each in self.given.plain]
        if self.name in PRODUCTS:
            return int(max(self.written, *sizes, 1))
        first: Any = self.args[0] if self.args else None
        if self.name in ROWS and np.ndim(first):
            return int(self.written * np.shape(first)[-1])
        if self.name in BY_SIZES and len(sizes) > 1:
            return self.written * math.isqrt(sizes[0] * sizes[1] // self.written)
        if self.name in ("convolve", "correlate"):
            return math.prod(sizes)
        return products_of_einsum(*self.args) if self.name == "einsum" else 0


def products_of_einsum(subscripts: Any, *operands: Any) -> int:
    """Of a sum over letters: every combination of them, once for each operand but one."""
    if not isinstance(subscripts, str):
        return products_of_einsum(*letters_of(subscripts, *operands))
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    sizes: dict[str, int] = {}
    for term, operand in zip(terms, operands, strict=False):
        before, dots, after = term.partition("...")
        shape = np.shape(operand)
        middle = shape[len(before) : len(shape) - len(after)] if dots else ()
        sizes |= dict(zip(before, shape, strict=False))
        sizes |= dict(zip(after, shape[len(shape) - len(after) :], strict=False))
        for place, size in enumerate(reversed(middle)):
            sizes[f"...{place}"] = max(size, sizes.get(f"...{place}", 1))
    return math.prod(sizes.values()) * max(1, len(terms) - 1)


def letters_of(*args: Any) -> tuple[Any, ...]:
    """`einsum` with numbers for letters, in letters."""
    pairs = [args[place : place + 2] for place in range(0, len(args) - 1, 2)]
    terms = ["".join("..." if n is Ellipsis else chr(97 + n) for n in axes) for _, axes in pairs]
    return (",".join(terms), *(operand for operand, _ in pairs))


def digest(array: Any) -> int:
    return 0 if array.dtype.hasobject else hash(np.ndarray.tobytes(array))


def kind_of_arrays(arrays: Arrays) -> type:
    """The class of arrays that count."""

    class Counted(np.ndarray):
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
            return arrays.run(ufunc.__name__, getattr(ufunc, method), inputs, named)

        def __array_function__(self, function: Any, kinds: Any, args: Any, named: Any) -> Any:
            if function.__name__ in OF_OTHERS:
                return super().__array_function__(function, kinds, args, named)
            return arrays.run(function.__name__, function, args, named)

        def __repr__(self) -> str:
            return repr(np.ndarray.view(self, np.ndarray))

        def __str__(self) -> str:
            return str(np.ndarray.view(self, np.ndarray))

        def __format__(self, how: str) -> str:
            return format(np.ndarray.view(self, np.ndarray), how)

    def told(name: str) -> Function:
        raw = getattr(np.ndarray, name)
        return lambda self, *args, **named: arrays.run(name, raw, (self, *args), named)

    plain = {"setflags", "resize", "view"}
    methods = {n for n in dir(np.ndarray) if callable(getattr(np.ndarray, n)) and n[0] != "_"}
    for name in {*methods - plain, "__getitem__", "__setitem__", "__float__", "__copy__"}:
        setattr(Counted, name, told(name))
    return Counted


def kinds_of_numbers(arrays: Arrays) -> tuple[type, ...]:
    """The classes of single numbers that count, as they come out of an array."""

    def kind(plain: Any) -> type:
        def ufunc(self: Any, function: Any, method: str, *inputs: Any, **named: Any) -> Any:
            return arrays.run(function.__name__, getattr(function, method), inputs, named)

        def taken_out(self: Any) -> float:
            arrays.meter.figures["uncounted"] += 1
            return float(np.generic.item(self))

        # No base beside the plain one: by the first that it inherits from NumPy knows its dtype.
        # Nothing is written into a number.
        operators = vars(np.lib.mixins.NDArrayOperatorsMixin).items()
        writes = {f"__i{name[3:]}" for name, _ in operators if name.startswith("__r")}
        names = {n: each for n, each in operators if callable(each) and n not in writes}
        names |= {"__array_ufunc__": ufunc, "__hash__": plain.__hash__, "plain": plain}
        names |= dict.fromkeys(("__float__", "item", "tolist"), taken_out)
        return type("Number", (plain,), names)

    return kind(np.float64), kind(np.float32)
