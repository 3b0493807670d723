"""Build the whole site: a page per chapter, contents, glossary, and an index for search.

It uses only relative addresses and no other hosts, so that it can be read from a folder, a host or
a wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .. import root
from ..about import COURSE
from ..course.formulas import MINUTES
from ..course.load import Course, optional_table
from ..course.outline import FULL, SHORT
from ..course.schema import Chapter
from ..course.splice import target_file
from ..errors import OurFault, WrongUse
from . import ACCESS, grading_page_name, graph, page_name
from .boxes import (
    PICTURES,
    Boxes,
    Marker,
    picture_name,
    quiz,
    read_words,
    render_figure,
    scripts,
)
from .prose_html import Page, ProseRenderer, Section

if TYPE_CHECKING:
    from .page.pack import Work

ENGINE = os.path.dirname(os.path.abspath(graph.__file__))
HERE = os.path.dirname(os.path.abspath(__file__))
NAMED = re.compile(r'\b((?:id|name|for|href|aria-\w+)="#?)([\w.-]+)"')
TO_A_PAGE = re.compile(r'href="(chapter\d+|glossary)\.html(?:#([\w.-]+))?"')
TARGET = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
LOOKS = [*sorted(Path(HERE, "static").iterdir())]
LOOKS += [Path(ENGINE, name) for name in ("figure.css", "figure.js")]
GRADING_FILES = sorted(Path(HERE, "here").iterdir())
# Not copied into workspaces (`chapters/.page`): the first page's first screen, the text below it,
# the picture that previews of links show, and the code that a grading page's scratch field has.
FIRST, START, PREVIEW, SCRATCH, SCRATCH_ARRAYS = (
    os.path.join("chapters", ".page", name)
    for name in ("first.md", "start.md", "preview.png", "scratch.py", "arrays.py")
)
GLOSSARY = os.path.join("chapters", "glossary.md")


def build_site(
    course: Course,
    out: str,
    grading_pages: Sequence[Work] = (),
    imports: Mapping[str, str] | None = None,
) -> list[str]:
    """Write the site into a folder; return the names of its files.

    Args:
        grading_pages: the chapters with a grading page, and their files.
        imports: the import map of the editor's modules; without it pages have text fields.

    Raises:
        OurFault: a link leads nowhere, or an anchor is there twice.
        WrongUse: the folder cannot be written to.
    """
    files = Builder(course, grading_pages, imports, find_wheel(out)).files()
    copied = {path.name: path for path in (*LOOKS, *(GRADING_FILES if grading_pages else ()))}
    copied |= {path.name: path for path in [Path(root.path(PREVIEW))] if path.exists()}
    pictures = sorted(Path(root.path(PICTURES)).glob("*.svg"))
    copied |= {picture_name(path.stem): path for path in pictures}
    try:
        os.makedirs(out, exist_ok=True)
        for name, text in files.items():
            Path(out, name).write_bytes(text.encode())
        for name, path in copied.items():
            shutil.copyfile(path, os.path.join(out, name))
    except OSError as error:
        raise WrongUse(f"{out} cannot be written to: {error.strerror}.") from error
    return [*files, *copied]


def find_wheel(folder: str) -> str:
    """Return the name of the course's newest wheel in the site's folder; empty if there is none."""
    begins = re.sub(r"[-_.]+", "_", COURSE.distribution).lower() + "-"
    wheels = [path for path in Path(folder).glob("*.whl") if path.name.lower().startswith(begins)]
    return max(wheels, key=lambda path: path.stat().st_mtime).name if wheels else ""


class Builder:
    """Renders the pages of a course."""

    def __init__(
        self,
        course: Course,
        grading_pages: Sequence[Work] = (),
        imports: Mapping[str, str] | None = None,
        wheel: str = "",
    ) -> None:
        self.course = course
        self.wheel = wheel
        self.grading_pages = grading_pages
        self.imports = imports
        self.words = read_words(_text(GLOSSARY))
        self.templates = Environment(
            loader=FileSystemLoader(os.path.join(HERE, "templates")), autoescape=True,
            undefined=StrictUndefined, trim_blocks=True,
        )  # fmt: skip
        self.where: dict[str, str] = {}
        self.pages: dict[str, Page] = {}
        self.chapters = [chapter for chapter in course.chapters if course.prose(chapter.id)]
        always = {"course": COURSE, "chapters": self.chapters, "pages": self.pages, "scripts": ()}
        self.templates.globals.update(always)
        self.reader = ProseRenderer(
            lambda *of: self.box(*of), render_figure, Marker(self.words), self.where
        )
        graded = {each.chapter for each in grading_pages}
        self.box = Boxes(self.templates, course.exercises, self.reader.inline, graded)

    def files(self) -> dict[str, str]:
        """Render all pages and the search index; return name → text."""
        if not self.chapters:
            raise WrongUse("No chapter has prose yet: the book is made of chapters/*.md.")
        self.where |= {
            target: page_name(chapter.id)
            for chapter in self.chapters
            for target in TARGET.findall(self.course.prose(chapter.id))
        }
        self.pages |= {c.id: self.reader.read(self.course.prose(c.id)) for c in self.chapters}
        access, first, start = (self.reader.read(_text(name)) for name in (ACCESS, FIRST, START))
        self._require_links({**self.pages, FIRST: first, START: start, ACCESS: access})
        quizzes = {chapter.id: self._quiz(chapter) for chapter in self.chapters}
        self.templates.globals["access"] = access
        found = {page_name(c.id): self._chapter(c, quizzes[c.id]) for c in self.chapters}
        found["index.html"] = self._render(
            "start.html", first=first, start=start, scripts=scripts(first.body + start.body),
            rows=self._rows(FULL), short=self._rows(SHORT), desks=self.grading_pages,
            wheel=self.wheel, hidden=self._formulas(),
            preview=os.path.basename(PREVIEW) * os.path.exists(root.path(PREVIEW)),
        )  # fmt: skip
        words = [{"word": word, "says": self.reader.inline(word.says)} for word in self.words]
        if access.body:
            found["accessibility.html"] = self._render("text.html")
        found["glossary.html"] = self._render("glossary.html", words=words)
        found["book.html"] = self._whole(quizzes, words, found["glossary.html"])
        found |= {
            grading_page_name(each.chapter): self._grading_page(each) for each in self.grading_pages
        }
        found["search-index.js"] = self._index()
        return found

    def _require_links(self, pages: dict[str, Page]) -> None:
        """Raise OurFault unless all links have targets, and all exercises have anchors."""
        known = {f"#{anchor}" for found in pages.values() for anchor in found.anchors}
        bad = [f"{id}: {link}" for id, found in pages.items() for link in found.links
               if link not in known]  # fmt: skip
        bad += [
            f"{exercise.chapter}: no place ({exercise.anchor})="
            for exercise in self.course.exercises.values()
            if exercise.chapter in pages and f"#{exercise.anchor}" not in known
        ]
        for id, found in pages.items():
            bad += [f"{id}: {a} is there twice" for a in _twice(found.anchors)]
        if bad:
            raise OurFault("Links of the book lead nowhere. Mend them:\n  " + "\n  ".join(bad))

    def _quiz(self, chapter: Chapter) -> str:
        """Render a chapter's questions, and add their section to its page."""
        if chapter.questions:
            words = [question.asks for question in chapter.questions]
            self.pages[chapter.id].sections.append(Section("quiz", "Quiz", 2, words))
        return quiz(self.templates, chapter.questions, self.reader.block, self.reader.inline)

    def _chapter(self, chapter: Chapter, questions: str) -> str:
        at, here = self.chapters.index(chapter), self.pages[chapter.id]
        return self._render(
            "chapter.html", chapter=chapter, quiz=questions, here=here, scripts=scripts(here.body),
            before=self.chapters[at - 1] if at else None,
            after=self.chapters[at + 1] if at + 1 < len(self.chapters) else None,
        )  # fmt: skip

    def _whole(self, quizzes: dict[str, str], words: object, glossary: str) -> str:
        """Render the whole book as one page, for printing; links lead to anchors on this page."""
        taken = {"glossary", *self.pages, *_names(glossary)}
        parts = [
            (chapter, _unlike(self.pages[chapter.id].body + quizzes[chapter.id], chapter.id, taken))
            for chapter in self.chapters
        ]
        whole = self._render(
            "book.html", parts=parts, words=words, quiz=any(quizzes.values()),
            scripts=scripts("".join(body for _, body in parts)),
        )  # fmt: skip
        bar, main, text = whole.partition("<main")
        return bar + main + TO_A_PAGE.sub(lambda at: f'href="#{at[2] or at[1]}"', text)

    def _grading_page(self, here: Work) -> str:
        """Render the page that grades a chapter."""
        mine = [e for e in self.course.exercises.values() if e.chapter == here.chapter]
        rows = [
            {
                "id": e.id, "section": e.section, "title": e.title, "target": e.targets[0],
                "module": target_file(e.targets[0], here.written)[0],
                "hints": [self.reader.inline(hint) for hint in e.hints],
            }
            for e in mine
            if not e.given
        ]  # fmt: skip
        scratch = _text(SCRATCH_ARRAYS if here.arrays else SCRATCH)
        told = json.dumps({
            "chapter": here.chapter, "files": here.written, "arrays": here.arrays,
            "package": COURSE.name, "exercises": rows,
            "scratch": scratch or f"import {COURSE.name}\n",
        })  # fmt: skip
        return self._render(
            "here.html", desk_of=here,
            chapter=next(c for c in self.chapters if c.id == here.chapter),
            here=self.pages[here.chapter], points=sum(e.points for e in mine), imports=self.imports,
            desk=told.replace("<", "\\u003c"),
        )  # fmt: skip

    def _render(self, name: str, **more: object) -> str:
        return self.templates.get_template(name).render(more)

    def _rows(self, route: str) -> list[dict[str, object]]:
        """Describe each chapter: what is built in it, and what a route asks for."""
        built = optional_table("exercises.parts", "PARTS")
        solved = self.course.solved_on(route)
        asked = {
            chapter.id: [e for e in chapter.exercises if not e.given and e.id not in solved]
            for chapter in self.chapters
        }
        return [
            {
                "chapter": chapter,
                "minutes": sum(e.minutes for e in asked[chapter.id]),
                "built": self.reader.inline(built.get(chapter.id, "")),
                "count": len(asked[chapter.id]),
            }
            for chapter in self.chapters
        ]

    def _formulas(self) -> dict[str, int]:
        """Count the exercises whose formula can be hidden, and the minutes that this adds."""
        count = len(self.course.formulas)
        return {"count": count, "minutes": count * MINUTES}

    def _index(self) -> str:
        """Return the search index as a script: a page at ``file://`` may not fetch JSON."""
        rows = [
            [
                page_name(c.id, section.id),
                f"{c.number} {c.title}",
                section.title,
                section.text,
                " ".join(section.code),
            ]
            for c in self.chapters
            for section in self.pages[c.id].sections
        ]
        rows += [
            [page_name(e.chapter, e.anchor), f"Exercise {e.section}", e.title, e.id, ""]
            for e in self.course.exercises.values()
            if e.chapter in self.pages
        ]
        rows += [
            [f"glossary.html#{word.id}", "Glossary", ", ".join(word.names), word.says, ""]
            for word in self.words
        ]
        return (
            f"window.BOOK_INDEX = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n"
        )


def _text(name: str) -> str:
    """Read an optional file of the course; empty without it."""
    path = Path(root.path(name))
    return path.read_text("utf-8") if path.exists() else ""


def _unlike(body: str, chapter: str, taken: set[str]) -> str:
    """Prefix a chapter's anchors that are taken already, and add its anchors to ``taken``."""
    names = _names(body)
    twice = names & taken
    taken |= names
    return NAMED.sub(lambda at: f'{at[1]}{chapter}-{at[2]}"' if at[2] in twice else at[0], body)


def _names(text: str) -> set[str]:
    return {name for before, name in NAMED.findall(text) if before.startswith(("id", "name"))}


def _twice(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})
