"""Find exercises by what people type for them.

all                               every exercise
chapter3, 3, ch3                  a chapter
3.4                               a section
chapter3.div, ch3.div.backward    exercises by their ids
ops.Div.backward, Div.backward    a definition of the learner's package
ops.py, PACKAGE/ops.py           what is written in a file
ops.py:93                         the definition around a line
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from ..course import outline
from ..errors import WrongUse
from . import untrusted_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.load import Course

ALL = "all"
MOST_NAMES = 6  # in a sentence
PYTHON = ".py"


class TypedNames:
    """Resolves names in one course, in the light of its learner's progress.

    Attributes:
        rows: the course's outline, one row per exercise.
        targets: definition → its exercise: ``ops.Div.backward`` → ``chapter3.div.backward``.
        folder: the learner's package, None if there is none. Lines are looked up in it.
        met: the exercises that the learner has reached. If a definition's name is in several
            places, or a file is shared by many chapters, only these are meant. Found when asked
            for: most names need none, and progress is a file to read.
    """

    def __init__(
        self,
        rows: outline.Outline,
        targets: Mapping[str, str],
        folder: str | None = None,
        find_met: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self.rows, self.targets = [tuple(row) for row in rows], targets
        self.folder, self._find_met = folder, find_met

    @cached_property
    def met(self) -> Collection[str]:
        return self._find_met()

    def find_exercises(self, name: str) -> set[str]:
        """Return the ids of the exercises that a name stands for.

        Raises:
            WrongUse: there are none, or the name is in several places; the message lists them.
        """
        readings: tuple[Callable[[str], set[str]], ...] = (
            self._by_id, self._by_definition, self._by_its_end, self._by_file,
        )  # fmt: skip
        for spelled in dict.fromkeys((name, outline.spell(name), outline.spell(name.lower()))):
            for reading in readings:
                if found := reading(spelled):
                    return found
        raise WrongUse(self._unknown(name))

    def _by_id(self, name: str) -> set[str]:
        return {id for id, part, _ in self.rows if name in (ALL, part) or is_within(name, id)}

    def _by_definition(self, name: str) -> set[str]:
        return self._prefer_met({id for t, id in self.targets.items() if is_within(name, t)})

    def _by_its_end(self, name: str) -> set[str]:
        """Find a definition without its file: ``Tensor.backward``, as a report says it."""
        places: dict[str, set[str]] = {}
        for target, id in self.targets.items():
            parts = target.split(".")
            for at in range(1, len(parts)):
                if is_within(name, ".".join(parts[at:])):
                    places.setdefault(".".join([*parts[:at], name]), set()).add(id)
        # In chapter 3 `Mul.backward` is that of ops.py, not that of an engine of chapter 11.
        met = {place: ids for place, ids in places.items() if not ids.isdisjoint(self.met)}
        places = met or places
        if len(places) > 1:
            listed = ", ".join(list(places)[:MOST_NAMES]) + " …" * (len(places) > MOST_NAMES)
            raise WrongUse(f"{name} is in several places: {listed}. Say which one.")
        return self._prefer_met(next(iter(places.values()), set()))

    def _by_file(self, name: str) -> set[str]:
        """Find what is written in a file, or around one of its lines: ``PACKAGE/ops.py:93``."""
        path, _, line = name.partition(":")
        if not path.endswith(PYTHON):
            return set()
        parts = path.removesuffix(PYTHON).replace(os.sep, "/").split("/")
        for at in range(len(parts)):  # PACKAGE.ops, ops
            if found := self._by_definition(module := ".".join(parts[at:])):
                number = line.partition(":")[0]  # editors add the column: ops.py:93:5
                return self._around_line(module, int(number)) if number.isdecimal() else found
        raise WrongUse(f"No exercise is written in {path}. `grader status` lists what there is.")

    def _around_line(self, module: str, line: int) -> set[str]:
        from .own_file import spans_in

        name = module.replace(".", "/") + PYTHON
        if self.folder is None:
            raise WrongUse(f"{name}:{line} is a line of a file, and there is no package here.")
        text = untrusted_files.read_named(os.path.join(self.folder, name))
        spans = spans_in(name, text).items()
        mine = {target: span for target, span in spans if self._by_definition(target)}
        around = [target for target, (top, end) in mine.items() if top <= line <= end]
        if around:
            return self._by_definition(max(around, key=len))  # the method, not its class
        if not mine:
            raise WrongUse(f"No exercise is found in {name}. `grader check {name}` says why.")
        near = min(mine, key=lambda target: min(abs(line - edge) for edge in mine[target]))
        top, end = mine[near]
        raise WrongUse(
            f"Line {line} of {name} is in no exercise. The nearest is {near}, lines {top} to {end}."
        )

    def _prefer_met(self, found: set[str]) -> set[str]:
        return {id for id in found if id in self.met} or found

    def _unknown(self, name: str) -> str:
        chapter, _, section = outline.spell(name).removeprefix(outline.CHAPTER).partition(".")
        says = f"There is no chapter, section or exercise {name}."
        if chapter.isdecimal() and section.isdecimal() | (not section):
            return f"{says} {self._numbers(chapter)}"
        near = " or ".join(self._near(name))
        return f"{says} Did you mean {near}?" if near else f"{says} `grader status` lists them."

    def _numbers(self, chapter: str) -> str:
        """Say which sections a chapter has, or which chapters the course has."""
        sections = list(dict.fromkeys(s for _, s, _ in self.rows if s.split(".")[0] == chapter))
        if sections:
            return f"{outline.in_words(chapter).capitalize()} has {sections[0]} to {sections[-1]}."
        names = list(dict.fromkeys(outline.chapter_of(id) for id, _, _ in self.rows))
        return f"This course has {names[0]} to {names[-1]}."

    def _near(self, name: str) -> list[str]:
        import difflib

        known: dict[str, str] = {}  # any part of a name, in small letters → the name up to there
        for full in [*(id for id, _, _ in self.rows), *self.targets]:
            parts = full.split(".")
            for end in range(1, len(parts) + 1):
                whole = ".".join(parts[:end])
                known |= {".".join(parts[at:end]).lower(): whole for at in range(end)}
        close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)
        return list(dict.fromkeys(known[each] for each in close))


def is_within(name: str, full: str) -> bool:
    """Whether a full name is ``name``, or lies inside it."""
    return full == name or full.startswith(f"{name}.")


def find_all(names: Iterable[str], known: TypedNames) -> list[str]:
    """Return the ids that any of the names stands for, in the course's order."""
    chosen = {id for name in names for id in known.find_exercises(name)}
    return [id for id, _, _ in known.rows if id in chosen]


def exercises_of(course: Course, names: Collection[str]) -> list[str]:
    """Return the ids that these names stand for in an author's course; all of them for none."""
    rows = [[e.id, e.section, e.given] for e in course.exercises.values()]
    targets = {target: e.id for target, e in course.owner.items()}
    return find_all(names or [ALL], TypedNames(rows, targets))
