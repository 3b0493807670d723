"""Render a chapter's insets: boxes of exercises, figures, questions, and glossary words.

A box shows number, minutes, stars, points, needed exercises, a command and hints. The questions are
those of `grader quiz` and of the notebooks; predictions are compared as the command does.

A figure is data, which the course describes, and a script that draws it. The table in
`exercises/figures/` has name → (kind, function that returns the data, with the reference's
numbers). ``graph`` is drawn by `graph/figure.js`, every other kind by a script of `static/`. Where
no script runs, a page shows the figure's picture from `chapters/.page/figures/`.

The words are read from the glossary's page. A word is explained once per section; more often would
be noise.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

from .. import root
from ..course import Exercise, Question
from ..course.load import TITLE, optional_table
from ..course.outline import anchor_of
from ..errors import OurFault
from ..learner.wording import normalize_answer, worth
from . import grading_page_name, page_name

Render = Callable[[str], str]  # Markdown → HTML


class Boxes:
    """Renders an exercise's box from its title, the anchors above it and its text."""

    def __init__(
        self,
        templates: Environment,
        exercises: Mapping[str, Exercise],
        inline: Render,
        graded: Set[str] = frozenset(),
    ) -> None:
        self.template = templates.get_template("box.html")
        self.exercises, self.inline, self.graded = exercises, inline, graded
        self.at = {exercise.anchor: exercise for exercise in exercises.values()}

    def __call__(self, title: str, anchors: tuple[str, ...], inside: str) -> str:
        """Render the box as HTML.

        Raises:
            OurFault: the title lacks number, name, minutes or stars.
        """
        found = TITLE.match(title)
        if found is None or not found["stars"]:
            raise OurFault(f"«{title}» is no title of an exercise: number, name, minutes, stars.")
        wanted = [e for e in map(self.at.get, anchors) if e is not None and not e.given]
        return self.template.render(
            number=found["number"], name=self.inline(found["name"]), minutes=found["minutes"],
            stars=len(found["stars"]), given=bool(found["given"]), anchors=anchors, inside=inside,
            rows=[self._row(exercise) for exercise in wanted], needs=self._needs(wanted),
            worth=worth(sum(exercise.points for exercise in wanted)), command=self._command(wanted),
            here=self._here(wanted),
        )  # fmt: skip

    def _row(self, exercise: Exercise) -> dict[str, object]:
        hints = [self.inline(hint) for hint in exercise.hints]
        return {"title": exercise.title, "hints": hints}

    def _here(self, wanted: list[Exercise]) -> str:
        """Link to the page that grades this box's exercises in the book; empty if there is none."""
        here = wanted and wanted[0].chapter in self.graded
        return f"{grading_page_name(wanted[0].chapter)}#{wanted[0].id}" if here else ""

    def _needs(self, wanted: list[Exercise]) -> list[dict[str, str]]:
        """List the needed exercises outside of this box, with their links."""
        ids = dict.fromkeys(need for exercise in wanted for need in exercise.needs)
        needed = [self.exercises[id] for id in ids if self.exercises[id] not in wanted]
        return [{"title": e.title, "href": page_name(e.chapter, e.anchor)} for e in needed]

    def _command(self, wanted: list[Exercise]) -> str:
        """Return the command that checks a box: by section if it is all of it, else by exercise."""
        sections = {exercise.section for exercise in wanted}
        whole = [e for e in self.exercises.values() if e.section in sections and not e.given]
        if len(wanted) > 1 and len(sections) == 1 and len(whole) == len(wanted):
            return f"grader check {wanted[0].section}"
        return " ".join(["grader check", *(exercise.id for exercise in wanted)])


def quiz(
    templates: Environment, questions: Sequence[Question], block: Render, inline: Render
) -> str:
    """Render all questions as HTML; empty if there are none."""
    if not questions:
        return ""
    rows = [question_row(question, block, inline) for question in questions]
    return templates.get_template("quiz.html").render(rows=rows)


def question_row(question: Question, block: Render, inline: Render) -> dict[str, object]:
    """Return a question's values for the template."""
    return {
        "id": question.id,
        "place": anchor_of(question.id),
        "asks": block(question.asks),
        "choices": [
            {"says": inline(text), "plain": normalize_answer(text)} for text in question.choices
        ],
        "answer": None if question.answer is None else inline(question.answer),
        "plain": None if question.answer is None else normalize_answer(question.answer),
        "rubric": [inline(line) for line in question.rubric],
        "why": inline(question.why),
    }


