"""A chapter's prose in pieces: text for Markdown cells, and the exercises that follow each.

The prose is MyST; a notebook shows plain Markdown. The two directives that chapters use become what
every notebook shows: an admonition a quotation, a dropdown an HTML `details`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

ANCHOR = re.compile(r"\(([\w-]+)\)=$")
FENCE = re.compile(r"(`{3,}|~{3,})")
FIGURE = re.compile(r"`{3,}\{figure\}")  # it moves: a notebook cannot show it
DIRECTIVE = re.compile(r"(:{3,})\{(\w+)\}\s*(.*)$")


class Piece(NamedTuple):
    """Some Markdown, and the anchors of the exercises that belong below it."""

    text: str
    anchors: tuple[str, ...] = ()


def pieces(prose: str) -> list[Piece]:
    """The whole chapter, cut at its headings and below every box that has anchors."""
    found: list[Piece] = []
    lines: list[str] = []
    anchors: list[str] = []
    for block in blocks(prose):
        label = ANCHOR.match(block[0])
        if label:
            anchors.append(label.group(1))
            continue
        if block[0].startswith("#"):
            found.append(Piece(_joined(lines)))
            lines = []
        lines += _plain(block)
        if anchors and block != [""]:
            found.append(Piece(_joined(lines), tuple(anchors)))
            lines, anchors = [], []
    return [p for p in [*found, Piece(_joined(lines))] if p.text or p.anchors]


def blocks(prose: str) -> Iterator[list[str]]:
    """Lines that belong together: a fence, a directive; else every line alone."""
    lines = prose.splitlines()
    at = 0
    while at < len(lines):
        end = at + 1
        closing = _closing(lines[at])
        if closing:
            while end < len(lines) and lines[end].strip() != closing:
                end += 1
            end += 1
        yield lines[at:end]
        at = end


def _closing(line: str) -> str:
    """What ends the block that this line begins; empty where it begins none."""
    found = DIRECTIVE.match(line) or FENCE.match(line)
    return found.group(1) if found else ""


def _plain(block: list[str]) -> list[str]:
    """A block as plain Markdown."""
    found = DIRECTIVE.match(block[0])
    if not found:
        return [] if FIGURE.match(block[0]) else block
    _, kind, title = found.groups()
    inside = [line for part in blocks("\n".join(block[1:-1])) for line in _plain(part)]
    if kind == "dropdown":
        summary = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(title, quote=False))
        return ["<details>", f"<summary>{summary}</summary>", "", *inside, "", "</details>"]
    quoted = (f"> {line}".rstrip() for line in inside)
    return [f"> **{title}**", ">", *quoted] if title else list(quoted)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")
