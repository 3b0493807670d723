"""Map lines of a learner's package to exercises, and tell what the package does not define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ..course.package import module_of
from ..sandbox.observation import Definition


class SourceMap:
    """Map lines of the learner's package to exercises."""

    def __init__(
        self, definitions: dict[str, Definition], owners: Mapping[str, str],
        frame: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.definitions = definitions
        self.owners = owners
        self.ours = owners.keys() | frame  # all definitions of the course
        self._starts = {
            (d.file, d.first): owner
            for target, d in definitions.items()
            if (owner := owners.get(target) or owners.get(target.rpartition(".")[0]))
        }

    def exercise_around(self, file: str, line: int) -> str | None:
        """Return the exercise whose target contains this line, if any."""
        for target, d in self.definitions.items():
            if target in self.owners and d.file == file and d.first <= line <= d.last:
                return self.owners[target]
        return None

    def definition_around(self, file: str, line: int) -> Definition | None:
        """Return the innermost definition that contains this line, if any."""
        mine = (d for d in self.definitions.values() if d.file == file)
        around = [d for d in mine if d.first <= line <= d.last]
        return max(around, key=lambda d: d.first, default=None)

    def exercises_inheriting(self, file: str, line: int) -> Iterator[str]:
        """Yield the exercises that lack a method, where one of its name contains this line.

        A class without a `forward` inherits `Function.forward`, which raises.
        """
        inner = self.definition_around(file, line)
        end = f".{inner.target.rpartition('.')[2]}" if inner else ""
        missing = (target for target in self.owners if end and self.is_missing(target))
        return (self.owners[target] for target in missing if target.endswith(end))

    def exercises_entered(self, starts: set[tuple[str, int]]) -> set[str]:
        """Return the exercises whose targets begin at these places."""
        return {self._starts[start] for start in starts if start in self._starts}

    def is_stub(self, target: str) -> bool:
        found = self.definitions.get(target)
        return found is not None and found.stub

    def is_listed(self, target: str) -> bool:
        """Whether the definitions of a target's file were listed."""
        return target.startswith(self._looked_at)

    def is_missing(self, target: str) -> bool:
        """Whether a target's file was listed and does not define it."""
        return target not in self.definitions and self.is_listed(target)

    def is_unwritten(self, target: str) -> bool:
        """Whether a target is a stub, or missing in a file that was listed."""
        return self.is_stub(target) or self.is_missing(target)

    def can_be_in(self, id: str, file: str) -> bool:
        """Whether an exercise lies in a file that was not listed before a probe imported it."""
        begin = f"{module_of(file)}."
        mine = (target for target, owner in self.owners.items() if owner == id)
        return begin not in self._looked_at and any(t.startswith(begin) for t in mine)

    @cached_property
    def _looked_at(self) -> tuple[str, ...]:
        """Prefixes of the targets of all files that were listed, such as ``ops.``."""
        return tuple({f"{module_of(d.file)}." for d in self.definitions.values()})
