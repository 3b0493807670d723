"""Lay an instructor's `course.toml`, and a folder with their own exercises, over the course.

    [course]
    overlay = "private"                     # a folder beside this file
    [points]
    "chapter3.div.backward" = 4
    [off]
    exercises = ["chapter3.bughunt.mend"]   # comes solved, earns nothing
    [due]
    chapter3 = 2026-03-01T12:00:00Z         # or a text, which is only shown: "Friday, 18:00"
    [late]
    per_day = 10                            # and [extensions]: see `lateness.py`
    [attempts]
    count = "last"                          # or "best": who handed in more than once
    [marks]
    policy = "best"
    [[grants]]                              # points after an appeal: see `grants.py`

The folder has the course's own shape: `exercises.py` with ``EXERCISES`` and ``QUESTIONS``
(chapter → tuple), `suite.py` with ``checks(chapter, seed)``, `programs/`, `solutions/` whose files
are added at the end of the reference's, `chapters/` whose prose is added at the end of theirs.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from ... import root
from ...course import Chapter, Check, Exercise
from ...course.load import Course, read_course, with_bodies, with_sections
from ...course.modules import import_file, import_module
from ...course.outline import FULL, SHOWN
from ...course.package import read_texts
from ...course.schema import Question
from ...course.splice import find_pieces, target_file, with_pieces
from ...errors import WrongUse, safe_text
from ...learner import untrusted_files
from ...learner.workspace import below
from ...memo import hash_values
from ..files import GRANT, conforms
from .grants import Grant, grant_target
from .lateness import ATTEMPTS, Terms, format_due_date, read_terms
from .record import POLICIES

TABLES = ("course", "points", "off", "due", "late", "extensions", "attempts", "marks", "grants")
A_GRANT = "It takes four: learner, exercise or chapter, points (a number from 0 on), reason."


@dataclass(frozen=True)
class Overlay:
    """The content of a `course.toml`."""

    path: str
    folder: str | None
    points: Mapping[str, float]
    off: tuple[str, ...]
    due: Mapping[str, str]
    policy: str | None
    # A digest of everything that a key depends on, empty for the course's own key: overlays that
    # differ in it never share a key, but a due date does not change it.
    mark: str
    asks: str  # the same without points, which do not change answers
    terms: Terms | None = None
    attempts: str = ATTEMPTS[0]
    grants: Sequence[Grant] = ()


@dataclass(frozen=True)
class OverlaidCourse(Course):
    """The course with an overlay."""

    overlay: Overlay
    suite: ModuleType | None
    own: frozenset[str]  # ids of the instructor's own exercises

    @property
    def key_fingerprint(self) -> str:
        return self.overlay.mark

    @property
    def added(self) -> frozenset[str]:
        return self.own

    @property
    def answers_fingerprint(self) -> str:
        return self.overlay.asks

    def drawn_from(self, seed: str) -> str:
        """Return the seed of the inputs. With an overlay's folder it is not the public one, whose
        recorded PyTorch answers lack the instructor's exercises."""
        return f"{seed} {self.answers_fingerprint}" if self.overlay.folder else seed

    def checks(self, chapter: Chapter, seed: str) -> list[Check]:
        """Return the checks of a chapter and the instructor's, without exercises switched off."""
        found = super().checks(chapter, seed)
        if self.suite is not None:
            found += list(self.suite.checks(chapter.id, seed))
        return [check for check in found if check.exercise not in self.overlay.off]

    def stubs(self, first: int = 0, route: str = FULL, formulas: str = SHOWN) -> dict[str, str]:
        """Return the learner's package; exercises switched off come solved."""
        texts, right = super().stubs(first, route, formulas), self.solved()
        for id in self.overlay.off:
            for target in self.exercises[id].targets:
                name, inner = target_file(target, texts)
                texts[name] = with_pieces(texts[name], [find_pieces(right[name])[inner]])
        return texts

    def prose(self, chapter: str) -> str:
        """Return the chapter's prose, followed by the instructor's."""
        path = os.path.join(self.overlay.folder or "", "chapters", f"{chapter}.md")
        if not self.overlay.folder or not os.path.exists(path):
            return super().prose(chapter)
        with open(path, encoding="utf-8") as file:
            return f"{super().prose(chapter)}\n{file.read()}"


def load_overlay(path: str) -> Overlay:
    """Read a `course.toml`.

    Raises:
        WrongUse: it is invalid, or its folder lies inside the public course.
    """
    found = _parse(path)
    grants: list[Grant] = found.pop("grants", [])
    each = grants if isinstance(grants, list) else [grants]
    if wrong := [entry for entry in each if not conforms(entry, GRANT)]:
        raise WrongUse(f"{path}: {safe_text(str(wrong[0]))} is no entry of [[grants]]. {A_GRANT}")
    tables = [name for name in TABLES if isinstance(found.get(name), dict)]
    if unknown := [name for name in found if name not in tables]:
        raise WrongUse(
            f"{path}: there is no table [{safe_text(unknown[0])}]. Use {', '.join(TABLES)}."
        )
    folder = _folder(path, found.get("course", {}).get("overlay"))
    policy = found.get("marks", {}).get("policy")
    count = found.get("attempts", {}).get("count", ATTEMPTS[0])
    for name, said, known in (("policy", policy, POLICIES), ("[attempts] count", count, ATTEMPTS)):
        if said is not None and not (isinstance(said, str) and said in known):
            raise WrongUse(f"{path}: {name} is one of {', '.join(known)}, not {said!r}.")
    points, off = _settle_points(path, found)
    due = {str(name): format_due_date(when) for name, when in found.get("due", {}).items()}
    asks = _mark([sorted(off)], folder) if off or folder else ""
    mark = _mark([points, sorted(off)], folder) if points or off or folder else ""
    return Overlay(
        os.path.abspath(path), folder, points, off, due, policy, mark, asks,
        read_terms(path, found), count, grants,
    )  # fmt: skip


