"""A new course, from a template: one chapter, one exercise, all that an audit asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .. import root
from ..about import FILE, about_of
from ..errors import WrongUse

TEMPLATE = os.path.join(root.PACKAGE, "course", "template")
ENDING = ".txt"  # so that no tool takes the template for a part of the grader


def files(name: str, chapter: str, title: str) -> dict[str, bytes]:
    """Path → content of every file.

    Raises:
        WrongUse: a course cannot be called so, or this grader came without the template.
    """
    words = {"NAME": name, "CHAPTER": chapter, "TITLE": title}
    found = {
        _filled(path.removesuffix(ENDING), words): _filled(text, words).encode()
        for path, text in _template()
    }
    if FILE not in found:
        raise WrongUse("This grader is the learner's. A course is begun with the whole one.")
    about_of(found[FILE], FILE)
    return found


def _template() -> Iterator[tuple[str, str]]:
    for base, _, names in os.walk(TEMPLATE):
        for name in sorted(n for n in names if n.endswith(ENDING)):
            path = os.path.join(base, name)
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, TEMPLATE).replace(os.sep, "/"), file.read()


def _filled(text: str, words: dict[str, str]) -> str:
    """A text with the course's own words; `CHAPTER = …` is the grader's."""
    for word, own in words.items():
        text = text.replace(word, own)
    return text.replace(f"\n{words['CHAPTER']} = ", "\nCHAPTER = ")