FIGURE = re.compile(r"^```\{figure\} *([\w-]+)$", re.MULTILINE)
PICTURES = os.path.join("chapters", ".page", "figures")  # not copied into workspaces
DRAWN = re.compile(
    r'width="(?P<width>\d+)" height="(?P<height>\d+)".*?<title>(?P<title>.*?)</title>'
    r"\s*<desc>(?P<says>.*?)</desc>",
    re.DOTALL,
)
KIND = re.compile(r'data-kind="(\w+)"')
PIECES = ("figure.js", "pieces.js")  # needed by all kinds, in this order
SCRIPTS = {
    "moons.js": ("moons",), "arrays.js": ("transpose", "sum", "matmul"),
    "images.js": ("im2col", "dilate"), "layers.js": ("deep", "batch"),
    "attention.js": ("attention",), "modes.js": ("modes",), "memory.js": ("memory",),
    "curves.js": ("resume", "stopping", "forget"), "trial.js": ("trial",),
    "loader.js": ("loader",), "alias.js": ("alias",), "walks.js": ("walks",),
    "paths.js": ("paths",),
    "program.js": ("program",), "slopes.js": ("step",), "tokens.js": ("tokens",),
    "strides.js": ("strides",), "lines.js": ("lines",),
    "block.js": ("block",), "header.js": ("idx",), "averages.js": ("spread", "means"),
    "descent.js": ("ravine", "clip", "schedules"),
    "figures.js": ("nudge", "diamonds", "xor", "race", "broadcast"),
}  # fmt: skip


def scripts(body: str) -> list[str]:
    """Return the scripts that the figures of a page need."""
    kinds = set(KIND.findall(body))
    found = [name for name, drawn in SCRIPTS.items() if kinds & set(drawn)]
    return [*PIECES, *found] if kinds else []


@cache  # some figures train a network
def render_figure(name: str, caption: str) -> str:
    """Render a figure as HTML, with its data and a caption that says what to try.

    Raises:
        OurFault: there is no figure of this name.
    """
    known = optional_table("exercises.figures", "FIGURES")
    if name not in known:
        raise OurFault(f"There is no figure {name}: choose one of {', '.join(known) or 'none'}.")
    kind, describe = known[name]
    # Inside a script element only `<` could end it.
    data = json.dumps(describe(), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<figure class="fig" id="figure-{html.escape(name)}" data-kind="{kind}">'
        f'<script type="application/json">{data}</script>{_printed(name)}'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _printed(name: str) -> str:
    """Render what a figure is without JavaScript: its picture as on paper, and what that says."""
    path = Path(root.path(PICTURES), f"{name}.svg")
    if not path.exists():
        return "<noscript><p>This figure moves: it needs JavaScript.</p></noscript>"
    found = DRAWN.search(path.read_text("utf-8"))
    assert found is not None, f"{path} lacks what it shows"
    return (
        f'<noscript><img src="{picture_name(name)}" width="{found["width"]}"'
        f' height="{found["height"]}" alt="{found["title"]}">'
        f'<p class="fig-says">{found["says"]}</p></noscript>'
    )


def picture_name(name: str) -> str:
    """Return the name of a figure's picture in the site."""
    return f"figure-{html.escape(name)}.svg"


ENTRY = re.compile(r"^(?P<names>[^\s:#].*)\n: (?P<says>.*(?:\n  .*)*)", re.MULTILINE)


class GlossaryWord(NamedTuple):
    """An entry of the glossary: a word with its synonyms, and its meaning in Markdown."""

    names: tuple[str, ...]
    says: str

    @property
    def id(self) -> str:
        return re.sub(r"\W+", "-", self.names[0]).lower()


def read_words(text: str) -> list[GlossaryWord]:
    """Parse all words of a glossary, in its order."""
    return [
        GlossaryWord(
            tuple(map(str.strip, found["names"].split(";"))), " ".join(found["says"].split())
        )
        for found in ENTRY.finditer(text)
    ]


class Marker:
    """Links the glossary's words in a text to their explanations."""

    def __init__(self, words: Iterable[GlossaryWord]) -> None:
        self.of = {name.lower(): word for word in words for name in word.names}
        longest_first = sorted(self.of, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self.pattern = re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)

    def __call__(self, text: str, explained: set[str]) -> str:
        """Return the text as HTML; ids of words that it links are added to ``explained``."""
        found, at = [], 0
        for match in self.pattern.finditer(text):
            word = self.of[match[0].lower()]
            if word.id in explained:
                continue
            explained.add(word.id)
            found += [html.escape(text[at : match.start()], quote=False), _link(word, match[0])]
            at = match.end()
        return "".join([*found, html.escape(text[at:], quote=False)])


def _link(word: GlossaryWord, said: str) -> str:
    says = html.escape(word.says.replace("`", ""), quote=True)
    name = html.escape(word.names[0], quote=True)
    return (
        f'<a class="word" href="glossary.html#{word.id}" data-word="{name}" data-says="{says}">'
        f"{html.escape(said, quote=False)}</a>"
    )
