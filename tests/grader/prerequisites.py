"""Chapters that a chapter needs: as `learners.md` and its own prose say it, and without the others.

A chapter's paragraph "You need …" names in its first sentence what its exercises need, and in the
rest what the code of its text runs besides.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from grader import root
from grader.course.outline import chapter_no

from .whole_course import whole_course

PARAGRAPH = re.compile(r"^(?:\*\*)?You need(?:\*\*)? .*?(?=\n\n)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (\d+) \|(?:[^|]*\|){2} ([\d, to]*)\|$", re.MULTILINE)
RANGE = re.compile(r"(\d+)(?: to (\d+))?")
NAMED = re.compile(r"[Cc]hapters? ((?:\d+(?:, and | and |, | to )?)+)")


def numbers(said: str) -> set[int]:
    """Read "2 to 5, 8" as {2, 3, 4, 5, 8}."""
    found: set[int] = set()
    for first, last in RANGE.findall(said):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def named(said: str) -> set[int]:
    """Return the chapters that a text names: "chapters 2 to 5", "chapter 4's layers"."""
    return {number for group in NAMED.findall(said) for number in numbers(group)}


def learners_page() -> str:
    return Path(root.path("docs", "learners.md")).read_text("utf-8")


@cache
def table() -> dict[int, set[int]]:
    """Return what each chapter's exercises need, by the table of `learners.md`."""
    return {int(chapter): numbers(needs) for chapter, needs in ROW.findall(learners_page())}


def paragraph(chapter: str) -> str:
    """Return a chapter's first paragraph that says what you need, on one line; "" without one."""
    found = PARAGRAPH.search(whole_course().prose(chapter))
    return " ".join(found[0].split()) if found else ""


def needed(chapter: str) -> set[int]:
    """Return the chapters that exercises or text of a chapter need, by its own prose."""
    return named(paragraph(chapter))


def closure(chapters: set[int]) -> set[int]:
    """Add what the exercises of these chapters need, and so on."""
    more = chapters.union(*(table()[number] for number in chapters))
    return more if more == chapters else closure(more)


def sources_without(chapter: str, kept: set[int]) -> dict[str, str]:
    """Return the reference with stubs for all chapters but this one and those that are kept."""
    course = whole_course()
    return course.replace_bodies(
        {
            target: "raise NotImplementedError"
            for target, exercise in course.owner.items()
            if target in course.regions and not exercise.given
            if exercise.chapter != chapter and chapter_no(exercise.id) not in kept
        }
    )


def solved_for(chapter: str, kept: set[int], folder: Path) -> Path:
    """Write that package; return the folder to import it from."""
    for name, text in sources_without(chapter, kept).items():
        file = folder / "package" / "babygrad" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "package"
