"""Make nbgrader's feedback pages safe and readable: sanitise learners' HTML, name exercises.

nbconvert passes HTML in Markdown and raw cells through, and writes some metadata into attributes.
Its own sanitizer is off there, and would also remove parts of our reports. So rendered Markdown
goes through `nh3`, in feedback pages and in formgrader: the settings name `markdown_html` as a
filter of the exporter that both use. It and `code_html` render in `limited_call`: 40 KB of `a.a.a.`
keep Pygments busy for half a minute. A fork is dear, and most cells of a class are alike, so each
text is rendered once; and everything that renders is loaded before the first fork.

nbgrader's template labels every link «Test cell». `name_exercises` replaces the labels after a page
is written, by the command or by formgrader. If the template changes, the labels just stay.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.token import STANDARD_TYPES

from ...errors import OurFault
from ...notebooks.notebook_source import CRASHED, STANDS_IN, Raw
from ..intake.limited_call import OutOfBounds, limited_call
from .autograde_steps import ANSWER, Processed, Resources

# Kept of a notebook's metadata; nbgrader has restored the first.
KEPT = ("kernelspec", CRASHED, STANDS_IN)
AWAY = re.compile(r"(https?|mailto):", re.IGNORECASE)
IMAGE = re.compile(r"https?:|data:image/(png|jpeg|gif);base64,", re.IGNORECASE)
ADDRESSES = ("href", "src", "cite")
COLUMN = {tag: {*nh3.ALLOWED_ATTRIBUTES[tag], "style"} for tag in ("td", "th")}


def sanitize_html(text: str) -> str:
    """Sanitise HTML: keep text, formatting, images and links to other sites.

    Relative links are dropped too: nbgrader strips `files/` from their beginning later.
    """
    return nh3.clean(
        text,
        attributes={**nh3.ALLOWED_ATTRIBUTES, **COLUMN},
        attribute_filter=_shown,
        url_schemes={"http", "https", "mailto", "data"},
        url_relative="deny",
        allowed_classes={"div": {"highlight"}, "span": {*STANDARD_TYPES.values()}},
        filter_style_properties={"text-align"},
    )


def _shown(tag: str, name: str, value: str) -> str | None:
    """Return an attribute's value if it is allowed; an image may be a data URL."""
    leads = IMAGE if tag == "img" else AWAY
    return value if name not in ADDRESSES or leads.match(value) else None


class Renderers(NamedTuple):
    """nbconvert's own: of Markdown, and of code."""

    markdown: HTMLExporter
    code: Highlight2HTML


@cache
def _renderers() -> Renderers:
    """Load what renders, in this process: a fork would load it for a single cell."""
    found = Renderers(
        HTMLExporter(exclude_anchor_links=True), Highlight2HTML(pygments_lexer="python")
    )
    found.markdown.markdown2html({}, EVERY_KIND)
    found.code("a = 1")
    return found


EVERY_KIND = "# A\n\n`a` $a$\n\n```python\na = 1\n```\n\n| a |\n|---|\n| 1 |\n"
MOST_KEPT = 4096  # rendered cells of a class


