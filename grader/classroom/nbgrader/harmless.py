"""What learners wrote as HTML stays text: formgrader and feedback pages are read by staff.

nbconvert passes HTML in Markdown and raw cells through, and writes some metadata into attributes.
Its own sanitizer is off there, and would take what is ours out of the reports, too.
"""

from __future__ import annotations

import html
import re
from typing import Any

from nbformat import from_dict
from nbgrader.preprocessors import NbGraderPreprocessor

from ...course.notebook_source import STANDS_IN
from .autograde_steps import CRASHED

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
    return LEADS.sub(_link, OPENS.sub(APART, source))


def _link(found: re.Match[str]) -> str:
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
