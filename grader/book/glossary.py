"""The words of the book: read from their page, and marked where a chapter uses them.

A word is explained once per section: dotted everywhere, it would be noise.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from .. import root

FILE = "glossary.md"
ENTRY = re.compile(r"^(?P<names>[^\s:#].*)\n: (?P<says>.*(?:\n  .*)*)", re.MULTILINE)


class Word(NamedTuple):
    """A word with everything that means the same, and what it means, in Markdown."""

    names: tuple[str, ...]
    says: str

    @property
    def id(self) -> str:
        return re.sub(r"\W+", "-", self.names[0]).lower()


def read(text: str | None = None) -> list[Word]:
    """All words of a glossary, in its order; of this course's own without a text."""
    if text is None:
        path = root.path("chapters", FILE)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            text = file.read()
    return [
        Word(
            tuple(name.strip() for name in found["names"].split(";")),
            " ".join(found["says"].split()),
        )
        for found in ENTRY.finditer(text)
    ]


class Marker:
    """Puts a link with its explanation around the words of a text that the glossary has."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.of = {name.lower(): word for word in words for name in word.names}
        longest_first = sorted(self.of, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self.pattern = re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)

    def __call__(self, text: str, explained: set[str]) -> str:
        """The text as HTML; ``explained`` grows by what was marked."""
        found, at = [], 0
        for match in self.pattern.finditer(text):
            word = self.of[match[0].lower()]
            if word.id in explained:
                continue
            explained.add(word.id)
            found += [html.escape(text[at : match.start()], quote=False), _link(word, match[0])]
            at = match.end()
        return "".join([*found, html.escape(text[at:], quote=False)])


def _link(word: Word, said: str) -> str:
    says = html.escape(word.says.replace("`", ""), quote=True)
    name = html.escape(word.names[0], quote=True)
    return (
        f'<a class="word" href="glossary.html#{word.id}" data-word="{name}" data-says="{says}">'
        f"{html.escape(said, quote=False)}</a>"
    )
