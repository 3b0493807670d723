"""Arrays that report to a `Meter` what NumPy does with them, and stand-ins for NumPy's modules."""

from __future__ import annotations

import math
import sys
import types

import numpy as np
from numpy_costs import PLACES, products, ufunc_of
from operands import FILLS, PLAIN, TAKES, Operands, is_real, owner
from tamper_guard import Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from meter import Meter

    Function = Callable[..., Any]

# Written in Python on top of counted functions: these run on counting arrays.
OF_OTHERS = {"multi_dot", "matrix_power", "apply_along_axis", "apply_over_axes", "piecewise"}
OUT = {"tolist", "item", "tobytes", "tofile", "dump", "dumps", "__float__"}
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.sum))


class Door(Guarded):
    """The one way from arrays and functions that learner code holds to what counts them."""

    def __init__(self, arrays: CountedArrays) -> None:
        self.run, self.in_place_of, self.take_out = arrays.run, arrays.in_place_of, arrays.take_out
        self.restart, self.stop = arrays.meter.restart, arrays.meter.stop


class CountedArrays:
    """Make counting arrays, and count what NumPy does with them."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.door = Door(self)
        self.kind: Any = kind_of_arrays(self.door)
        self.numbers: Any = kinds_of_numbers(self.door)
        self.modules: dict[str, CountingModule] = {}

    # ---- what is done with them ---------------------------------------------------------

    def run(self, name: str, function: Function, args: Iterable[Any], named: dict[str, Any]) -> Any:
        """Run a NumPy function on plain arrays; count it, and return counting arrays."""
        given = Operands(self, name)
        plain = [*given.all_of(args, function.__name__)]
        plain_named = dict(given.by_name(named))
        value = function(*plain, **plain_named)
        if not self.meter.is_open:
            return given.same.get(id(value), value)
        if name in OUT:
            first = given.plain[0]
            self.meter.figures["uncounted"] += is_real(first) * (np.size(value) or first.size)
            self.meter.met |= {value} if type(value) is float else set()
            if first.dtype.kind in "iu":
                self.meter.met.update(first.ravel().tolist())
            return value
        several = isinstance(value, (tuple, list))
        made = Made(self, function, name, plain, plain_named, given)
        found = [made.counting(each) for each in (value if several else (value,))]
        made.count()
        if not several:
            return found[0]
        return value._make(found) if hasattr(value, "_make") else type(value)(found)

    def is_signed(self, array: Any) -> bool:
        """Whether an array's memory is as a counted call has left it, or the count is not on."""
        holder = owner(array)
        return not self.meter.is_on or self.meter.known(holder).digest == hash_array(holder)

    def strange(self, array: Any) -> int:
        """Return how many values no counted call wrote; from now on they are known.

        Whole numbers that are looked at as real ones are bits, and count each time.
        """
        holder = owner(array)
        known = self.meter.known(holder).digest == hash_array(holder)
        if not self.meter.is_on or known and is_real(holder) >= is_real(array):
            return 0
        self.sign(array)
        return int(max(holder.size, holder.nbytes // 8 if holder.dtype.kind == "V" else 0))

    def sign(self, array: Any, is_new: bool = False) -> None:
        """Keep a digest of an array's memory, as NumPy has left it."""
        holder = owner(array)
        self.meter.known(holder).digest = hash_array(holder)
        if self.meter.is_on and is_new:
            self.meter.allocated(holder)

    def wrap(self, plain: Any) -> Any:
        """View a plain array as a counting one."""
        return np.ndarray.view(plain, self.kind) if type(plain) is np.ndarray else plain

    def given(self, value: Any) -> Any:
        """Convert a program's argument: its arrays become counting ones."""
        if type(value) in (list, tuple):
            return type(value)(map(self.given, value))
        if type(value) is dict:
            return {key: self.given(each) for key, each in value.items()}
        if isinstance(value, np.ndarray):
            self.sign(value)
        return self.wrap(value)

    def counting(self, name: str, function: Function) -> Function:
        door = self.door
        return lambda *args, **named: door.run(name, function, args, named)

    def take_out(self, number: Any) -> float:
        self.meter.figures["uncounted"] += 1
        return float(np.generic.item(number))

    def in_place_of(self, value: Any) -> Any:
        """Return what counts in place of a NumPy module or function; None for all else."""
        if isinstance(value, np.ndarray):
            self.sign(value)  # it was there before the program was given anything
        if isinstance(value, types.ModuleType):
            name = value.__name__
            if name.partition(".")[0] != "numpy":
                return None
            return self.modules.setdefault(name, CountingModule(name, self.door))
        if not isinstance(value, FUNCTIONS) or value.__name__ in OF_OTHERS:
            return None
        is_numpy = (value.__module__ or "").partition(".")[0] == "numpy"
        return self.counting(value.__name__, value) if is_numpy else None


class CountingModule(types.ModuleType):
    """Stand-in for a module of NumPy: the same names, but what its functions make counts."""

    def __init__(self, name: str, door: Door) -> None:
        super().__init__(name)
        self.raw, self.door = sys.modules[name], door

    def __getattr__(self, name: str) -> Any:
        held, sys.modules["numpy"] = sys.modules["numpy"], np
        try:
            value = getattr(self.raw, name)  # may import more of NumPy, which needs the real one
        finally:
            sys.modules["numpy"] = held
        new = self.door.in_place_of(value)
        vars(self)[name] = value if new is None else new
        return vars(self)[name]


class Made:
    """Count the results of one NumPy call.

    Args:
        function, name: the function, and its name; a method of a ufunc has the ufunc's.
        args, named: its arguments, plain.
        given: the operands that these hold.

    Attributes:
        written: how many elements it wrote.
        has_real: whether it wrote real numbers.
        is_whole: whether it knows whole numbers alone: they find places.
        is_complex: whether it knows complex numbers.
    """

    def __init__(
        self,
        arrays: CountedArrays,
        function: Function,
        name: str,
        args: list[Any],
        named: dict[str, Any],
        given: Operands,
    ) -> None:
        self.arrays, self.function, self.name, self.given = arrays, function, name, given
        self.args, self.named = args, named
        self.written, self.outside, self.has_real = 0, given.outside, False
        self.is_whole = not (given.has_values or any(map(is_real, given.plain)))
        self.is_complex = any(each.dtype.kind == "c" for each in given.plain)

    def counting(self, value: Any) -> Any:
        """Return a result as a counting one; a view of an operand costs nothing."""
        given = self.given
        if hasattr(value, "dtype"):
            self.is_whole = self.is_whole and not is_real(value)
            self.is_complex = self.is_complex or value.dtype.kind == "c"
        if value is None and given.plain:  # it wrote into its first operand
            self.wrote_into(given.plain[0])
        elif id(value) in given.same:
            if "out" in self.named or not self.arrays.is_signed(value):
                self.wrote_into(value)
            return given.same[id(value)]
        elif isinstance(value, np.ndarray):
            if value.base is None or not given.shares(value):
                self.outside += value.size if given.closed and is_real(value) else 0
                self.arrays.sign(value, is_new=True)
                self.arrays.meter.known(owner(value)).has_values = self.makes_values(value)
                self.wrote(value, value.size)
            return self.arrays.wrap(value)
        elif isinstance(value, np.generic) and given.plain or given.numbers:
            self.written += 1
            self.has_real = self.has_real or isinstance(value, np.inexact)
            self.arrays.meter.met |= {value.item()} if isinstance(value, np.number) else set()
            kinds = self.arrays.numbers
            return next((kind(value) for kind in kinds if kind.plain is type(value)), value)
        return value

    def takes_values(self) -> bool:
        """Whether a single whole number is a value here: no axis, shape or place."""
        return self.name in FILLS or ufunc_of(self.function) is not None

    def makes_values(self, array: Any) -> bool:
        """Whether a new array holds whole numbers of real ones, which find no place."""
        return array.dtype.kind in "iumM" and not self.is_whole and self.name not in PLACES

    def wrote_into(self, plain: Any) -> None:
        part = plain[self.args[1]] if self.name == "__setitem__" else plain
        self.arrays.sign(plain)
        self.wrote(plain, np.size(part))

    def wrote(self, array: Any, size: int) -> None:
        """Note how many elements of an array it wrote, and whether whole numbers of lists."""
        self.written += size
        self.has_real = self.has_real or is_real(array)
        if array.dtype.kind in "iu" and self.name not in PLACES:
            alone = self.name in FILLS and {*self.given.alone} - PLAIN - self.arrays.meter.met
            known = self.arrays.meter.known(owner(array))
            known.is_listed = known.is_listed or bool(self.given.brings() or alone)

    def count(self) -> None:
        meter, given = self.arrays.meter, self.given
        for each in given.alone:
            if isinstance(each, float) or self.has_real and self.takes_values():
                meter.bring_in(each)
        if outside := self.outside + self.has_real * given.brings():
            meter.bring_in_values(outside)
        if not self.written or not meter.is_on:
            return
        read = sum(each.size for each in given.plain) + given.numbers
        meter.figures["operations"] += 1
        meter.figures["elements_written"] += self.written
        meter.figures["elements_read"] += self.written if self.name in TAKES else read
        meter.figures["multiply_adds"] += products(self)


def hash_array(array: Any) -> float:
    """Return a digest of an array's memory; one of structures with objects is never the same."""
    if not array.dtype.hasobject:
        return hash(np.ndarray.tobytes(array))
    return 0 if array.dtype.kind == "O" else math.nan


def kind_of_arrays(door: Door) -> type:
    """Create the class of counting arrays."""

    class Counted(np.ndarray):
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
            return door.run(ufunc.__name__, getattr(ufunc, method), inputs, named)

        def __array_function__(self, function: Any, kinds: Any, args: Any, named: Any) -> Any:
            if function.__name__ in OF_OTHERS:
                return super().__array_function__(function, kinds, args, named)
            return door.run(function.__name__, function, args, named)

        def __repr__(self) -> str:
            return repr(np.ndarray.view(self, np.ndarray))

        def __str__(self) -> str:
            return str(np.ndarray.view(self, np.ndarray))

        def __format__(self, how: str) -> str:
            return format(np.ndarray.view(self, np.ndarray), how)

    def told(name: str) -> Function:
        raw = getattr(np.ndarray, name)
        return lambda self, *args, **named: door.run(name, raw, (self, *args), named)

    plain = {"setflags", "resize", "view"}
    methods = {n for n in dir(np.ndarray) if callable(getattr(np.ndarray, n)) and n[0] != "_"}
    more = {"__getitem__", "__setitem__", "__float__", "__copy__", "__deepcopy__"}
    for name in methods - plain | more:
        setattr(Counted, name, told(name))
    return Counted


def kinds_of_numbers(door: Door) -> tuple[type, ...]:
    """Create the classes of counting scalars, for what comes out of a float64 or float32 array."""

    def kind(plain: Any) -> type:
        def ufunc(self: Any, function: Any, method: str, *inputs: Any, **named: Any) -> Any:
            return door.run(function.__name__, getattr(function, method), inputs, named)

        def taken_out(self: Any) -> float:
            return float(door.take_out(self))

        # No second base: NumPy tells the dtype by the first. No `__iadd__`: numbers are immutable.
        operators = vars(np.lib.mixins.NDArrayOperatorsMixin).items()
        writes = {f"__i{name[3:]}" for name, _ in operators if name.startswith("__r")}
        names = {n: each for n, each in operators if callable(each) and n not in writes}
        names |= {"__array_ufunc__": ufunc, "__hash__": plain.__hash__, "plain": plain}
        names |= dict.fromkeys(("__float__", "item", "tolist"), taken_out)
        return type("Number", (plain,), names)

    return kind(np.float64), kind(np.float32)
