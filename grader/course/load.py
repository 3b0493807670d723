"""Load the course as objects: chapters, suites, sources. Imports NumPy; not for `check`."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import root
from ..about import COURSE
from ..errors import OurFault, WrongUse
from .bodies import apply_edit, read_mistakes
from .modules import has_module, import_module, public_words
from .needs import needs_of
from .outline import FULL, HIDDEN, SHORT, SHOWN, Terms, chapter_no, is_chapter
from .package import holds_any, module_of, read_texts
from .schema import Chapter, Check, Exercise, Mistake, Variant
from .syntax_tree import Region, make_stub_body, regions, remove_markers, rewritten

TITLE = re.compile(
    r"Exercise (?P<number>[\d.]+)(?:, part \d+ of \d+)?: (?P<name>.*?)"
    r"(?: \((?P<given>given, )?(?P<minutes>\d+) minutes?, (?P<stars>★+)☆*\))?$"
)
PLACE = re.compile(r"((?:^\(\S+\)=\n)+)^\W*(?:admonition\} )?(Exercise .*)$", re.MULTILINE)
MINUTES, STARS = 5, 1  # defaults


def boxes(prose: str) -> list[tuple[list[str], re.Match[str] | None]]:
    """Return each box of a chapter: the anchors above it, and its title as matched by ``TITLE``."""
    return [
        (re.findall(r"\((\S+)\)=", anchors), TITLE.match(title))
        for anchors, title in PLACE.findall(prose)
    ]


def with_sections(chapter: Chapter, prose: str) -> Chapter:
    """Copy a chapter, its exercises with the section, minutes and stars of their boxes' titles.

    An exercise's own figures take precedence: its share, if a box holds several.

    Raises:
        OurFault: an exercise without a section, here and there.
    """
    titles = {
        anchor: (title, len(anchors) == 1) for anchors, title in boxes(prose) for anchor in anchors
    }

    def at_its_place(exercise: Exercise) -> Exercise:
        title, alone = titles.get(exercise.anchor, (None, False))
        said = title.groupdict() if title else {}
        section = exercise.section or said.get("number")
        if not section:
            raise OurFault(f"{exercise.id}: chapters/{chapter.id}.md has no box that says where.")
        minutes = exercise.minutes or int((alone and said.get("minutes")) or MINUTES)
        stars = exercise.difficulty or len(said.get("stars") or "") or STARS
        return replace(exercise, section=section, minutes=minutes, difficulty=stars)

    return replace(chapter, exercises=tuple(map(at_its_place, chapter.exercises)))


def number_exercises(chapter: Chapter) -> Chapter:
    """Number the exercises of a chapter without prose: their places are their sections."""
    every = enumerate(chapter.exercises, start=1)
    return replace(chapter, exercises=tuple(
        replace(e, section=e.section or f"{chapter.number}.{n}") for n, e in every
    ))  # fmt: skip


SOLUTIONS = root.path("solutions", COURSE.name)
STUBS = root.path(COURSE.name)
ENTRY = "__init__.py"
# In a learner's wheel, which lacks the course's sources:
HANDED = "handed"  # the `.grader/` of the release
ALLOWED = "allowed.json"  # solutions, if the release lets its learners see them


@dataclass(frozen=True)
class Course:
    """All chapters, and the reference sources that the exercises point into."""

    chapters: tuple[Chapter, ...]
    solutions: dict[str, str]  # file name → text

    @property
    def key_fingerprint(self) -> str:
        """Fingerprint of what its keys depend on beside the course's own files; empty here."""
        return ""

    @property
    def added(self) -> frozenset[str] | None:
        """The exercises that an overlay added; None for a course without an overlay."""
        return None

    @property
    def answers_fingerprint(self) -> str:
        """Fingerprint of that part of it on which answers depend; empty here."""
        return ""

    def drawn_from(self, seed: str) -> str:
        """Return the seed that inputs are drawn from; the same seed here."""
        return seed

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        return {e.id: e for chapter in self.chapters for e in chapter.exercises}

    @cached_property
    def owner(self) -> dict[str, Exercise]:
        """Target → the exercise that asks for it."""
        return {target: e for e in self.exercises.values() for target in e.targets}

    @cached_property
    def regions(self) -> dict[str, Region]:
        """Target → its solution region."""
        return {
            region.owner: region
            for name, text in self.solutions.items()
            for region in regions(module_of(name), text)
        }

    def checks(self, chapter: Chapter, seed: str) -> list[Check]:
        """Return the checks of a chapter, their samples drawn from ``seed``."""
        apart = f"tests.{chapter.id}.suite"
        name = apart if has_module(apart) else f"exercises.{chapter.id}"
        with blame_course(f"{name.replace('.', '/')}.py"):
            return list(import_module(name).checks(seed))

    def prose(self, chapter: str) -> str:
        """Return the prose of a chapter; empty if there is none."""
        return _prose(chapter)

    def solved_on(self, route: str) -> frozenset[str]:
        """Return the exercises that a route gives solved: none on the full one."""
        kinds = (kind for chapter in self.chapters for kind in chapter.kinds if route == SHORT)
        return frozenset(id for kind in kinds for id in kind.given)

    def require_terms(self, terms: Terms) -> None:
        """Raise WrongUse for a route that this course lacks, or formulas that it cannot hide."""
        if terms.route != FULL and not self.solved_on(terms.route):
            raise WrongUse(f"This course has no {terms.route} route. Leave --route out.")
        if terms.formulas != SHOWN and not self.formulas:
            raise WrongUse("This course has no formulas to hide. Leave --formulas out.")

    @cached_property
    def formulas(self) -> dict[str, str]:
        """Exercise → the hint with the formula that its docstrings may leave out."""
        from .formulas import make_hints

        return make_hints(self.solutions, self.edited_docstrings, self.owner)

    @cached_property
    def edited_docstrings(self) -> dict[str, Any]:
        """Target → the edit of its docstring that hides a formula."""
        return {target: edit for c in self.chapters for target, edit in c.formulas.items()}

    def stubs(self, first: int = 0, route: str = FULL, formulas: str = SHOWN) -> dict[str, str]:
        """Return the learner's package, file name → text; chapters before ``first`` come solved,
        and so do the exercises that the route gives. Formulas are hidden in stubs alone."""
        solved, unwritten = self.solved_on(route), set[str]()

        def body(region: Region) -> str:
            exercise = self.owner.get(region.owner)
            if exercise is None:
                raise OurFault(f"{region.owner} has a solution region but no exercise.")
            if chapter_no(exercise.id) < first or exercise.id in solved:
                return region.body
            unwritten.add(region.owner)
            return make_stub_body(exercise.id, exercise.section)

        texts = {n: rewritten(module_of(n), t, body) for n, t in self.solutions.items()}
        if formulas == HIDDEN:
            from .formulas import hide_formulas

            edits = self.edited_docstrings
            texts |= hide_formulas(texts, {t: edits[t] for t in edits.keys() & unwritten})
        return texts

    def outdated_stubs(self) -> Iterator[tuple[str, str]]:
        """Yield (file, problem) for each file in which the stubs are not the stripped reference."""
        there, expected = read_texts(STUBS), self.stubs()
        for name in sorted(set(there) | set(expected)):
            if name not in there:
                yield name, "is missing"
            elif name not in expected:
                yield name, "is not part of the reference"
            elif there[name] != expected[name]:
                yield name, "is not the stripped reference"

    def solved(self) -> dict[str, str]:
        """Return the reference without its markers."""
        return {name: remove_markers(text) for name, text in self.solutions.items()}

    def replace_bodies(self, bodies: dict[str, str]) -> dict[str, str]:
        """Return the reference with other bodies for some targets: how a mistake becomes a package.

        Raises:
            OurFault: a target without a solution region, or a body that did not get there.
        """
        for target in bodies:
            if target not in self.regions:
                raise OurFault(f"{target} has no solution region, so no other body fits there.")

        def body(region: Region) -> str:
            return bodies.get(region.owner, region.body)

        patched = {
            name: rewritten(module_of(name), text, body)
            for name, text in self.solutions.items()
            if holds_any(name, bodies)
        }
        lines = "\n".join(map(_unindented, patched.values()))
        for target, text in bodies.items():
            if _unindented(text) not in lines:
                raise OurFault(f"The other body of {target} did not reach the package.")
        return self.solutions | patched

    def with_variant(self, variant: Variant) -> dict[str, str]:
        """Return the reference with the changes of a variant.

        Raises:
            OurFault: as `replace_bodies`; or an edit whose old text is nowhere.
        """
        sources = self.replace_bodies(dict(variant.bodies))
        for file, old, new in variant.edits:
            if old not in sources[file]:
                raise OurFault(f"{file} does not hold the text to be edited")
            sources[file] = sources[file].replace(old, new)
        return sources


