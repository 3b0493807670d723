"""Process state that learner code may change, restored before more of it runs."""

from __future__ import annotations

import types
import warnings
from itertools import chain
from operator import is_

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class WarningState:
    """Warning settings of NumPy and Python, as they were before learner code could change them.

    `np.seterr(all="raise")` at import is a good habit of some, and would turn the underflow of a
    right sigmoid into an error.
    """

    def __init__(self) -> None:
        self.numpy, self.geterr, self.seterr = np.geterr(), np.geterr, np.seterr
        self.filters = list(warnings.filters)

    def restore(self) -> None:
        if self.geterr() != self.numpy:
            self.seterr(**self.numpy)
        if warnings.filters != self.filters:
            warnings.resetwarnings()
            warnings.filters.extend(self.filters)  # type: ignore[attr-defined]


class ModuleNamespaces:
    """Values of the names in the learner's modules and classes, as the import left them.

    A mode that one exercise does not switch off again would let right ones fail.
    """

    def __init__(self, modules: Iterable[types.ModuleType]) -> None:
        holders: dict[int, object] = {}
        for module in modules:
            own = [each for each in vars(module).values() if isinstance(each, type)]
            holders |= {
                id(each): each for each in own if vars(each).get("__module__") == module.__name__
            }
            holders[id(module)] = module
        self.before = [(holder, dict(vars(holder))) for holder in holders.values()]
        self.views = [vars(holder).values() for holder, _ in self.before]
        self.values = self.now()

    def now(self) -> list[object]:
        """Return the current values of all names; fast, as every exercise asks for them."""
        return [*chain.from_iterable(self.views)]

    def restore(self) -> None:
        now = self.now()
        if len(now) == len(self.values) and all(map(is_, now, self.values)):
            return
        for holder, before in self.before:
            get = vars(holder).get
            if all(map(is_, map(get, before), before.values())):
                continue  # new names alone, as `copy.copy` leaves one in a class
            put = type.__setattr__ if isinstance(holder, type) else types.ModuleType.__setattr__
            for name, value in before.items():
                if get(name) is not value:
                    put(holder, name, value)
        self.values = self.now()  # new names stay, such as a submodule imported late
