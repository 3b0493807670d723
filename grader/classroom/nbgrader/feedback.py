"""nbgrader's feedback pages, in words; what learners wrote as HTML runs nowhere.

nbconvert passes HTML in Markdown and raw cells through, and writes some metadata into attributes.
Its own sanitizer is off there, and would take what is ours out of the reports, too. So what becomes
of Markdown goes through `nh3`, in a feedback page as in formgrader: the settings name
`markdown_html` as a filter of the exporter that both use. It and `code_html` render in a process
with bounds (`limited_call`): 40 KB of `a.a.a.` keep Pygments busy for half a minute.

Its template calls every link «Test cell». `name_exercises` runs after a page is written, whoever
asked for it, the command or formgrader; where nbgrader's page looks otherwise one day, it stays.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.token import STANDARD_TYPES

from ...errors import OurFault
from ...learner.notebook_source import CRASHED, STANDS_IN, Raw
from ..limited_call import OutOfBounds, limited_call
from .autograde_steps import ANSWER, Processed, Resources

# Of a notebook's metadata; nbgrader has put back the first.
KEPT = ("kernelspec", CRASHED, STANDS_IN)
AWAY = re.compile(r"(https?|mailto):", re.IGNORECASE)
IMAGE = re.compile(r"https?:|data:image/(png|jpeg|gif);base64,", re.IGNORECASE)
ADDRESSES = ("href", "src", "cite")
COLUMN = {tag: {*nh3.ALLOWED_ATTRIBUTES[tag], "style"} for tag in ("td", "th")}


def clean(text: str) -> str:
    """HTML that holds nothing but text, its form, images, and links that lead away from the page.

    A link within nbgrader's pages is dropped too: nbgrader takes `files/` off its beginning later.
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
    """The value of an attribute; of an image it may be the image itself."""
    leads = IMAGE if tag == "img" else AWAY
    return value if name not in ADDRESSES or leads.match(value) else None


# Made when they are first asked for.
_exporter = cache(partial(HTMLExporter, exclude_anchor_links=True))
_highlighter = cache(partial(Highlight2HTML, pygments_lexer="python"))


@pass_context
def markdown_html(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, and nothing in it that runs."""
    return _rendered(lambda: clean(_exporter().markdown2html(context, source)), source)


def code_html(source: str, language: str | None = None, metadata: object = None) -> str:
    """nbconvert's filter `highlight_code`."""
    return _rendered(lambda: _highlighter()(source, language, metadata), source)


def _rendered(render: Callable[[], str], source: str) -> str:
    """What becomes of a cell; its text as it stands where that takes too long, or ends in an error.

    One such error is an attachment that is not there.
    """
    try:
        return str(limited_call(render))
    except (OutOfBounds, OurFault):
        return f"<pre>{html.escape(source)}</pre>"


class BareCells(NbGraderPreprocessor):  # type: ignore[misc]
    """Keeps of metadata what nbgrader and we put there, and of a raw cell what runs nowhere.

    It stands behind `RestoreCells`: what is locked has been put back from the gradebook.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        ours = {k: v for k, v in nb.metadata.items() if k in KEPT}
        nb.metadata = from_dict({"language_info": {"name": "python"}, **ours})
        for cell in nb.cells:
            kept = {k: v for k, v in cell.metadata.items() if k == "nbgrader"}
            cell.metadata = from_dict(kept)
            if cell.cell_type == "raw":
                cell.source = _rendered(partial(clean, cell.source), cell.source)
        return nb, resources


CHECK = re.compile(r"check\(\"([^\"]+)\"\)")
LINK = re.compile(r'(<a href="#(?:comment-)?([\w-]+)">)(Test cell|Comment|Task)</a>')
HEADING = re.compile(r"Grade cell: <code>([\w-]+)</code>")
NOTHING = re.compile(r"Score: 0\.0 / [\d.]+")  # of a page or a cell that nobody has marked
CONTENTS = '<div id="toc">'


def name_exercises(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook behind `generate_feedback`."""
    for path in notebooks:
        base, name = os.path.split(path)
        parts = base.split(os.sep)
        parts[-3:-2] = ["feedback"]  # …/autograded/ANN/chapter3
        place = os.path.join(os.sep.join(parts), f"{os.path.splitext(name)[0]}.html")
        if os.path.isfile(place) and os.path.isfile(path):
            notebook = json.loads(Path(path).read_text(encoding="utf-8"))
            text = named(Path(place).read_text(encoding="utf-8"), notebook)
            Path(place).write_text(text, encoding="utf-8")


def named(text: str, notebook: Raw) -> str:
    """A page with the names of its notebook's exercises."""
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
    """The name that nbgrader has for a tests cell, and the exercise that it checks."""
    tag = cell["metadata"].get("nbgrader", {})
    found = CHECK.match("".join(cell["source"]))
    return (tag["grade_id"], found[1]) if tag.get("grade") and found else None


def _link(found: re.Match[str], names: Mapping[str, str]) -> str:
    cell = found[2]
    exercise = names.get(cell.removesuffix(ANSWER), cell)
    told = f"Remark on {exercise}" if found[3] == "Comment" else exercise
    return f"{found[1]}{html.escape(told)}</a>"