def _unindented(text: str) -> str:
    """Strip the white space around each line, for a comparison at any depth."""
    return "\n".join(map(str.strip, text.strip().splitlines()))


def read_course() -> Course:
    """Load the course that this grader came with.

    Raises:
        WrongUse: it came without the course's sources, as learners get it.
    """
    if not has_sources():
        raise WrongUse(
            "This grader is the learner's, without the sources of the course. What you asked for "
            "needs the whole course: ask whoever gave it to you."
        )
    names = sorted(_chapter_names(), key=chapter_no)
    chapters = tuple(_chapter(name) for name in names)
    solutions = read_texts(SOLUTIONS)
    solutions.setdefault(ENTRY, "".join(f"from .{module_of(n)} import *\n" for n in solutions))
    return Course(with_bodies(chapters, solutions), solutions)


@cache  # once per process, like its module
def _chapter(name: str) -> Chapter:
    """Import the chapter that a folder or a file of `exercises/` describes."""
    with blame_course(f"exercises/{name}"):
        module = import_module(f"exercises.{name}")
    chapter = getattr(module, "CHAPTER", None)
    if not isinstance(chapter, Chapter) or chapter.id != name:
        where = _short(module.__file__ or name)
        raise OurFault(f'{where} needs a CHAPTER = Chapter(id="{name}", …).')
    prose = _prose(name)
    return (
        with_sections(chapter, prose) if prose else with_sections(number_exercises(chapter), prose)
    )


