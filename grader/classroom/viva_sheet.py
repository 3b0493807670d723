"""A printable sheet for short orals: questions for each hand-in of a class, and all answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..course.key_file import Key
from ..course.load import load
from ..course.outline import chapter_of, given
from ..errors import OurFault, WrongUse
from ..grade_package import Grading
from ..learner.viva.drawing import draw, seed_for
from ..learner.viva.question import Question
from ..learner.viva.subject import Subject
from ..sandbox.launch import Worker
from . import handins
from .safe_text import one_line, page

LETTERS = "ABCD"


class Lot(NamedTuple):
    """The questions of one learner; without any, why there are none."""

    learner: str
    questions: list[Question]
    says: str = ""


def lots(
    place: str,
    key: Key,
    ids: list[str],
    launch: Callable[[], Worker],
    count: int,
    seed: str | None,
    least: str,
) -> list[Lot]:
    """Questions for every hand-in, about those of these exercises that pass in it."""
    course = load()

    def lot(handin: handins.HandIn) -> Lot:
        name = one_line(handin.learner)
        try:
            package, _, _ = handins.read(handin.path, course)
            not_theirs = given(key.outline) | package.ours
            grading = Grading(key, package, launch, not_theirs, least=least)
            mine = [id for id in ids if id not in not_theirs]
            subject = Subject.of(grading, key.chapter(chapter_of(ids[0]), launch), mine)
            drawn = draw(subject, count, seed_for(package, handin.learner, seed))
        except (WrongUse, OurFault) as error:
            return Lot(name, [], str(error))
        passing = f"{len(subject.ids)} of {len(ids)} exercises pass"
        return Lot(name, drawn, "" if drawn else f"There is nothing to ask: {passing}.")

    return [lot(handin) for handin in handins.found([place], [chapter_of(ids[0])])]


def letter(question: Question) -> str:
    """The letter that the right option has on the sheet."""
    return LETTERS[question.options.index(question.answer)]


def html(chapter: str, made: list[Lot]) -> bytes:
    """The sheet as a page to be printed: a learner on each, the answers on the last."""
    title = f"Questions about your own code: {chapter}"
    return page("viva.html", title=title, lots=made, letters=LETTERS, letter=letter)
