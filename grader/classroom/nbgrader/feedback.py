"""nbgrader's feedback pages, in words; what learners wrote as HTML stays text there.

nbconvert passes HTML in Markdown and raw cells through, and writes some metadata into attributes.
Its own sanitizer is off there, and would take what is ours out of the reports, too.

Its template calls every link «Test cell». This runs after a page is written, whoever asked for it,
the command or formgrader; where nbgrader's page looks otherwise one day, it stays as it is.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping
from typing import Any

from nbformat import from_dict
from nbgrader.preprocessors import NbGraderPreprocessor

from ...course.notebook_source import STANDS_IN
from .autograde_steps import CRASHED
from .cell_marks import ANSWER

# HTML opens a tag, a comment or the like only where one of these follows at once. What is put
# between has no width, and a formula like a<b stays one.
OPENS = re.compile(r"<(?=[A-Za-z/!?])")
APART = "<\u200b"
# Where Markdown says where a link leads: behind `](`, or behind `]:` of a reference.
LEADS = re.compile(r"\](\s*[(:]\s*)(\S*)")
SCHEMES = ("http", "https", "mailto", "attachment")
UNREAD = re.compile(r"[\x00-\x20\\<>\u200b]")  # what stands in an address and is none of it
# Of a notebook's metadata; nbgrader has put back the first.
KEPT = ("kernelspec", CRASHED, STANDS_IN)
PICTURE = re.compile(r"image/(png|jpeg|gif)")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


def text(source: str) -> str:
    """Markdown in which nothing is HTML any more, and no link leads to a program."""
    return LEADS.sub(_safe_link, OPENS.sub(APART, source))


def _safe_link(found: re.Match[str]) -> str:
    """A link as it stands; one whose scheme may run something becomes text."""
    address = UNREAD.sub("", html.unescape(html.unescape(found.group(2))))
    scheme, colon, _ = re.split(r"[/?#]", address)[0].partition(":")
    if not colon or scheme.lower() in SCHEMES:
        return found.group(0)
    return f"]\u200b{found.group(1)}{found.group(2)}"


class HarmlessHtml(NbGraderPreprocessor):  # type: ignore[misc]
    """Keeps cells as they are read, and of metadata what nbgrader and we put there.

    It stands behind `RestoreCells`: what is locked has been put back from the gradebook.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        ours = {k: v for k, v in nb.metadata.items() if k in KEPT}
        nb.metadata = from_dict({"language_info": {"name": "python"}, **ours})
        for cell in nb.cells:
            kept = {k: v for k, v in cell.metadata.items() if k == "nbgrader"}
            cell.metadata = from_dict(kept)
            if cell.cell_type != "code" and not kept.get("nbgrader", {}).get("locked"):
                cell.source = text(cell.source)
            if "attachments" in cell:
                cell.attachments = from_dict(pictures(cell.attachments))
        return nb, resources


def pictures(attachments: Any) -> dict[str, Any]:
    """Of what was attached to a cell, the pictures that are nothing else."""
    found = {}
    for name, kinds in attachments.items():
        kept = {k: v for k, v in kinds.items() if PICTURE.fullmatch(k) and _is_base64(v)}
        found[name] = kept or {"image/png": ""}  # one that is missing would end the page
    return found


def _is_base64(value: Any) -> bool:
    return isinstance(value, str) and BASE64.fullmatch(value) is not None


CHECK = re.compile(r"check\(\"([^\"]+)\"\)")
LINK = re.compile(r'(<a href="#(?:comment-)?([\w-]+)">)(Test cell|Comment|Task)</a>')
HEADING = re.compile(r"Grade cell: <code>([\w-]+)</code>")
CONTENTS = '<div id="toc">'


def name_exercises(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook behind `generate_feedback`."""
    for path in notebooks:
        base, name = os.path.split(path)
        parts = base.split(os.sep)
        parts[-3:-2] = ["feedback"]  # …/autograded/ANN/chapter3
        place = os.path.join(os.sep.join(parts), f"{os.path.splitext(name)[0]}.html")
        if os.path.isfile(place) and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                notebook = json.load(file)
            with open(place, encoding="utf-8") as file:
                text = file.read()
            with open(place, "w", encoding="utf-8") as file:
                file.write(named(text, notebook))


def named(text: str, notebook: Mapping[str, Any]) -> str:
    """A page with the names of its notebook's exercises."""
    names = dict(filter(None, map(_name, notebook["cells"])))
    text = LINK.sub(lambda found: _link(found, names), text)
    text = HEADING.sub(lambda found: f"<code>{names.get(found[1], found[1])}</code>", text)
    says = notebook["metadata"].get(CRASHED) or notebook["metadata"].get(STANDS_IN)
    if says:
        kind = "danger" if CRASHED in notebook["metadata"] else "info"
        first = f'<p class="alert alert-{kind}">{html.escape(str(says))}</p>'
        text = text.replace(CONTENTS, f"{first}{CONTENTS}", 1)
    return text


def _name(cell: Mapping[str, Any]) -> tuple[str, str] | None:
    """The name that nbgrader has for a tests cell, and the exercise that it checks."""
    tag = cell["metadata"].get("nbgrader", {})
    found = CHECK.match("".join(cell["source"]))
    return (tag["grade_id"], found[1]) if tag.get("grade") and found else None


def _link(found: re.Match[str], names: Mapping[str, str]) -> str:
    cell = found[2]
    exercise = names.get(cell.removesuffix(ANSWER), cell)
    told = f"Remark on {exercise}" if found[3] == "Comment" else exercise
    return f"{found[1]}{html.escape(told)}</a>"
