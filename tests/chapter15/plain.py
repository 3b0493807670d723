"""Say plainly what is right of any program: passes, lives and buffers of one that is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.drawing import Given, values_of
from tests.programs.plans import ELEMENTWISE, VIEWS

INTO = ELEMENTWISE | {"MatMul", "Summation", "BroadcastTo", "LogSoftmax"}


class Plain:
    """A program, and who reads what in it."""

    def __init__(self, given: Given) -> None:
        self.inputs, self.rows, outputs, self.first = given
        self.outputs = outputs.split()
        self.made = {f"v{n}": row for n, row in enumerate(self.rows, self.first)}
        self.place = {name: at for at, name in enumerate(self.made)}
        self.values = values_of(given, [np.ones(shape, dtype) for shape, dtype in self.inputs])
        self.end = len(self.rows)

    def read_by(self, name: str) -> list[str]:
        return self.made[name][1].split() if name in self.made else []

    def memory(self, name: str) -> str:
        """The value in whose memory one lies."""
        is_view = name in self.made and self.made[name][0] in VIEWS
        return self.memory(self.read_by(name)[0]) if is_view else name

    def last_use(self, home: str) -> int:
        """The last row that reads a memory; one that nobody reads is needed by the row it is of."""
        if any(self.memory(name) == home for name in self.outputs):
            return self.end
        readers = [self.place[name] for name in self.made
                   if home in map(self.memory, [*self.read_by(name), name])]  # fmt: skip
        return max(readers, default=-1)

    def lives(self) -> list[str]:
        homes = {*map(self.memory, self.values)}
        return sorted(f"{name}: {self.last_use(name)}" for name in homes)

    def buffered(self) -> list[str]:
        """The values that have a buffer."""
        return [name for name, row in self.made.items()
                if row[0] in INTO and self.last_use(name) != self.end]  # fmt: skip

    def kind(self, name: str) -> tuple[Any, ...]:
        return self.values[name].shape, self.values[name].dtype

    def in_place(self, name: str, at: int) -> bool:
        """Whether a value gives its buffer to the row that reads it for the last time."""
        op, read, _ = self.rows[at]
        return op in ELEMENTWISE and name in read.split() and self.last_use(name) == at

    def fewest_buffers(self) -> int:
        """As many of each kind as are needed at once."""
        names, most = self.buffered(), dict[Any, int]()
        for at in range(self.end):
            for kind in {*map(self.kind, names)}:
                alive = sum(
                    self.place[name] == at
                    or self.place[name] < at <= self.last_use(name)
                    and not self.in_place(name, at)
                    for name in names
                    if self.kind(name) == kind
                )
                most[kind] = max(most.get(kind, 0), alive)
        return sum(most.values())

    def needed(self) -> list[str]:
        """The values that an output is made from, in the order of the program."""
        found, waiting = set[str](), list(self.outputs)
        while waiting:
            name = waiting.pop()
            found.add(name)
            waiting += self.read_by(name)
        return [name for name in self.made if name in found]

    def expression(self, name: str) -> str:
        """A value written out down to the inputs: two of the same text are the same value."""
        if name not in self.made:
            return name
        op, _, attrs = self.made[name]
        inside = ", ".join([*map(self.expression, self.read_by(name)), repr(sorted(attrs.items()))])
        return f"{op}({inside})"

    def firsts(self) -> dict[str, str]:
        """Name → the first value that is the same."""
        seen: dict[str, str] = {}
        return {name: seen.setdefault(self.expression(name), name) for name in self.values}

    def is_known(self, name: str) -> bool:
        """Whether a value is made of constants alone."""
        return name in self.made and all(map(self.is_known, self.read_by(name)))
