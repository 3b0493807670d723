"""Where an exercise stands in the prose: its section, and the minutes and stars of its box."""

from __future__ import annotations

import re
from dataclasses import replace

from ..errors import OurFault
from .schema import Chapter, Exercise

TITLE = re.compile(
    r"Exercise (?P<number>[\d.]+): (?P<name>.*?)"
    r"(?: \((?P<given>given, )?(?P<minutes>\d+) minutes?, (?P<stars>★+)☆*\))?$"
)
PLACE = re.compile(r"((?:^\(\S+\)=\n)+)^\W*(?:admonition\} )?(Exercise .*)$", re.MULTILINE)
MINUTES, STARS = 5, 1  # where nothing is said


def placed(chapter: Chapter, prose: str) -> Chapter:
    """The chapter, its exercises with the section, minutes and stars that their boxes promise.

    What an exercise says itself counts: its share, where a box holds several.

    Raises:
        OurFault: an exercise without a section, here and there.
    """
    titles = {
        anchor: (TITLE.match(title), anchors.count(")=") == 1)
        for anchors, title in PLACE.findall(prose)
        for anchor in re.findall(r"\((\S+)\)=", anchors)
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
