"""Questions on pages: a sheet for short orals of a class, with all answers; and one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..course.load import load
from ..course.outline import chapter_of
from ..course.package import Package
from ..errors import OurFault, WrongUse
from ..learner.viva.kinds import draw, seed_for
from ..learner.viva.question import Question
from ..learner.viva.subject import Subject
from . import handins
from .safe_text import one_line, page

TITLE = "Questions about your own code"


class Lot(NamedTuple):
    """The questions of one learner; without any, why there are none."""

    learner: str
    questions: list[Question]
    says: str = ""


def lots(
    place: str,
    ids: list[str],
    subject_of: Callable[[Package], Subject],
    count: int,
    seed: str | None,
) -> list[Lot]:
    """Questions for every hand-in, about those of these exercises that pass in it.

    Args:
        subject_of: a package as what is asked about.
    """
    course = load()

    def lot(handin: handins.HandIn) -> Lot:
        name = one_line(handin.learner)
        try:
            package, _, _ = handins.read(handin.path, course)
            subject = subject_of(package)
            drawn = draw(subject, count, seed_for(package, handin.learner, seed))
        except (WrongUse, OurFault) as error:
            return Lot(name, [], str(error))
        passing = f"{len(subject.ids)} of {len(ids)} exercises pass"
        return Lot(name, drawn, "" if drawn else f"There is nothing to ask: {passing}.")

    return [lot(handin) for handin in handins.found([place], [chapter_of(ids[0])])]


def html(chapter: str, made: list[Lot]) -> bytes:
    """The sheet as a page to be printed: a learner on each, the answers on the last."""
    return page("viva.html", title=f"{TITLE}: {chapter}", lots=made, own=False)


def own_page(chapter: str, questions: list[Question]) -> bytes:
    """A page for who wrote the code: each answer is told once one has been chosen."""
    return page("viva.html", title=f"{TITLE}: {chapter}", lots=[Lot("", questions)], own=True)