def _parse(path: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(untrusted_files.read_named(path))
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"{path} cannot be read: {error}") from error


def _settle_points(
    path: str, found: Mapping[str, Any]
) -> tuple[Mapping[str, float], tuple[str, ...]]:
    """Return the points of [points], and the exercises of [off].

    Raises:
        WrongUse: points are no number above 0, or exercises are no list of texts.
    """
    points, off = found.get("points", {}), found.get("off", {}).get("exercises", [])
    if wrong := [id for id, p in points.items() if type(p) not in (int, float) or not 0 < p < 1e9]:
        raise WrongUse(f"{path}: {wrong[0]} needs a number above 0; or put it under [off].")
    if not isinstance(off, list) or not all(isinstance(id, str) for id in off):
        raise WrongUse(f"{path}: exercises under [off] is a list of texts.")
    return points, tuple(off)


def _folder(path: str, name: str | None) -> str | None:
    """Return the overlay's folder; raises WrongUse if it would be published with the course."""
    if name is None:
        return None
    try:
        folder = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(path)), name))
    except (TypeError, ValueError) as error:  # a number, or a NUL in the text
        says = f"{path}: overlay names a folder, as a text; {safe_text(repr(name))} is none."
        raise WrongUse(says) from error
    if not os.path.isdir(folder):
        raise WrongUse(f"{path} names the folder {name}, which is not there.")
    if os.path.commonpath([folder, os.path.realpath(root.ROOT)]) == os.path.realpath(root.ROOT):
        raise WrongUse(
            f"{folder} lies inside the course, from where it would be published with it. "
            "Keep your own exercises in a folder outside."
        )
    return folder


def _mark(said: list[object], folder: str | None) -> str:
    data = json.dumps(said, sort_keys=True).encode()
    return hash_values(data, sorted(below(folder).items()) if folder else [])


_one_at_a_time = threading.Lock()


def load_course(path: str | None) -> Course:
    """Load the grader's own course, with the overlay of a `course.toml` if one is named."""
    if path is None:
        return read_course()
    with _one_at_a_time:  # it imports modules, whose names all threads share
        return apply_overlay(read_course(), load_overlay(path))


def apply_overlay(course: Course, overlay: Overlay) -> OverlaidCourse:
    """Lay an overlay over a course.

    Raises:
        WrongUse: it names an unknown exercise or chapter, or grants more points than there are.
    """
    module, suite, solutions = None, None, dict(course.solutions)
    if overlay.folder is not None:
        _add_programs(os.path.join(overlay.folder, "programs"))
        module = _module(overlay, "exercises")
        suite = _module(overlay, "suite")
        for name, text in read_texts(os.path.join(overlay.folder, "solutions")).items():
            solutions[name] = f"{solutions.get(name, '')}\n\n{text}".lstrip("\n")
    more: Mapping[str, tuple[Exercise, ...]] = getattr(module, "EXERCISES", {})
    asked: Mapping[str, tuple[Question, ...]] = getattr(module, "QUESTIONS", {})
    chapters = tuple(
        replace(
            chapter,
            exercises=tuple(
                _changed(e, overlay) for e in (*chapter.exercises, *more.get(chapter.id, ()))
            ),
            questions=(*chapter.questions, *asked.get(chapter.id, ())),
        )
        for chapter in course.chapters
    )
    own = frozenset(e.id for each in more.values() for e in each)
    chapters = with_bodies([with_sections(chapter, "") for chapter in chapters], solutions)
    made = OverlaidCourse(chapters, solutions, overlay, suite, own)
    later = overlay.terms.extensions.values() if overlay.terms else ()
    named = {chapter for given in later for chapter in given if chapter}
    named |= {grant["chapter"] for grant in overlay.grants if "chapter" in grant}
    ids = {grant["exercise"] for grant in overlay.grants if "exercise" in grant}
    ids |= {*overlay.points, *overlay.off}
    _must_exist(made, ids, {*overlay.due, *named, *more, *asked})
    for grant in overlay.grants:
        id, given = grant_target(grant), grant["points"]
        most = sum(e.points for e in made.exercises.values() if id in (e.id, e.chapter))
        if not given <= most:
            raise WrongUse(f"{overlay.path}: {id} has {most:g} points, {given:g} are granted.")
    return made


def _changed(exercise: Exercise, overlay: Overlay) -> Exercise:
    if exercise.id in overlay.off:
        return replace(exercise, given=True, points=0)
    return replace(exercise, points=overlay.points.get(exercise.id, exercise.points))


def _must_exist(course: OverlaidCourse, ids: set[str], names: set[str]) -> None:
    unknown = sorted(ids - set(course.exercises)) + sorted(names - {c.id for c in course.chapters})
    if unknown:
        what = f"{course.overlay.path} names {unknown[0]}"
        raise WrongUse(f"{what}, which this course does not have.")


def _add_programs(folder: str) -> None:
    """Make the instructor's programs importable beside the course's."""
    package = import_module("tests.programs")
    if os.path.isdir(folder) and folder not in package.__path__:
        package.__path__.append(folder)


def _module(overlay: Overlay, name: str) -> ModuleType | None:
    """Import a Python file of the overlay under a unique name; None if it is missing."""
    path = os.path.join(overlay.folder or "", f"{name}.py")
    if not os.path.exists(path):
        return None
    # `suite` imports the exercises by a fixed name: `from exercises_of_mine import …`.
    own = "exercises_of_mine" if name == "exercises" else f"overlay_{overlay.mark[:12]}_{name}"
    return import_file(own, path)
