"""Tables and pages of what learners wrote; no spreadsheet and no browser runs any of it."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable

from .. import DISTRIBUTION
from ..errors import WrongUse
from ..learner.wording import WORDS, numbers, percent, points

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # wide too


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """RFC 4180, a comma between and CRLF after."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([neutral(cell) for cell in row] for row in rows)
    return out.getvalue()


def neutral(cell: object) -> str | float:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front of it."""
    if cell is None:
        return ""
    if isinstance(cell, (int, float)):
        return cell
    text = "".join(c for c in os_safe(str(cell)) if c.isprintable() or c in "\n\r\t")
    if text and not text.strip("-"):
        return text  # dashes alone, as lists have them for «nothing», are no formula
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def from_table(cell: str) -> str:
    """A cell as it was before `neutral` looked at it."""
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip(" ").startswith(FORMULA) else cell


def one_line(text: str, most: int = 2000) -> str:
    """Text that was made up elsewhere, fit for a line of a terminal: nothing that steers it."""
    line = " ".join(os_safe(text).split())
    safe = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def os_safe(text: str) -> str:
    """Names that are no UTF-8 hold surrogates, which no file takes: shown as what they are."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
CODE = re.compile(r"`([^`]+)`")


def plain_template(name: str) -> str:
    """The text of a template in which names in capitals, or in braces, are to be replaced."""
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def page(template: str, **values: object) -> bytes:
    """A template, filled in.

    Raises:
        WrongUse: the template engine is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise WrongUse(f"HTML needs Jinja2: pip install '{DISTRIBUTION}[instructor]'.") from error
    engine = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    engine.filters["points"] = lambda value: "" if value is None else points(value)
    engine.filters["numbers"] = numbers
    engine.filters["percent"] = percent
    engine.filters["prose"] = prose
    engine.globals["words"] = WORDS
    return engine.get_template(template).render(**values).encode("utf-8", "replace")


def prose(says: str) -> str:
    """A sentence of ours as HTML: what stands between backquotes is code."""
    from markupsafe import Markup, escape

    return Markup(CODE.sub(r"<code>\1</code>", str(escape(says))))