@pass_context
def markdown_html(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, sanitised."""
    if context.get("cell", {}).get("attachments"):  # the same text may show other pictures
        return _rendered(lambda: _sanitized_markdown(context, source), source)
    return _plain_markdown(source)


@lru_cache(MOST_KEPT)
def _plain_markdown(source: str) -> str:
    return _rendered(lambda: _sanitized_markdown({}, source), source)


def _sanitized_markdown(context: Context | dict[str, object], source: str) -> str:
    return sanitize_html(_renderers().markdown.markdown2html(context, source))


def code_html(source: str, language: str | None = None, metadata: object = None) -> str:
    """nbconvert's filter `highlight_code`, with limits; it uses nothing of the metadata."""
    return _highlighted(source, language)


@lru_cache(MOST_KEPT)
def _highlighted(source: str, language: str | None) -> str:
    return _rendered(lambda: str(_renderers().code(source, language)), source)


def _rendered(render: Callable[[], str], source: str) -> str:
    """Render a cell with limits; on a timeout or an error return its escaped source.

    A missing attachment is such an error.
    """
    _renderers()
    try:
        return str(limited_call(render))
    except (OutOfBounds, OurFault):
        return f"<pre>{html.escape(source)}</pre>"


class BareCells(NbGraderPreprocessor):  # type: ignore[misc]
    """Drops all metadata but nbgrader's and ours, and sanitises raw cells.

    It runs after `RestoreCells`, which has restored locked cells from the gradebook.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        ours = {k: v for k, v in nb.metadata.items() if k in KEPT}
        nb.metadata = from_dict({"language_info": {"name": "python"}, **ours})
        for cell in nb.cells:
            kept = {k: v for k, v in cell.metadata.items() if k == "nbgrader"}
            cell.metadata = from_dict(kept)
            if cell.cell_type == "raw":
                cell.source = _rendered(partial(sanitize_html, cell.source), cell.source)
        return nb, resources


class EscapedNames(NbGraderPreprocessor):  # type: ignore[misc]
    """Escapes the names that formgrader's page of a submission shows; its template does not."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        shown = {"student", "first_name", "last_name"} & {*resources}
        resources.update({name: html.escape(resources[name] or "") for name in shown})
        return nb, resources


CHECK = re.compile(r"check\(\"([^\"]+)\"\)")
LINK = re.compile(r'(<a href="#(?:comment-)?([\w-]+)">)(Test cell|Comment|Task)</a>')
HEADING = re.compile(r"Grade cell: <code>([\w-]+)</code>")
NOTHING = re.compile(r"Score: 0\.0 / [\d.]+")  # shown for a page or cell without a mark
CONTENTS = '<div id="toc">'


def name_exercises(assignment: str, student: str, notebooks: list[str]) -> None:
    """Name the exercises in written feedback pages: nbgrader's hook after `generate_feedback`."""
    for path in notebooks:
        base, name = os.path.split(path)
        parts = base.split(os.sep)
        parts[-3:-2] = ["feedback"]  # …/autograded/ANN/chapter3
        place = os.path.join(os.sep.join(parts), f"{os.path.splitext(name)[0]}.html")
        if os.path.isfile(place) and os.path.isfile(path):
            notebook = json.loads(Path(path).read_text(encoding="utf-8"))
            text = fill_in_names(Path(place).read_text(encoding="utf-8"), notebook)
            Path(place).write_text(text, encoding="utf-8")


def fill_in_names(text: str, notebook: Raw) -> str:
    """Put the names of the notebook's exercises into a page, and why it was not judged."""
    names = dict(filter(None, map(_name, notebook["cells"])))
    text = LINK.sub(lambda found: _link(found, names), text)
    text = HEADING.sub(lambda found: f"<code>{names.get(found[1], found[1])}</code>", text)
    says = notebook["metadata"].get(CRASHED) or notebook["metadata"].get(STANDS_IN)
    if says:
        kind = "danger" if CRASHED in notebook["metadata"] else "info"
        if kind == "danger":
            text = NOTHING.sub("No mark", text)
            says = f"This submission crashed. {says}"
        first = f'<p class="alert alert-{kind}">{html.escape(str(says))}</p>'
        text = text.replace(CONTENTS, f"{first}{CONTENTS}", 1)
    return text


def _name(cell: Raw) -> tuple[str, str] | None:
    """Return a test cell's nbgrader name and the exercise that it checks; None for other cells."""
    tag = cell["metadata"].get("nbgrader", {})
    found = CHECK.match("".join(cell["source"]))
    return (tag["grade_id"], found[1]) if tag.get("grade") and found else None


def _link(found: re.Match[str], names: Mapping[str, str]) -> str:
    cell = found[2]
    exercise = names.get(cell.removesuffix(ANSWER), cell)
    told = f"Remark on {exercise}" if found[3] == "Comment" else exercise
    return f"{found[1]}{html.escape(told)}</a>"