def _prose(chapter: str) -> str:
    path = Path(root.path("chapters", f"{chapter}.md"))
    return path.read_text("utf-8") if path.exists() else ""


@contextmanager
def blame_course(where: str) -> Iterator[None]:
    """Blame exceptions on the course's own code: tell the row, and the line of the course.

    Raises:
        OurFault: in place of any other exception.
    """
    try:
        yield
    except (OurFault, WrongUse):
        raise
    except Exception as error:
        raise OurFault(f"{where} raises {describe_error(error)}") from error


def describe_error(error: Exception) -> str:
    """Return an exception's type and message, and the last line of the course it came through."""
    what = public_words(f"{type(error).__name__}: {error}".removesuffix(": "))
    return f"{what}{_place_of(error)}"


def _place_of(error: Exception) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({_short(error.filename)}, line {error.lineno})"
    found, step = "", error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if name.startswith(root.ROOT + os.sep) and not name.startswith(root.PACKAGE + os.sep):
            found = f" ({_short(name)}, line {step.tb_lineno})"
        step = step.tb_next
    return found


def _short(path: str) -> str:
    return os.path.relpath(path, root.ROOT).replace(os.sep, "/")


def with_bodies(chapters: Iterable[Chapter], solutions: Mapping[str, str]) -> tuple[Chapter, ...]:
    """Copy the chapters; every mistake that is an edit of the reference gets its whole body."""
    return tuple(
        replace(chapter, exercises=tuple(
            replace(
                e, mistakes=WholeMistakes(e, solutions), wrong=None,
                needs=needs_of(e, chapter, solutions),
            )
            for e in chapter.exercises
        ))
        for chapter in chapters
    )  # fmt: skip


class WholeMistakes(Sequence[Mistake]):
    """An exercise's mistakes, each with its body; read on demand, as few are ever needed.

    Raises:
        OurFault: on demand, for an edit that does not change exactly one place of the reference's
            body, and for two mistakes of one name.
    """

    def __init__(self, exercise: Exercise, solutions: Mapping[str, str]) -> None:
        self.exercise = exercise
        self.solutions = solutions

    @cached_property
    def whole(self) -> tuple[Mistake, ...]:
        exercise = self.exercise
        listed = (*exercise.mistakes, *(read_mistakes(exercise.wrong) if exercise.wrong else ()))
        for name, count in Counter(mistake.name for mistake in listed).items():
            if count > 1:
                raise OurFault(f"{exercise.id}: two mistakes are called {name}.")
        return tuple(map(self._with_body, listed))

    def _with_body(self, mistake: Mistake) -> Mistake:
        if not mistake.edit:
            return mistake
        where = mistake.where or f"{self.exercise.id}: {mistake.name}"
        if mistake.body:
            raise OurFault(f"{where}: a mistake is a body or an edit, not both.")
        target = self.exercise.target_of(mistake)
        names = [name for name in self.solutions if holds_any(name, [target])]
        found = (r for name in names for r in regions(module_of(name), self.solutions[name]))
        right = next((region.body for region in found if region.owner == target), "")
        return replace(mistake, body=apply_edit(right, mistake.edit, where), edit=())

    def __getitem__(self, which: Any) -> Any:
        return self.whole[which]

    def __len__(self) -> int:
        return len(self.whole)

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (self.whole,)  # a class of mistakes cannot be pickled by name


def import_reference(part: str = "") -> ModuleType:
    """Import the reference package; or a module of it, ``nn``."""
    return import_module(".".join(filter(None, ("solutions", COURSE.name, part))))


reference = import_reference  # as courses written for 1.0 call it


def optional_table(module: str, name: str) -> dict[str, Any]:
    """Return a table that not every course has; empty if the course has no such module."""
    return dict(getattr(import_module(module), name)) if has_module(module) else {}


def has_sources() -> bool:
    """Whether the course itself is here, rather than a release of it."""
    return os.path.isdir(root.path("exercises")) and os.path.isdir(SOLUTIONS)


def _chapter_names() -> Iterable[str]:
    with os.scandir(root.path("exercises")) as entries:
        for entry in entries:  # a removed chapter may leave its `__pycache__` behind
            name = entry.name.removesuffix(".py")
            if is_chapter(name) and (name != entry.name or os.path.isfile(f"{entry.path}/{ENTRY}")):
                yield name
