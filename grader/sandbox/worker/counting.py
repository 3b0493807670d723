"""Arrays that report to a `Meter` what NumPy does with them, and stand-ins for NumPy's modules."""

from __future__ import annotations

import sys
import types

import numpy as np
from numpy_costs import PLACES, products
from tamper_guard import Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from meter import Meter

    Function = Callable[..., Any]

# Written in Python on top of counted functions: these run on counting arrays.
OF_OTHERS = {"multi_dot", "matrix_power", "apply_along_axis", "apply_over_axes", "piecewise"}
TAKES = {"__getitem__", "take", "take_along_axis", "compress", "choose"}  # read as many as written
OUT = {"tolist", "item", "tobytes", "tofile", "dump", "dumps", "__float__"}
# Types that bring no values along; any other may, and nobody sees how many.
HARMLESS = (str, slice, type, range, dict, np.dtype, np.generic, type(None), type(...))
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.sum))


def owner(array: Any) -> Any:
    """Return the innermost array that an array is a view of: it owns the memory, or borrows it."""
    found = array
    while (array := getattr(array, "base", None)) is not None:
        found = array if isinstance(array, np.ndarray) else found
    return found


def is_real(array: Any) -> bool:
    return array.dtype.kind in "fc"


class Operands:
    """The operands of a NumPy function, as plain arrays, and what the meter must know of them.

    Attributes:
        plain: the arrays.
        same: id of a plain array → the counting array that it is a view of.
        outside: how many values came from outside the count.
        numbers: how many single values were counted before.
        closed: whether an operand cannot be looked into: memory, a function.
        has_values: whether whole numbers among them were made of real ones.
    """

    def __init__(self, arrays: CountedArrays, name: str = "") -> None:
        self.arrays = arrays
        self.plain: list[Any] = []
        self.same: dict[int, Any] = {}
        self.outside, self.numbers, self.closed = 0, 0, name == "fromstring"
        self.has_values = False

    def bare(self, value: Any, inside: bool = False) -> Any:
        """Return a value without the count, including what lists and tuples hold."""
        kind, meter = type(value), self.arrays.meter
        if kind in HARMLESS:
            self.outside += inside and kind is str
            return value
        if kind in self.arrays.numbers:
            self.numbers += 1
            self.outside += np.generic.item(value) not in meter.met
            return kind.plain(np.generic.item(value))
        if isinstance(value, np.ndarray):
            self.outside += self.arrays.strange(value)
            is_ours = kind is self.arrays.kind
            return self.plain_of(np.ndarray.view(value, np.ndarray) if is_ours else value, value)
        if kind is list or kind is tuple:
            return kind(self.bare(each, True) for each in value)
        if isinstance(value, (int, float, np.integer, np.floating)):
            self.outside += inside and not isinstance(value, (int, np.integer))
            meter.bring_in(value.item() if isinstance(value, np.generic) else value)
        elif not isinstance(value, HARMLESS):
            if hasattr(kind, "__array__"):
                return self.bare(value.__array__())
            self.closed = True
        return value

    def plain_of(self, plain: Any, value: Any) -> Any:
        self.plain.append(plain)
        self.same[id(plain)] = value
        self.has_values = self.has_values or self.arrays.meter.known(owner(value)).has_values
        if plain.dtype.hasobject:
            self.outside += sum(np.size(each) for each in plain.flat)
        return plain

    def shares(self, array: Any) -> bool:
        return any(np.may_share_memory(array, each) for each in self.plain)


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
        plain = [given.bare(each) for each in args]
        plain_named = {key: given.bare(each) for key, each in named.items()}
        value = function(*plain, **plain_named)
        if not self.meter.is_open:
            return given.same.get(id(value), value)
        if name in OUT:
            first = given.plain[0]
            self.meter.figures["uncounted"] += is_real(first) * (np.size(value) or first.size)
            self.meter.met |= {value} if type(value) is float else set()
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
        return int(holder.size)

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
        self.written, self.outside = 0, given.outside
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
                self.written += value.size
                self.outside += value.size if given.closed and is_real(value) else 0
                self.arrays.sign(value, is_new=True)
                self.arrays.meter.known(owner(value)).has_values = self.makes_values(value)
            return self.arrays.wrap(value)
        elif isinstance(value, np.generic) and given.plain or given.numbers:
            self.written += 1
            self.arrays.meter.met |= {value.item()} if isinstance(value, np.floating) else set()
            kinds = self.arrays.numbers
            return next((kind(value) for kind in kinds if kind.plain is type(value)), value)
        return value

    def makes_values(self, array: Any) -> bool:
        """Whether a new array holds whole numbers of real ones, which find no place."""
        return array.dtype.kind in "iumM" and not self.is_whole and self.name not in PLACES

    def wrote_into(self, plain: Any) -> None:
        part = plain[self.args[1]] if self.name == "__setitem__" else plain
        self.written += np.size(part)
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
        meter.figures["multiply_adds"] += products(self)


def hash_array(array: Any) -> int:
    return 0 if array.dtype.hasobject else hash(np.ndarray.tobytes(array))


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
