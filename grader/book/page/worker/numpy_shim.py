"""Stand in for NumPy in a page without it, as far as chapter 1's programs need.

They compute with plain numbers, and use arrays only to return them. Learner code does not get this
module: its `import numpy` fails, as it should.
"""

from __future__ import annotations

import array as buffers
import importlib.util
import math
import sys
from contextlib import contextmanager
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, NoReturn

nan, inf = math.nan, math.inf
CODES = {  # name → (letter of `array`, kind, bytes)
    "float64": ("d", "f", 8), "float32": ("f", "f", 4), "bool": ("B", "b", 1),
    "int64": ("q", "i", 8), "int32": ("i", "i", 4), "int16": ("h", "i", 2), "int8": ("b", "i", 1),
    "uint64": ("Q", "u", 8), "uint32": ("I", "u", 4), "uint16": ("H", "u", 2),
    "uint8": ("B", "u", 1),
}  # fmt: skip
ORDER = "<" if sys.byteorder == "little" else ">"


class dtype:  # noqa: N801
    """A data type, in native byte order."""

    def __init__(self, name: Any) -> None:
        self.name: str = getattr(name, "name", name)
        self.code, self.kind, size = CODES[self.name]
        self.str: str = f"{'|' if size == 1 else ORDER}{self.kind}{size}"

    def newbyteorder(self, order: str) -> dtype:
        return self

    def __str__(self) -> str:
        return self.name


uint8 = "uint8"


class generic:  # noqa: N801
    """The type of NumPy's scalars; there are none here."""


class ndarray:  # noqa: N801
    """A flat, C-ordered buffer of numbers, with a shape."""

    def __init__(self, values: Iterable[float], shape: Iterable[int], kind: Any) -> None:
        self.dtype = dtype(kind)
        self.buffer = buffers.array(self.dtype.code, values)
        self.shape = tuple(shape)
        self.ndim, self.size = len(self.shape), len(self.buffer)

    def ravel(self) -> ndarray:
        return ndarray(self.buffer, (self.size,), self.dtype)

    def reshape(self, shape: Iterable[int]) -> ndarray:
        return ndarray(self.buffer, shape, self.dtype)

    def copy(self) -> ndarray:
        return self.reshape(self.shape)

    def tobytes(self) -> bytes:
        return self.buffer.tobytes()

    def __iter__(self) -> Iterator[float]:
        if self.ndim != 1:
            raise TypeError("only an array of one axis can be gone through here")
        return iter(self.buffer)

    def __len__(self) -> int:
        return len(self.buffer)

    def __float__(self) -> float:
        (value,) = self.buffer
        return float(value)


def flat(value: Any) -> tuple[list[float], tuple[int, ...]]:
    """Return (all numbers, shape) of a number, an array, or nested lists."""
    if isinstance(value, ndarray):
        return list(value.buffer), value.shape
    if not isinstance(value, (list, tuple)):
        return [value], ()
    rows = [flat(each) for each in value]
    shapes = {shape for _, shape in rows} or {()}
    if len(shapes) > 1:
        raise ValueError("the rows are not of one length")
    return [x for numbers, _ in rows for x in numbers], (len(rows), *shapes.pop())


def array(value: Any, dtype: Any = None) -> ndarray:
    if dtype is None and isinstance(value, ndarray):
        dtype = value.dtype
    numbers, shape = flat(value)
    kinds = set(map(type, numbers))
    if not kinds <= {float, int, bool}:
        raise ValueError("only numbers can be held here")
    plain = "float64" if float in kinds or not kinds else "int64" if int in kinds else "bool"
    return ndarray(numbers, shape, dtype or plain)


def asarray(value: Any, dtype: Any = None) -> ndarray:
    return value if isinstance(value, ndarray) and dtype is None else array(value, dtype)


def frombuffer(data: bytes, dtype: Any) -> ndarray:
    found = ndarray((), (0,), dtype)
    found.buffer.frombytes(bytes(data))
    return found.reshape((len(found.buffer),))


def concatenate(arrays: Iterable[Any]) -> ndarray:
    return array([x for each in arrays for x in each])


def ravel(value: Any) -> ndarray:
    return asarray(value).ravel()


def sin(x: float) -> float:
    return math.sin(x)


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def log(x: float) -> float:
    return math.log(x) if x > 0 else -inf if x == 0 else nan


def geterr() -> dict[str, str]:
    return {}


def seterr(**settings: object) -> dict[str, str]:
    return {}


random = SimpleNamespace(seed=lambda number: None)


NOT_HERE = (
    "NumPy is not in this page, and chapter 1 needs none of it: `math` has what is asked for."
)


def is_needed() -> bool:
    return importlib.util.find_spec("numpy") is None


@contextmanager
def install_numpy_shim() -> Iterator[None]:
    """Install this module as `numpy` for these lines, if there is no real one."""
    needed = is_needed()
    if needed:
        sys.modules["numpy"] = sys.modules[__name__]
    try:
        yield
    finally:
        if needed:
            del sys.modules["numpy"]


def __getattr__(name: str) -> Callable[..., NoReturn]:
    """Return a function that raises, so that tables can name NumPy's other functions."""
    if name.startswith("__"):
        raise AttributeError(name)

    def absent(*args: object, **names: object) -> NoReturn:
        raise RuntimeError(f"np.{name} is not in this page.")

    return absent
