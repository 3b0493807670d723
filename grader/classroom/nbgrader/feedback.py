"""nbgrader's feedback pages, in words: exercises by their names, and first what concerns them all.

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

from ...course.notebook_source import STANDS_IN
from .autograde_steps import CRASHED
from .cell_marks import ANSWER

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
